//! A runs file as it is read: everything in it, by what it is.

use std::collections::BTreeMap;

use llm::ToolSpec;
use serde::de::{DeserializeOwned, IgnoredAny};
use trace::Trace;

use crate::entry::{NAME, VERSION};
use crate::labels::{self, ReaderLabel};
use crate::{Case, Entry, Failure, Key, RunEntry, Setup};

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 50_000_000;
/// The most runs of one file.
pub const MAX_RUNS: usize = 2_000_000;

/// Why a runs file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunsError {
    /// The file is empty.
    #[error(
        "the runs file is empty; its first line must be {{\"type\":\"head\",\"format\":\"{NAME}\",…}}"
    )]
    Empty,
    /// The file is of another format.
    #[error(
        "this is no runs file: its first line must be \
         {{\"type\":\"head\",\"format\":\"{NAME}\",…}}, and it is {found:?}"
    )]
    Other {
        /// The first characters of the file.
        found: String,
    },
    /// Written by a development version, in a form that no release wrote.
    #[error(
        "this runs file has version {found}, which only development versions of Graphground wrote; \
         this program reads version {VERSION}. Run the benchmark again with `graphground bench`"
    )]
    Older {
        /// The version that the file says.
        found: u32,
    },
    /// Results of a command that writes no runs file.
    #[error("this is no runs file, but what {command} wrote; `{instead}` makes one")]
    Results {
        /// The command that wrote them.
        command: &'static str,
        /// The command that makes a runs file of the same.
        instead: &'static str,
    },
    /// Written by a later version of this program.
    #[error(
        "this runs file has version {found}, and this program reads version {VERSION}; \
         open it with a newer Graphground"
    )]
    Newer {
        /// The version that the file says.
        found: u32,
    },
    /// A line that cannot be read.
    #[error(
        "line {line}: {reason}; the {n_runs} runs before it are whole. Take the line out, and `bench` makes its run again"
    )]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with the line.
        reason: String,
        /// How many runs came before it.
        n_runs: usize,
    },
    /// Two setups under one hash: one of the files was changed by hand.
    #[error("setup {hash:?} stands for two setups; one of the files was changed")]
    Setups {
        /// The hash that no setup has.
        hash: String,
    },
    /// Two files that do not belong together.
    #[error(
        "case {id:?} is not the same in both: another graph, question or words stand under its name"
    )]
    Conflict {
        /// The id that no case has.
        id: String,
    },
}

/// Results without a head: the fields of their lines, what wrote them, and the command that makes a
/// runs file of the same.
const RESULTS: [(&[&str], &str, &str); 3] = [
    (&["key", "run"], "`kg bench` of a development version", "graphground bench --experiment kgqa"),
    (
        &["extract_model", "call_model", "searches"],
        "`kgetool run` of a development version",
        "graphground bench --experiment family",
    ),
    (
        &["dataset", "rouge_1", "same_calls"],
        "`graphground toolformer score --summary`",
        "graphground toolformer score --out RUNS",
    ),
];

/// Why a file whose first line is this one is no runs file.
fn not_runs(line: &str) -> RunsError {
    let fields: BTreeMap<String, IgnoredAny> = serde_json::from_str(line).unwrap_or_default();
    let is = |names: &[&str]| names.iter().all(|name| fields.contains_key(*name));
    match RESULTS.iter().find(|(names, ..)| is(names)) {
        Some((_, command, instead)) => RunsError::Results { command, instead },
        None => RunsError::Other { found: line.chars().take(60).collect() },
    }
}

/// A runs file, read. With `T = IgnoredAny` traces are passed over, which takes a tenth of the
/// memory and is all that a report needs.
#[derive(Clone, Debug)]
pub struct Runs<T = Trace> {
    /// Every setup by its hash.
    pub setups: BTreeMap<String, Setup>,
    /// Every tool list by its hash.
    pub tools: BTreeMap<String, Vec<ToolSpec>>,
    /// Every case, in the order of the file.
    pub cases: Vec<Case>,
    /// Every finished run, in the order of the file; the first of each key.
    pub runs: Vec<RunEntry<T>>,
    /// What failed and was not made since.
    pub failures: BTreeMap<Key, Failure>,
    /// What readers say, by run and reader; the last word of each.
    pub labels: BTreeMap<(Key, String), ReaderLabel>,
    /// Runs that stood there twice and were passed over.
    pub n_duplicates: usize,
    /// Bytes of a last line that was cut off; 0 if the file is whole.
    pub n_torn: usize,
    /// The hashes of the setups, in the order of the file.
    pub order: Vec<String>,
    by_case: BTreeMap<String, usize>,
    by_key: BTreeMap<Key, usize>,
    has_head: bool,
    n_lines: usize,
}

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Self {
            setups: BTreeMap::new(),
            tools: BTreeMap::new(),
            cases: Vec::new(),
            runs: Vec::new(),
            failures: BTreeMap::new(),
            labels: BTreeMap::new(),
            n_duplicates: 0,
            n_torn: 0,
            order: Vec::new(),
            by_case: BTreeMap::new(),
            by_key: BTreeMap::new(),
            has_head: false,
            n_lines: 0,
        }
    }
}

impl<T> Runs<T> {
    /// Whether a file of runs was begun.
    pub fn has_head(&self) -> bool {
        self.has_head
    }

    /// Whether a run is there, finished.
    pub fn is_finished(&self, key: &Key) -> bool {
        self.by_key.contains_key(key)
    }

    /// The finished run of a key.
    pub fn run(&self, key: &Key) -> Option<&RunEntry<T>> {
        self.by_key.get(key).and_then(|i| self.runs.get(*i))
    }

    /// How many runs are finished.
    pub fn n_runs(&self) -> usize {
        self.by_key.len()
    }

    /// Takes the runs out, for who works through a file that does not fit into memory. Their keys stay
    /// known; [`Runs::run`] finds them no more.
    pub fn take_runs(&mut self) -> Vec<RunEntry<T>> {
        std::mem::take(&mut self.runs)
    }

    /// A case by its id.
    pub fn case(&self, id: &str) -> Option<&Case> {
        self.by_case.get(id).and_then(|i| self.cases.get(*i))
    }

    /// The tools that a setup has.
    pub fn tools_of(&self, setup: &Setup) -> &[ToolSpec] {
        self.tools.get(&setup.tools).map_or(&[], Vec::as_slice)
    }

    /// Takes an entry in.
    ///
    /// # Errors
    /// Another setup or case stands under the same name.
    pub fn add(&mut self, entry: Entry<T>) -> Result<(), RunsError> {
        match entry {
            Entry::Head { .. } => self.has_head = true,
            Entry::Setup { hash, setup } => match self.setups.get(&hash) {
                Some(known) if *known == *setup => {}
                Some(_) => return Err(RunsError::Setups { hash }),
                None => {
                    self.order.push(hash.clone());
                    self.setups.insert(hash, *setup);
                }
            },
            Entry::Tools { hash, tools } => {
                self.tools.insert(hash, tools);
            }
            Entry::Case(case) => match self.case(&case.id) {
                Some(known) if known.is_same(&case) => {}
                Some(_) => return Err(RunsError::Conflict { id: case.id }),
                None => {
                    self.by_case.insert(case.id.clone(), self.cases.len());
                    self.cases.push(*case);
                }
            },
            Entry::Run(run) => {
                self.failures.remove(&run.key);
                if self.by_key.contains_key(&run.key) {
                    self.n_duplicates += 1;
                } else {
                    self.by_key.insert(run.key.clone(), self.runs.len());
                    self.runs.push(*run);
                }
            }
            Entry::Failure(failure) => {
                if !self.is_finished(&failure.key) {
                    self.failures.insert(failure.key.clone(), failure);
                }
            }
            Entry::Label(label) => {
                self.labels.insert((label.key.clone(), label.reader.clone()), label);
            }
        }
        Ok(())
    }

    /// Takes in all of another file.
    ///
    /// # Errors
    /// Two cases of one id differ.
    pub fn absorb(&mut self, other: Self) -> Result<(), RunsError> {
        for hash in other.order {
            if let Some(setup) = other.setups.get(&hash) {
                let setup = Box::new(setup.clone());
                self.add(Entry::Setup { hash, setup })?;
            }
        }
        self.tools.extend(other.tools);
        self.n_duplicates += other.n_duplicates;
        self.has_head |= other.has_head;
        for case in other.cases {
            self.add(Entry::Case(Box::new(case)))?;
        }
        for run in other.runs {
            self.add(Entry::Run(Box::new(run)))?;
        }
        for (_, failure) in other.failures {
            self.add(Entry::Failure(failure))?;
        }
        for (at, label) in other.labels {
            // Of two files the later word counts, whichever was read first.
            if self.labels.get(&at).is_none_or(|known| known.at_ms <= label.at_ms) {
                self.add(Entry::Label(label))?;
            }
        }
        Ok(())
    }
}

impl<T: DeserializeOwned> Runs<T> {
    /// Takes in one line of a file, without its end.
    ///
    /// # Errors
    /// It is no entry, or no head stands before it.
    pub fn add_line(&mut self, line: &str) -> Result<(), RunsError> {
        self.n_lines += 1;
        if line.trim().is_empty() {
            return Ok(());
        }
        let wrong = |this: &Self, reason: String| {
            if this.has_head() {
                RunsError::Line { line: this.n_lines, reason, n_runs: this.n_runs() }
            } else {
                not_runs(line)
            }
        };
        if line.len() > MAX_LINE || self.n_runs() >= MAX_RUNS {
            let reason = format!("more than {MAX_LINE} bytes or {MAX_RUNS} runs");
            return Err(wrong(self, reason));
        }
        // A later version may have lines that this one cannot read; its head says so. It is one
        // line: only the place in it is of use.
        let entry: Entry<T> = serde_json::from_str(line)
            .map_err(|e| wrong(self, e.to_string().replace(" at line 1 column ", " at letter ")))?;
        match &entry {
            Entry::Head { format, version } => {
                if format != NAME {
                    return Err(not_runs(line));
                }
                if *version < VERSION {
                    return Err(RunsError::Older { found: *version });
                }
                if *version > VERSION {
                    return Err(RunsError::Newer { found: *version });
                }
            }
            _ if !self.has_head() => return Err(wrong(self, String::new())),
            _ => {}
        }
        if let Some(key) = entry.key() {
            if !self.setups.contains_key(&key.setup) {
                return Err(wrong(self, format!("no setup {:?} stands before it", key.setup)));
            }
            if self.case(&key.case).is_none() {
                let reason = format!("no case {:?} stands before it", key.case);
                return Err(wrong(self, reason));
            }
        }
        if let Entry::Label(label) = &entry
            && let Some(fault) = labels::fault(label, self)
        {
            return Err(wrong(self, fault));
        }
        self.add(entry)
    }

    /// Reads a whole file. A last line without its end that cannot be read was being written when
    /// the writer died: it is passed over, and [`Runs::n_torn`] says how long it was.
    ///
    /// # Errors
    /// The first line that is wrong, with its number.
    pub fn read(text: &str) -> Result<Self, RunsError> {
        let mut runs = Self::default();
        if text.trim().is_empty() {
            return Err(RunsError::Empty);
        }
        for line in text.split_inclusive('\n') {
            match line.strip_suffix('\n') {
                Some(whole) => runs.add_line(whole.trim_end_matches('\r'))?,
                None => {
                    if runs.has_head() && runs.add_line(line).is_err() {
                        runs.n_torn = line.len();
                    } else if !runs.has_head() {
                        runs.add_line(line)?;
                    }
                }
            }
        }
        Ok(runs)
    }
}

impl Runs {
    /// Everything as lines of a file, in an order in which it can be read.
    pub fn into_entries(self) -> impl Iterator<Item = Entry> {
        let tools = self.tools.into_iter().map(|(hash, tools)| Entry::Tools { hash, tools });
        let mut by_hash = self.setups;
        let setups = self.order.into_iter().filter_map(move |hash| {
            let setup = Box::new(by_hash.remove(&hash)?);
            Some(Entry::Setup { hash, setup })
        });
        std::iter::once(Entry::head())
            .chain(tools)
            .chain(setups)
            .chain(self.cases.into_iter().map(|case| Entry::Case(Box::new(case))))
            .chain(self.runs.into_iter().map(|run| Entry::Run(Box::new(run))))
            .chain(self.failures.into_values().map(Entry::Failure))
            .chain(self.labels.into_values().map(Entry::Label))
    }

    /// The same without traces.
    pub fn light(self) -> Runs<IgnoredAny> {
        Runs {
            runs: self.runs.into_iter().map(RunEntry::light).collect(),
            setups: self.setups,
            tools: self.tools,
            cases: self.cases,
            failures: self.failures,
            labels: self.labels,
            n_duplicates: self.n_duplicates,
            n_torn: self.n_torn,
            order: self.order,
            by_case: self.by_case,
            by_key: self.by_key,
            has_head: self.has_head,
            n_lines: self.n_lines,
        }
    }
}

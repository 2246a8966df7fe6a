//! A runs file as it is read: everything in it, by what it is.

use std::collections::BTreeMap;

use llm::ToolSpec;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use trace::Trace;

use crate::entry::{NAME, VERSION};
use crate::labels::{self, ReaderLabel};
use crate::{Case, Entry, Failure, Key, RunEntry, Setup, old};

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
    /// Written by a later version of this program.
    #[error(
        "this runs file has version {found}, and this program reads versions up to {VERSION}; \
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
    /// The version that the last head told; 0 before the first.
    version: u32,
    /// Whether the lines are results that an earlier version wrote without a head.
    is_results: bool,
    /// Hashes of setups as version 1 computed them, with the hashes of today.
    renamed: BTreeMap<String, String>,
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
            version: 0,
            is_results: false,
            renamed: BTreeMap::new(),
            n_lines: 0,
        }
    }
}

impl<T> Runs<T> {
    /// Whether a file of runs was begun.
    pub fn has_head(&self) -> bool {
        self.version > 0 || self.is_results
    }

    /// Whether the lines are results that an earlier version wrote without a head: they are read, and
    /// nothing can be added to such a file.
    pub fn is_results(&self) -> bool {
        self.is_results
    }

    /// The version of the format that the last head tells; 0 before the first.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Whether a run is there, finished.
    pub fn is_finished(&self, key: &Key) -> bool {
        self.by_key.contains_key(key)
    }

    /// The finished run of a key.
    pub fn run(&self, key: &Key) -> Option<&RunEntry<T>> {
        self.by_key.get(key).and_then(|i| self.runs.get(*i))
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
            Entry::Head { version, .. } => self.version = version,
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

    /// Reads a line as the version says that the head told, without taking it in.
    ///
    /// # Errors
    /// It is no entry of that version.
    pub fn parse<'de, U: Deserialize<'de>>(&mut self, line: &'de str) -> Result<Entry<U>, String> {
        match self.version {
            1 => old::v1::read(line, &mut self.renamed),
            // It is one line: only the place in it is of use.
            _ => serde_json::from_str(line)
                .map_err(|e| e.to_string().replace(" at line 1 column ", " at letter ")),
        }
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
        self.version = self.version.max(other.version);
        self.is_results |= other.is_results;
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
                RunsError::Line { line: this.n_lines, reason, n_runs: this.runs.len() }
            } else {
                RunsError::Other { found: line.chars().take(60).collect() }
            }
        };
        if line.len() > MAX_LINE || self.runs.len() >= MAX_RUNS {
            let reason = format!("more than {MAX_LINE} bytes or {MAX_RUNS} runs");
            return Err(wrong(self, reason));
        }
        if self.version == 0
            && let Some(read) = old::results::read(line)
        {
            let entries = read.map_err(|reason| {
                let n_runs = self.runs.len();
                RunsError::Line { line: self.n_lines, reason, n_runs }
            })?;
            self.is_results = true;
            return entries.into_iter().try_for_each(|entry| self.add(entry));
        }
        // A later version may have lines that this one cannot read; its head says so.
        let entry: Entry<T> = self.parse(line).map_err(|reason| wrong(self, reason))?;
        match &entry {
            Entry::Head { format, version } => {
                if format != NAME {
                    return Err(RunsError::Other { found: line.chars().take(60).collect() });
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
            version: self.version,
            is_results: self.is_results,
            renamed: self.renamed,
            n_lines: self.n_lines,
        }
    }
}

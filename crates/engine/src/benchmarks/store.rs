//! The lines of one benchmark in the worker's memory.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use eval::compare::compare;
use eval::labels::{class_by_rules, classes_of};
use eval::report::{Report, ReportOptions};
use eval::{Case, Drift, Entry, Key, RunEntry, Runs, RunsError, Setup, exports};
use serde::de::IgnoredAny;
use systems::experiment::World;
use systems::experiments;
use systems::nlgraph;
use trace::Trace;

use protocol::bench::{
    BenchForm, BenchRow, ComparedSetups, FailureRow, KeptRuns, ListedFailures, MAX_FAILURES,
    OpenedRun, WriteBench,
};
use protocol::traces::TextFile;

use crate::problems;

/// The largest runs file that the page takes, in bytes.
pub(crate) const MAX_BYTES: usize = 200_000_000;

/// The benchmark that is open, of which a worker holds one: its lines as they are in the file, and what is read of them without the traces.
///
/// Traces stay text until somebody opens one: read, those of six thousand runs would take ten times
/// the memory.
#[derive(Default)]
pub(crate) struct Store {
    pub(crate) runs: Runs<IgnoredAny>,
    lines: Vec<String>,
    n_bytes: usize,
    line_of: BTreeMap<Key, usize>,
}

impl Store {
    /// Takes a line in, with its end or, if it is the last, without.
    pub(crate) fn take(&mut self, line: &str) -> Result<(), String> {
        let whole = line.strip_suffix('\n');
        let text = whole.unwrap_or(line).trim_end_matches('\r');
        if text.is_empty() {
            return Ok(());
        }
        if self.n_bytes + text.len() > MAX_BYTES {
            return Err(format!(
                "more than {} MB of runs: `graphground report` on the command line takes any size",
                MAX_BYTES / 1_000_000
            ));
        }
        let n_before = self.runs.runs.len();
        match self.runs.add_line(text) {
            Ok(()) => {}
            // The line that was being written when the writer died.
            Err(RunsError::Line { .. }) if whole.is_none() => {
                self.runs.n_torn = line.len();
                return Ok(());
            }
            Err(error) => return Err(error.to_string()),
        }
        if self.runs.runs.len() > n_before
            && let Some(run) = self.runs.runs.last()
        {
            self.line_of.insert(run.key.clone(), self.lines.len());
        }
        self.n_bytes += text.len() + 1;
        self.lines.push(text.to_owned());
        Ok(())
    }

    /// Takes an entry in; gives its line, for the page to keep.
    pub(crate) fn add(&mut self, entry: &Entry) -> Result<String, String> {
        let line = entry.line();
        self.take(&line)?;
        Ok(line)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    fn run(&self, index: usize) -> Result<RunEntry, String> {
        let key = &self.runs.runs.get(index).ok_or("there is no such run")?.key;
        let line = self.line_of.get(key).and_then(|i| self.lines.get(*i));
        match serde_json::from_str::<Entry<Trace>>(line.ok_or("there is no such run")?) {
            Ok(Entry::Run(run)) => Ok(*run),
            Ok(_) => Err("internal error: a line that is no run".into()),
            // A trace is read only now: the rest of the line was right.
            Err(error) => Err(format!("the trace of run {key} cannot be read: {error}")),
        }
    }

    fn about(&self, run: &RunEntry) -> Result<(&Setup, &Case), String> {
        let setup = self.runs.setups.get(&run.key.setup);
        let case = self.runs.case(&run.key.case);
        setup.zip(case).ok_or_else(|| format!("run {} has no case", run.key))
    }

    /// What is there now.
    pub(crate) fn count(&self) -> KeptRuns {
        KeptRuns {
            n_runs: self.runs.runs.len(),
            n_cases: self.runs.cases.len(),
            n_failed: self.runs.failures.len(),
            n_torn: self.runs.n_torn,
        }
    }

    /// The setups that have runs, in the order of a report.
    fn used(&self) -> Vec<&String> {
        let with: std::collections::BTreeSet<&str> =
            self.runs.runs.iter().map(|r| r.key.setup.as_str()).collect();
        self.runs.order.iter().filter(|h| with.contains(h.as_str())).collect()
    }

    /// The runs that are not right, for readers who sort them.
    pub(crate) fn failures(&self) -> ListedFailures {
        let used = self.used();
        let mut found = ListedFailures::default();
        for run in &self.runs.runs {
            let setup = self.runs.setups.get(&run.key.setup);
            let Some((setup, case)) = setup.zip(self.runs.case(&run.key.case)) else { continue };
            let Ok(experiment) = experiments::find(&setup.experiment) else { continue };
            let Some(class) = class_by_rules(experiment, &run.score) else { continue };
            found.n += 1;
            if found.classes.is_empty() {
                let classes = classes_of(experiment).into_iter();
                found.classes = classes.map(|(id, title)| (id.into(), title.into())).collect();
            }
            let place = used.iter().position(|h| **h == run.key.setup);
            if let Some(place) = place.filter(|_| found.rows.len() < MAX_FAILURES) {
                found.rows.push(FailureRow {
                    key: run.key.clone(),
                    setup: place,
                    question: experiment.question(setup, case),
                    gold: experiment.gold(case),
                    answer: run.outcome["answer"].as_str().unwrap_or_default().to_owned(),
                    why: run.score.explanation.clone(),
                    class: class.to_owned(),
                });
            }
        }
        let readers = self.runs.labels_by_reader().into_iter();
        let owned = |(key, class): (&Key, &str)| (key.clone(), class.to_owned());
        found.readers = readers
            .map(|(reader, labels)| (reader.to_owned(), labels.into_iter().map(owned).collect()))
            .collect();
        found
    }

    /// Every run on a line.
    pub(crate) fn rows(&self, from: usize, n: usize) -> Vec<BenchRow> {
        let used = self.used();
        let row = |run: &RunEntry<IgnoredAny>| {
            let case = self.runs.case(&run.key.case)?;
            Some(BenchRow {
                setup: used.iter().position(|h| **h == run.key.setup)?,
                key: run.key.clone(),
                group: case.group.clone(),
                level: case.level.clone(),
                verdict: run.score.verdict,
                n_nodes: case.size.unwrap_or(0),
                n_calls: run.cost.n_calls,
                n_mistakes: run.cost.n_mistakes(),
                seconds: run.cost.took_ms / 1e3,
                tokens: run.cost.usage.total(),
            })
        };
        self.runs.runs.iter().skip(from).take(n).filter_map(row).collect()
    }

    /// A run with its problem, for the trace view.
    pub(crate) fn open(&self, key: &Key) -> Result<OpenedRun, String> {
        let index = self.runs.runs.iter().position(|r| r.key == *key);
        let run = self.run(index.ok_or_else(|| format!("there is no run {key}"))?)?;
        let (setup, case) = self.about(&run)?;
        let mut whole: Runs = Runs::default();
        for entry in [
            Entry::Setup { hash: run.key.setup.clone(), setup: Box::new(setup.clone()) },
            Entry::Tools { hash: setup.tools.clone(), tools: self.runs.tools_of(setup).to_vec() },
            Entry::Case(Box::new(case.clone())),
        ] {
            whole.add(entry).map_err(|e| e.to_string())?;
        }
        let question = experiments::find(&setup.experiment)?.question(setup, case);
        let problem = (setup.experiment == nlgraph::ID)
            .then(|| nlgraph::item(case).map(|item| problems::worded(item.problem(), question)))
            .transpose()?;
        let record = exports::record(&whole, &run).ok_or("the run has no setup")?;
        Ok(OpenedRun { record: Box::new(record), problem: problem.map(Box::new) })
    }

    /// Two setups, pair by pair.
    pub(crate) fn compare(&self, left: &str, right: &str) -> Result<ComparedSetups, String> {
        let found = compare((&self.runs, left), (&self.runs, right))?;
        let report = Report::of(&self.runs, ReportOptions::default());
        let labels = report.labels();
        let label = |hash: &str| {
            let place = report.setups.iter().position(|(h, _)| h == hash);
            place.map_or_else(|| hash.to_owned(), |i| labels[i].clone())
        };
        let are_scripts = report.is_scripted(left) || report.is_scripted(right);
        let table = found.table(&label(left), &label(right), are_scripts);
        Ok(ComparedSetups { table, differing: found.differing })
    }

    /// Computes a run's results and score again; gives how many calls it made.
    pub(crate) fn check(&self, index: usize) -> Result<(usize, Option<Drift>), String> {
        let run = self.run(index)?;
        let (setup, case) = self.about(&run)?;
        let n_calls = run.trace.n_calls();
        let tools = self.runs.tools_of(setup);
        Ok((n_calls, eval::check(&run, setup, case, tools, &World::default())?))
    }

    /// A file.
    pub(crate) fn write(&self, ask: WriteBench) -> Result<TextFile, String> {
        let WriteBench { form, about, setup, date_s, options } = ask;
        let options = *options;
        let whole = || Runs::<Trace>::read(&self.file()).map_err(|e| e.to_string());
        let setup = || setup.as_deref().ok_or("this form needs a setup");
        const NONE: &str = "there is no such setup, or it has no runs of the benchmark's tasks";
        let text = match form {
            BenchForm::Runs => self.file(),
            BenchForm::Html => {
                let whole = whole()?;
                let report = Report::of(&whole, options);
                eval::page::html(&whole, &report, &about)
            }
            BenchForm::Csv => exports::csv(&self.runs, &Report::of(&self.runs, options)),
            BenchForm::Json => {
                let report = Report::of(&self.runs, options);
                serde_json::to_string_pretty(&report).map_err(|e| e.to_string())?
            }
            BenchForm::Inspect => {
                let whole = whole()?;
                let report = Report::of(&whole, options);
                exports::inspect(&whole, &report, setup()?).ok_or(NONE)?
            }
            BenchForm::LmEval => {
                let report = Report::of(&self.runs, options);
                exports::lm_eval(&report, setup()?, date_s).ok_or(NONE)?
            }
            BenchForm::LmEvalSamples => exports::lm_eval_samples(&whole()?, setup()?),
        };
        let (_, extension, _) =
            BenchForm::ALL.iter().find(|(f, ..)| *f == form).ok_or("there is no such form")?;
        Ok(TextFile { text, extension: (*extension).to_owned() })
    }

    fn file(&self) -> String {
        let mut text = String::with_capacity(self.n_bytes);
        for line in &self.lines {
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}

/// A text out of gzip out of base64, never larger than [`MAX_BYTES`].
pub(crate) fn unpack(packed: &str) -> Result<String, String> {
    let broken = |what: &str| format!("the runs in this page cannot be unpacked: {what}");
    let bytes = BASE64.decode(packed.trim()).map_err(|e| broken(&e.to_string()))?;
    crate::gzip::gunzip(&bytes, MAX_BYTES).map_err(|e| broken(&e))
}

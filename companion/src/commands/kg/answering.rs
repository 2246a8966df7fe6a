//! SPARQL in processes of its own ([`crate::bounded`]). Each keeps the graph loaded; where one is ended,
//! another starts in its place, while the others continue to answer.

use std::process::ExitCode;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Result, bail};
use backends::sparql::Sparql;
use kg::{AnswerTable, Kg};
use serde::{Deserialize, Serialize};

use super::load::KgFiles;
use crate::bounded::{Bounds, Lost, MAX_ANSWER, Process, answer_all};
use crate::output;

/// The most rows of an answer.
pub(super) const MAX_ROWS: usize = 10_000;
/// Askers that wait for a free process; more are asked to come back.
const MAX_WAITING: usize = 64;

/// Options of the child process.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: KgFiles,
    #[command(flatten)]
    bounds: Bounds,
}

/// A question to the child.
#[derive(Serialize, Deserialize)]
struct Question {
    query: String,
    max_rows: usize,
    /// Whether the answer is wanted as an endpoint gives it, else as a table.
    as_results: bool,
}

/// What the child says.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Loaded { title: String, n_nodes: usize, n_edges: usize },
    Results(String),
    Table(AnswerTable),
    Fault(String),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoAnswer {
    /// The query itself is at fault.
    #[error("{0}")]
    Query(String),
    /// It took too much, or too many wait.
    #[error("{0}")]
    Busy(String),
}

/// The child process.
pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let kg = args.source.open()?;
    let sparql = Sparql::new(Arc::clone(&kg))?;
    let (n_nodes, n_edges) = (kg.n_nodes(), kg.n_edges());
    let loaded = Word::Loaded { title: kg.title().to_owned(), n_nodes, n_edges };
    answer_all(args.bounds, &loaded, move |question| answer(&sparql, &question))
}

fn answer(sparql: &Sparql<Arc<Kg>>, question: &Question) -> Word {
    let Question { query, max_rows, as_results } = question;
    let found = if *as_results {
        sparql.results_json(query, *max_rows).map(Word::Results)
    } else {
        sparql.query(query, *max_rows).map(Word::Table)
    };
    match found {
        Ok(Word::Results(text)) if text.len() > MAX_ANSWER => Word::Fault(format!(
            "the answer has {} bytes; at most {MAX_ANSWER} are sent: ask for less with LIMIT",
            text.len()
        )),
        Ok(word) => word,
        Err(error) => Word::Fault(error.to_string()),
    }
}

/// The processes that answer, and who waits for one.
pub(super) struct Answering(Arc<Shared>);

struct Shared {
    from: Vec<String>,
    bounds: Bounds,
    state: Mutex<State>,
    /// Notified when a process becomes free, or is given up.
    changed: Condvar,
    title: String,
    n_nodes: usize,
    n_edges: usize,
}

#[derive(Default)]
struct State {
    free: Vec<Process>,
    /// Processes that there are or that are being started.
    n: usize,
    n_waiting: usize,
    /// Why the last one could not be started again.
    why: String,
}

impl Answering {
    /// Starts as many processes; returns when the first has loaded the graph.
    ///
    /// # Errors
    /// If the graph cannot be opened.
    pub(super) fn start(source: &KgFiles, bounds: Bounds, n: usize) -> Result<Self> {
        let mut from = vec!["kg".to_owned(), "answer".to_owned()];
        from.extend(source.as_args());
        let (first, loaded) = Process::start(&from, bounds, true)?;
        let Word::Loaded { title, n_nodes, n_edges } = loaded else {
            bail!("internal error: the process that answers did not say what it loaded");
        };
        let state = State { free: vec![first], n, ..State::default() };
        let (state, changed) = (Mutex::new(state), Condvar::new());
        let shared = Shared { from, bounds, state, changed, title, n_nodes, n_edges };
        let this = Self(Arc::new(shared));
        for _ in 1..n {
            this.start_another();
        }
        Ok(this)
    }

    /// What was loaded, for people.
    pub(super) fn describe(&self) -> String {
        let Shared { title, n_nodes, n_edges, .. } = &*self.0;
        format!("{title}, {n_nodes} nodes and {n_edges} edges")
    }

    fn start_another(&self) {
        let shared = self.0.clone();
        std::thread::spawn(move || {
            let started = Process::start::<Word>(&shared.from, shared.bounds, false);
            let mut state = shared.lock();
            match started {
                Ok((process, _)) => state.free.push(process),
                Err(error) => {
                    state.n -= 1;
                    state.why = format!("{error:#}");
                    output::complain(&format!("a process that answers did not start: {error:#}"));
                }
            }
            drop(state);
            shared.changed.notify_all();
        });
    }

    /// A process that is free, once there is one.
    fn take(&self) -> Result<Process, NoAnswer> {
        let mut state = self.0.lock();
        if state.n_waiting >= MAX_WAITING {
            return Err(NoAnswer::Busy(format!("{MAX_WAITING} queries wait; come back later")));
        }
        state.n_waiting += 1;
        let is_none = |state: &mut State| state.free.is_empty() && state.n > 0;
        // The queue is as long as it may be at most, and each query before takes its time at most.
        let most = Duration::from_secs(self.0.bounds.seconds) * MAX_WAITING as u32;
        let waited = self.0.changed.wait_timeout_while(state, most, is_none);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.n_waiting -= 1;
        let why = state.why.clone();
        state.free.pop().ok_or_else(|| {
            NoAnswer::Busy(if why.is_empty() {
                "no process became free to answer the query".into()
            } else {
                format!("no process is left to answer queries: {why}")
            })
        })
    }

    fn ask(&self, question: &Question) -> Result<Word, NoAnswer> {
        // What is wrong with the shape of a query need not wait.
        backends::sparql::check(&question.query).map_err(|e| NoAnswer::Query(e.to_string()))?;
        let mut process = self.take()?;
        match process.ask(question) {
            Ok(word) => {
                self.0.lock().free.push(process);
                self.0.changed.notify_one();
                match word {
                    Word::Fault(message) => Err(NoAnswer::Query(message)),
                    word => Ok(word),
                }
            }
            Err(Lost(why)) => {
                drop(process);
                self.start_another();
                Err(NoAnswer::Busy(why))
            }
        }
    }

    /// Answers as an endpoint does: the SPARQL 1.1 Query Results JSON Format.
    pub(super) fn results(&self, query: &str) -> Result<String, NoAnswer> {
        let question = Question { query: query.to_owned(), max_rows: MAX_ROWS, as_results: true };
        match self.ask(&question)? {
            Word::Results(text) => Ok(text),
            _ => Err(NoAnswer::Query(STRANGE.into())),
        }
    }

    /// Answers with a table of at most so many rows.
    pub(super) fn table(&self, query: &str, max_rows: usize) -> Result<AnswerTable, NoAnswer> {
        let question = Question { query: query.to_owned(), max_rows, as_results: false };
        match self.ask(&question)? {
            Word::Table(table) => Ok(table),
            _ => Err(NoAnswer::Query(STRANGE.into())),
        }
    }
}

const STRANGE: &str = "internal error: the process answered something else";

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is whole at every moment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

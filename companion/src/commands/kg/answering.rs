//! SPARQL in processes of its own.
//!
//! A query can take any amount of time, memory and stack, and oxigraph can neither be interrupted
//! while it sorts nor told how much memory it may take. So queries are answered by child processes
//! of this program. Each keeps the graph loaded; one that takes too long is ended and another
//! starts in its place, while the others go on answering.

use std::io::{self, BufRead, BufReader, Read as _, Write as _};
#[cfg(target_os = "linux")]
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use backends::sparql::Sparql;
use kg::{AnswerTable, Kg};
use serde::{Deserialize, Serialize};

use super::load::KgFiles;
#[cfg(target_os = "linux")]
use crate::input;
use crate::output;

/// The most rows of an answer.
pub(super) const MAX_ROWS: usize = 10_000;
/// The most bytes of an answer.
const MAX_ANSWER: usize = 50_000_000;
/// The stack of a query: virtual, so that what is not used costs nothing.
const STACK: usize = 512 << 20;
/// Loading may take so long.
const LOAD_WITHIN: Duration = Duration::from_secs(600);
/// Askers that wait for a free process; more are told to come back.
const MAX_WAITING: usize = 64;

/// What a query may take.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The most seconds that a query may take; then its process is ended.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: u64,
    /// The most megabytes that a query may take beside the graph (held on Linux).
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u64).range(16..=1_000_000))]
    memory: u64,
}

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

/// The child process: answers what comes on the standard input until that ends.
pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let kg = args.source.open()?;
    let sparql = Sparql::new(Arc::clone(&kg))?;
    let memory = args.bounds.memory;
    let (questions, asked) = mpsc::channel::<Question>();
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || {
            // With its stack there, what the process has now is what it needs without a query.
            bound_memory(memory << 20);
            let (n_nodes, n_edges) = (kg.n_nodes(), kg.n_edges());
            let mut told = say(&Word::Loaded { title: kg.title().to_owned(), n_nodes, n_edges });
            while told.is_ok()
                && let Ok(question) = asked.recv()
            {
                told = say(&answer(&sparql, &question));
            }
            // Whoever asked is gone.
            std::process::exit(0);
        })
        .context("cannot start the thread that answers")?;
    // This thread sees the end of the input even while a query computes, and ends the process.
    for line in io::stdin().lock().lines() {
        let Ok(question) = serde_json::from_str(&line?) else { bail!("that is no question") };
        if questions.send(question).is_err() {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
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

fn say(word: &Word) -> io::Result<()> {
    // JSON has no line breaks of its own.
    let mut line = serde_json::to_vec(word)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}

/// Lets the process take so many bytes beside those that it has; where more are wanted, it ends.
#[cfg(target_os = "linux")]
fn bound_memory(more: u64) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let status = input::text(Path::new("/proc/self/status"), 100_000).unwrap_or_default();
    let kb = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
    let kb = kb.and_then(|kb| kb.trim().trim_end_matches(" kB").parse::<u64>().ok());
    let bound = |bytes| Rlimit { current: Some(bytes), maximum: Some(bytes) };
    if let Some(kb) = kb {
        let _ = setrlimit(Resource::As, bound(kb * 1024 + more));
    }
    // A process that ends so need not be kept for anybody to look at.
    let _ = setrlimit(Resource::Core, bound(0));
}

/// Other systems do not hold a process to such a limit.
#[cfg(not(target_os = "linux"))]
fn bound_memory(_: u64) {}

/// A child process with the graph loaded.
struct Process {
    child: Child,
    to: ChildStdin,
    words: Receiver<Word>,
    /// Gives the last line of its standard error.
    errors: Option<JoinHandle<String>>,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How asking a process ended.
enum Asked {
    Word(Word),
    /// The process is of no more use; why.
    Lost(String),
}

impl Process {
    /// Starts one; `tell` hands on what it says of the graph's file.
    fn start(from: &[String], bounds: Bounds, tell: bool) -> Result<(Self, Word)> {
        let program = std::env::current_exe().context("cannot find this program")?;
        let mut child = Command::new(program)
            .args(["kg", "answer"])
            .args(from)
            .args(["--memory", &bounds.memory.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("cannot start the process that answers")?;
        let (Some(to), Some(out), Some(err)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            bail!("internal error: the process that answers has no pipes");
        };
        let (sender, words) = mpsc::channel();
        std::thread::spawn(move || {
            let mut out = BufReader::new(out);
            let mut line = Vec::new();
            // A table is longer as a line than as an endpoint's answer, by its quotation marks.
            while matches!(
                out.by_ref().take(4 * MAX_ANSWER as u64).read_until(b'\n', &mut line),
                Ok(1..)
            ) && let Ok(word) = serde_json::from_slice(&line)
                && sender.send(word).is_ok()
            {
                line.clear();
            }
        });
        let errors = std::thread::spawn(move || {
            let mut last = String::new();
            for line in BufReader::new(err).lines().map_while(Result::ok) {
                if tell && !is_last_word(&line) {
                    output::complain(&line);
                }
                // After the reason come some blank ones.
                if !line.trim().is_empty() && !is_last_word(&last) {
                    last = line.chars().take(200).collect();
                }
            }
            last
        });
        let mut process = Self { child, to, words, errors: Some(errors) };
        match process.hear(LOAD_WITHIN) {
            Ok(loaded @ Word::Loaded { .. }) => Ok((process, loaded)),
            Err(RecvTimeoutError::Timeout) => {
                bail!("the graph was not loaded after {} s", LOAD_WITHIN.as_secs())
            }
            _ => bail!("{}", process.last_words().trim_start_matches("error: ")),
        }
    }

    fn hear(&self, within: Duration) -> Result<Word, RecvTimeoutError> {
        self.words.recv_timeout(within)
    }

    /// What a process that has ended said last.
    fn last_words(&mut self) -> String {
        let _ = self.child.kill();
        self.errors.take().and_then(|e| e.join().ok()).unwrap_or_default()
    }

    fn ask(&mut self, question: &Question, bounds: Bounds) -> Asked {
        let line = serde_json::to_string(question).unwrap_or_default();
        let sent = writeln!(self.to, "{line}").and_then(|()| self.to.flush());
        let heard = match sent {
            Ok(()) => self.hear(Duration::from_secs(bounds.seconds)),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        };
        match heard {
            Ok(word) => Asked::Word(word),
            Err(RecvTimeoutError::Timeout) => Asked::Lost(format!(
                "the query took longer than {} s and was stopped; ask for less, for example with \
                 LIMIT or without ORDER BY",
                bounds.seconds
            )),
            Err(RecvTimeoutError::Disconnected) => {
                let last = self.last_words();
                Asked::Lost(if last.starts_with(NO_MEMORY) {
                    format!(
                        "the query needed more than {} MB of memory and was stopped; ask for less, \
                         for example with LIMIT or without ORDER BY",
                        bounds.memory
                    )
                } else {
                    format!(
                        "the query ended the process that answers ({last}); ask something simpler"
                    )
                })
            }
        }
    }
}

/// What the standard library says where memory is refused.
const NO_MEMORY: &str = "memory allocation of";

/// Whether a line says why a process ends.
fn is_last_word(line: &str) -> bool {
    line.starts_with(NO_MEMORY) || line.contains("has overflowed its stack")
}

/// The processes that answer, and who waits for one.
pub(super) struct Answering(Arc<Shared>);

struct Shared {
    from: Vec<String>,
    bounds: Bounds,
    state: Mutex<State>,
    /// Told when a process becomes free, or is given up.
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
        let from = source.as_args();
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
            let started = Process::start(&shared.from, shared.bounds, false);
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
        match process.ask(question, self.0.bounds) {
            Asked::Word(word) => {
                self.0.lock().free.push(process);
                self.0.changed.notify_one();
                match word {
                    Word::Fault(message) => Err(NoAnswer::Query(message)),
                    word => Ok(word),
                }
            }
            Asked::Lost(why) => {
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

//! Processes of this program that answer questions within bounds.
//!
//! A query can take any amount of time, memory and stack, and neither oxigraph nor what it calls can
//! be interrupted or kept to an amount of memory. So queries run in child processes of this program.
//! One that takes too long is ended, and the caller starts another.

use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;

#[cfg(target_os = "linux")]
use crate::input;
use crate::{keys, output};

/// The most bytes of an answer.
pub(crate) const MAX_ANSWER: usize = 50_000_000;
/// A table is longer as a line than as an endpoint's answer, by its quotation marks.
const MAX_LINE: u64 = 4 * MAX_ANSWER as u64;
/// The stack of a query: virtual, so that what is not used costs nothing.
const STACK: usize = 512 << 20;
/// A process may take so long until it says its first word.
const START_WITHIN: Duration = Duration::from_secs(600);

/// What a query may take.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The most seconds that a query may take; then its process is ended.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) seconds: u64,
    /// The most megabytes that a query may take beside the graph (held on Linux).
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u64).range(16..=1_000_000))]
    pub(crate) memory: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { seconds: 10, memory: 1024 }
    }
}

/// The child: says its first word, and answers what comes on the standard input until that ends.
pub(crate) fn answer_all<Q, W>(
    bounds: Bounds,
    first: &impl Serialize,
    answer: impl Fn(Q) -> W + Send + 'static,
) -> Result<ExitCode>
where
    Q: DeserializeOwned + Send + 'static,
    W: Serialize + 'static,
{
    let (questions, asked) = mpsc::channel::<Q>();
    let first = line_of(first)?;
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || {
            // With its stack there, what the process has now is what it needs without a query.
            bound_memory(bounds.memory << 20);
            let mut said = say(&first);
            while said.is_ok()
                && let Ok(question) = asked.recv()
            {
                said = line_of(&answer(question)).and_then(|line| say(&line));
            }
            // The parent is gone.
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

fn line_of(word: &impl Serialize) -> io::Result<Vec<u8>> {
    // JSON has no line breaks of its own.
    let mut line = serde_json::to_vec(word)?;
    line.push(b'\n');
    Ok(line)
}

fn say(line: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(line)?;
    out.flush()
}

/// Lets the process take so many bytes beside those that it has; where more are wanted, it ends.
#[cfg(target_os = "linux")]
fn bound_memory(more: u64) {
    use std::path::Path;

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

/// A child process that answers.
pub(crate) struct Process {
    child: Child,
    to: ChildStdin,
    lines: Receiver<Vec<u8>>,
    /// Gives the last line of its standard error.
    errors: Option<JoinHandle<String>>,
    bounds: Bounds,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Why a process is of no more use.
pub(crate) struct Lost(pub(crate) String);

impl Process {
    /// Starts one, and gives its first word; with `tell`, what it says before is handed on.
    ///
    /// # Errors
    /// It cannot be started, or ends before that word.
    pub(crate) fn start<W: DeserializeOwned>(
        args: &[String],
        bounds: Bounds,
        tell: bool,
    ) -> Result<(Self, W)> {
        let program = std::env::current_exe().context("cannot find this program")?;
        let mut child = Command::new(program)
            .args(args)
            .args(["--memory", &bounds.memory.to_string()])
            .env_remove(keys::HANDED)
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
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            let mut out = BufReader::new(out);
            let mut line = Vec::new();
            while matches!(out.by_ref().take(MAX_LINE).read_until(b'\n', &mut line), Ok(1..))
                && sender.send(std::mem::take(&mut line)).is_ok()
            {}
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
        let mut process = Self { child, to, lines, errors: Some(errors), bounds };
        match process.hear(START_WITHIN) {
            Ok(Some(word)) => Ok((process, word)),
            Err(RecvTimeoutError::Timeout) => {
                bail!("the graph was not loaded after {} s", START_WITHIN.as_secs())
            }
            _ => bail!("{}", process.last_words().trim_start_matches("error: ")),
        }
    }

    fn hear<W: DeserializeOwned>(&self, within: Duration) -> Result<Option<W>, RecvTimeoutError> {
        self.lines.recv_timeout(within).map(|line| serde_json::from_slice(&line).ok())
    }

    /// What a process that has ended said last.
    fn last_words(&mut self) -> String {
        let _ = self.child.kill();
        self.errors.take().and_then(|e| e.join().ok()).unwrap_or_default()
    }

    /// Asks it.
    ///
    /// # Errors
    /// It took too much, and is of no more use.
    pub(crate) fn ask<W: DeserializeOwned>(
        &mut self,
        question: &impl Serialize,
    ) -> Result<W, Lost> {
        let sent = line_of(question).and_then(|line| {
            self.to.write_all(&line)?;
            self.to.flush()
        });
        let heard = match sent {
            Ok(()) => self.hear(Duration::from_secs(self.bounds.seconds)),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        };
        Err(Lost(match heard {
            Ok(Some(word)) => return Ok(word),
            // The line was cut.
            Ok(None) => "the answer is too long; ask for less, for example with LIMIT".into(),
            Err(RecvTimeoutError::Timeout) => format!(
                "the query took longer than {} s and was stopped; ask for less, for example with \
                 LIMIT or without ORDER BY",
                self.bounds.seconds
            ),
            Err(RecvTimeoutError::Disconnected) => {
                let last = self.last_words();
                if last.starts_with(NO_MEMORY) {
                    format!(
                        "the query needed more than {} MB of memory and was stopped; ask for less, \
                         for example with LIMIT or without ORDER BY",
                        self.bounds.memory
                    )
                } else {
                    format!(
                        "the query ended the process that answers ({last}); ask something simpler"
                    )
                }
            }
        }))
    }
}

/// What the standard library says where memory is refused.
const NO_MEMORY: &str = "memory allocation of";

/// Whether a line says why a process ends.
fn is_last_word(line: &str) -> bool {
    line.starts_with(NO_MEMORY) || line.contains("has overflowed its stack")
}

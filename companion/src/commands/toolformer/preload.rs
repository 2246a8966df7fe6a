//! `graphground toolformer preload`: what it gains to load data while the statement still streams.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

use agent::{Cancel, Limits, RunContext};
use anyhow::{Context as _, bail};
use futures_util::FutureExt as _;
use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Part, Usage,
    Watch,
};
use serde::Serialize;
use systems::toolformer::files::{CallFiles, FileData, read};
use systems::toolformer::write::write;
use systems::toolformer::{Executor, Hubs, Mode};

use crate::{output, table};

/// The most links of a network, and the most repetitions.
const MAX_LINKS: usize = 5_000_000;
const MAX_RUNS: usize = 100;
/// Letters of a token, as the usual counting has them.
const TOKEN: usize = 4;
const NAME: &str = "network.txt";

#[derive(clap::Args)]
pub(super) struct Args {
    /// Links of the networks that are loaded, with commas between.
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000,1000000")]
    links: Vec<usize>,
    /// Tokens a second of the model that is played; a token has four letters.
    #[arg(long, default_value_t = 30.0)]
    tokens_per_second: f64,
    /// Repetitions, of which the median is told.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Writes one JSON object a line.
    #[arg(long)]
    json: bool,
}

/// A line of the output. Times are medians in milliseconds.
#[derive(Serialize)]
struct Row {
    n_links: usize,
    bytes: usize,
    /// Loading alone.
    load_ms: f64,
    /// The time in which the rest of the statement comes, from the name on.
    rest_ms: f64,
    /// From the last token to the answer, where loading begins after it.
    after_ms: f64,
    /// The same where it begins with the name.
    ahead_ms: f64,
}

/// A model at a server: its tokens are sent at their times, whether or not somebody reads them, and
/// wait where nobody does.
struct Server {
    statement: String,
    every: Duration,
    /// Whether it streams, or says all at its end.
    streams: bool,
    /// When its last token was sent.
    ended: RefCell<Option<Instant>>,
}

impl Model for Server {
    fn label(&self) -> String {
        "a model that is played".to_owned()
    }

    fn complete<'a>(
        &'a self,
        _: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(async move {
            let letters: Vec<char> = self.statement.chars().collect();
            let mut due = now();
            for token in letters.chunks(TOKEN) {
                due += self.every;
                std::thread::sleep(due.saturating_duration_since(now()));
                if self.streams {
                    watch.part(Part::Text { text: token.iter().collect() });
                }
            }
            *self.ended.borrow_mut() = Some(due);
            let message = Message::assistant(self.statement.clone());
            Ok(ChatResponse { message, finish: FinishReason::Stop, usage: Usage::default() })
        })
    }
}

/// One file in memory, which is read when it is asked for and kept then.
struct File {
    text: Rc<str>,
    kept: RefCell<Option<FileData>>,
}

impl CallFiles for File {
    fn load(&self, _: &[&str]) -> Result<FileData, String> {
        if let Some(kept) = &*self.kept.borrow() {
            return Ok(kept.clone());
        }
        let data = read(NAME, &self.text)?;
        *self.kept.borrow_mut() = Some(data.clone());
        Ok(data)
    }

    fn paths(&self, _: usize) -> Vec<String> {
        vec![NAME.to_owned()]
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(n) = args.links.iter().find(|n| !(1..=MAX_LINKS).contains(*n)) {
        bail!("--links {n}: expected from 1 to {MAX_LINKS}");
    }
    if !(1..=MAX_RUNS).contains(&args.runs) {
        bail!("--runs {}: expected from 1 to {MAX_RUNS}", args.runs);
    }
    if !(0.1..=10_000.0).contains(&args.tokens_per_second) {
        bail!("--tokens-per-second {}: expected from 0.1 to 10000", args.tokens_per_second);
    }
    let every = Duration::from_secs_f64(1.0 / args.tokens_per_second);
    let before = format!("The network has [GR(GL(\"{NAME}\"");
    let statement = format!("{before}), \"toolx:order\")-->r] nodes.");
    let n_tokens = |text: &str| text.chars().count().div_ceil(TOKEN);
    let n_rest = n_tokens(&statement) - n_tokens(&before);
    let mut out = output::stdout();
    let mut rows = Vec::new();
    for &n_links in &args.links {
        let text: Rc<str> = network(n_links).into();
        let bytes = text.len();
        let median = |mut of: Vec<f64>| {
            of.sort_by(f64::total_cmp);
            of[of.len() / 2]
        };
        let load = (0..args.runs).map(|_| {
            let began = now();
            let data = read(NAME, &text);
            let took = ms(began.elapsed());
            data.map(|_| took).map_err(anyhow::Error::msg)
        });
        let load_ms = median(load.collect::<anyhow::Result<Vec<f64>>>()?);
        let waits = |streams: bool| -> anyhow::Result<f64> {
            let one = |_| wait(&text, &statement, every, streams);
            Ok(median((0..args.runs).map(one).collect::<anyhow::Result<Vec<f64>>>()?))
        };
        let (after_ms, ahead_ms) = (waits(false)?, waits(true)?);
        let rest_ms = ms(every) * n_rest as f64;
        let row = Row { n_links, bytes, load_ms, rest_ms, after_ms, ahead_ms };
        if args.json {
            serde_json::to_writer(&mut out, &row)?;
            writeln!(out)?;
        }
        rows.push(row);
    }
    if !args.json {
        let cells = |row: &Row| {
            let times = [row.load_ms, row.rest_ms, row.after_ms, row.ahead_ms];
            let sizes = [row.n_links.to_string(), row.bytes.to_string()];
            sizes.into_iter().chain(times.map(|t| format!("{t:.1}"))).collect()
        };
        let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
        let heading = [
            "links",
            "bytes",
            "loading, ms",
            "rest of the statement, ms",
            "last token to answer, loaded after, ms",
            "loaded ahead, ms",
        ];
        table::write(&mut out, &heading, &rows)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Milliseconds from the last token to the text with its result.
fn wait(text: &Rc<str>, statement: &str, every: Duration, streams: bool) -> anyhow::Result<f64> {
    let file = File { text: Rc::clone(text), kept: RefCell::default() };
    let hubs = Hubs::new()?.with_files(Rc::new(file));
    let executor = RefCell::new(Executor::new(hubs, Mode::Ours));
    let (statement, ended) = (statement.to_owned(), RefCell::default());
    let model = Server { statement, every, streams, ended };
    let (limits, cancel) = (Limits::default(), Cancel::default());
    let start = now();
    let clock = || ms(start.elapsed());
    let setting = RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
    let input = "How many nodes does the network have?";
    let written = write(&executor, &(), input, &model, setting, &mut |_| ()).now_or_never();
    let written = written.context("the model that is played waits for somebody")?;
    let answered = now();
    let ran = written.ran.context("no statement came")?;
    if let Some(error) = ran.calls().find_map(|call| call.error.clone()) {
        bail!("{error}");
    }
    let ended = model.ended.borrow().context("no token came")?;
    Ok(ms(answered.saturating_duration_since(ended)))
}

fn now() -> Instant {
    #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
    let now = Instant::now();
    now
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// A network as a list of so many links: each node with the next ones, so that most nodes have ten.
fn network(n_links: usize) -> String {
    let n_nodes = (n_links / 5).max(7);
    let mut text = String::with_capacity(n_links * 14);
    for i in 0..n_links {
        let (a, step) = (i / 5 % n_nodes, i % 5 + 1);
        let _ = writeln!(text, "n{a} n{}", (a + step) % n_nodes);
    }
    text
}

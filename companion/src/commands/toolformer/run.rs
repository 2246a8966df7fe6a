//! `graphground toolformer run`: the calls of texts with what they give.

use std::io::Write as _;
use std::process::ExitCode;

use serde::Serialize;
use systems::toolformer::{CAPACITY, CallError, Executor, Order, Replacement, Shown, StepRun};

use super::ModeName;
use super::data::Given;
use super::lines::Texts;
use crate::output;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    texts: Texts,
    #[command(flatten)]
    given: Given,
    /// As the paper says, or as its public code does.
    #[arg(long, value_enum, default_value_t = ModeName::Ours)]
    mode: ModeName,
    /// How many calls the working memory holds; it goes on from line to line.
    #[arg(long, default_value_t = CAPACITY)]
    capacity: usize,
    /// Holds the answers against those of the lines, and fails where one differs.
    #[arg(long)]
    check: bool,
    /// Writes every step of every call, and what the memory holds after the line.
    #[arg(long, requires = "json")]
    steps: bool,
}

/// A line of the output.
#[derive(Serialize)]
struct Line {
    line: usize,
    text: String,
    calls: Vec<Option<String>>,
    results: Vec<Option<String>>,
    places: Vec<Replacement>,
    errors: Vec<Fault>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agrees: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<Vec<StepRun>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<Vec<Shown>>,
}

/// A bracket that gave nothing.
#[derive(Serialize)]
struct Fault {
    call: usize,
    message: String,
    #[serde(flatten)]
    error: CallError,
}

/// The most lines that are said to differ.
const MAX_SAID: usize = 5;

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut executor =
        Executor::new(args.given.hubs()?, args.mode.mode()).with_capacity(args.capacity);
    let mut out = output::stdout();
    let (mut n_calls, mut n_failed, mut n_checked, mut n_agree) = (0usize, 0, 0, 0);
    for text in args.texts.read()? {
        let ran = executor.run(&text.text);
        let agrees = text.answer.as_ref().filter(|_| args.check).map(|answer| {
            let wanted: Vec<Option<&str>> = answer.split(" <||> ").map(Some).collect();
            let is_same = ran.answers(Order::Reference) == wanted;
            n_checked += 1;
            n_agree += usize::from(is_same);
            if !is_same && n_checked - n_agree <= MAX_SAID {
                output::complain(&format!("line {}: {answer:?} was expected", text.line));
            }
            is_same
        });
        let mut line = Line {
            line: text.line,
            text: ran.text.clone(),
            calls: Vec::new(),
            results: Vec::new(),
            places: Vec::new(),
            errors: Vec::new(),
            agrees,
            steps: None,
            memory: args.steps.then(|| executor.memory().shown()),
        };
        for (call, run) in ran.calls().enumerate() {
            line.calls.push(run.tree.clone());
            let results: Vec<&str> = run.steps.iter().filter_map(|s| s.result.as_deref()).collect();
            let is_whole = run.error.is_none();
            line.results.push(is_whole.then(|| results.join(", ")));
            line.places.push(run.place);
            if let Some(error) = run.error.clone() {
                line.errors.push(Fault { call, message: error.to_string(), error });
            }
        }
        if args.steps {
            line.steps = Some(ran.calls().map(|c| c.steps.clone()).collect());
        }
        n_calls += line.calls.len();
        n_failed += line.errors.len();
        if args.texts.json {
            serde_json::to_writer(&mut out, &line)?;
            writeln!(out)?;
            continue;
        }
        writeln!(out, "{}", line.text)?;
        for fault in &line.errors {
            writeln!(out, "  {}", fault.message)?;
        }
    }
    out.flush()?;
    output::complain(&format!("{n_calls} brackets, {n_failed} of them gave nothing"));
    if args.check {
        output::complain(&format!("{n_agree} of {n_checked} lines have the answers they should"));
    }
    Ok(if n_agree == n_checked { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

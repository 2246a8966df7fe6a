//! `graphground toolformer write`: a model or a script writes statements with calls, and they are run.

use std::cell::RefCell;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use agent::{Cancel, Limits, RunContext};
use anyhow::{Context as _, Result, bail};
use futures_util::FutureExt as _;
use serde_json::{Value, json};
use systems::toolformer::instance::{BETWEEN_ANSWERS, MAX_LINE};
use systems::toolformer::score::has_same_calls;
use systems::toolformer::write::{MAX_INPUT, write};
use systems::toolformer::{CAPACITY, Executor, Instance, Mode, Order};

use super::asking::{Asking, Waits};
use super::data::Given;
use crate::commands::kg::asking::clock;
use crate::{input, limits, output};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Questions, or statements with [TBR], one a line: as they are, as JSON objects, or as lines
    /// `Input: … Output: … Reasoning Result: ….`; plain or gzipped.
    file: PathBuf,
    /// The field of a JSON line that has the text.
    #[arg(long, default_value = "input")]
    field: String,
    /// At most so many lines.
    #[arg(long)]
    limit: Option<usize>,
    #[command(flatten)]
    asking: Asking,
    #[command(flatten)]
    given: Given,
    /// Stops at so many tokens, as far as the endpoint tells them.
    #[arg(long)]
    max_tokens: Option<u64>,
    /// How many calls the working memory holds; it goes on from line to line.
    #[arg(long, default_value_t = CAPACITY)]
    capacity: usize,
    /// Writes one JSON object a line: input, prediction, text, answers, errors, and what of the line
    /// `toolformer score` reads.
    #[arg(long)]
    json: bool,
    /// Adds the whole trace.
    #[arg(long, requires = "json")]
    trace: bool,
}

/// A line that was read.
struct Asked {
    input: String,
    /// The right statement, where the line has it.
    output: Option<String>,
    answer: Option<String>,
}

fn asked(line: &str, field: &str) -> Result<Asked> {
    if line.len() > MAX_LINE {
        bail!("it has {} bytes; at most {MAX_LINE} are read", line.len());
    }
    if line.trim_start().starts_with('{') {
        let read: Value = serde_json::from_str(line).context("a JSON object was expected")?;
        let text = |field: &str| read.get(field).and_then(Value::as_str).map(str::to_owned);
        let input = text(field).with_context(|| format!("there is no text in {field:?}"))?;
        return Ok(Asked { input, output: text("output"), answer: text("answer") });
    }
    let plain = || Asked { input: line.trim().to_owned(), output: None, answer: None };
    Ok(Instance::read(line).map_or_else(
        |_| plain(),
        |read| Asked { input: read.input, output: Some(read.output), answer: read.answer },
    ))
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let model = args.asking.model()?;
    let executor = Executor::new(args.given.hubs()?, Mode::Ours).with_capacity(args.capacity);
    let executor = RefCell::new(executor);
    let text = input::text(&args.file, limits::TEXT)?;
    let lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty());
    let mut out = output::stdout();
    let (mut n, mut n_failed, mut n_known, mut n_same) = (0_usize, 0_usize, 0_usize, 0_usize);
    let mut n_tokens = 0;
    let now = clock();
    let cancel = Cancel::default();
    for (i, line) in lines.take(args.limit.unwrap_or(usize::MAX)) {
        let place = || format!("{}, line {}", args.file.display(), i + 1);
        let asked = asked(line, &args.field).with_context(place)?;
        if asked.input.len() > MAX_INPUT {
            bail!("{}: {} bytes; at most {MAX_INPUT} are asked about", place(), asked.input.len());
        }
        let left = args.max_tokens.map(|max| max.saturating_sub(n_tokens));
        if left == Some(0) {
            output::complain(&format!("{n_tokens} tokens are used up; line {} waits", i + 1));
            break;
        }
        let limits = Limits { max_tokens: left, ..Limits::default() };
        let setting =
            RunContext { limits, seed: None, clock: &now, cancel: &cancel, watch: &Waits };
        // The client blocks, so that every future is ready when it is looked at.
        let written = write(&executor, &asked.input, &*model, setting, &mut |_| {})
            .now_or_never()
            .context("a fault of ours: the model was not waited for")?;
        n += 1;
        n_tokens += written.trace.usage().total().unwrap_or(0);
        let Some(ran) = written.ran else {
            let why = written.trace.stop.map_or_else(|| "no answer".to_owned(), |s| s.title());
            bail!("{}: {why}", place());
        };
        let statement = written.trace.answer().unwrap_or_default();
        let errors: Vec<String> =
            ran.calls().filter_map(|c| c.error.as_ref().map(ToString::to_string)).collect();
        n_failed += usize::from(!errors.is_empty());
        let is_same = asked.output.as_ref().map(|right| has_same_calls(right, statement));
        n_known += usize::from(is_same.is_some());
        n_same += usize::from(is_same == Some(true));
        if !args.json {
            writeln!(out, "{}", ran.text)?;
            for error in &errors {
                writeln!(out, "  {error}")?;
            }
            continue;
        }
        let answers: Vec<&str> = ran.answers(Order::Text).into_iter().flatten().collect();
        let mut told = json!({
            "line": i + 1, "input": asked.input, "prediction": statement, "text": ran.text,
            "answers": answers.join(BETWEEN_ANSWERS), "errors": errors,
        });
        if let Some(right) = asked.output {
            told["output"] = json!(right);
            told["same_calls"] = json!(is_same);
        }
        if let Some(answer) = asked.answer {
            told["answer"] = json!(answer);
        }
        if args.trace {
            told["trace"] = serde_json::to_value(&written.trace)?;
        }
        writeln!(out, "{told}")?;
    }
    out.flush()?;
    output::complain(&format!("{n} statements by {}, {n_failed} with errors", model.label()));
    if n_known > 0 {
        output::complain(&format!("{n_same} of {n_known} have the calls that they should"));
    }
    if n_tokens > 0 {
        output::complain(&format!("{n_tokens} tokens"));
    }
    Ok(ExitCode::SUCCESS)
}

//! `graphground toolformer write`: `bench --experiment toolformer` under another name, and then what
//! was written, line by line.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use eval::Runs;
use serde_json::{Value, json};
use systems::toolformer::experiment::Outcome;
use systems::toolformer::instance::{BETWEEN_ANSWERS, MAX_LINE};
use systems::toolformer::prompts::Pair;
use systems::toolformer::{CAPACITY, Executor, Instance, Mode, Order};

use super::asking::Asking;
use super::data::Given;
use crate::commands::bench;
use crate::{input, limits, output, runs_file};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Questions, or statements with `[TBR]`, one a line: as they are, as JSON objects, or as lines
    /// `Input: … Output: … Reasoning Result: ….`; plain or gzipped.
    file: PathBuf,
    /// The field of a JSON line that has the text.
    #[arg(long, default_value = "input")]
    field: String,
    /// At most so many lines.
    #[arg(long)]
    limit: Option<usize>,
    /// The runs file; one that is there is gone on with. Beside FILE if left out, as
    /// NAME.runs.jsonl.
    #[arg(long)]
    out: Option<PathBuf>,
    #[command(flatten)]
    asking: Asking,
    #[command(flatten)]
    given: Given,
    /// Stops at this number of tokens, as far as the endpoint reports them.
    #[arg(long)]
    max_tokens: Option<u64>,
    /// How many calls the working memory of a statement holds.
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

/// A line of the file as a pair; one whose right statement nobody knows has none.
fn asked(line: &str, field: &str) -> Result<Pair> {
    if line.len() > MAX_LINE {
        bail!("it has {} bytes; at most {MAX_LINE} are read", line.len());
    }
    let pair = |input, output, answer, dataset| Pair {
        input,
        output,
        answer,
        template: String::new(),
        dataset,
    };
    if line.trim_start().starts_with('{') {
        let read: Value = serde_json::from_str(line).context("a JSON object was expected")?;
        let text = |field: &str| read.get(field).and_then(Value::as_str).map(str::to_owned);
        let input = text(field).with_context(|| format!("there is no text in {field:?}"))?;
        let of = |field| text(field).unwrap_or_default();
        return Ok(pair(input, of("output"), text("answer"), of("dataset")));
    }
    let plain = || pair(line.trim().to_owned(), String::new(), None, String::new());
    Ok(Instance::read(line)
        .map_or_else(|_| plain(), |read| pair(read.input, read.output, read.answer, String::new())))
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let out = args.out.clone().unwrap_or_else(|| args.file.with_extension("runs.jsonl"));
    let mut words: Vec<String> = ["--experiment", "toolformer"].map(Into::into).into();
    words.extend(args.asking.as_words());
    words.extend(args.given.as_words());
    let mut say = |name: &str, value: String| words.extend([name.to_owned(), value]);
    say("--set", format!("capacity={}", args.capacity));
    if let Some(max) = args.max_tokens {
        say("--max-tokens", max.to_string());
    }
    say("--out", out.display().to_string());
    let text = input::text(&args.file, limits::TEXT)?;
    let lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty());
    let (mut numbers, mut pairs) = (Vec::new(), String::new());
    for (i, line) in lines.take(args.limit.unwrap_or(usize::MAX)) {
        let place = || format!("{}, line {}", args.file.display(), i + 1);
        let asked = asked(line, &args.field).with_context(place)?;
        numbers.push(i + 1);
        pairs.push_str(&serde_json::to_string(&asked)?);
        pairs.push('\n');
    }
    output::complain(&format!("this is `graphground bench {}`", words.join(" ")));
    let mut bench = bench::Args::of_words(&words)?;
    bench.texts = vec![(args.file.to_string_lossy().into_owned(), pairs)];
    let (code, keys) = bench::run_to_end(&bench)?;
    tell(args, &runs_file::read(&out)?, numbers.into_iter().zip(keys).collect())?;
    Ok(code)
}

/// Says what was written for each line.
fn tell(args: &Args, runs: &Runs, lines: Vec<(usize, eval::Key)>) -> Result<()> {
    let hubs = args.given.hubs()?;
    let mut out = output::stdout();
    let (mut n, mut n_failed, mut n_known, mut n_same) = (0_usize, 0_usize, 0_usize, 0_usize);
    for (line, key) in lines {
        let (Some(case), Some(setup)) = (runs.case(&key.case), runs.setups.get(&key.setup)) else {
            continue;
        };
        let Some(run) = runs.run(&key) else {
            let why = runs.failures.get(&key).map_or("it was not asked", |f| f.reason.as_str());
            output::complain(&format!("{}, line {line}: {why}", args.file.display()));
            continue;
        };
        let pair: Pair = case.body.read().map_err(anyhow::Error::msg)?;
        let outcome: Outcome = serde_json::from_value(run.outcome.clone())?;
        // What the calls give follows from the statement.
        let ran = Executor::new(hubs.clone(), Mode::Ours)
            .with_capacity(args.capacity)
            .run(&outcome.statement);
        let errors: Vec<String> =
            ran.calls().filter_map(|c| c.error.as_ref().map(ToString::to_string)).collect();
        let is_same = run.score.measures.get("same_calls").map(|share| *share == 1.0);
        n += 1;
        n_failed += usize::from(!errors.is_empty());
        n_known += usize::from(is_same.is_some());
        n_same += usize::from(is_same == Some(true));
        if !args.json {
            writeln!(out, "{}", outcome.text)?;
            for error in &errors {
                writeln!(out, "  {error}")?;
            }
            continue;
        }
        let answers: Vec<&str> = ran.answers(Order::Text).into_iter().flatten().collect();
        let mut told = json!({
            "line": line, "input": pair.input, "prediction": outcome.statement, "text": outcome.text,
            "answers": answers.join(BETWEEN_ANSWERS), "errors": errors,
        });
        if !pair.output.is_empty() {
            told["output"] = json!(pair.output);
            told["same_calls"] = json!(is_same);
        }
        if let Some(answer) = pair.answer {
            told["answer"] = json!(answer);
        }
        if args.trace {
            told["trace"] =
                serde_json::to_value(run.whole_trace(setup, case, runs.tools_of(setup)))?;
        }
        writeln!(out, "{told}")?;
    }
    out.flush()?;
    output::complain(&format!("{n} statements, {n_failed} with errors"));
    if n_known > 0 {
        output::complain(&format!("{n_same} of {n_known} have the calls that they should"));
    }
    Ok(())
}

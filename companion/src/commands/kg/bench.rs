//! `graphground kg bench`: systems on many questions about a knowledge graph, kept line by line, so
//! that a run that was made is never made again.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agent::{Cancel, Limits, RunContext};
use anyhow::{Context as _, Result, bail};
use eval::knowledge::{self, KgLine};
use eval::prices::Prices;
use futures_util::FutureExt as _;
use kg::find::Finder;
use llm::Model;
use systems::kgqa::{Effort, KG_SYSTEMS, KgOptions, KgRequest, KgRun, answer, gpt4score};
use tasks::kgqa::KgQuestion;
use trace::Stop;

use super::asking::{Asking, Questions, clock};
use super::load::{Rules, Source};
use crate::{input, limits, output};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    questions: Questions,
    /// graphrunner, graph_cot, graph_rag, text_rag; all if left out.
    #[arg(long = "system")]
    systems: Vec<String>,
    #[command(flatten)]
    asking: Asking,
    /// A model at the same endpoint that judges answers: GPT4Score.
    #[arg(long)]
    judge: Option<String>,
    /// Runs plans as they are.
    #[arg(long)]
    no_verify: bool,
    /// Verifies plans on the data too.
    #[arg(long)]
    check_data: bool,
    /// Where the runs are kept; what is in there is not made again.
    #[arg(long)]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let finder = args.source.finder()?;
    let semantics = args.rules.semantics()?;
    let options = KgOptions {
        semantics: kg::plan::Semantics { extensions: false, ..semantics },
        find: args.rules.find(),
        verify: !args.no_verify,
        check_data: args.check_data,
        max_steps: 40,
        ..KgOptions::default()
    };
    let questions = args.questions.read(&finder)?;
    let all: Vec<&str> = KG_SYSTEMS.iter().map(|s| s.id).collect();
    let systems: Vec<&str> = if args.systems.is_empty() {
        all.clone()
    } else {
        args.systems.iter().map(String::as_str).collect()
    };
    if let Some(wrong) = systems.iter().find(|s| !all.contains(s)) {
        bail!("there is no system {wrong:?}; there are {}", all.join(", "));
    }
    let model = args.asking.model()?;
    let judge = args.judge.as_ref().map(|name| args.asking.named(name)).transpose()?;
    let mut lines = kept(&args.out)?;
    let done: BTreeSet<String> = lines.iter().map(|l| l.key.clone()).collect();
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&args.out)
        .with_context(|| format!("{}: cannot be written", args.out.display()))?;
    let bpe = tiktoken_rs::o200k_base().context("the vocabulary o200k_base")?;
    let count = |text: &str| bpe.encode_ordinary(text).len();
    let (mut n_made, mut n_failed) = (0, 0);
    let bar = output::bar(systems.len() * questions.len());
    for system in &systems {
        for question in &questions {
            let key = knowledge::key(system, &options, &model.label(), &args.source.kg, question);
            bar.inc(1);
            if done.contains(&key) {
                continue;
            }
            let run = one(system, &finder, question, &options, model.as_ref())?;
            if let Some(Stop::ModelFailed { message, is_overflow: false }) = &run.trace.stop {
                // Its endpoint failed: it is made again next time.
                n_failed += 1;
                bar.suspend(|| output::complain(&format!("{system}, {}: {message}", question.id)));
                continue;
            }
            let judged = match &judge {
                Some(judge) => score(question, &run.answer, judge.as_ref())?,
                None => None,
            };
            let effort = Some(Effort::of(&run.trace, &count));
            let line = KgLine { key, options: options.clone(), effort, judged, run };
            // One write a line: a line is there whole, or it is not and is made again.
            file.write_all(format!("{}\n", serde_json::to_string(&line)?).as_bytes())
                .with_context(|| {
                    format!(
                        "{}: cannot be written to; the runs before are whole, and the same command \
                         goes on after them",
                        args.out.display()
                    )
                })?;
            lines.push(line);
            n_made += 1;
        }
    }
    bar.finish_and_clear();
    let mut out = output::stdout();
    writeln!(
        out,
        "{n_made} runs made, {} in the file, {n_failed} failed at the endpoint\n",
        lines.len()
    )?;
    for table in knowledge::tables(&lines, &Prices::default()) {
        writeln!(out, "{}", table.text())?;
    }
    out.flush()?;
    Ok(if n_failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

/// The lines of the file, made fit for more.
fn kept(path: &Path) -> Result<Vec<KgLine>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = input::plain_text(path, limits::RESULTS)?;
    let read = knowledge::read(&text).with_context(|| path.display().to_string())?;
    if let Some(whole) = read.torn_at {
        // Without it the next line would hang on to the broken one.
        OpenOptions::new().write(true).open(path)?.set_len(whole as u64)?;
    }
    Ok(read.lines)
}

fn one(
    system: &str,
    finder: &Finder,
    question: &KgQuestion,
    options: &KgOptions,
    model: &dyn Model,
) -> Result<KgRun> {
    let system = systems::kgqa::find(system).context("a fault of ours: a system is missing")?;
    let clock = clock();
    let cancel = Cancel::default();
    let limits = Limits { max_rounds: 100, max_calls: 10_000, ..Limits::default() };
    let setting = RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
    let request = KgRequest { system, finder, question, options, setting, away: None };
    // The client blocks, so that every future is ready when it is looked at.
    answer(request, model, &mut |_| {})
        .now_or_never()
        .context("a fault of ours: the run did not come to its end")
}

fn score(question: &KgQuestion, text: &str, judge: &dyn Model) -> Result<Option<bool>> {
    let cancel = Cancel::default();
    let clock = || 0.0;
    let limits = Limits::default();
    let setting = RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
    gpt4score(question, text, judge, setting)
        .now_or_never()
        .context("a fault of ours: the judge did not come to its end")
}

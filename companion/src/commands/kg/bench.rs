//! `graphground kg bench`: systems on many questions about a knowledge graph, kept line by line, so
//! that a run that was made is never made again.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

use agent::{Cancel, EndpointModel, Limits, Setting};
use anyhow::{Context as _, Result, bail};
use futures_util::FutureExt as _;
use kg::find::Finder;
use llm::{Endpoint, Model};
use serde::{Deserialize, Serialize};
use systems::kgqa::scripted::KgScript;
use systems::kgqa::{
    Effort, KG_SYSTEMS, KgErrorKind, KgOptions, KgRequest, KgRun, PAPER_PRICES, answer, gpt4score,
};
use tasks::Verdict;
use tasks::kgqa::{KgQuestion, generate, read_questions};
use tiktoken_rs::CoreBPE;
use trace::{Stop, bytes_hash};

use super::load::{Rules, Source};
use crate::commands::run::key;
use crate::http::Client;
use crate::{input, output, table};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    rules: Rules,
    /// Questions, a JSON object a line with `question` and `answers`; generated ones for a metro
    /// network if left out.
    #[arg(long)]
    qa: Option<PathBuf>,
    /// So many questions at most.
    #[arg(long, default_value_t = 100)]
    n: usize,
    /// graphrunner, graph_cot, graph_rag, text_rag; all if left out.
    #[arg(long = "system")]
    systems: Vec<String>,
    /// The model's name at the endpoint, or a script: script, mistaken:KIND, erring:PERCENT.
    #[arg(long, default_value = "script")]
    model: String,
    /// The endpoint's address; a script plays the model if left out.
    #[arg(long)]
    endpoint: Option<String>,
    /// The endpoint's protocol.
    #[arg(long, default_value = "openai")]
    provider: String,
    /// The environment variable that holds the key.
    #[arg(long)]
    key_env: Option<String>,
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

/// A line of the file: a run under its key.
#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    run: KgRun,
    /// What the judge said, if one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    judged: Option<bool>,
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
    let questions = questions(args, &finder)?;
    let all: Vec<&str> = KG_SYSTEMS.iter().map(|s| s.id).collect();
    let systems: Vec<&str> = if args.systems.is_empty() {
        all.clone()
    } else {
        args.systems.iter().map(String::as_str).collect()
    };
    if let Some(wrong) = systems.iter().find(|s| !all.contains(s)) {
        bail!("there is no system {wrong:?}; there are {}", all.join(", "));
    }
    let model = model(args, &args.model)?;
    let judge = args.judge.as_ref().map(|name| self::model(args, name)).transpose()?;
    let mut lines = kept(&args.out)?;
    let done: BTreeSet<String> = lines.iter().map(|l| l.key.clone()).collect();
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&args.out)
        .with_context(|| format!("{}: cannot be written", args.out.display()))?;
    let (mut n_made, mut n_failed) = (0, 0);
    for system in &systems {
        for question in &questions {
            let words = serde_json::to_string(&(
                system,
                &options,
                &model.label(),
                &args.source.kg,
                question,
            ))?;
            let key = bytes_hash(words.as_bytes());
            if done.contains(&key) {
                continue;
            }
            let run = one(system, &finder, question, &options, model.as_ref())?;
            if let Some(Stop::ModelFailed { message, is_overflow: false }) = &run.trace.stop {
                // Its endpoint failed: it is made again next time.
                n_failed += 1;
                output::complain(&format!("{system}, {}: {message}", question.id));
                continue;
            }
            let judged = match &judge {
                Some(judge) => score(question, &run.answer, judge.as_ref())?,
                None => None,
            };
            let line = Line { key, run, judged };
            // One write a line: a line is there whole, or it is not and is made again.
            file.write_all(format!("{}\n", serde_json::to_string(&line)?).as_bytes())?;
            lines.push(line);
            n_made += 1;
        }
    }
    report(&lines, n_made, n_failed)?;
    Ok(if n_failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

fn questions(args: &Args, finder: &Finder) -> Result<Vec<KgQuestion>> {
    let mut list = match &args.qa {
        Some(path) => read_questions(&input::text(path, 500_000_000)?)
            .with_context(|| path.display().to_string())?
            .into_iter()
            .map(|row| row.question)
            .collect(),
        None => generate(finder.kg(), args.n, 1, 1),
    };
    list.truncate(args.n);
    if list.is_empty() {
        bail!("there are no questions; give --qa, or a metro network");
    }
    Ok(list)
}

fn model(args: &Args, name: &str) -> Result<Box<dyn Model>> {
    let Some(address) = &args.endpoint else {
        let known: Vec<String> = KgScript::names().into_iter().map(|(n, _)| n).collect();
        let script = KgScript::by_name(name).with_context(|| {
            format!("there is no script {name:?}; there are {}", known.join(", "))
        })?;
        return Ok(Box::new(script));
    };
    let endpoint = Endpoint::new(args.provider.as_str(), address.as_str());
    let client = Rc::new(Client::new(key(args.key_env.as_deref())?));
    let model =
        EndpointModel::new(endpoint, name.to_owned(), client).map_err(anyhow::Error::msg)?;
    Ok(Box::new(model))
}

/// The lines of the file. The last may have been cut off when the program was ended.
fn kept(path: &std::path::Path) -> Result<Vec<Line>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = input::text(path, 2_000_000_000)?;
    let mut lines = Vec::new();
    let n = text.lines().count();
    for (i, line) in text.lines().enumerate() {
        match serde_json::from_str(line) {
            Ok(line) => lines.push(line),
            Err(_) if i + 1 == n && !text.ends_with('\n') => {
                // Without it the next line would hang on to the broken one.
                let whole = text.len() - line.len();
                OpenOptions::new().write(true).open(path)?.set_len(whole as u64)?;
            }
            Err(error) => bail!("{}, line {}: {error}", path.display(), i + 1),
        }
    }
    Ok(lines)
}

fn one(
    system: &str,
    finder: &Finder,
    question: &KgQuestion,
    options: &KgOptions,
    model: &dyn Model,
) -> Result<KgRun> {
    let system = systems::kgqa::find(system).context("a fault of ours: a system is missing")?;
    #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
    let start = Instant::now();
    let clock = move || start.elapsed().as_secs_f64() * 1e3;
    let cancel = Cancel::default();
    let limits = Limits { max_rounds: 100, max_calls: 10_000, ..Limits::default() };
    let setting = Setting { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
    let request = KgRequest { system, finder, question, options, setting };
    // The client blocks, so that every future is ready when it is looked at.
    answer(request, model, &mut |_| {})
        .now_or_never()
        .context("a fault of ours: the run did not come to its end")
}

fn score(question: &KgQuestion, text: &str, judge: &dyn Model) -> Result<Option<bool>> {
    let cancel = Cancel::default();
    let clock = || 0.0;
    let limits = Limits::default();
    let setting = Setting { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
    gpt4score(question, text, judge, setting)
        .now_or_never()
        .context("a fault of ours: the judge did not come to its end")
}

/// The paper's figures for healthcare questions of GRBench: GPT4Score and ROUGE-L, in percent.
/// Paper: GraphRunner, Table 1.
const PAPER: [(&str, f64, f64); 4] = [
    ("text_rag", 10.47, 7.28),
    ("graph_rag", 16.17, 12.57),
    ("graph_cot", 35.97, 30.91),
    ("graphrunner", 52.66, 53.46),
];

fn report(lines: &[Line], n_made: usize, n_failed: usize) -> Result<()> {
    let bpe = tiktoken_rs::o200k_base().context("the vocabulary o200k_base")?;
    let mut out = output::stdout();
    writeln!(
        out,
        "{n_made} runs made, {} in the file, {n_failed} failed at the endpoint\n",
        lines.len()
    )?;
    let mut rows = Vec::new();
    let mut errors = Vec::new();
    let mut seen: BTreeSet<(&str, &str)> = BTreeSet::new();
    for line in lines {
        seen.insert((&line.run.system, &line.run.trace.model));
    }
    for (system, model) in seen {
        let of: Vec<&Line> =
            lines.iter().filter(|l| l.run.system == system && l.run.trace.model == model).collect();
        rows.push(row(system, model, &of, &bpe));
        let title = systems::kgqa::find(system).map_or(system, |s| s.title);
        let count = |kind: KgErrorKind| {
            let n = of.iter().filter(|l| l.run.errors.contains(&kind)).count();
            format!("{:.1} %", 100.0 * n as f64 / of.len() as f64)
        };
        let mut row = vec![format!("{title}, {model}")];
        row.extend(KgErrorKind::ALL.iter().map(|k| count(*k)));
        errors.push(row);
    }
    for (system, judged, rouge) in PAPER {
        let title = systems::kgqa::find(system).map_or(system, |s| s.title);
        let mut row = vec![format!("{title}, GPT-4 (paper, healthcare)")];
        row.extend([
            "–".into(),
            "–".into(),
            "–".into(),
            "–".into(),
            format!("{rouge:.1}"),
            format!("{judged:.1}"),
        ]);
        row.extend(["–", "–", "–", "–"].map(str::to_owned));
        rows.push(row);
    }
    table::write(
        &mut out,
        &[
            "system, model",
            "n",
            "right",
            "exact",
            "multiset",
            "R-L",
            "judged",
            "turns",
            "tokens",
            "cost in $",
            "ms",
        ],
        &rows,
    )?;
    writeln!(out, "\nerrors, also those that were mended")?;
    let mut head = vec!["system, model"];
    head.extend(KgErrorKind::ALL.iter().map(|k| k.title()));
    table::write(&mut out, &head, &errors)?;
    out.flush()?;
    Ok(())
}

fn row(system: &str, model: &str, of: &[&Line], bpe: &CoreBPE) -> Vec<String> {
    let n = of.len() as f64;
    let share = |is: &dyn Fn(&KgRun) -> bool| {
        format!("{:.1}", 100.0 * of.iter().filter(|l| is(&l.run)).count() as f64 / n)
    };
    let count = |text: &str| bpe.encode_ordinary(text).len();
    let efforts: Vec<Effort> = of.iter().map(|l| Effort::of(&l.run.trace, &count)).collect();
    let mean = |value: &dyn Fn(&Effort) -> f64| efforts.iter().map(value).sum::<f64>() / n;
    let judged: Vec<bool> = of.iter().filter_map(|l| l.judged).collect();
    let judged = if judged.is_empty() {
        "–".to_owned()
    } else {
        format!("{:.1}", 100.0 * judged.iter().filter(|j| **j).count() as f64 / judged.len() as f64)
    };
    let rouge = of.iter().map(|l| l.run.judgement.rouge_l).sum::<f64>() / n;
    let title = systems::kgqa::find(system).map_or(system, |s| s.title);
    vec![
        format!("{title}, {model}"),
        of.len().to_string(),
        share(&|r| r.judgement.verdict == Verdict::Correct),
        share(&|r| r.judgement.exact_match),
        share(&|r| r.judgement.multiset_match),
        format!("{:.1}", 100.0 * rouge),
        judged,
        format!("{:.2}", mean(&|e| e.n_turns as f64)),
        format!("{:.0}", mean(&|e| (e.n_input + e.n_output) as f64)),
        format!("{:.5}", mean(&|e| e.cost(PAPER_PRICES))),
        format!("{:.1}", mean(&|e| e.took_ms)),
    ]
}

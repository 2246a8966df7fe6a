//! Traces to try things with: scripted models on made problems, the same on every machine.

use std::path::PathBuf;
use std::process::ExitCode;

use agent::{Cancel, Limits, RunContext};
use anyhow::{Context as _, anyhow};
use futures_util::FutureExt as _;
use systems::grounded::scripted::Script;
use systems::{RunOptions, RunRequest, run_system};
use tasks::{Style, TASKS, TaskGroup, Verdict, Wording};
use trace::{Record, RecordScore, formats};

#[derive(clap::Args)]
pub(super) struct Made {
    /// Problems of each of NLGraph's tasks.
    #[arg(long, default_value_t = 1)]
    n: u64,
    /// The same seed makes the same traces.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Which script plays; without it, each in turn, so that there are mistakes too.
    #[arg(long)]
    script: Option<String>,
    /// graphground, openai, inspect, otel or atif.
    #[arg(long, default_value = "graphground")]
    to: String,
    /// Where to; without it, standard output.
    #[arg(short, long)]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &Made) -> anyhow::Result<ExitCode> {
    let known: Vec<String> = Script::names().into_iter().map(|(name, _)| name).collect();
    let names = match &args.script {
        Some(name) => std::slice::from_ref(name),
        None => &known[..],
    };
    formats::write(&args.to, &[]).map_err(|e| anyhow!("--to: {e}"))?;
    let mut records = Vec::new();
    for task in TASKS.iter().filter(|t| t.id.group() == TaskGroup::NlGraph) {
        for i in 0..args.n {
            let name = &names[records.len() % names.len()];
            let script = Script::by_name(name).with_context(|| {
                format!(
                    "--script {name:?}: there is no such script; there are {}",
                    known.join(", ")
                )
            })?;
            let level = *task.difficulties.first().context("a task without a level")?;
            let problem = task.generate(level, args.seed + i);
            let question = problem.question(Wording::Benchmark, Style::ZeroShot);
            let request = RunRequest {
                system: systems::nlgraph::find("grounded").context("the system `grounded`")?,
                problem: &problem,
                question: &question,
                options: RunOptions::default(),
                setting: RunContext {
                    limits: Limits::default(),
                    seed: None,
                    clock: &|| 0.0,
                    cancel: &Cancel::default(),
                    watch: &(),
                },
                python: None,
            };
            let run = run_system(request, &script, &mut |_| {})
                .now_or_never()
                .context("a script answers at once")?;
            let (label, value) = match run.judgement.verdict {
                Verdict::Correct => ("correct", 1.0),
                Verdict::Partial => ("partial", 0.5),
                Verdict::Incorrect => ("incorrect", 0.0),
                Verdict::NoAnswer => ("no_answer", 0.0),
            };
            records.push(Record {
                id: format!("{}-{}", task.id, args.seed + i),
                task: task.id.to_string(),
                input: question,
                score: Some(RecordScore {
                    name: "verdict".into(),
                    label: label.into(),
                    value,
                    explanation: run.judgement.explanation,
                }),
                ..Record::of(run.trace)
            });
        }
    }
    let (_, text) = formats::write(&args.to, &records).map_err(|e| anyhow!("--to: {e}"))?;
    super::write(&text, args.out.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

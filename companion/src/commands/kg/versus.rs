//! `graphground kg versus`: GraphRunner beside its baselines, with scripts of the same competence.

use std::io::Write as _;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

use agent::{Cancel, Limits, RunContext};
use anyhow::{Context as _, bail};
use futures_util::FutureExt as _;
use kg::find::Finder;
use kg::generators;
use systems::kgqa::scripted::KgScript;
use systems::kgqa::{Effort, KG_SYSTEMS, KgOptions, KgRequest, PAPER_PRICES, answer};
use tasks::Verdict;
use tasks::kgqa::{KgQuestion, generate};
use tiktoken_rs::CoreBPE;

use crate::{output, table};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// So many questions, spread over ten networks.
    #[arg(long, default_value_t = 500)]
    n: usize,
    /// Of so many hops at least.
    #[arg(long, default_value_t = 2)]
    min_hops: u32,
    /// The same seed asks the same.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Chances to err at a turn, in percent.
    #[arg(long, value_delimiter = ',', default_value = "10,20,30")]
    errs: Vec<u32>,
}

/// What a system made of all questions.
#[derive(Default)]
struct Sum {
    n: usize,
    n_right: usize,
    n_turns: usize,
    n_calls: usize,
    input: u64,
    output: u64,
    cost: f64,
    unsupported: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let bpe = tiktoken_rs::o200k_base().context("the vocabulary o200k_base")?;
    let mut asked: Vec<(Rc<Finder>, KgQuestion)> = Vec::new();
    for i in 0..10u64 {
        let kg = Arc::new(generators::metro(8 + i as usize % 5, args.seed + i)?);
        let questions = generate(&kg, args.n.div_ceil(10), args.min_hops, args.seed + i);
        let finder = Rc::new(Finder::new(kg, Rc::new(text::NGrams)));
        asked.extend(questions.into_iter().map(|q| (finder.clone(), q)));
    }
    asked.truncate(args.n);
    if asked.is_empty() {
        bail!("no question has {} hops or more", args.min_hops);
    }
    let mut out = output::stdout();
    writeln!(
        out,
        "{} generated questions of {} hops or more; tokens by o200k_base\n",
        asked.len(),
        args.min_hops
    )?;
    let usual = KgOptions { max_steps: 40, ..KgOptions::default() };
    let mut rows = Vec::new();
    let mut first: Option<f64> = None;
    for system in KG_SYSTEMS {
        let sum = all(system.id, &asked, &usual, KgScript::Careful, &bpe)?;
        let per = |n: f64| n / sum.n as f64;
        let ours = *first.get_or_insert(per(sum.cost));
        rows.push(vec![
            system.title.to_owned(),
            format!("{:.1} %", 100.0 * per(sum.n_right as f64)),
            format!("{:.2}", per(sum.n_turns as f64)),
            format!("{:.2}", per(sum.n_calls as f64)),
            format!("{:.0}", per(sum.input as f64)),
            format!("{:.0}", per(sum.output as f64)),
            format!("{:.5}", per(sum.cost)),
            format!("{:.2}", per(sum.cost) / ours),
        ]);
        out.flush()?;
    }
    table::write(
        &mut out,
        &[
            "system, careful script",
            "right",
            "turns",
            "steps",
            "read",
            "written",
            "cost in $",
            "times",
        ],
        &rows,
    )?;
    writeln!(out)?;
    let mut rows = Vec::new();
    for percent in &args.errs {
        let script = KgScript::Erring { percent: (*percent).min(100) };
        let plain = KgOptions { verify: false, ..usual.clone() };
        let data = KgOptions { check_data: true, ..usual.clone() };
        let mut row = vec![format!("{percent} %")];
        for (system, options) in [
            ("graphrunner", &plain),
            ("graphrunner", &usual),
            ("graphrunner", &data),
            ("graph_cot", &usual),
        ] {
            let sum = all(system, &asked, options, script, &bpe)?;
            row.push(format!("{:.1} %", 100.0 * sum.n_right as f64 / sum.n as f64));
        }
        rows.push(row);
    }
    table::write(
        &mut out,
        &["errs at a turn", "not verified", "on the schema", "and the data", "Graph-CoT"],
        &rows,
    )?;
    Ok(ExitCode::SUCCESS)
}

fn all(
    system: &str,
    asked: &[(Rc<Finder>, KgQuestion)],
    options: &KgOptions,
    script: KgScript,
    bpe: &CoreBPE,
) -> anyhow::Result<Sum> {
    let system = systems::kgqa::find(system).context("a fault of ours: a system is missing")?;
    let mut sum = Sum::default();
    let count = |text: &str| bpe.encode_ordinary(text).len();
    for (finder, question) in asked {
        let cancel = Cancel::default();
        let clock = || 0.0;
        let limits = Limits { max_rounds: 100, max_calls: 10_000, ..Limits::default() };
        let setting = RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
        let request = KgRequest { system, finder, question, options, setting, away: None };
        let run = answer(request, &script, &mut |_| {})
            .now_or_never()
            .context("a fault of ours: a script was not ready at once")?;
        let effort = Effort::of(&run.trace, &count);
        sum.n += 1;
        sum.n_right += usize::from(run.judgement.verdict == Verdict::Correct);
        sum.n_turns += effort.n_turns;
        sum.n_calls += effort.n_calls;
        sum.input += effort.n_input;
        sum.output += effort.n_output;
        sum.cost += effort.cost(PAPER_PRICES);
        sum.unsupported += usize::from(run.claims.iter().any(|c| !c.is_supported));
    }
    Ok(sum)
}

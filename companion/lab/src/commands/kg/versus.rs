//! `graphground kg versus`: GraphRunner beside its baselines, with scripts that know the gold plan.
//! It measures tokens and turns, and nothing about what a model gets right.
//! These are runs as `bench --experiment kgqa` makes them, on ten networks, added up by its report.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use eval::report::{Report, ReportOptions, Row, RowGroup};
use eval::{Case, Setup};
use kg::find::Finder;
use kg::generators;
use serde_json::json;
use systems::experiment::{MODEL, RoleModel, World};
use systems::experiments;
use systems::kgqa::KgWorld;
use systems::kgqa::experiment::{ID, case, world_name};
use tasks::kgqa::generate;

use companion::local::{Local, Players};
use companion::{output, table};

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
    /// Keeps the runs in a new runs file, which `report` reads.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// A setup, and the script that plays its model.
fn setup(
    system: &str,
    script: &str,
    options: &serde_json::Value,
) -> anyhow::Result<(Setup, Players)> {
    let experiment = experiments::find(ID).map_err(anyhow::Error::msg)?;
    let usual = experiment.setup(system, &[RoleModel::script(script)]);
    let mut setup = usual.map_err(anyhow::Error::msg)?;
    setup.options = experiment.read_options(system, options).map_err(anyhow::Error::msg)?;
    let model = experiment.script_named(MODEL.id, script).map_err(anyhow::Error::msg)?;
    Ok((setup, BTreeMap::from([(MODEL.id.to_owned(), model)])))
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let bpe = tiktoken_rs::o200k_base().context("the vocabulary o200k_base")?;
    let count = |text: &str| bpe.encode_ordinary(text).len();
    let mut asked: Vec<(Rc<World>, Case)> = Vec::new();
    for i in 0..10u64 {
        let kg = Arc::new(generators::metro(8 + i as usize % 5, args.seed + i)?);
        let questions = generate(&kg, args.n.div_ceil(10), args.min_hops, args.seed + i);
        let name = world_name(&kg);
        let finder = Rc::new(Finder::new(kg, Rc::new(text::NGrams)));
        let world = Rc::new(World::new(KgWorld { finder, away: None }));
        for mut question in questions {
            question.id = format!("{i}-{}", question.id);
            asked.push((world.clone(), case(&question, &name).map_err(anyhow::Error::msg)?));
        }
    }
    asked.truncate(args.n);
    if asked.is_empty() {
        bail!("no question has {} hops or more", args.min_hops);
    }
    let mut local = Local::new(args.out.as_deref())?;
    let mut all = |(setup, players): (Setup, Players)| -> anyhow::Result<String> {
        for (world, case) in &asked {
            local.run(&setup, case, world, &players, Some(&count))?;
        }
        Ok(setup.hash())
    };
    let experiment = experiments::find(ID).map_err(anyhow::Error::msg)?;
    let mut careful = Vec::new();
    for system in experiment.systems() {
        careful.push((system.title, all(setup(system.id, "script", &json!({}))?)?));
    }
    let mut erring = Vec::new();
    for percent in args.errs.iter().map(|percent| (*percent).min(100)) {
        let script = format!("erring:{percent}");
        let ways = [
            ("graphrunner", json!({ "verify": false })),
            ("graphrunner", json!({})),
            ("graphrunner", json!({ "check_data": true })),
            ("graph_cot", json!({})),
        ];
        let hashes: anyhow::Result<Vec<String>> =
            ways.iter().map(|(system, options)| all(setup(system, &script, options)?)).collect();
        erring.push((percent, hashes?));
    }
    let report = Report::of(&local.finish()?, ReportOptions::default());
    let row = |hash: &str| report.row(hash, &RowGroup::ALL).context("internal error: no runs");
    let right = |row: &Row| row.accuracy.map_or(0.0, |share| 100.0 * share.value);
    let mut out = output::stdout();
    writeln!(
        out,
        "{}\n\n{} generated questions of {} hops or more; tokens by o200k_base\n",
        report.scripts_note().unwrap_or_default(),
        asked.len(),
        args.min_hops
    )?;
    let mut rows = Vec::new();
    for (title, hash) in &careful {
        let row = row(hash)?;
        let per = |n: u64| n as f64 / row.n_runs as f64;
        let (input, written) = row.tokens.map_or((0.0, 0.0), |(i, o)| (per(i), per(o)));
        rows.push(vec![
            (*title).to_owned(),
            format!("{:.1} %", right(row)),
            format!("{:.2}", row.rounds),
            format!("{:.2}", row.calls),
            format!("{input:.0}"),
            format!("{written:.0}"),
        ]);
    }
    table::write(
        &mut out,
        &["system, careful script", "right", "turns", "steps", "read", "written"],
        &rows,
    )?;
    writeln!(out)?;
    let mut rows = Vec::new();
    for (percent, hashes) in &erring {
        let mut cells = vec![format!("{percent} %")];
        for hash in hashes {
            cells.push(format!("{:.1} %", right(row(hash)?)));
        }
        rows.push(cells);
    }
    table::write(
        &mut out,
        &["errs at a turn", "not verified", "on the schema", "and the data", "Graph-CoT"],
        &rows,
    )?;
    Ok(ExitCode::SUCCESS)
}

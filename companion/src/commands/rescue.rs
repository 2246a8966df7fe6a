//! `graphground rescue`: the proof that plans keep the rules, on generated disasters.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{anyhow, bail};
use serde::Serialize;
use tasks::rescue::{
    MAX_GENERATED, MIN_GENERATED, RescueRule, generate, plan, random_event, verify_plan,
};

use crate::output;

/// The most scenarios, and the most events of each, that one call plays.
const MAX_COUNT: u64 = 100_000;

/// Options of `rescue`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many scenarios, from 9 locations up to the most that are asked for.
    #[arg(long, default_value_t = 200)]
    scenarios: u64,
    /// How many events in each.
    #[arg(long, default_value_t = 5)]
    events: u64,
    /// The most locations.
    #[arg(long, default_value_t = MAX_GENERATED)]
    locations: usize,
    /// The same seed plays the same on every machine.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Prints the counts as one JSON object.
    #[arg(long)]
    json: bool,
}

/// What came of it.
#[derive(Debug, Default, Serialize)]
struct Counts {
    scenarios: u64,
    events: u64,
    plans: u64,
    plans_without_fault: u64,
    /// Plans that the planner proves best.
    plans_proven_best: u64,
    survivors_served: usize,
    survivors_unreachable: usize,
    faults: BTreeMap<&'static str, usize>,
    /// Milliseconds of the planner alone.
    plan_ms_median: f64,
    plan_ms_most: f64,
    /// Milliseconds of the verifier alone, of all plans.
    verify_ms_total: f64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    for (name, value) in [("scenarios", args.scenarios), ("events", args.events)] {
        if value > MAX_COUNT {
            bail!("--{name} is {value}; expected at most {MAX_COUNT}");
        }
    }
    if !(MIN_GENERATED..=MAX_GENERATED).contains(&args.locations) {
        bail!("--locations is {}; expected {MIN_GENERATED} to {MAX_GENERATED}", args.locations);
    }
    let counts = play(args)?;
    let mut out = output::stdout();
    if args.json {
        serde_json::to_writer(&mut out, &counts)?;
        writeln!(out)?;
    } else {
        writeln!(
            out,
            "{} scenarios, {} events, {} plans: {} without a fault, {} proven best",
            counts.scenarios,
            counts.events,
            counts.plans,
            counts.plans_without_fault,
            counts.plans_proven_best
        )?;
        writeln!(
            out,
            "survivors: {} served, {} named as unreachable",
            counts.survivors_served, counts.survivors_unreachable
        )?;
        writeln!(
            out,
            "planner: median {:.2} ms, most {:.2} ms; verifier: {:.0} ms in all",
            counts.plan_ms_median, counts.plan_ms_most, counts.verify_ms_total
        )?;
        for (rule, n) in &counts.faults {
            writeln!(out, "{n} × {rule}")?;
        }
    }
    let clean = counts.plans == counts.plans_without_fault;
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

// A command is told the time by the system; only the core has none.
#[allow(clippy::disallowed_methods)]
fn play(args: &Args) -> anyhow::Result<Counts> {
    let mut counts = Counts { scenarios: args.scenarios, ..Counts::default() };
    counts.faults = RescueRule::ALL.iter().map(|r| (r.title(), 0)).collect();
    let mut times = Vec::new();
    for i in 0..args.scenarios {
        // The sizes are spread evenly from the least to the most.
        let spread = (args.locations - MIN_GENERATED) as u64;
        let n = MIN_GENERATED + (i * spread / (args.scenarios - 1).max(1)) as usize;
        let seed = args.seed.wrapping_mul(1_000_003).wrapping_add(i);
        let mut scenario = generate(n, seed).map_err(|e| anyhow!("seed {seed}: {e}"))?;
        for step in 0..=args.events {
            let began = Instant::now();
            let made = plan(&scenario).map_err(|e| anyhow!("seed {seed}: {e}"))?;
            times.push(began.elapsed().as_secs_f64() * 1000.0);
            let began = Instant::now();
            let found = verify_plan(&scenario, &made);
            counts.verify_ms_total += began.elapsed().as_secs_f64() * 1000.0;
            counts.plans += 1;
            counts.plans_without_fault += u64::from(found.is_empty());
            counts.plans_proven_best += u64::from(made.optimal == Some(true));
            counts.survivors_served += made.routes.iter().map(|r| r.stops.len()).sum::<usize>();
            counts.survivors_unreachable += made.unreachable.len();
            for finding in found {
                *counts.faults.entry(finding.rule.title()).or_default() += 1;
            }
            if step < args.events
                && let Some(event) = random_event(&scenario, seed.wrapping_mul(31) ^ step)
            {
                scenario = event.apply(&scenario).map_err(|e| anyhow!("seed {seed}: {e}"))?;
                counts.events += 1;
            }
        }
    }
    times.sort_by(f64::total_cmp);
    counts.plan_ms_median = times.get(times.len() / 2).copied().unwrap_or_default();
    counts.plan_ms_most = times.last().copied().unwrap_or_default();
    Ok(counts)
}

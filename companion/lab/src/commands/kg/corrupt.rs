//! `graphground kg corrupt`: right plans made wrong, and what the verifier makes of them.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use kg::plan::{Plan, Semantics, check_data, verify};
use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use tasks::kgqa::{Corruption, generate, program, read_questions, wrong_meaning};

use companion::commands::kg::load::{KgFiles, Rules};
use companion::{input, limits, output, table};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: KgFiles,
    #[command(flatten)]
    rules: Rules,
    /// Questions whose `path` gives the right plans; generated ones for a metro network if left out.
    #[arg(long)]
    qa: Option<PathBuf>,
    /// So many plans of each kind.
    #[arg(long, default_value_t = 1000)]
    n: usize,
    /// The same seed corrupts the same.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let finder = args.source.finder()?;
    let kg = finder.kg();
    let schema = kg.schema();
    let semantics = args.rules.semantics()?;
    let gold: Vec<Plan> = match &args.qa {
        Some(path) => {
            let rows = read_questions(&input::text(path, limits::TEXT)?)
                .with_context(|| path.display().to_string())?;
            rows.iter().filter_map(|row| program(row, kg).ok()).collect()
        }
        None => generate(kg, 500, 1, args.seed).into_iter().filter_map(|q| q.plan).collect(),
    };
    if gold.is_empty() {
        bail!("there are no right plans; give --qa, or a metro network");
    }
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
    let mut out = output::stdout();
    let n_alarms = gold
        .iter()
        .filter(|plan| {
            let verified = verify(plan, schema, semantics, "");
            let data = |r| check_data(r, &finder, args.rules.find()).len();
            verified.findings.len() + verified.ready.as_ref().map_or(1, data) > 0
        })
        .count();
    writeln!(out, "right plans: {}, false alarms: {n_alarms}\n", gold.len())?;
    let mut rows = Vec::new();
    let mut all_caught = n_alarms == 0;
    for (corruption, rule) in Corruption::ALL {
        let (mut n, mut caught, mut right) = (0, 0, 0);
        // A graph may not allow a kind at all: then it is not tried for ever.
        for _ in 0..args.n.saturating_mul(20) {
            if n >= args.n {
                break;
            }
            let Some(plan) = gold.choose(&mut rng) else { break };
            let Some(wrong) = corruption.apply(plan, schema, &mut rng) else { continue };
            n += 1;
            let verified = verify(&wrong, schema, semantics, "");
            caught += usize::from(verified.ready.is_none());
            right += usize::from(verified.findings.iter().any(|f| f.rule == rule));
        }
        all_caught &= caught == n && right == n;
        let rule = format!("{rule:?}");
        rows.push(
            [
                corruption.title().to_owned(),
                rule,
                n.to_string(),
                caught.to_string(),
                right.to_string(),
            ]
            .into(),
        );
    }
    table::write(
        &mut out,
        &["wrong in this way", "rule", "plans", "caught", "by the rule"],
        &rows,
    )?;
    let (mut n, mut on_schema, mut on_data) = (0, 0, 0);
    for _ in 0..args.n.saturating_mul(20) {
        if n >= args.n {
            break;
        }
        let Some(plan) = gold.choose(&mut rng) else { break };
        let Some(wrong) = wrong_meaning(plan, schema, &mut rng) else { continue };
        n += 1;
        let verified = verify(&wrong, schema, Semantics { ..semantics }, "");
        match &verified.ready {
            None => on_schema += 1,
            Some(ready) => {
                on_data += usize::from(!check_data(ready, &finder, args.rules.find()).is_empty());
            }
        }
    }
    if n == 0 {
        writeln!(
            out,
            "\nno edge type of this schema has a double, so no plan can have a wrong meaning"
        )?;
    } else {
        let share = 100.0 * on_data as f64 / n as f64;
        writeln!(
            out,
            "\nright shape, wrong meaning: {n} plans, {on_schema} caught on the schema, {on_data} \
             ({share:.1} %) on the data, because the step comes out empty"
        )?;
    }
    out.flush()?;
    Ok(if all_caught { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

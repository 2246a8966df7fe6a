//! How often each way to tell meaning finds the relation that was meant.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum as _;
use serde_json::json;
use text::relations::{relations, score};

use companion::similarity::SimilarityChoice;
use companion::{output, table};

/// Options of `meaning score`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// What is scored; all that there are, if not given.
    #[arg(long = "with")]
    with: Vec<SimilarityChoice>,
    /// Another table than the one that ships.
    #[arg(long)]
    table: Option<PathBuf>,
    /// Lists what was not found.
    #[arg(long)]
    missed: bool,
    /// Prints JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// The cache with MiniLM; else `GRAPHGROUND_CACHE`, else a folder of the person's own cache.
    #[arg(long)]
    cache: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let ways = if args.with.is_empty() { SimilarityChoice::value_variants() } else { &args.with };
    let mut rows = Vec::new();
    let mut out = output::stdout();
    for way in ways {
        let meaning = way.open(args.table.as_deref(), args.cache.as_deref())?;
        let score = score(meaning.as_ref());
        let share = |n: usize| n as f64 / score.n_pairs as f64;
        let (first, three) = (share(score.first), share(score.among_three));
        if args.json {
            let missed: Vec<_> = score
                .missed
                .iter()
                .map(|(wrote, found)| json!({ "wrote": wrote, "found": found }))
                .collect();
            let line = json!({
                "with": meaning.label(), "n_pairs": score.n_pairs, "n_relations": relations().len(),
                "hit_at_1": first, "hit_at_3": three, "missed": missed,
            });
            writeln!(out, "{line}")?;
            continue;
        }
        if args.missed {
            for (wrote, found) in &score.missed {
                writeln!(out, "{}: {wrote} -> {}", meaning.label(), found.join(", "))?;
            }
        }
        rows.push(vec![
            meaning.label(),
            score.n_pairs.to_string(),
            format!("{first:.3}"),
            format!("{three:.3}"),
        ]);
    }
    if !args.json {
        table::write(&mut out, &["with", "pairs", "hit@1", "hit@3"], &rows)?;
    }
    Ok(ExitCode::SUCCESS)
}

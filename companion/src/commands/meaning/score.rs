//! How often each way to tell meaning finds the relation that was meant.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::Context as _;
use clap::ValueEnum;
use serde_json::json;
use text::relations::{relations, score};
use text::{Embedded, Meaning, NGrams, WordTable};

use crate::{output, table};

/// The table that the page loads.
const TABLE: &[u8] = include_bytes!("../../../../assets/models/words.bin");

/// Options of `meaning score`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// What is scored; all that there are, if not given.
    #[arg(long = "with")]
    with: Vec<Way>,
    /// Another table than the one that ships.
    #[arg(long)]
    table: Option<PathBuf>,
    /// Lists what was not found.
    #[arg(long)]
    missed: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
    /// The cache with MiniLM; else `GRAPHGROUND_CACHE`, else a folder of the person's own cache.
    #[cfg(feature = "ml")]
    #[arg(long)]
    cache: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Way {
    /// Character trigrams.
    Ngrams,
    /// The table of words.
    Table,
    /// MiniLM itself.
    #[cfg(feature = "ml")]
    Minilm,
}

fn meaning(way: Way, args: &Args) -> anyhow::Result<Box<dyn Meaning>> {
    Ok(match way {
        Way::Ngrams => Box::new(NGrams),
        Way::Table => {
            let table = match &args.table {
                None => WordTable::read(TABLE)?,
                Some(path) => fs::read(path)
                    .with_context(|| format!("{}: cannot read", path.display()))
                    .and_then(|bytes| Ok(WordTable::read(&bytes)?))
                    .with_context(|| format!("{}", path.display()))?,
            };
            Box::new(Embedded(Rc::new(table)))
        }
        #[cfg(feature = "ml")]
        Way::Minilm => {
            let cache = super::fetch::cache(args.cache.as_deref())?;
            Box::new(Embedded(Rc::new(super::distil::load(&cache)?)))
        }
    })
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let ways = if args.with.is_empty() { Way::value_variants() } else { &args.with };
    let mut rows = Vec::new();
    let mut out = output::stdout();
    for way in ways {
        let meaning = meaning(*way, args)?;
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

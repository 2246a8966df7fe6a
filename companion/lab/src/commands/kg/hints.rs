//! `graphground kg hints`: how well similarity measures find nodes, threshold by threshold.

use std::io::Write as _;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Result, bail};
use kg::find::{FindOptions, FindOver, Finder};
use tasks::kgqa::{known_hints, searched_half};

use companion::commands::kg::load::KgFiles;
use companion::{output, table};

/// Options of `kg hints`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: KgFiles,
    /// So many hints at most, half of which mean no node that can be found.
    #[arg(long, default_value_t = 400)]
    n: usize,
    /// The same seed makes the same hints.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Hints out of texts, for a search over texts.
    #[arg(long)]
    over_texts: bool,
}

/// Prints for each threshold how many hints with a meaning find their node alone, how many without one
/// find nothing, and the mean of both; the measure's own threshold is marked.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let kg = args.source.open()?;
    let over = if args.over_texts { FindOver::Texts } else { FindOver::Names };
    let hints = known_hints(&kg, over, args.n, args.seed);
    if hints.is_empty() {
        bail!("{}: no hint can be made of its names or texts", kg.title());
    }
    let half = Arc::new(searched_half(&kg)?);
    let measure = args.source.similarity().open(None, None)?;
    let finder = Finder::new(half.clone(), Rc::clone(&measure));
    let mut rows = Vec::new();
    for percent in (10..=95).step_by(5) {
        let theta = Some(percent as f32 / 100.0);
        let (mut found, mut n_known, mut left, mut n_unknown) = (0, 0, 0, 0);
        for hint in &hints {
            let of = half.schema().find_node_type(&hint.node_type);
            let options = FindOptions { theta, over, ..FindOptions::default() };
            let hits = finder.find(&hint.hint, of, options).hits;
            let ids: Vec<&str> = hits.iter().map(|hit| half.id(hit.node)).collect();
            match &hint.means {
                Some(id) => {
                    n_known += 1;
                    found += usize::from(ids == [id.as_str()]);
                }
                None => {
                    n_unknown += 1;
                    left += usize::from(ids.is_empty());
                }
            }
        }
        let share = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
        let (known, unknown) = (share(found, n_known), share(left, n_unknown));
        let own = (measure.threshold() * 100.0).round() as i32 == percent;
        rows.push(vec![
            format!("{:.2}{}", f64::from(percent) / 100.0, if own { " (its own)" } else { "" }),
            format!("{known:.1} %"),
            format!("{unknown:.1} %"),
            format!("{:.1} %", f64::midpoint(known, unknown)),
        ]);
    }
    let mut out = output::stdout();
    writeln!(out, "{}, {} hints about {}\n", measure.label(), hints.len(), kg.title())?;
    let head = ["threshold", "found its node alone", "found nothing where nothing is", "mean"];
    table::write(&mut out, &head, &rows)?;
    Ok(ExitCode::SUCCESS)
}

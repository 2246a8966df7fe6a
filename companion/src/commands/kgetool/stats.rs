//! `graphground kgetool stats`: what is in a benchmark, as tables 1 and 2 of the paper count.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::ExitCode;

use serde::Serialize;
use systems::kgetool::published;
use tasks::family::BenchmarkStats;

use super::Data;
use crate::{output, table};

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    data: Data,
    /// Writes one JSON object.
    #[arg(long)]
    json: bool,
}

/// The output with `--json`.
#[derive(Serialize)]
struct Stats {
    #[serde(flatten)]
    ours: BenchmarkStats,
    paper: Paper,
}

/// The paper's own figures, of its own benchmark.
#[derive(Serialize)]
struct Paper {
    n_called_tools: usize,
    n_samples: usize,
    n_nodes: usize,
    n_links: usize,
    n_relations: usize,
    by_links: BTreeMap<usize, usize>,
    mean_links: f64,
}

impl Paper {
    fn new() -> Self {
        let [n_called_tools, n_samples, n_nodes, n_links, n_relations] = published::TABLE_1;
        let by_links = published::TABLE_2.into_iter().collect();
        let mean_links = published::MEAN_HOPS;
        Self { n_called_tools, n_samples, n_nodes, n_links, n_relations, by_links, mean_links }
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let ours = BenchmarkStats::of(&args.data.read()?);
    let paper = Paper::new();
    let mut out = output::stdout();
    if args.json {
        serde_json::to_writer(&mut out, &Stats { ours, paper })?;
        writeln!(out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let none = || "–".to_owned();
    writeln!(out, "Table 1: tools and samples")?;
    let row = |name: &str, called: usize, all: Option<usize>, samples: usize| {
        vec![
            name.to_owned(),
            called.to_string(),
            all.map_or_else(none, |n| n.to_string()),
            samples.to_string(),
        ]
    };
    let rows = [
        row("this benchmark", ours.n_called_tools, Some(ours.n_tools), ours.n_samples),
        row("the paper's", paper.n_called_tools, None, paper.n_samples),
    ];
    table::write(&mut out, &["", "tools called", "to choose from", "samples"], &rows)?;

    writeln!(out, "\nTable 1: the graph")?;
    let mut rows: Vec<Vec<String>> = ours
        .graphs
        .iter()
        .map(|g| {
            let name = if g.id.is_empty() { "this graph" } else { &g.id };
            let counts = [g.n_people, g.n_nodes, g.n_links, g.n_relations];
            std::iter::once(name.to_owned()).chain(counts.map(|n| n.to_string())).collect()
        })
        .collect();
    let counts = [paper.n_nodes, paper.n_links, paper.n_relations].map(|n| n.to_string());
    rows.push(["the paper's".to_owned(), none()].into_iter().chain(counts).collect());
    table::write(&mut out, &["", "people", "nodes", "links", "relations"], &rows)?;

    writeln!(out, "\nTable 2: samples by hops")?;
    let most = [&ours.by_links, &ours.by_depth, &paper.by_links]
        .into_iter()
        .filter_map(|all| all.keys().next_back())
        .max();
    let columns: Vec<usize> = (0..=most.copied().unwrap_or(0)).collect();
    let row = |name: &str, all: &BTreeMap<usize, usize>, mean: f64| {
        let cells = columns.iter().map(|n| all.get(n).map_or_else(none, ToString::to_string));
        let ends = std::iter::once(format!("{mean:.2}"));
        std::iter::once(name.to_owned()).chain(cells).chain(ends).collect::<Vec<String>>()
    };
    let rows = [
        row("golden links, as the paper counts", &ours.by_links, ours.mean_links),
        row("the paper's", &paper.by_links, paper.mean_links),
        row("the longest search, as we count", &ours.by_depth, ours.mean_depth),
    ];
    let heading: Vec<String> = columns.iter().map(ToString::to_string).collect();
    let heading: Vec<&str> =
        std::iter::once("").chain(heading.iter().map(String::as_str)).chain(["mean"]).collect();
    table::write(&mut out, &heading, &rows)?;

    writeln!(out, "\nSamples by what is new, and by what they need")?;
    let mut rows: Vec<Vec<String>> = Vec::new();
    rows.extend(ours.by_cell.iter().map(|(cell, n)| vec![cell.title().to_owned(), n.to_string()]));
    rows.extend(
        ours.by_noise.iter().map(|(noise, n)| vec![noise.title().to_owned(), n.to_string()]),
    );
    let searches = ours.by_searches.iter().map(|(searches, n)| {
        let words =
            if *searches == 1 { "1 search".to_owned() } else { format!("{searches} searches") };
        vec![words, n.to_string()]
    });
    rows.extend(searches);
    rows.push(vec!["right is to call nothing".to_owned(), ours.n_without_call.to_string()]);
    table::write(&mut out, &["", "samples"], &rows)?;
    Ok(ExitCode::SUCCESS)
}

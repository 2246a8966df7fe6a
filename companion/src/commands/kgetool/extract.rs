//! `graphground kgetool extract`: searches in graphs, and what they are worth.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::ValueEnum;
use kg::Kg;
use serde::{Deserialize, Serialize};
use systems::kgetool::{Extraction, SearchOptions, SearchResult, extract, extract_searches, parse};
use tasks::family::score::{ExtractionScore, ExtractionSummary, Ruleset, score_extraction};
use tasks::family::{Benchmark, Link, Sample, Search};

use super::{Data, Searching, by_id};
use crate::output;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    data: Data,
    /// What models wrote: JSON lines with `id` and `output`.
    #[arg(long, conflicts_with = "oracle")]
    outputs: Option<PathBuf>,
    /// Takes the golden paths for what was written, with names that are none in some places.
    #[arg(long, value_enum)]
    oracle: Option<Oracle>,
    #[command(flatten)]
    searching: Searching,
    /// Writes the sums alone, as one JSON object.
    #[arg(long)]
    summary: bool,
}

/// Which relations of the golden paths are replaced by names that are none.
#[derive(Clone, Copy, ValueEnum)]
enum Oracle {
    Golden,
    LastFake,
    FirstFake,
    AllFake,
}

impl Oracle {
    fn searches(self, sample: &Sample) -> Vec<Search> {
        let fake = |i: usize, n: usize| match self {
            Self::Golden => false,
            Self::LastFake => i + 1 == n,
            Self::FirstFake => i == 0,
            Self::AllFake => true,
        };
        let of = |s: &Search| {
            let n = s.path.len();
            let names = s.path.iter().enumerate().map(|(i, r)| {
                if fake(i, n) { format!("no_such_relation_{}", i + 1) } else { r.clone() }
            });
            Search { start: s.start.clone(), path: names.collect() }
        };
        sample.searches.iter().map(of).collect()
    }
}

#[derive(Deserialize)]
struct Output {
    id: String,
    output: String,
}

/// A line that is written.
#[derive(Serialize)]
struct Extracted<'a> {
    id: &'a str,
    method: &'static str,
    mode: &'static str,
    found: &'a [SearchResult],
    unread: &'a [String],
    links: &'a [Link],
    text: &'a str,
    scores: BTreeMap<&'static str, ExtractionScore>,
}

/// The sums.
#[derive(Serialize)]
struct Summary {
    method: &'static str,
    mode: &'static str,
    /// By each set of rules.
    scores: BTreeMap<&'static str, ExtractionSummary>,
    /// Golden links, and how many of them were found.
    golden_links: usize,
    golden_links_found: usize,
    /// Samples all of whose golden links were found.
    samples_with_all_links: usize,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let benchmark = args.data.read()?;
    let options = args.searching.options()?;
    let meaning = args.searching.meaning()?;
    let outputs = match &args.outputs {
        Some(path) => Some(by_id::<Output>(path, "an id with an output", |o| &o.id)?),
        None => None,
    };
    if outputs.is_none() && args.oracle.is_none() {
        bail!("--outputs with what models wrote, or --oracle, must be given");
    }
    let mut graphs: BTreeMap<String, Kg> = BTreeMap::new();
    let mut scores: BTreeMap<&'static str, Vec<ExtractionScore>> = BTreeMap::new();
    let (mut golden_links, mut golden_links_found, mut samples_with_all_links) = (0, 0, 0);
    let mut out = output::stdout();
    for sample in &benchmark.samples {
        let kg = graph(&mut graphs, &benchmark, sample)?;
        let extraction = match (&outputs, args.oracle) {
            (_, Some(oracle)) => extract_searches(kg, &oracle.searches(sample), options, &*meaning),
            (Some(outputs), None) => {
                let said = outputs.get(&sample.id).map_or("", |o| o.output.as_str());
                extract(kg, &parse(said, options.mode), options, &*meaning)
            }
            (None, None) => Extraction::default(),
        };
        let links = &extraction.extracted.links;
        let n_found = sample.links.iter().filter(|l| links.contains(l)).count();
        golden_links += sample.links.len();
        golden_links_found += n_found;
        samples_with_all_links += usize::from(n_found == sample.links.len());
        let of: BTreeMap<&'static str, ExtractionScore> = Ruleset::ALL
            .into_iter()
            .map(|mode| (mode.name(), score_extraction(sample, &extraction.extracted, mode)))
            .collect();
        for (name, score) in &of {
            scores.entry(name).or_default().push(*score);
        }
        if !args.summary {
            serde_json::to_writer(&mut out, &line(sample, &extraction, options, of))?;
            writeln!(out)?;
        }
    }
    if args.summary {
        let sums = Ruleset::ALL.into_iter().map(|mode| {
            let of = scores.get(mode.name()).map_or(&[][..], Vec::as_slice);
            (mode.name(), ExtractionSummary::of(of, mode))
        });
        let summary = Summary {
            method: options.method.name(),
            mode: options.mode.name(),
            scores: sums.collect(),
            golden_links,
            golden_links_found,
            samples_with_all_links,
        };
        serde_json::to_writer(&mut out, &summary)?;
        writeln!(out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn line<'a>(
    sample: &'a Sample,
    extraction: &'a Extraction,
    options: SearchOptions,
    scores: BTreeMap<&'static str, ExtractionScore>,
) -> Extracted<'a> {
    Extracted {
        id: &sample.id,
        method: options.method.name(),
        mode: options.mode.name(),
        found: &extraction.found,
        unread: &extraction.unread,
        links: &extraction.extracted.links,
        text: &extraction.text,
        scores,
    }
}

/// The graph of a sample's family, made once.
fn graph<'a>(
    graphs: &'a mut BTreeMap<String, Kg>,
    benchmark: &Benchmark,
    sample: &Sample,
) -> anyhow::Result<&'a Kg> {
    let family = benchmark.family(sample)?;
    if !graphs.contains_key(&family.id) {
        graphs.insert(family.id.clone(), family.kg()?);
    }
    graphs.get(&family.id).ok_or_else(|| anyhow::anyhow!("internal error: no graph was made"))
}

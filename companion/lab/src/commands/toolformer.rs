//! `graphground toolformer communities`: how well `kmeans` finds again the classes of a network.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use systems::toolformer::agreement::{Agreement, agreement};
use systems::toolformer::communities::{N_COMMUNITIES, communities};
use systems::toolformer::data::{Data, Network};

use crate::spread::mean_and_deviation;
use companion::{output, table};

/// How often communities of the same sizes are drawn at random.
const N_DRAWN: u64 = 100;

/// Options of `toolformer`.
#[derive(clap::Args)]
pub(crate) struct What {
    #[command(subcommand)]
    command: Subject,
}

#[derive(clap::Subcommand)]
enum Subject {
    /// Measures how well `kmeans` finds again the classes of labelled networks.
    Communities(Args),
}

pub(crate) fn run(what: &What) -> Result<ExitCode> {
    let Subject::Communities(args) = &what.command;
    measure(args)
}

#[derive(clap::Args)]
struct Args {
    /// Networks whose nodes have classes, by the names of `graphground data`.
    #[arg(required = true)]
    names: Vec<String>,
    /// The number of communities; else 10, as calls get them.
    #[arg(long)]
    k: Option<usize>,
    /// Starts from so many seeds, from 0 on, of which 0 is the one that calls get.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=100))]
    seeds: u64,
    /// Prints a JSON object a line instead of a table.
    #[arg(long)]
    json: bool,
    /// The cache of data sets; else `GRAPHGROUND_CACHE`, else a folder of the person's own cache.
    #[arg(long)]
    cache: Option<PathBuf>,
}

/// What was measured of several seeds: the means and deviations of information and purity.
struct Measured([(f64, f64); 2]);

impl Measured {
    fn of(all: &[Agreement]) -> Self {
        let figure = |of: fn(&Agreement) -> f64| {
            mean_and_deviation(&all.iter().map(of).collect::<Vec<f64>>())
        };
        Self([figure(|a| a.information), figure(|a| a.purity)])
    }
}

/// The places of nodes that have a class, and the numbers of their classes.
fn classes(network: &Network) -> (Vec<usize>, Vec<usize>) {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let labels = network.labels.iter().enumerate();
    labels
        .filter_map(|(i, label)| {
            let next = numbers.len();
            Some((i, *numbers.entry(label.as_deref()?).or_insert(next)))
        })
        .unzip()
}

fn measure(args: &Args) -> Result<ExitCode> {
    let k = args.k.unwrap_or(N_COMMUNITIES);
    if k == 0 {
        bail!("--k 0: there must be 1 community or more");
    }
    let mut rows = Vec::new();
    let mut out = output::stdout();
    for name in &args.names {
        let (id, _, data, _) = super::data::named(name, args.cache.as_deref(), true)?;
        let Data::Network(network) = &data else { bail!("{id} is no single network") };
        let (known, classes) = classes(network);
        if known.is_empty() {
            bail!("{id}: its nodes have no classes to hold communities against");
        }
        let (mut found, mut drawn, mut n_found) = (Vec::new(), Vec::new(), 0);
        for seed in 0..args.seeds {
            let all = communities(&network.graph, k, seed);
            let mut of: Vec<usize> = known.iter().map(|i| all.of[*i]).collect();
            found.push(agreement(&of, &classes));
            if seed == 0 {
                n_found = all.sizes.len();
                let mut rng = ChaCha8Rng::seed_from_u64(0);
                for _ in 0..N_DRAWN {
                    of.shuffle(&mut rng);
                    drawn.push(agreement(&of, &classes));
                }
            }
        }
        let (Measured(found), Measured(drawn)) = (Measured::of(&found), Measured::of(&drawn));
        if args.json {
            let both = |[information, purity]: [(f64, f64); 2]| {
                json!({ "information": information.0, "information_deviation": information.1,
                        "purity": purity.0, "purity_deviation": purity.1 })
            };
            let line = json!({ "data": id, "nodes": known.len(), "communities": n_found,
                               "seeds": args.seeds, "kmeans": both(found), "drawn": both(drawn) });
            writeln!(out, "{line}")?;
            continue;
        }
        let percent = |(mean, deviation): (f64, f64)| {
            format!("{:.1} ± {:.1}", 100.0 * mean, 100.0 * deviation)
        };
        for (who, figures) in [("kmeans", found), ("drawn", drawn)] {
            let [information, purity] = figures.map(percent);
            rows.push(vec![format!("{id}, {who}"), n_found.to_string(), information, purity]);
        }
    }
    if !args.json {
        let heading = ["network", "communities", "mutual information, %", "purity, %"];
        table::write(&mut out, &heading, &rows)?;
        writeln!(
            out,
            "drawn: communities of the same sizes at random, mean of {N_DRAWN} draws; kmeans: mean of \
             {} seeds",
            args.seeds
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

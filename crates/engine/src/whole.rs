//! Large graphs as a whole, in slices so that a stop gets through.

use draw::whole::{Neighbours, WholeLayout};
use graph::functions::betweenness_centrality::shares_from;
use graph::functions::pagerank::ranks;
use graph::{Adjacency, threads};
use protocol::numbers::PackedNumbers;
use protocol::whole::{
    EDGES, MOST_EDGES, MOST_NODES, MeasureWhole, MeasuredWhole, PlaceWhole, PlacedWhole,
    WholeMeasure, WholePlaces,
};

use crate::context::{Context, Ended};

/// The longest that is computed without letting other messages in; a step of a large graph is longer.
const SLICE_MS: f64 = 30.0;
/// How often places are told on the way.
const TOLD_MS: f64 = 700.0;
/// The damping that everybody has for PageRank.
const DAMPING: f64 = 0.85;
/// Nodes and edges that are looked at for betweenness: some seconds' worth.
const MOST_LOOKS: usize = 400_000_000;
/// The fewest nodes from which it is estimated.
const FEWEST_SOURCES: usize = 20;
/// Searches between two looks at the page's messages.
const SEARCHES: usize = 256;

/// Refuses a graph that is too large to be drawn as a whole.
pub(crate) fn bounded(n_nodes: usize, n_edges: usize) -> Result<(), String> {
    for (n, what, most) in [(n_nodes, "nodes", MOST_NODES), (n_edges, "edges", MOST_EDGES)] {
        if n > most {
            return Err(format!("this graph has {n} {what}; at most {most} are drawn as a whole"));
        }
    }
    Ok(())
}

/// The edges beside the request.
fn edges(context: &Context, n_nodes: usize) -> Result<Vec<(u32, u32)>, String> {
    let numbers: PackedNumbers<u32> = PackedNumbers::of_bytes(&context.attachments.take(EDGES)?)?;
    let (pairs, rest) = numbers.0.as_chunks::<2>();
    bounded(n_nodes, pairs.len())?;
    let pairs: Vec<(u32, u32)> = pairs.iter().map(|&[a, b]| (a, b)).collect();
    let strange = pairs.iter().find(|(a, b)| *a.max(b) as usize >= n_nodes);
    if !rest.is_empty() || strange.is_some() {
        return Err(format!("the edges do not fit {n_nodes} nodes: {strange:?}"));
    }
    Ok(pairs)
}

fn places(layout: &WholeLayout) -> WholePlaces {
    WholePlaces {
        at: PackedNumbers(layout.places().into_iter().flatten().collect()),
        stress: layout.stress(),
        n_moves: layout.n_moves() as u32,
    }
}

pub(crate) async fn place(context: &Context, ask: PlaceWhole) -> Result<PlacedWhole, Ended> {
    let n_nodes = ask.n_nodes as usize;
    let links = Neighbours::new(n_nodes, &edges(context, n_nodes)?);
    let began = context.host.now_ms();
    let (mut looked, mut told) = (began, began);
    let mut layout = WholeLayout::new(&links, ask.seed);
    while layout.step() {
        let now = context.host.now_ms();
        if now - looked >= SLICE_MS {
            let (done, total) = layout.progress();
            context.progress(done, total).await?;
            looked = context.host.now_ms();
        }
        if now - told >= TOLD_MS && layout.n_moves() > 0 {
            context.tell(places(&layout));
            told = context.host.now_ms();
        }
    }
    let took_ms = context.host.now_ms() - began;
    let n_threads = threads::count() as u32;
    Ok(PlacedWhole { places: places(&layout), took_ms, n_threads })
}

pub(crate) async fn measure(context: &Context, ask: MeasureWhole) -> Result<MeasuredWhole, Ended> {
    let n = ask.n_nodes as usize;
    let graph = Adjacency::of_pairs(n, ask.directed, &edges(context, n)?);
    let began = context.host.now_ms();
    let (values, n_sources) = match ask.measure {
        WholeMeasure::PageRank => (ranks(&graph, DAMPING).map_err(|e| e.message)?, None),
        WholeMeasure::Betweenness => {
            let sources = sources(n, graph.edges.len(), ask.seed);
            let mut sums = vec![0.0f64; n];
            for (i, some) in sources.chunks(SEARCHES).enumerate() {
                context.progress(i * SEARCHES, sources.len()).await?;
                sums.iter_mut().zip(shares_from(&graph, some)).for_each(|(sum, s)| *sum += s);
            }
            // As from all nodes, normalised by the number of pairs.
            let pairs = (n as f64 - 1.0) * (n as f64 - 2.0);
            let each = n as f64 / sources.len().max(1) as f64 / pairs.max(1.0);
            let all = sources.len() == n;
            let values = sums.into_iter().map(|sum| sum * each).collect();
            (values, (!all).then_some(sources.len() as u32))
        }
    };
    Ok(MeasuredWhole {
        values: PackedNumbers(values.into_iter().map(|x| x as f32).collect()),
        n_sources,
        took_ms: context.host.now_ms() - began,
    })
}

/// The nodes from which betweenness is measured: all, or as many as there is time for, drawn by chance.
fn sources(n: usize, n_edges: usize, seed: u64) -> Vec<u32> {
    let affordable = (MOST_LOOKS / (n + 2 * n_edges).max(1)).max(FEWEST_SOURCES);
    let mut all: Vec<u32> = (0..n as u32).collect();
    if affordable < n {
        draw::whole::shuffle(&mut all, seed);
        all.truncate(affordable);
    }
    all
}

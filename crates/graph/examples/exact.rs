//! Times the exact searches on random graphs, and tells how many are proven within a budget of steps.
//!
//! `cargo run --release -p graph --example exact -- [--budget 20000000] [--only NAME]`

use std::io::{self, Write};
use std::time::Instant;

use graph::exact::common_subgraph::{PatternMatch, find_pattern, max_common_subgraph};
use graph::exact::edit_distance::graph_edit_distance;
use graph::exact::independent_set::max_independent_set;
use graph::exact::tour::{Tour, find_shortest_tour};
use graph::{Graph, generators};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// A graph like a molecule's: a random tree of nodes with at most four edges, and one or two edges more
/// that close rings; of ten labels eight are `C`, one `N` and one `O`.
fn molecule(n: usize, rng: &mut ChaCha8Rng) -> Fallible<(Graph, Vec<String>)> {
    let mut graph = Graph::undirected();
    let mut degree = vec![0; n];
    graph.ensure_node(0_usize)?;
    for v in 1..n {
        let open: Vec<usize> = (0..v).filter(|u| degree[*u] < 4).collect();
        let u = open[rng.random_range(0..open.len())];
        graph.link(u, v)?;
        degree[u] += 1;
        degree[v] += 1;
    }
    let n_edges = graph.n_edges() + rng.random_range(1..=2);
    while graph.n_edges() < n_edges {
        let (u, v) = (rng.random_range(0..n), rng.random_range(0..n));
        let is_there = graph.edge(&u.into(), &v.into()).is_some();
        if u != v && degree[u] < 4 && degree[v] < 4 && !is_there {
            graph.link(u, v)?;
            degree[u] += 1;
            degree[v] += 1;
        }
    }
    let label = |rng: &mut ChaCha8Rng| match rng.random_range(0..10) {
        0 => "N",
        1 => "O",
        _ => "C",
    };
    let labels = (0..n).map(|_| label(rng).to_owned()).collect();
    Ok((graph, labels))
}

/// A complete graph of random places in a square, with their distances.
fn places(n: usize, rng: &mut ChaCha8Rng) -> Fallible<Graph> {
    let at: Vec<(f64, f64)> =
        (0..n).map(|_| (rng.random_range(0.0..100.0), rng.random_range(0.0..100.0))).collect();
    let mut graph = Graph::undirected();
    for i in 0..n {
        for k in i + 1..n {
            graph.link_weighted(i, k, (at[i].0 - at[k].0).hypot(at[i].1 - at[k].1))?;
        }
    }
    Ok(graph)
}

/// Ten runs of a search: how many are proven, the mean time and the longest.
fn ten(what: &str, mut run: impl FnMut(u64) -> Fallible<bool>) -> Fallible<()> {
    let (mut n_proven, mut total, mut longest) = (0, 0.0, 0.0_f64);
    for seed in 0..10 {
        // The core has no clock; what times it has one.
        #[allow(clippy::disallowed_methods)]
        let start = Instant::now();
        n_proven += usize::from(run(seed)?);
        let took = start.elapsed().as_secs_f64();
        total += took;
        longest = longest.max(took);
    }
    let mean = total / 10.0;
    writeln!(
        io::stdout(),
        "{what:44} {n_proven:2} of 10  mean {mean:.3} s  longest {longest:.3} s"
    )?;
    Ok(())
}

fn argument(name: &str) -> Option<String> {
    std::env::args().skip_while(|word| word != name).nth(1)
}

fn main() -> Fallible<()> {
    let budget = argument("--budget").and_then(|b| b.parse().ok()).unwrap_or(20_000_000);
    let only = argument("--only").unwrap_or_default();
    let is_wanted = |name: &str| name.contains(&only);
    if is_wanted("edit_distance") {
        for n in [9, 12, 15, 18, 20, 25, 30, 100] {
            ten(&format!("edit_distance, two molecules of {n} nodes"), |seed| {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                let (a, la) = molecule(n, &mut rng)?;
                let (b, lb) = molecule(n, &mut rng)?;
                Ok(graph_edit_distance(&a, &b, [&la, &lb], budget).is_proven)
            })?;
        }
    }
    if is_wanted("independent_set") {
        for (n, per_node) in [
            (100, 2),
            (200, 3),
            (200, 10),
            (400, 3),
            (1_000, 3),
            (1_000, 30),
            (2_000, 3),
            (2_000, 100),
        ] {
            ten(&format!("independent_set, {n} nodes, {} edges", n * per_node), |seed| {
                let graph = generators::random_sparse(n, n * per_node, false, seed)?;
                Ok(max_independent_set(&graph, budget).is_proven)
            })?;
        }
    }
    if is_wanted("tour") {
        for n in [12, 20, 30, 50, 75, 100, 200] {
            ten(&format!("tour, {n} places"), |seed| {
                let graph = places(n, &mut ChaCha8Rng::seed_from_u64(seed))?;
                let found = find_shortest_tour(&graph, budget);
                Ok(matches!(found, Tour::Found { is_proven: true, .. }))
            })?;
        }
        ten("tour, 16 nodes with directions", |seed| {
            let graph = generators::random_sparse(16, 120, true, seed)?;
            Ok(!matches!(find_shortest_tour(&graph, budget), Tour::Undecided))
        })?;
        ten("tour, 60 nodes, 120 edges", |seed| {
            let graph = generators::random_sparse(60, 120, false, seed)?;
            Ok(!matches!(find_shortest_tour(&graph, budget), Tour::Undecided))
        })?;
    }
    if is_wanted("common_subgraph") {
        for (n, m) in [(10, 15), (15, 25), (20, 40), (30, 60), (100, 300), (300, 900), (300, 9_000)]
        {
            ten(&format!("common_subgraph, two of {n} nodes, {m} edges"), |seed| {
                let a = generators::random_sparse(n, m, false, seed)?;
                let b = generators::random_sparse(n, m, false, seed + 1_000)?;
                Ok(max_common_subgraph(&a, &b, budget).is_proven)
            })?;
        }
    }
    if is_wanted("pattern") {
        for (p, n, m) in [
            (6, 50, 120),
            (10, 100, 300),
            (12, 100, 1_000),
            (30, 300, 900),
            (60, 300, 2_000),
            (200, 2_000, 6_000),
            (200, 2_000, 60_000),
        ] {
            ten(&format!("pattern of {p} nodes, {n} nodes, {m} edges"), |seed| {
                let graph = generators::random_sparse(n, m, false, seed)?;
                let pattern =
                    generators::random_sparse(p, (p * m / n).min(p * p / 4), false, seed + 1_000)?;
                Ok(find_pattern(&graph, &pattern, budget) != PatternMatch::Undecided)
            })?;
        }
    }
    Ok(())
}

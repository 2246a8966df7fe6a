//! What is timed, each with the number that has to come out.

use graph::functions::{
    all_pairs_shortest_distances::all_pairs_shortest_distances,
    average_shortest_path_length::average_shortest_path_length,
    betweenness_centrality::betweenness_centrality, bfs_order::bfs_order,
    closeness_centrality::closeness_centrality, clustering_coefficient::clustering_coefficient,
    connected_components::connected_components, degree_centrality::degree_centrality,
    dfs_order::dfs_order, diameter::diameter, eccentricity::eccentricity,
    find_articulation_points::find_articulation_points, find_bridges::find_bridges,
    find_shortest_path::find_shortest_path, get_density::get_density, has_cycle::has_cycle,
    has_path::has_path, is_bipartite::is_bipartite, max_bipartite_matching::max_bipartite_matching,
    max_flow::max_flow, minimum_spanning_tree::minimum_spanning_tree, pagerank::pagerank,
    shortest_path_lengths::shortest_path_lengths,
    strongly_connected_components::strongly_connected_components,
    topological_sort::topological_sort,
};
use graph::{Graph, GraphError, NodeIdx};
use tasks::dataset::{Checker, DatasetError, parse};
use tasks::{Style, TaskGroup, Wording, reference_text, solve};

/// A function under a name that the other libraries' tables have too.
pub struct Case {
    /// The name of the function and its variant.
    pub name: &'static str,
    /// Calls the function and makes one number of what it gives.
    pub run: fn(&Graph) -> f64,
}

/// The first node and the last, between which paths are sought.
fn ends(g: &Graph) -> (NodeIdx, NodeIdx) {
    let first = NodeIdx::new(0);
    (first, NodeIdx::new(g.n_nodes().saturating_sub(1)))
}

/// A sum that differs where the values stand in another order.
fn digest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().enumerate().map(|(i, v)| v * (1 + i % 7) as f64).sum()
}

fn yes(is: bool) -> f64 {
    f64::from(u8::from(is))
}

fn distances(g: &Graph) -> f64 {
    let found = shortest_path_lengths(g, ends(g).0).unwrap_or_default();
    digest(found.into_iter().map(|d| d.1.unwrap_or(0.0)))
}

fn length(g: &Graph) -> f64 {
    let (s, t) = ends(g);
    find_shortest_path(g, s, t).ok().flatten().map_or(f64::NAN, |p| p.weight)
}

fn all_or_nan<E>(values: Result<Vec<f64>, E>) -> f64 {
    values.map_or(f64::NAN, digest)
}

/// Every case; which graph each gets is the page's to say.
pub const CASES: &[Case] = &[
    Case { name: "connected_components", run: |g| connected_components(g).len() as f64 },
    Case {
        name: "strongly_connected_components",
        run: |g| strongly_connected_components(g).len() as f64,
    },
    Case { name: "bfs_order", run: |g| bfs_order(g, ends(g).0).len() as f64 },
    Case { name: "dfs_order", run: |g| dfs_order(g, ends(g).0).len() as f64 },
    Case { name: "has_path", run: |g| yes(has_path(g, ends(g).0, ends(g).1)) },
    Case { name: "find_shortest_path", run: length },
    Case { name: "find_shortest_path, weighted", run: length },
    Case { name: "shortest_path_lengths", run: distances },
    Case { name: "shortest_path_lengths, weighted", run: distances },
    Case {
        name: "all_pairs_shortest_distances",
        run: |g| {
            let rows = all_pairs_shortest_distances(g).unwrap_or_default();
            digest(rows.iter().map(|row| row.iter().flatten().sum()))
        },
    },
    Case {
        name: "average_shortest_path_length",
        run: |g| average_shortest_path_length(g).unwrap_or(f64::NAN),
    },
    Case {
        name: "eccentricity",
        run: |g| eccentricity(g).map_or(f64::NAN, |all| digest(all.into_iter().map(|e| e.1))),
    },
    Case { name: "diameter", run: |g| diameter(g).unwrap_or(f64::NAN) },
    Case { name: "betweenness_centrality", run: |g| all_or_nan(betweenness_centrality(g)) },
    Case { name: "closeness_centrality", run: |g| all_or_nan(closeness_centrality(g)) },
    Case { name: "degree_centrality", run: |g| digest(degree_centrality(g)) },
    Case { name: "pagerank", run: |g| all_or_nan(pagerank(g, 0.85)) },
    Case { name: "clustering_coefficient", run: |g| all_or_nan(clustering_coefficient(g)) },
    Case { name: "get_density", run: |g| get_density(g) },
    Case { name: "find_bridges", run: |g| find_bridges(g).len() as f64 },
    Case { name: "find_articulation_points", run: |g| find_articulation_points(g).len() as f64 },
    Case { name: "minimum_spanning_tree", run: |g| minimum_spanning_tree(g).weight },
    Case { name: "is_bipartite", run: |g| yes(is_bipartite(g).is_ok()) },
    Case { name: "topological_sort", run: |g| topological_sort(g).map_or(0.0, |o| o.len() as f64) },
    Case { name: "has_cycle", run: |g| yes(has_cycle(g)) },
    Case {
        name: "max_bipartite_matching",
        run: |g| max_bipartite_matching(g).map_or(f64::NAN, |pairs| pairs.len() as f64),
    },
    Case {
        name: "max_flow",
        run: |g| max_flow(g, ends(g).0, ends(g).1).map_or(f64::NAN, |f| f.value),
    },
];

/// A graph of nodes `0..n` from its edges; without weights where there are none.
///
/// # Errors
/// The graph is full, or a weight is not finite.
pub fn build(
    n: u32,
    directed: bool,
    from: &[u32],
    to: &[u32],
    weights: &[f64],
) -> Result<Graph, GraphError> {
    let mut graph = Graph::with_capacity(directed, n as usize, from.len());
    for name in 0..n {
        graph.ensure_node(i64::from(name))?;
    }
    for (i, (&a, &b)) in from.iter().zip(to).enumerate() {
        graph.link_places(a.into(), b.into(), weights.get(i).copied(), None)?;
    }
    Ok(graph)
}

/// Parses, solves and verifies a file of problems; gives how many are right.
///
/// # Errors
/// The text is no such file.
pub fn dataset(text: &str) -> Result<usize, DatasetError> {
    let mut checker = Checker::new(parse(text)?);
    // As many at a time as the engine takes.
    let n_threads = graph::threads::count();
    while checker.advance(if n_threads > 1 { 512 * n_threads } else { 16 }) > 0 {}
    let totals = checker.report().totals;
    Ok(totals.questions - totals.solution_rejected)
}

/// A file of problems of every task of NLGraph: so many of each level, with our own answers.
pub fn made(n: u64) -> String {
    let mut entries = Vec::new();
    for task in TaskGroup::NlGraph.tasks().map(tasks::task) {
        for level in task.difficulties {
            for seed in 0..n {
                let problem = task.generate(*level, seed);
                let question = problem.question(Wording::Benchmark, Style::ZeroShot);
                let answer = reference_text(&problem, &solve(&problem));
                entries.push(format!(
                    "\"{}\": {{\"question\": {question:?}, \"answer\": {answer:?}, \"difficulty\": \"{}\"}}",
                    entries.len(),
                    level.as_str()
                ));
            }
        }
    }
    format!("{{{}}}", entries.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_gives_a_number_on_a_small_graph() {
        let weighted =
            build(4, false, &[0, 1, 2, 3], &[1, 2, 3, 0], &[1.0, 2.0, 3.0, 4.0]).unwrap();
        let directed = build(4, true, &[0, 1, 2], &[1, 2, 3], &[]).unwrap();
        for case in CASES {
            let of = match case.name {
                "max_flow" | "topological_sort" => &directed,
                _ => &weighted,
            };
            assert!((case.run)(of).is_finite(), "{}", case.name);
        }
    }

    #[test]
    fn what_is_made_is_read_and_right() {
        assert_eq!(dataset(&made(2)).unwrap(), parse(&made(2)).unwrap().len());
    }
}

//! Paths, orders, traversals, components.

use graph::functions::{
    all_pairs_shortest_distances::all_pairs_shortest_distances,
    bfs_order::bfs_order,
    connected_components::connected_components,
    dfs_order::dfs_order,
    find_articulation_points::find_articulation_points,
    find_bridges::find_bridges,
    find_cycle::find_cycle,
    find_longest_path::find_longest_path,
    find_shortest_path::find_shortest_path,
    has_path::{has_path, path_between},
    is_dag::is_dag,
    is_topological_order::{Flaw, is_topological_order},
    is_tree::is_tree,
    shortest_path_lengths::shortest_path_lengths,
    strongly_connected_components::strongly_connected_components,
    topological_sort::topological_sort,
};
use graph::{Delta, Graph};
use proptest::prelude::*;

use super::small::{Small, Weights, distinct, near, number, numbers, permutations, place, small};

/// A negative cycle that lies between s and t (an undirected negative edge is one).
fn negative_between(g: &Small, s: usize, t: usize) -> bool {
    let reach = g.reaches();
    let table = g.table();
    let mut cycles = g.cycles();
    if !g.directed {
        cycles.extend(g.edges.iter().map(|e| vec![e.0, e.1]));
    }
    cycles.iter().any(|c| {
        let closing = table[c[c.len() - 1]][c[0]].unwrap_or(0.0);
        g.weight_of(c) + closing < 0.0 && reach[s][c[0]] && reach[c[0]][t]
    })
}

proptest! {
    #[test]
    fn shortest_paths(g in small(6, Weights::Any)) {
        let graph = g.graph();
        let paths = g.simple_paths();
        for s in 0..g.n {
            for t in 0..g.n {
                let (a, b) = (place(&graph, s), place(&graph, t));
                let best = paths
                    .iter()
                    .filter(|p| p[0] == s && p[p.len() - 1] == t)
                    .map(|p| g.weight_of(p))
                    .fold(f64::INFINITY, f64::min);
                match find_shortest_path(&graph, a, b) {
                    Err(e) => {
                        prop_assert_eq!(&e.code, "negative_cycle");
                        prop_assert!(negative_between(&g, s, t));
                        let cycle: Vec<usize> =
                            serde_json::from_value(e.witness.unwrap()["cycle"].clone()).unwrap();
                        let mut closed = cycle.clone();
                        closed.push(cycle[0]);
                        prop_assert!(g.weight_of(&closed) < 0.0, "{:?} is not negative", cycle);
                    }
                    Ok(None) => prop_assert!(best.is_infinite()),
                    Ok(Some(path)) => {
                        prop_assert!(!negative_between(&g, s, t));
                        let nodes = numbers(&graph, &path.nodes);
                        prop_assert!(g.is_simple_path(&nodes));
                        prop_assert_eq!((nodes[0], nodes[nodes.len() - 1]), (s, t));
                        prop_assert!(near(path.weight, best), "{} is not {}", path.weight, best);
                        prop_assert!(near(g.weight_of(&nodes), best));
                    }
                }
                prop_assert_eq!(has_path(&graph, a, b), best.is_finite());
                if let Some(path) = path_between(&graph, a, b) {
                    let hops = paths
                        .iter()
                        .filter(|p| p[0] == s && p[p.len() - 1] == t)
                        .map(Vec::len)
                        .min();
                    prop_assert!(g.is_simple_path(&numbers(&graph, &path)));
                    prop_assert_eq!(Some(path.len()), hops);
                }
            }
        }
    }

    #[test]
    fn distances_from_one_and_all(g in small(8, Weights::Natural)) {
        let graph = g.graph();
        let d = g.distances(|w| w);
        let finite = |x: f64| x.is_finite().then_some(x);
        let table: Vec<Vec<Option<f64>>> =
            d.iter().map(|row| row.iter().map(|&x| finite(x)).collect()).collect();
        prop_assert_eq!(all_pairs_shortest_distances(&graph).unwrap(), table.clone());
        for s in 0..g.n {
            let row: Vec<Option<f64>> = shortest_path_lengths(&graph, place(&graph, s))
                .unwrap()
                .into_iter()
                .map(|x| x.1)
                .collect();
            prop_assert_eq!(&row, &table[s]);
        }
    }

    #[test]
    fn longest_path(g in small(6, Weights::Any)) {
        let graph = g.graph();
        let found = find_longest_path(&graph, 1_000_000);
        prop_assert!(found.exact);
        let nodes = numbers(&graph, &found.nodes);
        prop_assert!(g.is_simple_path(&nodes));
        let best = g.simple_paths().iter().map(|p| g.weight_of(p)).fold(0.0, f64::max);
        prop_assert!(near(found.weight, best), "{} is not {}", found.weight, best);
        prop_assert!(near(g.weight_of(&nodes), best));
        let hasty = find_longest_path(&graph, 2);
        prop_assert!(hasty.weight <= best && (!hasty.exact || near(hasty.weight, best)));
    }

    #[test]
    fn cycles(g in small(6, Weights::Natural)) {
        let graph = g.graph();
        let exists = !g.cycles().is_empty();
        match find_cycle(&graph) {
            Some(cycle) => prop_assert!(g.is_cycle(&numbers(&graph, &cycle))),
            None => prop_assert!(!exists),
        }
        prop_assert_eq!(is_dag(&graph), g.directed && !exists);
        let tree = g.n > 0 && g.parts(|_| true) == 1 && g.edges.len() == g.n - 1;
        prop_assert_eq!(is_tree(&graph).is_ok(), tree);
    }

    #[test]
    fn topological_orders(g in small(6, Weights::Natural)) {
        let graph = g.graph();
        let forward = |order: &[usize]| {
            let at = |v: usize| order.iter().position(|&x| x == v).unwrap();
            g.edges.iter().all(|e| at(e.0) < at(e.1) && (g.directed || at(e.1) < at(e.0)))
        };
        // The first in the order of the nodes, as the function promises.
        let mut valid: Vec<Vec<usize>> = permutations(g.n);
        valid.retain(|p| forward(p));
        match topological_sort(&graph) {
            Ok(order) => {
                prop_assert_eq!(Some(numbers(&graph, &order)), valid.into_iter().min());
            }
            Err(cycle) => {
                prop_assert!(valid.is_empty());
                let cycle = numbers(&graph, &cycle);
                let two = !g.directed && cycle.len() == 2 && g.is_simple_path(&cycle);
                prop_assert!(g.is_cycle(&cycle) || two, "{:?}", cycle);
            }
        }
    }

    #[test]
    fn checking_an_order(g in small(5, Weights::Natural), order in proptest::collection::vec(0..5usize, 0..6)) {
        let graph = g.graph();
        let order: Vec<usize> = order.into_iter().filter(|&v| v < g.n).collect();
        let places: Vec<_> = order.iter().map(|&v| place(&graph, v)).collect();
        let complete = distinct(&order) && order.len() == g.n;
        let at = |v: usize| order.iter().position(|&x| x == v).unwrap();
        match is_topological_order(&graph, &places) {
            Ok(()) => prop_assert!(complete && g.edges.iter().all(|e| at(e.0) < at(e.1))),
            Err(Flaw::Missing(v)) => prop_assert!(!order.contains(&number(&graph, v))),
            Err(Flaw::Repeated(v)) => {
                let v = number(&graph, v);
                prop_assert!(order.iter().filter(|&&x| x == v).count() > 1);
            }
            Err(Flaw::Violated(a, b)) => {
                let (a, b) = (number(&graph, a), number(&graph, b));
                prop_assert!(g.edges.iter().any(|e| (e.0, e.1) == (a, b)) && at(a) >= at(b));
            }
        }
    }

    #[test]
    fn traversals(g in small(7, Weights::Natural)) {
        fn dive(next: &[Vec<usize>], v: usize, order: &mut Vec<usize>) {
            order.push(v);
            for &w in &next[v] {
                if !order.contains(&w) {
                    dive(next, w, order);
                }
            }
        }
        let graph = g.graph();
        let mut next = vec![Vec::new(); g.n];
        for &(u, v, _) in &g.edges {
            next[u].push(v);
            if !g.directed && u != v {
                next[v].push(u);
            }
        }
        let d = g.distances(|_| 1.0);
        for s in 0..g.n {
            let mut order = Vec::new();
            dive(&next, s, &mut order);
            let dfs = dfs_order(&graph, place(&graph, s));
            prop_assert_eq!(numbers(&graph, &dfs), order.clone());
            let bfs = numbers(&graph, &bfs_order(&graph, place(&graph, s)));
            prop_assert!(bfs.windows(2).all(|w| d[s][w[0]] <= d[s][w[1]]));
            let (mut a, mut b) = (bfs, order);
            a.sort_unstable();
            b.sort_unstable();
            prop_assert_eq!(a, b);
        }
    }

    #[test]
    fn components(g in small(8, Weights::Natural)) {
        let graph = g.graph();
        let both = Small { directed: false, ..g.clone() }.reaches();
        let parts = connected_components(&graph);
        let flat: Vec<usize> = parts.iter().flat_map(|p| numbers(&graph, p)).collect();
        prop_assert!(distinct(&flat) && flat.len() == g.n);
        prop_assert_eq!(parts.len(), g.parts(|_| true));
        for part in &parts {
            let part = numbers(&graph, part);
            prop_assert!(part.iter().all(|&v| both[part[0]][v]));
        }
        let r = g.reaches();
        let strong = strongly_connected_components(&graph);
        let mut label = vec![usize::MAX; g.n];
        for (i, part) in strong.iter().enumerate() {
            for v in numbers(&graph, part) {
                prop_assert_eq!(label[v], usize::MAX);
                label[v] = i;
            }
        }
        for u in 0..g.n {
            for v in 0..g.n {
                prop_assert_eq!(label[u] == label[v], r[u][v] && r[v][u]);
            }
        }
    }

    #[test]
    fn what_holds_a_graph_together(g in small(7, Weights::Natural)) {
        let graph = g.graph();
        let flat = g.undirected();
        let whole = flat.parts(|_| true);
        let mut bridges: Vec<(usize, usize)> = find_bridges(&graph)
            .into_iter()
            .map(|(a, b)| (number(&graph, a), number(&graph, b)))
            .map(|(a, b)| (a.min(b), a.max(b)))
            .collect();
        bridges.sort_unstable();
        let mut expected: Vec<(usize, usize)> = (0..flat.edges.len())
            .filter(|&i| {
                let mut without = flat.clone();
                without.edges.remove(i);
                without.parts(|_| true) > whole
            })
            .map(|i| (flat.edges[i].0, flat.edges[i].1))
            .collect();
        expected.sort_unstable();
        prop_assert_eq!(bridges, expected);
        let points = numbers(&graph, &find_articulation_points(&graph));
        let expected: Vec<usize> =
            (0..g.n).filter(|&v| flat.parts(|u| u != v) > whole).collect();
        prop_assert_eq!(points, expected);
    }
}

/// Rings joined one way, by thousands, with a node taken out of every tenth: what is left of those
/// falls apart.
#[test]
fn strong_parts_of_a_large_graph_that_has_lost_nodes() -> Result<(), Box<dyn std::error::Error>> {
    const RINGS: usize = 1_500;
    let mut graph = Graph::directed();
    for ring in 0..RINGS {
        let [a, b, c] = [0, 1, 2].map(|i| 3 * ring + i);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            graph.link(from, to)?;
        }
        if ring > 0 {
            graph.link(a - 1, b)?;
        }
    }
    for ring in (0..RINGS).step_by(10) {
        graph.apply(&Delta::RemoveNode { node: (3 * ring + 1).into() })?;
    }
    let expected: Vec<Vec<usize>> = (0..RINGS)
        .flat_map(|ring| match ring % 10 {
            0 => vec![vec![3 * ring], vec![3 * ring + 2]],
            _ => vec![vec![3 * ring, 3 * ring + 1, 3 * ring + 2]],
        })
        .collect();
    let strong = strongly_connected_components(&graph);
    let found: Vec<Vec<usize>> = strong.iter().map(|part| numbers(&graph, part)).collect();
    assert_eq!(found, expected);
    Ok(())
}

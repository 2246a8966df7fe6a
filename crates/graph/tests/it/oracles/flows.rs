//! Flows, cuts, matchings.

use graph::functions::{
    is_bipartite::is_bipartite, max_bipartite_matching::max_bipartite_matching, max_flow::max_flow,
    min_cut::min_cut,
};
use proptest::prelude::*;

use super::small::{Small, Weights, near, number, numbers, place, small};

/// The capacity that leads out of a set of nodes, given as bits.
fn leaving(g: &Small, set: usize) -> f64 {
    let inside = |v: usize| set >> v & 1 == 1;
    g.edges
        .iter()
        .filter(|e| (inside(e.0) && !inside(e.1)) || (!g.directed && inside(e.1) && !inside(e.0)))
        .map(|e| e.2)
        .sum()
}

fn two_sides(g: &Small) -> bool {
    (0..1usize << g.n).any(|set| g.edges.iter().all(|e| set >> e.0 & 1 != set >> e.1 & 1))
}

fn largest_matching(edges: &[(usize, usize, f64)], used: usize) -> usize {
    let Some((&(u, v, _), rest)) = edges.split_first() else { return 0 };
    let without = largest_matching(rest, used);
    if used >> u & 1 == 1 || used >> v & 1 == 1 || u == v {
        return without;
    }
    without.max(1 + largest_matching(rest, used | 1 << u | 1 << v))
}

proptest! {
    #[test]
    fn the_maximum_flow_is_the_minimum_cut(g in small(6, Weights::Natural)) {
        let graph = g.graph();
        let table = g.table();
        for s in 0..g.n {
            for t in (0..g.n).filter(|&t| t != s) {
                let found = max_flow(&graph, place(&graph, s), place(&graph, t)).unwrap();
                let least = (0..1usize << g.n)
                    .filter(|set| set >> s & 1 == 1 && set >> t & 1 == 0)
                    .map(|set| leaving(&g, set))
                    .fold(f64::INFINITY, f64::min);
                prop_assert!(near(found.value, least), "{} is not {}", found.value, least);
                // The flow keeps to the capacities and vanishes nowhere.
                let mut balance = vec![0.0; g.n];
                let mut seen = Vec::new();
                for &(a, b, f) in &found.flow {
                    let (a, b) = (number(&graph, a), number(&graph, b));
                    prop_assert!(f > 0.0 && f <= table[a][b].unwrap() + 1e-9);
                    prop_assert!(!seen.contains(&(b, a)) && !seen.contains(&(a, b)));
                    seen.push((a, b));
                    balance[a] += f;
                    balance[b] -= f;
                }
                for (v, b) in balance.iter().enumerate() {
                    let expected = if v == s { least } else if v == t { -least } else { 0.0 };
                    prop_assert!(near(*b, expected));
                }
                // The cut is the edges out of its side, and as heavy as the flow.
                let cut = min_cut(&graph, place(&graph, s), place(&graph, t)).unwrap();
                let side = numbers(&graph, &cut.source_side);
                prop_assert!(side.contains(&s) && !side.contains(&t));
                prop_assert!(numbers(&graph, &cut.sink_side).iter().all(|v| !side.contains(v)));
                let set = side.iter().fold(0, |set, v| set | 1 << v);
                prop_assert!(near(leaving(&g, set), least));
                let through: f64 = cut
                    .edges
                    .iter()
                    .map(|&(a, b)| table[number(&graph, a)][number(&graph, b)].unwrap())
                    .sum();
                prop_assert!(near(through, least));
            }
        }
    }

    #[test]
    fn fractions_flow_too(caps in proptest::collection::vec(0.0..1.0f64, 20)) {
        let edges = (0..20).map(|i| (i / 4, (i / 4 + 1 + i % 4) % 5, caps[i])).collect();
        let g = Small { n: 5, directed: true, edges, weighted: true };
        let graph = g.graph();
        let found = max_flow(&graph, place(&graph, 0), place(&graph, 4)).unwrap();
        let least = (0..16usize)
            .filter(|set| set & 1 == 1)
            .map(|set| leaving(&g, set))
            .fold(f64::INFINITY, f64::min);
        prop_assert!(near(found.value, least));
    }

    #[test]
    fn sides_and_matchings(g in small(6, Weights::Natural)) {
        let graph = g.graph();
        let flat = g.undirected();
        match is_bipartite(&graph) {
            Ok(sides) => {
                let left = numbers(&graph, &sides.left);
                let right = numbers(&graph, &sides.right);
                prop_assert_eq!(left.len() + right.len(), g.n);
                let crosses = |e: &(usize, usize, f64)| left.contains(&e.0) != left.contains(&e.1);
                prop_assert!(g.edges.iter().all(crosses));
                let pairs = max_bipartite_matching(&graph).unwrap();
                prop_assert_eq!(pairs.len(), largest_matching(&flat.edges, 0));
                let table = flat.table();
                let mut used = Vec::new();
                for (a, b) in pairs {
                    let (a, b) = (number(&graph, a), number(&graph, b));
                    prop_assert!(table[a][b].is_some() && left.contains(&a));
                    prop_assert!(!used.contains(&a) && !used.contains(&b));
                    used.extend([a, b]);
                }
            }
            Err(cycle) => {
                prop_assert!(!two_sides(&flat));
                let cycle = numbers(&graph, &cycle);
                prop_assert!(cycle.len() % 2 == 1 && flat.is_cycle(&cycle), "{:?}", cycle);
                let error = max_bipartite_matching(&graph).unwrap_err();
                prop_assert_eq!(error.code, "not_bipartite");
            }
        }
    }

    /// Larger than random graphs give: two sides of up to five nodes.
    #[test]
    fn matchings_between_two_sides(edges in proptest::collection::btree_set((0..5usize, 5..10usize), 0..14)) {
        let edges: Vec<_> = edges.into_iter().map(|(a, b)| (a, b, 1.0)).collect();
        let g = Small { n: 10, directed: false, edges, weighted: false };
        let pairs = max_bipartite_matching(&g.graph()).unwrap();
        prop_assert_eq!(pairs.len(), largest_matching(&g.edges, 0));
    }
}

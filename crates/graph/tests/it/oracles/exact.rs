//! Independent sets, covers, tours, shared parts, patterns and edit distances beside trying everything.

use std::collections::BTreeSet;

use graph::exact::common_subgraph::{PatternMatch, find_pattern, max_common_subgraph};
use graph::exact::edit_distance::graph_edit_distance;
use graph::exact::independent_set::{max_independent_set, min_vertex_cover};
use graph::exact::tour::{Tour, find_shortest_tour};
use graph::{Graph, NodeIdx, generators};
use proptest::prelude::*;

use super::small::{Small, Weights, permutations, small};

const PLENTY: u64 = 50_000_000;

fn joined(g: &Small, u: usize, v: usize) -> bool {
    g.edges.iter().any(|e| (e.0, e.1) == (u, v) || (e.1, e.0) == (u, v))
}

/// Whether there is an edge from one node to another, in its direction where there are directions.
pub(crate) fn arc(g: &Small, u: usize, v: usize) -> bool {
    g.edges.iter().any(|e| (e.0, e.1) == (u, v) || (!g.directed && (e.1, e.0) == (u, v)))
}

/// The most nodes without an edge among them, by all subsets.
fn most_independent(g: &Small) -> usize {
    let is_free = |set: usize| {
        let of: Vec<usize> = (0..g.n).filter(|v| set >> v & 1 == 1).collect();
        of.iter().all(|u| of.iter().all(|v| !joined(g, *u, *v)))
    };
    (0..1_usize << g.n).filter(|s| is_free(*s)).map(|s| s.count_ones() as usize).max().unwrap_or(0)
}

/// All ways to give the nodes of one set different partners in another, or none.
pub(crate) fn partners(n: usize, m: usize, each: &mut dyn FnMut(&[Option<usize>])) {
    fn go(
        n: usize,
        m: usize,
        now: &mut Vec<Option<usize>>,
        each: &mut dyn FnMut(&[Option<usize>]),
    ) {
        if now.len() == n {
            return each(now);
        }
        for w in (0..m).map(Some).chain([None]) {
            if w.is_none() || !now.contains(&w) {
                now.push(w);
                go(n, m, now, each);
                now.pop();
            }
        }
    }
    go(n, m, &mut Vec::new(), each);
}

fn place(graph: &Graph, v: NodeIdx) -> usize {
    graph.indices().position(|x| x == v).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn independent_sets_and_covers(g in small(9, Weights::Natural)) {
        let graph = g.graph();
        let most = most_independent(&g);
        let found = max_independent_set(&graph, PLENTY);
        prop_assert_eq!((found.nodes.len(), found.bound, found.is_proven), (most, most, true));
        let at: Vec<usize> = found.nodes.iter().map(|v| place(&graph, *v)).collect();
        prop_assert!(at.iter().all(|u| at.iter().all(|v| !joined(&g, *u, *v))));
        let cover = min_vertex_cover(&graph, PLENTY);
        prop_assert_eq!((cover.nodes.len(), cover.bound), (g.n - most, g.n - most));
        let at: BTreeSet<usize> = cover.nodes.iter().map(|v| place(&graph, *v)).collect();
        prop_assert!(g.edges.iter().all(|e| at.contains(&e.0) || at.contains(&e.1)));
        // Without time it is a set all the same, and the bound holds.
        let hasty = max_independent_set(&graph, 0);
        prop_assert!(hasty.nodes.len() <= most && most <= hasty.bound);
    }

    #[test]
    fn tours(g in small(7, Weights::Natural)) {
        let graph = g.graph();
        let table = |u: usize, v: usize| {
            let fits = |e: &&(usize, usize, f64)| (e.0, e.1) == (u, v) || (!g.directed && (e.1, e.0) == (u, v));
            g.edges.iter().filter(fits).map(|e| e.2).fold(f64::INFINITY, f64::min)
        };
        let best = permutations(g.n)
            .iter()
            .map(|order| (0..g.n).map(|i| table(order[i], order[(i + 1) % g.n])).sum::<f64>())
            .fold(f64::INFINITY, f64::min);
        match find_shortest_tour(&graph, PLENTY) {
            Tour::Found { nodes, length, bound, is_proven } => {
                prop_assert!(is_proven && (length - bound).abs() < 1e-9);
                if g.n > 1 {
                    prop_assert!((length - best).abs() < 1e-9, "{length}, {best}");
                    prop_assert_eq!(nodes.len(), g.n + 1);
                    prop_assert_eq!(nodes[0], nodes[g.n]);
                }
            }
            Tour::None => prop_assert!(g.n == 0 || best.is_infinite()),
            Tour::Undecided => prop_assert!(false),
        }
    }

    #[test]
    fn shared_parts(a in small(5, Weights::Natural), b in small(5, Weights::Natural)) {
        let b = Small { directed: a.directed, ..b };
        let mut most = 0;
        partners(a.n, b.n, &mut |to| {
            let of: Vec<(usize, usize)> =
                to.iter().enumerate().filter_map(|(v, w)| Some((v, (*w)?))).collect();
            let fits = of.iter().all(|x| of.iter().all(|y| arc(&a, x.0, y.0) == arc(&b, x.1, y.1)));
            if fits {
                most = most.max(of.len());
            }
        });
        let (first, second) = (a.graph(), b.graph());
        let found = max_common_subgraph(&first, &second, PLENTY);
        prop_assert_eq!((found.pairs.len(), found.bound, found.is_proven), (most, most, true));
        let of: Vec<(usize, usize)> =
            found.pairs.iter().map(|(v, w)| (place(&first, *v), place(&second, *w))).collect();
        prop_assert!(of.iter().all(|x| of.iter().all(|y| arc(&a, x.0, y.0) == arc(&b, x.1, y.1))));
        let hasty = max_common_subgraph(&first, &second, 0);
        prop_assert!(hasty.pairs.len() <= most && most <= hasty.bound);
    }

    #[test]
    fn patterns(a in small(4, Weights::Natural), b in small(6, Weights::Natural)) {
        let a = Small { directed: b.directed, ..a };
        let mut is_there = false;
        partners(a.n, b.n, &mut |to| {
            is_there |= to.iter().all(Option::is_some)
                && a.edges.iter().all(|e| arc(&b, to[e.0].unwrap(), to[e.1].unwrap()));
        });
        let (pattern, graph) = (a.graph(), b.graph());
        match find_pattern(&graph, &pattern, PLENTY) {
            PatternMatch::Found(pairs) => {
                prop_assert!(is_there);
                let to: Vec<usize> = pairs.iter().map(|(_, w)| place(&graph, *w)).collect();
                prop_assert_eq!(to.iter().collect::<BTreeSet<_>>().len(), a.n);
                prop_assert!(a.edges.iter().all(|e| arc(&b, to[e.0], to[e.1])));
            }
            PatternMatch::Absent => prop_assert!(!is_there),
            PatternMatch::Undecided => prop_assert!(false),
        }
    }

    #[test]
    fn edit_distances(
        a in small(5, Weights::Natural),
        b in small(5, Weights::Natural),
        labels in prop::collection::vec(0..3_u8, 10),
    ) {
        let b = Small { directed: a.directed, ..b };
        let name = |l: &u8| ["C", "N", "O"][*l as usize].to_owned();
        let of_a: Vec<String> = labels.iter().take(a.n).map(name).collect();
        let of_b: Vec<String> = labels.iter().skip(5).take(b.n).map(name).collect();
        // Self loops and pairs once, whichever way they are told.
        let pairs = |g: &Small| -> Vec<(usize, usize)> {
            let mut all: Vec<_> = (0..g.n)
                .flat_map(|u| (0..g.n).map(move |v| (u, v)))
                .filter(|(u, v)| arc(g, *u, *v) && (g.directed || u <= v))
                .collect();
            all.dedup();
            all
        };
        let (ea, eb) = (pairs(&a), pairs(&b));
        let mut least = usize::MAX;
        partners(a.n, b.n, &mut |to| {
            let mut cost = to.iter().filter(|w| w.is_none()).count();
            cost += (0..b.n).filter(|w| !to.contains(&Some(*w))).count();
            cost += to.iter().enumerate().filter(|(v, w)| w.is_some_and(|w| of_a[*v] != of_b[w])).count();
            let kept = ea.iter().filter(|(u, v)| {
                to[*u].zip(to[*v]).is_some_and(|(x, y)| arc(&b, x, y))
            });
            let kept = kept.count();
            cost += ea.len() + eb.len() - 2 * kept;
            least = least.min(cost);
        });
        let (first, second) = (a.graph(), b.graph());
        let found = graph_edit_distance(&first, &second, [&of_a, &of_b], PLENTY);
        prop_assert_eq!((found.n_changes, found.bound, found.is_proven), (least, least, true));
        let hasty = graph_edit_distance(&first, &second, [&of_a, &of_b], 0);
        prop_assert!(hasty.bound <= least && least <= hasty.n_changes);
        // Of a search that ends in the midst the bound holds, too.
        for budget in [40, 120, 400] {
            let some = graph_edit_distance(&first, &second, [&of_a, &of_b], budget);
            prop_assert!(some.bound <= least && least <= some.n_changes);
        }
    }
}

/// Branch and bound beside the table, above the size at which the table is used.
#[test]
fn longer_tours_are_those_of_the_table() {
    for seed in 0..4 {
        let n = 14;
        let mut graph = Graph::undirected();
        (0..n).for_each(|v| graph.ensure_node(v).map(drop).unwrap());
        let mut state: u64 = seed * 977 + 3;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1_u32 << 31)
        };
        let places: Vec<(f64, f64)> = (0..n).map(|_| (next() * 100.0, next() * 100.0)).collect();
        let mut far = vec![vec![0.0; n]; n];
        for i in 0..n {
            for k in i + 1..n {
                // Half of the graphs have small whole weights, where many tours are as short.
                let weight = if seed % 2 == 0 {
                    (places[i].0 - places[k].0).hypot(places[i].1 - places[k].1)
                } else {
                    (next() * 5.0).floor() + 1.0
                };
                (far[i][k], far[k][i]) = (weight, weight);
                graph
                    .apply(&graph::Delta::AddEdge {
                        source: i.into(),
                        target: k.into(),
                        weight: Some(weight),
                        capacity: None,
                    })
                    .unwrap();
            }
        }
        // An independent table over subsets.
        let m = n - 1;
        let mut best = vec![f64::INFINITY; m << m];
        for v in 0..m {
            best[(1 << v) * m + v] = far[m][v];
        }
        for set in 1..1_usize << m {
            for v in (0..m).filter(|v| set >> v & 1 == 1) {
                for w in (0..m).filter(|w| set >> w & 1 == 0) {
                    let through = best[set * m + v] + far[v][w];
                    let place = (set | 1 << w) * m + w;
                    best[place] = best[place].min(through);
                }
            }
        }
        let all = (1 << m) - 1;
        let expected = (0..m).map(|v| best[all * m + v] + far[v][m]).fold(f64::INFINITY, f64::min);
        let Tour::Found { length, is_proven, nodes, .. } = find_shortest_tour(&graph, PLENTY)
        else {
            panic!("a complete graph has a tour")
        };
        assert!(is_proven && (length - expected).abs() < 1e-6, "{seed}: {length}, {expected}");
        assert_eq!(nodes.len(), n + 1);
    }
}

/// The sizes of the benchmarks, within the budget of a call.
#[test]
fn hard_problems_of_benchmark_size_are_proven() {
    for seed in 0..3 {
        for (n, m) in [(30, 60), (30, 200), (60, 150), (100, 250), (100, 1_000), (100, 3_500)] {
            let graph = generators::random_sparse(n, m, false, seed).unwrap();
            let found = max_independent_set(&graph, 20_000_000);
            assert!(found.is_proven, "{n} nodes, {m} edges, seed {seed}: {found:?}");
        }
    }
}

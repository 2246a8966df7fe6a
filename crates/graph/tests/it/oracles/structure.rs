//! Tours, trees, cliques, colourings, sameness, message passing.

use graph::functions::{
    color_graph::color_graph,
    find_cliques::find_cliques,
    find_eulerian_path::find_eulerian_path,
    find_hamilton_path::{HamiltonOutcome, find_hamilton_path},
    find_heaviest_triangle::find_heaviest_triangle,
    graph_convolution::graph_convolution,
    is_isomorphic::{Isomorphism, is_isomorphic},
    max_clique::max_clique,
    minimum_spanning_tree::minimum_spanning_tree,
};
use graph::{Delta, Graph};
use proptest::prelude::*;

use super::small::{Small, Weights, distinct, near, number, numbers, permutations, small};

/// Whether a walk along all edges exists, by trying them all.
fn euler(g: &Small) -> bool {
    fn walk(g: &Small, at: usize, used: usize) -> bool {
        used.count_ones() as usize == g.edges.len()
            || g.edges.iter().enumerate().any(|(i, e)| {
                used >> i & 1 == 0
                    && ((e.0 == at && walk(g, e.1, used | 1 << i))
                        || (!g.directed && e.1 == at && walk(g, e.0, used | 1 << i)))
            })
    }
    g.edges.is_empty() || (0..g.n).any(|s| walk(g, s, 0))
}

fn joined(g: &Small, u: usize, v: usize) -> bool {
    g.edges.iter().any(|e| (e.0, e.1) == (u, v) || (e.1, e.0) == (u, v))
}

fn colourable(g: &Small, k: usize) -> bool {
    fn colour(g: &Small, k: usize, colors: &mut Vec<usize>) -> bool {
        let v = colors.len();
        v == g.n
            || (0..k).any(|c| {
                let fits = (0..v).all(|u| colors[u] != c || !joined(g, u, v));
                colors.push(c);
                let found = fits && colour(g, k, colors);
                colors.pop();
                found
            })
    }
    colour(g, k, &mut Vec::new())
}

fn renamed(g: &Small, to: &[usize]) -> Small {
    let mut edges: Vec<_> = g.edges.iter().map(|e| (to[e.0], to[e.1], e.2)).collect();
    edges.reverse();
    Small { edges, ..g.clone() }
}

proptest! {
    #[test]
    fn hamilton_paths(g in small(7, Weights::Natural)) {
        let graph = g.graph();
        let table = g.table();
        let exists = g.n > 0
            && permutations(g.n)
                .iter()
                .any(|p| p.windows(2).all(|w| table[w[0]][w[1]].is_some()));
        for budget in [1_000_000, 3] {
            match find_hamilton_path(&graph, budget) {
                HamiltonOutcome::Found(path) => {
                    let path = numbers(&graph, &path);
                    prop_assert!(g.is_simple_path(&path) && path.len() == g.n);
                }
                HamiltonOutcome::None { reason } => prop_assert!(!exists, "{}", reason),
                HamiltonOutcome::Undecided { .. } => prop_assert_eq!(budget, 3),
            }
        }
    }

    #[test]
    fn eulerian_paths(g in small(5, Weights::Natural)) {
        let graph = g.graph();
        match find_eulerian_path(&graph) {
            Ok(walk) => {
                let walk = numbers(&graph, &walk);
                let mut left = g.edges.clone();
                for w in walk.windows(2) {
                    let at = left.iter().position(|e| {
                        (e.0, e.1) == (w[0], w[1]) || (!g.directed && (e.1, e.0) == (w[0], w[1]))
                    });
                    prop_assert!(at.is_some(), "{:?}", walk);
                    left.remove(at.unwrap());
                }
                prop_assert!(left.is_empty());
            }
            Err(reason) if g.edges.len() <= 9 => prop_assert!(!euler(&g), "{}", reason),
            Err(_) => {}
        }
    }

    #[test]
    fn spanning_trees(g in small(5, Weights::Any)) {
        let graph = g.graph();
        let flat = g.undirected();
        let parts = flat.parts(|_| true);
        let forest = minimum_spanning_tree(&graph);
        prop_assert_eq!(forest.n_trees, parts);
        let table = flat.table();
        let edges: Vec<(usize, usize, f64)> = forest
            .edges
            .iter()
            .map(|&(a, b)| (number(&graph, a), number(&graph, b)))
            .map(|(a, b)| (a, b, table[a][b].unwrap()))
            .collect();
        prop_assert!(near(edges.iter().map(|e| e.2).sum(), forest.weight));
        prop_assert_eq!(edges.len(), g.n - parts);
        prop_assert_eq!(Small { edges, ..flat.clone() }.parts(|_| true), parts);
        // Every choice of that many edges that keeps the parts together.
        let least = (0..1usize << flat.edges.len())
            .filter(|set| set.count_ones() as usize == g.n - parts)
            .map(|set| {
                let chosen = (0..flat.edges.len()).filter(|i| set >> i & 1 == 1);
                Small { edges: chosen.map(|i| flat.edges[i]).collect(), ..flat.clone() }
            })
            .filter(|tree| tree.parts(|_| true) == parts)
            .map(|tree| tree.edges.iter().map(|e| e.2).sum())
            .fold(f64::INFINITY, f64::min);
        prop_assert!(near(forest.weight, least), "{} is not {}", forest.weight, least);
    }

    /// Every set of nodes is looked at: whether all of it are joined, and nobody can be added.
    #[test]
    fn all_maximal_cliques(g in small(8, Weights::Natural), min_size in 0..5_usize) {
        let graph = g.graph();
        let all_joined = |set: usize| {
            let has = |v: usize| set >> v & 1 == 1;
            (0..g.n).all(|i| (0..i).all(|j| !has(i) || !has(j) || joined(&g, i, j)))
        };
        let mut right: Vec<Vec<usize>> = (1..1usize << g.n)
            .filter(|set| all_joined(*set))
            .filter(|set| (0..g.n).all(|v| set >> v & 1 == 1 || !all_joined(set | 1 << v)))
            .map(|set| (0..g.n).filter(|v| set >> v & 1 == 1).collect::<Vec<_>>())
            .filter(|list| list.len() >= min_size)
            .collect();
        right.sort();
        let found = find_cliques(&graph, min_size, 1_000_000);
        prop_assert!(found.exact);
        prop_assert!(found.listed.is_sorted_by_key(|list| std::cmp::Reverse(list.len())));
        let mut listed: Vec<Vec<usize>> =
            found.listed.iter().map(|list| numbers(&graph, list)).collect();
        listed.iter_mut().for_each(|list| list.sort_unstable());
        listed.sort();
        prop_assert_eq!(found.n_found, right.len());
        prop_assert_eq!(&listed, &right);
        // Stopped early, what was found are some of them.
        let some = find_cliques(&graph, min_size, 2);
        prop_assert!(some.exact || some.n_found <= right.len());
    }

    #[test]
    fn cliques(g in small(8, Weights::Natural)) {
        let graph = g.graph();
        let all_joined = |list: &[usize]| {
            (0..list.len()).all(|i| (0..i).all(|j| joined(&g, list[i], list[j])))
        };
        let largest = (0..1usize << g.n)
            .map(|set| (0..g.n).filter(|v| set >> v & 1 == 1).collect::<Vec<_>>())
            .filter(|list| all_joined(list))
            .map(|list| list.len())
            .max()
            .unwrap();
        for budget in [1_000_000, 1] {
            let found = max_clique(&graph, budget);
            let nodes = numbers(&graph, &found.nodes);
            prop_assert!(all_joined(&nodes) && distinct(&nodes));
            prop_assert!(nodes.len() == largest || (!found.exact && budget == 1));
        }
    }

    #[test]
    fn triangles(g in small(8, Weights::Natural), seed in 0u64..1000) {
        let mut graph = g.graph();
        let weight = |v: usize| ((seed * 31 + v as u64 * 17) % 7) as f64 - 2.0;
        for (v, name) in graph.names().cloned().collect::<Vec<_>>().into_iter().enumerate() {
            let values = vec![weight(v)];
            graph.apply(&Delta::SetEmbedding { node: name, values }).unwrap();
        }
        let mut totals = Vec::new();
        for a in 0..g.n {
            for b in 0..a {
                for c in 0..b {
                    if joined(&g, a, b) && joined(&g, b, c) && joined(&g, a, c) {
                        totals.push(weight(a) + weight(b) + weight(c));
                    }
                }
            }
        }
        let found = find_heaviest_triangle(&graph).unwrap();
        prop_assert_eq!(found.count, totals.len() as u64);
        let most = totals.into_iter().reduce(f64::max);
        prop_assert_eq!(found.heaviest.map(|(_, total)| total), most);
        if let Some((nodes, total)) = found.heaviest {
            let nodes = numbers(&graph, &nodes);
            prop_assert!(distinct(&nodes));
            prop_assert!((0..3).all(|i| joined(&g, nodes[i], nodes[(i + 1) % 3])));
            prop_assert_eq!(nodes.into_iter().map(weight).sum::<f64>(), total);
        }
    }

    #[test]
    fn colourings(g in small(7, Weights::Natural)) {
        let graph = g.graph();
        let fewest = (0..=g.n).find(|&k| colourable(&without_loops(&g), k)).unwrap();
        for budget in [1_000_000, 1] {
            let found = color_graph(&graph, budget);
            let classes: Vec<Vec<usize>> =
                found.classes.iter().map(|c| numbers(&graph, c)).collect();
            prop_assert_eq!(classes.iter().map(Vec::len).sum::<usize>(), g.n);
            for class in &classes {
                prop_assert!(!class.is_empty());
                for (i, &u) in class.iter().enumerate() {
                    prop_assert!(class[..i].iter().all(|&v| u != v && !joined(&g, u, v)));
                }
            }
            prop_assert!(classes.len() == fewest || (!found.exact && budget == 1));
        }
    }

    #[test]
    fn the_same_shape(g in small(5, Weights::Natural), h in small(5, Weights::Natural), pick in any::<prop::sample::Index>(), relabel in any::<bool>()) {
        let all = permutations(g.n);
        let mut h = Small { directed: g.directed, ..h };
        if !g.directed {
            h = h.undirected();
        }
        let h = if relabel { renamed(&g, &all[pick.index(all.len())]) } else { h };
        let (a, b) = (g.graph(), h.graph());
        let arcs = |x: &Small| {
            let t = x.table();
            let cell = |row: &Vec<Option<f64>>| row.iter().map(Option::is_some).collect::<Vec<_>>();
            t.iter().map(cell).collect::<Vec<_>>()
        };
        let (ta, tb) = (arcs(&g), arcs(&h));
        let fits = |p: &Vec<usize>| {
            (0..g.n).all(|u| (0..g.n).all(|v| ta[u][v] == tb[p[u]][p[v]]))
        };
        let same = g.n == h.n && all.iter().any(fits);
        prop_assert!(same || !relabel);
        match is_isomorphic(&a, &b, 1_000_000) {
            Isomorphism::Same(pairs) => {
                let mut map = vec![usize::MAX; g.n];
                for (x, y) in pairs {
                    map[number(&a, x)] = number(&b, y);
                }
                prop_assert!(same && distinct(&map) && fits(&map));
            }
            Isomorphism::Different { reason } => prop_assert!(!same, "{}", reason),
            Isomorphism::Undecided { .. } => prop_assert!(false, "undecided"),
        }
    }

    #[test]
    fn message_passing(g in small(6, Weights::Natural), layers in 1..4usize, seed in any::<u32>()) {
        let mut graph = g.graph();
        let mut now: Vec<[f64; 2]> = (0..g.n)
            .map(|v| [f64::from(seed.rotate_left(v as u32) % 7), v as f64])
            .collect();
        for (v, x) in now.iter().enumerate() {
            graph.apply(&Delta::SetEmbedding { node: v.into(), values: x.to_vec() }).unwrap();
        }
        let table = g.table();
        for _ in 0..layers {
            now = (0..g.n)
                .map(|v| {
                    let from = (0..g.n).filter(|&u| table[u][v].is_some());
                    from.fold([0.0; 2], |s, u| [s[0] + now[u][0], s[1] + now[u][1]])
                })
                .collect();
        }
        for (i, x) in graph_convolution(&graph, layers).unwrap() {
            prop_assert_eq!(x, now[number(&graph, i)].to_vec());
        }
    }
}

fn without_loops(g: &Small) -> Small {
    let edges = g.edges.iter().copied().filter(|e| e.0 != e.1).collect();
    Small { edges, ..g.clone() }
}

/// As hard as the benchmark gets: 20 nodes, a path exists, the rest is noise.
#[test]
fn hamilton_paths_of_benchmark_size_take_few_steps() {
    let mut state = 1u64;
    let mut roll = move |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for round in 0..300 {
        let n = 5 + (round % 16) as usize;
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, roll(i as u64 + 1) as usize);
        }
        let directed = round % 3 == 0;
        let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
        for i in 0..n {
            graph.ensure_node(i).unwrap();
        }
        for w in order.windows(2) {
            graph.link(w[0], w[1]).unwrap();
        }
        for _ in 0..roll(3 * n as u64) {
            let (u, v) = (roll(n as u64) as usize, roll(n as u64) as usize);
            if u != v {
                graph.link(u, v).unwrap();
            }
        }
        let outcome = find_hamilton_path(&graph, 200_000);
        assert!(matches!(outcome, HamiltonOutcome::Found(_)), "round {round}: {outcome:?}");
    }
}

/// Moon and Moser's graph has 3^k maximal cliques of k nodes: a list of them has an end.
#[test]
fn a_long_list_of_cliques_is_cut_and_says_so() {
    let graph = graph::generators::turan(24, 8).unwrap();
    let found = find_cliques(&graph, 1, 100_000_000);
    assert_eq!(found.n_found, 3_usize.pow(8));
    let function = graph::functions::find("find_cliques").unwrap();
    let outcome = function.call(&graph, serde_json::json!({})).unwrap();
    assert_eq!(outcome.value["n_cliques"], 6561);
    assert_eq!(outcome.value["cliques"].as_array().unwrap().len(), 1_000);
    assert_eq!(outcome.value["is_complete"], false);
    assert!(outcome.notes.iter().any(|n| n.contains("first 1000 of 6561")), "{:?}", outcome.notes);
    // A search that stops at its limit says so as well.
    let graph = graph::generators::turan(60, 20).unwrap();
    let outcome = function.call(&graph, serde_json::json!({ "min_size": 3 })).unwrap();
    assert_eq!(outcome.value["is_complete"], false);
    assert!(outcome.notes.iter().any(|n| n.contains("search stopped")), "{:?}", outcome.notes);
    // One clique of many nodes is found without a call for each of them.
    let graph = graph::generators::complete(120).unwrap();
    assert_eq!(find_cliques(&graph, 1, 100_000_000).n_found, 1);
}

//! The named graphs and families have the properties for which they are known.

use std::collections::VecDeque;

use super::*;
use crate::functions::{
    diameter::diameter,
    get_degrees::get_degrees,
    is_bipartite::is_bipartite,
    is_isomorphic::{Isomorphism, is_isomorphic},
    is_tree::is_tree,
    max_clique::max_clique,
};

/// The length of the shortest cycle, by a search from each node; 0 without one.
fn girth(graph: &Graph) -> usize {
    let adjacency: Vec<Vec<usize>> = graph
        .indices()
        .map(|i| {
            graph
                .neighbors(i)
                .into_iter()
                .map(|n| graph.indices().position(|x| x == n).unwrap())
                .collect()
        })
        .collect();
    let mut best = usize::MAX;
    for start in 0..adjacency.len() {
        let mut distance = vec![usize::MAX; adjacency.len()];
        let mut parent = vec![usize::MAX; adjacency.len()];
        distance[start] = 0;
        let mut queue = VecDeque::from([start]);
        while let Some(a) = queue.pop_front() {
            for &b in &adjacency[a] {
                if distance[b] == usize::MAX {
                    distance[b] = distance[a] + 1;
                    parent[b] = a;
                    queue.push_back(b);
                } else if parent[a] != b {
                    best = best.min(distance[a] + distance[b] + 1);
                }
            }
        }
    }
    if best == usize::MAX { 0 } else { best }
}

fn degrees(graph: &Graph) -> Vec<usize> {
    let mut list: Vec<usize> = get_degrees(graph).iter().map(|d| d.degree).collect();
    list.sort_unstable();
    list
}

#[test]
fn the_named_graphs_are_those_of_the_books() {
    // Nodes, edges, degree where all have the same (else 0), diameter, girth, in two colours.
    let known = [
        ("bull", 5, 5, 0, 3, 3, false),
        ("chvatal", 12, 24, 4, 2, 4, false),
        ("cubical", 8, 12, 3, 3, 4, true),
        ("desargues", 20, 30, 3, 5, 6, true),
        ("diamond", 4, 5, 0, 2, 3, false),
        ("dodecahedral", 20, 30, 3, 5, 5, false),
        ("frucht", 12, 18, 3, 4, 3, false),
        ("heawood", 14, 21, 3, 3, 6, true),
        ("house", 5, 6, 0, 2, 3, false),
        ("house_x", 5, 8, 0, 2, 3, false),
        ("icosahedral", 12, 30, 5, 3, 3, false),
        ("krackhardt_kite", 10, 18, 0, 4, 3, false),
        ("moebius_kantor", 16, 24, 3, 4, 6, true),
        ("octahedral", 6, 12, 4, 2, 3, false),
        ("pappus", 18, 27, 3, 4, 6, true),
        ("sedgewick_maze", 8, 10, 0, 3, 3, false),
        ("tetrahedral", 4, 6, 3, 1, 3, false),
        ("truncated_cube", 24, 36, 3, 6, 3, false),
        ("truncated_tetrahedron", 12, 18, 3, 3, 3, false),
        ("tutte", 46, 69, 3, 8, 4, false),
    ];
    assert_eq!(names().count(), known.len());
    for (name, n, m, degree, width, round, is_two) in known {
        let graph = named(name).unwrap().unwrap();
        assert_eq!((graph.n_nodes(), graph.n_edges()), (n, m), "{name}");
        let all = degrees(&graph);
        assert_eq!(all.iter().all(|d| *d == all[0]), degree > 0, "{name}: {all:?}");
        assert!(degree == 0 || all[0] == degree, "{name}");
        assert_eq!(diameter(&graph).unwrap(), width as f64, "{name}");
        assert_eq!(girth(&graph), round, "{name}");
        assert_eq!(is_bipartite(&graph).is_ok(), is_two, "{name}");
    }
    assert!(named("Bull").is_none());
}

#[test]
fn families_have_their_numbers() {
    assert!(is_tree(&full_rary_tree(3, 20).unwrap()).is_ok());
    let balanced = balanced_tree(3, 3).unwrap();
    assert_eq!((balanced.n_nodes(), diameter(&balanced).unwrap()), (40, 6.0));
    assert_eq!(balanced_tree(1, 5).unwrap().n_nodes(), 6);
    assert_eq!(balanced_tree(0, 5).unwrap().n_nodes(), 1);
    for order in 0..7 {
        let tree = binomial_tree(order).unwrap();
        assert!(is_tree(&tree).is_ok());
        assert_eq!((tree.n_nodes(), degrees(&tree)[0]), (1 << order, usize::from(order > 0)));
        // The root has a child for each order below its own.
        assert_eq!(tree.neighbors(tree.index(&0usize.into()).unwrap()).len(), order);
    }
    assert_eq!(degrees(&circulant(9, &[1, 3]).unwrap()), [4; 9]);
    // All steps together join all pairs.
    assert_eq!(circulant(7, &[1, 2, 3]).unwrap().n_edges(), 21);
    assert_eq!(circulant(6, &[6, 0]).unwrap().n_edges(), 0);
    let ladder = circular_ladder(7).unwrap();
    assert_eq!((degrees(&ladder), girth(&ladder)), (vec![3; 14], 4));
    let sweet = lollipop(5, 3).unwrap();
    assert_eq!((sweet.n_nodes(), sweet.n_edges()), (8, 13));
    assert_eq!(diameter(&sweet).unwrap(), 4.0);
    for (n, parts) in [(15, 3), (7, 2), (10, 4), (5, 9)] {
        let graph = turan(n, parts).unwrap();
        // Turán's theorem: the most edges that a graph without a clique of parts + 1 nodes can have.
        let (size, larger) = (n / parts.min(n), n % parts.min(n));
        let within = |k: usize| k * k.saturating_sub(1) / 2;
        let groups = parts.min(n);
        let most = within(n) - larger * within(size + 1) - (groups - larger) * within(size);
        assert_eq!(graph.n_edges(), most);
        assert_eq!(max_clique(&graph, 1_000_000).nodes.len(), groups);
    }
    for n in 0..4u32 {
        let graph = dorogovtsev_goltsev_mendes(n as usize).unwrap();
        assert_eq!(graph.n_edges(), 3usize.pow(n));
        assert_eq!(graph.n_nodes(), 3 * (3usize.pow(n) + 1) / 6 + 1);
    }
    let graph = hoffman_singleton().unwrap();
    assert_eq!((degrees(&graph), girth(&graph)), (vec![7; 50], 5));
    assert_eq!(diameter(&graph).unwrap(), 2.0);
    // K3,3 in LCF notation.
    let utility = is_isomorphic(&lcf(6, &[3]).unwrap(), &turan(6, 2).unwrap(), 1_000_000);
    assert!(matches!(utility, Isomorphism::Same(_)), "{utility:?}");
    for graph in [full_rary_tree(2, 10_001), balanced_tree(1, usize::MAX), circular_ladder(6000)] {
        assert!(matches!(graph, Err(GraphError::TooLarge { .. })));
    }
    for graph in [circulant(usize::MAX, &[1]), lollipop(2, usize::MAX), lcf(usize::MAX, &[2])] {
        assert!(matches!(graph, Err(GraphError::TooLarge { .. })));
    }
    assert!(binomial_tree(11).is_err() && dorogovtsev_goltsev_mendes(9).is_err());
}

//! Numbers that describe nodes or the whole.

use graph::functions::{
    average_shortest_path_length::average_shortest_path_length,
    betweenness_centrality::betweenness_centrality, center::center,
    closeness_centrality::closeness_centrality, clustering_coefficient::clustering_coefficient,
    degree_centrality::degree_centrality, diameter::diameter, eccentricity::eccentricity,
    get_degrees::get_degrees, get_density::get_density, get_neighbors, pagerank::pagerank,
    periphery::periphery, radius::radius,
};
use proptest::prelude::*;

use super::small::{Weights, near, numbers, place, small};

proptest! {
    #[test]
    fn eccentricities(g in small(7, Weights::Natural)) {
        let graph = g.graph();
        let d = g.distances(|w| w);
        let farthest: Vec<f64> =
            d.iter().map(|row| row.iter().copied().fold(0.0, f64::max)).collect();
        if g.n == 0 {
            prop_assert_eq!(diameter(&graph).unwrap_err().code, "empty_graph");
            return Ok(());
        }
        if farthest.iter().any(|x| x.is_infinite()) {
            let error = eccentricity(&graph).unwrap_err();
            prop_assert_eq!(&error.code, "not_connected");
            let witness = error.witness.unwrap();
            let end = |key: &str| witness[key].as_u64().unwrap() as usize;
            prop_assert!(d[end("from")][end("to")].is_infinite());
            prop_assert!(average_shortest_path_length(&graph).is_err());
            return Ok(());
        }
        let found: Vec<f64> = eccentricity(&graph).unwrap().into_iter().map(|e| e.1).collect();
        prop_assert_eq!(&found, &farthest);
        let largest = farthest.iter().copied().fold(0.0, f64::max);
        let smallest = farthest.iter().copied().fold(f64::INFINITY, f64::min);
        prop_assert_eq!(diameter(&graph).unwrap(), largest);
        prop_assert_eq!(radius(&graph).unwrap(), smallest);
        let at = |x: f64| (0..g.n).filter(|&v| farthest[v] == x).collect::<Vec<_>>();
        prop_assert_eq!(numbers(&graph, &center(&graph).unwrap().0), at(smallest));
        prop_assert_eq!(numbers(&graph, &periphery(&graph).unwrap().0), at(largest));
        let total: f64 = d.iter().flatten().sum();
        let pairs = (g.n * g.n - g.n).max(1) as f64;
        prop_assert!(near(average_shortest_path_length(&graph).unwrap(), total / pairs));
    }

    #[test]
    fn degrees_and_density(g in small(7, Weights::Natural)) {
        let graph = g.graph();
        let table = g.table();
        for (v, d) in get_degrees(&graph).into_iter().enumerate() {
            let ends: usize = g.edges.iter().map(|e| usize::from(e.0 == v) + usize::from(e.1 == v)).sum();
            prop_assert_eq!(d.degree, ends);
            if g.directed {
                prop_assert_eq!(d.in_degree, (0..g.n).filter(|&u| table[u][v].is_some()).count());
                prop_assert_eq!(d.out_degree, (0..g.n).filter(|&u| table[v][u].is_some()).count());
            }
            let here = place(&graph, v);
            let mut after = numbers(&graph, &get_neighbors::get_neighbors(&graph, here));
            let mut before = numbers(&graph, &get_neighbors::get_predecessors(&graph, here));
            after.sort_unstable();
            before.sort_unstable();
            prop_assert_eq!(after, (0..g.n).filter(|&u| table[v][u].is_some()).collect::<Vec<_>>());
            prop_assert_eq!(before, (0..g.n).filter(|&u| table[u][v].is_some()).collect::<Vec<_>>());
            let share = if g.n > 1 { d.degree as f64 / (g.n - 1) as f64 } else { 1.0 };
            prop_assert!(near(degree_centrality(&graph)[v], share));
        }
        let possible = (g.n * g.n.saturating_sub(1)) as f64 / if g.directed { 1.0 } else { 2.0 };
        let density = if g.n < 2 { 0.0 } else { g.edges.len() as f64 / possible };
        prop_assert!(near(get_density(&graph), density));
    }

    #[test]
    fn clustering(g in small(7, Weights::Natural)) {
        let table = g.undirected().table();
        for (v, found) in clustering_coefficient(&g.graph()).unwrap().into_iter().enumerate() {
            let near_v: Vec<usize> =
                (0..g.n).filter(|&u| u != v && table[v][u].is_some()).collect();
            let (mut pairs, mut closed) = (0, 0);
            for (i, &a) in near_v.iter().enumerate() {
                for &b in &near_v[..i] {
                    pairs += 1;
                    closed += usize::from(table[a][b].is_some());
                }
            }
            let share = if pairs == 0 { 0.0 } else { closed as f64 / pairs as f64 };
            prop_assert!(near(found, share));
        }
    }

    #[test]
    fn closeness(g in small(7, Weights::Natural)) {
        let d = g.distances(|_| 1.0);
        for (v, found) in closeness_centrality(&g.graph()).unwrap().into_iter().enumerate() {
            let to: Vec<f64> =
                (0..g.n).filter(|&u| u != v).map(|u| d[u][v]).filter(|x| x.is_finite()).collect();
            let (r, total) = (to.len() as f64, to.iter().sum::<f64>());
            let expected = if total > 0.0 { r / total * r / (g.n - 1) as f64 } else { 0.0 };
            prop_assert!(near(found, expected));
        }
    }

    #[test]
    fn betweenness(g in small(6, Weights::Natural)) {
        let paths = g.simple_paths();
        let mut expected = vec![0.0; g.n];
        for s in 0..g.n {
            for t in (0..g.n).filter(|&t| t != s) {
                let between: Vec<_> =
                    paths.iter().filter(|p| p[0] == s && p[p.len() - 1] == t).collect();
                let Some(shortest) = between.iter().map(|p| p.len()).min() else { continue };
                let shortest: Vec<_> = between.iter().filter(|p| p.len() == shortest).collect();
                for path in &shortest {
                    for &v in &path[1..path.len() - 1] {
                        expected[v] += 1.0 / shortest.len() as f64;
                    }
                }
            }
        }
        let found = betweenness_centrality(&g.graph()).unwrap();
        prop_assert_eq!(found.len(), g.n);
        for (v, found) in found.into_iter().enumerate() {
            let pairs = if g.n > 2 { ((g.n - 1) * (g.n - 2)) as f64 } else { 1.0 };
            prop_assert!(near(found, expected[v] / pairs), "{} {}", found, expected[v] / pairs);
        }
    }

    #[test]
    fn pagerank_is_a_fixed_point(g in small(7, Weights::Natural), damping in 0.05..0.95f64) {
        let rank = pagerank(&g.graph(), damping).unwrap();
        prop_assert_eq!(rank.len(), g.n);
        if g.n == 0 {
            return Ok(());
        }
        prop_assert!(near(rank.iter().sum(), 1.0));
        let table = g.table();
        for v in 0..g.n {
            let mut next = (1.0 - damping) / g.n as f64;
            for u in 0..g.n {
                let out: f64 = table[u].iter().flatten().sum();
                let chance = if out > 0.0 {
                    table[u][v].unwrap_or(0.0) / out
                } else {
                    1.0 / g.n as f64
                };
                next += damping * rank[u] * chance;
            }
            prop_assert!(near(rank[v], next), "{} is not {}", rank[v], next);
        }
    }
}

//! Places of a large graph: complete, the same for the same seed, and as true to the distances as
//! those of the layout that looks at every pair.

use draw::whole::{Neighbours, Spot, WholeLayout};
use draw::{LayoutKind, Places, layout};
use graph::{Graph, generators};
use proptest::prelude::*;

fn links_of(graph: &Graph) -> Neighbours {
    let adjacency = graph.adjacency();
    let edges: Vec<(u32, u32)> = adjacency.edges.iter().map(|e| (e.0, e.1)).collect();
    Neighbours::new(adjacency.n_nodes(), &edges)
}

fn placed(links: &Neighbours, seed: u64) -> (Vec<Spot>, WholeLayout) {
    let mut layout = WholeLayout::new(links, seed);
    let mut before = 0;
    while layout.step() {
        let (done, total) = layout.progress();
        assert!(done >= before && done <= total, "{before} then {done} of {total}");
        before = done;
    }
    let (done, total) = layout.progress();
    assert_eq!(done, total);
    (layout.places(), layout)
}

/// The distances of all pairs, by Floyd and Warshall.
fn distances(links: &Neighbours) -> Vec<Vec<f64>> {
    let n = links.n_nodes();
    let mut d = vec![vec![f64::INFINITY; n]; n];
    for (a, row) in d.iter_mut().enumerate() {
        row[a] = 0.0;
        for &b in links.of(a) {
            row[b as usize] = 1.0;
        }
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                d[i][j] = d[i][j].min(d[i][k] + d[k][j]);
            }
        }
    }
    d
}

/// The mean over all joined pairs of (1 − s·length / distance)², under the best scale s.
fn stress(links: &Neighbours, at: &[(f64, f64)]) -> f64 {
    let distances = distances(links);
    let (mut n, mut ratios, mut squares) = (0.0, 0.0, 0.0);
    for (i, row) in distances.iter().enumerate() {
        for (j, d) in row.iter().enumerate().take(i).filter(|(_, d)| d.is_finite()) {
            let ratio = (at[i].0 - at[j].0).hypot(at[i].1 - at[j].1) / d;
            (n, ratios, squares) = (n + 1.0, ratios + ratio, squares + ratio * ratio);
        }
    }
    1.0 - ratios * ratios / (n * squares)
}

#[test]
fn distances_are_kept_about_as_well_as_by_the_layout_of_all_pairs() {
    let mut grid = Graph::undirected();
    for (x, y) in (0..12usize).flat_map(|x| (0..12).map(move |y| (x, y))) {
        grid.link(12 * x + y, 12 * x + (y + 1).min(11)).unwrap();
        grid.link(12 * x + y, 12 * (x + 1).min(11) + y).unwrap();
    }
    let mut graphs = vec![("grid", grid)];
    for seed in 0..3 {
        graphs.push(("tree", generators::random_tree(150, seed).unwrap()));
        graphs.push(("random", generators::gnp(150, 0.03, false, seed).unwrap()));
    }
    for (name, graph) in graphs {
        let links = links_of(&graph);
        let largest = |places: &mut dyn Iterator<Item = (f64, f64)>| -> f64 {
            // Only the largest component: parts beside each other have no distance.
            let components = links.components();
            let kept: Vec<usize> = (0..links.n_nodes()).filter(|&i| components[i] == 0).collect();
            let at: Vec<(f64, f64)> = places.collect();
            let number = |i: u32| kept.binary_search(&(i as usize)).unwrap() as u32;
            let edges: Vec<(u32, u32)> = kept
                .iter()
                .flat_map(|&a| links.of(a).iter().map(move |&b| (a as u32, b)))
                .map(|(a, b)| (number(a), number(b)))
                .collect();
            let part = Neighbours::new(kept.len(), &edges);
            stress(&part, &kept.iter().map(|&i| at[i]).collect::<Vec<_>>())
        };
        let (places, whole) = placed(&links, 1);
        let ours = largest(&mut places.iter().map(|p| (f64::from(p[0]), f64::from(p[1]))));
        let by_pairs = layout(&graph, LayoutKind::Force, 1, &Places::default());
        let theirs = largest(&mut graph.names().map(|name| {
            let at = by_pairs.get(name).unwrap();
            (at.x, at.y)
        }));
        assert!(ours < 1.5 * theirs + 0.01, "{name}: {ours:.4}, of all pairs {theirs:.4}");
        // What it says of itself is about what all pairs say.
        let said = whole.stress().unwrap();
        assert!((said - ours).abs() < 0.05, "{name}: says {said:.4}, is {ours:.4}");
    }
}

#[test]
fn what_has_few_nodes_or_no_edges_is_placed_too() {
    for n in 0..5usize {
        let (places, _) = placed(&Neighbours::new(n, &[]), 1);
        assert_eq!(places.len(), n);
    }
    let (places, layout) = placed(&Neighbours::new(2, &[(0, 1)]), 1);
    assert_ne!(places[0], places[1]);
    assert_eq!(layout.stress(), None);
    // A long path, whose second direction is none, and a star, whose leaves have the same distances.
    for edges in [
        (0..3000).map(|i| (i, i + 1)).collect::<Vec<(u32, u32)>>(),
        (1..3000).map(|i| (0, i)).collect(),
    ] {
        let (places, _) = placed(&Neighbours::new(3001, &edges), 1);
        assert!(places.iter().flatten().all(|x| x.is_finite()));
        let mut sorted = places;
        sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
        sorted.dedup();
        assert!(sorted.len() > 2990, "{} places of 3001 nodes", sorted.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn every_node_has_a_place_and_a_seed_gives_the_same(
        n in 1usize..400,
        edges in prop::collection::vec((0u32..400, 0u32..400), 0..900),
        seed: u64,
    ) {
        let links = Neighbours::new(n, &edges);
        let (places, _) = placed(&links, seed);
        prop_assert_eq!(places.len(), n);
        prop_assert!(places.iter().flatten().all(|x| x.is_finite() && *x >= 0.0));
        prop_assert_eq!(placed(&links, seed).0, places);
    }
}

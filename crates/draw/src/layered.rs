//! Layers for directed graphs without cycles: every arc goes to the right.

use graph::Graph;

use crate::places::{Point, SPACING};

/// Nodes in topological order, or `None` if the graph is undirected or has a directed cycle.
pub(crate) fn order(graph: &Graph) -> Option<Vec<usize>> {
    Some(layers(graph)?.into_iter().flatten().collect())
}

/// Nodes by the longest path that ends in them.
pub(crate) fn layers(graph: &Graph) -> Option<Vec<Vec<usize>>> {
    if !graph.is_directed() {
        return None;
    }
    let adjacency = graph.adjacency();
    let n = adjacency.n_nodes();
    let mut missing: Vec<usize> = adjacency.into.iter().map(<[_]>::len).collect();
    let mut depth = vec![0usize; n];
    let mut ready: Vec<usize> = (0..n).filter(|&i| missing[i] == 0).collect();
    let mut done = 0;
    while let Some(u) = ready.pop() {
        done += 1;
        for &(v, _) in &adjacency.out[u] {
            let v = v as usize;
            depth[v] = depth[v].max(depth[u] + 1);
            missing[v] -= 1;
            if missing[v] == 0 {
                ready.push(v);
            }
        }
    }
    if done < n {
        return None;
    }
    let mut layers = vec![Vec::new(); depth.iter().max().map_or(0, |d| d + 1)];
    for (node, d) in depth.into_iter().enumerate() {
        layers[d].push(node);
    }
    Some(layers)
}

/// Columns of layers, each ordered by the middle of its predecessors, with a gentle bow so that an
/// arc over several layers does not run through the nodes between.
pub(crate) fn places(graph: &Graph) -> Option<Vec<Point>> {
    let mut layers = layers(graph)?;
    let adjacency = graph.adjacency();
    let mut row = vec![0.0; adjacency.n_nodes()];
    let set_rows = |layer: &[usize], row: &mut Vec<f64>| {
        let middle = (layer.len() as f64 - 1.0) / 2.0;
        for (i, &node) in layer.iter().enumerate() {
            row[node] = i as f64 - middle;
        }
    };
    for layer in &layers {
        set_rows(layer, &mut row);
    }
    for sweep in 0..8 {
        let forward = sweep % 2 == 0;
        let indices: Vec<usize> =
            if forward { (0..layers.len()).collect() } else { (0..layers.len()).rev().collect() };
        for i in indices {
            let key = |node: usize| {
                let ends = if forward { &adjacency.into[node] } else { &adjacency.out[node] };
                if ends.is_empty() {
                    return row[node];
                }
                ends.iter().map(|&(v, _)| row[v as usize]).sum::<f64>() / ends.len() as f64
            };
            let mut keyed: Vec<(f64, usize)> = layers[i].iter().map(|&v| (key(v), v)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            layers[i] = keyed.into_iter().map(|(_, v)| v).collect();
            set_rows(&layers[i], &mut row);
        }
    }
    let mut at = vec![Point::default(); adjacency.n_nodes()];
    for (column, layer) in layers.iter().enumerate() {
        // Every second layer stands a third of a row lower.
        let shift = if column % 2 == 1 { SPACING * 0.33 } else { 0.0 };
        for &node in layer {
            at[node] = Point { x: column as f64 * SPACING * 1.35, y: row[node] * SPACING + shift };
        }
    }
    Some(at)
}

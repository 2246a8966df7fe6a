//! A graph in as few bytes as show it: for documents with a thousand of them.
//!
//! All edges are one path, all arrows a second, all nodes a third. Colours come from the document's
//! style sheet.

use std::fmt::Write as _;

use graph::{Graph, NodeName};

use crate::{Places, Point, escape};

/// The classes that [`sketch`] and whoever draws [`lines`] write, for the document's style sheet: `g-e` edges,
/// `g-n` nodes, `g-t` names, `g-w` weights, `g-m` what is marked, `g-x` what is marked as false.
pub const CLASSES: [&str; 6] = ["g-e", "g-n", "g-t", "g-w", "g-m", "g-x"];

const RADIUS: f64 = 15.0;

/// The box around all nodes, as SVG's `viewBox` has it.
pub fn view(graph: &Graph, places: &Places) -> [i64; 4] {
    let at: Vec<Point> = graph.names().filter_map(|n| places.get(n)).collect();
    let edge = |f: fn(f64, f64) -> f64, of: fn(&Point) -> f64| at.iter().map(of).reduce(f);
    let (Some(x), Some(y), Some(to_x), Some(to_y)) = (
        edge(f64::min, |p| p.x),
        edge(f64::min, |p| p.y),
        edge(f64::max, |p| p.x),
        edge(f64::max, |p| p.y),
    ) else {
        return [0, 0, 1, 1];
    };
    let margin = RADIUS + 6.0;
    [
        (x - margin).floor() as i64,
        (y - margin).floor() as i64,
        (to_x - x + 2.0 * margin).ceil() as i64,
        (to_y - y + 2.0 * margin).ceil() as i64,
    ]
}

/// The graph as the inside of an `svg` element.
///
/// # Complexity
/// O(n + m).
pub fn sketch(graph: &Graph, places: &Places) -> String {
    let pairs = graph.edges().map(|e| (e.source.clone(), e.target.clone()));
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ =
        write!(out, "<path class=\"g-e\" d=\"{}\"/>", lines(places, pairs, graph.is_directed()));
    let mut discs = String::new();
    let mut names = String::new();
    for name in graph.names() {
        let Some(at) = places.get(name) else { continue };
        let _ = write!(discs, "M{:.0} {:.0}h0", at.x, at.y);
        let short: String = name.to_string().chars().take(5).collect();
        let _ = write!(
            names,
            "<text x=\"{:.0}\" y=\"{:.0}\">{}</text>",
            at.x,
            at.y + 5.0,
            escape(&short)
        );
    }
    let _ = write!(out, "<path class=\"g-n\" d=\"{discs}\"/><g class=\"g-t\">{names}</g>");
    let mut weights = String::new();
    for edge in graph.edges() {
        let (Some(a), Some(b)) = (places.get(edge.source), places.get(edge.target)) else {
            continue;
        };
        if let Some(value) = edge.capacity.or(edge.weight) {
            // A third of the way: two weights of crossing edges rarely meet there.
            let (x, y) = (a.x + (b.x - a.x) * 0.36, a.y + (b.y - a.y) * 0.36);
            let _ = write!(weights, "<text x=\"{x:.0}\" y=\"{:.0}\">{value}</text>", y + 4.0);
        }
    }
    if !weights.is_empty() {
        let _ = write!(out, "<g class=\"g-w\">{weights}</g>");
    }
    out
}

/// Edges as one path; empty where there are none.
pub fn lines(
    places: &Places,
    edges: impl Iterator<Item = (NodeName, NodeName)>,
    arrows: bool,
) -> String {
    let mut path = String::new();
    for (source, target) in edges {
        let (Some(a), Some(b)) = (places.get(&source), places.get(&target)) else { continue };
        let _ = write!(path, "M{:.0} {:.0}L{:.0} {:.0}", a.x, a.y, b.x, b.y);
        let length = a.distance(b);
        if arrows && length > 2.0 * RADIUS {
            let (dx, dy) = ((b.x - a.x) / length, (b.y - a.y) / length);
            let (x, y) = (b.x - dx * (RADIUS + 1.0), b.y - dy * (RADIUS + 1.0));
            let wing = |side: f64| (x - dx * 9.0 + side * dy * 5.0, y - dy * 9.0 - side * dx * 5.0);
            let ((lx, ly), (rx, ry)) = (wing(1.0), wing(-1.0));
            let _ = write!(path, "M{lx:.0} {ly:.0}L{x:.0} {y:.0}L{rx:.0} {ry:.0}");
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use graph::Graph;

    use super::*;
    use crate::{LayoutKind, layout};

    #[test]
    fn every_node_and_edge_is_there_once() -> Result<(), graph::GraphError> {
        let mut graph = Graph::directed();
        for (a, b, w) in [("0", "1", 2.0), ("1", "<b>", 3.5), ("<b>", "0", 1.0)] {
            graph.link_weighted(a, b, w)?;
        }
        let places = layout(&graph, LayoutKind::Circle, 0, &Places::default());
        let text = sketch(&graph, &places);
        assert_eq!(text.matches("h0").count(), 3);
        assert_eq!(text.matches("<text").count(), 3 + 3);
        let edges = text.split("g-e").nth(1).and_then(|t| t.split('"').nth(2)).unwrap_or_default();
        assert_eq!(edges.matches('M').count(), 2 * 3, "a line and an arrow each");
        assert!(text.contains("&lt;b&gt;") && !text.contains("<b>"));
        let [_, _, width, height] = view(&graph, &places);
        assert!(width > 0 && height > 0);
        assert_eq!(view(&Graph::directed(), &places), [0, 0, 1, 1]);
        Ok(())
    }
}

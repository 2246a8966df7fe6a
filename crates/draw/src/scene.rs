//! What is drawn: nodes and edges with their places, shapes and marks.

use std::collections::{BTreeMap, BTreeSet};

use graph::{Graph, NodeName};
use serde::{Deserialize, Serialize};

use crate::{Places, Point};

/// The radius of a node, in the units of the drawing.
pub const NODE_RADIUS: f64 = 18.0;

/// The most nodes of a graph that is drawn whole.
pub const MOST_NODES: usize = 500;
/// The most edges of a graph that is drawn whole: each is several elements of a page, and more are a
/// blot in any case.
pub const MOST_EDGES: usize = 2_000;

/// Whether all of a graph is drawn; of a larger one a part is.
pub fn is_drawn_whole(graph: &Graph) -> bool {
    graph.n_nodes() <= MOST_NODES && graph.n_edges() <= MOST_EDGES
}

/// What a mark means. The same four colours everywhere, and never colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Part of what is pointed at: a path, a matching.
    Path,
    /// Claimed by an answer, and in the graph.
    True,
    /// Claimed by an answer, and not in the graph.
    False,
    /// Looked at by a call.
    Read,
    /// Changed by a call.
    Written,
    /// An edge across a cut.
    Cut,
    /// On one side of something.
    Side(u8),
    /// Picked by a person.
    Picked,
}

impl Mark {
    /// A word for style sheets.
    pub fn class(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::True => "true",
            Self::False => "false",
            Self::Read => "read",
            Self::Written => "written",
            Self::Cut => "cut",
            Self::Side(0) => "side-a",
            Self::Side(_) => "side-b",
            Self::Picked => "picked",
        }
    }
}

/// Marks on nodes and edges, each with a few words where there are any.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Marks {
    /// Marks of nodes: node, mark, words.
    pub nodes: Vec<(NodeName, Mark, Option<String>)>,
    /// On edges; one that is not in the graph is drawn as a ghost.
    pub edges: Vec<(NodeName, NodeName, Mark, Option<String>)>,
}

/// A node as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneNode {
    /// The whole name, as the graph has it.
    pub name: NodeName,
    /// What is written in it, shortened.
    pub label: String,
    /// The centre of the node.
    pub at: Point,
    /// Its marks, without doubles.
    pub marks: Vec<Mark>,
    /// A few words beside it.
    pub tag: Option<String>,
}

/// An edge as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneEdge {
    /// The name of the source node.
    pub source: NodeName,
    /// The name of the target node.
    pub target: NodeName,
    /// The line, as an SVG path.
    pub line: String,
    /// The arrowhead's three corners, if it has a direction.
    pub arrow: Option<[Point; 3]>,
    /// Its weight or capacity as text.
    pub label: Option<String>,
    /// Where that is written.
    pub label_at: Point,
    /// Its marks, without doubles.
    pub marks: Vec<Mark>,
    /// A few words on it, such as "no such edge".
    pub tag: Option<String>,
    /// Whether it is only claimed and not in the graph.
    pub is_ghost: bool,
}

/// A drawing of a graph, without colours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The edges, which are drawn first.
    pub edges: Vec<SceneEdge>,
    /// The nodes, which are drawn over the edges.
    pub nodes: Vec<SceneNode>,
    /// The corner and the size of what is drawn, with a margin.
    pub view: (f64, f64, f64, f64),
}

/// Small graphs are not blown up beyond this many units.
const LEAST_VIEW: f64 = 360.0;

impl Scene {
    /// The drawing of a graph with its nodes in their places. A node without a place is left out.
    pub fn new(graph: &Graph, places: &Places, marks: &Marks) -> Self {
        let mut scene = Self::default();
        let marked = Marked::new(graph, marks);
        for idx in graph.indices() {
            let name = graph.name(idx);
            let Some(at) = places.get(name) else { continue };
            let mut node = SceneNode {
                name: name.clone(),
                label: short(&name.to_string()),
                at,
                marks: Vec::new(),
                tag: None,
            };
            for (_, mark, tag) in marked.node(name) {
                push_once(&mut node.marks, *mark);
                node.tag = node.tag.take().or_else(|| tag.clone());
            }
            node.tag = node.tag.take().or_else(|| graph.embedding(idx).map(vector_text));
            scene.nodes.push(node);
        }
        let show_weights = graph.is_weighted();
        for edge in graph.edges() {
            let (Some(a), Some(b)) = (places.get(edge.source), places.get(edge.target)) else {
                continue;
            };
            let number = edge.capacity.or(if show_weights { edge.weight } else { None });
            let bend = graph.is_directed()
                && edge.source != edge.target
                && graph.edge(edge.target, edge.source).is_some();
            let mut drawn = line(edge.source, edge.target, a, b, graph.is_directed(), bend);
            drawn.label = number.map(number_text);
            for (_, _, mark, tag) in marked.edge(edge.source, edge.target) {
                push_once(&mut drawn.marks, *mark);
                drawn.tag = drawn.tag.take().or_else(|| tag.clone());
            }
            scene.edges.push(drawn);
        }
        let mut ghosts = BTreeSet::new();
        for (s, t, mark, tag) in &marks.edges {
            if graph.edge(s, t).is_some() {
                continue;
            }
            let (Some(a), Some(b)) = (places.get(s), places.get(t)) else { continue };
            if !ghosts.insert(ends(graph, s, t)) {
                continue;
            }
            let mut ghost = line(s, t, a, b, graph.is_directed(), false);
            ghost.marks = vec![*mark];
            ghost.tag = Some(tag.clone().unwrap_or_else(|| "no such edge".into()));
            ghost.is_ghost = true;
            scene.edges.push(ghost);
        }
        scene.spread_labels();
        scene.view = view(&scene.nodes);
        scene
    }

    /// Widens what is shown until no name beside a node is cut. O(nodes).
    pub fn make_room_for_words(&mut self) {
        const LETTER: f64 = 6.4;
        let (x, y, width, height) = self.view;
        let (mut left, mut right) = (x, x + width);
        for node in &self.nodes {
            let letters = node.tag.as_ref().map_or(0, |t| t.chars().count());
            let half = LETTER * letters as f64 / 2.0 + 8.0;
            left = left.min(node.at.x - half);
            right = right.max(node.at.x + half);
        }
        self.view = (left, y, right - left, height);
    }

    /// Moves each label along its edge to where it covers least of the others and of the nodes.
    ///
    /// O(m² + n·m) for m labelled edges; labels of graphs that large are unreadable anyway, so
    /// above [`MOST_LABELS`] they stay in the middle.
    fn spread_labels(&mut self) {
        let labelled = |e: &SceneEdge| e.label.is_some() || e.tag.is_some();
        if self.edges.iter().filter(|e| labelled(e)).count() > MOST_LABELS {
            return;
        }
        let at: BTreeMap<&NodeName, Point> = self.nodes.iter().map(|n| (&n.name, n.at)).collect();
        let mut taken: Vec<(Point, f64)> = Vec::new();
        for edge in &mut self.edges {
            let ends = (at.get(&edge.source).copied(), at.get(&edge.target).copied());
            let (true, (Some(a), Some(b))) = (labelled(edge), ends) else { continue };
            let letters =
                edge.tag.as_ref().or(edge.label.as_ref()).map_or(1, |t| t.chars().count());
            let half = 4.0 + 3.6 * letters as f64;
            // The bow of a bent edge stays: only the way along the chord changes.
            let bow = Point {
                x: edge.label_at.x - (a.x + b.x) / 2.0,
                y: edge.label_at.y - (a.y + b.y) / 2.0,
            };
            let is_bent = edge.line.contains('Q');
            let place = |share: f64| {
                let on = Point { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
                if is_bent { Point { x: on.x + bow.x, y: on.y + bow.y } } else { on }
            };
            let cost = |p: Point| {
                let labels: f64 = taken
                    .iter()
                    .map(|(q, h)| {
                        let (dx, dy) = ((p.x - q.x).abs() / (half + h), (p.y - q.y).abs() / 16.0);
                        (1.0 - dx.max(dy)).max(0.0)
                    })
                    .sum();
                let nodes: f64 = at
                    .values()
                    .map(|q| (1.0 - q.distance(p) / (NODE_RADIUS + half)).max(0.0))
                    .sum();
                labels + nodes
            };
            let best = SHARES.iter().map(|share| (cost(place(*share)), place(*share))).fold(
                None,
                |best: Option<(f64, Point)>, next| match best {
                    Some(b) if b.0 <= next.0 + 1e-9 => Some(b),
                    _ => Some(next),
                },
            );
            if edge.source != edge.target
                && let Some((_, p)) = best
            {
                edge.label_at = p;
            }
            taken.push((edge.label_at, half));
        }
    }
}

/// The two ends of an edge, in one order where the graph has no directions.
fn ends<'a>(graph: &Graph, a: &'a NodeName, b: &'a NodeName) -> (&'a NodeName, &'a NodeName) {
    if graph.is_directed() || a <= b { (a, b) } else { (b, a) }
}

type NodeMark = (NodeName, Mark, Option<String>);
type EdgeMark = (NodeName, NodeName, Mark, Option<String>);

/// Marks by what they are on: a call may mark a hundred thousand edges, of which few are drawn.
struct Marked<'a> {
    graph: &'a Graph,
    nodes: BTreeMap<&'a NodeName, Vec<&'a NodeMark>>,
    edges: BTreeMap<(&'a NodeName, &'a NodeName), Vec<&'a EdgeMark>>,
}

impl<'a> Marked<'a> {
    fn new(graph: &'a Graph, marks: &'a Marks) -> Self {
        let mut marked = Self { graph, nodes: BTreeMap::new(), edges: BTreeMap::new() };
        for mark in &marks.nodes {
            marked.nodes.entry(&mark.0).or_default().push(mark);
        }
        for mark in &marks.edges {
            marked.edges.entry(ends(graph, &mark.0, &mark.1)).or_default().push(mark);
        }
        marked
    }

    fn node(&self, name: &NodeName) -> &[&'a NodeMark] {
        self.nodes.get(name).map_or(&[], Vec::as_slice)
    }

    fn edge<'b>(&'b self, a: &'b NodeName, b: &'b NodeName) -> &'b [&'a EdgeMark] {
        self.edges.get(&ends(self.graph, a, b)).map_or(&[], Vec::as_slice)
    }
}

/// Above this many labels none is moved.
const MOST_LABELS: usize = 200;

/// Where along an edge a label may stand, the middle first.
const SHARES: [f64; 7] = [0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73];

fn push_once(marks: &mut Vec<Mark>, mark: Mark) {
    if !marks.contains(&mark) {
        marks.push(mark);
    }
}

fn view(nodes: &[SceneNode]) -> (f64, f64, f64, f64) {
    let (mut low, mut high) = (
        Point { x: f64::INFINITY, y: f64::INFINITY },
        Point { x: f64::NEG_INFINITY, y: f64::NEG_INFINITY },
    );
    for node in nodes {
        low = Point { x: low.x.min(node.at.x), y: low.y.min(node.at.y) };
        high = Point { x: high.x.max(node.at.x), y: high.y.max(node.at.y) };
    }
    if nodes.is_empty() {
        (low, high) = (Point::default(), Point::default());
    }
    let margin = NODE_RADIUS * 2.4;
    let widen = |low: f64, high: f64| {
        let size = (high - low + 2.0 * margin).max(LEAST_VIEW);
        ((low + high - size) / 2.0, size)
    };
    let ((x, width), (y, height)) = (widen(low.x, high.x), widen(low.y, high.y));
    (x, y, width, height)
}

/// An embedding beside its node; a long one is only hinted at.
fn vector_text(values: &[f64]) -> String {
    let shown: Vec<String> = values.iter().take(4).map(|v| number_text(*v)).collect();
    let more = if values.len() > 4 { ", …" } else { "" };
    format!("[{}{more}]", shown.join(", "))
}

/// A number without needless digits.
fn number_text(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        format!("{value:.0}")
    } else {
        let text = format!("{value:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

fn short(text: &str) -> String {
    if text.chars().count() <= 6 {
        return text.to_owned();
    }
    format!("{}…", text.chars().take(5).collect::<String>())
}

fn line(
    source: &NodeName,
    target: &NodeName,
    a: Point,
    b: Point,
    directed: bool,
    bend: bool,
) -> SceneEdge {
    let edge = SceneEdge {
        source: source.clone(),
        target: target.clone(),
        line: String::new(),
        arrow: None,
        label: None,
        label_at: Point::default(),
        marks: Vec::new(),
        tag: None,
        is_ghost: false,
    };
    if source == target {
        let r = NODE_RADIUS;
        let top = Point { x: a.x, y: a.y - 2.6 * r };
        let line = format!(
            "M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
            a.x - 0.6 * r,
            a.y - 0.8 * r,
            a.x - 1.8 * r,
            a.y - 3.0 * r,
            a.x + 1.8 * r,
            a.y - 3.0 * r,
            a.x + 0.6 * r,
            a.y - 0.8 * r
        );
        return SceneEdge { line, label_at: top, ..edge };
    }
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let length = dx.hypot(dy).max(1e-9);
    let (ux, uy) = (dx / length, dy / length);
    // Two arcs between the same nodes bow to opposite sides.
    let bow = if bend { 16.0 } else { 0.0 };
    let control =
        Point { x: (a.x + b.x) / 2.0 - uy * bow * 2.0, y: (a.y + b.y) / 2.0 + ux * bow * 2.0 };
    let towards = |from: Point, to: Point, by: f64| {
        let d = from.distance(to).max(1e-9);
        Point { x: from.x + (to.x - from.x) / d * by, y: from.y + (to.y - from.y) / d * by }
    };
    let aim = if bend { control } else { a };
    let start = towards(a, if bend { control } else { b }, NODE_RADIUS);
    let tip = towards(b, aim, NODE_RADIUS + 1.0);
    let end =
        if directed { towards(b, aim, NODE_RADIUS + 9.0) } else { towards(b, aim, NODE_RADIUS) };
    let line = if bend {
        format!(
            "M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
            start.x, start.y, control.x, control.y, end.x, end.y
        )
    } else {
        format!("M{:.1} {:.1}L{:.1} {:.1}", start.x, start.y, end.x, end.y)
    };
    let arrow = directed.then(|| {
        let d = end.distance(tip).max(1e-9);
        let (wx, wy) = ((tip.x - end.x) / d, (tip.y - end.y) / d);
        let base = Point { x: tip.x - wx * 10.0, y: tip.y - wy * 10.0 };
        [
            tip,
            Point { x: base.x - wy * 4.5, y: base.y + wx * 4.5 },
            Point { x: base.x + wy * 4.5, y: base.y - wx * 4.5 },
        ]
    });
    // Labels stand off the middle, so that those of edges that cross in it do not cover each other.
    let share = if directed { 0.6 } else { 0.5 };
    let label_at = if bend {
        Point { x: (a.x + b.x) / 2.0 - uy * bow, y: (a.y + b.y) / 2.0 + ux * bow }
    } else {
        Point { x: a.x + dx * share, y: a.y + dy * share }
    };
    SceneEdge { line, arrow, label_at, ..edge }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LayoutKind, layout};

    fn square() -> (Graph, Places) {
        let mut graph = Graph::undirected();
        for (a, b, w) in [(0usize, 1usize, 1.0), (1, 2, 2.5), (2, 3, 3.0)] {
            graph.link_weighted(a, b, w).unwrap();
        }
        let places = layout(&graph, LayoutKind::Circle, 0, &Places::default());
        (graph, places)
    }

    #[test]
    fn a_claimed_edge_that_is_not_there_is_a_ghost_with_words() {
        let (graph, places) = square();
        let marks = Marks {
            edges: vec![(0usize.into(), 2usize.into(), Mark::False, None)],
            ..Marks::default()
        };
        let scene = Scene::new(&graph, &places, &marks);
        let ghosts: Vec<_> = scene.edges.iter().filter(|e| e.is_ghost).collect();
        assert_eq!(ghosts.len(), 1);
        assert_eq!(ghosts[0].tag.as_deref(), Some("no such edge"));
        assert_eq!(scene.edges.len(), 4);
    }

    #[test]
    fn a_mark_finds_an_undirected_edge_from_either_end() {
        let (graph, places) = square();
        let marks = Marks {
            edges: vec![(1usize.into(), 0usize.into(), Mark::Path, None)],
            ..Marks::default()
        };
        let scene = Scene::new(&graph, &places, &marks);
        assert_eq!(scene.edges.iter().filter(|e| e.marks == [Mark::Path]).count(), 1);
        assert!(scene.edges.iter().all(|e| !e.is_ghost));
    }

    #[test]
    fn weights_are_written_without_needless_digits() {
        let (graph, places) = square();
        let scene = Scene::new(&graph, &places, &Marks::default());
        let labels: Vec<_> = scene.edges.iter().filter_map(|e| e.label.as_deref()).collect();
        assert_eq!(labels, ["1", "2.5", "3"]);
    }

    #[test]
    fn an_embedding_stands_beside_its_node() {
        let (mut graph, places) = square();
        let values = vec![1.0, 0.5];
        graph.apply(&graph::Delta::SetEmbedding { node: 0usize.into(), values }).unwrap();
        let scene = Scene::new(&graph, &places, &Marks::default());
        let tags: Vec<_> = scene.nodes.iter().filter_map(|n| n.tag.as_deref()).collect();
        assert_eq!(tags, ["[1, 0.5]"]);
    }

    #[test]
    fn labels_of_edges_that_cross_do_not_cover_each_other() {
        let mut graph = Graph::undirected();
        for (a, b) in [(0usize, 2usize), (1, 3), (0, 1), (1, 2), (2, 3), (3, 0)] {
            graph.link_weighted(a, b, 7.0).unwrap();
        }
        let places = layout(&graph, LayoutKind::Circle, 0, &Places::default());
        let scene = Scene::new(&graph, &places, &Marks::default());
        for (i, a) in scene.edges.iter().enumerate() {
            for b in &scene.edges[..i] {
                assert!(a.label_at.distance(b.label_at) > 10.0, "{a:?} on {b:?}");
            }
        }
    }

    #[test]
    fn everything_lies_inside_the_view() {
        let (graph, places) = square();
        let (x, y, width, height) = Scene::new(&graph, &places, &Marks::default()).view;
        for (_, at) in places.iter() {
            assert!(at.x - NODE_RADIUS > x && at.x + NODE_RADIUS < x + width);
            assert!(at.y - NODE_RADIUS > y && at.y + NODE_RADIUS < y + height);
        }
    }
}

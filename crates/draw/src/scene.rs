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

/// What a mark means. The same colours everywhere, and never colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Part of what is pointed at: a path, a matching.
    Path,
    /// Claimed by an answer, and in the graph.
    True,
    /// Claimed by an answer that is not right, and in the graph: there, but not what was asked.
    Aside,
    /// Claimed by an answer, and not in the graph.
    False,
    /// Looked at by a call.
    Read,
    /// Changed by a call.
    Written,
    /// An edge across a cut.
    Cut,
    /// An edge over which something flows; its words say how much.
    Flow,
    /// On one side of something.
    Side(u8),
    /// A line between two nodes of which an answer takes one for the other; no edge.
    Pair,
    /// Picked by a person.
    Picked,
    /// Drawn faintly beside what else it is marked with, so that the rest stands out.
    Faded,
}

impl Mark {
    /// A word for style sheets.
    pub fn class(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::True => "true",
            Self::Aside => "aside",
            Self::False => "false",
            Self::Read => "read",
            Self::Written => "written",
            Self::Cut => "cut",
            Self::Flow => "flow",
            Self::Side(0) => "side-a",
            Self::Side(_) => "side-b",
            Self::Pair => "pair",
            Self::Picked => "picked",
            Self::Faded => "faded",
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
    /// What is written in it; empty where the name stands beside it.
    pub label: String,
    /// The centre of the node.
    pub at: Point,
    /// Half of its width: more than [`NODE_RADIUS`] where the words need a pill.
    pub half: f64,
    /// Its marks, without doubles.
    pub marks: Vec<Mark>,
    /// A few words beside it.
    pub tag: Option<String>,
    /// What became of the tag: the row that an answer gives for a node with a row of numbers.
    pub result: Option<String>,
    /// The middle of the tag with its result.
    pub tag_at: Point,
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
    /// The middle of what is written on it: the tag, else the label.
    pub label_at: Point,
    /// Its marks, without doubles.
    pub marks: Vec<Mark>,
    /// A few words on it, such as "no such edge".
    pub tag: Option<String>,
    /// Whether it is only claimed and not in the graph.
    pub is_ghost: bool,
    /// Whether it has an arrowhead.
    pub is_directed: bool,
    /// Whether another edge runs the other way between the same nodes.
    pub is_pair: bool,
    /// Whether its line runs through no node that is none of its ends.
    pub is_clear: bool,
}

/// A drawing of a graph, without colours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The edges, which are drawn first.
    pub edges: Vec<SceneEdge>,
    /// The line that parts the two sides of a cut, as an SVG path; empty where no edge is cut.
    pub cut: String,
    /// The nodes, which are drawn over the edges and the line.
    pub nodes: Vec<SceneNode>,
    /// The corner and the size of what is drawn, with a margin.
    pub view: (f64, f64, f64, f64),
}

/// Stands between a tag and what became of it.
pub const ARROW: &str = " → ";

/// The most characters of a name that stands beside its node.
const MOST_BESIDE: usize = 26;

/// Edges from which on the numbers of a graph that joins most of its nodes would cover each other.
const CROWDED_EDGES: usize = 60;

/// Whether there is no room for the number of each edge: then only marked edges have theirs.
fn is_crowded(graph: &Graph) -> bool {
    let (n, n_edges) = (graph.n_nodes(), graph.n_edges());
    n_edges > CROWDED_EDGES && 3 * (n_edges as u64) > n as u64 * n.saturating_sub(1) as u64
}

/// Small graphs are not blown up beyond this many units.
pub(crate) const LEAST_VIEW: f64 = 180.0;

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
                label: name.to_string(),
                at,
                half: NODE_RADIUS,
                marks: Vec::new(),
                tag: None,
                result: None,
                tag_at: at,
            };
            for (_, mark, tag) in marked.node(name) {
                push_once(&mut node.marks, *mark);
                node.tag = node.tag.take().or_else(|| tag.clone());
            }
            if let Some(row) = graph.embedding(idx) {
                node.result = node.tag.replace(vector_text(row));
            }
            if !crate::arrange::boxes::fits(&node.label) {
                node.put_name_beside();
            }
            scene.nodes.push(node);
        }
        let show_weights = graph.is_weighted();
        let is_crowded = is_crowded(graph);
        let has_flow = marks.edges.iter().any(|(_, _, mark, _)| *mark == Mark::Flow);
        for edge in graph.edges() {
            if places.get(edge.source).is_none() || places.get(edge.target).is_none() {
                continue;
            }
            let number = edge.capacity.or(if show_weights { edge.weight } else { None });
            let mut drawn = SceneEdge::new(edge.source, edge.target, graph.is_directed());
            drawn.is_pair = graph.is_directed()
                && edge.source != edge.target
                && graph.edge(edge.target, edge.source).is_some();
            let marks_of_it = marked.edge(edge.source, edge.target);
            // The table has them all.
            let has_number = !is_crowded || !marks_of_it.is_empty();
            drawn.label = number.filter(|_| has_number).map(number_text);
            let mut flows = has_flow.then_some("0");
            for (_, _, mark, tag) in marks_of_it {
                push_once(&mut drawn.marks, *mark);
                if *mark == Mark::Flow {
                    flows = tag.as_deref().or(flows);
                    continue;
                }
                drawn.tag = drawn.tag.take().or_else(|| tag.clone());
            }
            if let (Some(amount), Some(capacity)) = (flows, &drawn.label) {
                drawn.label = Some(format!("{amount}/{capacity}"));
            }
            scene.edges.push(drawn);
        }
        let mut ghosts = BTreeSet::new();
        for (s, t, mark, tag) in &marks.edges {
            if graph.edge(s, t).is_some() {
                continue;
            }
            let has_places = places.get(s).is_some() && places.get(t).is_some();
            if !has_places || !ghosts.insert(ends(graph, s, t)) {
                continue;
            }
            let mut ghost = SceneEdge::new(s, t, graph.is_directed());
            // One against an edge that is there is drawn beside it.
            ghost.is_pair = graph.edge(t, s).is_some();
            ghost.marks = vec![*mark];
            // A line that joins a pair claims no edge, and its ends say whose they are.
            if *mark != Mark::Pair {
                ghost.tag = Some(tag.clone().unwrap_or_else(|| "no such edge".into()));
            }
            ghost.is_ghost = true;
            scene.edges.push(ghost);
        }
        scene.arrange();
        scene
    }
}

impl SceneNode {
    /// All words beside it: the tag, and what became of it.
    pub fn beside(&self) -> Option<String> {
        match (&self.tag, &self.result) {
            (Some(tag), Some(result)) => Some(format!("{tag}{ARROW}{result}")),
            (tag, result) => tag.clone().or_else(|| result.clone()),
        }
    }

    /// Puts the name beside the node and not in it, behind what is tagged there: where it is long.
    pub fn put_name_beside(&mut self) {
        let name = self.name.to_string();
        let short: String = name.chars().take(MOST_BESIDE).collect();
        let cut = if short.len() < name.len() { "…" } else { "" };
        self.label.clear();
        self.tag = Some(match self.tag.take() {
            Some(tag) => format!("{tag} · {short}{cut}"),
            None => format!("{short}{cut}"),
        });
    }
}

impl SceneEdge {
    fn new(source: &NodeName, target: &NodeName, is_directed: bool) -> Self {
        Self {
            source: source.clone(),
            target: target.clone(),
            line: String::new(),
            arrow: None,
            label: None,
            label_at: Point::default(),
            marks: Vec::new(),
            tag: None,
            is_ghost: false,
            is_directed,
            is_pair: false,
            is_clear: true,
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

fn push_once(marks: &mut Vec<Mark>, mark: Mark) {
    if !marks.contains(&mark) {
        marks.push(mark);
    }
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
    fn a_line_that_joins_a_pair_says_nothing_of_an_edge() {
        let (graph, places) = square();
        let marks = Marks {
            edges: vec![(0_usize.into(), 2_usize.into(), Mark::Pair, None)],
            ..Marks::default()
        };
        let scene = Scene::new(&graph, &places, &marks);
        let drawn: Vec<_> = scene.edges.iter().filter(|e| e.is_ghost).collect();
        assert_eq!(drawn.len(), 1);
        assert_eq!((drawn[0].marks.as_slice(), drawn[0].tag.as_deref()), (&[Mark::Pair][..], None));
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
    fn a_row_that_an_answer_gives_stands_behind_the_one_of_the_graph() {
        let (mut graph, places) = square();
        let values = vec![0.0, 1.0];
        graph.apply(&graph::Delta::SetEmbedding { node: 0usize.into(), values }).unwrap();
        let marks = Marks {
            nodes: vec![(0usize.into(), Mark::False, Some("[2, 3]".into()))],
            ..Marks::default()
        };
        let scene = Scene::new(&graph, &places, &marks);
        assert_eq!(scene.nodes[0].beside().as_deref(), Some("[0, 1] → [2, 3]"));
        let file = crate::svg(&scene, crate::Theme::Light, "rows");
        assert!(file.contains("[0, 1]<tspan fill=\"#c02f23\"> → [2, 3]</tspan>"), "{file}");
    }

    #[test]
    fn where_everybody_is_joined_only_marked_edges_have_numbers() {
        let mut graph = Graph::undirected();
        for a in 0..13usize {
            for b in 0..a {
                graph.link_weighted(a, b, (a * b) as f64).unwrap();
            }
        }
        let places = layout(&graph, LayoutKind::Circle, 1, &Places::default());
        let marks = Marks {
            edges: vec![(0usize.into(), 1usize.into(), Mark::True, None)],
            ..Marks::default()
        };
        let numbers = |marks: &Marks| {
            let scene = Scene::new(&graph, &places, marks);
            scene.edges.iter().filter(|e| e.label.is_some()).count()
        };
        assert_eq!((numbers(&Marks::default()), numbers(&marks)), (0, 1));
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
    fn a_small_drawing_fills_its_view_once_it_is_closed_up() {
        let mut graph = Graph::undirected();
        for name in ["a", "b"] {
            let _ = graph.ensure_node(name);
        }
        let at = |name: &str, x: f64| (NodeName::from(name), Point { x, y: 0.0 });
        let places = Places::from(vec![at("a", 0.0), at("b", 80.0)]);
        let mut scene = Scene::new(&graph, &places, &Marks::default());
        assert_eq!((scene.view.2, scene.view.3), (LEAST_VIEW, LEAST_VIEW));
        scene.close_up();
        let (x, y, width, height) = scene.view;
        assert!(width < 200.0 && height < 120.0, "{width} by {height}");
        assert!(x < -NODE_RADIUS && x + width > 80.0 + NODE_RADIUS && y < -NODE_RADIUS);
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

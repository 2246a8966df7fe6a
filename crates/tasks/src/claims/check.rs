//! Whether a claim is true, and why not.

use std::ops::Range;

use graph::{Graph, NodeName};

use super::{Claim, ClaimKind};
use crate::judgement::{EdgeMark, EvidenceMarks, MarkKind, NodeMark};
use crate::oracle;
use crate::statements::{Part, Property, Said};

const CLOSE: f64 = 1e-6;
/// The most nodes of a graph whose diameter is checked.
const MOST_MEASURED: usize = 1000;

fn listed(nodes: &[NodeName]) -> String {
    nodes.iter().map(ToString::to_string).collect::<Vec<_>>().join("-")
}

/// A statement with its truth.
pub(super) fn check(graph: &Graph, said: Said, place: Range<usize>, in_program: bool) -> Claim {
    let (kind, says, found) = judge(graph, said);
    let Found { is_true, why, marks } = found;
    Claim { kind, start: place.start, end: place.end, says, is_true, why, marks, in_program }
}

struct Found {
    is_true: bool,
    why: String,
    marks: EvidenceMarks,
}

impl Found {
    fn new(is_true: bool, why: impl Into<String>) -> Self {
        Self { is_true, why: why.into(), marks: EvidenceMarks::default() }
    }

    fn edge(mut self, u: &NodeName, v: &NodeName, holds: bool, label: Option<String>) -> Self {
        let kind = MarkKind::of(holds);
        self.marks.edges.push(EdgeMark { source: u.clone(), target: v.clone(), kind, label });
        self
    }

    fn node(mut self, node: &NodeName, holds: bool) -> Self {
        let kind = MarkKind::of(holds);
        self.marks.nodes.push(NodeMark { node: node.clone(), kind, label: None });
        self
    }
}

/// The node that is not there, in words.
fn missing(graph: &Graph, nodes: &[&NodeName]) -> Option<String> {
    let stranger = nodes.iter().find(|n| !graph.has_node(n))?;
    Some(format!("there is no node {stranger}"))
}

fn no_edge(graph: &Graph, u: &NodeName, v: &NodeName) -> String {
    if let Some(why) = missing(graph, &[u, v]) {
        return why;
    }
    if graph.is_directed() && graph.edge(v, u).is_some() {
        return format!("the edge goes from {v} to {u}, not the other way");
    }
    format!("there is no edge between {u} and {v}")
}

fn judge(graph: &Graph, said: Said) -> (ClaimKind, String, Found) {
    let yes_no = |holds: bool| if holds { "" } else { "no " };
    match said {
        Said::Edge { u, v, holds } => {
            let is = graph.edge(&u, &v).is_some();
            let is_true = is == holds;
            let why =
                if is { format!("the graph has the edge {u}-{v}") } else { no_edge(graph, &u, &v) };
            // What is denied is not drawn as if it had been claimed.
            let mut found = Found::new(is_true, why);
            if holds {
                found = found.edge(&u, &v, is, None);
            }
            (ClaimKind::Edge, format!("{}edge {u}-{v}", yes_no(holds)), found)
        }
        Said::Weight { u, v, value } => {
            let says = format!("edge {u}-{v} has {value}");
            let Some(edge) = graph.edge(&u, &v) else {
                let found = Found::new(false, no_edge(graph, &u, &v)).edge(&u, &v, false, None);
                return (ClaimKind::Weight, says, found);
            };
            let has = edge.capacity.or(edge.weight);
            let is_true = has.is_some_and(|w| (w - value).abs() < CLOSE);
            let why = match has {
                Some(w) => format!("the edge {u}-{v} has {w}"),
                None => format!("the edge {u}-{v} has no number"),
            };
            let label = (!is_true).then(|| format!("not {value}"));
            (ClaimKind::Weight, says, Found::new(is_true, why).edge(&u, &v, is_true, label))
        }
        Said::NodeWeight { node, value } => {
            let says = format!("node {node} has {value}");
            let has = graph.index(&node).ok().map(|place| graph.embedding(place));
            let found = match has {
                None => Found::new(false, format!("there is no node {node}")),
                Some(Some([weight])) => {
                    let is_true = (weight - value).abs() < CLOSE;
                    Found::new(is_true, format!("the node {node} has {weight}"))
                }
                Some(_) => Found::new(false, format!("the node {node} has no weight")),
            };
            let holds = found.is_true;
            (ClaimKind::Weight, says, found.node(&node, holds))
        }
        Said::Path { nodes } => {
            let says = format!("path {}", listed(&nodes));
            let mut found = Found::new(true, "every step is an edge");
            for pair in nodes.windows(2) {
                let is = graph.edge(&pair[0], &pair[1]).is_some();
                if !is && found.is_true {
                    found.is_true = false;
                    found.why = no_edge(graph, &pair[0], &pair[1]);
                }
                found = found.edge(&pair[0], &pair[1], is, None);
            }
            (ClaimKind::Path, says, found)
        }
        Said::Total { nodes, value } => {
            let says = format!("path {} totals {value}", listed(&nodes));
            let weights: Option<Vec<f64>> = nodes
                .windows(2)
                .map(|p| graph.edge(&p[0], &p[1]).map(|e| e.weight_or_one()))
                .collect();
            let found = match weights {
                None => Found::new(false, "the path has an edge that is not there"),
                Some(weights) => {
                    let total: f64 = weights.iter().sum();
                    let terms: Vec<String> = weights.iter().map(ToString::to_string).collect();
                    let why = format!("its edges have {} = {total}", terms.join(" + "));
                    Found::new((total - value).abs() < CLOSE, why)
                }
            };
            (ClaimKind::Total, says, found)
        }
        Said::Length { nodes, n } => {
            let says = format!("path {} has {n} edges", listed(&nodes));
            let has = nodes.len() - 1;
            (ClaimKind::Total, says, Found::new(has == n, format!("the path has {has} edges")))
        }
        Said::Distance { u, v, value } => {
            let says = format!("distance {u}-{v} is {value}");
            let found = match distance(graph, &u, &v) {
                Err(why) => Found::new(false, why),
                Ok(has) => {
                    Found::new((has - value).abs() < CLOSE, format!("the distance is {has}"))
                }
            };
            (ClaimKind::Total, says, found)
        }
        Said::Whole { is, holds } => {
            let (says, is_true, why) = whole(graph, is);
            let not = if holds { "" } else { "not " };
            (ClaimKind::Whole, format!("{not}{says}"), Found::new(is_true == holds, why))
        }
        Said::Sum { terms, value, text } => {
            let n = value.len();
            let right: Option<Vec<f64>> = terms
                .iter()
                .all(|t| t.len() == n)
                .then(|| (0..n).map(|i| terms.iter().map(|t| t[i]).sum()).collect());
            let is_true = right
                .as_ref()
                .is_some_and(|r| r.iter().zip(&value).all(|(a, b)| (a - b).abs() < CLOSE));
            let why = match right {
                Some(r) if n == 1 => format!("the sum is {}", r[0]),
                Some(r) => format!("the sum is {r:?}"),
                None => "the vectors have different lengths".into(),
            };
            (ClaimKind::Sum, format!("sum {text}"), Found::new(is_true, why))
        }
        Said::Degree { node, n } => {
            let says = format!("degree {node} is {n}");
            let Ok(index) = graph.index(&node) else {
                return (
                    ClaimKind::Degree,
                    says,
                    Found::new(false, format!("there is no node {node}")),
                );
            };
            let (out, into) = (graph.neighbors(index).len(), graph.predecessors(index).len());
            let found = if graph.is_directed() {
                let why = format!("{node} has {out} edges out and {into} in");
                Found::new([out, into, out + into].contains(&n), why)
            } else {
                Found::new(out == n, format!("{node} has {out} neighbours"))
            };
            let holds = found.is_true;
            (ClaimKind::Degree, says, found.node(&node, holds))
        }
        Said::NothingBefore { node } => {
            let says = format!("nothing before {node}");
            let Ok(index) = graph.index(&node) else {
                return (
                    ClaimKind::Degree,
                    says,
                    Found::new(false, format!("there is no node {node}")),
                );
            };
            let before = graph.names_of(&graph.predecessors(index));
            let found = match before.first() {
                None => Found::new(true, format!("nothing points to {node}")),
                Some(first) => Found::new(false, format!("{first} comes before {node}")),
            };
            let holds = found.is_true;
            (ClaimKind::Degree, says, found.node(&node, holds))
        }
        Said::Reach { u, v, holds } => {
            let says = format!("{}path between {u} and {v}", yes_no(holds));
            let found = match missing(graph, &[&u, &v]) {
                Some(why) => Found::new(false, why),
                None => {
                    let is = reaches(graph, &u, &v);
                    let why = if is { "there is a path" } else { "there is no path" };
                    Found::new(is == holds, format!("{why} between {u} and {v}"))
                }
            };
            (ClaimKind::Reach, says, found)
        }
        Said::Cycle { holds } => {
            let is = match graph.is_directed() {
                true => !oracle::is_acyclic(graph),
                false => oracle::has_cycle(graph),
            };
            let why = if is { "the graph has a cycle" } else { "the graph has no cycle" };
            (ClaimKind::Cycle, format!("{}cycle", yes_no(holds)), Found::new(is == holds, why))
        }
        Said::Apart { nodes } => {
            let says = format!("no edge among {}", listed(&nodes));
            let refs: Vec<&NodeName> = nodes.iter().collect();
            let found = match (missing(graph, &refs), joined_pair(graph, &nodes)) {
                (Some(why), _) => Found::new(false, why),
                (None, None) => Found::new(true, "no two of them are joined"),
                (None, Some((u, v))) => {
                    Found::new(false, format!("{u} and {v} are joined")).edge(u, v, false, None)
                }
            };
            (ClaimKind::Edge, says, found)
        }
        Said::Order { nodes } => {
            let says = format!("order {}", listed(&nodes));
            (ClaimKind::Order, says, ordered(graph, &nodes))
        }
        Said::Flow { u, v, value } => {
            let says = format!("flow {value} on {u}-{v}");
            let found = match graph.edge(&u, &v) {
                None => Found::new(false, no_edge(graph, &u, &v)).edge(&u, &v, false, None),
                Some(edge) => {
                    let most = edge.capacity_or_weight();
                    let fits = value <= most + CLOSE;
                    let label = (!fits).then(|| format!("{value} of {most}"));
                    Found::new(fits, format!("the edge {u}-{v} takes {most}"))
                        .edge(&u, &v, fits, label)
                }
            };
            (ClaimKind::Flow, says, found)
        }
        Said::MaxFlow { u, v, value } => {
            let says = format!("maximum flow {u}-{v} is {value}");
            let found = match (missing(graph, &[&u, &v]), oracle::min_cut(graph, &u, &v)) {
                (Some(why), _) => Found::new(false, why),
                (None, Some(cut)) => {
                    let is_true = (cut.value - value).abs() < CLOSE;
                    Found::new(is_true, format!("the maximum flow is {}", cut.value))
                }
                (None, None) => Found::new(false, format!("{u} and {v} are no source and sink")),
            };
            (ClaimKind::Flow, says, found)
        }
    }
}

/// The length of a shortest path; or why there is none.
fn distance(graph: &Graph, u: &NodeName, v: &NodeName) -> Result<f64, String> {
    if let Some(why) = missing(graph, &[u, v]) {
        return Err(why);
    }
    let path = oracle::lightest_path(graph, u, v);
    path.map(|(length, _)| length).ok_or_else(|| format!("there is no path from {u} to {v}"))
}

/// What is said of the graph as a whole, whether it is so, and what the graph is.
fn whole(graph: &Graph, is: Property) -> (String, bool, String) {
    let counted = |n: usize, has: usize, what: &str| {
        (format!("{n} {what}"), n == has, format!("the graph has {has} {what}"))
    };
    let shaped = |what: &str, is_so: bool| {
        let not = if is_so { "" } else { "not " };
        (what.to_owned(), is_so, format!("the graph is {not}a {what}"))
    };
    match is {
        Property::Directed => {
            let is_so = graph.is_directed();
            let what = if is_so { "directed" } else { "undirected" };
            ("directed graph".into(), is_so, format!("the graph is {what}"))
        }
        Property::Connected => {
            let is_so = oracle::is_connected(graph);
            let what = if is_so { "connected" } else { "not connected" };
            ("connected graph".into(), is_so, format!("the graph is {what}"))
        }
        Property::Tree => {
            let is_so = oracle::is_connected(graph) && graph.n_edges() + 1 == graph.n_nodes();
            shaped("tree", is_so)
        }
        Property::Ring => {
            let is_so = oracle::is_connected(graph) && degrees(graph).all(|degree| degree == 2);
            shaped("cycle graph", is_so)
        }
        Property::Complete => {
            let n = graph.n_nodes();
            let pairs = n * n.saturating_sub(1) / if graph.is_directed() { 1 } else { 2 };
            shaped("complete graph", graph.n_edges() == pairs)
        }
        Property::Regular(n) => {
            let is_so = degrees(graph).all(|degree| degree == n);
            let (least, most) = (degrees(graph).min(), degrees(graph).max());
            let why = format!("nodes have {} to {} edges", least.unwrap_or(0), most.unwrap_or(0));
            (format!("degree of every node is {n}"), is_so, why)
        }
        Property::Nodes(n) => counted(n, graph.n_nodes(), "nodes"),
        Property::Part(n, Part { letter, what, is_edges }) => {
            let is_of = |name: &NodeName| name.to_string().starts_with(letter);
            let has = match is_edges {
                true => graph.edges().filter(|edge| is_of(edge.source)).count(),
                false => graph.names().filter(|name| is_of(name)).count(),
            };
            counted(n, has, what)
        }
        Property::Edges(n) => counted(n, graph.n_edges(), "edges"),
        Property::Diameter(n) => {
            let says = format!("diameter {n}");
            if graph.n_nodes() > MOST_MEASURED {
                return (says, true, "the graph is too large to say otherwise".into());
            }
            let far = graph.names().flat_map(|from| oracle::hops(graph, from));
            let has = far.flatten().max().unwrap_or(0);
            (says, n == has, format!("the diameter is {has}"))
        }
    }
}

/// How many edges each node has, in either direction.
fn degrees(graph: &Graph) -> impl Iterator<Item = usize> {
    graph.indices().map(|at| {
        let into = if graph.is_directed() { graph.predecessors(at).len() } else { 0 };
        graph.neighbors(at).len() + into
    })
}

/// The first two of some nodes that are joined.
fn joined_pair<'n>(graph: &Graph, nodes: &'n [NodeName]) -> Option<(&'n NodeName, &'n NodeName)> {
    let is_edge =
        |u: &NodeName, v: &NodeName| graph.edge(u, v).is_some() || graph.edge(v, u).is_some();
    let pairs = (1..nodes.len()).flat_map(|j| (0..j).map(move |i| (&nodes[i], &nodes[j])));
    pairs.into_iter().find(|(u, v)| is_edge(u, v))
}

/// A path along the arcs; the oracle's components would not respect their direction.
fn reaches(graph: &Graph, u: &NodeName, v: &NodeName) -> bool {
    oracle::path(graph, u, v).is_some()
}

/// Every edge between nodes of the order points forward, and every node of the graph stands in it.
fn ordered(graph: &Graph, nodes: &[NodeName]) -> Found {
    let refs: Vec<&NodeName> = nodes.iter().collect();
    if let Some(why) = missing(graph, &refs) {
        return Found::new(false, why);
    }
    let place = |name: &NodeName| nodes.iter().position(|n| n == name);
    for edge in graph.edges() {
        match (place(edge.source), place(edge.target)) {
            (Some(a), Some(b)) if a > b => {
                let why = format!("{} must come before {}", edge.source, edge.target);
                return Found::new(false, why).edge(edge.source, edge.target, false, None);
            }
            (None, _) => return Found::new(false, format!("node {} is left out", edge.source)),
            (_, None) => return Found::new(false, format!("node {} is left out", edge.target)),
            _ => {}
        }
    }
    if let Some(left) = graph.names().find(|n| place(n).is_none()) {
        return Found::new(false, format!("node {left} is left out"));
    }
    Found::new(true, "every edge points forward")
}

//! GraphML, as networkx, igraph, Gephi, yEd and Neo4j write it: `node` and `edge` with a `data` each
//! for weight and capacity, defaults of keys, and a direction of its own for an edge.

use rustc_hash::FxHashMap;

use super::xml::{Piece, Pieces, attribute, escaped, needed};
use super::{
    Direction, Draft, Format, FormatError, GraphRead, NoteKind, number, too_few, unmarked,
};
use crate::Graph;

pub(super) const FORMAT: Format = Format {
    id: "graphml",
    title: "GraphML",
    extensions: &["graphml", "xml"],
    reads: "nodes by their labels (those of Gephi, igraph, Neo4j and yEd) or ids, edges with `weight` \
            and `capacity`, defaults of keys, a direction for each edge, nested graphs as one",
    loses: "other data, ports, hyperedges, graphs after the first",
    keeps: "nodes, edges, weights, capacities",
    is_it: |peek| peek.root().as_deref() == Some("graphml"),
    parse,
    nth: Some(parse_nth),
    write: Some(write),
};

const VALUES: [&str; 2] = ["weight", "capacity"];

#[derive(Default)]
struct Key {
    name: String,
    default: Option<String>,
    is_for_edges: bool,
}

/// What is open: its line, and what it says so far.
enum Item {
    Node { place: u32, rank: usize },
    Edge(Box<Edge>),
}

struct Edge {
    line: usize,
    ends: Result<(String, String), FormatError>,
    is_directed: Option<bool>,
    values: [Option<String>; 2],
    label: Option<String>,
}

/// Names of data that label a node, the best first.
const LABELS: [&str; 3] = ["label", "name", "nodelabel"];

struct Reading {
    draft: Draft,
    keys: FxHashMap<String, Key>,
    is_directed: Option<bool>,
    items: Vec<Item>,
}

fn parse(text: &str) -> Result<GraphRead, FormatError> {
    parse_nth(text, 1)
}

fn parse_nth(text: &str, wanted: usize) -> Result<GraphRead, FormatError> {
    let mut pieces = Pieces::new(unmarked(text));
    let mut r = Reading {
        draft: Draft::new(),
        keys: FxHashMap::default(),
        is_directed: None,
        items: Vec::new(),
    };
    let mut depth = 0_usize;
    // Whether what comes is of the graph to read, or stands before any.
    let (mut is_read, mut n_graphs) = (true, 0);
    // The key, or the tag of yEd, whose text comes; and the key whose default comes.
    let mut data: Option<(String, usize)> = None;
    let mut key: Option<String> = None;
    let mut value = String::new();
    loop {
        let (line, piece) = match pieces.next() {
            Ok(Some(piece)) => piece,
            Ok(None) => break,
            Err(error) if r.draft.n_nodes() == 0 => return Err(error),
            Err(error) => {
                r.draft.notes.fault(error);
                break;
            }
        };
        match piece {
            Piece::Open { tag, attributes, is_closed } => match tag.as_str() {
                "key" => {
                    let Some(id) = attribute(&attributes, "id") else { continue };
                    let name = attribute(&attributes, "attr.name")
                        .or_else(|| attribute(&attributes, "yfiles.type"))
                        .unwrap_or(id);
                    let is_for_edges =
                        matches!(attribute(&attributes, "for"), Some("edge" | "all") | None);
                    let new = Key { name: name.to_ascii_lowercase(), default: None, is_for_edges };
                    r.keys.insert(id.to_owned(), new);
                    key = (!is_closed).then(|| id.to_owned());
                }
                "default" => value.clear(),
                "graph" => {
                    if depth == 0 {
                        n_graphs += 1;
                        is_read = n_graphs == wanted;
                        if is_read {
                            r.is_directed =
                                Some(attribute(&attributes, "edgedefault") == Some("directed"));
                        } else {
                            r.draft.drop_graph(wanted, line);
                        }
                    }
                    depth += usize::from(!is_closed);
                }
                _ if !is_read => {}
                "node" => {
                    let node = inside(depth)
                        .and_then(|()| needed(&attributes, "node", "id"))
                        .and_then(|id| r.draft.node(id));
                    match node {
                        Ok(place) => {
                            if !is_closed {
                                r.items.push(Item::Node { place, rank: LABELS.len() });
                            }
                        }
                        Err(error) => r.draft.fault_of(line, error),
                    }
                }
                "edge" => {
                    let end = |key| needed(&attributes, "edge", key).map(str::to_owned);
                    let ends = inside(depth).and_then(|()| Ok((end("source")?, end("target")?)));
                    let is_directed = match attribute(&attributes, "directed") {
                        Some("true" | "1") => Some(true),
                        Some("false" | "0") => Some(false),
                        _ => None,
                    };
                    let label = attribute(&attributes, "label").map(str::to_owned);
                    for port in ["sourceport", "targetport"] {
                        if attribute(&attributes, port).is_some() {
                            r.draft.note(NoteKind::Dropped, "port| of edges", "", line);
                        }
                    }
                    let edge =
                        Box::new(Edge { line, ends, is_directed, values: [None, None], label });
                    if is_closed {
                        r.add(*edge);
                    } else {
                        r.items.push(Item::Edge(edge));
                    }
                }
                "hyperedge" => r.draft.note(NoteKind::Dropped, "hyperedge|", "", line),
                "data" if !is_closed => {
                    data = attribute(&attributes, "key").map(|key| (key.to_owned(), line));
                    value.clear();
                }
                "NodeLabel" | "EdgeLabel" => {
                    data = Some((tag, line));
                    value.clear();
                }
                _ => {}
            },
            Piece::Text(part) => {
                if data.is_some() || key.is_some() {
                    value.push_str(&part);
                }
            }
            Piece::Close(tag) => match tag.as_str() {
                "default" => {
                    if let Some(key) = key.as_ref().and_then(|key| r.keys.get_mut(key)) {
                        key.default = Some(value.trim().to_owned());
                    }
                }
                "key" => key = None,
                "data" | "NodeLabel" | "EdgeLabel" => {
                    if let Some((key, line)) = data.take() {
                        r.say(&key, value.trim(), line);
                    }
                }
                "node" | "edge" => {
                    let is_edge = tag == "edge";
                    if r.items.last().is_some_and(|i| matches!(i, Item::Edge(_)) == is_edge)
                        && let Some(Item::Edge(edge)) = r.items.pop()
                    {
                        r.add(*edge);
                    }
                }
                "graph" => {
                    depth = depth.saturating_sub(1);
                    is_read &= depth > 0;
                }
                _ => {}
            },
        }
    }
    if n_graphs > 0 && n_graphs < wanted {
        return Err(too_few(wanted, n_graphs));
    }
    let Some(directed) = r.is_directed else {
        // A node outside says more than that there is no graph.
        r.draft.finish(Direction::Is(false))?;
        return Err(FormatError::new("there is no <graph>: GraphML is <graphml><graph …>"));
    };
    r.draft.finish(Direction::Is(directed))
}

fn inside(depth: usize) -> Result<(), FormatError> {
    if depth > 0 {
        return Ok(());
    }
    Err(FormatError::new("a node or edge stands outside <graph>"))
}

impl Reading {
    /// What a datum says of the innermost item.
    fn say(&mut self, key: &str, value: &str, line: usize) {
        let name = self.keys.get(key).map_or(key, |k| &k.name).to_ascii_lowercase();
        match self.items.last_mut() {
            Some(Item::Node { place, rank }) => {
                match LABELS.iter().position(|l| *l == name) {
                    Some(i) if !value.is_empty() => {
                        if i < *rank {
                            *rank = i;
                            self.draft.label(*place, value);
                        } else {
                            self.draft.drop_node_value(&name, line);
                        }
                    }
                    // yEd puts its labels into data of its own.
                    _ if value.is_empty() => {}
                    _ => self.draft.drop_node_value(&name, line),
                }
            }
            Some(Item::Edge(edge)) => match VALUES.iter().position(|v| *v == name) {
                Some(i) => edge.values[i] = Some(value.to_owned()),
                None if name == "edgelabel" || name == "label" => {
                    if !value.is_empty() {
                        edge.label = Some(value.to_owned());
                    }
                }
                None if value.is_empty() => {}
                None => self.draft.drop_edge_value(&name, line),
            },
            None => {
                if !value.is_empty() {
                    self.draft.note(
                        NoteKind::Dropped,
                        "value| of the graph's attribute",
                        &name,
                        line,
                    );
                }
            }
        }
    }

    fn add(&mut self, mut edge: Edge) {
        for (i, called) in VALUES.iter().enumerate() {
            if edge.values[i].is_none() {
                let is_it = |k: &&Key| k.is_for_edges && k.name == *called && k.default.is_some();
                // The order of keys does not matter: a file has one of a name.
                let default = self.keys.values().find(is_it).and_then(|k| k.default.clone());
                if default.is_some() {
                    edge.values[i] = default;
                    let what = "edge| without a value of its own, which got the default of";
                    self.draft.note(NoteKind::Defaulted, what, called, edge.line);
                }
            }
        }
        let mut values = [None; 2];
        for (i, value) in edge.values.iter().enumerate() {
            if let Some(value) = value {
                match number(value, VALUES[i], None) {
                    Ok(number) => values[i] = Some(number),
                    Err(error) => return self.draft.fault_of(edge.line, error),
                }
            }
        }
        let before = self.draft.n_edges();
        match edge.ends {
            Ok((a, b)) => self.draft.link([&a, &b], values, edge.is_directed, edge.line),
            Err(error) => self.draft.fault_of(edge.line, error),
        }
        if let Some(label) = edge.label
            && self.draft.n_edges() > before
        {
            self.draft.edge_label(&label);
        }
    }
}

fn write(graph: &Graph) -> Result<String, FormatError> {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    for key in VALUES {
        text += &format!(
            "  <key id=\"{key}\" for=\"edge\" attr.name=\"{key}\" attr.type=\"double\"/>\n"
        );
    }
    let kind = if graph.is_directed() { "directed" } else { "undirected" };
    text += &format!("  <graph edgedefault=\"{kind}\">\n");
    for node in graph.names() {
        text += &format!("    <node id=\"{}\"/>\n", escaped(&node.to_string()));
    }
    for e in graph.edges() {
        let (source, target) = (escaped(&e.source.to_string()), escaped(&e.target.to_string()));
        text += &format!("    <edge source=\"{source}\" target=\"{target}\">");
        for (key, value) in VALUES.iter().zip([e.weight, e.capacity]) {
            if let Some(value) = value {
                text += &format!("<data key=\"{key}\">{value}</data>");
            }
        }
        text += "</edge>\n";
    }
    Ok(text + "  </graph>\n</graphml>\n")
}

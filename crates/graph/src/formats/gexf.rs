//! GEXF, the format of Gephi.

use rustc_hash::FxHashMap;

use super::xml::{Piece, Pieces, attribute, escaped, needed};
use super::{Direction, Draft, Format, FormatError, GraphRead, NoteKind, number, unmarked};
use crate::Graph;

pub(super) const FORMAT: Format = Format {
    id: "gexf",
    title: "GEXF",
    extensions: &["gexf"],
    reads: "nodes by their labels or ids, edges with their weights, types and the attribute \
            `capacity`, defaults of attributes, nested nodes as nodes of the whole",
    loses: "other attributes, times, colours and places, hierarchy",
    keeps: "nodes, edges, weights, capacities",
    is_it: |peek| peek.root().as_deref() == Some("gexf"),
    parse,
    nth: None,
    write: Some(write),
};

const VALUES: [&str; 2] = ["weight", "capacity"];

struct Edge {
    line: usize,
    ends: Result<(String, String), FormatError>,
    is_directed: Option<bool>,
    values: [Option<String>; 2],
    label: Option<String>,
}

#[derive(Default)]
struct Reading {
    /// What attributes of edges and of nodes are called, by their ids.
    titles: [FxHashMap<String, String>; 2],
    defaults: [Option<String>; 2],
    /// The edge that is open.
    edge: Option<Edge>,
}

fn parse(text: &str) -> Result<GraphRead, FormatError> {
    let mut pieces = Pieces::new(unmarked(text));
    let mut draft = Draft::new();
    let mut r = Reading::default();
    let mut directed = None;
    // Whether attributes are declared of edges, the one that is, and whether its default comes.
    let (mut of_edges, mut declared, mut value) = (false, None::<String>, None::<String>);
    loop {
        let (line, piece) = match pieces.next() {
            Ok(Some(piece)) => piece,
            Ok(None) => break,
            Err(error) if draft.n_nodes() == 0 => return Err(error),
            Err(error) => {
                draft.notes.fault(error);
                break;
            }
        };
        match piece {
            Piece::Open { tag, attributes, is_closed } => {
                let get = |key: &str| attribute(&attributes, key);
                match tag.as_str() {
                    "graph" => {
                        directed = Some(get("defaultedgetype").is_some_and(|t| t != "undirected"));
                        if get("mode") == Some("dynamic") {
                            draft.note(NoteKind::Dropped, "time| of a dynamic graph", "", line);
                        }
                    }
                    "attributes" => of_edges = get("class") == Some("edge"),
                    "attribute" => {
                        let id = get("id").unwrap_or_default().to_owned();
                        let title = get("title").unwrap_or(&id).to_ascii_lowercase();
                        declared = Some(title.clone());
                        r.titles[usize::from(!of_edges)].insert(id, title);
                    }
                    "default" => value = Some(String::new()),
                    "node" => {
                        let node = needed(&attributes, "node", "id").and_then(|id| draft.node(id));
                        match node {
                            Ok(node) => {
                                if let Some(label) = get("label") {
                                    draft.label(node, label);
                                }
                                if get("pid").is_some() {
                                    draft.note(NoteKind::Dropped, "parent| of nodes", "", line);
                                }
                            }
                            Err(error) => draft.fault_of(line, error),
                        }
                    }
                    "edge" => {
                        let end = |key| needed(&attributes, "edge", key).map(str::to_owned);
                        let ends = end("source").and_then(|a| Ok((a, end("target")?)));
                        let is_directed = match get("type") {
                            Some("directed") => Some(true),
                            Some("undirected" | "mutual") => Some(false),
                            _ => None,
                        };
                        let weight = get("weight").map(str::to_owned);
                        let label = get("label").filter(|l| !l.is_empty()).map(str::to_owned);
                        let edge = Edge { line, ends, is_directed, values: [weight, None], label };
                        if is_closed {
                            add(&mut draft, &r.defaults, edge);
                        } else {
                            r.edge = Some(edge);
                        }
                    }
                    "attvalue" => {
                        let key = get("for").or_else(|| get("id")).unwrap_or_default();
                        let is_edge = r.edge.is_some();
                        let titles = &r.titles[usize::from(!is_edge)];
                        let title = titles.get(key).map_or(key, String::as_str);
                        let slot = VALUES.iter().position(|v| *v == title);
                        match (&mut r.edge, slot) {
                            (Some(edge), Some(i)) => {
                                edge.values[i] = get("value").map(str::to_owned);
                            }
                            (Some(_), None) => draft.drop_edge_value(title, line),
                            (None, _) => draft.drop_node_value(title, line),
                        }
                    }
                    "spell" => draft.note(NoteKind::Dropped, "span| of time", "", line),
                    "color" | "position" | "size" | "shape" | "thickness" => {
                        let name = format!("viz:{tag}");
                        draft.note(NoteKind::Dropped, "value|", &name, line);
                    }
                    _ => {}
                }
            }
            Piece::Text(part) => {
                if let Some(value) = &mut value {
                    value.push_str(&part);
                }
            }
            Piece::Close(tag) => match tag.as_str() {
                "default" => {
                    let slot = VALUES.iter().position(|v| Some(*v) == declared.as_deref());
                    if let (Some(i), true) = (slot, of_edges) {
                        r.defaults[i] = value.take();
                    }
                    value = None;
                }
                "attribute" => declared = None,
                "edge" => {
                    if let Some(edge) = r.edge.take() {
                        add(&mut draft, &r.defaults, edge);
                    }
                }
                _ => {}
            },
        }
    }
    let Some(directed) = directed else {
        return Err(FormatError::new("there is no <graph>: GEXF is <gexf><graph …>"));
    };
    draft.finish(Direction::Is(directed))
}

fn add(draft: &mut Draft, defaults: &[Option<String>; 2], edge: Edge) {
    let mut values = [None; 2];
    for i in 0..2 {
        let own = edge.values[i].as_ref();
        if own.is_none() && defaults[i].is_some() {
            let what = "edge| without a value of its own, which got the default of";
            draft.note(NoteKind::Defaulted, what, VALUES[i], edge.line);
        }
        if let Some(value) = own.or(defaults[i].as_ref()) {
            match number(value, VALUES[i], None) {
                Ok(number) => values[i] = Some(number),
                Err(error) => return draft.fault_of(edge.line, error),
            }
        }
    }
    let before = draft.n_edges();
    match edge.ends {
        Ok((a, b)) => draft.link([&a, &b], values, edge.is_directed, edge.line),
        Err(error) => draft.fault_of(edge.line, error),
    }
    if let Some(label) = edge.label
        && draft.n_edges() > before
    {
        draft.edge_label(&label);
    }
}

fn write(graph: &Graph) -> Result<String, FormatError> {
    let kind = if graph.is_directed() { "directed" } else { "undirected" };
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <gexf xmlns=\"http://www.gexf.net/1.2draft\" version=\"1.2\">\n  \
         <graph defaultedgetype=\"{kind}\" mode=\"static\">\n    <attributes class=\"edge\">\n      \
         <attribute id=\"capacity\" title=\"capacity\" type=\"double\"/>\n    </attributes>\n    \
         <nodes>\n"
    );
    for node in graph.names() {
        let name = escaped(&node.to_string());
        text += &format!("      <node id=\"{name}\" label=\"{name}\"/>\n");
    }
    text += "    </nodes>\n    <edges>\n";
    for (i, e) in graph.edges().enumerate() {
        let (source, target) = (escaped(&e.source.to_string()), escaped(&e.target.to_string()));
        text += &format!("      <edge id=\"{i}\" source=\"{source}\" target=\"{target}\"");
        if let Some(weight) = e.weight {
            text += &format!(" weight=\"{weight}\"");
        }
        match e.capacity {
            Some(c) => {
                text += &format!(
                    "><attvalues><attvalue for=\"capacity\" value=\"{c}\"/></attvalues></edge>\n"
                );
            }
            None => text += "/>\n",
        }
    }
    Ok(text + "    </edges>\n  </graph>\n</gexf>\n")
}

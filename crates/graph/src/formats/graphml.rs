//! GraphML: nodes and edges as XML, weights as data of a key called `weight`.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use rustc_hash::FxHashMap;

use super::{Format, FormatError, add_edge, name, number};
use crate::{Graph, NodeName};

pub(super) const FORMAT: Format = Format {
    id: "graphml",
    title: "GraphML",
    extensions: &["graphml", "xml"],
    keeps: "nodes, edges, weights, capacities",
    parse,
    write: Some(write),
};

struct Edge {
    ends: (NodeName, NodeName),
    values: [Option<f64>; 2],
}

const VALUES: [&str; 2] = ["weight", "capacity"];

fn parse(text: &str) -> Result<Graph, FormatError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = Reader::from_str(text);
    let mut graph: Option<Graph> = None;
    let mut keys: FxHashMap<String, String> = FxHashMap::default();
    let mut edge: Option<Edge> = None;
    // Which value of the edge the text that comes belongs to.
    let mut slot: Option<usize> = None;
    let mut value = String::new();
    loop {
        let start = reader.buffer_position() as usize;
        let line = || 1 + text.as_bytes().iter().take(start).filter(|&&b| b == b'\n').count();
        // Counting lines takes time, so it waits for an error.
        let located = |e: FormatError| FormatError::at(line(), e.message);
        let named = |text: &str| name(text, None).map_err(located);
        let event = reader
            .read_event()
            .map_err(|e| FormatError::at(line(), format!("this is not XML: {e}")))?;
        let closed = matches!(event, Event::Empty(_));
        match event {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) => {
                let attribute = |key: &str| attribute(&tag, key);
                let needed = |key: &str| {
                    attribute(key).ok_or_else(|| {
                        let tag = String::from_utf8_lossy(tag.local_name().as_ref()).into_owned();
                        FormatError::at(line(), format!("a <{tag}> has no attribute `{key}`"))
                    })
                };
                match tag.local_name().as_ref() {
                    b"key" => {
                        keys.insert(needed("id")?, attribute("attr.name").unwrap_or_default());
                    }
                    b"graph" if graph.is_none() => {
                        let directed = attribute("edgedefault").as_deref() == Some("directed");
                        graph =
                            Some(if directed { Graph::directed() } else { Graph::undirected() });
                    }
                    b"node" => {
                        let id = named(&needed("id")?)?;
                        inside(&mut graph, line)?.ensure_node(id)?;
                    }
                    b"edge" => {
                        let end = |key: &str| named(&needed(key)?);
                        let ends = (end("source")?, end("target")?);
                        edge = Some(Edge { ends, values: [None; 2] });
                        if closed && let Some(e) = edge.take() {
                            add_edge(inside(&mut graph, line)?, e.ends, None, None)?;
                        }
                    }
                    b"data" if edge.is_some() && !closed => {
                        let key = needed("key")?;
                        let called = keys.get(&key).unwrap_or(&key);
                        slot = VALUES.iter().position(|v| v == called);
                        value.clear();
                    }
                    _ => {}
                }
            }
            Event::Text(part) if slot.is_some() => {
                let part = part.unescape().map_err(|e| FormatError::at(line(), e.to_string()))?;
                value.push_str(&part);
            }
            Event::End(tag) => match tag.local_name().as_ref() {
                b"data" => {
                    if let (Some(i), Some(e)) = (slot.take(), edge.as_mut()) {
                        e.values[i] = Some(number(&value, VALUES[i], None).map_err(located)?);
                    }
                }
                b"edge" => {
                    if let Some(e) = edge.take() {
                        let [weight, capacity] = e.values;
                        add_edge(inside(&mut graph, line)?, e.ends, weight, capacity)?;
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }
    graph.ok_or_else(|| FormatError::new("there is no <graph>: GraphML is <graphml><graph …>"))
}

fn inside(graph: &mut Option<Graph>, line: impl Fn() -> usize) -> Result<&mut Graph, FormatError> {
    graph.as_mut().ok_or_else(|| FormatError::at(line(), "a node or edge stands outside <graph>"))
}

fn attribute(tag: &BytesStart<'_>, key: &str) -> Option<String> {
    let found =
        tag.attributes().flatten().find(|a| a.key.local_name().as_ref() == key.as_bytes())?;
    Some(found.unescape_value().ok()?.into_owned())
}

fn escaped(node: &NodeName) -> String {
    quick_xml::escape::escape(node.to_string()).into_owned()
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
        text += &format!("    <node id=\"{}\"/>\n", escaped(node));
    }
    for e in graph.edges() {
        let (source, target) = (escaped(e.source), escaped(e.target));
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

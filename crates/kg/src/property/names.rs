//! How the names of a property graph are IRIs, for queries in SPARQL.

use super::graph::PropertyGraph;
use super::ids::NodeId;
use super::value::PropertyValue;
use crate::iris;

/// What every name of a property graph begins with; its prefix is empty.
pub const BASE: &str = "urn:graph:";
/// The property that says by which IRI a node is known.
pub const NAMES: &str = "iri";

/// The IRI of a label, a property or a type of edges.
pub fn label_iri(name: &str) -> String {
    if iris::is_iri(name) {
        return name.to_owned();
    }
    let mut iri = BASE.to_owned();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            iri.push(char::from(byte));
        } else {
            iri.push_str(&format!("%{byte:02X}"));
        }
    }
    iri
}

/// The IRI of a node: what its property [`NAMES`] says, else its id.
pub fn node_iri(graph: &PropertyGraph, id: NodeId) -> String {
    let named = graph.node(id).and_then(|node| node.properties.get(NAMES));
    match named {
        Some(PropertyValue::Text(name)) if !name.is_empty() => label_iri(name),
        _ => label_iri(&format!("n{id}")),
    }
}

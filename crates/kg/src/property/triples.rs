//! A property graph as triples.

use oxrdf::vocab::{geosparql, rdf};
use oxrdf::{Literal, NamedNode, Triple};

use super::names::{self, NAMES as IRI};
use super::{NodeId, PropertyGraph, PropertyValue};

/// The name of a label, a property or a type of edges as an IRI.
fn to_iri(name: &str) -> NamedNode {
    NamedNode::new_unchecked(names::label_iri(name))
}

fn node_iri(graph: &PropertyGraph, id: NodeId) -> NamedNode {
    NamedNode::new_unchecked(names::node_iri(graph, id))
}

/// The triples that show a graph in SPARQL: a label is a class, a property a predicate with a literal
/// (a list gives one for each item), an edge a predicate between nodes. O(n + m).
pub fn triples(graph: &PropertyGraph) -> Vec<Triple> {
    let mut triples = Vec::new();
    for (id, node) in graph.nodes() {
        let subject = node_iri(graph, id);
        for label in &node.labels {
            triples.push(Triple::new(subject.clone(), rdf::TYPE, to_iri(label)));
        }
        for (name, value) in node.properties.iter().filter(|(name, _)| *name != IRI) {
            let mut add = |value: &PropertyValue| {
                triples.push(Triple::new(subject.clone(), to_iri(name), literal(value)));
            };
            match value {
                PropertyValue::List(items) => items.iter().for_each(add),
                one => add(one),
            }
        }
    }
    for (_, edge) in graph.edges() {
        let (source, target) = (node_iri(graph, edge.source), node_iri(graph, edge.target));
        triples.push(Triple::new(source, to_iri(&edge.edge_type), target));
    }
    triples
}

fn literal(value: &PropertyValue) -> Literal {
    match value {
        PropertyValue::Bool(b) => Literal::from(*b),
        PropertyValue::Int(n) => Literal::from(*n),
        PropertyValue::Float(x) => Literal::from(*x),
        PropertyValue::Text(text) => Literal::new_simple_literal(text),
        list @ PropertyValue::List(_) => Literal::new_simple_literal(list.to_string()),
        PropertyValue::Point(point) => {
            Literal::new_typed_literal(point.to_wkt(), geosparql::WKT_LITERAL)
        }
    }
}

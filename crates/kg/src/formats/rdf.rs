//! RDF: N-Triples and Turtle.
//!
//! `rdf:type` is a node's type and `rdfs:label` its name; other literals are attributes, and
//! whatever else goes from node to node is an edge.

use std::io;

use oxrdf::{Literal, NamedNode, NamedOrBlankNode, Term, Triple};
use oxttl::{
    NTriplesParser, NTriplesSerializer, TurtleParser, TurtleSerializer, TurtleSyntaxError,
};
use rustc_hash::FxHashSet;
use serde_json::{Number, Value};

use super::{Faults, Format};
use crate::iris::{self, IriKind, from_iri, last_part, make_iri, to_iri};
use crate::{Kg, KgBuilder, KgError, NodeIx};

/// N-Triples.
pub(super) const N_TRIPLES: Format = Format {
    id: "ntriples",
    title: "N-Triples",
    endings: &["nt"],
    example: "<urn:Bob> <urn:knows> <urn:Alice> .",
    keeps: "everything; a second type of a node becomes an attribute",
    read: |text, into| read("N-Triples", text, NTriplesParser::new().for_slice(text), into),
    write: |kg| {
        let mut to = NTriplesSerializer::new().for_writer(Vec::new());
        let done = each(kg, |triple| to.serialize_triple(triple));
        text(done.map(|()| to.finish()))
    },
};

/// Turtle.
pub(super) const TURTLE: Format = Format {
    id: "turtle",
    title: "Turtle",
    endings: &["ttl"],
    example: "<urn:Bob> <urn:knows> <urn:Alice> .",
    keeps: "everything; a second type of a node becomes an attribute",
    read: |text, into| read("Turtle", text, TurtleParser::new().for_slice(text), into),
    write: |kg| {
        let mut to = TurtleSerializer::new();
        for (prefix, iri) in iris::PREFIXES {
            // Each is a valid IRI; without its prefix a file would only be longer.
            to = to.clone().with_prefix(*prefix, *iri).unwrap_or(to);
        }
        let mut to = to.for_writer(Vec::new());
        let done = each(kg, |triple| to.serialize_triple(triple));
        text(done.and_then(|()| to.finish()))
    },
};

/// The datatype of attributes that are lists or objects.
const JSON: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON";
/// The attribute for types beside the first.
const OTHER_TYPES: &str = "other_types";

/// Memory takes all that is written to it, so this is never an error.
fn text(bytes: io::Result<Vec<u8>>) -> String {
    String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
}

/// How often a text may be gone over again for the columns of its faults: the parser counts each
/// from the start of its line, so a thousand faults at the end of one long line would be a thousand
/// times the file.
const COLUMNS_FACTOR: u64 = 8;
/// So many characters of columns are free, in short files too.
const COLUMNS_FREE: u64 = 1_000_000;
/// How many times longer than a file the names in it may be: a long prefix makes any name long, and
/// a small file larger than memory. Files that people write stay under ten.
const NAMES_FACTOR: usize = 50;
/// So many bytes of names are free, in short files too.
const NAMES_FREE: usize = 1_000_000;

/// Reads what a parser finds in a text. Time and memory are in proportion to the text.
fn read(
    what: &str,
    text: &str,
    triples: impl Iterator<Item = Result<Triple, TurtleSyntaxError>>,
    into: &mut KgBuilder,
) -> Faults {
    let mut faults = Faults::default();
    let mut labelled = FxHashSet::default();
    let columns = text.len() as u64 * COLUMNS_FACTOR + COLUMNS_FREE;
    let names = text.len().saturating_mul(NAMES_FACTOR).saturating_add(NAMES_FREE);
    let (mut n_columns, mut n_names) = (0, 0);
    for triple in triples {
        match triple {
            Ok(triple) => {
                n_names += length(&triple);
                if n_names > names {
                    faults.add(
                        0,
                        0,
                        "prefixes or the base make the names far longer than the file",
                    );
                    faults.give_up(what, 0, "names that are 50 times as long as the file");
                    break;
                }
                match one(&triple, into, &mut labelled) {
                    Ok(()) => faults.n_read += 1,
                    Err(error) => {
                        // The parser tells no place of what it could read.
                        faults.add(0, 0, format!("{error}, in {triple}"));
                        if faults.are_too_many(what, 0) {
                            break;
                        }
                    }
                }
            }
            Err(error) => {
                let at = error.location().start;
                let (line, column) = (at.line as usize + 1, at.column as usize + 1);
                faults.add(line, column, error.message());
                n_columns += at.column;
                if n_columns > columns {
                    let after = format!("{} faults far into a long line,", faults.n);
                    faults.give_up(what, line, &after);
                }
                if faults.are_too_many(what, line) {
                    break;
                }
            }
        }
    }
    into.name_the_rest(last_part);
    faults
}

/// The bytes of a triple's names.
fn length(triple: &Triple) -> usize {
    let subject = match &triple.subject {
        NamedOrBlankNode::NamedNode(node) => node.as_str().len(),
        NamedOrBlankNode::BlankNode(node) => node.as_str().len(),
    };
    let object = match &triple.object {
        Term::NamedNode(node) => node.as_str().len(),
        Term::BlankNode(node) => node.as_str().len(),
        Term::Literal(literal) => literal.value().len(),
    };
    subject + triple.predicate.as_str().len() + object
}

fn one(
    triple: &Triple,
    into: &mut KgBuilder,
    labelled: &mut FxHashSet<NodeIx>,
) -> Result<(), KgError> {
    let subject = match &triple.subject {
        NamedOrBlankNode::NamedNode(node) => from_iri(IriKind::Node, node.as_str()),
        NamedOrBlankNode::BlankNode(node) => node.to_string(),
    };
    let predicate = triple.predicate.as_str();
    match &triple.object {
        Term::NamedNode(of) if predicate == iris::TYPE => {
            let of = from_iri(IriKind::Type, of.as_str());
            let has = into.find(&subject).and_then(|n| into.type_of(n));
            match has {
                Some(has) if has == of => Ok(()),
                Some(_) => into.attribute(&subject, OTHER_TYPES, of.into()),
                None => into.node(&subject, &of, "", serde_json::Map::new()),
            }
        }
        Term::NamedNode(object) => {
            let object = from_iri(IriKind::Node, object.as_str());
            into.edge(&subject, &from_iri(IriKind::Edge, predicate), &object)
        }
        Term::BlankNode(object) => {
            into.edge(&subject, &from_iri(IriKind::Edge, predicate), &object.to_string())
        }
        Term::Literal(literal) if predicate == iris::LABEL => {
            // Of labels in many languages the English one, else the first.
            let is_better = literal.language().is_none_or(|l| l.starts_with("en"));
            let is_first = into.find(&subject).is_none_or(|n| !labelled.contains(&n));
            if is_first || is_better {
                into.name(&subject, literal.value())?;
            }
            labelled.extend(into.find(&subject));
            Ok(())
        }
        Term::Literal(literal) => {
            into.attribute(&subject, &from_iri(IriKind::Attribute, predicate), value(literal))
        }
    }
}

fn value(literal: &Literal) -> Value {
    let text = literal.value();
    let parsed = match literal.datatype().as_str().rsplit('#').next().unwrap_or_default() {
        "boolean" => text.parse().ok().map(Value::Bool),
        "integer" | "int" | "long" => text.parse::<i64>().ok().map(Value::from),
        "decimal" | "double" | "float" => {
            text.parse().ok().and_then(Number::from_f64).map(Value::Number)
        }
        "JSON" => serde_json::from_str(text).ok(),
        _ => None,
    };
    parsed.unwrap_or_else(|| text.into())
}

fn literal(value: &Value) -> Literal {
    match value {
        Value::String(text) => Literal::from(text.as_str()),
        Value::Bool(yes) => Literal::from(*yes),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Literal::from(whole),
            None => Literal::from(number.as_f64().unwrap_or_default()),
        },
        other => Literal::new_typed_literal(other.to_string(), NamedNode::new_unchecked(JSON)),
    }
}

/// The node for an IRI; a name that only looks like one is made one.
pub(crate) fn named(kind: IriKind, name: &str) -> NamedNode {
    let iri = to_iri(kind, name);
    NamedNode::new(iri).unwrap_or_else(|_| NamedNode::new_unchecked(make_iri(kind, name)))
}

/// Gives every triple that a graph is, node by node. O(n + m).
///
/// # Errors
/// That of the function that takes a triple; no more are given after it.
pub fn each<E>(kg: &Kg, mut tell: impl FnMut(&Triple) -> Result<(), E>) -> Result<(), E> {
    let is_type = NamedNode::new_unchecked(iris::TYPE);
    let is_called = NamedNode::new_unchecked(iris::LABEL);
    for node in kg.nodes() {
        let subject = named(IriKind::Node, kg.id(node));
        let of = named(IriKind::Type, &kg.schema().node_type(kg.node_type(node)).name);
        tell(&Triple::new(subject.clone(), is_type.clone(), of))?;
        let without = last_part(kg.id(node));
        if kg.name(node) != without.as_deref().unwrap_or(kg.id(node)) {
            let name = Literal::from(kg.name(node));
            tell(&Triple::new(subject.clone(), is_called.clone(), name))?;
        }
        for (key, value) in kg.attributes(node).into_iter().flatten() {
            let key = named(IriKind::Attribute, key);
            tell(&Triple::new(subject.clone(), key, literal(value)))?;
        }
        for (edge_type, _, other) in kg.edges_of(node, crate::Direction::Out) {
            let edge = named(IriKind::Edge, &kg.schema().edge_type(edge_type).name);
            tell(&Triple::new(subject.clone(), edge, named(IriKind::Node, kg.id(other))))?;
        }
    }
    Ok(())
}

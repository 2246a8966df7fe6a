//! RDF: N-Triples, Turtle, N-Quads, TriG, RDF/XML and JSON-LD.
//!
//! `rdf:type` is a node's type and `rdfs:label` its name; other literals are attributes, and
//! whatever else goes from node to node is an edge. Languages and datatypes are kept beside the
//! attributes, for SPARQL and for writing. The graphs of a data set are one graph here.

use std::{fmt, io};

use oxjsonld::{JsonLdParser, JsonLdSerializer, JsonLdSyntaxError};
use oxrdf::{GraphName, Literal, NamedNode, NamedOrBlankNode, Quad, Term, Triple};
use oxrdfxml::{RdfXmlParser, RdfXmlSerializer, RdfXmlSyntaxError};
use oxttl::{
    NQuadsParser, NTriplesParser, NTriplesSerializer, TriGParser, TurtleParser, TurtleSerializer,
    TurtleSyntaxError,
};
use rustc_hash::FxHashSet;
use serde_json::{Number, Value};

use super::{Faults, Format};
use crate::iris::{self, IriKind, from_iri, last_part, make_iri, to_iri};
use crate::kg::LABELS;
use crate::{Kg, KgBuilder, KgError, NodeIx};

const KEEPS: &str = "everything, with languages and datatypes";
const KEEPS_NO_GRAPHS: &str = "everything but the names of graphs, with languages and datatypes";

/// N-Triples.
pub(super) const N_TRIPLES: Format = Format {
    id: "ntriples",
    title: "N-Triples",
    endings: &["nt"],
    example: "<urn:Bob> <urn:knows> <urn:Alice> .",
    keeps: KEEPS,
    read: |text, into| read("N-Triples", text, NTriplesParser::new().for_slice(text), into),
    write: write_lines,
};

/// Turtle.
pub(super) const TURTLE: Format = Format {
    id: "turtle",
    title: "Turtle",
    endings: &["ttl"],
    example: "<urn:Bob> <urn:knows> <urn:Alice> .",
    keeps: KEEPS,
    read: |text, into| read("Turtle", text, TurtleParser::new().for_slice(text), into),
    write: write_turtle,
};

/// N-Quads.
pub(super) const N_QUADS: Format = Format {
    id: "nquads",
    title: "N-Quads",
    endings: &["nq"],
    example: "<urn:Bob> <urn:knows> <urn:Alice> <urn:friends> .",
    keeps: KEEPS_NO_GRAPHS,
    read: |text, into| read("N-Quads", text, NQuadsParser::new().for_slice(text), into),
    // Triples are quads of the graph without a name.
    write: write_lines,
};

/// TriG.
pub(super) const TRIG: Format = Format {
    id: "trig",
    title: "TriG",
    endings: &["trig"],
    example: "<urn:friends> { <urn:Bob> <urn:knows> <urn:Alice> }",
    keeps: KEEPS_NO_GRAPHS,
    read: |text, into| read("TriG", text, TriGParser::new().for_slice(text), into),
    write: write_turtle,
};

/// RDF/XML.
pub(super) const RDF_XML: Format = Format {
    id: "rdfxml",
    title: "RDF/XML",
    endings: &["rdf", "owl"],
    example: "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:n=\"urn:\">\
              <rdf:Description rdf:about=\"urn:Bob\"><n:knows rdf:resource=\"urn:Alice\"/>\
              </rdf:Description></rdf:RDF>",
    keeps: KEEPS,
    read: |text, into| read("RDF/XML", text, RdfXmlParser::new().for_slice(text), into),
    write: |kg| {
        let mut to = RdfXmlSerializer::new().for_writer(Vec::new());
        let done = each(kg, |triple| to.serialize_triple(triple));
        text(done.and_then(|()| to.finish()))
    },
};

/// JSON-LD.
pub(super) const JSON_LD: Format = Format {
    id: "jsonld",
    title: "JSON-LD",
    endings: &["jsonld"],
    example: "{\"@id\": \"urn:Bob\", \"urn:knows\": {\"@id\": \"urn:Alice\"}}",
    keeps: KEEPS_NO_GRAPHS,
    read: |text, into| read("JSON-LD", text, JsonLdParser::new().for_slice(text), into),
    write: |kg| {
        let mut to = JsonLdSerializer::new().for_writer(Vec::new());
        let done =
            each(kg, |triple| to.serialize_quad(&triple.clone().in_graph(GraphName::DefaultGraph)));
        text(done.and_then(|()| to.finish()))
    },
};

fn write_lines(kg: &Kg) -> String {
    let mut to = NTriplesSerializer::new().for_writer(Vec::new());
    let done = each(kg, |triple| to.serialize_triple(triple));
    text(done.map(|()| to.finish()))
}

fn write_turtle(kg: &Kg) -> String {
    let mut to = TurtleSerializer::new();
    for (prefix, iri) in iris::PREFIXES {
        // Each is a valid IRI; without its prefix a file would only be longer.
        to = to.clone().with_prefix(*prefix, *iri).unwrap_or(to);
    }
    let mut to = to.for_writer(Vec::new());
    let done = each(kg, |triple| to.serialize_triple(triple));
    text(done.and_then(|()| to.finish()))
}

/// Whether a text is RDF by the signs of its first lines, and in which format.
pub(super) fn sniff(start: &str) -> Option<&'static str> {
    let is_xml =
        start.starts_with('<') && start.contains("http://www.w3.org/1999/02/22-rdf-syntax-ns#");
    let is_json = start.starts_with(['{', '[']);
    let has_key = |key: &str| start.contains(&format!("\"{key}\""));
    let line = start.lines().find(|line| !line.is_empty() && !line.starts_with('#'))?.trim_end();
    let is_line = line.starts_with(['<', '_']) && line.ends_with('.') && line.contains("> ");
    // Four terms, of which the last is an address or a blank node.
    let n_addresses = line.matches('<').count();
    let is_quad = line.trim_end_matches('.').trim_end().ends_with('>')
        && (n_addresses == 4 || n_addresses == 3 && line.contains('"'));
    if is_xml && (start.contains("RDF") || start.contains(":about")) {
        Some("rdfxml")
    } else if is_json && ["@context", "@id", "@graph"].into_iter().any(has_key) {
        Some("jsonld")
    } else if is_line && !start.contains("@prefix") && is_quad {
        Some("nquads")
    } else {
        None
    }
}

/// A statement, with the graph that it stands in, or without.
trait Statement {
    fn into_triple(self) -> (Triple, bool);
}

impl Statement for Triple {
    fn into_triple(self) -> (Triple, bool) {
        (self, false)
    }
}

impl Statement for Quad {
    fn into_triple(self) -> (Triple, bool) {
        let is_in_graph = self.graph_name != GraphName::DefaultGraph;
        (self.into(), is_in_graph)
    }
}

/// An error of a parser: its line and column from 0, and its words.
trait ParseError: fmt::Display {
    fn place(&self) -> Option<(u64, u64)>;

    fn words(&self) -> String {
        self.to_string()
    }
}

impl ParseError for TurtleSyntaxError {
    fn place(&self) -> Option<(u64, u64)> {
        let at = self.location().start;
        Some((at.line, at.column))
    }

    fn words(&self) -> String {
        self.message().to_owned()
    }
}

impl ParseError for RdfXmlSyntaxError {
    fn place(&self) -> Option<(u64, u64)> {
        None
    }
}

impl ParseError for JsonLdSyntaxError {
    fn place(&self) -> Option<(u64, u64)> {
        let at = self.location()?.start;
        Some((at.line, at.column))
    }

    fn words(&self) -> String {
        let words = self.to_string();
        match words.contains("document_callback") || words.contains("remote context") {
            true => "it names a context at an address, and nothing is fetched; put the context into the \
                     file"
                .into(),
            false => words,
        }
    }
}

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
fn read<T: Statement, E: ParseError>(
    what: &str,
    text: &str,
    statements: impl Iterator<Item = Result<T, E>>,
    into: &mut KgBuilder,
) -> Faults {
    let mut faults = Faults::default();
    let mut labelled = FxHashSet::default();
    let columns = text.len() as u64 * COLUMNS_FACTOR + COLUMNS_FREE;
    let names = text.len().saturating_mul(NAMES_FACTOR).saturating_add(NAMES_FREE);
    let (mut n_columns, mut n_names, mut n_in_graphs) = (0, 0, 0);
    for statement in statements {
        match statement {
            Ok(statement) => {
                let (triple, is_in_graph) = statement.into_triple();
                n_in_graphs += usize::from(is_in_graph);
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
                        // The parser gives no place of what it could read.
                        faults.add(0, 0, format!("{error}, in {triple}"));
                        if faults.are_too_many(what, 0) {
                            break;
                        }
                    }
                }
            }
            Err(error) => {
                let (line, column) = error.place().map_or((0, 0), |(l, c)| (l + 1, c + 1));
                faults.add(line as usize, column as usize, error.words());
                n_columns += column;
                if n_columns > columns {
                    let after = format!("{} faults far into a long line,", faults.n);
                    faults.give_up(what, line as usize, &after);
                }
                if faults.are_too_many(what, line as usize) {
                    break;
                }
            }
        }
    }
    if n_in_graphs > 0 {
        faults.note(format!("changed: {n_in_graphs} statements of named graphs are in one graph"));
    }
    into.drop_literals(is_plain);
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
            into.literals_of(&subject, LABELS)?.push(literal.clone());
            Ok(())
        }
        Term::Literal(literal) => {
            let key = from_iri(IriKind::Attribute, predicate);
            into.literals_of(&subject, &key)?.push(literal.clone());
            into.attribute(&subject, &key, value(literal))
        }
    }
}

/// Whether the attribute, or the name, says as much as the values that RDF has.
fn is_plain(key: &str, values: &[Literal]) -> bool {
    let [only] = values else { return false };
    match key {
        LABELS => *only == Literal::from(only.value()),
        _ => literal(&value(only)) == *only,
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

/// The types of an attribute of [`OTHER_TYPES`].
fn types(value: &Value) -> impl Iterator<Item = &str> {
    let all = match value {
        Value::Array(all) => all.as_slice(),
        one => std::slice::from_ref(one),
    };
    all.iter().filter_map(Value::as_str)
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
        let kept = |key: &str| kg.literals.get(&node.0).and_then(|kept| kept.get(key));
        let without = last_part(kg.id(node));
        if let Some(labels) = kept(LABELS) {
            for label in labels {
                tell(&Triple::new(subject.clone(), is_called.clone(), label.clone()))?;
            }
        } else if kg.name(node) != without.as_deref().unwrap_or(kg.id(node)) {
            let name = Literal::from(kg.name(node));
            tell(&Triple::new(subject.clone(), is_called.clone(), name))?;
        }
        for (key, value) in kg.attributes(node).into_iter().flatten() {
            if key == OTHER_TYPES {
                for of in types(value) {
                    let of = named(IriKind::Type, of);
                    tell(&Triple::new(subject.clone(), is_type.clone(), of))?;
                }
                continue;
            }
            let of = named(IriKind::Attribute, key);
            match kept(key) {
                Some(values) => {
                    for value in values {
                        tell(&Triple::new(subject.clone(), of.clone(), value.clone()))?;
                    }
                }
                None => tell(&Triple::new(subject.clone(), of, literal(value)))?,
            }
        }
        for (edge_type, _, other) in kg.edges_of(node, crate::Direction::Out) {
            let edge = named(IriKind::Edge, &kg.schema().edge_type(edge_type).name);
            tell(&Triple::new(subject.clone(), edge, named(IriKind::Node, kg.id(other))))?;
        }
    }
    Ok(())
}

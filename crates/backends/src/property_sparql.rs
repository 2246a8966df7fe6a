//! A property graph in SPARQL 1.1: queries, and updates.
//!
//! The graph is shown as triples, all names in one namespace with the empty prefix: a label is a
//! class (`?p a :Person`), a property a predicate with a literal (`?p :name "Ada"`; a list gives a
//! triple an item), an edge a predicate between nodes (`?p :WROTE ?t`). A node is `:n7` by its id, or
//! what its property `iri` says, by which nodes that an update names are found again.
//!
//! An update changes triples; what is different then is changed in the graph, and all else stays as
//! it is. So edges keep their properties, which triples do not show, and a node goes with its last
//! triple.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use oxigraph::model::vocab::{rdf, xsd};
use oxigraph::model::{GraphName, Literal, NamedOrBlankNode, Quad, QuadRef, Term, Triple};
use oxigraph::sparql::{QueryResults, SparqlEvaluator};
use oxigraph::store::Store;
use serde_json::Value as Json;

use kg::iris;
use kg::property::names;
use kg::property::{
    Changes, Element, GraphStore, NodeId, Properties, PropertyError, PropertyGraph, PropertyValue,
    Writing, triples,
};

use crate::sparql::{MAX_EDGES, SparqlError, check, syntax};

pub use kg::property::names::{BASE, NAMES as IRI};

/// Why an update changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UpdateError {
    /// It cannot be read or carried out.
    #[error(transparent)]
    Sparql(#[from] SparqlError),
    /// What it makes cannot be in a graph.
    #[error(transparent)]
    Property(#[from] PropertyError),
}

/// What a query gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparqlTable {
    /// The names of its variables.
    pub columns: Vec<String>,
    /// Its rows; null where a variable has no value. Names are texts: `:Person`, `:n7`.
    pub rows: Vec<Vec<Json>>,
    /// Whether there are more rows than were asked for.
    pub is_cut: bool,
}

/// Answers SELECT, ASK, CONSTRUCT and DESCRIBE with at most `max_rows` rows. O(n + m) for the
/// triples, beside what the query takes.
///
/// # Errors
/// The graph is too large, or the query cannot be read, with line and column, or not be answered.
pub fn query(
    graph: &PropertyGraph,
    query: &str,
    max_rows: usize,
) -> Result<SparqlTable, SparqlError> {
    check(query)?;
    let store = load(graph)?;
    let parsed = evaluator()?.parse_query(query).map_err(|e| syntax(&e.to_string(), query))?;
    let mut table = SparqlTable::default();
    match parsed.on_store(&store).execute().map_err(broken)? {
        QueryResults::Boolean(yes) => {
            table.columns = vec!["answer".into()];
            table.rows = vec![vec![Json::Bool(yes)]];
        }
        QueryResults::Solutions(solutions) => {
            table.columns = solutions.variables().iter().map(|v| v.as_str().to_owned()).collect();
            for solution in solutions {
                let solution = solution.map_err(broken)?;
                let term = |term: &Option<Term>| term.as_ref().map_or(Json::Null, to_json);
                table.rows.push(solution.values().iter().map(term).collect());
                if table.rows.len() > max_rows {
                    break;
                }
            }
        }
        QueryResults::Graph(triples) => {
            table.columns = ["subject", "predicate", "object"].map(str::to_owned).to_vec();
            for triple in triples {
                let Triple { subject, predicate, object } = triple.map_err(broken)?;
                let terms = [subject.into(), predicate.into(), object];
                table.rows.push(terms.iter().map(to_json).collect());
                if table.rows.len() > max_rows {
                    break;
                }
            }
        }
    }
    table.is_cut = table.rows.len() > max_rows;
    table.rows.truncate(max_rows);
    Ok(table)
}

/// Whether a text is an update, and no query; what is too deep to be read is neither.
pub fn is_update(text: &str) -> bool {
    check(text).is_ok() && evaluator().is_ok_and(|evaluator| evaluator.parse_update(text).is_ok())
}

/// Carries out an update: all of it, or nothing.
///
/// # Errors
/// It cannot be read, or what it makes cannot be in a graph.
pub fn update(store: &mut GraphStore, text: &str) -> Result<Changes, UpdateError> {
    check(text)?;
    let triples = load(store.now())?;
    let before = all(&triples)?;
    let parsed = evaluator()?.parse_update(text).map_err(|e| syntax(&e.to_string(), text))?;
    parsed.on_store(&triples).execute().map_err(broken)?;
    let after = all(&triples)?;
    store.write(text, |writing| {
        Difference::new(&before, &after, writing).apply(writing)?;
        Ok(writing.changes().clone())
    })
}

fn broken(error: impl std::fmt::Display) -> SparqlError {
    SparqlError::Evaluation { reason: error.to_string() }
}

fn evaluator() -> Result<SparqlEvaluator, SparqlError> {
    let mut evaluator = SparqlEvaluator::new().with_base_iri(BASE).map_err(broken)?;
    for (prefix, iri) in iris::PREFIXES.iter().chain(&[("", BASE)]) {
        evaluator = evaluator.with_prefix(*prefix, *iri).map_err(broken)?;
    }
    Ok(evaluator)
}

fn load(graph: &PropertyGraph) -> Result<Store, SparqlError> {
    let n_edges = graph.n_edges() + graph.n_nodes();
    if n_edges > MAX_EDGES {
        return Err(SparqlError::TooLarge { n_edges });
    }
    let store = Store::new().map_err(broken)?;
    let mut loader = store.bulk_loader();
    let quads = triples(graph).into_iter().map(|t| t.in_graph(GraphName::DefaultGraph));
    loader.load_quads(quads).map_err(broken)?;
    loader.commit().map_err(broken)?;
    Ok(store)
}

/// The triples of the default graph. Others are made by nobody who asks about one graph.
fn all(store: &Store) -> Result<BTreeSet<Fact>, SparqlError> {
    let mut facts = BTreeSet::new();
    for quad in store {
        let quad: Quad = quad.map_err(broken)?;
        let quad: QuadRef<'_> = quad.as_ref();
        facts.insert(Fact {
            subject: node_name(&quad.subject.into_owned()),
            predicate: quad.predicate.as_str().to_owned(),
            object: match quad.object.into_owned() {
                Term::Literal(literal) => Object::Value(ordered(&literal)),
                Term::NamedNode(node) => Object::Node(node.into_string()),
                Term::BlankNode(node) => Object::Node(blank_name(node.as_str())),
                #[allow(unreachable_patterns)]
                other => Object::Value((other.to_string(), String::new())),
            },
        });
    }
    Ok(facts)
}

/// A triple that can be sorted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fact {
    subject: String,
    predicate: String,
    object: Object,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Object {
    Node(String),
    /// What is written, and its type.
    Value((String, String)),
}

fn ordered(literal: &Literal) -> (String, String) {
    (literal.value().to_owned(), literal.datatype().as_str().to_owned())
}

fn node_name(subject: &NamedOrBlankNode) -> String {
    match subject {
        NamedOrBlankNode::NamedNode(node) => node.as_str().to_owned(),
        NamedOrBlankNode::BlankNode(node) => blank_name(node.as_str()),
    }
}

/// A node without a name gets one, to be found again.
fn blank_name(id: &str) -> String {
    format!("{BASE}_{id}")
}

/// The reverse of [`names::label_iri`].
fn from_iri(iri: &str) -> String {
    let Some(rest) = iri.strip_prefix(BASE) else { return iri.to_owned() };
    iris::decoded(rest).unwrap_or_else(|| rest.to_owned())
}

/// A literal as a property: numbers and Booleans where they can be read, else its text.
fn property(text: &str, datatype: &str) -> PropertyValue {
    let number = |x: f64| PropertyValue::Float(x);
    let is = |of: oxigraph::model::NamedNodeRef<'_>| datatype == of.as_str();
    let read = if is(xsd::BOOLEAN) {
        match text {
            "true" | "1" => Some(PropertyValue::Bool(true)),
            "false" | "0" => Some(PropertyValue::Bool(false)),
            _ => None,
        }
    } else if is(xsd::INTEGER) || is(xsd::INT) || is(xsd::LONG) {
        text.parse().ok().map(PropertyValue::Int)
    } else if is(xsd::DECIMAL) || is(xsd::DOUBLE) || is(xsd::FLOAT) {
        text.parse().ok().filter(|x: &f64| x.is_finite()).map(number)
    } else {
        None
    };
    read.unwrap_or_else(|| PropertyValue::Text(text.to_owned()))
}

fn to_json(term: &Term) -> Json {
    match term {
        Term::Literal(literal) => property(literal.value(), literal.datatype().as_str()).to_json(),
        Term::NamedNode(node) => {
            let iri = node.as_str();
            let short = iri.strip_prefix(BASE).map(|_| format!(":{}", from_iri(iri)));
            let known = || {
                let (prefix, start) =
                    iris::PREFIXES.iter().find(|(_, start)| iri.starts_with(start))?;
                Some(format!("{prefix}:{}", &iri[start.len()..]))
            };
            Json::String(short.or_else(known).unwrap_or_else(|| iri.to_owned()))
        }
        other => Json::String(other.to_string()),
    }
}

/// What an update changed, and which node each name is.
struct Difference<'d> {
    before: &'d BTreeSet<Fact>,
    after: &'d BTreeSet<Fact>,
    nodes: HashMap<String, NodeId>,
}

impl<'d> Difference<'d> {
    fn new(before: &'d BTreeSet<Fact>, after: &'d BTreeSet<Fact>, graph: &PropertyGraph) -> Self {
        let name = |(id, _)| (names::node_iri(graph, id), id);
        Self { before, after, nodes: graph.nodes().map(name).collect() }
    }

    fn apply(mut self, writing: &mut Writing) -> Result<(), PropertyError> {
        let is_type = |fact: &Fact| fact.predicate == rdf::TYPE.as_str();
        let mut touched: BTreeMap<(NodeId, String), Vec<(String, String)>> = BTreeMap::new();
        for fact in self.before.difference(self.after) {
            let Some(id) = self.nodes.get(&fact.subject).copied() else { continue };
            match &fact.object {
                Object::Node(class) if is_type(fact) => {
                    writing.remove_label(id, &from_iri(class))?;
                }
                Object::Node(target) => {
                    let target = self.nodes.get(target).copied();
                    let edge_type = from_iri(&fact.predicate);
                    let gone: Vec<_> = writing
                        .outgoing(id)
                        .filter(|edge| {
                            writing.edge(*edge).is_some_and(|edge| {
                                Some(edge.target) == target && edge.edge_type == edge_type
                            })
                        })
                        .collect();
                    for edge in gone {
                        writing.delete_edge(edge)?;
                    }
                }
                Object::Value(_) => {
                    touched.entry((id, fact.predicate.clone())).or_default();
                }
            }
        }
        for fact in self.after.difference(self.before) {
            let id = self.node(&fact.subject, writing)?;
            match &fact.object {
                Object::Node(class) if is_type(fact) => writing.add_label(id, &from_iri(class))?,
                Object::Node(target) => {
                    let target = self.node(target, writing)?;
                    let edge_type = from_iri(&fact.predicate);
                    writing.create_edge(id, &edge_type, target, Properties::new())?;
                }
                Object::Value(_) => {
                    touched.entry((id, fact.predicate.clone())).or_default();
                }
            }
        }
        self.set_properties(touched, writing)?;
        self.delete_nodes(writing)
    }

    /// The node of a name; a new one where there is none.
    fn node(&mut self, name: &str, writing: &mut Writing) -> Result<NodeId, PropertyError> {
        if let Some(id) = self.nodes.get(name) {
            return Ok(*id);
        }
        let iri = PropertyValue::Text(from_iri(name));
        let id = writing.create_node([] as [&str; 0], Properties::from([(IRI.to_owned(), iri)]))?;
        self.nodes.insert(name.to_owned(), id);
        Ok(id)
    }

    /// Gives the properties that changed all values that they have now: one as it is, several as a
    /// list.
    fn set_properties(
        &self,
        mut touched: BTreeMap<(NodeId, String), Vec<(String, String)>>,
        writing: &mut Writing,
    ) -> Result<(), PropertyError> {
        for fact in self.after {
            let (Object::Value(value), Some(id)) = (&fact.object, self.nodes.get(&fact.subject))
            else {
                continue;
            };
            if let Some(values) = touched.get_mut(&(*id, fact.predicate.clone())) {
                values.push(value.clone());
            }
        }
        for ((id, predicate), values) in touched {
            let mut values: Vec<PropertyValue> =
                values.iter().map(|(text, datatype)| property(text, datatype)).collect();
            let value =
                if values.len() > 1 { Some(PropertyValue::List(values)) } else { values.pop() };
            writing.set_property(Element::Node(id), &from_iri(&predicate), value)?;
        }
        Ok(())
    }

    /// Deletes the nodes of which no triple is left.
    fn delete_nodes(&self, writing: &mut Writing) -> Result<(), PropertyError> {
        let named = |facts: &BTreeSet<Fact>| -> BTreeSet<String> {
            let objects = facts.iter().filter_map(|fact| match &fact.object {
                Object::Node(name) if fact.predicate != rdf::TYPE.as_str() => Some(name.clone()),
                _ => None,
            });
            facts.iter().map(|fact| fact.subject.clone()).chain(objects).collect()
        };
        for name in named(self.before).difference(&named(self.after)) {
            let Some(id) = self.nodes.get(name).copied() else { continue };
            for edge in writing.at(id) {
                writing.delete_edge(edge)?;
            }
            writing.delete_node(id)?;
        }
        Ok(())
    }
}

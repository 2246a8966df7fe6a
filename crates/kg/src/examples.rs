//! Queries in SPARQL that have an answer on a graph of a schema, as a beginning.

use crate::Schema;
use crate::iris::{IriKind, PREFIXES, to_iri};

/// A query with what it asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryExample {
    /// What the query asks, in words.
    pub title: String,
    /// In SPARQL, for [`crate::PREFIXES`].
    pub query: String,
}

/// Queries about the types and edges that a graph has; none about a graph without nodes. O(types).
pub fn examples(schema: &Schema) -> Vec<QueryExample> {
    let mut all = Vec::new();
    let mut add = |title: String, query: String| all.push(QueryExample { title, query });
    let name = |t| schema.node_type(t).name.as_str();
    // What comes most often says most about a graph.
    let joined = schema.edge_types().iter().flat_map(|e| e.ends.iter().map(move |ends| (e, ends)));
    let mut joined: Vec<_> = joined
        .filter(|(_, ends)| ends.n_edges > 0)
        .filter_map(|(edge, ends)| {
            let [from, to] = [ends.from, ends.to].map(|t| term(IriKind::Type, name(t)));
            Some((edge, ends, from?, term(IriKind::Edge, &edge.name)?, to?))
        })
        .collect();
    joined.sort_by_key(|(_, ends, ..)| std::cmp::Reverse(ends.n_edges));
    if let Some((edge, ends, from, is, to)) = joined.first() {
        add(
            format!("{} → {} → {}", name(ends.from), edge.name, name(ends.to)),
            format!(
                "SELECT ?from ?to WHERE {{\n  ?from a {from} ;\n    {is} ?to .\n  ?to a {to} .\n}}\n\
                 ORDER BY ?from ?to"
            ),
        );
        add(
            format!("How many {} each {} has", edge.name, name(ends.from)),
            format!(
                "SELECT ?from (COUNT(?to) AS ?n) WHERE {{\n  ?from a {from} ;\n    {is} ?to .\n}}\n\
                 GROUP BY ?from\nORDER BY DESC(?n) ?from"
            ),
        );
    }
    let attribute = schema.node_types().iter().find_map(|of| {
        let attribute = of.attributes.first()?;
        let (is, key) = (term(IriKind::Type, &of.name)?, term(IriKind::Attribute, attribute)?);
        Some((of, attribute, is, key))
    });
    if let Some((of, attribute, is, key)) = attribute {
        add(
            format!("{} with their {attribute}", of.name),
            format!(
                "SELECT ?x ?value WHERE {{\n  ?x a {is} ;\n    {key} ?value .\n}}\nORDER BY ?value"
            ),
        );
    }
    if schema.node_types().iter().any(|t| t.n_nodes > 0) {
        add(
            "Types by how many nodes they have".into(),
            "SELECT ?type (COUNT(?x) AS ?n) WHERE {\n  ?x a ?type .\n}\nGROUP BY ?type\n\
             ORDER BY DESC(?n) ?type"
                .into(),
        );
    }
    all
}

/// A type, an edge or an attribute as it stands in a query; none of an IRI so odd that it may be no
/// valid one.
fn term(kind: IriKind, name: &str) -> Option<String> {
    let iri = to_iri(kind, name);
    for (prefix, start) in PREFIXES {
        if let Some(local) = iri.strip_prefix(start)
            && local.bytes().all(|b| b.is_ascii_alphanumeric() || b"_%".contains(&b))
            && local.starts_with(|c: char| c.is_ascii_alphabetic())
        {
            return Some(format!("{prefix}:{local}"));
        }
    }
    let rest = iri.split_once(':').map_or("", |(_, rest)| rest);
    let is_plain = iri.starts_with("urn:kg:")
        || rest.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~/#".contains(&b))
            && rest.matches('#').count() <= 1;
    is_plain.then(|| format!("<{iri}>"))
}

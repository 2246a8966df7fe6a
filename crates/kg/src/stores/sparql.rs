//! Any endpoint of SPARQL 1.1, by its protocol over POST and its results in JSON.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{
    Ask, ConfirmedForWriting, QueryStore, Remote, RemoteEdge, RemoteEnds, RemoteType, Store,
    StoreAddress, StoreError, StoreKind, StoreRequest, StoreRows, StoreStatement, Told,
    check_place, copy, cut, json, queries,
};
use crate::Direction;
use crate::iris::{self, IriKind, from_iri, is_iri, last_part, make_iri, to_iri};
use crate::property::PropertyGraph;

/// Any endpoint of SPARQL 1.1.
pub(super) const STORE: StoreKind = StoreKind {
    id: "sparql",
    title: "SPARQL endpoint",
    example: "http://127.0.0.1:7878/query",
    open: |place| {
        check_place(&place)?;
        Ok(Box::new(Sparql { place, update_url: None }))
    },
    queries: |place, update_url| {
        check_place(&place)?;
        if let Some(url) = &update_url {
            check_place(&StoreAddress { url: url.clone(), ..place.clone() })?;
        }
        Ok(Box::new(Sparql { place, update_url }))
    },
};

const EXPECTED: &str =
    "SPARQL results in JSON: {\"head\": {\"vars\"}, \"results\": {\"bindings\"}}";

struct Sparql {
    place: StoreAddress,
    /// Where updates go, where that is another address.
    update_url: Option<String>,
}

impl Store for Sparql {
    fn request(&self, ask: &Ask) -> Result<StoreRequest, StoreError> {
        ask.check()?;
        Ok(self.form(&self.query_of(ask)?))
    }

    fn read(&self, ask: &Ask, status: u16, body: &str) -> Result<Told, StoreError> {
        let answer = json(status, body)?;
        if !(200..300).contains(&status) {
            let said = answer["message"].as_str().or(answer["error"].as_str()).unwrap_or(body);
            return Err(StoreError::Refused { status, said: said.chars().take(200).collect() });
        }
        let rows = answer["results"]["bindings"].as_array().ok_or(StoreError::Shape {
            missing: "\"results\" with \"bindings\"".into(),
            expected: EXPECTED,
        })?;
        let rows: Vec<&Map<String, Value>> = rows.iter().filter_map(Value::as_object).collect();
        read_answer(ask, &rows)
    }
}

/// What the store says of an error.
fn refusal(status: u16, said: &str) -> StoreError {
    StoreError::Refused { status, said: said.trim().chars().take(300).collect() }
}

impl QueryStore for Sparql {
    fn language(&self) -> &'static str {
        "SPARQL"
    }

    fn writes_to(&self) -> String {
        self.update_url.clone().unwrap_or_else(|| self.place.url.clone())
    }

    fn query(&self, query: &str) -> Result<StoreRequest, StoreError> {
        queries::check_query(query)?;
        Ok(self.form(query))
    }

    fn update(
        &self,
        query: &str,
        confirmed: &ConfirmedForWriting,
    ) -> Result<StoreRequest, StoreError> {
        queries::check_query(query)?;
        confirmed.check(&self.writes_to())?;
        Ok(StoreRequest {
            method: "POST".into(),
            url: self.writes_to(),
            headers: vec![("content-type".to_owned(), "application/sparql-update".to_owned())],
            body: query.to_owned(),
        })
    }

    fn change(
        &self,
        statement: &StoreStatement,
        confirmed: &ConfirmedForWriting,
    ) -> Result<StoreRequest, StoreError> {
        // The protocol has no values beside the text.
        if !statement.values.is_empty() {
            return Err(StoreError::Values);
        }
        self.update(&statement.text, confirmed)
    }

    fn copy(
        &self,
        name: &str,
        before: Option<&PropertyGraph>,
        now: &PropertyGraph,
    ) -> Result<Vec<StoreStatement>, StoreError> {
        copy::check_copy_name(name)?;
        Ok(copy::in_sparql(name, before, now))
    }

    fn rows(&self, status: u16, body: &str, max_rows: usize) -> Result<StoreRows, StoreError> {
        let answer = json(status, body)?;
        if !(200..300).contains(&status) {
            let said = answer["message"].as_str().or(answer["error"].as_str()).unwrap_or(body);
            return Err(refusal(status, said));
        }
        if let Some(holds) = answer["boolean"].as_bool() {
            let (columns, rows) = (vec!["ask".to_owned()], vec![vec![Value::Bool(holds)]]);
            return Ok(StoreRows { columns, rows, ..StoreRows::default() });
        }
        let missing = |what: &str| StoreError::Shape { missing: what.into(), expected: EXPECTED };
        let columns = answer["head"]["vars"].as_array();
        let columns = columns.ok_or_else(|| missing("\"head\" with \"vars\""))?;
        let columns: Vec<String> =
            columns.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect();
        let found = answer["results"]["bindings"].as_array();
        let found = found.ok_or_else(|| missing("\"results\" with \"bindings\""))?;
        let mut rows = StoreRows { columns: columns.clone(), ..StoreRows::default() };
        rows.fill(
            found.iter().map(|row| columns.iter().map(|name| term(&row[name.as_str()])).collect()),
            max_rows,
        );
        Ok(rows)
    }

    fn written(&self, status: u16, body: &str, _: usize) -> Result<StoreRows, StoreError> {
        queries::check_length(body)?;
        // The protocol leaves it open what a store says where all went well.
        if (200..300).contains(&status) {
            return Ok(StoreRows::default());
        }
        let answer: Value = serde_json::from_str(body).unwrap_or_default();
        let said = answer["message"].as_str().or(answer["error"].as_str()).unwrap_or(body);
        Err(refusal(status, said))
    }
}

/// A term as a value: numbers and truth as such, IRIs in angle brackets, other literals as texts.
fn term(term: &Value) -> Value {
    let Some(text) = term["value"].as_str() else { return Value::Null };
    match term["type"].as_str() {
        Some("uri") => return Value::String(format!("<{text}>")),
        Some("bnode") => return Value::String(format!("_:{text}")),
        _ => {}
    }
    let datatype = term["datatype"].as_str().unwrap_or_default();
    let parsed = match datatype.strip_prefix("http://www.w3.org/2001/XMLSchema#") {
        Some("integer" | "int" | "long" | "short" | "byte" | "nonNegativeInteger") => {
            text.parse::<i64>().ok().map(Value::from)
        }
        Some("decimal" | "double" | "float") => {
            text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from)
        }
        Some("boolean") => match text {
            "true" | "1" => Some(Value::Bool(true)),
            "false" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        _ => None,
    };
    parsed.unwrap_or_else(|| Value::String(text.to_owned()))
}

impl Sparql {
    /// A query as a form, which is what a browser may send without asking first.
    fn form(&self, query: &str) -> StoreRequest {
        let mut body = String::from("query=");
        for byte in query.bytes() {
            match byte {
                b' ' | b'\n' => body.push('+'),
                b if b.is_ascii_alphanumeric() || b"-._*".contains(&b) => body.push(char::from(b)),
                b => body.push_str(&format!("%{b:02X}")),
            }
        }
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        StoreRequest {
            method: "POST".into(),
            url: self.place.url.clone(),
            headers: vec![
                header("content-type", "application/x-www-form-urlencoded"),
                header("accept", "application/sparql-results+json"),
            ],
            body,
        }
    }

    fn query_of(&self, ask: &Ask) -> Result<String, StoreError> {
        let (is_type, is_called) = (iris::TYPE, iris::LABEL);
        let more = ask.limit() + 1;
        let language = &self.place.language;
        // Names in the language, or in none; one of several, whichever comes first.
        let about = |node: &str| {
            format!(
                "OPTIONAL {{ ?{node} <{is_called}> ?name FILTER(LANG(?name) IN (\"\", \"{language}\")) }} \
                 OPTIONAL {{ ?{node} <{is_type}> ?type FILTER(ISIRI(?type)) }}"
            )
        };
        Ok(match ask {
            Ask::NodeTypes { .. } => format!(
                "SELECT ?type (COUNT(?node) AS ?n) WHERE {{ ?node <{is_type}> ?type }} \
                 GROUP BY ?type ORDER BY DESC(?n) ?type LIMIT {more}"
            ),
            Ask::EdgeTypes { .. } => format!(
                "SELECT ?edge ?from ?to (COUNT(*) AS ?n) WHERE {{ ?a ?edge ?b . ?a <{is_type}> ?from . \
                 ?b <{is_type}> ?to }} GROUP BY ?edge ?from ?to ORDER BY DESC(?n) ?edge ?from ?to \
                 LIMIT {more}"
            ),
            Ask::Named { name, .. } => {
                let mut spellings: Vec<String> = vec![name.trim().to_owned()];
                spellings.push(name.trim().to_lowercase());
                let mut letters = name.trim().chars();
                if let Some(first) = letters.next() {
                    spellings.push(first.to_uppercase().chain(letters).collect());
                }
                spellings.sort();
                spellings.dedup();
                // Literals by themselves are found over an index; a filter would look at all names.
                let literals: Vec<String> = spellings
                    .iter()
                    .flat_map(|s| [quoted(s), format!("{}@{language}", quoted(s))])
                    .collect();
                format!(
                    "SELECT DISTINCT ?node ?name ?type WHERE {{ VALUES ?name {{ {} }} \
                     ?node <{is_called}> ?name OPTIONAL {{ ?node <{is_type}> ?type }} }} LIMIT {more}",
                    literals.join(" ")
                )
            }
            Ask::Neighbors { nodes, edge_type, way, .. } => {
                let nodes: Vec<String> = nodes.iter().map(|n| iri(n)).collect::<Result<_, _>>()?;
                let values = format!("VALUES ?node {{ {} }}", nodes.join(" "));
                let edge = match edge_type {
                    Some(name) => format!("VALUES ?edge {{ <{}> }}", safe(IriKind::Edge, name)),
                    None => String::new(),
                };
                let side = |pattern: &str, way: &str| {
                    format!(
                        "{{ {values} {edge} {pattern} FILTER(ISIRI(?other) && ?edge != <{is_type}>) \
                         BIND(\"{way}\" AS ?way) }}"
                    )
                };
                let sides: Vec<String> = way
                    .ways()
                    .iter()
                    .map(|way| match way {
                        Direction::In => side("?other ?edge ?node", "in"),
                        _ => side("?node ?edge ?other", "out"),
                    })
                    .collect();
                format!(
                    "SELECT ?node ?edge ?way ?other ?name ?type WHERE {{ {{ SELECT DISTINCT ?node \
                     ?edge ?way ?other WHERE {{ {} }} LIMIT {more} }} {} }}",
                    sides.join(" UNION "),
                    about("other")
                )
            }
        })
    }
}

/// A text as a literal: nothing in it can end it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out + "\""
}

/// The IRI of a name, written so that nothing in it can end it.
fn safe(kind: IriKind, name: &str) -> String {
    let iri = to_iri(kind, name);
    if is_iri(&iri) || iri.starts_with("urn:kg:") { iri } else { make_iri(kind, name) }
}

fn iri(id: &str) -> Result<String, StoreError> {
    if id.starts_with("_:") {
        let id = id.chars().take(80).collect();
        return Err(StoreError::Id { id, expected: "an IRI; a blank node has no name to ask for" });
    }
    Ok(format!("<{}>", safe(IriKind::Node, id)))
}

fn read_answer(ask: &Ask, rows: &[&Map<String, Value>]) -> Result<Told, StoreError> {
    let text = |row: &Map<String, Value>, name: &str| {
        row.get(name).and_then(|cell| cell["value"].as_str()).map(str::to_owned)
    };
    let need = |row: &Map<String, Value>, name: &str| {
        let missing = format!("value of {name:?} in a row");
        text(row, name).ok_or(StoreError::Shape { missing, expected: EXPECTED })
    };
    let count = |row: &Map<String, Value>| -> Result<u64, StoreError> {
        let missing = "whole number in \"n\"".to_owned();
        need(row, "n")?.parse().map_err(|_| StoreError::Shape { missing, expected: EXPECTED })
    };
    let node = |row: &Map<String, Value>, at: &str| -> Result<Remote, StoreError> {
        let id = from_iri(IriKind::Node, &need(row, at)?);
        let name = text(row, "name").or_else(|| last_part(&id)).unwrap_or_else(|| id.clone());
        let node_type = text(row, "type").map(|t| from_iri(IriKind::Type, &t));
        Ok(Remote { id, name, node_type })
    };
    match ask {
        Ask::NodeTypes { .. } => {
            // An aggregate over nothing is one row without a type.
            let rows = rows.iter().filter(|row| row.contains_key("type"));
            let read = rows.map(|row| {
                let name = from_iri(IriKind::Type, &need(row, "type")?);
                Ok(RemoteType { name, n_nodes: count(row)? })
            });
            let (types, is_cut) = cut(read.collect::<Result<_, _>>()?, ask);
            Ok(Told::NodeTypes { types, is_cut })
        }
        Ask::EdgeTypes { .. } => {
            let rows = rows.iter().filter(|row| row.contains_key("edge"));
            let read = rows.map(|row| {
                Ok(RemoteEnds {
                    edge_type: from_iri(IriKind::Edge, &need(row, "edge")?),
                    from: from_iri(IriKind::Type, &need(row, "from")?),
                    to: from_iri(IriKind::Type, &need(row, "to")?),
                    n_edges: count(row)?,
                })
            });
            let (ends, is_cut) = cut(read.collect::<Result<_, _>>()?, ask);
            Ok(Told::EdgeTypes { ends, is_cut })
        }
        Ask::Named { .. } => {
            let mut seen = BTreeMap::new();
            let mut nodes: Vec<Remote> = Vec::new();
            for row in rows {
                let found = node(row, "node")?;
                // Several types of one node are several rows; the first is taken.
                if seen.insert(found.id.clone(), ()).is_none() {
                    nodes.push(found);
                }
            }
            let (nodes, is_cut) = cut(nodes, ask);
            Ok(Told::Nodes { nodes, is_cut: is_cut || rows.len() > ask.limit() })
        }
        Ask::Neighbors { .. } => {
            let mut seen = BTreeMap::new();
            let mut edges: Vec<RemoteEdge> = Vec::new();
            for row in rows {
                let other = node(row, "other")?;
                let edge = RemoteEdge {
                    node: from_iri(IriKind::Node, &need(row, "node")?),
                    edge_type: from_iri(IriKind::Edge, &need(row, "edge")?),
                    way: if need(row, "way")? == "in" { Direction::In } else { Direction::Out },
                    other,
                };
                let key =
                    (edge.node.clone(), edge.edge_type.clone(), edge.way, edge.other.id.clone());
                if seen.insert(key, ()).is_none() {
                    edges.push(edge);
                }
            }
            let (edges, is_cut) = cut(edges, ask);
            Ok(Told::Edges { edges, is_cut })
        }
    }
}

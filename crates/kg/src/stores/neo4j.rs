//! Neo4j by its Query API over HTTP: `POST /db/<database>/query/v2` with a statement of Cypher and
//! its parameters.
//!
//! What is asked for is always a parameter, never a part of the statement.

use serde_json::{Value, json};

use super::{
    Ask, ConfirmedForWriting, QueryStore, Remote, RemoteEdge, RemoteEnds, RemoteType, Store,
    StoreAddress, StoreError, StoreKind, StoreRequest, StoreRows, StoreStatement, Told,
    check_place, copy, cut, queries,
};
use crate::Direction;
use crate::property::PropertyGraph;

/// Neo4j, version 5.19 and later.
pub(super) const STORE: StoreKind = StoreKind {
    id: "neo4j",
    title: "Neo4j",
    example: "http://127.0.0.1:7474",
    open: |place| Ok(Box::new(Neo4j::at(place)?)),
    queries: |place, _| Ok(Box::new(Neo4j::at(place)?)),
};

const EXPECTED: &str = "Neo4j's {\"data\": {\"fields\": […], \"values\": [[…], …]}}";

/// What a node is called: the first of these properties that it has.
const NAME: &str = "toString(coalesce(o.name, o.title, o.label, elementId(o)))";

struct Neo4j {
    place: StoreAddress,
}

impl Neo4j {
    fn at(place: StoreAddress) -> Result<Self, StoreError> {
        check_place(&place)?;
        let name = place.database.as_deref().unwrap_or("neo4j");
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
        if name.is_empty() || name.len() > 63 || !name.chars().all(is_part) {
            return Err(StoreError::Database { name: name.chars().take(80).collect() });
        }
        Ok(Self { place })
    }

    fn database(&self) -> String {
        let database = self.place.database.as_deref().unwrap_or("neo4j");
        format!("{}/db/{database}", self.place.url.trim_end_matches('/'))
    }

    fn post(&self, body: &Value) -> StoreRequest {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        StoreRequest {
            method: "POST".into(),
            url: format!("{}/query/v2", self.database()),
            headers: vec![
                header("content-type", "application/json"),
                header("accept", "application/json"),
            ],
            body: body.to_string(),
        }
    }
}

/// An answer that is whole and no error.
fn answer(status: u16, body: &str) -> Result<Value, StoreError> {
    let answer = super::json(status, body)?;
    if let Some(error) = answer["errors"].get(0) {
        let said = |key: &str| error[key].as_str().unwrap_or_default();
        let said = format!("{} ({})", said("message"), said("code"));
        return Err(StoreError::Refused { status, said: said.chars().take(300).collect() });
    }
    // What stands between, such as a proxy, refuses in words of its own.
    if !(200..300).contains(&status) {
        let said = body.trim().chars().take(300).collect();
        return Err(StoreError::Refused { status, said });
    }
    Ok(answer)
}

fn shape(missing: &str) -> StoreError {
    StoreError::Shape { missing: missing.into(), expected: EXPECTED }
}

/// The names of the columns and the rows.
fn table(answer: &Value) -> Result<(Vec<&str>, &[Value]), StoreError> {
    let data = &answer["data"];
    let fields = data["fields"].as_array().ok_or_else(|| shape("\"data\" with \"fields\""))?;
    let fields = fields.iter().map(|f| f.as_str().unwrap_or_default()).collect();
    let values = data["values"].as_array().ok_or_else(|| shape("\"data\" with \"values\""))?;
    Ok((fields, values))
}

impl QueryStore for Neo4j {
    fn language(&self) -> &'static str {
        "Cypher"
    }

    fn writes_to(&self) -> String {
        self.database()
    }

    fn query(&self, query: &str) -> Result<StoreRequest, StoreError> {
        queries::check_query(query)?;
        // The server then refuses a query that would write.
        Ok(self.post(&json!({ "statement": query, "accessMode": "Read" })))
    }

    fn update(
        &self,
        query: &str,
        confirmed: &ConfirmedForWriting,
    ) -> Result<StoreRequest, StoreError> {
        self.change(
            &StoreStatement { text: query.to_owned(), ..StoreStatement::default() },
            confirmed,
        )
    }

    fn change(
        &self,
        statement: &StoreStatement,
        confirmed: &ConfirmedForWriting,
    ) -> Result<StoreRequest, StoreError> {
        let StoreStatement { text, values } = statement;
        queries::check_query(text)?;
        confirmed.check(&self.writes_to())?;
        let mut body = json!({ "statement": text, "accessMode": "Write", "includeCounters": true });
        if !values.is_empty() {
            body["parameters"] = Value::Object(values.clone());
        }
        Ok(self.post(&body))
    }

    fn copy(
        &self,
        name: &str,
        before: Option<&PropertyGraph>,
        now: &PropertyGraph,
    ) -> Result<Vec<StoreStatement>, StoreError> {
        copy::check_copy_name(name)?;
        Ok(copy::in_cypher(name, before, now))
    }

    fn rows(&self, status: u16, body: &str, max_rows: usize) -> Result<StoreRows, StoreError> {
        let answer = answer(status, body)?;
        let (fields, values) = table(&answer)?;
        let mut rows = StoreRows {
            columns: fields.iter().map(|f| (*f).to_owned()).collect(),
            ..StoreRows::default()
        };
        let n = fields.len();
        let row = |row: &Value| {
            (0..n).map(|i| row.get(i).cloned().unwrap_or(Value::Null)).collect::<Vec<_>>()
        };
        rows.fill(values.iter().map(row), max_rows);
        // A count of 0 only says that nothing changed.
        let counters = answer["counters"].as_object().into_iter().flatten();
        rows.changes = counters
            .filter(|(_, count)| count.as_u64().is_some_and(|n| n > 0))
            .map(|(name, count)| (name.clone(), count.clone()))
            .collect();
        Ok(rows)
    }

    fn written(&self, status: u16, body: &str, max_rows: usize) -> Result<StoreRows, StoreError> {
        self.rows(status, body, max_rows)
    }
}

impl Store for Neo4j {
    fn request(&self, ask: &Ask) -> Result<StoreRequest, StoreError> {
        ask.check()?;
        let more = ask.limit() + 1;
        let (statement, parameters) = match ask {
            Ask::NodeTypes { .. } => (
                "MATCH (n) UNWIND labels(n) AS type RETURN type, count(*) AS n \
                 ORDER BY n DESC, type LIMIT $limit"
                    .to_owned(),
                json!({ "limit": more }),
            ),
            Ask::EdgeTypes { .. } => (
                "MATCH (a)-[r]->(b) WITH type(r) AS edge, head(labels(a)) AS from, \
                 head(labels(b)) AS to, count(*) AS n WHERE from IS NOT NULL AND to IS NOT NULL \
                 RETURN edge, from, to, n ORDER BY n DESC, edge, from, to LIMIT $limit"
                    .to_owned(),
                json!({ "limit": more }),
            ),
            Ask::Named { name, .. } => (
                format!(
                    "MATCH (o) WHERE toLower(toString(o.name)) = $name OR \
                     toLower(toString(o.title)) = $name RETURN elementId(o) AS id, {NAME} AS name, \
                     head(labels(o)) AS type ORDER BY id LIMIT $limit"
                ),
                json!({ "name": name.trim().to_lowercase(), "limit": more }),
            ),
            Ask::Neighbors { nodes, edge_type, way, .. } => {
                let pattern = match way {
                    Direction::Out => "(s)-[r]->(o)",
                    Direction::In => "(s)<-[r]-(o)",
                    Direction::Both => "(s)-[r]-(o)",
                };
                (
                    format!(
                        "MATCH {pattern} WHERE elementId(s) IN $nodes AND \
                         ($edge IS NULL OR type(r) = $edge) RETURN DISTINCT elementId(s) AS node, \
                         type(r) AS edge, elementId(startNode(r)) = elementId(s) AS out, \
                         elementId(o) AS id, {NAME} AS name, head(labels(o)) AS type \
                         ORDER BY node, edge, id LIMIT $limit"
                    ),
                    json!({ "nodes": nodes, "edge": edge_type, "limit": more }),
                )
            }
        };
        Ok(self.post(&json!({ "statement": statement, "parameters": parameters })))
    }

    fn read(&self, ask: &Ask, status: u16, body: &str) -> Result<Told, StoreError> {
        let answer = answer(status, body)?;
        let (fields, values) = table(&answer)?;
        let rows: Vec<Row<'_>> =
            values.iter().map(|values| Row { fields: &fields, values }).collect();
        read_answer(ask, &rows)
    }
}

/// A row with the names of its columns.
struct Row<'a> {
    fields: &'a [&'a str],
    values: &'a Value,
}

impl Row<'_> {
    fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(self.fields.iter().position(|f| *f == name)?)
    }

    fn missing(name: &str) -> StoreError {
        StoreError::Shape { missing: format!("value of {name:?} in a row"), expected: EXPECTED }
    }

    fn text(&self, name: &str) -> Result<String, StoreError> {
        let text = self.value(name).and_then(Value::as_str);
        text.map(str::to_owned).ok_or_else(|| Self::missing(name))
    }

    fn count(&self) -> Result<u64, StoreError> {
        self.value("n").and_then(Value::as_u64).ok_or_else(|| Self::missing("n"))
    }

    fn node(&self) -> Result<Remote, StoreError> {
        let node_type = self.text("type").ok();
        Ok(Remote { id: self.text("id")?, name: self.text("name")?, node_type })
    }
}

fn read_answer(ask: &Ask, rows: &[Row<'_>]) -> Result<Told, StoreError> {
    Ok(match ask {
        Ask::NodeTypes { .. } => {
            let read = rows
                .iter()
                .map(|row| Ok(RemoteType { name: row.text("type")?, n_nodes: row.count()? }));
            let (types, is_cut) = cut(read.collect::<Result<_, _>>()?, ask);
            Told::NodeTypes { types, is_cut }
        }
        Ask::EdgeTypes { .. } => {
            let read = rows.iter().map(|row| {
                let (from, to) = (row.text("from")?, row.text("to")?);
                Ok(RemoteEnds { edge_type: row.text("edge")?, from, to, n_edges: row.count()? })
            });
            let (ends, is_cut) = cut(read.collect::<Result<_, _>>()?, ask);
            Told::EdgeTypes { ends, is_cut }
        }
        Ask::Named { .. } => {
            let (nodes, is_cut) = cut(rows.iter().map(Row::node).collect::<Result<_, _>>()?, ask);
            Told::Nodes { nodes, is_cut }
        }
        Ask::Neighbors { .. } => {
            let read = rows.iter().map(|row| {
                let out = row.value("out").and_then(Value::as_bool);
                let way = match out.ok_or_else(|| Row::missing("out"))? {
                    true => Direction::Out,
                    false => Direction::In,
                };
                let (node, edge_type) = (row.text("node")?, row.text("edge")?);
                Ok(RemoteEdge { node, edge_type, way, other: row.node()? })
            });
            let (edges, is_cut) = cut(read.collect::<Result<_, _>>()?, ask);
            Told::Edges { edges, is_cut }
        }
    })
}

//! The languages in which a graph is asked and changed. Which there are is up to whoever runs: a store
//! of triples and an interpreter are too large to be a part of everything.

mod elsewhere;
mod networkx;

use std::collections::{BTreeMap, BTreeSet};

use agent::Clock;
use cypher::{CypherValue, Parameters, Query, QueryLimits};
use kg::property::{Changes, GraphStore, NodeId, PropertyGraph, names, triples};
use llm::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use elsewhere::{AnswerElsewhere, Elsewhere, GraphAnswer, GraphQuestion, SentGraph};
pub(super) use networkx::NODES_OF_G;
pub use networkx::{Networkx, python_keys};

/// In which language a graph is written and read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KgotLanguage {
    /// Cypher for both.
    #[default]
    Cypher,
    /// SPARQL for both.
    Sparql,
    /// Python with networkx for both.
    Networkx,
    /// Cypher for writing; the answer is read from the text of the graph.
    Direct,
}

impl KgotLanguage {
    /// All, with their names for people.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Cypher, "Cypher"),
        (Self::Sparql, "SPARQL"),
        (Self::Networkx, "NetworkX"),
        (Self::Direct, "direct retrieval"),
    ];

    /// Its name for people: not that of what is written, which is Cypher for two of them.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(language, _)| *language == self).map_or("", |(_, name)| name)
    }

    /// The name of what is written, for people and prompts.
    pub fn title(self) -> &'static str {
        match self {
            Self::Sparql => "SPARQL 1.1",
            Self::Networkx => "Python",
            _ => "Cypher",
        }
    }
}

/// The most rows of a result.
pub const MAX_ROWS: usize = 500;

/// What a query gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphRows {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, as many as there are columns in each.
    pub rows: Vec<Vec<Value>>,
    /// The nodes that stand in them, where the language tells.
    pub nodes: BTreeSet<NodeId>,
}

/// A language in which a property graph is asked and changed.
pub trait GraphLanguage {
    /// Carries out a query that writes, as one transaction.
    ///
    /// # Errors
    /// It fails, and nothing has changed; the words say what was wrong and where.
    fn write<'a>(
        &'a self,
        store: &'a mut GraphStore,
        query: &'a str,
    ) -> BoxFuture<'a, Result<Changes, String>>;

    /// Answers a query that reads.
    ///
    /// # Errors
    /// It fails, or would write.
    fn read<'a>(
        &'a self,
        graph: &'a PropertyGraph,
        query: &'a str,
    ) -> BoxFuture<'a, Result<GraphRows, String>>;

    /// The whole graph as a prompt tells it.
    fn tell(&self, graph: &PropertyGraph) -> String {
        elements_text(graph)
    }
}

/// The languages that a run may use.
#[derive(Clone, Copy, Default)]
pub struct Languages<'a> {
    /// Who answers Cypher; [`CypherGraphs`] without a clock where nobody is named.
    pub cypher: Option<&'a dyn GraphLanguage>,
    /// SPARQL.
    pub sparql: Option<&'a dyn GraphLanguage>,
    /// Python with networkx.
    pub networkx: Option<&'a dyn GraphLanguage>,
}

impl<'a> Languages<'a> {
    /// The language of an option.
    ///
    /// # Errors
    /// It is not here.
    pub fn find(&self, language: KgotLanguage) -> Result<&'a dyn GraphLanguage, String> {
        match language {
            KgotLanguage::Cypher | KgotLanguage::Direct => {
                Ok(self.cypher.unwrap_or(&CypherGraphs { clock: None }))
            }
            KgotLanguage::Sparql => {
                self.sparql.ok_or_else(|| "SPARQL is not loaded here; choose Cypher".to_owned())
            }
            KgotLanguage::Networkx => self
                .networkx
                .ok_or_else(|| "nobody runs Python with networkx here; choose Cypher".to_owned()),
        }
    }
}

/// The most milliseconds that a query in Cypher takes where there is a clock.
const CYPHER_LIMIT_MS: f64 = 10_000.0;

/// Cypher, by our own engine, in the same process.
#[derive(Clone, Copy, Default)]
pub struct CypherGraphs<'a> {
    /// Ends a query after 10 s; without one the query's steps are bounded alone.
    pub clock: Option<&'a dyn Clock>,
}

impl CypherGraphs<'_> {
    fn limited<T>(&self, run: impl FnOnce(&QueryLimits<'_>) -> T) -> T {
        let now = || self.clock.map_or(0.0, Clock::now_ms);
        let end = now() + CYPHER_LIMIT_MS;
        let stop = || now() > end;
        run(&QueryLimits { stop: Some(&stop), ..QueryLimits::default() })
    }
}

impl GraphLanguage for CypherGraphs<'_> {
    fn write<'a>(
        &'a self,
        store: &'a mut GraphStore,
        query: &'a str,
    ) -> BoxFuture<'a, Result<Changes, String>> {
        Box::pin(async move {
            let query = Query::parse(query).map_err(|e| e.to_string())?;
            let written = self.limited(|limits| query.write(store, &Parameters::new(), limits));
            Ok(written.map_err(|e| e.to_string())?.changes)
        })
    }

    fn read<'a>(
        &'a self,
        graph: &'a PropertyGraph,
        query: &'a str,
    ) -> BoxFuture<'a, Result<GraphRows, String>> {
        Box::pin(async move {
            let query = Query::parse(query).map_err(|e| e.to_string())?;
            let given = Parameters::new();
            let read = self.limited(|limits| query.read_with_basis(graph, &given, limits));
            let (table, nodes) = read.map_err(|e| e.to_string())?;
            let row = |row: &Vec<CypherValue>| -> Vec<Value> {
                row.iter().map(|value| value.to_json(graph)).collect()
            };
            let rows = table.rows.iter().map(row).collect();
            Ok(GraphRows { columns: table.columns, rows, nodes })
        })
    }
}

/// A graph as a prompt tells it: nodes by label, edges by type; triples for SPARQL. At most so many
/// letters, and what is left out is said.
///
/// Paper: Knowledge Graph of Thoughts, Appendix C.1.
pub fn state_text(
    graph: &PropertyGraph,
    language: &dyn GraphLanguage,
    max_letters: usize,
) -> String {
    if graph.n_nodes() == 0 {
        return "The graph is empty.".into();
    }
    let text = language.tell(graph);
    let n = text.chars().count();
    if n <= max_letters {
        return text;
    }
    let mut cut: String = text.chars().take(max_letters).collect();
    if let Some(end) = cut.rfind('\n') {
        cut.truncate(end);
    }
    let (nodes, edges) = (graph.n_nodes(), graph.n_edges());
    format!(
        "{cut}\n… (cut: the graph has {nodes} nodes and {edges} relationships; query for the rest)"
    )
}

/// A graph as a prompt in SPARQL shows it: a triple a line.
pub fn triples_text(graph: &PropertyGraph) -> String {
    let base = format!("<{}", names::BASE);
    let lines = triples(graph).into_iter().map(|t| format!("{t} .").replace(&base, "<:"));
    lines.collect::<Vec<_>>().join("\n")
}

fn elements_text(graph: &PropertyGraph) -> String {
    let mut by_label: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (id, node) in graph.nodes() {
        let labels: Vec<&str> = node.labels.iter().map(String::as_str).collect();
        let properties = CypherValue::of_properties(&node.properties).to_text(graph);
        by_label.entry(labels.join(":")).or_default().push(format!("  node {id}: {properties}"));
    }
    let mut by_type: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (_, edge) in graph.edges() {
        let properties = if edge.properties.is_empty() {
            String::new()
        } else {
            format!(" {}", CypherValue::of_properties(&edge.properties).to_text(graph))
        };
        let line = format!("  node {} -> node {}{properties}", edge.source, edge.target);
        by_type.entry(&edge.edge_type).or_default().push(line);
    }
    let mut lines = vec!["Nodes:".to_owned()];
    for (label, nodes) in by_label {
        lines.push(format!(" label {}", if label.is_empty() { "(none)" } else { &label }));
        lines.extend(nodes);
    }
    lines.push("Relationships:".into());
    for (edge_type, edges) in by_type {
        lines.push(format!(" type {edge_type}"));
        lines.extend(edges);
    }
    lines.join("\n")
}

//! A language whose queries are answered elsewhere: in another process or another worker, which can be
//! ended where a query takes too long.
//!
//! The graph goes with each question, because it changes; what a query makes of it comes back.

use kg::property::{Changes, EdgeId, GraphStore, NodeId, PropertyGraph, snapshot_file};
use llm::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{CypherGraphs, GraphLanguage, GraphRows, KgotLanguage, Languages, triples_text};

/// A graph on its way to whoever answers, and back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SentGraph {
    snapshot: String,
    /// The ids that the next node and the next edge get, which a snapshot does not say.
    next: (NodeId, EdgeId),
}

impl SentGraph {
    /// Packs a graph. O(n + m).
    pub fn pack(graph: &PropertyGraph) -> Self {
        Self { snapshot: snapshot_file::write(graph), next: graph.next_ids() }
    }

    /// The graph. O(n + m).
    ///
    /// # Errors
    /// It was changed on its way.
    pub fn unpack(&self) -> Result<PropertyGraph, String> {
        let mut graph = snapshot_file::read(&self.snapshot)
            .map_err(|error| format!("internal error: the graph did not arrive: {error}"))?
            .graph;
        graph.skip_to(self.next);
        Ok(graph)
    }
}

/// A query on a graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphQuestion {
    /// The graph.
    pub graph: SentGraph,
    /// The language of the query.
    pub language: KgotLanguage,
    /// The query.
    pub query: String,
    /// Whether it may write.
    pub writes: bool,
}

/// What a query gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphAnswer {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Value>>,
    /// The nodes in the rows, where the language says.
    pub nodes: Vec<NodeId>,
    /// What the query changed.
    pub changes: Changes,
    /// The graph, if the query changed it.
    pub graph: Option<SentGraph>,
}

impl GraphQuestion {
    /// A query that reads an empty graph.
    pub fn nothing(language: KgotLanguage, query: &str) -> Self {
        let graph = SentGraph::pack(&PropertyGraph::default());
        Self { graph, language, query: query.to_owned(), writes: false }
    }

    /// Answers the question here.
    ///
    /// # Errors
    /// The language is not among these, or the query fails.
    pub async fn answer(&self, languages: &Languages<'_>) -> Result<GraphAnswer, String> {
        let language = languages.find(self.language)?;
        let graph = self.graph.unpack()?;
        if !self.writes {
            let GraphRows { columns, rows, nodes } = language.read(&graph, &self.query).await?;
            let nodes = nodes.into_iter().collect();
            return Ok(GraphAnswer { columns, rows, nodes, ..GraphAnswer::default() });
        }
        let mut store = GraphStore::open(graph);
        let changes = language.write(&mut store, &self.query).await?;
        let graph = (!changes.is_empty()).then(|| SentGraph::pack(store.now()));
        Ok(GraphAnswer { changes, graph, ..GraphAnswer::default() })
    }
}

impl GraphAnswer {
    /// Keeps in a store what the query made of its graph.
    ///
    /// # Errors
    /// The graph was changed on its way back.
    pub fn keep(&self, store: &mut GraphStore, query: &str) -> Result<(), String> {
        let Some(graph) = &self.graph else { return Ok(()) };
        store.accept(query, graph.unpack()?, self.changes.clone()).map_err(|e| e.to_string())
    }
}

/// Who answers questions elsewhere.
pub trait AnswerElsewhere {
    /// Puts a question.
    ///
    /// # Errors
    /// The query fails, or takes too much time or memory and was ended.
    fn ask(&self, question: GraphQuestion) -> BoxFuture<'_, Result<GraphAnswer, String>>;
}

/// A language that is answered elsewhere.
pub struct Elsewhere<A> {
    /// The language.
    pub language: KgotLanguage,
    /// Who answers.
    pub by: A,
}

impl<A: AnswerElsewhere> Elsewhere<A> {
    async fn ask(
        &self,
        graph: &PropertyGraph,
        query: &str,
        writes: bool,
    ) -> Result<GraphAnswer, String> {
        let (graph, query) = (SentGraph::pack(graph), query.to_owned());
        self.by.ask(GraphQuestion { graph, language: self.language, query, writes }).await
    }
}

impl<A: AnswerElsewhere> GraphLanguage for Elsewhere<A> {
    fn write<'a>(
        &'a self,
        store: &'a mut GraphStore,
        query: &'a str,
    ) -> BoxFuture<'a, Result<Changes, String>> {
        Box::pin(async move {
            let answer = self.ask(store.now(), query, true).await?;
            answer.keep(store, query)?;
            Ok(answer.changes)
        })
    }

    fn read<'a>(
        &'a self,
        graph: &'a PropertyGraph,
        query: &'a str,
    ) -> BoxFuture<'a, Result<GraphRows, String>> {
        Box::pin(async move {
            let GraphAnswer { columns, rows, nodes, .. } = self.ask(graph, query, false).await?;
            Ok(GraphRows { columns, rows, nodes: nodes.into_iter().collect() })
        })
    }

    fn tell(&self, graph: &PropertyGraph) -> String {
        match self.language {
            KgotLanguage::Sparql => triples_text(graph),
            _ => CypherGraphs::default().tell(graph),
        }
    }
}

//! Queries on property graphs, in a process of their own ([`crate::bounded`]): Cypher and SPARQL of
//! `graph-query`, and those that models write in `bench`.
//!
//! The graph goes with each question, because it changes; what a query makes of it comes back.

use std::cell::RefCell;
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::Result;
use backends::{SparqlGraphs, property_sparql as sparql};
use cypher::{CypherTable, CypherValue, Parameters, Query, QueryLimits};
use kg::property::{Changes, EdgeId, GraphStore, NodeId, PropertyGraph, snapshot_file};
use llm::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use systems::kgot::{CypherGraphs, GraphLanguage, GraphRows, MAX_ROWS};

use crate::bounded::{Bounds, Lost, Process, answer_all};

/// In which language a query is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum QueryLanguage {
    Cypher,
    Sparql,
}

/// Options of the child process.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    bounds: Bounds,
}

/// A query on a graph.
#[derive(Serialize, Deserialize)]
pub(crate) struct GraphQuestion {
    pub(crate) language: QueryLanguage,
    pub(crate) query: String,
    pub(crate) kind: QueryKind,
    /// The values behind `$`.
    pub(crate) parameters: Map<String, Value>,
    pub(crate) now_ms: i64,
    pub(crate) seed: u64,
    pub(crate) max_rows: usize,
}

/// What a query may do.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum QueryKind {
    /// Nothing but read.
    Reads,
    /// Write, as a program or a model asks.
    Writes,
    /// Either, as a person types it, who wants the rows as texts too.
    Either,
}

/// What a query gave.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct GraphAnswer {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<Value>>,
    /// The same rows as a person reads them, where one asked.
    pub(crate) texts: Vec<Vec<String>>,
    nodes: Vec<NodeId>,
    pub(crate) changes: Changes,
    /// The graph, where it is another one now.
    graph: Option<GraphText>,
}

/// A graph on its way to another process.
#[derive(Serialize, Deserialize)]
struct GraphText {
    snapshot: String,
    next: (NodeId, EdgeId),
}

impl GraphText {
    fn of(graph: &PropertyGraph) -> Self {
        Self { snapshot: snapshot_file::write(graph), next: graph.next_ids() }
    }

    fn read(&self) -> Result<PropertyGraph, String> {
        let mut graph = snapshot_file::read(&self.snapshot)
            .map_err(|error| format!("the graph does not pass between processes: {error}"))?;
        graph.skip_to(self.next);
        Ok(graph)
    }
}

/// The child process.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    answer_all(args.bounds, &(), |(graph, question): (GraphText, GraphQuestion)| {
        answer(&graph, &question)
    })
}

fn answer(graph: &GraphText, question: &GraphQuestion) -> Result<GraphAnswer, String> {
    let mut store = GraphStore::open(graph.read()?);
    let mut answer = match question.language {
        QueryLanguage::Cypher => answer_cypher(&mut store, question)?,
        QueryLanguage::Sparql => answer_sparql(&mut store, question)?,
    };
    let is_changed = !answer.changes.is_empty();
    answer.graph = is_changed.then(|| GraphText::of(store.now()));
    Ok(answer)
}

fn answer_cypher(store: &mut GraphStore, question: &GraphQuestion) -> Result<GraphAnswer, String> {
    let query = Query::parse(&question.query).map_err(|e| e.to_string())?;
    let given: Parameters =
        question.parameters.iter().map(|(k, v)| (k.clone(), CypherValue::of_json(v))).collect();
    // The parent holds the clock.
    let limits = QueryLimits {
        steps: u64::MAX,
        now_ms: question.now_ms,
        seed: question.seed,
        ..QueryLimits::default()
    };
    let (table, nodes) = if question.kind == QueryKind::Reads {
        query.read_with_basis(store.now(), &given, &limits)
    } else {
        query.write(store, &given, &limits).map(|table| (table, Default::default()))
    }
    .map_err(|e| e.to_string())?;
    let CypherTable { columns, rows, graph, changes } = table;
    let each = |row: &Vec<CypherValue>| row.iter().map(|value| value.to_json(&graph)).collect();
    let text = |row: &Vec<CypherValue>| row.iter().map(|value| value.to_text(&graph)).collect();
    let texts = if question.kind == QueryKind::Either {
        rows.iter().map(text).collect()
    } else {
        Vec::new()
    };
    let rows = rows.iter().take(question.max_rows).map(each).collect();
    Ok(GraphAnswer {
        columns,
        texts,
        rows,
        changes,
        nodes: nodes.into_iter().collect(),
        graph: None,
    })
}

fn answer_sparql(store: &mut GraphStore, question: &GraphQuestion) -> Result<GraphAnswer, String> {
    let GraphQuestion { query, kind, max_rows, .. } = question;
    let is_update = match kind {
        QueryKind::Reads => false,
        QueryKind::Writes => true,
        QueryKind::Either => sparql::is_update(query),
    };
    if is_update {
        let changes = sparql::update(store, query).map_err(|e| e.to_string())?;
        return Ok(GraphAnswer { changes, ..GraphAnswer::default() });
    }
    let table = sparql::query(store.now(), query, *max_rows).map_err(|e| e.to_string())?;
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let texts = if *kind == QueryKind::Either {
        table.rows.iter().map(|row| row.iter().map(text).collect()).collect()
    } else {
        Vec::new()
    };
    Ok(GraphAnswer { columns: table.columns, rows: table.rows, texts, ..GraphAnswer::default() })
}

/// Who answers queries on property graphs; starts a process when one is needed.
#[derive(Default)]
pub(crate) struct GraphQueries {
    bounds: Bounds,
    process: RefCell<Option<Process>>,
}

impl GraphQueries {
    pub(crate) fn new(bounds: Bounds) -> Self {
        Self { bounds, process: RefCell::default() }
    }

    fn ask(&self, graph: &PropertyGraph, question: &GraphQuestion) -> Result<GraphAnswer, String> {
        if question.language == QueryLanguage::Sparql {
            backends::sparql::check(&question.query).map_err(|e| e.to_string())?;
        }
        let kept = self.process.borrow_mut().take();
        let mut process = match kept {
            Some(process) => process,
            None => {
                let args = ["kg", "answer-queries"].map(str::to_owned);
                let started = Process::start::<()>(&args, self.bounds, false);
                started.map_err(|error| format!("{error:#}"))?.0
            }
        };
        let answer: Result<Result<GraphAnswer, String>, Lost> =
            process.ask(&(GraphText::of(graph), question));
        match answer {
            Ok(answer) => {
                *self.process.borrow_mut() = Some(process);
                answer
            }
            Err(Lost(why)) => Err(why),
        }
    }

    /// Answers a query that may write, and keeps in the store what it wrote.
    ///
    /// # Errors
    /// It fails or takes too much, and nothing has changed.
    pub(crate) fn write(
        &self,
        store: &mut GraphStore,
        question: &GraphQuestion,
    ) -> Result<GraphAnswer, String> {
        let answer = self.ask(store.now(), question)?;
        if let Some(graph) = &answer.graph {
            store
                .accept(&question.query, graph.read()?, answer.changes.clone())
                .map_err(|error| error.to_string())?;
        }
        Ok(answer)
    }
}

/// A language of [`GraphQueries`], for the systems that ask a graph.
pub(crate) struct ProcessLanguage {
    pub(crate) language: QueryLanguage,
    pub(crate) queries: Rc<GraphQueries>,
}

impl ProcessLanguage {
    fn question(&self, query: &str, kind: QueryKind) -> GraphQuestion {
        GraphQuestion {
            language: self.language,
            query: query.to_owned(),
            kind,
            parameters: Map::new(),
            now_ms: 0,
            seed: 0,
            max_rows: MAX_ROWS + 1,
        }
    }
}

impl GraphLanguage for ProcessLanguage {
    fn write<'a>(
        &'a self,
        store: &'a mut GraphStore,
        query: &'a str,
    ) -> BoxFuture<'a, Result<Changes, String>> {
        Box::pin(async move {
            let question = self.question(query, QueryKind::Writes);
            Ok(self.queries.write(store, &question)?.changes)
        })
    }

    fn read<'a>(
        &'a self,
        graph: &'a PropertyGraph,
        query: &'a str,
    ) -> BoxFuture<'a, Result<GraphRows, String>> {
        Box::pin(async move {
            let answer = self.queries.ask(graph, &self.question(query, QueryKind::Reads))?;
            let GraphAnswer { columns, rows, nodes, .. } = answer;
            Ok(GraphRows { columns, rows, nodes: nodes.into_iter().collect() })
        })
    }

    fn tell(&self, graph: &PropertyGraph) -> String {
        match self.language {
            QueryLanguage::Cypher => CypherGraphs::default().tell(graph),
            QueryLanguage::Sparql => SparqlGraphs.tell(graph),
        }
    }
}

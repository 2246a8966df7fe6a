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
use futures_util::FutureExt as _;
use kg::property::GraphStore;
use llm::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use systems::kgot::{
    AnswerElsewhere, GraphAnswer, GraphQuestion, KgotLanguage, Languages, SentGraph,
};

use crate::bounded::{Bounds, Lost, Process, answer_all};

/// Options of the child process.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    bounds: Bounds,
}

/// A question for the child process.
#[derive(Serialize, Deserialize)]
enum Asked {
    /// A model's query.
    Model(GraphQuestion),
    /// A query that a person typed.
    Person(SentGraph, TypedQuery),
}

/// A query that a person typed. It may read or write.
#[derive(Serialize, Deserialize)]
pub(crate) struct TypedQuery {
    pub(crate) language: KgotLanguage,
    pub(crate) query: String,
    /// The values behind `$`.
    pub(crate) parameters: Map<String, Value>,
    pub(crate) now_ms: i64,
    pub(crate) seed: u64,
    pub(crate) max_rows: usize,
}

/// The answer to either.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Answered {
    pub(crate) answer: GraphAnswer,
    /// The rows as a person reads them, where one asked.
    pub(crate) texts: Vec<Vec<String>>,
}

/// The child process.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    answer_all(args.bounds, &(), |asked: Asked| answer(&asked))
}

fn answer(asked: &Asked) -> Result<Answered, String> {
    match asked {
        Asked::Model(question) => {
            let languages = Languages { sparql: Some(&SparqlGraphs), ..Languages::default() };
            let answer = question.answer(&languages).now_or_never();
            let answer = answer.ok_or("internal error: a query waits for something")??;
            Ok(Answered { answer, texts: Vec::new() })
        }
        Asked::Person(graph, typed) => {
            let mut store = GraphStore::open(graph.unpack()?);
            let mut answered = match typed.language {
                KgotLanguage::Sparql => answer_sparql(&mut store, typed)?,
                _ => answer_cypher(&mut store, typed)?,
            };
            let is_changed = !answered.answer.changes.is_empty();
            answered.answer.graph = is_changed.then(|| SentGraph::pack(store.now()));
            Ok(answered)
        }
    }
}

fn answer_cypher(store: &mut GraphStore, typed: &TypedQuery) -> Result<Answered, String> {
    let query = Query::parse(&typed.query).map_err(|e| e.to_string())?;
    let given: Parameters =
        typed.parameters.iter().map(|(k, v)| (k.clone(), CypherValue::of_json(v))).collect();
    // The parent holds the clock.
    let limits = QueryLimits {
        steps: u64::MAX,
        now_ms: typed.now_ms,
        seed: typed.seed,
        ..QueryLimits::default()
    };
    let table = query.write(store, &given, &limits).map_err(|e| e.to_string())?;
    let CypherTable { columns, rows, graph, changes } = table;
    let each = |row: &Vec<CypherValue>| row.iter().map(|value| value.to_json(&graph)).collect();
    let text = |row: &Vec<CypherValue>| row.iter().map(|value| value.to_text(&graph)).collect();
    let texts = rows.iter().map(text).collect();
    let rows = rows.iter().take(typed.max_rows).map(each).collect();
    Ok(Answered { answer: GraphAnswer { columns, rows, changes, ..GraphAnswer::default() }, texts })
}

fn answer_sparql(store: &mut GraphStore, typed: &TypedQuery) -> Result<Answered, String> {
    if sparql::is_update(&typed.query) {
        let changes = sparql::update(store, &typed.query).map_err(|e| e.to_string())?;
        let answer = GraphAnswer { changes, ..GraphAnswer::default() };
        return Ok(Answered { answer, texts: Vec::new() });
    }
    let table = sparql::query(store.now(), &typed.query, typed.max_rows);
    let table = table.map_err(|e| e.to_string())?;
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let texts = table.rows.iter().map(|row| row.iter().map(text).collect()).collect();
    let (columns, rows) = (table.columns, table.rows);
    Ok(Answered { answer: GraphAnswer { columns, rows, ..GraphAnswer::default() }, texts })
}

/// Who answers queries on property graphs; starts a process when one is needed.
#[derive(Clone, Default)]
pub(crate) struct GraphQueries {
    bounds: Bounds,
    process: Rc<RefCell<Option<Process>>>,
}

impl GraphQueries {
    pub(crate) fn new(bounds: Bounds) -> Self {
        Self { bounds, process: Rc::default() }
    }

    fn ask(&self, language: KgotLanguage, query: &str, asked: &Asked) -> Result<Answered, String> {
        if language == KgotLanguage::Sparql {
            backends::sparql::check(query).map_err(|e| e.to_string())?;
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
        let answer: Result<Result<Answered, String>, Lost> = process.ask(asked);
        match answer {
            Ok(answer) => {
                *self.process.borrow_mut() = Some(process);
                answer
            }
            Err(Lost(why)) => Err(why),
        }
    }

    /// Answers what a person typed, and keeps in the store what it wrote.
    ///
    /// # Errors
    /// It fails or takes too much, and nothing has changed.
    pub(crate) fn answer(
        &self,
        store: &mut GraphStore,
        typed: TypedQuery,
    ) -> Result<Answered, String> {
        let (language, query) = (typed.language, typed.query.clone());
        let asked = Asked::Person(SentGraph::pack(store.now()), typed);
        let answered = self.ask(language, &query, &asked)?;
        answered.answer.keep(store, &query)?;
        Ok(answered)
    }
}

impl AnswerElsewhere for GraphQueries {
    fn ask(&self, question: GraphQuestion) -> BoxFuture<'_, Result<GraphAnswer, String>> {
        let (language, query) = (question.language, question.query.clone());
        let answered = self.ask(language, &query, &Asked::Model(question));
        Box::pin(async move { Ok(answered?.answer) })
    }
}

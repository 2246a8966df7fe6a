#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod ast;
mod causes;
mod error;
mod functions;
mod parse;
mod parts;
mod resolve;
mod run;
mod temporal;
mod value;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use kg::property::{Changes, GraphStore, NodeId, PropertyGraph};

pub use error::{Cause, CypherError, CypherErrorKind, Phase, Position};
pub use parts::Parts;
pub use temporal::{Duration, Temporal};
pub use value::{CypherPath, CypherValue};

use ast::{ClauseKind, Script, Statement, Union};
use run::{Graph, Run, Shared};

/// Values for the names behind `$`.
pub type Parameters = BTreeMap<String, CypherValue>;

/// How much a query may take, and what it cannot know by itself.
#[derive(Clone, Copy)]
pub struct QueryLimits<'l> {
    /// The most rows between two clauses.
    pub rows: usize,
    /// The most steps: about 10 to 50 million a second.
    pub steps: u64,
    /// The most items of a list, and bytes of a text.
    pub length: usize,
    /// Milliseconds since 1970, for `timestamp()` and `date()`.
    pub now_ms: i64,
    /// Where `rand()` begins.
    pub seed: u64,
    /// Asked from time to time whether to stop: a clock, or a button.
    pub stop: Option<&'l (dyn Fn() -> bool + 'l)>,
}

impl Default for QueryLimits<'_> {
    fn default() -> Self {
        Self { rows: 200_000, steps: 50_000_000, length: 1_000_000, now_ms: 0, seed: 0, stop: None }
    }
}

/// What a query gives.
#[derive(Clone, Debug)]
pub struct CypherTable {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, each with a value a column.
    pub rows: Vec<Vec<CypherValue>>,
    /// The graph behind the query: it knows what the nodes and edges of the rows have.
    pub graph: PropertyGraph,
    /// What the query changed.
    pub changes: Changes,
}

/// Rows of columns.
type Rows = Vec<Vec<CypherValue>>;

/// A query that was read, and can be run on any graph.
#[derive(Clone, Debug)]
pub struct Query {
    text: String,
    script: Script,
}

impl Query {
    /// Reads a query, or several with semicolons between them, of which the last gives the table.
    /// O(n) in the length of the text, but for names: O(names × variables in sight).
    ///
    /// # Errors
    /// It is no query, or one that can be right on no graph: an unknown variable or function, types
    /// that can never be. The error has the place, and a hint where one is known.
    pub fn parse(text: &str) -> Result<Self, CypherError> {
        let read = || {
            let mut script = parse::parse(text)?;
            resolve::resolve(&mut script)?;
            Ok(script)
        };
        let script = read().map_err(|error: CypherError| error.placed_in(text))?;
        Ok(Self { text: text.to_owned(), script })
    }

    /// Whether it can change a graph.
    pub fn is_write(&self) -> bool {
        self.script.statements.iter().any(|statement| match statement {
            Statement::Query(query) => writes(query),
            Statement::Schema => false,
        })
    }

    /// Runs it on a graph that stays as it is.
    ///
    /// # Errors
    /// It would write, a value is of the wrong type, or a limit is reached.
    pub fn read(
        &self,
        graph: &PropertyGraph,
        given: &Parameters,
        limits: &QueryLimits<'_>,
    ) -> Result<CypherTable, CypherError> {
        self.read_on(graph, given, limits, None)
    }

    /// The same, with the nodes that the result stands on: all that its rows were matched with, and
    /// for a row that sums up a group, what the rows of the group were. At most some 500.
    ///
    /// # Errors
    /// Those of [`Query::read`].
    pub fn read_with_basis(
        &self,
        graph: &PropertyGraph,
        given: &Parameters,
        limits: &QueryLimits<'_>,
    ) -> Result<(CypherTable, BTreeSet<NodeId>), CypherError> {
        let basis = RefCell::default();
        let table = self.read_on(graph, given, limits, Some(&basis))?;
        Ok((table, basis.into_inner()))
    }

    fn read_on(
        &self,
        graph: &PropertyGraph,
        given: &Parameters,
        limits: &QueryLimits<'_>,
        basis: Option<&RefCell<BTreeSet<NodeId>>>,
    ) -> Result<CypherTable, CypherError> {
        if self.is_write() {
            let error = CypherError::new(
                CypherErrorKind::SemanticError,
                Phase::Compile,
                Cause::InvalidClauseComposition,
                "the query writes, and this graph can only be read",
            );
            return Err(error.hint("leave out CREATE, MERGE, SET, REMOVE and DELETE"));
        }
        let shared = Shared::new(given, limits);
        let (columns, rows) = self.run(&shared, &mut |statement, shared| {
            let width = statement.n_slots;
            let run = Run::new(Graph::Read(graph), shared, width);
            match basis {
                None => run.on(statement),
                Some(basis) => {
                    // What a statement before stood on is none of the last one's.
                    basis.borrow_mut().clear();
                    run.with_basis(basis).on(statement)
                }
            }
        })?;
        Ok(CypherTable { columns, rows, graph: graph.clone(), changes: Changes::default() })
    }

    /// Runs it on a store: all that it writes stays, or nothing where it fails.
    ///
    /// # Errors
    /// A value is of the wrong type, a node with edges would be deleted, or a limit is reached.
    pub fn write(
        &self,
        store: &mut GraphStore,
        given: &Parameters,
        limits: &QueryLimits<'_>,
    ) -> Result<CypherTable, CypherError> {
        let shared = Shared::new(given, limits);
        let (table, changes) = store.write(&self.text, |writing| {
            let table = self.run(&shared, &mut |statement, shared| {
                let width = statement.n_slots;
                Run::new(Graph::Write(writing), shared, width).on(statement)
            })?;
            Ok::<_, CypherError>((table, writing.changes().clone()))
        })?;
        let (columns, rows) = table;
        Ok(CypherTable { columns, rows, graph: store.now().clone(), changes })
    }

    /// Refuses to begin where a parameter is missing: no row may come to it.
    fn check_given(&self, given: &Parameters) -> Result<(), CypherError> {
        let is_missing = |(name, _): &&(String, usize)| !given.contains_key(name);
        let Some((name, at)) = self.script.parameters.iter().find(is_missing) else {
            return Ok(());
        };
        let error = CypherError::new(
            CypherErrorKind::ParameterMissing,
            Phase::Compile,
            Cause::MissingParameter,
            format!("the parameter ${name} is not given"),
        );
        Err(error.or_at(*at).placed_in(&self.text))
    }

    fn run<'q>(
        &self,
        shared: &Shared<'q>,
        one: &mut dyn FnMut(&Union, &Shared<'q>) -> Result<Rows, CypherError>,
    ) -> Result<(Vec<String>, Rows), CypherError> {
        self.check_given(shared.given)?;
        let mut last = (Vec::new(), Vec::new());
        for statement in &self.script.statements {
            last = match statement {
                Statement::Schema => Default::default(),
                Statement::Query(query) => {
                    let rows = one(query, shared).map_err(|error| error.placed_in(&self.text))?;
                    // Rows without columns say nothing.
                    let rows = if query.columns.is_empty() { Vec::new() } else { rows };
                    (query.columns.clone(), rows)
                }
            };
        }
        Ok(last)
    }
}

/// Whether a query changes something.
pub(crate) fn writes(query: &Union) -> bool {
    query.parts.iter().flat_map(|part| &part.clauses).any(|clause| match &clause.kind {
        ClauseKind::Create(_)
        | ClauseKind::Merge(_)
        | ClauseKind::Delete { .. }
        | ClauseKind::Set(_)
        | ClauseKind::Remove(_)
        | ClauseKind::Foreach { .. } => true,
        ClauseKind::Call(call) => writes(&call.query),
        _ => false,
    })
}

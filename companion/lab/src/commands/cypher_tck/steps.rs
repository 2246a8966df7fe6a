//! What the steps of a scenario ask for.

use std::fmt;
use std::path::Path;

use super::compare::{KitTable, Order, SideEffects};
use super::expected::KitValue;
use super::notation::NotationError;
use companion::{input, limits};

/// A step of a scenario as it is written, with values for placeholders.
#[derive(Debug)]
pub(super) struct RawStep {
    /// What stands after Given, When, Then, And or But.
    pub words: String,
    /// The text between quotes below.
    pub text: Option<String>,
    /// The table below.
    pub table: Option<Vec<Vec<String>>>,
}

/// One thing to do or to expect.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// Runs a query that must not fail, before what counts.
    Setup(String),
    /// Gives values to parameters, for all queries after it.
    Parameters(Vec<(String, KitValue)>),
    /// Runs the query that what follows is about.
    Query(String),
    /// Looks at what the last query gave or did.
    Expect(Expectation),
}

/// What the last query should have given or done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expectation {
    /// A table.
    Table(KitTable, Order),
    /// No rows.
    NoRows,
    /// Changes of the graph, or none.
    Effects(SideEffects),
    /// An error.
    Error(ExpectedError),
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(table, order) => {
                f.write_str(if order.of_rows { "in order" } else { "in any order" })?;
                f.write_str(if order.in_lists { "" } else { ", lists too" })?;
                write!(f, ":\n{table}")
            }
            Self::NoRows => f.write_str("no rows"),
            Self::Effects(effects) => effects.fmt(f),
            Self::Error(e) => write!(f, "{} at {}: {}", e.kind, e.phase, e.detail),
        }
    }
}

/// An error by the kit's names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExpectedError {
    /// What sort of error.
    pub kind: String,
    /// `compile time`, `runtime` or `any time`.
    pub phase: String,
    /// What exactly; `*` stands for anything.
    pub detail: String,
}

/// Why a scenario cannot be run. The kit gives no cause for that; its next version may.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum StepError {
    /// A step that this module does not know.
    #[error("this runner does not know the step {0:?}")]
    Unknown(String),
    /// A step without its text or its table, or with one of another shape.
    #[error("the step {words:?} should have {missing}")]
    Incomplete {
        /// The step.
        words: String,
        /// What it should have.
        missing: &'static str,
    },
    /// A cell that is no value.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A named graph that is not there.
    #[error("graph {0:?} is not in a folder graphs beside or above the feature file")]
    NoGraph(String),
    /// Nothing could fail.
    #[error("the scenario runs no query, or expects nothing of it")]
    ExpectsNothing,
}

/// What the steps of a scenario mean; the path says where named graphs are looked for.
pub(super) fn read(path: &Path, raw: &[RawStep]) -> Result<Vec<Step>, StepError> {
    let mut steps = Vec::new();
    for step in raw {
        read_step(path, step, &mut steps)?;
    }
    let asks = steps.iter().any(|step| matches!(step, Step::Query(_)));
    let expects = |step: &Step| match step {
        Step::Expect(Expectation::Effects(_)) => false,
        other => matches!(other, Step::Expect(_)),
    };
    if asks && steps.iter().any(expects) { Ok(steps) } else { Err(StepError::ExpectsNothing) }
}

fn read_step(path: &Path, raw: &RawStep, steps: &mut Vec<Step>) -> Result<(), StepError> {
    let incomplete = |missing| StepError::Incomplete { words: raw.words.clone(), missing };
    let text = || raw.text.clone().ok_or_else(|| incomplete("a text"));
    let rows = || raw.table.as_deref().ok_or_else(|| incomplete("a table"));
    let ordered = Order { of_rows: true, in_lists: true };
    let words = raw.words.as_str();
    steps.push(match words.trim_end_matches(':') {
        // Procedures are met only where the scenario is skipped.
        "an empty graph" | "any graph" => return Ok(()),
        words if words.starts_with("there exists a procedure") => return Ok(()),
        "having executed" => Step::Setup(text()?),
        "parameters are" => Step::Parameters(
            parameters(rows()?).ok_or_else(|| incomplete("rows of name and value"))??,
        ),
        "executing query" | "executing control query" => Step::Query(text()?),
        "the result should be, in any order" => {
            Step::Expect(table(rows()?, Order { of_rows: false, ..ordered })?)
        }
        "the result should be, in order" => Step::Expect(table(rows()?, ordered)?),
        "the result should be (ignoring element order for lists)" => {
            Step::Expect(table(rows()?, Order { of_rows: false, in_lists: false })?)
        }
        "the result should be, in order (ignoring element order for lists)" => {
            Step::Expect(table(rows()?, Order { in_lists: false, ..ordered })?)
        }
        "the result should be empty" => Step::Expect(Expectation::NoRows),
        "no side effects" => Step::Expect(Expectation::Effects(SideEffects::default())),
        "the side effects should be" => {
            let effects = effects(rows()?).ok_or_else(|| incomplete("known effects and counts"))?;
            Step::Expect(Expectation::Effects(effects))
        }
        words => {
            if let Some(error) = error(words) {
                Step::Expect(Expectation::Error(error))
            } else if let Some(name) = graph_name(words) {
                let queries = named_graph(path, name)?;
                steps.extend(queries.into_iter().map(Step::Setup));
                return Ok(());
            } else {
                return Err(StepError::Unknown(raw.words.clone()));
            }
        }
    });
    Ok(())
}

/// The values of parameters; nothing where a row is not a name and a value.
fn parameters(rows: &[Vec<String>]) -> Option<Result<Vec<(String, KitValue)>, NotationError>> {
    let pairs: Option<Vec<_>> = rows
        .iter()
        .map(|row| match row.as_slice() {
            [name, value] => Some(value.parse().map(|value| (name.clone(), value))),
            _ => None,
        })
        .collect();
    pairs.map(|pairs| pairs.into_iter().collect())
}

fn table(rows: &[Vec<String>], order: Order) -> Result<Expectation, NotationError> {
    let (columns, rows) =
        rows.split_first().map_or_else(Default::default, |(columns, rows)| (columns.clone(), rows));
    let read_row = |row: &Vec<String>| row.iter().map(|cell| cell.parse()).collect();
    let rows = rows.iter().map(read_row).collect::<Result<_, _>>()?;
    Ok(Expectation::Table(KitTable { columns, rows }, order))
}

fn effects(rows: &[Vec<String>]) -> Option<SideEffects> {
    let mut effects = SideEffects::default();
    for row in rows {
        let [name, count] = row.as_slice() else { return None };
        effects.set(name, count.parse().ok()?).then_some(())?;
    }
    Some(effects)
}

/// `a KIND should be raised at PHASE: DETAIL`
fn error(words: &str) -> Option<ExpectedError> {
    let rest = words.strip_prefix("a ").or_else(|| words.strip_prefix("an "))?;
    let (kind, rest) = rest.split_once(" should be raised at ")?;
    let (phase, detail) = rest.split_once(": ")?;
    let known = ["compile time", "runtime", "any time"].contains(&phase);
    let [kind, phase, detail] = [kind, phase, detail].map(|part| part.trim().to_owned());
    known.then_some(ExpectedError { kind, phase, detail })
}

/// `the NAME graph`; a name that could lead out of the folder is none.
fn graph_name(words: &str) -> Option<&str> {
    let name = words.strip_prefix("the ")?.strip_suffix(" graph")?;
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
    (!name.is_empty() && name.chars().all(is_plain)).then_some(name)
}

/// The queries that make a named graph, from the first folder `graphs` upwards that has it.
fn named_graph(path: &Path, name: &str) -> Result<Vec<String>, StepError> {
    let script = path.ancestors().skip(1).find_map(|folder| {
        let graphs = folder.join("graphs");
        let places = [
            graphs.join(name).join(format!("{name}.cypher")),
            graphs.join(format!("{name}.cypher")),
        ];
        places.iter().find_map(|place| input::text(place, limits::FEATURE).ok())
    });
    let script = script.ok_or_else(|| StepError::NoGraph(name.to_owned()))?;
    let mut queries = vec![String::new()];
    for line in script.lines() {
        if let Some(query) = queries.last_mut() {
            query.push_str(line.trim_end().trim_end_matches(';'));
            query.push('\n');
        }
        if line.trim_end().ends_with(';') {
            queries.push(String::new());
        }
    }
    queries.retain(|query| !query.trim().is_empty());
    Ok(queries)
}

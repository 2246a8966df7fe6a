//! Runs a scenario.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use kg::property::{GraphStore, PropertyGraph};
use serde::Serialize;

use super::compare::{KitTable, SideEffects};
use super::engine::{Engine, Fault};
use super::expected::KitValue;
use super::feature::Scenario;
use super::steps::{Expectation, Step};

/// The most letters of what was expected and of what came.
const MAX_WORDS: usize = 2_000;

/// How a scenario went; one line of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Outcome {
    /// The file, from the kit's folder of features on.
    pub file: String,
    /// The scenario.
    pub name: String,
    /// What came out.
    #[serde(flatten)]
    pub result: Verdict,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "result", rename_all = "lowercase")]
pub(crate) enum Verdict {
    /// All was as expected.
    Passed,
    /// It was not run.
    Skipped {
        /// What is not run here.
        cause: String,
    },
    /// Something was not as expected.
    Failed {
        /// What should have come.
        expected: String,
        /// What came.
        got: String,
    },
}

impl Verdict {
    fn failed(expected: impl ToString, got: impl ToString) -> Self {
        let cut = |words: String| words.chars().take(MAX_WORDS).collect();
        Self::Failed { expected: cut(expected.to_string()), got: cut(got.to_string()) }
    }
}

/// Runs a scenario on a new graph. A panic of the engine makes it fail.
pub(crate) fn run(scenario: &Scenario, engine: &dyn Engine) -> Outcome {
    let result = match (scenario.skip, &scenario.steps) {
        (Some(cause), _) => Verdict::Skipped { cause: cause.to_owned() },
        (None, Err(error)) => Verdict::failed("a scenario that can be run", error),
        (None, Ok(steps)) => {
            // Nothing that a panic leaves half done is looked at again.
            catch_unwind(AssertUnwindSafe(|| run_steps(steps, engine)))
                .unwrap_or_else(|panic| Verdict::failed("no panic", words_of(&*panic)))
        }
    };
    Outcome { file: scenario.file.clone(), name: scenario.name.clone(), result }
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().copied();
    let words = words.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("the engine panicked: {}", words.unwrap_or("without words"))
}

fn run_steps(steps: &[Step], engine: &dyn Engine) -> Verdict {
    let mut running = Running {
        engine,
        store: GraphStore::default(),
        parameters: BTreeMap::new(),
        before: PropertyGraph::default(),
        last: None,
        is_open: false,
    };
    let result = steps.iter().try_for_each(|step| running.step(step));
    match result.and_then(|()| running.close()) {
        Ok(()) => Verdict::Passed,
        Err(failed) => failed,
    }
}

struct Running<'e> {
    engine: &'e dyn Engine,
    store: GraphStore,
    parameters: BTreeMap<String, KitValue>,
    /// The graph before the last query.
    before: PropertyGraph,
    /// What the last query gave.
    last: Option<Result<KitTable, Fault>>,
    /// Whether it failed and nothing was said about that yet.
    is_open: bool,
}

impl Running<'_> {
    fn step(&mut self, step: &Step) -> Result<(), Verdict> {
        match step {
            Step::Setup(query) => {
                let done = self.engine.run(&mut self.store, query, &self.parameters);
                done.map(drop).map_err(|fault| Verdict::failed(format!("done: {query}"), fault))
            }
            Step::Parameters(given) => {
                self.parameters.extend(given.iter().cloned());
                Ok(())
            }
            Step::Query(query) => {
                self.close()?;
                self.before = self.store.now().clone();
                let gave = self.engine.run(&mut self.store, query, &self.parameters);
                self.is_open = gave.is_err();
                self.last = Some(gave);
                Ok(())
            }
            Step::Expect(expectation) => self.expect(expectation),
        }
    }

    /// A query that fails where no error is expected makes the scenario fail.
    fn close(&self) -> Result<(), Verdict> {
        match &self.last {
            Some(Err(fault)) if self.is_open => Err(Verdict::failed("no error", fault)),
            _ => Ok(()),
        }
    }

    fn expect(&mut self, expectation: &Expectation) -> Result<(), Verdict> {
        if let Expectation::Effects(expected) = expectation {
            self.close()?;
            let got = SideEffects::between(&self.before, self.store.now());
            return if got == *expected { Ok(()) } else { Err(Verdict::failed(expected, got)) };
        }
        let Some(last) = &self.last else {
            return Err(Verdict::failed("a query before what is expected of it", "none"));
        };
        let is_right = match (expectation, last) {
            (Expectation::Error(expected), Err(fault)) => {
                self.is_open = false;
                fault.is(expected)
            }
            (Expectation::Table(expected, order), Ok(got)) => expected.equals(got, *order),
            (Expectation::NoRows, Ok(got)) => got.rows.is_empty(),
            _ => false,
        };
        if is_right {
            return Ok(());
        }
        Err(match last {
            Ok(table) => Verdict::failed(expectation, table),
            Err(fault) => Verdict::failed(expectation, fault),
        })
    }
}

//! The runner, on features and an engine of its own.

mod compare;
mod feature;
mod notation;
mod run;

use std::collections::BTreeMap;
use std::path::Path;

use kg::property::GraphStore;

use super::compare::KitTable;
use super::engine::{Engine, Fault};
use super::expected::KitValue;
use super::run::{Outcome, Verdict};

/// An engine that does what a function says.
struct Scripted<F>(F);

impl<F> Engine for Scripted<F>
where
    F: Fn(&mut GraphStore, &str, &BTreeMap<String, KitValue>) -> Result<KitTable, Fault>,
{
    fn run(
        &self,
        store: &mut GraphStore,
        query: &str,
        parameters: &BTreeMap<String, KitValue>,
    ) -> Result<KitTable, Fault> {
        self.0(store, query, parameters)
    }
}

/// A table of values in the kit's notation: the columns, then the rows.
fn table(columns: &[&str], rows: &[&[&str]]) -> KitTable {
    KitTable {
        columns: columns.iter().map(|&name| name.to_owned()).collect(),
        rows: rows
            .iter()
            .map(|row| row.iter().map(|cell| cell.parse().unwrap()).collect())
            .collect(),
    }
}

fn fault(kind: &str, phase: &str, detail: &str) -> Fault {
    let [kind, phase, detail] = [kind, phase, detail].map(str::to_owned);
    Fault { kind, phase, detail, message: "in words".to_owned() }
}

/// Runs all scenarios of a text.
fn outcomes(text: &str, engine: &dyn Engine) -> Vec<Outcome> {
    let scenarios = super::feature::read_text(Path::new("features/own/Own.feature"), text).unwrap();
    scenarios.iter().map(|scenario| super::run::run(scenario, engine)).collect()
}

/// Runs one scenario with these steps.
fn outcome(steps: &str, engine: &dyn Engine) -> Verdict {
    let text = format!("Feature: Own\n\n  Scenario: [1] One\n{steps}\n");
    let [outcome] = <[Outcome; 1]>::try_from(outcomes(&text, engine)).unwrap();
    outcome.result
}

/// One scenario with a query and what is expected of it, on an engine that gives this.
fn asked(expected: &str, gives: &Result<KitTable, Fault>) -> Verdict {
    let steps = format!(
        "    Given any graph\n    When executing query:\n      \"\"\"\n      RETURN 1\n      \"\"\"\n{expected}"
    );
    outcome(&steps, &Scripted(|_: &mut GraphStore, _: &str, _: &BTreeMap<_, _>| gives.clone()))
}

fn failed(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Failed { .. })
}

//! The engine under test, as the runner sees it.

use std::collections::BTreeMap;
use std::fmt;

use cypher::{Query, QueryLimits};
use kg::property::GraphStore;

use super::compare::{KitTable, to_kit, to_parameter};
use super::expected::KitValue;
use super::steps::ExpectedError;

/// Runs queries. The runner's tests have one of their own.
pub(crate) trait Engine {
    /// Runs a query on the present state of the store, and gives its table.
    ///
    /// # Errors
    /// The query fails, before it is run or then.
    fn run(
        &self,
        store: &mut GraphStore,
        query: &str,
        parameters: &BTreeMap<String, KitValue>,
    ) -> Result<KitTable, Fault>;
}

/// Why a query failed, by the kit's names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What sort of error.
    pub kind: String,
    /// `compile time` or `runtime`.
    pub phase: String,
    /// What exactly.
    pub detail: String,
    /// In words.
    pub message: String,
}

impl Fault {
    /// Whether it is the error that the kit expects.
    pub(crate) fn is(&self, expected: &ExpectedError) -> bool {
        self.kind == expected.kind
            && (expected.phase == "any time" || self.phase == expected.phase)
            && (expected.detail == "*" || self.detail == expected.detail)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}: {} ({})", self.kind, self.phase, self.detail, self.message)
    }
}

/// The engine of this project.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cypher;

impl Engine for Cypher {
    fn run(
        &self,
        store: &mut GraphStore,
        query: &str,
        parameters: &BTreeMap<String, KitValue>,
    ) -> Result<KitTable, Fault> {
        let mut given = cypher::Parameters::new();
        for (name, value) in parameters {
            let value = to_parameter(value).ok_or_else(|| Fault {
                kind: "RunnerError".into(),
                phase: "runtime".into(),
                detail: "InvalidParameter".into(),
                message: format!("parameter {name} stands for a part of a graph"),
            })?;
            given.insert(name.clone(), value);
        }
        // One scenario counts a million rows; who runs a kit has chosen it.
        let limits = QueryLimits { rows: 2_000_000, length: 2_000_000, ..QueryLimits::default() };
        let query = Query::parse(query).map_err(|e| fault(&e))?;
        let table = match query.is_write() {
            true => query.write(store, &given, &limits),
            false => query.read(store.now(), &given, &limits),
        };
        let table = table.map_err(|e| fault(&e))?;
        let read_row = |row: &Vec<_>| row.iter().map(|value| to_kit(value, &table.graph)).collect();
        let rows = table.rows.iter().map(read_row).collect();
        Ok(KitTable { columns: table.columns.clone(), rows })
    }
}

fn fault(error: &cypher::CypherError) -> Fault {
    let phase = match error.phase() {
        cypher::Phase::Compile => "compile time",
        cypher::Phase::Run => "runtime",
    };
    Fault {
        kind: format!("{:?}", error.kind()),
        phase: phase.to_owned(),
        detail: format!("{:?}", error.cause()),
        message: error.to_string(),
    }
}

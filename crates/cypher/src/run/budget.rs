//! How much a query may take.

use std::cell::Cell;

use super::Ran;
use crate::QueryLimits;
use crate::error::{Cause, CypherError, CypherErrorKind};

/// The most values in all rows that stand between two clauses: about 240 MB.
const MAX_VALUES: usize = 10_000_000;
/// How many steps pass between two questions whether to stop.
const STEPS_BETWEEN: u64 = 4_096;

/// Counts what a query takes.
pub(crate) struct Budget<'q> {
    limits: &'q QueryLimits<'q>,
    steps: Cell<u64>,
    next_question: Cell<u64>,
}

impl<'q> Budget<'q> {
    pub fn new(limits: &'q QueryLimits<'q>) -> Self {
        Self { limits, steps: Cell::new(0), next_question: Cell::new(STEPS_BETWEEN) }
    }

    /// Counts steps.
    pub fn spend(&self, n: usize) -> Ran<()> {
        let steps = self.steps.get().saturating_add(n as u64);
        self.steps.set(steps);
        if steps > self.limits.steps {
            let message = format!("the query takes more than {} steps", self.limits.steps);
            return Err(too_much(message).hint(
                "begin with the most selective pattern, and join patterns by their variables",
            ));
        }
        if steps >= self.next_question.get() {
            self.next_question.set(steps + STEPS_BETWEEN);
            if self.limits.stop.is_some_and(|stop| stop()) {
                return Err(too_much("the query was stopped: it takes too long"));
            }
        }
        Ok(())
    }

    /// Counts rows that stand between two clauses.
    pub fn rows(&self, n_rows: usize, width: usize) -> Ran<()> {
        if n_rows > self.limits.rows || n_rows.saturating_mul(width.max(1)) > MAX_VALUES {
            let message = format!("more than {} rows stand between two clauses", self.limits.rows);
            return Err(too_much(message).hint("join patterns by their variables, or use LIMIT"));
        }
        Ok(())
    }

    /// Counts the items of a list or the bytes of a text that is made.
    pub fn length(&self, n: usize) -> Ran<()> {
        self.spend(n / 16)?;
        if n > self.limits.length {
            let message = format!("a list or a text is longer than {}", self.limits.length);
            return Err(too_much(message));
        }
        Ok(())
    }
}

fn too_much(message: impl Into<String>) -> CypherError {
    CypherError::run(CypherErrorKind::LimitExceeded, Cause::TooMuch, message)
}

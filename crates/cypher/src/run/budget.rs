//! How much a query may take.

use std::cell::Cell;
use std::cmp::Ordering;

use super::Ran;
use crate::QueryLimits;
use crate::error::{Cause, CypherError, CypherErrorKind};
use crate::parts::held;
use crate::value::CypherValue;

/// The most bytes that the values and rows of a query hold at a time.
const MAX_HELD: usize = 512 << 20;
/// The most bytes that a query writes into the graph.
const MAX_WRITTEN: usize = 512 << 20;
/// The most parts of a value, shared or not.
const MAX_PARTS: usize = 4_000_000;
/// How deep lists and maps may nest: values are printed, compared and dropped by recursion.
const MAX_NESTING: usize = 100;
/// How many steps pass between two questions whether to stop.
const STEPS_BETWEEN: u64 = 4_096;

/// Counts what a query takes.
pub(crate) struct Budget<'q> {
    limits: &'q QueryLimits<'q>,
    steps: Cell<u64>,
    next_question: Cell<u64>,
    held_before: usize,
    written: Cell<usize>,
}

impl<'q> Budget<'q> {
    pub fn new(limits: &'q QueryLimits<'q>) -> Self {
        Self {
            limits,
            steps: Cell::new(0),
            next_question: Cell::new(STEPS_BETWEEN),
            held_before: held(),
            written: Cell::new(0),
        }
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
        // Less may be held than before, where a value from before was dropped.
        if held().wrapping_sub(self.held_before) as isize > MAX_HELD as isize {
            let most = MAX_HELD >> 20;
            let message = format!("the values and rows of the query take more than {most} MB");
            return Err(too_much(message).hint("collect less, or use LIMIT"));
        }
        if steps >= self.next_question.get() {
            self.next_question.set(steps + STEPS_BETWEEN);
            if self.limits.stop.is_some_and(|stop| stop()) {
                return Err(too_much("the query was stopped: it takes too long"));
            }
        }
        Ok(())
    }

    /// Counts rows between two clauses.
    pub fn rows(&self, n_rows: usize) -> Ran<()> {
        self.spend(1)?;
        if n_rows > self.limits.rows {
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

    /// A value that was made, if it is not too large to be walked.
    pub fn made(&self, value: CypherValue) -> Ran<CypherValue> {
        if value.depth() > MAX_NESTING {
            return Err(too_much(format!("lists and maps nest more than {MAX_NESTING} deep")));
        }
        self.parts(value.size())?;
        Ok(value)
    }

    /// Counts the parts of a value, also of one that is being made.
    pub fn parts(&self, n: usize) -> Ran<()> {
        if n > MAX_PARTS {
            return Err(too_much(format!("a value has more than {MAX_PARTS} parts")));
        }
        Ok(())
    }

    /// Counts the parts of a result.
    pub fn result(&self, n_parts: usize) -> Ran<()> {
        if n_parts > MAX_PARTS {
            let message = format!("the result has more than {MAX_PARTS} parts");
            return Err(too_much(message).hint("return less of each, or use LIMIT"));
        }
        Ok(())
    }

    /// Counts bytes that are written into the graph.
    pub fn write(&self, n: usize) -> Ran<()> {
        self.spend(1)?;
        self.written.set(self.written.get().saturating_add(n));
        if self.written.get() > MAX_WRITTEN {
            let most = MAX_WRITTEN >> 20;
            return Err(too_much(format!("the query writes more than {most} MB into the graph")));
        }
        Ok(())
    }

    /// [`CypherValue::equals`], paid for.
    pub fn equals(&self, a: &CypherValue, b: &CypherValue) -> Ran<Option<bool>> {
        self.spend(a.size().min(b.size()))?;
        Ok(a.equals(b))
    }

    /// [`CypherValue::order`], paid for.
    pub fn order(&self, a: &CypherValue, b: &CypherValue) -> Ran<Ordering> {
        self.spend(a.size().min(b.size()))?;
        Ok(a.order(b))
    }
}

fn too_much(message: impl Into<String>) -> CypherError {
    CypherError::run(CypherErrorKind::LimitExceeded, Cause::TooMuch, message)
}

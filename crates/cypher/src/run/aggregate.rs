//! Functions over the rows of a group.

use rustc_hash::FxHashSet;

use super::operators::{arithmetic, overflow};
use super::{Budget, Ran, fault, type_fault};
use crate::ast::{AggregateFunction, BinaryOp};
use crate::error::{Cause, CypherErrorKind};
use crate::value::CypherValue;

/// What one aggregate has seen so far.
pub(super) struct Gathered {
    function: AggregateFunction,
    seen: Option<FxHashSet<CypherValue>>,
    count: usize,
    sum: CypherValue,
    best: CypherValue,
    all: Vec<CypherValue>,
    n_parts: usize,
    part: Option<f64>,
}

impl Gathered {
    pub fn new(function: AggregateFunction, distinct: bool) -> Self {
        Self {
            function,
            seen: distinct.then(FxHashSet::default),
            count: 0,
            sum: CypherValue::Int(0),
            best: CypherValue::Null,
            all: Vec::new(),
            n_parts: 0,
            part: None,
        }
    }

    /// Counts a row of `count(*)`.
    pub fn add_row(&mut self) {
        self.count += 1;
    }

    /// Takes which part is asked for, of percentiles.
    pub fn set_part(&mut self, part: &CypherValue) -> Ran<()> {
        let part = match part {
            CypherValue::Int(n) => *n as f64,
            CypherValue::Float(x) => *x,
            other => {
                return type_fault(format!("expected a number from 0 to 1, not {}", other.sort()));
            }
        };
        if !(0.0..=1.0).contains(&part) {
            let message = format!("expected a number from 0 to 1, not {part}");
            return fault(CypherErrorKind::ArgumentError, Cause::NumberOutOfRange, message);
        }
        self.part = Some(part);
        Ok(())
    }

    /// Takes the value of a row; null is left out.
    pub fn add(&mut self, value: CypherValue, budget: &Budget<'_>) -> Ran<()> {
        use AggregateFunction as F;
        if value.is_null() {
            return Ok(());
        }
        if let Some(seen) = &mut self.seen {
            budget.spend(value.size())?;
            if !seen.insert(value.clone()) {
                return Ok(());
            }
        }
        self.count += 1;
        match self.function {
            F::Count => {}
            F::Sum | F::Avg => {
                if !matches!(
                    value,
                    CypherValue::Int(_) | CypherValue::Float(_) | CypherValue::Temporal(_)
                ) {
                    return type_fault(format!("numbers are added, not {}", value.sort()));
                }
                let is_first = self.count == 1 && matches!(value, CypherValue::Temporal(_));
                self.sum = if is_first {
                    value
                } else {
                    match (&self.sum, &value) {
                        (CypherValue::Temporal(a), CypherValue::Temporal(b)) => {
                            super::times::add(a, b, 1)?
                        }
                        _ if self.function == F::Avg => {
                            arithmetic(BinaryOp::Add, &to_float(&self.sum), &value)?
                        }
                        _ => arithmetic(BinaryOp::Add, &self.sum, &value)?,
                    }
                };
            }
            F::Min | F::Max => {
                let order = budget.order(&value, &self.best)?;
                let wins = if self.function == F::Min { order.is_lt() } else { order.is_gt() };
                if self.best.is_null() || wins {
                    self.best = value;
                }
            }
            F::Collect => {
                self.n_parts = self.n_parts.saturating_add(value.size());
                budget.parts(self.n_parts)?;
                self.all.push(value);
            }
            F::StDev | F::StDevP | F::PercentileCont | F::PercentileDisc => {
                if !matches!(value, CypherValue::Int(_) | CypherValue::Float(_)) {
                    return type_fault(format!("expected numbers, not {}", value.sort()));
                }
                self.all.push(value);
            }
        }
        Ok(())
    }

    /// The value for the group.
    pub fn finish(mut self) -> Ran<CypherValue> {
        use AggregateFunction as F;
        Ok(match self.function {
            F::Count => CypherValue::Int(i64::try_from(self.count).map_err(|_| overflow())?),
            F::Sum => self.sum,
            F::Avg if self.count == 0 => CypherValue::Null,
            F::Avg => match &self.sum {
                CypherValue::Temporal(_) => return type_fault("no average is known of dates"),
                sum => arithmetic(
                    BinaryOp::Divide,
                    &to_float(sum),
                    &CypherValue::Float(self.count as f64),
                )?,
            },
            F::Min | F::Max => self.best,
            F::Collect => CypherValue::list(self.all),
            F::StDev | F::StDevP => CypherValue::Float(self.deviation()),
            F::PercentileCont | F::PercentileDisc => self.percentile(),
        })
    }

    fn numbers(&self) -> Vec<f64> {
        let number = |value: &CypherValue| match value {
            CypherValue::Int(n) => *n as f64,
            CypherValue::Float(x) => *x,
            _ => 0.0,
        };
        self.all.iter().map(number).collect()
    }

    fn deviation(&self) -> f64 {
        let numbers = self.numbers();
        let less = usize::from(self.function == AggregateFunction::StDev);
        if numbers.len() <= less {
            return 0.0;
        }
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let squares: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
        (squares / (numbers.len() - less) as f64).sqrt()
    }

    fn percentile(&mut self) -> CypherValue {
        self.all.sort_by(CypherValue::order);
        let part = self.part.unwrap_or(0.5);
        let n = self.all.len();
        if n == 0 {
            return CypherValue::Null;
        }
        if self.function == AggregateFunction::PercentileDisc {
            let at = ((part * n as f64).ceil() as usize).saturating_sub(1);
            return self.all[at.min(n - 1)].clone();
        }
        let at = part * (n - 1) as f64;
        let numbers = self.numbers();
        let (low, high) = (at.floor() as usize, at.ceil() as usize);
        let weight = at - low as f64;
        CypherValue::Float(numbers[low] * (1.0 - weight) + numbers[high.min(n - 1)] * weight)
    }
}

fn to_float(value: &CypherValue) -> CypherValue {
    match value {
        CypherValue::Int(n) => CypherValue::Float(*n as f64),
        other => other.clone(),
    }
}

//! What operators make of values, without a row or a graph.

use super::{Budget, Ran, fault, type_fault};
use crate::ast::{BinaryOp, CompareOp};
use crate::error::{Cause, CypherError, CypherErrorKind};
use crate::parts::Parts;
use crate::value::CypherValue;

pub(super) fn deleted<T>(what: &str) -> Ran<T> {
    let message = format!("the {what} was deleted by this query");
    fault(CypherErrorKind::EntityNotFound, Cause::DeletedEntityAccess, message)
}

pub(super) fn to_value(truth: Option<bool>) -> CypherValue {
    truth.map_or(CypherValue::Null, CypherValue::Bool)
}

pub(super) fn as_list(value: CypherValue, what: &str) -> Ran<Parts<Vec<CypherValue>>> {
    match value {
        CypherValue::List(list) => Ok(list),
        other => type_fault(format!("{what} needs a list, not {}", other.sort())),
    }
}

pub(super) fn compare(op: CompareOp, left: &CypherValue, right: &CypherValue) -> Option<bool> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match op {
        CompareOp::Equal => return left.equals(right),
        CompareOp::NotEqual => return left.equals(right).map(|b| !b),
        _ => {}
    }
    let is_number =
        |value: &CypherValue| matches!(value, CypherValue::Int(_) | CypherValue::Float(_));
    // NaN is a number, and not less than any.
    if is_number(left) && is_number(right) && left.compare(right).is_none() {
        return Some(false);
    }
    let order = left.compare(right)?;
    Some(match op {
        CompareOp::Less => order == Less,
        CompareOp::LessEqual => order != Greater,
        CompareOp::Greater => order == Greater,
        _ => order != Less || order == Equal,
    })
}

pub(super) fn is_in(
    item: &CypherValue,
    list: CypherValue,
    budget: &Budget<'_>,
) -> Ran<CypherValue> {
    let list = match list {
        CypherValue::Null => return Ok(CypherValue::Null),
        list => as_list(list, "IN")?,
    };
    let mut result = Some(false);
    for other in list.iter() {
        match budget.equals(item, other)? {
            Some(true) => return Ok(CypherValue::Bool(true)),
            Some(false) => {}
            None => result = None,
        }
    }
    Ok(to_value(result))
}

pub(super) fn negate(value: CypherValue) -> Ran<CypherValue> {
    Ok(match value {
        CypherValue::Null => CypherValue::Null,
        CypherValue::Int(n) => CypherValue::Int(n.checked_neg().ok_or_else(overflow)?),
        CypherValue::Float(x) => CypherValue::Float(-x),
        CypherValue::Temporal(temporal) => super::times::negate(&temporal)?,
        other => return type_fault(format!("- needs a number, not {}", other.sort())),
    })
}

pub(super) fn overflow() -> CypherError {
    let message = "the number is larger than a whole number can be";
    CypherError::run(CypherErrorKind::ArithmeticError, Cause::IntegerOverflow, message)
}

pub(super) fn arithmetic(
    op: BinaryOp,
    left: &CypherValue,
    right: &CypherValue,
) -> Ran<CypherValue> {
    use CypherValue::{Float, Int, Null, Temporal};
    let float = |a: f64, b: f64| match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        BinaryOp::Remainder => a % b,
        _ => a.powf(b),
    };
    Ok(match (left, right) {
        (Null, _) | (_, Null) => Null,
        (Int(a), Int(b)) => {
            let whole = match op {
                BinaryOp::Add => a.checked_add(*b),
                BinaryOp::Subtract => a.checked_sub(*b),
                BinaryOp::Multiply => a.checked_mul(*b),
                BinaryOp::Divide | BinaryOp::Remainder if *b == 0 => {
                    let message = "a whole number is divided by 0";
                    return fault(CypherErrorKind::ArithmeticError, Cause::DivisionByZero, message);
                }
                BinaryOp::Divide => a.checked_div(*b),
                BinaryOp::Remainder => Some(a.wrapping_rem(*b)),
                _ => return Ok(Float(float(*a as f64, *b as f64))),
            };
            Int(whole.ok_or_else(overflow)?)
        }
        (Int(a), Float(b)) => Float(float(*a as f64, *b)),
        (Float(a), Int(b)) => Float(float(*a, *b as f64)),
        (Float(a), Float(b)) => Float(float(*a, *b)),
        (Temporal(a), Temporal(b)) if op == BinaryOp::Subtract => super::times::add(a, b, -1)?,
        (Temporal(a), Int(n)) if op == BinaryOp::Multiply => super::times::multiply(a, *n)?,
        _ => {
            let message =
                format!("arithmetic needs numbers, not {} and {}", left.sort(), right.sort());
            return type_fault(message);
        }
    })
}

pub(super) fn slice(
    of: &CypherValue,
    from: Option<CypherValue>,
    to: Option<CypherValue>,
    budget: &Budget<'_>,
) -> Ran<CypherValue> {
    let list = match of {
        CypherValue::Null => return Ok(CypherValue::Null),
        CypherValue::List(list) => list,
        other => return type_fault(format!("{} has no range", other.sort())),
    };
    let n = list.len() as i64;
    let bound = |value: Option<CypherValue>, default: i64| match value {
        None => Ok(Some(default)),
        Some(CypherValue::Null) => Ok(None),
        Some(CypherValue::Int(i)) => Ok(Some(if i < 0 { (i + n).max(0) } else { i.min(n) })),
        Some(other) => type_fault(format!("a range needs whole numbers, not {}", other.sort())),
    };
    let (Some(from), Some(to)) = (bound(from, 0)?, bound(to, n)?) else {
        return Ok(CypherValue::Null);
    };
    if from >= to {
        return Ok(CypherValue::list(Vec::new()));
    }
    let items = &list[from as usize..to as usize];
    budget.length(items.len())?;
    Ok(CypherValue::list(items.to_vec()))
}

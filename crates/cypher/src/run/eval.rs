//! Expressions become values.

use std::collections::BTreeMap;

use kg::property::Element;

use super::operators::{arithmetic, as_list, compare, deleted, is_in, negate, slice, to_value};
use super::times::plain_text;
use super::{Ran, Row, Run, fault, type_fault};
use crate::ast::{
    BinaryOp, Case, CompareOp, Expr, ExprKind, LabelExpr, MapItem, Quantifier, QuantifierKind,
    SubqueryKind,
};
use crate::error::{Cause, CypherError, CypherErrorKind};
use crate::temporal::Temporal;
use crate::value::CypherValue;

/// The most regular expressions that are kept; each may take some megabytes.
const MAX_PATTERNS: usize = 50;
/// What reading a regular expression costs, beside its length.
const STEPS_A_PATTERN: usize = 4_096;

impl Run<'_, '_> {
    /// Whether a condition holds; null does not.
    pub(super) fn holds(&self, condition: &Expr, row: &mut Row) -> Ran<bool> {
        Ok(self.truth(condition, row)? == Some(true))
    }

    /// True, false, or not known.
    pub(super) fn truth(&self, expr: &Expr, row: &mut Row) -> Ran<Option<bool>> {
        match self.eval(expr, row)? {
            CypherValue::Bool(b) => Ok(Some(b)),
            CypherValue::Null => Ok(None),
            other => {
                let message = format!("a condition must be true or false, not {}", other.sort());
                let error = CypherError::run(
                    CypherErrorKind::TypeError,
                    Cause::InvalidArgumentType,
                    message,
                );
                Err(error.or_at(expr.at))
            }
        }
    }

    /// The value of an expression for a row.
    pub(super) fn eval(&self, expr: &Expr, row: &mut Row) -> Ran<CypherValue> {
        self.shared.budget.spend(1)?;
        // Whatever a step makes passes here, of parts that did before.
        let value = self.eval_kind(&expr.kind, row);
        value.and_then(|v| self.shared.budget.made(v)).map_err(|error| error.or_at(expr.at))
    }

    fn eval_kind(&self, kind: &ExprKind, row: &mut Row) -> Ran<CypherValue> {
        Ok(match kind {
            ExprKind::Constant(value) => value.clone(),
            // That all are given is asked before the query begins.
            ExprKind::Parameter(name) => {
                self.shared.given.get(name).cloned().unwrap_or(CypherValue::Null)
            }
            ExprKind::Variable(variable) => row[variable.slot].clone(),
            ExprKind::Slot(slot) => row[*slot].clone(),
            ExprKind::List(items) => {
                let values: Ran<Vec<_>> = items.iter().map(|item| self.eval(item, row)).collect();
                CypherValue::list(values?)
            }
            ExprKind::Map(entries) => {
                let mut map = BTreeMap::new();
                for (key, value) in entries {
                    map.insert(key.clone(), self.eval(value, row)?);
                }
                CypherValue::map(map)
            }
            ExprKind::MapProjection(of, items) => self.map_projection(of, items, row)?,
            ExprKind::Not(inner) => to_value(self.truth(inner, row)?.map(|b| !b)),
            ExprKind::Minus(inner) => negate(self.eval(inner, row)?)?,
            ExprKind::Plus(inner) => match self.eval(inner, row)? {
                value @ (CypherValue::Null | CypherValue::Int(_) | CypherValue::Float(_)) => value,
                other => return type_fault(format!("+ needs a number, not {}", other.sort())),
            },
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, row)?,
            ExprKind::Compare(first, rest) => self.compare(first, rest, row)?,
            ExprKind::IsNull(inner, wanted) => {
                CypherValue::Bool(self.eval(inner, row)?.is_null() == *wanted)
            }
            ExprKind::HasLabels(inner, labels) => {
                let value = self.eval(inner, row)?;
                self.has_labels(&value, labels)?
            }
            ExprKind::Property(of, name) => {
                let of = self.eval(of, row)?;
                self.property(&of, name)?
            }
            ExprKind::Index(of, index) => {
                let (of, index) = (self.eval(of, row)?, self.eval(index, row)?);
                self.index(&of, &index)?
            }
            ExprKind::Slice(of, from, to) => {
                let of = self.eval(of, row)?;
                let mut bound = |bound: &Option<Box<Expr>>| match bound {
                    Some(expr) => self.eval(expr, row).map(Some),
                    None => Ok(None),
                };
                let (from, to) = (bound(from)?, bound(to)?);
                slice(&of, from, to, &self.shared.budget)?
            }
            ExprKind::Call(call) => self.function(call, row)?,
            ExprKind::Aggregate(_) => CypherValue::Null,
            ExprKind::Case(case) => self.case(case, row)?,
            ExprKind::ListComprehension(c) => {
                let list = match self.eval(&c.list, row)? {
                    CypherValue::Null => return Ok(CypherValue::Null),
                    list => as_list(list, "a list comprehension")?,
                };
                let (mut out, mut n_parts) = (Vec::new(), 0_usize);
                for item in list.iter() {
                    self.shared.budget.spend(1)?;
                    row[c.variable.slot] = item.clone();
                    if let Some(condition) = &c.condition
                        && !self.holds(condition, row)?
                    {
                        continue;
                    }
                    let value = match &c.result {
                        Some(result) => self.eval(result, row)?,
                        None => item.clone(),
                    };
                    n_parts = n_parts.saturating_add(value.size());
                    self.shared.budget.parts(n_parts)?;
                    out.push(value);
                }
                CypherValue::list(out)
            }
            ExprKind::PatternComprehension(c) => {
                let (mut out, mut n_parts) = (Vec::new(), 0_usize);
                self.each_found(&c.found, row, &mut |row| {
                    let value = self.eval(&c.result, row)?;
                    n_parts = n_parts.saturating_add(value.size());
                    self.shared.budget.parts(n_parts)?;
                    out.push(value);
                    Ok(true)
                })?;
                CypherValue::list(out)
            }
            ExprKind::Reduce(r) => {
                let mut sum = self.eval(&r.start, row)?;
                let list = match self.eval(&r.list, row)? {
                    CypherValue::Null => return Ok(CypherValue::Null),
                    list => as_list(list, "reduce")?,
                };
                for item in list.iter() {
                    row[r.sum.slot] = sum;
                    row[r.variable.slot] = item.clone();
                    sum = self.eval(&r.step, row)?;
                }
                sum
            }
            ExprKind::Quantifier(q) => self.quantifier(q, row)?,
            ExprKind::Pattern(path) => {
                if path.shortest.is_some() {
                    return self.shortest_value(path, row);
                }
                let mut found = false;
                self.each_match(path, row, &mut |_| {
                    found = true;
                    Ok(false)
                })?;
                CypherValue::Bool(found)
            }
            ExprKind::Subquery(kind, inner) => {
                let mut reader = self.reader();
                let rows = reader.union(&inner.query, std::slice::from_ref(row))?;
                match kind {
                    SubqueryKind::Exists => CypherValue::Bool(!rows.is_empty()),
                    SubqueryKind::Count => CypherValue::Int(rows.len() as i64),
                    SubqueryKind::Collect => {
                        CypherValue::list(rows.iter().flat_map(|row| row.iter().cloned()).collect())
                    }
                }
            }
        })
    }

    fn map_projection(&self, of: &Expr, items: &[MapItem], row: &mut Row) -> Ran<CypherValue> {
        let of = self.eval(of, row)?;
        if of.is_null() {
            return Ok(CypherValue::Null);
        }
        let mut map = BTreeMap::new();
        for item in items {
            match item {
                MapItem::Property(name) => {
                    map.insert(name.clone(), self.property(&of, name)?);
                }
                MapItem::All => {
                    if let CypherValue::Map(all) = self.properties(&of)? {
                        self.shared.budget.spend(all.len())?;
                        map.extend(all.iter().map(|(name, value)| (name.clone(), value.clone())));
                    }
                }
                MapItem::Entry(name, value) => {
                    map.insert(name.clone(), self.eval(value, row)?);
                }
            }
        }
        Ok(CypherValue::map(map))
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr, row: &mut Row) -> Ran<CypherValue> {
        // Both sides are asked only where one does not decide.
        match op {
            BinaryOp::And => {
                let left = self.truth(a, row)?;
                if left == Some(false) {
                    return Ok(CypherValue::Bool(false));
                }
                let right = self.truth(b, row)?;
                return Ok(match (left, right) {
                    (_, Some(false)) => CypherValue::Bool(false),
                    (Some(true), Some(true)) => CypherValue::Bool(true),
                    _ => CypherValue::Null,
                });
            }
            BinaryOp::Or => {
                let left = self.truth(a, row)?;
                if left == Some(true) {
                    return Ok(CypherValue::Bool(true));
                }
                let right = self.truth(b, row)?;
                return Ok(match (left, right) {
                    (_, Some(true)) => CypherValue::Bool(true),
                    (Some(false), Some(false)) => CypherValue::Bool(false),
                    _ => CypherValue::Null,
                });
            }
            BinaryOp::Xor => {
                let (left, right) = (self.truth(a, row)?, self.truth(b, row)?);
                return Ok(to_value(left.zip(right).map(|(a, b)| a != b)));
            }
            _ => {}
        }
        let (left, right) = (self.eval(a, row)?, self.eval(b, row)?);
        match op {
            BinaryOp::In => is_in(&left, right, &self.shared.budget),
            BinaryOp::StartsWith | BinaryOp::EndsWith | BinaryOp::Contains => {
                Ok(match (&left, &right) {
                    (CypherValue::Text(a), CypherValue::Text(b)) => {
                        self.shared.budget.spend(left.size())?;
                        CypherValue::Bool(match op {
                            BinaryOp::StartsWith => a.starts_with(&**b),
                            BinaryOp::EndsWith => a.ends_with(&**b),
                            _ => a.contains(&**b),
                        })
                    }
                    _ => CypherValue::Null,
                })
            }
            BinaryOp::Matches => self.regex_matches(&left, &right),
            BinaryOp::Add | BinaryOp::Concat => self.add(left, right),
            _ => arithmetic(op, &left, &right),
        }
    }

    fn regex_matches(&self, text: &CypherValue, pattern: &CypherValue) -> Ran<CypherValue> {
        let (CypherValue::Text(text), CypherValue::Text(pattern)) = (text, pattern) else {
            return Ok(CypherValue::Null);
        };
        let (text, pattern): (&str, &str) = (text, pattern);
        let mut known = self.shared.patterns.borrow_mut();
        if !known.contains_key(pattern) {
            self.shared.budget.spend(STEPS_A_PATTERN + pattern.len())?;
            if known.len() >= MAX_PATTERNS {
                known.clear();
            }
            // The whole text must match, as in Java.
            let whole = format!("^(?:{pattern})$");
            let read = regex::RegexBuilder::new(&whole).size_limit(1 << 20).build();
            let read = read.map_err(|error| {
                let reason = error.to_string();
                let reason = reason.lines().last().unwrap_or_default().to_owned();
                CypherError::run(
                    CypherErrorKind::ArgumentError,
                    Cause::InvalidArgumentValue,
                    format!("the regular expression {pattern:?} cannot be read: {reason}"),
                )
            })?;
            known.insert(pattern.to_string(), read);
        }
        self.shared.budget.spend(text.len() / 16)?;
        let holds = known.get(pattern).is_some_and(|regex| regex.is_match(text));
        Ok(CypherValue::Bool(holds))
    }

    fn add(&self, left: CypherValue, right: CypherValue) -> Ran<CypherValue> {
        use CypherValue::{Float, Int, List, Null, Temporal, Text};
        Ok(match (&left, &right) {
            (List(a), List(b)) => {
                self.shared.budget.length(a.len() + b.len())?;
                CypherValue::list(a.iter().chain(b.iter()).cloned().collect())
            }
            (List(a), one) => {
                if one.is_null() {
                    return Ok(Null);
                }
                self.shared.budget.length(a.len() + 1)?;
                CypherValue::list(a.iter().chain([one]).cloned().collect())
            }
            (one, List(b)) => {
                if one.is_null() {
                    return Ok(Null);
                }
                self.shared.budget.length(b.len() + 1)?;
                CypherValue::list([one].into_iter().chain(b.iter()).cloned().collect())
            }
            (Null, _) | (_, Null) => Null,
            (Text(a), b)
                if !matches!(
                    b,
                    CypherValue::Map(_) | CypherValue::Node(_) | CypherValue::Edge(_)
                ) =>
            {
                self.text(a, &self.plain_text(b)?)?
            }
            (a, Text(b))
                if !matches!(
                    a,
                    CypherValue::Map(_) | CypherValue::Node(_) | CypherValue::Edge(_)
                ) =>
            {
                self.text(&self.plain_text(a)?, b)?
            }
            (Temporal(a), Temporal(b)) => super::times::add(a, b, 1)?,
            (Int(_) | Float(_), Int(_) | Float(_)) => {
                return arithmetic(BinaryOp::Add, &left, &right);
            }
            _ => {
                let message = format!("{} + {} has no meaning", left.sort(), right.sort());
                return type_fault(message);
            }
        })
    }

    fn plain_text(&self, value: &CypherValue) -> Ran<String> {
        self.shared.budget.spend(value.size())?;
        Ok(plain_text(value))
    }

    fn text(&self, a: &str, b: &str) -> Ran<CypherValue> {
        self.shared.budget.length(a.len() + b.len())?;
        Ok(CypherValue::text([a, b].concat()))
    }

    fn compare(&self, first: &Expr, rest: &[(CompareOp, Expr)], row: &mut Row) -> Ran<CypherValue> {
        let mut left = self.eval(first, row)?;
        let mut result = Some(true);
        for (op, expr) in rest {
            let right = self.eval(expr, row)?;
            self.shared.budget.spend(left.size().min(right.size()))?;
            let holds = compare(*op, &left, &right);
            result = match (result, holds) {
                (Some(false), _) | (_, Some(false)) => return Ok(CypherValue::Bool(false)),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
            left = right;
        }
        Ok(to_value(result))
    }

    fn has_labels(&self, value: &CypherValue, labels: &LabelExpr) -> Ran<CypherValue> {
        Ok(match value {
            CypherValue::Null => CypherValue::Null,
            CypherValue::Node(id) => {
                let Some(node) = self.graph().node(*id) else { return deleted("node") };
                let has = |name: &str| node.labels.contains(name);
                CypherValue::Bool(labels.holds(&has, !node.labels.is_empty()))
            }
            CypherValue::Edge(id) => {
                let Some(edge) = self.graph().edge(*id) else { return deleted("relationship") };
                CypherValue::Bool(labels.holds(&|name| edge.edge_type == name, true))
            }
            other => return type_fault(format!("{} has no labels", other.sort())),
        })
    }

    /// A property, an entry of a map, or a part of a date.
    pub(super) fn property(&self, of: &CypherValue, name: &str) -> Ran<CypherValue> {
        let element = match of {
            CypherValue::Null => return Ok(CypherValue::Null),
            CypherValue::Map(map) => {
                return Ok(map.get(name).cloned().unwrap_or(CypherValue::Null));
            }
            CypherValue::Node(id) => Element::Node(*id),
            CypherValue::Edge(id) => Element::Edge(*id),
            CypherValue::Temporal(temporal) => {
                let Some(part) = temporal.part(name) else {
                    let message = format!("{} has no part {name}", temporal.sort());
                    let cause = Cause::InvalidArgumentValue;
                    return fault(CypherErrorKind::ArgumentError, cause, message);
                };
                return Ok(CypherValue::Int(part));
            }
            // A date that was stored is a text.
            CypherValue::Text(text)
                if let Some(part) = Temporal::of_stored(text).and_then(|t| t.part(name)) =>
            {
                return Ok(CypherValue::Int(part));
            }
            other => {
                let message = format!("{} has no property {name}", other.sort());
                return type_fault(message);
            }
        };
        match self.graph().properties(element) {
            Some(all) => Ok(all.get(name).map_or(CypherValue::Null, CypherValue::of_property)),
            None => {
                deleted(if matches!(element, Element::Node(_)) { "node" } else { "relationship" })
            }
        }
    }

    /// All properties, as a map.
    pub(super) fn properties(&self, of: &CypherValue) -> Ran<CypherValue> {
        let (element, what) = match of {
            CypherValue::Null => return Ok(CypherValue::Null),
            CypherValue::Map(_) => return Ok(of.clone()),
            CypherValue::Node(id) => (Element::Node(*id), "node"),
            CypherValue::Edge(id) => (Element::Edge(*id), "relationship"),
            other => return type_fault(format!("{} has no properties", other.sort())),
        };
        match self.graph().properties(element) {
            Some(all) => {
                let value = CypherValue::of_properties(all);
                self.shared.budget.spend(value.size())?;
                Ok(value)
            }
            None => deleted(what),
        }
    }

    fn index(&self, of: &CypherValue, index: &CypherValue) -> Ran<CypherValue> {
        Ok(match (of, index) {
            (CypherValue::Null, _) | (_, CypherValue::Null) => CypherValue::Null,
            (CypherValue::List(list), CypherValue::Int(i)) => {
                let i = if *i < 0 { *i + list.len() as i64 } else { *i };
                let item = usize::try_from(i).ok().and_then(|i| list.get(i));
                item.cloned().unwrap_or(CypherValue::Null)
            }
            (CypherValue::List(_), other) => {
                let message = format!("an item of a list has a whole number, not {}", other.sort());
                return type_fault(message);
            }
            (
                CypherValue::Map(_) | CypherValue::Node(_) | CypherValue::Edge(_),
                CypherValue::Text(name),
            ) => self.property(of, name)?,
            (CypherValue::Map(_) | CypherValue::Node(_) | CypherValue::Edge(_), other) => {
                let message = format!("a name must be a text, not {}", other.sort());
                let cause = Cause::MapElementAccessByNonString;
                return fault(CypherErrorKind::TypeError, cause, message);
            }
            (other, _) => {
                return type_fault(format!("{} has no items", other.sort()));
            }
        })
    }

    fn case(&self, case: &Case, row: &mut Row) -> Ran<CypherValue> {
        let of = match &case.of {
            Some(of) => Some(self.eval(of, row)?),
            None => None,
        };
        for (values, then) in &case.when {
            for value in values {
                let holds = match &of {
                    Some(of) => {
                        let value = self.eval(value, row)?;
                        self.shared.budget.equals(of, &value)? == Some(true)
                    }
                    None => self.holds(value, row)?,
                };
                if holds {
                    return self.eval(then, row);
                }
            }
        }
        match &case.otherwise {
            Some(otherwise) => self.eval(otherwise, row),
            None => Ok(CypherValue::Null),
        }
    }

    fn quantifier(&self, q: &Quantifier, row: &mut Row) -> Ran<CypherValue> {
        let list = match self.eval(&q.list, row)? {
            CypherValue::Null => return Ok(CypherValue::Null),
            list => as_list(list, "a condition about all items")?,
        };
        let (mut n_true, mut n_unknown) = (0_usize, 0_usize);
        for item in list.iter() {
            row[q.variable.slot] = item.clone();
            match self.truth(&q.condition, row)? {
                Some(true) => n_true += 1,
                Some(false) => {}
                None => n_unknown += 1,
            }
        }
        let n_false = list.len() - n_true - n_unknown;
        let unless_unknown = |b: bool| if n_unknown > 0 { None } else { Some(b) };
        Ok(to_value(match q.kind {
            QuantifierKind::All if n_false > 0 => Some(false),
            QuantifierKind::Any if n_true > 0 => Some(true),
            QuantifierKind::None if n_true > 0 => Some(false),
            QuantifierKind::Single if n_true > 1 => Some(false),
            QuantifierKind::All | QuantifierKind::None => unless_unknown(true),
            QuantifierKind::Any => unless_unknown(false),
            QuantifierKind::Single => unless_unknown(n_true == 1),
        }))
    }
}

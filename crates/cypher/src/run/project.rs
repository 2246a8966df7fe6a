//! WITH and RETURN: columns, groups, order, limits.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use kg::property::{EdgeId, NodeId, PropertyGraph};
use rustc_hash::{FxHashMap, FxHashSet};

use super::aggregate::Gathered;
use super::{Ran, Row, Run, fault};
use crate::ast::{Expr, Projection};
use crate::error::{Cause, CypherError, CypherErrorKind, Phase};
use crate::parts::Held;
use crate::value::CypherValue;

impl Run<'_, '_> {
    pub(super) fn project(&mut self, projection: &Projection, rows: Vec<Row>) -> Ran<Vec<Row>> {
        let is_grouped = projection.items.iter().any(|item| item.has_aggregate)
            || !projection.aggregates.is_empty();
        let mut rows = if is_grouped {
            self.group(projection, rows)?
        } else {
            let mut rows = rows;
            for row in &mut rows {
                for item in &projection.items {
                    let value = self.eval(&item.expr, row)?;
                    row[item.alias.slot] = value;
                }
            }
            rows
        };
        self.shared.budget.rows(rows.len())?;
        if projection.distinct {
            let key = |row: &Row| -> Vec<CypherValue> {
                projection.items.iter().map(|item| row[item.alias.slot].clone()).collect()
            };
            rows = self.distinct(rows, key)?;
        }
        if !projection.order.is_empty() {
            rows = self.sort(projection, rows)?;
        }
        if let Some(skip) = &projection.skip {
            let n = self.limit("SKIP", skip)?;
            rows.drain(..n.min(rows.len()));
        }
        if let Some(limit) = &projection.limit {
            let n = self.limit("LIMIT", limit)?;
            rows.truncate(n);
        }
        if let Some(condition) = &projection.condition {
            let mut kept = Vec::new();
            for mut row in rows {
                if self.holds(condition, &mut row)? {
                    kept.push(row);
                }
            }
            rows = kept;
        }
        Ok(rows)
    }

    /// The first row of each key.
    pub(super) fn distinct(
        &self,
        rows: Vec<Row>,
        key: impl Fn(&Row) -> Vec<CypherValue>,
    ) -> Ran<Vec<Row>> {
        let mut seen = FxHashSet::default();
        let mut kept = Vec::new();
        for row in rows {
            let key = key(&row);
            key.iter().try_for_each(|value| self.shared.budget.spend(value.size()))?;
            if seen.insert(key) {
                kept.push(row);
            }
        }
        Ok(kept)
    }

    /// One row for each group: rows are of one group if the items without aggregates are equal.
    fn group(&self, projection: &Projection, rows: Vec<Row>) -> Ran<Vec<Row>> {
        let keys: Vec<_> = projection.items.iter().filter(|item| !item.has_aggregate).collect();
        let new = || {
            let gathered =
                |(_, a): &(usize, crate::ast::Aggregate)| Gathered::new(a.function, a.distinct);
            projection.aggregates.iter().map(gathered).collect::<Vec<_>>()
        };
        let mut groups: Vec<(Row, Vec<Gathered>)> = Vec::new();
        let mut bases: Vec<BTreeSet<NodeId>> = Vec::new();
        let mut held = Held::default();
        let mut known: FxHashMap<Vec<CypherValue>, usize> = FxHashMap::default();
        if rows.is_empty() && keys.is_empty() {
            groups.push((Row::of(self.width), new()));
            bases.push(BTreeSet::new());
        }
        for mut row in rows {
            let mut key = Vec::with_capacity(keys.len());
            for item in &keys {
                let value = self.eval(&item.expr, &mut row)?;
                row[item.alias.slot] = value.clone();
                self.shared.budget.spend(value.size())?;
                key.push(value);
            }
            let at = *known.entry(key).or_insert_with(|| {
                groups.push((row.clone(), new()));
                bases.push(BTreeSet::new());
                groups.len() - 1
            });
            if self.basis.is_some() {
                let n_before = bases[at].len();
                stand_on(&row, self.graph(), &mut bases[at]);
                held.grow((bases[at].len() - n_before) * 2 * size_of::<NodeId>());
            }
            for ((_, aggregate), gathered) in projection.aggregates.iter().zip(&mut groups[at].1) {
                if let Some(part) = &aggregate.part {
                    gathered.set_part(&self.eval(part, &mut row)?)?;
                }
                match &aggregate.of {
                    None => gathered.add_row(),
                    Some(of) => gathered.add(self.eval(of, &mut row)?, &self.shared.budget)?,
                }
            }
        }
        let mut out = Vec::with_capacity(groups.len());
        for ((mut row, gathered), basis) in groups.into_iter().zip(bases) {
            if let Some(place) = row.get_mut(self.width) {
                *place = CypherValue::list(basis.into_iter().map(CypherValue::Node).collect());
            }
            for ((slot, _), gathered) in projection.aggregates.iter().zip(gathered) {
                row[*slot] = gathered.finish()?;
            }
            for item in projection.items.iter().filter(|item| item.has_aggregate) {
                let value = self.eval(&item.expr, &mut row)?;
                row[item.alias.slot] = value;
            }
            out.push(row);
        }
        Ok(out)
    }

    fn sort(&self, projection: &Projection, rows: Vec<Row>) -> Ran<Vec<Row>> {
        let mut keyed = Vec::with_capacity(rows.len());
        for mut row in rows {
            let key: Ran<Vec<CypherValue>> =
                projection.order.iter().map(|item| self.eval(&item.expr, &mut row)).collect();
            keyed.push((key?, row));
        }
        let sorted = sort(keyed, &mut |(a, _), (b, _)| {
            for ((item, a), b) in projection.order.iter().zip(a).zip(b) {
                let order = match (a.is_null(), b.is_null(), item.nulls_first) {
                    (true, false, Some(first)) => return Ok(last_unless(first)),
                    (false, true, Some(first)) => return Ok(last_unless(first).reverse()),
                    _ => self.shared.budget.order(a, b)?,
                };
                let order = if item.descending { order.reverse() } else { order };
                if order != Ordering::Equal {
                    return Ok(order);
                }
            }
            Ok(Ordering::Equal)
        });
        Ok(sorted?.into_iter().map(|(_, row)| row).collect())
    }

    fn limit(&self, what: &str, expr: &Expr) -> Ran<usize> {
        let mut row = Row::of(self.width);
        let wrong = |cause, message: String| {
            Err(CypherError::new(CypherErrorKind::SyntaxError, Phase::Run, cause, message))
        };
        match self.eval(expr, &mut row)? {
            CypherValue::Int(n) if n >= 0 => Ok(usize::try_from(n).unwrap_or(usize::MAX)),
            CypherValue::Int(n) => {
                let message = format!("{what} {n} is less than 0");
                wrong(Cause::NegativeIntegerArgument, message)
            }
            CypherValue::Null => fault(
                CypherErrorKind::SyntaxError,
                Cause::InvalidArgumentType,
                format!("{what} needs a whole number, not null"),
            ),
            other => {
                let message = format!("{what} needs a whole number, not {}", other.sort());
                wrong(Cause::InvalidArgumentType, message)
            }
        }
    }
}

/// Sorts by an order that may fail, and keeps what is equal in its order: a merge sort, because those of
/// the standard library cannot stop.
fn sort<T>(mut items: Vec<T>, order: &mut impl FnMut(&T, &T) -> Ran<Ordering>) -> Ran<Vec<T>> {
    if items.len() < 2 {
        return Ok(items);
    }
    let behind = items.split_off(items.len() / 2);
    let (front, behind) = (sort(items, order)?, sort(behind, order)?);
    let mut out = Vec::with_capacity(front.len() + behind.len());
    let (mut front, mut behind) = (front.into_iter().peekable(), behind.into_iter().peekable());
    while let (Some(a), Some(b)) = (front.peek(), behind.peek()) {
        out.extend(if order(a, b)?.is_le() { front.next() } else { behind.next() });
    }
    out.extend(front.chain(behind));
    Ok(out)
}

/// The most nodes that a result is said to stand on: more are no evidence that somebody could look at.
const MAX_BASIS: usize = 500;

/// The most parts of a value that are looked at for nodes.
const MAX_LOOKED_AT: usize = 4 * MAX_BASIS;

/// Adds the nodes in all places of a row, those of variables that are out of sight among them.
pub(super) fn stand_on(row: &Row, graph: &PropertyGraph, basis: &mut BTreeSet<NodeId>) {
    let add_edge = |id: &EdgeId, basis: &mut BTreeSet<NodeId>| {
        basis.extend(graph.edge(*id).into_iter().flat_map(|e| [e.source, e.target]));
    };
    for value in row.iter() {
        let mut open = vec![value];
        let mut n_left = MAX_LOOKED_AT;
        while let Some(value) = open.pop() {
            if basis.len() >= MAX_BASIS {
                return;
            }
            match value {
                CypherValue::Node(id) => _ = basis.insert(*id),
                CypherValue::Edge(id) => add_edge(id, basis),
                CypherValue::Path(path) => basis.extend(path.nodes.iter().take(MAX_BASIS)),
                CypherValue::List(list) => {
                    let n = list.len().min(n_left);
                    n_left -= n;
                    open.extend(list[..n].iter().rev());
                }
                _ => {}
            }
        }
    }
}

fn last_unless(first: bool) -> Ordering {
    if first { Ordering::Less } else { Ordering::Greater }
}

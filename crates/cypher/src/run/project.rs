//! WITH and RETURN: columns, groups, order, limits.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use kg::property::{NodeId, PropertyGraph};
use rustc_hash::{FxHashMap, FxHashSet};

use super::aggregate::Gathered;
use super::{Ran, Row, Run, fault};
use crate::ast::{Expr, Projection};
use crate::error::{Cause, CypherError, CypherErrorKind, Phase};
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
        self.shared.budget.rows(rows.len(), self.width)?;
        if projection.distinct {
            let mut seen = FxHashSet::default();
            rows.retain(|row| {
                let key: Vec<CypherValue> =
                    projection.items.iter().map(|item| row[item.alias.slot].clone()).collect();
                seen.insert(key)
            });
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
        let mut known: FxHashMap<Vec<CypherValue>, usize> = FxHashMap::default();
        if rows.is_empty() && keys.is_empty() {
            groups.push((vec![CypherValue::Null; self.width], new()));
            bases.push(BTreeSet::new());
        }
        for mut row in rows {
            let mut key = Vec::with_capacity(keys.len());
            for item in &keys {
                let value = self.eval(&item.expr, &mut row)?;
                row[item.alias.slot] = value.clone();
                key.push(value);
            }
            let at = *known.entry(key).or_insert_with(|| {
                groups.push((row.clone(), new()));
                bases.push(BTreeSet::new());
                groups.len() - 1
            });
            if self.basis.is_some() {
                stand_on(&row, self.graph(), &mut bases[at]);
            }
            for ((_, aggregate), gathered) in projection.aggregates.iter().zip(&mut groups[at].1) {
                if let Some(part) = &aggregate.part {
                    gathered.set_part(&self.eval(part, &mut row)?)?;
                }
                match &aggregate.of {
                    None => gathered.add_row(),
                    Some(of) => gathered.add(self.eval(of, &mut row)?)?,
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
        self.shared.budget.spend(keyed.len())?;
        keyed.sort_by(|(a, _), (b, _)| {
            for ((item, a), b) in projection.order.iter().zip(a).zip(b) {
                let order = match (a.is_null(), b.is_null(), item.nulls_first) {
                    (true, false, Some(first)) => return last_unless(first),
                    (false, true, Some(first)) => return last_unless(first).reverse(),
                    _ => a.order(b),
                };
                let order = if item.descending { order.reverse() } else { order };
                if order != Ordering::Equal {
                    return order;
                }
            }
            Ordering::Equal
        });
        Ok(keyed.into_iter().map(|(_, row)| row).collect())
    }

    fn limit(&self, what: &str, expr: &Expr) -> Ran<usize> {
        let mut row = vec![CypherValue::Null; self.width];
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

/// The most nodes that a result is said to stand on: more are no evidence that somebody could look at.
const MAX_BASIS: usize = 500;

/// Adds the nodes in all places of a row, those of variables that are out of sight among them.
pub(super) fn stand_on(row: &Row, graph: &PropertyGraph, basis: &mut BTreeSet<NodeId>) {
    fn add(value: &CypherValue, graph: &PropertyGraph, basis: &mut BTreeSet<NodeId>) {
        if basis.len() >= MAX_BASIS {
            return;
        }
        match value {
            CypherValue::Node(id) => _ = basis.insert(*id),
            CypherValue::Edge(id) => {
                basis.extend(graph.edge(*id).into_iter().flat_map(|e| [e.source, e.target]));
            }
            CypherValue::Path(path) => basis.extend(path.nodes.iter().copied()),
            CypherValue::List(list) => list.iter().for_each(|value| add(value, graph, basis)),
            _ => {}
        }
    }
    row.iter().for_each(|value| add(value, graph, basis));
}

fn last_unless(first: bool) -> Ordering {
    if first { Ordering::Less } else { Ordering::Greater }
}

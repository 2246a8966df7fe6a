//! A resolved query meets a graph.
//!
//! Each clause takes all rows of the one before and gives its own, so that a clause never sees what
//! it writes itself. How many steps, and how much memory for rows, is counted ([`budget`]).

mod aggregate;
mod budget;
mod eval;
mod functions;
mod matching;
mod operators;
mod project;
mod search;
mod times;
mod writing;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, DerefMut};

use kg::property::{EdgeId, Element, NodeId, PropertyGraph, Writing};
use rustc_hash::FxHashMap;

use crate::ast::{Clause, ClauseKind, Imports, ProcedureCall, Single, Subquery, Union};
use crate::error::{Cause, CypherError, CypherErrorKind};
use crate::parts::Held;
use crate::value::{CypherValue, property_size};
use crate::{Parameters, QueryLimits};
pub(crate) use budget::Budget;

type Ran<T> = Result<T, CypherError>;

/// A value for each variable of the query; null where it has none yet.
pub(crate) struct Row {
    values: Vec<CypherValue>,
    _held: Held,
}

impl Row {
    /// One with as many places.
    pub fn of(width: usize) -> Self {
        std::iter::repeat_n(CypherValue::Null, width).collect()
    }

    /// The values.
    pub fn into_values(self) -> Vec<CypherValue> {
        self.values
    }
}

impl FromIterator<CypherValue> for Row {
    fn from_iter<I: IntoIterator<Item = CypherValue>>(values: I) -> Self {
        let values: Vec<_> = values.into_iter().collect();
        let bytes = size_of::<Self>() + values.len() * size_of::<CypherValue>();
        Self { values, _held: Held::new(bytes) }
    }
}

impl Clone for Row {
    fn clone(&self) -> Self {
        self.values.iter().cloned().collect()
    }
}

impl Deref for Row {
    type Target = [CypherValue];

    fn deref(&self) -> &[CypherValue] {
        &self.values
    }
}

impl DerefMut for Row {
    fn deref_mut(&mut self) -> &mut [CypherValue] {
        &mut self.values
    }
}

/// A fault of the types or values that met.
fn fault<T>(kind: CypherErrorKind, cause: Cause, message: impl Into<String>) -> Ran<T> {
    Err(CypherError::run(kind, cause, message))
}

fn type_fault<T>(message: impl Into<String>) -> Ran<T> {
    fault(CypherErrorKind::TypeError, Cause::InvalidArgumentType, message)
}

/// The graph of a query: to be read only, or written to.
pub(crate) enum Graph<'g> {
    Read(&'g PropertyGraph),
    Write(&'g mut Writing),
}

/// What all parts of a query share.
pub(crate) struct Shared<'q> {
    pub given: &'q Parameters,
    pub limits: &'q QueryLimits<'q>,
    pub budget: Budget<'q>,
    /// The types of edges that the query deleted: `type(r)` still tells them.
    pub gone: RefCell<FxHashMap<EdgeId, String>>,
    /// Regular expressions that were read.
    pub patterns: RefCell<BTreeMap<String, regex::Regex>>,
    /// The state of what is random.
    pub random: std::cell::Cell<u64>,
}

impl<'q> Shared<'q> {
    pub fn new(given: &'q Parameters, limits: &'q QueryLimits<'q>) -> Self {
        Self {
            given,
            limits,
            budget: Budget::new(limits),
            gone: RefCell::default(),
            patterns: RefCell::default(),
            random: std::cell::Cell::new(limits.seed),
        }
    }
}

/// A query that runs.
pub(crate) struct Run<'r, 'q> {
    graph: Graph<'r>,
    shared: &'r Shared<'q>,
    /// How many places a row has. Where a basis is kept there is one more, with the nodes that the
    /// rows of a group stood on.
    width: usize,
    /// The nodes that the rows of the result stand on.
    basis: Option<&'r RefCell<BTreeSet<NodeId>>>,
}

impl<'r, 'q> Run<'r, 'q> {
    pub fn new(graph: Graph<'r>, shared: &'r Shared<'q>, width: usize) -> Self {
        Self { graph, shared, width, basis: None }
    }

    /// The same, and the nodes that the result stands on are kept.
    pub fn with_basis(self, basis: &'r RefCell<BTreeSet<NodeId>>) -> Self {
        Self { basis: Some(basis), ..self }
    }

    fn graph(&self) -> &PropertyGraph {
        match &self.graph {
            Graph::Read(graph) => graph,
            Graph::Write(writing) => writing,
        }
    }

    fn writing(&mut self) -> Ran<&mut Writing> {
        match &mut self.graph {
            Graph::Write(writing) => Ok(writing),
            Graph::Read(_) => fault(
                CypherErrorKind::SemanticError,
                Cause::InvalidClauseComposition,
                "this graph can only be read",
            ),
        }
    }

    /// The same query, which reads what was written so far.
    fn reader(&self) -> Run<'_, 'q> {
        let graph = Graph::Read(self.graph());
        Run { graph, shared: self.shared, width: self.width, basis: None }
    }

    /// The whole query, on a row of nulls.
    pub fn on(mut self, union: &Union) -> Ran<Vec<Vec<CypherValue>>> {
        let width = self.width + usize::from(self.basis.is_some());
        let rows = self.union(union, &[Row::of(width)])?;
        let mut n_parts = 0_usize;
        for value in rows.iter().flat_map(|row| row.iter()) {
            self.shared.budget.spend(value.size())?;
            n_parts = n_parts.saturating_add(self.shown_size(value));
            self.shared.budget.result(n_parts)?;
        }
        Ok(rows.into_iter().map(Row::into_values).collect())
    }

    /// How many parts a value has where it is shown: nodes and edges with what they have.
    fn shown_size(&self, value: &CypherValue) -> usize {
        let all = |values: &mut dyn Iterator<Item = &CypherValue>| -> usize {
            values.map(|value| self.shown_size(value)).fold(1, usize::saturating_add)
        };
        let element = |element| -> usize {
            let properties = self.graph().properties(element).into_iter().flatten();
            1 + properties.map(|(_, value)| property_size(value)).sum::<usize>()
        };
        match value {
            CypherValue::List(list) => all(&mut list.iter()),
            CypherValue::Map(map) => all(&mut map.values()).max(value.size()),
            CypherValue::Node(id) => element(Element::Node(*id)),
            CypherValue::Edge(id) => element(Element::Edge(*id)),
            CypherValue::Path(path) => {
                let nodes = path.nodes.iter().map(|id| element(Element::Node(*id)));
                let edges = path.edges.iter().map(|id| element(Element::Edge(*id)));
                nodes.chain(edges).fold(1, usize::saturating_add)
            }
            other => other.size(),
        }
    }

    /// The columns of all rows of a query, for one row outside.
    pub fn union(&mut self, union: &Union, outer: &[Row]) -> Ran<Vec<Row>> {
        let mut rows = Vec::new();
        for part in &union.parts {
            let more = self.single(part, outer)?;
            self.shared.budget.rows(rows.len() + more.len())?;
            rows.extend(more);
        }
        if union.parts.len() > 1 && !union.all {
            rows = self.distinct(rows, |row| row.to_vec())?;
        }
        Ok(rows)
    }

    /// The columns of what RETURN gives; rows without columns where there is none.
    fn single(&mut self, single: &Single, outer: &[Row]) -> Ran<Vec<Row>> {
        let rows = self.clauses(&single.clauses, outer.to_vec())?;
        let Some(ClauseKind::Return(projection)) = single.clauses.last().map(|c| &c.kind) else {
            return Ok(rows.iter().map(|_| Row::of(0)).collect());
        };
        if let Some(basis) = self.basis {
            let mut basis = basis.borrow_mut();
            rows.iter().for_each(|row| project::stand_on(row, self.graph(), &mut basis));
        }
        let slots: Vec<usize> = projection.items.iter().map(|item| item.alias.slot).collect();
        let columns = |row: Row| slots.iter().map(|slot| row[*slot].clone()).collect();
        Ok(rows.into_iter().map(columns).collect())
    }

    /// How many rows there are, without building their columns.
    fn clauses(&mut self, clauses: &[Clause], mut rows: Vec<Row>) -> Ran<Vec<Row>> {
        for clause in clauses {
            rows = self.clause(clause, rows).map_err(|error| error.or_at(clause.at))?;
        }
        Ok(rows)
    }

    fn clause(&mut self, clause: &Clause, rows: Vec<Row>) -> Ran<Vec<Row>> {
        self.shared.budget.spend(rows.len())?;
        match &clause.kind {
            ClauseKind::Match(found) => self.match_rows(found, rows),
            ClauseKind::Unwind { list, variable } => {
                let mut out = Vec::new();
                for mut row in rows {
                    let items = match self.eval(list, &mut row)? {
                        CypherValue::Null => continue,
                        CypherValue::List(items) => items,
                        one => {
                            row[variable.slot] = one;
                            out.push(row);
                            continue;
                        }
                    };
                    for item in items.iter() {
                        self.shared.budget.rows(out.len() + 1)?;
                        let mut row = row.clone();
                        row[variable.slot] = item.clone();
                        out.push(row);
                    }
                }
                Ok(out)
            }
            ClauseKind::With(projection) | ClauseKind::Return(projection) => {
                self.project(projection, rows)
            }
            ClauseKind::Create(paths) => self.create_rows(paths, rows),
            ClauseKind::Merge(merge) => self.merge_rows(merge, rows),
            ClauseKind::Delete { detach, what } => self.delete_rows(*detach, what, rows),
            ClauseKind::Set(items) => self.set_rows(items, rows),
            ClauseKind::Remove(items) => self.remove_rows(items, rows),
            ClauseKind::Foreach { variable, list, clauses } => {
                let mut rows = rows;
                for row in &mut rows {
                    let items = match self.eval(list, row)? {
                        CypherValue::Null => continue,
                        CypherValue::List(items) => items,
                        other => {
                            return type_fault(format!(
                                "FOREACH needs a list, not {}",
                                other.sort()
                            ));
                        }
                    };
                    for item in items.iter() {
                        let mut inner = row.clone();
                        inner[variable.slot] = item.clone();
                        self.clauses(clauses, vec![inner])?;
                    }
                }
                Ok(rows)
            }
            ClauseKind::Call(call) => self.call(call, rows),
            ClauseKind::Procedure(call) => self.procedure(call, rows),
            ClauseKind::Finish => Ok(Vec::new()),
        }
    }

    fn call(&mut self, call: &Subquery, rows: Vec<Row>) -> Ran<Vec<Row>> {
        let mut out = Vec::new();
        debug_assert!(call.scope.as_ref().is_none_or(|scope| match scope {
            Imports::All => true,
            Imports::Named(variables) => variables.iter().all(|v| v.slot < usize::MAX),
        }));
        for row in rows {
            self.shared.budget.spend(1)?;
            let inner = self.union(&call.query, std::slice::from_ref(&row))?;
            // A query that only writes changes no rows.
            if call.query.columns.is_empty() {
                out.push(row);
                continue;
            }
            if inner.is_empty() && call.optional {
                out.push(row);
                continue;
            }
            for columns in inner {
                self.shared.budget.rows(out.len() + 1)?;
                let mut row = row.clone();
                for (slot, value) in call.out.iter().zip(columns.into_values()) {
                    row[*slot] = value;
                }
                out.push(row);
            }
        }
        Ok(out)
    }

    fn procedure(&mut self, call: &ProcedureCall, rows: Vec<Row>) -> Ran<Vec<Row>> {
        let Some(variable) = &call.variable else { return Ok(rows) };
        let mut names = BTreeSet::new();
        match call.column {
            Some("label") => names.extend(self.graph().labels().map(|(label, _)| label.to_owned())),
            Some("relationshipType") => {
                names.extend(self.graph().edges().map(|(_, edge)| edge.edge_type.clone()));
            }
            _ => {
                let of_nodes = self.graph().nodes().flat_map(|(_, node)| node.properties.keys());
                let of_edges = self.graph().edges().flat_map(|(_, edge)| edge.properties.keys());
                names.extend(of_nodes.chain(of_edges).cloned());
            }
        }
        let mut out = Vec::new();
        for row in rows {
            for name in &names {
                self.shared.budget.rows(out.len())?;
                let mut row = row.clone();
                row[variable.slot] = CypherValue::text(name.as_str());
                let holds = match &call.condition {
                    Some(condition) => self.holds(condition, &mut row)?,
                    None => true,
                };
                if holds {
                    out.push(row);
                }
            }
        }
        Ok(out)
    }
}

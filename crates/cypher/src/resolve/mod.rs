//! Every name becomes a place in a row, and what no graph could make right is refused.
//!
//! A row of a query has one place for each variable that the query ever has, also for nodes without
//! a name. A place gets its value where its variable is introduced and keeps it; only which names can
//! be seen changes from clause to clause.

mod clauses;
mod expressions;
mod patterns;
mod projection;
mod types;

use crate::ast::{Aggregate, Clause, ClauseKind, Script, Single, Statement, Union};
use crate::error::{Cause, CypherError};
use types::Type;

type Resolved<T> = Result<T, CypherError>;

/// Resolves a script.
///
/// # Errors
/// A name that is not there or twice, types that cannot be, clauses in a wrong order.
pub(crate) fn resolve(script: &mut Script) -> Resolved<()> {
    for statement in &mut script.statements {
        if let Statement::Query(query) = statement {
            let mut resolver = Resolver::default();
            resolver.union(query, &Scope::default(), Within::Nothing)?;
            query.n_slots = resolver.n_slots;
        }
    }
    Ok(())
}

fn fault<T>(cause: Cause, at: usize, message: impl Into<String>) -> Resolved<T> {
    Err(CypherError::syntax(cause, at, message))
}

/// What a query is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    /// Nothing.
    Nothing,
    /// `CALL {…}`.
    Call,
    /// `CALL (…) {…}`.
    ScopedCall,
    /// `EXISTS {…}` and `COUNT {…}`, which need no RETURN.
    Test,
    /// `COLLECT {…}`.
    Collect,
}

/// A name that can be seen.
#[derive(Clone, Debug)]
struct Seen {
    name: String,
    slot: usize,
    of: Type,
}

/// The names that can be seen at one place.
#[derive(Clone, Debug, Default)]
struct Scope(Vec<Seen>);

impl Scope {
    fn get(&self, name: &str) -> Option<&Seen> {
        self.0.iter().rev().find(|seen| seen.name == name)
    }

    fn add(&mut self, name: &str, slot: usize, of: Type) {
        self.0.push(Seen { name: name.to_owned(), slot, of });
    }
}

#[derive(Debug, Default)]
struct Resolver {
    n_slots: usize,
    /// Takes the aggregates of the items of a projection; `None` where none can stand.
    aggregates: Option<Vec<(usize, Aggregate)>>,
}

impl Resolver {
    fn slot(&mut self) -> usize {
        self.n_slots += 1;
        self.n_slots - 1
    }

    /// Gives the types of its columns.
    fn union(&mut self, union: &mut Union, outer: &Scope, within: Within) -> Resolved<Vec<Type>> {
        let mut types = Vec::new();
        for (i, part) in union.parts.iter_mut().enumerate() {
            let (columns, of) = self.single(part, outer, within)?;
            if i == 0 {
                (union.columns, types) = (columns, of);
            } else if union.columns != columns {
                let message = format!(
                    "the parts of a UNION have the columns {} and {}",
                    names(&union.columns),
                    names(&columns)
                );
                let error = CypherError::syntax(Cause::DifferentColumnsInUnion, part.at, message);
                return Err(error.hint("give them the same names with AS, in the same order"));
            }
        }
        Ok(types)
    }

    fn single(
        &mut self,
        single: &mut Single,
        outer: &Scope,
        within: Within,
    ) -> Resolved<(Vec<String>, Vec<Type>)> {
        let mut scope = outer.clone();
        // `CALL {…}` sees nothing but what a first WITH lets in.
        if within == Within::Call && !first_imports(single) {
            scope = Scope::default();
        }
        check_order(single, within)?;
        let mut columns = (Vec::new(), Vec::new());
        for (i, clause) in single.clauses.iter_mut().enumerate() {
            let at = clause.at;
            match &mut clause.kind {
                ClauseKind::With(projection) => {
                    let is_import = i == 0 && within == Within::Call;
                    scope = self.projection(projection, &scope, Some(is_import))?;
                }
                ClauseKind::Return(projection) => {
                    let seen = self.projection(projection, &scope, None)?;
                    let aliases = projection.items.iter().map(|item| &item.alias);
                    columns.0 = aliases.clone().map(|alias| alias.name.clone()).collect();
                    let of = |name: &str| seen.get(name).map_or(Type::Any, |seen| seen.of);
                    columns.1 = aliases.map(|alias| of(&alias.name)).collect();
                }
                kind => self.clause(kind, at, &mut scope)?,
            }
        }
        Ok(columns)
    }
}

/// Refuses clauses in a wrong order, before any of their names is looked for.
fn check_order(single: &Single, within: Within) -> Resolved<()> {
    let n_clauses = single.clauses.len();
    let mut has_written = false;
    for (i, Clause { kind, at }) in single.clauses.iter().enumerate() {
        let is_last = i + 1 == n_clauses;
        let (message, hint) = if has_written && reads(kind) {
            ("what was written can be read only behind a WITH", "put WITH * before this clause")
        } else if matches!(kind, ClauseKind::Return(_)) && !is_last {
            ("RETURN must be the last clause", "write WITH in place of it")
        } else if is_last && !can_end(kind, within) {
            ("the query ends without telling what it gives", "end it with RETURN")
        } else {
            has_written = writes(kind) || has_written && !matches!(kind, ClauseKind::With(_));
            continue;
        };
        let error = CypherError::syntax(Cause::InvalidClauseComposition, *at, message);
        return Err(error.hint(hint));
    }
    Ok(())
}

fn names(columns: &[String]) -> String {
    columns.join(", ")
}

/// Whether `CALL {` begins with a WITH of names alone.
fn first_imports(single: &Single) -> bool {
    matches!(single.clauses.first().map(|clause| &clause.kind), Some(ClauseKind::With(_)))
}

fn reads(kind: &ClauseKind) -> bool {
    matches!(kind, ClauseKind::Match(_) | ClauseKind::Unwind { .. } | ClauseKind::Procedure(_))
}

fn writes(kind: &ClauseKind) -> bool {
    matches!(
        kind,
        ClauseKind::Create(_)
            | ClauseKind::Merge(_)
            | ClauseKind::Delete { .. }
            | ClauseKind::Set(_)
            | ClauseKind::Remove(_)
            | ClauseKind::Foreach { .. }
    )
}

fn can_end(kind: &ClauseKind, within: Within) -> bool {
    match kind {
        ClauseKind::Match(_) | ClauseKind::Unwind { .. } => within == Within::Test,
        ClauseKind::With(_) => false,
        _ if within == Within::Collect => matches!(kind, ClauseKind::Return(_)),
        _ => true,
    }
}

//! WITH and RETURN.

use super::clauses::undefined;
use super::types::Type;
use super::{Resolved, Resolver, Scope, fault};
use crate::ast::{Expr, ExprKind, Item, Projection, Variable};
use crate::error::{Cause, CypherError};
use crate::value::CypherValue;

impl Resolver {
    /// Resolves WITH or RETURN, and gives what can be seen behind it. `with` is `None` for RETURN,
    /// and tells whether a WITH is the first of `CALL {…}`, which can only name.
    pub(super) fn projection(
        &mut self,
        projection: &mut Projection,
        scope: &Scope,
        with: Option<bool>,
    ) -> Resolved<Scope> {
        if projection.all {
            self.expand(projection, scope, with.is_some())?;
        }
        self.aggregates = Some(Vec::new());
        let mut types = Vec::new();
        for item in &mut projection.items {
            let n_before = self.aggregates.as_ref().map_or(0, Vec::len);
            let n_uses = count_aggregates(&mut item.expr);
            let of = self.expr(&mut item.expr, scope);
            let of = of.inspect_err(|_| self.aggregates = None)?;
            let n_after = self.aggregates.as_ref().map_or(0, Vec::len);
            item.has_aggregate = n_uses > 0 || n_after > n_before;
            types.push(of);
        }
        let mut aggregates = self.aggregates.take().unwrap_or_default();
        let is_grouped = projection.items.iter().any(|item| item.has_aggregate);
        if is_grouped {
            check_groups(&mut projection.items, scope)?;
        }
        let new = self.aliases(&mut projection.items, &types)?;
        // Where rows stay what they were, the old names can be seen beside the new.
        let narrowed = is_grouped || projection.distinct;
        let mut both = scope.clone();
        both.0.extend(new.0.iter().cloned());
        for i in 0..projection.order.len() {
            let n_aggregates = aggregates.len();
            if is_grouped {
                self.aggregates = Some(std::mem::take(&mut aggregates));
            }
            let expr = &mut projection.order[i].expr;
            let resolved = self.expr(expr, &both);
            aggregates.extend(self.aggregates.take().unwrap_or_default());
            resolved?;
            if aggregates.len() > n_aggregates {
                let message = "rows can be sorted only by what the clause gives";
                let error = CypherError::syntax(Cause::UndefinedVariable, expr.at, message);
                return Err(error.hint("give it a name with AS, and sort by the name"));
            }
            if narrowed {
                only_given(expr, &projection.items, &new)?;
            }
        }
        check_names(&projection.items, with)?;
        projection.aggregates = aggregates;
        for (what, limit) in [("SKIP", &mut projection.skip), ("LIMIT", &mut projection.limit)] {
            if let Some(limit) = limit {
                self.limit(what, limit)?;
            }
        }
        if let Some(condition) = &mut projection.condition {
            self.condition(condition, &both)?;
            if narrowed {
                only_given(condition, &projection.items, &new)?;
            }
        }
        Ok(new)
    }

    /// `*` is all that can be seen, by name.
    fn expand(
        &mut self,
        projection: &mut Projection,
        scope: &Scope,
        is_with: bool,
    ) -> Resolved<()> {
        let mut names: Vec<&str> = scope.0.iter().map(|seen| seen.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        if names.is_empty() && !is_with {
            let message = "RETURN * gives all variables, and there are none";
            return fault(Cause::NoVariablesInScope, projection.at, message);
        }
        let at = projection.at;
        let named = names.into_iter().map(|name| {
            let variable = Variable::new(name, at);
            let expr = Expr::new(ExprKind::Variable(variable.clone()), at);
            Item { expr, alias: variable, is_named: false, has_aggregate: false }
        });
        projection.items.splice(0..0, named);
        Ok(())
    }

    /// Gives each item the place of its value.
    fn aliases(&mut self, items: &mut [Item], types: &[Type]) -> Resolved<Scope> {
        let mut new = Scope::default();
        for (item, of) in items.iter_mut().zip(types) {
            let name = &item.alias.name;
            if new.get(name).is_some() {
                let message = format!("there are two columns {name}");
                let error = CypherError::syntax(Cause::ColumnNameConflict, item.alias.at, message);
                return Err(error.hint("give one another name with AS"));
            }
            item.alias.slot = match &item.expr.kind {
                // The same value under another name is at the same place.
                ExprKind::Variable(variable) => variable.slot,
                _ => self.slot(),
            };
            new.add(name, item.alias.slot, *of);
        }
        Ok(new)
    }

    /// How many rows to leave out or to give: no variable can stand there.
    fn limit(&mut self, what: &str, expr: &mut Expr) -> Resolved<()> {
        let at = expr.at;
        let of = self.expr(expr, &Scope::default()).map_err(|error| {
            if error.cause() == Cause::UndefinedVariable {
                let message = format!("{what} cannot differ from row to row");
                CypherError::syntax(Cause::NonConstantExpression, at, message)
            } else {
                error
            }
        })?;
        if let ExprKind::Constant(CypherValue::Int(n)) = expr.kind
            && n < 0
        {
            let message = format!("{what} {n} is less than 0");
            return fault(Cause::NegativeIntegerArgument, at, message);
        }
        if !of.can_be(&[Type::Int]) {
            let message = format!("{what} needs a whole number, not {}", of.words());
            return fault(Cause::InvalidArgumentType, at, message);
        }
        Ok(())
    }
}

/// In WITH everything has a name; the first of `CALL {…}` has nothing but names.
fn check_names(items: &[Item], with: Option<bool>) -> Resolved<()> {
    let Some(is_import) = with else { return Ok(()) };
    for item in items {
        let name = &item.alias.name;
        let is_variable = matches!(item.expr.kind, ExprKind::Variable(_));
        if !item.is_named && !is_variable {
            let message = format!("WITH needs a name for `{name}`");
            let error = CypherError::syntax(Cause::NoExpressionAlias, item.expr.at, message);
            return Err(error.hint(format!("write {name} AS x")));
        }
        if is_import && (!is_variable || item.is_named) {
            let message = "the first WITH of CALL {…} can only name variables from outside";
            return fault(Cause::UnexpectedSyntax, item.expr.at, message);
        }
    }
    Ok(())
}

/// Behind DISTINCT and aggregates only what the clause gives is left: its names, and its
/// expressions where they stand again.
fn only_given(expr: &mut Expr, items: &[Item], new: &Scope) -> Resolved<()> {
    let mut complex = expr.clone();
    let has_aggregate = count_slots(expr);
    for item in items {
        replace(&mut complex, &item.expr, item.alias.slot);
        // Beside an aggregate only what is simple may stand again.
        if !has_aggregate || is_simple(&item.expr) || item.has_aggregate {
            replace(expr, &item.expr, item.alias.slot);
        }
    }
    let Some(variable) = free_variable(expr, new) else { return Ok(()) };
    if free_variable(&mut complex, new).is_some() {
        return undefined(&variable, new);
    }
    let message = format!("{} differs between the rows of a group", variable.name);
    fault(Cause::AmbiguousAggregationExpression, variable.at, message)
}

/// A variable, or one of its properties.
fn is_simple(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Property(of, _) => matches!(of.kind, ExprKind::Variable(_)),
        _ => false,
    }
}

fn count_aggregates(expr: &mut Expr) -> usize {
    let mut n = usize::from(matches!(expr.kind, ExprKind::Aggregate(_)));
    expr.each_part(&mut |part| n += count_aggregates(part));
    n
}

/// Whether the value of an aggregate is in it.
fn count_slots(expr: &mut Expr) -> bool {
    let mut has = matches!(expr.kind, ExprKind::Slot(_));
    expr.each_part(&mut |part| has |= count_slots(part));
    has
}

/// What stands beside an aggregate must be the same in every row of a group: a constant, or an item
/// by which is grouped, where that is a variable or one of its properties.
fn check_groups(items: &mut [Item], scope: &Scope) -> Resolved<()> {
    let keys: Vec<Expr> = items
        .iter()
        .filter(|item| !item.has_aggregate && is_simple(&item.expr))
        .map(|item| item.expr.clone())
        .collect();
    let is_outer = |variable: &Variable| scope.0.iter().any(|seen| seen.slot == variable.slot);
    for item in items.iter_mut().filter(|item| item.has_aggregate) {
        if let Some(variable) = ungrouped(&mut item.expr, &keys, &is_outer) {
            let message = format!("{} differs between the rows of a group", variable.name);
            let error =
                CypherError::syntax(Cause::AmbiguousAggregationExpression, variable.at, message);
            let hint = "give it as a column of its own, before this one, in a WITH";
            return Err(error.hint(hint));
        }
    }
    Ok(())
}

fn ungrouped(
    expr: &mut Expr,
    keys: &[Expr],
    is_outer: &dyn Fn(&Variable) -> bool,
) -> Option<Variable> {
    if keys.contains(expr) {
        return None;
    }
    if let ExprKind::Variable(variable) = &expr.kind {
        return is_outer(variable).then(|| variable.clone());
    }
    let mut found = None;
    expr.each_part(&mut |part| {
        if found.is_none() {
            found = ungrouped(part, keys, is_outer);
        }
    });
    found
}

/// Puts the value of an item where its expression stands again.
fn replace(expr: &mut Expr, item: &Expr, slot: usize) {
    if expr == item {
        expr.kind = ExprKind::Slot(slot);
        return;
    }
    expr.each_part(&mut |part| replace(part, item, slot));
}

/// A variable in an expression that cannot be seen and is none of the expression's own.
fn free_variable(expr: &mut Expr, scope: &Scope) -> Option<Variable> {
    let mut own: Vec<usize> = scope.0.iter().map(|seen| seen.slot).collect();
    collect_own(expr, &mut own);
    first_other(expr, &own)
}

fn collect_own(expr: &mut Expr, own: &mut Vec<usize>) {
    match &expr.kind {
        ExprKind::ListComprehension(c) => own.push(c.variable.slot),
        ExprKind::Quantifier(q) => own.push(q.variable.slot),
        ExprKind::Reduce(r) => own.extend([r.sum.slot, r.variable.slot]),
        ExprKind::PatternComprehension(c) => {
            for path in &c.found.paths {
                own.extend(path.nodes.iter().map(|n| n.variable.slot));
                own.extend(path.edges.iter().map(|e| e.variable.slot));
                own.extend(path.variable.iter().map(|v| v.slot));
            }
        }
        _ => {}
    }
    expr.each_part(&mut |part| collect_own(part, own));
}

fn first_other(expr: &mut Expr, own: &[usize]) -> Option<Variable> {
    if let ExprKind::Variable(variable) = &expr.kind {
        return (!own.contains(&variable.slot)).then(|| variable.clone());
    }
    let mut found = None;
    expr.each_part(&mut |part| {
        if found.is_none() {
            found = first_other(part, own);
        }
    });
    found
}

//! Clauses but WITH and RETURN.

use super::types::Type;
use super::{Resolved, Resolver, Scope, Within, fault};
use crate::ast::{ClauseKind, Expr, ExprKind, Imports, Key, RemoveItem, SetItem, Variable};
use crate::error::{Cause, CypherError, CypherErrorKind, Phase};
use crate::parse::look_alikes;

impl Resolver {
    pub(super) fn clause(
        &mut self,
        kind: &mut ClauseKind,
        at: usize,
        scope: &mut Scope,
    ) -> Resolved<()> {
        match kind {
            ClauseKind::Match(clause) => self.match_clause(clause, scope)?,
            ClauseKind::Unwind { list, variable } => {
                let of = self.expr(list, scope)?;
                if !of.can_be(&[Type::List, Type::Edges, Type::Map])
                    && matches!(of, Type::Path | Type::Node | Type::Edge)
                {
                    let message = format!("UNWIND needs a list, not {}", of.words());
                    return fault(Cause::InvalidArgumentType, list.at, message);
                }
                self.introduce(variable, Type::Any, scope)?;
            }
            ClauseKind::Create(paths) => {
                for path in paths {
                    self.create_path(path, scope)?;
                }
            }
            ClauseKind::Merge(merge) => {
                self.merge_path(&mut merge.path, scope)?;
                self.set_items(&mut merge.on_create, scope)?;
                self.set_items(&mut merge.on_match, scope)?;
            }
            ClauseKind::Delete { what, .. } => {
                for expr in what {
                    self.deleted(expr, scope)?;
                }
            }
            ClauseKind::Set(items) => self.set_items(items, scope)?,
            ClauseKind::Remove(items) => {
                for item in items {
                    match item {
                        RemoveItem::Property { target, key } => {
                            self.property(target, key, scope)?;
                        }
                        RemoveItem::Labels { target, .. } => {
                            self.variable(target, &[Type::Node], scope)?;
                        }
                    }
                }
            }
            ClauseKind::Foreach { variable, list, clauses } => {
                let of = self.expr(list, scope)?;
                super::expressions::expect(of, &[Type::List, Type::Edges], list.at, "FOREACH")?;
                let mut inner = scope.clone();
                variable.slot = self.slot();
                inner.add(&variable.name, variable.slot, Type::Any);
                for clause in clauses {
                    self.clause(&mut clause.kind, clause.at, &mut inner)?;
                }
            }
            ClauseKind::Call(call) => {
                let mut within = Within::Call;
                let mut outer = scope.clone();
                if let Some(imports) = &mut call.scope {
                    within = Within::ScopedCall;
                    if let Imports::Named(variables) = imports {
                        outer = Scope::default();
                        for variable in variables {
                            let of = self.variable(variable, &[], scope)?;
                            outer.add(&variable.name, variable.slot, of);
                        }
                    }
                }
                let types = self.union(&mut call.query, &outer, within)?;
                for (column, of) in call.query.columns.iter().zip(types) {
                    let mut variable = Variable::new(column.clone(), at);
                    self.introduce(&mut variable, of, scope)?;
                    call.out.push(variable.slot);
                }
            }
            ClauseKind::Procedure(call) => {
                let Some(column) = call.column else {
                    let error = CypherError::new(
                        CypherErrorKind::ProcedureError,
                        Phase::Compile,
                        Cause::ProcedureNotFound,
                        format!("there is no procedure {}", call.name),
                    );
                    return Err(error.or_at(at).hint(
                        "there are db.labels(), db.relationshipTypes() and db.propertyKeys(); \
                         apoc and gds are not here",
                    ));
                };
                if call.has_arguments {
                    let message = format!("{} takes no arguments", call.name);
                    return fault(Cause::InvalidNumberOfArguments, at, message);
                }
                if call.variable.is_none() {
                    call.variable = Some(Variable::new(column, at));
                }
                if let Some(variable) = &mut call.variable {
                    self.introduce(variable, Type::Text, scope)?;
                }
                if let Some(condition) = &mut call.condition {
                    self.condition(condition, scope)?;
                }
            }
            // These change what can be seen: `single` resolves them.
            ClauseKind::With(_) | ClauseKind::Return(_) | ClauseKind::Finish => {}
        }
        Ok(())
    }

    /// A variable that must be new.
    pub(super) fn introduce(
        &mut self,
        variable: &mut Variable,
        of: Type,
        scope: &mut Scope,
    ) -> Resolved<()> {
        if scope.get(&variable.name).is_some() {
            let message = format!("there is a variable {} already", variable.name);
            return fault(Cause::VariableAlreadyBound, variable.at, message);
        }
        variable.slot = self.slot();
        scope.add(&variable.name, variable.slot, of);
        Ok(())
    }

    /// A variable that must be there, and can be one of these (nothing: of any type).
    pub(super) fn variable(
        &mut self,
        variable: &mut Variable,
        types: &[Type],
        scope: &Scope,
    ) -> Resolved<Type> {
        let Some(seen) = scope.get(&variable.name) else { return undefined(variable, scope) };
        if !types.is_empty() && !seen.of.can_be(types) {
            let expected: Vec<_> = types.iter().map(|of| of.words()).collect();
            let message = format!(
                "{} is {}; expected {}",
                variable.name,
                seen.of.words(),
                expected.join(" or ")
            );
            return fault(Cause::InvalidArgumentType, variable.at, message);
        }
        variable.slot = seen.slot;
        Ok(seen.of)
    }

    fn set_items(&mut self, items: &mut [SetItem], scope: &Scope) -> Resolved<()> {
        let elements = [Type::Node, Type::Edge];
        for item in items {
            match item {
                SetItem::Property { target, key, value } => {
                    self.property(target, key, scope)?;
                    let of = self.expr(value, scope)?;
                    check_property(of, value)?;
                }
                SetItem::Properties { target, value, .. } => {
                    self.variable(target, &elements, scope)?;
                    let of = self.expr(value, scope)?;
                    let maps = [Type::Map, Type::Node, Type::Edge];
                    super::expressions::expect(of, &maps, value.at, "SET")?;
                    check_properties(value)?;
                }
                SetItem::Labels { target, .. } => {
                    self.variable(target, &[Type::Node], scope)?;
                }
            }
        }
        Ok(())
    }

    fn property(&mut self, target: &mut Expr, key: &mut Key, scope: &Scope) -> Resolved<()> {
        let of = self.expr(target, scope)?;
        if !of.can_be(&[Type::Node, Type::Edge, Type::Map]) {
            let message = format!("{} has no properties", of.words());
            return fault(Cause::InvalidArgumentType, target.at, message);
        }
        if let Key::Computed(expr) = key {
            self.expr(expr, scope)?;
        }
        Ok(())
    }

    fn deleted(&mut self, expr: &mut Expr, scope: &Scope) -> Resolved<()> {
        if matches!(expr.kind, ExprKind::HasLabels(..)) {
            let message = "a label is taken away with REMOVE, not with DELETE";
            return fault(Cause::InvalidDelete, expr.at, message);
        }
        let of = self.expr(expr, scope)?;
        if !of.can_be(&[Type::Node, Type::Edge, Type::Path, Type::Map, Type::List, Type::Edges]) {
            let message =
                format!("only nodes, relationships and paths are deleted, not {}", of.words());
            return fault(Cause::InvalidArgumentType, expr.at, message);
        }
        Ok(())
    }
}

/// Refuses a value that no property can have.
pub(super) fn check_property(of: Type, value: &Expr) -> Resolved<()> {
    let is_point = |entries: &[(String, Expr)]| entries.iter().any(|(name, _)| name == "crs");
    let fits = match &value.kind {
        ExprKind::Map(entries) => is_point(entries),
        ExprKind::List(items) => items.iter().all(|item| match &item.kind {
            ExprKind::Map(entries) => is_point(entries),
            kind => !matches!(kind, ExprKind::List(_)),
        }),
        _ => !matches!(of, Type::Map | Type::Node | Type::Edge | Type::Edges | Type::Path),
    };
    if fits {
        return Ok(());
    }
    let what = match of {
        Type::List => "a list of lists or maps",
        of => of.words(),
    };
    let kind = CypherErrorKind::TypeError;
    let message = format!("no property can be {what}");
    Err(CypherError::new(kind, Phase::Compile, Cause::InvalidPropertyType, message).or_at(value.at))
}

/// The same for each value of a map that is written down.
pub(super) fn check_properties(map: &Expr) -> Resolved<()> {
    let ExprKind::Map(entries) = &map.kind else { return Ok(()) };
    entries.iter().try_for_each(|(_, value)| check_property(Type::of_written(value), value))
}

/// A name that nothing has, with the nearest that something has.
pub(super) fn undefined<T>(variable: &Variable, scope: &Scope) -> Resolved<T> {
    let message = format!("there is no variable {} here", variable.name);
    let error = CypherError::syntax(Cause::UndefinedVariable, variable.at, message);
    // The name may be there, but for a letter that only looks the same.
    let latin = |name: &str| {
        look_alikes::latin(name)
            .map_or_else(|| (name.to_owned(), None), |(n, c, s)| (n, Some((c, s))))
    };
    let (plain, odd) = latin(&variable.name);
    for seen in &scope.0 {
        let (other, other_odd) = latin(&seen.name);
        if let Some((letter, script)) = odd.or(other_odd).filter(|_| plain == other) {
            let found = if odd.is_some() { &variable.name } else { &seen.name };
            return Err(error.hint(look_alikes::word(found, letter, script, &plain)));
        }
    }
    let mut there: Vec<&str> = scope.0.iter().map(|seen| seen.name.as_str()).collect();
    there.sort_unstable();
    there.dedup();
    there.truncate(20);
    Err(if there.is_empty() {
        error.hint("no variable can be seen here; after WITH only what it names")
    } else {
        error.hint(format!("there are {}; after WITH only what it names", there.join(", ")))
    })
}

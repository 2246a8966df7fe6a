//! Expressions.

use super::types::Type;
use super::{Resolved, Resolver, Scope, Within, fault};
use crate::ast::{
    Aggregate, AggregateFunction, BinaryOp, Call, Expr, ExprKind, MapItem, SubqueryKind, Variable,
};
use crate::error::{Cause, CypherError};
use crate::functions::Function;
use crate::parse::look_alikes;

impl Resolver {
    /// A condition: an expression in which a pattern asks whether there is one.
    pub(super) fn condition(&mut self, expr: &mut Expr, scope: &Scope) -> Resolved<()> {
        let of = self.operand(expr, scope)?;
        expect(of, &[Type::Bool], expr.at, "a condition")
    }

    /// What AND, OR, NOT and conditions have as their parts.
    fn operand(&mut self, expr: &mut Expr, scope: &Scope) -> Resolved<Type> {
        match &mut expr.kind {
            ExprKind::Pattern(path) => {
                self.inner_path(path, &mut scope.clone())?;
                Ok(Type::Bool)
            }
            ExprKind::Not(inner) => {
                let of = self.operand(inner, scope)?;
                expect(of, &[Type::Bool], inner.at, "NOT")?;
                Ok(Type::Bool)
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor), a, b) => {
                let name = match op {
                    BinaryOp::And => "AND",
                    BinaryOp::Or => "OR",
                    _ => "XOR",
                };
                for side in [a, b] {
                    let of = self.operand(side, scope)?;
                    expect(of, &[Type::Bool], side.at, name)?;
                }
                Ok(Type::Bool)
            }
            _ => self.expr(expr, scope),
        }
    }

    /// Resolves an expression, and tells what it will be.
    pub(super) fn expr(&mut self, expr: &mut Expr, scope: &Scope) -> Resolved<Type> {
        let at = expr.at;
        Ok(match &mut expr.kind {
            ExprKind::Constant(value) => Type::of(value),
            ExprKind::Parameter(_) | ExprKind::Slot(_) => Type::Any,
            ExprKind::Variable(variable) => self.variable(variable, &[], scope)?,
            ExprKind::List(items) => {
                for item in items {
                    self.expr(item, scope)?;
                }
                Type::List
            }
            ExprKind::Map(entries) => {
                for (_, value) in entries {
                    self.expr(value, scope)?;
                }
                Type::Map
            }
            ExprKind::MapProjection(of, items) => {
                let kind = self.expr(of, scope)?;
                expect(kind, &[Type::Node, Type::Edge, Type::Map], at, "a map made of it")?;
                for item in items {
                    if let MapItem::Entry(_, value) = item {
                        self.expr(value, scope)?;
                    }
                }
                Type::Map
            }
            ExprKind::Not(_)
            | ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, ..) => {
                self.logic(expr, scope)?
            }
            ExprKind::Minus(inner) | ExprKind::Plus(inner) => {
                let of = self.expr(inner, scope)?;
                expect(of, &[Type::Int, Type::Float, Type::Temporal], at, "a sign")?;
                of
            }
            ExprKind::Binary(op, a, b) => {
                let op = *op;
                let (left, right) = (self.expr(a, scope)?, self.expr(b, scope)?);
                self.binary(op, left, right, at)?
            }
            ExprKind::Compare(first, rest) => {
                self.expr(first, scope)?;
                for (_, other) in rest.iter_mut() {
                    self.expr(other, scope)?;
                }
                Type::Bool
            }
            ExprKind::IsNull(inner, _) => {
                self.expr(inner, scope)?;
                Type::Bool
            }
            ExprKind::HasLabels(inner, _) => {
                let of = self.expr(inner, scope)?;
                expect(of, &[Type::Node, Type::Edge], at, "a label")?;
                Type::Bool
            }
            ExprKind::Property(of, name) => {
                let kind = self.expr(of, scope)?;
                if !kind.can_be(&[Type::Map, Type::Node, Type::Edge, Type::Temporal]) {
                    let message = format!("{} has no property {name}", kind.words());
                    // What a pattern names is known for what it is; a value is of a wrong type.
                    if matches!(kind, Type::Path | Type::Edges) {
                        return fault(Cause::InvalidArgumentType, at, message);
                    }
                    let kind = crate::CypherErrorKind::TypeError;
                    let phase = crate::Phase::Compile;
                    let cause = Cause::InvalidArgumentType;
                    return Err(CypherError::new(kind, phase, cause, message).or_at(at));
                }
                Type::Any
            }
            ExprKind::Index(of, index) => {
                self.expr(of, scope)?;
                self.expr(index, scope)?;
                Type::Any
            }
            ExprKind::Slice(of, from, to) => {
                self.expr(of, scope)?;
                for bound in from.iter_mut().chain(to) {
                    self.expr(bound, scope)?;
                }
                Type::List
            }
            ExprKind::Call(call) => {
                let Some(function) = call.function else { return Err(unknown(call, at)) };
                let mut types = Vec::new();
                for argument in &mut call.arguments {
                    types.push(self.expr(argument, scope)?);
                }
                check_call(function, &call.name, &types, at)?;
                result_of(function)
            }
            ExprKind::Aggregate(_) => self.aggregate(expr, scope)?,
            ExprKind::Case(case) => {
                for of in case.of.iter_mut() {
                    self.expr(of, scope)?;
                }
                let is_condition = case.of.is_none();
                for (when, then) in &mut case.when {
                    for value in when {
                        if is_condition {
                            self.operand(value, scope)?;
                        } else {
                            self.expr(value, scope)?;
                        }
                    }
                    self.expr(then, scope)?;
                }
                for otherwise in case.otherwise.iter_mut() {
                    self.expr(otherwise, scope)?;
                }
                Type::Any
            }
            ExprKind::ListComprehension(c) => {
                self.expr(&mut c.list, scope)?;
                let inner = self.local(&mut c.variable, item_type(&c.list), scope);
                self.without_aggregates(|resolver| {
                    for condition in c.condition.iter_mut() {
                        resolver.condition(condition, &inner)?;
                    }
                    for result in c.result.iter_mut() {
                        resolver.expr(result, &inner)?;
                    }
                    Ok(())
                })?;
                Type::List
            }
            ExprKind::PatternComprehension(c) => {
                let mut inner = scope.clone();
                self.without_aggregates(|resolver| {
                    resolver.match_clause(&mut c.found, &mut inner)?;
                    resolver.expr(&mut c.result, &inner)
                })?;
                Type::List
            }
            ExprKind::Reduce(r) => {
                self.expr(&mut r.start, scope)?;
                self.expr(&mut r.list, scope)?;
                let inner = self.local(&mut r.sum, Type::Any, scope);
                let inner = self.local(&mut r.variable, item_type(&r.list), &inner);
                self.without_aggregates(|resolver| resolver.expr(&mut r.step, &inner))?;
                Type::Any
            }
            ExprKind::Quantifier(q) => {
                let of = self.expr(&mut q.list, scope)?;
                expect(of, &[Type::List, Type::Edges], q.list.at, "a condition about a list")?;
                let inner = self.local(&mut q.variable, item_type(&q.list), scope);
                self.without_aggregates(|resolver| resolver.condition(&mut q.condition, &inner))?;
                Type::Bool
            }
            ExprKind::Pattern(path) => {
                if path.shortest.is_none() {
                    let error = CypherError::syntax(
                        Cause::UnexpectedSyntax,
                        at,
                        "a pattern can stand only in a condition",
                    );
                    let hint = "write EXISTS {(a)--(b)}, COUNT {(a)--(b)} or [(a)--(b) | b.name]";
                    return Err(error.hint(hint));
                }
                self.inner_path(path, &mut scope.clone())?;
                Type::Any
            }
            ExprKind::Subquery(kind, inner) => {
                let kind = *kind;
                let within = match kind {
                    SubqueryKind::Collect => Within::Collect,
                    _ => Within::Test,
                };
                self.without_aggregates(|resolver| {
                    resolver.union(&mut inner.query, scope, within)
                })?;
                if crate::writes(&inner.query) {
                    let message = "a query in an expression cannot write";
                    return fault(Cause::InvalidClauseComposition, at, message);
                }
                if kind == SubqueryKind::Collect && inner.query.columns.len() != 1 {
                    let message = "COLLECT needs a query with one column";
                    return fault(Cause::UnexpectedSyntax, at, message);
                }
                match kind {
                    SubqueryKind::Exists => Type::Bool,
                    SubqueryKind::Count => Type::Int,
                    SubqueryKind::Collect => Type::List,
                }
            }
        })
    }

    /// Outside of conditions the parts of AND and its like are no patterns.
    fn logic(&mut self, expr: &mut Expr, scope: &Scope) -> Resolved<Type> {
        let mut pattern = None;
        expr.each_part(&mut |part| {
            if matches!(part.kind, ExprKind::Pattern(_)) {
                pattern = Some(part.at);
            }
        });
        if let Some(at) = pattern {
            return fault(Cause::UnexpectedSyntax, at, "a pattern can stand only in a condition");
        }
        self.operand(expr, scope)
    }

    fn binary(&mut self, op: BinaryOp, left: Type, right: Type, at: usize) -> Resolved<Type> {
        let numbers = [Type::Int, Type::Float, Type::Temporal];
        let is_known = |of: Type| !matches!(of, Type::Any | Type::Null);
        Ok(match op {
            BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Remainder
            | BinaryOp::Power => {
                expect(left, &numbers, at, "arithmetic")?;
                expect(right, &numbers, at, "arithmetic")?;
                match (op, left, right) {
                    (BinaryOp::Power, Type::Int | Type::Float, _) => Type::Float,
                    (_, Type::Int, Type::Int) => Type::Int,
                    (_, Type::Float, Type::Int | Type::Float) | (_, Type::Int, Type::Float) => {
                        Type::Float
                    }
                    _ => Type::Any,
                }
            }
            BinaryOp::Add if is_known(left) && is_known(right) => match (left, right) {
                (Type::List | Type::Edges, _) | (_, Type::List | Type::Edges) => Type::List,
                (Type::Text, _) | (_, Type::Text) => Type::Text,
                (Type::Int, Type::Int) => Type::Int,
                (Type::Bool | Type::Map | Type::Node | Type::Edge | Type::Path, _)
                | (_, Type::Bool | Type::Map | Type::Node | Type::Edge | Type::Path) => {
                    let message = format!("{} + {} has no meaning", left.words(), right.words());
                    return fault(Cause::InvalidArgumentType, at, message);
                }
                _ => Type::Any,
            },
            BinaryOp::In => {
                expect(right, &[Type::List, Type::Edges], at, "IN")?;
                Type::Bool
            }
            BinaryOp::StartsWith | BinaryOp::EndsWith | BinaryOp::Contains | BinaryOp::Matches => {
                Type::Bool
            }
            _ => Type::Any,
        })
    }

    /// A variable that only an expression knows.
    fn local(&mut self, variable: &mut Variable, of: Type, scope: &Scope) -> Scope {
        variable.slot = self.slot();
        let mut inner = scope.clone();
        inner.add(&variable.name, variable.slot, of);
        inner
    }

    fn without_aggregates<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Resolved<T>,
    ) -> Resolved<T> {
        let kept = self.aggregates.take();
        let result = inner(self);
        self.aggregates = kept;
        result
    }

    /// Takes an aggregate out of its expression, and leaves the place where its value will be.
    fn aggregate(&mut self, expr: &mut Expr, scope: &Scope) -> Resolved<Type> {
        let at = expr.at;
        let ExprKind::Aggregate(aggregate) = &mut expr.kind else { return Ok(Type::Any) };
        let Some(mut found) = self.aggregates.take() else {
            let message = "count, sum, collect and their like stand only in WITH and RETURN";
            let error = CypherError::syntax(Cause::InvalidAggregation, at, message);
            return Err(error.hint("write WITH …, count(*) AS n WHERE n > 1"));
        };
        for part in aggregate.of.iter_mut().chain(&mut aggregate.part) {
            if has_aggregate(part) {
                let message = "an aggregate cannot stand in another";
                let error = CypherError::syntax(Cause::NestedAggregation, at, message);
                return Err(error.hint("compute the inner one in a WITH before"));
            }
            if has_random(part) {
                let message = "what is random differs from row to row";
                return fault(Cause::NonConstantExpression, part.at, message);
            }
            let of = self.expr(part, scope)?;
            if aggregate.function.adds() {
                expect(of, NUMBERS, part.at, "a sum")?;
            }
        }
        let of = match aggregate.function {
            AggregateFunction::Count => Type::Int,
            AggregateFunction::Collect => Type::List,
            _ => Type::Any,
        };
        let slot = match found.iter().find(|(_, other)| *other == **aggregate) {
            Some((slot, _)) => *slot,
            None => {
                let slot = self.slot();
                found.push((slot, Aggregate::clone(aggregate)));
                slot
            }
        };
        self.aggregates = Some(found);
        expr.kind = ExprKind::Slot(slot);
        Ok(of)
    }
}

/// What every item of a list is, where it is written as one.
fn item_type(list: &Expr) -> Type {
    let ExprKind::List(items) = &list.kind else { return Type::Any };
    let mut types = items.iter().map(|item| match &item.kind {
        ExprKind::Constant(value) => Type::of(value),
        _ => Type::Any,
    });
    let Some(first) = types.next() else { return Type::Any };
    if types.all(|of| of == first) { first } else { Type::Any }
}

fn has_aggregate(expr: &mut Expr) -> bool {
    let mut has = matches!(expr.kind, ExprKind::Aggregate(_));
    expr.each_part(&mut |part| has |= has_aggregate(part));
    has
}

fn has_random(expr: &mut Expr) -> bool {
    let mut has =
        matches!(&expr.kind, ExprKind::Call(call) if call.function == Some(Function::Rand));
    expr.each_part(&mut |part| has |= has_random(part));
    has
}

pub(super) fn expect(of: Type, types: &[Type], at: usize, what: &str) -> Resolved<()> {
    if of.can_be(types) {
        return Ok(());
    }
    let expected: Vec<_> = types.iter().map(|of| of.words()).collect();
    let message = format!("{what} needs {}, not {}", expected.join(" or "), of.words());
    fault(Cause::InvalidArgumentType, at, message)
}

/// Why a call is none.
fn unknown(call: &Call, at: usize) -> CypherError {
    let (name, n) = (&call.name, call.arguments.len());
    let lower = name.to_ascii_lowercase();
    let arity = match (Function::named(&lower), AggregateFunction::named(&lower)) {
        (Some(function), _) => Some(function.arity()),
        (None, Some(aggregate)) => {
            let expected = 1 + usize::from(aggregate.takes_part());
            Some((expected, expected))
        }
        (None, None) => (lower == "exists").then_some((1, 1)),
    };
    if let Some((least, most)) = arity {
        let expected = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let arguments = if expected == "1" { "argument" } else { "arguments" };
        let message = format!("{name} takes {expected} {arguments}, not {n}");
        return CypherError::syntax(Cause::InvalidNumberOfArguments, at, message);
    }
    let message = format!("there is no function {name}");
    let error = CypherError::syntax(Cause::UnknownFunction, at, message);
    if let Some((latin, letter, script)) = look_alikes::latin(name) {
        return error.hint(look_alikes::word(name, letter, script, &latin));
    }
    match Function::nearest(&lower) {
        Some(near) => error.hint(format!("did you mean {near}?")),
        None => error,
    }
}

const NUMBERS: &[Type] = &[Type::Int, Type::Float, Type::Temporal];
const TEXT: &[Type] = &[Type::Text];
const LISTS: &[Type] = &[Type::List, Type::Edges];

/// Refuses arguments that can never be right.
fn check_call(function: Function, name: &str, types: &[Type], at: usize) -> Resolved<()> {
    use Function as F;
    let int: &[Type] = &[Type::Int];
    let expected: &[&[Type]] = match function {
        F::Type | F::StartNode | F::EndNode => &[&[Type::Edge]],
        F::Labels => &[&[Type::Node]],
        F::Length => &[&[Type::Path, Type::Text, Type::List, Type::Edges]],
        F::Nodes | F::Relationships => &[&[Type::Path]],
        F::Size | F::IsEmpty => &[&[Type::List, Type::Edges, Type::Text, Type::Map]],
        F::Properties | F::Keys => &[&[Type::Node, Type::Edge, Type::Map]],
        F::Id | F::ElementId => &[&[Type::Node, Type::Edge]],
        F::Head | F::Last | F::Tail => &[LISTS],
        F::Reverse => &[&[Type::List, Type::Edges, Type::Text]],
        F::ToLower | F::ToUpper | F::Trim | F::LTrim | F::RTrim => &[TEXT],
        F::Left | F::Right => &[TEXT, int],
        F::Substring => &[TEXT, int, int],
        F::Replace => &[TEXT, TEXT, TEXT],
        F::Split => &[TEXT, &[Type::Text, Type::List]],
        F::Abs
        | F::Acos
        | F::Asin
        | F::Atan
        | F::Ceil
        | F::Cos
        | F::Cot
        | F::Degrees
        | F::Exp
        | F::Floor
        | F::IsNan
        | F::Log
        | F::Log10
        | F::Radians
        | F::Round
        | F::Sign
        | F::Sin
        | F::Sqrt
        | F::Tan => &[NUMBERS, int],
        F::Atan2 => &[NUMBERS, NUMBERS],
        _ => return Ok(()),
    };
    types.iter().zip(expected).try_for_each(|(of, expected)| expect(*of, expected, at, name))
}

fn result_of(function: Function) -> Type {
    match function {
        Function::Size | Function::Length | Function::ToInteger | Function::Id => Type::Int,
        Function::Labels
        | Function::Keys
        | Function::Nodes
        | Function::Relationships
        | Function::Range
        | Function::Split
        | Function::Tail => Type::List,
        Function::Type
        | Function::ToString
        | Function::ToLower
        | Function::ToUpper
        | Function::Trim
        | Function::Substring
        | Function::Replace => Type::Text,
        Function::ToBoolean => Type::Bool,
        Function::Properties => Type::Map,
        Function::StartNode | Function::EndNode => Type::Node,
        Function::ToFloat | Function::Sqrt | Function::Rand => Type::Float,
        _ => Type::Any,
    }
}

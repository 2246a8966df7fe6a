//! Patterns in MATCH, CREATE, MERGE and expressions.

use super::types::Type;
use super::{Resolved, Resolver, Scope, fault};
use crate::ast::{
    BinaryOp, CompareOp, Conjunct, Direction, EdgePattern, Expr, ExprKind, Match, NodePattern,
    PathPattern, Variable,
};
use crate::error::{Cause, CypherError};

/// Whether a pattern finds or makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Find,
    Create,
    Merge,
}

impl Resolver {
    pub(super) fn match_clause(&mut self, clause: &mut Match, scope: &mut Scope) -> Resolved<()> {
        let first = self.n_slots;
        let mut edges = Vec::new();
        for path in &mut clause.paths {
            self.declare(path, scope, &mut edges, Use::Find)?;
        }
        for path in &mut clause.paths {
            self.path_exprs(path, scope, Use::Find)?;
        }
        if let Some(condition) = &mut clause.condition {
            self.condition(condition, scope)?;
        }
        let mut conjuncts = Vec::new();
        for path in &mut clause.paths {
            take_conditions(path, first, &mut conjuncts);
        }
        if let Some(condition) = &clause.condition {
            split(condition, &mut conjuncts);
        }
        clause.conjuncts = conjuncts
            .into_iter()
            .map(|mut condition| {
                let mut needs = Vec::new();
                collect_slots(&mut condition, first, self.n_slots, &mut needs);
                Conjunct { condition, needs }
            })
            .collect();
        // What is needed may be a place of an expression's own: only a pattern's get values here.
        let mut declared: Vec<usize> = Vec::new();
        for path in &clause.paths {
            declared.extend(path.nodes.iter().map(|node| node.variable.slot));
            declared.extend(path.edges.iter().map(|edge| edge.variable.slot));
            declared.extend(path.variable.iter().map(|variable| variable.slot));
        }
        for conjunct in &mut clause.conjuncts {
            conjunct.needs.retain(|slot| declared.contains(slot));
        }
        Ok(())
    }

    /// A path of an expression, which has no names of its own.
    pub(super) fn inner_path(&mut self, path: &mut PathPattern, scope: &mut Scope) -> Resolved<()> {
        let nodes = path.nodes.iter().map(|node| &node.variable);
        let edges = path.edges.iter().map(|edge| &edge.variable);
        for variable in nodes.chain(edges) {
            if !is_hidden(variable) && scope.get(&variable.name).is_none() {
                return super::clauses::undefined(variable, scope);
            }
        }
        self.declare(path, scope, &mut Vec::new(), Use::Find)?;
        self.path_exprs(path, scope, Use::Find)
    }

    pub(super) fn create_path(
        &mut self,
        path: &mut PathPattern,
        scope: &mut Scope,
    ) -> Resolved<()> {
        self.new_path(path, scope, Use::Create)
    }

    pub(super) fn merge_path(&mut self, path: &mut PathPattern, scope: &mut Scope) -> Resolved<()> {
        self.new_path(path, scope, Use::Merge)
    }

    fn new_path(&mut self, path: &mut PathPattern, scope: &mut Scope, how: Use) -> Resolved<()> {
        if path.shortest.is_some() {
            return fault(Cause::UnexpectedSyntax, path.at, "a shortest path cannot be made");
        }
        for edge in &path.edges {
            check_new_edge(edge, how)?;
        }
        for node in &path.nodes {
            let is_seen = scope.get(&node.variable.name).is_some();
            let adds = node.labels.is_some() || node.properties.is_some();
            if is_seen && (adds || path.edges.is_empty()) {
                let name = &node.variable.name;
                let message = format!("there is a variable {name} already");
                let error =
                    CypherError::syntax(Cause::VariableAlreadyBound, node.variable.at, message);
                return Err(
                    error.hint(format!("write ({name}) for the same node, SET to change it"))
                );
            }
            if let Some(labels) = &node.labels
                && labels.all_of().is_none()
            {
                let message = "a node is made with labels such as :A:B";
                return fault(Cause::UnexpectedSyntax, node.at, message);
            }
        }
        // What the path makes cannot be asked for inside it.
        let outer = scope.clone();
        self.declare(path, scope, &mut Vec::new(), how)?;
        let seen = if how == Use::Create { &*scope } else { &outer };
        self.path_exprs(path, seen, how)
    }

    /// Gives the variables of a path their places.
    fn declare(
        &mut self,
        path: &mut PathPattern,
        scope: &mut Scope,
        edges: &mut Vec<String>,
        how: Use,
    ) -> Resolved<()> {
        let PathPattern { nodes, edges: edge_patterns, variable, .. } = path;
        let mut edge_patterns = edge_patterns.iter_mut();
        for node in nodes {
            self.declare_node(node, scope)?;
            if let Some(edge) = edge_patterns.next() {
                self.declare_edge(edge, scope, edges, how)?;
            }
        }
        if let Some(variable) = variable {
            self.introduce(variable, Type::Path, scope)?;
        }
        Ok(())
    }

    fn declare_node(&mut self, node: &mut NodePattern, scope: &mut Scope) -> Resolved<()> {
        let variable = &mut node.variable;
        if is_hidden(variable) {
            variable.slot = self.slot();
            return Ok(());
        }
        match scope.get(&variable.name) {
            Some(seen) if !seen.of.can_be(&[Type::Node]) => {
                let message = format!("{} is {}, and no node", variable.name, seen.of.words());
                fault(Cause::VariableTypeConflict, variable.at, message)
            }
            Some(seen) => {
                (variable.slot, node.is_bound) = (seen.slot, true);
                Ok(())
            }
            None => self.introduce(variable, Type::Node, scope),
        }
    }

    fn declare_edge(
        &mut self,
        edge: &mut EdgePattern,
        scope: &mut Scope,
        edges: &mut Vec<String>,
        how: Use,
    ) -> Resolved<()> {
        let variable = &mut edge.variable;
        if is_hidden(variable) {
            variable.slot = self.slot();
            return Ok(());
        }
        let of = if edge.length.is_some() { Type::Edges } else { Type::Edge };
        if edges.contains(&variable.name) {
            let message = format!(
                "a path has no relationship twice, and {} stands for two of one MATCH",
                variable.name
            );
            return fault(Cause::RelationshipUniquenessViolation, variable.at, message);
        }
        edges.push(variable.name.clone());
        match scope.get(&variable.name) {
            Some(_) if how != Use::Find => {
                let message = format!("there is a variable {} already", variable.name);
                fault(Cause::VariableAlreadyBound, variable.at, message)
            }
            Some(seen)
                if !seen.of.can_be(&[of, if of == Type::Edges { Type::List } else { of }]) =>
            {
                let message =
                    format!("{} is {}, and not {}", variable.name, seen.of.words(), of.words());
                fault(Cause::VariableTypeConflict, variable.at, message)
            }
            Some(seen) => {
                (variable.slot, edge.is_bound) = (seen.slot, true);
                Ok(())
            }
            None => self.introduce(variable, of, scope),
        }
    }

    /// Resolves the properties and conditions in a path.
    fn path_exprs(&mut self, path: &mut PathPattern, scope: &Scope, how: Use) -> Resolved<()> {
        let nodes = path.nodes.iter_mut().map(|n| (&mut n.properties, &mut n.condition));
        let edges = path.edges.iter_mut().map(|e| (&mut e.properties, &mut e.condition));
        for (properties, condition) in nodes.chain(edges) {
            if let Some(properties) = properties {
                if matches!(properties.kind, ExprKind::Parameter(_)) && how != Use::Create {
                    let message = "a parameter cannot stand for all properties of a pattern here";
                    let error =
                        CypherError::syntax(Cause::InvalidParameterUse, properties.at, message);
                    return Err(error.hint("write {name: $name}"));
                }
                let of = self.expr(properties, scope)?;
                if how != Use::Find {
                    super::expressions::expect(of, &[Type::Map], properties.at, "a pattern")?;
                    super::clauses::check_properties(properties)?;
                }
            }
            if let Some(condition) = condition {
                if how != Use::Find {
                    let message = "a condition can stand only in patterns that find";
                    return fault(Cause::UnexpectedSyntax, condition.at, message);
                }
                self.condition(condition, scope)?;
            }
        }
        Ok(())
    }
}

fn is_hidden(variable: &Variable) -> bool {
    variable.name.starts_with(' ')
}

fn check_new_edge(edge: &EdgePattern, how: Use) -> Resolved<()> {
    if edge.length.is_some() {
        let message = "a relationship that repeats can be found, but not made";
        return fault(Cause::CreatingVarLength, edge.at, message);
    }
    let has_one_type = edge.types.as_ref().and_then(|t| t.all_of()).is_some_and(|t| t.len() == 1);
    if !has_one_type {
        let error = CypherError::syntax(
            Cause::NoSingleRelationshipType,
            edge.at,
            "a relationship is made with exactly one type",
        );
        return Err(error.hint("write -[:TYPE]->"));
    }
    if how == Use::Create && edge.direction == Direction::Both {
        let message = "a relationship is made with a direction";
        let error = CypherError::syntax(Cause::RequiresDirectedRelationship, edge.at, message);
        return Err(error.hint("write -[:TYPE]-> or <-[:TYPE]-"));
    }
    Ok(())
}

/// The parts of a condition that must all hold.
fn split(condition: &Expr, out: &mut Vec<Expr>) {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => {
            split(a, out);
            split(b, out);
        }
        _ => out.push(condition.clone()),
    }
}

/// Takes out of a path the conditions, and the properties that need what the same clause finds: the
/// order in which it is found is decided later.
fn take_conditions(path: &mut PathPattern, first: usize, out: &mut Vec<Expr>) {
    let nodes = path
        .nodes
        .iter_mut()
        .map(|node| (&node.variable, false, &mut node.properties, &mut node.condition));
    let edges = path.edges.iter_mut().map(|edge| {
        (&edge.variable, edge.length.is_some(), &mut edge.properties, &mut edge.condition)
    });
    for (variable, is_list, properties, condition) in nodes.chain(edges) {
        if is_list {
            continue;
        }
        out.extend(condition.take());
        let Some(Expr { kind: ExprKind::Map(entries), at, .. }) = properties else { continue };
        let at = *at;
        let (needing, rest) = std::mem::take(entries).into_iter().partition(|(_, value)| {
            let mut slots = Vec::new();
            collect_slots(&mut value.clone(), first, usize::MAX, &mut slots);
            !slots.is_empty()
        });
        *entries = rest;
        let needing: Vec<(String, Expr)> = needing;
        for (key, value) in needing {
            let of = Expr::new(ExprKind::Variable(variable.clone()), at);
            let of = Expr::new(ExprKind::Property(Box::new(of), key), at);
            let equal = ExprKind::Compare(Box::new(of), vec![(CompareOp::Equal, value)]);
            out.push(Expr::new(equal, at));
        }
    }
}

/// The places from `first` to before `end` that an expression reads; a query in it may read all.
fn collect_slots(expr: &mut Expr, first: usize, end: usize, out: &mut Vec<usize>) {
    match &expr.kind {
        ExprKind::Variable(Variable { slot, .. }) | ExprKind::Slot(slot)
            if (first..end).contains(slot) =>
        {
            out.push(*slot);
        }
        ExprKind::Subquery(..) => out.extend(first..end.min(first + 10_000)),
        ExprKind::Pattern(path) => path_slots(path, out),
        ExprKind::PatternComprehension(c) => {
            c.found.paths.iter().for_each(|path| path_slots(path, out));
        }
        _ => {}
    }
    expr.each_part(&mut |part| collect_slots(part, first, end, out));
}

fn path_slots(path: &PathPattern, out: &mut Vec<usize>) {
    out.extend(path.nodes.iter().map(|node| node.variable.slot));
    out.extend(path.edges.iter().map(|edge| edge.variable.slot));
}

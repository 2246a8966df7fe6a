//! The steps of a plan, done one after the other, each for all that fits there.

use kg::property::{EdgeId, NodeId};

use super::{Search, Step, Visit};
use crate::ast::{EdgePattern, Expr, LabelExpr, NodePattern};
use crate::parts::Held;
use crate::run::operators::deleted;
use crate::run::{Ran, Row, type_fault};
use crate::value::CypherValue;

impl Search<'_, '_, '_> {
    /// Does the steps from one on; false to stop.
    pub(super) fn go(&mut self, i: usize, row: &mut Row, visit: Visit<'_>) -> Ran<bool> {
        self.run.shared.budget.spend(1)?;
        let plan = self.plan;
        let Some((step, conditions)) = plan.steps.get(i) else { return visit(row) };
        match step {
            Step::Scan { node, beside } => self.scan(node, *beside, i, row, visit),
            Step::Check(node) => {
                let CypherValue::Node(id) = row[node.variable.slot] else {
                    return not_a_node(&row[node.variable.slot], &node.variable.name);
                };
                if !self.run.node_fits(id, node, row)? {
                    return Ok(true);
                }
                self.next(i, conditions, row, visit)
            }
            Step::Expand { edge, from, to, forward, is_to_known } => {
                let CypherValue::Node(at) = row[from.variable.slot] else { return Ok(true) };
                let hop = Hop { edge, to, forward: *forward, is_to_known: *is_to_known };
                match edge.length {
                    None => self.one_edge(&hop, at, i, row, visit),
                    Some(length) => self.many_edges(&hop, at, length, i, row, visit),
                }
            }
            Step::Shortest(path) => {
                let run = self.run;
                for edges in run.shortest(path, row)? {
                    let edges = edges.into_iter().map(CypherValue::Edge).collect();
                    row[path.edges[0].variable.slot] = CypherValue::list(edges);
                    if !self.next(i, conditions, row, visit)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Step::Name(path) => {
                if let Some(variable) = &path.variable {
                    let value = self.run.path_value(path, row);
                    self.run.shared.budget.spend(value.size())?;
                    row[variable.slot] = value;
                }
                self.next(i, conditions, row, visit)
            }
        }
    }

    /// Asks the conditions of a step, and continues after it.
    fn next(
        &mut self,
        i: usize,
        conditions: &[&Expr],
        row: &mut Row,
        visit: Visit<'_>,
    ) -> Ran<bool> {
        for condition in conditions {
            if !self.run.holds(condition, row)? {
                return Ok(true);
            }
        }
        self.go(i + 1, row, visit)
    }

    fn scan(
        &mut self,
        node: &NodePattern,
        beside: Option<&EdgePattern>,
        i: usize,
        row: &mut Row,
        visit: Visit<'_>,
    ) -> Ran<bool> {
        let run = self.run;
        let graph = run.graph();
        let conditions = &self.plan.steps[i].1;
        if let Some(edge) = beside {
            let CypherValue::Edge(id) = row[edge.variable.slot] else { return Ok(true) };
            let Some(edge) = graph.edge(id) else { return deleted("relationship") };
            let mut ends = vec![edge.source];
            if edge.target != edge.source {
                ends.push(edge.target);
            }
            return self.each_node(ends.into_iter(), node, i, conditions, row, visit);
        }
        let names = node.labels.as_ref().and_then(LabelExpr::all_of);
        let rarest = names
            .and_then(|names| names.into_iter().min_by_key(|name| graph.count_with_label(name)));
        match rarest {
            Some(label) => self.each_node(graph.with_label(label), node, i, conditions, row, visit),
            None => {
                let all = graph.nodes().map(|(id, _)| id);
                self.each_node(all, node, i, conditions, row, visit)
            }
        }
    }

    fn each_node(
        &mut self,
        nodes: impl Iterator<Item = NodeId>,
        pattern: &NodePattern,
        i: usize,
        conditions: &[&Expr],
        row: &mut Row,
        visit: Visit<'_>,
    ) -> Ran<bool> {
        for id in nodes {
            self.run.shared.budget.spend(1)?;
            row[pattern.variable.slot] = CypherValue::Node(id);
            if self.run.node_fits(id, pattern, row)? && !self.next(i, conditions, row, visit)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn one_edge(
        &mut self,
        hop: &Hop<'_>,
        at: NodeId,
        i: usize,
        row: &mut Row,
        visit: Visit<'_>,
    ) -> Ran<bool> {
        let bound = if hop.edge.is_bound {
            match &row[hop.edge.variable.slot] {
                CypherValue::Edge(id) => Some(*id),
                CypherValue::Null => return Ok(true),
                other => return not_an_edge(other, &hop.edge.variable.name),
            }
        } else {
            None
        };
        let plan = self.plan;
        let conditions = &plan.steps[i].1;
        for (edge, other) in self.run.edges_at(at, hop.edge, hop.forward, row)? {
            if bound.is_some_and(|bound| bound != edge) || !self.reaches(hop, other, row)? {
                continue;
            }
            if !self.used.insert(edge) {
                continue;
            }
            row[hop.edge.variable.slot] = CypherValue::Edge(edge);
            row[hop.to.variable.slot] = CypherValue::Node(other);
            let goes_on = self.next(i, conditions, row, visit)?;
            self.used.remove(&edge);
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a hop may end at a node.
    fn reaches(&self, hop: &Hop<'_>, other: NodeId, row: &mut Row) -> Ran<bool> {
        if hop.is_to_known {
            let CypherValue::Node(wanted) = row[hop.to.variable.slot] else { return Ok(false) };
            if wanted != other {
                return Ok(false);
            }
        }
        self.run.node_fits(other, hop.to, row)
    }

    /// Every way of so many edges; without recursion, because a way may be as long as the graph.
    fn many_edges(
        &mut self,
        hop: &Hop<'_>,
        at: NodeId,
        (least, most): (u64, Option<u64>),
        i: usize,
        row: &mut Row,
        visit: Visit<'_>,
    ) -> Ran<bool> {
        let plan = self.plan;
        let conditions = &plan.steps[i].1;
        let wanted = hop.edge.is_bound.then(|| row[hop.edge.variable.slot].clone());
        let known_end = hop.is_to_known.then(|| row[hop.to.variable.slot].clone());
        let most = most.unwrap_or(u64::MAX);
        let mut way: Vec<EdgeId> = Vec::new();
        let mut choices = vec![(vec![(EdgeId(u64::MAX), at)].into_iter(), Held::default())];
        let mut result = Ok(true);
        while let Some((here, _)) = choices.last_mut() {
            let Some((edge, node)) = here.next() else {
                choices.pop();
                if let Some(edge) = way.pop() {
                    self.used.remove(&edge);
                }
                continue;
            };
            let is_start = choices.len() == 1;
            if !is_start {
                if !self.used.insert(edge) {
                    continue;
                }
                way.push(edge);
            }
            let length = way.len() as u64;
            if length >= least {
                if let Some(known) = &known_end {
                    row[hop.to.variable.slot] = known.clone();
                }
                let outcome =
                    self.end_of_way(hop, node, &way, wanted.as_ref(), row).and_then(|ends| {
                        if ends { self.next(i, conditions, row, visit) } else { Ok(true) }
                    });
                if !matches!(outcome, Ok(true)) {
                    result = outcome;
                    break;
                }
            }
            let more = if length < most {
                self.run.edges_at(node, hop.edge, hop.forward, row)
            } else {
                Ok(Vec::new())
            };
            match more {
                Ok(more) => {
                    let held = Held::new(more.capacity() * size_of::<(EdgeId, NodeId)>());
                    choices.push((more.into_iter(), held));
                }
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
        for edge in way {
            self.used.remove(&edge);
        }
        result
    }

    /// Whether a way ends where it may; then its edges and its end are in the row.
    fn end_of_way(
        &self,
        hop: &Hop<'_>,
        end: NodeId,
        way: &[EdgeId],
        wanted: Option<&CypherValue>,
        row: &mut Row,
    ) -> Ran<bool> {
        if !self.reaches(hop, end, row)? {
            return Ok(false);
        }
        self.run.shared.budget.spend(way.len())?;
        let in_order = |edge: &EdgeId| CypherValue::Edge(*edge);
        let list: Vec<CypherValue> = if hop.forward {
            way.iter().map(in_order).collect()
        } else {
            way.iter().rev().map(in_order).collect()
        };
        let list = CypherValue::list(list);
        if wanted.is_some_and(|wanted| *wanted != list) {
            return Ok(false);
        }
        row[hop.edge.variable.slot] = list;
        row[hop.to.variable.slot] = CypherValue::Node(end);
        Ok(true)
    }
}

/// An edge of a pattern, and the node behind it.
struct Hop<'h> {
    edge: &'h EdgePattern,
    to: &'h NodePattern,
    forward: bool,
    is_to_known: bool,
}

/// Null matches nothing; anything else is a mistake of the query.
fn not_a_node(value: &CypherValue, name: &str) -> Ran<bool> {
    match value {
        CypherValue::Null => Ok(true),
        other => type_fault(format!("{name} is {}, and no node", other.sort())),
    }
}

fn not_an_edge(value: &CypherValue, name: &str) -> Ran<bool> {
    type_fault(format!("{name} is {}, and no relationship", value.sort()))
}

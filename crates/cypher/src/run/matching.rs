//! Finding what a pattern describes.
//!
//! A plan is made once for a clause: at which node each path begins, in which order its edges are
//! followed, and after which step each condition can be asked. It begins where the fewest nodes are:
//! at a variable that has its value, else at the rarest label.

mod follow;

use kg::property::{EdgeId, Element, NodeId};
use rustc_hash::FxHashSet;

use super::operators::deleted;
use super::{Ran, Row, Run, fault};
use crate::ast::{
    Conjunct, Direction, EdgePattern, Expr, ExprKind, LabelExpr, Match, NodePattern, PathPattern,
};
use crate::error::{Cause, CypherErrorKind};
use crate::value::{CypherPath, CypherValue};

/// The most steps of a plan: each is a level of recursion.
const MAX_STEPS: usize = 400;

/// What is done with a match; whether to go on.
pub(super) type Visit<'v> = &'v mut dyn FnMut(&mut Row) -> Ran<bool>;

enum Step<'p> {
    /// A node that has no value yet: every node that fits; beside an edge that has its value only
    /// the ends of that.
    Scan { node: &'p NodePattern, beside: Option<&'p EdgePattern> },
    /// A node that has a value: whether it fits.
    Check(&'p NodePattern),
    /// An edge, from a node with a value to another.
    Expand {
        edge: &'p EdgePattern,
        from: &'p NodePattern,
        to: &'p NodePattern,
        forward: bool,
        is_to_known: bool,
    },
    /// The shortest path between two nodes with values.
    Shortest(&'p PathPattern),
    /// The value of a path variable.
    Name(&'p PathPattern),
}

struct Plan<'p> {
    /// Conditions that need nothing of this clause.
    first: Vec<&'p Expr>,
    steps: Vec<(Step<'p>, Vec<&'p Expr>)>,
}

/// One search for all matches, for one row.
struct Search<'s, 'r, 'q> {
    run: &'s Run<'r, 'q>,
    plan: &'s Plan<'s>,
    /// The edges of the match so far: none comes twice.
    used: FxHashSet<EdgeId>,
}

impl Run<'_, '_> {
    pub(super) fn match_rows(&self, clause: &Match, rows: Vec<Row>) -> Ran<Vec<Row>> {
        let plan = self.plan(&clause.paths, &clause.conjuncts)?;
        let mut out = Vec::new();
        for row in rows {
            let n_before = out.len();
            let mut work = row.clone();
            self.search(&plan, &mut work, &mut |found| {
                self.shared.budget.rows(out.len() + 1)?;
                out.push(found.clone());
                Ok(true)
            })?;
            if clause.optional && out.len() == n_before {
                out.push(row);
            }
        }
        Ok(out)
    }

    /// Every match of a clause for a row.
    pub(super) fn each_found(&self, clause: &Match, row: &mut Row, visit: Visit<'_>) -> Ran<()> {
        let plan = self.plan(&clause.paths, &clause.conjuncts)?;
        self.search(&plan, row, visit)
    }

    /// Every match of a path for a row.
    pub(super) fn each_match(
        &self,
        path: &PathPattern,
        row: &mut Row,
        visit: Visit<'_>,
    ) -> Ran<()> {
        let plan = self.plan(std::slice::from_ref(path), &[])?;
        self.search(&plan, row, visit)
    }

    fn search(&self, plan: &Plan<'_>, row: &mut Row, visit: Visit<'_>) -> Ran<()> {
        for condition in &plan.first {
            if !self.holds(condition, row)? {
                return Ok(());
            }
        }
        let mut search = Search { run: self, plan, used: FxHashSet::default() };
        search.go(0, row, visit).map(drop)
    }

    fn plan<'p>(&self, paths: &'p [PathPattern], conjuncts: &'p [Conjunct]) -> Ran<Plan<'p>> {
        let mut known: FxHashSet<usize> = FxHashSet::default();
        for path in paths {
            known.extend(path.nodes.iter().filter(|n| n.is_bound).map(|n| n.variable.slot));
        }
        // What is bound by an earlier path of the same clause is not known before that.
        for path in paths {
            for node in path.nodes.iter().filter(|node| !node.is_bound) {
                known.remove(&node.variable.slot);
            }
        }
        let mut steps = Vec::new();
        let mut left: Vec<&PathPattern> = paths.iter().collect();
        while !left.is_empty() {
            let costs = left.iter().enumerate().map(|(i, path)| {
                let (start, cost) = self.start(path, &known, conjuncts);
                (i, start, cost)
            });
            let Some((i, start, _)) = costs.min_by_key(|(_, _, cost)| *cost) else { break };
            let path = left.remove(i);
            plan_path(path, start, &mut known, &mut steps);
        }
        if steps.len() > MAX_STEPS {
            let message = format!("a pattern has more than {MAX_STEPS} nodes and relationships");
            return fault(CypherErrorKind::LimitExceeded, Cause::TooMuch, message);
        }
        Ok(place_conditions(steps, conjuncts))
    }

    /// At which node of a path to begin, and among how many nodes it is to be found.
    fn start(
        &self,
        path: &PathPattern,
        known: &FxHashSet<usize>,
        conjuncts: &[Conjunct],
    ) -> (usize, usize) {
        let cost = |(i, node): (usize, &NodePattern)| {
            if known.contains(&node.variable.slot) {
                return (i, 0);
            }
            let beside = i.checked_sub(1).into_iter().chain([i]);
            if beside.filter_map(|e| path.edges.get(e)).any(|e| e.is_bound && e.length.is_none()) {
                return (i, 1);
            }
            let names = node.labels.as_ref().and_then(LabelExpr::all_of);
            let of_label = |name: &str| self.graph().count_with_label(name);
            let least = names.and_then(|names| names.into_iter().map(of_label).min());
            let n = least.unwrap_or_else(|| self.graph().n_nodes());
            let is_selective = node.properties.is_some()
                || conjuncts.iter().any(|c| c.needs == [node.variable.slot]);
            (i, if is_selective { n / 10 } else { n } + 2)
        };
        path.nodes.iter().enumerate().map(cost).min_by_key(|(_, cost)| *cost).unwrap_or((0, 0))
    }

    /// Whether what a pattern says of properties holds.
    fn has_properties(
        &self,
        element: Element,
        properties: Option<&Expr>,
        row: &mut Row,
    ) -> Ran<bool> {
        let Some(properties) = properties else { return Ok(true) };
        let has = |name: &str, wanted: &CypherValue| -> Ran<bool> {
            let all = self.graph().properties(element);
            let value = all
                .and_then(|all| all.get(name))
                .map_or(CypherValue::Null, CypherValue::of_property);
            Ok(self.shared.budget.equals(&value, wanted)? == Some(true))
        };
        if let ExprKind::Map(entries) = &properties.kind {
            for (name, wanted) in entries {
                // A constant needs no copy.
                let holds = match &wanted.kind {
                    ExprKind::Constant(wanted) => has(name, wanted)?,
                    _ => has(name, &self.eval(wanted, row)?)?,
                };
                if !holds {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        match self.eval(properties, row)? {
            CypherValue::Map(map) => {
                for (name, wanted) in map.iter() {
                    if !has(name, wanted)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn node_fits(&self, id: NodeId, pattern: &NodePattern, row: &mut Row) -> Ran<bool> {
        let Some(node) = self.graph().node(id) else { return deleted("node") };
        if let Some(labels) = &pattern.labels {
            let has = |name: &str| node.labels.contains(name);
            if !labels.holds(&has, !node.labels.is_empty()) {
                return Ok(false);
            }
        }
        self.has_properties(Element::Node(id), pattern.properties.as_ref(), row)
    }

    /// The edges at a node that fit, each with its other end.
    pub(super) fn edges_at(
        &self,
        at: NodeId,
        pattern: &EdgePattern,
        forward: bool,
        row: &mut Row,
    ) -> Ran<Vec<(EdgeId, NodeId)>> {
        let graph = self.graph();
        let (out, into) = match (pattern.direction, forward) {
            (Direction::Both, _) => (true, true),
            (Direction::Out, true) | (Direction::In, false) => (true, false),
            _ => (false, true),
        };
        let mut found: Vec<(EdgeId, NodeId)> = Vec::new();
        let mut n_seen = 0;
        let mut take = |id: EdgeId, is_out: bool| {
            n_seen += 1;
            let Some(edge) = graph.edge(id) else { return };
            let fits = pattern
                .types
                .as_ref()
                .is_none_or(|types| types.holds(&|name| edge.edge_type == name, true));
            if fits {
                found.push((id, if is_out { edge.target } else { edge.source }));
            }
        };
        if out {
            graph.outgoing(at).for_each(|id| take(id, true));
        }
        if into {
            // A loop is at both ends of its node, and one edge.
            let is_loop = |id: &EdgeId| graph.edge(*id).is_some_and(|e| e.source == e.target);
            graph.incoming(at).filter(|id| !out || !is_loop(id)).for_each(|id| take(id, false));
        }
        self.shared.budget.spend(n_seen)?;
        if pattern.properties.is_some() {
            let mut kept = Vec::new();
            for (id, other) in found {
                let element = Element::Edge(id);
                if self.has_properties(element, pattern.properties.as_ref(), row)? {
                    kept.push((id, other));
                }
            }
            return Ok(kept);
        }
        Ok(found)
    }

    /// The path that the values of a pattern make.
    pub(super) fn path_value(&self, path: &PathPattern, row: &Row) -> CypherValue {
        let mut nodes = Vec::new();
        let mut edges = Vec::new();
        let mut here = None;
        for (i, node) in path.nodes.iter().enumerate() {
            let CypherValue::Node(id) = row[node.variable.slot] else { return CypherValue::Null };
            if let Some(edge) = i.checked_sub(1).and_then(|before| path.edges.get(before)) {
                let all: Vec<EdgeId> = match &row[edge.variable.slot] {
                    CypherValue::Edge(id) => vec![*id],
                    CypherValue::List(list) => list
                        .iter()
                        .filter_map(|value| match value {
                            CypherValue::Edge(id) => Some(*id),
                            _ => None,
                        })
                        .collect(),
                    _ => return CypherValue::Null,
                };
                for (j, edge) in all.iter().enumerate() {
                    if j > 0 {
                        nodes.extend(here);
                    }
                    edges.push(*edge);
                    here = here.and_then(|at| self.other_end(*edge, at));
                }
                if all.is_empty() {
                    here = Some(id);
                    continue;
                }
            }
            nodes.push(id);
            here = Some(id);
        }
        CypherValue::path(CypherPath { nodes, edges })
    }

    fn other_end(&self, edge: EdgeId, at: NodeId) -> Option<NodeId> {
        let edge = self.graph().edge(edge)?;
        Some(if edge.source == at { edge.target } else { edge.source })
    }
}

fn plan_path<'p>(
    path: &'p PathPattern,
    start: usize,
    known: &mut FxHashSet<usize>,
    steps: &mut Vec<Step<'p>>,
) {
    let mut place = |node: &'p NodePattern, beside, known: &mut FxHashSet<usize>| {
        if known.insert(node.variable.slot) {
            steps.push(Step::Scan { node, beside });
        } else {
            steps.push(Step::Check(node));
        }
    };
    if path.shortest.is_some() {
        for node in &path.nodes {
            place(node, None, known);
        }
        steps.push(Step::Shortest(path));
    } else {
        let beside = [path.edges.get(start), start.checked_sub(1).and_then(|i| path.edges.get(i))];
        let beside = beside.into_iter().flatten().find(|e| e.is_bound && e.length.is_none());
        place(&path.nodes[start], beside, known);
        let mut expand = |i: usize, forward: bool| {
            let (from, to) = if forward { (i, i + 1) } else { (i + 1, i) };
            let (from, to) = (&path.nodes[from], &path.nodes[to]);
            let is_to_known = !known.insert(to.variable.slot);
            steps.push(Step::Expand { edge: &path.edges[i], from, to, forward, is_to_known });
        };
        (start..path.edges.len()).for_each(|i| expand(i, true));
        (0..start).rev().for_each(|i| expand(i, false));
    }
    if path.variable.is_some() {
        steps.push(Step::Name(path));
    }
}

/// Puts each condition behind the first step after which it can be asked.
fn place_conditions<'p>(steps: Vec<Step<'p>>, conjuncts: &'p [Conjunct]) -> Plan<'p> {
    let mut known: FxHashSet<usize> = FxHashSet::default();
    let mut waiting: Vec<&Conjunct> = conjuncts.iter().collect();
    let mut ready = |known: &FxHashSet<usize>| {
        let (now, later): (Vec<_>, Vec<_>) =
            waiting.iter().partition(|c| c.needs.iter().all(|slot| known.contains(slot)));
        waiting = later;
        now.into_iter().map(|conjunct| &conjunct.condition).collect::<Vec<_>>()
    };
    let first = ready(&known);
    let mut placed = Vec::new();
    for step in steps {
        match &step {
            Step::Scan { node, .. } | Step::Check(node) => {
                known.insert(node.variable.slot);
            }
            Step::Expand { edge, to, .. } => {
                known.insert(edge.variable.slot);
                known.insert(to.variable.slot);
            }
            Step::Shortest(path) => known.extend(path.edges.iter().map(|e| e.variable.slot)),
            Step::Name(path) => known.extend(path.variable.iter().map(|v| v.slot)),
        }
        let conditions = ready(&known);
        placed.push((step, conditions));
    }
    Plan { first, steps: placed }
}

//! Finding what a pattern describes.
//!
//! A plan is made once for a clause: at which node each path begins, in which order its edges are
//! followed, and after which step each condition can be asked. It begins where the fewest nodes are:
//! at a variable that has its value, else at the rarest label.

use kg::property::{EdgeId, Element, NodeId};
use rustc_hash::FxHashSet;

use super::eval::deleted;
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
                self.shared.budget.rows(out.len() + 1, found.len())?;
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
        let has = |name: &str, wanted: &CypherValue| {
            let all = self.graph().properties(element);
            let value = all
                .and_then(|all| all.get(name))
                .map_or(CypherValue::Null, CypherValue::of_property);
            value.equals(wanted) == Some(true)
        };
        if let ExprKind::Map(entries) = &properties.kind {
            for (name, wanted) in entries {
                // A constant needs no copy.
                let holds = match &wanted.kind {
                    ExprKind::Constant(wanted) => has(name, wanted),
                    _ => has(name, &self.eval(wanted, row)?),
                };
                if !holds {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        match self.eval(properties, row)? {
            CypherValue::Map(map) => Ok(map.iter().all(|(name, wanted)| has(name, wanted))),
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
        CypherValue::Path(std::sync::Arc::new(CypherPath { nodes, edges }))
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

impl Search<'_, '_, '_> {
    /// Does the steps from one on; false to stop.
    fn go(&mut self, i: usize, row: &mut Row, visit: Visit<'_>) -> Ran<bool> {
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
                    row[variable.slot] = self.run.path_value(path, row);
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
        let mut choices = vec![vec![(EdgeId(u64::MAX), at)].into_iter()];
        let mut result = Ok(true);
        while let Some(here) = choices.last_mut() {
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
                Ok(more) => choices.push(more.into_iter()),
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
        other => super::type_fault(format!("{name} is {}, and no node", other.sort())),
    }
}

fn not_an_edge(value: &CypherValue, name: &str) -> Ran<bool> {
    super::type_fault(format!("{name} is {}, and no relationship", value.sort()))
}

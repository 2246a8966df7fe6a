//! Runs a plan without the library's own verifier and executor, so that these can be judged by it.
//!
//! It walks over the list of all edges, by the names as they stand in the plan, and knows the paper's
//! three actions and `count`. It is slow, and meant to be.

use std::collections::{BTreeMap, BTreeSet};

use kg::plan::{Plan, PlanStep};
use kg::{Direction, Kg};

/// Edges as names of ids: from, type, to; and each node's name and type.
pub(super) struct Walker<'a> {
    edges: BTreeMap<&'a str, Vec<(&'a str, &'a str)>>,
    nodes: BTreeMap<&'a str, (&'a str, &'a str)>,
    /// Far reaching steps by type alone end after so many hops.
    max_hops: usize,
}

/// What a step gave: ids of nodes, or a number.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Given<'a> {
    Nodes(BTreeSet<&'a str>),
    Number(usize),
}

impl<'a> Walker<'a> {
    pub(super) fn new(kg: &'a Kg, max_hops: usize) -> Self {
        let schema = kg.schema();
        let mut edges: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
        for (from, of, to) in kg.edges() {
            let name = schema.edge_type(of).name.as_str();
            edges.entry(name).or_default().push((kg.id(from), kg.id(to)));
        }
        let named = |n| (kg.id(n), (kg.name(n), schema.node_type(kg.node_type(n)).name.as_str()));
        Self { edges, nodes: kg.nodes().map(named).collect(), max_hops }
    }

    /// The answer of a plan as names, sorted, each once, or a number; `None` where it cannot be run at
    /// all: a step that is not there is used, or an action or a type does not exist.
    pub(super) fn answer(&self, plan: &Plan) -> Option<Vec<String>> {
        let mut given: BTreeMap<&str, Given<'a>> = BTreeMap::new();
        let mut before: Option<&str> = None;
        for step in &plan.steps {
            let from = step.from.as_deref().or(before);
            let value = self.step(step, from.and_then(|id| given.get(id)), &given)?;
            given.insert(&step.id, value);
            before = Some(&step.id);
        }
        let last = plan.answer_from.as_deref().or(before)?;
        Some(match given.get(last)? {
            Given::Number(n) => vec![n.to_string()],
            Given::Nodes(ids) => {
                let names = ids.iter().map(|id| self.nodes[id].0.to_owned());
                names.collect::<BTreeSet<_>>().into_iter().collect()
            }
        })
    }

    fn step(
        &self,
        step: &PlanStep,
        from: Option<&Given<'a>>,
        given: &BTreeMap<&str, Given<'a>>,
    ) -> Option<Given<'a>> {
        let is_of = |id: &str, of: &str| self.nodes[id].1 == of;
        if let Some(of) = &step.node_type {
            self.nodes.values().find(|(_, t)| t == of)?;
        }
        match step.action.to_lowercase().as_str() {
            "find_node" => {
                let hint = step.hint.as_deref()?.to_lowercase();
                let fits = |(id, (name, _)): (&&'a str, &(&str, &str))| {
                    let fits = name.to_lowercase() == hint;
                    let is = step.node_type.as_deref().is_none_or(|of| is_of(id, of));
                    (fits && is).then_some(*id)
                };
                Some(Given::Nodes(self.nodes.iter().filter_map(fits).collect()))
            }
            "fetch_neighbors" => {
                let Some(Given::Nodes(ids)) = from else { return None };
                let reached = match &step.edge_type {
                    Some(of) => self.next(ids, Some(of), step.direction)?,
                    None => self.nearest(ids, step.node_type.as_deref()?, step.direction),
                };
                let kept = reached.into_iter();
                let kept =
                    kept.filter(|id| step.node_type.as_deref().is_none_or(|of| is_of(id, of)));
                Some(Given::Nodes(kept.collect()))
            }
            "find_common_nodes" => {
                let mut common: Option<BTreeSet<&str>> = None;
                for entry in &step.of {
                    let Some(Given::Nodes(ids)) = given.get(entry.from.as_str()) else {
                        return None;
                    };
                    let reached = match &entry.edge_type {
                        Some(of) => self.next(ids, Some(of), entry.direction)?,
                        None => ids.clone(),
                    };
                    common = Some(match common {
                        Some(all) => all.intersection(&reached).copied().collect(),
                        None => reached,
                    });
                }
                let kept = common?.into_iter();
                let kept =
                    kept.filter(|id| step.node_type.as_deref().is_none_or(|of| is_of(id, of)));
                Some(Given::Nodes(kept.collect()))
            }
            "count" => match from? {
                Given::Nodes(ids) => Some(Given::Number(ids.len())),
                Given::Number(_) => None,
            },
            _ => None,
        }
    }

    /// What lies one hop from some nodes, by edges of a type or of any; `None` where no edge has it.
    fn next(
        &self,
        ids: &BTreeSet<&'a str>,
        of: Option<&str>,
        way: Option<Direction>,
    ) -> Option<BTreeSet<&'a str>> {
        let lists: Vec<&Vec<(&'a str, &'a str)>> = match of {
            Some(of) => vec![self.edges.get(of)?],
            None => self.edges.values().collect(),
        };
        let way = way.unwrap_or(Direction::Both);
        let mut reached = BTreeSet::new();
        for (a, b) in lists.into_iter().flatten() {
            if way != Direction::In && ids.contains(a) {
                reached.insert(*b);
            }
            if way != Direction::Out && ids.contains(b) {
                reached.insert(*a);
            }
        }
        Some(reached)
    }

    /// The nearest nodes of a type.
    fn nearest(
        &self,
        ids: &BTreeSet<&'a str>,
        of: &str,
        way: Option<Direction>,
    ) -> BTreeSet<&'a str> {
        let (mut seen, mut ring) = (ids.clone(), ids.clone());
        for _ in 0..self.max_hops {
            let next = self.next(&ring, None, way).unwrap_or_default();
            ring = next.into_iter().filter(|id| seen.insert(id)).collect();
            let found: BTreeSet<&str> =
                ring.iter().copied().filter(|id| self.nodes[id].1 == of).collect();
            if !found.is_empty() {
                return found;
            }
        }
        BTreeSet::new()
    }
}

//! Plans made wrong in one way, to see whether the verifier catches them.

use std::collections::BTreeSet;

use kg::plan::{Plan, PlanStep, Rule, Semantics, verify};
use kg::{Direction, EdgeTypeIx, NodeTypeIx, Schema};
use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

/// A structural way to be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Corruption {
    /// An action that does not exist.
    UnknownAction,
    /// `find_node` without a hint, or a hop without a type.
    MissingArgument,
    /// The first step is not `find_node`.
    NoFindFirst,
    /// A step that begins from itself or a later one.
    ForwardReference,
    /// A step whose result nothing uses.
    UnusedStep,
    /// A node type that does not exist.
    UnknownNodeType,
    /// An edge type that does not exist.
    UnknownEdgeType,
    /// An edge type that exists, from nodes that do not have it.
    ForeignEdge,
    /// A type that no path over the schema reaches in that direction.
    UnreachableType,
    /// `find_common_nodes` with one entry, or with entries that lead to different types.
    NothingInCommon,
}

impl Corruption {
    /// All of them, with the rule that is to catch each.
    pub const ALL: [(Self, Rule); 10] = [
        (Self::UnknownAction, Rule::V1),
        (Self::MissingArgument, Rule::V1),
        (Self::NoFindFirst, Rule::V2),
        (Self::ForwardReference, Rule::V2),
        (Self::UnusedStep, Rule::V2),
        (Self::UnknownNodeType, Rule::V3),
        (Self::UnknownEdgeType, Rule::V4),
        (Self::ForeignEdge, Rule::V5),
        (Self::UnreachableType, Rule::V6),
        (Self::NothingInCommon, Rule::V7),
    ];

    /// In a few words.
    pub fn title(self) -> &'static str {
        match self {
            Self::UnknownAction => "unknown action",
            Self::MissingArgument => "missing argument",
            Self::NoFindFirst => "does not begin with find_node",
            Self::ForwardReference => "begins from a later step",
            Self::UnusedStep => "unused step",
            Self::UnknownNodeType => "unknown node type",
            Self::UnknownEdgeType => "unknown edge type",
            Self::ForeignEdge => "edge that such nodes do not have",
            Self::UnreachableType => "type out of reach",
            Self::NothingInCommon => "nothing in common",
        }
    }

    /// A right plan made wrong in this way; `None` where this plan or schema does not allow it.
    pub fn apply(self, plan: &Plan, schema: &Schema, rng: &mut ChaCha8Rng) -> Option<Plan> {
        let mut plan = plan.clone();
        let semantics = Semantics { extensions: true, ..Semantics::default() };
        let types = verify(&plan, schema, semantics, "").types;
        let n = plan.steps.len();
        let any = rng.random_range(0..n);
        let hops: Vec<usize> = (0..n).filter(|i| plan.steps[*i].edge_type.is_some()).collect();
        let hop = hops.choose(rng).copied();
        // A word that no schema and no list of actions has.
        let junk = format!("zz_{}", rng.random_range(0..100_000));
        match self {
            Self::UnknownAction => plan.steps[any].action = junk,
            Self::MissingArgument => match hop.filter(|_| rng.random_bool(0.5)) {
                Some(i) => plan.steps[i].edge_type = None,
                None => plan.steps[0].hint = None,
            },
            Self::NoFindFirst => {
                if n < 2 {
                    return None;
                }
                plan.steps.retain(|s| s.hint.is_none());
            }
            Self::ForwardReference => {
                let at = rng.random_range(1..n.max(2)).min(n - 1);
                let later = rng.random_range(at..n);
                let id = plan.steps[later].id.clone();
                let step = &mut plan.steps[at];
                match step.of.first_mut() {
                    Some(entry) => entry.from = id,
                    None if step.hint.is_none() => step.from = Some(id),
                    None => return None,
                }
            }
            Self::UnusedStep => {
                let mut extra = plan.steps[0].clone();
                extra.id = junk;
                if plan.answer_from.is_none() {
                    plan.answer_from = plan.steps.last().map(|s| s.id.clone());
                }
                plan.steps.insert(rng.random_range(1..=n), extra);
            }
            Self::UnknownNodeType => plan.steps[0].node_type = Some(junk),
            Self::UnknownEdgeType => edge(&mut plan.steps, hop, n, junk)?,
            Self::ForeignEdge => {
                let i = hop.or_else(|| (0..n).find(|i| !plan.steps[*i].of.is_empty()))?;
                let of = &types[source(&plan, i)?];
                let foreign: Vec<EdgeTypeIx> =
                    schema.edge_type_ixs().filter(|e| !has(schema, of, *e)).collect();
                let name = schema.edge_type(*foreign.choose(rng)?).name.clone();
                let step = &mut plan.steps[i];
                match step.of.first_mut() {
                    Some(entry) => entry.edge_type = Some(name),
                    None => step.edge_type = Some(name),
                }
            }
            Self::UnreachableType => {
                let i = hop?;
                let of = &types[source(&plan, i)?];
                let way = *[Direction::Out, Direction::In, Direction::Both].choose(rng)?;
                let far: Vec<NodeTypeIx> = schema
                    .node_type_ixs()
                    .filter(|t| schema.hops(of, *t, way).is_none_or(|h| h > semantics.max_hops))
                    .collect();
                let step = &mut plan.steps[i];
                step.edge_type = None;
                step.direction = Some(way);
                step.node_type = Some(schema.node_type(*far.choose(rng)?).name.clone());
            }
            Self::NothingInCommon => {
                if let Some(step) = plan.steps.iter_mut().find(|s| !s.of.is_empty()) {
                    step.of.truncate(1);
                    let used = step.of[0].from.clone();
                    let keeps = |s: &PlanStep| s.hint.is_none() || s.id == used;
                    plan.steps.retain(keeps);
                } else {
                    let i = hop?;
                    let step = &mut plan.steps[i];
                    step.of = vec![kg::plan::CommonEntry {
                        from: step.from.take()?,
                        edge_type: step.edge_type.take(),
                        direction: step.direction,
                    }];
                    step.action = "find_common_nodes".into();
                }
            }
        }
        Some(plan)
    }
}

/// Puts an edge type somewhere into a plan.
fn edge(steps: &mut [PlanStep], hop: Option<usize>, n: usize, name: String) -> Option<()> {
    match hop {
        Some(i) => steps[i].edge_type = Some(name),
        None => {
            let i = (0..n).find(|i| !steps[*i].of.is_empty())?;
            steps[i].of.first_mut()?.edge_type = Some(name);
        }
    }
    Some(())
}

/// The number of the step that another begins from.
fn source(plan: &Plan, i: usize) -> Option<usize> {
    let step = &plan.steps[i];
    let from = step.of.first().map(|e| e.from.as_str()).or(step.from.as_deref());
    match from {
        Some(id) => plan.steps.iter().position(|s| s.id == id),
        None => i.checked_sub(1),
    }
}

fn has(schema: &Schema, of: &BTreeSet<NodeTypeIx>, edge: EdgeTypeIx) -> bool {
    of.iter().any(|t| !schema.ends_of(*t, edge, Direction::Both).is_empty())
}

/// The paper's semantic error: one edge of a plan is another that joins the same types. `None` where
/// the schema has no such edge.
pub fn wrong_meaning(plan: &Plan, schema: &Schema, rng: &mut ChaCha8Rng) -> Option<Plan> {
    let mut plan = plan.clone();
    let mut places: Vec<(usize, Option<usize>, String)> = Vec::new();
    for (i, step) in plan.steps.iter().enumerate() {
        let own = step.edge_type.iter().map(|e| (None, e.clone()));
        let entries = step.of.iter().enumerate();
        let entries = entries.filter_map(|(j, e)| Some((Some(j), e.edge_type.clone()?)));
        for (entry, name) in own.chain(entries) {
            for other in doubles(schema, &name) {
                places.push((i, entry, other));
            }
        }
    }
    let (i, entry, name) = places.choose(rng)?.clone();
    match entry {
        Some(j) => plan.steps[i].of[j].edge_type = Some(name),
        None => plan.steps[i].edge_type = Some(name),
    }
    Some(plan)
}

/// Edge types that join all types that one joins.
fn doubles(schema: &Schema, name: &str) -> Vec<String> {
    let Some(edge) = schema.find_edge_type(name) else { return Vec::new() };
    let ends = |e: EdgeTypeIx| -> BTreeSet<(NodeTypeIx, NodeTypeIx)> {
        schema.edge_type(e).ends.iter().map(|x| (x.from, x.to)).collect()
    };
    let own = ends(edge);
    schema
        .edge_type_ixs()
        .filter(|e| *e != edge && own.is_subset(&ends(*e)))
        .map(|e| schema.edge_type(e).name.clone())
        .collect()
}

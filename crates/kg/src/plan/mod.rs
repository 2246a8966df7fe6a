//! Traversal plans: read from what a model wrote, verified, executed.
//!
//! Paper: GraphRunner §3. A [`Plan`] is what was written, however wrong. [`verify`] holds it against
//! the schema and gives a [`Ready`] plan only where nothing is wrong with it, and [`execute`] takes
//! only those, so nothing unverified ever runs.

mod actions;
mod data;
mod execute;
mod read;
mod rules;
mod sets;
mod text;
mod verify;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{Direction, EdgeTypeIx, NodeTypeIx};

pub use actions::{ACTIONS, ActionKind, ActionSpec, Extension};
pub use data::check_data;
pub use execute::{Executed, StepResult, StepValue, execute};
pub use read::{PlanError, read_plan};
pub use rules::{PlanFinding, Rule, Severity};
pub use text::{print_plan, quoted};
pub use verify::{Verified, verify};

/// The most steps of a plan.
pub const MAX_STEPS: usize = 64;
/// The longest text of a plan that is read, in bytes.
pub const MAX_TEXT: usize = 1_000_000;

/// A traversal plan as it was written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Its steps, in order.
    pub steps: Vec<PlanStep>,
    /// The step whose result is the answer; the last where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_from: Option<String>,
}

/// A step of a plan as it was written: any field may be missing or wrong.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlanStep {
    /// What later steps call it.
    pub id: String,
    /// What it does; see [`ACTIONS`].
    pub action: String,
    /// `find_node`: what the node is called or what is known of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The type of the node that is looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_type: Option<String>,
    /// The step whose result it begins from; the one before where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The type of the edges that are followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge_type: Option<String>,
    /// Which way they are followed; as the settings say where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// `find_common_nodes`: whose neighbours are intersected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<CommonEntry>,
    /// `attribute`, `filter`, `argmax`: which attribute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// `filter`: how it is compared; `=` where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op: Option<String>,
    /// `filter`: the value that the attribute is compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// `shortest_path`: the step that has the other end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// One entry of `find_common_nodes`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CommonEntry {
    /// The step that has the node.
    pub from: String,
    /// The type of the edges that are followed from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge_type: Option<String>,
    /// The direction in which edges are followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
}

/// What the paper leaves open, and what goes beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Semantics {
    /// Which way edges are followed where a step does not say.
    ///
    /// `// Paper is silent:` its definition follows edges out, its questions need both, as the
    /// lists of neighbours in GRBench's files have them.
    pub direction: Direction,
    /// The most hops of `fetch_neighbors` by node type.
    ///
    /// `// Paper is silent:` its definition has no bound, by which most nodes reach most others.
    pub max_hops: usize,
    /// Whether `fetch_neighbors` by node type stops at the nearest nodes of the type. Without it all
    /// within the bound are taken.
    pub nearest: bool,
    /// Whether an entry of `find_common_nodes` may be several nodes, and then means the union of
    /// their neighbours. Without it more than one node is a finding of the data check, and the
    /// first is taken.
    pub set_entries: bool,
    /// Whether actions beyond the paper's three may be used.
    pub extensions: bool,
}

impl Default for Semantics {
    fn default() -> Self {
        Self {
            direction: Direction::Both,
            max_hops: 3,
            nearest: true,
            set_entries: true,
            extensions: false,
        }
    }
}

/// A plan in which nothing is wrong: what [`execute`] takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Ready {
    pub(crate) steps: Vec<ReadyStep>,
    pub(crate) answer: usize,
    pub(crate) semantics: Semantics,
}

impl Ready {
    /// The number of steps.
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// The number of the step that has the answer, from 0.
    pub fn answer_step(&self) -> usize {
        self.answer
    }

    /// The types that each step's nodes can have, as the schema tells.
    pub fn types(&self, step: usize) -> &BTreeSet<NodeTypeIx> {
        &self.steps[step].types
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReadyStep {
    pub(crate) id: String,
    pub(crate) does: Does,
    pub(crate) types: BTreeSet<NodeTypeIx>,
}

/// What a verified step does. Steps are named by their numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Does {
    Find { hint: String, node_type: NodeTypeIx },
    Fetch { from: usize, edge_type: EdgeTypeIx, way: Direction },
    Reach { from: usize, node_type: NodeTypeIx, way: Direction },
    Common { of: Vec<(usize, EdgeTypeIx, Direction)> },
    Count { from: usize },
    Attribute { from: usize, attribute: String },
    Filter { from: usize, attribute: String, op: Op, value: String },
    MostCommon { from: usize, edge_type: EdgeTypeIx, way: Direction },
    ArgmaxAttribute { from: usize, attribute: String },
    ArgmaxDegree { from: usize, edge_type: EdgeTypeIx, way: Direction },
    ShortestPath { from: usize, to: usize },
}

/// The comparison of a `filter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Is,
    IsNot,
    Less,
    More,
    Contains,
}

impl Op {
    pub(crate) const ALL: &[(&str, Self)] = &[
        ("=", Self::Is),
        ("!=", Self::IsNot),
        ("<", Self::Less),
        (">", Self::More),
        ("contains", Self::Contains),
    ];

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let name = if name == "==" { "=" } else { name };
        Self::ALL.iter().find(|(n, _)| *n == name).map(|(_, op)| *op)
    }
}

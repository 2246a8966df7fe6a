//! The rules that plans are held against, and what is told where one is broken.

use serde::{Deserialize, Serialize};

/// A rule of plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Rule {
    /// Every action is known, and has what it needs.
    V1,
    /// The first step is `find_node`, steps begin from earlier ones, and every result is used.
    V2,
    /// Node types are the schema's.
    V3,
    /// Edge types are the schema's.
    V4,
    /// Nodes of the step's types have such edges, in that direction.
    V5,
    /// The wanted type can be reached over the schema within the bound.
    V6,
    /// `find_common_nodes` has two entries or more, whose edges can lead to one type.
    V7,
    /// The answer is of a type that the question asks for.
    V8,
    /// On the data: a hint means a node.
    D1,
    /// On the data: a step gives something.
    D2,
    /// On the data: an entry of `find_common_nodes` is one node, where that is asked for.
    D3,
}

impl Rule {
    /// Every rule, those on the schema first.
    pub const ALL: [Self; 11] = [
        Self::V1,
        Self::V2,
        Self::V3,
        Self::V4,
        Self::V5,
        Self::V6,
        Self::V7,
        Self::V8,
        Self::D1,
        Self::D2,
        Self::D3,
    ];

    /// Its name: `V1`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V1 => "V1",
            Self::V2 => "V2",
            Self::V3 => "V3",
            Self::V4 => "V4",
            Self::V5 => "V5",
            Self::V6 => "V6",
            Self::V7 => "V7",
            Self::V8 => "V8",
            Self::D1 => "D1",
            Self::D2 => "D2",
            Self::D3 => "D3",
        }
    }

    /// In a few words.
    pub fn title(self) -> &'static str {
        match self {
            Self::V1 => "known action, whole",
            Self::V2 => "starts with find_node, in order, nothing unused",
            Self::V3 => "known node type",
            Self::V4 => "known edge type",
            Self::V5 => "such nodes have such edges",
            Self::V6 => "type within reach",
            Self::V7 => "neighbours can be shared",
            Self::V8 => "answers what is asked",
            Self::D1 => "the hint means a node",
            Self::D2 => "the step gives something",
            Self::D3 => "one node",
        }
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The plan does not run.
    Error,
    /// It runs; something may be wrong.
    Warning,
}

/// Something wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanFinding {
    /// The rule that is broken.
    pub rule: Rule,
    /// The step, as the plan calls it; absent for the plan as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, and what would be right.
    pub message: String,
    /// What could stand there instead, where that can be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

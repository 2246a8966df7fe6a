//! One instance of a task, and how it is put into words.

use std::fmt;

use graph::{Graph, NodeName};
use serde::{Deserialize, Serialize};

use crate::{exemplars, task};

/// How hard a problem is, by the benchmark's own levels. Each task lists those it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Difficulty {
    /// Small graphs.
    Easy,
    /// Middling graphs; only connectivity, cycle and topology have it.
    Medium,
    /// The largest graphs.
    Hard,
}

impl Difficulty {
    /// All levels, easiest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];

    /// The benchmark's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }

    /// The level of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.as_str() == name)
    }
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Which task a problem belongs to. The names are NLGraph's folder names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskId {
    /// Is there a path between two nodes?
    Connectivity,
    /// Is there a cycle?
    Cycle,
    /// An order of the nodes that respects every arc.
    Topology,
    /// The path of least weight between two nodes.
    ShortestPath,
    /// The maximum flow from a source to a sink.
    Flow,
    /// A largest assignment of jobs to applicants.
    Matching,
    /// A path that visits every node once.
    Hamilton,
    /// Node embeddings after layers of summing over neighbours.
    #[serde(rename = "GNN")]
    Gnn,
}

impl TaskId {
    /// All tasks, in the benchmark's order.
    pub const ALL: [Self; 8] = [
        Self::Connectivity,
        Self::Cycle,
        Self::Topology,
        Self::ShortestPath,
        Self::Flow,
        Self::Matching,
        Self::Hamilton,
        Self::Gnn,
    ];

    /// NLGraph's name of the task.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Connectivity => "connectivity",
            Self::Cycle => "cycle",
            Self::Topology => "topology",
            Self::ShortestPath => "shortest_path",
            Self::Flow => "flow",
            Self::Matching => "matching",
            Self::Hamilton => "hamilton",
            Self::Gnn => "GNN",
        }
    }

    /// Whether its graphs are directed.
    pub fn is_directed(self) -> bool {
        matches!(self, Self::Topology | Self::Flow)
    }

    /// The task of that name, whatever its case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.as_str().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What is asked about the graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Query {
    /// Is there a path between the two?
    Connectivity {
        /// One end.
        source: NodeName,
        /// The other end.
        target: NodeName,
    },
    /// Is there a cycle?
    Cycle,
    /// In which order can all nodes be visited?
    TopologicalSort,
    /// Which path between the two has the least weight?
    ShortestPath {
        /// Where it starts.
        source: NodeName,
        /// Where it ends.
        target: NodeName,
    },
    /// How much can flow from the source to the sink?
    MaxFlow {
        /// Where the flow starts.
        source: NodeName,
        /// Where it ends.
        sink: NodeName,
    },
    /// Which jobs go to which applicants? Applicants are the nodes `a0`, `a1`, …, jobs `j0`, `j1`, ….
    Matching {
        /// The number of applicants.
        n_applicants: usize,
        /// The number of jobs.
        n_jobs: usize,
    },
    /// Is there a path that visits every node once, and which?
    HamiltonPath,
    /// What are the embeddings after some layers?
    Convolution {
        /// How many layers; NLGraph asks for two.
        layers: u32,
    },
}

impl Query {
    /// The task that asks it.
    pub fn task(&self) -> TaskId {
        match self {
            Self::Connectivity { .. } => TaskId::Connectivity,
            Self::Cycle => TaskId::Cycle,
            Self::TopologicalSort => TaskId::Topology,
            Self::ShortestPath { .. } => TaskId::ShortestPath,
            Self::MaxFlow { .. } => TaskId::Flow,
            Self::Matching { .. } => TaskId::Matching,
            Self::HamiltonPath => TaskId::Hamilton,
            Self::Convolution { .. } => TaskId::Gnn,
        }
    }

    /// The two nodes that it names, the start first.
    pub fn ends(&self) -> Option<(&NodeName, &NodeName)> {
        match self {
            Self::Connectivity { source, target } | Self::ShortestPath { source, target } => {
                Some((source, target))
            }
            Self::MaxFlow { source, sink } => Some((source, sink)),
            _ => None,
        }
    }

    /// The same question about two other nodes; a query that names none stays as it is.
    pub fn with_ends(&self, from: NodeName, to: NodeName) -> Self {
        match self {
            Self::Connectivity { .. } => Self::Connectivity { source: from, target: to },
            Self::ShortestPath { .. } => Self::ShortestPath { source: from, target: to },
            Self::MaxFlow { .. } => Self::MaxFlow { source: from, sink: to },
            other => other.clone(),
        }
    }

    /// Whether it is asked about directed graphs.
    pub fn is_directed(&self) -> bool {
        self.task().is_directed()
    }
}

/// One instance of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// How hard it is, where that is known.
    pub difficulty: Option<Difficulty>,
    /// The seed that made it, if ours did.
    pub seed: Option<u64>,
    /// The graph.
    pub graph: Graph,
    /// What is asked.
    pub query: Query,
}

/// Which words a question is put in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wording {
    /// NLGraph's own words, byte for byte.
    #[default]
    Benchmark,
    /// NLGraph's words, but for topological sort, which asks for "a valid topological order that
    /// satisfies these constraints".
    ///
    /// Paper: Graph-Grounded LLMs, the discussion before Table II.
    Improved,
    /// Shortest paths told as cities and roads (NLGraph's `city` variant); NLGraph's words
    /// everywhere else.
    City,
}

impl Wording {
    /// All wordings.
    pub const ALL: [Self; 3] = [Self::Benchmark, Self::Improved, Self::City];
}

/// How a model is asked: NLGraph's prompting styles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// The question alone.
    #[default]
    ZeroShot,
    /// `Let's think step by step:` after the question.
    ZeroCot,
    /// Least to most: `Let's break down this problem:`.
    LeastToMost,
    /// `Let's solve the problem by a Python program:`.
    Program,
    /// Build-a-Graph without exemplars: `Let's construct a graph with the nodes and edges first.`
    BuildAGraph,
    /// Some solved problems before the question, with short answers.
    FewShot,
    /// Some solved problems before the question, with reasoned answers.
    Cot,
    /// As [`Style::Cot`], after a short description of an algorithm.
    Algorithm,
}

impl Style {
    /// All styles.
    pub const ALL: [Self; 8] = [
        Self::ZeroShot,
        Self::ZeroCot,
        Self::LeastToMost,
        Self::Program,
        Self::BuildAGraph,
        Self::FewShot,
        Self::Cot,
        Self::Algorithm,
    ];

    fn suffix(self) -> &'static str {
        match self {
            Self::ZeroCot => " Let's think step by step:",
            Self::LeastToMost => " Let's break down this problem:",
            Self::Program => " Let's solve the problem by a Python program:",
            _ => "",
        }
    }
}

impl Problem {
    /// The task that it belongs to.
    pub fn task(&self) -> TaskId {
        self.query.task()
    }

    /// The prompt for this problem: exemplars where the style has them, then the question.
    ///
    /// With [`Wording::Benchmark`] and [`Style::ZeroShot`] it is NLGraph's `question` byte for byte,
    /// provided that the edges stand in NLGraph's order.
    ///
    /// `// Departs from §5:` exemplars are made by our own generator and solver, not NLGraph's.
    pub fn question(&self, wording: Wording, style: Style) -> String {
        let mut text = exemplars::before(self.task(), wording, style);
        (task(self.task()).ask)(self, wording, style, &mut text);
        text.push_str(style.suffix());
        text
    }
}

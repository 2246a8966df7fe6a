//! GraphArena (arXiv 2407.00379): ten tasks, `check_solution` and the two ways its results count.
//!
//! Each task has a pattern that finds lists in a text, a test whether a list is a solution at all
//! (feasible), and a number for it. The faults F1 to F10 of `docs/benchmark-rules.md` are in here
//! on purpose. F11 is about generators, so there is nothing to score. F12 is a slip in a list of
//! names: the rule for tables means to accept a larger independent set than the reference, but
//! spells the task another way, so that MIS has to be equal.

mod molecules;
mod names;

use graph::{Graph, NodeName};

use super::OfficialError;

/// A task of GraphArena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArenaTask {
    /// Common neighbours of two nodes.
    Neighbor,
    /// A path between two nodes with the fewest hops.
    Distance,
    /// One node of each connected component.
    Connected,
    /// A shortest path between two nodes that are farthest apart.
    Diameter,
    /// Maximum clique.
    Mcp,
    /// Maximum independent set.
    Mis,
    /// Minimum vertex cover.
    Mvc,
    /// Maximum common induced subgraph of two molecules.
    Mcs,
    /// Graph edit distance between two molecules.
    Ged,
    /// Travelling salesman.
    Tsp,
}

impl ArenaTask {
    /// All tasks, in the order of the paper's tables.
    pub const ALL: [Self; 10] = [
        Self::Neighbor,
        Self::Distance,
        Self::Connected,
        Self::Diameter,
        Self::Mcp,
        Self::Mis,
        Self::Mvc,
        Self::Mcs,
        Self::Ged,
        Self::Tsp,
    ];

    /// The name in the benchmark's files, such as `MCP`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Neighbor => "Neighbor",
            Self::Distance => "Distance",
            Self::Connected => "Connected",
            Self::Diameter => "Diameter",
            Self::Mcp => "MCP",
            Self::Mis => "MIS",
            Self::Mvc => "MVC",
            Self::Mcs => "MCS",
            Self::Ged => "GED",
            Self::Tsp => "TSP",
        }
    }

    /// The task of that name, whatever its case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|task| task.as_str().eq_ignore_ascii_case(name))
    }
}

/// What the rule of a task looks at.
#[derive(Clone, Debug)]
pub struct ArenaProblem<'p> {
    /// The task.
    pub task: ArenaTask,
    /// The graph, undirected, with the names that the question uses. For TSP its weights are
    /// kilometres; for MCS and GED it is molecule A, whose nodes are called 0, 1, ….
    pub graph: &'p Graph,
    /// The two nodes that the question names: Neighbor and Distance.
    pub ends: Option<(&'p NodeName, &'p NodeName)>,
    /// Molecule B, whose nodes are called 0, 1, …: MCS and GED.
    pub second: Option<&'p Graph>,
    /// The kinds of the atoms of A and of B, by the numbers of the atoms: GED.
    pub labels: [Vec<String>; 2],
    /// The value that the benchmark takes for the optimum, if it is known.
    pub reference: Option<f64>,
}

/// How the benchmark counts an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArenaClass {
    /// A solution as good as the reference.
    Correct,
    /// A solution, and no more.
    Suboptimal,
    /// A list was read, and it is no solution.
    Hallucinatory,
    /// No list was read.
    Missing,
}

/// What the rule says of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArenaScore {
    /// What `check_solution` gives: the value of a solution (nodes, hops, edits or kilometres, at
    /// least 0), -2 for a list that is no solution, -1 for no list.
    pub value: f64,
    /// The class by the notebook of the tables: a solution is worth more than 0. `None` for a
    /// solution worth 0 that is not correct (F7), and for a solution without a reference.
    pub table: Option<ArenaClass>,
    /// The class by the notebook of the figures: a solution is worth 0 or more, and correct is what
    /// equals the reference. `None` for a solution without a reference.
    pub figure: Option<ArenaClass>,
    /// The part of the rule that decided.
    pub cause: &'static str,
}

/// Scores a text by GraphArena's rule.
///
/// For deepseek-R1 the benchmark scores the reasoning followed by the answer; pass both.
///
/// # Errors
/// The problem lacks what its task needs, or the two molecules are too alike to be compared.
///
/// # Complexity
/// O(length) to read. Then O(n + m) for each list of names in Neighbor and Distance, O(n + m) once
/// for the others, and a bounded search for MCS.
pub fn score(problem: &ArenaProblem<'_>, text: &str) -> Result<ArenaScore, OfficialError> {
    let (value, cause) = match problem.task {
        ArenaTask::Neighbor => names::neighbor(problem, text)?,
        ArenaTask::Distance => names::distance(problem, text)?,
        ArenaTask::Connected => names::connected(problem.graph, text),
        ArenaTask::Diameter => names::diameter(problem.graph, text),
        ArenaTask::Mcp => names::clique(problem.graph, text),
        ArenaTask::Mis => names::independent_set(problem.graph, text),
        ArenaTask::Mvc => names::vertex_cover(problem.graph, text),
        ArenaTask::Tsp => names::tour(problem.graph, text)?,
        ArenaTask::Mcs => molecules::common_subgraph(problem, text)?,
        ArenaTask::Ged => molecules::edit_distance(problem, text)?,
    };
    let reference = problem.reference;
    let table = class(value, reference.map(|best| table_optimal(problem.task, value, best)), false);
    let figure = class(value, reference.map(|best| value == best), true);
    Ok(ArenaScore { value, table, figure, cause })
}

/// What a rule gives: a value, and the part of it that decided.
type Ruled = (f64, &'static str);

const INFEASIBLE: f64 = -2.0;
const MISSING: f64 = -1.0;

fn missing(task: ArenaTask, what: &'static str) -> OfficialError {
    OfficialError::Incomplete { task: task.as_str(), what }
}

/// Whether the tables count a value as optimal. MIS is meant to be in the second group (F12).
fn table_optimal(task: ArenaTask, value: f64, best: f64) -> bool {
    match task {
        ArenaTask::Ged | ArenaTask::Tsp | ArenaTask::Mvc => 0.0 <= value && value <= best,
        ArenaTask::Mcp | ArenaTask::Mcs => value >= best,
        _ => value == best,
    }
}

/// The class of a value; a solution worth 0 that is not optimal has one only where `zero_counts`.
fn class(value: f64, is_optimal: Option<bool>, zero_counts: bool) -> Option<ArenaClass> {
    if value == INFEASIBLE {
        return Some(ArenaClass::Hallucinatory);
    }
    if value == MISSING {
        return Some(ArenaClass::Missing);
    }
    match is_optimal? {
        true => Some(ArenaClass::Correct),
        false => (value > 0.0 || zero_counts).then_some(ArenaClass::Suboptimal),
    }
}

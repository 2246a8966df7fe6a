//! What there is to know of a task, in one entry.

use graph::{Graph, NodeName};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::judgement::Evidence;
use crate::parse::{Cursor, GraphText};
use crate::reading::Reading;
use crate::{Difficulty, Judgement, ParseError, Style, Wording};

/// A collection of tasks that is published, run and reported together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskGroup {
    /// The eight tasks of NLGraph (arXiv 2305.10037), which the tables of the papers are about.
    NlGraph,
    /// Tasks of GraphWiz (arXiv 2402.16029) that NLGraph does not have.
    GraphWiz,
    /// The ten tasks of GraphArena (arXiv 2407.00379), on graphs whose nodes have names.
    GraphArena,
    /// Tasks of GraphInstruct (arXiv 2403.04483) that the others do not have.
    GraphInstruct,
    /// The tasks of GraCoRe (arXiv 2407.02936) that the others do not have.
    GraCoRe,
}

impl TaskGroup {
    /// Every group, NLGraph first.
    pub const ALL: [Self; 5] =
        [Self::NlGraph, Self::GraphWiz, Self::GraphArena, Self::GraphInstruct, Self::GraCoRe];

    /// Its name in files and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NlGraph => "nlgraph",
            Self::GraphWiz => "graphwiz",
            Self::GraphArena => "grapharena",
            Self::GraphInstruct => "graphinstruct",
            Self::GraCoRe => "gracore",
        }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::NlGraph => "NLGraph",
            Self::GraphWiz => "GraphWiz",
            Self::GraphArena => "GraphArena",
            Self::GraphInstruct => "GraphInstruct",
            Self::GraCoRe => "GraCoRe",
        }
    }
}

/// What the number on an edge of a task's graphs is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeNumber {
    /// Edges have none, or its task makes nothing of it.
    Unused,
    /// How heavy it is.
    Weight,
    /// How much may flow along it.
    Capacity,
}

/// A way to get an answer wrong, as logged answers of models do.
#[derive(Clone, Debug, PartialEq)]
pub struct Slip {
    /// The kind of mistake.
    pub kind: SlipKind,
    /// An edge that the graph does not have, which the answer may make use of
    /// ([`Problem::missing_edge`](crate::Problem::missing_edge)).
    pub invented: Option<(NodeName, NodeName)>,
}

/// What goes wrong in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlipKind {
    /// The number is wrong; an answer without one loses its last entry, or turns round.
    Total,
    /// A node is left out.
    DroppedNode,
    /// What is shown does not hold, such as a path over an edge that is not there.
    Witness,
}

/// A problem of one task: its graph, and what is asked in the task's own type.
#[derive(Debug)]
pub(crate) struct Asked<'p, Q> {
    pub(crate) graph: &'p Graph,
    pub(crate) query: &'p Q,
}

impl<Q> Clone for Asked<'_, Q> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Q> Copy for Asked<'_, Q> {}

/// A task that asks `Q` about a graph and is answered by an `A`.
///
/// What a task does with the graph functions is data here, so that whoever plays a model need not
/// know the task, and this crate knows no model.
pub(crate) struct Definition<Q: 'static, A: 'static> {
    /// A few words for people.
    pub(crate) title: &'static str,
    /// One sentence for people.
    pub(crate) lede: &'static str,
    pub(crate) group: TaskGroup,
    /// The levels that the benchmark has for it.
    pub(crate) difficulties: &'static [Difficulty],
    /// Whether its graphs are directed.
    pub(crate) is_directed: bool,
    pub(crate) edge_number: EdgeNumber,
    /// How a question of it begins.
    pub(crate) openings: &'static [&'static str],
    /// Words that the text of a question has, where an opening is shared.
    pub(crate) question_words: &'static [&'static str],
    /// Words that only its question has once the graph is taken out.
    pub(crate) asks: &'static str,
    pub(crate) make: fn(Difficulty, &mut ChaCha8Rng) -> (Graph, Q),
    pub(crate) parse: fn(&mut Cursor<'_>) -> Result<GraphText<Q>, ParseError>,
    pub(crate) ask: fn(Asked<'_, Q>, Wording, Style, &mut String),
    /// What must hold of the graph, beside the nodes that the query names.
    pub(crate) fits: fn(Asked<'_, Q>) -> Result<(), String>,
    pub(crate) solve: fn(Asked<'_, Q>) -> A,
    pub(crate) reference: fn(Asked<'_, Q>, &A) -> String,
    /// The reference answer with its reasons, for exemplars.
    pub(crate) reasoned: fn(Asked<'_, Q>, &A) -> String,
    /// A short description of an algorithm, for the style of that name.
    pub(crate) algorithm: &'static str,
    /// How many exemplars the benchmark shows.
    pub(crate) n_exemplars: u64,
    pub(crate) read: fn(Asked<'_, Q>, &Reading) -> Option<A>,
    pub(crate) judge: fn(Asked<'_, Q>, &A, Evidence) -> Judgement,
    /// What of an answer is the same in all right answers: a decision, a value, a number.
    pub(crate) unique: fn(Asked<'_, Q>, &A) -> String,
    /// What a vote counts; empty if the answer says nothing that could be counted.
    pub(crate) ballot: fn(&A) -> String,
    /// Makes an answer wrong; gives the words with which a model would have got there, if any.
    pub(crate) slip: fn(Asked<'_, Q>, &mut A, &Slip) -> Option<String>,
    pub(crate) speech: Speech,
    pub(crate) functions: Functions<Q, A>,
}

/// How a task is solved by calling a graph function.
pub(crate) struct Functions<Q: 'static, A: 'static> {
    /// What is wanted, in a sentence.
    pub(crate) goal: fn(&Q) -> String,
    /// The functions whose result answers the task or decides it; the first is the one to call,
    /// with the arguments that the query's shape gives.
    pub(crate) answering: &'static [&'static str],
    /// A function of much the same name or use, which does not answer, and its arguments.
    pub(crate) similar: fn(&Q) -> (&'static str, Value),
    /// The answer that the function's result gives.
    pub(crate) result: fn(&Value) -> Option<A>,
}

/// How texts about a task speak of its graph, where the same words claim different things.
#[derive(Clone, Copy)]
pub(crate) struct Speech {
    /// What nodes in a row are, such as `0 -> 3 -> 2`.
    pub(crate) list: Listed,
    /// Whether `(0,1)` by itself says that there is such an edge.
    pub(crate) pair_is_edge: bool,
    /// What a name with something behind it says.
    pub(crate) row: Row,
}

/// What nodes in a row are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listed {
    /// Each is joined with the next.
    Path,
    /// Each comes before those behind it.
    Order,
    /// Nothing is said of how they are joined.
    Nodes,
}

/// What a name with something behind it says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Row {
    /// Nothing that could be checked.
    Nothing,
    /// `applicant 0: job 8`: who is joined to whom.
    Assignment,
    /// `node 0: [1,0]`: numbers of a node, worked out from those of its neighbours.
    Embedding,
    /// `node 0 has weight 2`: its number.
    Weight,
}

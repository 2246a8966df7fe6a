//! What a text states about a graph, as typed statements with their place: read once, for verdicts that rest on
//! them and for claims, which are statements that were checked.

mod amounts;
mod edges;
mod find;
mod forms;
mod molecules;
mod programs;
mod visits;
mod walks;
mod whole;

use std::ops::Range;

use graph::{Graph, NodeName};

use self::find::Finder;
use crate::definition::Speech;
use crate::reading::{Names, Reading};
use crate::{Ends, Problem, Query, Terminals};

/// What a statement says of a graph, true or not.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    /// Two nodes are joined, or are not.
    Edge { u: NodeName, v: NodeName, holds: bool },
    /// An edge has a weight or a capacity.
    Weight { u: NodeName, v: NodeName, value: f64 },
    /// A node has a weight.
    NodeWeight { node: NodeName, value: f64 },
    /// Each of some nodes is joined with the next.
    Path { nodes: Vec<NodeName> },
    /// The weights of a path add up to a number.
    Total { nodes: Vec<NodeName>, value: f64 },
    /// A path has a number of edges.
    Length { nodes: Vec<NodeName>, n: usize },
    /// The least weight, or number of edges, of a path between two nodes.
    Distance { u: NodeName, v: NodeName, value: f64 },
    /// Numbers, or vectors, add up; with their words.
    Sum { terms: Vec<Vec<f64>>, value: Vec<f64>, text: String },
    /// A node has a number of neighbours.
    Degree { node: NodeName, n: usize },
    /// No arrow leads to a node.
    NothingBefore { node: NodeName },
    /// A path leads from one node to another, or none does.
    Reach { u: NodeName, v: NodeName, holds: bool },
    /// The graph has a cycle, or has none.
    Cycle { holds: bool },
    /// The graph as a whole has a property, or has it not.
    Whole { is: Property, holds: bool },
    /// No two of some nodes are joined: they have one colour.
    Apart { nodes: Vec<NodeName> },
    /// Each arrow leads forward.
    Order { nodes: Vec<NodeName> },
    /// An amount flows along an edge.
    Flow { u: NodeName, v: NodeName, value: f64 },
    /// The most that can flow from one node to another.
    MaxFlow { u: NodeName, v: NodeName, value: f64 },
}

/// What a graph may be as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Property {
    Directed,
    Connected,
    Tree,
    /// One cycle, and nothing else.
    Ring,
    Complete,
    /// Every node has that many neighbours.
    Regular(usize),
    Nodes(usize),
    Edges(usize),
    /// The nodes or edges of a part that is counted apart.
    Part(usize, Part),
    Diameter(usize),
}

/// A part of a graph whose nodes have a letter of their own before their number, and what of it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) letter: char,
    pub(crate) what: &'static str,
    pub(crate) is_edges: bool,
}

/// Something that a text states.
pub(crate) struct Statement {
    pub(crate) said: Said,
    /// Its tokens.
    pub(crate) tokens: Range<usize>,
    /// Its sentence.
    pub(crate) sentence: usize,
}

/// What a text is about: by that its words are understood.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) speech: Speech,
    pub(crate) asks: Asks<'a>,
    /// The names that are numbers in what is read.
    pub(crate) names: Option<&'a Names>,
}

/// The nodes that a question names.
#[derive(Clone, Copy)]
pub(crate) enum Asks<'a> {
    Path(&'a NodeName, &'a NodeName),
    Flow(&'a NodeName, &'a NodeName),
    /// None, and the graph is two molecules, whose atoms texts call by their numbers.
    Molecules,
    Other,
}

impl<'a> Subject<'a> {
    pub(crate) fn of(problem: &'a Problem, names: Option<&'a Names>) -> Self {
        let asks = match &problem.query {
            Query::Connectivity(Ends { source, target }) => Asks::Path(source, target),
            Query::Flow(Terminals { source, sink }) => Asks::Flow(source, sink),
            Query::CommonSubgraph(_) | Query::EditDistance(_) => Asks::Molecules,
            _ => Asks::Other,
        };
        Self { graph: &problem.graph, speech: problem.task().speech(), asks, names }
    }
}

/// What a text states, in the order of its words. What it asks, supposes or takes back is left out.
///
/// # Complexity
/// O(length of the text).
pub(crate) fn read(subject: Subject<'_>, reading: &Reading) -> Vec<Statement> {
    Finder::new(subject, reading).find()
}

/// The graph that the programs of a text write down, as statements.
///
/// # Complexity
/// O(length of the text).
pub(crate) fn read_programs(subject: Subject<'_>, programs: &Reading) -> Vec<Statement> {
    Finder::new(subject, programs).find_in_programs()
}

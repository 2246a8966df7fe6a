//! GraphWiz's wording of five tasks that NLGraph asks too and of its check for a Hamilton path, and its
//! labels for them.
//!
//! [`read`] gives the problem of such a question, so that answers to it can be judged as all
//! answers are, and [`write()`] puts a problem into GraphWiz's words. GraphWiz asks less than NLGraph
//! does: whether there is a Hamilton path, not which, and the weight of a shortest path, not the
//! path. [`WizQuestion::asks`] says so. Its two other tasks that we have, the heaviest triangle and
//! the bipartite check, are read by [`crate::parse_question`].

mod label;

use std::fmt::Write as _;

use graph::Graph;

pub use label::{LabelCheck, check_label};

use super::wiz::WizTask;
use crate::graphwiz::hamiltonian;
use crate::parse::{Builder, Cursor, has};
use crate::{
    Ends, MAX_QUESTION_BYTES, ParseError, Problem, Query, TaskId, Terminals, Whole, YesOrNo,
};

/// What a question of GraphWiz wants to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Asks {
    /// Yes or no, without a cycle, path or other witness.
    Decision,
    /// A number, without a path or flow.
    Value,
    /// A list of nodes.
    List,
}

/// A question of GraphWiz.
#[derive(Clone, Debug, PartialEq)]
pub struct WizQuestion {
    /// The task, as GraphWiz names it.
    pub task: WizTask,
    /// The problem; its own question, by [`Problem::question`], is NLGraph's and may ask for more.
    pub problem: Problem,
    /// What of an answer GraphWiz asks for.
    pub asks: Asks,
}

/// What stands between the two nodes of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arrow {
    /// A comma: undirected.
    Comma,
    /// `->`: directed.
    Forward,
}

impl Arrow {
    fn as_str(self) -> &'static str {
        match self {
            Self::Comma => ",",
            Self::Forward => "->",
        }
    }
}

/// How a task is told.
struct Form {
    task: WizTask,
    /// Words that its question has, in whatever sentence.
    sign: &'static str,
    /// The sentences before the graph.
    opening: &'static str,
    arrow: Arrow,
    weighted: bool,
    asks: Asks,
    /// The question up to its first node, or all of it.
    question: &'static str,
}

const FORMS: [Form; 6] = [
    Form {
        task: WizTask::Cycle,
        sign: "cycle",
        opening: "Determine whether or not there is a cycle in an undirected graph. In an \
                  undirected graph, (i,j) means that node i and node j are connected with an \
                  undirected edge. Given a graph, you need to output Yes or No, indicating whether \
                  there is a cycle in the graph.",
        arrow: Arrow::Comma,
        weighted: false,
        asks: Asks::Decision,
        question: "Is there a cycle in this graph",
    },
    Form {
        task: WizTask::Connectivity,
        sign: "path between",
        opening: "Determine whether two nodes are connected in an undirected graph. In an \
                  undirected graph, (i,j) means that node i and node j are connected with an \
                  undirected edge. Given a graph and a pair of nodes, you need to output Yes or \
                  No, indicating whether the node i and node j are connected.",
        arrow: Arrow::Comma,
        weighted: false,
        asks: Asks::Decision,
        question: "Is there a path between node",
    },
    Form {
        task: WizTask::Topology,
        sign: "topolog",
        opening: "Find one of the topology sorting paths of the given graph. In a directed graph, \
                  (i->j) means that node i and node j are connected with a directed edge from node \
                  i to node j. Given a graph, you need to output one of the topology sorting paths \
                  of the graph.",
        arrow: Arrow::Forward,
        weighted: false,
        asks: Asks::List,
        question: "Give one topology sorting path of this graph",
    },
    Form {
        task: WizTask::Shortest,
        sign: "shortest path",
        opening: "Find the shortest path between two nodes in an undirected graph. In an \
                  undirected graph, (i,j,k) means that node i and node j are connected with an \
                  undirected edge with weight k. Given a graph and a pair of nodes, you need to \
                  output the shortest path between the two nodes.",
        arrow: Arrow::Comma,
        weighted: true,
        asks: Asks::Value,
        question: "Give the weight of the shortest path from node",
    },
    Form {
        task: WizTask::Flow,
        sign: "maximum flow",
        opening: "Find the maximum flow between two nodes in a directed graph. In a directed \
                  graph, (i->j,k) means that node i and node j are connected with an directed edge \
                  from node i to node j with weight k. Given a graph and a pair of nodes, you need \
                  to output the maximum flow between the two nodes.",
        arrow: Arrow::Forward,
        weighted: true,
        asks: Asks::Value,
        question: "What is the maximum flow from node",
    },
    Form {
        task: WizTask::Hamilton,
        sign: "Hamilton",
        opening: hamiltonian::OPENING,
        arrow: Arrow::Comma,
        weighted: false,
        asks: Asks::Decision,
        question: hamiltonian::ASKS,
    },
];

impl Form {
    fn edge(&self) -> &'static str {
        match (self.arrow, self.weighted) {
            (Arrow::Comma, false) => "an edge such as (0, 1)",
            (Arrow::Comma, true) => "an edge with its weight, such as (0,1,5)",
            (Arrow::Forward, false) => "an edge such as (0->1)",
            (Arrow::Forward, true) => "an edge with its capacity, such as (0->1,5)",
        }
    }

    /// The word between the two nodes of the question.
    fn between(&self) -> Option<&'static str> {
        match self.task {
            WizTask::Connectivity => Some(" and node"),
            WizTask::Shortest | WizTask::Flow => Some(" to node"),
            _ => None,
        }
    }
}

/// Where the graph of the last question begins that has its graph behind its `Q:`.
fn graph_of(text: &str) -> Option<usize> {
    // A text that is cut off has no edges.
    let edges = text.rfind("are:").unwrap_or(text.len());
    let is_graph = |at: &usize| {
        let rest = text[at + 2..].trim_start();
        let end = rest.char_indices().nth(MOST_OPENING).map_or(rest.len(), |(end, _)| end);
        has(&rest[..end], "nodes are") || has(&rest[..end], "nodes of")
    };
    text[..edges].rmatch_indices("Q:").map(|(at, _)| at).find(is_graph)
}

/// How many characters `The nodes of graph G` takes at most.
const MOST_OPENING: usize = 20;

/// Whether a text is a question of GraphWiz, with whatever before it.
pub(crate) fn is_asked(text: &str) -> bool {
    graph_of(text).is_some()
}

/// What is asked behind the graph.
fn question(graph: &str) -> &str {
    graph.rfind("are:").map_or(graph, |at| &graph[at..])
}

/// Reads a question of any task of GraphWiz, as [`read`] does.
pub(crate) fn read_any(text: &str) -> Result<Problem, ParseError> {
    let graph = graph_of(text).map_or(text, |at| &text[at..]);
    let has = |words: &str| has(question(graph), words);
    let others = [
        (TaskId::Bipartite, has("bipartite")),
        (TaskId::Substructure, has("substructure")),
        (TaskId::Triplet, has("weights of three") || has("triangle")),
    ];
    match others.into_iter().find(|(_, is_asked)| *is_asked) {
        Some((task, _)) => Cursor::at(text, text.len() - graph.len()).problem(task),
        None => read(text).map(|found| found.problem),
    }
}

/// Reads a question in GraphWiz's words; in a prompt with examples, the last one.
///
/// The task is told by the question behind the graph. What stands before the graph is not looked
/// at, because prompts put it in different words. An edge that is given twice counts once.
///
/// # Errors
/// What is wrong, where, and what would be right.
///
/// # Complexity
/// O(length).
pub fn read(text: &str) -> Result<WizQuestion, ParseError> {
    if text.len() > MAX_QUESTION_BYTES {
        let (found, limit) = (text.len(), MAX_QUESTION_BYTES);
        return Err(ParseError::TooLarge { what: "bytes", found, limit });
    }
    let Some(at) = graph_of(text) else {
        let line = text.trim_start().lines().next().unwrap_or_default();
        return Err(ParseError::UnknownQuestion { found: line.chars().take(40).collect() });
    };
    let mut cursor = Cursor::at(text, at);
    let asked = question(&text[at..]);
    let form = FORMS.iter().find(|form| has(asked, form.sign));
    // Without a question, what is wrong with the graph is said first.
    let Form { arrow, weighted, .. } = *form.unwrap_or(&FORMS[0]);
    let directed = arrow == Arrow::Forward;
    let mut builder = Builder::called(&mut cursor, directed, 7, ", and the edges are:")?;
    while let Some(bracket) = cursor.opens_pair() {
        let pair = cursor.rest().split(')').next().unwrap_or_default();
        if let Some(form) = form.filter(|_| pair.contains("->") != directed) {
            return Err(bracket.expected(form.edge()));
        }
        let mut edge = || {
            let a = builder.node(&mut cursor, "a node, as in \"(0, 1)\"", &[arrow.as_str()])?;
            cursor.want(arrow.as_str())?;
            // A weight too many, or none, is told with the form of an edge.
            let ends: &[&str] =
                if pair.matches(',').count() + usize::from(directed) > 1 { &[","] } else { &[")"] };
            let b = builder.node(&mut cursor, "a node, as in \"(0, 1)\"", ends)?;
            let weight = match cursor.eat(",") {
                true => Some(cursor.decimal("a weight, such as 5")?),
                false => None,
            };
            cursor.want(")")?;
            Ok::<_, ParseError>((a, b, weight))
        };
        let (a, b, weight) = edge()?;
        if let Some(form) = form.filter(|_| weight.is_some() != weighted) {
            return Err(bracket.expected(form.edge()));
        }
        match arrow {
            Arrow::Comma => builder.link(a, b, weight, None)?,
            Arrow::Forward => builder.link(a, b, None, weight)?,
        }
    }
    let Some(form) = form else {
        let _ = cursor.eat(".");
        return Err(cursor.expected(
            "an edge, or one of GraphWiz's questions, such as \"Is there a cycle in this graph?\"",
        ));
    };
    cursor.asked(&[form.sign])?;
    let query = query(form, &mut cursor, &mut builder)?;
    let graph = builder.finish();
    let problem = Problem { difficulty: None, seed: None, graph, query };
    Ok(WizQuestion { task: form.task, problem, asks: form.asks })
}

fn query(form: &Form, cursor: &mut Cursor<'_>, builder: &mut Builder) -> Result<Query, ParseError> {
    let ends = match form.between() {
        None => None,
        Some(between) => {
            cursor.seek(" node")?;
            let first = builder.name(cursor, &[between])?;
            cursor.want(between.trim_start())?;
            let ends: &[&str] =
                if form.question.starts_with("Give") { &[".", "\n"] } else { &["?"] };
            Some((first, builder.name(cursor, ends)?))
        }
    };
    Ok(match (form.task, ends) {
        (WizTask::Connectivity, Some((source, target))) => {
            Query::Connectivity(Ends { source, target })
        }
        (WizTask::Shortest, Some((source, target))) => Query::ShortestPath(Ends { source, target }),
        (WizTask::Flow, Some((source, sink))) => Query::Flow(Terminals { source, sink }),
        (WizTask::Topology, _) => Query::Topology(Whole),
        (WizTask::Hamilton, _) => Query::Hamiltonian(YesOrNo),
        _ => Query::Cycle(Whole),
    })
}

fn form_of(query: &Query) -> Option<&'static Form> {
    let task = match query {
        Query::Cycle(_) => WizTask::Cycle,
        Query::Connectivity(_) => WizTask::Connectivity,
        Query::Topology(_) => WizTask::Topology,
        Query::ShortestPath(_) => WizTask::Shortest,
        Query::Flow(_) => WizTask::Flow,
        Query::Hamiltonian(_) => WizTask::Hamilton,
        _ => return None,
    };
    FORMS.iter().find(|form| form.task == task)
}

/// Whether the nodes are called 0, 1, … in the order in which they came, and there are some.
fn is_numbered(graph: &Graph) -> bool {
    graph.n_nodes() > 0 && graph.names().zip(0..).all(|(name, i)| name.as_int() == Some(i))
}

/// Puts a problem into GraphWiz's words.
///
/// `None` for a task that GraphWiz does not ask, for a graph whose nodes are not called 0, 1, … in
/// their order, for one of the other kind (directed or not), and where a weight is below 0.
///
/// # Complexity
/// O(n + m).
pub fn write(problem: &Problem) -> Option<String> {
    let form = form_of(&problem.query)?;
    let graph = &problem.graph;
    if !is_numbered(graph) || graph.is_directed() != (form.arrow == Arrow::Forward) {
        return None;
    }
    let mut text = String::from(form.opening);
    // A String takes all that is written.
    let _ = write!(
        text,
        " Q: The nodes are numbered from 0 to {}, and the edges are:",
        graph.n_nodes() - 1
    );
    for edge in graph.edges() {
        let (a, b) = (edge.source, edge.target);
        let _ = match (form.arrow, form.weighted) {
            (Arrow::Comma, false) => write!(text, " ({a}, {b})"),
            (Arrow::Forward, false) => write!(text, " ({a}->{b})"),
            (arrow, true) => {
                let (value, mark) = match arrow {
                    Arrow::Comma => (edge.weight_or_one(), ","),
                    Arrow::Forward => (edge.capacity_or_weight(), "->"),
                };
                if value < 0.0 {
                    return None;
                }
                write!(text, " ({a}{mark}{b},{value})")
            }
        };
    }
    let _ = write!(text, ". {}", form.question);
    if let (Some(between), Some((first, last))) = (form.between(), problem.query.ends()) {
        let _ = write!(text, " {first}{between} {last}");
    }
    text.push(if form.question.starts_with("Give") { '.' } else { '?' });
    Some(text)
}

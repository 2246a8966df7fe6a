//! GraphInstruct (arXiv 2403.04483): the evaluators of its 21 tasks.
//!
//! An answer stands between the first `<<<` and the first `>>>` of a text. Then each task has one
//! of eight ways to read it and to hold it against the label, or against the graph. Two ways end
//! in an error of the script, at which its whole evaluation stops; these are reported as such.

mod read;
mod walks;

use graph::Graph;

use self::read::{first_float, first_integer, nodes_of_label, words, wrapped};
use super::node;
use super::python::strip;

/// A task of GraphInstruct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InstructTask {
    /// The neighbours of a node; successors in a directed graph.
    Neighbor,
    /// The predecessors of a node.
    Predecessor,
    /// The degree of a node; the out-degree in a directed graph.
    Degree,
    /// Whether there is an edge.
    Edge,
    /// Whether there is a path between two nodes.
    Connectivity,
    /// Whether there is a cycle.
    Cycle,
    /// The number of common neighbours of two nodes.
    CommonNeighbor,
    /// The Jaccard coefficient of two nodes.
    Jaccard,
    /// The clustering coefficient of a node.
    ClusteringCoefficient,
    /// A node with the largest PageRank.
    PageRank,
    /// A breadth-first order.
    Bfs,
    /// A depth-first order.
    Dfs,
    /// The component of a node; strongly connected in a directed graph.
    ConnectedComponent,
    /// A maximum matching.
    Bipartite,
    /// A topological order.
    TopologicalSort,
    /// An Euler path.
    EulerPath,
    /// A Hamilton path.
    HamiltonianPath,
    /// The weight of a shortest path.
    ShortestPath,
    /// The diameter in hops.
    Diameter,
    /// The weight of a minimum spanning tree.
    Mst,
    /// The maximum flow.
    MaximumFlow,
}

impl InstructTask {
    /// All tasks with the names that the benchmark's files have for them.
    pub const NAMED: [(Self, &'static str); 21] = [
        (Self::Neighbor, "neighbor"),
        (Self::Predecessor, "predecessor"),
        (Self::Degree, "degree"),
        (Self::Edge, "edge"),
        (Self::Connectivity, "connectivity"),
        (Self::Cycle, "cycle"),
        (Self::CommonNeighbor, "common_neighbor"),
        (Self::Jaccard, "jaccard"),
        (Self::ClusteringCoefficient, "clustering_coefficient"),
        (Self::PageRank, "page_rank"),
        (Self::Bfs, "BFS"),
        (Self::Dfs, "DFS"),
        (Self::ConnectedComponent, "connected_component"),
        (Self::Bipartite, "bipartite"),
        (Self::TopologicalSort, "topological_sort"),
        (Self::EulerPath, "euler_path"),
        (Self::HamiltonianPath, "hamiltonian_path"),
        (Self::ShortestPath, "shortest_path"),
        (Self::Diameter, "diameter"),
        (Self::Mst, "MST"),
        (Self::MaximumFlow, "maximum_flow"),
    ];

    /// The name in the benchmark's files, such as `page_rank`.
    pub fn as_str(self) -> &'static str {
        Self::NAMED.into_iter().find(|(task, _)| *task == self).map_or("", |(_, name)| name)
    }

    /// The task of that name, whatever its case.
    pub fn from_name(name: &str) -> Option<Self> {
        let named = Self::NAMED.into_iter().find(|(_, known)| known.eq_ignore_ascii_case(name));
        named.map(|(task, _)| task)
    }
}

/// What the evaluator of a task looks at: columns of a row of the benchmark's table.
#[derive(Clone, Copy, Debug)]
pub struct InstructProblem<'p> {
    /// The task.
    pub task: InstructTask,
    /// The graph of `graph`, with the nodes of `nodes` under the names that stand there.
    pub graph: &'p Graph,
    /// The text of `question`: the evaluator reads the start of a traversal and the two sides of a
    /// matching out of it.
    pub question: &'p str,
    /// The text of `answer`, which is the right answer.
    pub answer: &'p str,
}

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InstructOutcome {
    /// It counts as right.
    Right,
    /// It counts as wrong.
    Wrong,
    /// The evaluator ends in an error, and with it the evaluation of the whole file.
    Stops,
}

/// What the rule says of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructScore {
    /// What came out.
    pub outcome: InstructOutcome,
    /// The part of the rule that decided.
    pub cause: &'static str,
}

impl InstructScore {
    fn new(is_right: bool, cause: &'static str) -> Self {
        let outcome = if is_right { InstructOutcome::Right } else { InstructOutcome::Wrong };
        Self { outcome, cause }
    }

    fn wrong(cause: &'static str) -> Self {
        Self::new(false, cause)
    }

    fn stops(cause: &'static str) -> Self {
        Self { outcome: InstructOutcome::Stops, cause }
    }
}

const UNKNOWN: &str = "a word that is no node";

/// Scores a text by GraphInstruct's rule.
///
/// # Complexity
/// O(length of the text and the row) to read. Then O(n·m) for BFS and DFS, O(n + m) for the rest.
pub fn score(problem: &InstructProblem<'_>, text: &str) -> InstructScore {
    let Some(answer) = wrapped(text) else {
        return InstructScore::wrong("nothing between the first <<< and the first >>>");
    };
    match problem.task {
        InstructTask::Edge | InstructTask::Connectivity | InstructTask::Cycle => {
            yes_no(answer, problem.answer)
        }
        InstructTask::Degree
        | InstructTask::CommonNeighbor
        | InstructTask::ShortestPath
        | InstructTask::Diameter
        | InstructTask::Mst
        | InstructTask::MaximumFlow => integer(answer, problem.answer),
        InstructTask::Jaccard | InstructTask::ClusteringCoefficient => {
            float(answer, problem.answer)
        }
        InstructTask::PageRank => best_node(problem, answer),
        InstructTask::Neighbor | InstructTask::Predecessor | InstructTask::ConnectedComponent => {
            node_set(problem, answer)
        }
        InstructTask::Bipartite => pairs(problem, answer),
        InstructTask::Bfs
        | InstructTask::Dfs
        | InstructTask::TopologicalSort
        | InstructTask::EulerPath
        | InstructTask::HamiltonianPath => walks::score(problem, answer),
    }
}

fn yes_no(answer: &str, label: &str) -> InstructScore {
    let (mut yes, mut no) = (false, false);
    for word in answer.split(' ') {
        yes |= matches!(word, "yes" | "Yes" | "YES" | "1" | "True" | "true" | "TRUE");
        no |= matches!(word, "no" | "No" | "NO" | "0" | "False" | "false" | "FALSE");
    }
    match (yes, no) {
        (true, false) => {
            InstructScore::new(strip(label) == "Yes", "a word for yes and none for no")
        }
        (false, true) => InstructScore::new(strip(label) == "No", "a word for no and none for yes"),
        (true, true) => InstructScore::wrong("words for yes and for no"),
        (false, false) => {
            InstructScore::wrong("no word that is yes, no, 1, 0, true or false alone")
        }
    }
}

fn integer(answer: &str, label: &str) -> InstructScore {
    let Some(given) = first_integer(answer) else {
        return InstructScore::wrong("no digit");
    };
    let label = strip(label);
    let same = match first_integer(label).filter(|whole| whole == label) {
        Some(wanted) => wanted == given,
        None => label.parse::<f64>().ok() == given.parse::<f64>().ok(),
    };
    InstructScore::new(same, "the first run of digits")
}

fn float(answer: &str, label: &str) -> InstructScore {
    let Ok(wanted) = strip(label).parse::<f64>() else {
        return InstructScore::stops("the label is no number");
    };
    let Some((above, below)) = first_float(&answer.replace(' ', "")) else {
        return InstructScore::wrong("no number with a point and no fraction");
    };
    if below == 0.0 {
        return InstructScore::stops("a fraction over 0");
    }
    let error = (above / below - wanted).abs() / (wanted + 1e-8);
    InstructScore::new(error < 0.03, "the first number with a point or fraction, within 3 %")
}

fn best_node(problem: &InstructProblem<'_>, answer: &str) -> InstructScore {
    let answer = strip(answer);
    if node(problem.graph, answer).is_none() {
        return InstructScore::wrong(UNKNOWN);
    }
    let is_listed = nodes_of_label(problem.answer).any(|node| node == answer);
    InstructScore::new(is_listed, "one of the nodes of the label")
}

/// The words of an answer, if each is a node.
fn node_words(problem: &InstructProblem<'_>, answer: &str) -> Option<Vec<String>> {
    let words = words(answer);
    words.iter().all(|word| node(problem.graph, word).is_some()).then_some(words)
}

fn node_set(problem: &InstructProblem<'_>, answer: &str) -> InstructScore {
    let Some(mut given) = node_words(problem, answer) else { return InstructScore::wrong(UNKNOWN) };
    let mut wanted = words(problem.answer);
    for nodes in [&mut given, &mut wanted] {
        nodes.sort_unstable();
        nodes.dedup();
    }
    InstructScore::new(given == wanted, "the nodes as a set")
}

/// As many pairs as the label has, each from one side to the other, and no node twice. Whether
/// they are edges is not asked.
fn pairs(problem: &InstructProblem<'_>, answer: &str) -> InstructScore {
    let Some(given) = node_words(problem, answer) else { return InstructScore::wrong(UNKNOWN) };
    if given.len() / 2 != words(problem.answer).len() / 2 {
        return InstructScore::wrong("another number of pairs");
    }
    let side = |phrase| -> std::collections::HashSet<&str> {
        let behind = read::behind(problem.question, phrase);
        read::until(behind, '.').split(' ').collect()
    };
    let (one, two) = (side("Nodes set 1 contains: "), side("Nodes set 2 contains: "));
    let mut used = std::collections::HashSet::new();
    for pair in given.chunks_exact(2) {
        let (a, b) = (pair[0].as_str(), pair[1].as_str());
        let (a, b) = if one.contains(a) && two.contains(b) {
            (a, b)
        } else if two.contains(a) && one.contains(b) {
            (b, a)
        } else {
            return InstructScore::wrong("a pair inside one side");
        };
        if !used.insert((1, a)) || !used.insert((2, b)) {
            return InstructScore::wrong("a node in two pairs");
        }
    }
    InstructScore::new(true, "as many pairs as the label, whatever the edges")
}

//! Answers of many kinds, each with other names for its nodes, other words around it, its sentences in
//! another order, and denied.

use graph::{Delta, Graph, NodeName};
use proptest::prelude::*;
use tasks::Verdict::{self, Correct, Incorrect, NoAnswer, Partial};
use tasks::{Problem, Query, verify};

use crate::modern::{FLOW, JOBS, JOINED, ORDER, RING, TREE, WEIGHTED};
use crate::verdicts::problem;

/// Sentences for each task, with the verdict on the one and on its denial. Nodes are numbers in braces.
const NEIGHBOURS: [(&str, &str, Verdict); 60] = [
    (RING, "There is a cycle in this graph.", Correct),
    (RING, "There is no cycle in this graph.", Incorrect),
    (RING, "The graph contains a loop.", Correct),
    (RING, "The graph does not contain a loop.", Incorrect),
    (TREE, "The graph is acyclic.", Correct),
    (TREE, "The graph is not acyclic.", Incorrect),
    (JOINED, "There is a path between node {0} and node {4}.", Correct),
    (JOINED, "There is no path between node {0} and node {4}.", Incorrect),
    (JOINED, "Node {0} is connected to node {4} by the path {0} -> {2} -> {1} -> {4}.", Correct),
    (JOINED, "Node {0} is connected to node {4} by the path {0} -> {1} -> {4}.", Partial),
    (FLOW, "The maximum flow from node {0} to node {3} is 2300.", Correct),
    (FLOW, "The maximum flow from node {0} to node {3} is 2400.", Incorrect),
    (WEIGHTED, "The shortest path is {2} -> {4} -> {3} -> {0}.", Correct),
    (WEIGHTED, "The shortest path is {2} -> {1} -> {0}.", Incorrect),
    // Yes or no with a witness: in a ring, in a box, in bullets; a step that does not exist.
    (RING, "Yes, there is a cycle: {1} -> {4} -> {2} -> {1}.", Correct),
    (RING, "Yes. The cycle is {1} -> {4} -> {3} -> {1}.", Partial),
    (RING, "The answer is \\boxed{yes}. The cycle is {1} -> {3} -> {2} -> {1}.", Partial),
    (
        RING,
        "### Finding\n- {1} -> {4} -> {2} -> {1} is a cycle.\n\nYes, there is a cycle.",
        Correct,
    ),
    (RING, "The graph is a forest, so there is no cycle.", Incorrect),
    (TREE, "No, there is no cycle, because 4 edges join 5 nodes.", Correct),
    (
        JOINED,
        "**Yes**, there is a path between node {0} and node {4}: {0} -> {2} -> {1} -> {4}.",
        Correct,
    ),
    (
        JOINED,
        "Yes, there is a path from node {0} to node {4}, since you can go from node {0} to node {2}, \
              from node {2} to node {3}, and from node {3} to node {4}.",
        Partial,
    ),
    // What answers nothing: refused, unknown, asked back, a method alone.
    (
        JOINED,
        "I'm sorry, but I cannot determine whether there is a path between node {0} and node {4}.",
        NoAnswer,
    ),
    (JOINED, "I am not able to look at graphs.", NoAnswer),
    (FLOW, "Should I take the capacities as given, or may they be shared?", NoAnswer),
    (LINE, "We can try all orders of the nodes, and check whether each step is an edge.", NoAnswer),
    // Paths and totals.
    (WEIGHTED, "The shortest path is {2} -> {4} -> {3} -> {0} with a total weight of 6.", Correct),
    (WEIGHTED, "The shortest path is {2} -> {4} -> {3} -> {0} with a total weight of 8.", Partial),
    (WEIGHTED, "The shortest path is {2} -> {1} -> {0} with a total weight of 9.", Incorrect),
    (
        WEIGHTED,
        "Candidates:\n* {2} -> {1} -> {0}: 4 + 5 = 9\n* {2} -> {4} -> {3} -> {0}: 1 + 2 +",
        NoAnswer,
    ),
    // Paths through all nodes.
    (LINE, "Yes, there is such a path. The path is {2} -> {0} -> {3} -> {1}.", Correct),
    (
        LINE,
        "First I tried {0} -> {2} -> {1} -> {3}, which fails. Correction: the path is \
            {2} -> {0} -> {3} -> {1}.",
        Correct,
    ),
    (LINE, "Yes, the path is {0} -> {2} -> {3} -> {1}.", Partial),
    (
        LINE,
        "No, there is no path that visits every node exactly once, because node {2} has one neighbor.",
        Incorrect,
    ),
    (
        STAR,
        "No, because three nodes have only node {0} as a neighbor, there is no such path.",
        Correct,
    ),
    (STAR, "Yes. \\boxed{{1} -> {0} -> {2} -> {3}}", Incorrect),
    // Orders.
    (
        ORDER,
        "Yes, all the nodes can be visited. The solution is {4} -> {1} -> {0} -> {2} -> {3}.",
        Correct,
    ),
    (
        ORDER,
        "Yes, all the nodes can be visited. The solution is {2} -> {1} -> {0} -> {4} -> {3}.",
        Partial,
    ),
    // Assignments: the best one, with a wrong count, with a job twice, none.
    (
        JOBS,
        "Applicant 0: job 1\nApplicant 1: job 0\nApplicant 2: job 3\n3 applicants find a job.",
        Correct,
    ),
    (
        JOBS,
        "Applicant 0: job 1\nApplicant 1: job 0\nApplicant 2: job 3\n2 applicants find a job.",
        Partial,
    ),
    (
        JOBS,
        "Applicant 0: job 1\nApplicant 1: job 1\nApplicant 2: job 3\n2 applicants find a job.",
        Incorrect,
    ),
    (
        JOBS,
        "Applicant 0: job 2\nApplicant 1: job 0\nApplicant 2: job 3\n3 applicants find a job.",
        Partial,
    ),
    // Flows with a flow for each edge, one of them above a capacity.
    (
        FLOW,
        "The maximum flow is 2300. Send 1800 units of flow from node {0} to node {1}. Send 1800 units of \
            flow from node {1} to node {3}. Send 500 units of flow from node {0} to node {2}. Send 500 \
            units of flow from node {2} to node {3}.",
        Correct,
    ),
    (
        FLOW,
        "The maximum flow is 2300. Send 1800 units of flow from node {0} to node {1}. Send 1900 units of \
            flow from node {1} to node {3}. Send 500 units of flow from node {0} to node {2}. Send 400 \
            units of flow from node {2} to node {3}.",
        Partial,
    ),
    // Rows of numbers; the second counts the node itself.
    (ROWS, "node {0}: [0,1]\nnode {1}: [2,1]\nnode {2}: [0,1]", Correct),
    (ROWS, "node {0}: [1,1]\nnode {1}: [2,2]\nnode {2}: [1,2]", Incorrect),
    (ROWS, "Each row is the sum of those of its neighbors.", NoAnswer),
    (ROWS, "The embedding of each node is: [1,0], [0,1], [1,1].", Incorrect),
    (ROWS, "The embedding of each node is: [0,1], [2,1], [0,1].", Correct),
    // Both decisions without a word on which counts, and with one.
    (TREE, "No, there is no cycle in this graph. The given graph is a cycle.", NoAnswer),
    (TREE, "Yes, there is a cycle in this graph. Therefore, the graph is acyclic.", Correct),
    (
        RING,
        "Yes, there is a cycle in this graph. There is a path from node {0} to node {3}, but it is not a \
            cycle, since it ends there.",
        Correct,
    ),
    // What is not vouched for, and a branch of a method.
    (
        LINE,
        "No, there is no path that visits every node exactly once. The graph is connected, but it does \
            not guarantee that there is a path that visits each node exactly once.",
        Incorrect,
    ),
    (
        SIDES,
        "If two adjacent nodes have the same color, the graph is not bipartite. Otherwise, it is \
            bipartite.",
        NoAnswer,
    ),
    (SIDES, "We color node {0} red. The graph is bipartite.", Correct),
    // A sequence that goes past the end, and over an edge that is not there.
    (JOINED, "Yes, there is a path. The sequence of nodes is {0}, {2}, {1}, {4}, {3}.", Partial),
    (JOINED, "Yes, there is a path. The sequence of nodes is {0}, {2}, {1}, {4}.", Correct),
    (JOBS, "The answer is: No such assignment exists.", Incorrect),
    // Where a search starts is no order.
    (SEARCH, "Start from node {0} and mark it as visited.", NoAnswer),
    (SEARCH, "We begin by adding node {0} to a queue, and process each node in it.", NoAnswer),
];

/// Sentences whose verdict turns where a word is denied.
const DENIED: [(&str, &str, &str); 14] = [
    (RING, "There is a cycle in this graph.", "There is no cycle in this graph."),
    (RING, "Yes, the graph has a cycle.", "No, the graph does not have a cycle."),
    (RING, "The graph is cyclic.", "The graph is not cyclic."),
    (TREE, "The graph isn't acyclic.", "The graph is acyclic."),
    (TREE, "The answer is yes.", "The answer is no."),
    (JOINED, "Node {0} can reach node {4}.", "Node {0} cannot reach node {4}."),
    (JOINED, "Node {0} and node {4} are connected.", "Node {0} and node {4} are not connected."),
    (
        JOINED,
        "A path exists from node {0} to node {4}.",
        "A path does not exist from node {0} to node {4}.",
    ),
    (
        LINE,
        "There is a path that visits every node exactly once.",
        "There is no path that visits every node exactly once.",
    ),
    (
        STAR,
        "There is a path that visits every node exactly once.",
        "There is no path that visits every node exactly once.",
    ),
    (LINE, "Yes.", "No."),
    (SIDES, "The graph is bipartite.", "The graph is not bipartite."),
    (RING, "The graph is a cycle.", "The graph is not a cycle."),
    (
        ORDER,
        "Yes, all the nodes can be visited: {4} -> {1} -> {0} -> {2} -> {3}.",
        "No, not all the nodes can be visited.",
    ),
];

/// The only paths through all nodes are 2, 0, 3, 1 and its reverse.
const LINE: &str = "In an undirected graph, (i,j) means that node i and node j are connected with an \
    undirected edge.\nThe nodes are numbered from 0 to 3, and the edges are: (2,0) (0,3) (3,1)\nQ: Is there \
    a path in this graph that visits every node exactly once? If yes, give the path. Note that in a path, \
    adjacent nodes must be connected with edges.\nA:";

/// Node 0 in the middle of three.
const STAR: &str = "In an undirected graph, (i,j) means that node i and node j are connected with an \
    undirected edge.\nThe nodes are numbered from 0 to 3, and the edges are: (0,1) (0,2) (0,3)\nQ: Is there \
    a path in this graph that visits every node exactly once? If yes, give the path. Note that in a path, \
    adjacent nodes must be connected with edges.\nA:";

const SIDES: &str = "Determine whether or not a graph is bipartite. In a directed graph, (i->j) means that node i and \
    node j are connected with an directed edge from node i to node j. Given a graph, you need to output Yes or \
    No, indicating whether the graph is bipartite. Q: The nodes are numbered from 0 to 3, and the edges are: \
    (0->1) (1->2) (2->3). Is this graph bipartite?";

const SEARCH: &str = "Given an undirected graph whose nodes are numbered from 0 to 3, with the edges: [(0, 1), (1, \
    2), (2, 3)].\nQ: Start from node 0, output a sequence of traversal in depth-first search order.\nA:";

const ROWS: &str = "In an undirected graph, the nodes are numbered from 0 to 2, and every node has an embedding. \
    (i,j) means that node i and node j are connected with an undirected edge.\nEmbeddings:\nnode 0: [1,0]\n\
    node 1: [0,1]\nnode 2: [1,1]\nThe edges are: (0,1) (1,2)\nIn a simple graph convolution layer, each node's \
    embedding is updated by the sum of its neighbors' embeddings.\nQ: What's the embedding of each node after \
    one layer of simple graph convolution layer?\nA:";

/// Names for the nodes; the first are their numbers.
const NAMES: [[&str; 6]; 5] = [
    ["0", "1", "2", "3", "4", "5"],
    ["Ida", "Jon", "Kim", "Leo", "Mia", "Ned"],
    ["Bad Ems", "Aalen", "Ulm Ost", "Köln", "St. Goar", "Lahr"],
    ["s0", "s1", "s2", "s3", "s4", "s5"],
    ["P", "Q", "R", "S", "T", "U"],
];

/// A sentence with names for its nodes.
fn with_names(text: &str, names: &[&str; 6]) -> String {
    let mut text = text.to_owned();
    for (i, name) in names.iter().enumerate() {
        if names[0] != "0" {
            text = text
                .replace(&format!("node {{{i}}}"), name)
                .replace(&format!("Node {{{i}}}"), name);
        }
        text = text.replace(&format!("{{{i}}}"), name);
    }
    text
}

/// A problem with other names for its nodes.
fn renamed(problem: Problem, names: &[&str; 6]) -> Problem {
    if names[0] == "0" {
        return problem;
    }
    let Problem { mut graph, query, .. } = problem;
    for (i, name) in names.iter().enumerate() {
        let (from, to) = (i.into(), (*name).into());
        if graph.has_node(&from) {
            graph.apply(&Delta::RenameNode { from, to }).unwrap();
        }
    }
    let name = |node: &NodeName| names[node.as_int().unwrap() as usize].into();
    let ends = query.ends().map(|(a, b)| (name(a), name(b)));
    let query = ends.map_or_else(|| query.clone(), |(a, b)| query.with_ends(a, b));
    Problem { difficulty: None, seed: None, graph, query }
}

/// What the graph has, a sentence for each edge.
fn facts(graph: &Graph) -> Vec<String> {
    let say = |edge: graph::EdgeRef<'_>| {
        let (from, to) = (edge.source, edge.target);
        match edge.capacity.or(edge.weight) {
            Some(number) => format!("The edge {from} -> {to} has {number}."),
            None => format!("There is an edge between {from} and {to}."),
        }
    };
    graph.edges().map(say).collect()
}

/// A text of some facts of the graph and a sentence, before or behind them.
fn told(problem: &Problem, said: &str, n_facts: usize, turned: usize) -> String {
    // What is said of who wants what, or of edges beside rows, would be read as some.
    let tells = !matches!(problem.query, Query::Matching(_) | Query::Gnn(_) | Query::Topology(_));
    let mut facts = facts(&problem.graph);
    let turned = turned % facts.len();
    facts.rotate_left(turned);
    facts.truncate(if tells { n_facts } else { 0 });
    format!("{} {said}", facts.join(" "))
}

proptest! {
    /// How nodes are called, what stands around a sentence, and how it is spelt, changes nothing.
    #[test]
    fn neighbours_of_an_answer_are_judged_alike(
        at in 0..NEIGHBOURS.len(),
        names in prop::sample::select(NAMES.to_vec()),
        n_facts in 0..4usize,
        turned in 0..7usize,
        before in prop::sample::select(vec![
            "", "Let me check. ", "Great question! ", "I looked at all edges.\n\n", "**Answer:** ",
            "To determine this, I read the edges.\n", "<think>No. Yes. 7?</think>", "Therefore, ",
        ]),
        behind in prop::sample::select(vec![
            "", " 😊", "\n\nLet me know if you want the details.", " I hope that helps!",
        ]),
        spelling in prop::sample::select(vec![
            ("->", "→"), ("->", "\\to"), ("->", "&rarr;"), ("node ", "vertex "), ("cycle", "loop"),
            (" is ", " **is** "), ("no ", "no "), ("does not", "doesn't"), ("is not", "isn't"),
        ]),
    ) {
        let (question, text, verdict) = NEIGHBOURS[at];
        let problem = renamed(problem(question), &names);
        let answer = with_names(text, &names).replace(spelling.0, spelling.1);
        // What announces an answer stands before none that is none.
        let announces = matches!(before, "**Answer:** " | "Therefore, ");
        let before = if verdict == NoAnswer && announces { "" } else { before };
        let text = told(&problem, &format!("{before}{answer}{behind}"), n_facts, turned);
        let judgement = verify(&problem, &text);
        prop_assert_eq!(judgement.verdict, verdict, "{}: {}", text, judgement.explanation);
    }

    #[test]
    fn a_denial_turns_the_verdict(
        at in 0..DENIED.len(),
        names in prop::sample::select(NAMES.to_vec()),
        n_facts in 0..4usize,
        turned in 0..7usize,
        before in prop::sample::select(vec!["", "Let me see. ", "I looked at all edges.\n\n"]),
        behind in prop::sample::select(vec!["", " I hope that helps!"]),
    ) {
        let (question, said, denied) = DENIED[at];
        let problem = renamed(problem(question), &names);
        let is_right = |said: &str| {
            let said = format!("{before}{}{behind}", with_names(said, &names));
            let judgement = verify(&problem, &told(&problem, &said, n_facts, turned));
            match judgement.verdict {
                Correct | Partial => Some(true),
                Incorrect => Some(false),
                NoAnswer => None,
            }
        };
        let (said, denied) = (is_right(said), is_right(denied));
        prop_assert!(said.is_some(), "{:?}", DENIED[at]);
        prop_assert_eq!(denied, said.map(|is_right| !is_right), "{:?}", DENIED[at]);
    }

    /// A conclusion stays the conclusion where what it rests on is told behind it.
    #[test]
    fn the_order_of_sentences_changes_no_verdict(
        at in 0..DENIED.len(),
        names in prop::sample::select(NAMES.to_vec()),
        n_facts in 0..4usize,
        turned in 0..7usize,
    ) {
        let (question, said, denied) = DENIED[at];
        let problem = renamed(problem(question), &names);
        for said in [said, denied] {
            let said = with_names(said, &names);
            let text = told(&problem, &said, n_facts, turned);
            let facts = text.strip_suffix(&said).unwrap_or_default();
            let behind = format!("{said} {facts}");
            let (before, behind) = (verify(&problem, &text), verify(&problem, &behind));
            prop_assert_eq!(before.verdict, behind.verdict, "{}", text);
        }
    }
}

/// Numbers of three digits behind a comma are nodes of a list, and no thousands.
#[test]
fn an_order_of_many_nodes_is_read_whole() {
    let n = 400_usize;
    let mut deltas = vec![Delta::Create { directed: true, weighted: false }];
    deltas.extend((0..n).map(|node| Delta::AddNode { node: node.into() }));
    deltas.extend((1..n).map(|node| Delta::AddEdge {
        source: (node - 1).into(),
        target: node.into(),
        weight: None,
        capacity: None,
    }));
    let graph = Graph::from_deltas(&deltas).unwrap();
    let problem =
        Problem { difficulty: None, seed: None, graph, query: Query::Topology(tasks::Whole) };
    for between in [",", ", ", "->"] {
        let list = (0..n).map(|node| node.to_string()).collect::<Vec<_>>().join(between);
        for text in [list.clone(), format!("The solution is: {list}.")] {
            assert_eq!(verify(&problem, &text).verdict, Correct, "{between}");
            let claims = tasks::claims::find(&problem, &text);
            assert!(claims.iter().all(|claim| claim.is_true), "{between}: {claims:?}");
        }
    }
}

//! The faults of NLGraph's scripts, one test each.

use graph::{Delta, Graph};
use tasks::official::nlgraph::score;
use tasks::{Ends, Layers, Problem, Query, SideSizes, Terminals, Whole};

fn asked(query: Query, graph: Graph) -> Problem {
    Problem { difficulty: None, seed: None, graph, query }
}

/// A graph whose nodes are 0, 1, … with weighted edges.
fn numbered(n: usize, is_directed: bool, edges: &[(usize, usize, f64)]) -> Graph {
    let mut graph = if is_directed { Graph::directed() } else { Graph::undirected() };
    for i in 0..n {
        graph.ensure_node(i).unwrap();
    }
    for (a, b, weight) in edges {
        graph.link_weighted(*a, *b, *weight).unwrap();
    }
    graph
}

fn says(problem: &Problem, text: &str) -> bool {
    score(problem, text).unwrap().correct
}

fn ends(source: usize, target: usize) -> Ends {
    Ends { source: source.into(), target: target.into() }
}

#[test]
fn nlgraph_takes_silence_for_no() {
    let apart = asked(Query::Connectivity(ends(0, 2)), numbered(3, false, &[(0, 1, 1.0)]));
    assert!(says(&apart, ""));
    assert!(says(&apart, "Yes, they are connected by an indirect path."));
    assert!(!says(&apart, "There is a path between node 0 and node 2."));
    let joined = asked(Query::Connectivity(ends(0, 1)), numbered(3, false, &[(0, 1, 1.0)]));
    assert!(!says(&joined, "Yes."), "a bare yes counts as no");
    assert!(says(&joined, "The answer is yes."));
}

#[test]
fn nlgraph_takes_the_first_phrase_of_a_cycle_and_no_witness() {
    let ring = asked(
        Query::Cycle(Whole),
        numbered(4, false, &[(0, 1, 1.0), (1, 2, 1.0), (2, 0, 1.0), (0, 3, 1.0)]),
    );
    assert!(says(&ring, "Yes, there is a cycle: 3-1-2-3."), "the cycle shown is none");
    assert!(!says(&ring, "There is no cycle of length 4, but there is a cycle of length 3."));
    assert!(!says(&ring, "Yes."));
}

#[test]
fn nlgraph_lets_last_nodes_be_missing_from_an_order() {
    let order = asked(Query::Topology(Whole), numbered(4, true, &[(0, 1, 1.0), (0, 2, 1.0)]));
    assert!(says(&order, "The solution is: 0, 1, 2."), "3 is missing");
    assert!(says(&order, "The solution is: 0, 1, 2, 2."), "2 comes twice");
    assert!(says(&order, "The solution is: 0."), "nothing waits for the others then");
    assert!(!says(&order, "The solution is: 1, 2, 3."), "0 comes before them");
    assert!(!says(&order, "Visit 0, 1, 2, 3."), "no phrase");
    assert!(says(&order, "0, 1, 2, 3. That is the solution."), "the first numbers of the text");
}

#[test]
fn nlgraph_reads_a_sum_as_a_path() {
    let weights = [(0, 1, 1.0), (1, 4, 3.0), (4, 2, 1.0), (3, 1, 4.0)];
    let path = asked(Query::ShortestPath(ends(0, 1)), numbered(5, false, &weights));
    // The path 3, 1 has not the least weight; with weight 1 it would be taken for the answer.
    assert!(!says(&path, "The shortest path from node 0 to node 1 is 3 + 1 = 4."));
    let lucky =
        asked(Query::ShortestPath(ends(0, 1)), numbered(4, false, &[(0, 1, 1.0), (3, 1, 1.0)]));
    assert!(says(&lucky, "The shortest path from node 0 to node 1 is 3 + 1 = 4."));
    assert!(!says(&lucky, "The way is 0, 1."), "no phrase");
    assert!(!says(&lucky, "The shortest path from node 0 to node 1 is 0,1"), "the end is dropped");
    assert!(says(&lucky, "The shortest path from node 0 to node 1 is 0,1 with length 1."));
}

#[test]
fn nlgraph_reads_the_first_number_as_the_flow() {
    let pipes = numbered(3, true, &[(0, 1, 8.0), (1, 2, 3.0)]);
    let ends = Terminals { source: 0_usize.into(), sink: 2_usize.into() };
    let flow = asked(Query::Flow(ends), pipes);
    let begin = "The maximum flow from node 0 to node 2 is ";
    assert!(says(&flow, &format!("{begin}3.")));
    assert!(!says(&flow, &format!("{begin}1 + 2 = 3.")));
    assert!(says(&flow, &format!("{begin}3 + 6 = 9.")));
    assert!(!says(&flow, "3"));
}

#[test]
fn nlgraph_compares_no_neighbouring_pairs_and_passes_over_false_ones() {
    let mut graph = Graph::undirected();
    for name in ["a0", "a1", "a2", "j0", "j1", "j2"] {
        graph.ensure_node(name).unwrap();
    }
    for (a, j) in [("a0", "j0"), ("a1", "j0"), ("a1", "j1")] {
        graph.link(a, j).unwrap();
    }
    let jobs = asked(Query::Matching(SideSizes { n_applicants: 3, n_jobs: 3 }), graph);
    assert!(says(&jobs, "Applicant 0: job 0. Applicant 1: job 1."));
    assert!(says(&jobs, "Applicant 0: job 0. Applicant 1: job 0."), "one job for two neighbours");
    assert!(says(&jobs, "Applicant 0: job 0. Applicant 1: job 1. Applicant 2: job 2."), "no edge");
    assert!(
        says(&jobs, "Job 0 for applicant 0, job 1 for applicant 1. This way, 3 of 5 have one."),
        "what stands behind \"this way\" is not read"
    );
    assert!(!says(&jobs, "0 gets 0, 1 gets 1."), "no word for them");
}

#[test]
fn nlgraph_drops_the_end_of_a_path_and_does_not_compare_the_last_node() {
    let line = asked(Query::Hamilton(Whole), numbered(3, false, &[(0, 1, 1.0), (1, 2, 1.0)]));
    assert!(says(&line, "Yes. The path can be: 0,1,2."));
    assert!(!says(&line, "Yes. The path can be: 0,1,2"));
    assert!(says(&line, "Yes. The path can be: 0,1,0."), "0 comes twice, and 2 is missing");
    assert!(!says(&line, "There is no doubt. The path can be: 0,1,2."));
    assert!(!says(&line, "Yes, the path is 0,1,2."));
}

#[test]
fn nlgraph_looks_at_no_label_of_an_embedding() {
    let mut graph = numbered(2, false, &[(0, 1, 1.0)]);
    for (node, values) in [(0_usize, vec![1.0, 2.0]), (1, vec![3.0, 4.0])] {
        graph.apply(&Delta::SetEmbedding { node: node.into(), values }).unwrap();
    }
    let sums = asked(Query::Gnn(Layers { layers: 1 }), graph);
    assert!(says(&sums, "node 0: [3,4]\nnode 1: [1,2]"));
    assert!(says(&sums, "node 0: [3,4]\nnode 7: [1,2]"), "whoever it is said of");
    assert!(!says(&sums, "node 0: [3,4]"), "too few numbers");
}

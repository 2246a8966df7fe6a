//! Answers in the styles of today's models, kind by kind, and neighbours of each that must be judged
//! alike.

use graph::{Delta, Graph};
use tasks::Verdict::{Correct, Incorrect, NoAnswer, Partial};
use tasks::claims::{find, find_with_answer};
use tasks::{Ends, Problem, Query, Whole, verify};

use crate::verdicts::{hold, problem};

/// A flow of 2300 from 0 to 3.
pub const FLOW: &str = "In a directed graph, the nodes are numbered from 0 to 3, and the edges are:\nan edge \
    from node 0 to node 1 with capacity 2500,\nan edge from node 1 to node 3 with capacity 1800,\nan \
    edge from node 0 to node 2 with capacity 500,\nan edge from node 2 to node 3 with capacity 900.\n\
    Q: What is the maximum flow from node 0 to node 3?\nA:";

#[test]
fn numbers_have_groups_of_three_and_are_denied_and_taken_back() {
    hold(
        &problem(FLOW),
        &[
            ("The maximum flow is 2,300.", Correct),
            ("The maximum flow from node 0 to node 3 is **2,300 units**.", Correct),
            ("\\boxed{2{,}300}", Correct),
            ("\\boxed{2\\,300}", Correct),
            ("The maximum flow is 2 300.", Correct),
            ("The maximum flow is 1,800 + 500 = 2,300.", Correct),
            ("0→1→3 carries 1,800 and 0→2→3 carries 500. Total: 2,300.", Correct),
            ("The maximum flow is 2,301.", Incorrect),
            ("The maximum flow is not 2,300 but 2,400.", Incorrect),
            ("The maximum flow is not 2400 but 2300.", Correct),
            (
                "The maximum flow is 3000. Wait, edge (1,3) carries only 1800, so it's actually 2300.",
                Correct,
            ),
            ("The maximum flow is 2300. Wait, node 2 adds more, so it's actually 2500.", Incorrect),
        ],
    );
}

/// The shortest path from 2 to 0 is 2, 4, 3, 0 with 6.
pub const WEIGHTED: &str = "In an undirected graph, the nodes are numbered from 0 to 4, and the edges are:\n\
    an edge between node 2 and node 4 with weight 1,\nan edge between node 4 and node 3 with weight 2,\n\
    an edge between node 3 and node 0 with weight 3,\nan edge between node 2 and node 1 with weight 4,\n\
    an edge between node 1 and node 0 with weight 5.\nQ: Give the shortest path from node 2 to node 0.\nA:";

#[test]
fn arrows_have_many_forms_and_may_have_weights() {
    hold(
        &problem(WEIGHTED),
        &[
            (
                "$2 \\xrightarrow{1} 4 \\xrightarrow{2} 3 \\xrightarrow{3} 0$, total weight 6",
                Correct,
            ),
            ("2 --(1)--> 4 --(2)--> 3 --(3)--> 0\nTotal weight: 6", Correct),
            ("2 -1-> 4 -2-> 3 -3-> 0, total weight 6", Correct),
            ("2 -(1)- 4 -(2)- 3 -(3)- 0, total weight 6", Correct),
            ("2 →(1) 4 →(2) 3 →(3) 0. Total 6", Correct),
            ("$$v_{2} \\to v_{4} \\to v_{3} \\to v_{0}$$ (total weight 6)", Correct),
            ("Path: 2 ↔ 4 ↔ 3 ↔ 0. Total: 6", Correct),
            ("Path: [2] → [4] → [3] → [0], total weight 6", Correct),
            ("Path: 0 ← 3 ← 4 ← 2, weight 6", Correct),
            ("2 &rarr; 4 &rarr; 3 &rarr; 0 (total weight 6)", Correct),
            ("$2 \\xrightarrow{4} 1 \\xrightarrow{5} 0$, total weight 9", Incorrect),
        ],
    );
}

#[test]
fn the_path_that_counts_is_chosen_and_no_check_behind_it_spoils_it() {
    hold(
        &problem(WEIGHTED),
        &[
            ("The shortest path is not 2 → 4 → 3 → 0. It is 2 → 1 → 0 with weight 9.", Incorrect),
            (
                "**Answer:** 2 → 4 → 3 → 0\n\n**Verification:**\n- 2 → 4: weight 1\n- 4 → 3: weight 2\n- 3 → 0: weight 3\n\nTotal weight: 6",
                Correct,
            ),
            ("Candidates:\n* 2 → 1 → 0: 4 + 5 = 9\n* 2 → 4 → 3 → 0: 1 + 2 +", NoAnswer),
            (
                "Candidates:\n* 2 → 1 → 0: 4 + 5 = 9\n* 2 → 4 → 3 → 0: 1 + 2 + 3 = 6\nThe last one is the smallest.",
                Correct,
            ),
        ],
    );
    let wiz = "Find the shortest path between two nodes in an undirected graph. In an undirected graph, \
               (i,j,k) means that node i and node j are connected with an undirected edge with weight k. \
               Given a graph and a pair of nodes, you need to output the shortest path between the two \
               nodes. Q: The nodes are numbered from 0 to 2, and the edges are: (0,1,4) (1,2,3). Give the \
               weight of the shortest path from node 0 to node 2.";
    hold(&problem(wiz), &[("By way of node 1. ### 7.", Correct), ("### 8.", Incorrect)]);
}

/// A ring of 1, 4, 2 and the edge 0-3.
pub const RING: &str = "In an undirected graph, (i,j) means that node i and node j are connected with an \
    undirected edge.\nThe nodes are numbered from 0 to 4, and the edges are: (1,4) (4,2) (2,1) (0,3)\n\
    Q: Is there a cycle in this graph?\nA:";

pub const TREE: &str = "In an undirected graph, (i,j) means that node i and node j are connected with an \
    undirected edge.\nThe nodes are numbered from 0 to 4, and the edges are: (1,4) (4,2) (2,0) (0,3)\n\
    Q: Is there a cycle in this graph?\nA:";

#[test]
fn cycles_are_denied_defined_and_shown_with_dashes() {
    hold(
        &problem(RING),
        &[
            ("The graph is not acyclic.", Correct),
            ("The graph isn't acyclic.", Correct),
            ("The graph is acyclic.", Incorrect),
            ("Yes. Cycle: 1-4, 4-2, 2-1", Correct),
            ("Yes: edges 1–4, 4–2 and 1–2 form a cycle.", Correct),
            ("Yes. Cycle: 1-4, 4-2, 2-3, 3-1", Partial),
            (
                "Node 1 is connected to nodes 4 and 2. Node 4 is connected to node 3. Node 3 is connected to node 1. Therefore, there is a cycle.",
                Partial,
            ),
            (
                "No, there is no loop. To have a loop, there must be an edge back to the start.",
                Incorrect,
            ),
            (
                "There is a cycle if and only if the graph has too many edges. I cannot determine it.",
                NoAnswer,
            ),
        ],
    );
    hold(
        &problem(TREE),
        &[
            ("The graph isn't cycle-free.", Incorrect),
            ("The graph doesn't have a circle.", Correct),
            ("No. To form a cycle, you would need another edge.", Correct),
            ("There's none.", Correct),
            ("The graph cannot contain a cycle, since it has 5 nodes and 4 edges.", Correct),
            (
                "Adding an edge between 1 and 3 would create a cycle, but as given the graph has none.",
                Correct,
            ),
        ],
    );
}

/// The only path from 0 to 4 is 0, 2, 1, 4.
pub const JOINED: &str = "Determine if there is a path between two nodes in the graph. Note that (i,j) means \
    that node i and node j are connected with an undirected edge.\nGraph: (0,2) (2,1) (1,4) (3,5)\nQ: Is \
    there a path between node 0 and node 4?\nA:";

#[test]
fn a_reason_is_not_what_a_sentence_is_about() {
    hold(
        &problem(JOINED),
        &[
            (
                "Yes, there is a path between node 0 and node 4, since you can go from node 0 to node 2, from node 2 to node 1, and from node 1 to node 4.",
                Correct,
            ),
            (
                "Yes, there is a path between node 0 and node 4, because you can go from node 0 to node 3, from node 3 to node 1, and from node 1 to node 4.",
                Partial,
            ),
            (
                "Node 2 is joined to both node 0 and node 4, so there is a path between them.",
                Correct,
            ),
            ("Node 4 is reachable from node 0 via 2 and 1.", Correct),
            ("Absolutely.", Correct),
            ("Certainly! Let's look at the edges first.", NoAnswer),
            ("Unfortunately not.", Incorrect),
            ("Node 0 has an edge, but we cannot determine whether there is a path.", NoAnswer),
            ("Ja, es gibt einen Weg von Knoten 0 zu Knoten 4.", Correct),
            ("Nein, es gibt keinen Weg von Knoten 0 zu Knoten 4.", Incorrect),
            ("Oui, il existe un chemin : 0 → 2 → 1 → 4.", Correct),
            ("Sí, hay un camino entre el nodo 0 y el nodo 4.", Correct),
            ("是的，节点0和节点4之间有一条路径：0 → 2 → 1 → 4。", Correct),
            ("没有，节点0和节点4之间没有路径。", Incorrect),
            // A yes and a no.
            ("Ja, es gibt einen Weg. Nein, es gibt keinen Weg.", NoAnswer),
        ],
    );
}

/// Node 4 before 0, 0 before 2, 1 before 2, 2 before 3.
pub const ORDER: &str = "In a directed graph with 5 nodes numbered from 0 to 4:\nnode 4 should be visited \
    before node 0\nnode 0 should be visited before node 2\nnode 1 should be visited before node 2\nnode 2 \
    should be visited before node 3\nQ: Can all the nodes be visited? Give the solution.\nA:";

#[test]
fn orders_are_announced_in_many_ways_and_constraints_are_none() {
    hold(
        &problem(ORDER),
        &[
            ("Yes, all nodes can be visited: 4, 1, 0, 2, 3.", Correct),
            ("Yes: $[4,\\ 0,\\ 1,\\ 2,\\ 3]$", Correct),
            ("Yes: 4 ≺ 0 ≺ 1 ≺ 2 ≺ 3", Correct),
            ("Yes, all nodes can be visited: 4, 2, 1, 0, 3.", Partial),
            ("Start with 4, then 0, then 1, then 2, and do 3 at the very end.", Correct),
            (
                "The constraints again:\n- 4 → 0\n- 0 → 2\n- 1 → 2\n- 2 → 3\n\nWe need an order that keeps all of them.",
                NoAnswer,
            ),
        ],
    );
    hold(
        &problem(
            "In an undirected graph, (i,j) means that node i and node j are connected with an undirected \
             edge.\nThe nodes are numbered from 0 to 3, and the edges are: (2,0) (0,3) (3,1)\nQ: Is there \
             a path in this graph that visits every node exactly once? If yes, give the path. Note that \
             in a path, adjacent nodes must be connected with edges.\nA:",
        ),
        &[
            ("Yes: [2, 0, 3, 1]\n\nCheck: (2,0) ✓ (0,3) ✓ (3,1) ✓", Correct),
            ("Yes: [2, 0, 3, 1]\n\nVerification: 2–0 ✓, 0–3 ✓, 3–1 ✓", Correct),
            ("Backtracking will quickly tell us whether such a path exists.", NoAnswer),
            ("Oui, le chemin est 2 → 0 → 3 → 1.", Correct),
        ],
    );
}

/// All three can be served: 0 by 1, 1 by 0, 2 by 2.
pub const JOBS: &str = "There are 3 job applicants numbered from 0 to 2, and 4 jobs numbered from 0 to 3. Each \
    applicant is interested in some of the jobs. Each job can only accept one applicant and a job \
    applicant can be appointed for only one job.\nApplicant 0 is interested in job 1.\nApplicant 1 is \
    interested in job 0.\nApplicant 1 is interested in job 1.\nApplicant 2 is interested in job 2.\n\
    Applicant 2 is interested in job 3.\nQ: Find an assignment of jobs to applicants in such that the \
    maximum number of applicants find the job they are interested in.\nA:";

#[test]
fn wishes_alternatives_and_first_tries_are_no_assignment() {
    hold(
        &problem(JOBS),
        &[
            (
                "1. Applicant 0 is only interested in job 1, so we give them **job 1**.\n2. Applicant 1 can then take **job 0**.\n3. Applicant 2 takes **job 2** (job 3 would also work).\n\nSo a total of **3 applicants** get a job.",
                Correct,
            ),
            (
                "Who wants what:\n- Job 0: applicant 1\n- Job 1: applicants 0, 1\n- Job 2: applicant 2",
                NoAnswer,
            ),
            (
                "First try: applicant 1 → job 1. That blocks applicant 0. So instead:\n\nApplicant 0 → Job 1\nApplicant 1 → Job 0\nApplicant 2 → Job 2",
                Correct,
            ),
            (
                "Start greedily: applicant 1 takes job 1, applicant 2 takes job 2. Applicant 0 is stuck, so reassign applicant 1 to job 0.\n\nFinal assignment:\n0 → 1\n1 → 0\n2 → 2",
                Correct,
            ),
            (
                "All **3** applicants can be given a job they like:\n- Applicant 0 → Job 0\n- Applicant 1 → Job 1\n- Applicant 2 → Job 3",
                Partial,
            ),
        ],
    );
}

#[test]
fn answers_come_in_other_words() {
    hold(
        &problem(RING),
        &[("Cycle detected: 1 → 4 → 2 → 1", Correct), ("Cycle: [1, 4, 3, 1]", Partial)],
    );
    hold(
        &problem(JOINED),
        &[
            ("✅ Connected", Correct),
            ("The two nodes are not connected.", Incorrect),
            ("There is definitely a route from 0 to 4.", Correct),
        ],
    );
    hold(&problem(ORDER), &[("A possible sequence: 4 < 0 < 1 < 2 < 3", Correct)]);
    let sum = "Maximum flow: 1,800 (via 0→1→3) + 500 (via 0→2→3) = 2,300";
    hold(&problem(FLOW), &[(sum, Correct)]);
    hold(
        &problem(
            "In an undirected graph, the nodes are numbered from 0 to 2, and every node has an embedding. \
             (i,j) means that node i and node j are connected with an undirected edge.\nEmbeddings:\n\
             node 0: [1,0]\nnode 1: [2,1]\nnode 2: [0,1]\nThe edges are: (0,2) (2,1)\nIn a simple graph \
             convolution layer, each node's embedding is updated by the sum of its neighbors' \
             embeddings.\nQ: What's the embedding of each node after one layer of simple graph \
             convolution layer?\nA:",
        ),
        &[
            (
                "Node 0 (neighbors: [2]): [0, 1]\nNode 1 (neighbors: [2]): [0, 1]\nNode 2 (neighbors: [0, 1]): [3, 1]",
                Correct,
            ),
            (
                "Node 0 (neighbors: [2]): [0, 1]\nNode 1 (neighbors: [2]): [0, 1]\nNode 2 (neighbors: [0, 1]): [3, 2]",
                Incorrect,
            ),
            ("Node 0 has neighbor 2, so its embedding is [0,1]. Then node 1 becomes", NoAnswer),
        ],
    );
}

fn friends() -> Graph {
    let mut graph = Graph::undirected();
    for node in ["Ida", "Jon", "Kim Lund", "Leo"] {
        graph.apply(&Delta::AddNode { node: node.into() }).unwrap();
    }
    for (a, b) in [("Ida", "Jon"), ("Jon", "Kim Lund")] {
        let (source, target) = (a.into(), b.into());
        graph.apply(&Delta::AddEdge { source, target, weight: None, capacity: None }).unwrap();
    }
    graph
}

fn asked(query: Query) -> Problem {
    Problem { difficulty: None, seed: None, graph: friends(), query }
}

#[test]
fn nodes_have_the_names_of_the_problem() {
    let ends = |a: &str, b: &str| Query::Connectivity(Ends { source: a.into(), target: b.into() });
    hold(
        &asked(ends("Ida", "Kim Lund")),
        &[
            ("Yes! Ida can reach Kim Lund: **Ida → Jon → Kim Lund**.", Correct),
            ("Yes: Ida → Leo → Kim Lund.", Partial),
            ("There is no path between Ida and Kim Lund.", Incorrect),
        ],
    );
    hold(
        &asked(ends("Leo", "Ida")),
        &[("Absolutely. Leo can pass it on to Jon, and from there it reaches Ida.", Incorrect)],
    );
    hold(
        &asked(Query::Cycle(Whole)),
        &[("Yes: Ida, Jon and Kim Lund form a circle, because all know each other.", Incorrect)],
    );
}

#[test]
fn an_order_of_names_is_read_in_prose_and_a_ring_of_names_is_a_claim() {
    let mut graph = Graph::directed();
    for node in ["mix", "bake", "sieve", "cool"] {
        graph.apply(&Delta::AddNode { node: node.into() }).unwrap();
    }
    for (a, b) in [("sieve", "mix"), ("mix", "bake"), ("bake", "cool")] {
        let (source, target) = (a.into(), b.into());
        graph.apply(&Delta::AddEdge { source, target, weight: None, capacity: None }).unwrap();
    }
    let query = Query::Topology(Whole);
    hold(
        &Problem { difficulty: None, seed: None, graph, query },
        &[
            ("Start with sieve, then mix, then bake, and do cool at the very end.", Correct),
            ("Start with mix, then sieve, then bake, and do cool at the very end.", Incorrect),
        ],
    );
    let text = "Yes: Ida, Jon and Kim Lund form a circle, because all know each other.";
    let claims = find(&asked(Query::Cycle(Whole)), text);
    let said: Vec<_> = claims.iter().map(|c| (c.says.as_str(), c.is_true)).collect();
    assert_eq!(said, [("path Ida-Jon-Kim Lund-Ida", false)]);
}

/// The answer is a claim, and no answer is right with a false claim in it.
#[test]
fn the_answer_itself_is_a_claim() {
    let told = |question: &str, text: &str| {
        let claims = find_with_answer(&problem(question), text);
        let is_false = claims.iter().filter(|claim| !claim.is_true);
        is_false.map(|claim| text[claim.start..claim.end].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(told(FLOW, "So \\boxed{2500}."), ["2500"]);
    assert_eq!(told(TREE, "We look at it. Yes, it is cyclic."), ["Yes, it is cyclic"]);
    // One mark for an order that is the answer.
    assert_eq!(told(ORDER, "The order is **4, 2, 1, 0, 3**.").len(), 1);
    assert!(told(FLOW, "The maximum flow is 3000. Wait, it's actually 2300.").is_empty());
    assert!(told(FLOW, "The maximum flow is 2,300.").is_empty());
    let thought = "<think>If there were an edge (3,1) there would be a cycle. So there is a cycle… wait, \
                   no.</think>No, it is a tree.";
    assert!(told(TREE, thought).is_empty());
    // The edge that is not there, and the answer that stands on it.
    assert_eq!(told(JOINED, "Yes. Node 4 is directly connected to node 0."), ["Yes", "node 0"]);
}

#[test]
fn a_right_answer_with_a_false_reason_is_partly_right() {
    hold(
        &problem(JOINED),
        &[
            (
                "Yes, because node 0 is connected to node 2, and node 2 to node 1, and 1 to 4.",
                Correct,
            ),
            ("Yes, since node 0 is directly connected to node 4.", Partial),
            // What is said beside the reason takes nothing from the answer.
            ("Node 3 is connected to node 4. Yes, there is a path: 0 -> 2 -> 1 -> 4.", Correct),
        ],
    );
    hold(
        &problem(TREE),
        &[
            ("No, because there is no path that comes back to its first node.", Correct),
            ("No, there is no cycle because node 3 has 3 neighbors.", Partial),
        ],
    );
    let text = "Yes, since node 0 is directly connected to node 4.";
    let judgement = verify(&problem(JOINED), text);
    let why = "Its reason is false: there is no edge between 0 and 4.";
    assert!(judgement.explanation.ends_with(why), "{}", judgement.explanation);
}

/// As models of half a billion and of one and a half billion weights answer.
#[test]
fn a_path_of_edges_and_a_walk_told_step_by_step_are_what_an_answer_shows() {
    hold(
        &problem(JOINED),
        &[
            (
                "There is a path between node 0 and node 4. The path is (0, 2), (2, 1) and (4, 1).",
                Correct,
            ),
            ("Yes. The edges of the path are (0,2), (2,1), (1,4).", Correct),
            ("There is a path between node 0 and node 4. The path is (0, 2) and (2, 4).", Partial),
            // What is not there shows nothing.
            (
                "Yes, there is a path. The reason is that there is no directed edge between 0 and 2.",
                Correct,
            ),
            // Edges of the graph that do not lead there.
            (
                "Yes, there is a path between node 0 and node 4. The path is (0,2) and (2,1).",
                Partial,
            ),
            // A list of edges is no path, even where one is among them.
            ("Yes. The path is (0,2) -> (2,1) -> (3,5) -> (1,4).", Partial),
        ],
    );
    let cycle = "In an undirected graph, (i,j) means that node i and node j are connected with an undirected \
        edge.\nThe nodes are numbered from 0 to 3, and the edges are: (0,1) (1,2) (2,0) (2,3)\nQ: Is there a \
        cycle in this graph?\nA:";
    let walk = |node: u8| {
        format!(
            "Yes, there is a cycle in this graph. The cycle can be seen as follows:\n- Start at node 0.\n- Move \
             to node 1.\n- Move to node {node}.\n- Move back to node 0.\nThis is a closed path."
        )
    };
    hold(&problem(cycle), &[(&walk(2), Correct), (&walk(3), Partial)]);
    // A longer one that breaks off.
    let far = format!("{}{}", walk(3), "\n- Move to node 1.\n- Move to node 2.".repeat(9));
    hold(&problem(cycle), &[(&far, Partial)]);
    let text = "Yes, there is a cycle. The edges form a cycle because each node has one edge, and there are no \
                cycles in the graph.";
    hold(&problem(TREE), &[(text, Incorrect)]);
}

#[test]
fn a_program_that_nobody_ran_and_a_list_that_breaks_off_answer_nothing() {
    let order = "Given an undirected graph whose nodes are numbered from 0 to 3, with the edges: [(0, 1), (1, 2), (0, 3)].\n\
        Q: Start from node 0, output a sequence of traversal in breadth-first search order. Put the nodes, with commas, between <<< and >>>.\nA:";
    let code = "We search in breadth.\n\n```python\ngraph = {\n    0: [1, 3],\n    1: [0, 2],\n}\nqueue = [0]\n";
    hold(
        &problem(order),
        &[
            (code, NoAnswer),
            (&format!("{code}```\n"), NoAnswer),
            (&format!("{code}```\nThe order is <<<0,1,3,2>>>."), Correct),
            ("```\n<<<0,1,3,2>>>\n```", Correct),
        ],
    );
    hold(
        &problem(FLOW),
        &[(
            "Here are the steps:\n\n1. **Find a path**: the maximum flow needs one.\n\n2. **Add it**: then go on.\n\n3",
            NoAnswer,
        )],
    );
    let jobs = "There are 3 job applicants numbered from 0 to 2, and 3 jobs numbered from 0 to 2. Each applicant is interested in some of the jobs. Each job can only accept one applicant and a job applicant can be appointed for only one job.\nApplicant 0 is interested in job 1.\nApplicant 1 is interested in job 0.\nQ: Find an assignment of jobs to applicants in such that the maximum number of applicants find the job they are interested in.\nA:";
    hold(
        &problem(jobs),
        &[
            (
                "There are 3 applicants and 3 jobs, so at most 3 + 3 - 1 = 5 wishes count. To find them",
                NoAnswer,
            ),
            ("0: 1\n1: 0\nSo 2 applicants find their job.", Correct),
        ],
    );
}

#[test]
fn plans_and_programs_claim_nothing_and_directions_count() {
    let text = "1. **Check if node 3 is directly connected to node 0**: we look.\n2. We need to see if node 5 \
        is directly connected to node 4.\n\n```python\nways = [0 -> 3, 3 -> 4]\n```\nYes.";
    let claims = find(&problem(JOINED), text);
    assert!(claims.is_empty(), "{claims:?}");
    // An order has no cycle, whatever its edges make without their directions.
    let claims = find(&problem(ORDER), "No order exists. The graph has a cycle.");
    let said: Vec<_> = claims.iter().map(|c| (c.says.as_str(), c.is_true)).collect();
    assert_eq!(said, [("cycle", false)]);
}

#[test]
fn two_answers_of_which_none_is_the_last_word_are_none() {
    hold(
        &problem(FLOW),
        &[
            ("The maximum flow is 2300 or 2400.", NoAnswer),
            ("The maximum flow from node 0 to node 3 is either 2400 or 2300 units.", NoAnswer),
            ("\\boxed{2300} or \\boxed{2400}", NoAnswer),
            ("Final answer: 2300\nFinal answer: 2400", NoAnswer),
            ("Final answer: 2300\nFinal answer: 2300", Correct),
            ("Node 1 takes 1800 or 2500. The maximum flow is 2300.", Correct),
            ("Final answer: 2400\nWait, that is too much.\nFinal answer: 2300", Correct),
            ("The maximum flow is 2300, by node 1 or 2.", Correct),
        ],
    );
    hold(
        &problem(RING),
        &[
            ("The answer is yes or no.", NoAnswer),
            ("Answer: yes\nAnswer: no", NoAnswer),
            (r#"{"answer": "yes", "result": "no"}"#, NoAnswer),
            (r#"{"answer": "yes", "result": "yes"}"#, Correct),
            ("Yes or no: yes", Correct),
            ("Answer (yes or no): yes", Correct),
            ("I first thought no. The answer is yes.", Correct),
        ],
    );
    let judgement = verify(&problem(FLOW), "The maximum flow is 2300 or 2400.");
    let said = "The text gives two answers, 2300 and 2400, and does not say which of them counts.";
    assert_eq!(judgement.explanation, said);
}

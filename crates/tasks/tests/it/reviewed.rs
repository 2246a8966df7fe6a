//! What a reading of verdicts by hand found wrong, told again in words and graphs of our own.

use tasks::Verdict::{self, Correct, Incorrect, NoAnswer, Partial};

use crate::verdicts::{self, problem};

fn hold(question: &str, cases: &[(&str, Verdict)]) {
    verdicts::hold(&problem(question), cases);
}

/// A ring of nodes 0 to 3, with node 4 at node 3.
const RING: &str = "In an undirected graph, (i,j) means that node i and node j are connected with an \
    undirected edge.\nThe nodes are numbered from 0 to 4, and the edges are: (0,1) (1,2) (2,3) (0,3) \
    (3,4)\nQ: Is there a cycle in this graph?\nA:";

/// A tree of five nodes.
const TREE: &str = "In an undirected graph, (i,j) means that node i and node j are connected with an \
    undirected edge.\nThe nodes are numbered from 0 to 4, and the edges are: (0,1) (1,2) (2,3) (3,4)\n\
    Q: Is there a cycle in this graph?\nA:";

#[test]
fn a_reply_about_two_nodes_is_no_answer_about_the_graph() {
    let list = |last: &str| {
        format!(
            "1. Is there a cycle between nodes 0 and 1? Yes, there is an edge connecting them.\n\
             2. Is there a cycle between 1 and 3? No, there is no edge connecting 1 and 3.\n\
             3. Is there a cycle between nodes 2 and 3? {last}"
        )
    };
    for question in [RING, TREE] {
        for last in [
            "Yes, there is an",
            "No",
            "Yes, there is an edge.",
            "No, there is no cycle between nodes 2 and 3.",
        ] {
            hold(question, &[(&list(last), NoAnswer)]);
        }
        // The same without the questions.
        hold(
            question,
            &[(
                "Look at each edge.\nYes, there is an edge between 0 and 1.\nNo, there is no edge between 0 and 4.",
                NoAnswer,
            )],
        );
    }
    hold(
        RING,
        &[
            (&list("Yes, there is a cycle between nodes 2 and 3."), Correct),
            (
                &format!("{}\nSo there is a cycle in this graph.", list("Yes, there is an edge.")),
                Correct,
            ),
            ("There is no cycle between the nodes of this graph.", Incorrect),
            ("Is there a cycle in this graph? Yes.", Correct),
        ],
    );
    hold(
        "In an undirected graph, (i,j) means that node i and node j are connected with an undirected \
         edge.\nThe nodes are numbered from 0 to 3, and the edges are: (0,1) (1,2) (2,3)\nQ: Is there a \
         path in this graph that visits every node exactly once? If yes, give the path. Note that in a \
         path, adjacent nodes must be connected with edges.\nA:",
        &[
            (
                "Is there an edge between node 0 and node 1? Yes.\nIs there an edge from node 1 to node 3? No.",
                NoAnswer,
            ),
            ("Is there a path that visits every node exactly once? Yes.", Partial),
        ],
    );
}

#[test]
fn what_is_supposed_behind_a_connective_concludes_nothing() {
    for word in ["However,", "But", "And", "So", "Otherwise,", "Then", "Also,", "But then"] {
        let text = format!(
            "We visit the nodes one by one. If a node comes up again, then there is a cycle. {word} if \
             no node comes up again, then there is no cycle in the graph."
        );
        hold(RING, &[(&text, NoAnswer)]);
        hold(TREE, &[(&text, NoAnswer)]);
    }
    hold(
        RING,
        &[(
            "If a node comes up again, there is a cycle. However, there is a cycle here: 0-1-2-3-0.",
            Correct,
        )],
    );
}

const HAMILTON: &str = "In an undirected graph, (i,j) means that node i and node j are connected with an \
    undirected edge.\nThe nodes are numbered from 0 to 12, and the edges are: (0,3) (3,5) (5,1) (1,2) \
    (2,4) (4,6) (6,7) (7,8) (8,9) (9,10) (10,11) (11,12) (0,12)\nQ: Is there a path in this graph that \
    visits every node exactly once? If yes, give the path. Note that in a path, adjacent nodes must be \
    connected with edges.\nA:";

#[test]
fn a_walk_told_to_its_end_beats_a_list_that_is_cut_off() {
    let walk = |nodes: &[usize]| {
        let steps: Vec<String> = nodes
            .windows(2)
            .map(|s| {
                format!(
                    "As node {} is joined with node {}, we can then visit node {}.",
                    s[0], s[1], s[1]
                )
            })
            .collect();
        format!("Yes. We can start at node {}. {}\n", nodes[0], steps.join("\n"))
    };
    let good = walk(&[0, 3, 5, 1, 2, 4, 6, 7, 8, 9, 10, 11, 12]);
    let bad = walk(&[0, 3, 5, 1, 2, 4, 6, 7, 8, 10, 9, 11, 12]);
    for end in ["0,3,5,1,2,", "0,3,5,1,2", "0,3,5,1,2,4,6,7,8,9,1"] {
        hold(HAMILTON, &[(&format!("{good}The path can be: {end}"), Correct)]);
    }
    hold(
        HAMILTON,
        &[
            (&format!("{bad}The path can be: 0,3,5,1,2,4"), Partial),
            // A list that ends, or that says something else, is the last word.
            (&format!("{good}The path can be: 0,3,5,1,2."), Partial),
            (&format!("{good}The path can be: 0,3,1,5,2"), Partial),
        ],
    );
}

const WEIGHTED: &str = "In an undirected graph, the nodes are numbered from 0 to 3, and the edges are:\n\
    an edge between node 0 and node 1 with weight 2,\nan edge between node 1 and node 3 with weight 2,\n\
    an edge between node 0 and node 2 with weight 1,\nan edge between node 2 and node 3 with weight 4.\n\
    Q: Give the shortest path from node 0 to node 3.\nA:";

#[test]
fn a_shortest_path_that_is_cut_off_is_the_one_told_before_or_none() {
    hold(
        WEIGHTED,
        &[
            (
                "Candidates:\n0,1,3 with a total weight of 2 + 2 = 4,\n0,2,3 with a total weight of 1 + 4 = 5.\nSo the shortest path from node 0 to node 3 is 0,1,",
                Correct,
            ),
            (
                "Candidates:\n0,1,3 with a total weight of 2 + 2 = 4,\n0,2,3 with a total weight of 1 + 4 = 5.\nSo the shortest path from node 0 to node 3 is 0,2,",
                Incorrect,
            ),
            ("The shortest path from node 0 to node 3 is 0,1,", NoAnswer),
            ("The shortest path from node 0 to node 3 is 0,1.", Incorrect),
            ("The shortest path is 0-1-3 with a total weight of four.", Correct),
            ("The shortest path is 0-1-3 with a total weight of five.", Partial),
        ],
    );
}

const ORDER: &str = "In a directed graph with 5 nodes numbered from 0 to 4:\nnode 2 should be visited \
    before node 0\nnode 0 should be visited before node 1\nQ: Can all the nodes be visited? Give the \
    solution.\nA:";

#[test]
fn an_order_without_nodes_that_no_constraint_names_is_partly_right() {
    hold(
        ORDER,
        &[
            ("The solution is: 2,0,1,3,4.", Correct),
            ("The solution is: 2,0,1.", Partial),
            ("The solution is: 2,0,1,4.", Partial),
            // What a constraint names may not be missing.
            ("The solution is: 2,0,3,4.", Incorrect),
            ("The solution is: 0,2,1.", Incorrect),
            ("Yes, all the nodes can be visited. The solution is: 2,0,1.", Partial),
            // A list that breaks off is none yet, unless nothing could make it right.
            ("The solution is: 2,0,", NoAnswer),
            // An order told to its end before counts.
            (
                "Since no nodes are required to be visited before node 2, node 3, and node 4, node 2, node 3, and node 4 can be visited first. After node 2 is visited, node 0 can be visited. After node 0 is visited, node 1 can be visited. So the solution is: 2,3,",
                Correct,
            ),
            (
                "Since no nodes are required to be visited before node 3 and node 0, node 3 and node 0 can be visited first. After node 0 is visited, node 1 and node 2 can be visited. After node 3 is visited, node 4 can be visited. So the solution is: 3,0,",
                Incorrect,
            ),
            ("Can node 2 be visited first? Yes.", NoAnswer),
            ("Is it possible? Yes.", Partial),
            ("The solution is: 2,0,2,", Incorrect),
            ("All the nodes can be visited. The solution is: 2,0,", Partial),
        ],
    );
}

const APART: &str = "Determine if there is a path between two nodes in the graph. Note that (i,j) means \
    that node i and node j are connected with an undirected edge.\nGraph: (0,1) (1,2) (4,5)\nQ: Is there \
    a path between node 0 and node 4?\nA:";

const JOINED: &str = "Determine if there is a path between two nodes in the graph. Note that (i,j) means \
    that node i and node j are connected with an undirected edge.\nGraph: (0,1) (1,2) (2,3) (1,5) (4,6)\n\
    Q: Is there a path between node 0 and node 3?\nA:";

#[test]
fn no_direct_path_at_the_end_hints_at_a_no() {
    hold(
        APART,
        &[
            (
                "Node 0 is connected to node 1. Node 1 is connected to node 2. Therefore, there is no direct path between node 0 and node 4.",
                Correct,
            ),
            (
                "Node 0 is connected to node 1. So there is no direct connection between node 4 and node 0.",
                Correct,
            ),
            (
                "There is no direct path between node 0 and node 4. Let me see whether another way leads there.",
                NoAnswer,
            ),
            ("Therefore, there is no direct path between node 0 and node 5.", NoAnswer),
            (
                "Node 0 is connected to node 1. Since there is no direct connection between node 0 and node 4, we can conclude that there is no",
                NoAnswer,
            ),
        ],
    );
    hold(
        JOINED,
        &[(
            "There is no direct path between node 0 and node 3, but there is a path by way of node 1.",
            Correct,
        )],
    );
}

#[test]
fn a_way_that_goes_on_by_a_later_neighbour_is_checked() {
    hold(
        JOINED,
        &[
            (
                "Node 0 is connected to node 1 (0,1). Node 1 is connected to node 5 (1,5) and node 2 (1,2). Node 2 is connected to node 3. So there is a path between node 0 and node 3.",
                Correct,
            ),
            (
                "Node 0 is connected to node 1 (0,1). Node 1 is connected to node 2 (1,2) and node 5 (1,5). Node 5 is connected to node 6 (3,5) and node 3 (3,6). So there is a path between node 0 and node 3.",
                Partial,
            ),
            (
                "Node 0 is connected to node 1 and node 4, and node 4 is connected to node 3. So there is a path between node 0 and node 3.",
                Partial,
            ),
            ("Yes, node 0 is connected to node 3.", Correct),
            ("Yes, node 0 is connected to node 3 through node 1 and node 2.", Correct),
            (
                "Node 0 is connected to node 3, which is connected to node 2. So there is a path \
                 between node 0 and node 3.",
                Partial,
            ),
            (
                "Node 0 is connected to node 1. Node 1 is connected to node 2. Node 2 is connected to node 3.",
                Correct,
            ),
        ],
    );
}

#[test]
fn a_cycle_told_by_its_edges_is_checked() {
    hold(
        RING,
        &[
            (
                "There are edges connecting node 0 to node 1, node 1 to node 2, node 2 to node 3, and node 3 to node 0. This forms a loop in the graph.",
                Correct,
            ),
            (
                "There are edges connecting node 0 to node 1, node 1 to node 2, and node 2 to node 0. This forms a loop in the graph.",
                Partial,
            ),
            (
                "There are edges between node 0 and node 1, node 1 and node 4, and node 4 and node 0, forming a cycle. So there is a cycle.",
                Partial,
            ),
            (
                "There are edges connecting node 3 to node 0, 2 and 4. This means that there is a loop in this graph.",
                Partial,
            ),
            ("There is a loop from node 0 to node 3 and back to node 0.", Partial),
        ],
    );
}

#[test]
fn a_reason_that_names_no_way_round_is_no_witness() {
    hold(
        RING,
        &[
            (
                "Node 0 is connected to itself through the other nodes, so there is a cycle in this graph.",
                Correct,
            ),
            (
                "Each of these nodes is connected back to node 0. So there is a cycle in this graph.",
                Correct,
            ),
            (
                "Node 0 is connected to all other nodes in the graph, forming a loop. So the answer is yes.",
                Correct,
            ),
            ("Node 0 is connected to itself, so there is a cycle in this graph.", Partial),
            (
                "Node 0 is connected to node 1, which is connected to node 0 again. So there is a cycle.",
                Partial,
            ),
        ],
    );
}

/// Applicants 0 and 3 want job 0, applicant 1 jobs 1 and 2, applicant 2 job 2: three find one.
const JOBS: &str = "There are 4 job applicants numbered from 0 to 3, and 4 jobs numbered from 0 to 3. \
    Each applicant is interested in some of the jobs. Each job can only accept one applicant and a job \
    applicant can be appointed for only one job.\nApplicant 0 is interested in job 0.\nApplicant 3 is \
    interested in job 0.\nApplicant 1 is interested in job 1.\nApplicant 1 is interested in job 2.\n\
    Applicant 2 is interested in job 2.\nQ: Find an assignment of jobs to applicants in such that the \
    maximum number of applicants find the job they are interested in.\nA:";

#[test]
fn a_leftover_job_is_right_where_the_count_leaves_it_out() {
    let best = "applicant 0: job 0\napplicant 1: job 1\napplicant 2: job 2\n";
    let leftover = format!("{best}applicant 3: job 3\n");
    hold(
        JOBS,
        &[
            (&format!("{best}3 applicants can find the job they are interested in."), Correct),
            (&format!("{best}Three applicants can find the job they are interested in."), Correct),
            (&format!("{best}Two applicants can find the job they are interested in."), Partial),
            (&leftover, Partial),
            (
                &format!(
                    "{leftover}In this assignment, three out of four applicants find the job they are interested in."
                ),
                Correct,
            ),
            (&format!("{leftover}All applicants find the job they are interested in."), Incorrect),
            (&format!("{leftover}Four applicants find the job they are interested in."), Incorrect),
            // A job that two are given is no leftover job, and neither is one without a best rest.
            (
                &format!(
                    "{best}applicant 3: job 2\nThree applicants find a job they are interested in."
                ),
                Partial,
            ),
            ("applicant 0: job 0\napplicant 1: job 1\napplicant 2: job 3\n", Incorrect),
        ],
    );
}

#[test]
fn values_may_be_words() {
    hold(
        "In a directed graph, the nodes are numbered from 0 to 2, and the edges are:\nan edge from node 0 \
         to node 1 with capacity 3,\nan edge from node 1 to node 2 with capacity 7.\nQ: What is the maximum \
         flow from node 0 to node 2?\nA:",
        &[
            ("The maximum flow from node 0 to node 2 is three.", Correct),
            ("The maximum flow is seven units.", Incorrect),
            ("The maximum flow is one of the things to find.", NoAnswer),
        ],
    );
}

#[test]
fn one_edge_named_as_the_cycle_is_a_false_witness() {
    hold(
        RING,
        &[
            ("The graph does have a cycle. The cycle is (0,3).", Partial),
            ("It has a cycle. The cycle is (2,1), which is a cycle of length 3.", Partial),
            ("It has a cycle. The cycle is 0, 1, 2, 3, 0.", Correct),
            ("Yes. The cycle is (0,1), (1,2), (2,3), (3,0).", Correct),
            ("Yes, there is a cycle: the edge (3,0) closes it.", Correct),
        ],
    );
}

#[test]
fn one_number_is_an_answer_though_none_to_a_question_for_an_order() {
    let order = "In a directed graph with 4 nodes numbered from 0 to 3:\n\
        node 0 should be visited before node 1\nnode 1 should be visited before node 2\n\
        Q: Can all the nodes be visited in a valid topological order that satisfies these constraints? \
        Give the solution.\nA:";
    hold(
        order,
        &[
            ("We need the least number of nodes.\n\nSo, the answer is 3.", Incorrect),
            ("The solution is 3.\nNode 0 should be visited before node 1.", Incorrect),
            ("The solution is 9.", Incorrect),
            // It breaks off: a list may have begun.
            ("So the solution is: 3", NoAnswer),
            ("If the answer is 3.", NoAnswer),
            // What is asked comes first.
            ("The solution is: 0,1,2,3. The answer is 3.", Correct),
            ("The answer is 3. The solution is: 0,1,2,3", Correct),
        ],
    );
}

#[test]
fn a_flow_may_have_another_name() {
    let flow = "In a directed graph, the nodes are numbered from 0 to 3, and the edges are:\n\
        an edge from node 0 to node 1 with capacity 4,\nan edge from node 1 to node 2 with capacity 7,\n\
        an edge from node 0 to node 3 with capacity 9.\n\
        Q: What is the maximum flow from node 0 to node 2?\nA:";
    let told = |value: u32, of: &str| {
        format!(
            "The maximum capacity of an edge is {value}, which is the most that can be.\n\n\
             The maximum flow from node 0 to node 2 is the maximum capacity of {of}.\n\n\
             The maximum flow from node 0 to node"
        )
    };
    hold(
        flow,
        &[
            (&told(4, "an edge that connects node 0 to node 2"), Correct),
            (&told(9, "an edge"), Incorrect),
            // Another flow, another name, a thought.
            (&told(4, "an edge").replace("node 0 to node 2", "node 1 to node 2"), NoAnswer),
            (
                &told(4, "an edge").replace("The maximum capacity of an edge is", "A flow costs"),
                NoAnswer,
            ),
            (&told(4, "an edge").replace("The maximum flow", "If the maximum flow"), NoAnswer),
        ],
    );
}

#[test]
fn whoever_says_what_the_path_is_says_that_there_is_one() {
    let path = "In an undirected graph, (i,j) means that node i and node j are connected with an undirected \
        edge.\nThe nodes are numbered from 0 to 3, and the edges are: (0,1) (1,2) (2,3)\nQ: Is there a path \
        in this graph that visits every node exactly once? If yes, give the path. Note that in a path, \
        adjacent nodes must be connected with edges.\nA:";
    hold(
        path,
        &[
            ("The path that visits every node exactly once is a cycle in this graph.", Partial),
            ("The path that visits every node exactly once is 0,1,2,3.", Correct),
            ("The path that visits every node exactly once is not there.", NoAnswer),
            ("The path that visits every node exactly once is impossible to find.", Incorrect),
            ("If the path that visits every node exactly once is long, it takes time.", NoAnswer),
        ],
    );
}

#[test]
fn a_candidate_is_chosen_by_its_name_or_its_place() {
    let two = |choice: &str| {
        format!(
            "There are two ways.\nOption A: 0-2-3 with weight 1 + 4 = 5.\nOption B: 0-1-3 with weight \
             2 + 2 = 4.\n{choice}"
        )
    };
    let of = |choice: &str, verdict| hold(WEIGHTED, &[(&two(choice), verdict)]);
    for right in [
        "We take the latter.",
        "The latter is shorter.",
        "Option B is shorter.",
        "Option B is shorter than option A.",
        "Option B is the best.",
        "So we choose option B.",
        "The second option is lighter.",
    ] {
        of(right, Correct);
    }
    for wrong in [
        "We take the former.",
        "The former is shorter, so we take it.",
        "Option A is shorter.",
        "Option A is shorter than option B.",
    ] {
        of(wrong, Incorrect);
    }
    hold(
        WEIGHTED,
        &[
            ("Path 1: 0 -> 1 -> 3. Path 2: 0 -> 2 -> 3. Path 1 is cheaper.", Correct),
            ("Path 1: 0 -> 1 -> 3. Path 2: 0 -> 2 -> 3. Path 2 is cheaper.", Incorrect),
            ("The way is 0-1-3 or 0-2-3. Is the latter shorter?", NoAnswer),
        ],
    );
}

#[test]
fn a_flow_may_stand_before_what_it_counts() {
    let flow = "In a directed graph, the nodes are numbered from 0 to 2, and the edges are:\nan edge from \
         node 0 to node 1 with capacity 6,\nan edge from node 1 to node 2 with capacity 7.\nQ: What is the \
         maximum flow from node 0 to node 2?\nA:";
    hold(
        flow,
        &[
            ("So six units can flow from node 0 to node 2.", Correct),
            ("At most 6 units can flow.", Correct),
            ("Seven units can be sent from node 0 to node 2.", Incorrect),
            ("Six units can flow along the edge from node 0 to node 1.", NoAnswer),
            ("Six units can flow from node 0 to node 1.", NoAnswer),
            ("Can six units flow from node 0 to node 2?", NoAnswer),
        ],
    );
    let claims = tasks::claims::find(&problem(flow), "Six units can flow from node 0 to node 2.");
    let says: Vec<&str> = claims.iter().map(|claim| claim.says.as_str()).collect();
    assert_eq!(says, ["maximum flow 0-2 is 6"]);
}

#[test]
fn i_do_not_think_so_is_a_no() {
    hold(
        APART,
        &[
            ("I don't think so.", Correct),
            ("Is there a path between node 0 and node 4? I do not think so.", Correct),
            ("Is there an edge between node 0 and node 4? I don't think so.", NoAnswer),
        ],
    );
    hold(TREE, &[("I don't believe so.", Correct)]);
    hold(RING, &[("I don't think so.", Incorrect)]);
}

#[test]
fn rows_may_be_listed_in_the_order_of_the_nodes() {
    let rows = "In an undirected graph, the nodes are numbered from 0 to 2, and every node has an embedding. \
        (i,j) means that node i and node j are connected with an undirected edge.\nEmbeddings:\nnode 0: \
        [1,0]\nnode 1: [0,1]\nnode 2: [1,1]\nThe edges are: (0,1) (1,2)\nIn a simple graph convolution \
        layer, each node's embedding is updated by the sum of its neighbors' embeddings.\nQ: What's the \
        embedding of each node after one layer of simple graph convolution layer?\nA:";
    hold(
        rows,
        &[
            ("The embeddings are [[0,1], [2,1], [0,1]].", Correct),
            ("The answer is [0, 1, 2, 1, 0, 1].", Correct),
            ("The final answer is [1, 0, 1].", Incorrect),
            ("The embeddings are [[0,1], [2,1], [1,1]].", Incorrect),
            ("We start with [[1,0], [0,1], [1,1]].", NoAnswer),
        ],
    );
}

#[test]
fn a_count_alone_is_an_answer_about_an_assignment() {
    let jobs = "There are 3 job applicants numbered from 0 to 2, and 3 jobs numbered from 0 to 2. Each \
        applicant is interested in some of the jobs. Each job can only accept one applicant and a job \
        applicant can be appointed for only one job.\nApplicant 0 is interested in job 0.\nApplicant 1 is \
        interested in job 0.\nApplicant 2 is interested in job 2.\nQ: Find an assignment of jobs to \
        applicants in such that the maximum number of applicants find the job they are interested in.\nA:";
    let says = "The maximum number of applicants that can find the job they are interested in is";
    hold(
        jobs,
        &[
            (&format!("{says} 3."), Incorrect),
            (&format!("{says} 2."), Partial),
            ("Each applicant gets one job. Answer: 3", Incorrect),
            (&format!("{says} what we look for."), NoAnswer),
            (&format!("Determine the maximum number of applicants. {says}"), NoAnswer),
        ],
    );
}

#[test]
fn the_only_way_is_if_says_no_yes() {
    let order = "In a directed graph with 3 nodes numbered from 0 to 2:\nnode 0 should be visited before node \
        1\nnode 1 should be visited before node 2\nQ: Can all the nodes be visited? Give the solution.\nA:";
    let text = "No, not all the nodes can be visited. The only way all nodes can be visited is if the graph \
        is a cycle.";
    hold(order, &[(text, Incorrect)]);
}

#[test]
fn a_plan_before_a_program_that_breaks_off_answers_nothing() {
    let plan = "To determine if there is a cycle, we can use a search. Here's a step-by-step explanation:\n\n\
        1. **Visited**: Keep a set of nodes.\n2. **Check**: If the node is in it, there is a cycle. Return \
        true.\n3. **End**: If no cycle is found, there is no cycle. Return false.\n\n";
    let program = "```python\ndef dfs(node):\n    return";
    let asked = [RING, TREE];
    for question in asked {
        hold(question, &[(&format!("{plan}{program}"), NoAnswer)]);
        assert!(tasks::claims::find(&problem(question), &format!("{plan}{program}")).is_empty());
    }
    // What was said before the plan, or comes of its steps, stays.
    hold(
        RING,
        &[
            (&format!("Yes, there is a cycle. {plan}{program}"), Correct),
            (&format!("{plan}Therefore, there is a cycle in this graph.\n{program}"), Correct),
        ],
    );
}

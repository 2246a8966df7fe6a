//! What texts claim is found where it stands, and judged as a slow check judges it.

use graph::{Delta, Graph};
use proptest::prelude::*;
use tasks::claims::{Claim, ClaimKind, find};
use tasks::{
    Between, Ends, Layers, Problem, Query, Terminals, Verdict, Whole, parse_question, verify,
};

/// A weighted graph: 0-1 (4), 0-2 (1), 2-3 (2), 3-4 (3); 5 is alone.
fn graph() -> Graph {
    let mut deltas = vec![Delta::Create { directed: false, weighted: true }];
    deltas.extend((0..6_usize).map(|n| Delta::AddNode { node: n.into() }));
    for (u, v, w) in [(0_usize, 1_usize, 4.0), (0, 2, 1.0), (2, 3, 2.0), (3, 4, 3.0)] {
        deltas.push(Delta::AddEdge {
            source: u.into(),
            target: v.into(),
            weight: Some(w),
            capacity: None,
        });
    }
    Graph::from_deltas(&deltas).unwrap()
}

fn problem(query: Query) -> Problem {
    Problem { difficulty: None, seed: None, graph: graph(), query }
}

fn shortest() -> Problem {
    problem(Query::ShortestPath(Ends { source: "0".into(), target: "4".into() }))
}

fn connectivity() -> Problem {
    problem(Query::Connectivity(Ends { source: "0".into(), target: "5".into() }))
}

/// The claims of a text as `says` with a mark for their truth.
fn said(problem: &Problem, text: &str) -> Vec<String> {
    find(problem, text)
        .into_iter()
        .map(|c| format!("{}{}", if c.is_true { "" } else { "FALSE " }, c.says))
        .collect()
}

#[test]
fn edges_weights_and_sums() {
    let p = shortest();
    assert_eq!(
        said(
            &p,
            "There is an edge between node 0 and node 1 with weight 4. No edge between 1 and 4."
        ),
        ["edge 0-1 has 4", "no edge 1-4"]
    );
    assert_eq!(
        said(&p, "The weight of the edge from node 2 to node 3 is 5."),
        ["FALSE edge 2-3 has 5"]
    );
    assert_eq!(
        said(&p, "0,2,3,4 with a total weight of 1 + 2 + 3 = 7."),
        ["path 0-2-3-4", "FALSE path 0-2-3-4 totals 7", "FALSE sum 1 + 2 + 3 = 7"]
    );
    assert_eq!(
        said(&p, "The shortest path from node 0 to node 4 is 0 -> 1 → 4 with a total weight of 5."),
        ["FALSE path 0-1-4", "FALSE path 0-1-4 totals 5"]
    );
    assert_eq!(
        said(&p, "1. node 0 to node 2: 1\n2. node 2 to node 3: 3"),
        ["edge 0-2 has 1", "FALSE edge 2-3 has 3"]
    );
}

#[test]
fn a_list_of_paths_over_lines_is_a_path_a_line() {
    assert_eq!(
        said(
            &shortest(),
            "0,2,3 with a total weight of 1 + 2 = 3,\n0,1 , 4 with a total weight of 5."
        ),
        [
            "path 0-2-3",
            "path 0-2-3 totals 3",
            "sum 1 + 2 = 3",
            "FALSE path 0-1-4",
            "FALSE path 0-1-4 totals 5"
        ]
    );
}

#[test]
fn a_flow_that_is_added_up_is_what_stands_last() {
    let p = problem(Query::Flow(Terminals { source: "0".into(), sink: "4".into() }));
    assert_eq!(
        said(&p, "The maximum flow from node 0 to node 4 is 1 + 3 = 4."),
        ["FALSE maximum flow 0-4 is 4", "sum 1 + 3 = 4"]
    );
}

#[test]
fn neighbours_degrees_and_strangers() {
    let p = connectivity();
    assert_eq!(
        said(
            &p,
            "Node 0 is connected to node 1, 2, and 3. Node 3 has degree 2. Node 9 is connected to 0."
        ),
        ["edge 0-1", "edge 0-2", "FALSE edge 0-3", "degree 3 is 2", "FALSE edge 9-0"]
    );
    assert_eq!(said(&p, "node 5 is not connected to any other node"), ["degree 5 is 0"]);
    assert_eq!(
        said(&p, "The degree of node 0 is three. Node 2 has two neighbors."),
        ["FALSE degree 0 is 3", "degree 2 is 2"]
    );
}

#[test]
fn paths_that_are_said_to_be_or_not_to_be() {
    let p = connectivity();
    assert_eq!(
        said(&p, "There is no path between node 0 and node 5."),
        ["no path between 0 and 5"]
    );
    assert_eq!(
        said(&p, "So there is a path from node 0 to node 5."),
        ["FALSE path between 0 and 5"]
    );
    assert_eq!(
        said(&p, "Therefore node 0 is not connected to node 5."),
        ["no path between 0 and 5"]
    );
    assert_eq!(
        said(&p, "node 0 is in the connected block consisting of node 1, node 4 and node 5"),
        ["path between 0 and 1", "path between 0 and 4", "FALSE path between 0 and 5"]
    );
    assert_eq!(
        said(&p, "node 1 and node 4 are in the same connected block"),
        ["path between 1 and 4"]
    );
}

#[test]
fn questions_suppositions_and_invented_problems_claim_nothing() {
    let p = connectivity();
    assert!(
        said(&p, "Is node 0 connected to node 5? If node 0 is connected to node 5, we are done.")
            .is_empty()
    );
    let ends = "The answer is no.\nQ: node 0 is connected to node 5.";
    assert!(said(&p, ends).is_empty(), "{:?}", said(&p, ends));
}

#[test]
fn cycles() {
    let p = problem(Query::Cycle(Whole));
    assert_eq!(said(&p, "No, there is no cycle in this graph."), ["no cycle"]);
    assert_eq!(
        said(&p, "Yes, there is a cycle: the cycle is 0-2-3-0."),
        ["FALSE cycle", "FALSE path 0-2-3-0"]
    );
}

#[test]
fn names_in_words_are_nodes() {
    let mut graph = Graph::undirected();
    for (a, b) in [("Tom", "Katy"), ("Tom", "Paul"), ("Paul", "Steve"), ("Steve", "Lily")] {
        graph.link(a, b).unwrap();
    }
    let query = Query::ShortestPath(Ends { source: "Tom".into(), target: "Lily".into() });
    let p = Problem { difficulty: None, seed: None, graph, query };
    assert_eq!(
        said(&p, "The way is Tom → Katy → Steve → Lily."),
        ["FALSE path Tom-Katy-Steve-Lily"]
    );
    let claims = find(&p, "The way is Tom → Katy → Steve → Lily.");
    let edges: Vec<bool> =
        claims[0].marks.edges.iter().map(|e| e.kind == tasks::MarkKind::True).collect();
    assert_eq!(edges, [true, false, true]);
    assert_eq!(claims[0].why, "there is no edge between Katy and Steve");
}

#[test]
fn names_of_several_words_are_nodes_and_their_full_stops_end_nothing() {
    let mut graph = Graph::undirected();
    for (a, b) in
        [("Ana Abend", "Hugo H. Lund"), ("Hugo H. Lund", "Ilse Grau-Zabel"), ("Ana", "Ana Abend")]
    {
        graph.link(a, b).unwrap();
    }
    let between = Between { source: "Ana".into(), target: "Ilse Grau-Zabel".into() };
    let p = Problem { difficulty: None, seed: None, graph, query: Query::Distance(between) };
    for (text, claims) in [
        ("Ana Abend is connected to Hugo H. Lund.", vec!["edge Ana Abend-Hugo H. Lund"]),
        (
            "Ana Abend and Ilse Grau-Zabel are friends.",
            vec!["FALSE edge Ana Abend-Ilse Grau-Zabel"],
        ),
        // The longer of two names counts, and what stands behind the full stop is the same sentence.
        ("Hugo H. Lund is a friend of Ana.", vec!["FALSE edge Hugo H. Lund-Ana"]),
        ("If Hugo H. Lund is connected to Ana, it is short.", vec![]),
        (
            "So the path is [Ana, Hugo H. Lund, Ilse Grau-Zabel].",
            vec!["FALSE path Ana-Hugo H. Lund-Ilse Grau-Zabel"],
        ),
        ("ana abend → hugo h. lund", vec!["edge Ana Abend-Hugo H. Lund"]),
    ] {
        assert_eq!(said(&p, text), claims, "{text}");
        places_are_right(text, &find(&p, text));
    }
}

#[test]
fn claims_stand_where_they_were_written_whatever_is_around_them() {
    let p = shortest();
    for (text, place) in [
        ("{\"path\": [0, 2, 3], \"sure\": true}", "0, 2, 3"),
        ("| Path | Weight |\n|--|--|\n| 0 → 2 → 3 | 3 |", "0 → 2 → 3"),
        ("The path is $0 \\to 2 \\to 3$.", "0 \\to 2 \\to 3"),
        ("<think>0 -> 4 -> 1</think>**0 → 2** &rarr; `3`", "0 → 2** &rarr; `3"),
        ("Der Weg ist 0 -> 2 -> 3, und das ist alles.", "0 -> 2 -> 3"),
        ("```python\nprint(0 - 4 - 1)\n```\nSo 3 <- 2 <- 0.", "3 <- 2 <- 0"),
    ] {
        let claims = find(&p, text);
        assert_eq!(said(&p, text), ["path 0-2-3"], "{text}");
        assert_eq!(&text[claims[0].start..claims[0].end], place);
    }
}

#[test]
fn every_edge_of_a_list_in_words_is_a_claim() {
    assert_eq!(
        said(
            &connectivity(),
            "There are edges connecting node 0 to node 1, node 2 to node 3 and node 3 to node 5."
        ),
        ["edge 0-1", "edge 2-3", "FALSE edge 3-5"]
    );
    assert_eq!(
        said(&connectivity(), "There are edges from node 0 to node 1, 2 and 3."),
        ["edge 0-1", "edge 0-2", "FALSE edge 0-3"]
    );
}

#[test]
fn lists_behind_a_lead_in_are_read_to_their_end() {
    let p = connectivity();
    for (text, claims) in [
        (
            "There are no edges connecting nodes 0 and 5, 1 and 5, and 2 and 3.",
            vec!["no edge 0-5", "no edge 1-5", "FALSE no edge 2-3"],
        ),
        ("The edges are 0-1, 0-2 and 3-5.", vec!["edge 0-1", "edge 0-2", "FALSE edge 3-5"]),
        ("The edges of the graph are: [(0, 1), (3, 1)].", vec!["edge 0-1", "FALSE edge 3-1"]),
        (
            "The connections are 0 to 1, 2 to 3, and 4 to 5.",
            vec!["edge 0-1", "edge 2-3", "FALSE edge 4-5"],
        ),
        (
            "Edges:\n- 0-1\n- 2 to 3\n- (1, 4)\nDone.",
            vec!["edge 0-1", "edge 2-3", "FALSE edge 1-4"],
        ),
        ("The graph has edges between 0 and 1, and node 5 is alone.", vec!["edge 0-1"]),
        // How many there are is no edge.
        ("The edges are 3 and 4 units long.", vec![]),
        ("Is there an edge between nodes 0 and 5, 1 and 5?", vec![]),
        ("To find the edges: 0-5, 1-5", vec![]),
    ] {
        assert_eq!(said(&p, text), claims, "{text}");
        places_are_right(text, &find(&p, text));
    }
    assert_eq!(
        said(&shortest(), "The edges are (0, 1, 4), (2, 3, 9).\nEdges:\n0-2: 1\n2 -> 3 (2)"),
        ["edge 0-1 has 4", "FALSE edge 2-3 has 9", "edge 0-2 has 1", "edge 2-3 has 2"]
    );
}

#[test]
fn neighbours_are_read_below_a_heading_and_in_other_words() {
    let p = connectivity();
    for (text, claims) in [
        (
            "The adjacency list is:\n0: 1, 2\n3: [2, 5]\nSo it is.",
            vec!["edge 0-1", "edge 0-2", "edge 3-2", "FALSE edge 3-5"],
        ),
        ("The neighbors of node 2 are 0 and 3.", vec!["edge 2-0", "edge 2-3"]),
        ("Node 2's neighbors are 0 and 4.", vec!["edge 2-0", "FALSE edge 2-4"]),
        ("Node 0 has edges to nodes 1 and 3.", vec!["edge 0-1", "FALSE edge 0-3"]),
        ("Node 0: connected to nodes 1, 2", vec!["edge 0-1", "edge 0-2"]),
        ("Nodes 0 and 1 are connected by an undirected edge.", vec!["edge 0-1"]),
        ("Node 0 can reach node 3 through node 2.", vec!["path 0-2-3"]),
        ("You get there by moving to nodes 0, 2 and 4.", vec!["FALSE path 0-2-4"]),
        ("There are multiple paths from node 0 to node 5.", vec!["FALSE path between 0 and 5"]),
        // Rows without the heading are no neighbours.
        ("The result is:\n0: 1, 2", vec![]),
    ] {
        assert_eq!(said(&p, text), claims, "{text}");
    }
}

#[test]
fn the_graph_as_a_whole_and_lengths_of_paths_are_claims() {
    let p = connectivity();
    for (text, claims) in [
        ("The graph is undirected and has 6 nodes and 5 edges.", vec!["6 nodes", "FALSE 5 edges"]),
        ("The given graph is a directed graph.", vec!["FALSE directed graph"]),
        ("The graph is not directed.", vec![]),
        ("The graph is not connected.", vec!["not connected graph"]),
        ("So the graph is connected.", vec!["FALSE connected graph"]),
        ("The diameter of the graph is three.", vec!["FALSE diameter 3"]),
        ("The path 0 -> 2 -> 3 has two edges.", vec!["path 0-2-3", "path 0-2-3 has 2 edges"]),
        (
            "The path is 3 edges long: 0 -> 2 -> 3.",
            vec!["FALSE path 0-2-3 has 3 edges", "path 0-2-3"],
        ),
        ("The distance from node 1 to node 3 is 7.", vec!["distance 1-3 is 7"]),
        ("The distance from node 1 to node 3 is 6.", vec!["FALSE distance 1-3 is 6"]),
        (
            "The path is 0 -> 2 -> 3. The total weight is 4.",
            vec!["path 0-2-3", "FALSE path 0-2-3 totals 4"],
        ),
        // Another graph, a part of this one, and what only may be.
        ("A directed graph is a graph with 2 edges.", vec![]),
        ("If the graph is connected, the path has 2 nodes.", vec![]),
        ("A component with 3 nodes has 2 edges.", vec![]),
        ("We need to check whether the graph is connected.", vec![]),
        ("Determine the path: if the graph is connected, there is a path from 0 to 5.", vec![]),
        ("It is found, if there is an edge between 0 and 5.", vec![]),
    ] {
        assert_eq!(said(&p, text), claims, "{text}");
        places_are_right(text, &find(&p, text));
    }
}

#[test]
fn the_graph_that_a_program_writes_down_is_claimed() {
    let p = shortest();
    let of = |code: &str| format!("Yes.\n```python\n{code}\n```\nThat is all.");
    for (code, claims) in [
        ("edges = [(0, 1), (1, 4)]", vec!["edge 0-1", "FALSE edge 1-4"]),
        (
            "edges = [\n    (0, 1, 4),\n    (2, 3, 5),\n]",
            vec!["edge 0-1 has 4", "FALSE edge 2-3 has 5"],
        ),
        ("G.add_edge(0, 1, weight=4)\nG.add_edge(1, 3)", vec!["edge 0-1 has 4", "FALSE edge 1-3"]),
        ("G.add_edges_from([(0, 1), (0, 4)])", vec!["edge 0-1", "FALSE edge 0-4"]),
        (
            "graph = {\n    0: [1, 2],\n    3: [5],\n}",
            vec!["edge 0-1", "edge 0-2", "FALSE edge 3-5"],
        ),
        ("graph = {0: {1: 4, 2: 3}}", vec!["edge 0-1 has 4", "FALSE edge 0-2 has 3"]),
        ("graph = {'0': ['1'], '4': [('3', 3)]}", vec!["edge 0-1", "edge 4-3 has 3"]),
        ("graph[0] = [1, 2]\ngraph[3].append(5)", vec!["edge 0-1", "edge 0-2", "FALSE edge 3-5"]),
        // What breaks off may have been another number.
        ("edges = [(0, 1), (0, 2), (0, 3", vec!["edge 0-1", "edge 0-2"]),
        ("# Example usage\ngraph = {0: [4], 1: [5, 3], 2: [0]}", vec![]),
        ("graph = {7: [8], 8: [9]}", vec![]),
        ("colors = {0: [1, 2]}\nembeddings = {0: [1, 2]}", vec![]),
        ("print(0 - 4, [1, 4], (0, 4))\nadd_edge(u, v)", vec![]),
    ] {
        let text = of(code);
        assert_eq!(said(&p, &text), claims, "{code}");
        let found = find(&p, &text);
        assert!(found.iter().all(|claim| claim.in_program), "{code}");
        places_are_right(&text, &found);
    }
    let mut graph = Graph::undirected();
    graph.link("Ana", "Ben").unwrap();
    graph.link("Ben", "Cleo").unwrap();
    let query = Query::Connectivity(Ends { source: "Ana".into(), target: "Cleo".into() });
    let p = Problem { difficulty: None, seed: None, graph, query };
    let text = of("friends = {'Ana': ['Ben', 'Cleo']}");
    assert_eq!(said(&p, &text), ["edge Ana-Ben", "FALSE edge Ana-Cleo"]);
    assert_eq!(&text[find(&p, &text)[0].start..find(&p, &text)[0].end], "'Ben'");
}

#[test]
fn shapes_degrees_and_steps_are_claims() {
    let p = connectivity();
    for (text, claims) in [
        (
            "The graph is a tree, which means it is connected.",
            vec!["FALSE tree", "FALSE connected graph"],
        ),
        ("The graph is not a tree.", vec!["not tree"]),
        ("The given graph is a simple acyclic graph.", vec!["no cycle"]),
        ("The graph is a cycle with 6 nodes.", vec!["FALSE cycle graph"]),
        ("The graph is not a complete graph.", vec!["not complete graph"]),
        ("Each node has 2 edges.", vec!["FALSE degree of every node is 2"]),
        (
            "Every node is connected to exactly two other nodes.",
            vec!["FALSE degree of every node is 2"],
        ),
        ("Node 5 has no neighbors.", vec!["degree 5 is 0"]),
        ("Node 0 has no edges.", vec!["FALSE degree 0 is 0"]),
        (
            "We have 6 nodes numbered from 0 to 5. There are 5 edges connecting these nodes.",
            vec!["6 nodes", "FALSE 5 edges"],
        ),
        ("Start at node 0. Move to node 2. Then move to node 4.", vec!["FALSE path 0-2-4"]),
        ("1. Start with node 0.\n2. From node 0, go to node 2.\n3. Stop.", vec!["edge 0-2"]),
        (
            "For node 0, add all its neighbors: `queue = [0, 1, 5, 1]`.",
            vec!["edge 0-1", "FALSE edge 0-5"],
        ),
        (
            "1. **Visit node 2**:\n   - Explore nodes 0, 3, and 5.",
            vec!["edge 2-0", "edge 2-3", "FALSE edge 2-5"],
        ),
        ("Start at node 3. Explore neighbors 2 and 4.", vec!["edge 3-2", "edge 3-4"]),
        (
            "Nodes 1 and 2 are colored red and nodes 0, 3 and 1 are colored blue.",
            vec!["no edge among 1-2", "FALSE no edge among 0-3-1"],
        ),
        ("These edges do not connect the nodes 0 and 5.", vec!["no edge 0-5"]),
        (
            "It ends at node 0 or node 2, with a direct edge between these two nodes.",
            vec!["edge 0-2"],
        ),
        (
            "Nodes 0 and 1 are connected, 2 and 5 are connected.",
            vec!["path between 0 and 1", "FALSE path between 2 and 5"],
        ),
        ("There is another path from node 0 to node 5.", vec!["FALSE path between 0 and 5"]),
        // What only sounds so.
        ("Node 0 has no edges to node 5.", vec![]),
        ("If the graph is a tree, each node has 1 edge.", vec![]),
        ("It does not guarantee that there is a path from node 0 to node 5.", vec![]),
        ("Otherwise, there is an edge between node 0 and node 5.", vec![]),
        ("A path leads on, but it is not a cycle. Node 4 is a cycle.", vec![]),
        ("Repeat steps 3-4. The queue is [0, 1, 2, 3].", vec![]),
        ("(0, 2): We have 2 nodes.", vec!["edge 0-2"]),
        ("The path from node 0 to node 4 in the graph is 4 edges.", vec![]),
        ("We get there by following the edges from node 0 to node 4.", vec![]),
        ("- Nodes of the part: (0, 5)", vec![]),
    ] {
        assert_eq!(said(&p, text), claims, "{text}");
        places_are_right(text, &find(&p, text));
    }
    // In a graph whose edges have no weight it may be called one all the same.
    let mut graph = Graph::undirected();
    graph.link(0_usize, 1_usize).unwrap();
    let query = Query::Connectivity(Ends { source: "0".into(), target: "1".into() });
    let plain = Problem { difficulty: None, seed: None, graph, query };
    assert_eq!(said(&plain, "Edges:\n- (0, 1): 5"), ["FALSE edge 0-1 has 5"]);
    assert_eq!(
        said(&plain, "The path from node 0 to node 1 is a path of length 2."),
        ["FALSE distance 0-1 is 2"]
    );
}

#[test]
fn atoms_are_those_of_the_molecule_that_is_named() {
    let p = parse_question(
        "You are required to solve the Maximum Common Subgraph problem\n**Problem to Solve**\nMolecule A \
         consists of 3 atoms with the following 2 bonds:\n0-1, 1-2.\nMolecule B consists of 4 atoms with \
         the following 3 bonds:\n0-1, 0-2, 0-3.\nIdentify the maximum common subgraph of the two \
         molecules: the most atoms that are bound alike.",
    )
    .unwrap();
    for (text, claims) in [
        (
            "**Molecule A**: The bonds are as follows:\n- 0-1\n- 0-2\n**Molecule B**:\n- Bonds: 0-2, 1-2",
            vec!["edge a0-a1", "FALSE edge a0-a2", "edge b0-b2", "FALSE edge b1-b2"],
        ),
        (
            "Molecule B consists of 4 atoms with 2 bonds.",
            vec!["4 atoms of molecule B", "FALSE 2 bonds of molecule B"],
        ),
        (
            "The bond in molecule A between atoms 1 and 2 is the edge (1, 2).",
            vec!["edge a1-a2", "edge a1-a2"],
        ),
        ("Atoms 0 and 2 of molecule A are bound.", vec![]),
        ("In molecule A, atoms 0 and 2 are bound together.", vec!["FALSE edge a0-a2"]),
        // Whose atoms these are is not said.
        ("The bonds are 0-1 and 0-2.", vec![]),
        ("Molecule A and molecule B have the bonds 0-1 and 0-2.", vec![]),
        ("The common part of molecule A and molecule B consists of 3 atoms.", vec![]),
    ] {
        assert_eq!(said(&p, text), claims, "{text}");
    }
    for (text, verdict) in [
        ("So they are {0, 1} and {0, 3}.", Verdict::Partial),
        ("So they are {0, 1, 2} and {1, 0, 2}.", Verdict::Correct),
        ("So they are [0, 1, 2] and [1, 0, 2], not {0, 1} and {0, 1}.", Verdict::Correct),
    ] {
        assert_eq!(verify(&p, text).verdict, verdict, "{text}");
    }
}

/// Forms of one edge, and of its denial where the form has one.
const EDGES: [(&str, &str); 7] = [
    ("Start at {u}. Then move to {v}.", ""),
    ("From {u}, go to {v}.", ""),
    ("For {u}, add all its neighbors: {v}.", ""),
    ("Visit {u}:\n- Explore nodes: {v}.", ""),
    ("The edges connect {u} and {v}.", "The edges do not connect {u} and {v}."),
    ("It leads from {u} on to {v}, by a direct edge between them.", ""),
    ("{u} and {v} are adjacent.", "{u} and {v} are not adjacent."),
];

fn places_are_right(text: &str, claims: &[Claim]) {
    for claim in claims {
        assert!(text.get(claim.start..claim.end).is_some_and(|t| !t.is_empty()), "{claim:?}");
    }
    assert!(claims.windows(2).all(|w| w[0].start <= w[1].start));
}

proptest! {
    #[test]
    fn any_text_is_searched(text in "\\PC{0,120}") {
        for p in [shortest(), connectivity()] {
            places_are_right(&text, &find(&p, &text));
        }
    }

    #[test]
    fn word_salad_is_searched(words in prop::collection::vec(
        prop::sample::select(vec![
            "node", "0", "1", "9", "is", "not", "connected", "to", ",", "and", "->", "(", ")", "edge", "between",
            "path", "no", "with", "total", "weight", "of", "+", "=", "3", ".", "\n", "if", "?", "degree", "has",
            "units", "flow", "from", "cycle", "there", "visiting", "requires", "before", "[", "]", "é", "job", "applicant",
        ]), 0..40)) {
        let text = words.join(" ");
        for p in [shortest(), connectivity(), problem(Query::Gnn(Layers { layers: 1 }))] {
            places_are_right(&text, &find(&p, &text));
        }
    }

    #[test]
    fn an_edge_is_judged_as_the_list_of_edges_says(u in 0..7_usize, v in 0..7_usize, deny in any::<bool>()) {
        prop_assume!(u != v);
        let p = connectivity();
        let no = if deny { "no" } else { "an" };
        let claims = find(&p, &format!("There is {no} edge between node {u} and node {v}."));
        prop_assert_eq!(claims.len(), 1);
        let is = [(0, 1), (0, 2), (2, 3), (3, 4)].contains(&(u.min(v), u.max(v)));
        prop_assert_eq!(claims[0].kind, ClaimKind::Edge);
        prop_assert_eq!(claims[0].is_true, is != deny);
    }

    /// Whatever the nodes are called, and in whatever order they come.
    #[test]
    fn forms_of_an_edge_are_one_claim(
        u in 0..6_usize,
        v in 0..6_usize,
        form in 0..EDGES.len(),
        deny in any::<bool>(),
        named in any::<bool>(),
        behind in prop::sample::select(vec!["", " That is all.", "\nWe go on."]),
    ) {
        prop_assume!(u != v);
        let names = ["Ida", "Jon", "Kim Lund", "Leo", "Mia", "Ned"];
        let mut p = connectivity();
        for (i, name) in names.iter().enumerate().filter(|_| named) {
            p.graph.apply(&Delta::RenameNode { from: i.into(), to: (*name).into() }).unwrap();
        }
        let name = |i: usize| if named { names[i].to_owned() } else { format!("node {i}") };
        let (said, denial) = EDGES[form];
        let deny = deny && !denial.is_empty();
        let text = if deny { denial } else { said };
        let text = format!("{}{behind}", text.replace("{u}", &name(u)).replace("{v}", &name(v)));
        let claims = find(&p, &text);
        prop_assert_eq!(claims.len(), 1, "{}", text);
        let is = [(0, 1), (0, 2), (2, 3), (3, 4)].contains(&(u.min(v), u.max(v)));
        prop_assert_eq!(claims[0].kind, ClaimKind::Edge, "{}", text);
        prop_assert_eq!(claims[0].is_true, is != deny, "{}", text);
    }

    #[test]
    fn a_walk_is_true_if_every_step_is(nodes in prop::collection::vec(0..6_usize, 3..6)) {
        let text = nodes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" -> ");
        let claims = find(&shortest(), &text);
        let is = nodes.windows(2).all(|w| {
            [(0, 1), (0, 2), (2, 3), (3, 4)].contains(&(w[0].min(w[1]), w[0].max(w[1])))
        });
        prop_assert_eq!(claims.len(), 1);
        prop_assert_eq!(claims[0].is_true, is);
    }

    #[test]
    fn sums_are_added_up(a in 0..50_u32, b in 0..50_u32, c in 0..100_u32) {
        let claims = find(&shortest(), &format!("{a} + {b} = {c}"));
        prop_assert_eq!(claims.len(), 1);
        prop_assert_eq!(claims[0].is_true, a + b == c);
    }
}

use proptest::prelude::*;

use super::super::Checker;
use super::*;
use crate::official::files;
use crate::{TaskId, task};

fn checked(rows: Vec<FileRow>) -> super::super::DatasetReport {
    let mut checker = Checker::of_rows(joined_rows(rows));
    while checker.advance(10) > 0 {}
    checker.report()
}

#[test]
fn graph_wiz_lines_are_read_and_a_wrong_label_is_found() {
    // The way through all nodes begins at 2, where the benchmark's search does not.
    let hamilton = "Determine whether or not there is a Hamiltonian path in an undirected graph. Q: \
        The nodes are numbered from 0 to 2, and the edges are: (0, 1) (0, 2). Is there a \
        Hamiltonian path in this graph?";
    let cycle = "Determine whether or not there is a cycle in an undirected graph. Q: The nodes \
        are numbered from 0 to 2, and the edges are: (0, 1) (0, 2). Is there a cycle in this graph?";
    let line = |question: &str, answer: &str| {
        serde_json::json!({ "index": 1, "input_prompt": question, "answer": answer }).to_string()
    };
    let text = [line(hamilton, "### No"), line(cycle, "### No")].join("\n");
    let rows = files::read("hamilton.jsonl", text.as_bytes()).unwrap();
    let report = checked(rows);
    assert_eq!(report.totals.questions, 2);
    assert_eq!(report.totals.parse_failures, 0, "{:?}", report.rows);
    assert_eq!(report.totals.reference_rejected, 1, "{:?}", report.rows);
    let CheckFailure::ReferenceRejected { message } = &report.rows[0].failures[0] else {
        panic!("{:?}", report.rows)
    };
    assert!(message.contains("a path: "), "{message}");
    // The same question is read wherever questions are.
    assert_eq!(parse_question(hamilton).unwrap().task(), TaskId::Hamiltonian);
}

#[test]
fn answers_in_a_file_of_their_own_find_their_questions_and_both_rules_count() {
    let problem = task(TaskId::IndependentSet).generate(Difficulty::Easy, 3);
    let question = problem.question(crate::Wording::Benchmark, crate::Style::ZeroShot);
    let right = reference_text(&problem, &solve(&problem));
    let invented = right.replace(']', ", Nobody Known]");
    let mut asked = FileRow::new(GraphBenchmark::GraphArena, "0", "MIS");
    asked.question = Some(question);
    asked.label = Some((right.split(',').count() + 1).to_string());
    asked.fields.push(("level".into(), "easy".into()));
    let log = serde_json::json!({ "0": { "one": right, "two": invented }, "1": { "one": "" } });
    let log = files::read("MIS_easy.json", log.to_string().as_bytes()).unwrap();
    let report = checked([vec![asked], log].concat());
    let counts = &report.rules["MIS"];
    assert_eq!((counts.answers, counts.official_right, counts.fair_right), (2, 2, 1));
    assert_eq!((counts.only_official, counts.only_fair), (1, 0));
    assert!(counts.causes.keys().all(|cause| cause.contains("here: Incorrect")), "{counts:?}");
    // The label is one too many, and the answer without a question is told.
    assert_eq!(report.totals.reference_rejected, 1, "{:?}", report.rows);
    assert_eq!(report.totals.parse_failures, 1);
    assert_eq!(report.tasks["MIS"].difficulties["easy"].questions, 1);
}

/// A table of GraphInstruct.
fn table(rows: &[[&str; 6]]) -> String {
    let quoted = |row: &[&str; 6]| {
        let fields: Vec<String> =
            row.iter().map(|f| format!("\"{}\"", f.replace('"', "\"\""))).collect();
        fields.join(",")
    };
    let head = ["id", "task", "graph", "directed", "question", "answer"];
    let lines: Vec<String> = std::iter::once(&head).chain(rows).map(quoted).collect();
    lines.join("\n")
}

#[test]
fn tables_of_graph_instruct_are_problems_and_wrong_labels_are_found() {
    const CYCLE: &str =
        "Does the graph have a cycle? For an undirected graph, a cycle is a closed path.";
    let path = "[(0, 1), (1, 2)]";
    let rows: &[([&str; 6], bool)] = &[
        // Its label says yes for every undirected graph.
        (["0", "cycle", path, "False", CYCLE, "Yes"], false),
        (["1", "cycle", "[(0, 1), (1, 2), (0, 2)]", "False", CYCLE, "Yes"], true),
        (["2", "cycle", "[(0, 1), (1, 2), (0, 2)]", "True", CYCLE, "No"], true),
        (["3", "cycle", "[(0, 1), (1, 2), (2, 0)]", "True", CYCLE, "No"], false),
        (
            [
                "4",
                "connectivity",
                path,
                "True",
                "Is there a directed path from node 2 to node 0?",
                "No",
            ],
            true,
        ),
        (
            [
                "5",
                "connectivity",
                path,
                "True",
                "Is there a directed path from node 0 to node 2?",
                "No",
            ],
            false,
        ),
        (
            [
                "6",
                "connectivity",
                path,
                "False",
                "Is there a path between node 2 and node 0?",
                "Yes",
            ],
            true,
        ),
        (
            [
                "7",
                "BFS",
                "[('QZB', 'ABC'), ('QZB', 'XYZ')]",
                "False",
                "Start from node QZB, output a sequence of traversal in breadth-first search order.",
                "['QZB', 'XYZ', 'ABC']",
            ],
            true,
        ),
        (
            [
                "8",
                "DFS",
                "[(0, 1), (0, 2), (1, 3)]",
                "False",
                "Start from node 0, output a sequence of traversal in depth-first search order.",
                "[0, 1, 2, 3]",
            ],
            false,
        ),
        (
            [
                "9",
                "topological_sort",
                path,
                "True",
                "Output the topological sorting of this graph. Topological sorting is a linear ordering.",
                "[0, 1, 2]",
            ],
            true,
        ),
        (
            [
                "10",
                "topological_sort",
                path,
                "True",
                "Output the topological sorting of this graph. Topological sorting is a linear ordering.",
                "[0, 2, 1]",
            ],
            false,
        ),
        (
            [
                "11",
                "hamiltonian_path",
                "[(1, 0), (0, 2)]",
                "False",
                "Find a Hamiltonian path in this graph.",
                "[1, 0, 2]",
            ],
            true,
        ),
        (
            [
                "12",
                "shortest_path",
                "[(0, 1, weight:2), (1, 2, weight:3), (0, 2, weight:9)]",
                "False",
                "Calculate the distance of the shortest path from node 0 to node 2.",
                "5",
            ],
            true,
        ),
        (
            [
                "13",
                "shortest_path",
                "[(0, 1, weight:2), (1, 2, weight:3), (0, 2, weight:9)]",
                "True",
                "Calculate the distance of the shortest path from node 0 to node 2.",
                "9",
            ],
            false,
        ),
        (
            [
                "14",
                "maximum_flow",
                "[(0, 1, weight:2), (1, 2, weight:3), (0, 2, weight:9)]",
                "True",
                "Calculate the maximum flow between node 0 and node 2 in this graph.",
                "11",
            ],
            true,
        ),
        (
            [
                "15",
                "maximum_flow",
                "[(1, 0, weight:2), (1, 2, weight:3), (0, 2, weight:9)]",
                "False",
                "Calculate the maximum flow between node 0 and node 2 in this graph.",
                "10",
            ],
            false,
        ),
    ];
    let lines: Vec<[&str; 6]> = rows.iter().map(|(row, _)| *row).collect();
    let read = files::read("mixed.csv", table(&lines).as_bytes()).unwrap();
    for (row, (_, is_right)) in read.iter().zip(rows) {
        let (checked, _) = check(row);
        let faults: Vec<String> =
            checked.failures.iter().map(|failure| format!("{failure:?}")).collect();
        assert_eq!(faults.is_empty(), *is_right, "{}: {faults:?}", row.id);
        let is_label = |f: &CheckFailure| matches!(f, CheckFailure::ReferenceRejected { .. });
        assert!(checked.failures.iter().all(is_label), "{}: {faults:?}", row.id);
    }
}

#[test]
fn the_three_texts_of_a_graph_are_the_same_graph() {
    let question = "Calculate the distance of the shortest path from node 0 to node 2.";
    let read = |name: &str, text: &str| {
        let mut row = FileRow::new(GraphBenchmark::GraphInstruct, "0", "shortest_path");
        row.question = Some(question.into());
        row.fields = vec![("nodes".into(), "[0, 1, 2, 3]".into()), (name.into(), text.into())];
        RowProblem::of(&row).map(|read| read.problem.graph)
    };
    let graph = read("graph", "[(0, 1, weight:5), (1, 2, weight:3)]").unwrap();
    assert_eq!((graph.n_nodes(), graph.n_edges()), (4, 2));
    let adjacency =
        "{0: [1 (weight: 5)],\n1: [0 (weight: 5), 2 (weight: 3)],\n2: [1 (weight: 3)],\n3: []}";
    assert_eq!(read("graph_adj", adjacency).as_ref(), Ok(&graph));
    let sentences = "Node 0 is connected to nodes 1 (weight: 5).\nNode 1 is connected to nodes 0 \
        (weight: 5), 2 (weight: 3).\nNode 2 is connected to nodes 1 (weight: 3).";
    assert_eq!(read("graph_nl", sentences).as_ref(), Ok(&graph));
    for (name, text, told) in [
        (
            "graph",
            "[(0, 1, weight:5), (1)]",
            "line 1, column 20: expected in graph: an edge such as",
        ),
        ("graph_nl", "Node 0 is fine.", "line 1, column 1: expected in graph_nl: a node with"),
        ("graph", "[(0, 1, weight:5)]", "names \"2\""),
        ("other", "", "column graph, graph_adj or graph_nl should follow"),
    ] {
        let fault = if told.starts_with("names") {
            let mut row = FileRow::new(GraphBenchmark::GraphInstruct, "0", "shortest_path");
            row.question = Some(question.into());
            row.fields = vec![(name.into(), text.into())];
            RowProblem::of(&row).unwrap_err().to_string()
        } else {
            read(name, text).unwrap_err().to_string()
        };
        assert!(fault.replace('\\', "").contains(told), "{fault}");
    }
}

#[test]
fn answers_between_marks_are_counted_by_both_rules() {
    let row = [
        "0",
        "DFS",
        "[(0, 1), (0, 2), (1, 3)]",
        "False",
        "Start from node 0, output a sequence of traversal in depth-first search order.",
        "[0, 1, 3, 2]",
    ];
    let asked = files::read("DFS.csv", table(&[row]).as_bytes()).unwrap();
    // The script skips a node when it goes back.
    let given = "id,output\n0,\"<<<[0, 1, 2, 3]>>>\"\n";
    let given = files::read("DFS-int_id.csv", given.as_bytes()).unwrap();
    let mut alone = given.clone();
    find_questions(&mut alone, &asked);
    let judged = RowProblem::of(&alone[0]).unwrap().judge(&alone[0], "<<<0, 1, 3, 2>>>");
    assert_eq!(judged.verdict, Verdict::Correct, "{}", judged.explanation);
    let report = checked([asked, given].concat());
    let counts = report.rules.values().next().unwrap();
    assert_eq!((counts.answers, counts.official_right, counts.fair_right), (1, 1, 0));
    let row = [
        "0",
        "connectivity",
        "[(0, 1)]",
        "False",
        "Is there a path between node 0 and node 1?",
        "Yes",
    ];
    let asked = files::read("connectivity.csv", table(&[row]).as_bytes()).unwrap();
    let given = files::read("connectivity-int_id.csv", b"id,output\n0,So <<<Yes.>>>\n").unwrap();
    let report = checked([asked, given].concat());
    let counts = report.rules.values().next().unwrap();
    assert_eq!((counts.official_right, counts.fair_right), (0, 1), "a full stop");
}

#[test]
fn graphs_of_gracore_are_problems_and_its_references_are_checked() {
    let read = |set: &str, kind: &str, edges: &str, question: &str, label: &str| {
        let value = serde_json::json!({
            "nodes": [0, 1, 2, 3], "edges": [], "node_count": 4,
            "graph_description": format!("This is a {kind} graph with the following edges:\n{edges}"),
            "QA": { "specail_qa": { "Q": question, "A": label } },
        });
        let name = format!("Pure Graph/{set}/graph_4.json");
        let rows = files::read(&name, value.to_string().as_bytes()).unwrap();
        check(&rows[0]).0
    };
    let line = |a: u8, b: u8, w: u8| format!("From node {a} to node {b}, distance is {w}");
    let edges = |list: &[(u8, u8, u8)]| {
        list.iter().map(|(a, b, w)| line(*a, *b, *w)).collect::<Vec<_>>().join("\n")
    };
    let bipartite =
        "A bipartite graph is one of two parts. Please determine if the given graph is bipartite.";
    let path = "What is the shortest path from node 0 to node 3? How long is it?";
    let flow = "What is the maximum flow from node 0 to node 3?";
    let color = "Use a greedy algorithm with the \"largest_first\" strategy to determine the minimum number of colors needed.";
    let tour = "The goal is to find the shortest possible route that visits every node. Start from node 0.";
    let square = edges(&[(0, 1, 1), (1, 2, 2), (2, 3, 1), (0, 3, 5)]);
    // Nearest neighbour goes 0, 1, 2, 3 and pays 5 for the way home.
    let whole = edges(&[(0, 1, 1), (1, 2, 1), (2, 3, 1), (0, 3, 5), (0, 2, 2), (1, 3, 2)]);
    for (set, kind, edges, question, label, is_right) in [
        ("Bipartite", "undirected", &square, bipartite, "Yes, it is bipartite.", true),
        ("Bipartite", "undirected", &square, bipartite, "No, it is not bipartite.", false),
        ("Shortest", "undirected", &square, path, r#"{"path": "0->1->2->3", "distance": 4}"#, true),
        ("Shortest", "undirected", &square, path, r#"{"path": [0, 3], "distance": 5}"#, false),
        ("Flow", "directed", &square, flow, r#"{"path": "0->1->2->3", "max_flow": 6}"#, true),
        ("Flow", "directed", &square, flow, r#"{"path": "0->1->2->3", "max_flow": 7}"#, false),
        ("Color", "undirected", &square, color, "2", true),
        ("Color", "undirected", &square, color, "3", false),
        ("TSP", "undirected", &whole, tour, r#"{"length": 8, "path": "0->1->2->3->0"}"#, false),
        ("TSP", "undirected", &whole, tour, r#"{"length": 6, "path": [0, 1, 3, 2, 0]}"#, true),
        ("TSP", "undirected", &whole, tour, r#"{"length": 5, "path": [0, 1, 3, 2, 0]}"#, false),
    ] {
        let checked = read(set, kind, edges, question, label);
        let faults = format!("{:?}", checked.failures);
        assert_eq!(checked.failures.is_empty(), is_right, "{label}: {faults}");
        let is_label = |f: &CheckFailure| matches!(f, CheckFailure::ReferenceRejected { .. });
        assert!(checked.failures.iter().all(is_label), "{label}: {faults}");
    }
    let bad = read("TSP", "undirected", "From node 0 to node 1", tour, "");
    assert!(matches!(&bad.failures[..], [CheckFailure::Parse { .. }]), "{:?}", bad.failures);
}

proptest! {
    /// Whatever a graph's text is, it is read or refused, and what is read can be solved and judged.
    #[test]
    fn no_graph_makes_a_reader_panic(
        form in 0..4_usize,
        edits in proptest::collection::vec((any::<usize>(), any::<char>(), 0..3_u8), 0..8),
    ) {
        let texts = [
            ("graph", "[(0, 1, weight:5), (1, 2, weight:3)]"),
            ("graph_adj", "{0: [1, 2],\n1: [0],\n2: [0]}"),
            ("graph_nl", "Node 0 is connected to nodes 1, 2.\nNode 2 is connected to nodes 1 (weight: 3)."),
            ("gracore", "This is a undirected graph with the following edges:\nFrom node 0 to node 1, \
             distance is 3\nFrom node 1 to node 2, distance is 1"),
        ];
        let (name, text) = texts[form];
        let mut text: Vec<char> = text.chars().collect();
        for (at, c, kind) in edits {
            let at = at % (text.len() + 1);
            match kind {
                0 if at < text.len() => text[at] = c,
                1 => text.insert(at, c),
                _ => text.truncate(at.max(10)),
            }
        }
        let text: String = text.into_iter().collect();
        for question in [
            "Start from node 0, output a sequence of traversal in depth-first search order.",
            "Calculate the distance of the shortest path from node 0 to node 2.",
            "What is the maximum flow from node 0 to node 2?",
            "Calculate the maximum flow between node 0 and node 2 in this graph.",
            "The goal is to find the shortest possible route.",
        ] {
            let mut row = FileRow::new(GraphBenchmark::GraphInstruct, "0", "DFS");
            row.question = Some(question.into());
            row.label = Some(text.clone());
            row.fields = vec![(name.into(), text.clone())];
            row.answers = vec![("one".into(), format!("<<<{text}>>>"))];
            if name == "gracore" {
                row.benchmark = GraphBenchmark::GraCoRe;
                row.question = Some(format!("{text}\nQ: {question}"));
            }
            let _ = check(&row);
        }
    }
}

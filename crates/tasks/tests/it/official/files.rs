//! The forms of the benchmarks' files.

use proptest::prelude::*;
use tasks::official::files::{FileForm, FileRow, GraphBenchmark, read, sniff};

fn rows(name: &str, text: &str) -> Vec<FileRow> {
    read(name, text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// What is wrong with a file, or with the first of its rows that is not right.
fn told(name: &str, text: &str) -> String {
    match read(name, text.as_bytes()) {
        Ok(rows) => rows.into_iter().find_map(|row| row.fault).unwrap(),
        Err(error) => error.to_string(),
    }
}

fn answers(row: &FileRow) -> Vec<(&str, &str)> {
    row.answers.iter().map(|(who, text)| (who.as_str(), text.as_str())).collect()
}

const LOG: &str = r#"{"0": {"claude": "It is [Al, Bo].", "problem": "Who?"},
 "1": {"claude": null}}"#;

const WIZ: &str = r####"{"index": 4, "input_prompt": "Find the maximum flow between two nodes in a directed graph. Q: ...", "answer": "### 3", "node_range": [2, 5], "edge_range": [0.1, 0.4]}

{"index": 5, "source_data": {"input_prompt": "Q: ...", "answer": "### Yes"}, "input_str": "...", "output_str": "### No", "task": "cycle"}
{"query": "Find the shortest path between two nodes in an undirected graph.", "task": "shortest", "CoT_response": "### 2", "pos_response": ["a ### 2", "b ### 2"], "neg_response": ["### 3"]}
"####;

const TABLE: &str = "id,task,graph,graph_adj,nodes,num_nodes,directed,question,answer,label\n\
    0,BFS,\"[(0, 1), (0, 2)]\",\"{0: [1, 2],\n1: [0],\n2: [0]}\",\"[0, 1, 2]\",3,False,\
    \"Start from node 0, output \"\"it\"\".\",\"[0, 1, 2]\",2\n\
    QZB,degree,,,,3,True,\"What?\nNow.\",2,0\n";

const GRACORE: &str = r#"{"nodes": [0, 1], "edges": [{"source": 0, "target": 1, "attributes": {"weight": 2}}],
 "node_count": 2, "is_directed": false, "diameter": Infinity, "graph_description": "This is a undirected graph",
 "QA": {"structure_qa": [{"node_number": {"Q": "How many nodes?", "A": 2}, "average_degree": {"Q": "What degree?", "A": 1.0},
   "is_connected": true, "similarity": {"Q": "Which triplets?", "A": [[0, 1, 2]]}}],
  "specail_qa": {"Q": "Is it a tree?", "A": "Yes, it is a tree."}}}"#;

#[test]
fn logs_of_graph_arena_are_read() {
    let rows = rows("results/hard/claude_MCP_hard.json", LOG);
    assert_eq!(rows.len(), 2);
    assert_eq!((rows[0].id.as_str(), rows[0].task.as_str()), ("0", "MCP"));
    assert_eq!(rows[0].benchmark, GraphBenchmark::GraphArena);
    assert_eq!(rows[0].field("level"), Some("hard"));
    assert_eq!(rows[0].question.as_deref(), Some("Who?"));
    assert_eq!(answers(&rows[0]), [("claude", "It is [Al, Bo].")]);
    // As the benchmark scores it.
    assert_eq!(answers(&rows[1]), [("claude", "")]);
    assert_eq!(
        told("a_MCP_easy.json", r#"{"0": {"m": 7}}"#),
        "entry \"0\": the answer of \"m\" is no text; expected a text, or null for none"
    );
    assert!(
        told("a_MCP_easy.json", r#"{"0": "text"}"#).starts_with("entry \"0\": its value is no")
    );
}

#[test]
fn lines_of_graph_wiz_are_read() {
    let rows = rows("topology_test.json", WIZ);
    let told: Vec<_> = rows.iter().map(|row| (row.id.as_str(), row.task.as_str())).collect();
    assert_eq!(told, [("4", "flow"), ("5", "cycle"), ("2", "shortest")]);
    assert_eq!(rows[0].label.as_deref(), Some("### 3"));
    assert_eq!(rows[0].field("node_range"), Some("[2,5]"));
    assert_eq!(answers(&rows[1]), [("output_str", "### No")]);
    assert_eq!(rows[1].label.as_deref(), Some("### Yes"));
    let set = [
        ("CoT_response", "### 2"),
        ("pos_response", "a ### 2"),
        ("pos_response", "b ### 2"),
        ("neg_response", "### 3"),
    ];
    assert_eq!(answers(&rows[2]), set);
    let array = format!("[{}]", WIZ.trim().replace("\n\n", "\n").replace("}\n{", "},\n{"));
    assert_eq!(super::files::rows("topology_test.json", &array), rows);
}

#[test]
fn what_is_wrong_with_a_line_is_told_with_its_place() {
    let bad = "{\"input_prompt\": \"Q\"}\n{\"input_prompt\": ";
    assert_eq!(
        told("cycle_test.json", bad),
        "line 2, column 17: EOF while parsing a value; expected an object with input_prompt and \
         answer, with query, or with source_data"
    );
    let bad = "{\"input_prompt\": \"Q\"}\n[1]";
    assert!(told("cycle_test.json", bad).starts_with("line 2: no object; expected"));
    let bad = "{\"query\": \"Q\", \"pos_response\": 3}";
    assert!(told("cycle_test.json", bad).starts_with("line 1: pos_response is no array;"));
}

#[test]
fn tables_of_graph_instruct_are_read() {
    let rows = rows("BFS.csv", TABLE);
    assert_eq!(rows.len(), 2);
    let first = &rows[0];
    assert_eq!((first.id.as_str(), first.task.as_str()), ("0", "BFS"));
    assert_eq!(first.question.as_deref(), Some("Start from node 0, output \"it\"."));
    assert_eq!(first.label.as_deref(), Some("[0, 1, 2]"));
    assert_eq!(first.field("graph_adj"), Some("{0: [1, 2],\n1: [0],\n2: [0]}"));
    assert_eq!(first.field("label"), Some("2"));
    assert_eq!(rows[1].question.as_deref(), Some("What?\nNow."));
    let given = super::files::rows("shortest_path-int_id.csv", "id,output\n7,<<<3>>>\n");
    assert_eq!((given[0].id.as_str(), given[0].task.as_str()), ("7", "shortest_path"));
    assert_eq!(answers(&given[0]), [("output", "<<<3>>>")]);
    assert_eq!(
        told("BFS.csv", "id,output\n1,a\n2\n"),
        "line 3: 1 fields where the first line names 2; expected a row with question and \
         answer, or with id and output"
    );
    let bare = super::files::rows("cycle.csv", "task,question,answer\ncycle,Is it?,Yes\n");
    assert_eq!((bare[0].id.as_str(), bare[0].task.as_str()), ("0", "cycle"));
    assert!(told("BFS.csv", "id,output\n,a\n").starts_with("line 2: the row has no id;"));
}

#[test]
fn examples_for_training_are_read() {
    let text = r#"[{"instruction": "Find it.", "input": "[(0, 1)]", "output": "<<<1>>>"},
      {"instruction": "Go.", "input": "", "output": "x"}]"#;
    let rows = rows("hamiltonian_path/train.json", text);
    assert_eq!(rows[0].task, "hamiltonian_path");
    assert_eq!(rows[0].question.as_deref(), Some("Find it.\n[(0, 1)]"));
    assert_eq!(rows[1].question.as_deref(), Some("Go."));
    assert_eq!(rows[1].label.as_deref(), Some("x"));
    let bad = r#"[{"instruction": "Go.", "output": "x"}, {"instruction": "Go."}]"#;
    assert!(told("train.json", bad).starts_with("entry 2: no instruction, or no output;"));
}

#[test]
fn a_row_that_is_wrong_does_not_stop_the_others() {
    let wiz = rows("cycle.json", "{\"query\": \"Q\"}\n{\n{\"query\": \"R\"}\n");
    let asked: Vec<_> = wiz.iter().map(|row| row.question.as_deref()).collect();
    assert_eq!(asked, [Some("Q"), None, Some("R")]);
    assert!(wiz[1].fault.as_deref().unwrap().starts_with("line 2"));
    let table = rows("BFS.csv", "id,output\n1,a\n2\n3,c\n");
    assert_eq!((table.len(), table[2].id.as_str()), (3, "3"));
    let log = rows("log_MCP.json", r#"{"0": {"a": "[Al]"}, "1": 7, "2": {"a": "[Bo]"}}"#);
    assert_eq!(answers(&log[2]), [("a", "[Bo]")]);
    assert!(log[1].fault.as_deref().unwrap().contains("entry \"1\""));
    let graphs = format!("[{GRACORE}, {{\"nodes\": []}}, {GRACORE}]");
    let graphs = rows("Tree/graph_2.json", &graphs);
    let ids: Vec<&str> = graphs.iter().map(|row| row.id.as_str()).collect();
    assert_eq!((graphs.len(), ids[0], ids[5], ids[10]), (11, "graph_2 1", "graph 2", "graph_2 3"));
    assert_eq!(
        graphs[6].question.as_deref(),
        rows("Tree/graph_2.json", GRACORE)[0].question.as_deref()
    );
}

#[test]
fn graphs_of_gracore_are_read() {
    let rows = rows("Data/Pure Graph/Tree/graph_2.json", GRACORE);
    let told: Vec<_> =
        rows.iter().map(|row| (row.task.as_str(), row.label.as_deref().unwrap())).collect();
    let wanted = [
        ("node number", "2"),
        ("average degree", "1.0"),
        ("connected", "Yes"),
        ("triplets", "[[0,1,2]]"),
        ("Tree", "Yes, it is a tree."),
    ];
    assert_eq!(told, wanted);
    assert!(rows.iter().all(|row| row.id == "graph_2"));
    let question = |i: usize| rows[i].question.as_deref().unwrap();
    assert_eq!(question(0), "This is a undirected graph\nQ: How many nodes?");
    assert_eq!(question(2), "This is a undirected graph\nQ: Is this graph a connected graph?");
    assert_eq!(question(4), "This is a undirected graph\nQ: Is it a tree?");
    assert_eq!(rows[0].field("node_count"), Some("2"));
    assert_eq!(rows[0].field("diameter"), None);
    let bad = GRACORE.replace("specail_qa", "other").replace("structure_qa", "another");
    assert!(super::files::told("a/graph_2.json", &bad).contains("QA has neither"));
}

#[test]
fn forms_are_told_apart() {
    let known = [
        ("claude_MCP_hard.json", LOG, FileForm::ArenaLog),
        ("cycle_test.json", WIZ, FileForm::WizLines),
        ("BFS.csv", TABLE, FileForm::InstructTable),
        ("train.json", "[{\"instruction\": 1, \"output\": 2}]", FileForm::InstructTraining),
        ("graph_2.json", GRACORE, FileForm::GracoreGraph),
        ("MCP_easy.pkl", "", FileForm::ArenaPickle),
    ];
    for (name, text, form) in known {
        assert_eq!(sniff(name, text.as_bytes()), Some(form), "{name}");
    }
    // The words of other forms in an answer change nothing.
    let log = r#"{"3": {"m": "\"nodes\" \"edges\" \"query\""}}"#;
    assert_eq!(sniff("x.json", log.as_bytes()), Some(FileForm::ArenaLog));
    for text in ["", "hello", "{\"a\": 1}", "[1]", "a,b\n1,2\n", "{"] {
        assert_eq!(sniff("x.json", text.as_bytes()), None, "{text:?}");
    }
    let error = told("notes.txt", "hello");
    assert!(
        error.starts_with("\"notes.txt\" begins with \"hello\", which is none of: GraphArena's")
    );
    let error = read("a.csv", b"id,output\n1,\xff\n").unwrap_err().to_string();
    assert_eq!(error, "line 2: a byte that is no UTF-8; expected text in UTF-8");
}

proptest! {
    #[test]
    fn no_text_makes_a_reader_panic(
        which in 0..4_usize,
        edits in proptest::collection::vec((any::<usize>(), any::<char>(), 0..3_u8), 0..10),
        name in "[a-zA-Z_./]{0,20}",
    ) {
        let mut text: Vec<char> = [LOG, WIZ, TABLE, GRACORE][which].chars().collect();
        for (at, c, kind) in edits {
            let at = at % (text.len() + 1);
            match kind {
                0 if at < text.len() => text[at] = c,
                1 => text.insert(at, c),
                _ => text.truncate(at.max(30)),
            }
        }
        let text: String = text.into_iter().collect();
        let _ = read(&name, text.as_bytes());
    }
}

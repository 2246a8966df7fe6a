//! The transcripts that Graph-Grounded LLMs prints, as traces to open and check.
//!
//! Facts are the paper's: the graphs, the calls with their arguments and results, the paths and
//! numbers of the answers. The words are ours. `assets/transcripts/README.md` says which is which.

/// The file of traces.
pub const TEXT: &str = include_str!("../../assets/transcripts/graph-grounded.trace.json");

#[cfg(test)]
mod tests {
    use agent::ToolSet as _;
    use graph::Graph;
    use llm::{FinishReason, Message, ToolCall, Usage};
    use serde_json::{Value, json};
    use systems::RunOptions;
    use systems::grounded::GraphTools;
    use tasks::rescue::{NINE_LOCATIONS, Scenario, check_graph};
    use tasks::{claims, parse_question, verify};
    use trace::replay::{ReplayFinding, replay};
    use trace::{Record, RecordScore, Step, StepBody, Stop, ToolResult, Trace, formats};

    use super::TEXT;
    use crate::state::records::label;

    /// Tom is 0, Katy 1, Paul 2, Steve 3, Lily 4, as the paper numbers them.
    const FRIENDS: &str = "In an undirected graph, the nodes are numbered from 0 to 4, and the edges are:\n\
        an edge between node 0 and node 1 with weight 1,\n\
        an edge between node 0 and node 2 with weight 1,\n\
        an edge between node 2 and node 3 with weight 1,\n\
        an edge between node 3 and node 4 with weight 1.\n\
        Q: Give the shortest path from node 0 to node 4.\nA:";
    const SEVEN: &str = "Determine if there is a path between two nodes in the graph. Note that (i,j) means \
        that node i and node j are connected with an undirected edge.\n\
        Graph: (1,3) (2,3) (4,5)\nQ: Is there a path between node 1 and node 4?\nA:";
    const PAPER: &str = "Graph-Grounded LLMs, arXiv 2503.10941";

    struct Printed {
        id: &'static str,
        section: &'static str,
        paper_says: &'static str,
        ours: &'static str,
        question: &'static str,
        calls: Vec<(&'static str, Value)>,
        answer: &'static str,
    }

    fn printed() -> Vec<Printed> {
        let plain = ("create_graph", json!({ "directed": false, "weighted": false }));
        vec![
            Printed {
                id: "friends-alone",
                section: "II-B, first example, stand-alone",
                paper_says: "incorrect",
                ours: "the wording; the paper's names are numbers here",
                question: FRIENDS,
                calls: Vec::new(),
                answer: "The shortest path from node 0 to node 4 is 0,1,2,3,4 with a total weight of 4.",
            },
            Printed {
                id: "friends-grounded",
                section: "II-B, first example, with functions",
                paper_says: "correct",
                ours: "the wording; create_graph stands for the constructor, whose arguments are not \
                       printed; the arguments of the last call are not printed either",
                question: FRIENDS,
                calls: vec![
                    plain.clone(),
                    ("add_nodes", json!({ "nodes": [0, 1, 2, 3, 4] })),
                    ("add_edges", json!({ "edges": [[0, 1], [0, 2], [1, 3], [3, 4]] })),
                    ("find_shortest_path", json!({ "start": 0, "end": 4 })),
                ],
                answer: "The shortest path from node 0 to node 4 is 0,1,3,4 with a total weight of 3.",
            },
            Printed {
                id: "distance-alone",
                section: "II-B, second example, stand-alone",
                paper_says: "incorrect",
                ours: "the wording; the question asks for a path where the paper asks for a distance",
                question: SEVEN,
                calls: Vec::new(),
                answer: "Yes, there is a path between node 1 and node 4: 1 -> 3 -> 4. Another is \
                         1 -> 3 -> 5 -> 4.",
            },
            Printed {
                id: "distance-grounded",
                section: "II-B, second example, with functions",
                paper_says: "correct",
                ours: "the wording; the calls behind the constructor, which the paper leaves out, as its \
                       plan tells them",
                question: SEVEN,
                calls: vec![
                    plain,
                    ("add_nodes", json!({ "nodes": [1, 2, 3, 4, 5, 6, 7] })),
                    ("add_edges", json!({ "edges": [[1, 3], [2, 3], [4, 5]] })),
                    ("find_shortest_path", json!({ "start": 1, "end": 4 })),
                ],
                answer: "There is no path between node 1 and node 4.",
            },
            Printed {
                id: "rescue-map",
                section: "V, the map of the disaster",
                paper_says: "",
                ours: "the wording; create_graph stands for the constructor",
                question: "Nine locations, their roads and hazards are given. Build the graph: debris makes \
                           a road take three times as long, and nobody goes through fire. Which way leads \
                           from L5 to L3, and which from L5 to L7?",
                calls: vec![
                    ("create_graph", json!({ "directed": false, "weighted": true })),
                    ("add_nodes", json!({ "nodes": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] })),
                    (
                        "add_edges",
                        json!({
                            "edges": [[8, 3], [3, 5], [5, 2], [2, 9], [2, 1], [1, 6], [6, 4], [4, 7], [5, 9]],
                            "weights": [15, 3, 6, 12, 12, 5, 9, 4, 9],
                        }),
                    ),
                    ("find_shortest_path", json!({ "start": 5, "end": 3 })),
                    ("find_shortest_path", json!({ "start": 5, "end": 7 })),
                ],
                answer: "To L3: L5, L3. To L7: L5, L2, L1, L6, L4, L7.",
            },
        ]
    }

    fn step(body: StepBody) -> Step {
        Step { at_ms: 0.0, took_ms: 0.0, by_person: false, body }
    }

    fn turn(message: Message) -> Step {
        let (finish, usage) = (FinishReason::Stop, Usage::default());
        step(StepBody::Model { message, finish, usage, request_hash: String::new() })
    }

    /// The transcript as a trace; results are computed, and held against those that are printed.
    fn trace(printed: &Printed) -> Trace {
        let system = if printed.calls.is_empty() { "standalone" } else { "grounded" };
        let who = match printed.section.starts_with("II") {
            true => "gpt-3.5-turbo-0125, as the paper prints it",
            false => "a model that the paper does not name",
        };
        let mut trace = Trace::new(system, who.to_owned(), vec![Message::user(printed.question)]);
        let mut tools = GraphTools::default();
        for (i, (name, arguments)) in printed.calls.iter().enumerate() {
            let call = ToolCall {
                id: format!("call_{}", i + 1),
                name: (*name).to_owned(),
                arguments: arguments.to_string(),
            };
            let said = Message { tool_calls: vec![call.clone()], ..Message::assistant("") };
            trace.steps.push(turn(said));
            let output = tools.call(name, arguments.clone()).unwrap();
            let result = ToolResult::Value { value: output.value, notes: output.notes };
            let body = StepBody::Call { call, result, effects: output.effects, told: None };
            trace.steps.push(step(body));
        }
        trace.steps.push(turn(Message::assistant(printed.answer)));
        trace.stop = Some(Stop::Answered);
        trace
    }

    /// The graph of a trace against the scenario, whose nodes it calls by their numbers.
    fn map_faults(trace: &Trace) -> Vec<String> {
        let scenario = Scenario::from_json(NINE_LOCATIONS).unwrap();
        let graph = trace.graph_after(trace.steps.len()).unwrap();
        check_graph(&scenario, &graph).into_iter().map(|f| f.message).collect()
    }

    fn record(printed: &Printed) -> Record {
        let trace = trace(printed);
        let score = match parse_question(printed.question) {
            Ok(problem) => {
                let judgement = verify(&problem, printed.answer);
                let (label, value) = label(judgement.verdict);
                let explanation = judgement.explanation;
                RecordScore { name: "verdict".into(), label: label.into(), value, explanation }
            }
            Err(_) => RecordScore {
                name: "verdict".into(),
                label: "incorrect".into(),
                value: 0.0,
                explanation: map_faults(&trace).join("; "),
            },
        };
        let mut record = Record::of(trace);
        record.id = printed.id.to_owned();
        record.task = parse_question(printed.question)
            .map_or_else(|_| "rescue".to_owned(), |p| p.task().as_str().to_owned());
        record.score = Some(score);
        for (key, value) in [
            ("source", format!("{PAPER}, section {}", printed.section)),
            ("the paper says", printed.paper_says.to_owned()),
            ("ours", printed.ours.to_owned()),
        ] {
            record.metadata.insert(key.into(), json!(value));
        }
        record
    }

    /// `GRAPHGROUND_RECORD=1` writes the file anew.
    #[test]
    fn the_file_has_what_is_printed_and_what_the_verifier_says() {
        let records: Vec<Record> = printed().iter().map(record).collect();
        if std::env::var_os("GRAPHGROUND_RECORD").is_some() {
            let path = concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/assets/transcripts/graph-grounded.trace.json"
            );
            std::fs::write(path, formats::write_own(&records) + "\n").unwrap();
            return;
        }
        let (format, read) = formats::read(TEXT).unwrap();
        assert_eq!(format.id, formats::FORMATS[0].id);
        assert_eq!(read, records);
        for record in &read {
            let max = RunOptions::default().max_result_chars.unwrap();
            let mut tools = GraphTools::before(&record.trace).with_compact_results(max);
            let found = replay(&record.trace, &mut tools, true);
            assert!(found.findings.iter().all(|(_, f)| *f == ReplayFinding::Same), "{}", record.id);
        }
    }

    /// What the results are in the paper, and where its own verdict is another than ours.
    #[test]
    fn the_verifier_finds_where_the_printed_answers_are_right_and_wrong() {
        let all = printed();
        let of = |id: &str| all.iter().find(|p| p.id == id).unwrap();
        let verdict = |id: &str| record(of(id)).score.unwrap().label;
        let result = |id: &str, at: usize| {
            let trace = trace(of(id));
            let mut values = trace.steps.iter().filter_map(|s| match &s.body {
                StepBody::Call { result: ToolResult::Value { value, .. }, .. } => Some(value),
                _ => None,
            });
            values.nth(at).cloned().unwrap()
        };
        // The results that are printed come out of our functions too.
        assert_eq!(result("friends-grounded", 3)["path"], json!([0, 1, 3, 4]));
        assert_eq!(result("distance-grounded", 3)["path"], Value::Null);
        assert_eq!(result("rescue-map", 3)["path"], json!([5, 3]));
        assert_eq!(result("rescue-map", 4)["path"], json!([5, 2, 1, 6, 4, 7]));
        // Two answers without functions are wrong, as the paper says, and one with them is right.
        assert_eq!(verdict("friends-alone"), "incorrect");
        assert_eq!(verdict("distance-grounded"), "correct");
        // There is no edge from 3 to 4 and none from 3 to 5.
        let problem = parse_question(SEVEN).unwrap();
        let n_false = claims::find(&problem, of("distance-alone").answer)
            .iter()
            .filter(|c| !c.is_true)
            .count();
        assert!(n_false >= 2, "{n_false}");
        assert_eq!(verdict("distance-alone"), "incorrect");
        // The paper counts this as right. Three is right; but Katy (1) does not know Steve (3): the
        // model built another graph than the one that was told, and its path is in that graph alone.
        assert_ne!(verdict("friends-grounded"), "correct");
        let told = parse_question(FRIENDS).unwrap().graph;
        let built = trace(of("friends-grounded")).graph_after(99).unwrap();
        let has = |graph: &Graph, a: i64, b: i64| graph.edge(&a.into(), &b.into()).is_some();
        assert!(has(&told, 2, 3) && !has(&built, 2, 3));
        assert!(!has(&told, 1, 3) && has(&built, 1, 3));
        // The map has a road that is none, and lacks the short one to L7.
        let faults = map_faults(&trace(of("rescue-map"))).join("\n");
        for part in ["L5", "L9", "L7"] {
            assert!(faults.contains(part), "{faults}");
        }
    }
}

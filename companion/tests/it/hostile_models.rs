//! Models whose queries take all memory or never end: a bench marks the query and continues.

use serde_json::{Value, json};
use test_support::{Folder, StubServer};

use crate::program::{graphground, stderr};

/// What the models of Knowledge Graph of Thoughts say, where all of them read with this query.
fn plays(query: &str, asked: &Value) -> Value {
    let messages = asked["messages"].as_array().into_iter().flatten();
    let words: String = messages.filter_map(|m| m["content"].as_str()).collect();
    let content = if words.contains("Decide on the next step") {
        json!({ "query_type": "RETRIEVE", "query": query })
    } else if words.contains("Write the new information") {
        json!({ "queries": [] })
    } else {
        json!({ "needs_calculation": false, "solution": "4", "choice": 1, "query": query, "reason": "x" })
    };
    let message = json!({ "role": "assistant", "content": content.to_string() });
    json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] })
}

#[test]
fn a_models_query_that_takes_too_much_ends_no_run() {
    let queries = [
        ("kgot-cypher", "RETURN size(reduce(l = [1], i IN range(1, 1000000) | [l]))"),
        ("kgot-cypher", "RETURN reduce(l = [1], i IN range(1, 60) | [l, l])"),
        (
            "kgot-sparql",
            "SELECT ?x { BIND(REPLACE('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'a', 'bbbbbbbbbbbbbbbbbbbbbbbb') \
             AS ?b) BIND(REPLACE(?b, 'b', ?b) AS ?c) BIND(REPLACE(?c, 'b', ?c) AS ?d) \
             BIND(REPLACE(?d, 'b', ?d) AS ?e) BIND(STRLEN(?e) AS ?x) }",
        ),
    ];
    let folder = Folder::new().with(
        "tasks.json",
        json!({ "question": "What is 2+2?", "answer": "4", "level": "1" }).to_string(),
    );
    let (tasks, out) = (folder.file("tasks.json"), folder.file("runs.jsonl"));
    for (system, query) in queries {
        let server = StubServer::start(move |asked| {
            (200, "application/json", plays(query, &asked.json()).to_string())
        });
        let url = server.endpoint();
        let args = ["bench", "--experiment", "kgot", "--system", system, "--problems", &tasks];
        let args = [&args[..], &["--rounds", "3"]].concat();
        let args = [&args[..], &["--endpoint", &url, "--model", "m", "--out", &out]].concat();
        // The second time there is nothing left to do.
        for _ in 0..2 {
            let output = graphground(&args);
            assert!(matches!(output.status.code(), Some(0 | 3)), "{query}: {}", stderr(&output));
            let text = std::fs::read_to_string(&out).unwrap();
            assert_eq!(text.matches("\"type\":\"run\"").count(), 1, "{query}: {text}");
            let reasons =
                ["more than 100 deep", "more than 4000000 parts", "of memory and was stopped"];
            assert!(reasons.iter().any(|reason| text.contains(reason)), "{query}: {text}");
        }
        std::fs::remove_file(&out).unwrap();
    }
}

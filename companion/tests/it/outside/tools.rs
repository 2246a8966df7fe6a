//! Tools of a bench: what they reach, what is off, and what nobody is told.

use serde_json::{Value, json};

use test_support::{Folder, StubServer, said};

use super::{KEY, graphground, lines, model};
use crate::program::both;

const CASE: &str = r#"{"question": "How many towers has the castle?", "answer": "7"}"#;
/// The system whose one conversation calls what its model says.
const ALONE: &str = "bench --experiment kgot --system no-graph --model m --no-stream --out r.jsonl";

fn bench(folder: &Folder, model: &StubServer, more: &[&str]) -> String {
    let endpoint = model.endpoint();
    let mut args: Vec<&str> = ALONE.split(' ').collect();
    args.extend(["--endpoint", &endpoint]);
    args.extend(more);
    let output = graphground(folder, &args);
    assert!(output.status.success(), "{}", both(&output));
    both(&output)
}

fn searcher() -> StubServer {
    StubServer::start(|_| {
        let found = json!({ "results": [
            { "title": "A castle", "url": "https://castle.example", "content": "It has 7 towers." },
        ] });
        (200, "application/json", found.to_string())
    })
}

/// What the tools of the first run gave.
fn results(folder: &Folder) -> Vec<Value> {
    let run = &lines(folder, "r.jsonl", "run")[0];
    let steps = run["trace"]["steps"].as_array().unwrap();
    steps.iter().map(|step| step["body"].clone()).filter(|b| b["type"] != "model").collect()
}

fn tools(folder: &Folder) -> Vec<String> {
    let entries = lines(folder, "r.jsonl", "tools");
    let last = entries.last().unwrap()["tools"].as_array().unwrap();
    last.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_search_is_told_the_words_and_never_the_key_even_if_a_model_says_it() {
    let folder = Folder::new().with("one.json", CASE).with("two.json", CASE);
    let search = searcher();
    // The endpoint repeats the key that it was sent as the words to look for.
    let model = StubServer::start(|asked| {
        let key = asked.head.lines().find_map(|l| l.split_once("Bearer ")).map(|(_, k)| k.trim());
        let key = key.or_else(|| asked.head.split("bearer ").nth(1)).unwrap_or("none").to_owned();
        let (body, call) = (asked.json(), json!({ "words": format!("castle towers {key}") }));
        let last = body["messages"].as_array().unwrap().last().unwrap().clone();
        if last["role"] != "user" {
            return said(&json!({ "role": "assistant", "content": "FINAL ANSWER: 7" }));
        }
        said(&json!({ "role": "assistant", "content": null, "tool_calls": [{
            "id": "call_1", "type": "function",
            "function": { "name": "search_web", "arguments": call.to_string() },
        }] }))
    });
    let template = format!("{}/find?private=SETTING&q={{query}}", search.url);
    let more =
        ["--key-env", "PLANTED", "--search", &template, "--problems", "one.json", "two.json"];
    let words = bench(&folder, &model, &more);
    assert!(
        model.seen().iter().all(|asked| asked.head.contains(KEY)),
        "the model's endpoint has it"
    );
    assert!(!search.seen().is_empty());
    for asked in search.seen() {
        let text = asked.text();
        assert!(asked.line.starts_with("GET /find?private=SETTING&q=castle%20towers%20"), "{text}");
        assert!(!text.contains("CANARY"), "{text}");
        assert!(!text.to_lowercase().contains("authorization"), "{text}");
        assert!(asked.head.to_lowercase().contains("user-agent: graphground/"), "{text}");
    }
    let text = std::fs::read_to_string(folder.join("r.jsonl")).unwrap();
    assert!(text.contains("It has 7 towers."), "{text}");
    for private in ["CANARY", "SETTING"] {
        assert!(!text.contains(private) && !words.contains(private), "{words} {text}");
    }
    assert!(lines(&folder, "r.jsonl", "run").iter().all(|r| r["score"]["verdict"] == "Correct"));
}

#[test]
fn nothing_outside_is_asked_unless_it_is_named() {
    let folder = Folder::new().with("one.json", CASE);
    let search = searcher();
    let model = model(Some(("search_web", json!({ "words": "castle" }))), "FINAL ANSWER: 7");
    bench(&folder, &model, &["--problems", "one.json"]);
    assert!(search.seen().is_empty());
    assert_eq!(tools(&folder), ["calculate", "read_file", "find_in_file", "search_files"]);
    let before = lines(&folder, "r.jsonl", "setup");
    // With a tool more it is another setup, whose runs are made anew.
    bench(&folder, &model, &["--problems", "one.json", "--search", &search.url]);
    assert_eq!(search.seen().len(), 1);
    assert!(tools(&folder).contains(&"search_web".to_owned()));
    let setups = lines(&folder, "r.jsonl", "setup");
    assert_eq!((before.len(), setups.len()), (1, 2));
    assert_eq!(lines(&folder, "r.jsonl", "run").len(), 2);
    // The address of the server is the person's, and stands nowhere.
    let text = std::fs::read_to_string(folder.join("r.jsonl")).unwrap();
    assert!(!text.contains(&search.url), "{text}");
}

#[test]
fn wikipedia_and_a_reader_are_tools_where_they_are_named() {
    let folder = Folder::new().with("one.json", CASE);
    let reader = StubServer::start(|_| {
        let page = "<html><body><h1>Castle</h1><p>It has <b>7</b> towers.</p></body></html>";
        (200, "text/html", page.to_owned())
    });
    let page = json!({ "url": "https://castle.example/a?b=c" });
    let model = model(Some(("open_web_page", page)), "FINAL ANSWER: 7");
    let template = format!("{}/read?page={{url}}", reader.url);
    bench(&folder, &model, &["--problems", "one.json", "--wikipedia", "--reader", &template]);
    let tools = tools(&folder);
    for name in ["wikipedia_search", "wikipedia_page", "open_web_page"] {
        assert!(tools.iter().any(|tool| tool == name), "{tools:?}");
        assert!(model.seen()[0].body.contains(name), "models are told of {name}");
    }
    let line = &reader.seen()[0].line;
    assert!(line.contains("/read?page=https%3A%2F%2Fcastle.example%2Fa%3Fb%3Dc "), "{line}");
    let results = results(&folder);
    assert!(results[0].to_string().contains("# Castle"), "Markdown was made of it: {results:?}");
}

#[test]
fn the_same_call_of_other_runs_is_carried_out_once() {
    let mut folder = Folder::new();
    for name in ["a.json", "b.json", "c.json"] {
        folder = folder.with(name, CASE);
    }
    let search = searcher();
    let model = model(Some(("search_web", json!({ "words": "castle" }))), "FINAL ANSWER: 7");
    let files = ["--problems", "a.json", "b.json", "c.json"];
    bench(
        &folder,
        &model,
        &[&["--search", &search.url, "--concurrency", "1"], &files[..]].concat(),
    );
    assert_eq!((lines(&folder, "r.jsonl", "run").len(), search.seen().len()), (3, 1));
}

#[test]
fn a_server_that_is_not_there_is_told_without_its_address() {
    let folder = Folder::new().with("one.json", CASE);
    let model = model(Some(("search_web", json!({ "words": "castle" }))), "FINAL ANSWER: 7");
    // Nobody listens at a port that was just given back.
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let template = format!("http://{gone}/find?private=SETTING&q={{query}}");
    bench(&folder, &model, &["--problems", "one.json", "--search", &template]);
    let text = std::fs::read_to_string(folder.join("r.jsonl")).unwrap();
    assert!(text.contains("cannot be asked") && !text.contains("SETTING"), "{text}");
}

#[test]
fn graphs_grow_in_networkx_where_python_runs_and_not_without() {
    let folder = Folder::new();
    let run = |more: &str| {
        let args = format!("bench --experiment kgot --n 1 --model script --out r.jsonl {more}");
        graphground(&folder, &args.split(' ').collect::<Vec<_>>())
    };
    let refused = run("--system kgot-networkx");
    assert_eq!(refused.status.code(), Some(1));
    assert!(both(&refused).contains("needs --python"), "{}", both(&refused));
    let rest = run("--system all --level lookup");
    assert!(rest.status.success() && both(&rest).contains("left out: kgot-networkx"));
    let output = run("--system kgot-networkx --level lookup --python");
    let words = both(&output);
    if words.contains("--python needs") {
        eprintln!("skipped: there is no python3 with networkx");
        return;
    }
    assert!(output.status.success(), "{words}");
    let runs = lines(&folder, "r.jsonl", "run");
    let last = runs.last().unwrap();
    assert_eq!(last["score"]["verdict"], "Correct", "{last}");
    assert!(last["trace"].to_string().contains("G.add_edge"), "it was written in Python");
}

/// A model that sees is shown the image of a task; its bytes are in no file.
#[test]
fn an_image_goes_to_the_endpoint_where_the_model_sees_and_nowhere_else() {
    let png = "iVBORw0KGgpyZWQ=";
    let case = json!({
        "question": "Which colour?", "answer": "red",
        "attached": [{ "name": "a.png", "bytes": png }],
    });
    let model = model(None, "FINAL ANSWER: red");
    for (more, sees) in [(&[][..], false), (&["--sees-images"][..], true)] {
        let folder = Folder::new().with("one.json", case.to_string());
        let n = model.seen().len();
        let more = [&["--key-env", "PLANTED", "--problems", "one.json"], more].concat();
        bench(&folder, &model, &more);
        let sent = model.seen()[n..].iter().any(|asked| asked.body.contains(png));
        assert_eq!(sent, sees);
        let run = lines(&folder, "r.jsonl", "run").remove(0).to_string();
        assert!(!run.contains(png) && !run.contains(KEY), "{run}");
        assert_eq!(run.contains("image/png"), sees, "{run}");
    }
}

#[test]
fn python_runs_only_where_somebody_asks_for_it_and_the_person_is_warned() {
    let code = json!({ "code": "import os\nprint(6 * 7, os.environ.get('PLANTED'))" });
    let model = model(Some(("run_python", code)), "FINAL ANSWER: 7");
    let folder = Folder::new().with("one.json", CASE);
    let words = bench(&folder, &model, &["--problems", "one.json"]);
    assert!(!words.contains("runs on this machine"), "{words}");
    assert!(!results(&folder)[0].to_string().contains("42"));
    let endpoint = model.endpoint();
    let mut args: Vec<&str> = ALONE.split(' ').collect();
    args.extend(["--endpoint", &endpoint, "--problems", "one.json", "--python"]);
    let output = graphground(&folder, &args);
    let words = both(&output);
    if words.contains("--python needs") {
        assert_eq!(output.status.code(), Some(1));
        eprintln!("skipped: there is no python3 with networkx");
        return;
    }
    assert!(output.status.success(), "{words}");
    assert!(words.contains("--python: the code that a model writes runs on this machine"));
    assert!(words.contains("it can read and write your files"), "{words}");
    let run = &lines(&folder, "r.jsonl", "run")[1];
    assert!(run.to_string().contains("42 None"), "no keys of the environment: {run}");
    // An estimate runs nothing, and needs no warning.
    args.push("--dry-run");
    assert!(!both(&graphground(&folder, &args)).contains("runs on this machine"));
}

#[test]
fn what_does_not_fit_is_refused_before_anything_is_written() {
    let folder = Folder::new();
    for (line, words) in [
        ("--experiment nlgraph --wikipedia", "--wikipedia is for kgot; nlgraph has no tools that"),
        ("--experiment kgqa --search https://s.example", "--search is for kgot; kgqa has no"),
        ("--experiment rescue --reader https://r.example/{url}", "--reader is for kgot"),
        ("--experiment family --python", "--python is for kgot"),
        ("--experiment kgot --reader https://r.example/", "has no {url} where"),
        ("--experiment kgot --search searx", "no address of the web"),
        ("--experiment kgot --search https://me:secret@s.example", "has a login in it"),
    ] {
        let args: Vec<&str> =
            "bench --n 1 --out x.jsonl".split(' ').chain(line.split(' ')).collect();
        let output = graphground(&folder, &args);
        let why = both(&output);
        assert!(output.status.code() == Some(1) && why.contains(words), "{line}: {why}");
        assert!(!why.contains("secret") && !folder.join("x.jsonl").exists(), "{line}: {why}");
    }
    let help = both(&graphground(&folder, &["bench", "--help"]));
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["leaves this machine for wikipedia.org", "this is no sandbox", "as you"] {
        assert!(help.contains(words), "{words}");
    }
}

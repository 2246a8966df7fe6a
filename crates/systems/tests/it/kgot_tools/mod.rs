//! The tools of Knowledge Graph of Thoughts: files of every kind, the web by tapes, Python by
//! somebody who plays it, and how the controller calls them.
//!
//! The tapes under `tests/cassettes` follow public documentation, which each names; none was
//! recorded.

mod models;

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::pin::pin;

use agent::{AsyncToolSet, Cancel, Limits, RunContext, ToolFailure, ToolOutput, Transport};
use futures_util::FutureExt as _;
use kg::property::{Properties, PropertyGraph};
use llm::{
    BoxFuture, ChatRequest, ChatResponse, Endpoint, FinishReason, HttpRequest, HttpResponse,
    Message, Model, ModelError, Retry, ToolCall, Usage, Watch, providers,
};
use serde_json::{Value, json};
use systems::experiment::{CaseRequest, Models, Setup, Source, World};
use systems::kgot::{
    KgotFile, KgotModels, KgotOptions, KgotPlace, KgotTask, PythonFailure, PythonFault,
    PythonGraph, PythonReply, PythonRequest, PythonRunner, TaskTools, ToolCache, ToolPlace,
    WebTools, run, run_without_graph, told_graph,
};
use tasks::Verdict;
use test_support::context;
use trace::{StepBody, Stop};

/// A place where documents are read.
fn reads() -> ToolPlace<'static> {
    ToolPlace { files: Some(&backends::DocumentFiles), ..ToolPlace::default() }
}

/// Answers what a tape says, in order, and asserts that this and nothing else is asked.
#[derive(Default)]
struct Tape {
    exchanges: RefCell<Vec<Value>>,
    /// How many more times an answer lets others go first.
    slow: Cell<usize>,
    open: Cell<usize>,
    most: Cell<usize>,
}

impl Tape {
    fn new(exchanges: &Value) -> Self {
        let exchanges = RefCell::new(exchanges.as_array().unwrap().clone());
        Self { exchanges, ..Self::default() }
    }
}

impl Transport for Tape {
    fn send<'a>(
        &'a self,
        endpoint: &'a Endpoint,
        request: HttpRequest,
    ) -> BoxFuture<'a, Result<HttpResponse, ModelError>> {
        let exchange = {
            let mut exchanges = self.exchanges.borrow_mut();
            assert!(!exchanges.is_empty(), "{} was not to be asked", request.url);
            exchanges.remove(0)
        };
        assert_eq!(endpoint.provider, providers::HTTP);
        assert!(
            request.url.starts_with(&endpoint.base_url),
            "{} {}",
            request.url,
            endpoint.base_url
        );
        assert_eq!((request.method.as_str(), request.body.as_str()), ("GET", ""));
        assert!(request.headers.is_empty(), "a header more is a question more in a browser");
        assert_eq!(request.url, exchange["url"].as_str().unwrap());
        let body = &exchange["body"];
        let answer = HttpResponse {
            status: exchange["status"].as_u64().unwrap() as u16,
            content_type: exchange["content_type"].as_str().map(str::to_owned),
            retry_after_ms: None,
            body: body.as_str().map_or_else(|| body.to_string(), str::to_owned),
        };
        self.open.set(self.open.get() + 1);
        let mut waits = self.slow.get();
        Box::pin(async move {
            std::future::poll_fn(|context| {
                self.most.set(self.most.get().max(self.open.get()));
                if waits == 0 {
                    return std::task::Poll::Ready(());
                }
                waits -= 1;
                context.waker().wake_by_ref();
                std::task::Poll::Pending
            })
            .await;
            self.open.set(self.open.get() - 1);
            Ok(answer)
        })
    }

    fn clean<'a>(
        &'a self,
        _: &'a Endpoint,
        outcome: Result<ChatResponse, ModelError>,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(async { outcome })
    }

    fn sleep(&self, _: u64) -> BoxFuture<'static, ()> {
        Box::pin(async {})
    }
}

fn call(tools: &TaskTools<'_>, name: &str, arguments: Value) -> Result<ToolOutput, ToolFailure> {
    tools.call(name, arguments).now_or_never().expect("nothing waits here")
}

#[test]
fn what_the_web_answers_is_told_as_the_tape_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cassettes");
    let mut n = 0;
    for of in ["wikipedia", "web"] {
        for entry in std::fs::read_dir(folder.join(of)).unwrap() {
            let path = entry.unwrap().path();
            let tape: Value =
                serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            assert!(tape["source"].as_str().unwrap().len() > 5 && tape["recorded"] == json!(false));
            let web: WebTools = serde_json::from_value(tape["web"].clone()).unwrap();
            assert_eq!(web.check(), Ok(()), "{path:?}");
            let transport = Tape::new(&tape["exchanges"]);
            let place = ToolPlace { transport: Some(&transport), web, ..reads() };
            let tools = TaskTools::new(&[], &place);
            let name = tape["call"].as_str().unwrap();
            assert!(tools.specs().iter().any(|spec| spec.name == name), "{name} is not offered");
            match call(&tools, name, tape["arguments"].clone()) {
                Ok(output) => {
                    assert_eq!(output.value, tape["told"], "{path:?}");
                    assert_eq!(
                        json!(output.notes),
                        *tape.get("notes").unwrap_or(&json!([])),
                        "{path:?}"
                    );
                }
                Err(error) => assert_eq!(json!(error.message), tape["error"], "{path:?}"),
            }
            assert!(transport.exchanges.borrow().is_empty(), "{path:?}");
            n += 1;
        }
    }
    assert!(n >= 20, "{n} tapes");
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let mut sum = flate2::Crc::new();
        sum.update(bytes);
        let (at, size) = (out.len() as u32, (bytes.len() as u32).to_le_bytes());
        let mut common = vec![20, 0, 0, 8, 0, 0, 0, 0, 0, 0];
        common.extend(sum.sum().to_le_bytes());
        common.extend([size, size].concat());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0; 2]);
        out.extend([b"PK\x03\x04", common.as_slice(), name.as_bytes(), bytes].concat());
        directory.extend([b"PK\x01\x02\x14\x03", common.as_slice(), &[0; 10]].concat());
        directory.extend(at.to_le_bytes());
        directory.extend(name.bytes());
    }
    let (start, n) = (out.len() as u32, (files.len() as u16).to_le_bytes());
    out.extend(&directory);
    out.extend([b"PK\x05\x06\0\0\0\0".as_slice(), &n, &n].concat());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0; 2]);
    out
}

fn files() -> Vec<KgotFile> {
    let inner = zip(&[("x.txt", b"deep")]);
    vec![
        KgotFile::of_text("plain.csv", "k,v\nheron,1\n"),
        KgotFile::of_bytes("page.html", b"<h1>Heron</h1><script>no()</script><p>two".to_vec()),
        KgotFile::of_bytes("latin.txt", b"caf\xe9 heron".to_vec()),
        KgotFile::of_bytes(
            "All.zip",
            zip(&[
                ("dir/a.md", b"# A\nheron three"),
                ("in.zip", &inner),
                ("b.png", b"\x89PNG\r\n\x1a\n"),
            ]),
        ),
        KgotFile::of_text("long.txt", "line heron\n".repeat(450)),
    ]
}

#[test]
fn files_of_every_kind_are_read_page_by_page() {
    let (files, place) = (files(), reads());
    let tools = TaskTools::new(&files, &place);
    let read = |file: &str| call(&tools, "read_file", json!({ "file": file })).map(|o| o.value);
    let text = |file: &str| read(file).unwrap()["text"].as_str().unwrap().to_owned();
    assert_eq!(
        read("PLAIN.csv").unwrap(),
        json!({ "file": "plain.csv", "text": "k,v\nheron,1\n" })
    );
    assert_eq!(text("./page.html"), "# Heron\n\ntwo\n");
    let latin = call(&tools, "read_file", json!({ "file": "latin.txt" })).unwrap();
    assert_eq!(latin.value["text"], "café heron\n");
    assert!(latin.notes[0].contains("Windows-1252"), "{:?}", latin.notes);
    assert_eq!(
        text("All.zip"),
        "A zip with 3 files:\n- All.zip/dir/a.md (15 bytes)\n- All.zip/in.zip (112 bytes)\n\
         - All.zip/b.png (8 bytes)\n"
    );
    assert_eq!(text("all.zip/dir/a.md"), "# A\nheron three\n");
    let page = call(&tools, "read_file", json!({ "file": "long.txt", "page": 3 })).unwrap().value;
    assert_eq!((&page["page"], &page["pages"]), (&json!(3), &json!(3)));
    assert_eq!(page["text"].as_str().unwrap().lines().count(), 50);
    let error = |arguments: Value| call(&tools, "read_file", arguments).unwrap_err().message;
    assert!(error(json!({ "file": "long.txt", "page": 4 })).contains("the pages are 1 to 3"));
    assert!(error(json!({ "file": "All.zip/b.png" })).contains("is an image"));
    assert!(error(json!({ "file": "All.zip/no" })).contains("the zip has All.zip/dir/a.md"));
    assert!(error(json!({ "file": "plain.csv/x" })).contains("is no zip"));
    assert!(error(json!({ "file": "other" })).contains("there are plain.csv, page.html"));
    assert!(error(json!({ "name": "x" })).contains("unknown field"));

    let found = call(&tools, "search_files", json!({ "words": "HERON" })).unwrap().value;
    let names: Vec<&str> =
        found["found"].as_array().unwrap().iter().map(|f| f["file"].as_str().unwrap()).collect();
    for name in ["plain.csv", "page.html", "latin.txt", "All.zip/dir/a.md", "long.txt"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert_eq!(found["more"], json!(254));
    assert_eq!(found["not_read"], json!(["All.zip/b.png"]));
    let found =
        call(&tools, "find_in_file", json!({ "file": "long.txt", "words": "line" })).unwrap();
    assert_eq!(found.value["found"][199], json!({ "line": 200, "page": 1, "text": "line heron" }));
    assert_eq!(found.value["more"], json!(250));
}

#[test]
fn old_files_are_read_and_new_ones_survive_json() {
    let old: KgotFile = serde_json::from_str(r#"{"name": "a.txt", "text": "one"}"#).unwrap();
    assert_eq!(old, KgotFile::of_text("a.txt", "one"));
    for file in files() {
        let text = serde_json::to_string(&file).unwrap();
        assert_eq!(serde_json::from_str::<KgotFile>(&text).unwrap(), file);
    }
}

#[test]
fn every_tool_says_what_it_does() {
    let files = files();
    let transport = Tape::default();
    let python = Played::new(Vec::new());
    let web = WebTools {
        wikipedia: true,
        reader: Some("https://r.example/{url}".into()),
        search: Some("https://s.example".into()),
    };
    let place = ToolPlace {
        transport: Some(&transport),
        python: Some(&python),
        web,
        sees: true,
        cache: None,
        files: Some(&backends::DocumentFiles),
    };
    let tools = TaskTools::new(&files, &place);
    tools.sees(&PropertyGraph::default());
    let specs: Vec<String> = tools
        .specs()
        .iter()
        .map(|spec| format!("{}: {}\n{}", spec.name, spec.description, spec.parameters))
        .collect();
    insta::assert_snapshot!("kgot_tools", specs.join("\n\n"));
    // Nothing outside is offered that the person did not allow.
    let names = |place: &ToolPlace<'_>| -> Vec<String> {
        TaskTools::new(&[], place).without_model().specs().into_iter().map(|s| s.name).collect()
    };
    assert_eq!(names(&reads()), ["calculate"]);
    let place = ToolPlace { transport: Some(&transport), ..reads() };
    assert_eq!(names(&place), ["calculate"]);
    let all = WebTools { wikipedia: true, ..WebTools::default() };
    assert_eq!(names(&ToolPlace { web: all, ..reads() }), ["calculate"]);
}

#[test]
fn a_page_that_was_opened_is_not_fetched_again_and_runs_share_what_they_were_given() {
    let url = "https://long.example/";
    let body = format!("<p>{}", "word ".repeat(9_000));
    let exchange = json!([{
        "url": "https://r.example/https%3A%2F%2Flong.example%2F", "status": 200,
        "content_type": "text/html", "body": body,
    }]);
    let transport = Tape::new(&exchange);
    let cache = ToolCache::default();
    let web = WebTools { reader: Some("https://r.example/{url}".into()), ..WebTools::default() };
    let place =
        ToolPlace { transport: Some(&transport), web, cache: Some(&cache), ..ToolPlace::default() };
    let tools = TaskTools::new(&[], &place);
    let first = call(&tools, "open_web_page", json!({ "url": url })).unwrap();
    assert_eq!(first.value["pages"], json!(3));
    call(&tools, "open_web_page", json!({ "url": url, "page": 3 })).unwrap();
    assert!(call(&tools, "open_web_page", json!({ "url": url, "page": 9 })).is_err());
    assert_eq!(cache.len(), 2, "failures are not kept");
    let later = TaskTools::new(&[], &place);
    assert_eq!(call(&later, "open_web_page", json!({ "url": url })).unwrap(), first);

    // The same call about another file is another call.
    let (one, two) = ([KgotFile::of_text("a", "1")], [KgotFile::of_text("a", "2")]);
    let read = |files: &[KgotFile]| {
        call(&TaskTools::new(files, &place), "read_file", json!({ "file": "a" })).unwrap().value
    };
    assert_ne!(read(&one), read(&two));
    assert_eq!((read(&one), cache.len()), (json!({ "file": "a", "text": "1\n" }), 4));
}

/// Says what it is told to, and remembers what it was asked.
struct Played {
    replies: RefCell<Vec<Result<PythonReply, PythonFailure>>>,
    asked: RefCell<Vec<PythonRequest>>,
}

impl Played {
    fn new(replies: Vec<Result<PythonReply, PythonFailure>>) -> Self {
        Self { replies: RefCell::new(replies), asked: RefCell::default() }
    }
}

impl PythonRunner for Played {
    fn run<'a>(
        &'a self,
        request: PythonRequest,
    ) -> BoxFuture<'a, Result<PythonReply, PythonFailure>> {
        self.asked.borrow_mut().push(request);
        let reply = self.replies.borrow_mut().remove(0);
        Box::pin(async { reply })
    }
}

fn graph() -> PropertyGraph {
    let mut graph = PropertyGraph::default();
    let ada = graph
        .create_node(["Person"], Properties::from([("name".to_owned(), "Ada".into())]))
        .unwrap();
    let text = graph.create_node(["Text"], Properties::new()).unwrap();
    graph.create_edge(ada, "WROTE", text, Properties::new()).unwrap();
    graph
}

#[test]
fn python_is_given_the_graph_and_the_files_and_its_failures_are_told() {
    let failed = |kind, message: &str| PythonFailure {
        line: Some(3),
        output: "one\n".into(),
        ..PythonFailure::new(kind, message)
    };
    let python = Played::new(vec![
        Ok(PythonReply { output: "2\n".into(), result: json!([1, 2]), ..PythonReply::default() }),
        Err(failed(PythonFault::Runtime, "KeyError: 'x'")),
        Ok(PythonReply { output: "x".repeat(30_000), ..PythonReply::default() }),
        Ok(PythonReply::default()),
    ]);
    let cache = ToolCache::default();
    let place = ToolPlace { python: Some(&python), cache: Some(&cache), ..reads() };
    let files = files();
    let tools = TaskTools::new(&files, &place);
    tools.sees(&graph());
    let run = |code: &str| call(&tools, "run_python", json!({ "code": code }));
    assert_eq!(run("print(2)").unwrap().value, json!({ "output": "2\n", "result": [1, 2] }));
    let error = run("x").unwrap_err();
    assert_eq!(error.code, "runtime");
    assert_eq!(error.message, "KeyError: 'x' (line 3)\nIt had printed:\none\n");
    let long = run("y").unwrap().value["output"].as_str().unwrap().chars().count();
    assert!((20_000..20_100).contains(&long), "{long}");
    assert!(run("pass").unwrap().notes[0].contains("nothing was printed"));
    assert!(run(" ").unwrap_err().message.contains("expected 1 to 50000"));
    assert!(cache.is_empty(), "what Python gives is never kept");

    let asked = python.asked.borrow();
    assert_eq!(asked[0].graph.as_ref(), Some(&told_graph(&graph())));
    assert!(!asked[0].wants_graph && asked[0].limit_ms == 10_000);
    let names: Vec<&str> = asked[0].files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["plain.csv", "page.html.md", "latin.txt.md", "All.zip.md", "long.txt"]);
    assert_eq!(
        serde_json::to_value(&asked[0].graph).unwrap(),
        json!({
            "directed": true,
            "nodes": [
                { "id": "0", "labels": ["Person"], "properties": { "name": "Ada" } },
                { "id": "1", "labels": ["Text"], "properties": {} },
            ],
            "edges": [
                { "id": "0", "source": "0", "target": "1", "type": "WROTE", "properties": {} },
            ],
        })
    );
    // What comes back may have nodes of its own, with names of its own.
    let back = r#"{"nodes": [{"id": null, "key": 7}], "edges": [{"source": 7, "target": "a", "type": "R"}]}"#;
    let back: PythonGraph = serde_json::from_str(back).unwrap();
    assert!(back.directed && back.nodes[0].id.is_none() && back.edges[0].edge_type == "R");
}

//! The tools of Knowledge Graph of Thoughts: files of every kind, the web by tapes, Python by
//! somebody who plays it, and how the controller calls them.
//!
//! The tapes under `tests/cassettes` follow public documentation, which each names; none was
//! recorded.
#![allow(clippy::unwrap_used, clippy::expect_used)]

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
use systems::experiment::{self, CaseRequest, Models, Setup, Source, World};
use systems::kgot::{
    DocumentFiles, KgotFile, KgotModels, KgotOptions, KgotPlace, KgotTask, PythonFailure,
    PythonFault, PythonGraph, PythonReply, PythonRequest, PythonRunner, TaskTools, ToolCache,
    ToolPlace, WebTools, run, run_without_graph, told_graph,
};
use tasks::Verdict;
use trace::{StepBody, Stop};

/// A place where documents are read.
fn reads() -> ToolPlace<'static> {
    ToolPlace { files: Some(&DocumentFiles), ..ToolPlace::default() }
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
        files: Some(&DocumentFiles),
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
        "url": "https://r.example/https://long.example/", "status": 200,
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
        kind,
        message: message.into(),
        line: Some(3),
        output: "one\n".into(),
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

/// Calls tools in its first turn, and solves in the next.
struct Caller {
    calls: Vec<(&'static str, Value)>,
    turn: Cell<usize>,
}

impl Model for Caller {
    fn label(&self) -> String {
        "Caller".into()
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        _: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        let mut message = Message::assistant(r#"{"queries": [], "solution": "done"}"#);
        if !request.tools.is_empty() {
            message = Message::assistant("");
            message.tool_calls = (0..)
                .zip(&self.calls)
                .map(|(i, (name, arguments))| ToolCall {
                    id: format!("c{i}"),
                    name: (*name).into(),
                    arguments: arguments.to_string(),
                })
                .collect();
        } else if request.messages[0].content.starts_with("You solve a task by growing") {
            let turn = self.turn.replace(self.turn.get() + 1);
            message.content = match turn {
                0 => r#"{"query_type": "INSERT", "query": "more"}"#.into(),
                _ => r#"{"query_type": "RETRIEVE", "query": "RETURN 1 AS x"}"#.into(),
            };
        }
        let (finish, usage) = (FinishReason::Stop, Usage::default());
        Box::pin(async move { Ok(ChatResponse { message, finish, usage }) })
    }
}

fn wikipedia(words: &[&str]) -> Value {
    let each = words.iter().map(|word| {
        json!({
            "url": format!(
                "https://en.wikipedia.org/w/api.php?action=query&format=json&formatversion=2\
                 &origin=*&list=search&srprop=snippet&srinfo=suggestion&srlimit=8&srsearch={word}"
            ),
            "status": 200,
            "body": { "query": { "search": [{ "title": word, "snippet": "" }] } },
        })
    });
    each.collect()
}

#[test]
fn tools_of_one_reply_are_called_at_once_and_stand_in_order() {
    let calls = vec![
        ("wikipedia_search", json!({ "words": "one" })),
        ("calculate", json!({ "expression": "1 + 1" })),
        ("wikipedia_search", json!({ "words": "two", "language": "en" })),
        // The same again, which is not asked again.
        ("wikipedia_search", json!({ "words": "one" })),
        ("run_python", json!({ "code": "1" })),
        ("nothing", json!({})),
    ];
    let model = Caller { calls, turn: Cell::new(0) };
    let transport = Tape { slow: Cell::new(3), ..Tape::new(&wikipedia(&["one", "two"])) };
    let python = Played::new(vec![Ok(PythonReply { result: json!(1), ..PythonReply::default() })]);
    let web = WebTools { wikipedia: true, ..WebTools::default() };
    let place = ToolPlace {
        transport: Some(&transport),
        python: Some(&python),
        web,
        sees: true,
        cache: None,
        files: Some(&DocumentFiles),
    };
    let options = KgotOptions { votes: 1, maths: false, max_rounds: 2, ..KgotOptions::default() };
    let task = KgotTask { question: "What?".into(), files: Vec::new() };
    let (clock, cancel) = (|| 0.0, Cancel::default());
    let limits = Limits { max_rounds: 99, max_calls: 99, max_tokens: None, deadline_ms: None };
    let setting = RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
    let models = KgotModels { graph: &model, tools: &model };
    let mut on_step = |_: &trace::Step| {};
    let all = KgotPlace { tools: place, ..KgotPlace::default() };
    let mut running = pin!(run(&task, &options, models, &all, setting, &mut on_step));
    let answered = (0..20).find_map(|_| running.as_mut().now_or_never()).unwrap();
    assert_eq!(transport.most.get(), 2, "both were asked at the same time");
    let told: Vec<(String, String)> = answered
        .trace
        .steps
        .iter()
        .filter_map(|step| match &step.body {
            StepBody::Call { call, result, .. } if call.id.starts_with('c') => {
                Some((call.name.clone(), result.to_model_text()))
            }
            _ => None,
        })
        .collect();
    let names: Vec<&str> = told.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "wikipedia_search",
            "calculate",
            "wikipedia_search",
            "wikipedia_search",
            "run_python",
            "nothing"
        ]
    );
    assert!(told[0].1.contains("\"one\"") && told[2].1.contains("\"two\"") && told[3] == told[0]);
    assert!(told[5].1.contains("there is no function"), "{told:?}");
    assert_eq!(
        python.asked.borrow()[0].graph,
        Some(PythonGraph { directed: true, ..PythonGraph::default() })
    );
    assert_eq!(answered.outcome.answer.as_deref(), Some("done"));
}

/// Calls tools as [`Caller`] does, sees images, and keeps what an endpoint would have been sent.
struct Seer {
    caller: Caller,
    sent: RefCell<Vec<String>>,
}

impl Model for Seer {
    fn label(&self) -> String {
        "Seer".into()
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        let Some(last) = request.messages.last().filter(|m| !m.images.is_empty()) else {
            return self.caller.complete(request, watch);
        };
        let provider = providers::find("openai").unwrap();
        let endpoint = Endpoint::new("openai", "http://127.0.0.1:9/v1");
        self.sent.borrow_mut().push((provider.request)(&endpoint, request, false).body);
        let refuses = last.content.contains("blurred");
        Box::pin(async move {
            if refuses {
                return Err(ModelError::Status {
                    status: 400,
                    message: "this model reads no images".to_owned(),
                    hint: String::new(),
                    retry: Retry::default(),
                });
            }
            let (finish, usage) = (FinishReason::Stop, Usage::default());
            let message = Message::assistant("a red square. FINAL ANSWER: red");
            Ok(ChatResponse { message, finish, usage })
        })
    }
}

#[test]
fn a_model_that_sees_is_shown_an_image_and_asked() {
    let (png, zipped) = (b"\x89PNG\r\n\x1a\nred".to_vec(), b"\x89PNG\r\n\x1a\nblue");
    let files = vec![
        KgotFile::of_bytes("a.png", png),
        KgotFile::of_bytes("all.zip", zip(&[("b.png", zipped)])),
        KgotFile::of_text("notes.txt", "no image"),
    ];
    let look = |file: &str, question: &str| {
        ("look_at_image", json!({ "file": file, "question": question }))
    };
    let calls = vec![
        look("A.png", "Which colour?"),
        look("all.zip/b.png", "Which colour?"),
        look("notes.txt", "Which colour?"),
        look("c.png", "Which colour?"),
        look("a.png", "Is it blurred?"),
        ("look_at_image", json!({ "file": "a.png" })),
        look("A.png", "Which colour?"),
    ];
    let model = Seer { caller: Caller { calls, turn: Cell::new(0) }, sent: RefCell::default() };
    let options = KgotOptions { votes: 1, maths: false, max_rounds: 2, ..KgotOptions::default() };
    let task = KgotTask { question: "What?".into(), files };
    let (clock, cancel) = (|| 0.0, Cancel::default());
    let limits = Limits { max_rounds: 99, max_calls: 99, max_tokens: None, deadline_ms: None };
    let setting = || RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
    let models = KgotModels { graph: &model, tools: &model };
    let mut on_step = |_: &trace::Step| {};
    let tools = ToolPlace { sees: true, ..reads() };
    let place = KgotPlace { tools: tools.clone(), ..KgotPlace::default() };
    let answered =
        run(&task, &options, models, &place, setting(), &mut on_step).now_or_never().unwrap();
    let told: Vec<String> = answered
        .trace
        .steps
        .iter()
        .filter_map(|step| match &step.body {
            StepBody::Call { call, result, .. } if call.name == "look_at_image" => {
                Some(result.to_model_text())
            }
            _ => None,
        })
        .collect();
    assert!(told[0].contains("a red square") && told[1] == told[0], "{told:?}");
    assert!(told[2].contains("expected PNG") && told[2].contains("a.png, all.zip/b.png"));
    assert!(told[3].contains("there is no file") && told[4].contains("reads no images"));
    assert!(told[5].contains("missing field `question`") && told[6] == told[0], "{told:?}");
    let sent = model.sent.borrow();
    assert_eq!(sent.len(), 3, "the same is not asked again");
    let base64 = ["iVBORw0KGgpyZWQ=", "iVBORw0KGgpibHVl"];
    assert!(sent[0].contains(base64[0]) && sent[1].contains(base64[1]), "{sent:?}");
    // The trace says which image it was, and has none of its bytes; read again, it is the same.
    let text = serde_json::to_string(&answered.trace).unwrap();
    assert!(!base64.iter().any(|bytes| text.contains(bytes)), "{text}");
    assert_eq!(serde_json::from_str::<trace::Trace>(&text).unwrap(), answered.trace);
    assert!(answered.outcome.costs["look_at_image"].calls == 3, "{:?}", answered.outcome.costs);

    // Without a graph the images come with the task; and nowhere where nobody sees.
    drop(sent);
    model.sent.borrow_mut().clear();
    let (trace, outcome) =
        run_without_graph(&task, &model, &tools, setting(), &mut on_step).now_or_never().unwrap();
    assert_eq!(outcome.answer.as_deref(), Some("red"));
    assert!(base64.iter().all(|bytes| model.sent.borrow()[0].contains(bytes)));
    let text = serde_json::to_string(&trace).unwrap();
    assert!(text.contains("image/png") && !text.contains(base64[0]), "{text}");
    let names = |place: &ToolPlace<'_>, files: &[KgotFile]| -> Vec<String> {
        TaskTools::new(files, place).specs().into_iter().map(|spec| spec.name).collect()
    };
    let look = "look_at_image".to_owned();
    assert!(names(&tools, &task.files).contains(&look));
    assert!(!names(&reads(), &task.files).contains(&look));
    assert!(!names(&tools, &task.files[2..]).contains(&look));
}

#[test]
fn a_run_can_be_stopped_while_a_tool_is_waited_for() {
    let model =
        Caller { calls: vec![("wikipedia_search", json!({ "words": "one" }))], turn: Cell::new(0) };
    let transport = Tape { slow: Cell::new(1_000_000), ..Tape::new(&wikipedia(&["one"])) };
    let web = WebTools { wikipedia: true, ..WebTools::default() };
    let place = ToolPlace { transport: Some(&transport), web, ..reads() };
    let options = KgotOptions { votes: 1, ..KgotOptions::default() };
    let task = KgotTask { question: "What?".into(), files: Vec::new() };
    let (clock, cancel) = (|| 0.0, Cancel::default());
    let limits = Limits::default();
    let setting = RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
    let models = KgotModels { graph: &model, tools: &model };
    let mut on_step = |_: &trace::Step| {};
    let all = KgotPlace { tools: place, ..KgotPlace::default() };
    let mut running = pin!(run(&task, &options, models, &all, setting, &mut on_step));
    assert!(running.as_mut().now_or_never().is_none());
    cancel.cancel();
    assert_eq!(running.now_or_never().unwrap().trace.stop, Some(Stop::Cancelled));
}

/// Answers questions, and grades what it is asked to.
struct Grader(&'static str, RefCell<Vec<String>>);

impl Model for Grader {
    fn label(&self) -> String {
        "Grader".into()
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        _: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        let asked = request.messages[0].content.clone();
        let grades = asked.starts_with("Grade an answer");
        let message =
            Message::assistant(if grades { self.0 } else { "Perhaps.\nFINAL ANSWER: Ada." });
        self.1.borrow_mut().push(asked);
        let (finish, usage) = (FinishReason::Stop, Usage::default());
        Box::pin(async move { Ok(ChatResponse { message, finish, usage }) })
    }
}

#[test]
fn published_benchmarks_are_cases_and_a_model_grades_where_no_rule_can() {
    let experiment = experiment::find("kgot").unwrap();
    let world = World::default();
    let with = |name: &str, text: &str| {
        let files = vec![(name.to_owned(), text.to_owned())];
        experiment.cases(&Source { files, ..Source::default() }, &world)
    };
    let gaia = with(
        "x/metadata.jsonl",
        "{\"task_id\":\"t1\",\"Question\":\"Q\",\"Level\":2,\"Final answer\":\"7\",\"file_name\":\"\"}\n",
    );
    let gaia = gaia.unwrap();
    assert_eq!((gaia[0].id.as_str(), gaia[0].level.as_str()), ("t1", "level 2"));
    let error = with("metadata.jsonl", "{\"Question\":\"Q\"}\n").unwrap_err();
    assert_eq!(
        error,
        "metadata.jsonl: line 1: there is no \"Final answer\"; GAIA's test split has none: take \
         the validation split"
    );
    let cases = with("simpleqa.csv", "metadata,problem,answer\n\"{'topic': 'Art'}\",Who?,Ada\n");
    let cases = cases.unwrap();
    let setup = |system: &str| {
        let json = json!({
            "experiment": "kgot", "system": system, "options": experiment.options(system),
            "limits": experiment.limits(), "roles": {}, "scorer": 1,
        });
        serde_json::from_value::<Setup>(json)
    };
    let (clock, cancel) = (|| 0.0, Cancel::default());
    let limits = Limits::default();
    for (reply, verdict) in
        [("A", Verdict::Correct), ("B", Verdict::Incorrect), ("C", Verdict::NoAnswer)]
    {
        let (model, judge) = (Grader("?", RefCell::default()), Grader(reply, RefCell::default()));
        let mut models = Models::one("tools", &model);
        models.set("judge", &judge);
        let setup = setup("no-graph").unwrap();
        let request = CaseRequest {
            setup: &setup,
            case: &cases[0],
            world: &world,
            models,
            setting: RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() },
            sample: 0,
            on_step: &mut |_| (),
        };
        let finished = experiment.run(request).now_or_never().unwrap().unwrap();
        assert_eq!(finished.score.verdict, verdict, "{:?}", finished.score);
        assert_eq!(finished.outcome["grade"]["said"], json!(reply));
        assert_eq!(finished.trace.n_rounds(), 1, "the judge is no cost of the run");
        let asked = judge.1.borrow();
        assert!(asked[0].contains("<answer>\nAda\n</answer>"), "{}", asked[0]);
        // What is scored again, without a model, is the same.
        let again = experiment.score(&world, &setup, &cases[0], &finished.trace, &finished.outcome);
        assert_eq!(again.unwrap(), finished.score);
    }
}

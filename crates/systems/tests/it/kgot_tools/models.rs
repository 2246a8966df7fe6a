//! Models that call the tools, see images and grade.

use super::*;

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
        files: Some(&backends::DocumentFiles),
    };
    let options = KgotOptions { votes: 1, maths: false, max_rounds: 2, ..KgotOptions::default() };
    let task = KgotTask { question: "What?".into(), files: Vec::new() };
    let cancel = Cancel::default();
    let limits = Limits { max_rounds: 99, max_calls: 99, max_tokens: None, deadline_ms: None };
    let setting = RunContext { limits, ..context(&cancel) };
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
    let cancel = Cancel::default();
    let limits = Limits { max_rounds: 99, max_calls: 99, max_tokens: None, deadline_ms: None };
    let setting = || RunContext { limits, ..context(&cancel) };
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
    let cancel = Cancel::default();
    let setting = context(&cancel);
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
    let experiment = systems::experiments::find("kgot").unwrap();
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
    let cancel = Cancel::default();
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
            setting: context(&cancel),
            sample: 0,
            session: &|_: &trace::Step| (),
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

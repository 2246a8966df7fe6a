//! A model at an endpoint, asked through the page: whole answers, streams, stops and failures.

use llm::{HttpHead, HttpResponse, ModelError, Part, Retry};
use protocol::Control;
use protocol::page::{Fetch, FetchPart};
use protocol::runs::{ProblemRun, StartRun};
use serde_json::{Value, json};
use tasks::{TaskId, Verdict};
use trace::Stop;

use crate::page::*;

#[test]
fn a_model_at_an_endpoint_is_asked_through_the_page() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 7);
    let mut events = page.play(run("grounded", &problem, endpoint()));
    let (first, request) = fetch(&events);
    assert_eq!((request.method.as_str(), request.headers.len()), ("POST", 1));
    assert_eq!(request.url, "http://127.0.0.1:8190/v1/chat/completions");
    let sent: Value = serde_json::from_str(&request.body).unwrap();
    assert_eq!(sent["model"], "small");
    assert_eq!(sent["messages"][1]["content"], json!(problem.question));
    assert_eq!(sent["tools"].as_array().unwrap().len(), graph::functions::FUNCTIONS.len() + 1);
    assert_eq!(events.len(), 1, "nothing has happened yet: {events:?}");

    // The model calls a tool, and is asked again with the tool's result.
    let message = json!({ "role": "assistant", "content": null, "tool_calls": [{
        "id": "call_a", "type": "function",
        "function": { "name": "add_nodes", "arguments": "{\"nodes\":[0,1]}" },
    }]});
    page.fetched(1, first, answer(message));
    page.settle();
    events = page.events(1);
    assert!(matches!(events[0], Event::Step { .. }) && matches!(events[1], Event::Step { .. }));
    let (second, request) = fetch(&events);
    let sent: Value = serde_json::from_str(&request.body).unwrap();
    let told = &sent["messages"][3];
    assert_eq!((&told["role"], &told["tool_call_id"]), (&json!("tool"), &json!("call_a")));
    assert!(told["content"].as_str().unwrap().starts_with("{\"result\""), "{told}");

    let text = tasks::reference_text(&core(&problem), &tasks::solve(&core(&problem)));
    let message = json!({ "role": "assistant", "content": text });
    page.fetched(1, second, answer(message));
    page.settle();
    let run = run_of(&mut page.events(1));
    // The bytes of every turn can be rebuilt from the trace, without the address.
    let turns: Vec<usize> =
        (0..run.trace.steps.len()).filter(|i| run.trace.request_of(*i).is_some()).collect();
    assert_eq!(turns.len(), run.trace.n_rounds());
    for turn in turns {
        let rebuilt = run.trace.request_of(turn).unwrap();
        assert_eq!(rebuilt.is_same, Some(true), "turn {turn}");
        assert!(rebuilt.body.unwrap().contains("\"small\""));
    }
    assert!(!serde_json::to_string(&run.trace).unwrap().contains("127.0.0.1"));
    assert_eq!(run.outcome.verdict, Verdict::Correct);
    assert_eq!(run.trace.model, "small");
    assert_eq!((run.trace.n_rounds(), run.trace.n_calls()), (2, 1));
    assert_eq!(run.trace.usage().total(), Some(28));
    assert_eq!(run.trace.graph_after(run.trace.steps.len()).unwrap().n_nodes(), 2);
    // So few tokens cannot be all the tools: the run says that the endpoint left them out.
    assert!(systems::experiment::has_finding(&run.trace, trace::TOOLS_DROPPED));
}

#[test]
fn an_endpoint_that_fails_ends_the_run_with_its_words() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 7);
    let unreachable =
        ModelError::Unreachable { url: "http://127.0.0.1:8190".into(), reason: "refused".into() };
    let (content_type, body) = (None, r#"{"error":{"message":"no such model"}}"#.into());
    let status = HttpResponse { status: 404, content_type, body, ..HttpResponse::default() };
    for (result, words) in [(Err(unreachable), "refused"), (Ok(status), "no such model")] {
        let (id, _) = fetch(&page.play(run("standalone", &problem, endpoint())));
        page.fetched(1, id, result);
        page.settle();
        let run = run_of(&mut page.events(1));
        let Some(Stop::ModelFailed { message, .. }) = &run.trace.stop else {
            panic!("{:?}", run.trace.stop);
        };
        assert!(message.contains(words), "{message}");
        assert_eq!(run.outcome.verdict, Verdict::NoAnswer);
    }
}

#[test]
fn a_run_is_stopped_while_it_waits_for_its_endpoint() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 7);
    let (id, _) = fetch(&page.play(run("grounded", &problem, endpoint())));
    page.tell(1, Control::Cancel);
    page.settle();
    let run = run_of(&mut page.events(1));
    assert_eq!(run.trace.stop, Some(Stop::Cancelled));
    assert_eq!(run.outcome.verdict, Verdict::NoAnswer);
    // An answer that comes too late is about no job, and changes nothing.
    let late = answer(json!({ "role": "assistant", "content": "too late" }));
    page.fetched(1, id, late);
    page.settle();
    assert!(page.host.posted.borrow().is_empty());
}

#[test]
fn every_failure_of_an_endpoint_survives_json() {
    let text = || "x".to_owned();
    for error in [
        ModelError::Unreachable { url: text(), reason: text() },
        ModelError::Status { status: 500, message: text(), hint: text(), retry: Retry::After(7) },
        ModelError::ContextOverflow { message: text(), limit: Some(4096), hint: text() },
        ModelError::Broken { reason: text() },
        ModelError::TimedOut { url: text(), seconds: 180 },
        ModelError::NotJson { found: text() },
        ModelError::Shape { missing: text(), protocol: text() },
        ModelError::TooLarge { size: 9, limit: 8 },
        ModelError::Cancelled,
        ModelError::Scripted(text()),
    ] {
        assert_eq!(through_json(&error), error);
    }
}

/// More of a stream, of the first question.
fn chunk(text: String) -> Control {
    part::<Fetch>(0, &FetchPart::Text(text))
}

/// A head of a stream, and pieces of one as OpenAI publishes them.
fn streamed(pieces: &[&str]) -> Vec<Control> {
    let content_type = Some("text/event-stream".to_owned());
    let head = HttpHead { status: 200, content_type, ..HttpHead::default() };
    let mut words = vec![part::<Fetch>(0, &FetchPart::Head(head))];
    for piece in pieces {
        let delta = json!({ "choices": [{ "index": 0, "delta": { "content": piece } }] });
        words.push(chunk(format!("data: {delta}\n\n")));
    }
    words
}

fn shown(events: &[Event]) -> String {
    let parts = events.iter().filter_map(|e| match e {
        Event::Parts { parts } => Some(parts),
        _ => None,
    });
    parts
        .flatten()
        .map(|p| match p {
            Part::Text { text } => text.clone(),
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn a_streamed_answer_is_shown_while_it_comes() {
    let mut page = Page::new();
    page.host.tick_ms.set(60.0);
    let problem = page.problem(TaskId::Cycle, 3);
    page.send(1, run("standalone", &problem, endpoint()));
    page.settle();
    let events = page.events(1);
    let (_, Fetch { streams, .. }) = waits(&events);
    assert!(streams);
    for word in streamed(&["There is ", "no cycle."]) {
        page.tell(1, word);
        page.settle();
    }
    let events = page.events(1);
    assert_eq!(shown(&events), "There is no cycle.");
    let end = "data: [DONE]\n\n".to_owned();
    page.tell(1, chunk(end));
    page.fetched(1, 0, Ok(HttpResponse::default()));
    page.settle();
    let events = page.events(1);
    let run = done::<StartRun<ProblemRun>>(events.last().unwrap().clone()).run;
    assert_eq!(run.trace.answer(), Some("There is no cycle."));
}

#[test]
fn what_is_said_in_a_burst_is_shown_although_nothing_follows() {
    let mut page = Page::new();
    page.host.tick_ms.set(0.0);
    let problem = page.problem(TaskId::Cycle, 3);
    page.send(1, run("standalone", &problem, endpoint()));
    page.settle();
    page.events(1);
    // All at one moment: the clock does not move between them.
    for word in streamed(&["There ", "is ", "no "]) {
        page.tell(1, word);
    }
    page.settle();
    let events = page.events(1);
    assert_eq!(shown(&events), "There is no ");
    let n = events.iter().filter(|e| matches!(e, Event::Parts { .. })).count();
    assert_eq!(n, 2, "the first at once, the others together: {events:?}");
}

#[test]
fn a_stop_in_the_middle_keeps_what_had_come() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 3);
    page.send(1, run("standalone", &problem, endpoint()));
    for word in streamed(&["There is ", "no"]) {
        page.settle();
        page.tell(1, word);
    }
    page.settle();
    page.tell(1, Control::Cancel);
    page.settle();
    let events = page.events(1);
    let run = done::<StartRun<ProblemRun>>(events.last().unwrap().clone()).run;
    assert_eq!(run.trace.stop, Some(Stop::Cancelled));
    assert_eq!(run.outcome.verdict, Verdict::NoAnswer);
    let trace::StepBody::Model { message, finish, .. } = &run.trace.steps[0].body else {
        panic!("{:?}", run.trace.steps)
    };
    assert_eq!((message.content.as_str(), finish), ("There is no", &llm::FinishReason::Stopped));
}

/// What a model streams of a key comes in pieces that nobody can see it in; what the worker makes of
/// them is clean all the same, in the run, in its steps, and where it was stopped.
#[test]
fn a_key_that_a_model_repeats_in_pieces_is_in_no_step_and_no_run() {
    const KEY: &str = "sk-canary-7f3a91";
    let pieces: Vec<String> =
        KEY.as_bytes().chunks(5).map(|c| String::from_utf8(c.to_vec()).unwrap()).collect();
    let escaped: String = KEY.chars().map(|c| format!("\\u{:04x}", c as u32)).collect();
    let call = |arguments: &str| {
        let delta = json!({ "tool_calls": [{ "index": 0, "id": "a", "type": "function",
            "function": { "name": "add_nodes", "arguments": arguments } }] });
        format!("data: {}\n\n", json!({ "choices": [{ "index": 0, "delta": delta }] }))
    };
    for stops in [false, true] {
        let mut page = Page::new();
        page.key = llm::ApiKey::new(KEY);
        let problem = page.problem(TaskId::Cycle, 3);
        page.send(1, run("grounded", &problem, endpoint()));
        page.settle();
        let mut events = page.events(1);
        let words: Vec<&str> =
            ["The key is "].into_iter().chain(pieces.iter().map(|p| &**p)).collect();
        for word in streamed(&words) {
            page.tell(1, word);
            page.settle();
        }
        if stops {
            page.tell(1, Control::Cancel);
        } else {
            for piece in ["{\"nodes\": [\"", &escaped[..20], &escaped[20..], "\"]}"] {
                page.tell(1, chunk(call(piece)));
            }
            page.tell(1, chunk("data: [DONE]\n\n".into()));
            page.fetched(1, 0, Ok(HttpResponse::default()));
            page.settle();
            events.extend(page.events(1));
            // The conversation goes on with what was kept of it.
            let (second, request) = fetch(&events);
            assert!(request.body.contains("The key is ***"), "{}", request.body);
            let error = ModelError::Status {
                status: 401,
                message: format!("wrong key {escaped}"),
                hint: String::new(),
                retry: Retry::Never,
            };
            page.fetched(1, second, Err(error));
        }
        page.settle();
        events.extend(page.events(1));
        // The pieces themselves are shown by the page, which cleans them there.
        events.retain(|e| !matches!(e, Event::Parts { .. }));
        let text = serde_json::to_string(&events).unwrap();
        assert!(text.contains("The key is ***"), "{text}");
        assert!(!text.contains("canary") && !text.contains("u0063"), "{text}");
        let run = done::<StartRun<ProblemRun>>(events.last().unwrap().clone()).run;
        let turns = (0..run.trace.steps.len()).filter_map(|i| run.trace.request_of(i));
        assert!(turns.into_iter().all(|t| t.is_same == Some(true)), "the bytes can be rebuilt");
    }
}

#[test]
fn a_stream_that_nobody_reads_is_hung_up_and_asked_again() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 3);
    page.send(1, run("standalone", &problem, endpoint()));
    page.settle();
    page.events(1);
    for word in streamed(&["There"]) {
        page.tell(1, word);
    }
    let error = json!({ "error": { "code": 502, "message": "the model went away" } });
    page.tell(1, chunk(format!("data: {error}\n\n")));
    page.settle();
    let events = page.events(1);
    assert!(events.iter().any(|e| matches!(e, Event::Unask { ask: 0 })), "{events:?}");
    assert!(
        events.iter().any(|e| matches!(e, Event::Parts { parts }
            if parts.iter().any(|p| matches!(p, Part::Retry { attempt: 2, .. })))),
        "{events:?}"
    );
    let (second, _) = fetch(&events);
    let message = json!({ "content": "There is no cycle." });
    page.fetched(1, second, answer(message));
    page.settle();
    let events = page.events(1);
    let run = done::<StartRun<ProblemRun>>(events.last().unwrap().clone()).run;
    let trace::StepBody::Note { text } = &run.trace.steps[0].body else {
        panic!("{:?}", run.trace.steps)
    };
    assert!(text.contains("attempt 2: the endpoint answered 502: the model went away"), "{text}");
}

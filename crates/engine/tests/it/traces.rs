//! Traces through the engine: files, replay, votes, a person in the model's place.

use engine::Attachments;
use llm::{Message, ToolCall};
use protocol::Control;
use protocol::exact::Exact;
use protocol::page::AskPerson;
use protocol::problem::FindClaims;
use protocol::runs::{ModelChoice, StartRun};
use protocol::traces::{ReadTraces, ReplayTrace, TextFile, TraceFile, WriteTraces};
use serde_json::json;
use tasks::claims::ClaimKind;
use tasks::{TaskId, Verdict};
use trace::replay::ReplayFinding;
use trace::{Record, StepBody, Stop, formats};

use crate::page::*;

#[test]
fn a_person_answers_in_the_models_place() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 3);
    let (first, AskPerson { tools }) =
        waits(&page.play(run("grounded", &problem, ModelChoice::Person)));
    assert_eq!(tools.len(), graph::functions::FUNCTIONS.len() + 1);
    let call =
        ToolCall { id: String::new(), name: "describe_graph".into(), arguments: "{}".into() };
    let message = Message { tool_calls: vec![call], ..Message::assistant("Let me look.") };
    page.answer::<AskPerson>(1, first, &message);
    page.settle();
    let (second, AskPerson { .. }) = waits(&page.events(1));
    page.answer::<AskPerson>(1, second, &Message::assistant("Yes, there is a cycle."));
    page.settle();
    let run = run_of(&mut page.events(1));
    assert_eq!(run.trace.model, "You");
    assert_eq!(run.trace.n_calls(), 1);
    assert!(run.trace.steps[0].by_person && !run.trace.steps[1].by_person);
    assert_ne!(run.outcome.verdict, Verdict::NoAnswer);
}

#[test]
fn a_person_who_is_waited_for_can_stop() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 3);
    let events = page.play(run("grounded", &problem, ModelChoice::Person));
    let (_, AskPerson { .. }) = waits(&events);
    page.tell(1, Control::Cancel);
    page.settle();
    assert_eq!(run_of(&mut page.events(1)).trace.stop, Some(Stop::Cancelled));
}

#[test]
fn several_runs_are_put_to_the_vote() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 3);
    let request = StartRun { votes: 3, ..run("grounded", &problem, script("script")) };
    let mut events = page.play(request);
    let progress = events.iter().filter(|e| matches!(e, Event::Progress { .. })).count();
    assert_eq!(progress, 2, "the first begins at once");
    let run = run_of(&mut events);
    let last = &run.trace.steps.last().unwrap().body;
    assert!(matches!(last, StepBody::Vote { tallies, tie: false } if tallies[0].runs == [0, 1, 2]));
}

#[test]
fn an_attached_graph_takes_no_words() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::ShortestPath, 3);
    let options = json!({ "attach": true });
    let request = StartRun { options, ..run("grounded", &problem, script("script")) };
    let run = run_of(&mut page.play(request));
    assert_eq!(run.outcome.verdict, Verdict::Correct);
    assert!(run.trace.prompt[1].content.len() < problem.question.len());
    assert_eq!(run.trace.n_calls(), 1, "it need not build the graph");
}

#[test]
fn a_trace_of_another_format_gets_back_what_its_calls_did() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::ShortestPath, 5);
    let trace = run_of(&mut page.play(run("grounded", &problem, script("script")))).trace;
    for format in formats::FORMATS.iter().filter(|f| f.write.is_some()) {
        let request =
            WriteTraces { records: vec![Record::of(trace.clone())], format: format.id.into() };
        let TextFile { text, extension } = page.ask(request);
        assert_eq!(extension, format.extensions[0]);
        let TraceFile { format: title, records, notes } = page.ask(ReadTraces { text: Some(text) });
        assert_eq!(title, format.title);
        assert!(notes.is_empty(), "{}: {notes:?}", format.id);
        let read = &records[0].trace;
        let all = read.steps.len();
        assert_eq!(read.graph_after(all).unwrap(), problem.graph, "{}", format.id);
        let Exact(replay) = page.ask(ReplayTrace { trace: Box::new(read.clone()) });
        assert!(!replay.findings.is_empty());
        assert!(replay.findings.iter().all(|(_, f)| *f == ReplayFinding::Same), "{}", format.id);
    }
    // A file comes as it is, and may be in no format that is text.
    let chat = b"\xff\xfe[\0{\0\"\0r\0o\0l\0e\0\"\0:\0\"\0u\0s\0e\0r\0\"\0,\0\"\0c\0o\0n\0t\0e\0n\0t\0\"\0:\0\"\0h\0i\0\"\0}\0]\0";
    let beside = Attachments::default().with_files(vec![("chat.json".into(), chat.to_vec())]);
    let read = page.try_with(ReadTraces { text: None }, beside).unwrap();
    assert_eq!(read.records[0].input, "hi");
    let refused = page.refused(ReadTraces { text: Some("{\"a\":1}".into()) });
    assert!(refused.contains("Inspect"), "{refused}");
    let nowhere = WriteTraces { records: Vec::new(), format: "word".into() };
    assert!(page.refused(nowhere).contains("word"));
}

#[test]
fn claims_are_found_in_a_text() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 3);
    let text = "There is an edge between node 0 and node 99.".to_owned();
    let claims = page.ask(FindClaims { problem: Box::new(problem), text }).0;
    assert_eq!((claims.len(), claims[0].kind, claims[0].is_true), (1, ClaimKind::Edge, false));
    assert_eq!(json!(claims[0].says), "edge 0-99");
}

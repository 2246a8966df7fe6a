//! The loop against scripted conversations: every kind of mistake, every limit, a stop.

// What the tests share may fail as they may.
#![allow(clippy::unwrap_used)]

use std::cell::RefCell;

use agent::{Cancel, Conversation, Limits, ToolFailure, ToolOutput, ToolSet, run};
use futures_util::FutureExt as _;
use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Role, ToolCall,
    ToolSpec, Usage, Watch,
};
use serde_json::{Value, json};
use trace::{Effects, MistakeKind, Stop, Trace};

/// Says its lines in order.
struct Lines(RefCell<Vec<Message>>);

impl Lines {
    fn new(mut lines: Vec<Message>) -> Self {
        lines.reverse();
        Self(RefCell::new(lines))
    }
}

impl Model for Lines {
    fn label(&self) -> String {
        "lines".into()
    }
    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        _: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        // Every call must have been answered before the model is asked again.
        let calls: usize = request.messages.iter().map(|m| m.tool_calls.len()).sum();
        let answers = request.messages.iter().filter(|m| m.role == Role::Tool).count();
        assert_eq!(calls, answers);
        let line = self.0.borrow_mut().pop();
        Box::pin(async move {
            let message = line.ok_or(ModelError::Scripted("no lines left".into()))?;
            let usage =
                Usage { input_tokens: Some(10), output_tokens: Some(5), ..Usage::default() };
            Ok(ChatResponse { message, finish: FinishReason::Stop, usage })
        })
    }
}

/// Never answers.
struct Silent;

impl Model for Silent {
    fn label(&self) -> String {
        "silent".into()
    }
    fn complete<'a>(
        &'a self,
        _: &'a ChatRequest,
        _: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(std::future::pending())
    }
}

/// One tool that doubles a number.
struct Double;

impl ToolSet for Double {
    fn specs(&self) -> Vec<ToolSpec> {
        let (name, description) = ("double_number".into(), "Doubles.".into());
        vec![ToolSpec { name, description, parameters: json!({}) }]
    }
    fn call(&mut self, _: &str, arguments: Value) -> Result<ToolOutput, ToolFailure> {
        let fail = |is_schema, code: &str| ToolFailure {
            is_schema,
            code: code.into(),
            message: "give a number".into(),
            witness: None,
        };
        let n = arguments["n"].as_i64().ok_or_else(|| fail(true, "bad_arguments"))?;
        if n > 100 {
            return Err(fail(false, "too_large"));
        }
        Ok(ToolOutput { value: json!(2 * n), notes: vec![], effects: Effects::default() })
    }
}

fn calling(calls: &[(&str, &str)]) -> Message {
    let mut message = Message::assistant("");
    for (i, (name, arguments)) in calls.iter().enumerate() {
        message.tool_calls.push(ToolCall {
            id: format!("c{i}"),
            name: (*name).into(),
            arguments: (*arguments).into(),
        });
    }
    message
}

fn play(lines: Vec<Message>, limits: Limits) -> Trace {
    let time = RefCell::new(0.0);
    let clock = move || {
        *time.borrow_mut() += 1.0;
        *time.borrow()
    };
    let conversation = Conversation {
        system: "test",
        prompt: vec![Message::user("go")],
        limits,
        seed: None,
        watch: &(),
    };
    run(&Lines::new(lines), &mut Double, conversation, &clock, &Cancel::default(), &mut |_| {})
        .now_or_never()
        .unwrap()
}

#[test]
fn a_call_is_answered_and_the_answer_ends_the_run() {
    let lines = vec![calling(&[("double_number", "{\"n\":4}")]), Message::assistant("8")];
    let trace = play(lines, Limits::default());
    assert_eq!(trace.stop, Some(Stop::Answered));
    assert_eq!(trace.answer(), Some("8"));
    assert_eq!((trace.n_rounds(), trace.n_calls()), (2, 1));
    assert_eq!(trace.usage().total(), Some(30));
}

#[test]
fn every_kind_of_mistake_is_counted_and_answered() {
    let lines = vec![
        calling(&[("double", "{}"), ("double_number", "{n:4"), ("double_number", "{\"n\":\"x\"}")]),
        calling(&[("double_number", "{\"n\":101}")]),
        Message::assistant("I give up"),
    ];
    let trace = play(lines, Limits::default());
    assert_eq!(
        trace.mistakes(),
        [
            (MistakeKind::UnknownTool, 1),
            (MistakeKind::BadJson, 1),
            (MistakeKind::Schema, 1),
            (MistakeKind::Library, 1)
        ]
    );
    assert_eq!(trace.stop, Some(Stop::Answered), "mistakes never end a run");
    let json = serde_json::to_string(&trace).unwrap();
    assert!(json.contains("there is no function \\\"double\\\"; there are double_number"));
}

#[test]
fn calls_without_an_id_of_their_own_get_one() {
    let mut nameless = calling(&[("double_number", "{\"n\":1}"), ("double_number", "{\"n\":2}")]);
    nameless.tool_calls.iter_mut().for_each(|c| c.id.clear());
    let again = calling(&[("double_number", "{\"n\":3}")]);
    let trace =
        play(vec![nameless, again.clone(), again, Message::assistant("done")], Limits::default());
    let ids: std::collections::BTreeSet<String> = trace
        .steps
        .iter()
        .filter_map(|s| match &s.body {
            trace::StepBody::Call { call, .. } => Some(call.id.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(ids.len(), 4, "{ids:?}");
}

#[test]
fn limits_end_a_run() {
    let again = || calling(&[("double_number", "{\"n\":1}")]);
    let lines = || (0..20).map(|_| again()).collect::<Vec<_>>();
    let base = Limits::default();
    let cases = [
        (Limits { max_rounds: 3, ..base }, Stop::Rounds),
        (Limits { max_calls: 2, ..base }, Stop::Calls),
        (Limits { max_tokens: Some(40), ..base }, Stop::Tokens),
        (Limits { deadline_ms: Some(20.0), ..base }, Stop::Deadline),
    ];
    for (limits, stop) in cases {
        assert_eq!(play(lines(), limits).stop, Some(stop));
    }
}

#[test]
fn a_stop_reaches_a_model_that_never_answers() {
    let cancel = Cancel::default();
    let clock = || 0.0;
    let conversation = Conversation {
        system: "test",
        prompt: vec![],
        limits: Limits::default(),
        seed: None,
        watch: &(),
    };
    let mut tools = Double;
    let mut on_step = |_: &trace::Step| {};
    let mut running =
        Box::pin(run(&Silent, &mut tools, conversation, &clock, &cancel, &mut on_step));
    assert!(running.as_mut().now_or_never().is_none());
    cancel.cancel();
    assert_eq!(running.now_or_never().unwrap().stop, Some(Stop::Cancelled));
}

#[test]
fn a_model_that_fails_says_why() {
    let trace = play(vec![], Limits::default());
    assert_eq!(trace.stop, Some(Stop::ModelFailed { message: "no lines left".into() }));
}

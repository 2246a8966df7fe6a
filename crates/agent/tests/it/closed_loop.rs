//! The loop against scripted conversations: every kind of mistake, every limit, a stop.

use std::cell::RefCell;

use agent::{
    AsyncToolSet, Cancel, Choosing, Conversation, Limits, MAX_ARGUMENTS, NoTools, RunContext,
    ToolFailure, ToolOutput, ToolSet, answer_call, run, run_async,
};
use futures_util::FutureExt as _;
use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Part, ToolSpec,
    Usage, Watch,
};
use serde_json::{Value, json};
use test_support::{Lines, calling, context};
use trace::{Effects, MistakeKind, StepBody, Stop, Trace};

/// A conversation before its first turn.
fn start(question: &str) -> Trace {
    Trace::new("test", String::new(), vec![Message::user(question)])
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
        Ok(ToolOutput {
            value: json!(2 * n),
            notes: vec![],
            effects: Effects::default(),
            told: None,
        })
    }
}

/// Runs to the end, on a clock that stands still.
fn ended(
    start: Trace,
    model: &dyn Model,
    mut tools: impl ToolSet,
    choosing: &Choosing,
    limits: Limits,
) -> Trace {
    let cancel = Cancel::default();
    let context = RunContext { limits, ..context(&cancel) };
    run(start, model, &mut tools, choosing, context, &mut |_| {}).now_or_never().unwrap()
}

/// The same for one turn that the caller leads.
fn led(start: Trace, model: &dyn Model, tools: &[ToolSpec]) -> Trace {
    let cancel = Cancel::default();
    let mut on_step = |_: &trace::Step| {};
    let mut led = Conversation::new(start, model, context(&cancel), &mut on_step);
    let said = led.ask(tools).now_or_never().unwrap();
    led.end(said.err().unwrap_or(Stop::Answered))
}

fn play(lines: Vec<Message>, limits: Limits) -> Trace {
    let time = RefCell::new(0.0);
    let clock = move || {
        *time.borrow_mut() += 1.0;
        *time.borrow()
    };
    let cancel = Cancel::default();
    let context = RunContext { limits, clock: &clock, ..context(&cancel) };
    let model = Lines::new(lines).costing(10, 5);
    run(start("go"), &model, &mut Double, &Choosing::All, context, &mut |_| {})
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
            StepBody::Call { call, .. } => Some(call.id.clone()),
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
fn arguments_that_are_too_long_are_refused_and_neither_kept_nor_sent_again() {
    let long = format!("{{\"n\":[{}0]}}", "1,".repeat(MAX_ARGUMENTS / 2));
    let last = calling(&[("double_number", "{\"n\":2}")]);
    let lines = vec![calling(&[("double_number", &long)]), last, Message::assistant("4")];
    let trace = play(lines, Limits::default());
    assert_eq!(trace.stop, Some(Stop::Answered), "it is a mistake like any other");
    assert_eq!(trace.mistakes(), [(MistakeKind::Library, 1)]);
    let json = serde_json::to_string(&trace).unwrap();
    assert!(json.len() < 10_000, "{} bytes are kept", json.len());
    let size = long.len();
    let words =
        format!("the arguments of double_number are too long ({size} bytes): a call may have");
    assert!(json.contains(&words), "{json}");
    // What stands in their place is JSON, and the call is answered the same way again.
    let StepBody::Call { call, result, .. } = &trace.steps[1].body else { panic!("a call") };
    assert!(serde_json::from_str::<Value>(&call.arguments).unwrap().is_object());
    assert_eq!(&answer_call(&mut Double, &Double.specs(), call).0, result);
    assert!(trace.request_of(2).unwrap().is_same == Some(true), "what was sent is as it is kept");
}

#[test]
fn letters_count_as_tokens_where_nobody_tells_tokens() {
    let again =
        || calling(&[("double_number", &format!("{{\"n\":1,\"x\":\"{}\"}}", "x".repeat(3_000)))]);
    let lines = (0..20).map(|_| again()).collect();
    let trace = play(lines, Limits { max_tokens: Some(200), ..Limits::default() });
    // 200 tokens are at most 8,000 letters: three turns are more.
    assert_eq!(trace.n_rounds(), 3);
    assert_eq!(trace.stop, Some(Stop::Tokens));
}

#[test]
fn a_stop_reaches_a_model_that_never_answers() {
    let cancel = Cancel::default();
    let context = context(&cancel);
    let mut tools = Double;
    let mut on_step = |_: &trace::Step| {};
    let mut running =
        Box::pin(run(start("go"), &Silent, &mut tools, &Choosing::All, context, &mut on_step));
    assert!(running.as_mut().now_or_never().is_none());
    cancel.cancel();
    assert_eq!(running.now_or_never().unwrap().stop, Some(Stop::Cancelled));
}

#[test]
fn a_model_that_fails_says_why() {
    let trace = play(vec![], Limits::default());
    assert_eq!(
        trace.stop,
        Some(Stop::ModelFailed { message: "no lines left".into(), is_overflow: false })
    );
}

/// Three tools that say their name.
struct Three;

impl ToolSet for Three {
    fn specs(&self) -> Vec<ToolSpec> {
        [("add_edges", "Adds edges."), ("find_path", "Finds a way."), ("color_graph", "Colours.")]
            .map(|(name, description)| ToolSpec {
                name: name.into(),
                description: description.into(),
                parameters: json!({}),
            })
            .into()
    }
    fn call(&mut self, name: &str, _: Value) -> Result<ToolOutput, ToolFailure> {
        Ok(ToolOutput {
            value: name.into(),
            notes: Vec::new(),
            effects: Effects::default(),
            told: Some("told".into()),
        })
    }
}

/// The lines as if a person said them.
struct Sees(Lines);

impl Model for Sees {
    fn label(&self) -> String {
        "sees".into()
    }
    fn is_person(&self) -> bool {
        true
    }
    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        self.0.complete(request, watch)
    }
}

#[test]
fn a_tool_that_was_not_sent_comes_in_when_it_is_called() {
    let lines = vec![calling(&[("color_graph", "{}")]), Message::assistant("done")];
    let model = Sees(Lines::new(lines));
    let choosing = Choosing::Bm25 {
        n_tools: 1,
        pinned: vec!["add_edges".into()],
        asked_as: vec![("find_path".into(), "route".into())],
    };
    let start = start("A long graph with colours. Q: Is there a route?");
    let trace = ended(start, &model, Three, &choosing, Limits::default());
    assert_eq!(trace.stop, Some(Stop::Answered));
    let seen = |turn: usize| -> Vec<String> {
        model.0.asked()[turn].tools.iter().map(|t| t.name.clone()).collect()
    };
    assert_eq!(seen(0), ["add_edges", "find_path"]);
    assert_eq!(seen(1), ["add_edges", "find_path", "color_graph"]);
    let kinds: Vec<&str> = trace
        .steps
        .iter()
        .map(|s| match &s.body {
            StepBody::Choice { .. } => "choice",
            StepBody::Model { .. } => "model",
            StepBody::Call { .. } => "call",
            _ => "other",
        })
        .collect();
    assert_eq!(kinds, ["choice", "model", "call", "choice", "model"]);
    assert!(trace.steps[1].by_person && !trace.steps[2].by_person);
    for step in [1, 4] {
        let rebuilt = trace.request_of(step).unwrap();
        assert_eq!(rebuilt.is_same, Some(true), "what the model was asked can be rebuilt");
        assert!(step == 1 || rebuilt.request.messages.iter().any(|m| m.content == "told"));
    }
}

#[test]
fn a_run_is_taken_over_where_it_was_left() {
    let lines = vec![
        calling(&[("double_number", "{\"n\":4}"), ("double_number", "{\"n\":5}")]),
        Message::assistant("8"),
    ];
    let first = play(lines, Limits::default());
    // After the first of two calls: the second is answered before the model is asked.
    let model = Lines::new(vec![Message::assistant("ten")]);
    let trace = ended(first.fork(2), &model, Double, &Choosing::All, Limits::default());
    assert_eq!(trace.n_calls(), 2);
    assert_eq!(trace.steps[..2], first.steps[..2]);
    assert_eq!(trace.answer(), Some("ten"));
}

/// Begins two calls at its second attempt, and breaks off.
struct BreaksOff;

impl Model for BreaksOff {
    fn label(&self) -> String {
        "breaks off".into()
    }
    fn complete<'a>(
        &'a self,
        _: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        let retry =
            Part::Retry { attempt: 2, wait_ms: 500.0, reason: "busy".into(), is_too_fast: false };
        let call = |index, name: &str| Part::Call {
            index,
            name: name.into(),
            arguments: "{\"n\":1".into(),
        };
        let void = Part::Text { text: "void".into() };
        let thought = Part::Reasoning { text: "hm".into() };
        for part in [void, retry, thought, call(0, "double_number"), call(1, "double_number")] {
            watch.part(part);
        }
        Box::pin(async { Err(ModelError::Broken { reason: "the line is dead".into() }) })
    }
}

/// What is kept of a turn that breaks off is the same whoever leads the conversation.
#[test]
fn a_turn_that_breaks_off_is_kept_with_ids_for_its_calls() {
    let by_run = ended(start("go"), &BreaksOff, Double, &Choosing::All, Limits::default());
    let led = led(start("go"), &BreaksOff, &Double.specs());
    for trace in [&by_run, &led] {
        let StepBody::Note { text } = &trace.steps[0].body else { panic!("{trace:?}") };
        let StepBody::Model { message, finish, .. } = &trace.steps[1].body else {
            panic!("{trace:?}")
        };
        assert_eq!(text, "waited 0.5 s for attempt 2: busy");
        assert_eq!((message.content.as_str(), message.reasoning.as_deref()), ("", Some("hm")));
        let ids: Vec<&str> = message.tool_calls.iter().map(|c| c.id.as_str()).collect();
        assert_eq!((ids, finish), (vec!["call_1", "call_2"], &FinishReason::Stopped));
        assert_eq!(trace.steps.len(), 2);
        assert!(matches!(trace.stop, Some(Stop::ModelFailed { .. })));
    }
    assert_eq!(by_run.steps, led.steps);
}

/// Is cut off in the middle of a sentence.
struct CutOff;

impl Model for CutOff {
    fn label(&self) -> String {
        "cut off".into()
    }
    fn complete<'a>(
        &'a self,
        _: &'a ChatRequest,
        _: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        let (finish, usage) = (FinishReason::Length, Usage::default());
        Box::pin(async move {
            Ok(ChatResponse { message: Message::assistant("The way is"), finish, usage })
        })
    }
}

#[test]
fn an_answer_that_is_cut_off_is_none_and_noted_whoever_leads() {
    let by_run = ended(start("go"), &CutOff, NoTools, &Choosing::All, Limits::default());
    let led = led(start("go"), &CutOff, &[]);
    assert_eq!(by_run, led);
    assert_eq!((by_run.answer(), &by_run.stop), (None, &Some(Stop::CutOff)));
    assert_eq!(by_run.last_said(), Some("The way is"));
    let StepBody::Note { text } = &by_run.steps[1].body else { panic!("a note") };
    assert_eq!(text, "the answer was cut off at the limit on tokens");
}

/// Says what its list has, with the reason for its end.
struct Ending(RefCell<Vec<(Message, FinishReason)>>, RefCell<Vec<Option<u64>>>);

impl Model for Ending {
    fn label(&self) -> String {
        "ending".into()
    }
    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        _: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        self.1.borrow_mut().push(request.max_tokens);
        let (message, finish) = self.0.borrow_mut().remove(0);
        let usage = Usage { output_tokens: Some(4_000), ..Usage::default() };
        Box::pin(async move { Ok(ChatResponse { message, finish, usage }) })
    }
}

fn ending(turns: Vec<(Message, FinishReason)>) -> (Trace, Vec<Option<u64>>) {
    let model = Ending(RefCell::new(turns), RefCell::default());
    let trace = ended(start("go"), &model, Double, &Choosing::All, Limits::default());
    (trace, model.1.take())
}

#[test]
fn only_what_was_answered_is_an_answer() {
    let other = |word: &str| FinishReason::Other(word.into());
    let refused = |reason: &str| Stop::Refused { reason: reason.into() };
    for (text, finish, stop) in [
        ("8", FinishReason::Stop, Stop::Answered),
        ("8", other("eos"), Stop::Answered),
        ("It is 8 bec", FinishReason::Length, Stop::CutOff),
        ("It is 8 bec", other("MAX_OUTPUT"), Stop::CutOff),
        ("It is", FinishReason::ContentFilter, refused("the endpoint withheld the text")),
        ("It is", other("RECITATION"), refused("RECITATION")),
        (" \n", FinishReason::Stop, Stop::Empty),
        ("<think>Is it 8?</think>", FinishReason::Stop, Stop::Empty),
    ] {
        let (trace, _) = ending(vec![(Message::assistant(text), finish)]);
        assert_eq!(trace.stop, Some(stop.clone()), "{text}");
        assert_eq!(trace.answer().is_some(), stop == Stop::Answered, "{text}");
    }
}

#[test]
fn a_call_that_the_limit_cut_off_is_made_again_with_more_room_once() {
    let cut = || (calling(&[("double_number", "{\"n\": ")]), FinishReason::Length);
    let whole = (calling(&[("double_number", "{\"n\": 4}")]), FinishReason::ToolCalls);
    let said = (Message::assistant("8"), FinishReason::Stop);
    let (trace, rooms) = ending(vec![cut(), whole, said]);
    assert_eq!(trace.stop, Some(Stop::Answered));
    assert_eq!(rooms, [None, Some(16_000), None]);
    assert_eq!(trace.mistakes(), [(MistakeKind::CutOff, 1)]);
    let notes = |trace: &Trace| {
        let is_it = |s: &&trace::Step| matches!(&s.body, StepBody::Note { text } if text.contains("cut off at the limit"));
        trace.steps.iter().filter(is_it).count()
    };
    assert_eq!(notes(&trace), 1);
    let (trace, _) = ending(vec![cut(), cut()]);
    assert_eq!((trace.stop.clone(), trace.answer()), (Some(Stop::CutOff), None));
}

#[test]
fn calls_and_thoughts_in_the_text_are_read_there_and_noted() {
    let text = "<think>I double.</think><tool_call>{\"name\": \"double_number\", \"arguments\": {\"n\": 4}}</tool_call>";
    let (trace, _) = ending(vec![
        (Message::assistant(text), FinishReason::Stop),
        (Message::assistant("8"), FinishReason::Stop),
    ]);
    assert_eq!((trace.n_calls(), trace.answer()), (1, Some("8")));
    let StepBody::Model { message, .. } = &trace.steps[0].body else { panic!("a turn") };
    assert_eq!((message.reasoning.as_deref(), message.content.as_str()), (Some("I double."), ""));
    let StepBody::Note { text } = &trace.steps[1].body else { panic!("a note") };
    assert!(text.contains("the server left this call in the text"), "{text}");
    // Nobody who was offered tools and used none passes for grounded.
    let (trace, _) = ending(vec![(Message::assistant("8"), FinishReason::Stop)]);
    let StepBody::Findings { findings, .. } = &trace.steps[1].body else { panic!("a finding") };
    assert_eq!(findings[0].rule, trace::TOOLS_UNUSED);
}

#[test]
fn time_goes_on_where_the_last_step_ended_and_the_deadline_begins_anew() {
    let lines = vec![calling(&[("double_number", "{\"n\":4}")]), Message::assistant("8")];
    let first = play(lines, Limits::default());
    let fork = first.fork(2);
    let ended_ms = fork.steps[1].at_ms + fork.steps[1].took_ms;
    let limits = Limits { deadline_ms: Some(ended_ms / 2.0), ..Limits::default() };
    let model = Lines::new(vec![Message::assistant("8")]);
    let trace = ended(fork, &model, Double, &Choosing::All, limits);
    assert_eq!(trace.stop, Some(Stop::Answered));
    assert!(ended_ms > 0.0 && trace.steps[2].at_ms == ended_ms);
}

#[test]
fn a_run_that_is_taken_over_with_other_tools_says_which() {
    let few = Choosing::Named { names: vec!["add_edges".into()] };
    let first = Lines::new(vec![calling(&[("add_edges", "{}")]), Message::assistant("done")]);
    let first = ended(start("go"), &first, Three, &few, Limits::default());
    let again = Lines::new(vec![Message::assistant("done")]);
    let all = ended(first.fork(3), &again, Three, &Choosing::All, Limits::default());
    let last = all.steps.len() - 1;
    assert_eq!(all.tools_before(last).len(), 3);
    assert_eq!(all.request_of(last).unwrap().is_same, Some(true));
}

/// Doubles, but only once as many calls wait as it wants; one with a negative number never ends.
struct Meeting {
    waiting: RefCell<usize>,
    wanted: usize,
}

impl AsyncToolSet for Meeting {
    fn specs(&self) -> Vec<ToolSpec> {
        Double.specs()
    }
    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Value,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolFailure>> {
        *self.waiting.borrow_mut() += 1;
        Box::pin(async move {
            if arguments["n"].as_i64().is_some_and(|n| n < 0) {
                std::future::pending::<()>().await;
            }
            let mut polls = 0;
            std::future::poll_fn(|context| {
                polls += 1;
                assert!(polls < 100, "nobody else came");
                if *self.waiting.borrow() >= self.wanted {
                    return std::task::Poll::Ready(());
                }
                context.waker().wake_by_ref();
                std::task::Poll::Pending
            })
            .await;
            Double.call(name, arguments)
        })
    }
}

fn met(lines: Vec<Message>, wanted: usize, limits: Limits) -> Trace {
    let cancel = Cancel::default();
    let context = RunContext { limits, ..context(&cancel) };
    let tools = Meeting { waiting: RefCell::new(0), wanted };
    let model = Lines::new(lines);
    let mut on_step = |_: &trace::Step| {};
    let mut run = std::pin::pin!(run_async(start("?"), &model, &tools, context, &mut on_step));
    (0..9).find_map(|_| run.as_mut().now_or_never()).unwrap()
}

#[test]
fn tools_that_take_time_are_called_at_once_and_told_in_order() {
    let calls = [
        ("double_number", "{\"n\":1}"),
        ("double_number", "[]"),
        ("other", "{}"),
        ("double_number", "{\"n\":2}"),
    ];
    let trace = met(vec![calling(&calls), Message::assistant("done")], 3, Limits::default());
    assert_eq!(trace.stop, Some(Stop::Answered));
    let results: Vec<String> = trace
        .steps
        .iter()
        .filter_map(|step| match &step.body {
            StepBody::Call { result, .. } => Some(result.to_model_text()),
            _ => None,
        })
        .collect();
    assert_eq!(
        (results.len(), results[0].as_str(), results[3].as_str()),
        (4, r#"{"result":2}"#, r#"{"result":4}"#)
    );
    assert!(
        results[1].contains("give a number") && results[2].contains("no function"),
        "{results:?}"
    );
}

#[test]
fn a_limit_on_calls_and_a_wish_to_stop_hold_for_tools_that_take_time() {
    let calls = [("double_number", "{\"n\":1}"), ("double_number", "{\"n\":2}")];
    let limits = Limits { max_calls: 1, ..Limits::default() };
    let trace = met(vec![calling(&calls)], 1, limits);
    assert_eq!((trace.n_calls(), &trace.stop), (1, &Some(Stop::Calls)));

    let cancel = Cancel::default();
    let tools = Meeting { waiting: RefCell::new(0), wanted: 1 };
    let model = Lines::new(vec![calling(&[("double_number", "{\"n\":-1}")])]);
    let mut on_step = |_: &trace::Step| {};
    let context = context(&cancel);
    let mut run = std::pin::pin!(run_async(start("?"), &model, &tools, context, &mut on_step));
    assert!(run.as_mut().now_or_never().is_none());
    cancel.cancel();
    assert_eq!(run.now_or_never().unwrap().stop, Some(Stop::Cancelled));
}

/// Says its lines, and knows a key that must come into no trace and no question.
struct Keeping(Lines);

impl Model for Keeping {
    fn label(&self) -> String {
        self.0.label()
    }
    fn clean(&self, partial: Message) -> BoxFuture<'_, Message> {
        let content = partial.content.replace("sk-secret", "***");
        Box::pin(async move { Message { content, ..partial } })
    }
    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        self.0.complete(request, watch)
    }
}

/// Joins texts.
struct Join;

impl ToolSet for Join {
    fn specs(&self) -> Vec<ToolSpec> {
        let (name, description) = ("join".into(), "Joins.".into());
        vec![ToolSpec { name, description, parameters: json!({}) }]
    }
    fn call(&mut self, _: &str, arguments: Value) -> Result<ToolOutput, ToolFailure> {
        let parts = arguments["parts"].as_array().unwrap();
        let parts: Vec<&str> = parts.iter().filter_map(Value::as_str).collect();
        Ok(ToolOutput {
            value: json!(parts.concat()),
            notes: vec![parts.concat()],
            effects: Effects::default(),
            told: Some(parts.concat()),
        })
    }
}

impl AsyncToolSet for Join {
    fn specs(&self) -> Vec<ToolSpec> {
        ToolSet::specs(self)
    }
    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Value,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolFailure>> {
        Box::pin(async move { ToolSet::call(&mut Join, name, arguments) })
    }
}

#[test]
fn a_key_that_a_tool_joins_comes_into_no_trace_and_no_question() {
    let lines =
        || [calling(&[("join", r#"{"parts":["sk-","secret"]}"#)]), Message::assistant("ok")];
    for is_async in [false, true] {
        let model = Keeping(Lines::new(lines()));
        let cancel = Cancel::default();
        let trace = if is_async {
            run_async(start("q"), &model, &Join, context(&cancel), &mut |_| {}).now_or_never()
        } else {
            let choosing = Choosing::default();
            run(start("q"), &model, &mut Join, &choosing, context(&cancel), &mut |_| {})
                .now_or_never()
        };
        let text = serde_json::to_string(&trace.unwrap()).unwrap();
        assert!(!text.contains("sk-secret") && text.contains("***"), "{text}");
        let asked = format!("{:?}", model.0.asked());
        assert!(!asked.contains("sk-secret") && asked.contains("***"), "{asked}");
    }
}

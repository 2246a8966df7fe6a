//! Tools in the text of prompt and reply: the same run, and the same trace, as with a protocol's own
//! fields for tools; and tools that an endpoint leaves out.

use std::cell::RefCell;
use std::rc::Rc;

use agent::{Cancel, Choosing, EndpointModel, ToolFailure, ToolOutput, ToolSet, run};
use futures_util::FutureExt as _;
use llm::{Endpoint, HttpRequest, Message, ToolSpec, ToolStyle};
use serde_json::{Value, json};
use test_support::{Answering, context, response};
use trace::{Effects, MistakeKind, StepBody, Stop, TOOLS_DROPPED, ToolResult, Trace};

/// A tool that doubles a number, and others that only fill the list.
struct Double(usize);

impl ToolSet for Double {
    fn specs(&self) -> Vec<ToolSpec> {
        let tool = |name: String| ToolSpec {
            name,
            description: "Doubles a whole number, whichever it is, and gives the result.".into(),
            parameters: json!({
                "type": "object",
                "properties": { "number": { "type": "integer", "description": "The number." } },
                "required": ["number"],
            }),
        };
        let others = (0..self.0).map(|i| tool(format!("double_number_{i}")));
        std::iter::once(tool("double_number".into())).chain(others).collect()
    }

    fn call(&mut self, _: &str, arguments: Value) -> Result<ToolOutput, ToolFailure> {
        let number = arguments["number"].as_i64().unwrap_or_default();
        let value = json!(number * 2);
        Ok(ToolOutput { value, notes: Vec::new(), effects: Effects::default(), told: None })
    }
}

fn play(style: ToolStyle, constrain: bool, texts: &[&str], n_others: usize) -> (Trace, Vec<Value>) {
    let left = Rc::new(RefCell::new(texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>()));
    let bodies = Rc::<RefCell<Vec<Value>>>::default();
    let (says, asked) = (Rc::clone(&left), Rc::clone(&bodies));
    // Answers with the texts, one after the other, and keeps what it was asked.
    let server = Answering(move |_: &Endpoint, request: HttpRequest| {
        asked.borrow_mut().push(serde_json::from_str(&request.body).unwrap());
        let body = json!({
            "choices": [{ "message": { "role": "assistant", "content": says.borrow_mut().remove(0) },
                          "finish_reason": "stop" }],
            "usage": { "prompt_tokens": 40, "completion_tokens": 9 },
        });
        Ok(response(200, body.to_string()))
    });
    let mut endpoint = Endpoint::new("openai", "http://127.0.0.1:1/v1");
    endpoint.options.no_stream = true;
    endpoint.options.tool_style = style;
    endpoint.options.constrain = constrain;
    let model = EndpointModel::new(endpoint, "small".into(), Rc::new(server)).unwrap();
    let start = Trace::new("test", String::new(), vec![Message::user("What is 2 times 21?")]);
    let cancel = Cancel::default();
    let context = context(&cancel);
    let mut tools = Double(n_others);
    let trace = run(start, &model, &mut tools, &Choosing::All, context, &mut |_| {})
        .now_or_never()
        .unwrap();
    assert!(left.borrow().is_empty(), "not all was asked: {:#?}", trace.steps);
    (trace, bodies.take())
}

fn calls(trace: &Trace) -> Vec<(String, ToolResult)> {
    let of = |step: &trace::Step| match &step.body {
        StepBody::Call { call, result, .. } => Some((call.name.clone(), result.clone())),
        _ => None,
    };
    trace.steps.iter().filter_map(of).collect()
}

#[test]
fn a_run_in_the_text_has_the_trace_of_any_other() {
    let json =
        ["```json\n{\"tool\": \"double_number\", \"arguments\": {\"number\": 21}}\n```", "42"];
    let react = [
        "Thought: double it\nAction: double_number\nAction Input: {\"number\": 21}",
        "Thought: I know.\nFinal Answer: 42",
    ];
    for (style, texts, result) in [
        (ToolStyle::Json, json, "Result of double_number:\n{\"result\":42}"),
        (ToolStyle::React, react, "Observation: {\"result\":42}"),
    ] {
        let (trace, bodies) = play(style, false, &texts, 0);
        assert_eq!(trace.stop, Some(Stop::Answered));
        assert_eq!(trace.answer(), Some("42"));
        let calls = calls(&trace);
        assert!(matches!(&calls[..], [(name, ToolResult::Value { value, .. })]
            if name == "double_number" && *value == json!(42)));
        for body in &bodies {
            assert!(body.get("tools").is_none(), "{body}");
            assert!(body["messages"][0]["content"].as_str().unwrap().contains("double_number("));
        }
        let said = bodies[1]["messages"].as_array().unwrap();
        assert_eq!(said.last().unwrap()["role"], "user");
        assert_eq!(said.last().unwrap()["content"], result);
        assert_eq!(bodies[0].get("stop").is_some(), style == ToolStyle::React);
        // What was sent can be made again from the trace.
        for (i, step) in trace.steps.iter().enumerate() {
            if matches!(step.body, StepBody::Model { .. }) {
                let rebuilt = trace.request_of(i).unwrap();
                assert_eq!(rebuilt.is_same, Some(true));
            }
        }
    }
}

#[test]
fn a_call_that_cannot_be_read_is_answered_to_the_model() {
    let texts = [
        "{\"tool\": \"double_number\" \"arguments\" @@",
        "{\"tool\": \"double_number\", \"arguments\": {\"number\": 21}}",
        "It is 42.",
    ];
    let (trace, bodies) = play(ToolStyle::Json, false, &texts, 0);
    let calls = calls(&trace);
    assert!(matches!(&calls[0].1, ToolResult::Error(e) if e.kind == MistakeKind::BadJson));
    assert!(matches!(&calls[1].1, ToolResult::Value { .. }));
    let told = bodies[1]["messages"].as_array().unwrap().last().unwrap();
    assert!(told["content"].as_str().unwrap().contains("not JSON"), "{told}");
}

#[test]
fn a_constrained_question_carries_the_schema_of_the_tools() {
    let (_, bodies) = play(ToolStyle::Json, true, &["{\"answer\": \"42\"}"], 0);
    let format = &bodies[0]["response_format"];
    assert_eq!(format["type"], "json_schema");
    assert_eq!(format["json_schema"]["schema"]["anyOf"].as_array().unwrap().len(), 2);
    let options = |style, constrain| {
        let mut endpoint = Endpoint::new("anthropic", "http://127.0.0.1:1/v1");
        endpoint.options.tool_style = style;
        endpoint.options.constrain = constrain;
        let server = Answering(|_: &Endpoint, _: HttpRequest| unreachable!("nothing is asked"));
        EndpointModel::new(endpoint, "m".into(), Rc::new(server)).err()
    };
    assert!(options(ToolStyle::Json, true).unwrap().contains("openai and ollama"));
    assert!(options(ToolStyle::React, true).unwrap().contains("json"));
    assert_eq!(options(ToolStyle::Json, false), None);
}

#[test]
fn tools_that_the_endpoint_leaves_out_are_noticed_once() {
    let found = |trace: &Trace| {
        let of = |step: &trace::Step| match &step.body {
            StepBody::Findings { findings, .. } => findings.iter().any(|f| f.rule == TOOLS_DROPPED),
            _ => false,
        };
        trace.steps.iter().filter(|step| of(step)).count()
    };
    let (trace, _) = play(ToolStyle::Native, false, &["I guess 42."], 30);
    assert_eq!(found(&trace), 1, "40 tokens cannot be 31 tools");
    let (trace, _) = play(ToolStyle::Json, false, &["I guess 42."], 30);
    assert_eq!(found(&trace), 0, "they stand in the text");
    let (trace, _) = play(ToolStyle::Native, false, &["I guess 42."], 0);
    assert_eq!(found(&trace), 0, "one tool is too few to tell");
}

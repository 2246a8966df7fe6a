use serde_json::json;

use super::*;
use crate::{ReplyShape, ToolCall, ToolChoice, ToolSpec, Usage};

fn tools() -> Vec<ToolSpec> {
    let tool = |name: &str, description: &str, parameters: Value| ToolSpec {
        name: name.into(),
        description: description.into(),
        parameters,
    };
    let node = json!({ "type": ["integer", "string"], "description": "A node." });
    let path = json!({
        "type": "object",
        "properties": { "source": node, "target": node },
        "required": ["source", "target"],
    });
    let edges = json!({
        "type": "object",
        "properties": {
            "edges": {
                "type": "array",
                "items": {
                    "type": "array", "items": { "type": "integer" }, "minItems": 2, "maxItems": 2,
                },
            },
            "weights": { "type": ["array", "null"], "items": { "type": "number" } },
        },
        "required": ["edges"],
    });
    vec![
        tool("has_path", "Tells whether there is a path.", path),
        tool("add_edges", "Adds edges.", edges),
        tool("has_cycle", "Tells whether there is a cycle.", json!({ "type": "object" })),
    ]
}

fn chat() -> ChatRequest {
    ChatRequest {
        messages: vec![Message::system("Be brief."), Message::user("Is there a path?")],
        tools: tools(),
        ..ChatRequest::default()
    }
}

fn answered(style: ToolStyle, text: &str, finish: FinishReason) -> ChatResponse {
    let message = Message::assistant(text);
    style.read(&chat(), ChatResponse { message, finish, usage: Usage::default() })
}

/// The calls of a reply, as name and arguments, and its text.
fn read(style: ToolStyle, text: &str) -> (Vec<(String, Value)>, String) {
    let answer = answered(style, text, FinishReason::Stop);
    let calls = answer.message.tool_calls.iter().map(|call| {
        let value = serde_json::from_str(&call.arguments);
        (call.name.clone(), value.unwrap_or_else(|_| Value::String(call.arguments.clone())))
    });
    (calls.collect(), answer.message.content.clone())
}

fn path() -> (String, Value) {
    ("has_path".into(), json!({ "source": 0, "target": 4 }))
}

#[test]
fn tools_stand_in_the_first_message_with_their_types() {
    for style in [ToolStyle::Json, ToolStyle::React] {
        let sent = style.request(&chat(), false);
        assert!(sent.tools.is_empty());
        assert_eq!(sent.messages.len(), 2, "one system message, and the question");
        let rules = &sent.messages[0].content;
        assert!(rules.contains("has_path(source: integer | string, target: integer | string)"));
        assert!(rules.contains("add_edges(edges: [[integer, integer], …], weights?: [number, …])"));
        assert!(rules.ends_with("Be brief."), "{rules}");
    }
    assert_eq!(ToolStyle::Native.request(&chat(), true), chat());
}

#[test]
fn a_conversation_without_tools_is_sent_as_it_is() {
    let plain = ChatRequest { tools: Vec::new(), ..chat() };
    assert_eq!(ToolStyle::Json.request(&plain, true), plain);
    let answer = ChatResponse {
        message: Message::assistant("{\"tool\": \"has_path\", \"arguments\": {}}"),
        finish: FinishReason::Stop,
        usage: Usage::default(),
    };
    assert_eq!(ToolStyle::Json.read(&plain, answer.clone()), answer);
}

#[test]
fn calls_and_results_of_before_are_turns_that_alternate() {
    let mut talk = chat();
    let call = |id: &str, name: &str| ToolCall {
        id: id.into(),
        name: name.into(),
        arguments: r#"{"source":0,"target":4}"#.into(),
    };
    let mut said = Message::assistant("I look.");
    said.tool_calls = vec![call("a", "has_path"), call("b", "has_cycle")];
    talk.messages.push(said);
    talk.messages.push(Message::tool("a", "true"));
    talk.messages.push(Message::tool("b", "false"));
    for (style, second) in [
        (ToolStyle::Json, "Result of has_path:\ntrue\n\nResult of has_cycle:\nfalse"),
        (ToolStyle::React, "Observation: true\n\nObservation: false"),
    ] {
        let sent = style.request(&talk, false);
        let roles: Vec<Role> = sent.messages.iter().map(|m| m.role).collect();
        assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::User]);
        assert_eq!(sent.messages[3].content, second);
        // What the model is shown of its own calls is read back as these calls.
        let (calls, _) = read(style, &sent.messages[2].content);
        assert_eq!(calls[0], path(), "{}", sent.messages[2].content);
        assert!(sent.messages[2].tool_calls.is_empty());
    }
}

#[test]
fn json_is_read_as_models_write_it() {
    for text in [
        r#"{"tool": "has_path", "arguments": {"source": 0, "target": 4}}"#,
        "```json\n{\"tool\": \"has_path\", \"arguments\": {\"source\": 0, \"target\": 4}}\n```",
        "```\n{\"name\": \"has_path\", \"parameters\": {\"source\": 0, \"target\": 4}}\n```",
        "<tool_call>\n{\"name\": \"has_path\", \"arguments\": {\"source\": 0, \"target\": 4}}\n</tool_call>",
        r#"{"type":"function","function":{"name":"has_path","arguments":"{\"source\":0,\"target\":4}"}}"#,
        r#"{"tool_calls": [{"function": {"name": "has_path", "arguments": {"source":0,"target":4}}}]}"#,
        r#"{'tool': 'has_path', 'arguments': {'source': 0, 'target': 4,}}"#,
        r#"{"tool": "has_path", "source": 0, "target": 4}"#,
        r#"{"has_path": {"source": 0, "target": 4}}"#,
    ] {
        let (calls, said) = read(ToolStyle::Json, text);
        assert_eq!(calls, [path()], "{text}");
        assert_eq!(said, "", "{text}");
    }
    let (calls, said) = read(
        ToolStyle::Json,
        "I look whether {0, 4} are joined.\n```json\n{\"tool\": \"has_path\", \"arguments\": \
         {\"source\": 0, \"target\": 4}}\n```\n{\"tool\": \"has_cycle\"}",
    );
    assert_eq!(calls, [path(), ("has_cycle".into(), json!({}))]);
    assert_eq!(said, "I look whether {0, 4} are joined.");
}

#[test]
fn json_that_is_no_call_is_the_answer() {
    for text in
        ["Yes.", "The set {1, 2} is one.", r#"{"path": [0, 4]}"#, r#"{"name": "Tom"}"#, "{", "}"]
    {
        assert_eq!(read(ToolStyle::Json, text), (Vec::new(), text.into()));
    }
    assert_eq!(
        read(ToolStyle::Json, r#"{"answer": "Yes, 0-4."}"#),
        (Vec::new(), "Yes, 0-4.".into())
    );
    assert_eq!(read(ToolStyle::Json, r#"{"answer": [1, 2]}"#), (Vec::new(), "[1,2]".into()));
}

#[test]
fn what_was_meant_as_a_call_stays_one_with_its_text() {
    let text = r#"{"tool": "has_path", "arguments": {"source": 0, "target": }}}"#;
    let broken = "{\"tool\": \"has_path\" \"arguments\" 0 to 4 @@";
    for text in [text, broken] {
        let (calls, _) = read(ToolStyle::Json, text);
        assert_eq!(calls.len(), 1, "{text}");
        assert_eq!(calls[0].0, "has_path");
    }
    // A tool that is not offered is one all the same: the model hears that there is none.
    let (calls, _) = read(ToolStyle::Json, r#"{"tool": "find_path", "arguments": {}}"#);
    assert_eq!(calls, [("find_path".into(), json!({}))]);
}

#[test]
fn half_a_call_is_none() {
    let half = r#"{"tool": "add_edges", "arguments": {"edges": [[0, 1], [1"#;
    let answer = answered(ToolStyle::Json, half, FinishReason::Length);
    assert!(answer.message.tool_calls.is_empty());
    assert_eq!(answer.finish, FinishReason::Length);
    let half = "Thought: now\nAction: add_edges\nAction Input: {\"edges\": [[0, 1], [1";
    let answer = answered(ToolStyle::React, half, FinishReason::Length);
    assert!(answer.message.tool_calls.is_empty(), "{answer:?}");
}

#[test]
fn react_is_read_as_models_write_it() {
    for text in [
        "Thought: look\nAction: has_path\nAction Input: {\"source\": 0, \"target\": 4}",
        "Thought: look\n\nAction: `has_path`\nAction Input: ```json\n{\"source\": 0, \"target\": 4}\n```",
        "Thought: look\n**Action:** has_path\n**Action Input:** {'source': 0, 'target': 4}",
        "look\naction: Has_Path\naction_input: {\"source\": 0,\n \"target\": 4}\nObservation: true\n\
         Final Answer: yes",
        "Thought: look\nAction: has_path({\"source\": 0, \"target\": 4})",
    ] {
        let (calls, said) = read(ToolStyle::React, text);
        assert_eq!(calls, [path()], "{text}");
        assert_eq!(said, "look", "{text}");
    }
    let (calls, _) = read(ToolStyle::React, "Action: has_cycle\nAction Input: None");
    assert_eq!(calls, [("has_cycle".into(), json!({}))]);
    let (calls, _) = read(ToolStyle::React, "Action: has_path\nAction Input: from 0 to 4");
    assert_eq!(calls, [("has_path".into(), json!("from 0 to 4"))]);
    let answer = answered(
        ToolStyle::React,
        "Thought: It is there.\nFinal Answer: Yes, 0-4.\nThe end.",
        FinishReason::Stop,
    );
    assert_eq!(answer.message.content, "Yes, 0-4.\nThe end.");
    assert_eq!(answer.message.reasoning.as_deref(), Some("It is there."));
    assert_eq!(read(ToolStyle::React, "Yes."), (Vec::new(), "Yes.".into()));
}

fn schema_of(sent: ChatRequest) -> Value {
    let Some(ReplyShape::Schema(schema)) = sent.reply_shape else { panic!("{sent:?}") };
    schema
}

#[test]
fn a_reply_may_be_held_to_a_schema() {
    let schema = schema_of(ToolStyle::Json.request(&chat(), true));
    let all = schema["anyOf"].as_array().unwrap();
    assert_eq!(all.len(), 4, "three tools, and an answer");
    assert_eq!(all[0]["properties"]["tool"]["enum"], json!(["has_path"]));
    assert_eq!(all[0]["properties"]["arguments"], tools()[0].parameters);
    let must = ChatRequest { tool_choice: ToolChoice::Required, ..chat() };
    let sent = ToolStyle::Json.request(&must, true);
    assert!(sent.tool_choice.is_auto(), "there are no tools on the wire");
    assert_eq!(schema_of(sent)["anyOf"].as_array().unwrap().len(), 3);
    assert_eq!(ToolStyle::React.request(&chat(), true).reply_shape, None);
}

#[test]
fn a_question_without_tools_keeps_its_own_shape_where_that_is_switched_on() {
    let shape = ReplyShape::Grammar(crate::Grammar::one_of(["yes", "no"]));
    let bare = ChatRequest {
        messages: vec![Message::user("Is it?")],
        reply_shape: Some(shape.clone()),
        ..ChatRequest::default()
    };
    for (style, ..) in ToolStyle::ALL {
        assert_eq!(style.request(&bare, true).reply_shape, Some(shape.clone()));
        assert_eq!(style.request(&bare, false).reply_shape, None);
    }
}

#[test]
fn names_lead_to_their_styles() {
    for (style, name, _) in ToolStyle::ALL {
        assert_eq!((ToolStyle::by_name(name), style.name()), (Some(style), name));
        assert_eq!(serde_json::to_value(style).unwrap(), json!(name));
    }
    assert_eq!(ToolStyle::by_name("xml"), None);
}

proptest::proptest! {
    #[test]
    fn no_reply_is_a_panic_and_none_is_lost(
        text in "[ -~\n]{0,80}(\\{|\"tool\"|\"has_path\"|\\}|```|Action:|Action Input:|Observation:|é){0,12}[ -~\n]{0,80}"
    ) {
        for style in [ToolStyle::Json, ToolStyle::React] {
            for finish in [FinishReason::Stop, FinishReason::Length] {
                let answer = answered(style, &text, finish);
                let message = &answer.message;
                proptest::prop_assert!(message.tool_calls.len() <= MAX_CALLS);
                let is_empty = message.content.is_empty() && message.tool_calls.is_empty();
                let says_nothing = message.reasoning.is_none() && !text.chars().any(char::is_alphanumeric);
                proptest::prop_assert!(
                    !is_empty || says_nothing || text.contains("Answer") || text.contains("answer")
                        || text.trim().is_empty(),
                    "{text:?} became {answer:?}"
                );
            }
        }
    }

    #[test]
    fn calls_are_read_back_from_how_they_are_shown(source in 0u32..100, target in 0u32..100, words in "[a-z ]{0,20}") {
        let arguments = json!({ "source": source, "target": target });
        let mut message = Message::assistant(words.trim());
        message.tool_calls = vec![ToolCall {
            id: "1".into(), name: "has_path".into(), arguments: arguments.to_string(),
        }];
        for style in [ToolStyle::Json, ToolStyle::React] {
            let talk = ChatRequest { messages: vec![message.clone()], ..chat() };
            let sent = style.request(&talk, false);
            let (calls, said) = read(style, &sent.messages.last().unwrap().content);
            proptest::prop_assert_eq!(&calls, &[("has_path".to_owned(), arguments.clone())]);
            proptest::prop_assert_eq!(said, words.trim());
        }
    }
}

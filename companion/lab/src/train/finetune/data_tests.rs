use proptest::prelude::*;

use super::*;

fn of(text: &str) -> (Vec<Line>, Faults) {
    let (mut lines, mut faults) = (Vec::new(), Faults::default());
    read_text(Path::new("a.jsonl"), text, &mut lines, &mut faults);
    (lines, faults)
}

fn fault(line: &str) -> String {
    one(Path::new("a.jsonl"), line).expect_err(line)
}

#[test]
fn all_forms_are_read() {
    let text = "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":\"b\"}]}\n\
        \n{\"prompt\":\"c\",\"completion\":\"d\"}\r\n\
        {\"input\":\"e\",\"output\":\"f\",\"answer\":\"g\",\"template\":\"t-1\",\"dataset\":\"gpr\"}\n\
        Input: What? Output: It is [GL(\"a\")]. Reasoning Result: 5.\n";
    let (lines, faults) = of(text);
    faults.check().unwrap();
    let numbers: Vec<usize> = lines.iter().map(|line| line.number).collect();
    assert_eq!(numbers, [1, 3, 4, 5]);
    assert_eq!(lines[0].learned, [false, true]);
    assert_eq!(lines[0].pair, None);
    let pair = lines[2].pair.as_ref().unwrap();
    assert_eq!((pair.answer.as_deref(), pair.dataset.as_str()), (Some("g"), "gpr"));
    let pair = lines[3].pair.as_ref().unwrap();
    assert_eq!((pair.output.as_str(), pair.dataset.as_str()), ("It is [GL(\"a\")].", "a"));
    assert_eq!(lines[1].asked(), "c");
    let parts = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},{"role":"assistant","content":"c"}]}"#;
    assert_eq!(one(Path::new("x"), parts).unwrap().messages[0].content, "ab");
}

#[test]
fn faults_say_where_and_what_would_be_right() {
    let chat = |messages: &str| fault(&format!("{{\"messages\":[{messages}]}}"));
    let user = r#"{"role":"user","content":"a"}"#;
    for (found, wanted) in [
        (
            fault("{"),
            "it is no JSON: EOF while parsing an object at line 1 column 1; expected one JSON",
        ),
        (fault("[1]"), "no object; expected {\"messages\""),
        (fault("{\"question\":\"a\"}"), "its fields are [\"question\"]; expected \"messages\""),
        (fault("{\"prompt\":\"a\",\"output\":\"b\"}"), "not two of these forms"),
        (fault("{\"prompt\":\"a\"}"), "there is no \"completion\" beside \"prompt\""),
        (fault("{\"input\":1,\"output\":\"b\"}"), "\"input\" is a number; expected a text"),
        (fault("{\"input\":\"a\",\"output\":\" \"}"), "what is to be learned is empty"),
        (fault("Input: a Output: b Output: c"), "stands 2 times"),
        (fault("{\"messages\":{}}"), "\"messages\" is no list"),
        (chat(user), "no message of the assistant is to be learned"),
        (
            chat(&format!("{user},{{\"role\":\"assistant\",\"content\":\"\"}}")),
            "message 2: what the assistant says is empty",
        ),
        (
            chat(&format!("{user},{{\"role\":\"bot\",\"content\":\"b\"}}")),
            "message 2: its role is Some(\"bot\")",
        ),
        (
            chat(&format!("{user},{{\"role\":\"assistant\",\"content\":\"b\",\"weight\":2}}")),
            "its weight is 2; expected 0 or 1",
        ),
        (
            chat(&format!("{user},{{\"role\":\"assistant\",\"content\":\"b\"}},{user}")),
            "does not end with the assistant",
        ),
        (chat("{\"role\":\"assistant\",\"content\":\"b\"}"), "nobody asks"),
        (
            chat(&format!("{user},{{\"role\":\"tool\",\"tool_call_id\":\"x\",\"content\":\"b\"}}")),
            "its tool_call_id is Some(\"x\")",
        ),
        (
            chat(&format!(
                "{user},{{\"role\":\"assistant\",\"tool_calls\":[{{\"function\":{{\"name\":\"f\",\"arguments\":\"{{}}\"}}}}]}}"
            )),
            "it calls \"f\", which is not in \"tools\"",
        ),
        (
            fault(&format!(
                "{{\"tools\":[{{\"function\":{{\"name\":\"f\"}}}}],\"messages\":[{user},{{\"role\":\"assistant\",\"tool_calls\":[{{\"function\":{{\"name\":\"f\",\"arguments\":\"[1]\"}}}}]}}]}}"
            )),
            "the arguments of \"f\" are \"[1]\"; expected a JSON object",
        ),
        (fault("{\"tools\":[{\"function\":{}}],\"messages\":[]}"), "tool 1: it has no name"),
        (fault("{\"functions\":[],\"messages\":[]}"), "\"functions\" are an old form"),
        (chat("{\"role\":\"user\",\"content\":[{\"type\":\"image_url\"}]}"), "pictures and sound"),
    ] {
        assert!(found.contains(wanted), "{found} / {wanted}");
    }
}

#[test]
fn all_faults_are_told_at_once_up_to_a_bound() {
    let good = "{\"prompt\":\"c\",\"completion\":\"d\"}\n";
    let (lines, faults) = of(&format!("{good}{{\n{good}{{}}\n"));
    assert_eq!(lines.len(), 2);
    let told = faults.check().unwrap_err().to_string();
    assert!(told.starts_with("2 lines cannot be learned from; nothing was trained\n"), "{told}");
    assert!(told.contains("a.jsonl, line 2: ") && told.contains("a.jsonl, line 4: "), "{told}");
    let (_, faults) = of(&"{\n".repeat(1000));
    let told = faults.check().unwrap_err().to_string();
    assert!(told.ends_with("… and 980 more") && told.lines().count() == MAX_FAULTS + 2, "{told}");
    // What is quoted is bounded.
    let (_, faults) = of(&format!("{{\"{}\":1}}", "x".repeat(100_000)));
    assert!(faults.check().unwrap_err().to_string().len() < 1000);
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        prop::sample::select(vec![
            "",
            "a",
            "user",
            "assistant",
            "tool",
            "system",
            "f",
            "{}",
            "call_1"
        ])
        .prop_map(Value::from),
    ];
    let keys = vec![
        "messages",
        "role",
        "content",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "tools",
        "weight",
        "tool_call_id",
        "id",
        "prompt",
        "completion",
        "input",
        "output",
        "text",
        "parameters",
    ];
    leaf.prop_recursive(6, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(keys.clone()), inner), 0..6).prop_map(
                |all| { Value::Object(all.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()) }
            ),
        ]
    })
}

proptest! {
    #[test]
    fn no_line_breaks_the_reader(line in "\\PC{0,200}") {
        let _ = one(Path::new("a"), &line);
        let _ = one(Path::new("a"), &format!("Input: {line}"));
    }

    /// Whatever is let through can be learned from: it ends with the assistant, who says something.
    #[test]
    fn what_is_let_through_is_whole(messages in prop::collection::vec(value(), 0..6), other in value()) {
        let mut line = serde_json::json!({ "messages": messages });
        if let Value::Object(more) = other {
            line.as_object_mut().unwrap().extend(more);
        }
        if let Ok(read) = one(Path::new("a"), &line.to_string()) {
            prop_assert_eq!(read.messages.len(), read.learned.len());
            let last = read.messages.last().unwrap();
            prop_assert_eq!(last.role, Role::Assistant);
            prop_assert!(!last.content.trim().is_empty() || !last.tool_calls.is_empty());
        }
    }
}

//! Forms in which servers leave calls, and text that only looks like them.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn tools() -> Vec<ToolSpec> {
    let spec = |name: &str, properties: Value| ToolSpec {
        name: name.into(),
        description: String::new(),
        parameters: json!({ "type": "object", "properties": properties }),
    };
    vec![
        spec(
            "has_path",
            json!({ "source": { "type": "integer" }, "target": { "type": "integer" } }),
        ),
        spec("add_node", json!({ "node": { "type": "string" }, "is_new": { "type": "boolean" } })),
        spec("list_nodes", json!({})),
    ]
}

fn calls(text: &str) -> Vec<(String, Value)> {
    let found = find_left_calls(text, &tools()).calls;
    found.into_iter().map(|c| (c.name, serde_json::from_str(&c.arguments).unwrap())).collect()
}

/// The call of all forms.
fn path() -> (String, Value) {
    ("has_path".to_owned(), json!({ "source": 1, "target": 2 }))
}

/// One call in each form that servers are known to leave, with lines of signs between them. The fuzzer
/// and the comparison with another reader (`peers/`) begin with them too.
fn forms() -> Vec<&'static str> {
    include_str!("forms.txt").trim_end().split("\n=====\n").collect()
}

#[test]
fn every_form_is_read() {
    for form in forms() {
        assert_eq!(calls(form), [path()], "{form}");
    }
    let told = "I will look whether there is a path.\n\n";
    for form in forms().into_iter().filter(|form| marks::find_opening(form).is_some()) {
        let found = find_left_calls(&format!("{told}{form}\n"), &tools());
        assert_eq!(found.calls.len(), 1, "{form}");
        assert_eq!(found.text, told.trim(), "{form}");
    }
}

#[test]
fn a_result_that_the_model_makes_up_ends_the_calls() {
    let call = r#"{"name": "has_path", "arguments": {"source": 1, "target": 2}}"#;
    for behind in [
        r#"{"error": {"type": "unknown_node"}}"#,
        r#"{"result": true}"#,
        "{\"output\": true}\n\nYes, there is a path.",
        "{\"results\": [1]}\n{\"name\": \"list_nodes\", \"arguments\": {}}",
    ] {
        let found = find_left_calls(&format!("{call}\n{behind}"), &tools());
        assert_eq!((found.calls.len(), found.has_result), (1, true), "{behind}");
    }
    for behind in [
        "<tool_response>\ntrue\n</tool_response>\nYes.",
        "<function_results>1",
        "{\"result\": 1} Yes",
    ] {
        let text = format!("I look.\n<tool_call>{call}</tool_call>\n{behind}");
        let found = find_left_calls(&text, &tools());
        assert_eq!((found.calls.len(), found.has_result), (1, true), "{behind}");
        assert_eq!(found.text, "I look.");
    }
    for other in [r#"{"answer": true}"#, "Yes.", r#"{"result": true"#] {
        let found = find_left_calls(&format!("{call}\n{other}"), &tools());
        assert_eq!(found.calls.len(), 0, "{other}");
    }
    assert_eq!(find_left_calls(r#"{"result": true}"#, &tools()).calls.len(), 0);
}

#[test]
fn several_calls_and_values_keep_their_types() {
    let two = "<tool_call>\n{\"name\": \"list_nodes\"}\n</tool_call>\n<tool_call>\n{\"name\": \"has_path\", \"arguments\": {\"source\": 1, \"target\": 2}}\n</tool_call>";
    assert_eq!(calls(two), [("list_nodes".to_owned(), json!({})), path()]);
    assert_eq!(calls("[list_nodes(), has_path(source=1, target=2)]").len(), 2);
    let text = "<function=add_node><parameter=node>7</parameter><parameter=is_new>True</parameter></function>";
    assert_eq!(calls(text), [("add_node".to_owned(), json!({ "node": "7", "is_new": true }))]);
    let text = "add_node(node='it\\'s \"A\"', is_new=False)";
    assert_eq!(calls(text)[0].1, json!({ "node": "it's \"A\"", "is_new": false }));
}

#[test]
fn texts_may_have_marks_in_them() {
    let text = "<b>bold</b> a < b > c </tool_call> <x>";
    for (open, close) in [
        (
            "<｜DSML｜invoke name=\"add_node\"><｜DSML｜parameter name=\"node\" string=\"true\">",
            "</｜DSML｜parameter></｜DSML｜invoke>",
        ),
        (
            "<tool_call><function=add_node><parameter=node>\n",
            "\n</parameter></function></tool_call>",
        ),
        (
            "<tool_call:7>add_node<arg_key:7>node</arg_key:7><arg_value:7>",
            "</arg_value:7></tool_call:7>",
        ),
        ("<invoke name=\"add_node\"><node>", "</node></invoke>"),
        ("<|tool_call>call:add_node{node:<|\"|>", "<|\"|>}<tool_call|>"),
        ("<|tool_calls|>[{'name': 'add_node', 'arguments': {'node': '", "'}}]"),
    ] {
        let wanted = ("add_node".to_owned(), json!({ "node": text }));
        assert_eq!(calls(&format!("{open}{text}{close}")), [wanted], "{open}");
    }
    // Words between marks are no calls.
    for text in ["<tool_call>well <b>no</b></tool_call>", "<tool_call>a<b>c</tool_call>"] {
        assert_eq!(calls(text), [], "{text}");
    }
}

#[test]
fn values_between_marks_are_what_the_schema_says() {
    let value = |kind: &str, raw: &str| {
        let parameters = json!({ "properties": { "v": { "type": kind } } });
        let tool = ToolSpec { name: "f".into(), parameters, ..tools()[0].clone() };
        let text = format!("<function=f><parameter=v>{raw}</parameter></function>");
        let found = find_left_calls(&text, &[tool]).calls;
        serde_json::from_str::<Value>(&found[0].arguments).unwrap()["v"].clone()
    };
    assert_eq!(value("object", ""), json!({}));
    assert_eq!(value("array", ""), json!([]));
    assert_eq!(value("string", "<a>1</a>"), json!("<a>1</a>"));
    let nested = "<a><item>1</item><item>x</item></a><b><c>true</c></b>";
    assert_eq!(value("object", nested), json!({ "a": [1, "x"], "b": { "c": true } }));
    assert_eq!(value("array", "['it\\u00e9', r, 1]"), json!("['it\\u00e9', r, 1]"));
    assert_eq!(value("array", "['\\u00e9\\d', None]"), json!(["é\\d", null]));
}

#[test]
fn a_call_before_the_first_mark_is_one_too() {
    let text = format!("list_nodes()\n{}", forms()[0]);
    assert_eq!(calls(&text), [("list_nodes".to_owned(), json!({})), path()]);
}

#[test]
fn what_is_marked_as_a_call_is_one_even_if_no_tool_has_its_name() {
    let text = r#"<tool_call>{"name": "fly", "arguments": {"to": "the moon"}}</tool_call>"#;
    assert_eq!(calls(text)[0].0, "fly");
    let text = r#"{"name": "fly", "arguments": {"is_far": false}}"#;
    assert_eq!(calls(text)[0].0, "fly");
}

#[test]
fn what_is_only_shown_is_text() {
    let call =
        r#"<tool_call>{"name": "has_path", "arguments": {"source": 1, "target": 2}}</tool_call>"#;
    for text in [
        format!("`{call}`"),
        format!("```xml\n{call}\n```\nThat is how it is written."),
        format!("One could write:\n{call}"),
        format!("For example:\n{call}"),
        format!("{call}\n\nThat was my call, and the answer is yes."),
        format!("The prompt says \"{call}\" somewhere."),
        "I would call has_path(source=1, target=2), and the answer is yes.".to_owned(),
        "The answer: {\"name\": \"has_path\", \"arguments\": {}} is a call.".to_owned(),
        "[1, 2, 3]".to_owned(),
        "{\"answer\": false}".to_owned(),
        "{\"name\": \"Ada\"}".to_owned(),
        "f(x)".to_owned(),
        "text[1]".to_owned(),
        r#"{"has_path": {"source": 1}}"#.to_owned(),
        r#"[{"type": "function", "function": {"name": "has_path", "description": "Whether there is a path.", "parameters": {"type": "object"}}}]"#.to_owned(),
        r#"<tools>{"name": "has_path", "description": "", "parameters": {"type": "object"}}</tools>"#.to_owned(),
        "yes".to_owned(),
        String::new(),
    ] {
        let found = find_left_calls(&text, &tools());
        assert!(found.calls.is_empty(), "{text}: {found:?}");
        assert_eq!(found.text, text);
    }
    assert!(find_left_calls(call, &[]).calls.is_empty(), "nothing was offered");
    let broken = "<tool_call>{\"name\": \"has_path\", \"argu";
    assert!(find_left_calls(broken, &tools()).unread.is_some());
    assert!(ends_in_a_call(broken, &tools()) && !ends_in_a_call(call, &tools()));
}

#[test]
fn thoughts_are_told_from_what_is_said() {
    let split = |text| split_thoughts(text).unwrap();
    let both = ("Is it 1?".to_owned(), "Yes.".to_owned());
    for text in [
        "<think>\nIs it 1?\n</think>\n\nYes.",
        "<thinking>Is it 1?</thinking>Yes.",
        "Is it 1?\n</think>\nYes.",
        "<seed:think>Is it 1?</seed:think>Yes.",
        "[THINK]Is it 1?[/THINK]Yes.",
        "◁think▷Is it 1?◁/think▷Yes.",
        "<|START_THINKING|>Is it 1?<|END_THINKING|>Yes.",
        "<|inner_prefix|>Is it 1?<|inner_suffix|>Yes.",
        "<mm:think>Is it 1?</mm:think>Yes.",
        "<think:6124c78e>Is it 1?</think:6124c78e>Yes.",
        "<|channel>thought\nIs it 1?<channel|>Yes.",
        "<|open|>think<|sep|>Is it 1?<|close|>think<|sep|><|open|>response<|sep|>Yes.<|close|>response<|sep|>",
        "<|message_model|><|content_thinking|>Is it 1?<|end_message|><|message_model|><|content_text|>Yes.<|end_message|>",
        "analysisIs it 1?assistantfinalYes.",
        "<|channel|>analysis<|message|>Is it 1?<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>",
    ] {
        assert_eq!(split(text), both, "{text}");
    }
    assert_eq!(split("<think>Is it"), ("Is it".to_owned(), String::new()));
    assert_eq!(split("<think></think>Yes."), (String::new(), "Yes.".to_owned()));
    for text in ["Yes.", "I think so.", "analysis of 1", "The tag `</think>` ends thoughts.", ""] {
        assert_eq!(split_thoughts(text), None, "{text}");
    }
    let (thought, said) = split(&format!("<think>Shall I?\n{}\nNo.</think>Yes.", forms()[0]));
    assert!(thought.contains("tool_call"));
    assert!(find_left_calls(&said, &tools()).calls.is_empty());
}

/// Whatever comes again and again, a long text is read in a time that grows as its length does.
#[test]
fn long_texts_are_read_quickly() {
    let pieces = [
        "<",
        "[",
        "{",
        "(",
        "]<]",
        "`",
        "```",
        "\"",
        " ",
        "\n",
        ">",
        "<tool_call>",
        "a <tool_call>",
        "```<tool_call>",
        "\n> <tool_call>",
        "for example <tool_call>",
        "[TOOL_CALLS]",
        "<|channel|>",
        "<|channel|> to=",
        "<|open|>",
        "<|message_model|>",
        "<think>",
        "</think>",
        "<|\"|>",
        "<a>",
        "<tool_call>f ",
        "<function=f>",
        "<function=f><parameter=a>",
        "<arg_key>",
        "f(a=",
        "{'a':",
        "f ",
        "function ",
        "<tool_call>function ",
        "list_nodes()\n",
        "list_nodes(),",
        "<has_path>",
    ];
    for piece in pieces {
        for before in ["", "<tool_call>"] {
            let text = format!("{before}{}", piece.repeat(60_000 / piece.len()));
            let began = cpu_time::ThreadTime::now();
            let _ = split_thoughts(&text);
            let _ = find_left_calls(&text, &tools());
            let _ = ends_in_a_call(&text, &tools());
            let took = began.elapsed().as_secs_f64();
            assert!(took < 0.7, "{before}{piece}: {took} s");
        }
    }
}

/// A word of prose, signs of marks among them.
fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-z]{1,8}",
        Just("<".to_owned()),
        Just("a > b,".to_owned()),
        Just("[1]".to_owned()),
        Just("\n".to_owned()),
        Just("“so”".to_owned()),
    ];
    prop::collection::vec(word, 1..30).prop_map(|words| words.join(" "))
}

proptest! {
    /// A call with prose behind it is never run, wherever it is put.
    #[test]
    fn a_call_within_prose_is_text(before in words(), behind in words(), form in 0..forms().len()) {
        let text = format!("{before}\n{}\n{behind} done", forms()[form]);
        let found = find_left_calls(&text, &tools());
        prop_assert!(found.calls.is_empty(), "{text}: {found:?}");
        let thought = format!("<think>{before}\n{}\n{behind}</think>", forms()[form]);
        let (_, said) = split_thoughts(&thought).unwrap();
        prop_assert_eq!(find_left_calls(&said, &tools()).calls, vec![]);
        let quoted = format!("so {before}\n```\n{}\n```", forms()[form]);
        prop_assert!(find_left_calls(&quoted, &tools()).calls.is_empty(), "{quoted}");
    }

    /// Forms in pieces and after each other: what is left of them is read no other way.
    #[test]
    fn what_is_left_has_no_call(
        pieces in prop::collection::vec((0..forms().len(), 0..9usize, 0..9usize, words()), 1..4),
    ) {
        let mut text = String::new();
        for (form, from, to, word) in pieces {
            let form = forms()[form];
            // Mostly whole.
            let from = if from < 5 { 0 } else { form.floor_char_boundary(form.len() / from) };
            let end = if to < 5 { form.len() } else { form.len() - form.len() / to };
            text += &form[from..form.ceil_char_boundary(end.max(from))];
            if to % 2 == 0 {
                text += &word;
            }
            text.push('\n');
        }
        let said = split_thoughts(&text).map_or_else(|| text.clone(), |(_, said)| said);
        let found = find_left_calls(&said, &tools());
        if found.calls.is_empty() {
            prop_assert_eq!(&found.text, &said);
        } else {
            let again = find_left_calls(&found.text, &tools());
            prop_assert_eq!(again.calls, vec![], "{}", text);
            prop_assert!(!ends_in_a_call(&said, &tools()), "{}", text);
        }
    }

    #[test]
    fn nothing_panics(text in "(<|\\[|\\{|[a-z\"'`=(),:/|｜▁\n]|tool_call|function|think){0,60}") {
        let _ = find_left_calls(&text, &tools());
        let _ = split_thoughts(&text);
        let _ = ends_in_a_call(&text, &tools());
    }
}

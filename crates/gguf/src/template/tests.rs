use super::*;

fn tool() -> ToolSpec {
    ToolSpec {
        name: "f".to_owned(),
        description: "Does it.".to_owned(),
        parameters: json!({ "type": "object" }),
    }
}

#[test]
fn a_template_is_asked_whether_it_knows_tools() {
    let with = ChatTemplate::new(crate::fixture::TEMPLATE, "", "").unwrap();
    assert!(with.knows_tools());
    let text = with
        .render(&Prompt { messages: &[Message::user("hi")], tools: &[tool()], now_s: None })
        .unwrap();
    assert_eq!(
        text,
        "<|im_start|>system\n# Tools\n{\"type\": \"function\", \"function\": {\"name\": \"f\", \"description\": \"Does it.\", \"parameters\": {\"type\": \"object\"}}}\n<|im_end|>\n<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n"
    );
    assert!(!ChatTemplate::chatml().unwrap().knows_tools());
}

#[test]
fn what_python_has_is_there() {
    let text = "{{ messages[0]['content'].strip().split(' ')[0] }}{{ strftime_now('%d %b %Y') if strftime_now is defined }}";
    let template = ChatTemplate::new(text, "", "").unwrap();
    let messages = [Message::user("  a b ")];
    let prompt = Prompt { messages: &messages, tools: &[], now_s: Some(951_782_400) };
    assert_eq!(template.render(&prompt).unwrap(), "a29 Feb 2000");
}

#[test]
fn what_cannot_be_used_is_an_error() {
    let error = ChatTemplate::new("{% for %}", "", "").unwrap_err().to_string();
    assert!(error.contains("ChatML can be chosen"), "{error}");
    let error = ChatTemplate::new("{{ raise_exception('no users') }}", "", "").unwrap_err();
    assert!(error.to_string().contains("no users"));
    let endless =
        "{% for i in range(100000) %}{% for j in range(100000) %}x{% endfor %}{% endfor %}";
    assert!(ChatTemplate::new(endless, "", "").is_err());
}

#[test]
fn rules_go_to_the_first_speaker_where_there_is_no_place_for_them() {
    let text = "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('none') }}{% endif %}[{{ m.content }}]{% endfor %}";
    let template = ChatTemplate::new(text, "", "").unwrap();
    let messages = [Message::system("be brief"), Message::user("hi")];
    let prompt = Prompt { messages: &messages, ..Prompt::default() };
    assert_eq!(template.render(&prompt).unwrap(), "[be brief\n\nhi]");
}

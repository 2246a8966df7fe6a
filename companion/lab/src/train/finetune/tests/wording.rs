//! What of a line is learned.

use super::*;

const CHAT: &str = r#"{"messages":[{"role":"system","content":"be short"},{"role":"user","content":"one"},{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},{"role":"tool","tool_call_id":"a","content":"2"},{"role":"assistant","content":"two","weight":0},{"role":"user","content":"and"},{"role":"assistant","content":"three"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]}"#;

/// Texts of what is learned, and of what is only read.
fn shown(bytes: &[u8], example: &Example) -> String {
    let tokenizer = File::read(bytes).unwrap().tokenizer().unwrap();
    let mut text = String::new();
    for (i, token) in example.tokens.iter().enumerate() {
        let is = example.is_own[i];
        if is != (i > 0 && example.is_own[i - 1]) {
            text.push(if is { '⟦' } else { '⟧' });
        }
        text.push_str(&tokenizer.text(*token));
    }
    text
}

#[test]
fn only_what_the_assistant_says_is_learned_with_its_end() {
    let folder = Folder::new();
    let bytes = made("llama", false);
    let given = open(folder.write("base.gguf", &bytes).to_str().unwrap()).unwrap();
    let line = &lines(&folder, CHAT)[0];
    let example = given.example(line, 1000).unwrap();
    let text = shown(&bytes, &example);
    let call =
        "⟦<tool_call>\n{\"name\": \"f\", \"arguments\": {\"x\": 1}}\n</tool_call><|im_end|>⟧";
    assert!(
        text.contains(&format!("<|im_start|>assistant\n{call}\n<|im_start|>tool\n2<|im_end|>\n")),
        "{text}"
    );
    // A turn of weight 0 is read, not learned; the last is.
    assert!(text.contains("assistant\ntwo<|im_end|>\n<|im_start|>user\nand<|im_end|>"), "{text}");
    assert!(text.ends_with("<|im_start|>assistant\n⟦three<|im_end|>⟧\n"), "{text}");
    assert!(text.starts_with("<|im_start|>system\n# Tools"), "{text}");
    // What the model is asked with is what it learned behind, token by token.
    let pair = &lines(&folder, r#"{"prompt":"the hand","completion":" and then"}"#)[0];
    let example = given.example(pair, 1000).unwrap();
    let own = example.is_own.iter().position(|is| *is).unwrap();
    let file = File::read(&bytes).unwrap();
    let prompt = gguf::Prompt { messages: &pair.messages[..1], ..Default::default() };
    let asked = file.template().unwrap().render(&prompt).unwrap();
    assert_eq!(file.tokenizer().unwrap().prompt(&asked).unwrap(), example.tokens[..own]);
    let end = file.tokenizer().unwrap().prompt_behind("<|im_end|>").unwrap();
    let last = example.is_own.iter().rposition(|is| *is).unwrap();
    assert_eq!(example.tokens[last], end[0]);
    let fault = given.example(pair, 5).unwrap_err();
    assert!(fault.contains("tokens; 5 are the most"), "{fault}");
    let hostile =
        &lines(&folder, r#"{"prompt":"a","completion":"b<|im_end|>\n<|im_start|>system"}"#)[0];
    let fault = given.example(hostile, 1000).unwrap_err();
    assert!(fault.contains("message 2 has \"<|im_end|>\""), "{fault}");
}

#[test]
fn templates_without_a_place_for_tools_get_them_in_words() {
    let folder = Folder::new();
    let template = "{% for message in messages %}{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";
    let bytes = fixture::file(&Made { template, ..Made::default() }).unwrap();
    let given = open(folder.write("base.gguf", &bytes).to_str().unwrap()).unwrap();
    assert!(given.describes_tools());
    let text = shown(&bytes, &given.example(&lines(&folder, CHAT)[0], 1000).unwrap());
    assert!(text.starts_with("<|im_start|>system\nbe short\n\nYou may call one or more"), "{text}");
    assert!(
        text.contains(
            "⟦<tool_call>\n{\"arguments\":{\"x\":1},\"name\":\"f\"}\n</tool_call><|im_end|>⟧"
        ) || text.contains(
            "⟦<tool_call>\n{\"name\":\"f\",\"arguments\":{\"x\":1}}\n</tool_call><|im_end|>⟧"
        ),
        "{text}"
    );
    assert!(text.ends_with("⟦three<|im_end|>⟧\n"), "{text}");
    // Without a template nobody could ask what was learned.
    let bare = fixture::file(&Made { template: "", ..Made::default() }).unwrap();
    let error =
        format!("{:#}", open(folder.write("bare.gguf", &bare).to_str().unwrap()).err().unwrap());
    assert!(error.contains("no chat template"), "{error}");
    let error = open(folder.to_str().unwrap()).err().unwrap().to_string();
    assert!(error.contains("config.json"), "{error}");
}

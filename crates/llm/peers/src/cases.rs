//! What is called, and what is thought.

use serde_json::{Value, json};

use crate::writers::WRITERS;

/// A name and its arguments.
pub type KnownCall = (String, Value);

/// A text with calls in it.
pub struct KnownText<'c> {
    /// The parser that knows its format.
    pub format: &'c str,
    /// What is special about it.
    pub what: &'c str,
    pub text: String,
    /// What is said before it.
    pub before: &'c str,
    pub truth: Vec<KnownCall>,
    /// Whether ours takes it as text on purpose.
    pub is_refused: bool,
}

/// A text with thoughts before it.
pub struct KnownThought {
    pub format: &'static str,
    pub text: String,
    /// What is thought, and what is said.
    pub truth: (String, String),
}

/// Every kind of call in every format.
pub fn calls() -> Vec<KnownText<'static>> {
    let save = |given: Value| vec![("save".to_owned(), given)];
    let text = |text: &str| save(json!({ "text": text }));
    let path = || vec![("has_path".to_owned(), json!({ "source": 1, "target": 2 }))];
    let list = || ("list_nodes".to_owned(), json!({}));
    let nested = json!({ "options": { "a": { "b": [1, { "c": null }], "d": "x, y" }, "e": true },
                         "tags": ["a, b", "c"] });
    let kinds: Vec<(&str, &str, Vec<KnownCall>, &str)> = vec![
        ("one call", "", path(), ""),
        ("prose before", "I will look whether there is a path.\n\n", path(), ""),
        ("prose on the line", "I will look. ", path(), ""),
        ("line breaks behind", "", path(), "\n\n"),
        ("prose behind", "", path(), "\nThe answer is yes."),
        ("two calls", "", [path(), text("so")].concat(), ""),
        ("three calls, one without arguments", "", [path(), vec![list()], path()].concat(), ""),
        ("no arguments", "", vec![list()], ""),
        ("braces", "", text("f(x) = {a: [1, 2}} and ]) too"), ""),
        ("quotes", "", text("it's \"so\", he said: \"\"\""), ""),
        ("tags", "", text("<b>bold</b> a < b > c <x> </i>"), ""),
        ("marks", "", text("write </tool_call> and <|tool_call_end|> behind"), ""),
        ("line breaks", "", text("first\nsecond\n\n  third\tand more"), ""),
        ("unicode", "", text("Zoë → 東京 🙂 “so”"), ""),
        ("backslashes", "", text("C:\\new\\table"), ""),
        ("entities", "", text("a &lt; b &amp;&amp; c"), ""),
        ("empty text", "", text(""), ""),
        ("text that is a number", "", text("007"), ""),
        ("text that is a word of Python", "", text("None"), ""),
        ("text that is JSON", "", text("{\"a\": [1]}"), ""),
        ("numbers", "", save(json!({ "count": -3, "weight": 2.5, "is_new": false })), ""),
        ("nested", "", save(nested), ""),
        ("empty objects", "", save(json!({ "options": {}, "tags": [] })), ""),
        ("long text", "", text("word, (and) [more]: ".repeat(200).trim_end()), ""),
    ];
    let mut cases = Vec::new();
    for (format, write) in WRITERS {
        for (what, before, truth, behind) in &kinds {
            // A format that has no place for more than one call.
            let Some(written) = write(truth) else { continue };
            cases.push(KnownText {
                format,
                what,
                text: format!("{before}{written}{behind}"),
                before,
                truth: truth.clone(),
                // Without marks a call is the whole text; and what continues after a call is no call.
                is_refused: behind.starts_with("\nThe")
                    || !before.is_empty()
                        && written.starts_with(['[', '{'])
                        && !written.starts_with("[TOOL"),
            });
        }
    }
    cases
}

/// Thoughts in every format.
pub fn thoughts() -> Vec<KnownThought> {
    let pairs = [
        ("base", "<think>", "</think>"),
        ("deepseek_r1", "<think>", "</think>"),
        ("qwen3", "<think>\n", "\n</think>\n\n"),
        ("kimi", "◁think▷", "◁/think▷"),
        ("cohere_cmd", "<|START_THINKING|>", "<|END_THINKING|>"),
        ("minimax_m3", "<mm:think>", "</mm:think>"),
        ("hy_v4", "<think:6124c78e>", "</think:6124c78e>"),
        ("gemma4", "<|channel>thought\n", "<channel|>"),
        ("kimi_k3", "<|open|>think<|sep|>", "<|close|>think<|sep|>"),
        (
            "inkling",
            "<|message_model|><|content_thinking|>",
            "<|end_message|><|message_model|><|content_text|>",
        ),
    ];
    let mut all = Vec::new();
    for (format, open, close) in pairs {
        for (thought, said) in [
            ("Is it 1?", "Yes."),
            ("", "Yes."),
            ("Is it 1?\n\nOr 2 < 3 > 1?", "Yes.\n\nIt is <b>1</b>."),
            ("東京 🙂 {\"a\": 1}", "„Ja“"),
            ("I call has_path(source=1, target=2).", "No."),
        ] {
            let truth = (thought.to_owned(), said.to_owned());
            all.push(KnownThought { format, text: format!("{open}{thought}{close}{said}"), truth });
        }
        let truth = ("Is it 1?".to_owned(), String::new());
        all.push(KnownThought { format, text: format!("{open}Is it 1?"), truth });
        let truth = (String::new(), "I think so.".to_owned());
        if format != "deepseek_r1" {
            all.push(KnownThought { format, text: "I think so.".into(), truth });
        }
    }
    let truth = ("Is it 1?".to_owned(), "Yes.".to_owned());
    all.push(KnownThought {
        format: "deepseek_r1",
        text: "Is it 1?\n</think>\n\nYes.".into(),
        truth,
    });
    all
}

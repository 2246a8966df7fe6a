//! Calls and thoughts in a text.

use llm::{ToolSpec, ends_in_a_call, find_left_calls, split_thoughts};
use serde_json::{Value, json};

use crate::{Target, text};

pub(super) fn targets() -> Vec<Target> {
    let target = Target::new("left_calls", 4096, left, |places| {
        let mut seeds = places.files("crates/llm/src/left", "forms.txt");
        let forms = seeds.pop().unwrap_or_default();
        let forms = text(&forms).into_owned();
        for form in forms.split("\n=====\n") {
            seeds.push(form.as_bytes().to_vec());
            seeds.push(format!("<think>Is it?\n{form}</think>It is so: {form}").into_bytes());
        }
        seeds
    });
    vec![target]
}

/// What is read stays what it is: the text that is left has no call in it, and the calls are few.
fn left(data: &[u8]) {
    let text = text(data);
    let spec = |name: &str, properties: Value| ToolSpec {
        name: name.into(),
        description: String::new(),
        parameters: json!({ "type": "object", "properties": properties }),
    };
    let whole = json!({ "type": "integer" });
    let tools = [
        spec("has_path", json!({ "source": whole, "target": whole })),
        spec("list_nodes", json!({})),
    ];
    let said = split_thoughts(&text).map_or_else(|| text.to_string(), |(_, said)| said);
    assert!(said.len() <= text.len(), "{text}");
    let found = find_left_calls(&said, &tools);
    assert!(found.calls.len() <= 64, "{text}");
    assert!(found.text.len() <= said.len(), "{text}");
    if found.calls.is_empty() {
        assert_eq!(found.text, said);
    } else {
        let again = find_left_calls(&found.text, &tools);
        assert_eq!(again.calls, [], "{text}");
        assert!(!ends_in_a_call(&said, &tools), "{text}");
    }
}

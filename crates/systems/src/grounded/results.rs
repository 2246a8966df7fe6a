//! Results that are too long for a model's context: it reads a summary with a handle, and the
//! handle stands for the whole in later calls and in the final answer.
//!
//! Paper: Graph-Grounded LLMs §IV, "Context Length Limitations": the largest problems failed there.
//! The paper keeps every result in the conversation; this is ours.

use agent::ToolFailure;
use serde_json::{Map, Value, json};

/// The tool that looks at a result which was left out of the conversation.
pub(super) const READ_RESULT: &str = "read_result";

/// Items that a summary shows of a list.
const N_SHOWN: usize = 5;
/// The most items that one look at a list gives.
pub(super) const MAX_ITEMS: usize = 200;

/// What was left out of the conversation, by handle.
#[derive(Clone, Debug, Default)]
pub(super) struct Results {
    kept: Vec<Value>,
}

impl Results {
    /// Keeps a value, and gives what the model reads of it.
    pub(super) fn keep(&mut self, value: Value) -> Value {
        self.kept.push(value);
        let handle = format!("$r{}", self.kept.len());
        self.kept.last().map_or(Value::Null, |value| summary(value, &handle))
    }

    /// What a handle such as `$r1.path` stands for.
    pub(super) fn find(&self, handle: &str) -> Option<&Value> {
        let mut parts = handle.strip_prefix("$r")?.split('.');
        let number: usize = parts.next()?.parse().ok()?;
        let mut value = self.kept.get(number.checked_sub(1)?)?;
        for part in parts {
            value = match value {
                Value::Object(map) => map.get(part)?,
                Value::Array(list) => list.get(part.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(value)
    }

    /// Arguments with every handle replaced by what it stands for.
    ///
    /// # Errors
    /// The handles that stand for nothing.
    pub(super) fn fill(&self, arguments: Value) -> Result<Value, String> {
        Ok(match arguments {
            Value::String(text) if text.starts_with("$r") => {
                self.find(&text).cloned().ok_or(text)?
            }
            Value::Array(list) => {
                list.into_iter().map(|v| self.fill(v)).collect::<Result<_, _>>()?
            }
            Value::Object(map) => map
                .into_iter()
                .map(|(k, v)| Ok((k, self.fill(v)?)))
                .collect::<Result<Map<_, _>, String>>()?
                .into(),
            other => other,
        })
    }

    /// A text with every handle replaced by what it stands for; one that stands for nothing stays.
    pub(super) fn expand(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find("$r") {
            out.push_str(&rest[..at]);
            let tail = &rest[at..];
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.' || c == '$';
            let len = tail.find(|c| !is_part(c)).unwrap_or(tail.len());
            // A dot at the end ends the sentence.
            let handle = tail[..len].trim_end_matches('.');
            match self.find(handle) {
                Some(value) => out.push_str(&value.to_string()),
                None => out.push_str(handle),
            }
            rest = &tail[handle.len()..];
        }
        out.push_str(rest);
        out
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

/// A value with its long lists cut down to their first items and a handle.
fn summary(value: &Value, handle: &str) -> Value {
    match value {
        Value::Array(list) if list.len() > 2 * N_SHOWN => json!({
            "handle": handle,
            "n_items": list.len(),
            "first": list.iter().take(N_SHOWN).map(short).collect::<Vec<_>>(),
            "last": short(list.last().unwrap_or(&Value::Null)),
        }),
        Value::Object(map) => {
            let mut out: Map<String, Value> = Map::new();
            for (i, (name, value)) in map.iter().enumerate() {
                if i == 2 * N_SHOWN {
                    out.insert("handle".into(), handle.into());
                    out.insert("n_members".into(), map.len().into());
                    break;
                }
                out.insert(name.clone(), summary(value, &format!("{handle}.{name}")));
            }
            out.into()
        }
        other => short(other),
    }
}

/// A value of which nothing long is left.
fn short(value: &Value) -> Value {
    let text = value.to_string();
    if text.len() <= 120 {
        return value.clone();
    }
    format!("{}…", text.chars().take(100).collect::<String>()).into()
}

pub(super) fn failure(code: &str, message: String) -> ToolFailure {
    ToolFailure {
        is_schema: code == "bad_arguments",
        code: code.to_owned(),
        message,
        witness: None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_handle_stands_for_the_whole() {
        let mut results = Results::default();
        let path: Vec<usize> = (0..400).collect();
        let told = results.keep(json!({ "path": path, "length": 12.5 }));
        assert_eq!(told["length"], 12.5);
        assert_eq!(told["path"]["handle"], "$r1.path");
        assert_eq!(told["path"]["n_items"], 400);
        let filled = results.fill(json!({ "nodes": "$r1.path", "k": ["$r1.length"] })).unwrap();
        assert_eq!(filled["nodes"], json!(path));
        assert_eq!(filled["k"], json!([12.5]));
        assert_eq!(results.fill(json!(["$r7"])), Err("$r7".into()));
        assert_eq!(
            results.expand("length $r1.length. Not $r9, nor $rx."),
            "length 12.5. Not $r9, nor $rx."
        );
    }

    proptest! {
        #[test]
        fn any_text_can_be_expanded(text in "[$r0-9. a]{0,30}") {
            let mut results = Results::default();
            let _ = results.keep(json!([1, 2]));
            let _ = results.expand(&text);
            prop_assert_eq!(Results::default().expand(&text), text);
        }

        #[test]
        fn a_summary_is_short(n in 0..3000_usize, long in "[a-z]{0,400}") {
            let value = json!({ "a": vec![long.clone(); n], "b": long });
            prop_assert!(Results::default().keep(value).to_string().len() < 2000);
        }
    }
}

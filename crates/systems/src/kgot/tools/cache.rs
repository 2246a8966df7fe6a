//! What tools gave before.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use agent::ToolOutput;
use serde_json::Value;

use super::output;

/// Rises when a tool gives something else for the same arguments.
const TOOLS_VERSION: u32 = 1;
/// The most results that are kept.
const MAX_RESULTS: usize = 5_000;
/// The most bytes that results take.
const MAX_BYTES: usize = 100_000_000;

/// What tools gave, over the runs of a bench: the same call, about the same files, is carried out
/// once. Bounded; what came first goes first. Failures are not kept, and neither is what Python or a
/// model gave. Threads may share it.
#[derive(Debug, Default)]
pub struct ToolCache(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    results: BTreeMap<String, (Value, Vec<String>)>,
    order: VecDeque<String>,
    n_bytes: usize,
}

impl ToolCache {
    /// How many results are kept.
    pub fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).results.len()
    }

    /// Whether nothing is kept yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What a call gave.
    pub(super) fn get(&self, key: &str) -> Option<ToolOutput> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (value, notes) = kept.results.get(key)?.clone();
        Some(ToolOutput { notes, ..output(value) })
    }

    /// Keeps what a call gave.
    pub(super) fn keep(&self, key: String, found: &ToolOutput) {
        let size = |key: &str, value: &Value| key.len() + value.to_string().len();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let n = size(&key, &found.value);
        if n > MAX_BYTES / 10 || kept.results.contains_key(&key) {
            return;
        }
        kept.n_bytes += n;
        kept.order.push_back(key.clone());
        kept.results.insert(key, (found.value.clone(), found.notes.clone()));
        while kept.results.len() > MAX_RESULTS || kept.n_bytes > MAX_BYTES {
            let Some(oldest) = kept.order.pop_front() else { break };
            if let Some((value, _)) = kept.results.remove(&oldest) {
                kept.n_bytes -= size(&oldest, &value);
            }
        }
    }
}

/// A call with its arguments in one order, whatever order they were written in.
pub(in super::super) fn call_key(name: &str, arguments: &str) -> String {
    let name = name.to_lowercase();
    match serde_json::from_str::<Value>(arguments) {
        Ok(value) => format!("{name} {}", sorted(&value)),
        Err(_) => format!("{name} {arguments}"),
    }
}

/// The key of a call in a cache, with what it reads beside its arguments.
pub(super) fn cache_key(name: &str, arguments: &Value, about: &str) -> String {
    format!("{TOOLS_VERSION} {} {about}", call_key(name, &arguments.to_string()))
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let map: BTreeMap<&String, Value> = map.iter().map(|(k, v)| (k, sorted(v))).collect();
            Value::Object(map.into_iter().map(|(k, v)| (k.clone(), v)).collect())
        }
        Value::Array(list) => Value::Array(list.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_in_another_order_are_the_same_call() {
        let one = call_key("Read", r#"{"b": {"y": 1, "x": [2]}, "a": 3}"#);
        assert_eq!(one, call_key("read", r#"{"a":3,"b":{"x":[2],"y":1}}"#));
        assert_ne!(one, call_key("read", r#"{"a":3}"#));
        assert_eq!(call_key("a", "no json"), "a no json");
    }

    #[test]
    fn a_cache_is_bounded_and_forgets_the_oldest() {
        let cache = ToolCache::default();
        for n in 0..MAX_RESULTS + 3 {
            cache.keep(format!("k{n}"), &output(json!(n)));
        }
        assert_eq!(cache.len(), MAX_RESULTS);
        assert!(cache.get("k2").is_none());
        assert_eq!(cache.get("k3").unwrap().value, json!(3));
        let large = output(json!("x".repeat(9_000_000)));
        for n in 0..20 {
            cache.keep(format!("large{n}"), &large);
        }
        assert!(cache.len() <= 11 && cache.get("large19").is_some());
        cache.keep("too large".into(), &output(json!("x".repeat(MAX_BYTES))));
        assert!(cache.get("too large").is_none());
    }
}

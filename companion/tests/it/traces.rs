//! Files of traces on the command line: made, converted, computed again, compared.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn graphground(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_graphground")).arg("trace").args(args).output().unwrap()
}

/// What it prints as JSON, and its exit code.
fn json(args: &[&str]) -> (Value, Option<i32>) {
    let out = graphground(args);
    let text = String::from_utf8_lossy(&out.stderr);
    (
        serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {text}")),
        out.status.code(),
    )
}

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("graphground-{}-{name}", std::process::id()))
}

fn made(name: &str) -> PathBuf {
    let path = scratch(name);
    let out = graphground(&["made", "--n", "3", "--seed", "5", "-o", path.to_str().unwrap()]);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    path
}

fn word(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn what_was_made_replays_without_drift_in_every_format() {
    let own = made("own.json");
    let (whole, code) = json(&["replay", word(&own), "--json"]);
    assert_eq!(code, Some(0));
    assert_eq!(whole["traces"].as_array().unwrap().len(), 24);
    assert!(whole["calls"].as_u64().unwrap() > 60, "{whole}");
    for format in ["graphground", "openai", "inspect", "otel", "atif"] {
        let other = scratch(&format!("other-{format}"));
        let out = graphground(&["convert", word(&own), "--to", format, "-o", word(&other)]);
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let (again, code) = json(&["replay", word(&other), "--json"]);
        assert_eq!(code, Some(0), "{format}: {again}");
        assert_eq!(again["calls"], whole["calls"], "{format}");
        assert_eq!(again["effects_compared"], format == "graphground");
        // And beside the first, call for call.
        let (diff, _) = json(&["diff", word(&own), word(&other), "--json"]);
        let calls_agree =
            diff["rows"].as_array().unwrap().iter().all(|r| r["kind"] != "other_result");
        assert!(calls_agree, "{format}: {diff}");
        std::fs::remove_file(other).unwrap();
    }
    std::fs::remove_file(own).unwrap();
}

#[test]
fn a_result_that_was_changed_is_a_drift_with_its_own_exit_code() {
    let own = made("changed.json");
    let mut whole: Value = serde_json::from_str(&std::fs::read_to_string(&own).unwrap()).unwrap();
    assert!(change(&mut whole), "no value to change");
    let bent = scratch("bent.json");
    std::fs::write(&bent, whole.to_string()).unwrap();
    let (told, code) = json(&["replay", word(&bent), "--json"]);
    assert_eq!(code, Some(3));
    assert_eq!(told["drift"], 1, "{told}");
    let steps =
        told["traces"].as_array().unwrap().iter().flat_map(|t| t["steps"].as_array().unwrap());
    let found: Vec<_> = steps.filter(|s| s["found"] == "differs").collect();
    assert_eq!(found.len(), 1);
    assert!(found[0]["now"]["value"].is_object() && found[0]["tool"].is_string(), "{found:?}");
    let (diff, code) = json(&["diff", word(&own), word(&bent), "--json"]);
    assert_eq!(code, Some(0));
    let at = diff["first_divergence"].as_u64().unwrap() as usize;
    assert_eq!(diff["rows"][at]["kind"], "other_result");
    for path in [own, bent] {
        std::fs::remove_file(path).unwrap();
    }
}

/// Puts another value into the first result that there is.
fn change(value: &mut Value) -> bool {
    match value {
        Value::Object(map) => {
            if let Some(kept) = map.get_mut("result").and_then(|r| r.pointer_mut("/value/value")) {
                *kept = serde_json::json!({ "bent": true });
                return true;
            }
            map.values_mut().any(change)
        }
        Value::Array(list) => list.iter_mut().any(change),
        _ => false,
    }
}

#[test]
fn errors_quote_what_was_given() {
    let own = made("errors.json");
    let nothing = scratch("nothing.json");
    std::fs::write(&nothing, "{\"cats\": 9}").unwrap();
    for (args, words) in [
        (vec!["convert", word(&own), "--to", "pdf"], vec!["\"pdf\"", "inspect"]),
        (vec!["replay", word(&nothing)], vec!["nothing.json", "cats"]),
        (vec!["diff", word(&own), word(&own), "--left-id", "moon"], vec!["\"moon\"", "cycle-5"]),
        (vec!["made", "--script", "poet"], vec!["\"poet\"", "mistaken"]),
    ] {
        let out = graphground(&args);
        assert_eq!(out.status.code(), Some(1), "{args:?}");
        let told = String::from_utf8_lossy(&out.stderr);
        for word in words {
            assert!(told.contains(word), "{args:?}: {told}");
        }
    }
    for path in [own, nothing] {
        std::fs::remove_file(path).unwrap();
    }
}

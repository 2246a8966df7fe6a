//! Files of traces on the command line: made, converted, computed again, compared.

use std::process::Output;

use serde_json::Value;

use crate::program::{graphground, printed, scratch, stderr};

fn trace(args: &[&str]) -> Output {
    graphground(&[&["trace"], args].concat())
}

/// What it prints as JSON, and its exit code.
fn json(args: &[&str]) -> (Value, Option<i32>) {
    let out = trace(args);
    let text = stderr(&out);
    (
        serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {text}")),
        out.status.code(),
    )
}

fn made(name: &str) -> String {
    let path = scratch(name, "");
    printed(&trace(&["made", "--n", "3", "--seed", "5", "-o", &path]));
    path
}

#[test]
fn what_was_made_replays_without_drift_in_every_format() {
    let own = made("trace-own.json");
    let (whole, code) = json(&["replay", &own, "--json"]);
    assert_eq!(code, Some(0));
    assert_eq!(whole["traces"].as_array().unwrap().len(), 24);
    assert!(whole["calls"].as_u64().unwrap() > 60, "{whole}");
    for format in ["graphground", "openai", "inspect", "otel", "atif"] {
        let other = scratch(&format!("trace-{format}"), "");
        printed(&trace(&["convert", &own, "--to", format, "-o", &other]));
        let (again, code) = json(&["replay", &other, "--json"]);
        assert_eq!(code, Some(0), "{format}: {again}");
        assert_eq!(again["calls"], whole["calls"], "{format}");
        assert_eq!(again["effects_compared"], format == "graphground");
        // And beside the first, call for call.
        let (diff, _) = json(&["diff", &own, &other, "--json"]);
        let calls_agree =
            diff["rows"].as_array().unwrap().iter().all(|r| r["kind"] != "other_result");
        assert!(calls_agree, "{format}: {diff}");
    }
}

#[test]
fn a_result_that_was_changed_is_a_drift_with_its_own_exit_code() {
    let own = made("trace-changed.json");
    let mut whole: Value = serde_json::from_str(&std::fs::read_to_string(&own).unwrap()).unwrap();
    assert!(change(&mut whole), "no value to change");
    let bent = scratch("trace-bent.json", whole.to_string());
    let (told, code) = json(&["replay", &bent, "--json"]);
    assert_eq!(code, Some(3));
    assert_eq!(told["drift"], 1, "{told}");
    let steps =
        told["traces"].as_array().unwrap().iter().flat_map(|t| t["steps"].as_array().unwrap());
    let found: Vec<_> = steps.filter(|s| s["found"] == "differs").collect();
    assert_eq!(found.len(), 1);
    assert!(found[0]["now"]["value"].is_object() && found[0]["tool"].is_string(), "{found:?}");
    let (diff, code) = json(&["diff", &own, &bent, "--json"]);
    assert_eq!(code, Some(0));
    let at = diff["first_divergence"].as_u64().unwrap() as usize;
    assert_eq!(diff["rows"][at]["kind"], "other_result");
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
    let own = made("trace-errors.json");
    let nothing = scratch("trace-nothing.json", "{\"cats\": 9}");
    for (args, words) in [
        (vec!["convert", &own, "--to", "pdf"], vec!["\"pdf\"", "inspect"]),
        (vec!["replay", &nothing], vec!["trace-nothing.json", "cats"]),
        (vec!["diff", &own, &own, "--left-id", "moon"], vec!["\"moon\"", "cycle-5"]),
        (vec!["made", "--script", "poet"], vec!["\"poet\"", "mistaken"]),
    ] {
        let out = trace(&args);
        assert_eq!(out.status.code(), Some(1), "{args:?}");
        let told = stderr(&out);
        for word in words {
            assert!(told.contains(word), "{args:?}: {told}");
        }
    }
}

#[test]
fn what_was_left_out_of_a_file_is_said() {
    let line =
        r#"{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]}"#;
    let torn = scratch("trace-torn.jsonl", format!("\u{feff}{line}\n{}", &line[..30]));
    let out = trace(&["convert", &torn, "--to", "openai"]);
    assert!(out.status.success(), "{}", stderr(&out));
    assert_eq!(printed(&out).lines().count(), 1);
    assert!(stderr(&out).contains("could not be read: line 2"), "{}", stderr(&out));
}

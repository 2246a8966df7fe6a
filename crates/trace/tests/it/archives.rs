//! Archives: Inspect's logs, what chats export, and what is hostile.

use serde_json::{Value, json};
use trace::formats::{self, FormatError, MAX_BYTES};
use trace::{StepBody, Stop};

use crate::others::{lines, notes};

/// How an entry is packed.
#[derive(Clone, Copy)]
enum Packed {
    Stored,
    /// A frame of Zstandard with one block that is not compressed.
    Zstandard,
    /// As it is, with another size in the directory.
    Lies(u32),
}

/// A zip of these files.
fn zip(files: &[(&str, &str, Packed)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (path, text, packed) in files {
        let n = u32::try_from(text.len()).unwrap();
        let (method, data, size) = match packed {
            Packed::Stored => (0_u16, text.as_bytes().to_vec(), n),
            Packed::Lies(size) => (0, text.as_bytes().to_vec(), *size),
            Packed::Zstandard => {
                let mut data = vec![0x28, 0xb5, 0x2f, 0xfd, 0xa0];
                data.extend(n.to_le_bytes());
                data.extend(&((n << 3) | 1).to_le_bytes()[..3]);
                data.extend(text.as_bytes());
                (93, data, n)
            }
        };
        let n_data = u32::try_from(data.len()).unwrap();
        let mut head = Vec::new();
        for part in [20_u16, 0, method, 0, 0] {
            head.extend(part.to_le_bytes());
        }
        for part in [0, n_data, size] {
            head.extend(u32::to_le_bytes(part));
        }
        head.extend(u16::try_from(path.len()).unwrap().to_le_bytes());
        head.extend(0_u16.to_le_bytes());
        let at = u32::try_from(out.len()).unwrap();
        out.extend(b"PK\x03\x04");
        out.extend(&head);
        out.extend(path.as_bytes());
        out.extend(data);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&head);
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(path.as_bytes());
    }
    let n = u16::try_from(files.len()).unwrap().to_le_bytes();
    let start = u32::try_from(out.len()).unwrap().to_le_bytes();
    let size = u32::try_from(directory.len()).unwrap().to_le_bytes();
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([n, n].concat());
    out.extend([size, start].concat());
    out.extend([0, 0]);
    out
}

fn sample(id: Value, more: Value) -> String {
    let mut sample = json!({
        "id": id, "epoch": 1, "input": "which way?", "target": "left", "started_at": "2026-05-01T10:00:00Z",
        "messages": [{ "role": "user", "content": "which way?" }, { "role": "assistant", "content": "left" }],
        "scores": { "first": { "value": "C" }, "second": { "value": { "a": 1 } } },
    });
    sample.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    sample.to_string()
}

const HEADER: &str = r#"{"version":2,"status":"success","eval":{"task":"harbour","model":"m"}}"#;

#[test]
fn inspects_archives_are_read_sample_by_sample() {
    let failed = sample(
        json!(2),
        json!({ "messages": [], "error": { "message": "no pier", "traceback": "" } }),
    );
    let long = sample(
        json!("b:3"),
        json!({
            "epoch": 2, "messages": [{ "role": "user", "content": "attachment://h1" },
                         { "role": "assistant", "content": [{ "type": "text", "text": "attachment://gone" }] }],
            "attachments": { "h1": "a long text" },
        }),
    );
    let file = zip(&[
        ("header.json", HEADER, Packed::Zstandard),
        ("samples/a_epoch_1.json", &sample(json!("a"), json!({})), Packed::Zstandard),
        ("samples/2_epoch_1.json", &failed, Packed::Stored),
        ("samples/b:3_epoch_1.json", &long, Packed::Zstandard),
        ("samples/torn_epoch_1.json", "{\"id\": ", Packed::Stored),
        ("summaries.json", "[]", Packed::Stored),
    ]);
    let opened = formats::open(&file).unwrap();
    assert_eq!(opened.format.id, "inspect");
    let ids: Vec<&str> = opened.records.iter().map(|r| r.id.as_str()).collect();
    assert_eq!(ids, ["2", "a", "b:3"]);
    let [failed, first, long] = &opened.records[..] else { panic!() };
    let stop = Stop::ModelFailed { message: "no pier".into(), is_overflow: false };
    assert_eq!((failed.input.as_str(), failed.trace.ended()), ("which way?", Some(stop)));
    assert_eq!(lines(&first.trace), ["> which way?", "says left"]);
    let score = first.score.as_ref().unwrap();
    assert_eq!((score.name.as_str(), score.label.as_str(), score.value), ("first", "correct", 1.0));
    assert_eq!(
        (&first.metadata["scores"]["second"]["value"]["a"], &first.metadata["target"]),
        (&json!(1), &json!("left"))
    );
    assert_eq!(
        (long.trace.prompt[0].content.as_str(), &long.metadata["epoch"]),
        ("a long text", &json!(2))
    );
    let said = notes(&opened);
    assert!(said[0].starts_with("could not be read: samples/torn_epoch_1.json"), "{said:?}");
    assert!(said.contains(&"left out: 1 attachment `gone`".to_owned()), "{said:?}");

    // While it runs there is no header yet.
    let start = HEADER.replace("success", "started");
    let file = zip(&[
        ("_journal/start.json", &start, Packed::Stored),
        ("samples/a_epoch_1.json", &sample(json!("a"), json!({})), Packed::Stored),
    ]);
    let opened = formats::open(&file).unwrap();
    assert_eq!(opened.records[0].trace.model, "m");
    let unfinished = "changed: 1 log of a run that was not finished `started`".to_owned();
    assert!(notes(&opened).contains(&unfinished), "{:?}", notes(&opened));
}

#[test]
fn turns_that_only_events_have_are_in_the_trace() {
    let said = |text: &str| json!({ "role": "assistant", "content": text });
    let model = |second: u32, input: Value, output: Value| {
        json!({ "event": "model", "timestamp": format!("2026-05-01T10:00:0{second}Z"), "input": input,
                "input_refs": [[0, 1]], "output": { "choices": [{ "message": output, "stop_reason": "stop" }],
                "usage": { "input_tokens": 5, "output_tokens": 1 } } })
    };
    let call = json!({ "role": "assistant", "content": "", "tool_calls": [{ "id": "a", "function": "ask", "arguments": {} }] });
    let log = json!({ "eval": { "task": "t", "model": "m" }, "samples": [{
        "id": 1, "started_at": "2026-05-01T10:00:00Z",
        "messages": [{ "role": "user", "content": "which way?" }, call,
                     { "role": "tool", "tool_call_id": "a", "content": "left" },
                     { "role": "user", "content": "sure?" }, said("yes")],
        "events_data": { "messages": [{ "role": "system", "content": "you are the pilot" }], "calls": [] },
        "events": [
            model(1, json!([]), call),
            model(2, json!([{ "role": "user", "content": "is it left?" }]), said("it is left")),
            { "event": "tool", "id": "a", "function": "ask", "timestamp": "2026-05-01T10:00:03Z", "working_time": 1.5 },
            { "event": "model", "error": "overloaded", "output": { "choices": [] }, "timestamp": "2026-05-01T10:00:04Z" },
            model(5, json!([]), said("yes")),
        ],
        "error_retries": [{ "message": "the first try" }],
    }] });
    let opened = formats::open(log.to_string().as_bytes()).unwrap();
    let trace = &opened.records[0].trace;
    let all = lines(trace);
    assert_eq!(
        all[..9],
        [
            "> which way?",
            "says ",
            "calls ask {}",
            "ask = \"left\"",
            "> is it left?",
            "> you are the pilot",
            "says it is left",
            "Note { text: \"the model failed: overloaded\" }",
            "> sure?"
        ]
    );
    assert_eq!(all[9], "says yes");
    assert!(all[10].contains("an earlier attempt failed: the first try"));
    assert_eq!(trace.usage().input_tokens, Some(15));
    let took: Vec<f64> = trace
        .steps
        .iter()
        .filter(|s| matches!(s.body, StepBody::Call { .. }))
        .map(|s| s.took_ms)
        .collect();
    assert_eq!(took, [1_500.0]);
    assert!(trace.stop.is_some());
}

#[test]
fn the_archive_of_a_chat_export_is_read() {
    let part = |id: &str| {
        json!([{ "uuid": id, "chat_messages": [{ "sender": "human", "text": "which way?" }] }])
            .to_string()
    };
    let file = zip(&[
        ("users.json", "[{\"uuid\":\"u\"}]", Packed::Stored),
        ("conversations-000.json", &part("a"), Packed::Stored),
        ("conversations-001.json", &part("b"), Packed::Stored),
        ("chat.html", "<html>", Packed::Stored),
    ]);
    let opened = formats::open(&file).unwrap();
    let ids: Vec<&str> = opened.records.iter().map(|r| r.id.as_str()).collect();
    assert_eq!((opened.format.id, ids), ("chats", vec!["a", "b"]));
    let left_out = [
        "left out: 1 file of the archive `chat.html`",
        "left out: 1 file of the archive `users.json`",
    ];
    assert_eq!(notes(&opened), left_out);
}

#[test]
fn archives_that_are_hostile_are_refused() {
    let refused =
        |files: &[(&str, &str, Packed)]| formats::open(&zip(files)).unwrap_err().to_string();
    assert!(refused(&[("a.txt", "x", Packed::Stored)]).contains("no file of traces"));
    let huge = u32::try_from(MAX_BYTES).unwrap() + 1;
    assert!(refused(&[("header.json", HEADER, Packed::Lies(huge))]).contains("limit"));
    assert!(refused(&[("header.json", HEADER, Packed::Lies(5))]).contains("size"));
    let mut cut = zip(&[("header.json", HEADER, Packed::Stored)]);
    cut.truncate(40);
    assert!(matches!(formats::open(&cut), Err(FormatError::Archive { .. })));
    for end in 0..60 {
        let mut file = zip(&[("header.json", HEADER, Packed::Zstandard)]);
        file[end] ^= 0xff;
        drop(formats::open(&file));
    }
}

#[test]
fn a_sample_that_failed_has_what_its_events_have() {
    let log = json!({ "eval": { "task": "t", "model": "m" }, "samples": [{
        "id": 1, "input": "which way?", "messages": [], "error": { "message": "no pier" },
        "events": [
            { "event": "model", "input": [{ "role": "user", "content": "which way?" }],
              "output": { "choices": [{ "message": { "role": "assistant", "content": "", "tool_calls": [{ "id": "a", "function": "ask", "arguments": {} }] } }] } },
            { "event": "model", "input": [{ "role": "user", "content": "which way?" }, { "role": "tool", "tool_call_id": "a", "content": "left" }],
              "output": { "choices": [{ "message": { "role": "assistant", "content": "left" } }] } },
        ] }] });
    let trace = &formats::open(log.to_string().as_bytes()).unwrap().records[0].trace;
    assert_eq!(
        lines(trace),
        ["> which way?", "says ", "calls ask {}", "ask = \"left\"", "says left"]
    );
    assert!(matches!(&trace.stop, Some(Stop::ModelFailed { message, .. }) if message == "no pier"));
}

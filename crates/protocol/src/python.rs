//! What the page and Python's frame say to each other: JSON, one text a message.

use serde::Deserialize;
use serde_json::{Value, json};
use systems::kgot::{PythonFailure, PythonReply, PythonRequest};

/// The version of the protocol; every message tells it as `v`.
pub const VERSION: u32 = 1;

/// The longest text that either side reads, in bytes.
pub const MAX_TEXT: usize = 12_000_000;

/// What the frame says.
#[derive(Clone, Debug, PartialEq)]
pub enum FrameSaid {
    /// Python is ready to run code.
    Ready,
    /// It cannot be loaded; why.
    Broken(String),
    /// The request with this id runs now.
    Begun(u64),
    /// The request with this id has ended.
    Ended(u64, Result<PythonReply, PythonFailure>),
}

/// Reads a text of the frame, which may be anything: hostile code runs in it.
///
/// # Errors
/// The text is none of the protocol; says what is wrong with it.
pub fn read(text: &str) -> Result<FrameSaid, String> {
    if text.len() > MAX_TEXT {
        return Err(format!("the text has {} bytes; {MAX_TEXT} is the limit", text.len()));
    }
    let words: Words = serde_json::from_str(text).map_err(|e| e.to_string())?;
    if words.v != VERSION {
        return Err(format!("version {} is spoken; expected {VERSION}", words.v));
    }
    match words {
        Words { reply: Some(reply), .. } => {
            let Head { id, ok } = Head::deserialize(&reply).map_err(|e| e.to_string())?;
            let ended = if ok {
                Ok(serde_json::from_value(reply).map_err(|e| e.to_string())?)
            } else {
                Err(serde_json::from_value(reply).map_err(|e| e.to_string())?)
            };
            Ok(FrameSaid::Ended(id, ended))
        }
        Words { begun: Some(id), .. } => Ok(FrameSaid::Begun(id)),
        Words { broken: Some(Broken { message }), .. } => Ok(FrameSaid::Broken(message)),
        Words { ready: Some(_), .. } => Ok(FrameSaid::Ready),
        _ => Err("the text says nothing that is known".to_owned()),
    }
}

/// A request as the frame reads it, under a number of its own.
pub fn written(id: u64, request: &PythonRequest) -> String {
    let PythonRequest { code, graph, files, wants_graph, is_program, limit_ms } = request;
    let run = json!({
        "id": id,
        "code": code,
        "graph": graph,
        "files": files,
        "wants_graph": wants_graph,
        "is_program": is_program,
    });
    json!({ "v": VERSION, "run": run, "limit_ms": limit_ms }).to_string()
}

#[derive(Deserialize)]
struct Words {
    v: u32,
    ready: Option<Value>,
    broken: Option<Broken>,
    begun: Option<u64>,
    reply: Option<Value>,
}

#[derive(Deserialize)]
struct Broken {
    message: String,
}

#[derive(Deserialize)]
struct Head {
    id: u64,
    ok: bool,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use systems::kgot::{PythonFault, PythonKey};

    use super::*;

    #[test]
    fn replies_and_failures_are_read() {
        let text = r#"{"v":1,"reply":{"id":3,"ok":true,"output":"","result":[1],"result_text":"[1]",
            "graph":{"directed":true,"nodes":[{"id":null,"key":7,"labels":[],"properties":{}}],
            "edges":[{"id":"e","source":7,"target":"x","type":"T","properties":{}}]},"took_ms":2}}"#;
        let Ok(FrameSaid::Ended(3, Ok(reply))) = read(text) else { panic!("{:?}", read(text)) };
        let graph = reply.graph.unwrap();
        assert_eq!(graph.nodes[0].key, Some(PythonKey::Number(7)));
        assert_eq!(graph.edges[0].target, PythonKey::Text("x".into()));
        let text = r#"{"v":1,"reply":{"id":4,"ok":false,"kind":"too_large","message":"m","line":null,
            "output":"o","took_ms":1}}"#;
        let Ok(FrameSaid::Ended(4, Err(failure))) = read(text) else { panic!("{:?}", read(text)) };
        assert_eq!(failure.kind, PythonFault::TooLarge);
    }

    #[test]
    fn what_is_none_of_the_protocol_is_refused() {
        for text in [
            "",
            "[]",
            r#"{"v":2,"begun":1}"#,
            r#"{"v":1}"#,
            r#"{"v":1,"reply":{"id":1}}"#,
            r#"{"v":1,"reply":{"id":1,"ok":true,"output":5}}"#,
            r#"{"v":1,"reply":{"id":-1,"ok":true}}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_request_has_the_fields_that_run_py_reads() {
        let request = PythonRequest { code: "1".into(), ..PythonRequest::default() };
        let text = written(1, &request);
        for field in ["id", "code", "graph", "files", "wants_graph", "is_program"] {
            assert!(text.contains(&format!("\"{field}\":")), "{text}");
        }
    }
}

//! The protocol over standard input and output: a message a line.
//!
//! The library that reads them drops what it cannot take, and answers requests with one id once. Here
//! each of those is answered with an error before it comes there.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
    DuplexStream,
};
use tokio::sync::Mutex as Turns;

use super::calls;

/// The most bytes of a message: a call that adds a large graph.
const MAX_LINE: u64 = 16_000_000;
/// The most levels of a message.
const MAX_DEPTH: usize = 100;
/// Where the id of a message that is not read is looked for.
const HEAD: usize = 4_096;
/// So long the last answers may take once the client says no more.
const LAST: Duration = Duration::from_secs(60);

/// Ids of the requests that are not answered yet.
type Open = Arc<Mutex<BTreeSet<String>>>;

/// What of a message is looked at.
#[derive(Deserialize)]
struct Head {
    id: Option<Value>,
    method: Option<String>,
}

/// Standard input and output as a transport for the library, behind the checks.
pub(super) fn checked() -> (DuplexStream, DuplexStream) {
    let (from, to) = (tokio::io::stdin(), tokio::io::stdout());
    let (heard, to_library) = tokio::io::duplex(1 << 16);
    let (said, from_library) = tokio::io::duplex(1 << 16);
    let (open, to) = (Open::default(), Arc::new(Turns::new(to)));
    // When the client is gone, so are we.
    tokio::spawn(hand_on(from_library, Arc::clone(&to), Arc::clone(&open)));
    tokio::spawn(listen(from, to_library, to, open));
    (heard, said)
}

fn ids(open: &Open) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hands the library's answers on, line by line.
async fn hand_on<W: AsyncWrite + Unpin>(
    from: DuplexStream,
    to: Arc<Turns<W>>,
    open: Open,
) -> io::Result<()> {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line).await? > 0 {
        if let Ok(Head { id: Some(id), method: None }) = serde_json::from_slice(&line) {
            ids(&open).remove(&id.to_string());
        }
        let mut to = to.lock().await;
        to.write_all(&line).await?;
        to.flush().await?;
        line.clear();
    }
    Ok(())
}

/// Hands the client's messages on, and answers those that the library would not.
async fn listen<W: AsyncWrite + Unpin>(
    from: impl AsyncRead + Unpin,
    mut on: DuplexStream,
    to: Arc<Turns<W>>,
    open: Open,
) -> io::Result<()> {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    loop {
        line.clear();
        (&mut from).take(MAX_LINE).read_until(b'\n', &mut line).await?;
        if line.is_empty() {
            break;
        }
        let refused = if line.len() as u64 == MAX_LINE && !line.ends_with(b"\n") {
            skip_line(&mut from).await?;
            Some((id_of(&line), format!("a message has more than {MAX_LINE} bytes")))
        } else {
            refused(&line, &open)
        };
        let answer = match (refused, calls::readable(&line)) {
            (Some((id, message)), _) => error(&id, -32600, &message),
            (None, Err((id, message))) => {
                ids(&open).remove(&id.to_string());
                error(&id, calls::INVALID_PARAMS, &message)
            }
            (None, Ok(read)) => {
                on.write_all(read.as_ref().unwrap_or(&line)).await?;
                continue;
            }
        };
        let mut to = to.lock().await;
        to.write_all(format!("{answer}\n").as_bytes()).await?;
        to.flush().await?;
    }
    // The library ends with its input, whatever it has to say.
    let last = async {
        while !ids(&open).is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let _ = tokio::time::timeout(LAST, last).await;
    Ok(())
}

async fn skip_line(from: &mut (impl tokio::io::AsyncBufRead + Unpin)) -> io::Result<()> {
    loop {
        let bytes = from.fill_buf().await?;
        let end = bytes.iter().position(|b| *b == b'\n');
        let n = end.map_or(bytes.len(), |at| at + 1);
        let is_over = end.is_some() || bytes.is_empty();
        from.consume(n);
        if is_over {
            return Ok(());
        }
    }
}

/// An answer that says what is wrong with a message.
pub(super) fn error(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// Why a message is not handed on, and its id.
fn refused(line: &[u8], open: &Open) -> Option<(Value, String)> {
    if depth(line) > MAX_DEPTH {
        return Some((id_of(line), format!("a message is more than {MAX_DEPTH} levels deep")));
    }
    let Ok(Head { id, method: Some(method) }) = serde_json::from_slice::<Head>(line) else {
        return None;
    };
    if method == "notifications/cancelled" {
        let value: Value = serde_json::from_slice(line).unwrap_or_default();
        ids(open).remove(&value["params"]["requestId"].to_string());
    }
    let id = id?;
    if ids(open).insert(id.to_string()) {
        return None;
    }
    let message = format!("a request with the id {id} is not answered yet");
    Some((id, message))
}

/// How deep lists and objects are in each other.
fn depth(line: &[u8]) -> usize {
    let (mut depth, mut most, mut is_text, mut is_escaped) = (0_usize, 0, false, false);
    for byte in line {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b'[' | b'{' if !is_text => {
                depth += 1;
                most = most.max(depth);
            }
            b']' | b'}' if !is_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    most
}

/// The id of a message that cannot be read, where its beginning says one.
fn id_of(line: &[u8]) -> Value {
    let head = String::from_utf8_lossy(&line[..line.len().min(HEAD)]).into_owned();
    let after = head.split_once("\"id\"").and_then(|(_, rest)| rest.trim_start().strip_prefix(':'));
    let mut values = serde_json::Deserializer::from_str(after.unwrap_or_default()).into_iter();
    match values.next() {
        Some(Ok(id @ (Value::Number(_) | Value::String(_)))) => id,
        _ => Value::Null,
    }
}

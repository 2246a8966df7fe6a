//! What the companion asks of others, and what it never tells them: tools of Knowledge Graph of
//! Thoughts, published tasks, stores.

mod published;
mod stores;
mod tools;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// The key that is planted.
const KEY: &str = "sk-CANARY-52e0b7d4";

/// A request as it came.
#[derive(Clone, Debug)]
struct Asked {
    /// Method and path.
    line: String,
    head: String,
    body: String,
}

impl Asked {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// All of it, as it came.
    fn text(&self) -> String {
        format!("{}\n{}\n{}", self.line, self.head, self.body)
    }
}

/// What a server answers: status, type, body.
type Answer = (u16, &'static str, String);

/// A server on the loopback that keeps what it is asked.
struct Small {
    url: String,
    seen: Arc<Mutex<Vec<Asked>>>,
}

impl Small {
    fn start(answer: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::<Mutex<Vec<Asked>>>::default();
        let (told, answer) = (seen.clone(), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (told, answer) = (told.clone(), answer.clone());
                std::thread::spawn(move || serve(stream, &told, &*answer));
            }
        });
        Self { url, seen }
    }

    fn seen(&self) -> Vec<Asked> {
        self.seen.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, seen: &Mutex<Vec<Asked>>, answer: &dyn Fn(&Asked) -> Answer) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut asked, mut length) =
        (Asked { line: String::new(), head: String::new(), body: String::new() }, 0);
    if reader.read_line(&mut asked.line).unwrap_or(0) == 0 {
        return;
    }
    let mut line = String::new();
    while reader.read_line(&mut line).unwrap_or(0) > 2 {
        if let Some(n) = line.to_lowercase().strip_prefix("content-length:") {
            length = n.trim().parse().unwrap();
        }
        asked.head += &line;
        line.clear();
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    asked.body = String::from_utf8(body).unwrap();
    seen.lock().unwrap().push(asked.clone());
    let (status, of, body) = answer(&asked);
    let _ = write!(
        stream,
        "HTTP/1.1 {status} X\r\nContent-Type: {of}\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
}

/// A model that first calls a tool, if it is given one, and then says what is to be said.
fn model(call: Option<(&'static str, Value)>, answer: &'static str) -> Small {
    Small::start(move |asked| {
        let asked = asked.json();
        let last = asked["messages"].as_array().and_then(|m| m.last().cloned()).unwrap_or_default();
        let message = match &call {
            Some((name, arguments)) if last["role"] == "user" => json!({
                "role": "assistant", "content": null,
                "tool_calls": [{ "id": "call_1", "type": "function",
                    "function": { "name": name, "arguments": arguments.to_string() } }],
            }),
            _ => json!({ "role": "assistant", "content": answer }),
        };
        said(message)
    })
}

fn said(message: Value) -> Answer {
    let body = json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] });
    (200, "application/json", body.to_string())
}

/// A folder of its own, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static N: AtomicUsize = AtomicUsize::new(0);
        let n = N.fetch_add(1, Ordering::Relaxed);
        let name = format!("graphground-outside-{}-{n}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn with(self, name: &str, text: &str) -> Self {
        std::fs::write(self.0.join(name), text).unwrap();
        self
    }

    /// The lines of a kind of a runs file.
    fn lines(&self, file: &str, kind: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.0.join(file)).unwrap();
        let all = text.lines().map(|l| serde_json::from_str::<Value>(l).unwrap());
        all.filter(|l| l["type"] == kind).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn graphground(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_graphground"))
        .args(args)
        .current_dir(folder)
        .env("PLANTED", KEY)
        .env("PLANTED_PAIR", format!("neo4j:{KEY}"))
        .output()
        .unwrap()
}

/// Both outputs.
fn told(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    String::from_utf8_lossy(out).into_owned() + &String::from_utf8_lossy(err)
}

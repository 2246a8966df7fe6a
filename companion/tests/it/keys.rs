//! A key is planted, and an endpoint repeats it in every way it can: the key is in no file and no
//! output of any command that takes one.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use test_support::{Folder, StubServer};

use crate::program::{program, stderr, stdout};

const KEY: &str = "sk-CANARY-7f3a91c2";

/// How an endpoint repeats the key.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Echo {
    /// In what the model says, whole or five letters an event.
    Answer,
    /// In the arguments of a call.
    Call,
    /// In both, every letter escaped.
    Escaped,
    /// As the header that carried it, in base64.
    Base64,
    Unauthorized,
    UnauthorizedEscaped,
    TooManyRequests,
    /// Within a stream that began well.
    ErrorInStream,
    Html,
}

const ALL: [Echo; 9] = [
    Echo::Answer,
    Echo::Call,
    Echo::Escaped,
    Echo::Base64,
    Echo::Unauthorized,
    Echo::UnauthorizedEscaped,
    Echo::TooManyRequests,
    Echo::ErrorInStream,
    Echo::Html,
];

/// An endpoint that repeats the key in this way.
fn endpoint(echo: Echo) -> StubServer {
    StubServer::start(move |asked| {
        answer(echo, asked.header("authorization"), asked.json()["stream"] == true)
    })
}

fn was_asked_with_the_key(endpoint: &StubServer) -> bool {
    let as_basic = STANDARD.encode(format!("neo4j:{KEY}"));
    let seen = endpoint.seen();
    let mut headers = seen.iter().map(|asked| asked.header("authorization"));
    headers.any(|header| header.contains(KEY) || header.contains(&as_basic))
}

fn escaped(text: &str) -> String {
    text.encode_utf16().map(|c| format!("\\u{c:04x}")).collect()
}

fn answer(echo: Echo, key: &str, stream: bool) -> (u16, &'static str, String) {
    let said = format!("Your key is {key}.");
    let error =
        |text: &str| json!({ "error": { "message": text, "type": "invalid_request_error" } });
    let (text, arguments) = match echo {
        Echo::Unauthorized => {
            let words = format!("Incorrect API key provided: {key}");
            return (401, "application/json", error(&words).to_string());
        }
        Echo::UnauthorizedEscaped => {
            let body = format!("{{\"error\":{{\"message\":\"wrong: {}\"}}}}", escaped(key));
            return (401, "application/json", body);
        }
        Echo::TooManyRequests => return (429, "application/json", error(&said).to_string()),
        Echo::Html => return (500, "text/html", format!("<html>{said}</html>")),
        Echo::Answer | Echo::ErrorInStream => (said, None),
        Echo::Call => (String::new(), Some(json!({ "nodes": [said] }).to_string())),
        // The text has the backslashes themselves: whoever reads the arguments resolves them.
        Echo::Escaped => {
            let arguments = format!("{{\"nodes\": [\"{}\"]}}", escaped(&said));
            (escaped(&said), Some(arguments))
        }
        Echo::Base64 => (format!("It is {}.", STANDARD.encode(&said)), None),
    };
    let call = |arguments: &str| {
        json!([{ "index": 0, "id": "call_1", "type": "function",
            "function": { "name": "add_nodes", "arguments": arguments } }])
    };
    if !stream {
        let mut message = json!({ "role": "assistant", "content": text });
        if let Some(arguments) = &arguments {
            message["tool_calls"] = call(arguments);
        }
        let body =
            json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] });
        return (200, "application/json", body.to_string());
    }
    let event = |delta: Value| {
        format!("data: {}\n\n", json!({ "choices": [{ "index": 0, "delta": delta }] }))
    };
    let pieces = |text: &str| -> Vec<String> {
        text.as_bytes().chunks(5).map(|c| String::from_utf8_lossy(c).into_owned()).collect()
    };
    let mut body = String::new();
    for piece in pieces(&text) {
        body += &event(json!({ "content": piece }));
    }
    if echo == Echo::ErrorInStream {
        body += &format!("data: {}\n\n", error(&format!("{key} ran out")));
        return (200, "text/event-stream", body);
    }
    for (i, piece) in arguments.iter().flat_map(|a| pieces(a)).enumerate() {
        let mut delta = call(&piece);
        if i > 0 {
            delta = json!([{ "index": 0, "function": { "arguments": piece } }]);
        }
        body += &event(json!({ "tool_calls": delta }));
    }
    body += "data: [DONE]\n\n";
    (200, "text/event-stream", body)
}

/// Runs a command in the folder; gives what it wrote to its outputs.
fn graphground(folder: &Path, line: &str) -> String {
    let out = program()
        .args(line.split_whitespace())
        .current_dir(folder)
        .env("PLANTED", KEY)
        .env("PLANTED_PAIR", format!("neo4j:{KEY}"))
        .output()
        .unwrap();
    // Backtraces and panics would be another fault.
    let told = stderr(&out);
    assert!(!told.contains("panicked"), "{line}: {told}");
    format!("{}\n{told}", stdout(&out))
}

/// A text as whoever looks for a key would read it: escapes resolved again and again, and every
/// long word tried as base64.
fn readings(text: &str) -> Vec<String> {
    let mut all = vec![text.to_owned()];
    let mut resolved = text.to_owned();
    for _ in 0..4 {
        let mut next = String::new();
        let mut rest = resolved.as_str();
        while let Some(at) = rest.find("\\u") {
            next.push_str(&rest[..at]);
            let code = rest.get(at + 2..at + 6).and_then(|h| u32::from_str_radix(h, 16).ok());
            match code.and_then(char::from_u32) {
                Some(letter) => {
                    next.push(letter);
                    rest = &rest[at + 6..];
                }
                None => {
                    next.push_str("\\u");
                    rest = &rest[at + 2..];
                }
            }
        }
        next.push_str(rest);
        resolved = next.replace("\\\\", "\\");
        all.push(resolved.clone());
    }
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "+/-_".contains(c);
    for word in text.split(|c| !is_sign(c)).filter(|w| w.len() >= 16) {
        let word = word.replace('-', "+").replace('_', "/");
        for skip in 0..4 {
            let some = &word[skip..];
            let whole = &some[..some.len() / 4 * 4];
            if let Ok(bytes) = STANDARD.decode(whole) {
                all.push(String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }
    all
}

/// A part of the key that no other word has.
const PART: &str = "CANARY";

fn assert_clean(what: &str, text: &str) {
    for reading in readings(text) {
        if let Some(at) = reading.find(PART) {
            let mut from = at.saturating_sub(150);
            while !reading.is_char_boundary(from) {
                from -= 1;
            }
            let near: String = reading[from..].chars().take(300).collect();
            panic!("{what} has the key: …{near}…");
        }
    }
}

fn assert_folder_clean(what: &str, folder: &Path) -> usize {
    let mut n = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            n += assert_folder_clean(what, &path);
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        assert_clean(&format!("{what}: {}", path.display()), &String::from_utf8_lossy(&bytes));
        n += 1;
    }
    n
}

/// Runs commands against an endpoint that repeats the key in this way, and looks at everything.
fn hold(echo: Echo, lines: &[&str]) {
    let endpoint = endpoint(echo);
    let folder = Folder::new()
        .with("plans.jsonl", "{\"plan\": \"find_node('Ada')\"}\n")
        .with("questions.txt", "What is the order of the lollipop graph?\n");
    for line in lines {
        let line = line.replace("URL", &endpoint.endpoint());
        let told = graphground(&folder, &line);
        assert!(!told.contains("Usage: graphground"), "{line}: {told}");
        let what = format!("{echo:?}: {line}");
        assert_clean(&what, &told);
        assert_folder_clean(&what, &folder);
    }
    assert!(was_asked_with_the_key(&endpoint), "{echo:?}: {lines:?}: the key was not sent");
}

#[test]
fn benchmarks_and_what_is_exported_of_them() {
    for echo in ALL {
        hold(
            echo,
            &[
                "bench --task cycle --difficulty easy --n 1 --system grounded,standalone \
                 --endpoint URL --model m --key-env PLANTED --out runs.jsonl",
                "report runs.jsonl --html page.html --csv runs.csv",
                "bench --experiment kgot --n 1 --level lookup --system kgot-cypher,no-graph --votes 1 \
                 --set votes=1 --set max_rounds=1 --search http://127.0.0.1:9 --endpoint URL --model m \
                 --key-env PLANTED --out kgot.jsonl",
                "report kgot.jsonl --html kgot.html --csv kgot.csv",
            ],
        );
    }
}

#[test]
fn single_runs() {
    for echo in ALL {
        for more in ["--json", "--no-stream", "--json --no-stream"] {
            let line = "run --task cycle --endpoint URL --model m --key-env PLANTED";
            hold(echo, &[&format!("{line} {more}")]);
        }
    }
}

#[test]
fn knowledge_graphs() {
    for echo in ALL {
        hold(
            echo,
            &[
                "kg plan --kg metro:3:1 --n 1 --endpoint URL --model m --key-env PLANTED",
                "bench --experiment kgqa --kg metro:3:1 --n 1 --system graphrunner,graph_cot,graph_rag \
                 --endpoint URL --model m --key-env PLANTED --out kg.jsonl",
                "report kg.jsonl --html kg.html",
            ],
        );
    }
}

#[test]
fn stores() {
    for echo in
        [Echo::Answer, Echo::Unauthorized, Echo::UnauthorizedEscaped, Echo::Html, Echo::Base64]
    {
        for store in ["sparql", "neo4j"] {
            let from = format!("--kg {store}:URL --store-key-env PLANTED_PAIR");
            for line in [
                format!("kg stats {from} --json"),
                format!("kg plan {from} --plans plans.jsonl"),
                format!("kg run {from} --plans plans.jsonl --json"),
                format!(
                    "graph-query ASK{{}} --store {store} --url URL --store-key-env PLANTED_PAIR"
                ),
                format!(
                    "graph-query DELETE --store {store} --url URL --store-key-env PLANTED_PAIR --json \
                     --write-to {}",
                    if store == "neo4j" { "URL/db/neo4j" } else { "URL" }
                ),
            ] {
                hold(echo, &[&line]);
            }
        }
    }
}

#[test]
fn families() {
    for echo in ALL {
        let endpoint = endpoint(echo);
        let folder = Folder::new();
        let samples = graphground(&folder, "kgetool generate --small");
        std::fs::write(folder.join("family.jsonl"), samples).unwrap();
        let line = format!(
            "bench --experiment family --problems family.jsonl --n 1 --endpoint {} --model m \
             --key-env PLANTED",
            endpoint.endpoint()
        );
        let told = graphground(&folder, &line);
        assert_clean(&line, &told);
        assert!(was_asked_with_the_key(&endpoint), "{echo:?}: {told}");
    }
}

#[test]
fn calls_in_text_and_prompts() {
    for echo in ALL {
        hold(
            echo,
            &[
                "toolformer write questions.txt --json --trace --endpoint URL --model m --key-env PLANTED",
            ],
        );
    }
    for echo in [Echo::Answer, Echo::Base64, Echo::Unauthorized, Echo::ErrorInStream] {
        let endpoint = endpoint(echo);
        let folder = Folder::new();
        let pairs = graphground(&folder, "prompts make --n 12");
        std::fs::write(folder.join("pairs.jsonl"), pairs).unwrap();
        let line = format!(
            "prompts augment pairs.jsonl --out more.jsonl --dropped dropped.jsonl --n 14 \
             --endpoint {} --model m --key-env PLANTED",
            endpoint.endpoint()
        );
        let told = graphground(&folder, &line);
        assert_clean(&line, &told);
        assert!(assert_folder_clean(&line, &folder) >= 2, "{told}");
        assert!(was_asked_with_the_key(&endpoint), "{echo:?}: {told}");
    }
}

#[test]
fn tapes() {
    for echo in ALL {
        hold(
            echo,
            &["cassette record openai --model m --base-url URL --key-env PLANTED --out tapes"],
        );
    }
}

/// Whatever else runs as this person can read the environment that a program was started with.
#[cfg(target_os = "linux")]
#[test]
fn the_key_is_not_in_the_environment_of_a_running_command() {
    use std::process::Stdio;
    use std::sync::{Mutex, mpsc};

    let (asked, was_asked) = mpsc::channel();
    let (go, may_go) = mpsc::channel();
    let both = Mutex::new((asked, may_go));
    let endpoint = StubServer::start(move |_| {
        let both = both.lock().unwrap();
        both.0.send(()).unwrap();
        both.1.recv().unwrap();
        (400, "application/json", "{}".to_owned())
    });
    let line =
        format!("run --task cycle --endpoint {} --model m --key-env PLANTED", endpoint.endpoint());
    let mut child = program()
        .args(line.split(' '))
        .env("PLANTED", KEY)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    was_asked.recv().unwrap();
    let environment = std::fs::read(format!("/proc/{}/environ", child.id()));
    go.send(()).unwrap();
    // Where the file cannot be read, nobody else can read it.
    let environment = environment.unwrap_or_default();
    assert!(!String::from_utf8_lossy(&environment).contains(PART));
    assert_eq!(endpoint.seen()[0].header("authorization"), format!("Bearer {KEY}"));
    drop(go);
    child.wait().unwrap();
}

/// A query joins what no answer says whole.
#[test]
fn a_key_in_pieces_that_a_query_joins_is_in_no_runs_file_and_no_request() {
    let (one, other) = KEY.split_at(6);
    let query = format!("RETURN '{one}' + '{other}'");
    let endpoint = StubServer::start(move |asked| {
        let is_step = asked.text().contains("Decide on the next step");
        let said = if is_step {
            json!({ "query_type": "RETRIEVE", "query": query })
        } else {
            json!({ "needs_calculation": false, "solution": "4", "choice": 1, "query": query, "reason": "x", "queries": [] })
        };
        test_support::said(&json!({ "role": "assistant", "content": said.to_string() }))
    });
    let folder = Folder::new();
    let task = json!({ "question": "What is 2+2?", "answer": "4", "level": "1", "files": [] });
    folder.write("task.json", task.to_string());
    let url = endpoint.endpoint();
    graphground(
        &folder,
        &format!(
            "bench --experiment kgot --system kgot-cypher --problems task.json --endpoint {url} --model m --no-stream --out runs.jsonl --key-env PLANTED"
        ),
    );
    let runs = std::fs::read_to_string(folder.join("runs.jsonl")).unwrap();
    assert!(runs.contains("read_graph") && runs.contains("***"), "{runs}");
    assert_clean("runs", &runs);
    for asked in endpoint.seen() {
        assert_clean("a request", &asked.json().to_string());
    }
}

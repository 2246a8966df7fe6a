//! The scripted models over HTTP, as a page or any client of the protocol asks them.

// What the tests share may fail as they may.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

struct Endpoint {
    port: u16,
    process: Child,
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Endpoint {
    fn start() -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut process = Command::new(env!("CARGO_BIN_EXE_graphground"))
            .args(["serve", "--port", &port.to_string(), "--allow-origin", "null"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains(&format!("http://127.0.0.1:{port}/v1")), "{line}");
        Self { port, process }
    }

    /// Head and body of an answer.
    fn ask(&self, method: &str, path: &str, body: &str) -> (String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: null\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.replace("\r\n", "\n").to_lowercase(), body.to_owned())
    }

    fn complete(&self, body: &Value) -> (u16, Value) {
        let (head, body) = self.ask("POST", "/v1/chat/completions", &body.to_string());
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(&body).unwrap())
    }
}

fn question() -> String {
    let problem = tasks::task(tasks::TaskId::Cycle).generate(tasks::Difficulty::Easy, 1);
    problem.question(tasks::Wording::Benchmark, tasks::Style::ZeroShot)
}

#[test]
fn a_page_that_is_named_may_ask_even_one_that_was_opened_from_a_disk() {
    let endpoint = Endpoint::start();
    let (head, _) = endpoint.ask("OPTIONS", "/v1/chat/completions", "");
    assert!(head.starts_with("http/1.1 204"), "{head}");
    for line in [
        "access-control-allow-origin: null",
        "access-control-allow-headers: content-type, authorization",
        "access-control-allow-methods: get, post",
    ] {
        assert!(head.contains(line), "{head}");
    }
}

#[test]
fn the_script_calls_tools_and_then_answers() {
    let endpoint = Endpoint::start();
    let tool =
        json!({ "type": "function", "function": { "name": "create_graph", "parameters": {} } });
    let (status, reply) = endpoint.complete(&json!({
        "model": "script",
        "messages": [{ "role": "user", "content": question() }],
        "tools": [tool],
    }));
    assert_eq!(status, 200);
    let choice = &reply["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls");
    assert_eq!(choice["message"]["tool_calls"][0]["function"]["name"], "create_graph");
    let (status, reply) = endpoint.complete(&json!({
        "model": "script",
        "messages": [{ "role": "user", "content": question() }],
    }));
    assert_eq!(status, 200);
    let text = reply["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(text.contains("cycle"), "{text}");
}

#[test]
fn what_is_wrong_is_said_in_the_protocols_words() {
    let endpoint = Endpoint::start();
    let message = |reply: &Value| reply["error"]["message"].as_str().unwrap().to_owned();
    let (status, reply) = endpoint.complete(&json!({ "model": "gpt", "messages": [] }));
    assert_eq!((status, message(&reply).contains("/v1/models")), (404, true), "{reply}");
    let (status, reply) = endpoint.complete(&json!({ "model": "script", "messages": [3] }));
    assert_eq!((status, message(&reply).contains("messages")), (400, true), "{reply}");
    let (status, reply) = endpoint.complete(
        &json!({ "model": "script", "messages": [{ "role": "user", "content": "Hello?" }] }),
    );
    assert_eq!((status, message(&reply).contains("script")), (400, true), "{reply}");
    let (head, body) = endpoint.ask("POST", "/v1/chat/completions", "{");
    assert!(head.starts_with("http/1.1 400") && body.contains("not JSON"), "{head} {body}");
    let (head, body) = endpoint.ask("GET", "/elsewhere", "");
    assert!(head.starts_with("http/1.1 404") && body.contains("/v1/models"), "{head} {body}");
}

#[test]
fn every_script_is_listed() {
    let endpoint = Endpoint::start();
    let (_, body) = endpoint.ask("GET", "/v1/models", "");
    let list: Value = serde_json::from_str(&body).unwrap();
    let ids: Vec<&str> =
        list["data"].as_array().unwrap().iter().map(|m| m["id"].as_str().unwrap()).collect();
    for id in ["script", "mistaken", "mistaken/bad-json", "mistaken/bad-json/stubborn"] {
        assert!(ids.contains(&id), "{ids:?}");
    }
}

/// A body without the lengths between its chunks.
fn unchunked(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap();
        if length == 0 {
            break;
        }
        text += &rest[..length];
        body = rest[length..].strip_prefix("\r\n").unwrap();
    }
    text
}

/// Asks the same whole and as a stream, and reads the stream as the page does.
#[test]
fn a_stream_says_the_same_as_a_whole_answer() {
    let endpoint = Endpoint::start();
    let provider = llm::providers::find("openai").unwrap();
    let tool = json!({ "type": "function",
        "function": { "name": "create_graph", "parameters": {} } });
    for tools in [json!([]), json!([tool])] {
        let mut body = json!({
            "model": "script",
            "messages": [{ "role": "user", "content": question() }],
            "tools": tools,
        });
        let (_, whole) = endpoint.complete(&body);
        let http = llm::HttpResponse {
            status: 200,
            body: whole.to_string(),
            ..llm::HttpResponse::default()
        };
        let whole = (provider.response)(&http).unwrap();
        body["stream"] = json!(true);
        let (head, stream) = endpoint.ask("POST", "/v1/chat/completions", &body.to_string());
        assert!(head.contains("content-type: text/event-stream"), "{head}");
        assert!(head.contains("access-control-allow-origin: null"), "{head}");
        let head = llm::HttpHead { status: 200, ..llm::HttpHead::default() };
        let mut decoder = llm::Decoder::new(provider, head);
        let parts = decoder.feed(unchunked(&stream).as_bytes()).unwrap();
        assert!(parts.len() >= 2, "{parts:?}");
        assert_eq!(decoder.finish().unwrap(), whole);
    }
    let (status, reply) =
        endpoint.complete(&json!({ "model": "gpt", "messages": [], "stream": true }));
    assert_eq!((status, reply["error"].is_object()), (404, true), "{reply}");
}

#[test]
fn the_openai_clients_ways_of_asking_are_understood() {
    let endpoint = Endpoint::start();
    let parts = json!([{ "type": "text", "text": question() }]);
    let tool =
        json!({ "type": "function", "function": { "name": "create_graph", "parameters": {} } });
    let mut body = json!({
        "model": "script",
        "messages": [{ "role": "developer", "content": "Be brief." }, { "role": "user", "content": parts }],
        "tools": [tool],
        "n": 1,
    });
    let (status, reply) = endpoint.complete(&body);
    assert_eq!(
        (status, &reply["choices"][0]["finish_reason"]),
        (200, &json!("tool_calls")),
        "{reply}"
    );
    // Who wants no calls gets none.
    body["tool_choice"] = json!("none");
    let (_, reply) = endpoint.complete(&body);
    assert_eq!(reply["choices"][0]["finish_reason"], "stop", "{reply}");
    assert!(
        reply["choices"][0]["message"]["content"].as_str().unwrap().contains("cycle"),
        "{reply}"
    );
    let message = |reply: &Value| reply["error"]["message"].as_str().unwrap().to_owned();
    body["n"] = json!(2);
    let (status, reply) = endpoint.complete(&body);
    assert_eq!((status, message(&reply).contains("`n` must be 1")), (400, true), "{reply}");
    let picture = json!([{ "type": "image_url", "image_url": { "url": "data:," } }]);
    let (status, reply) = endpoint.complete(&json!({
        "model": "script", "messages": [{ "role": "user", "content": picture }] }));
    assert_eq!(status, 400);
    assert!(
        message(&reply).contains("messages[0]") && message(&reply).contains("image_url"),
        "{reply}"
    );
    for (name, status) in [("script", "200"), ("mistaken%2Fbad-json", "200"), ("gpt", "404")] {
        let (head, body) = endpoint.ask("GET", &format!("/v1/models/{name}"), "");
        assert!(head.starts_with(&format!("http/1.1 {status}")), "{name}: {head} {body}");
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(body["id"].is_string(), status == "200", "{body}");
    }
}

//! The scripted models over HTTP, as a page or any client of the protocol asks them.

use std::io::BufRead as _;

use serde_json::{Value, json};

use crate::program::Server;

/// The scripts, and what else the words name, for a page that was opened from a disk.
struct Endpoint(Server);

impl Endpoint {
    fn start() -> Self {
        Self::start_with(&[])
    }

    fn start_with(words: &[&str]) -> Self {
        let server = ["serve", "--port", "0", "--allow-origin", "null"];
        let server = Server::start(&[&server[..], words].concat());
        assert_eq!(server.address, server.url("/v1"));
        Self(server)
    }

    /// Head and body of an answer.
    fn ask(&self, method: &str, path: &str, body: &str) -> (String, String) {
        let headers = "Origin: null\r\nContent-Type: application/json\r\n";
        let (_, head, body) = self.0.ask(method, path, headers, body);
        (head, body)
    }

    fn complete(&self, body: &Value) -> (u16, Value) {
        let (head, body) = self.ask("POST", "/v1/chat/completions", &body.to_string());
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(&body).unwrap())
    }

    /// What it says in the terminal next.
    fn says(&mut self) -> String {
        let mut line = String::new();
        self.0.says.read_line(&mut line).unwrap();
        line
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
fn our_own_model_answers_and_calls_tools() {
    let endpoint = Endpoint::start_with(&["--model", "own"]);
    let tools: Vec<Value> = ["create_graph", "add_edges", "find_cycle"]
        .map(|name| json!({ "type": "function", "function": { "name": name, "parameters": {} } }))
        .to_vec();
    let ask = |tools: &[Value]| {
        let messages = json!([{ "role": "user", "content": question() }]);
        let (status, reply) =
            endpoint.complete(&json!({ "model": "own", "messages": messages, "tools": tools }));
        assert_eq!(status, 200, "{reply}");
        reply
    };
    let call = ask(&tools);
    assert_eq!(call["choices"][0]["finish_reason"], "tool_calls", "{call}");
    let answer = ask(&[]);
    let text = answer["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(text.contains("cycle"), "{text}");
    assert!(answer["usage"]["completion_tokens"].as_u64().unwrap() > 0);
    let (_, models) = endpoint.ask("GET", "/v1/models", "");
    assert!(models.contains("our own small model"), "{models}");
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

/// A model of a GGUF file behind the endpoint: a small one with made-up weights.
mod of_a_file {
    use std::io::{Read as _, Write as _};

    use test_support::Folder;

    use super::*;
    use crate::program::{complaint, graphground};

    fn serve(folder: &Folder) -> Endpoint {
        let file = folder.file("tiny.gguf");
        std::fs::write(&file, gguf::fixture::file(&gguf::fixture::Made::default()).unwrap())
            .unwrap();
        Endpoint::start_with(&["--model", &file])
    }

    fn asked(n_tokens: usize) -> Value {
        json!({
            "model": "tiny.gguf",
            "messages": [{ "role": "user", "content": "Who knows whom?" }],
            "temperature": 0,
            "max_tokens": n_tokens,
        })
    }

    #[test]
    fn it_says_the_same_whole_and_as_a_stream() {
        let folder = Folder::new();
        let mut endpoint = serve(&folder);
        let (_, models) = endpoint.ask("GET", "/v1/models", "");
        let models: Value = serde_json::from_str(&models).unwrap();
        assert_eq!(models["data"][0]["id"], "tiny.gguf", "{models}");
        assert_eq!(models["data"][0]["context_length"], 512, "{models}");
        let mut ids = models["data"].as_array().unwrap().iter().map(|m| &m["id"]);
        assert!(ids.any(|id| id == "script"), "the scripts stay: {models}");
        let mut body = asked(12);
        let (status, told) = endpoint.complete(&body);
        assert_eq!((status, &told["choices"][0]["finish_reason"]), (200, &json!("length")));
        assert_eq!(told["usage"]["completion_tokens"], 12, "{told}");
        assert!(told["usage"]["prompt_tokens"].as_u64().unwrap() > 5, "{told}");
        let provider = llm::providers::find("openai").unwrap();
        let http = llm::HttpResponse {
            status: 200,
            body: told.to_string(),
            ..llm::HttpResponse::default()
        };
        let whole = (provider.response)(&http).unwrap();
        body["stream"] = json!(true);
        body["stream_options"] = json!({ "include_usage": true });
        let (head, stream) = endpoint.ask("POST", "/v1/chat/completions", &body.to_string());
        assert!(head.contains("content-type: text/event-stream"), "{head}");
        let head = llm::HttpHead { status: 200, ..llm::HttpHead::default() };
        let mut decoder = llm::Decoder::new(provider, head);
        let parts = decoder.feed(unchunked(&stream).as_bytes()).unwrap();
        assert!(parts.len() >= 2, "{parts:?}");
        let streamed = decoder.finish().unwrap();
        assert_eq!((&streamed.message, &streamed.finish), (&whole.message, &whole.finish));
        assert_eq!(streamed.usage.input_tokens, whole.usage.input_tokens);
        assert_eq!(streamed.usage.output_tokens, Some(12));
        assert!(streamed.usage.cached_tokens.unwrap() > 0, "the prompt was there already");
        // Another seed at another temperature says something else.
        for (field, value) in
            [("temperature", json!(1.5)), ("seed", json!(4)), ("stream", json!(false))]
        {
            body[field] = value;
        }
        let (_, other) = endpoint.complete(&body);
        assert_ne!(other["choices"][0]["message"], told["choices"][0]["message"], "{other}");
        let line = endpoint.says();
        assert!(line.contains("output tokens at"), "{line}");
    }

    #[test]
    fn what_does_not_fit_and_what_is_wrong_is_told() {
        let folder = Folder::new();
        let endpoint = serve(&folder);
        for is_stream in [false, true] {
            let mut body = asked(5);
            body["messages"][0]["content"] = json!("Who knows whom? ".repeat(500));
            body["stream"] = json!(is_stream);
            let (status, reply) = endpoint.complete(&body);
            assert_eq!((status, &reply["error"]["code"]), (400, &json!("context_length_exceeded")));
            assert!(reply["error"]["message"].as_str().unwrap().contains("512"), "{reply}");
        }
        let mut body = asked(5);
        body["temperature"] = json!("hot");
        let (status, reply) = endpoint.complete(&body);
        assert_eq!(status, 400);
        assert!(reply["error"]["message"].as_str().unwrap().contains("`temperature`"), "{reply}");
    }

    #[test]
    fn nothing_is_computed_for_a_client_that_left() {
        let folder = Folder::new();
        let mut endpoint = serve(&folder);
        let mut body = asked(480);
        body["stream"] = json!(true);
        body["temperature"] = json!(1.0);
        let body = body.to_string();
        let mut stream = endpoint.0.connect();
        write!(
            stream,
            "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut some = [0; 300];
        stream.read_exact(&mut some).unwrap();
        drop(stream);
        let (status, told) = endpoint.complete(&asked(3));
        assert_eq!((status, &told["usage"]["completion_tokens"]), (200, &json!(3)), "{told}");
        let line = endpoint.says();
        assert!(line.contains("3 output tokens"), "the answer of the client that left: {line}");
    }

    #[test]
    fn a_file_that_is_none_ends_the_command_with_its_reason() {
        let run = |name: &str| {
            let done = graphground(&["serve", "--port", "0", "--model", name]);
            complaint(&done)
        };
        let told = run("gone.gguf");
        assert!(told.contains("gone.gguf"), "{told}");
        let told = run("gpt-5");
        assert!(told.contains("there is no model local:gpt-5"), "{told}");
    }
}

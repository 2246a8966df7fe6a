//! The function library over the Model Context Protocol, in plain lines of JSON-RPC and in plain
//! HTTP, so that the client shares no code with the server.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::program::{Server, graphground, program, scratch, stderr};

/// A server at the other end of two pipes.
struct Pipes {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    n_asked: u64,
}

impl Drop for Pipes {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Pipes {
    fn start(args: &[&str]) -> Self {
        let mut process = program()
            .arg("mcp")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut pipes = Self { process, input, output, n_asked: 0 };
        let told = pipes.ask("initialize", initialize());
        assert_eq!(told["result"]["protocolVersion"], "2025-11-25", "{told}");
        assert_eq!(told["result"]["serverInfo"]["name"], "graphground");
        assert!(told["result"]["capabilities"]["tools"].is_object(), "{told}");
        pipes.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        pipes
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.n_asked += 1;
        self.send(
            &json!({ "jsonrpc": "2.0", "id": self.n_asked, "method": method, "params": params }),
        );
        let told = self.read();
        assert_eq!(told["id"], self.n_asked, "{told}");
        told
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn call(&mut self, name: &str, arguments: Value) -> Value {
        let told = self.ask("tools/call", json!({ "name": name, "arguments": arguments }));
        told["result"].clone()
    }
}

fn initialize() -> Value {
    json!({ "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "plain lines", "version": "1" } })
}

/// A square with a shortcut: the shortest way from 0 to 2 weighs 3.
fn square() -> (Value, Value) {
    (
        json!({ "directed": false, "weighted": true }),
        json!({ "edges": [["0", "1"], ["1", "2"], ["2", "3"], ["0", "3"], ["0", "2"]],
                "weights": [1.0, 2.0, 1.0, 5.0, 4.0] }),
    )
}

#[test]
fn every_function_is_offered_as_the_companion_lists_it() {
    let mut pipes = Pipes::start(&[]);
    let told = pipes.ask("tools/list", json!({}));
    let listed = program().args(["tools", "--format", "mcp"]).output();
    let listed: Value = serde_json::from_slice(&listed.unwrap().stdout).unwrap();
    assert_eq!(told["result"]["tools"], listed);
    let hint = |name: &str| {
        let all = told["result"]["tools"].as_array().unwrap();
        let tool = all.iter().find(|t| t["name"] == name).unwrap();
        tool["annotations"]["readOnlyHint"].as_bool().unwrap()
    };
    assert!(hint("find_shortest_path") && !hint("add_edges"));
}

#[test]
fn a_graph_is_built_and_asked_and_a_mistake_is_told_to_the_model() {
    let mut pipes = Pipes::start(&[]);
    let (kind, edges) = square();
    for (name, arguments) in [("create_graph", kind), ("add_edges", edges)] {
        let told = pipes.call(name, arguments);
        assert_ne!(told["isError"], true, "{told}");
    }
    let told = pipes.call("find_shortest_path", json!({ "start": "0", "end": "2" }));
    let data = &told["structuredContent"];
    assert_eq!(data["result"]["path"], json!([0, 1, 2]), "{told}");
    let text: Value = serde_json::from_str(told["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(&text, data, "words and data are the same");

    let told = pipes.call("find_shortest_path", json!({ "start": "0", "end": "9" }));
    assert_eq!(told["isError"], true);
    assert_eq!(told["structuredContent"]["error"]["type"], "unknown_node", "{told}");
    assert!(told["content"][0]["text"].as_str().unwrap().contains('9'), "{told}");

    let told = pipes.call("find_shortest_path", json!({ "sauce": "0" }));
    assert_eq!(told["isError"], true);
    assert!(told["content"][0]["text"].as_str().unwrap().contains("sauce"), "{told}");

    let told = pipes.ask("tools/call", json!({ "name": "make_tea", "arguments": {} }));
    assert_eq!(told["error"]["code"], -32602, "{told}");
    assert!(told["error"]["message"].as_str().unwrap().contains("make_tea"));
}

#[test]
fn a_call_that_cannot_be_read_says_which_field_is_wrong() {
    let mut pipes = Pipes::start(&[]);
    for (params, word) in [
        (
            json!({ "name": "create_graph", "arguments": "[1]" }),
            "`params.arguments` is a text without",
        ),
        (json!({ "name": "create_graph", "arguments": "{\"directed\"" }), "no JSON"),
        (json!({ "name": "create_graph", "arguments": [1] }), "`params.arguments` is a list"),
        (json!({ "name": 7 }), "`params.name` is a number"),
        (json!({ "tool": "create_graph" }), "`params.name` is missing"),
        (json!(["create_graph"]), "`params` is a list"),
    ] {
        let reply = pipes.ask("tools/call", params);
        assert_eq!(reply["error"]["code"], -32602, "{reply}");
        assert!(reply["error"]["message"].as_str().unwrap().contains(word), "{reply}");
    }
    // Some clients put all arguments into one text.
    let (kind, edges) = square();
    pipes.call("create_graph", json!(kind.to_string()));
    pipes.call("add_edges", json!(edges.to_string()));
    let reply = pipes.call("has_edge", json!("{\"source\": 0, \"target\": 1}"));
    assert_eq!(reply["structuredContent"]["result"]["has_edge"], true, "{reply}");
}

#[test]
fn calls_that_come_in_one_go_are_answered_in_order() {
    let mut pipes = Pipes::start(&[]);
    let call = |id: u64, name: &str, arguments: Value| {
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call",
                "params": { "name": name, "arguments": arguments } })
    };
    pipes.send(&call(100, "create_graph", json!({ "directed": false, "weighted": false })));
    for i in 0..40_u64 {
        let edge = json!([i.to_string(), (i + 1).to_string()]);
        pipes.send(&call(101 + i, "add_edges", json!({ "edges": [edge] })));
        pipes.send(&call(
            1101 + i,
            "has_path",
            json!({ "start": "0", "end": (i + 1).to_string() }),
        ));
    }
    let mut seen = BTreeSet::new();
    for _ in 0..81 {
        let told = pipes.read();
        seen.insert(told["id"].as_u64().unwrap());
        assert_ne!(told["result"]["isError"], true, "{told}");
    }
    assert_eq!(seen.len(), 81);
}

#[test]
fn a_session_may_begin_with_a_graph_from_a_file() {
    let path = scratch("mcp.txt", "a b 2\nb c 3\n");
    let mut pipes = Pipes::start(&["--graph", &path]);
    let told = pipes.call("find_shortest_path", json!({ "start": "a", "end": "c" }));
    assert_eq!(told["structuredContent"]["result"]["path"], json!(["a", "b", "c"]), "{told}");
}

#[test]
fn what_a_graph_file_loses_is_reported_and_columns_can_be_named() {
    let path = scratch("columns.csv", "km;stadt A;stadt B\n3;Ulm;Bonn\n4;Ulm;Bonn\n");
    let out = graphground(&["mcp", "--graph", &path]);
    assert_eq!(out.status.code(), Some(1));
    assert!(stderr(&out).contains("this is a table; line 1") && stderr(&out).contains("--source"));
    let named = ["--source", "stadt A", "--target", "3", "--weight", "km"];
    let out = graphground(&[&["mcp", "--graph", &path], &named[..]].concat());
    let notes = stderr(&out);
    assert!(
        notes.contains("1 of 2 edges is parallel; their weights were added (line 3)"),
        "{notes}"
    );
    let latin = scratch("latin.csv", b"von;nach\nK\xf6ln;M\xfcnster\nM\xfcnster;W\xfcrzburg\n");
    let out = graphground(&["mcp", "--graph", &latin]);
    assert!(stderr(&out).contains("assumed: the text is in windows-1252"), "{}", stderr(&out));
}

#[test]
fn a_graph_of_several_and_a_graph_in_two_tables_can_be_served() {
    let path = scratch("several.dot", "graph { a -- b }\ndigraph { Ann -> Bo -> Cy }\n");
    let mut pipes = Pipes::start(&["--graph", &path, "--graph-number", "2"]);
    let reply = pipes.call("find_shortest_path", json!({ "start": "Ann", "end": "Cy" }));
    assert_eq!(reply["structuredContent"]["result"]["path"], json!(["Ann", "Bo", "Cy"]), "{reply}");
    let out = graphground(&["mcp", "--graph", &path, "--graph-number", "3"]);
    assert!(
        stderr(&out).contains("there is no graph 3: the file has 2 graphs"),
        "{}",
        stderr(&out)
    );
    let nodes = scratch("people.csv", ":ID,name\n1,Ann\n2,Bo\n");
    let edges = scratch("knows.csv", ":START_ID,:END_ID\n1,2\n");
    let mut pipes = Pipes::start(&["--graph", &nodes, "--graph", &edges]);
    let reply = pipes.call("has_edge", json!({ "source": "Ann", "target": "Bo" }));
    assert_eq!(reply["isError"], false, "{reply}");
}

#[test]
fn the_end_of_the_input_ends_the_server_and_a_bad_command_line_is_told() {
    let mut pipes = Pipes::start(&[]);
    drop(pipes.input.take());
    assert!(pipes.process.wait().unwrap().success());
    for (args, word) in [
        (["--http", "0.0.0.0:8191"], "loopback"),
        (["--graph", "/nowhere/at-all.txt"], "at-all.txt"),
    ] {
        let out = graphground(&[&["mcp"], &args[..]].concat());
        assert_eq!(out.status.code(), Some(1));
        assert!(stderr(&out).contains(word));
    }
}

/// What the protocol wants clients to accept.
const BOTH: &str = "Accept: application/json, text/event-stream\r\n";

/// A server on the loopback.
struct Http {
    address: String,
    _server: Server,
}

impl Http {
    fn start() -> Self {
        let server = Server::start(&["mcp", "--http", "127.0.0.1:0"]);
        Self { address: format!("127.0.0.1:{}", server.port), _server: server }
    }

    /// Head and body of an answer; further headers each end in a line break.
    fn post(&self, headers: &str, body: &Value) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let body = body.to_string();
        write!(
            stream,
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             {}{headers}Content-Length: {}\r\n\r\n{body}",
            self.address,
            if headers.contains("Accept: ") { "" } else { BOTH },
            body.len()
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    /// The header that names a new session.
    fn open(&self) -> String {
        let body =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize() });
        let (head, _) = self.post("", &body);
        let id = head.lines().find(|l| l.to_lowercase().starts_with("mcp-session-id:")).unwrap();
        let header = format!("{id}\r\nMCP-Protocol-Version: 2025-11-25\r\n");
        let done = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert!(self.post(&header, &done).0.starts_with("HTTP/1.1 202"));
        header
    }

    /// The text of an answer, out of the stream of events that it comes in.
    fn call(&self, session: &str, name: &str, arguments: Value) -> String {
        let body = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call",
                           "params": { "name": name, "arguments": arguments } });
        self.post(session, &body).1
    }
}

#[test]
fn sessions_over_http_have_a_graph_each() {
    let http = Http::start();
    let (one, other) = (http.open(), http.open());
    let (kind, edges) = square();
    http.call(&one, "create_graph", kind);
    http.call(&one, "add_edges", edges);
    let ask = json!({ "start": "0", "end": "2" });
    let told = http.call(&one, "find_shortest_path", ask.clone());
    assert!(told.contains(r#""path":[0,1,2]"#), "{told}");
    let told = http.call(&other, "find_shortest_path", ask);
    assert!(told.contains("empty_graph") && told.contains(r#""isError":true"#), "{told}");
}

#[test]
fn a_client_over_http_that_takes_anything_is_served() {
    let http = Http::start();
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize() });
    for accept in ["*/*", "text/html, */*;q=0.8", "text/event-stream"] {
        let accept = &format!("Accept: {accept}\r\n");
        let (head, _) = http.post(accept, &body);
        assert!(head.starts_with("HTTP/1.1 200"), "{accept}: {head}");
    }
    let (head, reply) = http.post("Accept: application/json\r\n", &body);
    assert!(head.to_lowercase().contains("content-type: application/json"), "{head}");
    assert!(head.to_lowercase().contains("mcp-session-id:"), "{head}");
    let reply: Value = serde_json::from_str(&reply).unwrap();
    assert_eq!(reply["result"]["serverInfo"]["name"], "graphground", "{reply}");
    let (head, _) = http.post("Accept: text/html\r\n", &body);
    assert!(head.starts_with("HTTP/1.1 406"), "{head}");
    let session = http.open();
    let reply = http.call(&session, "create_graph", json!([1]));
    assert!(reply.contains("-32602") && reply.contains("`params.arguments` is a list"), "{reply}");
}

#[test]
fn no_page_and_no_other_host_gets_in() {
    let http = Http::start();
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize() });
    let (head, _) = http.post("Origin: https://example.org\r\n", &body);
    assert!(head.starts_with("HTTP/1.1 403"), "{head}");
    let mut stream = TcpStream::connect(&http.address).unwrap();
    write!(stream, "POST /mcp HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 403"), "{text}");
}

#[test]
fn the_session_that_was_idle_for_longest_makes_room() {
    let http = Http::start();
    let (first, used) = (http.open(), http.open());
    for _ in 0..70 {
        http.call(&used, "create_graph", json!({}));
        http.open();
    }
    let body = json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" });
    let (head, _) = http.post(&used, &body);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let (head, _) = http.post(&first, &body);
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
}

#[test]
fn each_request_over_pipes_has_an_answer() {
    let mut pipes = Pipes::start(&[]);
    let call = |id: Value, nodes: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"add_nodes","arguments":{{"nodes":{nodes}}}}}}}"#
        )
    };
    let input = pipes.input.as_mut().unwrap();
    writeln!(input, "{}", call(json!("long"), &format!("[\"{}\"]", "a".repeat(17_000_000))))
        .unwrap();
    writeln!(input, "{}", call(json!(50), &format!("{}{}", "[".repeat(5000), "]".repeat(5000))))
        .unwrap();
    for _ in 0..3 {
        writeln!(input, "{}", call(json!(51), "[1]")).unwrap();
    }
    pipes.input = None;
    let answers: Vec<Value> = (0..5).map(|_| pipes.read()).collect();
    let of = |id: Value| answers.iter().filter(|t| t["id"] == id).collect::<Vec<_>>();
    assert!(of(json!("long"))[0].to_string().contains("more than 16000000 bytes"), "{answers:?}");
    assert!(of(json!(50))[0].to_string().contains("more than 100 levels deep"), "{answers:?}");
    let same = of(json!(51));
    assert_eq!(same.len(), 3);
    assert!(same.iter().any(|t| t["result"].is_object()), "{answers:?}");
}

//! Tapes and runs over the network: with the scripts, which are an endpoint like any other.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

struct Server(Child, String);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn serve() -> Server {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut process = Command::new(env!("CARGO_BIN_EXE_graphground"))
        .args(["serve", "--port", &port.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    Server(process, format!("http://127.0.0.1:{port}/v1"))
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("graphground-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn tapes_are_written_without_the_key() {
    let (server, out) = (serve(), folder("tapes"));
    let done = Command::new(env!("CARGO_BIN_EXE_graphground"))
        .args(["cassette", "record", "openai", "--model", "script", "--base-url", &server.1])
        .args(["--key-env", "CANARY_KEY", "--out"])
        .arg(&out)
        .env("CANARY_KEY", "sk-canary-55e1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    let mut n_files = 0;
    for case in std::fs::read_dir(&out).unwrap() {
        for file in std::fs::read_dir(case.unwrap().path()).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            assert!(!text.contains("canary"), "{text}");
            n_files += 1;
        }
    }
    // Eleven cases, three of them with a stream.
    assert_eq!(n_files, 25, "{said}");
    let read = |name: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(out.join(name)).unwrap()).unwrap()
    };
    let models = read("list_of_models/response.json");
    assert!(models["gives"]["models"].as_array().unwrap().contains(&json!("script")), "{models}");
    assert_eq!(models["recorded"], json!(true));
    let error = read("error_404/response.json");
    assert!(error["gives"]["error"].as_str().unwrap().contains("404"), "{error}");
    std::fs::remove_dir_all(&out).unwrap();
}

#[test]
fn what_is_missing_is_said() {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_graphground"));
        let done = command.args(["cassette", "record"]).args(arguments).output().unwrap();
        assert!(!done.status.success());
        String::from_utf8_lossy(&done.stderr).into_owned()
    };
    let said = run(&["pigeon", "--model", "m", "--out", "x"]);
    assert!(said.contains("one of openai, responses"), "{said}");
    let said = run(&["openai", "--model", "m", "--out", "x", "--key-env", "NO_SUCH_VARIABLE"]);
    assert!(said.contains("NO_SUCH_VARIABLE") && said.contains("not set"), "{said}");
}

#[test]
fn a_run_over_the_network_is_judged() {
    let server = serve();
    let run = |model: &str, more: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_graphground"))
            .args(["run", "--task", "cycle", "--seed", "2", "--endpoint", &server.1])
            .args(["--model", model])
            .args(more)
            .output()
            .unwrap()
    };
    let done = run("script", &[]);
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    assert!(said.contains("call: find_cycle") && said.contains("Correct"), "{said}");
    assert!(said.contains("tokens unknown"), "a script tells no tokens: {said}");
    // The same without streaming, as JSON.
    let done = run("script", &["--no-stream", "--json"]);
    let whole: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(whole["judgement"]["verdict"], "Correct", "{whole}");
    let done = run("no-such-model", &[]);
    assert_eq!(done.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&done.stdout).contains("NoAnswer"));
}

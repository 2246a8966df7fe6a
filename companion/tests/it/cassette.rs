//! Tapes and runs over the network: with the scripts, which are an endpoint like any other.

use serde_json::{Value, json};
use test_support::Folder;

use crate::program::{Server, complaint, printed, program, stdout};

#[test]
fn tapes_are_written_without_the_key() {
    let (server, out) = (Server::of_scripts(), Folder::new());
    let done = program()
        .args([
            "cassette",
            "record",
            "openai",
            "--model",
            "script",
            "--base-url",
            &server.url("/v1"),
        ])
        .args(["--key-env", "CANARY_KEY", "--out"])
        .arg(&*out)
        .env("CANARY_KEY", "sk-canary-55e1")
        .output()
        .unwrap();
    let said = printed(&done);
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
}

#[test]
fn what_is_missing_is_said() {
    let run = |arguments: &[&str]| {
        let done = program().args(["cassette", "record"]).args(arguments).output().unwrap();
        complaint(&done)
    };
    let said = run(&["pigeon", "--model", "m", "--out", "x"]);
    assert!(said.contains("one of openai, responses"), "{said}");
    let said = run(&["openai", "--model", "m", "--out", "x", "--key-env", "NO_SUCH_VARIABLE"]);
    assert!(said.contains("NO_SUCH_VARIABLE") && said.contains("not set"), "{said}");
}

#[test]
fn a_run_over_the_network_is_judged() {
    let server = Server::of_scripts();
    let run = |model: &str, more: &[&str]| {
        program()
            .args(["run", "--task", "cycle", "--seed", "2", "--endpoint", &server.url("/v1")])
            .args(["--model", model])
            .args(more)
            .output()
            .unwrap()
    };
    let done = run("script", &[]);
    let said = printed(&done);
    assert!(said.contains("call: find_cycle") && said.contains("Correct"), "{said}");
    assert!(said.contains("tokens unknown"), "a script tells no tokens: {said}");
    // The same without streaming, as JSON.
    let done = run("script", &["--no-stream", "--json"]);
    let whole: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(whole["judgement"]["verdict"], "Correct", "{whole}");
    let done = run("no-such-model", &[]);
    assert_eq!(done.status.code(), Some(3));
    assert!(stdout(&done).contains("NoAnswer"));
}

//! Each provider against conversations on tape: `cassettes/<provider>/<case>/` has a `request.json`
//! (what is asked, in our words and as bytes) and a `response.json` (what came back, and what we
//! make of it). `source` says which public document a tape follows; `recorded` says whether a real
//! endpoint gave it.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use llm::{ChatRequest, ChatResponse, Endpoint, HttpRequest, HttpResponse, PROVIDERS, Provider};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What every provider must have a tape of.
const CASES: [&str; 11] = [
    "error_401",
    "error_404",
    "error_429",
    "error_500",
    "length_stop",
    "list_of_models",
    "null_content",
    "one_tool_call",
    "parallel_tool_calls",
    "plain_answer",
    "tool_result_follow_up",
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    source: String,
    recorded: bool,
    endpoint: Endpoint,
    /// The question; the list of models has none.
    chat: Option<ChatRequest>,
    http: Bytes<AskedHead>,
}

#[derive(Deserialize)]
struct AskedHead {
    method: String,
    url: String,
    headers: Vec<(String, String)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answered {
    source: String,
    recorded: bool,
    http: Bytes<AnsweredHead>,
    gives: Gives,
}

#[derive(Deserialize)]
struct AnsweredHead {
    status: u16,
    content_type: Option<String>,
}

/// A head and a body that a person can read; its bytes are the same JSON without spaces.
#[derive(Deserialize)]
struct Bytes<Head> {
    #[serde(flatten)]
    head: Head,
    body: Value,
}

impl<Head> Bytes<Head> {
    fn body(&self) -> String {
        if self.body.is_null() { String::new() } else { self.body.to_string() }
    }
}

/// What is read out of an answer.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Gives {
    Chat(ChatResponse),
    Models(Vec<String>),
    Error(String),
}

fn tapes(provider: &Provider) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cassettes").join(provider.id)
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn tape<T: DeserializeOwned>(path: &Path) -> T {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Every tape: its provider, its name, and both sides.
fn all() -> Vec<(&'static Provider, String, Asked, Answered)> {
    let mut all = Vec::new();
    for provider in PROVIDERS {
        let folder = tapes(provider);
        for name in names(&folder) {
            let asked = tape(&folder.join(&name).join("request.json"));
            let answered = tape(&folder.join(&name).join("response.json"));
            all.push((provider, name, asked, answered));
        }
    }
    all
}

#[test]
fn every_provider_has_every_tape() {
    for provider in PROVIDERS {
        let here = names(&tapes(provider));
        let missing: Vec<_> = CASES.iter().filter(|case| !here.contains(**case)).collect();
        assert!(missing.is_empty(), "{} has no tape of {missing:?}", provider.id);
    }
}

#[test]
fn requests_are_these_bytes() {
    for (provider, name, asked, _) in all() {
        assert_eq!(asked.endpoint.provider, provider.id, "{name}");
        let made = match &asked.chat {
            Some(chat) => (provider.request)(&asked.endpoint, chat),
            None => (provider.list_models)(&asked.endpoint),
        };
        let body = asked.http.body();
        let AskedHead { method, url, headers } = asked.http.head;
        assert_eq!(made, HttpRequest { method, url, headers, body }, "{}/{name}", provider.id);
    }
}

#[test]
fn answers_are_read_as_this() {
    for (provider, name, asked, answered) in all() {
        let body = answered.http.body();
        let AnsweredHead { status, content_type } = answered.http.head;
        let http = HttpResponse { status, content_type, body };
        let read = match asked.chat {
            Some(_) => (provider.response)(&http).map(Gives::Chat),
            None => (provider.models)(&http).map(Gives::Models),
        };
        let read = read.unwrap_or_else(|error| Gives::Error(error.to_string()));
        assert_eq!(read, answered.gives, "{}/{name}", provider.id);
    }
}

#[test]
fn an_address_may_end_in_a_slash() {
    for (provider, name, asked, _) in all() {
        let base_url = format!(" {}/ ", asked.endpoint.base_url);
        let endpoint = Endpoint { base_url, ..asked.endpoint };
        let made = (provider.list_models)(&endpoint);
        assert!(!made.url.contains("//models") && !made.url.contains(' '), "{name}: {}", made.url);
    }
}

#[test]
fn tapes_say_where_they_come_from_and_hold_no_key() {
    for (provider, name, asked, answered) in all() {
        for (source, recorded) in
            [(&asked.source, asked.recorded), (&answered.source, answered.recorded)]
        {
            assert!(source.starts_with("https://"), "{}/{name}: {source:?}", provider.id);
            // What a real endpoint said comes from no document.
            assert!(!recorded || !source.contains("/docs/"), "{}/{name}", provider.id);
        }
        for (header, _) in &asked.http.head.headers {
            assert!(!header.eq_ignore_ascii_case("authorization"), "{}/{name}", provider.id);
        }
    }
}

//! Each provider against conversations on tape: `cassettes/<provider>/<case>/` has a `request.json`
//! (what is asked, in our words and as bytes) and a `response.json` (what came back, and what we
//! make of it), and, where a stream was asked for, a `stream.txt` with its bytes. `source` says
//! which public document a tape follows; `recorded` says whether a real endpoint gave it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use llm::{
    ChatRequest, ChatResponse, Decoder, Endpoint, HttpHead, HttpRequest, HttpResponse, ModelError,
    PROVIDERS, Part, Partial, Provider, Retry,
};
use proptest::prelude::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What every provider must have a tape of.
const CASES: [&str; 20] = [
    "context_overflow",
    "error_401",
    "error_404",
    "error_429",
    "error_500",
    "forced_tool_call",
    "length_stop",
    "list_of_models",
    "null_content",
    "one_tool_call",
    "parallel_tool_calls",
    "plain_answer",
    "reasoning",
    "stream_cut",
    "stream_error",
    "stream_plain",
    "stream_reasoning",
    "stream_tool_calls",
    "thoughts_go_back",
    "tool_result_follow_up",
];
/// Headers that carry keys.
const SECRET: [&str; 3] = ["authorization", "x-api-key", "x-goog-api-key"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    source: String,
    recorded: bool,
    endpoint: Endpoint,
    /// The question; the list of models has none.
    chat: Option<ChatRequest>,
    /// Whether a stream is asked for.
    #[serde(default)]
    stream: bool,
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
    #[serde(default)]
    retry_after_ms: Option<u64>,
}

impl AnsweredHead {
    fn head(self) -> HttpHead {
        let Self { status, content_type, retry_after_ms } = self;
        HttpHead { status, content_type, retry_after_ms }
    }
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
    Chat(Box<ChatResponse>),
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
            Some(chat) => (provider.request)(&asked.endpoint, chat, asked.stream),
            None => (provider.list_models)(&asked.endpoint),
        };
        let body = asked.http.body();
        let AskedHead { method, url, headers } = asked.http.head;
        assert_eq!(made, HttpRequest { method, url, headers, body }, "{}/{name}", provider.id);
    }
}

fn gives(result: Result<ChatResponse, ModelError>) -> Gives {
    result
        .map(|answer| Gives::Chat(Box::new(answer)))
        .unwrap_or_else(|error| Gives::Error(error.to_string()))
}

#[test]
fn answers_are_read_as_this() {
    for (provider, name, asked, answered) in all() {
        if asked.stream {
            continue;
        }
        let body = answered.http.body();
        let http = answered.http.head.head().with_body(body);
        let read = match asked.chat {
            Some(_) => gives((provider.response)(&http)),
            None => (provider.models)(&http)
                .map_or_else(|error| Gives::Error(error.to_string()), Gives::Models),
        };
        assert_eq!(read, answered.gives, "{}/{name}", provider.id);
    }
}

/// A tape of a stream: the bytes, and what they give.
struct StreamTape {
    provider: &'static Provider,
    name: String,
    head: HttpHead,
    bytes: Vec<u8>,
    gives: Gives,
}

fn streams() -> Vec<StreamTape> {
    let mut streams = Vec::new();
    for (provider, name, asked, answered) in all() {
        if asked.stream {
            let bytes = fs::read(tapes(provider).join(&name).join("stream.txt")).unwrap();
            let head = answered.http.head.head();
            streams.push(StreamTape { provider, name, head, bytes, gives: answered.gives });
        }
    }
    streams
}

/// Plays bytes in pieces: what comes of them, and what was shown on the way.
fn play<'a>(tape: &StreamTape, pieces: impl Iterator<Item = &'a [u8]>) -> (Gives, Vec<Part>) {
    let mut decoder = Decoder::new(tape.provider, tape.head.clone());
    let mut parts = Vec::new();
    for piece in pieces {
        match decoder.feed(piece) {
            Ok(more) => parts.extend(more),
            Err(error) => return (Gives::Error(error.to_string()), parts),
        }
    }
    (gives(decoder.finish()), parts)
}

/// What someone has who only watched.
fn watched(parts: &[Part]) -> Partial {
    let mut partial = Partial::default();
    parts.iter().for_each(|part| partial.take(part));
    partial
}

#[test]
fn streams_are_read_as_this_and_shown_as_they_come() {
    for tape in streams() {
        let (read, parts) = play(&tape, [tape.bytes.as_slice()].into_iter());
        assert_eq!(read, tape.gives, "{}/{}", tape.provider.id, tape.name);
        // A whole answer is not shown in pieces; every stream is, up to its end.
        if let Gives::Chat(answer) = read
            && tape.name != "rule_whole_answer_to_a_stream"
        {
            let message = answer.message;
            let calls =
                message.tool_calls.into_iter().map(|c| (c.name, c.arguments)).collect::<Vec<_>>();
            let reasoning = message.reasoning.unwrap_or_default();
            let whole = Partial { text: message.content, reasoning, calls, retry: None };
            assert_eq!(watched(&parts), whole, "{}/{}", tape.provider.id, tape.name);
        }
    }
}

#[test]
fn bytes_one_by_one_give_the_same() {
    for tape in streams() {
        let (read, parts) = play(&tape, tape.bytes.chunks(1));
        let (_, whole) = play(&tape, [tape.bytes.as_slice()].into_iter());
        assert_eq!(read, tape.gives, "{}/{}", tape.provider.id, tape.name);
        if matches!(read, Gives::Chat(_)) {
            assert_eq!(watched(&parts), watched(&whole), "{}/{}", tape.provider.id, tape.name);
        }
    }
}

proptest! {
    /// Any split of any tape's bytes gives the same result.
    #[test]
    fn the_cuts_do_not_matter(
        which in any::<prop::sample::Index>(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let tapes = streams();
        let tape = &tapes[which.index(tapes.len())];
        let mut at: Vec<usize> = cuts.iter().map(|c| c.index(tape.bytes.len() + 1)).collect();
        at.extend([0, tape.bytes.len()]);
        at.sort_unstable();
        let (read, _) = play(tape, at.windows(2).map(|w| &tape.bytes[w[0]..w[1]]));
        prop_assert_eq!(&read, &tape.gives, "{}/{}", tape.provider.id, tape.name);
    }

    /// What stops anywhere is an answer or an error, and never a panic; no cut is taken for a
    /// whole answer with calls that are not whole.
    #[test]
    fn a_stream_that_stops_anywhere_is_no_panic(
        which in any::<prop::sample::Index>(),
        end in any::<prop::sample::Index>(),
        noise in prop::collection::vec(any::<u8>(), 0..8),
    ) {
        let tapes = streams();
        let tape = &tapes[which.index(tapes.len())];
        let bytes = &tape.bytes[..end.index(tape.bytes.len() + 1)];
        let (read, _) = play(tape, [bytes].into_iter());
        if let (Gives::Chat(read), Gives::Chat(whole)) = (&read, &tape.gives) {
            prop_assert_eq!(&read.message.tool_calls, &whole.message.tool_calls);
            prop_assert_eq!(&read.message.content, &whole.message.content);
        }
        let _ = play(tape, [bytes, noise.as_slice()].into_iter());
    }

    /// Nothing that an endpoint sends makes a reader panic.
    #[test]
    fn hostile_bodies_do_not_panic(body in json_text(), status in prop_oneof![Just(200u16), Just(400)]) {
        for provider in PROVIDERS {
            let http = HttpResponse { status, body: body.clone(), ..HttpResponse::default() };
            let _ = (provider.response)(&http);
            let _ = (provider.models)(&http);
            for framed in [format!("data: {body}\n\n"), format!("{body}\n")] {
                let head = HttpHead { status, ..HttpHead::default() };
                let mut decoder = Decoder::new(provider, head);
                if let Ok(parts) = decoder.feed(framed.as_bytes()) {
                    let _ = watched(&parts).into_message();
                }
                let _ = decoder.finish();
            }
        }
    }
}

/// JSON whose fields have the protocols' names and whose values have any type.
fn json_text() -> impl Strategy<Value = String> {
    const WORDS: [&str; 34] = [
        "choices",
        "delta",
        "message",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "index",
        "id",
        "content",
        "type",
        "text",
        "tool_use",
        "input",
        "content_block",
        "candidates",
        "parts",
        "functionCall",
        "args",
        "usage",
        "error",
        "done",
        "output",
        "response",
        "data",
        "models",
        "content_block_start",
        "content_block_delta",
        "thinking",
        "signature_delta",
        "reasoning",
        "response.completed",
        "finish_reason",
        "usageMetadata",
    ];
    let word = prop::sample::select(WORDS.to_vec());
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
        ".{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..5).prop_map(|fields| {
                fields.into_iter().map(|(k, v)| (k.to_owned(), v)).collect::<Value>()
            }),
        ]
    })
    .prop_map(|value| value.to_string())
}

#[test]
fn errors_say_whether_to_ask_again() {
    for (provider, name, asked, answered) in all() {
        let expected = match name.as_str() {
            "error_401" | "error_404" | "context_overflow" => Retry::Never,
            "error_429" => Retry::After(if provider.id == "openai" { 20_000 } else { 2_000 }),
            "error_500" => Retry::Soon,
            _ => continue,
        };
        assert!(!asked.stream);
        let body = answered.http.body();
        let error = (provider.response)(&answered.http.head.head().with_body(body)).unwrap_err();
        assert_eq!(error.retry(), expected, "{}/{name}: {error}", provider.id);
    }
}

#[test]
fn an_address_may_end_in_a_slash() {
    for (provider, name, asked, _) in all() {
        let base_url = format!(" {}/ ", asked.endpoint.base_url);
        let endpoint = Endpoint { base_url, ..asked.endpoint };
        let made = (provider.list_models)(&endpoint);
        let path = made.url.split_once("://").unwrap().1;
        assert!(!path.contains("//") && !path.contains(' '), "{name}: {}", made.url);
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
            assert!(!recorded || !source.contains("docs"), "{}/{name}", provider.id);
        }
        for (header, _) in &asked.http.head.headers {
            assert!(!SECRET.contains(&header.as_str()), "{}/{name}", provider.id);
        }
    }
}

//! Answers and streams of endpoints, for every protocol, and programs in replies.

use llm::{
    Decoder, HttpHead, HttpRequest, ModelError, PROVIDERS, Partial, Provider, Retry, Simpler,
    providers,
};
use serde_json::{Value, json};

use crate::seeds::Places;
use crate::{Target, choice, text};

const STATUSES: [u16; 6] = [200, 200, 400, 401, 429, 503];
const KINDS: [Option<&str>; 4] =
    [Some("application/json"), Some("text/event-stream"), None, Some("text/html")];

fn head(which: usize) -> HttpHead {
    HttpHead {
        status: STATUSES[which % STATUSES.len()],
        content_type: KINDS[which / 8 % KINDS.len()].map(str::to_owned),
        retry_after_ms: None,
    }
}

/// What an endpoint says of its limits and of what it refuses.
fn refusals() -> Target {
    let run = |data: &[u8]| {
        let words = text(data).into_owned();
        let said = ["retry-after", "retry-after-ms", "x-ratelimit-reset"];
        let said = said.map(|name| (name.to_owned(), words.clone()));
        let _ = providers::wait_of_headers(&said, 1e12);
        let (hint, retry) = (String::new(), Retry::Never);
        let error = ModelError::Status { status: 400, message: words, hint, retry };
        let tool = json!({ "function": { "parameters": { "type": ["string", "null"] } } });
        let body = json!({ "model": "m", "stream": true, "max_tokens": 1, "tools": [tool] });
        let (method, url) = ("POST".to_owned(), "http://a.test".to_owned());
        let mut request = HttpRequest { method, url, headers: Vec::new(), body: body.to_string() };
        let mut simpler = Simpler::default();
        while simpler.learn(&error, &request).is_some() {
            simpler.apply(&mut request);
            if simpler.is_whole() || simpler.has_tools_in_text() {
                break;
            }
        }
    };
    Target::new("refusals", 2048, run, |_| {
        let seeds = [
            "1m30s",
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "2026-01-01T00:00:00Z",
            "Unknown parameter: 'max_tokens', use max_completion_tokens; tools[0] has an unknown type",
        ];
        seeds.map(|seed| seed.as_bytes().to_vec()).to_vec()
    })
}

/// The program in a reply of a model.
fn programs() -> Target {
    let run = |data: &[u8]| drop(systems::nlgraph::program_of(&text(data)));
    Target::new("reply_program", 4096, run, |_| {
        let seeds = [
            "So:\n```python\nprint(1)\n```\n```output\n1\n```",
            "1. ~~~~ {.py}\n   if x:\n       print(2)\n   ```\n   ~~~~",
            "```\nprint(1)",
            "print(1)",
        ];
        seeds.map(|seed| seed.as_bytes().to_vec()).to_vec()
    })
}

pub(super) fn targets() -> Vec<Target> {
    let answers = PROVIDERS.iter().map(|provider| {
        let run = |data: &[u8]| {
            let (which, rest) = choice(data);
            let http = head(which).with_body(text(rest).into_owned());
            drop(provider.read(&http));
            drop((provider.models)(&http));
        };
        Target::new(format!("answer_{}", provider.id), 4096, run, |places| {
            tapes(places, provider, "response.json").iter().filter_map(|t| body(t)).collect()
        })
    });
    let streams = PROVIDERS.iter().map(|provider| {
        let run = |data: &[u8]| stream(provider, data);
        Target::new(format!("stream_{}", provider.id), 4096, run, |places| {
            let tapes = tapes(places, provider, "stream.txt");
            tapes.iter().map(|bytes| [&[0, 5][..], bytes].concat()).collect()
        })
    });
    answers.chain(streams).chain([refusals(), programs()]).collect()
}

fn tapes(places: &Places, provider: &Provider, name: &str) -> Vec<Vec<u8>> {
    places.files(&format!("crates/llm/tests/cassettes/{}", provider.id), name)
}

/// The body of a tape, with its status in front.
fn body(tape: &[u8]) -> Option<Vec<u8>> {
    let tape: Value = serde_json::from_slice(tape).ok()?;
    let status = tape["http"]["status"].as_u64()?;
    let which = STATUSES.iter().position(|s| u64::from(*s) == status).unwrap_or(2) as u8;
    Some([&[which][..], tape["http"]["body"].to_string().as_bytes()].concat())
}

/// However a stream is cut, it gives the same answer.
fn stream(provider: &'static Provider, data: &[u8]) {
    let (which, rest) = choice(data);
    let (cut, rest) = choice(rest);
    let play = |size: usize| {
        let (mut decoder, mut shown) = (Decoder::new(provider, head(which)), Partial::default());
        for piece in rest.chunks(size.max(1)) {
            let parts = decoder.feed(piece).map_err(|e| e.to_string())?;
            parts.iter().for_each(|part| shown.take(part));
        }
        drop(shown.into_message());
        decoder.finish().map_err(|e| e.to_string())
    };
    let (whole, cut) = (play(rest.len()), play(cut % 64 + 1));
    assert_eq!(whole, cut, "{}", provider.id);
}

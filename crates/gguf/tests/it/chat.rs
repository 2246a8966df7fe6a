//! A small model with made-up weights, from outside.

use std::cell::{Cell, RefCell};

use futures_util::FutureExt as _;
use gguf::fixture::{self, Made};
use gguf::{Beat, Draw, File, GgufError, LocalModel, LocalOptions};
use llm::{BoxFuture, ChatRequest, FinishReason, Message, Model, ModelError, Part, Watch};

fn model(architecture: &'static str) -> LocalModel {
    let bytes = fixture::file(&Made { architecture, ..Made::default() }).unwrap();
    let options = LocalOptions { n_ctx: 256, max_tokens: 20, ..LocalOptions::default() };
    LocalModel::load(File::read(bytes).unwrap(), options).unwrap()
}

fn request(text: &str) -> ChatRequest {
    ChatRequest {
        messages: vec![Message::user(text)],
        max_tokens: Some(12),
        seed: Some(3),
        temperature: Some(1.5),
        ..ChatRequest::default()
    }
}

#[derive(Default)]
struct Seen(RefCell<String>);

impl Watch for Seen {
    fn part(&self, part: Part) {
        if let Part::Text { text } = part {
            self.0.borrow_mut().push_str(&text);
        }
    }
}

#[test]
fn a_kept_beginning_changes_nothing() {
    for architecture in ["llama", "qwen2"] {
        let (kept, fresh) = (model(architecture), model(architecture));
        let draw = Draw::LIKELIEST;
        let first: Vec<u32> = (0..150).map(|i| i * 7 % 250).collect();
        drop(kept.start(first.clone(), 4, draw).unwrap().logits().to_vec());
        for cut in [149, 140, 70, 1] {
            let mut other = first[..cut].to_vec();
            other.extend([3, 1, 4]);
            let mut generation = kept.start(other.clone(), 4, draw).unwrap();
            assert!(generation.n_cached() >= cut);
            let logits = generation.logits().to_vec();
            fresh.forget();
            let mut generation = fresh.start(other, 4, draw).unwrap();
            assert_eq!(generation.n_cached(), 0);
            assert_eq!(generation.logits(), logits);
        }
    }
}

#[test]
fn seeds_reproduce() {
    let model = model("llama");
    let ask = |seed| {
        let request = ChatRequest { seed: Some(seed), ..request("hello") };
        model.complete(&request, &()).now_or_never().unwrap().unwrap()
    };
    let (first, again, other) = (ask(1), ask(1), ask(2));
    assert_eq!(first.message, again.message);
    assert_ne!(first.message, other.message);
    assert_eq!(first.usage.input_tokens, again.usage.input_tokens);
    assert!(again.usage.cached_tokens > first.usage.cached_tokens);
    let stats = model.stats().unwrap();
    assert_eq!(Some(stats.n_prompt as u64), other.usage.input_tokens);
}

#[test]
fn what_is_shown_is_what_is_answered() {
    let model = model("qwen2");
    let seen = Seen::default();
    let answer = model.complete(&request("hello"), &seen).now_or_never().unwrap().unwrap();
    assert_eq!(*seen.0.borrow(), answer.message.content);
    assert!(matches!(answer.finish, FinishReason::Stop | FinishReason::Length));
}

/// Says stop at its n-th beat; each takes 10 ms.
struct Stops {
    at: u32,
    beats: Cell<u32>,
}

impl Beat for Stops {
    fn now_ms(&self) -> Option<f64> {
        Some(f64::from(self.beats.get()) * 10.0)
    }

    fn go_on(&self) -> BoxFuture<'_, bool> {
        self.beats.set(self.beats.get() + 1);
        Box::pin(std::future::ready(self.beats.get() < self.at))
    }
}

#[test]
fn stop_is_heard() {
    let model = model("llama");
    let long = "a word and ".repeat(15);
    // At once, within the prompt, and between tokens.
    for at in [1, 2, 8] {
        let beat = Stops { at, beats: Cell::new(0) };
        let error = model.with_beat(&beat).complete(&request(&long), &()).now_or_never().unwrap();
        assert_eq!(error.unwrap_err(), ModelError::Cancelled);
        assert_eq!(beat.beats.get(), at);
    }
    let beat = Stops { at: 1000, beats: Cell::new(0) };
    let answer = model.with_beat(&beat).complete(&request(&long), &()).now_or_never().unwrap();
    // What was computed before the stop serves.
    assert!(answer.unwrap().usage.cached_tokens.unwrap() > 64);
    assert!(model.stats().unwrap().decode_per_s.unwrap() > 0.0);
}

#[test]
fn a_conversation_that_is_too_long_is_an_overflow() {
    let model = model("llama");
    let error = model.complete(&request(&"x ".repeat(300)), &()).now_or_never().unwrap();
    let Err(ModelError::ContextOverflow { limit, .. }) = error else { panic!("{error:?}") };
    assert_eq!(limit, Some(256));
    assert!(matches!(model.start(vec![], 1, Draw::default()), Err(GgufError::Tokenizer { .. })));
    assert!(model.start(vec![9999], 1, Draw::default()).is_err());
}

#[test]
fn every_type_loads_and_runs() {
    for stored in [0, 1, 2, 3, 6, 7, 8, 12, 13, 14, 30] {
        let bytes = fixture::file(&Made { stored, ..Made::default() }).unwrap();
        assert!(bytes.len() < 6_000_000);
        let options = LocalOptions { n_ctx: 64, ..LocalOptions::default() };
        let model = LocalModel::load(File::read(&bytes).unwrap(), options).unwrap();
        let mut generation = model.start(vec![1, 2, 3], 1, Draw::default()).unwrap();
        let likely = generation.likeliest(20);
        assert_eq!(likely.len(), 20);
        assert!(likely.iter().all(|l| l.log_probability.is_finite()), "{stored}");
    }
}

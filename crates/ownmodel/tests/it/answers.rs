use std::cell::Cell;

use futures_util::FutureExt as _;
use llm::{
    BoxFuture, ChatRequest, FinishReason, Message, Model as _, ModelError, ToolChoice, ToolSpec,
};
use ownmodel::{Beat, Draw, Generation, OwnOptions};
use proptest::prelude::*;
use serde_json::Value;

use crate::model;

fn tool(name: &str) -> ToolSpec {
    ToolSpec { name: name.into(), description: String::new(), parameters: serde_json::json!({}) }
}

fn asked(tools: &[&str]) -> ChatRequest {
    ChatRequest {
        messages: vec![Message::user(
            "Graph: (0,1) (1,2)\nQ: Is there a path between node 0 and node 2?\nA:",
        )],
        tools: tools.iter().map(|name| tool(name)).collect(),
        max_tokens: Some(120),
        ..ChatRequest::default()
    }
}

const TOOLS: &[&str] = &["has_path", "add_edges", "set_node_embeddings", "create_graph", "odd_one"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever the weights say: made-up ones say nothing that makes sense.
    #[test]
    fn a_call_that_has_to_come_is_well_formed(seed in any::<u64>(), n in 1..5_usize) {
        let mut request = asked(&TOOLS[..n]);
        request.tool_choice = ToolChoice::Required;
        request.temperature = Some(2.0);
        request.seed = Some(seed);
        let model = model(OwnOptions::default());
        let answer = model.complete(&request, &()).now_or_never().unwrap().unwrap();
        prop_assert!(!answer.message.tool_calls.is_empty());
        prop_assert!(answer.message.content.is_empty());
        for call in &answer.message.tool_calls {
            prop_assert!(TOOLS[..n].contains(&call.name.as_str()));
            let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
            prop_assert!(arguments.is_object());
            // The last may be cut off.
            if answer.finish == FinishReason::ToolCalls && call.name == "has_path" {
                prop_assert!(arguments["start"].is_u64() && arguments["end"].is_u64());
            }
        }
    }

    #[test]
    fn seeds_reproduce(seed in any::<u64>()) {
        let request = ChatRequest { temperature: Some(1.5), seed: Some(seed), ..asked(&[]) };
        let run = || {
            let model = model(OwnOptions::default());
            model.complete(&request, &()).now_or_never().unwrap().unwrap()
        };
        prop_assert_eq!(run(), run());
    }
}

#[test]
fn without_tools_nothing_is_called() {
    let model = model(OwnOptions::default());
    let request = ChatRequest { temperature: Some(3.0), ..asked(&[]) };
    let answer = model.complete(&request, &()).now_or_never().unwrap().unwrap();
    assert!(answer.message.tool_calls.is_empty());
}

/// Without tools examples before a question change nothing; with tools what was said before counts.
#[test]
fn examples_are_left_out() {
    let tokens = |tools: &[&str], is_first: bool| {
        let mut request = asked(tools);
        if is_first {
            let example = [Message::user("Edges: 0-3, 1-2"), Message::assistant("no")];
            request.messages.splice(0..0, example);
        }
        let model = model(OwnOptions::default());
        let answer = model.complete(&request, &()).now_or_never().unwrap().unwrap();
        (answer.usage.input_tokens.unwrap(), answer.message)
    };
    assert_eq!(tokens(&[], true), tokens(&[], false));
    assert!(tokens(&["has_path"], true).0 > tokens(&["has_path"], false).0);
}

#[test]
fn a_kept_beginning_changes_nothing() {
    let model = model(OwnOptions::default());
    let tokens: Vec<u32> = (0..150).map(|i| 660 + i * 3 % 90).collect();
    let logits = |n: usize, model: &ownmodel::OwnModel| {
        let mut generation = model.start(tokens[..n].to_vec(), 5, Draw::LIKELIEST).unwrap();
        (generation.logits().to_vec(), generation.n_cached())
    };
    let fresh = crate::model(OwnOptions::default());
    let (_, none) = logits(100, &model);
    let (kept, n_cached) = logits(150, &model);
    assert_eq!((none, n_cached), (0, 100));
    let (other, _) = logits(150, &fresh);
    assert!(kept.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-5));
    // The beginning alone, of the longer one.
    let (shorter, n_cached) = logits(100, &model);
    assert_eq!(n_cached, 99);
    fresh.forget();
    assert!(shorter.iter().zip(logits(100, &fresh).0).all(|(a, b)| (a - b).abs() < 1e-5));
}

struct Stops(Cell<usize>);

impl Beat for Stops {
    fn go_on(&self) -> BoxFuture<'_, bool> {
        self.0.set(self.0.get() + 1);
        Box::pin(std::future::ready(self.0.get() < 4))
    }
}

#[test]
fn stop_is_heard() {
    let model = model(OwnOptions::default());
    let beat = Stops(Cell::new(0));
    let request = ChatRequest { temperature: Some(3.0), ..asked(TOOLS) };
    let answer = model.with_beat(&beat).complete(&request, &()).now_or_never().unwrap();
    assert_eq!(answer, Err(ModelError::Cancelled));
    assert_eq!(beat.0.get(), 4);
}

#[test]
fn the_likeliest_and_the_end_are_told() {
    let model = model(OwnOptions::default());
    let mut generation = model.start(vec![2, 1, 700, 4], 3, Draw::LIKELIEST).unwrap();
    let likely = generation.likeliest(5);
    assert_eq!(likely.len(), 5);
    assert!(likely.windows(2).all(|w| w[0].log_probability >= w[1].log_probability));
    assert_eq!(generation.draw(), Some(likely[0].token));
    assert!(Generation::is_end(0) && !Generation::is_end(4));
}

/// Weights that learned no names refuse them, and nodes that they have no token for.
#[test]
fn what_weights_did_not_learn_is_refused() {
    let of = |text: &str| {
        let messages = vec![Message::user(text)];
        let request = ChatRequest { messages, ..ChatRequest::default() };
        shipped().complete(&request, &()).now_or_never().unwrap()
    };
    let error = |text: &str| of(text).unwrap_err().to_string();
    let strange = error("Quelle heure est-il, et qui est venu hier soir?");
    assert!(strange.contains("are not among those that this small model knows"), "{strange}");
    let large = error("Graph: (0,1) (1,70)\nQ: Is there a path between node 0 and node 70?");
    assert!(large.contains("70 is too large"), "{large}");
    assert!(of("Graph: (0,1)\nQ: Is there a path between node 0 and node 1?").is_ok());
}

/// The shipped weights: made-up ones look nowhere in particular.
fn shipped() -> ownmodel::OwnModel {
    let weights = include_bytes!("../../../../assets/models/own/own.bin");
    ownmodel::OwnModel::load(weights, OwnOptions::default()).unwrap()
}

const WALK: &str = "In an undirected graph, the nodes are numbered from 0 to 4, and the edges are:\n\
     an edge between node 0 and node 1 with weight 7,\n\
     an edge between node 1 and node 4 with weight 9,\n\
     an edge between node 0 and node 2 with weight 3.\n\
     Q: Give the shortest path from node 0 to node 4.\nA:";

#[test]
fn a_look_tells_what_was_likely_and_where_the_model_looked() {
    let model = shipped();
    let request = ChatRequest { messages: vec![Message::user(WALK)], ..ChatRequest::default() };
    let answer = model.complete(&request, &()).now_or_never().unwrap().unwrap().message.content;
    let question = [Message::user(WALK)];
    let look = |said: Message| model.look(&question, &said, false, 5);
    let other = look(Message::assistant("No.")).unwrap();
    let look = look(Message::assistant(&*answer)).unwrap();
    let text = |pieces: &[String]| pieces.concat();
    assert_eq!(text(&look.pieces[..look.n_question]), WALK);
    assert_eq!(text(&look.pieces[look.n_question..]), answer);
    assert_eq!(look.said.len(), look.pieces.len() - look.n_question);
    let nodes: Vec<String> = look.pairs.iter().map(|pair| pair.nodes.join("-")).collect();
    // What is asked for is a pair too.
    assert_eq!(nodes, ["0-1", "1-4", "0-2", "0-4"]);
    for (i, token) in look.said.iter().enumerate() {
        assert_eq!(token.looks.len(), look.n_question + i, "it looks at all that stands before");
        let sum: f32 = token.looks.iter().sum();
        assert!((sum - 1.0).abs() < 1e-3, "{sum}");
        assert!(token.likely.windows(2).all(|w| w[0].1 >= w[1].1));
        // The answer is the likeliest one, so that each of its tokens is.
        assert!((token.probability - token.likely[0].1).abs() < 1e-4, "{token:?}");
        assert!(token.likely.iter().all(|(name, _)| !name.is_empty()));
    }
    // Both begin with a capital letter, which is a token of its own.
    assert!(other.said[1].probability < look.said[1].probability);
    assert!(model.look(&[], &Message::assistant("No."), false, 5).is_err());
}

#[test]
fn a_look_at_calls_shows_that_the_copied_edge_was_looked_at() {
    let model = shipped();
    let question = vec![Message::user(WALK)];
    let tools = vec![tool("add_edges")];
    let request = ChatRequest { messages: question.clone(), tools, ..ChatRequest::default() };
    let said = {
        let answering = OwnOptions { constrains: false, ..OwnOptions::default() };
        let model = model.with_beat(&()).with_options(answering);
        model.complete(&request, &()).now_or_never().unwrap().unwrap().message
    };
    assert!(said.tool_calls.iter().any(|call| call.name == "add_edges"), "{said:?}");
    let look = model.look(&question, &said, true, 5).unwrap();
    let text = look.pieces[look.n_question..].concat();
    assert!(text.contains("add_edges( 0–1:7 1–4:9 0–2:3)"), "{text}");
    // Where it copies an edge it looks at that edge more than at the two others.
    let first = look.pieces[look.n_question..].iter().position(|p| p == "–4").unwrap();
    let share = |i: usize| -> f32 {
        let pair = &look.pairs[i];
        look.said[first].looks[pair.first..pair.end].iter().sum()
    };
    assert!(share(1) > share(0) && share(1) > share(2), "{} {} {}", share(0), share(1), share(2));
    // The turn behind it reads the calls and what they gave.
    let call = said.tool_calls[0].clone();
    let mut before = question;
    before.push(said);
    before.push(Message::tool(&call.id, "{\"result\": null}"));
    let look = model.look(&before, &Message::assistant("No."), true, 5).unwrap();
    let text = look.pieces[..look.n_question].concat();
    assert!(text.starts_with(WALK) && text.contains("0–1:7") && text.contains('→'), "{text}");
}

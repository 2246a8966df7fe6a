//! Our own language model: its files, texts as its tokens, conversations with calls and results.

use llm::{ChatRequest, Message, ToolCall, ToolSpec};
use ownmodel::file::{Numbers, write};
use ownmodel::text::{decode, encode};
use ownmodel::{Config, Draw, OwnModel, OwnNetwork, OwnOptions, codec};
use serde_json::{Map, json};

use crate::{Target, text};

/// A small file.
fn small(numbers: Numbers) -> Vec<u8> {
    let config = Config { width: 8, n_layers: 1, n_heads: 2, n_place_heads: 1, hidden: 8 };
    let weights = (0..config.n_weights()).map(|i| (i % 13) as f32 / 13.0).collect();
    let network = OwnNetwork::new(config, weights);
    network.map(|network| write(&network, numbers, &Map::new())).unwrap_or_default()
}

fn file(data: &[u8]) {
    let Ok(model) = OwnModel::load(data, OwnOptions::default()) else { return };
    if let Ok(mut generation) = model.start(vec![2, 1, 700, 4], 2, Draw::LIKELIEST) {
        generation.keep_to_calls(["has_path"], true);
        let _ = generation.draw().map(|token| generation.push(token));
    }
}

/// A text as tokens, and back.
fn tokens(data: &[u8]) {
    let text = text(data);
    let encoded = encode(&text);
    assert_eq!(codec::places(&encoded.tokens).len(), encoded.tokens.len());
    let back = decode(&encoded.tokens);
    if encoded.n_unknown == 0 {
        assert_eq!(back, text);
    }
    let _ = codec::question(&text);
    // Any bytes as tokens.
    let tokens: Vec<u32> =
        data.chunks(2).map(|b| b.iter().fold(0, |n, b| n << 8 | u32::from(*b))).collect();
    let _ = decode(&tokens);
}

/// What a call was given and what it gave, out of a text: whatever stands there.
fn conversation(data: &[u8]) {
    let text = text(data);
    let (name, rest) = text.split_once('\n').unwrap_or(("add_edges", &text));
    let (arguments, result) = rest.split_once('\n').unwrap_or((rest, rest));
    let call = ToolCall { id: "1".into(), name: name.into(), arguments: arguments.into() };
    let request = ChatRequest {
        messages: vec![
            Message::user("Graph: (0,1)\nQ: Is there a path between node 0 and node 1?\nA:"),
            Message { tool_calls: vec![call], ..Message::assistant("") },
            Message::tool("1", result),
        ],
        tools: vec![ToolSpec {
            name: "add_edges".into(),
            description: String::new(),
            parameters: json!({}),
        }],
        ..ChatRequest::default()
    };
    if let Ok(tokens) = codec::prompt(&request) {
        assert!(tokens.iter().all(|token| (*token as usize) < ownmodel::N_VOCAB));
    }
}

pub(super) fn targets() -> Vec<Target> {
    vec![
        Target::new("own_file", 60_000, file, |_| {
            [Numbers::I8, Numbers::F16, Numbers::F32].map(small).to_vec()
        }),
        Target::new("own_text", 2048, tokens, |_| {
            [
                "Graph: (0,1) (1,2)\nQ: Is there a path between node 0 and node 2?\nA:",
                "an edge between node 0 and node 63 with weight 255,\nan edge between node 1 and",
                "Nodes: 3, 17, 1000 0017 12.5 -> 3->4->5 \u{e9} The  node",
            ]
            .map(|t| t.as_bytes().to_vec())
            .to_vec()
        }),
        Target::new("own_conversation", 2048, conversation, |_| {
            [
                "add_edges\n{\"edges\": [[0, 1]], \"weights\": [3.0]}\n{\"result\": {\"n_nodes\": 2}}",
                "set_node_embeddings\n{\"nodes\": [0], \"embeddings\": [[1, 2]]}\n{\"error\": {\"type\": \"unknown_node\", \"message\": \"no 4\", \"witness\": [4]}}",
                "max_bipartite_matching\n{}\n{\"result\": {\"matching\": [[\"a0\", \"j1\"]], \"x\": [{\"node\": 0, \"embedding\": [1]}]}, \"notes\": [\"n\"]}",
            ]
            .map(|t| t.as_bytes().to_vec())
            .to_vec()
        }),
    ]
}

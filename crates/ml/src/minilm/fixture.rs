//! A BERT of one layer with made-up weights, the same everywhere: tests hold builds to each other by
//! it, because the real weights are too large to be kept with the sources.
#![allow(clippy::expect_used, reason = "only tests have this")]

use std::collections::HashMap;

use safetensors::tensor::{Dtype, TensorView};
use serde_json::{Value, json};

const WORDS: [&str; 9] =
    ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "mother", "sister", "is", "s", "##un"];
const DIMS: usize = 8;

/// Numbers that look like chance and are not.
fn numbers(n: usize, seed: &mut u32) -> Vec<f32> {
    let mut next = || {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (*seed >> 8) as f32 / 16_777_216.0 - 0.5
    };
    (0..n).map(|_| next()).collect()
}

/// Its `config.json`.
pub fn config() -> Value {
    json!({
        "vocab_size": WORDS.len(), "hidden_size": DIMS, "num_hidden_layers": 1,
        "num_attention_heads": 2, "intermediate_size": 16, "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1, "max_position_embeddings": 12, "type_vocab_size": 2,
        "initializer_range": 0.02, "layer_norm_eps": 1e-12, "pad_token_id": 0, "model_type": "bert",
    })
}

/// Its `tokenizer.json`.
pub fn tokenizer() -> Vec<u8> {
    let vocab: serde_json::Map<String, Value> =
        WORDS.iter().enumerate().map(|(i, w)| ((*w).to_owned(), json!(i))).collect();
    let mark = |id: usize| json!({"id": WORDS[id], "ids": [id], "tokens": [WORDS[id]]});
    let special = |id: usize| json!({"SpecialToken": {"id": WORDS[id], "type_id": 0}});
    let text = json!({"Sequence": {"id": "A", "type_id": 0}});
    let added = |id: usize| {
        json!({"id": id, "content": WORDS[id], "single_word": false, "lstrip": false,
               "rstrip": false, "normalized": false, "special": true})
    };
    json!({
        "version": "1.0", "truncation": null, "padding": null,
        "added_tokens": [added(0), added(1), added(2), added(3)],
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                       "strip_accents": null, "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing", "single": [special(2), text, special(3)],
            "pair": [special(2), text, special(3)],
            "special_tokens": {"[CLS]": mark(2), "[SEP]": mark(3)},
        },
        "decoder": null,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": vocab},
    })
    .to_string()
    .into_bytes()
}

/// Its `model.safetensors`.
pub fn weights() -> Vec<u8> {
    let mut shapes: Vec<(String, Vec<usize>)> = vec![
        ("embeddings.word_embeddings.weight".into(), vec![WORDS.len(), DIMS]),
        ("embeddings.position_embeddings.weight".into(), vec![12, DIMS]),
        ("embeddings.token_type_embeddings.weight".into(), vec![2, DIMS]),
        ("embeddings.LayerNorm.weight".into(), vec![DIMS]),
        ("embeddings.LayerNorm.bias".into(), vec![DIMS]),
    ];
    let layer = "encoder.layer.0";
    for (name, out, into) in [
        ("attention.self.query", DIMS, DIMS),
        ("attention.self.key", DIMS, DIMS),
        ("attention.self.value", DIMS, DIMS),
        ("attention.output.dense", DIMS, DIMS),
        ("intermediate.dense", 16, DIMS),
        ("output.dense", DIMS, 16),
    ] {
        shapes.push((format!("{layer}.{name}.weight"), vec![out, into]));
        shapes.push((format!("{layer}.{name}.bias"), vec![out]));
    }
    for name in ["attention.output.LayerNorm", "output.LayerNorm"] {
        shapes.push((format!("{layer}.{name}.weight"), vec![DIMS]));
        shapes.push((format!("{layer}.{name}.bias"), vec![DIMS]));
    }
    let mut seed = 7;
    let data: Vec<(String, Vec<usize>, Vec<u8>)> = shapes
        .into_iter()
        .map(|(name, shape)| {
            let bytes = numbers(shape.iter().product(), &mut seed);
            (name, shape, bytes.iter().flat_map(|x| x.to_le_bytes()).collect())
        })
        .collect();
    let views: HashMap<String, TensorView> = data
        .iter()
        .map(|(name, shape, bytes)| {
            (
                name.clone(),
                TensorView::new(Dtype::F32, shape.clone(), bytes).expect("bytes of the shape"),
            )
        })
        .collect();
    safetensors::serialize(views, None).expect("tensors of this kind")
}

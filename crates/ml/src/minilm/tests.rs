use std::collections::HashMap;

use proptest::prelude::*;
use safetensors::tensor::{Dtype, TensorView};
use serde_json::{Value, json};
use text::{Embedded, Meaning};

use super::*;

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

fn config() -> Value {
    json!({
        "vocab_size": WORDS.len(), "hidden_size": DIMS, "num_hidden_layers": 1,
        "num_attention_heads": 2, "intermediate_size": 16, "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1, "max_position_embeddings": 12, "type_vocab_size": 2,
        "initializer_range": 0.02, "layer_norm_eps": 1e-12, "pad_token_id": 0, "model_type": "bert",
    })
}

fn tokenizer() -> Vec<u8> {
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

fn weights() -> Vec<u8> {
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
            (name.clone(), TensorView::new(Dtype::F32, shape.clone(), bytes).unwrap())
        })
        .collect();
    safetensors::serialize(views, None).unwrap()
}

fn small() -> MiniLm {
    MiniLm::new(weights(), &tokenizer(), config().to_string().as_bytes()).unwrap()
}

fn error(weights: Vec<u8>, tokenizer: &[u8], config: &Value) -> String {
    let made = MiniLm::new(weights, tokenizer, config.to_string().as_bytes());
    made.map(|_| ()).unwrap_err().to_string()
}

#[test]
fn a_text_is_read_in_pieces_between_two_marks() {
    assert_eq!(small().pieces("Mother's SISTER").unwrap(), [2, 4, 1, 7, 5, 3]);
    assert_eq!(small().pieces("isun").unwrap(), [2, 6, 8, 3]);
    assert_eq!(small().pieces("").unwrap(), [2, 3]);
    // Longer texts are cut at what the model can tell places of.
    assert_eq!(small().pieces(&"is ".repeat(500)).unwrap().len(), 12);
}

#[test]
fn what_does_not_fit_is_said() {
    let fits = config();
    assert!(error(Vec::new(), &tokenizer(), &fits).starts_with("the weights do not fit"));
    assert!(error(weights(), b"{}", &fits).starts_with("the tokenizer cannot be read"));
    assert!(error(weights(), &tokenizer(), &json!({})).contains("config.json"));
    let mut wrong = fits.clone();
    wrong["hidden_size"] = json!(16);
    assert!(error(weights(), &tokenizer(), &wrong).starts_with("the weights do not fit"));
    wrong["hidden_size"] = json!(1_000_000_000);
    assert!(error(weights(), &tokenizer(), &wrong).contains("hidden_size = 1000000000"));
    wrong["hidden_size"] = json!(9);
    assert!(error(weights(), &tokenizer(), &wrong).contains("9 dimensions"));
    let mut few = fits;
    few["vocab_size"] = json!(3);
    assert!(error(weights(), &tokenizer(), &few).contains("9 pieces and the model knows 3"));
}

#[test]
fn it_tells_which_texts_are_alike() {
    let index = Embedded(std::rc::Rc::new(small())).index(&["mother is sister", "un"]);
    assert!((index.scores("mother is sister")[0] - 1.0).abs() < 1e-5);
}

proptest! {
    /// A text alone needs no mask and no filling up, so this holds both to it.
    #[test]
    fn a_text_among_others_has_the_vector_that_it_has_alone(
        texts in prop::collection::vec("(mother |sister |is |s |x ){0,7}", 1..5)
    ) {
        let model = small();
        let refs: Vec<&str> = texts.iter().map(String::as_str).collect();
        let together = model.vectors(&refs).unwrap();
        prop_assert_eq!(together.len(), texts.len());
        for (text, vector) in texts.iter().zip(&together) {
            let alone = model.vector(text).unwrap();
            let length: f32 = alone.iter().map(|x| x * x).sum();
            prop_assert!((length - 1.0).abs() < 1e-4);
            for (a, b) in vector.iter().zip(&alone) {
                prop_assert!((a - b).abs() < 1e-4, "{vector:?} {alone:?}");
            }
        }
    }
}

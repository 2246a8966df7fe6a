//! Folders against a slow network that reads the other form as it stands, and tokenizers against the
//! library that the other form is written for.

use std::io::Cursor;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::File;
use crate::fixture::{HuggingMade, N_VOCAB, byte_level, digits, hugging, tokenizer};
use crate::network::tests::slow;
use crate::network::{Cache, Network};

const QWEN2: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
const LLAMA3: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
fn split(pattern: &str) -> Value {
    let split = json!({"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": false});
    json!({"type": "Sequence", "pretokenizers": [split, byte_level(false)]})
}

trait Converted {
    fn converted(&self) -> Result<File<Cursor<Vec<u8>>>, GgufError>;
    fn rows(&self, name: &str) -> Vec<Vec<f64>>;
}

impl Converted for HuggingMade {
    fn converted(&self) -> Result<File<Cursor<Vec<u8>>>, GgufError> {
        let mut out = Vec::new();
        convert(&self.model, |name| Ok(self.bytes(name)), &mut out)?;
        File::read(out)
    }

    /// The other form's own tensor under a file's name.
    fn rows(&self, name: &str) -> Vec<Vec<f64>> {
        let mut theirs = name.to_owned();
        for (ours, other) in [
            ("token_embd", "model.embed_tokens"),
            ("output_norm", "model.norm"),
            ("attn_norm", "input_layernorm"),
            ("ffn_norm", "post_attention_layernorm"),
            ("attn_q", "self_attn.q_proj"),
            ("attn_k", "self_attn.k_proj"),
            ("attn_v", "self_attn.v_proj"),
            ("attn_output", "self_attn.o_proj"),
            ("ffn_", "mlp."),
            ("gate.", "gate_proj."),
            ("up.", "up_proj."),
            ("down.", "down_proj."),
            ("blk.", "model.layers."),
        ] {
            theirs = theirs.replace(ours, other);
        }
        if theirs == "output.weight" {
            let is_tied = self.model.config["tie_word_embeddings"] == true;
            theirs = if is_tied { "model.embed_tokens.weight" } else { "lm_head.weight" }.into();
        }
        let (shape, all) = &self.numbers[&theirs];
        let rows = all.chunks(*shape.last().unwrap());
        rows.map(|row| row.iter().map(|x| f64::from(*x)).collect()).collect()
    }
}

#[test]
fn a_converted_network_computes_what_the_folder_says() {
    for model_type in ["llama", "qwen2"] {
        for (kind, is_tied) in [("F32", false), ("F16", true), ("BF16", false)] {
            let made = hugging(model_type, kind, is_tied);
            let mut file = made.converted().unwrap();
            assert_eq!(file.summary().quantisation, kind);
            let network = Network::load(&mut file, &mut |_, _| {}).unwrap();
            let tokens = [5, 80, 33, 200, 7, 7, 120];
            // In this form halves are turned, whoever made the model.
            let theirs = slow(&|name| made.rows(name), &tokens, model_type == "qwen2", true);
            let mut cache = Cache::new(&network.config);
            let ours = network.forward(&mut cache, &tokens, true).unwrap();
            assert_eq!(ours.len(), N_VOCAB);
            for (a, b) in ours.iter().zip(&theirs) {
                assert!((f64::from(*a) - b).abs() < 2e-3, "{model_type} {kind}: {a} and {b}");
            }
        }
    }
}

#[test]
fn long_contexts_are_stretched_as_llama_3_does() {
    let config = json!({"rope_theta": 500_000.0, "rope_scaling": {"rope_type": "llama3", "factor": 32.0,
        "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}});
    let found = factors(&config, 64).unwrap().unwrap();
    // Written out once more, wave by wave, as the published code has it.
    for (pair, factor) in found.iter().enumerate() {
        let inverse = 500_000_f64.powf(-2.0 * pair as f64 / 64.0);
        let wave = 2.0 * std::f64::consts::PI / inverse;
        let stretched = if wave < 8192.0 / 4.0 {
            inverse
        } else if wave > 8192.0 / 1.0 {
            inverse / 32.0
        } else {
            let smooth = (8192.0 / wave - 1.0) / (4.0 - 1.0);
            (1.0 - smooth) * inverse / 32.0 + smooth * inverse
        };
        assert!((inverse / f64::from(*factor) / stretched - 1.0).abs() < 1e-5, "pair {pair}");
    }
    assert_eq!((found[0], found[31]), (1.0, 32.0));
    let mut made = hugging("llama", "F32", false);
    made.model.config["rope_scaling"] = config["rope_scaling"].clone();
    let mut file = made.converted().unwrap();
    assert_eq!(file.numbers("rope_freqs.weight").unwrap().len(), 8);
    assert!(Network::load(&mut file, &mut |_, _| {}).is_ok());
}

#[test]
fn what_has_no_place_is_refused_and_says_why() {
    let why = |change: &dyn Fn(&mut HuggingModel)| {
        let mut made = hugging("llama", "F32", false);
        change(&mut made.model);
        made.converted().unwrap_err().to_string()
    };
    type Case<'c> = (&'c dyn Fn(&mut HuggingModel), &'c str);
    let cases: [Case<'_>; 11] = [
        (&|m| m.config["model_type"] = json!("gemma"), "\"gemma\""),
        (&|m| m.config["attention_bias"] = json!(true), "attention_bias"),
        (&|m| m.config["hidden_act"] = json!("gelu"), "\"silu\" is read"),
        (&|m| m.config["quantization_config"] = json!({}), "quantization_config"),
        (&|m| m.config["rope_scaling"] = json!({"type": "yarn"}), "\"yarn\""),
        (&|m| m.tensors[0].kind = "I8".into(), "stored as I8"),
        (&|m| m.tensors[0].name = "model.layers.0.mlp.experts".into(), "none of a network"),
        (&|m| m.tokenizer["model"]["byte_fallback"] = json!(true), "convert_hf_to_gguf.py"),
        (&|m| m.tokenizer["pre_tokenizer"] = split("[a-z]+"), "\"[a-z]+\""),
        (&|m| m.tokenizer["model"]["vocab"]["far"] = json!(9999), "\"far\""),
        (&|m| m.config["num_key_value_heads"] = json!(4), "4 heads of 16"),
    ];
    for (change, expected) in cases {
        let why = why(change);
        assert!(why.contains(expected), "{why}");
    }
    let mut short = hugging("llama", "F32", false);
    short.numbers.get_mut("model.norm.weight").unwrap().1.pop();
    assert!(short.converted().unwrap_err().to_string().contains("bytes"));
}

/// A tokenizer of the other form's library, and ours of the converted file.
fn both(pre: &Value, merges_as_pairs: bool) -> (tokenizers::Tokenizer, crate::ModelTokenizer) {
    let mut made = hugging("llama", "F32", false);
    made.model.tokenizer = tokenizer(pre, merges_as_pairs);
    let theirs = serde_json::to_vec(&made.model.tokenizer).unwrap();
    let ours = made.converted().unwrap().tokenizer().unwrap();
    (tokenizers::Tokenizer::from_bytes(theirs).unwrap(), ours)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn texts_become_the_same_tokens(
        texts in proptest::collection::vec("(the | an|in|[a-z]{1,6}|[0-9]{1,5}|é|\n|  |'s|<\\|im_end\\|>|[!-/]){0,30}", 4),
    ) {
        for (pre, as_pairs) in [(digits(), false), (split(QWEN2), true), (split(LLAMA3), false), (byte_level(true), true)] {
            let (theirs, ours) = both(&pre, as_pairs);
            for text in &texts {
                let expected = theirs.encode(text.as_str(), false).unwrap();
                prop_assert_eq!(&ours.prompt(text).unwrap(), expected.get_ids(), "{} by {}", text, pre);
            }
        }
    }
}

#[test]
fn the_file_begins_and_ends_turns_as_the_folder_does() {
    let mut made = hugging("llama", "F32", false);
    let tokenizer = made.converted().unwrap().tokenizer().unwrap();
    assert!(tokenizer.is_end(266));
    assert_eq!(tokenizer.prompt("the").unwrap().first(), Some(&116), "nothing is put before it");
    made.model.tokenizer_config["bos_token"] = json!("<|endoftext|>");
    made.model.tokenizer["post_processor"] = json!({"type": "Sequence", "processors": [
        {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<|endoftext|>", "type_id": 0}}]}]});
    made.model.chat_template = Some("{{ messages[0].content }}".into());
    let file = made.converted().unwrap();
    assert_eq!(file.tokenizer().unwrap().prompt("the").unwrap()[0], 264);
    assert!(file.template_if_any().unwrap().is_some());
}

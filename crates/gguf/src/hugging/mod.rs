//! A model in Hugging Face's form as a GGUF file: `config.json`, `tokenizer.json`,
//! `tokenizer_config.json` and the tensors of `*.safetensors`. Numbers stay as they are stored, in 16 or
//! 32 bits.
//!
//! What the other form says in a way that has no place here is refused and not passed over: a model
//! that computes something else without a word is worse than none.

mod tensors;
#[cfg(test)]
mod tests;
mod tokens;

use std::io::Write;

use serde_json::Value;

use crate::GgufError;
use crate::file::Writing;

/// What a folder in Hugging Face's form says, without its tensors' numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HuggingModel {
    /// What it is called.
    pub name: String,
    /// `config.json`.
    pub config: Value,
    /// `tokenizer.json`.
    pub tokenizer: Value,
    /// `tokenizer_config.json`, or null where there is none.
    pub tokenizer_config: Value,
    /// `chat_template.jinja`, where the template is a file of its own.
    pub chat_template: Option<String>,
    /// The tensors, in any order.
    pub tensors: Vec<HuggingTensor>,
}

/// A tensor of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HuggingTensor {
    /// Its name, such as `model.layers.0.self_attn.q_proj.weight`.
    pub name: String,
    /// How its numbers are stored, as safetensors says it: `F32`, `F16`, `BF16`.
    pub kind: String,
    /// Its sides, rows first.
    pub shape: Vec<usize>,
}

fn refused(reason: impl Into<String>) -> GgufError {
    GgufError::Hugging { reason: reason.into() }
}

/// The sizes of `config.json`.
struct Sizes {
    /// `llama` or `qwen2`.
    architecture: &'static str,
    n_embd: usize,
    n_layers: usize,
    n_heads: usize,
    n_kv_heads: usize,
    head_dim: usize,
    n_vocab: usize,
    is_tied: bool,
}

fn size(config: &Value, key: &str) -> Result<usize, GgufError> {
    // What is kept for each token and each head is bounded by what a file may have.
    let most = match key {
        "vocab_size" => 1 << 21,
        "num_attention_heads" | "num_key_value_heads" | "head_dim" => 1 << 12,
        _ => 1 << 27,
    };
    let n = config[key].as_u64().filter(|n| (1..=most).contains(n));
    n.map(|n| n as usize).ok_or_else(|| {
        refused(format!("config.json has no {key:?} that is a whole number from 1 to {most}"))
    })
}

fn size_or(config: &Value, key: &str, usual: usize) -> Result<usize, GgufError> {
    if config[key].is_null() { Ok(usual) } else { size(config, key) }
}

impl Sizes {
    fn of(config: &Value) -> Result<Self, GgufError> {
        let named = config["model_type"].as_str().unwrap_or_default();
        let architecture = match named {
            "llama" => "llama",
            "qwen2" => "qwen2",
            other => return Err(GgufError::Architecture { found: other.to_owned() }),
        };
        // Each of these changes what the network computes.
        for key in ["quantization_config", "sliding_window_pattern"] {
            if !config[key].is_null() {
                return Err(refused(format!("config.json has {key:?}, which is not read here")));
            }
        }
        let is = |key: &str| config[key].as_bool().unwrap_or(false);
        if is("use_sliding_window") {
            return Err(refused(
                "config.json has \"use_sliding_window\": true; it has to be false",
            ));
        }
        if architecture == "llama" && is("attention_bias") || is("mlp_bias") {
            return Err(refused(
                "config.json has \"attention_bias\" or \"mlp_bias\"; networks without are read",
            ));
        }
        match config["hidden_act"].as_str() {
            None | Some("silu") => {}
            Some(other) => {
                return Err(refused(format!(
                    "config.json has \"hidden_act\": {other:?}; \"silu\" is read"
                )));
            }
        }
        let (n_embd, n_heads) =
            (size(config, "hidden_size")?, size(config, "num_attention_heads")?);
        Ok(Self {
            architecture,
            n_embd,
            n_heads,
            n_layers: size(config, "num_hidden_layers")?,
            n_kv_heads: size_or(config, "num_key_value_heads", n_heads)?,
            head_dim: size_or(config, "head_dim", n_embd / n_heads)?,
            n_vocab: size(config, "vocab_size")?,
            is_tied: is("tie_word_embeddings"),
        })
    }
}

/// By how much the angles of each turned pair are divided, where a model stretches its context as
/// Llama 3 does: short waves stay, long ones are stretched, those between lie between.
fn factors(config: &Value, head_dim: usize) -> Result<Option<Vec<f32>>, GgufError> {
    let scaling = &config["rope_scaling"];
    let kind = scaling["rope_type"].as_str().or_else(|| scaling["type"].as_str());
    match kind {
        None | Some("default") => Ok(None),
        Some("linear") => {
            let factor = scaling["factor"].as_f64().filter(|x| *x > 0.0);
            let factor = factor.ok_or_else(|| refused("rope_scaling has no factor above 0"))?;
            Ok(Some(vec![factor as f32; head_dim / 2]))
        }
        Some("llama3") => {
            let read = |key: &str| {
                let x = scaling[key].as_f64().filter(|x| *x > 0.0);
                x.ok_or_else(|| refused(format!("rope_scaling has no {key:?} above 0")))
            };
            let (factor, low, high) =
                (read("factor")?, read("low_freq_factor")?, read("high_freq_factor")?);
            let before = read("original_max_position_embeddings")?;
            let base = config["rope_theta"].as_f64().unwrap_or(10_000.0);
            let factor_of = |pair: usize| {
                let wave = std::f64::consts::TAU * base.powf((2 * pair) as f64 / head_dim as f64);
                let share = ((before / wave - low) / (high - low)).clamp(0.0, 1.0);
                (1.0 / ((1.0 - share) / factor + share)) as f32
            };
            Ok(Some((0..head_dim / 2).map(factor_of).collect()))
        }
        Some(other) => Err(refused(format!(
            "config.json scales positions by {other:?}; known are linear and llama3"
        ))),
    }
}

/// Writes a folder's model as a GGUF file. `read` gives the bytes of a tensor, by its name.
///
/// O(bytes); one tensor is in memory at a time.
///
/// # Errors
/// The model is of another kind than those that run here, its parts do not fit each other, or
/// reading or writing fails.
pub fn convert(
    model: &HuggingModel,
    mut read: impl FnMut(&str) -> std::io::Result<Vec<u8>>,
    out: &mut impl Write,
) -> Result<(), GgufError> {
    let sizes = Sizes::of(&model.config)?;
    let config = &model.config;
    let mut head = Writing::default();
    let key = |end: &str| format!("{}.{end}", sizes.architecture);
    head.text("general.architecture", sizes.architecture);
    head.text("general.name", &model.name);
    head.number(&key("block_count"), sizes.n_layers);
    head.number(&key("context_length"), size(config, "max_position_embeddings")?);
    head.number(&key("embedding_length"), sizes.n_embd);
    head.number(&key("feed_forward_length"), size(config, "intermediate_size")?);
    head.number(&key("attention.head_count"), sizes.n_heads);
    head.number(&key("attention.head_count_kv"), sizes.n_kv_heads);
    head.number(&key("attention.key_length"), sizes.head_dim);
    head.number(&key("attention.value_length"), sizes.head_dim);
    let eps = config["rms_norm_eps"].as_f64().unwrap_or(1e-6);
    head.float(&key("attention.layer_norm_rms_epsilon"), eps as f32);
    head.float(&key("rope.freq_base"), config["rope_theta"].as_f64().unwrap_or(10_000.0) as f32);
    let plan = tensors::Plan::new(&sizes, &model.tensors, factors(config, sizes.head_dim)?)?;
    head.number("general.file_type", plan.file_type());
    tokens::write(model, sizes.n_vocab, &mut head)?;
    plan.write(head, &mut read, out)
}

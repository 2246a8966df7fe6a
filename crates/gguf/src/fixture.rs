//! A small file with made-up weights, whole in every other way: for tests here and elsewhere.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha12Rng;

use crate::GgufError;
use crate::file::{Kind, packed};

/// What a file is to be like.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// `llama` or `qwen2`.
    pub architecture: &'static str,
    /// How its matrices are stored: the number of a type in GGUF, such as 3 for Q4_1.
    pub stored: u32,
    /// What its weights are drawn with.
    pub seed: u64,
    /// Whether it has a matrix of its own for what comes out.
    pub has_head: bool,
    /// Its chat template; none where it is empty.
    pub template: &'static str,
    /// Tokens of context that it says to be trained for.
    pub n_ctx: usize,
    /// Whether keys and values of 512 tokens take a gigabyte; then it has 100 MB, and all weights are
    /// zero.
    pub is_large: bool,
}

impl Default for Made {
    fn default() -> Self {
        Self {
            architecture: "llama",
            stored: 8,
            seed: 1,
            has_head: false,
            template: TEMPLATE,
            n_ctx: 512,
            is_large: false,
        }
    }
}

/// ChatML with tools, as Hermes has them.
pub const TEMPLATE: &str = "{% if tools %}{{ '<|im_start|>system\n# Tools\n' }}{% for tool in tools %}{{ tool | tojson }}{{ '\n' }}{% endfor %}{{ '<|im_end|>\n' }}{% endif %}{% for message in messages %}{{ '<|im_start|>' + message.role + '\n' + message.content }}{% for call in message.tool_calls %}{{ '<tool_call>\n' + (call.function | tojson) + '\n</tool_call>' }}{% endfor %}{{ '<|im_end|>\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

/// Tokens of more than one byte; each joins two that are there before it.
const MERGES: [&str; 16] = [
    "Ġ t", "h e", "Ġt he", "i n", "e r", "a n", "o n", "Ġ a", "r e", "Ġa n", "n d", "l l", "o u",
    "in g", "s t", "Ġ n",
];
const SPECIALS: [&str; 3] = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"];
const N_HEADS: usize = 4;
const N_KV_HEADS: usize = 2;
const N_LAYERS: usize = 2;
/// Layers of a large file, and numbers of its heads.
const LARGE: (usize, usize) = (120, 2048);

struct Writing {
    head: Vec<u8>,
    n_values: u64,
}

impl Writing {
    fn text_of(bytes: &mut Vec<u8>, text: &str) {
        bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }

    fn value(&mut self, key: &str, kind: u32, bytes: &[u8]) {
        Self::text_of(&mut self.head, key);
        self.head.extend_from_slice(&kind.to_le_bytes());
        self.head.extend_from_slice(bytes);
        self.n_values += 1;
    }

    fn number(&mut self, key: &str, n: usize) {
        self.value(key, 4, &(n as u32).to_le_bytes());
    }

    fn float(&mut self, key: &str, x: f32) {
        self.value(key, 6, &x.to_le_bytes());
    }

    fn text(&mut self, key: &str, text: &str) {
        let mut bytes = Vec::new();
        Self::text_of(&mut bytes, text);
        self.value(key, 8, &bytes);
    }

    fn texts(&mut self, key: &str, texts: &[String]) {
        let mut bytes = 8_u32.to_le_bytes().to_vec();
        bytes.extend_from_slice(&(texts.len() as u64).to_le_bytes());
        for text in texts {
            Self::text_of(&mut bytes, text);
        }
        self.value(key, 9, &bytes);
    }

    fn ints(&mut self, key: &str, ints: &[i32]) {
        let mut bytes = 5_u32.to_le_bytes().to_vec();
        bytes.extend_from_slice(&(ints.len() as u64).to_le_bytes());
        bytes.extend(ints.iter().flat_map(|n| n.to_le_bytes()));
        self.value(key, 9, &bytes);
    }
}

/// The text and the tool calls of what a model wrote, as an answer has them: for whoever holds the
/// reader of calls against texts of any kind.
pub fn answer(text: &str) -> (String, Vec<llm::ToolCall>) {
    let answer = crate::chat::calls::read(text, 0);
    (answer.text, answer.calls)
}

/// Makes a file, of some hundred kilobytes where it is not to be large.
///
/// # Errors
/// There is no such type.
pub fn file(made: &Made) -> Result<Vec<u8>, GgufError> {
    let kind = Kind::of(made.stored)
        .map_err(|found| GgufError::TensorType { tensor: "all".to_owned(), found })?;
    let n_embd = if kind.block() == 256 { 256 } else { 64 };
    let n_ff = n_embd * 2;
    let (n_layers, head_dim) = if made.is_large { LARGE } else { (N_LAYERS, n_embd / N_HEADS) };
    let (wide, kv) = (head_dim * N_HEADS, head_dim * N_KV_HEADS);
    let mut vocab: Vec<String> =
        (0..=255).map(|b| crate::tokenizer::shown(b).to_string()).collect();
    vocab.extend(MERGES.iter().map(|merge| merge.replace(' ', "")));
    let n_plain = vocab.len();
    vocab.extend(SPECIALS.iter().map(|special| (*special).to_owned()));
    let mut out = Writing { head: Vec::new(), n_values: 0 };
    let architecture = made.architecture;
    let key = |end: &str| format!("{architecture}.{end}");
    out.text("general.architecture", architecture);
    out.text("general.name", "made up");
    out.number(&key("block_count"), n_layers);
    out.number(&key("attention.key_length"), head_dim);
    out.number(&key("attention.value_length"), head_dim);
    out.number(&key("context_length"), made.n_ctx);
    out.number(&key("embedding_length"), n_embd);
    out.number(&key("feed_forward_length"), n_ff);
    out.number(&key("attention.head_count"), N_HEADS);
    out.number(&key("attention.head_count_kv"), N_KV_HEADS);
    out.float(&key("attention.layer_norm_rms_epsilon"), 1e-5);
    out.float(&key("rope.freq_base"), 10_000.0);
    out.text("tokenizer.ggml.model", "gpt2");
    out.text("tokenizer.ggml.pre", if architecture == "qwen2" { "qwen2" } else { "smollm" });
    let kinds: Vec<i32> = (0..vocab.len()).map(|i| if i < n_plain { 1 } else { 3 }).collect();
    out.texts("tokenizer.ggml.tokens", &vocab);
    out.ints("tokenizer.ggml.token_type", &kinds);
    out.texts("tokenizer.ggml.merges", &MERGES.map(str::to_owned));
    out.number("tokenizer.ggml.bos_token_id", n_plain + 1);
    out.number("tokenizer.ggml.eos_token_id", n_plain + 2);
    if !made.template.is_empty() {
        out.text("tokenizer.chat_template", made.template);
    }
    let mut tensors: Vec<(String, usize, usize, Kind)> = Vec::new();
    tensors.push(("token_embd.weight".to_owned(), n_embd, vocab.len(), kind));
    for i in 0..n_layers {
        let mut add = |end: &str, cols: usize, rows: usize, kind: Kind| {
            tensors.push((format!("blk.{i}.{end}"), cols, rows, kind));
        };
        add("attn_norm.weight", n_embd, 1, Kind::F32);
        add("attn_q.weight", n_embd, wide, kind);
        add("attn_k.weight", n_embd, kv, kind);
        add("attn_v.weight", n_embd, kv, kind);
        add("attn_output.weight", wide, n_embd, kind);
        add("ffn_norm.weight", n_embd, 1, Kind::F32);
        add("ffn_gate.weight", n_embd, n_ff, kind);
        add("ffn_up.weight", n_embd, n_ff, kind);
        add("ffn_down.weight", n_ff, n_embd, kind);
        if architecture == "qwen2" {
            add("attn_q.bias", wide, 1, Kind::F32);
            add("attn_k.bias", kv, 1, Kind::F32);
            add("attn_v.bias", kv, 1, Kind::F32);
        }
    }
    tensors.push(("output_norm.weight".to_owned(), n_embd, 1, Kind::F32));
    if made.has_head {
        tensors.push(("output.weight".to_owned(), n_embd, vocab.len(), kind));
    }
    let mut random = ChaCha12Rng::seed_from_u64(made.seed);
    let mut data: Vec<u8> = Vec::new();
    for (name, cols, rows, kind) in &tensors {
        let (middle, width) = if name.ends_with("norm.weight") { (1.0, 0.2) } else { (0.0, 0.25) };
        Writing::text_of(&mut out.head, name);
        out.head.extend_from_slice(&2_u32.to_le_bytes());
        out.head.extend_from_slice(&(*cols as u64).to_le_bytes());
        out.head.extend_from_slice(&(*rows as u64).to_le_bytes());
        out.head.extend_from_slice(&kind.number().to_le_bytes());
        out.head.extend_from_slice(&(data.len() as u64).to_le_bytes());
        if made.is_large {
            data.resize(data.len() + kind.bytes_of(cols * rows).unwrap_or(0) as usize, 0);
        } else {
            let numbers: Vec<f32> = (0..cols * rows)
                .map(|_| middle + width * (random.random::<f32>() * 2.0 - 1.0))
                .collect();
            data.extend(packed(*kind, &numbers)?);
        }
        data.resize(data.len().next_multiple_of(32), 0);
    }
    let mut file = b"GGUF".to_vec();
    file.extend_from_slice(&3_u32.to_le_bytes());
    file.extend_from_slice(&(tensors.len() as u64).to_le_bytes());
    file.extend_from_slice(&out.n_values.to_le_bytes());
    file.extend_from_slice(&out.head);
    file.resize(file.len().next_multiple_of(32), 0);
    file.extend_from_slice(&data);
    Ok(file)
}

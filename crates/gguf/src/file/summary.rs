//! What a file is, and whether it fits into memory, before its weights are read.

use super::{Head, Kind};
use crate::GgufError;
use crate::network::matrix::bytes_in_memory;
use crate::network::{BATCH, Config};

/// What `general.file_type` means, for the kinds that are read here.
const FILE_TYPES: [(usize, &str); 13] = [
    (0, "F32"),
    (1, "F16"),
    (2, "Q4_0"),
    (3, "Q4_1"),
    (7, "Q8_0"),
    (8, "Q5_0"),
    (9, "Q5_1"),
    (14, "Q4_K_S"),
    (15, "Q4_K_M"),
    (16, "Q5_K_S"),
    (17, "Q5_K_M"),
    (18, "Q6_K"),
    (32, "BF16"),
];

/// What a file says of its model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelSummary {
    /// The architecture, such as `llama`.
    pub architecture: String,
    /// Its name for people; `a model` where the file has none.
    pub name: String,
    /// How many numbers its tensors have.
    pub n_parameters: u64,
    /// How most of them are stored, such as `Q4_K_M`.
    pub quantisation: String,
    /// The longest context that it was trained for, in tokens.
    pub n_ctx_trained: usize,
    /// How many tokens it knows.
    pub n_vocab: usize,
    /// Bytes of the weights in the file.
    pub file_bytes: u64,
    /// Bytes of the weights once they are loaded.
    pub weight_bytes: u64,
    /// Bytes of keys and values that each token of a context needs.
    pub cache_bytes_per_token: u64,
    /// Bytes of working memory beside weights and cache.
    pub work_bytes: u64,
    /// Whether the file has a chat template.
    pub has_template: bool,
}

/// What a model with a context takes of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// Bytes in all.
    pub needed: u64,
    /// Bytes that are left of the budget.
    pub left: u64,
}

impl ModelSummary {
    pub(crate) fn of(head: &Head) -> Result<Self, GgufError> {
        let config = Config::of(head)?;
        crate::tokenizer::check(head)?;
        let mut by_kind: Vec<(u64, Kind)> = Vec::new();
        let (mut n_parameters, mut file_bytes, mut weight_bytes) = (0_u64, 0_u64, 0_u64);
        for tensor in head.tensors.values() {
            // Tensors may overlap, so their sum may be larger than the file.
            n_parameters = n_parameters
                .saturating_add((tensor.n_cols as u64).saturating_mul(tensor.n_rows as u64));
            file_bytes = file_bytes.saturating_add(tensor.n_bytes);
            weight_bytes = weight_bytes.saturating_add(bytes_in_memory(tensor));
            match by_kind.iter_mut().find(|(_, kind)| *kind == tensor.kind) {
                Some((bytes, _)) => *bytes = bytes.saturating_add(tensor.n_bytes),
                None => by_kind.push((tensor.n_bytes, tensor.kind)),
            }
        }
        let named = head.size("general.file_type");
        let named = FILE_TYPES.iter().find(|(n, _)| Some(*n) == named).map(|(_, name)| *name);
        let most = by_kind.iter().max().map_or("F32", |(_, kind)| kind.name());
        let widest = config.n_ff.max(config.n_heads * config.head_dim).max(config.n_embd);
        Ok(Self {
            architecture: head.text("general.architecture").unwrap_or_default().to_owned(),
            name: head.text("general.name").unwrap_or("a model").to_owned(),
            n_parameters,
            quantisation: named.unwrap_or(most).to_owned(),
            n_ctx_trained: config.n_ctx,
            n_vocab: config.n_vocab,
            file_bytes,
            weight_bytes,
            cache_bytes_per_token: config.cache_bytes_per_token(),
            work_bytes: (BATCH as u64 * 10 * widest as u64 + config.n_vocab as u64 * 4) * 4,
            has_template: head.text("tokenizer.chat_template").is_some(),
        })
    }

    /// Bytes of the cache for a context of so many tokens.
    pub fn cache_bytes(&self, n_ctx: usize) -> u64 {
        self.cache_bytes_per_token.saturating_mul(n_ctx as u64)
    }

    /// Whether the model with a context of so many tokens fits into so many bytes.
    ///
    /// # Errors
    /// It does not, with what it needs and the largest context that would fit; or the context is
    /// longer than the model was trained for.
    pub fn fits(&self, budget_bytes: u64, n_ctx: usize) -> Result<Fit, GgufError> {
        if n_ctx > self.n_ctx_trained {
            return Err(GgufError::ContextTooLong { asked: n_ctx, trained: self.n_ctx_trained });
        }
        let fixed = self.weight_bytes.saturating_add(self.work_bytes);
        let cache = self.cache_bytes(n_ctx);
        let needed = fixed.saturating_add(cache);
        if let Some(left) = budget_bytes.checked_sub(needed) {
            return Ok(Fit { needed, left });
        }
        let room = budget_bytes.saturating_sub(fixed) / self.cache_bytes_per_token.max(1);
        Err(GgufError::TooLarge {
            needed,
            weights: self.weight_bytes,
            cache,
            n_ctx,
            budget: budget_bytes,
            // Fewer tokens than that hold no conversation.
            largest: (room >= 128).then(|| room.min(self.n_ctx_trained as u64) as usize),
        })
    }
}

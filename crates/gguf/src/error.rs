//! What can be wrong with a file, with a question to its model, and with the memory for both.

/// The architectures that run here, as files name them.
pub const ARCHITECTURES: [&str; 2] = ["llama", "qwen2"];

/// Why a file is no model that runs here, or why a question to it has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GgufError {
    /// It begins like something else.
    #[error("this is no GGUF file: it begins with {found:?} where \"GGUF\" was expected")]
    NotGguf {
        /// Its first bytes, as far as there are any.
        found: String,
    },
    /// Its head is of a version that nobody writes any more, or not yet.
    #[error("the file has GGUF version {found}; versions 2 and 3 are read")]
    Version {
        /// The version that it says.
        found: u32,
    },
    /// It ends too early.
    #[error("the file ends within {what}; it has {len} bytes and needs {needed} or more")]
    Truncated {
        /// What was being read.
        what: String,
        /// How many bytes there are.
        len: u64,
        /// How many there have to be at least.
        needed: u64,
    },
    /// Its head says what cannot be.
    #[error("the file's head cannot be read: {reason}")]
    Damaged {
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// A key of the metadata is missing or has a value of another kind.
    #[error("the file's metadata has no {key:?} that is {expected}")]
    Metadata {
        /// The key.
        key: String,
        /// What was expected there.
        expected: &'static str,
    },
    /// Its model is built in a way that is not known here.
    #[error("the model's architecture is {found:?}; those that run here are {}", ARCHITECTURES.join(" and "))]
    Architecture {
        /// The architecture that the file says.
        found: String,
    },
    /// A tensor has numbers of a kind that is not read here.
    #[error(
        "tensor {tensor:?} is stored as {found}; types that are read: F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K, Q6_K"
    )]
    TensorType {
        /// Which tensor.
        tensor: String,
        /// Its type, by name or number.
        found: String,
    },
    /// A tensor is missing, or is of another size than the metadata say.
    #[error("tensor {tensor:?} {reason}")]
    Tensor {
        /// Which tensor.
        tensor: String,
        /// What is wrong with it, and what would be right.
        reason: String,
    },
    /// A folder in Hugging Face's form cannot be made a file.
    #[error("the model in Hugging Face's form cannot be read: {reason}")]
    Hugging {
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// The file has no tokenizer that can be used.
    #[error("the file's tokenizer cannot be used: {reason}")]
    Tokenizer {
        /// What is missing or unknown, and what would be right.
        reason: String,
    },
    /// The file has no chat template, or one that cannot be used.
    #[error("the file's chat template cannot be used: {reason}; ChatML can be chosen in its place")]
    Template {
        /// What is wrong with it, and where.
        reason: String,
    },
    /// It does not fit into the memory that there is.
    #[error("the model needs {needed} bytes ({weights} for its weights, {cache} for a context of {n_ctx} tokens), and {budget} are free{}", hint_of(*.largest))]
    TooLarge {
        /// Bytes that it needs in all.
        needed: u64,
        /// Bytes of the weights in memory.
        weights: u64,
        /// Bytes of the cache of keys and values.
        cache: u64,
        /// Tokens of context that were asked for.
        n_ctx: usize,
        /// Bytes that there are.
        budget: u64,
        /// The largest context that would fit, if any does.
        largest: Option<usize>,
    },
    /// More context than the model was trained for.
    #[error("a context of {asked} tokens was asked for; the model was trained for {trained}")]
    ContextTooLong {
        /// Tokens that were asked for.
        asked: usize,
        /// Tokens that the model was trained for.
        trained: usize,
    },
    /// The conversation is longer than the context.
    #[error(
        "the conversation has {found} tokens, and the context holds {limit}, with room for an answer"
    )]
    Overflow {
        /// How many tokens it has.
        found: usize,
        /// How many fit.
        limit: usize,
    },
    /// The conversation is so much longer than the context that its tokens were not counted.
    #[error("the conversation has more tokens than the {limit} that the context holds")]
    TooLong {
        /// How many tokens fit.
        limit: usize,
    },
    /// Somebody stopped it.
    #[error("stopped")]
    Stopped,
    /// The reader failed.
    #[error("the file cannot be read: {reason}")]
    Io {
        /// What the reader said.
        reason: String,
    },
    /// What an answer has to look like is not understood.
    #[error("the grammar of the answer cannot be used: {reason}")]
    Grammar {
        /// What is wrong with it.
        reason: String,
    },
}

fn hint_of(largest: Option<usize>) -> String {
    match largest {
        Some(n) => format!("; a context of {n} tokens would fit"),
        None => "; a smaller model is needed".to_owned(),
    }
}

impl From<std::io::Error> for GgufError {
    fn from(error: std::io::Error) -> Self {
        Self::Io { reason: error.to_string() }
    }
}

impl GgufError {
    pub(crate) fn damaged(reason: impl Into<String>) -> Self {
        Self::Damaged { reason: reason.into() }
    }

    pub(crate) fn tensor(tensor: &str, reason: impl Into<String>) -> Self {
        Self::Tensor { tensor: tensor.to_owned(), reason: reason.into() }
    }

    pub(crate) fn tokenizer(reason: impl Into<String>) -> Self {
        Self::Tokenizer { reason: reason.into() }
    }
}

//! What can go wrong between the bytes of a model and its answers.

/// Why a model cannot be made of these bytes, or does not answer.
#[derive(Debug, thiserror::Error)]
pub enum MlError {
    /// The description of the model is not what it should be.
    #[error("the model's config cannot be read ({reason}); it should be the config.json of a BERT")]
    Config {
        /// What the reader of JSON said.
        reason: String,
    },
    /// The model has sizes that no encoder of sentences has.
    #[error("the model's config says {field} = {value}; it should be from 1 to {limit}")]
    Size {
        /// The name of the number in the config.
        field: &'static str,
        /// The value in the config.
        value: usize,
        /// The most that is taken.
        limit: usize,
    },
    /// The vocabulary is not what it should be.
    #[error("the tokenizer cannot be read ({reason}); it should be a tokenizer.json")]
    Tokenizer {
        /// What the reader said.
        reason: String,
    },
    /// The weights do not make the model that the config describes.
    #[error(
        "the weights do not fit ({reason}); they should be the model.safetensors beside the config"
    )]
    Weights {
        /// What the reader said.
        reason: String,
    },
    /// A share of numbers to leave out that is none.
    #[error("the dropout of {what} is {share}; it should be from 0 to below 1")]
    Dropout {
        /// Where numbers are left out, such as the attention.
        what: &'static str,
        /// What was asked for.
        share: f64,
    },
    /// The model broke while it computed.
    #[error("the model could not compute ({reason})")]
    Compute {
        /// What the tensors said.
        reason: String,
    },
}

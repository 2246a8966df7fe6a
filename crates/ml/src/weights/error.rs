//! What can be wrong with the file of a model.

use super::{FORMAT, MAX_BYTES, VERSION};

/// Why a file is not the model that it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Too large to be one of ours.
    #[error("the file has {found} bytes; weights of at most {MAX_BYTES} are read")]
    TooLong {
        /// Its size in bytes.
        found: usize,
    },
    /// No `.safetensors`, a part of one, or numbers that are none.
    #[error("the weights cannot be read: {reason}")]
    Damaged {
        /// What is wrong, and where.
        reason: String,
    },
    /// Weights, and none that this program made.
    #[error(
        "the file says nothing of a {FORMAT} ({reason}); `graphground train` writes files that do"
    )]
    Foreign {
        /// What the head lacks.
        reason: String,
    },
    /// Made by a later program.
    #[error("the file has version {found}; this program reads up to {VERSION}")]
    Version {
        /// The version that the file says.
        found: u32,
    },
    /// The file is of another model.
    #[error("these are weights of {found:?}, and {expected:?} was to be made of them")]
    Model {
        /// What it should be.
        expected: &'static str,
        /// What the file says.
        found: String,
    },
    /// What is said of the model is not as it should be.
    #[error("the file's config: {reason}")]
    Config {
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// A tensor is not there.
    #[error("the tensor {name:?} is missing; the file has {}", .there.join(", "))]
    Missing {
        /// The name of the tensor.
        name: String,
        /// What is there, the first of it.
        there: Vec<String>,
    },
    /// A tensor of another shape, or of another kind of number.
    #[error("the tensor {name:?} is {found}; by the config it is {expected}")]
    Shape {
        /// The name of the tensor.
        name: String,
        /// The shape that the file gives.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// A tensor too many.
    #[error("the tensor {name:?} belongs to no {model}")]
    Extra {
        /// The name of the tensor.
        name: String,
        /// The model that the file is of.
        model: String,
    },
}

//! What can be wrong with a file of word vectors.

/// Why bytes are not a table of words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The file is of another format.
    #[error("this is no table of words: it begins with {found:?}; expected \"GGWORDS1\"")]
    Start {
        /// The first bytes of the file.
        found: String,
    },
    /// A number in its head is out of bounds.
    #[error("the table says {field} = {value}; expected {expected}")]
    Head {
        /// What the number is.
        field: &'static str,
        /// The value that the file gives.
        value: u64,
        /// What it may be.
        expected: &'static str,
    },
    /// It is cut off, or goes on.
    #[error("the table has {found} bytes; expected {expected}, from what its head says")]
    Length {
        /// The length of the file in bytes.
        found: u64,
        /// What the length should be.
        expected: u64,
    },
    /// A word stands where it may not.
    #[error("word {number} of the table is {word:?}; expected {expected}")]
    Word {
        /// Which word, from 1.
        number: usize,
        /// The word, or what there is of it.
        word: String,
        /// What would be right.
        expected: &'static str,
    },
    /// A number that is none.
    #[error(
        "the weight of word {number} of the table is {value}; expected a number from 0 to 1000"
    )]
    Weight {
        /// Which word, from 1.
        number: usize,
        /// The weight as text.
        value: String,
    },
}

//! A file's head: metadata and the list of tensors, read in time and memory that its length bounds.

mod kind;
mod read;
mod rewrite;
mod summary;
#[cfg(test)]
mod tests;
mod write;

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::ops::Range;

use crate::GgufError;
pub(crate) use kind::Kind;
pub use rewrite::Stored;
pub(crate) use rewrite::packed;
pub use summary::{Fit, ModelSummary};
pub(crate) use write::{NewTensor, Writing};

/// A value of the metadata. Lists are kept where a tokenizer needs them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Int(i64),
    Float(f64),
    Bool(bool),
    Text(String),
    Texts(Vec<String>),
    Ints(Vec<i32>),
    Floats(Vec<f32>),
    /// A list that nothing here needs.
    Skipped,
}

/// Where a tensor lies in the file, and what it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TensorInfo {
    /// Numbers in a row.
    pub n_cols: usize,
    /// How many rows, all further dimensions together.
    pub n_rows: usize,
    pub kind: Kind,
    /// Where its bytes begin, counted from the start of the file.
    pub offset: u64,
    pub n_bytes: u64,
}

/// Metadata and tensors of a file, without the tensors' bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Head {
    pub values: BTreeMap<String, Value>,
    pub tensors: BTreeMap<String, TensorInfo>,
    /// Where each key stands in the file with its value, for whoever copies them.
    pub entries: Vec<(String, Range<u64>)>,
}

impl Head {
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        match self.values.get(key) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn float(&self, key: &str) -> Option<f64> {
        match self.values.get(key) {
            Some(Value::Float(x)) => Some(*x),
            Some(Value::Int(n)) => Some(*n as f64),
            _ => None,
        }
    }

    pub(crate) fn flag(&self, key: &str) -> Option<bool> {
        match self.values.get(key) {
            Some(Value::Bool(b)) => Some(*b),
            _ => None,
        }
    }

    pub(crate) fn size(&self, key: &str) -> Option<usize> {
        match self.values.get(key) {
            Some(Value::Int(n)) => usize::try_from(*n).ok(),
            _ => None,
        }
    }

    /// A whole number that must be there and lie within bounds.
    pub(crate) fn sized(&self, key: &str, most: usize) -> Result<usize, GgufError> {
        self.size(key).filter(|n| (1..=most).contains(n)).ok_or_else(|| GgufError::Metadata {
            key: key.to_owned(),
            expected: "a whole number above 0 of sensible size",
        })
    }

    pub(crate) fn tensor(&self, name: &str) -> Result<&TensorInfo, GgufError> {
        self.tensors.get(name).ok_or_else(|| {
            GgufError::tensor(name, "is missing; is this one part of a file that was split?")
        })
    }
}

/// A GGUF file whose head was read and found sound. Its weights are read when it is loaded, from
/// the same reader, row by row: file and weights need not be in memory together.
#[derive(Debug)]
pub struct File<R> {
    pub(crate) reader: R,
    pub(crate) head: Head,
    summary: ModelSummary,
}

impl<B: AsRef<[u8]>> File<Cursor<B>> {
    /// Reads the head of a file that is in memory.
    ///
    /// # Errors
    /// It is no whole GGUF file of a model that runs here.
    pub fn read(bytes: B) -> Result<Self, GgufError> {
        Self::over(Cursor::new(bytes))
    }
}

impl<R: Read + Seek> File<R> {
    /// Reads the head of a file from its start; of the rest it only looks whether it is there.
    ///
    /// # Errors
    /// It is no whole GGUF file of a model that runs here, or the reader fails.
    pub fn over(mut reader: R) -> Result<Self, GgufError> {
        let head = read::head(&mut reader)?;
        let summary = ModelSummary::of(&head)?;
        Ok(Self { reader, head, summary })
    }

    /// What the file is, before its weights are read.
    pub fn summary(&self) -> &ModelSummary {
        &self.summary
    }

    /// Reads some bytes of a tensor.
    pub(crate) fn bytes_of(
        &mut self,
        tensor: &TensorInfo,
        from: u64,
        into: &mut [u8],
    ) -> Result<(), GgufError> {
        self.reader.seek(SeekFrom::Start(tensor.offset + from))?;
        Ok(self.reader.read_exact(into)?)
    }
}

//! A file's numbers for whoever lets the network learn, and the file again with other numbers.

use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom, Write};

use candle_core::quantized::QTensor;
use candle_core::{Device, Tensor};

use super::write::{listed, text};
use super::{File, Kind, TensorInfo};
use crate::network::matrix::unpack;
use crate::{ChatTemplate, GgufError, ModelTokenizer};

/// How changed matrices are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// As they are, in 32 bits.
    F32,
    /// In 16 bits.
    F16,
    /// In eight bits, with a scale for 32 numbers.
    Q8_0,
}

impl Stored {
    fn kind(self) -> Kind {
        match self {
            Self::F32 => Kind::F32,
            Self::F16 => Kind::F16,
            Self::Q8_0 => Kind::Q8_0,
        }
    }

    /// The number that `general.file_type` has for it.
    fn file_type(self) -> u32 {
        match self {
            Self::F32 => 0,
            Self::F16 => 1,
            Self::Q8_0 => 7,
        }
    }
}

const FILE_TYPE: &str = "general.file_type";

/// The bytes of numbers, stored as a kind, by candle.
pub(crate) fn packed(kind: Kind, numbers: &[f32]) -> Result<Vec<u8>, GgufError> {
    let failed = |error: candle_core::Error| GgufError::damaged(error.to_string());
    let tensor = Tensor::from_slice(numbers, numbers.len(), &Device::Cpu).map_err(failed)?;
    let tensor = QTensor::quantize(&tensor, kind.candle()).map_err(failed)?;
    Ok(tensor.data().map_err(failed)?.into_owned())
}

impl<R> File<R> {
    /// The file's own tokenizer.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn tokenizer(&self) -> Result<ModelTokenizer, GgufError> {
        ModelTokenizer::of(&self.head)
    }

    /// Its chat template, where it has one.
    ///
    /// # Errors
    /// It has one that cannot be read.
    pub fn template_if_any(&self) -> Result<Option<ChatTemplate>, GgufError> {
        self.summary.has_template.then(|| self.template()).transpose()
    }
}

impl<R: Read + Seek> File<R> {
    /// The names of the tensors with their rows and columns; a vector has one row.
    pub fn tensors(&self) -> impl Iterator<Item = (&str, usize, usize)> {
        self.head.tensors.iter().map(|(name, t)| (name.as_str(), t.n_rows, t.n_cols))
    }

    /// The numbers of a tensor, row by row, in 32 bits.
    ///
    /// # Errors
    /// There is none of that name, or the reader fails.
    pub fn numbers(&mut self, name: &str) -> Result<Vec<f32>, GgufError> {
        let tensor = self.head.tensor(name)?.clone();
        unpack(tensor.kind, &self.whole(&tensor)?)
    }

    fn whole(&mut self, tensor: &TensorInfo) -> Result<Vec<u8>, GgufError> {
        let mut bytes = vec![0; tensor.n_bytes as usize];
        self.bytes_of(tensor, 0, &mut bytes)?;
        Ok(bytes)
    }

    /// Writes the file again with other numbers in the tensors that are named: those are stored as
    /// `stored` says, all others and all metadata stay as they are, in the byte.
    ///
    /// # Errors
    /// A tensor is not there or has another number of numbers, its rows are no whole blocks, or
    /// reading or writing fails.
    pub fn rewrite(
        &mut self,
        changed: &BTreeMap<String, Vec<f32>>,
        stored: Stored,
        out: &mut impl Write,
    ) -> Result<(), GgufError> {
        let mut tensors: Vec<(String, TensorInfo)> =
            self.head.tensors.iter().map(|(name, t)| (name.clone(), t.clone())).collect();
        tensors.sort_by_key(|(_, tensor)| tensor.offset);
        for (name, numbers) in changed {
            let tensor = self.head.tensor(name)?;
            let (n, found) = (tensor.n_cols * tensor.n_rows, numbers.len());
            if n != found {
                return Err(GgufError::tensor(
                    name,
                    format!("has {n} numbers; {found} were given"),
                ));
            }
            let block = stored.kind().block();
            if !tensor.n_cols.is_multiple_of(block) {
                let why = format!("has rows of {} numbers; {block} make a block", tensor.n_cols);
                return Err(GgufError::tensor(name, why));
            }
        }
        let mut head = b"GGUF".to_vec();
        head.extend(3_u32.to_le_bytes());
        head.extend((tensors.len() as u64).to_le_bytes());
        head.extend((self.head.entries.len() as u64).to_le_bytes());
        for (key, place) in self.head.entries.clone() {
            if key == FILE_TYPE && !changed.is_empty() {
                text(&mut head, &key);
                head.extend(4_u32.to_le_bytes());
                head.extend(stored.file_type().to_le_bytes());
                continue;
            }
            // A head is bounded, and was in the file.
            let mut bytes = vec![0; (place.end - place.start) as usize];
            self.reader.seek(SeekFrom::Start(place.start))?;
            self.reader.read_exact(&mut bytes)?;
            head.extend(bytes);
        }
        let alignment = self.head.size("general.alignment").unwrap_or(32) as u64;
        let mut at = 0_u64;
        for (name, tensor) in &mut tensors {
            if changed.contains_key(name) {
                tensor.kind = stored.kind();
                let n = tensor.n_cols * tensor.n_rows;
                tensor.n_bytes = tensor.kind.bytes_of(n).unwrap_or_default();
            }
            listed(&mut head, name, (tensor.n_cols, tensor.n_rows), tensor.kind, at);
            at = (at + tensor.n_bytes).next_multiple_of(alignment);
        }
        head.resize(head.len().next_multiple_of(alignment as usize), 0);
        out.write_all(&head)?;
        for (name, tensor) in &tensors {
            let bytes = match changed.get(name) {
                Some(numbers) => packed(tensor.kind, numbers)?,
                // Where it lay in this file, as its kind and length did not change.
                None => self.whole(tensor)?,
            };
            out.write_all(&bytes)?;
            let n_left = bytes.len().next_multiple_of(alignment as usize) - bytes.len();
            out.write_all(&vec![0; n_left])?;
        }
        Ok(())
    }
}

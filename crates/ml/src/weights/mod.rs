//! One file for one trained model: its tensors as `.safetensors`, and beside them, in the head, what
//! the model is: its name, the data that it learned from, its sizes and the names that it knows.

mod error;
mod names;
mod vars;

use std::collections::{BTreeMap, HashMap};

use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use error::FileError;
pub use names::Names;
pub use vars::load;
pub(crate) use vars::open;

/// What a file calls itself.
pub const FORMAT: &str = "graphground-model";
/// The version that is written.
pub const VERSION: u32 = 1;
/// The most bytes of a file.
pub const MAX_BYTES: usize = 400_000_000;
/// Where the head has what is said of the model.
const KEY: &str = "graphground";
/// Names of tensors that an error lists.
const MAX_LISTED: usize = 8;

/// Numbers with a shape; the last place runs fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// The size of each dimension.
    pub shape: Vec<usize>,
    /// The numbers, as many as the sizes say.
    pub data: Vec<f32>,
}

impl Array {
    /// Numbers in this shape.
    pub fn new(shape: &[usize], data: Vec<f32>) -> Self {
        Self { shape: shape.to_vec(), data }
    }
}

/// What every file says of its model.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Head {
    /// The name of the format, always [`FORMAT`].
    pub format: String,
    /// The version of the format; this crate writes [`VERSION`].
    pub version: u32,
    /// The model: `transe`.
    pub model: String,
    /// The name of the data that it learned from, as calls name them.
    pub dataset: String,
}

/// The file of a model, read and held against its own head, its tensors not yet.
#[derive(Clone, Debug)]
pub struct ModelFile {
    /// What every file says.
    pub head: Head,
    /// All that is said of the model.
    pub config: Value,
    tensors: BTreeMap<String, Array>,
}

impl ModelFile {
    /// Reads a file. O(bytes).
    ///
    /// # Errors
    /// It is another kind of file, was cut off or damaged, or has numbers that are none.
    pub fn read(bytes: &[u8]) -> Result<Self, FileError> {
        if bytes.len() > MAX_BYTES {
            return Err(FileError::TooLong { found: bytes.len() });
        }
        crate::minilm::weights::check(bytes).map_err(|reason| FileError::Damaged { reason })?;
        let damaged = |e: safetensors::SafeTensorError| {
            let reason = e.to_string().lines().next().unwrap_or_default().to_owned();
            FileError::Damaged { reason }
        };
        let (_, about) = SafeTensors::read_metadata(bytes).map_err(damaged)?;
        let foreign = |reason: String| FileError::Foreign { reason };
        let text = about.metadata().as_ref().and_then(|m| m.get(KEY));
        let text = text.ok_or_else(|| foreign(format!("its head has no {KEY:?}")))?;
        let config: Value = serde_json::from_str(text).map_err(|e| foreign(e.to_string()))?;
        let head = Head::deserialize(&config).map_err(|e| foreign(e.to_string()))?;
        if head.format != FORMAT {
            return Err(foreign(format!("its format is {:?}", short(&head.format))));
        }
        if head.version > VERSION {
            return Err(FileError::Version { found: head.version });
        }
        let all = SafeTensors::deserialize(bytes).map_err(damaged)?;
        let mut tensors = BTreeMap::new();
        for (name, tensor) in all.iter() {
            if tensor.dtype() != Dtype::F32 {
                return Err(FileError::Shape {
                    name: short(name),
                    found: format!("{:?}", tensor.dtype()),
                    expected: "F32".into(),
                });
            }
            let number = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
            let data = tensor.data().chunks_exact(4).map(number).collect();
            tensors.insert(name.to_owned(), Array::new(tensor.shape(), data));
        }
        Ok(Self { head, config, tensors })
    }

    /// Its config, as that of this model.
    ///
    /// # Errors
    /// It is of another model, or not as that model's config should be.
    pub fn config<C: DeserializeOwned>(&self, model: &'static str) -> Result<C, FileError> {
        if self.head.model != model {
            let found = short(&self.head.model);
            return Err(FileError::Model { expected: model, found });
        }
        C::deserialize(&self.config).map_err(|e| FileError::Config { reason: e.to_string() })
    }

    /// Takes a tensor out.
    ///
    /// # Errors
    /// There is none of that name, or it has another shape.
    pub fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, FileError> {
        let Some(tensor) = self.tensors.remove(name) else {
            let there = self.tensors.keys().take(MAX_LISTED).map(|n| short(n)).collect();
            return Err(FileError::Missing { name: name.to_owned(), there });
        };
        if tensor.shape != shape {
            return Err(FileError::Shape {
                name: name.to_owned(),
                found: format!("{:?}", tensor.shape),
                expected: format!("{shape:?}"),
            });
        }
        Ok(tensor.data)
    }

    /// Takes all tensors whose names begin so, without that beginning.
    pub fn take_all(&mut self, prefix: &str) -> Vec<(String, Array)> {
        let (ours, others) = std::mem::take(&mut self.tensors)
            .into_iter()
            .partition::<BTreeMap<_, _>, _>(|(name, _)| name.starts_with(prefix));
        self.tensors = others;
        ours.into_iter().map(|(name, t)| (name[prefix.len()..].to_owned(), t)).collect()
    }

    /// That nothing is left over.
    ///
    /// # Errors
    /// A tensor was not taken.
    pub fn end(&self) -> Result<(), FileError> {
        match self.tensors.keys().next() {
            None => Ok(()),
            Some(name) => {
                Err(FileError::Extra { name: short(name), model: self.head.model.clone() })
            }
        }
    }
}

/// Writes a file; the same model gives the same bytes. `config` becomes an object without what the
/// [`Head`] has, which is put before it.
///
/// # Errors
/// An array's numbers are not as many as its shape says, or the config is no object.
pub fn write(
    model: &str,
    dataset: &str,
    config: &impl Serialize,
    tensors: &[(String, Array)],
) -> Result<Vec<u8>, FileError> {
    let config = match serde_json::to_value(config) {
        Ok(Value::Object(config)) => config,
        Ok(_) => return Err(FileError::Config { reason: "it should be an object".into() }),
        Err(e) => return Err(FileError::Config { reason: e.to_string() }),
    };
    let mut all = serde_json::Map::new();
    all.insert("format".into(), FORMAT.into());
    all.insert("version".into(), VERSION.into());
    all.insert("model".into(), model.into());
    all.insert("dataset".into(), dataset.into());
    for (key, value) in config {
        // What the head says is said by the arguments.
        all.entry(key).or_insert(value);
    }
    let bytes: Vec<Vec<u8>> = tensors
        .iter()
        .map(|(_, t)| t.data.iter().flat_map(|x| x.to_le_bytes()).collect())
        .collect();
    let wrong = |e: safetensors::SafeTensorError| FileError::Damaged { reason: e.to_string() };
    let mut views: Vec<(&str, TensorView<'_>)> = Vec::new();
    for ((name, tensor), bytes) in tensors.iter().zip(&bytes) {
        let view = TensorView::new(Dtype::F32, tensor.shape.clone(), bytes).map_err(wrong)?;
        views.push((name, view));
    }
    // One entry, because the order of several would be by chance.
    let about = HashMap::from([(KEY.to_owned(), Value::Object(all).to_string())]);
    safetensors::serialize(views, Some(about)).map_err(wrong)
}

/// A name out of a file, for an error.
fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

/// Holds a number of a config against its bounds.
pub(crate) fn bounded(field: &str, value: usize, limit: usize) -> Result<(), FileError> {
    if (1..=limit).contains(&value) {
        return Ok(());
    }
    let reason = format!("{field} is {value}; it should be from 1 to {limit}");
    Err(FileError::Config { reason })
}

#[cfg(test)]
mod tests;

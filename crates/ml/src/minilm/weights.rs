//! Whether bytes are whole weights, told before a model is made of them.

use std::collections::BTreeSet;
use std::fmt;

use safetensors::tensor::{Dtype, Metadata, TensorInfo};
use safetensors::{SafeTensorError, SafeTensors};
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// The most tensors of a file; models have thousands at most, and each takes memory of its own.
const MAX_TENSORS: usize = 100_000;

/// What is wrong with the bytes of a `.safetensors`, and where: it is another file, was cut off, or
/// has numbers that are none. O(bytes).
pub(crate) fn check(bytes: &[u8]) -> Result<(), String> {
    let n_bytes = bytes.len();
    places(bytes)?;
    let (n_head, head) = match SafeTensors::read_metadata(bytes) {
        Ok(read) => read,
        Err(SafeTensorError::MetadataIncompleteBuffer) => return Err(another_length(bytes)),
        Err(error) => return Err(describe(&error, n_bytes)),
    };
    let start = n_head + 8;
    for (name, tensor) in sorted(&head) {
        let (from, to) = tensor.data_offsets;
        let data = bytes.get(start + from..start + to).unwrap_or_default();
        let name = short(&name);
        let (wide, is_finite): (usize, fn(&[u8]) -> bool) = match tensor.dtype {
            Dtype::F32 => (4, is_finite_single),
            Dtype::F64 => (8, is_finite_double),
            // All bits of the exponent: infinite, or no number.
            Dtype::F16 => (2, |b| sixteen(b) & 0x7c00 != 0x7c00),
            Dtype::BF16 => (2, |b| sixteen(b) & 0x7f80 != 0x7f80),
            Dtype::BOOL | Dtype::U8 | Dtype::I8 | Dtype::I16 | Dtype::U16 => continue,
            Dtype::I32 | Dtype::U32 | Dtype::I64 | Dtype::U64 => continue,
            other => return Err(format!("{name} is of {other:?}, which is not read")),
        };
        if let Some(at) = data.chunks_exact(wide).position(|b| !is_finite(b)) {
            return Err(format!(
                "number {at} of {name} is no finite number, at byte {}; the file is damaged",
                start + from + wide * at
            ));
        }
    }
    Ok(())
}

fn is_finite_single(bytes: &[u8]) -> bool {
    bytes.try_into().is_ok_and(|b| f32::from_le_bytes(b).is_finite())
}

/// It is computed with as a single.
fn is_finite_double(bytes: &[u8]) -> bool {
    bytes.try_into().is_ok_and(|b| (f64::from_le_bytes(b) as f32).is_finite())
}

fn sixteen(bytes: &[u8]) -> u16 {
    bytes.try_into().map_or(u16::MAX, u16::from_le_bytes)
}

/// A name out of a file, for an error.
fn short(name: &str) -> String {
    name.chars().take(80).collect()
}

/// Holds the head's lengths against the file's, and counts, before anything is made of them: a head is
/// anybody's text, and places beyond any file overflow where they are added up.
fn places(bytes: &[u8]) -> Result<(), String> {
    let n_bytes = bytes.len() as u64;
    // What is too short, or announces too long a head, is told where it is read.
    let Some(length) = bytes.first_chunk::<8>().map(|b| u64::from_le_bytes(*b)) else {
        return Ok(());
    };
    let Some(head) = usize::try_from(length).ok().and_then(|n| bytes.get(8..n.checked_add(8)?))
    else {
        return Ok(());
    };
    match serde_json::from_slice::<Places>(head) {
        Ok(_) => Ok(()),
        Err(error) if error.is_data() => {
            let words = error.to_string();
            let words = words.split(" at line ").next().unwrap_or_default();
            // A place beyond the file's end is told with where the file ends.
            if words.starts_with(BEYOND) {
                return Err(format!(
                    "{} of {n_bytes} bytes{}",
                    "the head names places beyond the file",
                    words.trim_start_matches(BEYOND)
                ));
            }
            Err(format!("the head is damaged: {}", short(words)))
        }
        // No JSON at all; that is told where it is read.
        Err(_) => Ok(()),
    }
}

/// What an error begins with that is about a place which no file has.
const BEYOND: &str = "beyond any file";
/// The furthest place that is added up: no file is as long, and no sum of two overflows.
const MOST: u64 = (usize::MAX / 4) as u64;

/// The places of a head, looked at and not kept.
struct Places;

/// Where a tensor's bytes are.
#[derive(Deserialize)]
struct Place {
    data_offsets: (u64, u64),
}

impl<'de> Deserialize<'de> for Places {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Head;
        impl<'de> Visitor<'de> for Head {
            type Value = Places;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Places, M::Error> {
                let mut names = BTreeSet::new();
                while let Some(name) = map.next_key::<String>()? {
                    if name == "__metadata__" {
                        map.next_value::<IgnoredAny>()?;
                        continue;
                    }
                    let Place { data_offsets: (from, to) } = map.next_value()?;
                    if from.max(to) > MOST {
                        return Err(M::Error::custom(format!("{BEYOND}, for {}", short(&name))));
                    }
                    if names.contains(&name) {
                        return Err(M::Error::custom(format!("{} is there twice", short(&name))));
                    }
                    names.insert(name);
                    if names.len() > MAX_TENSORS {
                        let words = format!("it has more than {MAX_TENSORS} tensors");
                        return Err(M::Error::custom(words));
                    }
                }
                Ok(Places)
            }
        }
        from.deserialize_map(Head)
    }
}

/// The tensors in the order of their bytes.
fn sorted(head: &Metadata) -> Vec<(String, &TensorInfo)> {
    let mut all: Vec<_> = head.tensors().into_iter().collect();
    all.sort_by_key(|(_, t)| t.data_offsets);
    all
}

/// What to say of bytes that are fewer or more than their head says.
fn another_length(bytes: &[u8]) -> String {
    let n_bytes = bytes.len();
    let length = bytes.first_chunk::<8>().map_or(0, |b| u64::from_le_bytes(*b) as usize);
    let start = length.saturating_add(8);
    let head = bytes.get(8..start).and_then(|head| serde_json::from_slice::<Value>(head).ok());
    let mut parts: Vec<(usize, usize, &str)> = Vec::new();
    for (name, tensor) in head.iter().filter_map(Value::as_object).flatten() {
        let end = |i: usize| tensor["data_offsets"][i].as_u64().map(|n| n as usize);
        if let (Some(from), Some(to)) = (end(0), end(1)) {
            parts.push((start.saturating_add(from), start.saturating_add(to), name));
        }
    }
    let whole = parts.iter().map(|p| p.1).max().unwrap_or(start);
    if n_bytes > whole {
        return format!("the file has {n_bytes} bytes, and {whole} by its head");
    }
    let inside = parts.iter().find(|(from, to, _)| (*from..*to).contains(&n_bytes));
    let inside = inside.map_or_else(String::new, |(_, _, name)| format!(", inside {name}"));
    format!("the file ends after {n_bytes} of {whole} bytes{inside}; it was cut off on its way")
}

fn describe(error: &SafeTensorError, n_bytes: usize) -> String {
    match error {
        SafeTensorError::HeaderTooSmall => {
            format!("the file has {n_bytes} bytes, too few to be weights")
        }
        SafeTensorError::HeaderTooLarge | SafeTensorError::InvalidHeaderLength => format!(
            "the first eight bytes announce a head that does not fit into {n_bytes} bytes; \
             this is another kind of file, or was cut off"
        ),
        SafeTensorError::InvalidHeader(_) | SafeTensorError::InvalidHeaderDeserialization(_) => {
            "the head is no JSON of a .safetensors; this is another kind of file, or is damaged"
                .to_owned()
        }
        other => {
            let text = other.to_string();
            let first: String = text.lines().next().unwrap_or_default().chars().take(200).collect();
            format!("the head is damaged: {first}")
        }
    }
}

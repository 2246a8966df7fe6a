//! Whether bytes are whole weights, told before a model is made of them.

use safetensors::tensor::{Dtype, Metadata, TensorInfo};
use safetensors::{SafeTensorError, SafeTensors};
use serde_json::Value;

/// What is wrong with the bytes of a `.safetensors`, and where: it is another file, was cut off, or
/// has numbers that are none. O(bytes).
pub(crate) fn check(bytes: &[u8]) -> Result<(), String> {
    let n_bytes = bytes.len();
    let (n_head, head) = match SafeTensors::read_metadata(bytes) {
        Ok(read) => read,
        Err(SafeTensorError::MetadataIncompleteBuffer) => return Err(another_length(bytes)),
        Err(error) => return Err(told(&error, n_bytes)),
    };
    let start = n_head + 8;
    for (name, tensor) in sorted(&head) {
        if tensor.dtype != Dtype::F32 {
            continue;
        }
        let (from, to) = tensor.data_offsets;
        let data = bytes.get(start + from..start + to).unwrap_or_default();
        let bad = data
            .chunks_exact(4)
            .position(|b| b.try_into().is_ok_and(|b| !f32::from_le_bytes(b).is_finite()));
        if let Some(at) = bad {
            return Err(format!(
                "number {at} of {name} is no finite number, at byte {}; the file is damaged",
                start + from + 4 * at
            ));
        }
    }
    Ok(())
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

fn told(error: &SafeTensorError, n_bytes: usize) -> String {
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

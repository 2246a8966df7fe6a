//! The reader of heads. Every count is held against what is left of the file before anything is
//! made room for, so a head costs a few times its own length at most.

use std::io::{BufReader, Read, Seek, SeekFrom};

use super::{Head, Kind, TensorInfo, Value};
use crate::GgufError;

/// The most bytes of a head. The largest vocabularies need about 10 MB.
const MAX_HEAD: u64 = 64 << 20;
/// The most keys, and the most tensors.
const MAX_ENTRIES: u64 = 65_536;
/// The most bytes of a key or a tensor's name.
const MAX_NAME: u64 = 1024;
/// The most rows or columns of a tensor.
const MAX_SIDE: u64 = 1 << 31;
/// Lists in lists.
const MAX_DEPTH: usize = 4;

struct Reading<'a, R> {
    reader: BufReader<&'a mut R>,
    at: u64,
    len: u64,
}

impl<R: Read + Seek> Reading<'_, R> {
    /// Whether so many bytes are left, before they are made room for.
    fn expect(&self, n: u64, what: &str) -> Result<(), GgufError> {
        let needed = self.at.saturating_add(n);
        if needed > self.len {
            return Err(GgufError::Truncated { what: what.to_owned(), len: self.len, needed });
        }
        if needed > MAX_HEAD {
            return Err(GgufError::damaged(format!(
                "it has more than {MAX_HEAD} bytes, at {what}"
            )));
        }
        Ok(())
    }

    fn bytes<const N: usize>(&mut self, what: &str) -> Result<[u8; N], GgufError> {
        self.expect(N as u64, what)?;
        let mut bytes = [0; N];
        self.reader.read_exact(&mut bytes)?;
        self.at += N as u64;
        Ok(bytes)
    }

    fn u32(&mut self, what: &str) -> Result<u32, GgufError> {
        Ok(u32::from_le_bytes(self.bytes(what)?))
    }

    fn u64(&mut self, what: &str) -> Result<u64, GgufError> {
        Ok(u64::from_le_bytes(self.bytes(what)?))
    }

    fn skip(&mut self, n: u64, what: &str) -> Result<(), GgufError> {
        self.expect(n, what)?;
        // Bounded by `MAX_HEAD`.
        self.reader.seek_relative(n as i64)?;
        self.at += n;
        Ok(())
    }

    fn text(&mut self, most: u64, what: &str) -> Result<String, GgufError> {
        let n = self.u64(what)?;
        if n > most {
            return Err(GgufError::damaged(format!("{what} has {n} bytes, more than {most}")));
        }
        self.expect(n, what)?;
        // Bounded by the file's length and by `MAX_HEAD`.
        let mut bytes = vec![0; n as usize];
        self.reader.read_exact(&mut bytes)?;
        self.at += n;
        Ok(String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    fn value(&mut self, kind: u32, key: &str) -> Result<Value, GgufError> {
        Ok(match kind {
            0 => Value::Int(u8::from_le_bytes(self.bytes(key)?).into()),
            1 => Value::Int(i8::from_le_bytes(self.bytes(key)?).into()),
            2 => Value::Int(u16::from_le_bytes(self.bytes(key)?).into()),
            3 => Value::Int(i16::from_le_bytes(self.bytes(key)?).into()),
            4 => Value::Int(u32::from_le_bytes(self.bytes(key)?).into()),
            5 => Value::Int(i32::from_le_bytes(self.bytes(key)?).into()),
            6 => Value::Float(f32::from_le_bytes(self.bytes(key)?).into()),
            7 => Value::Bool(u8::from_le_bytes(self.bytes(key)?) != 0),
            8 => Value::Text(self.text(MAX_HEAD, key)?),
            9 => self.list(key)?,
            10 => Value::Int(i64::try_from(self.u64(key)?).unwrap_or(i64::MAX)),
            11 => Value::Int(i64::from_le_bytes(self.bytes(key)?)),
            12 => Value::Float(f64::from_le_bytes(self.bytes(key)?)),
            _ => {
                return Err(GgufError::damaged(format!(
                    "key {key:?} has a value of type {kind}; there are 0 to 12"
                )));
            }
        })
    }

    fn list(&mut self, key: &str) -> Result<Value, GgufError> {
        let (kind, n) = (self.u32(key)?, self.u64(key)?);
        if !key.starts_with("tokenizer.ggml.") || !matches!(kind, 4..=6 | 8) {
            self.skip_list(kind, n, key, 0)?;
            return Ok(Value::Skipped);
        }
        // Each has 4 bytes at least, and at most 24 in memory.
        self.expect(n.saturating_mul(if kind == 8 { 8 } else { 4 }), key)?;
        let n = n as usize;
        Ok(match kind {
            8 => {
                let mut texts = Vec::with_capacity(n);
                for _ in 0..n {
                    texts.push(self.text(MAX_HEAD, key)?);
                }
                Value::Texts(texts)
            }
            6 => {
                let mut floats = Vec::with_capacity(n);
                for _ in 0..n {
                    floats.push(f32::from_le_bytes(self.bytes(key)?));
                }
                Value::Floats(floats)
            }
            _ => {
                let mut ints = Vec::with_capacity(n);
                for _ in 0..n {
                    ints.push(i32::from_le_bytes(self.bytes(key)?));
                }
                Value::Ints(ints)
            }
        })
    }

    fn skip_list(&mut self, kind: u32, n: u64, key: &str, depth: usize) -> Result<(), GgufError> {
        let each = match kind {
            0 | 1 | 7 => 1,
            2 | 3 => 2,
            4..=6 => 4,
            10..=12 => 8,
            8 => {
                for _ in 0..n {
                    let n = self.u64(key)?;
                    self.skip(n, key)?;
                }
                return Ok(());
            }
            9 if depth < MAX_DEPTH => {
                for _ in 0..n {
                    let (kind, n) = (self.u32(key)?, self.u64(key)?);
                    self.skip_list(kind, n, key, depth + 1)?;
                }
                return Ok(());
            }
            _ => {
                return Err(GgufError::damaged(format!(
                    "key {key:?} is a list of type {kind}, or of lists in more than {MAX_DEPTH} lists"
                )));
            }
        };
        self.skip(n.saturating_mul(each), key)
    }

    fn tensor(&mut self, name: &str) -> Result<(TensorInfo, u64), GgufError> {
        let n_dims = self.u32(name)?;
        if n_dims > 4 {
            return Err(GgufError::tensor(
                name,
                format!("has {n_dims} dimensions; 4 are the most"),
            ));
        }
        let mut sides = [1_u64; 4];
        for side in sides.iter_mut().take(n_dims as usize) {
            *side = self.u64(name)?;
            if *side > MAX_SIDE {
                return Err(GgufError::tensor(name, format!("has a side of {side}")));
            }
        }
        let kind = Kind::of(self.u32(name)?)
            .map_err(|found| GgufError::TensorType { tensor: name.to_owned(), found })?;
        let offset = self.u64(name)?;
        let [n_cols, rest @ ..] = sides;
        let n_rows = rest.iter().try_fold(1_u64, |all, side| all.checked_mul(*side));
        let too_large = || GgufError::tensor(name, "has more numbers than can be counted");
        let n_rows = n_rows.and_then(|n| usize::try_from(n).ok()).ok_or_else(too_large)?;
        let n_cols = usize::try_from(n_cols).map_err(|_| too_large())?;
        if !n_cols.is_multiple_of(kind.block()) {
            let (block, kind) = (kind.block(), kind.name());
            return Err(GgufError::tensor(
                name,
                format!("has rows of {n_cols} numbers; {kind} needs a multiple of {block}"),
            ));
        }
        let row = kind.bytes_of(n_cols).ok_or_else(too_large)?;
        let n_bytes = row.checked_mul(n_rows as u64).ok_or_else(too_large)?;
        Ok((TensorInfo { n_cols, n_rows, kind, offset: 0, n_bytes }, offset))
    }
}

/// Reads the head of a file, and looks whether every tensor is within the file.
pub(super) fn head<R: Read + Seek>(reader: &mut R) -> Result<Head, GgufError> {
    let len = reader.seek(SeekFrom::End(0))?;
    reader.seek(SeekFrom::Start(0))?;
    let mut from = Reading { reader: BufReader::new(reader), at: 0, len };
    let mut magic = vec![0; len.min(4) as usize];
    from.reader.read_exact(&mut magic)?;
    from.at = magic.len() as u64;
    if magic != b"GGUF" {
        return Err(GgufError::NotGguf { found: String::from_utf8_lossy(&magic).into_owned() });
    }
    let found = from.u32("its version")?;
    if !matches!(found, 2 | 3) {
        return Err(GgufError::Version { found });
    }
    let (n_tensors, n_values) = (from.u64("its head")?, from.u64("its head")?);
    if n_tensors > MAX_ENTRIES || n_values > MAX_ENTRIES {
        return Err(GgufError::damaged(format!(
            "it says {n_tensors} tensors and {n_values} keys; {MAX_ENTRIES} of each are the most"
        )));
    }
    let mut head = Head::default();
    for _ in 0..n_values {
        let begin = from.at;
        let key = from.text(MAX_NAME, "a key")?;
        let kind = from.u32(&key)?;
        let value = from.value(kind, &key)?;
        head.entries.push((key.clone(), begin..from.at));
        head.values.insert(key, value);
    }
    let mut offsets = Vec::new();
    for _ in 0..n_tensors {
        let name = from.text(MAX_NAME, "a tensor's name")?;
        let (tensor, offset) = from.tensor(&name)?;
        offsets.push((name.clone(), offset));
        if head.tensors.insert(name.clone(), tensor).is_some() {
            return Err(GgufError::tensor(&name, "is there twice; each may be there once"));
        }
    }
    let alignment = head.size("general.alignment").unwrap_or(32) as u64;
    if !alignment.is_power_of_two() || alignment > 1 << 20 {
        return Err(GgufError::damaged(format!("it aligns tensors to {alignment} bytes")));
    }
    let start = from.at.next_multiple_of(alignment);
    let total = head.tensors.values().fold(0_u64, |sum, t| sum.saturating_add(t.n_bytes));
    if total > len {
        // Either the file is cut, or its tensors lie over each other.
        let needed = start.saturating_add(total);
        return Err(GgufError::Truncated { what: "its tensors".to_owned(), len, needed });
    }
    for (name, offset) in offsets {
        let Some(tensor) = head.tensors.get_mut(&name) else { continue };
        let needed = start.saturating_add(offset).saturating_add(tensor.n_bytes);
        if needed > len {
            return Err(GgufError::Truncated { what: format!("tensor {name:?}"), len, needed });
        }
        tensor.offset = start + offset;
    }
    Ok(head)
}

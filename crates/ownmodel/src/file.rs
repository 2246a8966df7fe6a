//! The file of weights: a head in JSON, then the weights in the order of the network.
//!
//! ```text
//! 8 bytes   GGOWN001
//! 4 bytes   length of the head, little endian
//! head      {"width": …, "layers": …, "heads": …, "place_heads": …, "hidden": …,
//!            "numbers": "f32" | "f16" | "i8", "vocabulary": …, "about": {…}}
//! weights   f32 and f16: the numbers. i8: of each row of a matrix its scale as f32, then its
//!           numbers; vectors as f32
//! ```

use serde_json::{Map, Value, json};

use crate::shape::{Config, Layout};
use crate::vocabulary::{
    FIRST_LETTER, FIRST_NAME, FIRST_WORD, FUNCTIONS, KEYS, N_NAMES, N_VOCAB, words,
};
use crate::{OwnError, OwnNetwork};

const MAGIC: &[u8; 8] = b"GGOWN001";
/// A head is shorter than this.
const MAX_HEAD: usize = 100_000;
/// A file is shorter than this.
pub const MAX_FILE: usize = 64_000_000;

/// How weights are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// As they are.
    F32,
    /// Of 16 bits.
    F16,
    /// Of eight bits, with a scale for each row.
    I8,
}

impl Numbers {
    fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::I8 => "i8",
        }
    }

    /// The kind of that name: `f32`, `f16` or `i8`.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::F32, Self::F16, Self::I8].into_iter().find(|kind| kind.name() == name)
    }
}

/// A number for the table of tokens that weights were trained with: it changes where a token would
/// mean something else.
pub fn vocabulary_hash() -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let forms = crate::forms::FORMS.iter().flat_map(|form| [form.pattern, form.separator]);
    let names = FUNCTIONS.iter().map(|(name, _)| *name).chain(KEYS.iter().copied());
    let groups = [FIRST_WORD, FIRST_LETTER, FIRST_NAME, N_NAMES, N_VOCAB as u32];
    let groups = groups.iter().flat_map(|first| first.to_le_bytes());
    let texts = names.chain(forms).chain(words().iter().copied());
    for byte in texts.flat_map(|text| text.bytes().chain([0])).chain(groups) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

/// Tables that this one began as: their numbers, and how many tokens they had.
const OLDER_TABLES: &[(u64, usize)] = &[(0xcc39_60b8_d888_5d20, 1664)];

/// The bytes of a file. `about` is what its maker tells of it.
pub fn write(network: &OwnNetwork, numbers: Numbers, about: &Map<String, Value>) -> Vec<u8> {
    let Config { width, n_layers, n_heads, n_place_heads, hidden } = *network.config();
    let head = json!({
        "width": width, "layers": n_layers, "heads": n_heads, "place_heads": n_place_heads,
        "hidden": hidden, "numbers": numbers.name(),
        "vocabulary": format!("{:016x}", vocabulary_hash()), "about": about,
    })
    .to_string();
    let mut out = MAGIC.to_vec();
    out.extend((head.len() as u32).to_le_bytes());
    out.extend(head.as_bytes());
    for tensor in Layout::new(network.config()).tensors {
        let weights = &network.weights()[tensor.range()];
        match numbers {
            Numbers::I8 if tensor.rows > 1 => {
                for row in weights.chunks_exact(tensor.columns) {
                    let most = row.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
                    let scale = most / 127.0;
                    out.extend(scale.to_le_bytes());
                    let by = if scale > 0.0 { 1.0 / scale } else { 0.0 };
                    out.extend(row.iter().map(|x| (x * by).round() as i8 as u8));
                }
            }
            Numbers::F16 => {
                out.extend(weights.iter().flat_map(|x| narrow(*x).to_le_bytes()));
            }
            _ => out.extend(weights.iter().flat_map(|x| x.to_le_bytes())),
        }
    }
    out
}

/// What the head of a file says.
#[derive(Clone, Debug)]
pub struct FileHead {
    /// The sizes of the network.
    pub config: Config,
    /// How weights are written.
    pub numbers: Numbers,
    /// Tokens of the table that it was trained with, which are the first of this program's.
    pub n_tokens: usize,
    /// What its maker tells of it.
    pub about: Map<String, Value>,
}

impl FileHead {
    /// Whether the weights learned what names are.
    pub fn knows_names(&self) -> bool {
        self.about.get(KNOWS_NAMES) == Some(&true.into())
    }
}

/// The member of [`FileHead::about`] that says whether weights learned what names are.
pub const KNOWS_NAMES: &str = "names";

/// Reads a file.
///
/// # Errors
/// It is none of this form, cut off or too long, its sizes are out of bounds, it was trained with
/// other tokens, or a weight is no number.
pub fn read(bytes: &[u8]) -> Result<(OwnNetwork, FileHead), OwnError> {
    let Parts { mut head, vocabulary, rest } = parts(bytes)?;
    let fault = |reason: &str| OwnError::file(reason);
    let known = OLDER_TABLES.iter().find(|(hash, _)| *hash == vocabulary).map(|(_, n)| *n);
    let n_tokens = match known {
        _ if vocabulary == vocabulary_hash() => N_VOCAB,
        Some(n) => n,
        None => {
            return Err(fault("it was trained with another table of tokens than this program has"));
        }
    };
    head.n_tokens = n_tokens;
    let mut weights =
        read_weights(&Layout::with_tokens(&head.config, n_tokens), head.numbers, rest)?;
    // The embedding is the first of all. What an older table lacks is nothing, and is never drawn.
    let width = head.config.width;
    let behind = n_tokens * width;
    weights.splice(behind..behind, std::iter::repeat_n(0.0, (N_VOCAB - n_tokens) * width));
    let network =
        OwnNetwork::new(head.config, weights).ok_or_else(|| fault("its sizes do not fit"))?;
    let network = if head.knows_names() { network } else { network.without_mentions() };
    Ok((network, head))
}

/// The parts of a file.
struct Parts<'b> {
    head: FileHead,
    /// The number of its table of tokens.
    vocabulary: u64,
    rest: &'b [u8],
}

fn parts(bytes: &[u8]) -> Result<Parts<'_>, OwnError> {
    let fault = |reason: &str| OwnError::file(reason);
    if bytes.len() > MAX_FILE {
        return Err(fault(&format!("{} bytes are more than {MAX_FILE}", bytes.len())));
    }
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| fault("it does not begin with GGOWN001"))?;
    let (len, rest) = rest.split_first_chunk::<4>().ok_or_else(|| fault("it is cut off"))?;
    let len = u32::from_le_bytes(*len) as usize;
    if len > MAX_HEAD {
        return Err(fault(&format!("its head has {len} bytes; there may be {MAX_HEAD}")));
    }
    let (head, rest) = rest.split_at_checked(len).ok_or_else(|| fault("its head is cut off"))?;
    let head: Value = serde_json::from_slice(head)
        .map_err(|error| fault(&format!("its head is no JSON: {error}")))?;
    let size = |name: &str| {
        let n = head.get(name).and_then(Value::as_u64);
        n.and_then(|n| usize::try_from(n).ok())
            .ok_or_else(|| fault(&format!("its head has no number {name:?}")))
    };
    let config = Config {
        width: size("width")?,
        n_layers: size("layers")?,
        n_heads: size("heads")?,
        n_place_heads: size("place_heads")?,
        hidden: size("hidden")?,
    };
    config.check()?;
    let named = |name: &str| head.get(name).and_then(Value::as_str).unwrap_or_default();
    let numbers = Numbers::from_name(named("numbers")).ok_or_else(|| {
        fault(&format!("its numbers are {:?}; there are f32, f16 and i8", named("numbers")))
    })?;
    let vocabulary = u64::from_str_radix(named("vocabulary"), 16);
    let vocabulary = vocabulary.map_err(|_| fault("its head has no number of its table"))?;
    let about = head.get("about").and_then(Value::as_object).cloned().unwrap_or_default();
    Ok(Parts { head: FileHead { config, numbers, n_tokens: N_VOCAB, about }, vocabulary, rest })
}

/// Bytes of weights.
fn n_bytes(layout: &Layout, numbers: Numbers) -> usize {
    layout.tensors.iter().map(|tensor| tensor_bytes(tensor, numbers)).sum()
}

fn tensor_bytes(tensor: &crate::Tensor, numbers: Numbers) -> usize {
    match numbers {
        Numbers::I8 if tensor.rows > 1 => tensor.rows * (tensor.columns + 4),
        Numbers::F16 => 2 * tensor.rows * tensor.columns,
        _ => 4 * tensor.rows * tensor.columns,
    }
}

fn read_weights(layout: &Layout, numbers: Numbers, bytes: &[u8]) -> Result<Vec<f32>, OwnError> {
    let wanted = n_bytes(layout, numbers);
    if bytes.len() != wanted {
        return Err(OwnError::file(format!(
            "there are {} bytes of weights where its sizes need {wanted}",
            bytes.len()
        )));
    }
    let mut weights = Vec::with_capacity(layout.total);
    let mut rest = bytes;
    for tensor in &layout.tensors {
        let (part, after) = rest.split_at(tensor_bytes(tensor, numbers));
        rest = after;
        match numbers {
            Numbers::I8 if tensor.rows > 1 => {
                for row in part.chunks_exact(tensor.columns + 4) {
                    let Some((scale, row)) = row.split_first_chunk::<4>() else { continue };
                    let scale = f32::from_le_bytes(*scale);
                    weights.extend(row.iter().map(|x| f32::from(*x as i8) * scale));
                }
            }
            Numbers::F16 => {
                weights
                    .extend(part.as_chunks::<2>().0.iter().map(|x| widen(u16::from_le_bytes(*x))));
            }
            _ => weights.extend(part.as_chunks::<4>().0.iter().map(|x| f32::from_le_bytes(*x))),
        }
    }
    if weights.iter().any(|x| !x.is_finite()) {
        return Err(OwnError::file("a weight is not a finite number"));
    }
    Ok(weights)
}

/// A number of 16 bits as one of 32.
fn widen(h: u16) -> f32 {
    let sign = if h & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(h >> 10 & 31), f32::from(h & 1023));
    sign * match exponent {
        0 => fraction * 2.0_f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2.0_f32.powi(exponent - 15),
    }
}

/// The nearest number of 16 bits.
fn narrow(x: f32) -> u16 {
    let sign = ((x.to_bits() >> 16) & 0x8000) as u16;
    let x = x.abs();
    if !x.is_finite() || x >= 65_520.0 {
        return sign | 0x7c00;
    }
    if x < 2.0_f32.powi(-14) {
        return sign | (x * 2.0_f32.powi(24)).round_ties_even() as u16;
    }
    let exponent = (x.to_bits() >> 23) as i32 - 127;
    let fraction = ((x / 2.0_f32.powi(exponent) - 1.0) * 1024.0).round_ties_even() as u16;
    // A fraction that is rounded up to 1 raises the exponent by itself.
    sign | (((exponent + 15) as u16) << 10).wrapping_add(fraction)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_of_16_bits_come_back(h in 0_u16..0x7c00, sign in 0_u16..2) {
            let h = h | sign << 15;
            prop_assert_eq!(narrow(widen(h)), h);
        }

        #[test]
        fn the_nearest_is_taken(x in -60000.0_f32..60000.0) {
            let found = widen(narrow(x));
            prop_assert!((found - x).abs() <= x.abs() / 2048.0 + 3e-8);
        }

        #[test]
        fn no_bytes_break_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            prop_assert!(read(&bytes).is_err());
            let mut with_magic = MAGIC.to_vec();
            with_magic.extend(bytes);
            prop_assert!(read(&with_magic).is_err());
        }
    }

    #[test]
    fn a_file_comes_back() {
        let config = Config { width: 16, n_layers: 1, n_heads: 2, n_place_heads: 1, hidden: 24 };
        let n = config.n_weights();
        let weights: Vec<f32> = (0..n).map(|i| ((i * 37 % 101) as f32 - 50.0) / 64.0).collect();
        let network = OwnNetwork::new(config, weights).unwrap();
        let about = Map::from_iter([("steps".to_owned(), 5.into())]);
        for (numbers, off) in [(Numbers::F32, 0.0), (Numbers::F16, 4e-4), (Numbers::I8, 4e-3)] {
            let bytes = write(&network, numbers, &about);
            let (back, head) = read(&bytes).unwrap();
            assert_eq!(head.about, about);
            let pairs = back.weights().iter().zip(network.weights());
            assert!(pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max) <= off);
            for cut in [3, 10, 40, bytes.len() - 1] {
                assert!(read(&bytes[..cut]).is_err());
            }
            let longer = [&bytes[..], &[0]].concat();
            assert!(read(&longer).unwrap_err().to_string().contains("bytes of weights"));
        }
    }
}

//! Tensors by their other names, with heads in the order that the file's architecture has.

use std::io::Write;

use half::{bf16, f16};

use super::{HuggingTensor, Sizes, refused};
use crate::GgufError;
use crate::file::{Kind, NewTensor, Writing};

/// The most numbers of a tensor.
const MOST_NUMBERS: u64 = 1 << 36;

/// Where the numbers of a new tensor come from.
enum From {
    /// The tensor of that name, as it is stored.
    Bytes(String),
    /// The same with the rows of each of so many heads in another order.
    Heads(String, usize),
    /// The same in 32 bits: vectors are small, and readers expect them so.
    Vector(String, Kind),
    /// Numbers of our own.
    Made(Vec<f32>),
}

/// What a file will have.
pub(super) struct Plan {
    tensors: Vec<(NewTensor, From)>,
}

fn kind_of(tensor: &HuggingTensor) -> Result<Kind, GgufError> {
    Ok(match tensor.kind.as_str() {
        "F32" => Kind::F32,
        "F16" => Kind::F16,
        "BF16" => Kind::Bf16,
        other => {
            return Err(refused(format!(
                "tensor {:?} is stored as {other}; F32, F16 and BF16 are read",
                tensor.name
            )));
        }
    })
}

/// The name that files have for a tensor; none for one that is computed anyway.
fn renamed(name: &str) -> Result<Option<String>, GgufError> {
    const PLAIN: [(&str, &str); 3] = [
        ("model.embed_tokens.weight", "token_embd.weight"),
        ("model.norm.weight", "output_norm.weight"),
        ("lm_head.weight", "output.weight"),
    ];
    const OF_LAYER: [(&str, &str); 9] = [
        ("self_attn.q_proj", "attn_q"),
        ("self_attn.k_proj", "attn_k"),
        ("self_attn.v_proj", "attn_v"),
        ("self_attn.o_proj", "attn_output"),
        ("mlp.gate_proj", "ffn_gate"),
        ("mlp.up_proj", "ffn_up"),
        ("mlp.down_proj", "ffn_down"),
        ("input_layernorm", "attn_norm"),
        ("post_attention_layernorm", "ffn_norm"),
    ];
    if name.ends_with("rotary_emb.inv_freq") {
        return Ok(None);
    }
    if let Some((_, new)) = PLAIN.iter().find(|(old, _)| *old == name) {
        return Ok(Some((*new).to_owned()));
    }
    let of_layer = name.strip_prefix("model.layers.").and_then(|rest| rest.split_once('.'));
    let found = of_layer.and_then(|(layer, rest)| {
        let layer: u32 = layer.parse().ok()?;
        let (part, end) =
            rest.rsplit_once('.').filter(|(_, end)| ["weight", "bias"].contains(end))?;
        let (_, new) = OF_LAYER.iter().find(|(old, _)| *old == part)?;
        Some(format!("blk.{layer}.{new}.{end}"))
    });
    match found {
        Some(new) => Ok(Some(new)),
        None => Err(refused(format!(
            "tensor {name:?} is none of a network of llama's or Qwen 2's shape"
        ))),
    }
}

impl Plan {
    pub(super) fn new(
        sizes: &Sizes,
        given: &[HuggingTensor],
        factors: Option<Vec<f32>>,
    ) -> Result<Self, GgufError> {
        let mut tensors = Vec::new();
        for tensor in given {
            let Some(name) = renamed(&tensor.name)? else { continue };
            // The embedding serves; some files have it twice all the same.
            if name == "output.weight" && sizes.is_tied {
                continue;
            }
            let (n_rows, n_cols) = match *tensor.shape.as_slice() {
                [n] => (1, n),
                [rows, cols] => (rows, cols),
                _ => {
                    let sides = tensor.shape.len();
                    return Err(refused(format!("tensor {:?} has {sides} sides", tensor.name)));
                }
            };
            if n_rows.checked_mul(n_cols).is_none_or(|n| n as u64 > MOST_NUMBERS) {
                return Err(refused(format!("tensor {:?} has too many numbers", tensor.name)));
            }
            let stored = kind_of(tensor)?;
            let given = tensor.name.clone();
            // Where neighbours are turned and not halves, heads are stored in another order.
            let heads = match name.rsplit_once("attn_") {
                Some((_, "q.weight")) => Some(sizes.n_heads),
                Some((_, "k.weight")) => Some(sizes.n_kv_heads),
                _ => None,
            };
            let heads = heads.filter(|_| sizes.architecture == "llama");
            let (kind, from) = match heads {
                _ if n_rows == 1 => (Kind::F32, From::Vector(given, stored)),
                Some(n) if n_rows != n * sizes.head_dim => {
                    return Err(refused(format!(
                        "tensor {given:?} has {n_rows} rows; {n} heads of {} were expected",
                        sizes.head_dim
                    )));
                }
                Some(n) => (stored, From::Heads(given, n)),
                None => (stored, From::Bytes(given)),
            };
            tensors.push((NewTensor { name, n_cols, n_rows, kind }, from));
        }
        if let Some(factors) = factors {
            let (name, n_cols) = ("rope_freqs.weight".to_owned(), factors.len());
            let tensor = NewTensor { name, n_cols, n_rows: 1, kind: Kind::F32 };
            tensors.push((tensor, From::Made(factors)));
        }
        tensors.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
        if let Some(pair) = tensors.windows(2).find(|pair| pair[0].0.name == pair[1].0.name) {
            return Err(refused(format!("there are two tensors {:?}", pair[0].0.name)));
        }
        Ok(Self { tensors })
    }

    /// The number of the kind that most of the file is stored as.
    pub(super) fn file_type(&self) -> usize {
        let largest = self.tensors.iter().max_by_key(|(tensor, _)| tensor.room());
        match largest.map(|(tensor, _)| tensor.kind) {
            Some(Kind::F16) => 1,
            Some(Kind::Bf16) => 32,
            _ => 0,
        }
    }

    pub(super) fn write(
        self,
        head: Writing,
        read: &mut impl FnMut(&str) -> std::io::Result<Vec<u8>>,
        out: &mut impl Write,
    ) -> Result<(), GgufError> {
        let (tensors, from): (Vec<NewTensor>, Vec<From>) = self.tensors.into_iter().unzip();
        out.write_all(&head.finish(&tensors))?;
        for (tensor, from) in tensors.iter().zip(from) {
            let bytes = match from {
                From::Bytes(name) => read(&name)?,
                From::Heads(name, n) => interleaved(&read(&name)?, n, tensor.n_rows),
                From::Vector(name, kind) => wide(&read(&name)?, kind),
                From::Made(numbers) => numbers.iter().flat_map(|x| x.to_le_bytes()).collect(),
            };
            let needed = tensor.kind.bytes_of(tensor.n_cols * tensor.n_rows).unwrap_or_default();
            if bytes.len() as u64 != needed {
                let found = bytes.len();
                return Err(refused(format!(
                    "tensor {:?} has {found} bytes; {needed} were expected",
                    tensor.name
                )));
            }
            out.write_all(&bytes)?;
            out.write_all(&vec![0; (tensor.room() - needed) as usize])?;
        }
        Ok(())
    }
}

/// The rows of each head so that what was turned as two halves is turned as neighbours: row `t` of the
/// first half, then row `t` of the second.
fn interleaved(bytes: &[u8], n_heads: usize, n_rows: usize) -> Vec<u8> {
    let (row, head_dim) = (bytes.len() / n_rows.max(1), n_rows / n_heads.max(1));
    let half = head_dim / 2;
    let mut out = Vec::with_capacity(bytes.len());
    for head in 0..n_heads {
        for t in 0..half {
            for from in [head * head_dim + t, head * head_dim + half + t] {
                out.extend(bytes.get(from * row..(from + 1) * row).unwrap_or_default());
            }
        }
    }
    out
}

fn wide(bytes: &[u8], kind: Kind) -> Vec<u8> {
    let of = |x: f32| x.to_le_bytes();
    match kind {
        Kind::F16 => {
            let two = bytes.chunks_exact(2).map(|b| f16::from_le_bytes([b[0], b[1]]).to_f32());
            two.flat_map(of).collect()
        }
        Kind::Bf16 => {
            let two = bytes.chunks_exact(2).map(|b| bf16::from_le_bytes([b[0], b[1]]).to_f32());
            two.flat_map(of).collect()
        }
        _ => bytes.to_vec(),
    }
}

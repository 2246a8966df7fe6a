//! Weights out of a file, row by row.

use std::io::{Read, Seek};

use super::attention::Rope;
use super::kernels::Level;
use super::matrix::{Matrix, unpack};
use super::{Config, DecoderSizes, Layer, Network};
use crate::GgufError;
use crate::file::File;

/// Bytes of a file that are held beside the weights.
const PIECE: u64 = 1 << 20;

struct Loading<'a, R> {
    file: &'a mut File<R>,
    progress: &'a mut dyn FnMut(u64, u64),
    done: u64,
}

impl<R: Read + Seek> Loading<'_, R> {
    fn matrix(&mut self, name: &str, n_cols: usize, n_rows: usize) -> Result<Matrix, GgufError> {
        let tensor = self.file.head.tensor(name)?.clone();
        if (tensor.n_cols, tensor.n_rows) != (n_cols, n_rows) {
            let (cols, rows) = (tensor.n_cols, tensor.n_rows);
            return Err(GgufError::tensor(
                name,
                format!("has {cols} × {rows} numbers; expected {n_cols} × {n_rows}"),
            ));
        }
        let mut matrix = Matrix::with_room(&tensor);
        let row = tensor.n_bytes / (tensor.n_rows as u64).max(1);
        let step = (PIECE / row.max(1)).max(1) * row;
        let mut piece = Vec::new();
        let mut at = 0;
        while at < tensor.n_bytes {
            let n = step.min(tensor.n_bytes - at);
            piece.resize(n as usize, 0);
            self.file.bytes_of(&tensor, at, &mut piece)?;
            matrix.push(tensor.kind, &piece)?;
            at += n;
            self.done += n;
            (self.progress)(self.done, self.file.summary().file_bytes);
        }
        Ok(matrix)
    }

    /// A vector of weights, which are few.
    fn vector(&mut self, name: &str, n: usize) -> Result<Vec<f32>, GgufError> {
        let tensor = self.file.head.tensor(name)?.clone();
        let found = tensor.n_cols.saturating_mul(tensor.n_rows);
        if found != n {
            return Err(GgufError::tensor(name, format!("has {found} numbers; expected {n}")));
        }
        let mut bytes = vec![0; tensor.n_bytes as usize];
        self.file.bytes_of(&tensor, 0, &mut bytes)?;
        self.done += tensor.n_bytes;
        unpack(tensor.kind, &bytes)
    }

    /// The same where it may be missing.
    fn vector_if_any(&mut self, name: &str, n: usize) -> Result<Vec<f32>, GgufError> {
        if self.file.head.tensors.contains_key(name) {
            self.vector(name, n)
        } else {
            Ok(Vec::new())
        }
    }

    fn layer(&mut self, c: &Config, i: usize) -> Result<Layer, GgufError> {
        let of = |end: &str| format!("blk.{i}.{end}");
        let (wide, kv) = (c.n_heads * c.head_dim, c.kv_dim());
        Ok(Layer {
            attention_norm: self.vector(&of("attn_norm.weight"), c.n_embd)?,
            q: self.matrix(&of("attn_q.weight"), c.n_embd, wide)?,
            k: self.matrix(&of("attn_k.weight"), c.n_embd, kv)?,
            v: self.matrix(&of("attn_v.weight"), c.n_embd, kv)?,
            biases: [
                self.vector_if_any(&of("attn_q.bias"), wide)?,
                self.vector_if_any(&of("attn_k.bias"), kv)?,
                self.vector_if_any(&of("attn_v.bias"), kv)?,
            ],
            output: self.matrix(&of("attn_output.weight"), wide, c.n_embd)?,
            ffn_norm: self.vector(&of("ffn_norm.weight"), c.n_embd)?,
            gate: self.matrix(&of("ffn_gate.weight"), c.n_embd, c.n_ff)?,
            up: self.matrix(&of("ffn_up.weight"), c.n_embd, c.n_ff)?,
            down: self.matrix(&of("ffn_down.weight"), c.n_ff, c.n_embd)?,
        })
    }
}

impl Network {
    /// Reads the weights; tells `progress` how many bytes of how many are done.
    pub(crate) fn load<R: Read + Seek>(
        file: &mut File<R>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, GgufError> {
        let config = Config::of(&file.head)?;
        let c = &config;
        let mut from = Loading { file, progress, done: 0 };
        let embedding = from.matrix("token_embd.weight", c.n_embd, c.n_vocab)?;
        let mut layers = Vec::new();
        for i in 0..c.n_layers {
            layers.push(from.layer(c, i)?);
        }
        let norm = from.vector("output_norm.weight", c.n_embd)?;
        let has_head = from.file.head.tensors.contains_key("output.weight");
        let head =
            if has_head { Some(from.matrix("output.weight", c.n_embd, c.n_vocab)?) } else { None };
        let factors = from.vector_if_any("rope_freqs.weight", c.rope_dims / 2)?;
        let rope = Rope::new(c, &factors);
        Ok(Self { level: Level::best(), embedding, layers, norm, head, rope, config })
    }
}

impl<R: Read + Seek> File<R> {
    /// What the network is, for whoever computes it in another way.
    ///
    /// # Errors
    /// The metadata and the tensors do not bear each other out, or the reader fails.
    pub fn sizes(&mut self) -> Result<DecoderSizes, GgufError> {
        let config = Config::of(&self.head)?;
        let c = &config;
        let has_head = self.head.tensors.contains_key("output.weight");
        let mut from = Loading { file: self, progress: &mut |_, _| {}, done: 0 };
        let factors = from.vector_if_any("rope_freqs.weight", c.rope_dims / 2)?;
        Ok(DecoderSizes {
            n_layers: c.n_layers,
            n_embd: c.n_embd,
            n_ff: c.n_ff,
            n_heads: c.n_heads,
            n_kv_heads: c.n_kv_heads,
            head_dim: c.head_dim,
            n_vocab: c.n_vocab,
            n_ctx: c.n_ctx,
            eps: c.eps,
            turns: Rope::new(c, &factors).steps().to_vec(),
            turns_halves: c.is_neox,
            has_head,
        })
    }
}

//! What the network computes beside plain products: each with its slope by hand, because candle would
//! take the slopes of all weights, too, and most of them do not learn.

use candle_core::{CpuStorage, CustomOp1, CustomOp2, CustomOp3, Layout, Result, Shape, Tensor};
use rayon::prelude::*;

use super::attention::Attend;

/// The numbers of a tensor that lies in one piece.
pub(super) fn numbers<'s>(storage: &'s CpuStorage, layout: &Layout) -> Result<&'s [f32]> {
    let all = storage.as_slice::<f32>()?;
    match layout.contiguous_offsets() {
        Some((from, to)) => Ok(&all[from..to]),
        None => candle_core::bail!("internal error: a tensor lies in pieces"),
    }
}

/// Its numbers, copied.
pub(super) fn copied(x: &Tensor) -> Result<Vec<f32>> {
    x.flatten_all()?.to_vec1::<f32>()
}

fn made(numbers: Vec<f32>, like: &Tensor) -> Result<Tensor> {
    Tensor::from_vec(numbers, like.shape(), like.device())
}

/// A product with a matrix that does not learn: `y = x · Wᵀ`.
pub(super) struct Frozen(pub(super) Tensor);

impl CustomOp1 for Frozen {
    fn name(&self) -> &'static str {
        "frozen"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let x = Tensor::from_slice(numbers(storage, layout)?, layout.shape(), self.0.device())?;
        let y = x.matmul(&self.0.t()?)?;
        Ok((CpuStorage::F32(copied(&y)?), y.shape().clone()))
    }

    fn bwd(&self, _: &Tensor, _: &Tensor, d: &Tensor) -> Result<Option<Tensor>> {
        d.contiguous()?.matmul(&self.0).map(Some)
    }
}

/// Each row divided by its root mean square, times weights that do not learn.
pub(super) struct Norm {
    pub(super) weights: std::sync::Arc<Vec<f32>>,
    pub(super) eps: f32,
}

impl Norm {
    fn by(&self, row: &[f32]) -> f32 {
        let squares: f32 = row.iter().map(|x| x * x).sum();
        1.0 / (squares / row.len() as f32 + self.eps).sqrt()
    }
}

impl CustomOp1 for Norm {
    fn name(&self) -> &'static str {
        "norm"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let mut out = numbers(storage, layout)?.to_vec();
        out.par_chunks_exact_mut(self.weights.len()).for_each(|row| {
            let by = self.by(row);
            row.iter_mut().zip(self.weights.iter()).for_each(|(x, w)| *x *= by * w);
        });
        Ok((CpuStorage::F32(out), layout.shape().clone()))
    }

    fn bwd(&self, x: &Tensor, _: &Tensor, d: &Tensor) -> Result<Option<Tensor>> {
        let (x_all, mut out) = (copied(x)?, copied(d)?);
        let n = self.weights.len();
        out.par_chunks_exact_mut(n).zip(x_all.par_chunks_exact(n)).for_each(|(d, x)| {
            let by = self.by(x);
            d.iter_mut().zip(self.weights.iter()).for_each(|(d, w)| *d *= w);
            let shared: f32 = d.iter().zip(x).map(|(d, x)| d * x).sum();
            let shared = shared * by * by / n as f32;
            d.iter_mut().zip(x).for_each(|(d, x)| *d = by * (*d - shared * x));
        });
        made(out, x).map(Some)
    }
}

/// Turns heads by the places of their tokens.
pub(super) struct Turn {
    /// Sine and cosine for each pair of each row.
    pub(super) angles: std::sync::Arc<Vec<(f32, f32)>>,
    pub(super) head_dim: usize,
    /// Pairs of a head that turn.
    pub(super) n_pairs: usize,
    pub(super) halves: bool,
}

impl Turn {
    fn turn(&self, x: &mut [f32], width: usize, by: f32) {
        let n = self.n_pairs;
        if n == 0 {
            return;
        }
        let rows = x.par_chunks_exact_mut(width).zip(self.angles.par_chunks_exact(n));
        rows.for_each(|(row, angles)| {
            for head in row.chunks_exact_mut(self.head_dim) {
                for (i, (sin, cos)) in angles.iter().enumerate() {
                    let (a, b) = if self.halves { (i, i + n) } else { (2 * i, 2 * i + 1) };
                    let (x, y, sin) = (head[a], head[b], by * sin);
                    head[a] = x * cos - y * sin;
                    head[b] = x * sin + y * cos;
                }
            }
        });
    }
}

impl CustomOp1 for Turn {
    fn name(&self) -> &'static str {
        "turn"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let mut out = numbers(storage, layout)?.to_vec();
        self.turn(&mut out, layout.shape().dims2()?.1, 1.0);
        Ok((CpuStorage::F32(out), layout.shape().clone()))
    }

    fn bwd(&self, x: &Tensor, _: &Tensor, d: &Tensor) -> Result<Option<Tensor>> {
        let mut out = copied(d)?;
        self.turn(&mut out, x.dims2()?.1, -1.0);
        made(out, x).map(Some)
    }
}

/// The gate of the gated network: `silu(gate) · up`.
pub(super) struct Gate;

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl CustomOp2 for Gate {
    fn name(&self) -> &'static str {
        "gate"
    }

    fn cpu_fwd(
        &self,
        s1: &CpuStorage,
        l1: &Layout,
        s2: &CpuStorage,
        l2: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (gate, up) = (numbers(s1, l1)?, numbers(s2, l2)?);
        let of = |(g, u): (&f32, &f32)| g * sigmoid(*g) * u;
        let out: Vec<f32> = gate.par_iter().zip(up).with_min_len(4096).map(of).collect();
        Ok((CpuStorage::F32(out), l1.shape().clone()))
    }

    fn bwd(
        &self,
        gate: &Tensor,
        up: &Tensor,
        _: &Tensor,
        d: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let (g, u, d) = (copied(gate)?, copied(up)?, copied(d)?);
        let of = |((g, u), d): ((&f32, &f32), &f32)| {
            let s = sigmoid(*g);
            (d * u * s * (1.0 + g * (1.0 - s)), d * g * s)
        };
        let both = g.par_iter().zip(&u).zip(&d).with_min_len(4096).map(of);
        let (d_gate, d_up): (Vec<f32>, Vec<f32>) = both.unzip();
        Ok((Some(made(d_gate, gate)?), Some(made(d_up, up)?)))
    }
}

/// The sum of the losses of rows of logits, each against the token that is right.
pub(super) struct CrossEntropy(pub(super) std::sync::Arc<Vec<u32>>);

impl CustomOp1 for CrossEntropy {
    fn name(&self) -> &'static str {
        "cross entropy"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (n, n_vocab) = layout.shape().dims2()?;
        let logits = numbers(storage, layout)?;
        let of = |(row, right): (&[f32], &u32)| loss_of(row, *right);
        let losses: Vec<f64> =
            logits.par_chunks_exact(n_vocab).zip(self.0.par_iter()).map(of).collect();
        debug_assert_eq!(losses.len(), n);
        Ok((CpuStorage::F32(vec![losses.iter().sum::<f64>() as f32]), Shape::from(())))
    }

    fn bwd(&self, logits: &Tensor, _: &Tensor, d: &Tensor) -> Result<Option<Tensor>> {
        let by = d.to_scalar::<f32>()?;
        let (_, n_vocab) = logits.dims2()?;
        let mut out = copied(logits)?;
        out.par_chunks_exact_mut(n_vocab).zip(self.0.par_iter()).for_each(|(row, right)| {
            let most = row.iter().fold(f32::MIN, |a, b| a.max(*b));
            row.iter_mut().for_each(|x| *x = (*x - most).exp());
            let sum: f32 = row.iter().sum();
            row.iter_mut().for_each(|x| *x *= by / sum);
            if let Some(x) = row.get_mut(*right as usize) {
                *x -= by;
            }
        });
        made(out, logits).map(Some)
    }
}

/// The loss of a row of logits, in 64 bits.
pub(super) fn loss_of(row: &[f32], right: u32) -> f64 {
    let most = row.iter().fold(f32::MIN, |a, b| a.max(*b));
    let sum: f64 = row.iter().map(|x| f64::from((x - most).exp())).sum();
    f64::from(most) + sum.ln() - f64::from(row.get(right as usize).copied().unwrap_or(f32::MIN))
}

impl CustomOp3 for Attend {
    fn name(&self) -> &'static str {
        "attend"
    }

    fn cpu_fwd(
        &self,
        s1: &CpuStorage,
        l1: &Layout,
        s2: &CpuStorage,
        l2: &Layout,
        s3: &CpuStorage,
        l3: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let out = self.forward(numbers(s1, l1)?, numbers(s2, l2)?, numbers(s3, l3)?);
        Ok((CpuStorage::F32(out), l1.shape().clone()))
    }

    fn bwd(
        &self,
        q: &Tensor,
        k: &Tensor,
        v: &Tensor,
        _: &Tensor,
        d: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let [d_q, d_k, d_v] = self.backward(&copied(q)?, &copied(k)?, &copied(v)?, &copied(d)?);
        Ok((Some(made(d_q, q)?), Some(made(d_k, k)?), Some(made(d_v, v)?)))
    }
}

//! A network of llama's shape that lets adapters learn: RMSNorm, turned heads that share keys, a gated
//! network, and an embedding that may serve for what comes out, too.

use std::io::{Read, Seek};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use candle_core::{Device, Tensor, Var};
use gguf::{DecoderSizes, File};

use super::adapters::{Adapters, Place};
use super::attention::Attend;
use super::ops::{CrossEntropy, Frozen, Gate, Norm, Turn, copied, loss_of};
use super::{Base, Example, Loss};

/// The matrices of a layer that are adapted, by the names that files have for them.
const ADAPTED: [&str; 7] =
    ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"];

struct Layer {
    attention_norm: Arc<Vec<f32>>,
    ffn_norm: Arc<Vec<f32>>,
    /// In the order of [`ADAPTED`].
    matrices: [Tensor; 7],
    /// What is added to queries, keys and values, where the file has it.
    biases: [Option<Tensor>; 3],
}

/// A network whose weights stay as they are.
pub(crate) struct Network {
    sizes: DecoderSizes,
    /// Rows of tokens.
    embedding: Tensor,
    /// Absent where the embedding serves.
    head: Option<Tensor>,
    norm: Arc<Vec<f32>>,
    layers: Vec<Layer>,
}

/// Adapters as candle takes them.
struct Live {
    /// `A` and `B` of each matrix.
    pairs: Vec<(Var, Var)>,
    rank: usize,
    scale: f64,
}

impl Live {
    fn new(adapters: &Adapters, learned: &[f32]) -> Result<Self> {
        let mut pairs = Vec::new();
        for (i, place) in adapters.places.iter().enumerate() {
            let var = |numbers: &[f32], rows, columns| {
                Var::from_slice(numbers, (rows, columns), &Device::Cpu)
            };
            let a = var(&learned[adapters.a(i)], adapters.rank, place.columns)?;
            let b = var(&learned[adapters.b(i)], place.rows, adapters.rank)?;
            pairs.push((a, b));
        }
        Ok(Self { pairs, rank: adapters.rank, scale: f64::from(adapters.scale) })
    }

    /// What a matrix gives with its adapter.
    fn apply(&self, i: usize, matrix: &Tensor, x: &Tensor) -> Result<Tensor> {
        let y = x.apply_op1(Frozen(matrix.clone()))?;
        if self.rank == 0 {
            return Ok(y);
        }
        let Some((a, b)) = self.pairs.get(i) else { return Ok(y) };
        let low = x.matmul(&a.t()?)?;
        Ok((y + (low.matmul(&b.t()?)? * self.scale)?)?)
    }
}

/// The most numbers of a file that can be held in 32 bits by a program that wants to end.
const MAX_PARAMETERS: u64 = 4_000_000_000;

impl Network {
    /// Reads all weights of a file, in 32 bits.
    pub(crate) fn load<R: Read + Seek>(file: &mut File<R>) -> Result<Self> {
        let n = file.summary().n_parameters;
        if n > MAX_PARAMETERS {
            bail!(
                "{n} parameters take {} GB in 32 bits; {MAX_PARAMETERS} are the most",
                n * 4 / 1_000_000_000
            );
        }
        let sizes = file.sizes()?;
        let s = &sizes;
        let (wide, kv) = (s.n_heads * s.head_dim, s.n_kv_heads * s.head_dim);
        let rows = |i: usize| [wide, kv, kv, s.n_embd, s.n_ff, s.n_ff, s.n_embd][i];
        let columns =
            |i: usize| [s.n_embd, s.n_embd, s.n_embd, wide, s.n_embd, s.n_embd, s.n_ff][i];
        let has = |file: &File<R>, name: &str| file.tensors().any(|(known, ..)| known == name);
        let mut matrix = |name: &str, rows: usize, columns: usize| -> Result<Tensor> {
            Tensor::from_vec(file.numbers(name)?, (rows, columns), &Device::Cpu)
                .with_context(|| format!("tensor {name:?}"))
        };
        let embedding = matrix("token_embd.weight", s.n_vocab, s.n_embd)?;
        let head = match s.has_head {
            true => Some(matrix("output.weight", s.n_vocab, s.n_embd)?),
            false => None,
        };
        let norm = Arc::new(file.numbers("output_norm.weight")?);
        let mut layers = Vec::new();
        for l in 0..s.n_layers {
            let name = |end: &str| format!("blk.{l}.{end}.weight");
            let mut matrices = Vec::new();
            for (i, end) in ADAPTED.iter().enumerate() {
                let numbers = file.numbers(&name(end))?;
                let tensor = Tensor::from_vec(numbers, (rows(i), columns(i)), &Device::Cpu);
                matrices.push(tensor.with_context(|| format!("tensor {:?}", name(end)))?);
            }
            let Ok(matrices) = <[Tensor; 7]>::try_from(matrices) else { bail!("internal error") };
            let mut biases = [None, None, None];
            for (i, bias) in biases.iter_mut().enumerate() {
                let name = format!("blk.{l}.{}.bias", ADAPTED[i]);
                if has(file, &name) {
                    let numbers = file.numbers(&name)?;
                    *bias = Some(Tensor::from_vec(numbers, rows(i), &Device::Cpu)?);
                }
            }
            let mut norm = |end: &str| -> Result<Arc<Vec<f32>>> {
                let numbers = file.numbers(&name(end))?;
                if numbers.len() != s.n_embd {
                    bail!(
                        "tensor {:?} has {} numbers; expected {}",
                        name(end),
                        numbers.len(),
                        s.n_embd
                    );
                }
                Ok(Arc::new(numbers))
            };
            layers.push(Layer {
                attention_norm: norm("attn_norm")?,
                ffn_norm: norm("ffn_norm")?,
                matrices,
                biases,
            });
        }
        Ok(Self { embedding, head, norm, layers, sizes })
    }

    fn start(&self, tokens: &[u32]) -> Result<Tensor> {
        let rows = Tensor::from_slice(tokens, tokens.len(), &Device::Cpu)?;
        Ok(self.embedding.index_select(&rows, 0)?)
    }

    fn normed(&self, x: &Tensor, weights: &Arc<Vec<f32>>) -> Result<Tensor> {
        Ok(x.apply_op1(Norm { weights: Arc::clone(weights), eps: self.sizes.eps })?)
    }

    /// The logits of the tokens that follow the rows that are named, of texts one behind the other.
    fn logits(&self, live: &Live, texts: &[&[u32]], asking: &[u32]) -> Result<Tensor> {
        let s = &self.sizes;
        let lens: Arc<Vec<usize>> = Arc::new(texts.iter().map(|text| text.len()).collect());
        let angles = lens.iter().flat_map(|len| 0..*len).flat_map(|position| {
            s.turns.iter().map(move |turn| {
                let (sin, cos) = (position as f64 * turn).sin_cos();
                (sin as f32, cos as f32)
            })
        });
        let angles: Arc<Vec<(f32, f32)>> = Arc::new(angles.collect());
        let turned = |x: &Tensor| {
            x.apply_op1(Turn {
                angles: Arc::clone(&angles),
                head_dim: s.head_dim,
                n_pairs: s.turns.len(),
                halves: s.turns_halves,
            })
        };
        let (n_heads, n_kv_heads, head_dim) = (s.n_heads, s.n_kv_heads, s.head_dim);
        let attend = Attend { lens, n_heads, n_kv_heads, head_dim };
        let mut x = self.start(&texts.concat())?;
        for (l, layer) in self.layers.iter().enumerate() {
            let apply =
                |i: usize, x: &Tensor| live.apply(l * ADAPTED.len() + i, &layer.matrices[i], x);
            let inner = self.normed(&x, &layer.attention_norm)?;
            let project = |i: usize| -> Result<Tensor> {
                let y = apply(i, &inner)?;
                Ok(match &layer.biases[i] {
                    Some(bias) => y.broadcast_add(bias)?,
                    None => y,
                })
            };
            let (q, k, v) = (turned(&project(0)?)?, turned(&project(1)?)?, project(2)?);
            let mixed = q.apply_op3(&k, &v, attend.clone())?;
            x = (x + apply(3, &mixed)?)?;
            let inner = self.normed(&x, &layer.ffn_norm)?;
            let wide = apply(4, &inner)?.apply_op2(&apply(5, &inner)?, Gate)?;
            x = (x + apply(6, &wide)?)?;
        }
        let rows = Tensor::from_slice(asking, asking.len(), &Device::Cpu)?;
        let x = self.normed(&x.index_select(&rows, 0)?, &self.norm)?;
        let head = self.head.as_ref().unwrap_or(&self.embedding);
        Ok(x.apply_op1(Frozen(head.clone()))?)
    }

    /// Logits of the token behind a text, with adapters: for whoever holds them against others'.
    #[cfg(test)]
    pub(crate) fn next(
        &self,
        adapters: &Adapters,
        learned: &[f32],
        text: &[u32],
    ) -> Result<Vec<f32>> {
        let live = Live::new(adapters, learned)?;
        Ok(copied(&self.logits(&live, &[text], &[text.len() as u32 - 1])?)?)
    }
}

/// A batch as the network takes it: texts without their last tokens, the rows that ask, what is right.
struct Asked<'t> {
    texts: Vec<&'t [u32]>,
    rows: Vec<u32>,
    right: Vec<u32>,
}

impl<'t> Asked<'t> {
    fn new(batch: &[&'t Example]) -> Self {
        let mut asked = Self { texts: Vec::new(), rows: Vec::new(), right: Vec::new() };
        let mut first = 0;
        for example in batch {
            let n = example.tokens.len().saturating_sub(1);
            for i in (0..n).filter(|i| example.is_own[i + 1]) {
                asked.rows.push((first + i) as u32);
                asked.right.push(example.tokens[i + 1]);
            }
            asked.texts.push(&example.tokens[..n]);
            first += n;
        }
        asked
    }
}

impl Base for Network {
    fn places(&self) -> Vec<Place> {
        let of = |l: usize| {
            let layer = &self.layers[l];
            ADAPTED.iter().zip(&layer.matrices).map(move |(end, matrix)| {
                let (rows, columns) = matrix.dims2().unwrap_or_default();
                Place { name: format!("blk.{l}.{end}.weight"), rows, columns }
            })
        };
        (0..self.layers.len()).flat_map(of).collect()
    }

    fn matrix(&self, i: usize) -> Result<Vec<f32>> {
        Ok(copied(&self.layers[i / ADAPTED.len()].matrices[i % ADAPTED.len()])?)
    }

    fn learn(
        &self,
        adapters: &Adapters,
        learned: &[f32],
        batch: &[&Example],
        gradient: Option<&mut [f32]>,
    ) -> Result<Loss> {
        let asked = Asked::new(batch);
        if asked.rows.is_empty() {
            return Ok(Loss::default());
        }
        let live = Live::new(adapters, learned)?;
        let logits = self.logits(&live, &asked.texts, &asked.rows)?;
        let mut loss = Loss::default();
        {
            let numbers = copied(&logits)?;
            for (row, right) in numbers.chunks_exact(self.sizes.n_vocab).zip(&asked.right) {
                let best = (0..row.len()).max_by(|a, b| row[*a].total_cmp(&row[*b]).then(b.cmp(a)));
                loss.n += 1;
                loss.n_right += usize::from(best == Some(*right as usize));
                loss.sum += loss_of(row, *right);
            }
        }
        let Some(gradient) = gradient else { return Ok(loss) };
        let sum = logits.apply_op1(CrossEntropy(Arc::new(asked.right)))?;
        let slopes = sum.backward()?;
        for (i, (a, b)) in live.pairs.iter().enumerate() {
            for (var, range) in [(a, adapters.a(i)), (b, adapters.b(i))] {
                if let Some(slope) = slopes.get(var) {
                    let slope = copied(slope)?;
                    gradient[range].iter_mut().zip(slope).for_each(|(g, more)| *g += more);
                }
            }
        }
        Ok(loss)
    }
}

//! How tokens look back at those before them in their own text.
//!
//! Texts of a batch lie one behind the other, and none is filled up to the length of the longest:
//! there is no padding that could attend, be attended to or carry a loss.

use std::sync::Arc;

use rayon::prelude::*;

/// Attention of texts that lie one behind the other.
#[derive(Clone)]
pub(super) struct Attend {
    /// The length of each text.
    pub(super) lens: Arc<Vec<usize>>,
    pub(super) n_heads: usize,
    pub(super) n_kv_heads: usize,
    pub(super) head_dim: usize,
}

/// A text and a head of keys, with the heads that ask it: what one thread does.
struct Job {
    first: usize,
    len: usize,
    kv: usize,
}

/// What a job gives: a row for each token of its text, of each head in turn.
#[derive(Default)]
struct Part {
    q: Vec<f32>,
    k: Vec<f32>,
    v: Vec<f32>,
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    // Eight sums at once, in an order that is always the same.
    let mut sums = [0.0_f32; 8];
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    for (a, b) in a.iter().zip(b) {
        for i in 0..8 {
            sums[i] += a[i] * b[i];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

fn add_times(into: &mut [f32], by: f32, x: &[f32]) {
    into.iter_mut().zip(x).for_each(|(into, x)| *into += by * x);
}

impl Attend {
    fn jobs(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        let mut first = 0;
        for len in self.lens.iter() {
            jobs.extend((0..self.n_kv_heads).map(|kv| Job { first, len: *len, kv }));
            first += len;
        }
        jobs
    }

    /// Heads that share keys and values.
    fn n_shared(&self) -> usize {
        self.n_heads / self.n_kv_heads
    }

    /// The rows of a head of one text, one behind the other.
    fn gathered(&self, x: &[f32], n_heads: usize, head: usize, job: &Job) -> Vec<f32> {
        let (dim, width) = (self.head_dim, self.head_dim * n_heads);
        let mut out = Vec::with_capacity(job.len * dim);
        for row in job.first..job.first + job.len {
            out.extend_from_slice(&x[row * width + head * dim..][..dim]);
        }
        out
    }

    fn scatter(&self, into: &mut [f32], n_heads: usize, head: usize, job: &Job, part: &[f32]) {
        let (dim, width) = (self.head_dim, self.head_dim * n_heads);
        for (row, part) in (job.first..).zip(part.chunks_exact(dim)) {
            into[row * width + head * dim..][..dim].copy_from_slice(part);
        }
    }

    /// How much a token weighs itself and each one before it.
    fn weights(&self, q: &[f32], k: &[f32], into: &mut Vec<f32>, n: usize) {
        let by = 1.0 / (self.head_dim as f32).sqrt();
        into.clear();
        into.extend(k.chunks_exact(self.head_dim).take(n).map(|k| by * dot(q, k)));
        let most = into.iter().fold(f32::MIN, |a, b| a.max(*b));
        into.iter_mut().for_each(|x| *x = (*x - most).exp());
        let sum: f32 = into.iter().sum();
        into.iter_mut().for_each(|x| *x /= sum);
    }

    pub(super) fn forward(&self, q: &[f32], k: &[f32], v: &[f32]) -> Vec<f32> {
        let (dim, shared) = (self.head_dim, self.n_shared());
        let jobs = self.jobs();
        let one = |job: &Job| {
            let keys = self.gathered(k, self.n_kv_heads, job.kv, job);
            let values = self.gathered(v, self.n_kv_heads, job.kv, job);
            let mut weights = Vec::with_capacity(job.len);
            let mut out = vec![0.0; shared * job.len * dim];
            for (s, out) in out.chunks_exact_mut(job.len * dim).enumerate() {
                let queries = self.gathered(q, self.n_heads, job.kv * shared + s, job);
                let rows = queries.chunks_exact(dim).zip(out.chunks_exact_mut(dim));
                for (i, (q, out)) in rows.enumerate() {
                    self.weights(q, &keys, &mut weights, i + 1);
                    for (w, v) in weights.iter().zip(values.chunks_exact(dim)) {
                        add_times(out, *w, v);
                    }
                }
            }
            out
        };
        let parts: Vec<Vec<f32>> = jobs.par_iter().map(one).collect();
        let mut out = vec![0.0; q.len()];
        for (job, part) in jobs.iter().zip(&parts) {
            for (s, part) in part.chunks_exact(job.len * dim).enumerate() {
                self.scatter(&mut out, self.n_heads, job.kv * shared + s, job, part);
            }
        }
        out
    }

    /// How the loss changes with queries, keys and values, given how it changes with what comes out.
    pub(super) fn backward(&self, q: &[f32], k: &[f32], v: &[f32], d: &[f32]) -> [Vec<f32>; 3] {
        let (dim, shared) = (self.head_dim, self.n_shared());
        let by = 1.0 / (dim as f32).sqrt();
        let jobs = self.jobs();
        let one = |job: &Job| {
            let keys = self.gathered(k, self.n_kv_heads, job.kv, job);
            let values = self.gathered(v, self.n_kv_heads, job.kv, job);
            let mut part = Part {
                q: vec![0.0; shared * job.len * dim],
                k: vec![0.0; job.len * dim],
                v: vec![0.0; job.len * dim],
            };
            let (mut weights, mut slopes) = (Vec::new(), Vec::new());
            for s in 0..shared {
                let head = job.kv * shared + s;
                let queries = self.gathered(q, self.n_heads, head, job);
                let slopes_out = self.gathered(d, self.n_heads, head, job);
                for i in 0..job.len {
                    let (q, d) = (&queries[i * dim..][..dim], &slopes_out[i * dim..][..dim]);
                    self.weights(q, &keys, &mut weights, i + 1);
                    slopes.clear();
                    slopes.extend(values.chunks_exact(dim).take(i + 1).map(|v| dot(d, v)));
                    let mean = dot(&weights, &slopes);
                    let d_q = &mut part.q[(s * job.len + i) * dim..][..dim];
                    for (j, (w, slope)) in weights.iter().zip(&slopes).enumerate() {
                        let at = j * dim..(j + 1) * dim;
                        let score = by * w * (slope - mean);
                        add_times(&mut part.v[at.clone()], *w, d);
                        add_times(d_q, score, &keys[at.clone()]);
                        add_times(&mut part.k[at], score, q);
                    }
                }
            }
            part
        };
        let parts: Vec<Part> = jobs.par_iter().map(one).collect();
        let (mut d_q, mut d_k, mut d_v) =
            (vec![0.0; q.len()], vec![0.0; k.len()], vec![0.0; v.len()]);
        for (job, part) in jobs.iter().zip(&parts) {
            for (s, part) in part.q.chunks_exact(job.len * dim).enumerate() {
                self.scatter(&mut d_q, self.n_heads, job.kv * shared + s, job, part);
            }
            self.scatter(&mut d_k, self.n_kv_heads, job.kv, job, &part.k);
            self.scatter(&mut d_v, self.n_kv_heads, job.kv, job, &part.v);
        }
        [d_q, d_k, d_v]
    }
}

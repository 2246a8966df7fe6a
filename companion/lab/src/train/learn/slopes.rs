//! The loss of a text, and its gradient: how it changes with each weight.

use super::loops::{
    add, cross_entropy, normalise, normalise_back, row_products, softmax_again, softmax_back,
    softmax_rows, swiglu, swiglu_back,
};
use super::matrix::{View, apply, back, gather, product};
use ownmodel::N_VOCAB;
use ownmodel::codec::ListPlace;
use ownmodel::{Angles, Config, LayerAt, Layout};

/// Rows of attention that are computed together.
const BLOCK: usize = 64;

/// A text to learn from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LessonText {
    /// Its tokens.
    pub tokens: Vec<u32>,
    /// The place of each in its list.
    pub places: Vec<ListPlace>,
    /// Of each, whether the model is to learn to say it.
    pub is_own: Vec<bool>,
}

/// What came of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The sum of the losses of the model's own tokens.
    pub loss: f64,
    /// For each of these tokens whether it was the likeliest.
    pub found: Vec<bool>,
}

/// What the backward pass needs of a layer.
struct Kept {
    x: Vec<f32>,
    by_1: Vec<f32>,
    h_1: Vec<f32>,
    /// The rows of `h_1` that ask; empty where all do.
    h_1_rows: Vec<f32>,
    q: Vec<f32>,
    k: Vec<f32>,
    v: Vec<f32>,
    logs: Vec<f32>,
    mixed: Vec<f32>,
    x_mid: Vec<f32>,
    by_2: Vec<f32>,
    h_2: Vec<f32>,
    gate: Vec<f32>,
    up: Vec<f32>,
}

/// A network that learns: its sizes and angles, without weights.
#[derive(Clone, Debug)]
pub struct Slopes {
    pub(super) config: Config,
    pub(super) layout: Layout,
    angles: Angles,
}

fn picked(x: &[f32], rows: &[usize], width: usize) -> Vec<f32> {
    let mut out = Vec::with_capacity(rows.len() * width);
    for row in rows {
        out.extend_from_slice(&x[row * width..(row + 1) * width]);
    }
    out
}

fn put_back(into: &mut [f32], rows: &[usize], more: &[f32], width: usize) {
    for (row, more) in rows.iter().zip(more.chunks_exact(width)) {
        add(&mut into[row * width..(row + 1) * width], more);
    }
}

impl Slopes {
    /// For networks of these sizes.
    pub fn new(config: Config) -> Self {
        Self { config, layout: Layout::new(&config), angles: Angles::new(&config) }
    }

    fn turn(&self, x: &mut [f32], rows: &[usize], places: &[ListPlace], by: f32) {
        for (x, row) in x.chunks_exact_mut(self.config.width).zip(rows) {
            self.angles.turn(&self.config, x, *row, places[*row].number, by);
        }
    }

    /// The loss of a text, without a gradient.
    pub fn measure(&self, weights: &[f32], text: &LessonText) -> Outcome {
        self.run(weights, text, None)
    }

    /// The loss of a text; adds its gradient to `gradient`.
    pub fn learn(&self, weights: &[f32], text: &LessonText, gradient: &mut [f32]) -> Outcome {
        self.run(weights, text, Some(gradient))
    }

    fn run(&self, w: &[f32], text: &LessonText, gradient: Option<&mut [f32]>) -> Outcome {
        let width = self.config.width;
        let n = text.tokens.len().saturating_sub(1);
        let asking: Vec<usize> = (0..n).filter(|i| text.is_own[i + 1]).collect();
        if asking.is_empty() {
            return Outcome::default();
        }
        let embed = &w[self.layout.embed..self.layout.embed + N_VOCAB * width];
        let mut x = Vec::with_capacity(n * width);
        let row = |token: u32| &embed[token as usize * width..][..width];
        for (token, place) in text.tokens[..n].iter().zip(&text.places) {
            let begun = x.len();
            x.extend_from_slice(row(*token));
            if let Some(list) = place.list {
                add(&mut x[begun..], row(list));
            }
        }
        let all: Vec<usize> = (0..n).collect();
        let n_layers = self.layout.layers.len();
        // The last layer is asked only for what follows it.
        let rows_of = |i: usize| if i + 1 == n_layers { &asking } else { &all };
        let mut kept = Vec::with_capacity(n_layers);
        for (i, layer) in self.layout.layers.iter().enumerate() {
            let (layer, out) = self.forward(w, layer, x, rows_of(i), &text.places);
            x = out;
            kept.push(layer);
        }
        let gain = &w[self.layout.norm..self.layout.norm + width];
        let (normed, by) = normalise(&x, gain);
        let mut logits = apply(&normed, embed, width, N_VOCAB);
        let right: Vec<u32> = asking.iter().map(|i| text.tokens[i + 1]).collect();
        let mut outcome = Outcome::default();
        outcome.loss = cross_entropy(&mut logits, N_VOCAB, &right, &mut outcome.found);
        let Some(g) = gradient else { return outcome };
        let mut d_normed = vec![0.0; normed.len()];
        back(&mut d_normed, &logits, embed, width, N_VOCAB);
        gather(&mut g[self.layout.embed..][..N_VOCAB * width], &logits, &normed, width, N_VOCAB);
        let mut d = vec![0.0; x.len()];
        normalise_back(&mut d, &mut g[self.layout.norm..][..width], &d_normed, &x, &by, gain);
        for (i, (layer, kept)) in self.layout.layers.iter().zip(kept).enumerate().rev() {
            d = self.backward(w, g, layer, kept, d, rows_of(i), &text.places);
        }
        let places = text.tokens[..n].iter().zip(&text.places);
        for ((token, place), d) in places.zip(d.chunks_exact(width)) {
            for token in [Some(*token), place.list].into_iter().flatten() {
                add(&mut g[self.layout.embed + token as usize * width..][..width], d);
            }
        }
        outcome
    }

    fn forward(
        &self,
        w: &[f32],
        at: &LayerAt,
        x: Vec<f32>,
        rows: &[usize],
        places: &[ListPlace],
    ) -> (Kept, Vec<f32>) {
        let Config { width, hidden, .. } = self.config;
        let n = x.len() / width;
        let part = |at: usize, len: usize| &w[at..at + len];
        let square = width * width;
        let (h_1, by_1) = normalise(&x, part(at.norm_1, width));
        let is_all = rows.len() == n;
        let h_1_rows = if is_all { Vec::new() } else { picked(&h_1, rows, width) };
        let asking = if is_all { &h_1 } else { &h_1_rows };
        let mut q = apply(asking, part(at.query, square), width, width);
        let mut k = apply(&h_1, part(at.key, square), width, width);
        let v = apply(&h_1, part(at.value, square), width, width);
        self.turn(&mut q, rows, places, 1.0);
        let all: Vec<usize> = (0..n).collect();
        self.turn(&mut k, &all, places, 1.0);
        let (mixed, logs) = self.attend(&q, &k, &v, rows);
        let mut x_mid = if is_all { x.clone() } else { picked(&x, rows, width) };
        add(&mut x_mid, &apply(&mixed, part(at.out, square), width, width));
        let (h_2, by_2) = normalise(&x_mid, part(at.norm_2, width));
        let gate = apply(&h_2, part(at.gate, hidden * width), width, hidden);
        let up = apply(&h_2, part(at.up, hidden * width), width, hidden);
        let mut out = x_mid.clone();
        let act = swiglu(&gate, &up);
        add(&mut out, &apply(&act, part(at.down, hidden * width), hidden, width));
        let kept =
            Kept { x, by_1, h_1, h_1_rows, q, k, v, logs, mixed, x_mid, by_2, h_2, gate, up };
        (kept, out)
    }

    /// What each asking row takes from the values of those before it and of itself; and the logarithms
    /// of the sums, head by head.
    fn attend(&self, q: &[f32], k: &[f32], v: &[f32], rows: &[usize]) -> (Vec<f32>, Vec<f32>) {
        let (width, head) = (self.config.width, self.config.head());
        let by = 1.0 / (head as f32).sqrt();
        let mut mixed = vec![0.0; q.len()];
        let mut logs = vec![0.0; rows.len() * self.config.n_heads];
        let mut scores = Vec::new();
        for h in 0..self.config.n_heads {
            let logs = &mut logs[h * rows.len()..(h + 1) * rows.len()];
            for (b, block) in rows.chunks(BLOCK).enumerate() {
                let (first, m) = (b * BLOCK, block.len());
                let seen: Vec<usize> = block.iter().map(|row| row + 1).collect();
                let n = seen.last().copied().unwrap_or_default();
                scores.clear();
                scores.resize(m * n, 0.0);
                let of = |at: usize, rows: usize| View::columns(at, rows, head, width);
                product(
                    (&mut scores, View::rows(m, n)),
                    (q, of(first * width + h * head, m)),
                    (k, of(h * head, n).turned()),
                    by,
                    0.0,
                );
                softmax_rows(&mut scores, n, &seen, &mut logs[first..first + m]);
                product(
                    (&mut mixed, of(first * width + h * head, m)),
                    (&scores, View::rows(m, n)),
                    (v, of(h * head, n)),
                    1.0,
                    0.0,
                );
            }
        }
        (mixed, logs)
    }

    /// How the loss changes with queries, keys and values.
    fn attend_back(&self, kept: &Kept, d: &[f32], rows: &[usize]) -> [Vec<f32>; 3] {
        let (width, head) = (self.config.width, self.config.head());
        let by = 1.0 / (head as f32).sqrt();
        let Kept { q, k, v, logs, mixed, .. } = kept;
        let mut d_q = vec![0.0; q.len()];
        let (mut d_k, mut d_v) = (vec![0.0; k.len()], vec![0.0; v.len()]);
        let (mut weights, mut d_scores) = (Vec::new(), Vec::new());
        let mut means = vec![0.0; rows.len()];
        for h in 0..self.config.n_heads {
            row_products(d, mixed, width, h * head..(h + 1) * head, &mut means);
            let logs = &logs[h * rows.len()..(h + 1) * rows.len()];
            for (b, block) in rows.chunks(BLOCK).enumerate() {
                let (first, m) = (b * BLOCK, block.len());
                let seen: Vec<usize> = block.iter().map(|row| row + 1).collect();
                let n = seen.last().copied().unwrap_or_default();
                let of = |at: usize, rows: usize| View::columns(at, rows, head, width);
                let (asking, all) = (of(first * width + h * head, m), of(h * head, n));
                let table = View::rows(m, n);
                weights.clear();
                weights.resize(m * n, 0.0);
                d_scores.clear();
                d_scores.resize(m * n, 0.0);
                product((&mut weights, table), (q, asking), (k, all.turned()), by, 0.0);
                softmax_again(&mut weights, n, &seen, &logs[first..first + m]);
                product((&mut d_v, all), (&weights, table.turned()), (d, asking), 1.0, 1.0);
                product((&mut d_scores, table), (d, asking), (v, all.turned()), 1.0, 0.0);
                softmax_back(&mut d_scores, &weights, n, &means[first..first + m]);
                product((&mut d_q, asking), (&d_scores, table), (k, all), by, 0.0);
                product((&mut d_k, all), (&d_scores, table.turned()), (q, asking), by, 1.0);
            }
        }
        [d_q, d_k, d_v]
    }

    #[expect(clippy::too_many_arguments, reason = "weights, gradient, and all that a layer kept")]
    fn backward(
        &self,
        w: &[f32],
        g: &mut [f32],
        at: &LayerAt,
        mut kept: Kept,
        d: Vec<f32>,
        rows: &[usize],
        places: &[ListPlace],
    ) -> Vec<f32> {
        let Config { width, hidden, .. } = self.config;
        let n = kept.x.len() / width;
        let (square, wide) = (width * width, width * hidden);
        let part = |at: usize, len: usize| &w[at..at + len];
        // The gated network.
        let act = swiglu(&kept.gate, &kept.up);
        gather(&mut g[at.down..][..wide], &d, &act, hidden, width);
        let mut d_act = vec![0.0; act.len()];
        back(&mut d_act, &d, part(at.down, wide), hidden, width);
        swiglu_back(&mut kept.gate, &mut kept.up, &d_act);
        gather(&mut g[at.gate..][..wide], &kept.gate, &kept.h_2, width, hidden);
        gather(&mut g[at.up..][..wide], &kept.up, &kept.h_2, width, hidden);
        let mut d_h = vec![0.0; kept.h_2.len()];
        back(&mut d_h, &kept.gate, part(at.gate, wide), width, hidden);
        back(&mut d_h, &kept.up, part(at.up, wide), width, hidden);
        let mut d_mid = d;
        let gain = part(at.norm_2, width);
        let d_gain = &mut g[at.norm_2..][..width];
        normalise_back(&mut d_mid, d_gain, &d_h, &kept.x_mid, &kept.by_2, gain);
        // Attention.
        gather(&mut g[at.out..][..square], &d_mid, &kept.mixed, width, width);
        let mut d_mixed = vec![0.0; kept.mixed.len()];
        back(&mut d_mixed, &d_mid, part(at.out, square), width, width);
        let [mut d_q, mut d_k, d_v] = self.attend_back(&kept, &d_mixed, rows);
        self.turn(&mut d_q, rows, places, -1.0);
        let all: Vec<usize> = (0..n).collect();
        self.turn(&mut d_k, &all, places, -1.0);
        let is_all = rows.len() == n;
        let asking = if is_all { &kept.h_1 } else { &kept.h_1_rows };
        gather(&mut g[at.query..][..square], &d_q, asking, width, width);
        gather(&mut g[at.key..][..square], &d_k, &kept.h_1, width, width);
        gather(&mut g[at.value..][..square], &d_v, &kept.h_1, width, width);
        let mut d_h = vec![0.0; kept.h_1.len()];
        back(&mut d_h, &d_k, part(at.key, square), width, width);
        back(&mut d_h, &d_v, part(at.value, square), width, width);
        let mut d_x = if is_all {
            back(&mut d_h, &d_q, part(at.query, square), width, width);
            d_mid
        } else {
            let mut d_rows = vec![0.0; d_q.len()];
            back(&mut d_rows, &d_q, part(at.query, square), width, width);
            put_back(&mut d_h, rows, &d_rows, width);
            let mut d_x = vec![0.0; kept.x.len()];
            put_back(&mut d_x, rows, &d_mid, width);
            d_x
        };
        let gain = part(at.norm_1, width);
        let d_gain = &mut g[at.norm_1..][..width];
        normalise_back(&mut d_x, d_gain, &d_h, &kept.x, &kept.by_1, gain);
        d_x
    }
}

//! Sizes of the network, and where each of its weights lies among all.

use std::ops::Range;

use crate::OwnError;
use crate::vocabulary::N_VOCAB;

/// Sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The hidden size: how wide the stream between layers is.
    pub width: usize,
    /// Layers, each with attention and a gated network.
    pub n_layers: usize,
    /// Heads of attention, which share the width out.
    pub n_heads: usize,
    /// Of these, the heads that know where a token stands in its list; the others know where it
    /// stands in the text.
    pub n_place_heads: usize,
    /// Numbers inside of the gated network.
    pub hidden: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self { width: 128, n_layers: 4, n_heads: 4, n_place_heads: 2, hidden: 352 }
    }
}

impl Config {
    /// Numbers of a head, for each token.
    pub fn head(&self) -> usize {
        self.width / self.n_heads.max(1)
    }

    /// Weights in all.
    pub fn n_weights(&self) -> usize {
        Layout::new(self).total
    }

    /// The matrices of attention and of the gated network, by their names.
    pub fn matrices(&self) -> Vec<(String, Tensor)> {
        let names = ["query", "key", "value", "out", "gate", "up", "down"];
        let layout = Layout::new(self);
        let mut all = Vec::new();
        for (i, layer) in layout.layers.iter().enumerate() {
            let LayerAt { query, key, value, out, gate, up, down, .. } = *layer;
            for (name, at) in names.iter().zip([query, key, value, out, gate, up, down]) {
                let tensor = layout.tensors.iter().find(|tensor| tensor.at == at);
                all.extend(tensor.map(|tensor| (format!("layer.{i}.{name}"), *tensor)));
            }
        }
        all
    }

    /// Whether sizes are those of a network that can be.
    ///
    /// # Errors
    /// Which size is wrong.
    pub fn check(&self) -> Result<(), OwnError> {
        let Self { width, n_layers, n_heads, n_place_heads, hidden } = *self;
        let fault = if !(8..=512).contains(&width) || !width.is_multiple_of(8) {
            format!("the width is {width}; it is a multiple of 8 up to 512")
        } else if !(1..=32).contains(&n_layers) {
            format!("there are {n_layers} layers; there may be 1 to 32")
        } else if !(1..=64).contains(&n_heads)
            || !width.is_multiple_of(n_heads)
            || !self.head().is_multiple_of(2)
        {
            format!("{n_heads} heads do not share out a width of {width} in even parts")
        } else if n_place_heads > n_heads {
            format!("{n_place_heads} of {n_heads} heads cannot know places")
        } else if !(8..=4096).contains(&hidden) || !hidden.is_multiple_of(8) {
            format!("{hidden} hidden numbers; a multiple of 8 up to 4096 is right")
        } else {
            return Ok(());
        };
        Err(OwnError::file(fault))
    }
}

/// Where the weights of a layer begin. Matrices have a row for each output.
#[derive(Clone, Copy, Debug)]
pub struct LayerAt {
    /// The gains before attention.
    pub norm_1: usize,
    /// What heads ask with.
    pub query: usize,
    /// What heads are found by.
    pub key: usize,
    /// What heads give.
    pub value: usize,
    /// What joins the heads.
    pub out: usize,
    /// The gains before the gated network.
    pub norm_2: usize,
    /// The gate.
    pub gate: usize,
    /// What the gate lets through.
    pub up: usize,
    /// Back to the width.
    pub down: usize,
}

/// A matrix or a vector among the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// Its first weight.
    pub at: usize,
    /// Rows; 1 of a vector.
    pub rows: usize,
    /// Numbers of a row.
    pub columns: usize,
}

impl Tensor {
    /// Where it lies.
    pub fn range(&self) -> Range<usize> {
        self.at..self.at + self.rows * self.columns
    }
}

/// Where each weight lies in the one list of all.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The vectors of tokens, which are also the last matrix.
    pub embed: usize,
    /// Those of each layer.
    pub layers: Vec<LayerAt>,
    /// The gains after the last layer.
    pub norm: usize,
    /// How many there are.
    pub total: usize,
    /// All of them, in their order.
    pub tensors: Vec<Tensor>,
}

impl Layout {
    /// That of a network of those sizes.
    pub fn new(config: &Config) -> Self {
        Self::with_tokens(config, N_VOCAB)
    }

    /// That of a network of those sizes for a table of `n_tokens` tokens.
    pub fn with_tokens(config: &Config, n_tokens: usize) -> Self {
        let Config { width, n_layers, hidden, .. } = *config;
        let mut tensors: Vec<Tensor> = Vec::new();
        let mut total = 0;
        let mut take = |rows: usize, columns: usize| {
            let at = total;
            total += rows * columns;
            tensors.push(Tensor { at, rows, columns });
            at
        };
        let embed = take(n_tokens, width);
        let layers = (0..n_layers)
            .map(|_| LayerAt {
                norm_1: take(1, width),
                query: take(width, width),
                key: take(width, width),
                value: take(width, width),
                out: take(width, width),
                norm_2: take(1, width),
                gate: take(hidden, width),
                up: take(hidden, width),
                down: take(width, hidden),
            })
            .collect();
        let norm = take(1, width);
        Self { embed, layers, norm, total, tensors }
    }
}

/// The angles by which heads turn what stands at a position or a place: a token's cosines, then its
/// sines, half a head of each.
#[derive(Clone, Debug)]
pub struct Angles {
    half: usize,
    text: Vec<f32>,
    list: Vec<f32>,
}

/// Positions of a text turn slowly, up to the length of the window.
const TEXT: Turning = Turning { fast: 1.0, base: 10_000.0, of_8: 4 };
/// Places of a list turn quickly, so that neighbours are told apart.
const LIST: Turning = Turning { fast: 2.4, base: 1_000.0, of_8: 5 };

/// How heads of a kind turn.
struct Turning {
    /// The angle from one position to the next, of the first pair of numbers.
    fast: f64,
    /// How many times slower the last one would be.
    base: f64,
    /// Of eight pairs, those that turn at all; the others stay, so that a head can look for what
    /// something is wherever it stands.
    of_8: usize,
}

impl Turning {
    fn angles(&self, half: usize) -> Vec<f32> {
        let n = (half * self.of_8).div_ceil(8);
        let of = |i: usize| (self.fast * self.base.powf(-(i as f64) / n as f64)) as f32;
        (0..half).map(|i| if i < n { of(i) } else { 0.0 }).collect()
    }
}

impl Angles {
    /// Those of a network of those sizes.
    pub fn new(config: &Config) -> Self {
        let half = config.head() / 2;
        Self { half, text: TEXT.angles(half), list: LIST.angles(half) }
    }

    /// Turns the numbers of all heads of a token at a position of the text and a place of its list, by
    /// 1 forward or by -1 back.
    pub fn turn(&self, config: &Config, x: &mut [f32], position: usize, place: u16, by: f32) {
        let head = 2 * self.half;
        let n_text = config.n_heads - config.n_place_heads;
        let angles = |at: f32, list: &[f32]| -> Vec<(f32, f32)> {
            list.iter().map(|f| (at * f).sin_cos()).collect()
        };
        let text = angles(position as f32, &self.text);
        let list = angles(f32::from(place), &self.list);
        for (i, x) in x.chunks_exact_mut(head).enumerate() {
            let angles = if i < n_text { &text } else { &list };
            let (a, b) = x.split_at_mut(self.half);
            for ((a, b), (sin, cos)) in a.iter_mut().zip(b).zip(angles) {
                let (sin, cos) = (sin * by, *cos);
                (*a, *b) = (*a * cos - *b * sin, *a * sin + *b * cos);
            }
        }
    }
}

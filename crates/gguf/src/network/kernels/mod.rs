//! Products of rows with numbers, for the processor at hand.
//!
//! Candle chooses its products when it is compiled, and has none for Q4_1 beside a plain one; these
//! are chosen when they run. The processor's own instructions take addresses, and calling what was
//! compiled for a processor needs the promise that it is there: that is all the `unsafe` here.
#![allow(unsafe_code)]

mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::matrix::BLOCK;

/// A number that was rounded to eight bits, as it is stored here.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
type Quant = i16;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
type Quant = i8;

/// Inputs of a product, a vector for each token: as they are, and rounded to eight bits.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    pub n_cols: usize,
    pub n_tokens: usize,
    pub floats: Vec<f32>,
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    pub quants: Vec<i8>,
    /// The same in 16 bits, as WebAssembly multiplies: widened once for all rows.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    pub wide: Vec<i16>,
    /// What a block's numbers are multiplied with.
    pub scales: Vec<f32>,
    /// The sum of each block as it was rounded.
    pub sums: Vec<f32>,
}

impl Inputs {
    /// Rounds vectors of so many numbers.
    pub(crate) fn new(floats: Vec<f32>, n_cols: usize) -> Self {
        let n_tokens = floats.len() / n_cols.max(1);
        let mut inputs = Self { n_cols, n_tokens, ..Self::default() };
        if n_cols.is_multiple_of(BLOCK) {
            inputs.quants().reserve_exact(floats.len());
            for block in floats.as_chunks::<BLOCK>().0 {
                let most = block.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
                let by = if most > 0.0 { 127.0 / most } else { 0.0 };
                let mut quants = [Quant::default(); BLOCK];
                let mut sum = 0_i32;
                for (q, x) in quants.iter_mut().zip(block) {
                    // To the nearest: what is added puts the fraction's bits out of sight.
                    let rounded = (x * by + 12_582_912.0) - 12_582_912.0;
                    let whole = rounded as i32;
                    sum += whole;
                    *q = whole as Quant;
                }
                inputs.quants().extend_from_slice(&quants);
                inputs.scales.push(most / 127.0);
                inputs.sums.push(sum as f32 * (most / 127.0));
            }
        }
        inputs.floats = floats;
        inputs
    }

    fn quants(&mut self) -> &mut Vec<Quant> {
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        return &mut self.wide;
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        &mut self.quants
    }

    fn blocks(&self) -> usize {
        self.n_cols / BLOCK
    }
}

/// Which instructions there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Vnni,
}

impl Level {
    /// The best that the processor has.
    pub(crate) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let has_avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("f16c");
            let has_vnni = is_x86_feature_detected!("avx512vnni")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512f");
            if has_avx2 && has_vnni {
                return Self::Vnni;
            }
            if has_avx2 {
                return Self::Avx2;
            }
        }
        Self::Portable
    }
}

/// Rows of four bits: `out` gets a number for each row and token, the tokens of a row together.
pub(crate) fn nibbles(
    level: Level,
    (quants, scales, mins): (&[u8], &[u16], &[u16]),
    rows: Range<usize>,
    inputs: &Inputs,
    out: &mut [f32],
) {
    let n = inputs.blocks();
    let within = rows.start * n..rows.end * n;
    let quants = &quants.as_chunks::<16>().0[within.clone()];
    let (scales, mins) = (&scales[within.clone()], &mins[within]);
    match level {
        #[cfg(target_arch = "x86_64")]
        // Safety: `Level::best` found the instructions.
        Level::Avx2 => unsafe { x86::nibbles(quants, scales, mins, inputs, out) },
        #[cfg(target_arch = "x86_64")]
        // Safety: as above.
        Level::Vnni => unsafe { x86::nibbles_vnni(quants, scales, mins, inputs, out) },
        Level::Portable => {
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            wasm::nibbles(quants, scales, mins, inputs, out);
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            portable::nibbles(quants, scales, mins, inputs, out);
        }
    }
}

/// Rows of eight bits, in the same way.
pub(crate) fn bytes(
    level: Level,
    (quants, scales): (&[i8], &[u16]),
    rows: Range<usize>,
    inputs: &Inputs,
    out: &mut [f32],
) {
    let n = inputs.blocks();
    let within = rows.start * n..rows.end * n;
    let quants = &quants.as_chunks::<BLOCK>().0[within.clone()];
    let scales = &scales[within];
    match level {
        #[cfg(target_arch = "x86_64")]
        // Safety: `Level::best` found the instructions.
        Level::Avx2 => unsafe { x86::bytes(quants, scales, inputs, out) },
        #[cfg(target_arch = "x86_64")]
        // Safety: as above.
        Level::Vnni => unsafe { x86::bytes_vnni(quants, scales, inputs, out) },
        Level::Portable => {
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            wasm::bytes(quants, scales, inputs, out);
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            portable::bytes(quants, scales, inputs, out);
        }
    }
}

/// Numbers of 16 bits as such of 32.
pub(crate) fn widen(level: Level, from: &[u16], into: &mut [f32]) {
    match level {
        #[cfg(target_arch = "x86_64")]
        // Safety: `Level::best` found the instructions.
        Level::Avx2 | Level::Vnni => unsafe { x86::widen(from, into) },
        Level::Portable => {
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            wasm::widen(from, into);
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            portable::widen(from, into);
        }
    }
}

/// The sum of the products of two vectors.
pub(crate) fn dot(level: Level, a: &[f32], b: &[f32]) -> f32 {
    match level {
        #[cfg(target_arch = "x86_64")]
        // Safety: `Level::best` found the instructions.
        Level::Avx2 | Level::Vnni => unsafe { x86::dot(a, b) },
        Level::Portable => portable::dot(a, b),
    }
}

/// What one head gives one token: `query` is held against each position's key, and the values are
/// added up by how well they go together. Keys and values are 32 bits here, `query.len()` each.
pub(crate) fn scores(level: Level, query: &[f32], keys: &[f32], by: f32, into: &mut [f32]) {
    match level {
        #[cfg(target_arch = "x86_64")]
        // Safety: `Level::best` found the instructions.
        Level::Avx2 | Level::Vnni => unsafe { x86::scores(query, keys, by, into) },
        Level::Portable => {
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            wasm::scores(query, keys, by, into);
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            portable::scores(query, keys, by, into);
        }
    }
}

/// Adds to `sum` the values of positions, each times its weight.
pub(crate) fn blend(level: Level, weights: &[f32], values: &[f32], sum: &mut [f32]) {
    match level {
        #[cfg(target_arch = "x86_64")]
        // Safety: `Level::best` found the instructions.
        Level::Avx2 | Level::Vnni => unsafe { x86::blend(weights, values, sum) },
        Level::Portable => {
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            wasm::blend(weights, values, sum);
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            portable::blend(weights, values, sum);
        }
    }
}

/// Numbers as weights that add up to 1.
pub(crate) fn softmax(level: Level, x: &mut [f32]) {
    match level {
        #[cfg(target_arch = "x86_64")]
        // Safety: `Level::best` found the instructions.
        Level::Avx2 | Level::Vnni => unsafe { x86::softmax(x) },
        Level::Portable => portable::softmax(x),
    }
}

/// `x / (1 + e^-x) * up` for each number, in place.
pub(crate) fn swiglu(level: Level, gate: &mut [f32], up: &[f32]) {
    match level {
        #[cfg(target_arch = "x86_64")]
        // Safety: `Level::best` found the instructions.
        Level::Avx2 | Level::Vnni => unsafe { x86::swiglu(gate, up) },
        Level::Portable => portable::swiglu(gate, up),
    }
}

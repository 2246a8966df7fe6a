//! Plain loops, in shapes that compilers turn into instructions on many numbers.

use decoding::exp;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use super::{BLOCK, Inputs};

/// Sums side by side.
const LANES: usize = 8;

#[inline(always)]
fn wide(h: u16) -> f32 {
    // Moves the exponent; numbers too small to have one are made up by a difference.
    let shifted = (u32::from(h & 0x7fff) << 13) + (112 << 23);
    let least = 113_u32 << 23;
    let small = f32::from_bits(shifted + (1 << 23)) - f32::from_bits(least);
    let x = if shifted < least { small } else { f32::from_bits(shifted) };
    f32::from_bits(x.to_bits() | u32::from(h & 0x8000) << 16)
}

#[inline(always)]
pub(super) fn widen(from: &[u16], into: &mut [f32]) {
    for (x, h) in into.iter_mut().zip(from) {
        *x = wide(*h);
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) fn nibbles(
    quants: &[[u8; 16]],
    scales: &[u16],
    mins: &[u16],
    inputs: &Inputs,
    out: &mut [f32],
) {
    let n = inputs.n_cols / BLOCK;
    if n == 0 {
        return;
    }
    let all = inputs.quants.as_chunks::<BLOCK>().0;
    let rows = quants.chunks_exact(n).zip(scales.chunks_exact(n).zip(mins.chunks_exact(n)));
    for ((row, (scales, mins)), out) in rows.zip(out.chunks_exact_mut(inputs.n_tokens)) {
        for (t, out) in out.iter_mut().enumerate() {
            let at = t * n..(t + 1) * n;
            let sides = inputs.scales[at.clone()].iter().zip(&inputs.sums[at.clone()]);
            let mut sum = 0.0;
            let weights = row.iter().zip(scales.iter().zip(mins));
            for ((q, (s, m)), (a, (scale, total))) in weights.zip(all[at].iter().zip(sides)) {
                let mut whole = 0_i32;
                for i in 0..16 {
                    whole += i32::from(i16::from(q[i] & 15) * i16::from(a[i]));
                    whole += i32::from(i16::from(q[i] >> 4) * i16::from(a[i + 16]));
                }
                sum += whole as f32 * (wide(*s) * scale) + wide(*m) * total;
            }
            *out = sum;
        }
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) fn bytes(quants: &[[i8; BLOCK]], scales: &[u16], inputs: &Inputs, out: &mut [f32]) {
    let n = inputs.n_cols / BLOCK;
    if n == 0 {
        return;
    }
    let all = inputs.quants.as_chunks::<BLOCK>().0;
    let rows = quants.chunks_exact(n).zip(scales.chunks_exact(n));
    for ((row, scales), out) in rows.zip(out.chunks_exact_mut(inputs.n_tokens)) {
        for (t, out) in out.iter_mut().enumerate() {
            let at = t * n..(t + 1) * n;
            let mut sum = 0.0;
            let sides = all[at.clone()].iter().zip(&inputs.scales[at]);
            for ((q, s), (a, scale)) in row.iter().zip(scales).zip(sides) {
                let mut whole = 0_i32;
                for i in 0..BLOCK {
                    whole += i32::from(i16::from(q[i]) * i16::from(a[i]));
                }
                sum += whole as f32 * (wide(*s) * scale);
            }
            *out = sum;
        }
    }
}

#[inline(always)]
fn fused(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
}

#[inline(always)]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a, rest_a) = a.as_chunks::<LANES>();
    let (b, rest_b) = b.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for (a, b) in a.iter().zip(b) {
        for i in 0..LANES {
            sums[i] = fused(a[i], b[i], sums[i]);
        }
    }
    let rest: f32 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

#[inline(always)]
pub(super) fn scores(query: &[f32], keys: &[f32], by: f32, into: &mut [f32]) {
    for (score, key) in into.iter_mut().zip(keys.chunks_exact(query.len().max(1))) {
        *score = dot(query, key) * by;
    }
}

#[inline(always)]
pub(super) fn blend(weights: &[f32], values: &[f32], sum: &mut [f32]) {
    for (weight, value) in weights.iter().zip(values.chunks_exact(sum.len().max(1))) {
        for (sum, x) in sum.iter_mut().zip(value) {
            *sum = fused(*weight, *x, *sum);
        }
    }
}

#[inline(always)]
pub(super) fn softmax(x: &mut [f32]) {
    let most = x.iter().fold(f32::NEG_INFINITY, |most, x| most.max(*x));
    for x in x.iter_mut() {
        *x = exp(*x - most);
    }
    let by = 1.0 / x.iter().sum::<f32>();
    for x in x.iter_mut() {
        *x *= by;
    }
}

#[inline(always)]
pub(super) fn swiglu(gate: &mut [f32], up: &[f32]) {
    for (gate, up) in gate.iter_mut().zip(up) {
        *gate = *gate / (1.0 + exp(-*gate)) * up;
    }
}

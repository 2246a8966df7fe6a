//! Products with the 128-bit instructions of WebAssembly.

use std::arch::wasm32::*;

use super::{BLOCK, Inputs, portable};

/// Tokens that a row is held against at once: its numbers are loaded once for all of them.
const TOKENS: usize = 4;

/// Keys, or values, that are taken together.
const TOGETHER: usize = 4;

/// A block's numbers, eight in a vector.
type Block = [v128; 4];

fn halves(bytes: &[u8; 16]) -> Block {
    // Safety: a block has 16 bytes, and they may lie anywhere.
    let both = unsafe { v128_load(bytes.as_ptr().cast()) };
    let (low, high) = (v128_and(both, u8x16_splat(15)), u8x16_shr(both, 4));
    [
        u16x8_extend_low_u8x16(low),
        u16x8_extend_high_u8x16(low),
        u16x8_extend_low_u8x16(high),
        u16x8_extend_high_u8x16(high),
    ]
}

fn wholes(bytes: &[i8; BLOCK]) -> Block {
    // Safety: a block has 32 bytes, and they may lie anywhere.
    let (low, high) =
        unsafe { (v128_load(bytes[..16].as_ptr().cast()), v128_load(bytes[16..].as_ptr().cast())) };
    [
        i16x8_extend_low_i8x16(low),
        i16x8_extend_high_i8x16(low),
        i16x8_extend_low_i8x16(high),
        i16x8_extend_high_i8x16(high),
    ]
}

fn product(block: &Block, numbers: &[i16; BLOCK]) -> v128 {
    let at = |i: usize| {
        let numbers: &[i16; 8] = &numbers.as_chunks::<8>().0[i];
        // Safety: eight numbers of 16 bits, which may lie anywhere.
        i32x4_dot_i16x8(block[i], unsafe { v128_load(numbers.as_ptr().cast()) })
    };
    i32x4_add(i32x4_add(at(0), at(1)), i32x4_add(at(2), at(3)))
}

fn total(x: v128) -> f32 {
    f32x4_extract_lane::<0>(x)
        + f32x4_extract_lane::<1>(x)
        + f32x4_extract_lane::<2>(x)
        + f32x4_extract_lane::<3>(x)
}

/// A row times `N` tokens from `first` on.
fn tile<const N: usize>(
    row: impl Iterator<Item = Block>,
    scales: &[f32],
    inputs: &Inputs,
    first: usize,
) -> [f32; N] {
    let n = scales.len();
    let wide = inputs.wide.as_chunks::<BLOCK>().0;
    let tokens: [(&[[i16; BLOCK]], &[f32]); N] = std::array::from_fn(|t| {
        let at = (first + t) * n..(first + t + 1) * n;
        (&wide[at.clone()], &inputs.scales[at])
    });
    let mut sums = [f32x4_splat(0.0); N];
    for (i, (block, scale)) in row.zip(scales).enumerate() {
        for (sum, (numbers, by)) in sums.iter_mut().zip(&tokens) {
            let whole = f32x4_convert_i32x4(product(&block, &numbers[i]));
            *sum = f32x4_add(*sum, f32x4_mul(whole, f32x4_splat(scale * by[i])));
        }
    }
    sums.map(total)
}

/// Rows of blocks times all tokens.
fn rows<B>(
    blocks: &[B],
    scales: &[u16],
    unpack: impl Fn(&B) -> Block + Copy,
    inputs: &Inputs,
    out: &mut [f32],
) {
    let n = inputs.n_cols / BLOCK;
    let mut wide = vec![0.0; n];
    let mut unpacked = Vec::with_capacity(n);
    let rows = blocks.chunks_exact(n).zip(scales.chunks_exact(n));
    for ((row, scales), out) in rows.zip(out.chunks_exact_mut(inputs.n_tokens)) {
        widen(scales, &mut wide);
        if let [out] = out {
            [*out] = tile(row.iter().map(unpack), &wide, inputs, 0);
            continue;
        }
        unpacked.clear();
        unpacked.extend(row.iter().map(unpack));
        let (fours, rest) = out.as_chunks_mut::<TOKENS>();
        let n_fours = fours.len() * TOKENS;
        for (i, out) in fours.iter_mut().enumerate() {
            *out = tile(unpacked.iter().copied(), &wide, inputs, i * TOKENS);
        }
        for (i, out) in rest.iter_mut().enumerate() {
            [*out] = tile(unpacked.iter().copied(), &wide, inputs, n_fours + i);
        }
    }
}

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
    rows(quants, scales, halves, inputs, out);
    let mut wide = vec![0.0; n];
    for (mins, out) in mins.chunks_exact(n).zip(out.chunks_exact_mut(inputs.n_tokens)) {
        widen(mins, &mut wide);
        for (out, sums) in out.iter_mut().zip(inputs.sums.chunks_exact(n)) {
            *out += portable::dot(&wide, sums);
        }
    }
}

pub(super) fn bytes(quants: &[[i8; BLOCK]], scales: &[u16], inputs: &Inputs, out: &mut [f32]) {
    if inputs.n_cols >= BLOCK {
        rows(quants, scales, wholes, inputs, out);
    }
}

pub(super) fn widen(from: &[u16], into: &mut [f32]) {
    let (from, last) = from.as_chunks::<4>();
    let n_fours = from.len() * 4;
    // Moves the exponent, of numbers too small to have one too.
    let up = f32x4_splat(f32::from_bits((127 + 112) << 23));
    for (from, into) in from.iter().zip(into.as_chunks_mut::<4>().0) {
        // Safety: four numbers of 16 bits to read and of 32 to write, which may lie anywhere.
        let wide = unsafe { u32x4_load_extend_u16x4(from.as_ptr()) };
        let sign = v128_and(wide, u32x4_splat(0x8000));
        let rest = i32x4_shl(v128_xor(wide, sign), 13);
        let x = v128_or(f32x4_mul(rest, up), i32x4_shl(sign, 16));
        // Safety: as above.
        unsafe { v128_store(into.as_mut_ptr().cast(), x) };
    }
    portable::widen(last, &mut into[n_fours..]);
}

fn four(x: &[f32; 4]) -> v128 {
    // Safety: four numbers of 32 bits, which may lie anywhere.
    unsafe { v128_load(x.as_ptr().cast()) }
}

/// Four sums of four lanes each, as one vector.
fn totals(x: [v128; 4]) -> v128 {
    let low = |a, b| i32x4_shuffle::<0, 4, 1, 5>(a, b);
    let high = |a, b| i32x4_shuffle::<2, 6, 3, 7>(a, b);
    let left = f32x4_add(low(x[0], x[2]), high(x[0], x[2]));
    let right = f32x4_add(low(x[1], x[3]), high(x[1], x[3]));
    f32x4_add(low(left, right), high(left, right))
}

pub(super) fn scores(query: &[f32], keys: &[f32], by: f32, into: &mut [f32]) {
    let dim = query.len().max(1);
    let (query_fours, rest) = query.as_chunks::<4>();
    if !rest.is_empty() {
        return portable::scores(query, keys, by, into);
    }
    let (fours, last) = into.as_chunks_mut::<TOGETHER>();
    let n_fours = fours.len() * TOGETHER;
    for (into, keys) in fours.iter_mut().zip(keys.chunks_exact(TOGETHER * dim)) {
        let keys: [&[[f32; 4]]; TOGETHER] =
            std::array::from_fn(|k| keys[k * dim..(k + 1) * dim].as_chunks().0);
        let mut sums = [f32x4_splat(0.0); TOGETHER];
        for (i, query) in query_fours.iter().enumerate() {
            let query = four(query);
            for (sum, key) in sums.iter_mut().zip(&keys) {
                *sum = f32x4_add(*sum, f32x4_mul(query, four(&key[i])));
            }
        }
        let whole = f32x4_mul(totals(sums), f32x4_splat(by));
        *into = [
            f32x4_extract_lane::<0>(whole),
            f32x4_extract_lane::<1>(whole),
            f32x4_extract_lane::<2>(whole),
            f32x4_extract_lane::<3>(whole),
        ];
    }
    portable::scores(query, &keys[n_fours * dim..], by, last);
}

pub(super) fn blend(weights: &[f32], values: &[f32], sum: &mut [f32]) {
    let dim = sum.len().max(1);
    if !dim.is_multiple_of(4) {
        return portable::blend(weights, values, sum);
    }
    let (fours, last) = weights.as_chunks::<TOGETHER>();
    let n_fours = fours.len() * TOGETHER;
    for (weights, values) in fours.iter().zip(values.chunks_exact(TOGETHER * dim)) {
        let values: [&[[f32; 4]]; TOGETHER] =
            std::array::from_fn(|k| values[k * dim..(k + 1) * dim].as_chunks().0);
        let weights = weights.map(|w| f32x4_splat(w));
        for (i, sum) in sum.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let part = |k: usize| f32x4_mul(weights[k], four(&values[k][i]));
            let whole = f32x4_add(f32x4_add(part(0), part(1)), f32x4_add(part(2), part(3)));
            let whole = f32x4_add(four(sum), whole);
            // Safety: four numbers of 32 bits, which may lie anywhere.
            unsafe { v128_store(sum.as_mut_ptr().cast(), whole) };
        }
    }
    portable::blend(last, &values[n_fours * dim..], sum);
}

//! Products with the 128-bit instructions of WebAssembly.

use std::arch::wasm32::*;

use super::{BLOCK, Inputs, portable};

fn load(bytes: &[i8]) -> v128 {
    debug_assert!(bytes.len() >= 16);
    // Safety: every caller gives 16 bytes or more, and they may lie anywhere.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

fn products(a: v128, b: v128) -> v128 {
    let low = i32x4_dot_i16x8(i16x8_extend_low_i8x16(a), i16x8_extend_low_i8x16(b));
    let high = i32x4_dot_i16x8(i16x8_extend_high_i8x16(a), i16x8_extend_high_i8x16(b));
    i32x4_add(low, high)
}

fn total(x: v128) -> f32 {
    f32x4_extract_lane::<0>(x)
        + f32x4_extract_lane::<1>(x)
        + f32x4_extract_lane::<2>(x)
        + f32x4_extract_lane::<3>(x)
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
    let all = inputs.quants.as_chunks::<BLOCK>().0;
    let mut wide = vec![0.0; 2 * n];
    let (wide_scales, wide_mins) = wide.split_at_mut(n);
    let rows = quants.chunks_exact(n).zip(scales.chunks_exact(n).zip(mins.chunks_exact(n)));
    for ((row, (scales, mins)), out) in rows.zip(out.chunks_exact_mut(inputs.n_tokens)) {
        portable::widen(scales, wide_scales);
        portable::widen(mins, wide_mins);
        for (t, out) in out.iter_mut().enumerate() {
            let at = t * n..(t + 1) * n;
            let mut sum = f32x4_splat(0.0);
            let sides = all[at.clone()].iter().zip(&inputs.scales[at.clone()]);
            for ((q, s), (a, by)) in row.iter().zip(&*wide_scales).zip(sides) {
                // Safety: a block has 16 bytes, and they may lie anywhere.
                let both = unsafe { v128_load(q.as_ptr().cast()) };
                let low = v128_and(both, u8x16_splat(15));
                let high = u8x16_shr(both, 4);
                let whole =
                    i32x4_add(products(low, load(&a[..16])), products(high, load(&a[16..])));
                let part = f32x4_mul(f32x4_convert_i32x4(whole), f32x4_splat(s * by));
                sum = f32x4_add(sum, part);
            }
            *out = total(sum) + portable::dot(wide_mins, &inputs.sums[at]);
        }
    }
}

pub(super) fn bytes(quants: &[[i8; BLOCK]], scales: &[u16], inputs: &Inputs, out: &mut [f32]) {
    let n = inputs.n_cols / BLOCK;
    if n == 0 {
        return;
    }
    let all = inputs.quants.as_chunks::<BLOCK>().0;
    let mut wide = vec![0.0; n];
    let rows = quants.chunks_exact(n).zip(scales.chunks_exact(n));
    for ((row, scales), out) in rows.zip(out.chunks_exact_mut(inputs.n_tokens)) {
        portable::widen(scales, &mut wide);
        for (t, out) in out.iter_mut().enumerate() {
            let at = t * n..(t + 1) * n;
            let mut sum = f32x4_splat(0.0);
            let sides = all[at.clone()].iter().zip(&inputs.scales[at]);
            for ((q, s), (a, by)) in row.iter().zip(&wide).zip(sides) {
                let low = products(load(&q[..16]), load(&a[..16]));
                let whole = i32x4_add(low, products(load(&q[16..]), load(&a[16..])));
                let part = f32x4_mul(f32x4_convert_i32x4(whole), f32x4_splat(s * by));
                sum = f32x4_add(sum, part);
            }
            *out = total(sum);
        }
    }
}

//! Products with AVX2, and with the products of four bytes that AVX-512 VNNI has.

use std::arch::x86_64::*;

use super::{BLOCK, Inputs, portable};

/// Tokens that share one look at a block.
const TILE: usize = 4;

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn load32(bytes: &[i8; 32]) -> __m256i {
    // Safety: 32 bytes are there, and may lie anywhere.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn spread(bytes: &[u8; 16]) -> __m256i {
    // Safety: 16 bytes are there, and may lie anywhere.
    let both = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
    let halves = _mm256_set_m128i(_mm_srli_epi16::<4>(both), both);
    _mm256_and_si256(halves, _mm256_set1_epi8(15))
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn total(x: __m256) -> f32 {
    let x = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps::<1>(x));
    let x = _mm_add_ps(x, _mm_movehl_ps(x, x));
    _mm_cvtss_f32(_mm_add_ss(x, _mm_shuffle_ps::<1>(x, x)))
}

#[target_feature(enable = "avx2,fma,f16c")]
pub(super) fn widen(from: &[u16], into: &mut [f32]) {
    let (from, rest) = from.as_chunks::<8>();
    let (into, last) = into.as_chunks_mut::<8>();
    for (h, x) in from.iter().zip(into) {
        // Safety: eight numbers are in either place.
        unsafe {
            let wide = _mm256_cvtph_ps(_mm_loadu_si128(h.as_ptr().cast()));
            _mm256_storeu_ps(x.as_mut_ptr(), wide);
        }
    }
    portable::widen(rest, last);
}

/// Sums of products of four bytes each: the first are not negative.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn products(a: __m256i, b: __m256i) -> __m256i {
    _mm256_madd_epi16(_mm256_maddubs_epi16(a, b), _mm256_set1_epi16(1))
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512vl,avx512vnni")]
fn products_vnni(a: __m256i, b: __m256i) -> __m256i {
    _mm256_dpbusd_epi32(_mm256_setzero_si256(), a, b)
}

macro_rules! products_of_rows {
    ($features:literal, $products:ident, $tile:ident, $byte_tile:ident, $nibbles:ident, $bytes:ident) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn $tile<const T: usize>(
            row: &[[u8; 16]],
            (scales, mins): (&[f32], &[f32]),
            inputs: &Inputs,
            first: usize,
            out: &mut [f32],
        ) {
            let n = row.len();
            let all = inputs.quants.as_chunks::<BLOCK>().0;
            let quants: [&[[i8; BLOCK]]; T] = std::array::from_fn(|t| &all[(first + t) * n..][..n]);
            let by: [&[f32]; T] = std::array::from_fn(|t| &inputs.scales[(first + t) * n..][..n]);
            let mut sums = [_mm256_setzero_ps(); T];
            let scales = &scales[..n];
            for b in 0..n {
                let weights = spread(&row[b]);
                let scale = scales[b];
                for t in 0..T {
                    let whole = $products(weights, load32(&quants[t][b]));
                    let by = _mm256_set1_ps(scale * by[t][b]);
                    sums[t] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), by, sums[t]);
                }
            }
            for t in 0..T {
                let least = portable::dot(mins, &inputs.sums[(first + t) * n..][..n]);
                out[first + t] = total(sums[t]) + least;
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn $nibbles(
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
            let mut wide = vec![0.0; 2 * n];
            let (wide_scales, wide_mins) = wide.split_at_mut(n);
            let rows = quants.chunks_exact(n).zip(scales.chunks_exact(n).zip(mins.chunks_exact(n)));
            for ((row, (scales, mins)), out) in rows.zip(out.chunks_exact_mut(inputs.n_tokens)) {
                widen(scales, wide_scales);
                widen(mins, wide_mins);
                let mut t = 0;
                while t + TILE <= inputs.n_tokens {
                    $tile::<TILE>(row, (wide_scales, wide_mins), inputs, t, out);
                    t += TILE;
                }
                while t < inputs.n_tokens {
                    $tile::<1>(row, (wide_scales, wide_mins), inputs, t, out);
                    t += 1;
                }
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn $byte_tile<const T: usize>(
            row: &[[i8; BLOCK]],
            scales: &[f32],
            inputs: &Inputs,
            first: usize,
            out: &mut [f32],
        ) {
            let n = row.len();
            let all = inputs.quants.as_chunks::<BLOCK>().0;
            let quants: [&[[i8; BLOCK]]; T] = std::array::from_fn(|t| &all[(first + t) * n..][..n]);
            let by: [&[f32]; T] = std::array::from_fn(|t| &inputs.scales[(first + t) * n..][..n]);
            let mut sums = [_mm256_setzero_ps(); T];
            let scales = &scales[..n];
            for b in 0..n {
                let weights = load32(&row[b]);
                let positive = _mm256_sign_epi8(weights, weights);
                let scale = scales[b];
                for t in 0..T {
                    let signed = _mm256_sign_epi8(load32(&quants[t][b]), weights);
                    let whole = $products(positive, signed);
                    let by = _mm256_set1_ps(scale * by[t][b]);
                    sums[t] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), by, sums[t]);
                }
            }
            for t in 0..T {
                out[first + t] = total(sums[t]);
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn $bytes(
            quants: &[[i8; BLOCK]],
            scales: &[u16],
            inputs: &Inputs,
            out: &mut [f32],
        ) {
            let n = inputs.n_cols / BLOCK;
            if n == 0 {
                return;
            }
            let mut wide = vec![0.0; n];
            let rows = quants.chunks_exact(n).zip(scales.chunks_exact(n));
            for ((row, scales), out) in rows.zip(out.chunks_exact_mut(inputs.n_tokens)) {
                widen(scales, &mut wide);
                let mut t = 0;
                while t + TILE <= inputs.n_tokens {
                    $byte_tile::<TILE>(row, &wide, inputs, t, out);
                    t += TILE;
                }
                while t < inputs.n_tokens {
                    $byte_tile::<1>(row, &wide, inputs, t, out);
                    t += 1;
                }
            }
        }
    };
}

products_of_rows!("avx2,fma,f16c", products, tile, byte_tile, nibbles, bytes);
products_of_rows!(
    "avx2,fma,f16c,avx512f,avx512vl,avx512vnni",
    products_vnni,
    tile_vnni,
    byte_tile_vnni,
    nibbles_vnni,
    bytes_vnni
);

// The plain loops, compiled for this processor.

#[target_feature(enable = "avx2,fma,f16c")]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    portable::dot(a, b)
}

#[target_feature(enable = "avx2,fma,f16c")]
pub(super) fn scores(query: &[f32], keys: &[f32], by: f32, into: &mut [f32]) {
    portable::scores(query, keys, by, into);
}

#[target_feature(enable = "avx2,fma,f16c")]
pub(super) fn blend(weights: &[f32], values: &[f32], sum: &mut [f32]) {
    portable::blend(weights, values, sum);
}

#[target_feature(enable = "avx2,fma,f16c")]
pub(super) fn softmax(x: &mut [f32]) {
    portable::softmax(x);
}

#[target_feature(enable = "avx2,fma,f16c")]
pub(super) fn swiglu(gate: &mut [f32], up: &[f32]) {
    portable::swiglu(gate, up);
}

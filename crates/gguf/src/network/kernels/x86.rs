//! Products with AVX2, and with the products of four bytes that AVX-512 VNNI has.

use std::arch::x86_64::*;

use super::{BLOCK, Inputs, portable};

/// Tokens that share one look at a block.
const TILE: usize = 4;
/// Rows that share one look at the only token.
const ROWS: usize = 4;

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
    ($features:literal, $products:ident, $tile:ident, $rows:ident, $byte_tile:ident, $byte_rows:ident, $nibbles:ident, $bytes:ident) => {
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

        /// The same sums in the same order for one token, some rows at a time.
        #[inline]
        #[target_feature(enable = $features)]
        fn $rows<const R: usize>(
            rows: &[[u8; 16]],
            (scales, mins): (&[f32], &[f32]),
            inputs: &Inputs,
            out: &mut [f32],
        ) {
            let n = inputs.n_cols / BLOCK;
            let quants = &inputs.quants.as_chunks::<BLOCK>().0[..n];
            let by = &inputs.scales[..n];
            let rows: [&[[u8; 16]]; R] = std::array::from_fn(|r| &rows[r * n..][..n]);
            let scales: [&[f32]; R] = std::array::from_fn(|r| &scales[r * n..][..n]);
            let mut sums = [_mm256_setzero_ps(); R];
            for b in 0..n {
                let input = load32(&quants[b]);
                for r in 0..R {
                    let whole = $products(spread(&rows[r][b]), input);
                    let by = _mm256_set1_ps(scales[r][b] * by[b]);
                    sums[r] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), by, sums[r]);
                }
            }
            for r in 0..R {
                let least = portable::dot(&mins[r * n..][..n], &inputs.sums[..n]);
                out[r] = total(sums[r]) + least;
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
            let mut wide = vec![0.0; 2 * n * ROWS];
            let (wide_scales, wide_mins) = wide.split_at_mut(n * ROWS);
            let n_rows = quants.len() / n;
            let mut row = 0;
            if inputs.n_tokens == 1 {
                while row + ROWS <= n_rows {
                    let at = row * n..(row + ROWS) * n;
                    widen(&scales[at.clone()], wide_scales);
                    widen(&mins[at.clone()], wide_mins);
                    let out = &mut out[row..row + ROWS];
                    $rows::<ROWS>(&quants[at], (wide_scales, wide_mins), inputs, out);
                    row += ROWS;
                }
            }
            let (wide_scales, wide_mins) = (&mut wide_scales[..n], &mut wide_mins[..n]);
            let (quants, out) = (&quants[row * n..], &mut out[row * inputs.n_tokens..]);
            let (scales, mins) = (&scales[row * n..], &mins[row * n..]);
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

        /// The same sums in the same order for one token, some rows at a time.
        #[inline]
        #[target_feature(enable = $features)]
        fn $byte_rows<const R: usize>(
            rows: &[[i8; BLOCK]],
            scales: &[f32],
            inputs: &Inputs,
            out: &mut [f32],
        ) {
            let n = inputs.n_cols / BLOCK;
            let quants = &inputs.quants.as_chunks::<BLOCK>().0[..n];
            let by = &inputs.scales[..n];
            let rows: [&[[i8; BLOCK]]; R] = std::array::from_fn(|r| &rows[r * n..][..n]);
            let scales: [&[f32]; R] = std::array::from_fn(|r| &scales[r * n..][..n]);
            let mut sums = [_mm256_setzero_ps(); R];
            for b in 0..n {
                let input = load32(&quants[b]);
                for r in 0..R {
                    let weights = load32(&rows[r][b]);
                    let positive = _mm256_sign_epi8(weights, weights);
                    let whole = $products(positive, _mm256_sign_epi8(input, weights));
                    let by = _mm256_set1_ps(scales[r][b] * by[b]);
                    sums[r] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), by, sums[r]);
                }
            }
            for r in 0..R {
                out[r] = total(sums[r]);
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
            let mut wide = vec![0.0; n * ROWS];
            let n_rows = quants.len() / n;
            let mut row = 0;
            if inputs.n_tokens == 1 {
                while row + ROWS <= n_rows {
                    let at = row * n..(row + ROWS) * n;
                    widen(&scales[at.clone()], &mut wide);
                    $byte_rows::<ROWS>(&quants[at], &wide, inputs, &mut out[row..row + ROWS]);
                    row += ROWS;
                }
            }
            wide.truncate(n);
            let (quants, out) = (&quants[row * n..], &mut out[row * inputs.n_tokens..]);
            let rows = quants.chunks_exact(n).zip(scales[row * n..].chunks_exact(n));
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

products_of_rows!(
    "avx2,fma,f16c",
    products,
    tile,
    some_rows,
    byte_tile,
    some_byte_rows,
    nibbles,
    bytes
);
products_of_rows!(
    "avx2,fma,f16c,avx512f,avx512vl,avx512vnni",
    products_vnni,
    tile_vnni,
    some_rows_vnni,
    byte_tile_vnni,
    some_byte_rows_vnni,
    nibbles_vnni,
    bytes_vnni
);

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn load(numbers: &[f32; 8]) -> __m256 {
    // Safety: eight numbers are there, and may lie anywhere.
    unsafe { _mm256_loadu_ps(numbers.as_ptr()) }
}

#[target_feature(enable = "avx2,fma,f16c")]
pub(super) fn scores(query: &[f32], keys: &[f32], by: f32, into: &mut [f32]) {
    let (parts, rest) = query.as_chunks::<8>();
    if !rest.is_empty() || parts.is_empty() {
        portable::scores(query, keys, by, into);
        return;
    }
    for (score, key) in into.iter_mut().zip(keys.chunks_exact(query.len())) {
        // Four sums side by side, or each would wait for the one before.
        let mut sums = [_mm256_setzero_ps(); 4];
        for (i, (a, b)) in parts.iter().zip(key.as_chunks::<8>().0).enumerate() {
            sums[i % 4] = _mm256_fmadd_ps(load(a), load(b), sums[i % 4]);
        }
        let [a, b, c, d] = sums;
        *score = total(_mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, d))) * by;
    }
}

/// `W` times eight columns of the values, whose sums stay in registers.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn blend_columns<const W: usize>(
    weights: &[f32],
    values: &[f32],
    width: usize,
    sum: &mut [[f32; 8]],
) {
    let mut sums: [__m256; W] = std::array::from_fn(|i| load(&sum[i]));
    for (weight, value) in weights.iter().zip(values.chunks(width)) {
        let weight = _mm256_set1_ps(*weight);
        let value = value.as_chunks::<8>().0;
        for i in 0..W {
            sums[i] = _mm256_fmadd_ps(weight, load(&value[i]), sums[i]);
        }
    }
    for (sum, x) in sum.iter_mut().zip(sums) {
        // Safety: there is room for eight numbers.
        unsafe { _mm256_storeu_ps(sum.as_mut_ptr(), x) };
    }
}

#[target_feature(enable = "avx2,fma,f16c")]
pub(super) fn blend(weights: &[f32], values: &[f32], sum: &mut [f32]) {
    let width = sum.len();
    let (parts, rest) = sum.as_chunks_mut::<8>();
    if !rest.is_empty() || parts.is_empty() {
        portable::blend(weights, values, sum);
        return;
    }
    let mut at = 0;
    while at + 8 <= parts.len() {
        blend_columns::<8>(weights, &values[at * 8..], width, &mut parts[at..at + 8]);
        at += 8;
    }
    while at < parts.len() {
        blend_columns::<1>(weights, &values[at * 8..], width, &mut parts[at..=at]);
        at += 1;
    }
}

// The plain loops, compiled for this processor.

#[target_feature(enable = "avx2,fma,f16c")]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    portable::dot(a, b)
}

#[target_feature(enable = "avx2,fma,f16c")]
pub(super) fn softmax(x: &mut [f32]) {
    portable::softmax(x);
}

#[target_feature(enable = "avx2,fma,f16c")]
pub(super) fn swiglu(gate: &mut [f32], up: &[f32]) {
    portable::swiglu(gate, up);
}

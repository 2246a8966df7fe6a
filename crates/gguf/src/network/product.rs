//! Matrices times vectors, their rows shared out where there are threads.

use std::ops::Range;

use super::kernels::{self, Inputs, Level};
use super::matrix::{Matrix, Numbers};

/// Rows of a matrix: `out` gets the tokens of a row together.
fn rows(level: Level, matrix: &Matrix, rows: Range<usize>, inputs: &Inputs, out: &mut [f32]) {
    match &matrix.numbers {
        Numbers::Nibbles { quants, scales, mins } => {
            kernels::nibbles(level, (quants, scales, mins), rows, inputs, out);
        }
        Numbers::Bytes { quants, scales } => {
            kernels::bytes(level, (quants, scales), rows, inputs, out);
        }
        Numbers::Halves(all) => {
            let mut row = vec![0.0; matrix.n_cols];
            for (i, out) in rows.zip(out.chunks_exact_mut(inputs.n_tokens)) {
                kernels::widen(level, &all[i * matrix.n_cols..][..matrix.n_cols], &mut row);
                dots(level, &row, inputs, out);
            }
        }
        Numbers::Floats(all) => {
            for (i, out) in rows.zip(out.chunks_exact_mut(inputs.n_tokens)) {
                dots(level, &all[i * matrix.n_cols..][..matrix.n_cols], inputs, out);
            }
        }
    }
}

fn dots(level: Level, row: &[f32], inputs: &Inputs, out: &mut [f32]) {
    for (x, out) in inputs.floats.chunks_exact(row.len()).zip(out) {
        *out = kernels::dot(level, row, x);
    }
}

/// The products of several matrices with the same vectors, token by token.
pub(super) fn multiply(level: Level, matrices: &[&Matrix], inputs: &Inputs) -> Vec<Vec<f32>> {
    let t = inputs.n_tokens;
    let mut outs: Vec<Vec<f32>> = matrices.iter().map(|m| vec![0.0; m.n_rows * t]).collect();
    #[cfg(any(not(target_arch = "wasm32"), target_feature = "atomics"))]
    {
        use rayon::prelude::*;
        let n_threads = rayon::current_num_threads();
        let n_rows: usize = matrices.iter().map(|m| m.n_rows).sum();
        let part = n_rows.div_ceil(n_threads * 2).max(16);
        let mut jobs: Vec<(&Matrix, usize, &mut [f32])> = Vec::new();
        for (matrix, out) in matrices.iter().zip(&mut outs) {
            for (i, out) in out.chunks_mut(part * t).enumerate() {
                jobs.push((matrix, i * part, out));
            }
        }
        jobs.into_par_iter().for_each(|(matrix, first, out)| {
            rows(level, matrix, first..first + out.len() / t, inputs, out);
        });
    }
    #[cfg(not(any(not(target_arch = "wasm32"), target_feature = "atomics")))]
    for (matrix, out) in matrices.iter().zip(&mut outs) {
        rows(level, matrix, 0..matrix.n_rows, inputs, out);
    }
    if t > 1 {
        for (matrix, out) in matrices.iter().zip(&mut outs) {
            *out = by_token(out, matrix.n_rows, t);
        }
    }
    outs
}

fn by_token(by_row: &[f32], n_rows: usize, n_tokens: usize) -> Vec<f32> {
    let mut out = vec![0.0; by_row.len()];
    for (t, out) in out.chunks_exact_mut(n_rows).enumerate() {
        for (x, row) in out.iter_mut().zip(by_row.chunks_exact(n_tokens)) {
            *x = row[t];
        }
    }
    out
}

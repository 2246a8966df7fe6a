//! Products of matrices that lie in slices.
//!
//! `gemm` takes addresses; that they lie within the slices is checked here, and that is all the
//! `unsafe`.
#![allow(unsafe_code)]

use gemm::Parallelism;

/// Numbers of a slice as a matrix.
#[derive(Clone, Copy)]
pub(super) struct View {
    /// The first number.
    pub at: usize,
    pub rows: usize,
    pub columns: usize,
    /// From a number to the one below it.
    pub down: usize,
    /// From a number to the one beside it.
    pub right: usize,
}

impl View {
    /// A matrix whose rows follow on each other.
    pub(super) fn rows(rows: usize, columns: usize) -> Self {
        Self { at: 0, rows, columns, down: columns, right: 1 }
    }

    /// Some columns of a matrix with `stride` numbers in a row.
    pub(super) fn columns(at: usize, rows: usize, columns: usize, stride: usize) -> Self {
        Self { at, rows, columns, down: stride, right: 1 }
    }

    /// The same matrix with rows and columns exchanged.
    pub(super) fn turned(self) -> Self {
        let Self { at, rows, columns, down, right } = self;
        Self { at, rows: columns, columns: rows, down: right, right: down }
    }

    fn end(&self) -> usize {
        if self.rows == 0 || self.columns == 0 {
            return self.at;
        }
        self.at + (self.rows - 1) * self.down + (self.columns - 1) * self.right + 1
    }
}

/// `into = keep · into + by · a · b`.
///
/// # Panics
/// A view goes beyond its slice, or sizes do not fit: that is a fault of whoever calls.
pub(super) fn product(
    into: (&mut [f32], View),
    a: (&[f32], View),
    b: (&[f32], View),
    by: f32,
    keep: f32,
) {
    let ((c, c_view), (a, a_view), (b, b_view)) = (into, a, b);
    assert!(c_view.end() <= c.len() && a_view.end() <= a.len() && b_view.end() <= b.len());
    assert!(a_view.columns == b_view.rows);
    assert!(c_view.rows == a_view.rows && c_view.columns == b_view.columns);
    if c_view.rows == 0 || c_view.columns == 0 {
        return;
    }
    // Safety: the last number of each view lies within its slice, as was checked, and `into` is
    // borrowed alone.
    unsafe {
        gemm::gemm(
            c_view.rows,
            c_view.columns,
            a_view.columns,
            c.as_mut_ptr().add(c_view.at),
            c_view.right as isize,
            c_view.down as isize,
            keep != 0.0,
            a.as_ptr().add(a_view.at),
            a_view.right as isize,
            a_view.down as isize,
            b.as_ptr().add(b_view.at),
            b_view.right as isize,
            b_view.down as isize,
            keep,
            by,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

/// `x · wᵀ`: what a layer with the weights `w` makes of each row of `x`.
pub(super) fn apply(x: &[f32], w: &[f32], n_in: usize, n_out: usize) -> Vec<f32> {
    let n = x.len() / n_in;
    let mut out = vec![0.0; n * n_out];
    product(
        (&mut out, View::rows(n, n_out)),
        (x, View::rows(n, n_in)),
        (w, View::rows(n_out, n_in).turned()),
        1.0,
        0.0,
    );
    out
}

/// `into += d · w`: how the loss changes with what a layer was given.
pub(super) fn back(into: &mut [f32], d: &[f32], w: &[f32], n_in: usize, n_out: usize) {
    let n = d.len() / n_out;
    product(
        (into, View::rows(n, n_in)),
        (d, View::rows(n, n_out)),
        (w, View::rows(n_out, n_in)),
        1.0,
        1.0,
    );
}

/// `into += dᵀ · x`: how the loss changes with a layer's weights.
pub(super) fn gather(into: &mut [f32], d: &[f32], x: &[f32], n_in: usize, n_out: usize) {
    let n = d.len() / n_out;
    product(
        (into, View::rows(n_out, n_in)),
        (d, View::rows(n, n_out).turned()),
        (x, View::rows(n, n_in)),
        1.0,
        1.0,
    );
}

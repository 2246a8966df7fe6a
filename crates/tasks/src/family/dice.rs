//! Draws that come out the same on 32-bit and 64-bit machines.

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

/// A number below `n`, drawn as u32 so that 32-bit and 64-bit machines agree.
pub(super) fn below(rng: &mut ChaCha8Rng, n: usize) -> usize {
    rng.random_range(0..n.max(1) as u32) as usize
}

/// Draws one of the values, each with the same chance.
pub(super) fn pick<'a, T>(rng: &mut ChaCha8Rng, values: &'a [T]) -> Option<&'a T> {
    values.get(below(rng, values.len()))
}

/// True in so many of a hundred draws.
pub(super) fn chance(rng: &mut ChaCha8Rng, percent: usize) -> bool {
    below(rng, 100) < percent
}

/// Puts them into a random order.
pub(super) fn shuffle<T>(rng: &mut ChaCha8Rng, values: &mut [T]) {
    for i in (1..values.len()).rev() {
        values.swap(i, below(rng, i + 1));
    }
}

//! Work shared out between threads, with the same result as on one.
//!
//! What is computed never depends on the number of threads: results stand in the order of their
//! inputs, and sums of floating-point numbers are made over blocks whose size depends on the input
//! alone. Threads are used only where they exist (everywhere but in a module for a browser that was
//! compiled without atomics), where [`open`] has said that a pool is ready, and where the work is worth
//! waking it.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Elementary steps below which one thread is done before others are awake.
const WORTH_SHARING: u64 = 300_000;
/// The most blocks that numbers are added up in; each takes a list as long as the graph has nodes.
const MAX_BLOCKS: usize = 64;
/// Inputs in a block at least.
const MIN_BLOCK: usize = 64;

/// Threads in the pool; 0 while there is none.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// Says that rayon's pool is ready with `n_threads` threads; 0 takes that back.
///
/// In a browser a pool takes a moment to start, and one that is asked for too early would be made
/// without threads for good. So nothing here touches it before.
pub fn open(n_threads: usize) {
    OPEN.store(n_threads, Ordering::Release);
}

/// How many threads share the work; 1 where there is no pool.
pub fn count() -> usize {
    OPEN.load(Ordering::Acquire).max(1)
}

/// Whether a graph of that size is large enough for its searches from every node to be shared out.
pub fn gain_on(n_nodes: usize, n_edges: usize) -> bool {
    n_nodes as u64 * (n_nodes + n_edges) as u64 >= WORTH_SHARING
}

/// `f` of each number below `n`, in their order. `scratch` makes what `f` may leave behind for its
/// next call; `f` must not let it change what it gives. `work` is about how many elementary steps
/// all of it takes.
pub fn map<S, T: Send>(
    n: usize,
    work: u64,
    scratch: impl Fn() -> S + Sync + Send,
    f: impl Fn(&mut S, usize) -> T + Sync + Send,
) -> Vec<T> {
    let is_shared = n > 1 && work >= WORTH_SHARING && count() > 1;
    #[cfg(any(not(target_arch = "wasm32"), target_feature = "atomics"))]
    if is_shared {
        use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
        return (0..n).into_par_iter().map_init(scratch, f).collect();
    }
    #[cfg(not(any(not(target_arch = "wasm32"), target_feature = "atomics")))]
    debug_assert!(!is_shared);
    let mut scratch = scratch();
    (0..n).map(|i| f(&mut scratch, i)).collect()
}

/// The numbers below `n` in blocks, the same for any number of threads.
pub(crate) fn blocks(n: usize) -> Vec<Range<usize>> {
    let size = n.div_ceil(MAX_BLOCKS).max(MIN_BLOCK);
    (0..n).step_by(size).map(|start| start..n.min(start + size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_hold_each_number_once_and_are_few() {
        for n in [0, 1, 63, 64, 65, 4095, 4096, 4097, 100_000] {
            let blocks = blocks(n);
            assert!(blocks.len() <= MAX_BLOCKS, "{n}: {}", blocks.len());
            assert!(blocks.iter().cloned().flatten().eq(0..n), "{n}");
        }
    }
}

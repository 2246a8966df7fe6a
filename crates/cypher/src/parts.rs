//! Values that share their parts know how many there are and how deep they nest, and what they hold in
//! memory is counted for as long as they live.
//!
//! A step of a query can make a value of any size out of two that it has: `[l, l]` takes as little time
//! as `[1, 2]`. Whatever walks a value asks for its size first.

use std::cell::Cell;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

thread_local! {
    static HELD: Cell<usize> = const { Cell::new(0) };
}

/// How many bytes the values and rows of this thread hold. What was made on another thread and is
/// dropped here is subtracted here, so only differences count.
pub(crate) fn held() -> usize {
    HELD.get()
}

fn add(n: usize) {
    // At the end of a thread there is nothing left to count for.
    let _ = HELD.try_with(|held| held.set(held.get().wrapping_add(n)));
}

/// Bytes that are counted until it is dropped.
#[derive(Debug, Default)]
pub(crate) struct Held(usize);

impl Held {
    pub fn new(n: usize) -> Self {
        add(n);
        Self(n)
    }

    /// Counts more of them.
    pub fn grow(&mut self, n: usize) {
        add(n);
        self.0 = self.0.wrapping_add(n);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        add(self.0.wrapping_neg());
    }
}

/// Something of many parts. A copy takes no time.
pub struct Parts<T>(Arc<Inner<T>>);

struct Inner<T> {
    value: T,
    size: usize,
    depth: usize,
    _held: Held,
}

impl<T> Parts<T> {
    /// `size` parts, nested `depth` deep, that hold `bytes`.
    pub(crate) fn new(value: T, size: usize, depth: usize, bytes: usize) -> Self {
        // The counters of an `Arc`, and what an allocator rounds two small blocks up by.
        let bytes = bytes + size_of::<Inner<T>>() + 48;
        Self(Arc::new(Inner { value, size, depth, _held: Held::new(bytes) }))
    }

    /// How many parts it has, those of its parts included; saturates.
    pub(crate) fn size(&self) -> usize {
        self.0.size
    }

    /// How deep lists and maps nest in it.
    pub(crate) fn depth(&self) -> usize {
        self.0.depth
    }
}

impl<T> Clone for Parts<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Deref> Deref for Parts<T> {
    type Target = T::Target;

    fn deref(&self) -> &T::Target {
        &self.0.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Parts<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.value.fmt(f)
    }
}

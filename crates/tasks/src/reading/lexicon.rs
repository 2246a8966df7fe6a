//! Lists of phrases by which texts are understood.

use std::ops::Deref;
use std::sync::OnceLock;

/// Phrases of which one is looked for, written with commas between them.
pub(crate) struct Phrases {
    written: &'static str,
    parted: OnceLock<(Vec<&'static str>, u64)>,
}

impl Phrases {
    pub(crate) const fn of(written: &'static str) -> Self {
        Self { written, parted: OnceLock::new() }
    }

    fn parted(&self) -> &(Vec<&'static str>, u64) {
        self.parted.get_or_init(|| {
            let phrases: Vec<&str> = self.written.split(", ").collect();
            let begun = phrases.iter().fold(0, |begun, phrase| begun | beginning(phrase));
            (phrases, begun)
        })
    }
}

impl Deref for Phrases {
    type Target = [&'static str];

    fn deref(&self) -> &Self::Target {
        &self.parted().0
    }
}

/// A list of phrases for one place, with commas between them.
macro_rules! phrases {
    ($written:literal) => {{
        static PHRASES: $crate::reading::Phrases = $crate::reading::Phrases::of($written);
        &PHRASES
    }};
}
pub(crate) use phrases;

/// Phrases that a sentence may have.
pub(crate) trait Listed {
    fn list(&self) -> &[&'static str];

    /// The beginnings of their words, one bit for each; see [`beginning`].
    fn begun(&self) -> u64 {
        u64::MAX
    }
}

impl Listed for Phrases {
    fn list(&self) -> &[&'static str] {
        self
    }

    fn begun(&self) -> u64 {
        self.parted().1
    }
}

impl Listed for [&'static str] {
    fn list(&self) -> &[&'static str] {
        self
    }
}

impl<const N: usize> Listed for [&'static str; N] {
    fn list(&self) -> &[&'static str] {
        self
    }
}

/// The bit for words that begin as this one does. Other words may share it: a sentence of ten words is
/// spared most searches all the same.
pub(crate) fn beginning(word: &str) -> u64 {
    let (first, second) = match *word.as_bytes() {
        [first, second, ..] => (first, second),
        [first] => (first, b' '),
        [] => return 0,
    };
    1 << (u32::from(first).wrapping_mul(31).wrapping_add(u32::from(second)) & 63)
}

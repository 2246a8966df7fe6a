//! Many short texts in one piece of memory.

/// Texts that occur often, each kept once and known by a number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Strings {
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        // The builder keeps all texts together under 4 GB.
        self.ends.push(self.text.len() as u32);
    }

    pub(crate) fn get(&self, i: u32) -> &str {
        let i = i as usize;
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.text[start..self.ends[i] as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// All texts together, in bytes.
    pub(crate) fn n_bytes(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    pub(crate) fn memory(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<u32>()
    }
}

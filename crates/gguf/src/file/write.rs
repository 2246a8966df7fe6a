//! The bytes of a new file: metadata, the list of tensors, and where each begins.

use super::Kind;

/// What every tensor begins at a multiple of.
const ALIGNMENT: usize = 32;

/// A head that is being written.
#[derive(Default)]
pub(crate) struct Writing {
    values: Vec<u8>,
    n_values: u64,
}

/// A text with its length.
pub(crate) fn text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend(text.as_bytes());
}

/// A line of the list of tensors: its name, sides, kind, and where it begins, counted from the first one.
pub(crate) fn listed(
    bytes: &mut Vec<u8>,
    name: &str,
    (n_cols, n_rows): (usize, usize),
    kind: Kind,
    at: u64,
) {
    text(bytes, name);
    let sides = [n_cols as u64, n_rows as u64];
    // A vector has one side.
    let sides = if n_rows == 1 { &sides[..1] } else { &sides[..] };
    bytes.extend((sides.len() as u32).to_le_bytes());
    sides.iter().for_each(|side| bytes.extend(side.to_le_bytes()));
    bytes.extend(kind.number().to_le_bytes());
    bytes.extend(at.to_le_bytes());
}

/// A tensor's name, columns and rows, and how its numbers are stored.
pub(crate) struct NewTensor {
    pub name: String,
    pub n_cols: usize,
    pub n_rows: usize,
    pub kind: Kind,
}

impl NewTensor {
    /// How many bytes it takes, with those that fill it up to where the next begins.
    pub(crate) fn room(&self) -> u64 {
        let n_bytes = self.kind.bytes_of(self.n_cols * self.n_rows).unwrap_or_default();
        n_bytes.next_multiple_of(ALIGNMENT as u64)
    }
}

impl Writing {
    fn value(&mut self, key: &str, kind: u32, bytes: &[u8]) {
        text(&mut self.values, key);
        self.values.extend(kind.to_le_bytes());
        self.values.extend(bytes);
        self.n_values += 1;
    }

    pub(crate) fn number(&mut self, key: &str, n: usize) {
        self.value(key, 4, &(n as u32).to_le_bytes());
    }

    pub(crate) fn float(&mut self, key: &str, x: f32) {
        self.value(key, 6, &x.to_le_bytes());
    }

    pub(crate) fn flag(&mut self, key: &str, is: bool) {
        self.value(key, 7, &[u8::from(is)]);
    }

    pub(crate) fn text(&mut self, key: &str, value: &str) {
        let mut bytes = Vec::new();
        text(&mut bytes, value);
        self.value(key, 8, &bytes);
    }

    pub(crate) fn texts(&mut self, key: &str, texts: &[String]) {
        let mut bytes = 8_u32.to_le_bytes().to_vec();
        bytes.extend((texts.len() as u64).to_le_bytes());
        texts.iter().for_each(|value| text(&mut bytes, value));
        self.value(key, 9, &bytes);
    }

    pub(crate) fn ints(&mut self, key: &str, ints: &[i32]) {
        let mut bytes = 5_u32.to_le_bytes().to_vec();
        bytes.extend((ints.len() as u64).to_le_bytes());
        bytes.extend(ints.iter().flat_map(|n| n.to_le_bytes()));
        self.value(key, 9, &bytes);
    }

    /// The head with its list of tensors, up to where the first one begins.
    pub(crate) fn finish(self, tensors: &[NewTensor]) -> Vec<u8> {
        let mut head = b"GGUF".to_vec();
        head.extend(3_u32.to_le_bytes());
        head.extend((tensors.len() as u64).to_le_bytes());
        head.extend(self.n_values.to_le_bytes());
        head.extend(self.values);
        let mut at = 0_u64;
        for tensor in tensors {
            let sides = (tensor.n_cols, tensor.n_rows);
            listed(&mut head, &tensor.name, sides, tensor.kind, at);
            at += tensor.room();
        }
        head.resize(head.len().next_multiple_of(ALIGNMENT), 0);
        head
    }
}

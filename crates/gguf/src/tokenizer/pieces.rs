//! Pieces with scores, as SentencePiece joins them: of all pairs that make a piece the best comes
//! first, and the left one of equals. `tokenizers` knows such vocabularies only with a list of
//! merges, which files do not have.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use ahash::AHashMap;

use super::{BYTE, CONTROL};

/// The mark in the place of a space.
const SPACE: char = '\u{2581}';

pub(super) struct Pieces {
    ids: AHashMap<String, (u32, f32)>,
    bytes: [Option<u32>; 256],
    adds_space: bool,
    unknown: u32,
}

/// The byte that a token such as `<0x0A>` stands for.
pub(super) fn byte_of(token: &str) -> Option<u8> {
    let digits = token.strip_prefix("<0x")?.strip_suffix('>')?;
    u8::from_str_radix(digits, 16).ok()
}

/// Two neighbours that make a piece.
struct Pair {
    score: f32,
    left: usize,
    right: usize,
    len: usize,
}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| other.left.cmp(&self.left))
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Pair {}

/// A part of the text, with its neighbours; of length 0 once it is joined to the left.
struct Part {
    at: usize,
    len: usize,
    before: Option<usize>,
    after: Option<usize>,
}

impl Pieces {
    pub(super) fn new(
        tokens: &[String],
        scores: &[f32],
        kinds: &[i32],
        adds_space: bool,
        unknown: u32,
    ) -> Self {
        let mut ids = AHashMap::with_capacity(tokens.len());
        let mut bytes = [None; 256];
        for (i, (token, score)) in tokens.iter().zip(scores).enumerate() {
            match kinds.get(i) {
                Some(&BYTE) => {
                    if let Some(byte) = byte_of(token) {
                        bytes[usize::from(byte)] = Some(i as u32);
                    }
                }
                Some(&CONTROL) => {}
                _ => {
                    ids.entry(token.clone()).or_insert((i as u32, *score));
                }
            }
        }
        Self { ids, bytes, adds_space, unknown }
    }

    pub(super) fn tokens(&self, text: &str, is_start: bool, into: &mut Vec<u32>) {
        let mut spaced = String::with_capacity(text.len() + 3);
        if self.adds_space && is_start {
            spaced.push(SPACE);
        }
        spaced.extend(text.chars().map(|c| if c == ' ' { SPACE } else { c }));
        let mut parts: Vec<Part> = Vec::new();
        for (i, (at, c)) in spaced.char_indices().enumerate() {
            let after = (at + c.len_utf8() < spaced.len()).then_some(i + 1);
            parts.push(Part { at, len: c.len_utf8(), before: i.checked_sub(1), after });
        }
        let mut pairs = BinaryHeap::new();
        let look = |parts: &[Part], left: usize, right: usize| {
            let len = parts[left].len + parts[right].len;
            let piece = spaced.get(parts[left].at..parts[left].at + len)?;
            self.ids.get(piece).map(|(_, score)| Pair { score: *score, left, right, len })
        };
        for right in 1..parts.len() {
            pairs.extend(look(&parts, right - 1, right));
        }
        while let Some(pair) = pairs.pop() {
            let (left, right) = (pair.left, pair.right);
            let is_old = parts[left].len == 0
                || parts[right].len == 0
                || parts[left].len + parts[right].len != pair.len;
            if is_old {
                continue;
            }
            parts[left].len = pair.len;
            parts[right].len = 0;
            let after = parts[right].after;
            parts[left].after = after;
            if let Some(after) = after {
                parts[after].before = Some(left);
                pairs.extend(look(&parts, left, after));
            }
            if let Some(before) = parts[left].before {
                pairs.extend(look(&parts, before, left));
            }
        }
        for part in parts.iter().filter(|part| part.len > 0) {
            let piece = &spaced[part.at..part.at + part.len];
            match self.ids.get(piece) {
                Some((id, _)) => into.push(*id),
                // What is no piece is spelt out.
                None => into.extend(
                    piece.bytes().map(|b| self.bytes[usize::from(b)].unwrap_or(self.unknown)),
                ),
            }
        }
    }
}

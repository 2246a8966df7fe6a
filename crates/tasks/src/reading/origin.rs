//! Where the parts of a text that was written in another way came from.

use std::borrow::Cow;
use std::ops::Range;

/// A part that became another one. What stands between two of them was copied.
#[derive(Clone, Copy, Debug)]
struct Edit {
    /// Where it stood.
    from: (usize, usize),
    /// Where what it became stands.
    to: (usize, usize),
}

/// A text on its way to plain spelling; each of its bytes leads back to where it came from.
#[derive(Clone, Debug)]
pub(crate) struct Draft<'t> {
    pub(crate) text: Cow<'t, str>,
    /// The edits of each rewriting, the first first.
    rewritings: Vec<Vec<Edit>>,
}

impl<'t> Draft<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        Self { text: Cow::Borrowed(text), rewritings: Vec::new() }
    }

    /// Writes the text again. What the writer leaves over is dropped.
    pub(crate) fn rewrite(&mut self, write: impl FnOnce(&mut Writer<'_>)) {
        let mut writer = Writer::new(&self.text);
        write(&mut writer);
        let (text, edits) = writer.end();
        self.text = Cow::Owned(text);
        self.rewritings.push(edits);
    }

    /// Replaces each match of some patterns; of two in one place the first counts.
    pub(crate) fn replace(&mut self, patterns: &[(&str, &str)]) {
        let mut found: Vec<(usize, usize, &str)> = Vec::new();
        for (pattern, with) in patterns {
            found.extend(self.text.match_indices(pattern).map(|(at, p)| (at, at + p.len(), *with)));
        }
        if found.is_empty() {
            return;
        }
        found.sort_by_key(|(at, ..)| *at);
        self.rewrite(|writer| {
            for (start, end, with) in found {
                if start >= writer.at {
                    writer.copy_to(start);
                    writer.put(end, with);
                }
            }
            writer.copy_rest();
        });
    }

    pub(crate) fn owned(self) -> Draft<'static> {
        Draft { text: Cow::Owned(self.text.into_owned()), rewritings: self.rewritings }
    }

    /// Where a part of the text stood in the text that it was made of, and whether it lies within a piece
    /// that was written in another way: then this is where that piece stood.
    pub(crate) fn origin(&self, part: Range<usize>) -> (Range<usize>, bool) {
        self.rewritings.iter().rev().fold((part, false), |(part, was_inside), edits| {
            let (part, is_inside) = back(edits, part);
            (part, was_inside || is_inside)
        })
    }
}

/// A part of a text, as the part of the text before some edits. O(log of their number).
fn back(edits: &[Edit], part: Range<usize>) -> (Range<usize>, bool) {
    let edit_at = |byte: usize| {
        let behind = edits.partition_point(|edit| edit.to.0 <= byte);
        behind.checked_sub(1).map_or(Edit { from: (0, 0), to: (0, 0) }, |i| edits[i])
    };
    let last = part.end.saturating_sub(1).max(part.start);
    let (first_edit, last_edit) = (edit_at(part.start), edit_at(last));
    let (starts, ends) = (part.start < first_edit.to.1, last < last_edit.to.1);
    let start = match starts {
        true => first_edit.from.0,
        false => part.start - first_edit.to.1 + first_edit.from.1,
    };
    let end = match ends {
        true => last_edit.from.1,
        false => last + 1 - last_edit.to.1 + last_edit.from.1,
    };
    let is_inside = starts && part.start > first_edit.to.0 || ends && last + 1 < last_edit.to.1;
    (start..end.max(start), is_inside)
}

/// Writes a text again from its beginning to its end.
pub(crate) struct Writer<'s> {
    pub(crate) source: &'s str,
    /// Up to where the source has been taken over.
    pub(crate) at: usize,
    out: String,
    edits: Vec<Edit>,
}

impl<'s> Writer<'s> {
    fn new(source: &'s str) -> Self {
        let out = String::with_capacity(source.len() + 16);
        Self { source, at: 0, out, edits: Vec::new() }
    }

    fn end(mut self) -> (String, Vec<Edit>) {
        self.put(self.source.len(), "");
        (self.out, self.edits)
    }

    /// What has not been taken over yet.
    pub(crate) fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    /// Copies the source up to a place.
    pub(crate) fn copy_to(&mut self, end: usize) {
        self.out.push_str(&self.source[self.at..end]);
        self.at = end;
    }

    /// The same with small letters for capital ones of ASCII.
    pub(crate) fn lower_to(&mut self, end: usize) {
        let from = self.out.len();
        self.copy_to(end);
        self.out[from..].make_ascii_lowercase();
    }

    pub(crate) fn copy_rest(&mut self) {
        self.copy_to(self.source.len());
    }

    /// Writes a text in place of the source up to a position.
    pub(crate) fn put(&mut self, end: usize, text: &str) {
        let from = (self.at, end);
        let start = self.out.len();
        self.out.push_str(text);
        self.at = end;
        if from.1 - from.0 != text.len() || text.chars().nth(1).is_some() {
            self.edits.push(Edit { from, to: (start, self.out.len()) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lead_back_through_every_rewriting() {
        let mut draft = Draft::of("a &rarr; **b**, and so on");
        draft.replace(&[("&rarr;", "→"), ("and so on", "etc")]);
        draft.replace(&[("*", ""), ("→", "->")]);
        assert_eq!(draft.text, "a -> b, etc");
        let of = |part: &str| {
            let at = draft.text.find(part).unwrap();
            let origin = draft.origin(at..at + part.len());
            &"a &rarr; **b**, and so on"[origin.0]
        };
        assert_eq!(of("->"), "&rarr;");
        assert_eq!(of("b"), "b");
        assert_eq!(of("a -> b"), "a &rarr; **b");
        assert_eq!(of("etc"), "and so on");
    }
}

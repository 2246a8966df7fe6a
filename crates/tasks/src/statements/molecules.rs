//! Which of two molecules the numbers of a text are atoms of.

use super::find::Finder;
use super::{Part, Property, Said};
use crate::reading::phrases;

impl Finder<'_> {
    /// The letter of the molecule that each piece is about: the one named before it in its sentence, or in a
    /// heading above.
    pub(super) fn letters(&self) -> Vec<Option<char>> {
        let (mut letters, mut start) = (Vec::with_capacity(self.len()), 0);
        let mut above = None;
        while start < self.len() {
            let mut end = start + 1;
            while self.same_sentence(start, end) {
                end += 1;
            }
            let of_both = phrases!("both, molecules, common, we, from, each, two");
            if (start..end).any(|at| self.is(at, of_both)) {
                above = None;
            }
            let (mut letter, mut named) = (above, None);
            for at in start..end {
                if let Some(own) = self.molecule(at) {
                    // "Molecule A and molecule B" are both.
                    let is_pair = named.is_some_and(|before| at == before + 3)
                        && self.is(at - 1, &["and", "or", "to"]);
                    letter = (!is_pair).then_some(own);
                    named = Some(at);
                } else if self.is(at, &["both", "molecules"]) {
                    letter = None;
                }
                letters.push(letter);
            }
            if named.is_some() {
                let is_heading = self.is(end - 1, &[":"]) || end - start <= 4;
                above = letter.filter(|_| is_heading);
            }
            start = end;
        }
        letters
    }

    /// The letter of the molecule that is named at a place.
    fn molecule(&self, at: usize) -> Option<char> {
        let letter = self.is(at, &["molecule", "molecular"]).then(|| self.word(at + 1))?;
        letter.chars().next().filter(|_| matches!(letter, "a" | "b"))
    }

    /// Past `in molecule a`.
    pub(super) fn past_molecule(&self, at: usize) -> usize {
        if self.molecule(at).is_some() { at + 2 } else { at }
    }

    /// `molecule a consists of 6 atoms with 6 bonds`.
    pub(super) fn counted_of_molecule(&mut self, at: usize) -> Option<usize> {
        let letter = self.letter(at)?;
        let n = self.number(at).filter(|n| n.fract() == 0.0)? as usize;
        let (is_edges, what) = match (self.word(at + 1), letter) {
            ("atoms" | "nodes", 'a') => (false, "atoms of molecule A"),
            ("atoms" | "nodes", _) => (false, "atoms of molecule B"),
            ("bonds" | "edges", 'a') => (true, "bonds of molecule A"),
            ("bonds" | "edges", _) => (true, "bonds of molecule B"),
            _ => return None,
        };
        let leads = ["of", "with", "has", "contains", "and", "following"];
        if !self.before(at, &leads, 2) || self.before(at, &["subgraph", "common", "first"], 8) {
            return None;
        }
        let is = Property::Part(n, Part { letter, what, is_edges });
        self.state(Said::Whole { is, holds: true }, at, at + 2);
        Some(at + 2)
    }
}

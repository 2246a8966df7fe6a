//! A model that computes a text once.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::Embed;

/// The most texts that are remembered; others are computed each time.
const MOST: usize = 50_000;

/// Turns texts into vectors by a model that takes its time, each text once.
pub struct Remembered<E> {
    model: E,
    known: RefCell<BTreeMap<String, Vec<f32>>>,
}

impl<E: Embed> Remembered<E> {
    /// A model, and nothing remembered yet.
    pub fn new(model: E) -> Self {
        Self { model, known: RefCell::default() }
    }

    /// Those of some texts that the model would have to compute and this would remember, each once.
    pub fn unknown<'t>(&self, texts: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
        let known = self.known.borrow();
        let new: BTreeSet<&str> = texts.filter(|t| !known.contains_key(*t)).collect();
        new.into_iter().take(MOST.saturating_sub(known.len())).collect()
    }

    /// Lets the model compute texts together, and remembers them.
    pub fn learn(&self, texts: &[&str]) {
        let vectors = self.model.embed_all(texts);
        let mut known = self.known.borrow_mut();
        for (text, vector) in texts.iter().zip(vectors) {
            if known.len() < MOST {
                known.insert((*text).to_owned(), vector);
            }
        }
    }
}

impl<E: Embed> Embed for Remembered<E> {
    fn label(&self) -> String {
        self.model.label()
    }

    fn threshold(&self) -> f32 {
        self.model.threshold()
    }

    fn embed(&self, text: &str) -> Vec<f32> {
        if let Some(vector) = self.known.borrow().get(text) {
            return vector.clone();
        }
        let vector = self.model.embed(text);
        let mut known = self.known.borrow_mut();
        if known.len() < MOST {
            known.insert(text.to_owned(), vector.clone());
        }
        vector
    }

    fn embed_all(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        let new = self.unknown(texts.iter().copied());
        self.learn(&new);
        texts.iter().map(|t| self.embed(t)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::*;

    /// Counts what it is asked.
    #[derive(Default)]
    struct Counting {
        n: Cell<usize>,
    }

    impl Embed for Counting {
        fn label(&self) -> String {
            "counting".into()
        }
        fn embed(&self, text: &str) -> Vec<f32> {
            self.n.set(self.n.get() + 1);
            vec![text.len() as f32, text.bytes().map(f32::from).sum()]
        }
    }

    proptest! {
        #[test]
        fn every_text_has_its_vector_and_is_computed_once(
            asks in prop::collection::vec(prop::collection::vec("[ab]{0,3}", 0..6), 0..6)
        ) {
            let (model, plain) = (Remembered::new(Counting::default()), Counting::default());
            let mut all = BTreeSet::new();
            for (i, texts) in asks.iter().enumerate() {
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                all.extend(texts.iter().copied());
                let expected: Vec<Vec<f32>> = texts.iter().map(|t| plain.embed(t)).collect();
                let got = if i % 2 == 0 {
                    model.embed_all(&texts)
                } else {
                    texts.iter().map(|t| model.embed(t)).collect()
                };
                prop_assert_eq!(got, expected);
                prop_assert!(model.unknown(texts.into_iter()).is_empty());
            }
            prop_assert_eq!(model.model.n.get(), all.len());
        }
    }
}

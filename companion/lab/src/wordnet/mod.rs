//! WordNet's files, as the Debian package `wordnet-base` has them.

mod nouns;

use std::collections::HashSet;
use std::path::Path;

use anyhow::Context as _;

pub(crate) use nouns::nouns;

use companion::{input, limits};

/// The words that WordNet has.
pub(crate) struct Lemmas(HashSet<String>);

/// Endings, and what stands there in the word that the dictionary has.
const ENDINGS: &[(&str, &str)] = &[
    ("s", ""),
    ("es", ""),
    ("ies", "y"),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
    ("er", ""),
    ("er", "e"),
    ("est", ""),
];

impl Lemmas {
    /// Reads the four `index.*` files of a folder.
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut lemmas = HashSet::new();
        for part in ["noun", "verb", "adj", "adv"] {
            let text = file(folder, &format!("index.{part}"))?;
            // The licence stands above, its lines begin with a space.
            let lines = text.lines().filter(|l| !l.starts_with(' '));
            lemmas.extend(lines.filter_map(|l| l.split(' ').next()).map(str::to_owned));
        }
        Ok(Self(lemmas))
    }

    /// Whether a word, or what it is a form of, is there.
    pub(crate) fn has_form(&self, word: &str) -> bool {
        let is_form = |(ending, instead): &(&str, &str)| {
            word.len() > 3
                && word
                    .strip_suffix(ending)
                    .is_some_and(|stem| self.0.contains(&format!("{stem}{instead}")))
        };
        self.0.contains(word) || ENDINGS.iter().any(is_form)
    }
}

/// Reads one of the files.
pub(crate) fn file(folder: &Path, name: &str) -> anyhow::Result<String> {
    input::text(&folder.join(name), limits::WORDNET).context(
        "WordNet's files are missing; the Debian package wordnet-base has them, and another folder \
         can be given",
    )
}

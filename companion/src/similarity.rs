//! SimilarityChoice measures by their names on the command line.

use std::path::Path;
use std::rc::Rc;

use anyhow::Context as _;
use clap::ValueEnum;
use text::Remembered;
use text::{Bm25Similarity, Embedded, NGrams, WordTable};

use crate::{input, limits};

/// The table that the page loads.
const TABLE: &[u8] = include_bytes!("../../assets/models/words.bin");

/// A similarity measure for texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SimilarityChoice {
    /// Character trigrams.
    Ngrams,
    /// BM25: the words that they have in common.
    Bm25,
    /// The table of words.
    Table,
    /// MiniLM itself, which `meaning fetch` brings.
    Minilm,
}

impl SimilarityChoice {
    /// Opens it; `table` is another table than the one that ships, `cache` has MiniLM.
    pub fn open(
        self,
        table: Option<&Path>,
        cache: Option<&Path>,
    ) -> anyhow::Result<Rc<dyn text::SimilarityMeasure>> {
        Ok(match self {
            Self::Ngrams => Rc::new(NGrams),
            Self::Bm25 => Rc::new(Bm25Similarity),
            Self::Table => {
                let table = match table {
                    None => WordTable::read(TABLE)?,
                    Some(path) => {
                        let bytes = input::bytes(path, limits::WORD_TABLE)?;
                        WordTable::read(&bytes).with_context(|| path.display().to_string())?
                    }
                };
                Rc::new(Embedded(Rc::new(table)))
            }
            Self::Minilm => {
                use crate::{minilm::load, packages::cache as folder};
                // Hints come again: each is computed once.
                Rc::new(Embedded(Rc::new(Remembered::new(load(&folder(cache)?)?))))
            }
        })
    }
}

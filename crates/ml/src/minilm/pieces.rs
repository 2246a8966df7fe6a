//! Text as the pieces that a BERT reads. The steps are those of the library `tokenizers`; what it has
//! beside them, to read tokenizers of every kind, is six times as much code as the models.

use ahash::AHashMap;
use serde::Deserialize;
use serde_json::Value;
use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;
use tokenizers::{
    Model as _, NormalizedString, Normalizer as _, OffsetReferential, OffsetType,
    PreTokenizedString, PreTokenizer as _,
};

/// The parts of a tokenizer that a BERT has, and the kinds of each that are read.
const PARTS: [(&str, &[&str]); 4] = [
    ("normalizer", &["BertNormalizer"]),
    ("pre_tokenizer", &["BertPreTokenizer"]),
    ("post_processor", &["TemplateProcessing", "BertProcessing"]),
    ("model", &["WordPiece"]),
];

/// What is read of a `tokenizer.json`.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    added_tokens: Vec<Added>,
    normalizer: Option<BertNormalizer>,
    model: Words,
}

/// A mark that is read as one piece wherever it stands in a text, such as `[MASK]`.
#[derive(Deserialize)]
struct Added {
    id: u32,
    content: String,
    #[serde(default)]
    single_word: bool,
    #[serde(default)]
    lstrip: bool,
    #[serde(default)]
    rstrip: bool,
    #[serde(default)]
    normalized: bool,
}

impl Added {
    /// Whether it is looked for in the text as it is.
    fn is_plain(&self) -> bool {
        let is_other = self.single_word || self.lstrip || self.rstrip || self.normalized;
        !is_other && !self.content.is_empty()
    }
}

#[derive(Deserialize)]
struct Words {
    vocab: AHashMap<String, u32>,
    unk_token: String,
    continuing_subword_prefix: String,
    max_input_chars_per_word: usize,
}

/// Reads texts as numbers of pieces.
pub(super) struct Pieces {
    normalizer: Option<BertNormalizer>,
    words: WordPiece,
    added: Vec<Added>,
    n_pieces: usize,
    /// What stands before and after each text.
    around: [u32; 2],
    /// How many of a text are read, with those around it.
    most: usize,
}

impl Pieces {
    /// Reads a `tokenizer.json`; no text is read as more than `most` pieces.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(bytes: &[u8], most: usize) -> Result<Self, String> {
        let read: Value = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
        let parts = read.as_object().ok_or("it is no object")?;
        for (name, known) in PARTS {
            let of = match parts.get(name) {
                None | Some(Value::Null) => continue,
                Some(part) => part["type"].as_str().unwrap_or_default(),
            };
            // Earlier files do not name the kind of their model.
            let is_unnamed = name == "model" && of.is_empty();
            if !is_unnamed && !known.contains(&of) {
                let known = known.join(", ");
                return Err(format!("its {name} is {of:.40?}; expected one of {known}"));
            }
        }
        let vocabulary = &parts.get("model").unwrap_or(&Value::Null)["vocab"];
        let mark = |mark: &str| {
            let id = vocabulary[mark].as_u64().and_then(|id| u32::try_from(id).ok());
            id.ok_or_else(|| {
                format!("its vocabulary has no {mark:?}, which stands around each text")
            })
        };
        let around = [mark("[CLS]")?, mark("[SEP]")?];
        let File { added_tokens: added, normalizer, model } =
            serde_json::from_value(read).map_err(|e| e.to_string())?;
        if let Some(added) = added.iter().find(|added| !added.is_plain()) {
            return Err(format!(
                "its mark {:.40?} is looked for in a way that is not known here; expected false for \
                 single_word, lstrip, rstrip and normalized",
                added.content
            ));
        }
        let ids = model.vocab.values().copied().chain(added.iter().map(|added| added.id));
        let n_pieces = ids.max().map_or(0, |id| id as usize + 1);
        let words = WordPiece::builder()
            .vocab(model.vocab)
            .unk_token(model.unk_token)
            .continuing_subword_prefix(model.continuing_subword_prefix)
            .max_input_chars_per_word(model.max_input_chars_per_word)
            .build()
            .map_err(|e| e.to_string())?;
        Ok(Self { normalizer, words, added, n_pieces, around, most: most.max(around.len()) })
    }

    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.n_pieces
    }

    /// The numbers of a text's pieces, with those around it.
    ///
    /// # Errors
    /// What the library says.
    pub fn of(&self, text: &str) -> Result<Vec<u32>, String> {
        let [before, after] = self.around;
        let mut ids = vec![before];
        let mut rest = text;
        while let Some((at, added)) = self.next_added(rest) {
            self.plain(&rest[..at], &mut ids)?;
            ids.push(added.id);
            rest = &rest[at + added.content.len()..];
        }
        self.plain(rest, &mut ids)?;
        ids.truncate(self.most - 1);
        ids.push(after);
        Ok(ids)
    }

    /// The first mark in a text; of two at one place the longer.
    fn next_added(&self, text: &str) -> Option<(usize, &Added)> {
        let found = self.added.iter().filter_map(|a| text.find(&a.content).map(|at| (at, a)));
        found.min_by_key(|(at, added)| (*at, std::cmp::Reverse(added.content.len())))
    }

    /// Appends the pieces of a text without marks.
    fn plain(&self, text: &str, ids: &mut Vec<u32>) -> Result<(), String> {
        let mut normalized = NormalizedString::from(text);
        if let Some(normalizer) = self.normalizer {
            normalizer.normalize(&mut normalized).map_err(|e| e.to_string())?;
        }
        let mut split = PreTokenizedString::from(normalized);
        BertPreTokenizer.pre_tokenize(&mut split).map_err(|e| e.to_string())?;
        for (word, ..) in split.get_splits(OffsetReferential::Normalized, OffsetType::Byte) {
            // The rest would be cut off.
            if ids.len() >= self.most {
                break;
            }
            let pieces = self.words.tokenize(word).map_err(|e| e.to_string())?;
            ids.extend(pieces.into_iter().map(|piece| piece.id));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tokenizers::{Tokenizer, TruncationParams};

    use super::*;
    use crate::minilm::fixture;

    const MOST: usize = 12;

    /// The library, as it reads the file itself.
    fn library() -> Tokenizer {
        let mut tokenizer = Tokenizer::from_bytes(fixture::tokenizer()).unwrap();
        let truncation = TruncationParams { max_length: MOST, ..TruncationParams::default() };
        tokenizer.with_truncation(Some(truncation)).unwrap();
        tokenizer
    }

    #[test]
    fn marks_in_a_text_are_one_piece() {
        let pieces = Pieces::read(&fixture::tokenizer(), MOST).unwrap();
        assert_eq!(pieces.of("Mother[SEP]is").unwrap(), [2, 4, 3, 6, 3]);
        assert_eq!(pieces.of("").unwrap(), [2, 3]);
    }

    proptest! {
        #[test]
        fn a_text_is_read_as_the_library_reads_it(
            text in "((mother|Sister|is|s|isun|MÖTHER|日本|[SEP]|\\[SEP\\]|\\[UNK\\]|[ -~]|\\PC)[ ,.]?){0,9}"
        ) {
            let expected = library().encode(text.as_str(), true).unwrap().get_ids().to_vec();
            let pieces = Pieces::read(&fixture::tokenizer(), MOST).unwrap();
            prop_assert_eq!(pieces.of(&text).unwrap(), expected);
        }
    }
}

//! The file's own tokenizer: texts as tokens, and tokens as bytes.

mod bytes;
mod detokenize;
mod pieces;
mod pre;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use aho_corasick::{AhoCorasick, MatchKind};
use tokenizers::models::bpe::BPE;
use tokenizers::{
    Model as _, OffsetReferential, OffsetType, PreTokenizedString, PreTokenizer as _,
};

use crate::GgufError;
use crate::file::{Head, Value};
pub(crate) use bytes::shown;
pub use detokenize::Detokenizer;
use pieces::Pieces;
pub(crate) use pre::pattern_of;

/// What the file says of a token: text, nothing, unknown, control, user-defined, unused, byte.
const CONTROL: i32 = 3;
const UNKNOWN: i32 = 2;
const USER_DEFINED: i32 = 4;
const BYTE: i32 = 6;

/// Tokens whose names end a turn in the models that are known, whatever the metadata say.
const ENDS: [&str; 7] = [
    "<|im_end|>",
    "<|eot_id|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|eom_id|>",
    "</s>",
    "<|end|>",
];

enum Pairs {
    /// Pairs of characters that stand for bytes, joined in the order of a list.
    Merges { model: Box<BPE>, pre: tokenizers::pre_tokenizers::sequence::Sequence },
    /// Pieces of text joined by their scores.
    Scores(Box<Pieces>),
}

/// The tokenizer of a model.
pub struct ModelTokenizer {
    pairs: Pairs,
    /// The bytes of each token.
    bytes: Vec<Vec<u8>>,
    /// Tokens that stand for no text.
    is_control: Vec<bool>,
    specials: Option<AhoCorasick>,
    special_ids: Vec<u32>,
    bos: Option<u32>,
    ends: BTreeSet<u32>,
    adds_bos: bool,
}

impl std::fmt::Debug for ModelTokenizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ModelTokenizer").field("n_tokens", &self.bytes.len()).finish()
    }
}

fn tokens_of(head: &Head) -> Result<&[String], GgufError> {
    match head.values.get("tokenizer.ggml.tokens") {
        Some(Value::Texts(tokens)) if !tokens.is_empty() => Ok(tokens),
        _ => Err(GgufError::tokenizer("the file has no list \"tokenizer.ggml.tokens\"")),
    }
}

/// Whether a file has a tokenizer of a known kind, without making it.
pub(crate) fn check(head: &Head) -> Result<(), GgufError> {
    let tokens = tokens_of(head)?;
    match head.text("tokenizer.ggml.model") {
        Some("gpt2") => pre::check(head.text("tokenizer.ggml.pre").unwrap_or("default"))?,
        Some("llama") => {}
        Some(found) => {
            return Err(GgufError::tokenizer(format!(
                "its kind is {found:?}; known are \"gpt2\" and \"llama\""
            )));
        }
        None => return Err(GgufError::tokenizer("the file has no \"tokenizer.ggml.model\"")),
    }
    let n_vocab = head.tensor("token_embd.weight")?.n_rows;
    if tokens.len() > n_vocab {
        return Err(GgufError::tokenizer(format!(
            "it has {} tokens, and the network knows {n_vocab}",
            tokens.len()
        )));
    }
    Ok(())
}

impl ModelTokenizer {
    pub(crate) fn of(head: &Head) -> Result<Self, GgufError> {
        check(head)?;
        let tokens = tokens_of(head)?;
        let kinds: &[i32] = match head.values.get("tokenizer.ggml.token_type") {
            Some(Value::Ints(kinds)) => kinds,
            _ => &[],
        };
        let kind = |i: usize| kinds.get(i).copied().unwrap_or(1);
        let is_gpt2 = head.text("tokenizer.ggml.model") == Some("gpt2");
        let pairs = if is_gpt2 { merges(head, tokens)? } else { scores(head, tokens, kinds)? };
        let bytes = tokens.iter().enumerate().map(|(i, token)| match kind(i) {
            CONTROL | UNKNOWN | USER_DEFINED => token.clone().into_bytes(),
            BYTE => pieces::byte_of(token).map_or_else(|| token.clone().into_bytes(), |b| vec![b]),
            _ if is_gpt2 => bytes::decode(token),
            _ => token.replace('\u{2581}', " ").into_bytes(),
        });
        let bytes: Vec<Vec<u8>> = bytes.collect();
        let is_special = |i: usize| matches!(kind(i), CONTROL | USER_DEFINED);
        let special_ids: Vec<usize> =
            (0..tokens.len()).filter(|i| is_special(*i) && !tokens[*i].is_empty()).collect();
        let specials = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(special_ids.iter().map(|i| &tokens[*i]))
            .map_err(|error| GgufError::tokenizer(format!("its special tokens: {error}")))?;
        let id = |key: &str| {
            let id = head.size(key).filter(|id| *id < tokens.len());
            id.map(|id| id as u32)
        };
        let named = special_ids.iter().filter(|i| ENDS.contains(&tokens[**i].as_str()));
        let mut ends: BTreeSet<u32> = named.map(|i| *i as u32).collect();
        ends.extend(id("tokenizer.ggml.eos_token_id"));
        ends.extend(id("tokenizer.ggml.eot_token_id"));
        let bos = id("tokenizer.ggml.bos_token_id");
        Ok(Self {
            pairs,
            is_control: (0..tokens.len()).map(|i| matches!(kind(i), CONTROL | UNKNOWN)).collect(),
            bytes,
            specials: (!special_ids.is_empty()).then_some(specials),
            special_ids: special_ids.into_iter().map(|i| i as u32).collect(),
            bos,
            ends,
            adds_bos: head.flag("tokenizer.ggml.add_bos_token").unwrap_or(!is_gpt2)
                && bos.is_some(),
        })
    }

    /// How many tokens there are.
    pub fn n_tokens(&self) -> usize {
        self.bytes.len()
    }

    /// Tokens that end a turn.
    pub fn ends(&self) -> impl Iterator<Item = u32> {
        self.ends.iter().copied()
    }

    /// Whether a token ends a turn.
    pub fn is_end(&self, token: u32) -> bool {
        self.ends.contains(&token)
    }

    /// Whether a token stands for no text of its own.
    pub fn is_control(&self, token: u32) -> bool {
        self.is_control.get(token as usize).copied().unwrap_or(true)
    }

    /// The token that begins a text, where there is one.
    pub fn bos(&self) -> Option<u32> {
        self.bos
    }

    /// The bytes that a token stands for; of a control token its name.
    pub fn bytes(&self, token: u32) -> &[u8] {
        self.bytes.get(token as usize).map_or(&[], Vec::as_slice)
    }

    /// The text of a token alone, with marks where its bytes are no whole characters.
    pub fn text(&self, token: u32) -> String {
        String::from_utf8_lossy(self.bytes(token)).into_owned()
    }

    /// A prompt as tokens: names of special tokens in it become these tokens, and the token that
    /// begins a text comes first where the model wants it and the prompt does not have it.
    ///
    /// # Errors
    /// The text cannot be cut; no text is known for which that is so.
    pub fn prompt(&self, text: &str) -> Result<Vec<u32>, GgufError> {
        self.prompt_within(text, usize::MAX)
    }

    /// As [`ModelTokenizer::prompt`], for a context of `limit` tokens: a text that is far longer takes
    /// no time.
    ///
    /// # Errors
    /// As there, or there are more tokens.
    pub(crate) fn prompt_within(&self, text: &str, limit: usize) -> Result<Vec<u32>, GgufError> {
        // The unknown token stands for a character of four bytes at most.
        let longest = self.bytes.iter().map(Vec::len).max().unwrap_or(0).max(4);
        if text.len() > limit.saturating_mul(longest) {
            return Err(GgufError::TooLong { limit });
        }
        let mut tokens = self.part(text, true, limit)?;
        if let Some(bos) = self.bos
            && self.adds_bos
            && tokens.first() != Some(&bos)
        {
            tokens.insert(0, bos);
        }
        Ok(tokens)
    }

    /// A part of a prompt behind others as tokens: names of special tokens in it become these tokens.
    ///
    /// # Errors
    /// The text cannot be cut; no text is known for which that is so.
    pub fn prompt_behind(&self, text: &str) -> Result<Vec<u32>, GgufError> {
        self.part(text, false, usize::MAX)
    }

    fn part(&self, text: &str, is_start: bool, limit: usize) -> Result<Vec<u32>, GgufError> {
        let mut tokens = Vec::new();
        let mut at = 0;
        // What follows a special token is no start of the text, but for models with scores.
        if let Some(specials) = &self.specials {
            for found in specials.find_iter(text) {
                let before = &text[at..found.start()];
                self.plain(before, is_start && at == 0, limit, &mut tokens)?;
                tokens.extend(self.special_ids.get(found.pattern().as_usize()));
                at = found.end();
            }
        }
        self.plain(&text[at..], is_start && at == 0, limit, &mut tokens)?;
        Ok(tokens)
    }

    /// The control token that a text names, where it names one: in what people write it would end or
    /// begin turns.
    pub fn control_in(&self, text: &str) -> Option<u32> {
        let mut found = self.specials.iter().flat_map(|specials| specials.find_iter(text));
        found.find_map(|found| {
            let token = self.special_ids.get(found.pattern().as_usize()).copied();
            token.filter(|token| self.is_control(*token))
        })
    }

    /// A text as tokens, in which nothing is special.
    ///
    /// # Errors
    /// The text cannot be cut; no text is known for which that is so.
    pub fn tokens(&self, text: &str) -> Result<Vec<u32>, GgufError> {
        let mut tokens = Vec::new();
        self.plain(text, true, usize::MAX, &mut tokens)?;
        Ok(tokens)
    }

    /// A text behind others as the tokens of a model that writes it: names of tokens that stand for
    /// text become these tokens, those of control tokens do not.
    ///
    /// # Errors
    /// The text cannot be cut; no text is known for which that is so.
    pub(crate) fn continued(&self, text: &str) -> Result<Vec<u32>, GgufError> {
        let mut tokens = Vec::new();
        let mut at = 0;
        for found in self.specials.iter().flat_map(|specials| specials.find_iter(text)) {
            let token = self.special_ids.get(found.pattern().as_usize());
            if let Some(token) = token.filter(|token| !self.is_control(**token)) {
                self.plain(&text[at..found.start()], false, usize::MAX, &mut tokens)?;
                tokens.push(*token);
                at = found.end();
            }
        }
        self.plain(&text[at..], false, usize::MAX, &mut tokens)?;
        Ok(tokens)
    }

    fn plain(
        &self,
        text: &str,
        is_start: bool,
        limit: usize,
        into: &mut Vec<u32>,
    ) -> Result<(), GgufError> {
        if text.is_empty() {
            return Ok(());
        }
        match &self.pairs {
            Pairs::Scores(pieces) => pieces.tokens(text, is_start, into),
            Pairs::Merges { model, pre } => {
                let failed = |error: tokenizers::Error| GgufError::tokenizer(error.to_string());
                let mut cut = PreTokenizedString::from(text);
                pre.pre_tokenize(&mut cut).map_err(failed)?;
                for (word, ..) in cut.get_splits(OffsetReferential::Normalized, OffsetType::Byte) {
                    if into.len() > limit {
                        return Err(GgufError::TooLong { limit });
                    }
                    let word = bytes::encode(word);
                    into.extend(model.tokenize(&word).map_err(failed)?.iter().map(|t| t.id));
                }
            }
        }
        Ok(())
    }
}

fn merges(head: &Head, tokens: &[String]) -> Result<Pairs, GgufError> {
    let Some(Value::Texts(merges)) = head.values.get("tokenizer.ggml.merges") else {
        return Err(GgufError::tokenizer("the file has no list \"tokenizer.ggml.merges\""));
    };
    let name = head.text("tokenizer.ggml.pre").unwrap_or("default");
    let vocab: ahash::AHashMap<String, u32> =
        tokens.iter().enumerate().map(|(i, token)| (token.clone(), i as u32)).collect();
    let mut pairs = Vec::with_capacity(merges.len());
    for merge in merges {
        // A piece may begin with a space where it is one of special tokens.
        let at = merge.char_indices().skip(1).find(|(_, c)| *c == ' ').map(|(at, _)| at);
        let Some(at) = at else {
            return Err(GgufError::tokenizer(format!("the merge {merge:?} joins no two pieces")));
        };
        pairs.push((merge[..at].to_owned(), merge[at + 1..].to_owned()));
    }
    let model = BPE::builder()
        .vocab_and_merges(vocab, pairs)
        .ignore_merges(name == "llama-bpe" || name == "llama3")
        .build()
        .map_err(|error| GgufError::tokenizer(error.to_string()))?;
    Ok(Pairs::Merges { model: Box::new(model), pre: pre::sequence(name)? })
}

fn scores(head: &Head, tokens: &[String], kinds: &[i32]) -> Result<Pairs, GgufError> {
    let Some(Value::Floats(scores)) = head.values.get("tokenizer.ggml.scores") else {
        return Err(GgufError::tokenizer("the file has no list \"tokenizer.ggml.scores\""));
    };
    if scores.len() != tokens.len() {
        return Err(GgufError::tokenizer(format!(
            "it has {} tokens and {} scores",
            tokens.len(),
            scores.len()
        )));
    }
    let adds_space = head.flag("tokenizer.ggml.add_space_prefix").unwrap_or(true);
    let unknown = head.size("tokenizer.ggml.unknown_token_id").unwrap_or(0) as u32;
    Ok(Pairs::Scores(Box::new(Pieces::new(tokens, scores, kinds, adds_space, unknown))))
}

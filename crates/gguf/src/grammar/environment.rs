//! A model's vocabulary as `llguidance` walks through it.

use std::sync::Arc;

use llguidance::toktrie::{TokRxInfo, TokTrie, TokenId, TokenizerEnv};

use crate::GgufError;
use crate::tokenizer::ModelTokenizer;

/// The most bytes of a token that a grammar lets come; a tree of tokens is no deeper.
const MAX_TOKEN: usize = 1000;
/// The most bytes of all tokens, which the tree can number.
const MAX_BYTES: usize = 1 << 21;

pub(super) struct Environment {
    tokenizer: Arc<ModelTokenizer>,
    trie: TokTrie,
    is_canonical: bool,
}

impl Environment {
    pub(super) fn new(tokenizer: Arc<ModelTokenizer>) -> Result<Self, GgufError> {
        let reason = |reason: &str| GgufError::Grammar { reason: reason.to_owned() };
        let ends: Vec<u32> = tokenizer.ends().collect();
        let Some(end) = ends.first().copied() else {
            return Err(reason("the model has no token that ends a turn"));
        };
        let mut n_bytes = 0;
        let mut words = Vec::with_capacity(tokenizer.n_tokens());
        for token in 0..tokenizer.n_tokens() as u32 {
            let bytes = tokenizer.bytes(token);
            let mut word = Vec::new();
            if tokenizer.is_control(token) || ends.contains(&token) {
                // No text is such a token.
                word.push(TokTrie::SPECIAL_TOKEN_MARKER);
                word.extend_from_slice(format!("[{token}]").as_bytes());
            } else if bytes.len() <= MAX_TOKEN
                && bytes.first() != Some(&TokTrie::SPECIAL_TOKEN_MARKER)
            {
                word.extend_from_slice(bytes);
            }
            n_bytes += word.len();
            words.push(word);
        }
        if n_bytes > MAX_BYTES {
            return Err(reason("the vocabulary is too large"));
        }
        let info = TokRxInfo::new(words.len() as u32, end);
        let trie = TokTrie::from(&info, &words).with_eos_tokens(&ends);
        let mut this = Self { tokenizer, trie, is_canonical: true };
        // Where a byte of a text has no token, a text may have no tokens at all.
        let has_all = (0..=0xf4_u8)
            .filter(|byte| !matches!(byte, 0xc0 | 0xc1))
            .all(|byte| this.trie.token_id(&[byte]).is_some());
        this.is_canonical = has_all;
        Ok(this)
    }

    fn are_right(&self, tokens: &[TokenId], bytes: &[u8]) -> bool {
        let all: Vec<u8> = tokens.iter().flat_map(|t| self.tokenizer.bytes(*t)).copied().collect();
        all == bytes
    }
}

impl TokenizerEnv for Environment {
    fn tok_trie(&self) -> &TokTrie {
        &self.trie
    }

    fn tokenize_bytes(&self, bytes: &[u8]) -> Vec<TokenId> {
        self.trie.tokenize_with_greedy_fallback(bytes, |text| {
            match self.tokenizer.continued(text) {
                // Models with scores write some characters as others.
                Ok(tokens) if self.are_right(&tokens, text.as_bytes()) => tokens,
                _ => self.trie.greedy_tokenize(text.as_bytes()),
            }
        })
    }

    fn tokenize_is_canonical(&self) -> bool {
        self.is_canonical
    }
}

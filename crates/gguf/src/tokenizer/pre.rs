//! How texts are cut into words before pairs are joined: each family of models has its patterns.

use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::{PreTokenizerWrapper, SplitDelimiterBehavior};

use crate::GgufError;

const GPT2: &str = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";
const LLAMA3: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
const QWEN2: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// The patterns by the names that files give them.
static KNOWN: [(&[&str], &[&str]); 5] = [
    (&["smollm", "starcoder", "refact", "command-r", "codeshell"], &[r"\p{N}", GPT2]),
    (&["qwen2", "deepseek-r1-qwen"], &[QWEN2]),
    (&["llama-bpe", "llama3", "llama-v3", "smaug-bpe"], &[LLAMA3]),
    (&["gpt-2", "gpt2", "phi-2", "jina-en", "olmo"], &[GPT2]),
    (&["default"], &[r"[\p{P}\$\+<=>\^~\|]+", GPT2, r"\p{N}+", r"[0-9][0-9][0-9]"]),
];

fn patterns(name: &str) -> Result<&'static [&'static str], GgufError> {
    let known = KNOWN.iter().find(|(names, _)| names.contains(&name));
    known.map(|(_, patterns)| *patterns).ok_or_else(|| {
        let names: Vec<&str> = KNOWN.iter().filter_map(|(n, _)| n.first().copied()).collect();
        GgufError::tokenizer(format!(
            "it cuts words in the way {name:?}; known are {}",
            names.join(", ")
        ))
    })
}

/// The name of the way that cuts words by this one pattern.
pub(crate) fn pattern_of(pattern: &str) -> Option<&'static str> {
    let is_it = |(_, patterns): &&(&[&'static str], &[&str])| *patterns == [pattern];
    KNOWN.iter().find(is_it).and_then(|(names, _)| names.first().copied())
}

pub(super) fn check(name: &str) -> Result<(), GgufError> {
    patterns(name).map(|_| ())
}

pub(super) fn sequence(name: &str) -> Result<Sequence, GgufError> {
    let mut splits = Vec::new();
    for pattern in patterns(name)? {
        let pattern = SplitPattern::Regex((*pattern).to_owned());
        let split = Split::new(pattern, SplitDelimiterBehavior::Isolated, false)
            .map_err(|error| GgufError::tokenizer(error.to_string()))?;
        splits.push(PreTokenizerWrapper::Split(split));
    }
    Ok(Sequence::new(splits))
}

use proptest::prelude::*;

use super::*;
use crate::File;
use crate::fixture::{self, Made};

fn tokenizer(architecture: &'static str) -> ModelTokenizer {
    let bytes = fixture::file(&Made { architecture, ..Made::default() }).unwrap();
    ModelTokenizer::of(&File::read(bytes).unwrap().head).unwrap()
}

#[test]
fn pairs_are_joined_in_their_order_and_names_of_tokens_are_tokens() {
    let tokenizer = tokenizer("llama");
    let texts =
        |tokens: Vec<u32>| tokens.iter().map(|t| tokenizer.text(*t)).collect::<Vec<_>>().join("|");
    assert_eq!(
        texts(tokenizer.tokens("in the ring and 12").unwrap()),
        "in| the| |r|ing| |an|d| |1|2"
    );
    let prompt = tokenizer.prompt("<|im_start|>user\nthe<|im_end|>").unwrap();
    assert_eq!(texts(prompt), "<|im_start|>|u|s|er|\n|t|he|<|im_end|>");
    let plain = tokenizer.tokens("<|im_end|>").unwrap();
    assert!(plain.len() > 1);
    assert_eq!(tokenizer.ends().count(), 2);
}

#[test]
fn pieces_are_joined_by_their_scores() {
    let tokens: Vec<String> =
        ["<unk>", "<0x41>", "\u{2581}", "a", "b", "ab", "\u{2581}a", "\u{2581}ab"]
            .map(str::to_owned)
            .to_vec();
    let kinds = [2, 6, 1, 1, 1, 1, 1, 1];
    let scores = [0.0, 0.0, -9.0, -9.0, -9.0, -2.0, -1.0, -3.0];
    let pieces = Pieces::new(&tokens, &scores, &kinds, true, 0);
    let cut = |text: &str, is_start: bool| {
        let mut tokens = Vec::new();
        pieces.tokens(text, is_start, &mut tokens);
        tokens
    };
    // "▁a" comes before "ab", and then "▁ab" is a piece.
    assert_eq!(cut("ab", true), [7]);
    assert_eq!(cut("abab", false), [5, 5]);
    // A is spelt out as its byte, and C as unknown.
    assert_eq!(cut("aAC", true), [6, 1, 0]);
}

proptest! {
    #[test]
    fn texts_come_back(text in ".{0,40}") {
        for architecture in ["llama", "qwen2"] {
            let tokenizer = tokenizer(architecture);
            let tokens = tokenizer.tokens(&text).unwrap();
            let mut all = Detokenizer::default();
            let mut back: String =
                tokens.iter().map(|t| all.push(&tokenizer, *t)).collect();
            back.push_str(&all.finish());
            prop_assert_eq!(&back, &text);
        }
    }
}

#[test]
fn no_character_comes_in_pieces() {
    let tokenizer = tokenizer("llama");
    let tokens = tokenizer.tokens("é日😀").unwrap();
    assert_eq!(tokens.len(), 9);
    let mut all = Detokenizer::default();
    let parts: Vec<String> = tokens.iter().map(|t| all.push(&tokenizer, *t)).collect();
    assert_eq!(parts, ["", "é", "", "", "日", "", "", "", "😀"]);
    // A character that breaks off is marked.
    let mut all = Detokenizer::default();
    assert_eq!(all.push(&tokenizer, tokens[2]), "");
    assert_eq!(all.push(&tokenizer, tokenizer.tokens("a").unwrap()[0]), "\u{fffd}a");
    assert_eq!(all.push(&tokenizer, tokens[0]), "");
    assert_eq!(all.finish(), "\u{fffd}");
}

#[test]
fn a_prompt_far_beyond_the_context_is_refused_before_it_is_cut() {
    let tokenizer = tokenizer("llama");
    let within = |text: &str, limit| tokenizer.prompt_within(text, limit);
    assert_eq!(within("in the ring", 100).unwrap(), tokenizer.prompt("in the ring").unwrap());
    // By its bytes, and once there are more tokens than fit.
    assert_eq!(within(&"1".repeat(8_000_000), 100), Err(GgufError::TooLong { limit: 100 }));
    assert_eq!(within(&"1 ".repeat(60), 100), Err(GgufError::TooLong { limit: 100 }));
}

use std::collections::BTreeSet;

use llm::Grammar;
use proptest::prelude::*;

use super::*;
use crate::File;
use crate::fixture::{self, Made};

fn tokenizer() -> Arc<ModelTokenizer> {
    let bytes = fixture::file(&Made::default()).unwrap();
    Arc::new(ModelTokenizer::of(&File::read(bytes).unwrap().head).unwrap())
}

/// Which tokens may come behind a beginning, by looking at every word of a list.
fn slow(tokenizer: &ModelTokenizer, words: &[String], begun: &[u8]) -> BTreeSet<u32> {
    (0..tokenizer.n_tokens() as u32)
        .filter(|token| {
            if tokenizer.is_end(*token) {
                return words.iter().any(|word| word.as_bytes() == begun);
            }
            let bytes = [begun, tokenizer.bytes(*token)].concat();
            !tokenizer.is_control(*token)
                && words.iter().any(|word| word.as_bytes().starts_with(&bytes))
        })
        .collect()
}

/// Walks to each word by its tokens, and holds what may come at each place against the slow way.
fn walk(words: &[String]) -> Result<(), TestCaseError> {
    let tokenizer = tokenizer();
    let grammars = Grammars::new(&tokenizer).unwrap();
    let shape = ReplyShape::Grammar(Grammar::one_of(words.iter().cloned()));
    for word in words {
        let mut constraint = grammars.shape(&shape).unwrap();
        let mut begun = Vec::new();
        while begun.len() < word.len() {
            let right = slow(&tokenizer, words, &begun);
            let next = match constraint.next().unwrap() {
                Next::Forced(token) => {
                    prop_assert!(right.contains(&token), "{token} behind {begun:?}");
                    // All words that are left go on with the same byte.
                    let firsts: BTreeSet<u8> =
                        right.iter().map(|t| tokenizer.bytes(*t)[0]).collect();
                    prop_assert_eq!(firsts.len(), 1);
                    token
                }
                Next::OneOf(allowed) => {
                    let allowed: BTreeSet<u32> = allowed.iter().collect();
                    prop_assert!(allowed.is_subset(&right), "{:?} behind {:?}", allowed, begun);
                    let fits = |t: &&u32| {
                        let bytes = tokenizer.bytes(**t);
                        !tokenizer.is_end(**t) && word.as_bytes()[begun.len()..].starts_with(bytes)
                    };
                    // Every word can be gone on with, and where one may end it can.
                    let next = allowed.iter().find(fits);
                    prop_assert!(next.is_some(), "{word:?} has no way on behind {begun:?}");
                    let may_end = |all: &BTreeSet<u32>| all.iter().any(|t| tokenizer.is_end(*t));
                    prop_assert_eq!(may_end(&allowed), may_end(&right));
                    *next.unwrap()
                }
                Next::End => return Err(TestCaseError::fail(format!("{word:?} ends early"))),
            };
            begun.extend_from_slice(tokenizer.bytes(next));
            constraint.push(next).unwrap();
            if !word.as_bytes().starts_with(&begun) {
                // A forced token that belongs to another word.
                break;
            }
        }
        if begun == word.as_bytes() {
            let ends = match constraint.next().unwrap() {
                Next::End => true,
                Next::OneOf(allowed) => allowed.iter().any(|t| tokenizer.is_end(t)),
                Next::Forced(token) => tokenizer.is_end(token),
            };
            prop_assert!(ends, "{word:?} cannot end");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn what_may_come_is_what_a_list_of_words_lets_come(
        words in prop::collection::vec("[a-e \"\\\\\\[/(.én]{1,7}", 1..8),
    ) {
        walk(&words)?;
    }
}

#[test]
fn words_that_begin_alike_are_told_apart() {
    let words = ["the", "then", "thing", "an", "and", "a", "in", "ing"].map(str::to_owned);
    walk(&words).unwrap();
}

#[test]
fn what_cannot_be_compiled_is_said() {
    let grammars = Grammars::new(&tokenizer()).unwrap();
    let reason = |schema: Value| {
        let error = grammars.shape(&ReplyShape::Schema(schema)).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("the grammar of the answer cannot be used: "), "{text}");
        assert!(text.len() < 500 && !text.contains('\n'), "{text}");
        text
    };
    assert!(reason(json!({ "type": "nothing" })).contains("nothing"));
    assert!(reason(json!({ "$ref": "https://example.org/x" })).contains("example.org"));
    assert!(reason(json!({ "enum": [] })).contains("nsatisfiable"));
    let deep = (0..100).fold(json!({}), |inner, _| json!({ "items": inner }));
    assert!(reason(deep).contains("deep"));
    let nothing = ReplyShape::Grammar(Grammar::OneOf(vec![]));
    assert!(grammars.shape(&nothing).is_err());
}

#[test]
fn a_token_that_may_not_come_is_refused() {
    let tokenizer = tokenizer();
    let grammars = Grammars::new(&tokenizer).unwrap();
    let shape = ReplyShape::Grammar(Grammar::one_of(["yes", "no"]));
    let mut constraint = grammars.shape(&shape).unwrap();
    let z = tokenizer.tokens("z").unwrap()[0];
    assert!(matches!(constraint.push(z), Err(GgufError::Grammar { .. })));
    assert!(constraint.next().is_err());
}

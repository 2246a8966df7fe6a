//! Statements with inline tool calls as texts to learn from.

use std::collections::HashSet;

use crate::train::learn::LessonText;
use llm::Message;
use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

use super::inline::{Sentences, Set};
use super::lessons::{Mix, is_held_out, lesson};

/// Sentences with inline tool calls: some pairs, of which the last is asked; and how many questions
/// were left out.
pub(super) fn sentence(
    rng: &mut ChaCha8Rng,
    sentences: &Sentences,
    held_out: &HashSet<[u8; 32]>,
) -> Option<(LessonText, u64)> {
    // The library shows six examples before it asks; a person shows none.
    let n = match rng.random_range(0..5) {
        0 | 1 => 1,
        2 | 3 => 7,
        _ => rng.random_range(2..=6),
    };
    let (mut messages, mut n_left_out) = (Vec::new(), 0);
    let mut left = n;
    while left > 0 {
        // Before what is asked stand examples of the library, as its prompt has them.
        let pair = match rng.random_bool(if left > 1 { 0.7 } else { 0.1 }) {
            true => sentences.pairs.choose(rng)?.clone(),
            false => sentences.any(rng)?,
        };
        if is_held_out(&pair.input, held_out) {
            n_left_out += 1;
            continue;
        }
        messages.push(Message::user(&pair.input));
        messages.push(Message::assistant(&pair.output));
        left -= 1;
    }
    Some((lesson(messages, &vec![true; n], false)?, n_left_out))
}

/// A statement of a set as it is measured, without examples before it.
pub(super) fn make_sentence(
    rng: &mut ChaCha8Rng,
    mix: &Mix,
    set: &Set,
    held_out: &HashSet<[u8; 32]>,
) -> Option<LessonText> {
    loop {
        let pair = mix.sentences.of(rng, set)?;
        if !is_held_out(&pair.input, held_out) {
            let messages = vec![Message::user(&pair.input), Message::assistant(&pair.output)];
            return lesson(messages, &[true], false);
        }
    }
}

//! Questions in people's own words, with names: made by a grammar from the lines of `templates.txt`,
//! answered by calls and from their results, or declined.
//!
//! A third of the lines is never learned from. What is measured on them says how well words are
//! understood that nobody showed.

mod answers;
mod graphs;
mod names;
mod templates;
#[cfg(test)]
mod tests;
mod text;

use std::collections::BTreeSet;

use crate::train::learn::LessonText;
use llm::{ChatRequest, Message};
use ownmodel::text::TalkNames;
use ownmodel::{codec, number_of};
use rand::Rng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use super::lessons::offer;
use graphs::{Lack, Scene, Way};
pub(crate) use templates::Lines;

/// How often a text is made again where its names are no names to the model.
const MAX_TRIES: usize = 20;

/// What a question asks for, as `templates.txt` names it.
pub(crate) static KINDS: &[&str] = &[
    "path", "hops", "short", "cycle", "order", "match", "flow", "tour", "degree", "most", "ends",
    "common", "groups", "reach", "bridge", "cutnode", "decline",
];

/// A question with the conversation that answers it.
pub(crate) struct Talked {
    pub(crate) messages: Vec<Message>,
    /// Of each turn of the model whether it is to be learned.
    pub(crate) learned: Vec<bool>,
    pub(crate) has_tools: bool,
}

/// A question of a kind with its conversation. None where the lines have none of the kind.
pub(crate) fn talk(
    rng: &mut ChaCha8Rng,
    kind: &str,
    lines: Lines,
    has_tools: bool,
) -> Option<Talked> {
    for _ in 0..MAX_TRIES {
        let mut scene = Scene::draw(rng, kind, lines)?;
        let question = text::write(rng, &mut scene, lines);
        if !scene.finds_names(&question) {
            continue;
        }
        if let Some(talked) = answers::answer(&scene, &question, has_tools) {
            return Some(talked);
        }
    }
    None
}

/// A conversation as a text to learn from, with its names under numbers by chance.
fn lesson(rng: &mut ChaCha8Rng, talked: &Talked) -> Option<LessonText> {
    let mut numbers: Vec<u32> = (ownmodel::FIRST_NAMED..ownmodel::N_NODES).collect();
    numbers.shuffle(rng);
    let mut names = TalkNames::with_numbers(numbers);
    let tools = if talked.has_tools { vec![offer()] } else { Vec::new() };
    let request =
        ChatRequest { messages: talked.messages.clone(), tools, ..ChatRequest::default() };
    let mut tokens = codec::prompt_with(&request.messages, talked.has_tools, &mut names).ok()?;
    // The last one asks the model to go on.
    tokens.pop();
    let is_own = codec::own_turns(&tokens, &talked.learned);
    let is_sayable =
        tokens.iter().zip(&is_own).all(|(t, is_own)| !is_own || !codec::is_unknown(*t));
    is_sayable.then(|| LessonText { places: codec::places(&tokens), is_own, tokens })
}

/// A text to learn from.
pub(super) fn any(rng: &mut ChaCha8Rng, with_tools: f64) -> Option<LessonText> {
    let kind = KINDS[rng.random_range(0..KINDS.len())];
    let has_tools = rng.random_bool(with_tools);
    let talked = talk(rng, kind, Lines::Learned, has_tools)?;
    let mut text = lesson(rng, &talked)?;
    if rng.random_bool(0.5) {
        blur(rng, &mut text);
    }
    Some(text)
}

/// Replaces words of the question by other words or by unknown ones, which are names to the model, so
/// that it learns to read edges from the order of names, too.
fn blur(rng: &mut ChaCha8Rng, text: &mut LessonText) {
    let end = text.is_own.iter().position(|is| *is).unwrap_or_default();
    let named: BTreeSet<u32> = text.tokens.iter().filter_map(|t| number_of(*t)).collect();
    let mut fresh = (ownmodel::FIRST_NAMED..ownmodel::N_NODES).filter(|n| !named.contains(n));
    for token in &mut text.tokens[..end] {
        if ownmodel::is_word(*token) && rng.random_bool(0.1) {
            *token = match rng.random_bool(0.3) {
                true => fresh.next().map_or(*token, ownmodel::head),
                false => ownmodel::some_word(rng.random_range(0..ownmodel::n_words())),
            };
        }
    }
    text.places = codec::places(&text.tokens);
}

/// A text as it is measured: of lines that were learned, or of those that were not.
pub(super) fn measured(rng: &mut ChaCha8Rng, kind: &str, lines: Lines) -> Option<LessonText> {
    let talked = talk(rng, kind, lines, true)?;
    lesson(rng, &talked)
}

/// How many lines there are, and how many of them are held out.
pub(super) fn n_lines() -> (usize, usize) {
    let all: Vec<bool> = templates::domains()
        .iter()
        .flat_map(|domain| domain.all())
        .map(|(_, _, held)| held)
        .collect();
    (all.len(), all.iter().filter(|held| **held).count())
}

impl Scene {
    /// Whether each node is one to the model in this question, and under which name. Of several words
    /// that are not one name, the first is the name.
    fn finds_names(&mut self, question: &str) -> bool {
        let mut names = TalkNames::default();
        if codec::question_with(question, &mut names).is_err() {
            return false;
        }
        if matches!(self.lack, Some(Lack::NoGraph | Lack::TooLittle)) {
            return true;
        }
        let mut handles = BTreeSet::new();
        let mut all = Vec::new();
        for name in self.names() {
            let is_small = name.parse().is_ok_and(|n: u32| n < ownmodel::FIRST_NAMED);
            let first = name.split(' ').next().unwrap_or_default();
            let handle = match () {
                () if is_small => name.clone(),
                () if names.has(&name) => names.first_written(&name),
                () if names.has(first) => names.first_written(first),
                () => return false,
            };
            if !handles.insert(handle.clone()) {
                return false;
            }
            all.push(handle);
        }
        self.handles = all;
        // What matters may not be beyond the numbers that a path or a count has.
        self.way != Way::Match || self.handles.len() < 30
    }
}

//! More pairs from a model: it is shown pairs, and asked to say one of them otherwise.
//!
//! Paper: Graph-ToolFormer §4.4: an instruction with examples, then rewordings whose calls are run and
//! held against what is true. The words of the instruction are ours.
// Departs from §4.4.1: what only loads is reworded like the rest, so that something tells whether the
// call is right: it has to be the same one.

use std::collections::BTreeSet;

use llm::Message;
use serde::{Deserialize, Serialize};

use super::{Dropped, Pair, check};
use crate::toolformer::execute::Executor;
use crate::toolformer::parse::sites;
use crate::toolformer::score::has_same_calls;

/// The most bytes of a model's answer that are read.
pub const MAX_REPLY: usize = 200_000;
/// The most pairs of an answer that are read.
pub const MAX_PAIRS_OF_REPLY: usize = 200;
/// The most bytes of a pair's input or output.
const MAX_SENTENCE: usize = 4_000;

const INSTRUCTION: &str = "You help to make a set of pairs from which a program learns to call graph \
tools. A pair has an input, which is a question, or a statement in which [TBR] stands in the place of \
something unknown, and an output: the statement with calls in square brackets where their results \
belong. You are shown pairs, and then one of them to say otherwise: write new pairs that ask for the \
same thing in other words, some as questions, some as statements. Take over the calls of that pair \
letter by letter, and every name and number of its input. Write no results.\n\
Write one JSON object a line, {\"input\": \"...\", \"output\": \"...\"}, and nothing else.";

/// A pair as a model writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenPair {
    /// The question or statement.
    pub input: String,
    /// The statement with calls.
    pub output: String,
}

/// Why something that a model said is not taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Refused {
    /// It is no pair.
    #[error("expected {{\"input\": …, \"output\": …}} on a line: {reason}")]
    Unreadable {
        /// What is wrong with the pair.
        reason: String,
    },
    /// The answer goes on for longer than is read.
    #[error(
        "the answer has more than {MAX_REPLY} bytes or {MAX_PAIRS_OF_REPLY} lines; the rest was left"
    )]
    TooMuch,
    /// The input is empty, or has a call in it, which is for the output to have.
    #[error("the input {input:?} is empty or has a call; calls are for the output")]
    Input {
        /// The input of the pair.
        input: String,
    },
    /// The input was there before.
    #[error("{input:?} was there before")]
    Repeated {
        /// The input of the pair.
        input: String,
    },
    /// Nothing tells what is true, and the calls are others than those of the pair.
    #[error("the calls of {output:?} are others than those of the pair, and no answer is known")]
    OtherCalls {
        /// The output of the pair.
        output: String,
    },
    /// It does not stand the test that every pair has to.
    #[error(transparent)]
    #[serde(untagged)]
    Filtered(Dropped),
}

/// What a model is told: the instruction, pairs, and the one of which it makes `n` others.
pub fn messages(examples: &[Pair], about: &Pair, n: usize) -> Vec<Message> {
    let line = |pair: &Pair| {
        let said = WrittenPair { input: pair.input.clone(), output: pair.output.clone() };
        // Two texts can always be written as JSON.
        serde_json::to_string(&said).unwrap_or_default()
    };
    let mut text = "Pairs:\n".to_owned();
    for pair in examples {
        text.push_str(&line(pair));
        text.push('\n');
    }
    text.push_str(&format!("\nThe pair to say otherwise, in {n} ways:\n{}", line(about)));
    vec![Message::system(INSTRUCTION), Message::user(text)]
}

/// Reads what a model said: a pair a line. A line that is none is refused, and so is what is beyond
/// the bounds; signs of a fence around the whole are let pass.
pub fn read(said: &str) -> Vec<Result<WrittenPair, Refused>> {
    let end = (0..=MAX_REPLY.min(said.len())).rev().find(|i| said.is_char_boundary(*i));
    let within = &said[..end.unwrap_or(0)];
    let lines = within.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("```"));
    let mut all: Vec<Result<WrittenPair, Refused>> = Vec::new();
    let mut is_more = within.len() < said.len();
    for line in lines {
        if all.len() == MAX_PAIRS_OF_REPLY {
            is_more = true;
            break;
        }
        let unreadable = |reason: String| Refused::Unreadable { reason };
        all.push(serde_json::from_str(line).map_err(|e| unreadable(e.to_string())).and_then(
            |said: WrittenPair| {
                let longest = said.input.len().max(said.output.len());
                if longest > MAX_SENTENCE {
                    let reason = format!("{longest} bytes, and at most {MAX_SENTENCE} are taken");
                    return Err(unreadable(reason));
                }
                Ok(said)
            },
        ));
    }
    if is_more {
        all.push(Err(Refused::TooMuch));
    }
    all
}

/// The inputs that there are, in whatever spelling of spaces and capitals.
#[derive(Clone, Debug, Default)]
pub struct Inputs(BTreeSet<String>);

impl Inputs {
    /// Adds one; false if it was there.
    pub fn add(&mut self, input: &str) -> bool {
        self.0.insert(folded(input))
    }

    fn has(&self, input: &str) -> bool {
        self.0.contains(&folded(input))
    }
}

fn folded(input: &str) -> String {
    input.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The pair that came of another, if it is new and its calls give what is true.
///
/// # Errors
/// Why it is not taken.
pub fn judge(
    executor: &mut Executor,
    about: &Pair,
    said: WrittenPair,
    inputs: &mut Inputs,
) -> Result<Pair, Refused> {
    let WrittenPair { input, output } = said;
    if input.trim().is_empty() || !sites(&input).is_empty() {
        return Err(Refused::Input { input });
    }
    if inputs.has(&input) {
        return Err(Refused::Repeated { input });
    }
    check(executor, &output, about.answer.as_deref()).map_err(Refused::Filtered)?;
    if about.answer.is_none() && !has_same_calls(&about.output, &output) {
        return Err(Refused::OtherCalls { output });
    }
    inputs.add(&input);
    Ok(Pair { input, output, ..about.clone() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::toolformer::prompts::make;
    use crate::toolformer::{Hubs, Mode};

    #[test]
    fn what_is_said_is_held_to_the_truth() {
        let hubs = Hubs::new().unwrap();
        let pairs = make(&hubs, "gpr", 30, 1).unwrap();
        let about = pairs.iter().find(|p| p.answer.is_some()).unwrap();
        let loads = pairs.iter().find(|p| p.answer.is_none()).unwrap();
        let mut executor = Executor::new(hubs, Mode::Ours);
        let mut inputs = Inputs::default();
        inputs.add(&about.input);
        let mut ask = |pair: &Pair, input: &str, output: &str| {
            let said = WrittenPair { input: input.to_owned(), output: output.to_owned() };
            judge(&mut executor, pair, said, &mut inputs).map_err(|refused| {
                serde_json::to_value(refused).unwrap()["why"].as_str().unwrap().to_owned()
            })
        };
        let kept = ask(about, "Say how it is, please.", &about.output).unwrap();
        assert_eq!((&kept.answer, &kept.template), (&about.answer, &about.template));
        let why = |r: Result<Pair, String>| r.unwrap_err();
        assert_eq!(why(ask(about, " say HOW it is, please.", &about.output)), "repeated");
        assert_eq!(why(ask(about, &about.input, &about.output)), "repeated");
        assert_eq!(why(ask(about, "", &about.output)), "input");
        assert_eq!(why(ask(about, &about.output, &about.output)), "input");
        assert_eq!(why(ask(about, "A?", "It is 5.")), "no_call");
        let other = r#"[GR(GL("gpr", {"complete_graph"}), "toolx:density")-->r]"#;
        assert_eq!(why(ask(about, "B?", other)), "differs");
        assert_eq!(why(ask(about, "C?", r#"[GR(GL("gprr"), "toolx:order")-->r]"#)), "failed");
        assert_eq!(why(ask(loads, "D?", r#"The [GL("village")] is there."#)), "other_calls");
        assert!(ask(loads, "D?", &loads.output).is_ok());
    }

    #[test]
    fn answers_are_read_strictly() {
        let text = "```json\n{\"input\": \"a\", \"output\": \"b\"}\nSure!\n{\"input\": \"a\"}\n\
                    {\"input\": \"a\", \"output\": \"b\", \"answer\": \"5\"}\n```\n";
        let read = read(text);
        assert_eq!(read.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, false, false]);
        let line = "{\"input\": \"a\", \"output\": \"b\"}\n";
        let many = super::read(&line.repeat(300));
        assert_eq!(many.len(), MAX_PAIRS_OF_REPLY + 1);
        assert_eq!(many.last(), Some(&Err(Refused::TooMuch)));
        let long =
            super::read(&format!("{{\"input\": \"{}\", \"output\": \"b\"}}", "ä".repeat(3000)));
        assert!(matches!(long[..], [Err(Refused::Unreadable { .. })]));
    }

    proptest! {
        #[test]
        fn whatever_is_said(text in "\\PC{0,300}", n in 0_usize..3) {
            let pair = WrittenPair { input: text.clone(), output: text.clone() };
            let line = serde_json::to_string(&pair).unwrap();
            let said = format!("{}{text}", format!("{line}\n").repeat(n));
            let read = read(&said);
            prop_assert!(read.len() >= n);
            for found in read.iter().take(n) {
                prop_assert_eq!(found.as_ref().ok(), Some(&pair));
            }
        }
    }
}

//! A model that asks back, and a person's reply.

use llm::Message;
use serde::{Deserialize, Serialize};
use trace::{Step, StepBody, Trace};

/// How chat models offer more behind an answer.
const OFFERS: [&str; 20] = [
    "would you like",
    "do you want",
    "want me to",
    "shall i",
    "should i also",
    "can i help",
    "may i",
    "anything else",
    "need anything",
    "need help",
    "interested in",
    "möchten sie",
    "möchtest du",
    "soll ich",
    "souhaitez-vous",
    "voulez-vous",
    "quieres que",
    "desea que",
    "需要我",
    "要不要",
];

/// Whether a text is a question back: it ends with a question, and that is no offer behind an answer.
/// O(length).
pub fn asks_back(text: &str) -> bool {
    ends_with_question(text) && !is_offer_behind_answer(text)
}

/// Whether a text ends with a question, an offer among them. O(length of its end).
pub(crate) fn ends_with_question(text: &str) -> bool {
    without_marks(text).ends_with(['?', '？', '؟'])
}

fn without_marks(text: &str) -> &str {
    text.trim_end().trim_end_matches(['"', '\'', '*', '_', '`', ')', '”', ' '])
}

fn is_offer_behind_answer(text: &str) -> bool {
    let end = without_marks(text).trim_end_matches(['?', '？', '؟']);
    let at = end.rfind(['.', '!', '?', '\n', ':', '。', '！', '？']).map_or(0, |at| at + 1);
    let (before, last) = end.split_at(end.ceil_char_boundary(at));
    let last = last.to_lowercase();
    // A choice is a question, however politely it is asked.
    let is_offer = OFFERS.iter().any(|offer| last.contains(offer)) && !last.contains(" or ");
    let before = without_marks(before);
    is_offer && !before.is_empty() && !ends_with_question(before)
}

/// What a model asked back, and what a person replied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// The question of the model.
    pub asked: String,
    /// What the person said to it.
    pub said: String,
}

/// A question with all that was asked back and replied, for a system that begins anew.
pub fn with_exchanges(question: &str, exchanges: &[Exchange]) -> String {
    exchanges.iter().fold(question.to_owned(), |text, Exchange { asked, said }| {
        format!("{text}\n\nYou asked: {}\nThe reply: {}", asked.trim(), said.trim())
    })
}

/// A run that goes on where it ended, with what a person says as its last step.
pub fn with_reply(mut before: Trace, says: &str) -> Trace {
    let at_ms = before.steps.last().map_or(0.0, |step| step.at_ms + step.took_ms);
    let messages = vec![Message::user(says)];
    let body = StepBody::Prompt { messages, fresh: false };
    before.steps.push(Step { at_ms, took_ms: 0.0, by_person: true, body });
    Trace { stop: None, ..before }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_back_is_told_from_an_answer() {
        for text in ["Do you mean Paul?", "Which of them (the first)?", "**Is it directed?**"] {
            assert!(asks_back(text), "{text}");
        }
        for text in ["Is it so? Yes.", "Tom, Katy, Paul.", "", "Why? Because."] {
            assert!(!asks_back(text), "{text}");
        }
        for text in [
            "**Yes!** Anna → Dev → Elif.\n\nWould you like me to list everyone Anna can reach?",
            "The path is Tom, Katy, Paul. Shall I draw it?",
            "Ja, über Dev.\nSoll ich alle Wege nennen?",
            "有路径。需要我画出来吗？",
        ] {
            assert!(!asks_back(text) && ends_with_question(text), "{text}");
        }
        for text in [
            "Would you like me to treat it as directed?",
            "There are two Pauls. Would you like the first or the second?",
            "I see two ways. Should I treat \"knows\" as mutual?",
            "Which Paul? Would you like me to guess?",
        ] {
            assert!(asks_back(text), "{text}");
        }
    }

    #[test]
    fn exchanges_stand_behind_the_question() {
        let exchange = Exchange { asked: "Which line?\n".into(), said: " The red one.".into() };
        assert_eq!(with_exchanges("How far?", &[]), "How far?");
        let all = with_exchanges("How far?", &[exchange]);
        assert_eq!(all, "How far?\n\nYou asked: Which line?\nThe reply: The red one.");
    }

    #[test]
    fn a_reply_is_what_the_model_reads_next() {
        let prompt = vec![Message::user("How?")];
        let trace = with_reply(Trace::new("x", String::new(), prompt), "By road.");
        let said = trace.messages_before(trace.steps.len());
        assert_eq!(said.last().map(|m| m.content.as_str()), Some("By road."));
        assert!(trace.stop.is_none() && trace.steps[0].by_person);
    }
}

//! GPT4Score: a judging model says whether an answer is right.
//!
//! Paper: GraphRunner §4.1, the share of "Yes". The words are ours; any model can be the judge.
//! `// Departs from §4.1:` the judge gives a reason too, so that a person can hold it against it.

use agent::{Conversation, RunContext};
use llm::{Message, Model};
use tasks::kgqa::KgQuestion;
use trace::{Asked, Step, StepBody, Trace};

use crate::experiment::JUDGE;

/// What a judge's prompt begins with.
pub(super) const JUDGING: &str = "You judge whether an answer to a question is right.";

/// The most letters of a judge's words that a run keeps beside its trace.
const MAX_KEPT: usize = 500;

/// What a judge said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenGrade {
    /// Whether it calls the answer right; none where that cannot be read.
    pub is_right: Option<bool>,
    /// Its words, or why there are none.
    pub said: String,
}

/// Asks a judge about an answer. Its turn becomes the last of the run's trace, under the role of the
/// judge, so that its tokens count and its words can be read.
pub async fn gpt4score(
    question: &KgQuestion,
    answer: &str,
    judge: &dyn Model,
    setting: RunContext<'_>,
    trace: &mut Trace,
) -> GivenGrade {
    let prompt = vec![
        Message::system(format!(
            "{JUDGING} Compare it with the reference: it is right if it says the same, in whatever \
             words and order. Begin with one word, Yes or No; then say why in one short sentence."
        )),
        Message::user(format!(
            "Question: {}\nAnswer: {answer}\nReference: {}",
            question.question,
            question.answers.join(", ")
        )),
    ];
    // A conversation of its own: the limits of the run are not the judge's.
    let mut on_step = |_: &Step| {};
    let start = Trace::new(JUDGE.id, judge.label(), Vec::new());
    let mut talk = Conversation::new(start, judge, setting, &mut on_step);
    talk.say(prompt, true);
    let said = talk.ask(&[]).await;
    let judging = talk.end(trace::Stop::Answered);
    append(trace, judging);
    match said {
        Ok(message) => {
            let said: String = message.content.trim().chars().take(MAX_KEPT).collect();
            GivenGrade { is_right: read_grade(&message.content), said }
        }
        Err(stop) => GivenGrade { is_right: None, said: format!("no reply: {}", stop.title()) },
    }
}

/// Puts a judge's conversation behind a run's. The run keeps its model and the reason of its end.
fn append(trace: &mut Trace, judging: Trace) {
    let at_ms = trace.steps.last().map_or(0.0, |s| s.at_ms + s.took_ms);
    if !trace.tools.is_empty() {
        // The judge has no tools: the trace says where that changes.
        let (n_tools, reason) = (trace.tools.len(), "a judge has none".to_owned());
        let body = StepBody::Choice { tools: Vec::new(), n_tools, reason, n_tokens: None };
        trace.steps.push(Step { at_ms, took_ms: 0.0, by_person: false, body });
    }
    let from = trace.steps.len();
    let asked = judging.asked.into_iter();
    trace.asked.extend(asked.map(|a| Asked {
        from: a.from + from,
        role: JUDGE.id.to_owned(),
        ..a
    }));
    for step in judging.steps {
        trace.steps.push(Step { at_ms: step.at_ms + at_ms, ..step });
    }
}

/// Reads a judge's words: the first is yes or no; else there is one of the two in them, and not the
/// other.
pub fn read_grade(text: &str) -> Option<bool> {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
    let grade = |word: &str| match word {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    };
    let first = words.next()?;
    if let Some(is_right) = grade(first) {
        return Some(is_right);
    }
    let mut all = words.filter_map(grade);
    let found = all.next()?;
    all.all(|other| other == found).then_some(found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_grade_is_read_or_it_is_none() {
        for (text, expected) in [
            ("Yes", Some(true)),
            ("**No.** The reference says 4.", Some(false)),
            ("yes: no word is missing", Some(true)),
            ("My verdict: Yes.", Some(true)),
            ("Verdict: no", Some(false)),
            ("Could be yes, could be no.", None),
            ("It is right.", None),
            ("Nothing", None),
            ("", None),
        ] {
            assert_eq!(read_grade(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_in_some_way(text in ".{0,80}") {
            let _ = read_grade(&text);
        }

        #[test]
        fn the_first_word_decides_whatever_follows(is_right: bool, rest in "[ a-z,.]{0,40}") {
            let text = format!("{} {rest}", if is_right { "Yes." } else { "NO," });
            prop_assert_eq!(read_grade(&text), Some(is_right));
        }
    }
}

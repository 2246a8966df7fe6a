//! GPT4Score: a judging model says whether an answer is right.
//!
//! Paper: GraphRunner §4.1, the share of "Yes". The words are ours; any model can be the judge.

use agent::{Conversation, RunContext};
use llm::{Message, Model};
use tasks::kgqa::KgQuestion;
use trace::Trace;

/// Asks a judge; `None` where it says neither yes nor no, or does not answer.
pub async fn gpt4score(
    question: &KgQuestion,
    answer: &str,
    judge: &dyn Model,
    setting: RunContext<'_>,
) -> Option<bool> {
    let prompt = vec![
        Message::system(
            "You judge whether an answer to a question is right. Compare it with the reference: it \
             is right if it says the same, in whatever words and order. Say one word: Yes or No.",
        ),
        Message::user(format!(
            "Question: {}\nAnswer: {answer}\nReference: {}",
            question.question,
            question.answers.join(", ")
        )),
    ];
    let mut on_step = |_: &trace::Step| {};
    let mut talk =
        Conversation::new(Trace::new("judge", judge.label(), prompt), judge, setting, &mut on_step);
    let said = talk.ask(&[]).await.ok()?.content.to_lowercase();
    let word = said.split(|c: char| !c.is_alphabetic()).find(|w| matches!(*w, "yes" | "no"))?;
    Some(word == "yes")
}

//! Traversal plans on tiny knowledge graphs as texts to learn from: what GraphRunner asks its planner
//! and its answering model, with the plan that is right and the answer that it finds.
//!
//! Every name is made up. The graphs that `bench --kg tiny:SEED` asks about have words of English.

use std::rc::Rc;
use std::sync::Arc;

use crate::train::learn::LessonText;
use kg::find::{FindOptions, Finder};
use kg::generators::{TinyNames, tiny};
use kg::plan::{execute, print_plan, verify};
use llm::Message;
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use systems::graphrunner::{answer_prompt, plan_prompt};
use systems::kgqa::KgOptions;
use tasks::kgqa::{KgQuestion, ask_tiny};

use super::lessons::lesson;

/// The most hops that a question asks for.
pub(super) const MOST_HOPS: u32 = 3;

/// A question about a tiny graph, a fresh one each time.
pub(super) fn question(rng: &mut ChaCha8Rng) -> Option<(Finder, KgQuestion)> {
    let kg = tiny(rng.random(), TinyNames::MadeUp).ok()?;
    let finder = Finder::new(Arc::new(kg), Rc::new(text::NGrams));
    let question = ask_tiny(rng, &finder)?;
    Some((finder, question))
}

/// What the planner is asked, and the plan without the line break at its end.
pub(super) fn planning(finder: &Finder, question: &KgQuestion) -> Option<Vec<Message>> {
    let mut messages = plan_prompt(finder.kg(), &KgOptions::for_tiny(), &question.question);
    let plan = print_plan(question.plan.as_ref()?);
    messages.push(Message::assistant(plan.trim_end()));
    Some(messages)
}

/// What the answering model is asked once the plan has run, and the names that were found.
pub(super) fn answering(finder: &Finder, question: &KgQuestion) -> Option<Vec<Message>> {
    let options = KgOptions::for_tiny();
    let (kg, plan) = (finder.kg(), question.plan.as_ref()?);
    let ready = verify(plan, kg.schema(), options.semantics, "").ready?;
    let executed = execute(&ready, finder, FindOptions::default());
    let last = executed.steps.get(executed.answer);
    let mut messages = answer_prompt(kg, &options, &question.question, last);
    let names = match question.answers.as_slice() {
        [] => "none".to_owned(),
        names => names.join("; "),
    };
    messages.push(Message::assistant(format!("Answer: {names}")));
    Some(messages)
}

/// A plan, or an answer from what one found.
pub(super) fn any(rng: &mut ChaCha8Rng) -> Option<LessonText> {
    let (finder, question) = question(rng)?;
    let messages = match rng.random_bool(0.8) {
        true => planning(&finder, &question)?,
        false => answering(&finder, &question)?,
    };
    lesson(messages, &[true], false)
}

/// A plan of so many hops as it is measured.
pub(super) fn make_plan(rng: &mut ChaCha8Rng, hops: u32) -> Option<LessonText> {
    loop {
        let (finder, question) = question(rng)?;
        if question.hops == hops {
            return lesson(planning(&finder, &question)?, &[true], false);
        }
    }
}

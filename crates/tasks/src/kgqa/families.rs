//! Families of questions about generated graphs: wordings with slots for names, each with the plan that
//! answers it.

use std::sync::Arc;

use kg::Kg;
use kg::find::Finder;
use kg::generators::{TINY, TOWN};
use kg::plan::Plan;

use super::metro::TEMPLATES;
use super::template::{QuestionTemplate, generate_of, slots, solved};
use super::town::{TOWN_TEMPLATES, solved_told};
use super::typed::solved_typed;
use super::{KgQuestion, generate_tiny, generate_town, generate_typed};

/// `n` questions about a metro network, of at least `min_hops` hops, families in turn. Questions
/// that nothing answers are passed over, so there may be fewer.
///
/// The answers come from running the gold plan; `crates/tasks/tests/it/kgqa.rs` finds them by other
/// means.
pub fn generate(kg: &Arc<Kg>, n: usize, min_hops: u32, seed: u64) -> Vec<KgQuestion> {
    generate_of(TEMPLATES, kg, n, min_hops, (seed, "metro"))
}

/// `n` questions about any graph, of at least `min_hops` hops: those of its generator where it is a
/// generated one, else questions made from its types and edges ([`generate_typed`]). There may be
/// fewer.
pub fn questions_about(kg: &Arc<Kg>, n: usize, min_hops: u32, seed: u64) -> Vec<KgQuestion> {
    let mut questions = match kg.title() {
        TINY => generate_tiny(kg, n, seed),
        TOWN => generate_town(kg, n, min_hops, seed),
        // A graph of another kind may be called so too.
        _ => generate(kg, n, min_hops, seed),
    };
    if questions.is_empty() {
        questions = generate_typed(kg, n, seed);
    }
    questions.retain(|question| question.hops >= min_hops);
    questions
}

/// A question of a person's own with its answers, where it is of a family of a generated graph or in
/// the words of questions that are made from types and edges.
pub fn known(finder: &Finder, question: &str) -> Option<KgQuestion> {
    let question = question.trim();
    if let Some(told) = solved_told(finder, question) {
        return Some(told);
    }
    if let Some((template, plan)) = recognise(question) {
        return solved(finder, "own".to_owned(), question, template, plan);
    }
    solved_typed(finder, question)
}

/// The family of a question with its plan: what a script knows that plays a planner.
pub fn recognise(question: &str) -> Option<(&'static QuestionTemplate, Plan)> {
    let question = question.trim();
    TEMPLATES.iter().chain(TOWN_TEMPLATES).find_map(|template| {
        template.wordings.iter().find_map(|wording| {
            let names = slots(wording, question)?;
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            Some((template, template.filled(&names)?))
        })
    })
}

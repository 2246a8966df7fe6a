//! A family of questions: wordings with slots for names, and the plan that answers them.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use kg::find::{FindOptions, Finder};
use kg::plan::{Plan, Semantics, execute, read_plan, verify};
use kg::{Kg, NodeIx};
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::KgQuestion;
use crate::Difficulty;

/// A family of questions.
#[derive(Clone, Copy, Debug)]
pub struct QuestionTemplate {
    /// A stable id, which stays when the wordings change.
    pub id: &'static str,
    /// How many hops lead to the answer.
    pub hops: u32,
    /// How hard it is.
    pub level: Difficulty,
    /// The types of `{a}` and `{b}`.
    pub types: &'static [&'static str],
    /// The question in several words.
    pub wordings: &'static [&'static str],
    /// The plan in the paper's form.
    pub plan: &'static str,
}

impl QuestionTemplate {
    /// Its plan about some names.
    pub(super) fn filled(&self, names: &[&str]) -> Option<Plan> {
        let text = fill(self.plan, names, true);
        read_plan(&text).ok()
    }
}

pub(super) fn fill(text: &str, names: &[&str], quoted: bool) -> String {
    let mut out = text.to_owned();
    for (slot, name) in ["{a}", "{b}"].iter().zip(names) {
        let name =
            if quoted { serde_json::Value::from(*name).to_string() } else { (*name).to_owned() };
        out = out.replace(slot, &name);
    }
    out
}

/// `n` questions of some families, which are called by a name and numbers.
pub(super) fn generate_of(
    templates: &[QuestionTemplate],
    kg: &Arc<Kg>,
    n: usize,
    min_hops: u32,
    (seed, name): (u64, &str),
) -> Vec<KgQuestion> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let finder = Finder::new(kg.clone(), Rc::new(text::NGrams));
    let families: Vec<&QuestionTemplate> =
        templates.iter().filter(|t| t.hops >= min_hops).collect();
    let mut questions = Vec::new();
    let mut seen = BTreeSet::new();
    // A small graph has only so many questions.
    for attempt in 0..n.saturating_mul(20) {
        if questions.len() >= n || families.is_empty() {
            break;
        }
        let template = families[attempt % families.len()];
        let mut picked: Vec<NodeIx> = Vec::new();
        for of in template.types {
            let nodes = kg.schema().find_node_type(of).map(|t| kg.nodes_of_type(t));
            let mut free: Vec<NodeIx> = nodes.unwrap_or_default().to_vec();
            free.retain(|node| !picked.contains(node));
            picked.extend(free.choose(&mut rng));
        }
        let mut names: Vec<&str> = picked.iter().map(|n| kg.name(*n)).collect();
        if names.len() < template.types.len() {
            continue;
        }
        if let [first, second] = template.types
            && first == second
        {
            names.shuffle(&mut rng);
        }
        let wording = template.wordings[rng.random_range(0..template.wordings.len())];
        let question = fill(wording, &names, false);
        let Some(plan) = template.filled(&names) else { continue };
        let id = format!("{name}-{seed}-{}", questions.len() + 1);
        let Some(made) = solved(&finder, id, &question, template, plan) else { continue };
        if seen.insert(question) {
            questions.push(made);
        }
    }
    questions
}

/// A question with the answers that its plan finds; none where it finds nothing.
pub(super) fn solved(
    finder: &Finder,
    id: String,
    question: &str,
    template: &QuestionTemplate,
    plan: Plan,
) -> Option<KgQuestion> {
    let kg = finder.kg();
    let ready = verify(&plan, kg.schema(), Semantics::default(), question).ready?;
    let executed = execute(&ready, finder, FindOptions::default());
    let found = executed.answer();
    if found.is_empty() {
        return None;
    }
    let answers =
        if is_count(question) { vec![found.nodes().len().to_string()] } else { found.texts(kg) };
    Some(KgQuestion {
        id,
        question: question.to_owned(),
        answers,
        level: Some(template.level),
        hops: template.hops,
        template: template.id.to_owned(),
        plan: Some(plan),
    })
}

/// Whether a question asks for a number.
pub(super) fn is_count(question: &str) -> bool {
    let question = question.to_lowercase();
    question.starts_with("how many") || question.contains("number of")
}

/// What stands in a question where a wording has its slots.
pub(super) fn slots(wording: &str, question: &str) -> Option<Vec<String>> {
    let mut rest = question;
    let mut names = Vec::new();
    let mut parts = wording.split('{');
    rest = strip(rest, parts.next()?)?;
    for part in parts {
        // "a} stop at?" is the slot's letter and what follows it.
        let after = part.get(2..)?;
        let end = if after.is_empty() { rest.len() } else { find(rest, after)? };
        let name = rest[..end].trim();
        if name.is_empty() {
            return None;
        }
        names.push(name.to_owned());
        rest = strip(&rest[end..], after)?;
    }
    rest.is_empty().then_some(names)
}

fn strip<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    let head = text.get(..start.len())?;
    head.eq_ignore_ascii_case(start).then(|| &text[start.len()..])
}

fn find(text: &str, wanted: &str) -> Option<usize> {
    text.to_ascii_lowercase().find(&wanted.to_ascii_lowercase())
}

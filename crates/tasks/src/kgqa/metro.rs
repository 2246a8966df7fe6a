//! Questions about the generated metro network, each with the plan that answers it.

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

/// Every family. Those of two hops and more are the ones that the paper calls medium and hard.
pub static TEMPLATES: &[QuestionTemplate] = &[
    QuestionTemplate {
        id: "stations_of_line",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Line"],
        wordings: &[
            "Which stations does the {a} stop at?",
            "At which stations can I board the {a}?",
        ],
        plan: "Find_Node[{a}, Line]\nFetch_Neighbors[s1, stops_at]",
    },
    QuestionTemplate {
        id: "zone_of_station",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Station"],
        wordings: &["Which zone is {a} in?", "To which zone does the station {a} belong?"],
        plan: "Find_Node[{a}, Station]\nFetch_Neighbors[s1, in_zone]",
    },
    QuestionTemplate {
        id: "runner_of_line",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Line"],
        wordings: &["Which operator runs the {a}?", "By which operator is the {a} run?"],
        plan: "Find_Node[{a}, Line]\nFetch_Neighbors[s1, runs]",
    },
    QuestionTemplate {
        id: "maintainer_of_line",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Line"],
        wordings: &["Which operator maintains the {a}?", "Who looks after the tracks of the {a}?"],
        plan: "Find_Node[{a}, Line]\nFetch_Neighbors[s1, maintains]",
    },
    QuestionTemplate {
        id: "lines_of_operator",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Operator"],
        wordings: &["Which lines does {a} run?", "Name the lines that are run by {a}."],
        plan: "Find_Node[{a}, Operator]\nFetch_Neighbors[s1, runs]",
    },
    QuestionTemplate {
        id: "n_stations_of_zone",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Zone"],
        wordings: &["How many stations are in {a}?", "What is the number of stations in {a}?"],
        plan: "Find_Node[{a}, Zone]\nFetch_Neighbors[s1, in_zone]",
    },
    QuestionTemplate {
        id: "shared_stations",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Line", "Line"],
        wordings: &[
            "Which stations do the {a} and the {b} share?",
            "Where can I change between the {a} and the {b}?",
        ],
        plan: "Find_Node[{a}, Line]\nFind_Node[{b}, Line]\n\
               Find_Common_Nodes[(s1, stops_at), (s2, stops_at)]",
    },
    QuestionTemplate {
        id: "stations_of_line_in_zone",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Line", "Zone"],
        wordings: &[
            "Which stations of the {a} are in {b}?",
            "At which stations does the {a} stop within {b}?",
        ],
        plan: "Find_Node[{a}, Line]\nFind_Node[{b}, Zone]\n\
               Find_Common_Nodes[(s1, stops_at), (s2, in_zone)]",
    },
    QuestionTemplate {
        id: "operators_at_station",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Station"],
        wordings: &[
            "Which operators run lines that stop at {a}?",
            "Whose lines, by who runs them, serve {a}?",
        ],
        plan: "Find_Node[{a}, Station]\nFetch_Neighbors[s1, stops_at]\nFetch_Neighbors[s2, runs]",
    },
    QuestionTemplate {
        id: "sights_on_line",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Line"],
        wordings: &[
            "Which sights are near a station of the {a}?",
            "What can I visit along the {a}?",
        ],
        plan: "Find_Node[{a}, Line]\nFetch_Neighbors[s1, stops_at]\nFetch_Neighbors[s2, near]",
    },
    QuestionTemplate {
        id: "lines_to_sight",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Sight"],
        wordings: &["Which lines lead to the {a}?", "With which lines can I get to the {a}?"],
        plan: "Find_Node[{a}, Sight]\nFetch_Neighbors[s1, near]\nFetch_Neighbors[s2, stops_at]",
    },
    QuestionTemplate {
        id: "sights_of_zone",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Zone"],
        wordings: &["Which sights are nearest to {a}?", "What is there to see around {a}?"],
        plan: "Find_Node[{a}, Zone]\nFetch_Neighbors[s1, Sight]",
    },
    QuestionTemplate {
        id: "sights_of_operator",
        hops: 3,
        level: Difficulty::Hard,
        types: &["Operator"],
        wordings: &[
            "Which sights are near stations of lines that {a} runs?",
            "What can I visit using only lines run by {a}?",
        ],
        plan: "Find_Node[{a}, Operator]\nFetch_Neighbors[s1, runs]\n\
               Fetch_Neighbors[s2, stops_at]\nFetch_Neighbors[s3, near]",
    },
    QuestionTemplate {
        id: "zones_of_maintainer",
        hops: 3,
        level: Difficulty::Hard,
        types: &["Operator"],
        wordings: &[
            "In which zones are the stations of lines that {a} maintains?",
            "Which zones do the lines maintained by {a} pass through?",
        ],
        plan: "Find_Node[{a}, Operator]\nFetch_Neighbors[s1, maintains]\n\
               Fetch_Neighbors[s2, stops_at]\nFetch_Neighbors[s3, in_zone]",
    },
    QuestionTemplate {
        id: "operators_to_sight",
        hops: 3,
        level: Difficulty::Hard,
        types: &["Sight"],
        wordings: &[
            "Which operators run the lines that lead to the {a}?",
            "Whose trains bring me to the {a}?",
        ],
        plan: "Find_Node[{a}, Sight]\nFetch_Neighbors[s1, near]\nFetch_Neighbors[s2, stops_at]\n\
               Fetch_Neighbors[s3, runs]",
    },
    QuestionTemplate {
        id: "shared_zone_sights",
        hops: 3,
        level: Difficulty::Hard,
        types: &["Line", "Zone"],
        wordings: &[
            "Which sights are near those stations of the {a} that are in {b}?",
            "Riding the {a}, which sights can I reach without leaving {b}?",
        ],
        plan: "Find_Node[{a}, Line]\nFind_Node[{b}, Zone]\n\
               Find_Common_Nodes[(s1, stops_at), (s2, in_zone)]\nFetch_Neighbors[s3, near]",
    },
];

impl QuestionTemplate {
    /// Its plan about some names.
    fn filled(&self, names: &[&str]) -> Option<Plan> {
        let text = fill(self.plan, names, true);
        read_plan(&text).ok()
    }
}

fn fill(text: &str, names: &[&str], quoted: bool) -> String {
    let mut out = text.to_owned();
    for (slot, name) in ["{a}", "{b}"].iter().zip(names) {
        let name =
            if quoted { serde_json::Value::from(*name).to_string() } else { (*name).to_owned() };
        out = out.replace(slot, &name);
    }
    out
}

/// `n` questions about a metro network, of at least `min_hops` hops, families in turn. Questions
/// that nothing answers are passed over, so there may be fewer.
///
/// The answers come from running the gold plan; `crates/tasks/tests/kgqa.rs` finds them by other
/// means.
pub fn generate(kg: &Arc<Kg>, n: usize, min_hops: u32, seed: u64) -> Vec<KgQuestion> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let finder = Finder::new(kg.clone(), Rc::new(text::NGrams));
    let families: Vec<&QuestionTemplate> =
        TEMPLATES.iter().filter(|t| t.hops >= min_hops).collect();
    let mut questions = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    // A small city has only so many questions.
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
        if template.types == ["Line", "Line"] {
            names.shuffle(&mut rng);
        }
        let wording = template.wordings[rng.random_range(0..template.wordings.len())];
        let question = fill(wording, &names, false);
        let Some(plan) = template.filled(&names) else { continue };
        let id = format!("metro-{seed}-{}", questions.len() + 1);
        let Some(made) = solved(&finder, id, &question, template, plan) else { continue };
        if seen.insert(question) {
            questions.push(made);
        }
    }
    questions
}

/// A question of a person's own about a metro network, with its answers, where it is of a family.
pub fn known(finder: &Finder, question: &str) -> Option<KgQuestion> {
    let (template, plan) = recognise(question)?;
    solved(finder, "own".to_owned(), question.trim(), template, plan)
}

fn solved(
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

/// The family of a question with its plan: what a script knows that plays a planner.
pub fn recognise(question: &str) -> Option<(&'static QuestionTemplate, Plan)> {
    let question = question.trim();
    TEMPLATES.iter().find_map(|template| {
        template.wordings.iter().find_map(|wording| {
            let names = slots(wording, question)?;
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            Some((template, template.filled(&names)?))
        })
    })
}

/// What stands in a question where a wording has its slots.
fn slots(wording: &str, question: &str) -> Option<Vec<String>> {
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

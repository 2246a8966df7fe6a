//! Questions about the generated town: some are answered by edges, some by long texts alone, some by a
//! text and then an edge.

use std::collections::BTreeSet;
use std::sync::Arc;

use kg::find::Finder;
use kg::generators::told_facts;
use kg::plan::{Plan, read_plan};
use kg::{Direction, Kg, NodeIx};
use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::KgQuestion;
use super::template::{QuestionTemplate, fill, generate_of, slots};
use crate::Difficulty;

/// Every family about the town that edges answer.
pub static TOWN_TEMPLATES: &[QuestionTemplate] = &[
    QuestionTemplate {
        id: "friends_of_person",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Person"],
        wordings: &["Who are the friends of {a}?", "With whom is {a} friends?"],
        plan: "Find_Node[{a}, Person]\nFetch_Neighbors[s1, friend_of]",
    },
    QuestionTemplate {
        id: "workplace_of_person",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Person"],
        wordings: &["In which shop does {a} work?", "Where is {a} employed?"],
        plan: "Find_Node[{a}, Person]\nFetch_Neighbors[s1, works_at]",
    },
    QuestionTemplate {
        id: "owner_of_shop",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Shop"],
        wordings: &["Who owns the {a}?", "To whom does the shop {a} belong?"],
        plan: "Find_Node[{a}, Shop]\nFetch_Neighbors[s1, owns]",
    },
    QuestionTemplate {
        id: "kin_of_person",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Person"],
        // Graph-CoT's functions follow edges both ways: none could tell parents from children.
        wordings: &[
            "Who are the parents and the children of {a}?",
            "Who is a parent or a child of {a}?",
        ],
        plan: "Find_Node[{a}, Person]\nFetch_Neighbors[s1, parent_of]",
    },
    QuestionTemplate {
        id: "n_people_of_street",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Street"],
        wordings: &["How many people live in {a}?", "What is the number of people in {a}?"],
        plan: "Find_Node[{a}, Street]\nFetch_Neighbors[s1, lives_in]",
    },
    QuestionTemplate {
        id: "friends_of_spouse",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Person"],
        wordings: &[
            "Which friends has the one who is married to {a}?",
            "Who is a friend of whoever is married to {a}?",
        ],
        plan: "Find_Node[{a}, Person]\nFetch_Neighbors[s1, married_to]\n\
               Fetch_Neighbors[s2, friend_of]",
    },
    QuestionTemplate {
        id: "streets_of_friends",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Person"],
        wordings: &[
            "In which streets do the friends of {a} live?",
            "Where do people live who are friends with {a}?",
        ],
        plan: "Find_Node[{a}, Person]\nFetch_Neighbors[s1, friend_of]\nFetch_Neighbors[s2, lives_in]",
    },
    QuestionTemplate {
        id: "shared_friends",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Person", "Person"],
        wordings: &[
            "Which friends do {a} and {b} share?",
            "Who is a friend of {a} and of {b} alike?",
        ],
        plan: "Find_Node[{a}, Person]\nFind_Node[{b}, Person]\n\
               Find_Common_Nodes[(s1, friend_of), (s2, friend_of)]",
    },
    QuestionTemplate {
        id: "guests_of_both",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Event", "Event"],
        wordings: &[
            "Who went to the {a} and to the {b}?",
            "Whom did both the {a} and the {b} see?",
        ],
        plan: "Find_Node[{a}, Event]\nFind_Node[{b}, Event]\n\
               Find_Common_Nodes[(s1, went_to), (s2, went_to)]",
    },
    QuestionTemplate {
        id: "workers_of_street",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Street"],
        wordings: &["Who works in the shops of {a}?", "Who is employed by a shop in {a}?"],
        plan: "Find_Node[{a}, Street]\nFetch_Neighbors[s1, stands_in]\n\
               Fetch_Neighbors[s2, works_at]",
    },
    QuestionTemplate {
        id: "streets_of_workers",
        hops: 3,
        level: Difficulty::Hard,
        types: &["Person"],
        wordings: &[
            "In which streets do people live who work in a shop that {a} owns?",
            "Where are the homes of those who work for a shop owned by {a}?",
        ],
        plan: "Find_Node[{a}, Person]\nFetch_Neighbors[s1, owns]\nFetch_Neighbors[s2, works_at]\n\
               Fetch_Neighbors[s3, lives_in]",
    },
    QuestionTemplate {
        id: "shops_of_guests",
        hops: 3,
        level: Difficulty::Hard,
        types: &["Street"],
        wordings: &[
            "In which shops do people work who went to an event in {a}?",
            "Which shops employ guests of the events that {a} has seen?",
        ],
        plan: "Find_Node[{a}, Street]\nFetch_Neighbors[s1, held_in]\nFetch_Neighbors[s2, went_to]\n\
               Fetch_Neighbors[s3, works_at]",
    },
];

/// A family of questions about what stands in texts alone.
struct ToldTemplate {
    /// Its id in questions.
    id: &'static str,
    /// The id of the kind of fact, see [`told_facts`].
    kind: &'static str,
    /// The type of the node whose text tells it.
    node_type: &'static str,
    /// The question, `{a}` for the fact.
    wording: &'static str,
    /// The edge type that is followed then; empty for none.
    edge: &'static str,
}

const TOLD: &[ToldTemplate] = &[
    told("told_pet", "pet", "Person", "Who once {a}?", ""),
    told("told_find", "find", "Person", "Which person is said to have {a}?", ""),
    told("told_cellar", "cellar", "Shop", "The cellar of which shop {a}?", ""),
    told("told_mishap", "mishap", "Event", "At which event is it told that {a}?", ""),
    told("told_pet_street", "pet", "Person", "In which street lives the one who {a}?", "lives_in"),
    told("told_find_friends", "find", "Person", "Who are friends of the one who {a}?", "friend_of"),
    told("told_cellar_owner", "cellar", "Shop", "Who owns the shop whose cellar {a}?", "owns"),
    told("told_mishap_street", "mishap", "Event", "In which street was it that {a}?", "held_in"),
];

const fn told(
    id: &'static str,
    kind: &'static str,
    node_type: &'static str,
    wording: &'static str,
    edge: &'static str,
) -> ToldTemplate {
    ToldTemplate { id, kind, node_type, wording, edge }
}

impl ToldTemplate {
    /// The plan: a search over texts, and a hop where the question wants one.
    fn plan(&self, fact: &str) -> Option<Plan> {
        let mut text = format!("Find_Node[{{a}}, {}]", self.node_type);
        if !self.edge.is_empty() {
            text.push_str(&format!("\nFetch_Neighbors[s1, {}]", self.edge));
        }
        read_plan(&fill(&text, &[fact], true)).ok()
    }

    /// The question about a fact that a node's text tells, with its answers: by the texts and the
    /// edges, without a search, whose threshold is nobody's gold.
    fn ask(&self, kg: &Kg, node: NodeIx, fact: &str) -> Option<KgQuestion> {
        let nodes = match self.edge {
            "" => vec![node],
            edge => kg.neighbors(node, kg.schema().find_edge_type(edge)?, Direction::Both),
        };
        let hops = u32::from(!self.edge.is_empty());
        (!nodes.is_empty()).then_some(())?;
        Some(KgQuestion {
            id: "own".to_owned(),
            question: fill(self.wording, &[fact], false),
            answers: nodes.iter().map(|n| kg.name(*n).to_owned()).collect(),
            level: Some(if hops == 0 { Difficulty::Easy } else { Difficulty::Medium }),
            hops,
            template: self.id.to_owned(),
            plan: self.plan(fact),
        })
    }
}

/// Whether a question is about what stands in a text alone: no edge tells it, and a plan for it has to
/// search texts (`find.over`).
pub fn is_told(question: &KgQuestion) -> bool {
    TOLD.iter().any(|t| t.id == question.template)
}

/// The family of a question about a text, with the fact that it asks for.
fn told_of(question: &str) -> Option<(&'static ToldTemplate, String)> {
    TOLD.iter().find_map(|template| {
        let fact = slots(template.wording, question.trim())?.into_iter().next()?;
        Some((template, fact))
    })
}

/// The plan of a question about a text.
pub(super) fn plan_of_told(question: &str) -> Option<Plan> {
    let (template, fact) = told_of(question)?;
    template.plan(&fact)
}

/// The fact that a question asks for, where a text alone tells it and no hop follows.
pub fn told_fact(question: &str) -> Option<String> {
    let (template, fact) = told_of(question)?;
    template.edge.is_empty().then_some(fact)
}

/// A question about a text with its answers, where the graph tells the fact.
pub(super) fn solved_told(finder: &Finder, question: &str) -> Option<KgQuestion> {
    let kg = finder.kg();
    let (template, fact) = told_of(question)?;
    let of = kg.schema().find_node_type(template.node_type)?;
    let tells = |node: &&NodeIx| told_facts(kg, **node).iter().any(|(_, told)| *told == fact);
    let node = *kg.nodes_of_type(of).iter().find(tells)?;
    template.ask(kg, node, &fact)
}

/// `n` questions about a town, of at least `min_hops` hops: two of three are answered by edges, families
/// in turn, the others by texts. There may be fewer. Where more than one hop is wanted, texts give none.
///
/// The answers come from running the gold plans, and of texts from the texts;
/// `crates/tasks/tests/it/town.rs` finds them by other means.
pub fn generate_town(kg: &Arc<Kg>, n: usize, min_hops: u32, seed: u64) -> Vec<KgQuestion> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut of_texts: Vec<KgQuestion> = Vec::new();
    for node in kg.nodes() {
        for (kind, fact) in told_facts(kg, node) {
            let of_kind = TOLD.iter().filter(|t| t.kind == kind.id);
            of_texts.extend(of_kind.filter_map(|t| t.ask(kg, node, fact)));
        }
    }
    of_texts.retain(|question| question.hops >= min_hops);
    of_texts.shuffle(&mut rng);
    let mut of_edges =
        generate_of(TOWN_TEMPLATES, kg, n, min_hops, (rng.random(), "town")).into_iter();
    let mut of_texts = of_texts.into_iter();
    let mut questions = Vec::new();
    let mut seen = BTreeSet::new();
    while questions.len() < n {
        let next = match questions.len() % 3 {
            2 => of_texts.next().or_else(|| of_edges.next()),
            _ => of_edges.next().or_else(|| of_texts.next()),
        };
        let Some(question) = next else { break };
        if seen.insert(question.question.clone()) {
            let id = format!("town-{seed}-{}", questions.len() + 1);
            questions.push(KgQuestion { id, ..question });
        }
    }
    questions
}

//! Predicts the missing part of a triple.

use graph::functions::Touched;
use ml::transe::{NAME, TransE};

use super::{link, node, of_its_data, unknown};
use systems::toolformer::CallError;
use systems::toolformer::data::Data;
use systems::toolformer::{Reasoned, Reasoner, ReasonerRequest};

/// Answers that are told with their distances.
const N_TOLD: usize = 10;

pub(super) struct Model(TransE);

impl Model {
    pub(super) fn new(model: TransE) -> Self {
        Self(model)
    }

    fn entity(&self, name: &str) -> Result<usize, CallError> {
        let all = &self.0.config.entities;
        all.place(name).ok_or_else(|| unknown("entity", name, all.len(), &self.0.dataset))
    }

    fn relation(&self, name: &str) -> Result<usize, CallError> {
        let all = &self.0.config.relations;
        all.place(name).ok_or_else(|| unknown("relation", name, all.len(), &self.0.dataset))
    }
}

impl Reasoner for Model {
    fn reason(&self, ask: &ReasonerRequest<'_>) -> Result<Reasoned, CallError> {
        let Self(model) = self;
        of_its_data(ask, NAME, &model.dataset)?;
        let (entities, relations) = (&model.config.entities, &model.config.relations);
        let [first, second] = ask.arguments else {
            return Err(CallError::model("transe wants two parts of a fact"));
        };
        let (nearest, names) = match ask.function.name {
            "relation" => {
                let (head, tail) = (self.entity(&first.id)?, self.entity(&second.id)?);
                (model.relations(head, tail, N_TOLD), relations)
            }
            // The relation stands first, the tail behind it.
            "head_entity" => {
                let (relation, tail) = (self.relation(&first.id)?, self.entity(&second.id)?);
                (model.heads(relation, tail, N_TOLD), entities)
            }
            "tail_entity" => {
                let (head, relation) = (self.entity(&first.id)?, self.relation(&second.id)?);
                (model.tails(head, relation, N_TOLD), entities)
            }
            other => return Err(CallError::model(format!("transe has no {other:?}"))),
        };
        let Some((best, _)) = nearest.first() else {
            return Err(CallError::model("there is nothing that the answer could be"));
        };
        let best = names.at(*best);
        let fact = match ask.function.name {
            "relation" => [first.id.as_str(), best, second.id.as_str()],
            "head_entity" => [best, first.id.as_str(), second.id.as_str()],
            _ => [first.id.as_str(), second.id.as_str(), best],
        };
        let mut notes = vec!["scores are distances: less is more likely".to_owned()];
        if let Some(is_told) = is_told(ask, fact) {
            let (head, relation, tail) = (fact[0], fact[1], fact[2]);
            let word = if is_told { "have" } else { "do not have" };
            notes.push(format!("the data {word} {head} {relation} {tail}"));
        }
        Ok(Reasoned {
            text: best.to_owned(),
            looked_at: Touched {
                nodes: vec![node(fact[0]), node(fact[2])],
                edges: vec![link(fact[0], fact[2])],
            },
            notes,
            scores: nearest.iter().map(|(i, x)| (names.at(*i).to_owned(), f64::from(*x))).collect(),
            weighs_nodes: ask.function.name != "relation",
        })
    }
}

/// Whether the data have a fact; nothing where they cannot tell.
fn is_told(ask: &ReasonerRequest<'_>, [head, relation, tail]: [&str; 3]) -> Option<bool> {
    let Data::Knowledge(kg) = &ask.data.data else { return None };
    let (head, tail) = (kg.find_id(head)?, kg.find_id(tail)?);
    let relation = kg.schema().find_edge_type(relation)?;
    Some(kg.has_edge(head, relation, tail))
}

//! The hub of models, one file each.

mod bpr;
mod graph_bert;
mod kmeans;
mod seg_bert;
mod toolx;
mod transe;

use std::rc::Rc;

use crate::toolformer::reasoner::Reasoner;

/// A model that calls can name before the colon: `graph_bert:topic`.
pub struct HubModel {
    /// What calls name it by.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// One sentence for people.
    pub lede: &'static str,
    /// The task whose functions it answers.
    pub task: &'static str,
    /// Who told of it.
    pub paper: &'static str,
    /// How to come by it.
    pub source: &'static str,
    /// Makes it, where it needs no training.
    pub make: Option<fn() -> Rc<dyn Reasoner>>,
}

/// Every model that calls can name.
pub static MODELS: [&HubModel; 6] = [
    &bpr::MODEL,
    &graph_bert::MODEL,
    &kmeans::MODEL,
    &seg_bert::MODEL,
    &toolx::MODEL,
    &transe::MODEL,
];

/// The model of that name; the paper writes `graph-bert` where the data have `graph_bert`.
pub fn find(name: &str) -> Option<&'static HubModel> {
    let name = name.trim().to_lowercase().replace(['-', ' '], "_");
    MODELS.iter().find(|m| m.id == name).copied()
}

//! The hub of models.

use std::rc::Rc;

use crate::toolformer::communities::KMeans;
use crate::toolformer::reasoner::Reasoner;
use crate::toolformer::toolx::Toolx;

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
pub static MODELS: &[HubModel] = &[
    HubModel {
        id: "bpr",
        title: "BPR",
        lede: "Ranks what a user may like next, from what was liked before.",
        task: "ranking",
        paper: "Rendle and others, 2009",
        source: "`graphground train bpr --data movielens` makes its weights for a dataset; hand over their file",
        make: None,
    },
    HubModel {
        id: "graph_bert",
        title: "Graph-Bert",
        lede: "Tells the field of a paper from its words and from the papers around it.",
        task: "node_classification",
        paper: "Zhang and others, 2020",
        source: "`graphground train graph_bert --data cora` makes its weights for a dataset; hand over their file",
        make: None,
    },
    HubModel {
        id: "kmeans",
        title: "KMeans",
        lede: "Groups people by the friends that they share.",
        task: "clustering",
        paper: "MacQueen, 1967",
        source: "it is built in and needs no training",
        make: Some(|| Rc::new(KMeans::default())),
    },
    HubModel {
        id: "seg_bert",
        title: "SEG-Bert",
        lede: "Tells what a molecule does from its atoms and bonds.",
        task: "graph_classification",
        paper: "Zhang, 2020",
        source: "`graphground train seg_bert --data mutag` makes its weights for a dataset; hand over their file",
        make: None,
    },
    HubModel {
        id: "toolx",
        title: "Toolx",
        lede: "Computes twelve properties of a graph.",
        task: "attribute_calculation",
        paper: "Graph-ToolFormer §4.3.2",
        source: "it is built in",
        make: Some(|| Rc::new(Toolx)),
    },
    HubModel {
        id: "transe",
        title: "TransE",
        lede: "Completes facts: the relation, the head or the tail that is missing.",
        task: "searching",
        paper: "Bordes and others, 2013",
        source: "`graphground train transe --data wordnet` makes its weights for a dataset; hand over their file",
        make: None,
    },
];

/// The model of that name; the paper writes `graph-bert` where the data have `graph_bert`.
pub fn find(name: &str) -> Option<&'static HubModel> {
    let name = name.trim().to_lowercase().replace(['-', ' '], "_");
    MODELS.iter().find(|m| m.id == name)
}

//! Graph-Bert.

use super::Model;

pub(super) static MODEL: Model = Model {
    id: "graph_bert",
    title: "Graph-Bert",
    lede: "Tells the field of a paper from its words and from the papers around it.",
    task: "node_classification",
    paper: "Zhang and others, 2020",
    source: "a model trained on the dataset has to be registered under graph_bert; none comes with this program yet",
    make: None,
};

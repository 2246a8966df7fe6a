//! Graph-Bert.

use super::HubModel;

pub(super) static MODEL: HubModel = HubModel {
    id: "graph_bert",
    title: "Graph-Bert",
    lede: "Tells the field of a paper from its words and from the papers around it.",
    task: "node_classification",
    paper: "Zhang and others, 2020",
    source: "`graphground train graph_bert --data cora` makes its weights for a dataset; hand over their file",
    make: None,
};

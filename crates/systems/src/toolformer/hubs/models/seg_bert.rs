//! SEG-Bert.

use super::HubModel;

pub(super) static MODEL: HubModel = HubModel {
    id: "seg_bert",
    title: "SEG-Bert",
    lede: "Tells what a molecule does from its atoms and bonds.",
    task: "graph_classification",
    paper: "Zhang, 2020",
    source: "`graphground train seg_bert --data mutag` makes its weights for a dataset; hand over their file",
    make: None,
};

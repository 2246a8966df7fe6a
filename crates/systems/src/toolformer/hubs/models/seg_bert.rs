//! SEG-Bert.

use super::Model;

pub(super) static MODEL: Model = Model {
    id: "seg_bert",
    title: "SEG-Bert",
    lede: "Tells what a molecule does from its atoms and bonds.",
    task: "graph_classification",
    paper: "Zhang, 2020",
    source: "a model trained on the dataset has to be registered under seg_bert; none comes with this program yet",
    make: None,
};

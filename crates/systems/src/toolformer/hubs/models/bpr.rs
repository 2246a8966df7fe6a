//! BPR.

use super::Model;

pub(super) static MODEL: Model = Model {
    id: "bpr",
    title: "BPR",
    lede: "Ranks what a user may like next, from what was liked before.",
    task: "ranking",
    paper: "Rendle and others, 2009",
    source: "a model trained on the dataset has to be registered under bpr; none comes with this program yet",
    make: None,
};

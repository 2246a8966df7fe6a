//! TransE.

use super::Model;

pub(super) static MODEL: Model = Model {
    id: "transe",
    title: "TransE",
    lede: "Completes facts: the relation, the head or the tail that is missing.",
    task: "searching",
    paper: "Bordes and others, 2013",
    source: "a model trained on the dataset has to be registered under transe; none comes with this program yet",
    make: None,
};

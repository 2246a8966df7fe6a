//! TransE.

use super::HubModel;

pub(super) static MODEL: HubModel = HubModel {
    id: "transe",
    title: "TransE",
    lede: "Completes facts: the relation, the head or the tail that is missing.",
    task: "searching",
    paper: "Bordes and others, 2013",
    source: "`graphground train transe --data wordnet` makes its weights for a dataset; hand over their file",
    make: None,
};

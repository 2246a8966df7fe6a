//! BPR.

use super::HubModel;

pub(super) static MODEL: HubModel = HubModel {
    id: "bpr",
    title: "BPR",
    lede: "Ranks what a user may like next, from what was liked before.",
    task: "ranking",
    paper: "Rendle and others, 2009",
    source: "`graphground train bpr --data movielens` makes its weights for a dataset; hand over their file",
    make: None,
};

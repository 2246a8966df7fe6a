//! KMeans.

use std::rc::Rc;

use super::HubModel;
use crate::toolformer::communities::KMeans;

pub(super) static MODEL: HubModel = HubModel {
    id: "kmeans",
    title: "KMeans",
    lede: "Groups people by the friends that they share.",
    task: "clustering",
    paper: "MacQueen, 1967",
    source: "it is built in and needs no training",
    make: Some(|| Rc::new(KMeans::default())),
};

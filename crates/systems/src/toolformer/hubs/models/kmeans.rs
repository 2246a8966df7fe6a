//! KMeans.

use std::rc::Rc;

use super::Model;
use crate::toolformer::communities::KMeans;

pub(super) static MODEL: Model = Model {
    id: "kmeans",
    title: "KMeans",
    lede: "Groups people by the friends that they share.",
    task: "clustering",
    paper: "MacQueen, 1967",
    source: "it is built in and needs no training",
    make: Some(|| Rc::new(KMeans::default())),
};

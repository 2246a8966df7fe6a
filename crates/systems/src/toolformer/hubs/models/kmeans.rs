//! KMeans.

use super::Model;

pub(super) static MODEL: Model = Model {
    id: "kmeans",
    title: "KMeans",
    lede: "Groups people by the friends that they share.",
    task: "clustering",
    paper: "MacQueen, 1967",
    source: "a model trained on the dataset has to be registered under kmeans; none comes with this program yet",
    make: None,
};

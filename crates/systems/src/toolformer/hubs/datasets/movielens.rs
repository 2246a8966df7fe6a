//! MovieLens.

use super::{Dataset, DatasetKind};

pub(super) static DATASET: Dataset = Dataset {
    id: "movielens",
    spellings: &["movie-lens"],
    title: "MovieLens",
    lede: "Who rated which film, and when.",
    kind: DatasetKind::Recommender,
    source: "MovieLens 100K: 943 users u… and 1,682 films i… with 100,000 ratings",
    make: None,
};

//! Amazon.

use super::{Dataset, DatasetKind};

pub(super) static DATASET: Dataset = Dataset {
    id: "amazon",
    spellings: &["amazon-software"],
    title: "Amazon",
    lede: "Software bought at a shop: who rated which item, and when.",
    kind: DatasetKind::Recommender,
    source: "the ratings of the category Software of the Amazon reviews: 396,810 users and items, 450,578 ratings",
    make: None,
};

//! Cora.

use super::{Dataset, DatasetKind};

pub(super) static DATASET: Dataset = Dataset {
    id: "cora",
    spellings: &[],
    title: "Cora",
    lede: "Papers on machine learning that cite each other, in seven fields.",
    kind: DatasetKind::Bibliographic,
    source: "Cora as LINQS publishes it: 2,708 papers by their ids there, 5,429 citations, 1,433 words",
    make: None,
};

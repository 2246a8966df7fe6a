//! Citeseer.

use super::{Dataset, DatasetKind};

pub(super) static DATASET: Dataset = Dataset {
    id: "citeseer",
    spellings: &[],
    title: "Citeseer",
    lede: "Papers of computer science that cite each other, in six fields.",
    kind: DatasetKind::Bibliographic,
    source: "Citeseer as LINQS publishes it: 3,312 papers by the row in which they stand, 4,732 citations, 3,703 words",
    make: None,
};

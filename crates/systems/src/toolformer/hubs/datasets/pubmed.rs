//! PubMed.

use super::{Dataset, DatasetKind};

pub(super) static DATASET: Dataset = Dataset {
    id: "pubmed",
    spellings: &[],
    title: "PubMed",
    lede: "Papers on diabetes that cite each other, in three classes.",
    kind: DatasetKind::Bibliographic,
    source: "PubMed in the order of Planetoid: 19,717 papers, 44,338 citations, 500 words",
    make: None,
};

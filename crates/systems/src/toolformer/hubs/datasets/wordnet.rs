//! WordNet.

use super::{Dataset, DatasetKind};

pub(super) static DATASET: Dataset = Dataset {
    id: "wordnet",
    spellings: &["wn18"],
    title: "WordNet",
    lede: "Meanings of English words and how they are related.",
    kind: DatasetKind::Knowledge,
    source: "WordNet 3.0: 117,659 meanings named as in plaything.n.01, 346,720 facts with 18 relations",
    make: None,
};

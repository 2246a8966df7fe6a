//! Freebase.

use super::{Dataset, DatasetKind};

pub(super) static DATASET: Dataset = Dataset {
    id: "freebase",
    spellings: &["fb15k"],
    title: "Freebase",
    lede: "Facts about people, places, films and awards.",
    kind: DatasetKind::Knowledge,
    source: "FB15k: 592,213 facts of Freebase with 1,345 relations; entities are named as in /m/06cx9",
    make: None,
};

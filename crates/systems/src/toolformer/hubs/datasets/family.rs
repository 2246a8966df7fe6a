//! Generated family.

use super::{Dataset, DatasetKind};
use crate::toolformer::generated::{SEED, family};

pub(super) static DATASET: Dataset = Dataset {
    id: "family",
    spellings: &["generated_family"],
    title: "Generated family",
    lede: "A made-up family, its home and what it owns.",
    kind: DatasetKind::Knowledge,
    source: "it is made from a seed when it is asked for: the household of the family benchmark, 14 relatives and 8 other people by their given names, all else by ids",
    make: Some(|| family::make(14, SEED)),
};

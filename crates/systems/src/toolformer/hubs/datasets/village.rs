//! Generated village.

use super::{Dataset, DatasetKind};
use crate::toolformer::generated::{SEED, village};

pub(super) static DATASET: Dataset = Dataset {
    id: "village",
    spellings: &["generated_village"],
    title: "Generated village",
    lede: "120 made-up people in six circles of friends.",
    kind: DatasetKind::Social,
    source: "it is made from a seed when it is asked for: 120 people, p1, p2, …, in six circles; two of a circle know each other with probability 0.3, others with 0.01",
    make: Some(|| Ok(village::make(120, SEED)?)),
};

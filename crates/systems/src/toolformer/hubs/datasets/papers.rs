//! Generated papers.

use super::{Dataset, DatasetKind};
use crate::toolformer::generated::{SEED, papers};

pub(super) static DATASET: Dataset = Dataset {
    id: "papers",
    spellings: &["generated_papers"],
    title: "Generated papers",
    lede: "600 made-up papers that cite each other, in six fields.",
    kind: DatasetKind::Bibliographic,
    source: "they are made from a seed when they are asked for: 600 papers in six fields, 300 words, one to five citations each, three in four within the field; one label in sixteen is wrong",
    make: Some(|| Ok(papers::make(600, SEED)?)),
};

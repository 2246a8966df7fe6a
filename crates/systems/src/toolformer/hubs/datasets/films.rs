//! Generated films.

use super::{Dataset, DatasetKind};
use crate::toolformer::generated::{SEED, films};

pub(super) static DATASET: Dataset = Dataset {
    id: "films",
    spellings: &["generated_films"],
    title: "Generated films",
    lede: "Which of 150 made-up films 100 made-up users liked.",
    kind: DatasetKind::Recommender,
    source: "they are made from a seed when they are asked for: users u1, u2, …, films i1, i2, …; 15 to 40 ratings each, from four hidden traits and what is well known",
    make: Some(|| Ok(films::make(100, 150, SEED)?)),
};

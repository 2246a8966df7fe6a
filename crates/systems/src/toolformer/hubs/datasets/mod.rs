//! The hub of datasets, one file each.

mod amazon;
mod citeseer;
mod cora;
mod family;
mod films;
mod foursquare;
mod freebase;
mod gpr;
mod last_fm;
mod molecules;
mod movielens;
mod mutag;
mod nci1;
mod papers;
mod proteins;
mod ptc;
mod pubmed;
mod twitter;
mod village;
mod wordnet;

use serde::{Deserialize, Serialize};

use crate::toolformer::data::{Data, DataError};

/// What a dataset is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DatasetKind {
    /// Small graphs whose properties are asked for.
    Properties,
    /// Papers that cite each other.
    Bibliographic,
    /// Molecules with a function.
    Molecules,
    /// Users and what they like.
    Recommender,
    /// People and whom they know.
    Social,
    /// Entities with relations.
    Knowledge,
}

/// A dataset that calls can load.
pub struct Dataset {
    /// What calls name it by.
    pub id: &'static str,
    /// Other names for it.
    pub spellings: &'static [&'static str],
    /// Its name for people.
    pub title: &'static str,
    /// One sentence for people.
    pub lede: &'static str,
    /// What it is about.
    pub kind: DatasetKind,
    /// What exactly its data are, for whoever hands them over.
    pub source: &'static str,
    /// Makes the data, where that takes no file.
    pub make: Option<fn() -> Result<Data, DataError>>,
}

/// Every dataset that calls can name.
pub static DATASETS: [&Dataset; 20] = [
    &amazon::DATASET,
    &citeseer::DATASET,
    &cora::DATASET,
    &family::DATASET,
    &films::DATASET,
    &foursquare::DATASET,
    &freebase::DATASET,
    &gpr::DATASET,
    &last_fm::DATASET,
    &molecules::DATASET,
    &movielens::DATASET,
    &mutag::DATASET,
    &nci1::DATASET,
    &papers::DATASET,
    &proteins::DATASET,
    &ptc::DATASET,
    &pubmed::DATASET,
    &twitter::DATASET,
    &village::DATASET,
    &wordnet::DATASET,
];

/// The dataset of that name, in any spelling: "Last.fm" is `last-fm`.
pub fn find(name: &str) -> Option<&'static Dataset> {
    let fold = |s: &str| s.trim().to_lowercase().replace([' ', '_', '.'], "-");
    let name = fold(name);
    let plain = name.trim_end_matches("-dataset");
    let is_it = |d: &&&Dataset| fold(d.id) == plain || d.spellings.iter().any(|s| fold(s) == plain);
    DATASETS.iter().find(is_it).copied()
}

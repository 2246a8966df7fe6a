//! Last.fm.

use super::{Dataset, DatasetKind};

pub(super) static DATASET: Dataset = Dataset {
    id: "last-fm",
    spellings: &["lastfm", "last.fm"],
    title: "Last.fm",
    lede: "Who listens to which artist.",
    kind: DatasetKind::Recommender,
    source: "Last.fm as of HetRec 2011: 1,892 users u… and 17,632 artists i…, with 92,834 links between them",
    make: None,
};

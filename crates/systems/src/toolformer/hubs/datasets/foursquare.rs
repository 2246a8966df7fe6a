//! Foursquare.

use super::{Dataset, DatasetKind};

pub(super) static DATASET: Dataset = Dataset {
    id: "foursquare",
    spellings: &[],
    title: "Foursquare",
    lede: "People who follow each other, and where they check in.",
    kind: DatasetKind::Social,
    source: "a crawl of Foursquare: 5,392 people and 76,972 links",
    make: None,
};

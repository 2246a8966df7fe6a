//! Foursquare.

use super::{Dataset, Kind};

pub(super) static DATASET: Dataset = Dataset {
    id: "foursquare",
    spellings: &[],
    title: "Foursquare",
    lede: "People who follow each other, and where they check in.",
    kind: Kind::Social,
    source: "a crawl of Foursquare: 5,392 people and 76,972 links",
    make: None,
};

//! Twitter.

use super::{Dataset, DatasetKind};

pub(super) static DATASET: Dataset = Dataset {
    id: "twitter",
    spellings: &[],
    title: "Twitter",
    lede: "People who follow each other.",
    kind: DatasetKind::Social,
    source: "a crawl of Twitter: 5,223 people and 164,920 links",
    make: None,
};

//! PTC.

use super::{Dataset, Kind};

pub(super) static DATASET: Dataset = Dataset {
    id: "ptc",
    spellings: &[],
    title: "PTC",
    lede: "344 compounds, and whether they cause cancer in rats.",
    kind: Kind::Molecules,
    source: "PTC: 344 molecules in the order of the DGCNN text, labels 0 and 1",
    make: None,
};

//! PTC.

use super::{Dataset, DatasetKind};

pub(super) static DATASET: Dataset = Dataset {
    id: "ptc",
    spellings: &[],
    title: "PTC",
    lede: "344 compounds, and whether they cause cancer in rats.",
    kind: DatasetKind::Molecules,
    source: "PTC: 344 molecules in the order of the DGCNN text, labels 0 and 1",
    make: None,
};

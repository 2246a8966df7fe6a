//! MUTAG.

use super::{Dataset, DatasetKind};

pub(super) static DATASET: Dataset = Dataset {
    id: "mutag",
    spellings: &[],
    title: "MUTAG",
    lede: "188 compounds, and whether they change genes.",
    kind: DatasetKind::Molecules,
    source: "MUTAG: 188 molecules in the order of the DGCNN text, labels 2 and 0",
    make: None,
};

//! NCI1.

use super::{Dataset, DatasetKind};

pub(super) static DATASET: Dataset = Dataset {
    id: "nci1",
    spellings: &[],
    title: "NCI1",
    lede: "4,110 compounds, and whether they slow the growth of cancer cells.",
    kind: DatasetKind::Molecules,
    source: "NCI1: 4,110 molecules in the order of the DGCNN text, labels 0 and 1",
    make: None,
};

//! PROTEINS.

use super::{Dataset, DatasetKind};

pub(super) static DATASET: Dataset = Dataset {
    id: "proteins",
    spellings: &["protein"],
    title: "PROTEINS",
    lede: "1,113 proteins, and whether they are enzymes.",
    kind: DatasetKind::Molecules,
    source: "PROTEINS: 1,113 molecules in the order of the DGCNN text, labels 0 and 1",
    make: None,
};

//! PROTEINS.

use super::{Dataset, Kind};

pub(super) static DATASET: Dataset = Dataset {
    id: "proteins",
    spellings: &["protein"],
    title: "PROTEINS",
    lede: "1,113 proteins, and whether they are enzymes.",
    kind: Kind::Molecules,
    source: "PROTEINS: 1,113 molecules in the order of the DGCNN text, labels 0 and 1",
    make: None,
};

//! Generated molecules.

use super::{Dataset, DatasetKind};
use crate::toolformer::generated::{SEED, molecules};

pub(super) static DATASET: Dataset = Dataset {
    id: "molecules",
    spellings: &["generated_molecules"],
    title: "Generated molecules",
    lede: "150 made-up molecules, half of which do something.",
    kind: DatasetKind::Molecules,
    source: "they are made from a seed when they are asked for: 150 molecules of rings and chains, of class 1 where a nitrogen with two oxygens sits on a ring; one label in twenty is wrong",
    make: Some(|| Ok(molecules::make(150, SEED)?)),
};

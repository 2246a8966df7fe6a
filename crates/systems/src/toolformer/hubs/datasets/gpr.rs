//! Graph properties.

use super::{Dataset, DatasetKind};
use crate::toolformer::toolx::graphs;

pub(super) static DATASET: Dataset = Dataset {
    id: "gpr",
    spellings: &["graph_properties"],
    title: "Graph properties",
    lede: "37 graphs that textbooks know by name, made here.",
    kind: DatasetKind::Properties,
    source: "they are made when they are asked for",
    make: Some(|| Ok(graphs::data()?)),
};

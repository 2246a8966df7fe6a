//! Toolx.

use std::rc::Rc;

use super::HubModel;
use crate::toolformer::toolx::Toolx;

pub(super) static MODEL: HubModel = HubModel {
    id: "toolx",
    title: "Toolx",
    lede: "Computes twelve properties of a graph.",
    task: "attribute_calculation",
    paper: "Graph-ToolFormer §4.3.2",
    source: "it is built in",
    make: Some(|| Rc::new(Toolx)),
};

//! The pages; each wires state to views.

pub(crate) mod bench;
pub(crate) mod compare;
pub(crate) mod dataset;
mod drop_frame;
pub(crate) mod endpoints;
pub(crate) mod family;
pub(crate) mod framed;
pub(crate) mod kg;
pub(crate) mod lessons;
pub(crate) mod rescue;
pub(crate) mod sharing;
pub(crate) mod solve;
pub(crate) mod toolformer;
pub(crate) mod tools;
pub(crate) mod traces;

//! The files of a data set while they are read.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use graph::{Graph, GraphError};

/// The files of a data set, by their names.
pub(crate) struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    /// Files with these names.
    pub(crate) fn new(named: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        Self(named.into_iter().collect())
    }

    /// Their names, in order.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(super) fn bytes(&self, name: &str) -> Result<&[u8]> {
        self.0.get(name).map(Vec::as_slice).with_context(|| format!("there is no file {name}"))
    }

    /// A file as text. Some of these are in Latin-1; what is no UTF-8 is replaced, for it is in names
    /// alone.
    pub(super) fn text(&self, name: &str) -> Result<String> {
        Ok(String::from_utf8_lossy(self.bytes(name)?).into_owned())
    }
}

/// Adds a link that may have come before.
pub(super) fn link_new(graph: &mut Graph, a: &str, b: &str) -> Result<(), GraphError> {
    if graph.edge(&a.into(), &b.into()).is_some() {
        return Ok(());
    }
    graph.link(a, b)
}

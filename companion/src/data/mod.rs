//! Public data sets: where they are had, how they are read, and what must be in them.

mod molecules;
mod numpy;
mod pickle;
mod planetoid;
mod sources;
mod tables;
#[cfg(test)]
mod tests;
mod wordnet;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use graph::{Graph, GraphError};

pub(crate) use sources::{From, Source, find, sources};

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 500_000_000;

/// The files of a data set, by their names.
pub(crate) struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    /// Reads those of a folder that have these names.
    pub(crate) fn read(folder: &Path, names: &[&str]) -> Result<Self> {
        let mut files = BTreeMap::new();
        for name in names {
            let path = folder.join(name);
            let size = std::fs::metadata(&path)
                .with_context(|| {
                    format!(
                        "{} is not in {}; this data set needs {}",
                        name,
                        folder.display(),
                        names.join(", ")
                    )
                })?
                .len();
            if size > MAX_FILE {
                bail!("{}: more than {MAX_FILE} bytes", path.display());
            }
            let bytes =
                std::fs::read(&path).with_context(|| format!("{}: cannot read", path.display()))?;
            files.insert((*name).to_owned(), bytes);
        }
        Ok(Self(files))
    }

    /// No files, for what is made.
    pub(crate) fn none() -> Self {
        Self(BTreeMap::new())
    }

    #[cfg(test)]
    fn of(named: &[(&str, &str)]) -> Self {
        let bytes = |(n, t): &(&str, &str)| ((*n).to_owned(), t.as_bytes().to_vec());
        Self(named.iter().map(bytes).collect())
    }

    fn bytes(&self, name: &str) -> Result<&[u8]> {
        self.0.get(name).map(Vec::as_slice).with_context(|| format!("there is no file {name}"))
    }

    /// A file as text. Some of these are in Latin-1; what is no UTF-8 is replaced, for it is in names
    /// alone.
    fn text(&self, name: &str) -> Result<String> {
        Ok(String::from_utf8_lossy(self.bytes(name)?).into_owned())
    }
}

/// Adds a link that may have come before.
fn link_new(graph: &mut Graph, a: &str, b: &str) -> Result<(), GraphError> {
    if graph.edge(&a.into(), &b.into()).is_some() {
        return Ok(());
    }
    graph.link(a, b)
}

//! Public data sets: where they are had, how they are read, and what must be in them.

mod files;
mod molecules;
mod numpy;
mod planetoid;
mod sources;
mod tables;
#[cfg(test)]
mod tests;
mod wordnet;

use std::path::Path;

use anyhow::{Result, bail};

use companion::{input, limits};
pub(crate) use files::Files;
use files::link_new;
pub(crate) use sources::{From, Source, find, sources};

impl Files {
    /// Reads those of a folder that have these names.
    pub(crate) fn read(folder: &Path, names: &[&str]) -> Result<Self> {
        let mut files = Vec::new();
        let mut n_bytes = 0;
        for name in names {
            let path = folder.join(name);
            if !path.exists() {
                bail!(
                    "{name} is not in {}; this data set needs {}",
                    folder.display(),
                    names.join(", ")
                );
            }
            let bytes = input::bytes(&path, limits::DATA_FILE)?;
            n_bytes += bytes.len();
            if n_bytes > limits::DATA_SET {
                bail!(
                    "{}: the files of this data set have more than {} bytes",
                    folder.display(),
                    limits::DATA_SET
                );
            }
            files.push(((*name).to_owned(), bytes));
        }
        Ok(Self::new(files))
    }

    /// No files, for what is made.
    pub(crate) fn none() -> Self {
        Self::new([])
    }

    #[cfg(test)]
    fn of(named: &[(&str, &str)]) -> Self {
        Self::new(named.iter().map(|(n, t)| ((*n).to_owned(), t.as_bytes().to_vec())))
    }
}

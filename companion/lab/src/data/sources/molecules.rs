//! Sets of molecules.

use anyhow::Result;
use systems::toolformer::data::Data;
use systems::toolformer::hubs::DatasetKind;

use super::{From, Source};
use crate::data::{Files, molecules};
use companion::packages::{Package, Registry};

fn dgcnn(files: &Files) -> Result<Data> {
    let name = files.names().next().unwrap_or_default();
    molecules::dgcnn(&files.text(name)?)
}

pub(super) static SOURCES: &[Source] = &[
    Source {
        id: "mutag",
        title: "MUTAG",
        kind: DatasetKind::Molecules,
        by: "Debnath and others, out of the package graphkernels",
        licence: "the package names ETH Zurich and no further terms for the data",
        notes: &["atoms are features, bonds are weights; classes are 1 and -1"],
        from: From::Package(Package {
            registry: Registry::Source,
            name: "graphkernels",
            version: "0.2.1",
            pieces: &[(
                "graphkernels-0.2.1/graphkernels/data.mutag",
                "data.mutag",
                "a66221b7e2a310a25bab296c22edf69aa5cafd47d8ecbe6017dc186ef45bd3c8",
            )],
        }),
        read: molecules::mutag,
        counts: Some([188, 3371, 3721]),
        paper: "188 graphs",
    },
    Source {
        id: "nci1",
        title: "NCI1",
        kind: DatasetKind::Molecules,
        by: "Wale and Karypis, in the text of DGCNN",
        licence: "no terms are stated",
        notes: &[],
        from: From::Elsewhere {
            files: &["NCI1.txt"],
            how: "the repository of DGCNN has data/NCI1/NCI1.txt; give its folder with --from",
        },
        read: dgcnn,
        counts: None,
        paper: "4,110 graphs",
    },
    Source {
        id: "ptc",
        title: "PTC",
        kind: DatasetKind::Molecules,
        by: "Toivonen and others, in the text of DGCNN",
        licence: "no terms are stated",
        notes: &[],
        from: From::Elsewhere {
            files: &["PTC.txt"],
            how: "the repository of DGCNN has data/PTC/PTC.txt; give its folder with --from",
        },
        read: dgcnn,
        counts: None,
        paper: "344 graphs",
    },
    Source {
        id: "proteins",
        title: "PROTEINS",
        kind: DatasetKind::Molecules,
        by: "Borgwardt and others, in the text of DGCNN",
        licence: "no terms are stated",
        notes: &[],
        from: From::Elsewhere {
            files: &["PROTEINS.txt"],
            how: "the repository of DGCNN has data/PROTEINS/PROTEINS.txt; give its folder with --from",
        },
        read: dgcnn,
        counts: None,
        paper: "1,113 graphs",
    },
];

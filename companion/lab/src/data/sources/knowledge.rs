//! Facts about entities.

use anyhow::Result;
use systems::toolformer::data::Data;
use systems::toolformer::hubs::DatasetKind;

use super::{From, Source, recbole};
use crate::data::tables::facts;
use crate::data::{Files, wordnet};
use companion::packages::{Package, PackageFile, Registry};

const IDS: &[&str] =
    &["train2id.txt", "valid2id.txt", "test2id.txt", "entity2id.txt", "relation2id.txt"];

const fn pykeen(pieces: &'static [PackageFile]) -> Package {
    Package { registry: Registry::Wheel { more: &[] }, name: "pykeen", version: "1.11.1", pieces }
}

fn plain(id: &str) -> String {
    id.to_owned()
}

fn triples(files: &Files) -> Result<Data> {
    let texts: Vec<String> = ["train.txt", "valid.txt", "test.txt"]
        .iter()
        .map(|n| files.text(n))
        .collect::<Result<_>>()?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    facts(&texts, None, plain)
}

fn with_ids(files: &Files) -> Result<Data> {
    let texts: Vec<String> = ["train2id.txt", "valid2id.txt", "test2id.txt"]
        .iter()
        .map(|n| files.text(n))
        .collect::<Result<_>>()?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (entities, relations) = (files.text("entity2id.txt")?, files.text("relation2id.txt")?);
    facts(&texts, Some((&entities, &relations)), plain)
}

pub(super) static SOURCES: &[Source] = &[
    Source {
        id: "wordnet",
        title: "WordNet, WN18's relations",
        kind: DatasetKind::Knowledge,
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
        read: |f| wordnet::read(f, true),
        counts: Some([1, 117_659, 346_720]),
        paper: "40,943 entities, 151,442 facts, 18 relations (WN18)",
    },
    Source {
        id: "wn18",
        title: "WN18",
        kind: DatasetKind::Knowledge,
        by: "Bordes and others, in the files of OpenKE",
        licence: "WordNet's licence: free to use and to hand on with its notice",
        notes: &["entities are numbers of sets of words in WordNet"],
        from: From::Elsewhere {
            files: IDS,
            how: "the repository of OpenKE has benchmarks/WN18; give its folder with --from",
        },
        read: with_ids,
        counts: None,
        paper: "40,943 entities, 151,442 facts, 18 relations",
    },
    Source {
        id: "freebase",
        title: "FB15k",
        kind: DatasetKind::Knowledge,
        by: "Bordes and others, in the files of OpenKE",
        licence: "Freebase: CC BY 2.5",
        notes: &[],
        from: From::Elsewhere {
            files: IDS,
            how: "the repository of OpenKE has benchmarks/FB15K; give its folder with --from",
        },
        read: with_ids,
        counts: None,
        paper: "14,951 entities, 592,213 facts, 1,345 relations",
    },
    Source {
        id: "freebase-films",
        title: "Freebase about the films of MovieLens",
        kind: DatasetKind::Knowledge,
        by: "KB4Rec, out of the package recbole",
        licence: "Freebase: CC BY 2.5",
        notes: &["stands in for FB15k, which no registry carries; ids are written as /m/0bln8"],
        from: From::Package(recbole(&[(
            "recbole/dataset_example/ml-100k/ml-100k.kg",
            "ml-100k.kg",
            "200a0636fa07c218119a42e5bac7aa3e26e3665a6f919c1b22909bd412b14779",
        )])),
        read: |f| {
            let text = f.text("ml-100k.kg")?;
            let body = text.split_once('\n').map_or("", |(_, rest)| rest);
            facts(&[body], None, |id| id.replacen("m.", "/m/", 1))
        },
        counts: Some([1, 34_628, 91_631]),
        paper: "",
    },
    Source {
        id: "nations",
        title: "Nations",
        kind: DatasetKind::Knowledge,
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
        read: triples,
        counts: Some([1, 14, 1992]),
        paper: "",
    },
    Source {
        id: "kinships",
        title: "Kinships",
        kind: DatasetKind::Knowledge,
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
        read: triples,
        counts: Some([1, 104, 10_686]),
        paper: "",
    },
    Source {
        id: "umls",
        title: "UMLS",
        kind: DatasetKind::Knowledge,
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
        read: triples,
        counts: Some([1, 135, 6529]),
        paper: "",
    },
];

const WORDNET: &[PackageFile] = &[
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

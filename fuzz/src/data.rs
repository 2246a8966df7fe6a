//! The laboratory's readers of public data sets. It is a program and not a library, so they are
//! compiled here a second time, from the same files.
#![allow(dead_code, unreachable_pub)]

#[path = "../../companion/lab/src/data/files.rs"]
mod files;
#[path = "../../companion/lab/src/data/molecules.rs"]
pub(crate) mod molecules;
#[path = "../../companion/lab/src/data/numpy.rs"]
pub(crate) mod numpy;
#[path = "../../companion/lab/src/data/planetoid.rs"]
pub(crate) mod planetoid;
#[path = "../../companion/lab/src/data/tables.rs"]
pub(crate) mod tables;
#[path = "../../companion/lab/src/data/wordnet.rs"]
pub(crate) mod wordnet;

pub(crate) use files::Files;
use files::link_new;

use crate::{Target, choice, text};

/// What stands between the files of one input.
const BETWEEN: &[u8] = b"\xff\xfe\xff\n";

/// Cuts an input into files with these names; those that are missing are empty.
fn parted(data: &[u8], names: &[&str]) -> Files {
    let mut rest = data;
    Files::new(names.iter().map(|name| {
        let at = rest.windows(BETWEEN.len()).position(|w| w == BETWEEN);
        let file = &rest[..at.unwrap_or(rest.len())];
        rest = at.map_or(&[][..], |at| &rest[at + BETWEEN.len()..]);
        ((*name).to_owned(), file.to_vec())
    }))
}

fn joined(files: &[&[u8]]) -> Vec<u8> {
    files.join(BETWEEN)
}

const PLANETOID: [&str; 8] = [
    "ind.x.allx",
    "ind.x.tx",
    "ind.x.ally",
    "ind.x.ty",
    "ind.x.graph",
    "ind.x.test.index",
    "ind.x.x",
    "ind.x.y",
];
const WORDNET: [&str; 8] = [
    "data.noun",
    "data.verb",
    "index.noun",
    "index.verb",
    "data.adj",
    "data.adv",
    "index.adj",
    "index.adv",
];

/// A pickle of protocol 2 with a list, a tuple, a dictionary and an array of numpy.
const PICKLES: [&[u8]; 5] = [
    b"\x80\x02]q\x00(K\x01K\x02e.",
    b"\x80\x02}q\x00(K\x00]q\x01K\x01aK\x01]q\x02K\x00au.",
    b"(dp0\nI0\n(lp1\nI1\nasI1\n(lp2\nI0\nas.",
    b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR(I1\n(I2\nI1\ntcnumpy\ndtype\n(S'f4'\nI0\nI1\ntR(I3\nS'<'\nNNNI-1\nI-1\nI0\ntbI00\nS'\\x00\\x00\\x80?\\x00\\x00\\x00@'\ntb.",
    b"ccollections\ndefaultdict\n(c__builtin__\nlist\ntRI0\n(lI1\nasI1\n(lI0\nas.",
];

/// The targets of public data sets.
pub(crate) fn targets() -> Vec<Target> {
    vec![
        Target::new(
            "data_pickle",
            4096,
            |data| {
                if let Ok(pickle) = numpy::pickle(data) {
                    let _ = numpy::array(&pickle, pickle.root());
                    let _ = numpy::csr(&pickle, pickle.root());
                    let _ = numpy::objects(&pickle, pickle.root()).map(<[_]>::len);
                }
            },
            |_| PICKLES.iter().map(|p| p.to_vec()).collect(),
        ),
        Target::new(
            "data_planetoid",
            8192,
            |data| drop(planetoid::read(&parted(data, &PLANETOID), "x")),
            |_| {
                let array = PICKLES[3];
                vec![joined(&[array, array, array, array, PICKLES[1], b"1\n0\n"])]
            },
        ),
        Target::new(
            "data_molecules",
            4096,
            |data| match choice(data) {
                (0, rest) => drop(molecules::mutag(&parted(rest, &["data.mutag"]))),
                (_, rest) => drop(molecules::dgcnn(&text(rest))),
            },
            |_| {
                let text = b"\x012\n3 1\n0 1 1\n2 2 0 2\n0 1 1\n2 0\n1 1 1\n1 1 0\n";
                let mutag =
                    b"\0\x93NUMPY\x01\x00\x02\x00{}cnumpy.core.multiarray\n_reconstruct\n(cnumpy\n\
ndarray\n(I0\ntU\x01btR(I1\n(I1\ntcnumpy\ndtype\n(U\x02O8I0\nI1\ntRI00\n(lcigraph\nGraph\n(I2\n\
(l(I0\nI1\ntaI00\n(dU\x05labelI1\ns(dU\x05label(lI3\naI4\nas(dU\x05label(lI1\nastRatb.";
                vec![text.to_vec(), b"\x011\n1 0\n0 0\n".to_vec(), mutag.to_vec()]
            },
        ),
        Target::new("data_tables", 4096, run_tables, |_| {
            let content: &[u8] = b"35 0 1 0 Alpha\n40 1 1 0 Beta\n7 0 0 1 Alpha\n";
            let linqs = [&[0][..], &joined(&[content, b"35 40\n40 7\nlost 7\n"])].concat();
            let facts = [
                &[3][..],
                &joined(&[b"1\n0 1 0\n", b"2\n/m/x\t0\n/m/y\t1\n", b"2\n/a/b\t0\n/c/d./e/f\t1\n"]),
            ]
            .concat();
            vec![
                linqs,
                b"\x01userID\tartistID\tweight\n2\t51\t13883\n2\t52\t11690\n".to_vec(),
                b"\x02a\tlikes\tb\nb\tlikes\tc\n".to_vec(),
                facts,
            ]
        }),
        Target::new(
            "data_wordnet",
            4096,
            |data| {
                let (is_wn18, rest) = choice(data);
                drop(wordnet::read(&parted(rest, &WORDNET), is_wn18 % 2 == 1));
            },
            |_| {
                let nouns: &[u8] = b"\x00  1 This software and database\n\
00001740 03 n 01 entity 0 001 ~ 00002000 n 0000 | that which is\n\
00002000 03 n 02 Plaything 1 toy 0 002 @ 00001740 n 0000 + 00003000 v 0102 | a toy\n";
                let verbs: &[u8] =
                    b"00003000 29 v 01 toy 0 001 + 00002000 n 0201 01 + 01 00 | play\n";
                vec![joined(&[nouns, verbs])]
            },
        ),
    ]
}

fn run_tables(data: &[u8]) {
    let (which, rest) = choice(data);
    let files = parted(rest, &["a", "b", "c"]);
    let part = |name: &str| files.text(name).unwrap_or_default();
    match which % 4 {
        0 => drop(tables::linqs(&part("a"), &part("b"), which >= 128)),
        1 => {
            let how = tables::Links {
                between: Some('\t'),
                n_head: 1,
                before: ["u", "i"],
                is_weighted: which >= 128,
                has_times: (64..192).contains(&which),
            };
            drop(tables::network(&[(&part("a"), how)]));
        }
        2 => drop(tables::facts(&[&part("a")], None, str::to_owned)),
        _ => {
            let ids = (part("b"), part("c"));
            drop(tables::facts(&[&part("a")], Some((&ids.0, &ids.1)), str::to_owned));
        }
    }
}

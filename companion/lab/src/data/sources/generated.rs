//! Data that are made here, one set of each kind.

use systems::toolformer::Hubs;
use systems::toolformer::hubs::DatasetKind;

use super::{From, Source};

/// An entry of the hub that is made.
macro_rules! made {
    ($id:literal, $title:literal, $kind:ident, $counts:expr, $how:literal, $notes:expr) => {
        Source {
            id: $id,
            title: $title,
            kind: DatasetKind::$kind,
            by: "Graphground, from a seed",
            licence: "that of Graphground itself, MIT or Apache-2.0",
            notes: $notes,
            from: From::Made($how),
            read: |_| Ok(Hubs::new()?.data($id)?.2),
            counts: $counts,
            paper: "",
        }
    };
}

pub(super) static SOURCES: &[Source] = &[
    made!(
        "papers",
        "Generated papers",
        Bibliographic,
        Some([1, 600, 1_714]),
        "each paper cites one to five earlier ones, three in four of its field; a quarter of its words is of its field, a sixth of the next",
        &[
            "papers are numbers, labels are six fields, features are 300 words",
            "one label in sixteen is wrong, so that nobody can be right about all",
        ]
    ),
    made!(
        "molecules",
        "Generated molecules",
        Molecules,
        Some([150, 2_370, 2_422]),
        "rings and chains of carbon with groups; the class is 1 where a nitrogen with two oxygens sits on a ring",
        &["molecules are numbers, features are atoms: C, N, O, Cl", "one label in twenty is wrong"]
    ),
    made!(
        "village",
        "Generated village",
        Social,
        Some([1, 120, 468]),
        "two people of one of six circles know each other with probability 0.3, others with 0.01",
        &["people are p1, p2, …; labels are the circles"]
    ),
    made!(
        "films",
        "Generated films",
        Recommender,
        Some([1, 250, 2_689]),
        "users and films have four hidden traits; users see the well known and rate what fits",
        &["users are u1, u2, …, films i1, i2, …; a link's weight is the rating, from 1 to 5"]
    ),
    made!(
        "family",
        "Generated family",
        Knowledge,
        Some([1, 522, 714]),
        "the household of the generated family benchmark: 14 relatives, 8 other people, their home, work and habits",
        &["people have given names from a list; everything else is an id such as city_0002"]
    ),
];

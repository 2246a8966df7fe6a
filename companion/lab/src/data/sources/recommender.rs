//! Users and what they like.

use systems::toolformer::hubs::DatasetKind;

use super::{From, Source, TABS, recbole};
use crate::data::tables::{Links, network};

pub(super) static SOURCES: &[Source] = &[
    Source {
        id: "movielens",
        title: "MovieLens-100k",
        kind: DatasetKind::Recommender,
        by: "GroupLens, out of the package recbole",
        licence: "GroupLens's terms: for research, not to be handed on",
        notes: &[
            "users are u1, u2, …, films i1, i2, …; a link's weight is the rating, its time the second in which it was given",
        ],
        from: From::Package(recbole(&[(
            "recbole/dataset_example/ml-100k/ml-100k.inter",
            "ml-100k.inter",
            "4edb74e2a81178c2ba9ff381495f754f996c4aea351b1272ca36b43da0935eff",
        )])),
        read: |f| {
            let how = Links { before: ["u", "i"], is_weighted: true, has_times: true, ..TABS };
            network(&[(&f.text("ml-100k.inter")?, how)])
        },
        counts: Some([1, 2_625, 100_000]),
        paper: "2,625 nodes, 100,000 links",
    },
    Source {
        id: "last-fm",
        title: "Last.fm",
        kind: DatasetKind::Recommender,
        by: "HetRec 2011",
        licence: "not for commercial use",
        notes: &["users are u2, u3, …, artists i1, i2, …; friends are linked too"],
        from: From::Elsewhere {
            files: &["user_artists.dat", "user_friends.dat"],
            how: "GroupLens publishes hetrec2011-lastfm-2k.zip with user_artists.dat and user_friends.dat; give its folder with --from",
        },
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
        kind: DatasetKind::Recommender,
        by: "J. McAuley's collection of reviews",
        licence: "no terms are stated",
        notes: &["a link's weight is the rating, its time the second in which it was given"],
        from: From::Elsewhere {
            files: &["Software.csv"],
            how: "the collection has ratings only: Software.csv with item, user, rating, time; give its folder with --from",
        },
        read: |f| {
            let how =
                Links { between: Some(','), n_head: 0, is_weighted: true, has_times: true, ..TABS };
            network(&[(&f.text("Software.csv")?, how)])
        },
        counts: None,
        paper: "396,810 nodes, 450,578 links",
    },
];

//! The hub of datasets.

use serde::{Deserialize, Serialize};

use crate::toolformer::data::{Data, DataError};
use crate::toolformer::generators::{SEED, family, films, molecules, papers, village};
use crate::toolformer::toolx::graphs;

/// What a dataset is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DatasetKind {
    /// Small graphs whose properties are asked for.
    Properties,
    /// Papers that cite each other.
    Bibliographic,
    /// Molecules with a function.
    Molecules,
    /// Users and what they like.
    Recommender,
    /// People and whom they know.
    Social,
    /// Entities with relations.
    Knowledge,
}

/// A dataset that calls can load.
pub struct Dataset {
    /// What calls name it by.
    pub id: &'static str,
    /// Other names for it.
    pub spellings: &'static [&'static str],
    /// Its name for people.
    pub title: &'static str,
    /// One sentence for people.
    pub lede: &'static str,
    /// What it is about.
    pub kind: DatasetKind,
    /// What exactly its data are, for whoever hands them over.
    pub source: &'static str,
    /// Makes the data, where that takes no file.
    pub make: Option<fn() -> Result<Data, DataError>>,
}

/// Every dataset that calls can name.
pub static DATASETS: &[Dataset] = &[
    Dataset {
        id: "amazon",
        spellings: &["amazon-software"],
        title: "Amazon",
        lede: "Software bought at a shop: who rated which item, and when.",
        kind: DatasetKind::Recommender,
        source: "the ratings of the category Software of the Amazon reviews: 396,810 users and items, 450,578 ratings",
        make: None,
    },
    Dataset {
        id: "citeseer",
        spellings: &[],
        title: "Citeseer",
        lede: "Papers of computer science that cite each other, in six fields.",
        kind: DatasetKind::Bibliographic,
        source: "Citeseer as LINQS publishes it: 3,312 papers by the row in which they stand, 4,732 citations, 3,703 words",
        make: None,
    },
    Dataset {
        id: "cora",
        spellings: &[],
        title: "Cora",
        lede: "Papers on machine learning that cite each other, in seven fields.",
        kind: DatasetKind::Bibliographic,
        source: "Cora as LINQS publishes it: 2,708 papers by their ids there, 5,429 citations, 1,433 words",
        make: None,
    },
    Dataset {
        id: "family",
        spellings: &["generated_family"],
        title: "Generated family",
        lede: "A made-up family, its home and what it owns.",
        kind: DatasetKind::Knowledge,
        source: "it is made from a seed when it is asked for: the household of the family benchmark, 14 relatives and 8 other people by their given names, all else by ids",
        make: Some(|| family::make(14, SEED)),
    },
    Dataset {
        id: "films",
        spellings: &["generated_films"],
        title: "Generated films",
        lede: "Which of 150 made-up films 100 made-up users liked.",
        kind: DatasetKind::Recommender,
        source: "they are made from a seed when they are asked for: users u1, u2, …, films i1, i2, …; 15 to 40 ratings each, from four hidden traits and what is well known",
        make: Some(|| Ok(films::make(100, 150, SEED)?)),
    },
    Dataset {
        id: "foursquare",
        spellings: &[],
        title: "Foursquare",
        lede: "People who follow each other, and where they check in.",
        kind: DatasetKind::Social,
        source: "a crawl of Foursquare: 5,392 people and 76,972 links",
        make: None,
    },
    Dataset {
        id: "freebase",
        spellings: &["fb15k"],
        title: "Freebase",
        lede: "Facts about people, places, films and awards.",
        kind: DatasetKind::Knowledge,
        source: "FB15k: 592,213 facts of Freebase with 1,345 relations; entities are named as in /m/06cx9",
        make: None,
    },
    Dataset {
        id: "gpr",
        spellings: &["graph_properties"],
        title: "Graph properties",
        lede: "37 graphs that textbooks know by name, made here.",
        kind: DatasetKind::Properties,
        source: "they are made when they are asked for",
        make: Some(|| Ok(graphs::data()?)),
    },
    Dataset {
        id: "last-fm",
        spellings: &["lastfm", "last.fm"],
        title: "Last.fm",
        lede: "Who listens to which artist.",
        kind: DatasetKind::Recommender,
        source: "Last.fm as of HetRec 2011: 1,892 users u… and 17,632 artists i…, with 92,834 links between them",
        make: None,
    },
    Dataset {
        id: "molecules",
        spellings: &["generated_molecules"],
        title: "Generated molecules",
        lede: "150 made-up molecules, half of which do something.",
        kind: DatasetKind::Molecules,
        source: "they are made from a seed when they are asked for: 150 molecules of rings and chains, of class 1 where a nitrogen with two oxygens sits on a ring; one label in twenty is wrong",
        make: Some(|| Ok(molecules::make(150, SEED)?)),
    },
    Dataset {
        id: "movielens",
        spellings: &["movie-lens"],
        title: "MovieLens",
        lede: "Who rated which film, and when.",
        kind: DatasetKind::Recommender,
        source: "MovieLens 100K: 943 users u… and 1,682 films i… with 100,000 ratings",
        make: None,
    },
    Dataset {
        id: "mutag",
        spellings: &[],
        title: "MUTAG",
        lede: "188 compounds, and whether they change genes.",
        kind: DatasetKind::Molecules,
        source: "MUTAG: 188 molecules in the order of the DGCNN text, labels 2 and 0",
        make: None,
    },
    Dataset {
        id: "nci1",
        spellings: &[],
        title: "NCI1",
        lede: "4,110 compounds, and whether they slow the growth of cancer cells.",
        kind: DatasetKind::Molecules,
        source: "NCI1: 4,110 molecules in the order of the DGCNN text, labels 0 and 1",
        make: None,
    },
    Dataset {
        id: "papers",
        spellings: &["generated_papers"],
        title: "Generated papers",
        lede: "600 made-up papers that cite each other, in six fields.",
        kind: DatasetKind::Bibliographic,
        source: "they are made from a seed when they are asked for: 600 papers in six fields, 300 words, one to five citations each, three in four within the field; one label in sixteen is wrong",
        make: Some(|| Ok(papers::make(600, SEED)?)),
    },
    Dataset {
        id: "proteins",
        spellings: &["protein"],
        title: "PROTEINS",
        lede: "1,113 proteins, and whether they are enzymes.",
        kind: DatasetKind::Molecules,
        source: "PROTEINS: 1,113 molecules in the order of the DGCNN text, labels 0 and 1",
        make: None,
    },
    Dataset {
        id: "ptc",
        spellings: &[],
        title: "PTC",
        lede: "344 compounds, and whether they cause cancer in rats.",
        kind: DatasetKind::Molecules,
        source: "PTC: 344 molecules in the order of the DGCNN text, labels 0 and 1",
        make: None,
    },
    Dataset {
        id: "pubmed",
        spellings: &[],
        title: "PubMed",
        lede: "Papers on diabetes that cite each other, in three classes.",
        kind: DatasetKind::Bibliographic,
        source: "PubMed in the order of Planetoid: 19,717 papers, 44,338 citations, 500 words",
        make: None,
    },
    Dataset {
        id: "twitter",
        spellings: &[],
        title: "Twitter",
        lede: "People who follow each other.",
        kind: DatasetKind::Social,
        source: "a crawl of Twitter: 5,223 people and 164,920 links",
        make: None,
    },
    Dataset {
        id: "village",
        spellings: &["generated_village"],
        title: "Generated village",
        lede: "120 made-up people in six circles of friends.",
        kind: DatasetKind::Social,
        source: "it is made from a seed when it is asked for: 120 people, p1, p2, …, in six circles; two of a circle know each other with probability 0.3, others with 0.01",
        make: Some(|| Ok(village::make(120, SEED)?)),
    },
    Dataset {
        id: "wordnet",
        spellings: &["wn18"],
        title: "WordNet",
        lede: "Meanings of English words and how they are related.",
        kind: DatasetKind::Knowledge,
        source: "WordNet 3.0: 117,659 meanings named as in plaything.n.01, 346,720 facts with 18 relations",
        make: None,
    },
];

/// The dataset of that name, in any spelling: "Last.fm" is `last-fm`.
pub fn find(name: &str) -> Option<&'static Dataset> {
    let fold = |s: &str| s.trim().to_lowercase().replace([' ', '_', '.'], "-");
    let name = fold(name);
    let plain = name.trim_end_matches("-dataset");
    let is_it = |d: &&Dataset| fold(d.id) == plain || d.spellings.iter().any(|s| fold(s) == plain);
    DATASETS.iter().find(is_it)
}

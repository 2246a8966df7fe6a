//! A small made-up valley: villages, workshops, people, deliveries, and the files that tell of it.

use std::fmt::Write as _;

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use crate::random::{between, one_of, shuffle};

const VILLAGES: &[&str] = &[
    "Aldermoor",
    "Brackwell",
    "Cinderford",
    "Dunmere",
    "Eskvale",
    "Fernholt",
    "Gorseby",
    "Hallow End",
    "Ivelstone",
    "Juniper Cross",
    "Kestrel Bay",
    "Larkrise",
];
const RIVERS: &[&str] = &["Amber", "Brindle", "Corrie", "Dove", "Elver"];
const ANIMALS: &[&str] =
    &["Heron", "Otter", "Raven", "Badger", "Swift", "Pike", "Marten", "Wren", "Lynx", "Osprey"];
const TRADES: &[(&str, &str)] = &[
    ("Kiln", "tiles"),
    ("Forge", "nails"),
    ("Loom", "blankets"),
    ("Press", "almanacs"),
    ("Cooperage", "barrels"),
    ("Glassworks", "lamps"),
    ("Tannery", "saddles"),
    ("Mill", "sacks of flour"),
];
const FIRST: &[&str] = &[
    "Alina", "Bram", "Cosima", "Doran", "Edda", "Falk", "Greta", "Hanno", "Isolde", "Jarek",
    "Katya", "Leif", "Mirela", "Nils", "Odile", "Piet", "Rosalind", "Sverre", "Tilda", "Ulrik",
];
const LAST: &[&str] = &[
    "Ashdown", "Birk", "Crane", "Dorn", "Ember", "Frost", "Gale", "Holm", "Ibsen", "Juno", "Kerr",
    "Linde", "Moss", "Nord", "Oakes", "Pell",
];
const MONTHS: &[&str] = &["January", "March", "April", "June", "August", "October"];

/// A village.
#[derive(Clone, Debug, PartialEq)]
pub struct Village {
    /// How it is called, once in a valley.
    pub name: String,
    /// The river that it lies on.
    pub river: String,
    /// How many live there.
    pub inhabitants: i64,
}

/// A workshop.
#[derive(Clone, Debug, PartialEq)]
pub struct Workshop {
    /// How it is called, once in a valley.
    pub name: String,
    /// The village that it stands in.
    pub village: String,
    /// The year in which it began.
    pub founded: i64,
    /// What it makes.
    pub product: String,
}

/// Somebody who works in a workshop.
#[derive(Clone, Debug, PartialEq)]
pub struct Worker {
    /// First and last name.
    pub name: String,
    /// The year of birth.
    pub born: i64,
    /// The village of the home.
    pub village: String,
    /// The workshop.
    pub workshop: String,
}

/// Goods that a workshop brought to a village.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// A number that is unique in its valley.
    pub number: i64,
    /// The workshop.
    pub workshop: String,
    /// The village that it was brought to.
    pub village: String,
    /// How many pieces.
    pub pieces: i64,
    /// When, in words: `3 May 1902`.
    pub date: String,
}

/// A valley: small enough to be read, large enough not to be guessed.
#[derive(Clone, Debug, PartialEq)]
pub struct Valley {
    /// Its villages.
    pub villages: Vec<Village>,
    /// Its workshops.
    pub workshops: Vec<Workshop>,
    /// Who works there.
    pub workers: Vec<Worker>,
    /// What was delivered.
    pub deliveries: Vec<Delivery>,
}

impl Valley {
    /// The valley of a seed.
    pub fn generate(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x4b47_6f54);
        let pick = |rng: &mut ChaCha8Rng, from: &[&str], n: usize| -> Vec<String> {
            let mut names = from.to_vec();
            shuffle(rng, &mut names);
            names.into_iter().take(n).map(str::to_owned).collect()
        };
        let mut counts: Vec<i64> = (0..5).map(|i| 140 + i * 171).collect();
        shuffle(&mut rng, &mut counts);
        let villages: Vec<Village> = pick(&mut rng, VILLAGES, 5)
            .into_iter()
            .zip(counts)
            .map(|(name, base)| Village {
                name,
                river: one_of(&mut rng, RIVERS).to_owned(),
                inhabitants: base + between(&mut rng, 0, 149) as i64,
            })
            .collect();
        let mut years: Vec<i64> = (0..6).map(|i| 1788 + i * 17).collect();
        shuffle(&mut rng, &mut years);
        let animals = pick(&mut rng, ANIMALS, 6);
        let mut trades: Vec<&(&str, &str)> = TRADES.iter().collect();
        shuffle(&mut rng, &mut trades);
        let workshops: Vec<Workshop> = animals
            .into_iter()
            .zip(trades)
            .zip(years)
            .map(|((animal, (trade, product)), year)| Workshop {
                name: format!("{animal} {trade}"),
                village: village(&mut rng, &villages),
                founded: year + between(&mut rng, 0, 11) as i64,
                product: (*product).to_owned(),
            })
            .collect();
        let (first, last) = (pick(&mut rng, FIRST, 12), pick(&mut rng, LAST, 12));
        let workers = first
            .into_iter()
            .zip(last)
            .enumerate()
            .map(|(i, (first, last))| Worker {
                name: format!("{first} {last}"),
                // Two years apart, so that nobody is as old as somebody else.
                born: 1840 + 2 * i as i64 + between(&mut rng, 0, 1) as i64,
                village: village(&mut rng, &villages),
                workshop: workshops[if i < 6 { i } else { between(&mut rng, 0, 5) }].name.clone(),
            })
            .collect();
        let deliveries = (0..14)
            .map(|i| Delivery {
                number: 101 + i,
                workshop: workshops[if i < 6 { i as usize } else { between(&mut rng, 0, 5) }]
                    .name
                    .clone(),
                village: village(&mut rng, &villages),
                pieces: between(&mut rng, 2, 39) as i64 * 5,
                date: format!(
                    "{} {} 190{}",
                    between(&mut rng, 1, 28),
                    one_of(&mut rng, MONTHS),
                    between(&mut rng, 1, 5)
                ),
            })
            .collect();
        Self { villages, workshops, workers, deliveries }
    }

    /// The files that tell of it: a table, prose, JSON, and a list.
    pub fn files(&self) -> Vec<(String, String)> {
        let mut workers = String::from("name,born,lives in,works at\n");
        for w in &self.workers {
            _ = writeln!(workers, "{},{},{},{}", w.name, w.born, w.village, w.workshop);
        }
        let mut workshops = String::from("# Workshops of the valley\n");
        for w in &self.workshops {
            _ = write!(
                workshops,
                "\n## {}\n\nThe {} stands in {}. It was founded in {} and makes {}.\n",
                w.name, w.name, w.village, w.founded, w.product
            );
        }
        let villages: Vec<_> = self
            .villages
            .iter()
            .map(|v| json!({ "village": v.name, "river": v.river, "inhabitants": v.inhabitants }))
            .collect();
        let villages = serde_json::to_string_pretty(&villages).unwrap_or_default();
        let mut deliveries = String::new();
        for d in &self.deliveries {
            _ = writeln!(
                deliveries,
                "No. {}: on {}, the {} delivered {} pieces to {}.",
                d.number, d.date, d.workshop, d.pieces, d.village
            );
        }
        [
            ("workers.csv", workers),
            ("workshops.md", workshops),
            ("villages.json", villages),
            ("deliveries.txt", deliveries),
        ]
        .map(|(name, text)| (name.to_owned(), text))
        .into()
    }

    /// The workshop of that name.
    pub(super) fn workshop(&self, name: &str) -> Option<&Workshop> {
        self.workshops.iter().find(|w| w.name == name)
    }

    /// The village of that name.
    pub(super) fn village(&self, name: &str) -> Option<&Village> {
        self.villages.iter().find(|v| v.name == name)
    }
}

fn village(rng: &mut ChaCha8Rng, villages: &[Village]) -> String {
    villages[between(rng, 0, villages.len() - 1)].name.clone()
}

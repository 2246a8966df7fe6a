//! Invented names: of people, places and airports.

use std::collections::BTreeSet;

use graph::NodeName;
use rand_chacha::ChaCha8Rng;

use crate::random::{between, one_of};

const FIRST: [&str; 24] = [
    "Ana", "Béla", "Cleo", "Dario", "Edda", "Fynn", "Gita", "Hugo", "Ilse", "Jonas", "Kaia",
    "Levin", "Mira", "Nils", "Odile", "Pavel", "Runa", "Sören", "Tamar", "Ugo", "Vera", "Wanda",
    "Yara", "Zeno",
];
const LAST: [&str; 24] = [
    "Abend", "Brook", "Carvo", "Dunne", "Eller", "Fjord", "Grau", "Hollis", "Iversen", "Jansky",
    "Keel", "Lund", "Mora", "Norr", "Okada", "Perrin", "Quill", "Rask", "Sund", "Tarn", "Ulloa",
    "Vance", "Wick", "Zabel",
];
const PLACE: [&str; 16] = [
    "Alder", "Birch", "Cedar", "Dove", "Elm", "Fern", "Grove", "Heron", "Iris", "Juniper",
    "Kestrel", "Lark", "Maple", "Nettle", "Otter", "Pine",
];
const KIND: [&str; 12] = [
    "Bay",
    "Bridge",
    "Castle",
    "Creek",
    "Film Festival",
    "Hill",
    "Island",
    "Lake",
    "Museum",
    "Park",
    "Tower",
    "Valley",
];

/// So many names, each another.
fn distinct(
    rng: &mut ChaCha8Rng,
    n: usize,
    make: impl Fn(&mut ChaCha8Rng) -> String,
) -> Vec<NodeName> {
    let mut seen = BTreeSet::new();
    let mut names = Vec::new();
    while names.len() < n {
        let mut name = make(rng);
        while !seen.insert(name.clone()) {
            // Enough names are left; where chance is slow to find one, a letter more helps.
            name = format!("{} {}", make(rng), letter(rng));
        }
        names.push(NodeName::from(name.as_str()));
    }
    names
}

fn letter(rng: &mut ChaCha8Rng) -> char {
    char::from(b'A' + between(rng, 0, 25) as u8)
}

/// People with first and last names: `Béla Quill`, `Sören V. Lund`.
pub(super) fn authors(rng: &mut ChaCha8Rng, n: usize) -> Vec<NodeName> {
    distinct(rng, n, |rng| {
        let (first, last) = (one_of(rng, &FIRST), one_of(rng, &LAST));
        match between(rng, 0, 4) {
            0 => format!("{first} {}. {last}", letter(rng)),
            1 => format!("{first} {last}-{}", one_of(rng, &LAST)),
            _ => format!("{first} {last}"),
        }
    })
}

/// People by their first names, as social networks have them; a second one where there are many.
pub(super) fn users(rng: &mut ChaCha8Rng, n: usize) -> Vec<NodeName> {
    distinct(rng, n, |rng| {
        let first = one_of(rng, &FIRST);
        match between(rng, 0, 1) {
            0 => first.to_owned(),
            _ => format!("{first}-{}", one_of(rng, &FIRST)),
        }
    })
}

/// Things that an encyclopedia has: `Elm Valley`, `Heron Tower  Larkshire`, with the two blanks that a
/// comma left behind.
pub(super) fn entities(rng: &mut ChaCha8Rng, n: usize) -> Vec<NodeName> {
    distinct(rng, n, |rng| {
        let name = format!("{} {}", one_of(rng, &PLACE), one_of(rng, &KIND));
        match between(rng, 0, 5) {
            0 => format!("{name}  {}shire", one_of(rng, &PLACE)),
            1 => format!("{name} of {}", one_of(rng, &LAST)),
            _ => name,
        }
    })
}

/// Codes of three letters.
pub(super) fn airports(rng: &mut ChaCha8Rng, n: usize) -> Vec<NodeName> {
    distinct(rng, n, |rng| (0..3).map(|_| letter(rng)).collect())
}

//! Tiny made-up graphs, each with types of its own.

use std::collections::BTreeSet;

use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::Map;

use crate::{Kg, KgBuilder, KgError, fold};

/// How the types, the edges and the nodes of a tiny graph are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TinyNames {
    /// Words of English: `#river`, `#flows_into`, `#otto`.
    Ordinary,
    /// Letters that mean nothing. Who learns from these has met none of the others.
    MadeUp,
}

/// The title of every tiny graph.
pub const TINY: &str = "Tiny";
/// Nodes of a type, at most. Answers are names of nodes, and a model has to repeat them.
const MOST_NODES: usize = 5;

const TYPES: &[&str] = &[
    "river",
    "lake",
    "city",
    "country",
    "author",
    "book",
    "library",
    "museum",
    "painter",
    "engine",
    "factory",
    "garden",
    "plant",
    "insect",
    "disease",
    "gene",
    "drug",
    "hospital",
    "doctor",
    "ship",
    "harbour",
    "captain",
    "planet",
    "moon",
    "telescope",
    "team",
    "player",
    "stadium",
    "recipe",
    "spice",
    "shop",
    "street",
    "song",
    "band",
    "album",
    "festival",
    "castle",
    "king",
    "battle",
    "treaty",
];
const EDGES: &[&str] = &[
    "flows_into",
    "lies_in",
    "wrote",
    "lends",
    "shows",
    "painted",
    "builds",
    "grows_in",
    "eats",
    "causes",
    "treats",
    "works_at",
    "sails_to",
    "commands",
    "circles",
    "observes",
    "plays_for",
    "owns",
    "needs_spice",
    "sells",
    "crosses_street",
    "sings",
    "recorded",
    "performs_at",
    "rules",
    "fought_in",
    "signed",
    "borders",
    "repairs",
    "protects",
    "visits",
    "likes",
    "discovered",
    "teaches",
    "supplies",
    "hosts",
];
const ATTRIBUTES: &[&str] =
    &["age", "height", "price", "rank", "depth", "speed", "score", "floors", "pages", "weight_kg"];
const NODES: &[&str] = &[
    "otto", "mira", "delta", "juno", "basil", "cleo", "hugo", "iris", "kilo", "luna", "milo",
    "nora", "oscar", "petra", "quinn", "rosa", "silas", "tara", "ulla", "vito", "wanda", "xenia",
    "yuri", "zelda", "arlo", "birk", "cora", "dario", "elsa", "fritz", "gwen", "hilda",
];

const ONSETS: &[&str] = &[
    "b", "c", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z", "st",
    "br", "gl", "qu", "x", "y", "ch", "sh",
];
const VOWELS: &[&str] = &["a", "e", "i", "o", "u", "ea", "ou"];
const CODAS: &[&str] = &["", "", "", "n", "r", "s", "t", "l", "m", "nd", "ck"];

/// Names that differ, however they are spelt.
struct Names {
    kind: TinyNames,
    taken: BTreeSet<String>,
}

impl Names {
    fn one<'a>(rng: &mut ChaCha8Rng, list: &[&'a str]) -> &'a str {
        list.choose(rng).copied().unwrap_or_default()
    }

    /// A name behind the sign by which it is known to be one.
    fn next(&mut self, rng: &mut ChaCha8Rng, list: &[&str]) -> String {
        loop {
            let word = match self.kind {
                TinyNames::Ordinary => Self::one(rng, list).to_owned(),
                TinyNames::MadeUp => Self::made_up(rng),
            };
            if self.taken.insert(fold(&word)) {
                return format!("#{word}");
            }
        }
    }

    fn syllables(rng: &mut ChaCha8Rng, most: usize) -> String {
        let n = rng.random_range(1..=most);
        let syllable = |rng: &mut ChaCha8Rng| {
            let (a, b) = (Self::one(rng, ONSETS), Self::one(rng, VOWELS));
            format!("{a}{b}{}", Self::one(rng, CODAS))
        };
        (0..n).map(|_| syllable(rng)).collect()
    }

    fn made_up(rng: &mut ChaCha8Rng) -> String {
        let mut word = Self::syllables(rng, 2);
        match rng.random_range(0..8) {
            0 => {
                word.push('_');
                word.push_str(&Self::syllables(rng, 1));
            }
            // Two letters at least stand before a number: `s1` is what a plan calls a step.
            1 => word.push_str(&rng.random_range(0..100).to_string()),
            2 => {
                if let Some(first) = word.get_mut(..1) {
                    first.make_ascii_uppercase();
                }
            }
            _ => {}
        }
        word
    }
}

/// A graph of three to six node types, joined by three to seven edge types, with up to two attributes
/// that are whole numbers below 100. An edge type goes from one type to another one, and two of them
/// may join the same types.
///
/// Names stand behind `#`, as statements with inline calls have those that no table of words has.
/// Types, attributes and a node together are 16 names at most.
///
/// # Errors
/// None that its own names could cause.
pub fn tiny(seed: u64, kind: TinyNames) -> Result<Kg, KgError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let rng = &mut rng;
    let mut names = Names { kind, taken: BTreeSet::new() };
    let n_types = rng.random_range(3..=6);
    let types: Vec<String> = (0..n_types).map(|_| names.next(rng, TYPES)).collect();
    let n_edges = rng.random_range((n_types - 1).max(3)..=7);
    let mut ends: Vec<(usize, usize)> = Vec::new();
    for i in 0..n_edges {
        // A tree first, so that every type is joined to the others.
        let from = if i + 1 < n_types { i + 1 } else { rng.random_range(0..n_types) };
        let to = match i + 1 < n_types {
            true => rng.random_range(0..=i),
            false => (from + rng.random_range(1..n_types)) % n_types,
        };
        ends.push(if rng.random_bool(0.5) { (from, to) } else { (to, from) });
    }
    ends.shuffle(rng);
    let edges: Vec<String> = (0..n_edges).map(|_| names.next(rng, EDGES)).collect();
    let mut attributes: Vec<(String, usize)> = Vec::new();
    for _ in 0..rng.random_range(0..=2) {
        attributes.push((names.next(rng, ATTRIBUTES), rng.random_range(0..n_types)));
    }
    let mut kg = KgBuilder::new(TINY);
    let mut nodes: Vec<Vec<String>> = Vec::new();
    for (of, node_type) in types.iter().enumerate() {
        let own: Vec<String> =
            (0..rng.random_range(3..=MOST_NODES)).map(|_| names.next(rng, NODES)).collect();
        for node in &own {
            let known: Map<String, _> = attributes
                .iter()
                .filter(|(_, at)| *at == of)
                .map(|(name, _)| (name.clone(), rng.random_range(0..100).into()))
                .collect();
            kg.node(node, node_type, node, known)?;
        }
        nodes.push(own);
    }
    for (edge, (from, to)) in edges.iter().zip(&ends) {
        for source in &nodes[*from] {
            // One in five has no such edge: an answer may be empty on the way.
            let mut targets = nodes[*to].clone();
            targets.shuffle(rng);
            for target in targets.iter().take(*[0, 1, 1, 2, 2].choose(rng).unwrap_or(&1)) {
                kg.edge(source, edge, target)?;
            }
        }
        // Without an edge the schema would not have its type.
        kg.edge(&nodes[*from][0], edge, &nodes[*to][0])?;
    }
    kg.build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tiny_graph_has_the_sizes_that_it_is_to_have() {
        for seed in 0..200 {
            for kind in [TinyNames::Ordinary, TinyNames::MadeUp] {
                let kg = tiny(seed, kind).unwrap_or_else(|e| panic!("{e}"));
                let schema = kg.schema();
                let (n, m) = (schema.node_types().len(), schema.edge_types().len());
                assert!((3..=6).contains(&n) && (3..=7).contains(&m), "{n} {m}");
                let attributes: usize =
                    schema.node_types().iter().map(|t| t.attributes.len()).sum();
                assert!(n + m + attributes < 16);
                assert!(schema.edge_types().iter().all(|e| e.ends.len() == 1));
                assert!(schema.edge_types().iter().all(|e| e.ends[0].from != e.ends[0].to));
                assert!(kg.nodes().all(|node| kg.named(kg.name(node)).len() == 1));
            }
        }
    }

    #[test]
    fn the_same_seed_makes_the_same_graph() {
        let text = |seed, kind| {
            let kg = tiny(seed, kind).unwrap_or_else(|e| panic!("{e}"));
            crate::formats::find("jsonl").map(|f| (f.write)(&kg)).unwrap_or_default()
        };
        assert_eq!(text(3, TinyNames::Ordinary), text(3, TinyNames::Ordinary));
        assert_ne!(text(3, TinyNames::Ordinary), text(4, TinyNames::Ordinary));
        assert_ne!(text(3, TinyNames::Ordinary), text(3, TinyNames::MadeUp));
    }
}

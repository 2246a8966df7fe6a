//! Names that are made up: numbers of papers, people and things, entities and relations.

use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

/// How names of a set look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Digits alone.
    Number,
    /// Capital letters and digits, as shops have them.
    Code,
    /// A letter, then digits: `u` for people, `i` for things.
    Lettered(char),
    /// Words with `_` between them, a part of speech and a number.
    Sense,
    /// A path of words, which `/` and `.` divide.
    Path,
    /// `/m/0` and some letters.
    Machine,
    /// A word or two behind `_`.
    Label,
}

const ONSETS: &[&str] = &[
    "b", "br", "c", "ch", "cl", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n", "p",
    "ph", "pl", "qu", "r", "s", "sc", "sh", "st", "t", "th", "tr", "v", "w", "x", "y", "z", "",
];
const VOWELS: &[&str] = &["a", "e", "i", "o", "u", "ea", "io", "ou", "y", "ae", "ee"];
const CODAS: &[&str] = &["", "", "", "n", "r", "s", "t", "l", "m", "ck", "nd", "st", "ng", "x"];
const CAPITALS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const SMALL: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789_";
const DIGITS: &[u8] = b"0123456789";

fn one<'a>(rng: &mut ChaCha8Rng, list: &[&'a str]) -> &'a str {
    list.choose(rng).copied().unwrap_or_default()
}

fn string(rng: &mut ChaCha8Rng, of: &[u8], n: usize) -> String {
    (0..n).filter_map(|_| of.choose(rng)).map(|b| char::from(*b)).collect()
}

/// A number of so many digits at most, in which few have all of them.
fn number(rng: &mut ChaCha8Rng, most: usize) -> String {
    let n = rng.random_range(1..=most);
    rng.random_range(0..10_u64.pow(n as u32)).to_string()
}

/// A word that no language has.
fn word(rng: &mut ChaCha8Rng) -> String {
    (0..rng.random_range(1..=4))
        .map(|_| format!("{}{}{}", one(rng, ONSETS), one(rng, VOWELS), one(rng, CODAS)))
        .collect()
}

fn words(rng: &mut ChaCha8Rng, most: usize) -> String {
    let between = if rng.random_bool(0.04) { "-" } else { "_" };
    let all: Vec<String> = (0..rng.random_range(1..=most)).map(|_| word(rng)).collect();
    all.join(between)
}

/// A name that looks so.
pub(super) fn name(rng: &mut ChaCha8Rng, look: Look) -> String {
    match look {
        // Any letters: what is copied need not look like anything.
        Look::Code | Look::Machine | Look::Sense | Look::Label if rng.random_bool(0.1) => {
            let n = rng.random_range(1..=24);
            format!("x{}", string(rng, SMALL, n))
        }
        Look::Number => number(rng, 7),
        Look::Code => {
            let n = rng.random_range(8..=14);
            let first = if rng.random_bool(0.5) { "A" } else { "B" };
            let zeros = if rng.random_bool(0.4) { "00" } else { "" };
            format!("{first}{zeros}{}", string(rng, CAPITALS, n))
        }
        Look::Lettered(letter) => format!("{letter}{}", number(rng, 6)),
        Look::Sense => {
            let apostrophe = if rng.random_bool(0.03) { "'s" } else { "" };
            let kind = one(rng, &["n", "v", "a", "s", "r"]);
            format!("{}{apostrophe}.{kind}.{}", words(rng, 3), string(rng, DIGITS, 2))
        }
        Look::Machine => {
            let n = rng.random_range(2..=8);
            format!("/m/0{}", string(rng, SMALL, n))
        }
        Look::Path => {
            let mut text = String::new();
            for _ in 0..rng.random_range(2..=7) {
                let dot = if text.is_empty() || rng.random_bool(0.8) { "" } else { "." };
                text.push_str(&format!("{dot}/{}", words(rng, 3)));
            }
            text
        }
        Look::Label => format!("_{}", words(rng, 4)),
    }
}

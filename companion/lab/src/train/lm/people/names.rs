//! Names of nodes, made up: the model never sees how they are spelled.

use rand::Rng as _;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand_chacha::ChaCha8Rng;

const BEGINS: &[&str] = &[
    "b", "br", "d", "f", "g", "gr", "h", "j", "k", "kl", "l", "m", "n", "p", "r", "s", "st", "t",
    "tr", "v", "w", "z", "ch", "sh", "", "",
];
const VOWELS: &[&str] = &["a", "e", "i", "o", "u", "ai", "ei", "ö", "é", "å", "ou", "ü"];
const ENDS: &[&str] = &["", "", "n", "r", "l", "s", "t", "nd", "rg", "ck", "m"];

/// A word that no table has.
pub(super) fn word(rng: &mut ChaCha8Rng) -> String {
    loop {
        let n = rng.random_range(2..=3);
        let mut text = String::new();
        for _ in 0..n {
            for list in [BEGINS, VOWELS, ENDS] {
                text.push_str(list.choose(rng).copied().unwrap_or_default());
            }
        }
        let is_unknown = ownmodel::text::encode(&text).n_unknown > 0;
        if is_unknown && (3..12).contains(&text.chars().count()) {
            return text;
        }
    }
}

/// A word with a capital letter.
pub(super) fn title(rng: &mut ChaCha8Rng) -> String {
    let word = word(rng);
    let mut chars = word.chars();
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    first + chars.as_str()
}

/// How the nodes of a text are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Title,
    TwoTitles,
    Lower,
    TwoLower,
    Code,
    Numbered,
    Lettered,
    Number,
    LargeNumber,
    Letter,
}

fn look(rng: &mut ChaCha8Rng, nodes: &str) -> Look {
    use Look::{
        Code, LargeNumber, Letter, Lettered, Lower, Number, Numbered, Title, TwoLower, TwoTitles,
    };
    let usual: &[(Look, u32)] = match nodes {
        "person" => &[(Title, 90), (TwoTitles, 4), (Letter, 3), (Number, 3)],
        "town" => &[(Title, 66), (TwoTitles, 14), (Letter, 7), (Number, 9), (Numbered, 4)],
        "course" | "step" => {
            &[(Title, 34), (Lower, 40), (TwoLower, 10), (Code, 4), (Letter, 6), (Number, 6)]
        }
        "device" => {
            &[(Code, 30), (Lettered, 12), (Lower, 26), (Title, 12), (Number, 14), (Numbered, 6)]
        }
        "room" => &[
            (Title, 24),
            (Lower, 36),
            (Numbered, 14),
            (Number, 18),
            (LargeNumber, 4),
            (TwoLower, 4),
        ],
        "place" => {
            &[(Title, 30), (Lower, 36), (Code, 12), (Lettered, 10), (Letter, 6), (Number, 6)]
        }
        _ => &[(Number, 46), (Letter, 20), (Title, 14), (LargeNumber, 8), (Lower, 12)],
    };
    usual.choose_weighted(rng, |(_, weight)| *weight).map_or(Title, |(look, _)| *look)
}

/// So many different names for nodes of a sort; and whether they are things, which have an article.
pub(super) fn names(rng: &mut ChaCha8Rng, nodes: &str, n: usize) -> (Vec<String>, bool) {
    let look = look(rng, nodes);
    let mut all: Vec<String> = Vec::new();
    let series = (title(rng), word(rng));
    let mut numbers: Vec<u32> = match look {
        Look::LargeNumber => (100..700).collect(),
        Look::Number if rng.random_bool(0.5) => (1..=n as u32 + 2).collect(),
        Look::Number => (0..100).collect(),
        _ => (1..=n as u32 + 2).collect(),
    };
    numbers.shuffle(rng);
    let mut letters: Vec<char> = ('A'..='Z').filter(|c| *c != 'I').collect();
    if rng.random_bool(0.6) {
        letters.truncate(n.max(3) + 1);
    }
    letters.shuffle(rng);
    while all.len() < n {
        let i = all.len();
        let number = numbers.get(i).copied().unwrap_or_default();
        let letter = letters.get(i).copied().unwrap_or('Z');
        let name = match look {
            Look::Title => title(rng),
            Look::TwoTitles if rng.random_bool(0.6) => format!("{} {}", title(rng), title(rng)),
            Look::TwoTitles => title(rng),
            Look::Lower => word(rng),
            Look::TwoLower if rng.random_bool(0.4) => format!("{} {}", word(rng), word(rng)),
            Look::TwoLower => word(rng),
            Look::Code => format!(
                "{}{number}",
                if rng.random_bool(0.8) { series.1.clone() } else { word(rng) }
            ),
            Look::Numbered => format!("{} {number}", series.0),
            Look::Lettered => format!("{} {}", series.0, title(rng)),
            Look::Number | Look::LargeNumber => number.to_string(),
            Look::Letter => letter.to_string(),
        };
        if !all.contains(&name) {
            all.push(name);
        }
    }
    let are_things = matches!(look, Look::Lower | Look::TwoLower) && rng.random_bool(0.8);
    (all, are_things)
}

//! The tokens: marks of the conversation, calls, forms of lists, numbers, words.
//!
//! A place in this table is what a file of weights was trained with, so that a line is only ever
//! added behind the last of its group.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// Tokens in all, with room in every group for more.
pub const N_VOCAB: usize = 3328;

/// The turn of whoever speaks is over.
pub(crate) const END: u32 = 0;
/// A person speaks.
pub(crate) const ASK: u32 = 1;
/// Tools are offered.
pub(crate) const TOOLS: u32 = 2;
/// No tools are offered.
pub(crate) const BARE: u32 = 3;
/// The model speaks.
pub(crate) const REPLY: u32 = 4;
/// A call gave this.
pub(crate) const RESULT: u32 = 5;
/// A call was refused.
pub(crate) const ERROR: u32 = 6;
/// A call is whole.
pub(crate) const END_CALL: u32 = 7;
/// A word that is not in the table.
pub(crate) const UNKNOWN: u32 = 8;
/// No space where there would be one.
pub(crate) const JOIN: u32 = 9;
/// A space where there would be none.
pub(crate) const SPACE: u32 = 10;
/// The next word begins with a capital letter.
pub(crate) const CAPITAL: u32 = 11;
/// A list is over, although a number follows.
pub(crate) const BREAK: u32 = 12;
/// Of `create_graph`: edges have a direction.
pub(crate) const DIRECTED: u32 = 13;
/// They have none.
pub(crate) const UNDIRECTED: u32 = 14;
/// They have weights.
pub(crate) const WEIGHTED: u32 = 15;
/// They have none.
pub(crate) const UNWEIGHTED: u32 = 16;
/// JSON's `true`.
pub(crate) const TRUE: u32 = 17;
/// JSON's `false`.
pub(crate) const FALSE: u32 = 18;
/// JSON's `null`.
pub(crate) const NULL: u32 = 19;
/// Remarks of a result.
pub(crate) const NOTES: u32 = 20;

/// The token of the first graph function.
pub const FIRST_FUNCTION: u32 = 32;
pub(crate) const FIRST_FORM: u32 = 96;
pub(crate) const FIRST_KEY: u32 = 192;
pub(crate) const FIRST_DIGIT: u32 = 256;
pub(crate) const FIRST_HEAD: u32 = 272;
pub(crate) const FIRST_TAIL: u32 = 336;
pub(crate) const FIRST_NUMBER: u32 = 400;
pub(crate) const FIRST_WORD: u32 = 656;
pub(crate) const FIRST_LETTER: u32 = 1536;
pub(crate) const FIRST_NAME: u32 = 1632;
/// The first nodes of pairs that the first group has no room for, and the second ones.
const MORE_HEADS: u32 = 1664;
const MORE_TAILS: u32 = 1856;
/// Words that the first group has no room for.
const MORE_WORDS: u32 = 2048;

/// Nodes of pairs are numbered from 0 to one below this.
pub const N_NODES: u32 = 256;
/// Of these, the first ones, whose tokens come first.
const N_FIRST_NODES: u32 = 64;
/// Numbers below this are one token.
pub const N_NUMBERS: u32 = 256;
/// The first letter that names are spelled with: they are ASCII's, without the space.
pub(crate) const LETTER_0: u8 = b'!';
/// Letters that names are spelled with.
pub(crate) const N_LETTERS: u32 = 94;
/// Names of a conversation that are told apart.
pub(crate) const N_NAMES: u32 = 16;

/// What the arguments of a function are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// None.
    Nothing,
    /// Two nodes, under these names.
    Ends(&'static str, &'static str),
    /// One node, under this name.
    Node(&'static str),
    /// `directed` and `weighted`.
    Kind,
    /// `nodes`.
    Nodes,
    /// `edges`, with `weights` or `capacities`.
    Edges,
    /// `nodes` and `embeddings`.
    Embeddings,
    /// `layers`.
    Layers,
}

/// The functions that the model knows.
pub(crate) static FUNCTIONS: &[(&str, Shape)] = &[
    ("create_graph", Shape::Kind),
    ("add_nodes", Shape::Nodes),
    ("add_edges", Shape::Edges),
    ("set_node_embeddings", Shape::Embeddings),
    ("has_path", Shape::Ends("start", "end")),
    ("find_cycle", Shape::Nothing),
    ("topological_sort", Shape::Nothing),
    ("find_shortest_path", Shape::Ends("start", "end")),
    ("max_flow", Shape::Ends("source", "sink")),
    ("max_bipartite_matching", Shape::Nothing),
    ("find_hamilton_path", Shape::Nothing),
    ("graph_convolution", Shape::Layers),
    ("has_cycle", Shape::Nothing),
    ("bfs_order", Shape::Node("start")),
    ("connected_components", Shape::Nothing),
    ("get_neighbors", Shape::Node("node")),
    ("get_degrees", Shape::Nothing),
    ("describe_graph", Shape::Nothing),
    ("is_bipartite", Shape::Nothing),
    ("is_tree", Shape::Nothing),
    ("is_dag", Shape::Nothing),
    ("find_bridges", Shape::Nothing),
    ("diameter", Shape::Nothing),
    ("find_shortest_distance", Shape::Ends("start", "end")),
    ("minimum_spanning_tree", Shape::Nothing),
    ("clear_graph", Shape::Nothing),
    ("common_neighbors", Shape::Ends("first", "second")),
    ("find_articulation_points", Shape::Nothing),
];

/// Names of members in results, and words for errors.
pub(crate) static KEYS: &[&str] = &[
    "has_path",
    "path",
    "cycle",
    "order",
    "length",
    "max_flow",
    "flow",
    "min_cut",
    "size",
    "matching",
    "exists",
    "reason",
    "embeddings",
    "n_nodes",
    "n_edges",
    "n_set",
    "directed",
    "weighted",
    "has_cycle",
    "components",
    "neighbors",
    "degrees",
    "distance",
    "nodes",
    "edges",
    "weight",
    "node",
    "degree",
    "is_tree",
    "is_dag",
    "is_bipartite",
    "bridges",
    "diameter",
    "tree",
    "unknown_node",
    "unknown_function",
    "bad_arguments",
    "bad_json",
    "length_mismatch",
    "missing_embedding",
    "dimension_mismatch",
    "not_bipartite",
    "directed_graph",
    "undirected_graph",
    "negative_capacity",
    "not_finite",
    "too_large",
    "witness",
    "colors",
    "left",
    "right",
    "count",
    "n_components",
    "articulation_points",
    "predecessors",
    "in_degree",
    "out_degree",
];

/// Words and marks of texts, one a line.
static WORDS: &str = include_str!("words.txt");

/// Words in which people ask, in lines of several.
static PEOPLES_WORDS: &str = include_str!("people.txt");

/// How many words the first group has room for.
const N_FIRST_WORDS: u32 = FIRST_LETTER - FIRST_WORD;

/// The words by their numbers: those of the first group, empty rooms, then the others.
pub(crate) fn words() -> &'static [&'static str] {
    static LIST: OnceLock<Vec<&'static str>> = OnceLock::new();
    LIST.get_or_init(|| {
        let mut list: Vec<&str> = vec!["\n"];
        list.extend(WORDS.lines().filter(|line| !line.is_empty()));
        let first: BTreeSet<&str> = list.iter().copied().collect();
        list.resize(N_FIRST_WORDS as usize, "");
        list.extend(PEOPLES_WORDS.split_whitespace().filter(|word| !first.contains(word)));
        list.truncate(N_FIRST_WORDS as usize + N_VOCAB - MORE_WORDS as usize);
        list
    })
}

fn word_token(number: usize) -> u32 {
    let number = number as u32;
    match number.checked_sub(N_FIRST_WORDS) {
        Some(more) => MORE_WORDS + more,
        None => FIRST_WORD + number,
    }
}

/// The token of a word as it stands.
pub(crate) fn word(text: &str) -> Option<u32> {
    static PLACES: OnceLock<BTreeMap<&'static str, u32>> = OnceLock::new();
    let places = PLACES.get_or_init(|| {
        let words = words().iter().enumerate().filter(|(_, word)| !word.is_empty());
        words.map(|(i, word)| (*word, word_token(i))).collect()
    });
    places.get(text).copied()
}

/// The token of a node as the first of a pair.
pub fn head(node: u32) -> u32 {
    node.checked_sub(N_FIRST_NODES).map_or(FIRST_HEAD + node, |more| MORE_HEADS + more)
}

/// The token of a node as the second of a pair.
pub(crate) fn tail(node: u32) -> u32 {
    node.checked_sub(N_FIRST_NODES).map_or(FIRST_TAIL + node, |more| MORE_TAILS + more)
}

/// The token that calls a function.
pub(crate) fn function(name: &str) -> Option<u32> {
    FUNCTIONS.iter().position(|(known, _)| *known == name).map(|i| FIRST_FUNCTION + i as u32)
}

/// The function that a token calls.
pub(crate) fn function_of(token: u32) -> Option<&'static (&'static str, Shape)> {
    FUNCTIONS.get(token.checked_sub(FIRST_FUNCTION)? as usize)
}

pub(crate) fn key(name: &str) -> Option<u32> {
    KEYS.iter().position(|known| *known == name).map(|i| FIRST_KEY + i as u32)
}

/// What a token is, with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A mark of the conversation, a key or a room that nothing has yet.
    Mark,
    /// A call begins.
    Function,
    /// A list of that form begins.
    Form(usize),
    /// A digit of a number that is no token.
    Digit(u32),
    /// The first node of a pair, or the node of a row.
    Head(u32),
    /// The second node of a pair.
    Tail(u32),
    /// Any other number.
    Number(u32),
    /// A word.
    Word(usize),
    /// A name of that number begins, letter by letter.
    Name(u32),
    /// A letter of a name.
    Letter(char),
}

pub(crate) fn kind(token: u32) -> Kind {
    let within = |first: u32, n: u32| token.checked_sub(first).filter(|i| *i < n);
    if let Some(i) = within(FIRST_WORD, N_FIRST_WORDS) {
        return Kind::Word(i as usize);
    }
    if let Some(i) = within(MORE_WORDS, N_VOCAB as u32 - MORE_WORDS) {
        return Kind::Word((N_FIRST_WORDS + i) as usize);
    }
    if let Some(i) = within(MORE_HEADS, N_NODES - N_FIRST_NODES) {
        return Kind::Head(N_FIRST_NODES + i);
    }
    if let Some(i) = within(MORE_TAILS, N_NODES - N_FIRST_NODES) {
        return Kind::Tail(N_FIRST_NODES + i);
    }
    if let Some(i) = within(FIRST_LETTER, N_LETTERS) {
        return Kind::Letter(char::from(LETTER_0 + i as u8));
    }
    if let Some(i) = within(FIRST_NAME, N_NAMES) {
        return Kind::Name(i);
    }
    if let Some(i) = within(FIRST_NUMBER, N_NUMBERS) {
        return Kind::Number(i);
    }
    if let Some(i) = within(FIRST_TAIL, N_FIRST_NODES) {
        return Kind::Tail(i);
    }
    if let Some(i) = within(FIRST_HEAD, N_FIRST_NODES) {
        return Kind::Head(i);
    }
    if let Some(i) = within(FIRST_DIGIT, 10) {
        return Kind::Digit(i);
    }
    if let Some(i) = within(FIRST_FORM, FIRST_KEY - FIRST_FORM) {
        return Kind::Form(i as usize);
    }
    if function_of(token).is_some() {
        return Kind::Function;
    }
    Kind::Mark
}

/// Whether a mark only says how words are written.
pub(crate) fn is_spacing(token: u32) -> bool {
    matches!(token, UNKNOWN | JOIN | SPACE | CAPITAL)
}

/// The number that a token stands for, which tokens of several kinds share.
pub fn number_of(token: u32) -> Option<u32> {
    match kind(token) {
        Kind::Head(n) | Kind::Tail(n) | Kind::Number(n) => Some(n),
        _ => None,
    }
}

/// The role of a number's token: 0 first of a pair, 1 second, 2 any other.
pub fn role_of(token: u32) -> Option<u8> {
    match kind(token) {
        Kind::Head(_) => Some(0),
        Kind::Tail(_) => Some(1),
        Kind::Number(_) => Some(2),
        _ => None,
    }
}

/// Whether a token is a word.
pub fn is_word(token: u32) -> bool {
    matches!(kind(token), Kind::Word(_))
}

/// How many words the table has.
pub fn n_words() -> usize {
    words().len()
}

/// A word by its number, or the token of what is no word in the table.
pub fn some_word(number: usize) -> u32 {
    match words().get(number) {
        // A new line is no word that is exchanged for others.
        Some(text) if number > 0 && !text.is_empty() => word_token(number),
        _ => UNKNOWN,
    }
}

/// A token for people: its word, or what it marks.
pub fn name_of(token: u32) -> String {
    match kind(token) {
        Kind::Word(i) => match words().get(i) {
            Some(&"\n") => "⏎".to_owned(),
            Some(word) if !word.is_empty() => (*word).to_owned(),
            _ => format!("⟨spare {token}⟩"),
        },
        Kind::Letter(c) => c.to_string(),
        Kind::Name(n) => format!("⟨name {n}⟩"),
        Kind::Number(n) => n.to_string(),
        Kind::Head(n) => format!("({n}"),
        Kind::Tail(n) => format!("{n})"),
        Kind::Digit(n) => format!("⟨digit {n}⟩"),
        Kind::Form(i) => crate::forms::FORMS
            .get(i)
            .map_or_else(|| format!("⟨spare {token}⟩"), |form| format!("⟨list {}⟩", form.pattern)),
        Kind::Function => {
            function_of(token).map_or_else(String::new, |(name, _)| format!("⟨call {name}⟩"))
        }
        Kind::Mark => {
            const MARKS: &[&str] = &[
                "end",
                "ask",
                "tools",
                "no tools",
                "reply",
                "result",
                "error",
                "end of call",
                "unknown",
                "join",
                "space",
                "capital",
                "break",
                "directed",
                "undirected",
                "weighted",
                "unweighted",
                "true",
                "false",
                "null",
                "notes",
            ];
            let of_key = token.checked_sub(FIRST_KEY).and_then(|i| KEYS.get(i as usize));
            match MARKS.get(token as usize).or(of_key) {
                Some(mark) => format!("⟨{mark}⟩"),
                None => format!("⟨spare {token}⟩"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_plans_are_in_the_table() {
        for text in "types attribute op fetch below none nothing result found take".split(' ') {
            assert!(word(text).is_some(), "{text}");
        }
        let mut all = words().iter().enumerate().filter(|(_, text)| !text.is_empty());
        assert!(all.all(|(i, text)| word(text) == Some(word_token(i))));
    }

    #[test]
    fn a_token_is_of_one_kind() {
        for n in 0..N_NODES {
            assert_eq!((kind(head(n)), kind(tail(n))), (Kind::Head(n), Kind::Tail(n)));
        }
        let n_words = words().iter().filter(|text| !text.is_empty()).count();
        let is_word = |token: &u32| matches!(kind(*token), Kind::Word(_));
        assert!((0..N_VOCAB as u32).filter(is_word).count() >= n_words);
    }
}

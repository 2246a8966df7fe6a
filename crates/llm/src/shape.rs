//! What a reply has to look like, for models that can be held to it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a reply keeps to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyShape {
    /// It is JSON under this JSON schema.
    Schema(Value),
    /// It is a text of this regular grammar.
    Grammar(Grammar),
}

/// A regular grammar: which texts there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grammar {
    /// This text.
    Text(String),
    /// All of these, one behind the other.
    All(Vec<Grammar>),
    /// One of these. Of no alternatives there is no text.
    OneOf(Vec<Grammar>),
    /// Something several times.
    Times {
        /// What is repeated.
        of: Box<Grammar>,
        /// How often at least.
        least: u32,
        /// How often at most.
        most: u32,
    },
    /// One character that is none of these and no control character.
    AnyBut(String),
}

/// Characters with a meaning of their own in regular expressions.
const SIGNS: &str = r"\.+*?()|[]{}^$#&-~";

fn sign(c: char, out: &mut String) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if SIGNS.contains(c) => out.extend(['\\', c]),
        c => out.push(c),
    }
}

impl Grammar {
    /// This text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// One of these texts.
    pub fn one_of<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        Self::OneOf(texts.into_iter().map(Self::text).collect())
    }

    /// Something `least` to `most` times.
    pub fn times(of: Self, least: u32, most: u32) -> Self {
        Self::Times { of: Box::new(of), least, most }
    }

    /// Something once or more, up to `most` times, with a text between.
    pub fn list(of: Self, between: &str, most: u32) -> Self {
        let more = Self::All(vec![Self::text(between), of.clone()]);
        Self::All(vec![of, Self::times(more, 0, most.saturating_sub(1))])
    }

    /// Whether there is any text of this grammar. O(length of the grammar).
    pub fn has_texts(&self) -> bool {
        match self {
            Self::Text(_) | Self::AnyBut(_) => true,
            Self::All(all) => all.iter().all(Self::has_texts),
            Self::OneOf(all) => all.iter().any(Self::has_texts),
            Self::Times { of, least, .. } => *least == 0 || of.has_texts(),
        }
    }

    /// The grammar as a regular expression, for the whole of a text. O(length of the grammar).
    pub fn regex(&self) -> String {
        let mut out = String::new();
        self.write_regex(&mut out);
        out
    }

    fn write_regex(&self, out: &mut String) {
        match self {
            Self::Text(text) => text.chars().for_each(|c| sign(c, out)),
            Self::All(all) => all.iter().for_each(|one| one.write_regex(out)),
            // A class of no characters.
            Self::OneOf(all) if all.is_empty() => out.push_str(r"[^\s\S]"),
            Self::OneOf(all) => {
                out.push_str("(?:");
                for (i, one) in all.iter().enumerate() {
                    if i > 0 {
                        out.push('|');
                    }
                    one.write_regex(out);
                }
                out.push(')');
            }
            Self::Times { of, least, most } => {
                out.push_str("(?:");
                of.write_regex(out);
                out.push_str(&format!("){{{least},{most}}}"));
            }
            Self::AnyBut(signs) => {
                out.push_str(r"[^\x00-\x1F\x7F");
                signs.chars().for_each(|c| sign(c, out));
                out.push(']');
            }
        }
    }

    /// The grammar in GBNF, as llama.cpp's server takes it. O(length of the grammar).
    pub fn gbnf(&self) -> String {
        let mut out = String::from("root ::= ");
        self.write_gbnf(&mut out);
        out
    }

    fn write_gbnf(&self, out: &mut String) {
        match self {
            Self::Text(text) => {
                out.push('"');
                for c in text.chars() {
                    match c {
                        '"' | '\\' => out.extend(['\\', c]),
                        '\n' => out.push_str("\\n"),
                        '\r' => out.push_str("\\r"),
                        '\t' => out.push_str("\\t"),
                        c => out.push(c),
                    }
                }
                out.push('"');
            }
            Self::All(all) => {
                out.push('(');
                for (i, one) in all.iter().enumerate() {
                    if i > 0 {
                        out.push(' ');
                    }
                    one.write_gbnf(out);
                }
                // An empty group is none there.
                out.push_str(if all.is_empty() { "\"\")" } else { ")" });
            }
            // GBNF has no empty class: a text of a control character that nothing writes.
            Self::OneOf(all) if all.is_empty() => out.push_str(r#""\x00""#),
            Self::OneOf(all) => {
                out.push('(');
                for (i, one) in all.iter().enumerate() {
                    if i > 0 {
                        out.push_str(" | ");
                    }
                    one.write_gbnf(out);
                }
                out.push(')');
            }
            Self::Times { of, least, most } => {
                out.push('(');
                of.write_gbnf(out);
                out.push_str(&format!("){{{least},{most}}}"));
            }
            Self::AnyBut(signs) => {
                out.push_str(r"[^\x00-\x1F\x7F");
                for c in signs.chars() {
                    match c {
                        '\\' | ']' | '[' => out.extend(['\\', c]),
                        '^' => out.push_str(r"\x5E"),
                        '-' => out.push_str(r"\x2D"),
                        '\n' | '\r' | '\t' => {}
                        c => out.push(c),
                    }
                }
                out.push(']');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Where a text of the grammar that begins at a place may end, by trying everything.
    fn ends(grammar: &Grammar, text: &[char], from: usize) -> BTreeSet<usize> {
        match grammar {
            Grammar::Text(part) => {
                let part: Vec<char> = part.chars().collect();
                let fits = text[from..].starts_with(&part);
                fits.then_some(from + part.len()).into_iter().collect()
            }
            Grammar::All(all) => all.iter().fold(BTreeSet::from([from]), |places, one| {
                places.iter().flat_map(|at| ends(one, text, *at)).collect()
            }),
            Grammar::OneOf(all) => all.iter().flat_map(|one| ends(one, text, from)).collect(),
            Grammar::Times { of, least, most } => {
                let (mut places, mut found) = (BTreeSet::from([from]), BTreeSet::new());
                for n in 0..=*most {
                    if n >= *least {
                        found.extend(&places);
                    }
                    places = places.iter().flat_map(|at| ends(of, text, *at)).collect();
                }
                found
            }
            Grammar::AnyBut(signs) => {
                let is_it = |c: &&char| !c.is_ascii_control() && !signs.contains(**c);
                text.get(from).filter(is_it).map(|_| from + 1).into_iter().collect()
            }
        }
    }

    fn has(grammar: &Grammar, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        ends(grammar, &text, 0).contains(&text.len())
    }

    /// Reads what [`Grammar::gbnf`] writes, by the description of the format alone.
    struct Gbnf<'t>(std::iter::Peekable<std::str::Chars<'t>>);

    impl Gbnf<'_> {
        fn read(text: &str) -> Grammar {
            let mut this = Gbnf(text.strip_prefix("root ::= ").unwrap().chars().peekable());
            let grammar = this.alternatives();
            assert_eq!(this.0.next(), None);
            grammar
        }

        fn spaces(&mut self) {
            while self.0.next_if_eq(&' ').is_some() {}
        }

        fn alternatives(&mut self) -> Grammar {
            let mut all = vec![self.sequence()];
            while self.0.next_if_eq(&'|').is_some() {
                all.push(self.sequence());
            }
            Grammar::OneOf(all)
        }

        fn sequence(&mut self) -> Grammar {
            let mut all = Vec::new();
            self.spaces();
            while !matches!(self.0.peek(), None | Some('|' | ')')) {
                let one = match self.0.next().unwrap() {
                    '"' => Grammar::Text(self.until('"')),
                    '[' => {
                        assert_eq!(self.0.next(), Some('^'));
                        let signs = self.until(']');
                        // The control characters stand first, as a range and one.
                        Grammar::AnyBut(signs.strip_prefix("\0-\u{1f}\u{7f}").unwrap().to_owned())
                    }
                    '(' => {
                        let inner = self.alternatives();
                        assert_eq!(self.0.next(), Some(')'));
                        inner
                    }
                    c => panic!("{c}"),
                };
                all.push(self.repeated(one));
                self.spaces();
            }
            Grammar::All(all)
        }

        fn repeated(&mut self, one: Grammar) -> Grammar {
            if self.0.next_if_eq(&'{').is_none() {
                return one;
            }
            let bounds: String = self.0.by_ref().take_while(|c| *c != '}').collect();
            let (least, most) = bounds.split_once(',').unwrap();
            Grammar::times(one, least.parse().unwrap(), most.parse().unwrap())
        }

        fn until(&mut self, end: char) -> String {
            let mut out = String::new();
            loop {
                match self.0.next().unwrap() {
                    c if c == end => return out,
                    '\\' => out.push(match self.0.next().unwrap() {
                        'n' => '\n',
                        'r' => '\r',
                        't' => '\t',
                        'x' => {
                            let digits: String = self.0.by_ref().take(2).collect();
                            char::from(u8::from_str_radix(&digits, 16).unwrap())
                        }
                        c @ ('"' | '\\' | '[' | ']') => c,
                        c => panic!("{c:?} is no escape of GBNF"),
                    }),
                    c => out.push(c),
                }
            }
        }
    }

    fn grammars() -> impl Strategy<Value = Grammar> {
        let leaf = prop_oneof![
            "[ab \\]\\[\\\\\"\n.*^-]{0,3}".prop_map(Grammar::Text),
            "[ab\\]\\[\\\\\"^-]{0,3}".prop_map(Grammar::AnyBut),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Grammar::All),
                prop::collection::vec(inner.clone(), 0..3).prop_map(Grammar::OneOf),
                (inner, 0..2_u32, 0..3_u32).prop_map(|(of, least, more)| Grammar::times(
                    of,
                    least,
                    least + more
                )),
            ]
        })
    }

    /// A text of the grammar, if there is any; `draws` choose between what there is.
    fn drawn(grammar: &Grammar, draws: &mut impl Iterator<Item = usize>) -> Option<String> {
        let mut draw = |n: usize| draws.next().unwrap_or(0) % n;
        match grammar {
            Grammar::Text(text) => Some(text.clone()),
            Grammar::All(all) => all.iter().map(|one| drawn(one, draws)).collect(),
            Grammar::OneOf(all) if all.is_empty() => None,
            Grammar::OneOf(all) => {
                let at = draw(all.len());
                drawn(&all[at], draws)
            }
            Grammar::Times { of, least, most } => {
                let n = least + draw((most - least + 1) as usize) as u32;
                (0..n).map(|_| drawn(of, draws)).collect()
            }
            Grammar::AnyBut(signs) => ['a', 'b', 'c', '\u{e9}']
                .into_iter()
                .find(|c| !signs.contains(*c))
                .map(String::from),
        }
    }

    proptest! {
        #[test]
        fn all_forms_mean_the_same_texts(
            grammar in grammars(),
            draws in prop::collection::vec(0..6_usize, 0..20),
            other in "[ab \\]\\[\\\\\"\n.*^-]{0,4}",
        ) {
            let regex = regex::Regex::new(&format!(r"\A(?:{})\z", grammar.regex())).unwrap();
            let gbnf = Gbnf::read(&grammar.gbnf());
            let own = drawn(&grammar, &mut draws.into_iter());
            if let Some(own) = &own {
                prop_assert!(has(&grammar, own) && grammar.has_texts());
            }
            for text in own.iter().chain([&other]) {
                prop_assert_eq!(regex.is_match(text), has(&grammar, text), "{:?}", text);
                prop_assert_eq!(has(&gbnf, text), has(&grammar, text), "{:?}", text);
            }
        }
    }

    #[test]
    fn a_list_has_texts_between() {
        let list = Grammar::list(Grammar::one_of(["a.b", "c"]), ", ", 3);
        assert_eq!(list.regex(), r"(?:a\.b|c)(?:, (?:a\.b|c)){0,2}");
        assert_eq!(list.gbnf(), r#"root ::= (("a.b" | "c") ((", " ("a.b" | "c"))){0,2})"#);
    }
}

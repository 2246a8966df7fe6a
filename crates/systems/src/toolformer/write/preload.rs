//! Data are loaded while the statement that names them still streams.
//!
//! Paper: Graph-ToolFormer §4.5.2 names the domain in a call, so that what the call needs can be
//! loaded while the model still writes. Here the name in `GL("…` is enough, as soon as it is whole.

use std::cell::RefCell;
use std::collections::BTreeSet;

use llm::{Part, Watch};

use super::supply::Supplying;
use crate::toolformer::execute::Executor;

/// Data sets and files that are loaded ahead for one statement.
const MOST: usize = 8;
/// The longest name.
const MAX_NAME: usize = 300;

/// Hands parts of an answer on, and loads what the text names as it comes.
pub(super) struct Preloading<'a> {
    watch: &'a dyn Watch,
    executor: &'a RefCell<Executor>,
    supplying: &'a Supplying<'a>,
    /// The end of the text, from where a name may begin.
    tail: RefCell<String>,
    loaded: RefCell<BTreeSet<String>>,
}

impl<'a> Preloading<'a> {
    pub(super) fn new(
        watch: &'a dyn Watch,
        executor: &'a RefCell<Executor>,
        supplying: &'a Supplying<'a>,
    ) -> Self {
        let (tail, loaded) = (RefCell::default(), RefCell::default());
        Self { watch, executor, supplying, tail, loaded }
    }

    fn hear(&self, text: &str) {
        let mut tail = self.tail.borrow_mut();
        tail.push_str(text);
        let (names, keep_from) = named(&tail);
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        tail.drain(..keep_from);
        drop(tail);
        for name in names {
            let mut loaded = self.loaded.borrow_mut();
            if loaded.len() < MOST && loaded.insert(name.clone()) {
                // Whatever is wrong with it is told when its call runs.
                self.executor.borrow().preload(&name);
            }
        }
    }
}

impl Watch for Preloading<'_> {
    fn part(&self, part: Part) {
        // What a person sees comes first.
        self.watch.part(part.clone());
        match part {
            Part::Text { text } => {
                self.hear(&text);
                self.supplying.hear(&text);
            }
            Part::Retry { .. } => {
                self.tail.borrow_mut().clear();
                self.supplying.forget();
            }
            _ => {}
        }
    }
}

/// The whole names in `GL("name"` of a text, and from where on the text is needed to go on.
fn named(text: &str) -> (Vec<&str>, usize) {
    let mut names = Vec::new();
    let mut at = 0;
    loop {
        let Some(found) = find_load(&text[at..]) else {
            // The beginning of a call may stand at the end: `GL (`.
            let keep = text.char_indices().rev().nth(3).map_or(0, |(i, _)| i);
            return (names, keep.max(at).min(text.len()));
        };
        let (begin, behind) = (at + found.0, at + found.1);
        let rest = text[behind..].trim_start();
        // Nobody writes so many spaces: what follows is no name.
        if text.len() - rest.len() - behind > MAX_NAME {
            at = behind;
            continue;
        }
        let rest =
            ["file-path:", "file_path:"].iter().find_map(|n| rest.strip_prefix(n)).unwrap_or(rest);
        let rest = rest.trim_start();
        let Some(quote) = rest.chars().next() else { return (names, begin) };
        let (open, close): (usize, &[char]) = match quote {
            '"' | '“' | '”' => (quote.len_utf8(), &['"', '“', '”']),
            '\'' | '‘' | '’' => (quote.len_utf8(), &['\'', '‘', '’']),
            // A bare name ends where the argument does, and what opens another bracket is none.
            _ => (0, &[',', ')', '(', '[']),
        };
        let from = text.len() - rest.len() + open;
        match text[from..].find(close) {
            Some(end) if text[from + end..].starts_with(['(', '[']) => at = from + end,
            Some(end) if end <= MAX_NAME => {
                names.push(text[from..from + end].trim());
                at = from + end;
            }
            Some(end) => at = from + end,
            None if text.len() - from > MAX_NAME => at = from,
            None => return (names, begin),
        }
    }
}

/// Where `GL(` begins, and where it ends.
fn find_load(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    for (i, pair) in bytes.windows(2).enumerate() {
        let is_start = pair.eq_ignore_ascii_case(b"gl")
            && (i == 0 || !(bytes[i - 1].is_ascii_alphanumeric() || bytes[i - 1] == b'_'));
        if !is_start {
            continue;
        }
        let rest = &text[i + 2..];
        let inner = rest.trim_start();
        if inner.starts_with('(') {
            return Some((i, text.len() - inner.len() + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::toolformer::parse::sites;
    use crate::toolformer::tree::Value;
    use crate::toolformer::{Hubs, Mode};

    /// The names that a text gives, fed in such pieces.
    fn heard(text: &str, sizes: &[usize]) -> Vec<String> {
        let (mut tail, mut all) = (String::new(), Vec::new());
        let mut letters = text.chars();
        let mut sizes = sizes.iter().copied().cycle();
        loop {
            let piece: String = letters.by_ref().take(sizes.next().unwrap_or(1).max(1)).collect();
            if piece.is_empty() {
                return all;
            }
            tail.push_str(&piece);
            let (names, keep) = named(&tail);
            all.extend(names.into_iter().map(str::to_owned));
            tail.drain(..keep);
        }
    }

    #[test]
    fn a_name_counts_once_it_is_whole() {
        assert_eq!(named("It has [GR(GL(\"gp").0, Vec::<&str>::new());
        assert_eq!(named("It has [GR(GL(\"gpr\"").0, ["gpr"]);
        assert_eq!(named("[GL( 'a b' , x)] <API>GL(cora, ").0, ["a b", "cora"]);
        assert_eq!(named("[GL(file-path:\"./graphs/roads.csv\")").0, ["./graphs/roads.csv"]);
        assert_eq!(named("gL( [GR(GL(\"roads\"").0, ["roads"]);
        assert_eq!(named("a ANGL(\"x\") and GLO(\"y\")").0, Vec::<&str>::new());
        let long = format!("[GL(\"{}\") [GL(\"b\")", "x".repeat(2 * MAX_NAME));
        assert_eq!(named(&long).0, ["b"]);
    }

    #[test]
    fn no_more_than_a_few_are_loaded_and_a_new_attempt_begins_anew() {
        let executor = RefCell::new(Executor::new(Hubs::new().unwrap(), Mode::Ours));
        let supplying = Supplying::new(&(), &executor);
        let watch = Preloading::new(&(), &executor, &supplying);
        let text = |text: &str| watch.part(Part::Text { text: text.to_owned() });
        for i in 0..3 * MOST {
            text(&format!("[GL(\"a{i}.csv\")] "));
        }
        assert_eq!(watch.loaded.borrow().len(), MOST);
        assert!(watch.tail.borrow().len() < 10);
        let again = Preloading::new(&(), &executor, &supplying);
        again.part(Part::Text { text: "[GL(\"half".to_owned() });
        let (attempt, wait_ms, reason) = (2, 0.0, String::new());
        again.part(Part::Retry { attempt, wait_ms, reason, is_too_fast: false });
        again.part(Part::Text { text: "[GL(\"whole\"".to_owned() });
        assert!(again.loaded.borrow().iter().eq(["whole"]));
    }

    proptest! {
        /// The parser is the oracle: it reads the whole text at once.
        #[test]
        fn pieces_of_any_size_give_the_names_of_the_whole(
            names in prop::collection::vec("[a-z./é]{1,12}", 0..5),
            words in prop::collection::vec("[a-zG L(]{0,8}", 5),
            sizes in prop::collection::vec(1..9usize, 1..6),
        ) {
            let calls = names.iter().zip(&words);
            let text: String = calls
                .map(|(name, words)| format!("{} [GR(GL(\"{name}\"), \"toolx:order\")-->r]", words))
                .collect();
            let wanted: Vec<String> = sites(&text)
                .into_iter()
                .filter_map(|site| site.bracket.ok())
                .flat_map(|bracket| bracket.calls)
                .filter_map(|call| match &call.arguments[0] {
                    Value::Call(inner) => inner.arguments[0].words(),
                    _ => None,
                })
                .map(|name| name.trim().to_owned())
                .collect();
            let found = heard(&text, &sizes);
            for name in &wanted {
                prop_assert!(found.contains(name), "{name}: {found:?} of {text}");
            }
        }

        #[test]
        fn no_text_makes_it_panic(
            text in "([gG]L|\\(|\"|“|'|file-path:|, |\\)|é| |x){0,40}",
            sizes in prop::collection::vec(1..5usize, 1..4),
        ) {
            let _ = heard(&text, &sizes);
        }
    }
}

//! The paper's kinds of statements that are not the right one, by rules.
//!
//! Paper: Graph-ToolFormer §5.7 and Table 6, which tells each kind by examples. Here rules sort, so
//! that anybody gets the same; `docs/toolformer.md` has them in words.

use super::ask::Asked;
use super::execute::Mode;
use super::hubs::datasets;
use super::parse::{Segment, parse};
use super::score::{has_same_calls, plain};
use super::tree::{Api, Bracket, Call, Value};

/// How a statement differs from the right one. A statement has one kind at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementFault {
    /// Nothing was written.
    Empty,
    /// A part of the right statement, or one that breaks off within a call.
    Incomplete,
    /// The same words or calls over and over.
    Messy,
    /// Nothing is called.
    NoCall,
    /// The right calls, and words before the statement that neither it nor the question has.
    Prepended,
    /// The right calls in other words.
    Wording,
    /// The right functions on the right data, with other arguments.
    Arguments,
    /// Other functions or data, or more or fewer calls.
    OtherCalls,
    /// A call that cannot be read, in a statement that does not break off. The paper has no such
    /// kind.
    Unreadable,
}

impl StatementFault {
    /// Every kind, in the order of the table.
    pub const ALL: [Self; 9] = [
        Self::Messy,
        Self::Prepended,
        Self::Wording,
        Self::Arguments,
        Self::NoCall,
        Self::Incomplete,
        Self::Empty,
        Self::OtherCalls,
        Self::Unreadable,
    ];

    /// The id of the measure that is 1 where a statement is of this kind.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Empty => "kind_empty",
            Self::Incomplete => "kind_incomplete",
            Self::Messy => "kind_messy",
            Self::NoCall => "kind_no_call",
            Self::Prepended => "kind_prepended",
            Self::Wording => "kind_wording",
            Self::Arguments => "kind_arguments",
            Self::OtherCalls => "kind_other_calls",
            Self::Unreadable => "kind_unreadable",
        }
    }

    /// In a few words for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Empty => "Nothing written",
            Self::Incomplete => "Incomplete",
            Self::Messy => "Repeats itself",
            Self::NoCall => "No call",
            Self::Prepended => "Words put before",
            Self::Wording => "Other words, same calls",
            Self::Arguments => "Other arguments",
            Self::OtherCalls => "Other calls",
            Self::Unreadable => "Unreadable call",
        }
    }
}

/// Words at the beginning that may be others in a statement with words put before it: such words
/// take the place of the first ones.
const PUT_BEFORE: usize = 3;
/// Words that a statement repeats in messy ones: so many times, and so many letters at least.
const REPEATS: usize = 3;
const SHORTEST: usize = 3;
/// The longest stretch that is looked for.
const LONGEST: usize = 300;
/// Letters of a statement that are searched for repeats.
const SEARCHED: usize = 10_000;

/// The kind of a statement; none where it is the right one.
///
/// The first rule that holds decides:
/// 1. It has no letter: nothing written.
/// 2. It is a part of the right one, word by word with a call as one word, or its last call has no
///    end: incomplete.
/// 3. A stretch of 3 to 300 letters stands in it three times in a row, and in the right one does not;
///    or it has two brackets more than the right one: it repeats itself.
/// 4. It has no bracket, and the right one has: no call.
/// 5. A bracket in it cannot be read: unreadable.
/// 6. The calls are the same: words put before, where all but the first three words are the same and
///    among those is one that neither the right statement nor the input has; else other words.
/// 7. The same functions are called on the same data sets, in any order: other arguments.
/// 8. Other calls.
///
/// # Complexity
/// O(length), where repeats are looked for in the first 10,000 letters.
pub fn statement_fault(input: &str, right: &str, written: &str) -> Option<StatementFault> {
    use StatementFault::*;
    let (right, written) = (right.trim(), written.trim());
    if right == written {
        return None;
    }
    if written.is_empty() {
        return Some(Empty);
    }
    let (wanted, found) = (words(right), words(written));
    let is_part = found.len() < wanted.len() && wanted.windows(found.len()).any(|w| w == found);
    if is_part || breaks_off(written) {
        return Some(Incomplete);
    }
    let n_sites = |text: &str| super::parse::sites(text).len();
    let (n_wanted, n_found) = (n_sites(right), n_sites(written));
    if n_found >= n_wanted + 2 || (repeats(written) && !repeats(right)) {
        return Some(Messy);
    }
    if n_found == 0 && n_wanted > 0 {
        return Some(NoCall);
    }
    let (Some(of_right), Some(of_written)) = (brackets(right), brackets(written)) else {
        return Some(Unreadable);
    };
    if has_same_calls(right, written) {
        return Some(if is_put_before(input, &wanted, &found) { Prepended } else { Wording });
    }
    let is_same = shapes(&of_right) == shapes(&of_written);
    Some(if is_same { Arguments } else { OtherCalls })
}

/// The words of a statement; a bracket is one, in one spelling where it can be read.
fn words(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for segment in parse(text) {
        match segment {
            Segment::Text(words) => all.extend(words.split_whitespace().map(str::to_owned)),
            Segment::Site(site) => {
                all.push(site.bracket.as_ref().map_or(site.source.clone(), plain));
            }
        }
    }
    all
}

fn brackets(text: &str) -> Option<Vec<Bracket>> {
    super::parse::sites(text).into_iter().map(|site| site.bracket.ok()).collect()
}

/// Whether the last bracket cannot be read and nothing closes it.
fn breaks_off(text: &str) -> bool {
    let last = super::parse::sites(text).pop().filter(|site| site.bracket.is_err());
    last.is_some_and(|site| !text[site.at..].contains(']') && !text[site.at..].contains("</API>"))
}

/// Whether a stretch of letters stands three times in a row among the first ones.
fn repeats(text: &str) -> bool {
    let letters: Vec<char> = text.chars().take(SEARCHED).collect();
    (SHORTEST..=LONGEST.min(letters.len() / REPEATS)).any(|length| {
        // As many letters in a row as are the same as the one a stretch before.
        let mut same = 0;
        letters.iter().zip(&letters[length..]).any(|(a, b)| {
            same = if a == b { same + 1 } else { 0 };
            same == length * (REPEATS - 1)
        })
    })
}

/// Whether a statement is the right one with words before it that are its own.
fn is_put_before(input: &str, wanted: &[String], found: &[String]) -> bool {
    let n = wanted.iter().rev().zip(found.iter().rev()).take_while(|(a, b)| a == b).count();
    let (left_wanted, left_found) = (wanted.len() - n, found.len() - n);
    let are_few = left_wanted <= PUT_BEFORE && left_found <= PUT_BEFORE && left_found > 0;
    let is_own = |word: &String| !wanted.contains(word) && !input.contains(word.as_str());
    // A change of the first word alone is another wording unless it is a word of no text.
    are_few && n > 0 && found[..left_found].iter().any(|w| is_own(w) && is_no_word(w))
}

/// Whether something is none of a language's words: it has signs within that words do not have.
fn is_no_word(word: &str) -> bool {
    word.contains(['<', '>', '|', '{', '}', '\\', '~', '^', '_', '=', '*', '#', ':'])
}

/// The calls without their arguments: function and data set of each, in one order.
fn shapes(brackets: &[Bracket]) -> Vec<String> {
    let mut all = Vec::new();
    for bracket in brackets {
        bracket.canonical().calls.iter().for_each(|call| add_shapes(call, &mut all));
    }
    all.sort_unstable();
    all
}

fn add_shapes(call: &Call, all: &mut Vec<String>) {
    let inner = call.arguments.iter().filter_map(|v| match v {
        Value::Call(inner) => Some(inner),
        _ => None,
    });
    inner.for_each(|inner| add_shapes(inner, all));
    let place = match call.api {
        Api::Load => 0,
        Api::Reason => 1,
    };
    let named = call.arguments.get(place).and_then(Value::words).unwrap_or_default();
    // Both in one spelling; what nothing is called is compared as it is written.
    let named = match call.api {
        Api::Load => datasets::find(&named).map(|d| d.id.to_owned()),
        Api::Reason => Asked::find(&named, Mode::Ours).ok().map(|asked| asked.name()),
    }
    .unwrap_or(named);
    all.push(format!("{} {named}", call.api.name()));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::toolformer::hubs::Hubs;
    use crate::toolformer::prompts::make;
    use crate::toolformer::scripted::{WriterMistake, WriterScript};

    const INPUT: &str = "What is the order of the bull graph?";
    const RIGHT: &str =
        "The order of the bull graph is [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")-->r].";
    const CALL: &str = "[GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")-->r]";

    #[test]
    fn each_kind_has_its_cases() {
        use StatementFault::*;
        let again = format!("<s>'s order is {CALL}.<s>'s order is {CALL}.<s>'s order is {CALL}.");
        let cases: Vec<(String, Option<StatementFault>)> = vec![
            (RIGHT.into(), None),
            (format!(" {RIGHT}\n"), None),
            (" \n".into(), Some(Empty)),
            // The end is missing, the beginning, or a bracket has none.
            (RIGHT[..RIGHT.len() - 1].into(), Some(Incomplete)),
            (format!("bull graph is {CALL}."), Some(Incomplete)),
            ("The order of the bull".into(), Some(Incomplete)),
            ("It is [GR(GL(\"gpr\", {\"bull".into(), Some(Incomplete)),
            (again, Some(Messy)),
            ("graph>graph>graph>graph>".into(), Some(Messy)),
            (format!("{CALL} {CALL} or {CALL}"), Some(Messy)),
            (INPUT.into(), Some(NoCall)),
            ("The bull graph has five nodes.".into(), Some(NoCall)),
            (RIGHT.replacen("The", "<node>'s", 1), Some(Prepended)),
            (format!("out> {RIGHT}"), Some(Prepended)),
            (format!("Its order is {CALL}."), Some(Wording)),
            (RIGHT.replacen("The", "An", 1), Some(Wording)),
            (RIGHT.replace("-->r", " -> r"), Some(Wording)),
            (RIGHT.replace("bull_graph", "number>"), Some(Arguments)),
            (RIGHT.replace(", {\"bull_graph\"}", ""), Some(Arguments)),
            (RIGHT.replace("toolx:order", "toolx:size"), Some(OtherCalls)),
            (RIGHT.replace("\"gpr\"", "\"imdb\""), Some(OtherCalls)),
            (format!("{RIGHT} And {CALL}"), Some(OtherCalls)),
            (RIGHT.replace("(GL(\"gpr\",", "(GL(\"gpr\" ;"), Some(Unreadable)),
        ];
        for (written, kind) in cases {
            assert_eq!(statement_fault(INPUT, RIGHT, &written), kind, "{written}");
        }
        let mut ids: Vec<&str> = StatementFault::ALL.iter().map(|kind| kind.id()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), StatementFault::ALL.len());
    }

    #[test]
    fn the_mistakes_of_the_script_are_of_the_kinds_that_they_are() {
        let hubs = Hubs::new().unwrap();
        let pairs = make(&hubs, "gpr", 60, 3).unwrap();
        for (mistake, name, _) in WriterMistake::ALL {
            let script = WriterScript::by_name(&format!("mistaken:{name}")).unwrap();
            let mut n = 0;
            for pair in &pairs {
                let Some(written) = script.statement(&pair.input) else { continue };
                // A mistake that has no place in a statement leaves it as it is, or is another one
                // where nothing reasons.
                if written == pair.output || !pair.output.contains("GR(") {
                    continue;
                }
                n += 1;
                let kind = statement_fault(&pair.input, &pair.output, &written);
                let is_expected = match mistake {
                    WriterMistake::UnknownDomain
                    | WriterMistake::UnknownFunction
                    | WriterMistake::WrongFunction
                    | WriterMistake::UnknownDataset => kind == Some(StatementFault::OtherCalls),
                    WriterMistake::WrongArity => kind == Some(StatementFault::Arguments),
                    WriterMistake::Unclosed => matches!(
                        kind,
                        Some(StatementFault::Incomplete | StatementFault::Unreadable)
                    ),
                };
                assert!(is_expected, "{name}: {written:?} is {kind:?}");
            }
            assert!(n > 20, "{name}: {n}");
        }
    }

    /// The oracle: every stretch at every place, letter by letter.
    fn slow(text: &str) -> bool {
        let letters: Vec<char> = text.chars().collect();
        let n = letters.len();
        (0..n).any(|at| {
            (SHORTEST..=n).any(|length| {
                at + 3 * length <= n
                    && letters[at..at + length] == letters[at + length..at + 2 * length]
                    && letters[at..at + length] == letters[at + 2 * length..at + 3 * length]
            })
        })
    }

    proptest! {
        #[test]
        fn repeats_are_those_that_a_slow_search_finds(text in "[ab ]{0,24}") {
            prop_assert_eq!(repeats(&text), slow(&text));
        }

        #[test]
        fn whatever_is_written_has_one_kind_unless_it_is_right(
            written in "(\\[|GR\\(|GL\\(|\"gpr\"|\\)|\\]|-->r|, | a|order ){0,14}",
        ) {
            let kind = statement_fault(INPUT, RIGHT, &written);
            prop_assert_eq!(kind.is_none(), written.trim() == RIGHT);
        }
    }
}

//! Lists of names in texts: nodes that are people, places, airports, or numbers.

use std::collections::BTreeMap;

use graph::{Graph, NodeName};
use serde::{Deserialize, Serialize};

use crate::reading::{Reading, ReadingRule, Stop, spell};

/// Nodes that an answer lists, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeList {
    /// Their names; one that the graph does not have stands as the text has it.
    pub nodes: Vec<NodeName>,
}

impl NodeList {
    /// The same whatever the order: what a vote counts of a set.
    pub(crate) fn as_set(&self) -> String {
        let mut names: Vec<String> = self.nodes.iter().map(ToString::to_string).collect();
        names.sort_unstable();
        names.join(", ")
    }

    /// What a vote counts of a path.
    pub(crate) fn in_order(&self) -> String {
        crate::names::join(&self.nodes, ", ").to_string()
    }
}

/// Names that a graph does not have are looked for in the text, to be told as they are written: so many
/// of a list, which is more than an explanation names.
const MOST_WRITTEN: usize = 8;

/// What may stand before a name and is none of it.
const TITLES: [&str; 9] =
    ["node ", "author ", "user ", "airport ", "entity ", "city ", "atom ", "person ", "the "];

/// The names of a graph as texts write them: whatever their case, their quotes and their blanks.
struct Names<'g> {
    known: BTreeMap<String, &'g NodeName>,
}

impl<'g> Names<'g> {
    fn of(graph: &'g Graph) -> Self {
        let mut known = BTreeMap::new();
        for name in graph.names() {
            // Of two that are spelled alike the first is meant.
            known.entry(folded(&spell(&name.to_string()))).or_insert(name);
        }
        Self { known }
    }

    /// The node of that name, if there is one.
    fn find(&self, item: &str) -> Option<&'g NodeName> {
        let item = folded(item);
        let known = |item: &str| self.known.get(item).copied();
        let plain = || item.trim_end_matches('.').trim_end();
        known(&item)
            .or_else(|| known(plain()))
            .or_else(|| TITLES.iter().find_map(|title| known(plain().strip_prefix(title)?)))
    }

    /// A list cut at commas, or at arrows where it has some; none if it is empty.
    fn items<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let text = text.trim().trim_end_matches(['.', '!']);
        let cut: Vec<&str> = if text.contains("->") {
            text.split("->").collect()
        } else {
            text.split([',', ';', '\n']).collect()
        };
        cut.into_iter().map(str::trim).filter(|item| !folded(item).is_empty()).collect()
    }

    /// The nodes of a list; the first that are none stand as they are written.
    fn nodes(&self, items: &[&str], reading: &Reading) -> Vec<NodeName> {
        let mut n_unknown = 0;
        let mut node = |item: &&str| match self.find(item) {
            Some(name) => name.clone(),
            None => {
                let name = folded(item);
                n_unknown += 1;
                let written = (n_unknown <= MOST_WRITTEN).then(|| reading.as_written(&name));
                written.flatten().unwrap_or(&name).into()
            }
        };
        items.iter().map(&mut node).collect()
    }

    /// The nodes of a text that is a list of names and nothing else, the last two perhaps with "and"
    /// between them.
    fn whole(&self, text: &str) -> Option<Vec<NodeName>> {
        let mut items = self.items(text);
        // `a - b - c`, where no comma is.
        if items.len() == 1 && self.find(items[0]).is_none() {
            let cut: Vec<&str> = items[0].split(" - ").map(str::trim).collect();
            if cut.len() > 1 {
                items = cut;
            }
        }
        let last = items.pop()?;
        let last = last.strip_prefix("and ").unwrap_or(last);
        match last.split_once(" and ") {
            Some((a, b)) if self.find(last).is_none() => items.extend([a, b]),
            _ => items.push(last),
        }
        items.iter().map(|item| self.find(item).cloned()).collect()
    }
}

/// A name without quotes, with one blank where several are.
fn folded(name: &str) -> String {
    let bare = name.trim_matches(|c: char| c.is_whitespace() || "\"'()[]{}|".contains(c));
    bare.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text in each pair of such brackets that holds no other, in order; the `i` of `dp[i]` is an index
/// and no list.
fn brackets(text: &str, [opens, closes]: [u8; 2]) -> Vec<&str> {
    let is_index = |from: usize, content: &str| {
        let before = from.checked_sub(2).map(|at| text.as_bytes()[at]);
        before.is_some_and(|b| b.is_ascii_alphanumeric() || b"_]".contains(&b))
            && !content.contains(',')
    };
    let mut found = Vec::new();
    let mut open = None;
    for (at, byte) in text.bytes().enumerate() {
        if byte == opens {
            open = Some(at + 1);
        } else if byte == closes
            && let Some(from) = open.take()
            && !is_index(from, &text[from..at])
        {
            found.push(&text[from..at]);
        }
    }
    found
}

const SQUARE: [u8; 2] = *b"[]";
const CURLY: [u8; 2] = *b"{}";

/// The last list of names of a text.
///
/// The last pair of brackets in which a name stands counts; a remark such as `[3]` behind it does not.
/// Without brackets the last line that is a list of names, or ends in one, or the last lines with one
/// name each.
pub(crate) fn last_list(graph: &Graph, reading: &Reading) -> Option<Vec<NodeName>> {
    let names = Names::of(graph);
    let text = reading.whole.as_str();
    let fire = |rule| reading.fire(ReadingRule::witness(rule, None));
    let mut invented = None;
    for content in brackets(text, SQUARE).into_iter().rev() {
        let content = match content.rsplit_once(':') {
            // `[Authors: A, B]`
            Some((_, behind)) if names.items(behind).iter().any(|i| names.find(i).is_some()) => {
                behind
            }
            _ => content,
        };
        let items = names.items(content);
        if items.iter().any(|item| names.find(item).is_some()) {
            fire("list in brackets");
            return Some(names.nodes(&items, reading));
        }
        // `[A, B, ...]` shows what an answer looks like.
        let is_form = content.contains("...");
        let is_words = items.iter().any(|item| item.contains(char::is_alphabetic)) && !is_form;
        if invented.is_none() && (items.is_empty() || is_words) {
            invented = Some(names.nodes(&items, reading));
        }
    }
    // "Therefore, the answer to": what would have answered is cut off.
    let is_cut =
        reading.sentences.last().is_some_and(|last| last.stop == Stop::End && last.concludes());
    if let Some(nodes) = in_lines(&names, text, is_cut) {
        fire("list on a line");
        return Some(nodes);
    }
    if invented.is_some() {
        fire("unknown names in brackets");
    }
    invented
}

/// What stands between the last `<<<` and the `>>>` behind it; GraphInstruct marks answers so.
pub(crate) fn wrapped(reading: &Reading) -> Option<&str> {
    let text = reading.whole.as_str();
    let end = text.rfind(">>>")?;
    let start = text[..end].rfind("<<<")? + 3;
    Some(text[start..end].trim())
}

/// The nodes of a part of a text that is a list; what is no node stands as it is written.
pub(crate) fn whole_list(graph: &Graph, part: &str, reading: &Reading) -> Vec<NodeName> {
    let names = Names::of(graph);
    names.nodes(&names.items(part), reading)
}

/// The last line that ends in a list of names, or the last lines that are a name each; none above a
/// conclusion that is cut off.
fn in_lines(names: &Names<'_>, text: &str, is_cut: bool) -> Option<Vec<NodeName>> {
    let mut column: Vec<NodeName> = Vec::new();
    for line in text.lines().rev() {
        let line = line.trim();
        if line.is_empty() && column.is_empty() {
            continue;
        }
        if let Some(name) = of_row(names, line) {
            column.push(name);
            continue;
        }
        if !column.is_empty() {
            break;
        }
        // "the answer is: a, b and c", "… are a, b and c"
        let ends = [":", " is ", " are ", "="].into_iter().filter_map(|mark| {
            let (_, behind) = line.rsplit_once(mark)?;
            names.whole(behind)
        });
        if let Some(nodes) = names.whole(line).or_else(|| ends.max_by_key(Vec::len)) {
            return Some(nodes);
        }
        if is_cut {
            return None;
        }
    }
    column.reverse();
    (!column.is_empty()).then_some(column)
}

/// The name on a line of its own, behind a bullet or a number, or in a row of a table.
fn of_row(names: &Names<'_>, line: &str) -> Option<NodeName> {
    let mut bare = line.trim_start_matches(['-', '+', ' ']).trim();
    if let Some((number, rest)) = bare.split_once(['.', ')', ':'])
        && !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit())
        && !rest.trim().is_empty()
    {
        bare = rest.trim();
    }
    names.find(bare).cloned()
}

/// The lists of whole numbers in brackets, in order: square ones, or curly ones where those are not enough.
pub(crate) fn number_lists(reading: &Reading, enough: usize) -> Vec<Vec<usize>> {
    let numbers = |content: &str| -> Option<Vec<usize>> {
        // Whoever writes a comma too many means the same.
        let items: Vec<&str> = content.split(',').map(str::trim).collect();
        let items = items.strip_suffix(&[""]).unwrap_or(&items);
        let number = |item: &&str| {
            let item = folded(item);
            let digits = item.strip_prefix("atom ").unwrap_or(&item);
            digits.trim_start_matches(['a', 'b']).parse().ok()
        };
        items.iter().map(number).collect()
    };
    let within = |kind| -> Vec<Vec<usize>> {
        brackets(&reading.whole, kind).into_iter().filter_map(numbers).collect()
    };
    let (square, curly) = (within(SQUARE), within(CURLY));
    if square.len() < enough && curly.len() >= enough { curly } else { square }
}

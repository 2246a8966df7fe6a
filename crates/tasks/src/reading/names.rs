//! The problem's own names for its nodes, as numbers that no text has by chance.
//!
//! Readers know nodes that are numbers. Where a graph calls its nodes Tom and Katy, each name in the text
//! becomes a number, the text is read, and the numbers of the answer become names again.

use std::collections::BTreeMap;

use graph::{Delta, NodeName};
use serde_json::Value;

use crate::{Answer, Problem, Query};

/// Names of a graph that are numbers in what is read.
pub(crate) struct Names {
    /// The problem with numbers for names.
    pub(crate) problem: Problem,
    /// The number of the first name; no node has it.
    first: i64,
    /// The names, in the order of the numbers.
    names: Vec<String>,
    /// By their first word in lower case: the names that begin so, the longest first.
    by_word: BTreeMap<String, Vec<usize>>,
}

/// The least number that stands for a name: larger than what texts about graphs count to.
const FIRST: i64 = 900_000_001;

/// Words that a name is taken for only where it stands with the name's own letters.
const SMALL: [&str; 12] =
    ["the", "and", "not", "yes", "node", "path", "edge", "from", "then", "there", "cycle", "flow"];

/// What follows a node that is called as the article is: "A is joined to B".
const BEHIND_NODE: [&str; 14] = [
    "to", "is", "and", "can", "has", "or", "connects", "reaches", "via", "then", "through", "with",
    "cannot", "are",
];

impl Names {
    /// The names of a problem; none if its nodes are numbers, or if its task reads names as such.
    pub(crate) fn of(problem: &Problem) -> Option<Self> {
        let reads_numbers = matches!(
            problem.query,
            Query::Connectivity(_)
                | Query::Cycle(_)
                | Query::DirectedCycle(_)
                | Query::Topology(_)
                | Query::ShortestPath(_)
                | Query::Flow(_)
                | Query::Hamilton(_)
                | Query::Hamiltonian(_)
                | Query::Gnn(_)
                | Query::Bipartite(_)
                | Query::Triplet(_)
        );
        if !reads_numbers {
            return None;
        }
        let graph = &problem.graph;
        let names: Vec<String> =
            graph.names().filter(|n| n.as_int().is_none()).map(ToString::to_string).collect();
        if names.is_empty() {
            return None;
        }
        let largest = graph.names().filter_map(NodeName::as_int).max().unwrap_or(0);
        let first = largest.checked_add(1)?.max(FIRST);
        let mut numbered = graph.clone();
        for (i, name) in names.iter().enumerate() {
            let to = NodeName::Int(first + i as i64);
            numbered.apply(&Delta::RenameNode { from: name.as_str().into(), to }).ok()?;
        }
        let number = |name: &NodeName| {
            let place = || names.iter().position(|known| *known == name.to_string());
            match name.as_int() {
                Some(_) => Some(name.clone()),
                None => Some(NodeName::Int(first + place()? as i64)),
            }
        };
        let query = match problem.query.ends() {
            Some((a, b)) => problem.query.with_ends(number(a)?, number(b)?),
            None => problem.query.clone(),
        };
        let mut by_word: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (i, name) in names.iter().enumerate() {
            by_word.entry(first_word(name).to_lowercase()).or_default().push(i);
        }
        for alike in by_word.values_mut() {
            alike.sort_by_key(|i| std::cmp::Reverse(names[*i].len()));
        }
        let problem = Problem { graph: numbered, query, ..*problem };
        Some(Self { problem, first, names, by_word })
    }

    /// The text with numbers where names stand as whole words. O(length × names that begin alike).
    pub(crate) fn write(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        let mut before = None;
        while let Some(letter) = rest.chars().next() {
            let starts = !before.is_some_and(char::is_alphanumeric);
            let found = starts.then(|| self.at(rest)).flatten();
            let length = match found {
                Some((number, length)) => {
                    out.push_str(&number.to_string());
                    length
                }
                None => {
                    let length = if starts {
                        first_word(rest).len().max(letter.len_utf8())
                    } else {
                        letter.len_utf8()
                    };
                    out.push_str(&rest[..length]);
                    length
                }
            };
            before = rest[..length].chars().next_back();
            rest = &rest[length..];
        }
        out
    }

    /// The name at the start of a text, as its number, and how long it is.
    fn at(&self, rest: &str) -> Option<(i64, usize)> {
        let alike = self.by_word.get(&first_word(rest).to_lowercase())?;
        alike.iter().find_map(|i| {
            let name = self.names[*i].as_str();
            let said = rest.get(..name.len())?;
            let behind = &rest[name.len()..];
            let ends = !behind.chars().next().is_some_and(char::is_alphanumeric);
            let is_letter = name.chars().count() <= 2;
            let is_small = is_letter || SMALL.contains(&name.to_lowercase().as_str());
            let same = said == name || !is_small && said.eq_ignore_ascii_case(name);
            // The article, and the writer, at the start of a sentence.
            let next = first_word(behind.trim_start());
            let is_word = matches!(name, "A" | "I")
                && behind.starts_with(' ')
                && !next.is_empty()
                && next.chars().all(char::is_lowercase)
                && !BEHIND_NODE.contains(&next);
            (ends && same && !is_word).then_some((self.first + *i as i64, name.len()))
        })
    }

    /// Words with those of names where they have their numbers.
    pub(crate) fn read(&self, words: &[String]) -> Vec<String> {
        let name = |word: &String| {
            let place = usize::try_from(word.parse::<i64>().ok()?.checked_sub(self.first)?).ok()?;
            self.names.get(place)
        };
        let parts = |name: &String| name.to_lowercase().split(' ').map(str::to_owned).collect();
        words.iter().flat_map(|word| name(word).map_or(vec![word.clone()], parts)).collect()
    }

    /// An answer with names where it has their numbers.
    pub(crate) fn named(&self, answer: &Answer) -> Option<Answer> {
        let mut value = serde_json::to_value(answer).ok()?;
        self.name(&mut value);
        serde_json::from_value(value).ok()
    }

    fn name(&self, value: &mut Value) {
        let place = |n: &Value| usize::try_from(n.as_i64()?.checked_sub(self.first)?).ok();
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.name(item)),
            Value::Object(object) => object.values_mut().for_each(|item| self.name(item)),
            number => {
                if let Some(name) = place(number).and_then(|place| self.names.get(place)) {
                    *number = Value::String(name.clone());
                }
            }
        }
    }
}

/// The letters and digits at the start of a text.
fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use graph::Graph;

    use super::*;
    use crate::Ends;

    #[test]
    fn names_become_numbers_as_whole_words_and_come_back() {
        let mut graph = Graph::undirected();
        for node in ["Tom", "Tom Thumb", "A", "7"] {
            graph.apply(&Delta::AddNode { node: node.into() }).unwrap();
        }
        let query = Query::Connectivity(Ends { source: "Tom".into(), target: "A".into() });
        let names = Names::of(&Problem { difficulty: None, seed: None, graph, query }).unwrap();
        let n = |i: i64| (FIRST + i).to_string();
        assert_eq!(
            names.write("A path: tom, Tom Thumb, A and 7; not Tommy. A is a node."),
            format!("A path: {}, {}, {} and 7; not Tommy. {} is a node.", n(0), n(1), n(2), n(2))
        );
        let (connected, path) = (true, vec![NodeName::Int(FIRST + 1), NodeName::Int(7)]);
        let answer = crate::answers::Connectivity { connected, path };
        let Some(Answer::Connectivity(named)) = names.named(&Answer::Connectivity(answer)) else {
            panic!("another answer");
        };
        assert_eq!(named.path, [NodeName::from("Tom Thumb"), NodeName::Int(7)]);
    }
}

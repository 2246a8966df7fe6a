//! The problem's own names for its nodes, as numbers that no text has by chance.
//!
//! Readers know nodes that are numbers. Where a graph calls its nodes Tom and Katy, each name in the text
//! becomes a number, the text is read, and the numbers of the answer become names again.

use std::collections::BTreeMap;

use graph::{Delta, Graph, NodeName};
use serde_json::Value;

use super::origin::Draft;
use super::text::Reading;
use crate::{Answer, Problem, Query};

/// Names of a graph that are numbers in what is read.
pub(crate) struct Names {
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
    /// The names of a graph; none if its nodes are numbers.
    pub(crate) fn of(graph: &Graph) -> Option<Self> {
        let names: Vec<String> =
            graph.names().filter(|n| n.as_int().is_none()).map(ToString::to_string).collect();
        if names.is_empty() {
            return None;
        }
        let largest = graph.names().filter_map(NodeName::as_int).max().unwrap_or(0);
        let first = largest.checked_add(1)?.max(FIRST);
        let mut by_word: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        // An empty name is never found.
        for (i, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            by_word.entry(first_word(name).to_lowercase()).or_default().push(i);
        }
        for alike in by_word.values_mut() {
            alike.sort_by_key(|i| std::cmp::Reverse(names[*i].len()));
        }
        Some(Self { first, names, by_word })
    }

    /// Those of a problem whose readers know nodes that are numbers, and the problem with numbers for
    /// them.
    pub(crate) fn of_problem(problem: &Problem) -> Option<(Self, Problem)> {
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
        let names = Self::of(&problem.graph).filter(|_| reads_numbers)?;
        let mut graph = problem.graph.clone();
        for (i, name) in names.names.iter().enumerate() {
            let to = NodeName::Int(names.first + i as i64);
            graph.apply(&Delta::RenameNode { from: name.as_str().into(), to }).ok()?;
        }
        let number = |name: &NodeName| {
            let place = || names.names.iter().position(|known| *known == name.to_string());
            match name.as_int() {
                Some(_) => Some(name.clone()),
                None => Some(NodeName::Int(names.first + place()? as i64)),
            }
        };
        let query = match problem.query.ends() {
            Some((a, b)) => problem.query.with_ends(number(a)?, number(b)?),
            None => problem.query.clone(),
        };
        let problem = Problem { graph, query, ..*problem };
        Some((names, problem))
    }

    /// The node whose name was replaced by a number.
    pub(crate) fn node(&self, number: i64) -> Option<NodeName> {
        let place = usize::try_from(number.checked_sub(self.first)?).ok()?;
        Some(self.names.get(place)?.as_str().into())
    }

    /// A text read with numbers where names stand as whole words. O(length × names that begin alike).
    pub(crate) fn read(&self, text: &str) -> Reading {
        Reading::of(text, self.write(text))
    }

    /// The programs of a text, likewise.
    pub(crate) fn read_programs(&self, text: &str) -> Option<Reading> {
        Reading::of_programs(text, self.write(text))
    }

    fn write<'t>(&self, text: &'t str) -> Draft<'t> {
        let mut draft = Draft::of(text);
        draft.rewrite(|writer| {
            let mut before = None;
            while let Some(letter) = writer.rest().chars().next() {
                let rest = writer.rest();
                let starts = !before.is_some_and(char::is_alphanumeric);
                let length = match starts.then(|| self.at(rest)).flatten() {
                    Some((number, length)) => {
                        writer.put(writer.at + length, &number.to_string());
                        length
                    }
                    None => {
                        let word = if starts { first_word(rest).len() } else { 0 };
                        let length = word.max(letter.len_utf8());
                        writer.copy_to(writer.at + length);
                        length
                    }
                };
                before = rest[..length].chars().next_back();
            }
        });
        draft
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
            let is_word = matches!(name, "A" | "I" | "a")
                && behind.starts_with(' ')
                && !next.is_empty()
                && next.chars().all(char::is_lowercase)
                && !BEHIND_NODE.contains(&next);
            (ends && same && !is_word).then_some((self.first + *i as i64, name.len()))
        })
    }

    /// An answer with names where it has their numbers.
    pub(crate) fn named(&self, answer: &Answer) -> Option<Answer> {
        let mut value = serde_json::to_value(answer).ok()?;
        self.name(&mut value);
        serde_json::from_value(value).ok()
    }

    fn name(&self, value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.name(item)),
            Value::Object(object) => object.values_mut().for_each(|item| self.name(item)),
            number => {
                if let Some(name) = number.as_i64().and_then(|number| self.node(number)) {
                    *number = Value::String(name.to_string());
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
        for node in ["Tom", "Tom Thumb", "A", "7", ""] {
            graph.apply(&Delta::AddNode { node: node.into() }).unwrap();
        }
        let query = Query::Connectivity(Ends { source: "Tom".into(), target: "A".into() });
        let problem = Problem { difficulty: None, seed: None, graph, query };
        let (names, _) = Names::of_problem(&problem).unwrap();
        let n = |i: i64| (FIRST + i).to_string();
        assert_eq!(
            names.write("A path: tom, Tom Thumb, A and 7; not Tommy. A is a node.").text,
            format!("A path: {}, {}, {} and 7; not Tommy. {} is a node.", n(0), n(1), n(2), n(2))
        );
        let (connected, path) = (true, vec![NodeName::Int(FIRST + 1), NodeName::Int(7)]);
        let answer = crate::answers::Connectivity { connected, path, edges: Vec::new() };
        let Some(Answer::Connectivity(named)) = names.named(&Answer::Connectivity(answer)) else {
            panic!("another answer");
        };
        assert_eq!(named.path, [NodeName::from("Tom Thumb"), NodeName::Int(7)]);
    }
}

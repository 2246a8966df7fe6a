//! Numbers in place of names: the judges of the benchmark's tasks read nodes that are numbers, and
//! people call theirs Tom and Katy.

use graph::{Delta, Graph, NodeName};
use tasks::{Certificate, EvidenceMarks, Judgement, Problem, Query};

/// The nodes that have numbers in place of their names.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// The number of the first; no node and no number of a text has it.
    first: i64,
    /// The names, in the order of the numbers.
    names: Vec<String>,
}

impl Numbers {
    /// The same question about a graph with numbers. Nothing where a name cannot be changed.
    pub(super) fn of(graph: &Graph, query: &Query) -> Option<(Self, Problem)> {
        let largest = graph.names().filter_map(NodeName::as_int).max().unwrap_or(0);
        let first = largest.max(0).checked_add(900_001)?;
        let texts = graph.names().filter(|name| name.as_int().is_none());
        let names: Vec<String> = texts.map(ToString::to_string).collect();
        let mut numbered = graph.clone();
        for (i, name) in names.iter().enumerate() {
            let to = NodeName::from(first + i as i64);
            numbered.apply(&Delta::RenameNode { from: name.as_str().into(), to }).ok()?;
        }
        let numbers = Self { first, names };
        let query = match query.ends() {
            Some((a, b)) => query.with_ends(numbers.number(a), numbers.number(b)),
            None => query.clone(),
        };
        let problem = Problem { difficulty: None, seed: None, graph: numbered, query };
        Some((numbers, problem))
    }

    fn number(&self, name: &NodeName) -> NodeName {
        let text = name.to_string();
        let at = self.names.iter().position(|known| *known == text);
        at.filter(|_| name.as_int().is_none())
            .map_or_else(|| name.clone(), |at| NodeName::from(self.first + at as i64))
    }

    /// A text with numbers where it has names as whole words. O(length × names).
    pub(super) fn write(&self, text: &str) -> String {
        let mut longest: Vec<(usize, &String)> = self.names.iter().enumerate().collect();
        longest.sort_by_key(|(_, name)| std::cmp::Reverse(name.len()));
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        let mut before = None;
        while let Some(letter) = rest.chars().next() {
            let starts = !before.is_some_and(char::is_alphanumeric);
            let fits = |name: &str| {
                rest.strip_prefix(name)
                    .is_some_and(|tail| !tail.chars().next().is_some_and(char::is_alphanumeric))
            };
            let found = longest.iter().find(|(_, name)| starts && fits(name));
            if let Some((at, name)) = found {
                out.push_str(&(self.first + *at as i64).to_string());
                before = name.chars().next_back();
                rest = &rest[name.len()..];
            } else {
                out.push(letter);
                before = Some(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
        out
    }

    /// A text with names where it has their numbers.
    fn read(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
            let end = rest[at..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |n| at + n);
            out.push_str(&rest[..at]);
            let digits = &rest[at..end];
            out.push_str(self.name(digits).unwrap_or(digits));
            rest = &rest[end..];
        }
        out + rest
    }

    fn name(&self, digits: &str) -> Option<&str> {
        let at = digits.parse::<i64>().ok()?.checked_sub(self.first)?;
        self.names.get(usize::try_from(at).ok()?).map(String::as_str)
    }

    /// A judgement that speaks of names again.
    pub(super) fn named(&self, judgement: Judgement) -> Judgement {
        let Certificate { mut lines, marks: EvidenceMarks { mut nodes, mut edges } } =
            judgement.certificate;
        let back = |name: &mut NodeName| {
            if let Some(text) = self.name(&name.to_string()) {
                *name = text.into();
            }
        };
        lines.iter_mut().for_each(|line| line.text = self.read(&line.text));
        for mark in &mut nodes {
            back(&mut mark.node);
            mark.label = mark.label.take().map(|label| self.read(&label));
        }
        for mark in &mut edges {
            back(&mut mark.source);
            back(&mut mark.target);
            mark.label = mark.label.take().map(|label| self.read(&label));
        }
        let certificate = Certificate { lines, marks: EvidenceMarks { nodes, edges } };
        let explanation = self.read(&judgement.explanation);
        Judgement { certificate, explanation, ..judgement }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_numbers_as_whole_words_and_come_back() {
        let numbers =
            Numbers { first: 901, names: vec!["Tom".into(), "Tom Thumb".into(), "Ä".into()] };
        let text = "Tom and Tom Thumb know Ä, not Tommy or 901st; 7 of them.";
        let written = numbers.write(text);
        assert_eq!(written, "901 and 902 know 903, not Tommy or 901st; 7 of them.");
        assert_eq!(numbers.read("901-903 and 7"), "Tom-Ä and 7");
        assert_eq!(numbers.write(""), "");
    }
}

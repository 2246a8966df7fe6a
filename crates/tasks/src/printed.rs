//! Texts that are nothing but values as Python prints them: what a program gives that a model wrote.
//!
//! Such a text has no word by which a reader would know what a list is. Where its shape says that, it is
//! spelled as a sentence of the task; any other text stays as it is.

use crate::names::bracketed;
use crate::{Problem, Query};

/// The longest text that is looked at, in bytes.
const MAX_TEXT: usize = 50_000;
/// The most lists within each other.
const MAX_DEPTH: usize = 6;
/// What Python and its libraries write around a list, a number or a dict.
const WRAPPERS: [&str; 10] = [
    "array",
    "deque",
    "dict_keys",
    "dict_values",
    "frozenset",
    "set",
    "np.array",
    "np.int64",
    "np.float64",
    "np.bool_",
];

#[derive(Clone, Debug, PartialEq)]
enum Printed {
    Nothing,
    Bool(bool),
    Number(f64),
    Text(String),
    Tuple(Vec<Self>),
    List(Vec<Self>),
    Pairs(Vec<(Self, Self)>),
}

impl Printed {
    /// A whole number, which may stand in quotes.
    fn node(&self) -> Option<i64> {
        match self {
            Self::Number(n) if n.fract() == 0.0 && n.abs() < 1e15 => Some(*n as i64),
            Self::Text(text) => text.parse().ok(),
            _ => None,
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Number(n) => Some(*n),
            _ => None,
        }
    }

    fn members(&self) -> Option<&[Self]> {
        match self {
            Self::List(all) | Self::Tuple(all) => Some(all),
            _ => None,
        }
    }

    fn nodes(&self) -> Option<Vec<i64>> {
        self.members()?.iter().map(Self::node).collect()
    }

    /// Edges, each a list of two nodes and whatever else.
    fn edges(&self) -> Option<Vec<(i64, i64)>> {
        let edge = |edge: &Self| match edge.members()? {
            [a, b, ..] => Some((a.node()?, b.node()?)),
            _ => None,
        };
        self.members()?.iter().map(edge).collect()
    }
}

/// A text as a sentence of the task, where it is a printed value whose shape says what it means.
/// O(length).
pub(crate) fn spelled(problem: &Problem, text: &str) -> Option<String> {
    if text.len() > MAX_TEXT || !text.contains(['[', '(', '{']) {
        return None;
    }
    let mut values = Parser { rest: text }.all()?;
    // `(True, [0, 2, 1])` is what a function gives back.
    if let [Printed::Tuple(members)] = &values[..]
        && members.iter().any(|m| m.node().is_none() && !matches!(m, Printed::Tuple(_)))
    {
        values = members.clone();
    }
    match (&problem.query, &values[..]) {
        (Query::Connectivity(_), [list]) => drawn(&list.nodes()?),
        (Query::Cycle(_), [list]) => cycle(list),
        (Query::Topology(_) | Query::Hamilton(_), [list]) => listed("", &list.nodes()?),
        (Query::Topology(_) | Query::Hamilton(_), [Printed::Bool(true), list]) => {
            listed("Yes: ", &list.nodes()?)
        }
        (Query::ShortestPath(_), [list, Printed::Number(total)])
        | (Query::ShortestPath(_), [Printed::Number(total), list]) => {
            let path = drawn(&list.nodes()?)?;
            Some(format!("The shortest path is {path} with a total weight of {total}."))
        }
        (Query::Flow(_), [Printed::Number(value), Printed::Pairs(flows)]) => flow(*value, flows),
        (Query::Matching(_), [Printed::Pairs(pairs)]) => matching(pairs),
        (Query::Gnn(_), [list]) => {
            let rows = list.members()?.iter().map(row).collect::<Option<Vec<_>>>()?;
            let nodes = problem.graph.names().map(ToString::to_string);
            let is_whole = rows.len() == problem.graph.n_nodes();
            is_whole.then(|| rows_of(nodes.zip(rows)))
        }
        (Query::Gnn(_), all) if all.len().is_multiple_of(2) => {
            let named = all.chunks(2).map(|two| Some((two[0].node()?.to_string(), row(&two[1])?)));
            Some(rows_of(named.collect::<Option<Vec<_>>>()?.into_iter()))
        }
        _ => None,
    }
}

fn joined(nodes: &[i64], by: &str) -> String {
    nodes.iter().map(ToString::to_string).collect::<Vec<_>>().join(by)
}

fn drawn(path: &[i64]) -> Option<String> {
    (path.len() >= 2).then(|| joined(path, " -> "))
}

fn listed(lead: &str, nodes: &[i64]) -> Option<String> {
    (nodes.len() >= 2).then(|| format!("{lead}{}", joined(nodes, ", ")))
}

/// The nodes or the edges of one cycle, or the first of several; a list of other edges is none.
fn cycle(list: &Printed) -> Option<String> {
    if let Some(nodes) = list.nodes() {
        return (nodes.len() >= 3).then(|| format!("The cycle is {}.", joined(&nodes, " -> ")));
    }
    if let Some(edges) = list.edges()
        && is_ring(&edges)
    {
        let edges: Vec<String> = edges.iter().map(|(a, b)| format!("({a},{b})")).collect();
        return Some(format!("The cycle is {}.", edges.join(", ")));
    }
    // A list of cycles has lists of nodes in it.
    match list.members()? {
        [first @ Printed::List(_), ..] => cycle(first),
        _ => None,
    }
}

/// Whether every node of some edges is at the end of two of them.
fn is_ring(edges: &[(i64, i64)]) -> bool {
    let ends = |node: i64| {
        let count = |(a, b): &(i64, i64)| usize::from(*a == node) + usize::from(*b == node);
        edges.iter().map(count).sum::<usize>()
    };
    edges.len() >= 3
        && edges.len() < 1_000
        && edges.iter().all(|(a, b)| ends(*a) == 2 && ends(*b) == 2)
}

/// A value with the flows that NetworkX gives beside it, `{0: {1: 2}}`.
fn flow(value: f64, flows: &[(Printed, Printed)]) -> Option<String> {
    let mut text = String::new();
    for (from, targets) in flows {
        let Printed::Pairs(targets) = targets else { return None };
        for (to, amount) in targets {
            let (from, to, amount) = (from.node()?, to.node()?, amount.number()?);
            if amount != 0.0 {
                text.push_str(&format!(
                    "Send {amount} units of flow from node {from} to node {to}.\n"
                ));
            }
        }
    }
    Some(format!("{text}The maximum flow is {value}."))
}

/// A matching that has each pair in both directions, as NetworkX gives it.
fn matching(pairs: &[(Printed, Printed)]) -> Option<String> {
    let of = |value: &Printed, letter: char| match value {
        Printed::Text(text) => {
            let rest = text.to_lowercase();
            rest.strip_prefix(letter)?.trim_start_matches(['_', ' ']).parse::<u32>().ok()
        }
        _ => None,
    };
    let is_back =
        |(key, value): &(Printed, Printed)| of(key, 'j').is_some() && of(value, 'a').is_some();
    if !pairs.iter().any(is_back) {
        return None;
    }
    let forth = pairs.iter().filter(|pair| !is_back(pair));
    let lines: Option<Vec<String>> = forth
        .map(|(a, j)| Some(format!("applicant {}: job {}", of(a, 'a')?, of(j, 'j')?)))
        .collect();
    lines.filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n"))
}

fn row(value: &Printed) -> Option<Vec<f64>> {
    value.members()?.iter().map(Printed::number).collect()
}

fn rows_of(rows: impl Iterator<Item = (String, Vec<f64>)>) -> String {
    rows.map(|(node, row)| format!("node {node}: {}\n", bracketed(&row))).collect()
}

/// Reads values one behind the other.
struct Parser<'t> {
    rest: &'t str,
}

impl Parser<'_> {
    /// All values of the text; nothing where anything else is in it.
    fn all(mut self) -> Option<Vec<Printed>> {
        let mut values = Vec::new();
        loop {
            self.skip(&[',']);
            if self.rest.is_empty() {
                return (!values.is_empty()).then_some(values);
            }
            values.push(self.value(0)?);
        }
    }

    /// Skips blanks and these marks.
    fn skip(&mut self, marks: &[char]) {
        self.rest = self.rest.trim_start_matches(|c: char| c.is_whitespace() || marks.contains(&c));
    }

    fn take(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn value(&mut self, depth: usize) -> Option<Printed> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.rest.chars().next()? {
            '[' => self.members(']', depth).map(Printed::List),
            '(' => self.members(')', depth).map(Printed::Tuple),
            '{' => self.braces(depth),
            quote @ ('\'' | '"') => {
                let (text, rest) = self.rest[1..].split_once(quote)?;
                self.rest = rest;
                (!text.contains('\\')).then(|| Printed::Text(text.to_owned()))
            }
            '-' | '0'..='9' => {
                let is_of_number =
                    |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e');
                let end = self.rest.find(|c| !is_of_number(c)).unwrap_or(self.rest.len());
                let (number, rest) = self.rest.split_at(end);
                self.rest = rest;
                // With a letter behind it, it is no number: `3rd`.
                let is_whole = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
                number.parse().ok().filter(|_| is_whole).map(Printed::Number)
            }
            _ => self.word(depth),
        }
    }

    fn word(&mut self, depth: usize) -> Option<Printed> {
        let is_of_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let end = self.rest.find(|c| !is_of_word(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "True" | "np.True_" => Some(Printed::Bool(true)),
            "False" | "np.False_" => Some(Printed::Bool(false)),
            "None" => Some(Printed::Nothing),
            _ if WRAPPERS.contains(&word) && self.rest.starts_with('(') => {
                match &self.members(')', depth)?[..] {
                    [] => Some(Printed::List(Vec::new())),
                    [first, ..] => Some(first.clone()),
                }
            }
            _ => None,
        }
    }

    /// The members of a list, with commas or, as NumPy writes them, blanks between them.
    fn members(&mut self, close: char, depth: usize) -> Option<Vec<Printed>> {
        self.rest = &self.rest[1..];
        let mut members = Vec::new();
        loop {
            self.skip(&[',']);
            if self.take(close.encode_utf8(&mut [0; 4])) {
                return Some(members);
            }
            members.push(self.value(depth + 1)?);
        }
    }

    /// A set or a dict.
    fn braces(&mut self, depth: usize) -> Option<Printed> {
        self.rest = &self.rest[1..];
        let (mut members, mut pairs) = (Vec::new(), Vec::new());
        loop {
            self.skip(&[',']);
            if self.take("}") {
                break;
            }
            let first = self.value(depth + 1)?;
            self.skip(&[]);
            if self.take(":") {
                self.skip(&[]);
                pairs.push((first, self.value(depth + 1)?));
            } else {
                members.push(first);
            }
        }
        match (members.is_empty(), pairs.is_empty()) {
            (true, _) => Some(Printed::Pairs(pairs)),
            (false, true) => Some(Printed::List(members)),
            (false, false) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<Vec<Printed>> {
        Parser { rest: text }.all()
    }

    #[test]
    fn values_are_read_and_words_are_not() {
        let numbers =
            |all: &[f64]| Printed::List(all.iter().copied().map(Printed::Number).collect());
        for text in
            ["[0, 1]", "[0. 1.]", "array([0, 1])", "deque([0, 1])", "{0, 1}", "[np.int64(0), 1]"]
        {
            assert_eq!(parsed(text), Some(vec![numbers(&[0.0, 1.0])]), "{text}");
        }
        let rows = Printed::List(vec![numbers(&[0.0, 1.0]), numbers(&[2.0, 1.5])]);
        assert_eq!(parsed("[[0.  1. ]\n [2.  1.5]]\n"), Some(vec![rows]));
        assert_eq!(parsed("True None"), Some(vec![Printed::Bool(true), Printed::Nothing]));
        let text = |text: &str| Printed::Text(text.to_owned());
        assert_eq!(
            parsed("{'a': \"b\"}"),
            Some(vec![Printed::Pairs(vec![(text("a"), text("b"))])])
        );
        for other in
            ["", "The path is [0, 1]", "[0, 1", "[0, x]", "3rd", "{0: 1, 2}", "'it\\'s'", "[0]."]
        {
            assert_eq!(parsed(other), None, "{other}");
        }
        assert_eq!(parsed(&"[".repeat(50_000)), None);
    }
}

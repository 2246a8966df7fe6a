//! The rules of NLGraph's own scripts, written anew after their description, faults included.
//!
//! They share nothing with our verifier. A test holds that they give every logged answer the score
//! that is logged for it, so that what they matched is what the script matched.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Deserialize;

/// A logged answer as the script sees it.
#[derive(Deserialize)]
pub struct Row {
    pub task: String,
    pub graph: Raw,
    pub query: Query,
    pub question: String,
    pub answer_text: String,
    pub official_score: Option<f64>,
    pub official_score2: Option<f64>,
    pub official_rule: Option<String>,
}

#[derive(Deserialize)]
pub struct Raw {
    n: usize,
    edges: Vec<Vec<f64>>,
    #[serde(default)]
    embedding: Vec<Vec<f64>>,
}

#[derive(Deserialize)]
pub struct Query {
    #[serde(default)]
    source: i64,
    #[serde(default)]
    target: i64,
    #[serde(default)]
    expect: bool,
    #[serde(default)]
    max_flow: i64,
    #[serde(default)]
    best: usize,
}

/// What a rule of the script matched.
#[derive(Clone, Debug, PartialEq)]
pub enum Matched {
    /// A phrase, at a place of the text.
    Phrase(&'static str, usize),
    /// None of its phrases.
    NoPhrase,
    /// A list of numbers behind a phrase, and what is wrong with it for the script.
    List { behind: &'static str, numbers: Vec<i64>, fault: Option<&'static str> },
    /// The first number behind its phrase.
    Number(Option<i64>),
    /// Numbers two by two: how many pairs are edges, and whether two that are no neighbours in the
    /// list share a number.
    Pairs { edges: usize, clash: bool, numbers: usize },
    /// So many numbers of a table.
    Rows(bool),
}

impl fmt::Display for Matched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Phrase(words, _) => write!(f, "{words:?}"),
            Self::NoPhrase => f.write_str("none of its phrases"),
            Self::List { behind, fault: None, .. } => {
                write!(f, "a list behind {behind:?} that fits")
            }
            Self::List { behind, fault: Some(fault), .. } => {
                write!(f, "a list behind {behind:?}: {fault}")
            }
            Self::Number(Some(_)) => f.write_str("the first number behind its phrase"),
            Self::Number(None) => f.write_str("no number behind its phrase"),
            Self::Pairs { clash: true, .. } => f.write_str("pairs that clash"),
            Self::Pairs { .. } => f.write_str("pairs of which some are edges"),
            Self::Rows(true) => f.write_str("the right rows"),
            Self::Rows(false) => f.write_str("other rows"),
        }
    }
}

/// A score with what gave it.
pub struct Scored {
    pub points: f64,
    pub matched: Matched,
}

impl Scored {
    fn new(passes: bool, matched: Matched) -> Self {
        Self { points: if passes { 1.0 } else { 0.0 }, matched }
    }
}

/// The score by the rule that is logged with the answer.
pub fn score(row: &Row) -> Option<Scored> {
    let rule = row.official_rule.as_deref()?;
    Some(match (row.task.as_str(), rule) {
        ("connectivity", _) => connectivity(row),
        ("cycle", "released") => first_phrase(row),
        ("cycle", "cycle/yes/half") => says_yes(row),
        ("cycle", rule) => right_phrase(row, rule.starts_with("loop")),
        ("topology", _) => topology(row),
        ("shortest_path", _) => shortest_path(row),
        ("flow", _) => flow(row),
        ("matching", _) => matching(row),
        ("hamilton", rule) => hamilton(row, rule),
        ("GNN", _) => gnn(row),
        _ => return None,
    })
}

/// Runs of digits with their places. The path tasks drop one that ends the text.
fn numbers(text: &str, at_end_too: bool) -> Vec<i64> {
    let mut found = Vec::new();
    let mut digits = String::new();
    for c in text.chars() {
        if c.is_ascii_digit() {
            digits.push(c);
        } else if !digits.is_empty() {
            found.push(digits.parse().unwrap_or(i64::MAX));
            digits.clear();
        }
    }
    if at_end_too && !digits.is_empty() {
        found.push(digits.parse().unwrap_or(i64::MAX));
    }
    found
}

fn connectivity(row: &Row) -> Scored {
    let text = &row.answer_text;
    let between =
        format!("there is a path between node {} and node {}", row.query.source, row.query.target);
    let matched = match (text.find("the answer is yes"), text.find(&between)) {
        (Some(at), _) => Matched::Phrase("the answer is yes", at),
        (None, Some(at)) => Matched::Phrase("there is a path between node s and node t", at),
        (None, None) => Matched::NoPhrase,
    };
    Scored::new((matched != Matched::NoPhrase) == row.query.expect, matched)
}

/// The graphs are connected: a tree with some more edges, or with none.
fn has_cycle(row: &Row) -> bool {
    row.graph.edges.len() >= row.graph.n
}

/// Whichever of the two phrases comes first is the verdict.
fn first_phrase(row: &Row) -> Scored {
    let none = row.answer_text.find("there is no cycle");
    let some = row.answer_text.find("there is a cycle");
    let (yes, matched) = match (none, some) {
        (None, None) => return Scored::new(false, Matched::NoPhrase),
        (Some(none), some) if some.is_none_or(|some| none < some) => {
            (false, Matched::Phrase("there is no cycle", none))
        }
        (_, some) => (true, Matched::Phrase("there is a cycle", some.unwrap_or_default())),
    };
    Scored::new(yes == has_cycle(row), matched)
}

/// The phrase of the right verdict has to stand somewhere.
fn right_phrase(row: &Row, is_loop: bool) -> Scored {
    let wanted = match (has_cycle(row), is_loop) {
        (true, true) => "there is a loop",
        (false, true) => "there is no loop",
        (true, false) => "there is a cycle",
        (false, false) => "there is no cycle",
    };
    match row.answer_text.find(wanted) {
        Some(at) => Scored::new(true, Matched::Phrase(wanted, at)),
        None => Scored::new(false, Matched::NoPhrase),
    }
}

fn says_yes(row: &Row) -> Scored {
    match row.answer_text.find("yes") {
        Some(at) => Scored::new(has_cycle(row), Matched::Phrase("yes", at)),
        None => Scored::new(!has_cycle(row), Matched::NoPhrase),
    }
}

fn topology(row: &Row) -> Scored {
    let text = &row.answer_text;
    let (behind, at) = match text.find("solution") {
        Some(at) => ("solution", Some(at)),
        None => {
            let yes = text.find("yes").map(|at| ("yes", at));
            let order =
                text.find("in the following order").map(|at| ("in the following order", at));
            match yes.into_iter().chain(order).max_by_key(|(_, at)| *at) {
                Some((behind, at)) => (behind, Some(at)),
                None => ("", None),
            }
        }
    };
    let Some(at) = at else { return Scored::new(false, Matched::NoPhrase) };
    let take = |text: &str| numbers(text, false).into_iter().take(row.graph.n).collect::<Vec<_>>();
    let list = take(&text[at..]);
    let fault = order_fault(row, &list);
    if fault.is_some() {
        let whole = take(text);
        if order_fault(row, &whole).is_none() {
            return Scored::new(true, Matched::List { behind: "", numbers: whole, fault: None });
        }
    }
    Scored::new(fault.is_none(), Matched::List { behind, numbers: list, fault })
}

/// Counts in-degrees down; a node that nothing waits for may be missing.
fn order_fault(row: &Row, order: &[i64]) -> Option<&'static str> {
    let mut waits = vec![0_i64; row.graph.n];
    for edge in &row.graph.edges {
        waits[edge[1] as usize] += 1;
    }
    for node in order {
        match waits.get(*node as usize) {
            None => return Some("a number is no node"),
            Some(0) => {}
            Some(_) => return Some("a constraint is broken"),
        }
        for edge in row.graph.edges.iter().filter(|edge| edge[0] as i64 == *node) {
            waits[edge[1] as usize] -= 1;
        }
    }
    waits.iter().any(|left| *left != 0).then_some("a node with predecessors is missing")
}

fn weights(row: &Row) -> BTreeMap<(i64, i64), i64> {
    let both = row.graph.edges.iter().flat_map(|e| {
        let (a, b, w) = (e[0] as i64, e[1] as i64, e[2] as i64);
        [((a, b), w), ((b, a), w)]
    });
    both.collect()
}

/// The least weight, by relaxing every edge n times.
fn least(row: &Row, weights: &BTreeMap<(i64, i64), i64>) -> Option<i64> {
    let mut best = BTreeMap::from([(row.query.source, 0)]);
    for _ in 0..row.graph.n {
        for ((a, b), weight) in weights {
            if let Some(to) = best.get(a).map(|to| to + weight)
                && best.get(b).is_none_or(|known| to < *known)
            {
                best.insert(*b, to);
            }
        }
    }
    best.get(&row.query.target).copied()
}

fn shortest_path(row: &Row) -> Scored {
    let node = if row.question.contains("cities") { "city" } else { "node" };
    let phrase = format!(
        "the shortest path from {node} {} to {node} {}",
        row.query.source, row.query.target
    );
    let Some(at) = row.answer_text.find(&phrase) else {
        return Scored::new(false, Matched::NoPhrase);
    };
    let mut path = Vec::new();
    for number in numbers(&row.answer_text[at + phrase.len()..], false) {
        path.push(number);
        if number == row.query.target {
            break;
        }
    }
    let weights = weights(row);
    let weight: Option<i64> =
        path.windows(2).map(|step| weights.get(&(step[0], step[1])).copied()).sum();
    let fault = match weight {
        None => Some("a step is no edge"),
        Some(weight) if path.is_empty() || Some(weight) != least(row, &weights) => {
            Some("another weight")
        }
        Some(_) => None,
    };
    let behind = "the shortest path from node s to node t";
    Scored::new(fault.is_none(), Matched::List { behind, numbers: path, fault })
}

fn flow(row: &Row) -> Scored {
    let phrase =
        format!("the maximum flow from node {} to node {}", row.query.source, row.query.target);
    let Some(at) = row.answer_text.find(&phrase) else {
        return Scored::new(false, Matched::NoPhrase);
    };
    let first = numbers(&row.answer_text[at + phrase.len()..], true).first().copied();
    Scored::new(first == Some(row.query.max_flow), Matched::Number(first))
}

fn matching(row: &Row) -> Scored {
    let text = &row.answer_text;
    let (Some(job), Some(applicant)) = (text.find("job"), text.find("applicant")) else {
        return Scored::new(false, Matched::NoPhrase);
    };
    let announced = text.find("make the following assignments").unwrap_or_default();
    let start = job.min(applicant).max(announced);
    let end = text.find("this way").filter(|end| *end >= start).unwrap_or(text.len());
    let list = numbers(&text[start..end], true);
    let pairs: Vec<(i64, i64)> = list
        .chunks_exact(2)
        .map(|two| if job < applicant { (two[1], two[0]) } else { (two[0], two[1]) })
        .collect();
    let known: BTreeSet<(i64, i64)> =
        row.graph.edges.iter().map(|e| (e[0] as i64, e[1] as i64)).collect();
    let edges = pairs.iter().filter(|pair| known.contains(pair)).count();
    let clash = (0..pairs.len()).any(|i| {
        (i + 2..pairs.len()).any(|k| pairs[i].0 == pairs[k].0 || pairs[i].1 == pairs[k].1)
    });
    let matched = Matched::Pairs { edges, clash, numbers: list.len() };
    Scored::new(edges == row.query.best && !clash, matched)
}

fn hamilton(row: &Row, rule: &str) -> Scored {
    let text = &row.answer_text;
    let phrases: &[&'static str] = match rule {
        "after-yes" | "after-yes-no-cut" => &["yes"],
        "after-yes-else-path-no-cut" => &["yes", "path"],
        "after-yes-else-path-is-no-cut" => &["yes", "path is"],
        _ => &["the path can be"],
    };
    let found = phrases.iter().find_map(|phrase| Some((*phrase, text.find(phrase)?)));
    let whole = rule.contains("whole-answer").then_some(("", 0));
    let missing = |points| Scored { points, matched: Matched::NoPhrase };
    let Some((behind, at)) = found.or(whole) else {
        return missing(if rule == "released" { -1.0 } else { 0.0 });
    };
    if rule == "released" && text[..at].contains("no ") {
        return missing(-1.0);
    }
    let n = row.graph.n;
    let list: Vec<i64> =
        numbers(&text[at..], rule.ends_with("no-cut")).into_iter().take(n).collect();
    let edges: BTreeSet<(i64, i64)> = row
        .graph
        .edges
        .iter()
        .flat_map(|e| [(e[0] as i64, e[1] as i64), (e[1] as i64, e[0] as i64)])
        .collect();
    let fault = if list.len() < n {
        Some("too few numbers")
    } else if !list.windows(2).all(|step| edges.contains(&(step[0], step[1]))) {
        Some("a step is no edge")
    } else if list[..n - 1].iter().collect::<BTreeSet<_>>().len() < n - 1 {
        Some("a node comes twice")
    } else {
        None
    };
    Scored::new(fault.is_none(), Matched::List { behind, numbers: list, fault })
}

/// The numbers behind the last `node 0`: label and row of each node.
fn gnn(row: &Row) -> Scored {
    let Some(at) = row.answer_text.rfind("node 0") else {
        return Scored::new(false, Matched::NoPhrase);
    };
    let mut sums = vec![vec![0.0; 2]; row.graph.n];
    for edge in &row.graph.edges {
        let (a, b) = (edge[0] as usize, edge[1] as usize);
        for (at, from) in [(a, b), (b, a)] {
            for (sum, value) in sums[at].iter_mut().zip(&row.graph.embedding[from]) {
                *sum += value;
            }
        }
    }
    let list = numbers(&row.answer_text[at..], true);
    let right = list.len() >= 3 * row.graph.n
        && sums
            .iter()
            .zip(list.chunks_exact(3))
            .all(|(sum, given)| sum[0] == given[1] as f64 && sum[1] == given[2] as f64);
    Scored::new(right, Matched::Rows(right))
}

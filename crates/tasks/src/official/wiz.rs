//! GraphWiz (arXiv 2402.16029): `check`, for nine tasks.
//!
//! Label and text are put into lower case. What counts is behind the last `###`, for numbers and
//! for yes and no; the graph is never looked at. `docs/benchmark-rules.md` lists the faults.

use super::python::{digit, is_space};

/// A task of GraphWiz.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WizTask {
    /// Whether there is a cycle.
    Cycle,
    /// Whether there is a path between two nodes.
    Connectivity,
    /// Whether the graph is bipartite.
    Bipartite,
    /// A topological order.
    Topology,
    /// The weight of a shortest path.
    Shortest,
    /// The largest sum of weights of a triangle.
    Triplet,
    /// The maximum flow.
    Flow,
    /// Whether there is a Hamilton path.
    Hamilton,
    /// Whether a graph is part of another.
    Substructure,
}

impl WizTask {
    /// All tasks, in the order of the paper's table.
    pub const ALL: [Self; 9] = [
        Self::Cycle,
        Self::Connectivity,
        Self::Bipartite,
        Self::Topology,
        Self::Shortest,
        Self::Triplet,
        Self::Flow,
        Self::Hamilton,
        Self::Substructure,
    ];

    /// The name in the benchmark's files, such as `shortest`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cycle => "cycle",
            Self::Connectivity => "connectivity",
            Self::Bipartite => "bipartite",
            Self::Topology => "topology",
            Self::Shortest => "shortest",
            Self::Triplet => "triplet",
            Self::Flow => "flow",
            Self::Hamilton => "hamilton",
            Self::Substructure => "substructure",
        }
    }

    /// The task of that name, whatever its case; the paper says `triangle` for `triplet`.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = if name.eq_ignore_ascii_case("triangle") { "triplet" } else { name };
        Self::ALL.into_iter().find(|task| task.as_str().eq_ignore_ascii_case(name))
    }
}

/// What the rule says of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WizScore {
    /// Whether it counts as right.
    pub correct: bool,
    /// The part of the rule that decided.
    pub cause: &'static str,
}

impl WizScore {
    fn new(correct: bool, cause: &'static str) -> Self {
        Self { correct, cause }
    }
}

/// Scores a text by GraphWiz's rule, against the label of its file, such as `### Yes`.
///
/// # Complexity
/// O(length of the text · length of the label), for topology; O(length) otherwise.
pub fn score(task: WizTask, label: &str, text: &str) -> WizScore {
    let label = label.to_lowercase();
    let text = text.trim_start_matches(is_space).to_lowercase();
    match task {
        WizTask::Shortest | WizTask::Triplet | WizTask::Flow => number(&label, &text),
        WizTask::Topology => order(&label, &text),
        _ => yes_no(&label, &text),
    }
}

/// What is behind the last mark; all of it, if there is none. Marks are found from the left, so that
/// behind `#### 1` stands `# 1`.
fn behind_mark(text: &str) -> &str {
    text.split("###").last().unwrap_or(text)
}

fn yes_no(label: &str, text: &str) -> WizScore {
    if text.contains("###") {
        let end = behind_mark(text);
        // The two letters may stand in any word.
        return if label.contains("yes") && end.contains("yes") {
            WizScore::new(true, "\"yes\" behind the last ###")
        } else if label.contains("no") && end.contains("no") {
            WizScore::new(true, "\"no\" behind the last ###, in whatever word")
        } else {
            WizScore::new(false, "the label's word is not behind the last ###")
        };
    }
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    // A long s matches where case does not, and then is no "yes".
    let last = text.split(|c| !is_inside(c)).rfind(|word| matches!(*word, "yes" | "no" | "yeſ"));
    match last {
        Some(word @ ("yes" | "no")) => {
            WizScore::new(label.contains(word), "the last word yes or no of a text without ###")
        }
        _ => WizScore::new(false, "a text without ###, yes and no"),
    }
}

/// Digits that a comma parts are put together, then the last run of digits counts; without any, 0.
fn last_number(text: &str) -> (f64, bool) {
    let mut joined: Vec<char> = Vec::with_capacity(text.len());
    let chars: Vec<char> = text.chars().collect();
    let mut at = 0;
    while let Some(c) = chars.get(at) {
        joined.push(*c);
        // Both digits are used up: of "1,2,3" only the first comma goes.
        if digit(*c).is_some()
            && chars.get(at + 1) == Some(&',')
            && let Some(next) = chars.get(at + 2).filter(|next| digit(**next).is_some())
        {
            joined.push(*next);
            at += 2;
        }
        at += 1;
    }
    let mut last: Option<String> = None;
    let mut at = 0;
    while at < joined.len() {
        let start = at;
        let run = |from: usize| joined[from..].iter().take_while(|c| digit(**c).is_some()).count();
        at += run(at);
        if at == start {
            at += 1;
            continue;
        }
        let fraction = if joined.get(at) == Some(&'.') { run(at + 1) } else { 0 };
        at += if fraction > 0 { fraction + 1 } else { 0 };
        let ascii = |c: &char| digit(*c).and_then(|value| char::from_digit(value, 10));
        last = Some(joined[start..at].iter().map(|c| ascii(c).unwrap_or(*c)).collect());
    }
    match last {
        Some(digits) => (digits.parse().unwrap_or(f64::INFINITY), true),
        None => (0.0, false),
    }
}

fn number(label: &str, text: &str) -> WizScore {
    let (wanted, _) = last_number(label);
    let (given, is_there) = last_number(behind_mark(text));
    let cause = match (text.contains("###"), is_there) {
        (_, false) => "no number counts as 0",
        (true, true) => "the last number behind the last ###",
        (false, true) => "the last number of a text without ###",
    };
    WizScore::new((wanted - given).abs() < 1e-2, cause)
}

fn order(label: &str, text: &str) -> WizScore {
    let wanted = behind_mark(label);
    if text.contains("###") {
        let (wanted, given) = (wanted.trim_matches(' '), behind_mark(text).trim_matches(' '));
        return if given.contains(wanted) {
            WizScore::new(true, "the label stands behind the last ###")
        } else if wanted.contains(given) {
            WizScore::new(true, "what is behind the last ### stands in the label")
        } else {
            WizScore::new(false, "neither of label and end of text stands in the other")
        };
    }
    let found = wanted.split(',').any(|item| text.contains(item.trim_matches(' ')));
    WizScore::new(found, "one item of the label, in a text without ###")
}

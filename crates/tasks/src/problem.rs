//! One instance of a task, and how it is worded.

use std::fmt;

use graph::{Graph, NodeName};
use serde::{Deserialize, Serialize};

use crate::{Query, Style, TaskId, exemplars};

/// How hard a problem is, by the benchmark's own levels. Each task lists those it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Difficulty {
    /// Small graphs.
    Easy,
    /// Middling graphs; only connectivity, cycle and topology have it.
    Medium,
    /// The largest graphs.
    Hard,
}

impl Difficulty {
    /// All levels, easiest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];

    /// The benchmark's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }

    /// The level of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.as_str() == name)
    }
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One instance of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// How hard it is, where that is known.
    pub difficulty: Option<Difficulty>,
    /// The seed that made it, if ours did.
    pub seed: Option<u64>,
    /// The graph that the question is about.
    pub graph: Graph,
    /// What is asked about the graph.
    pub query: Query,
}

/// Which words a question is put in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wording {
    /// NLGraph's own words, byte for byte.
    #[default]
    Benchmark,
    /// NLGraph's words, but for topological sort, which asks for "a valid topological order that
    /// satisfies these constraints".
    ///
    /// Paper: Graph-Grounded LLMs, the discussion before Table II.
    Improved,
    /// Shortest paths told as cities and roads (NLGraph's `city` variant); NLGraph's words
    /// everywhere else.
    City,
}

impl Wording {
    /// All wordings.
    pub const ALL: [Self; 3] = [Self::Benchmark, Self::Improved, Self::City];
}

/// Names that a question lists at most; its edges say all of them.
const MOST_NAMED: usize = 40;

/// How the nodes of a graph are called, where that is not by the numbers from zero.
fn naming(graph: &Graph) -> Option<String> {
    let n = graph.n_nodes();
    let numbers: Option<Vec<i64>> = graph.names().map(NodeName::as_int).collect();
    if let Some(numbers) = numbers {
        let (low, high) = (numbers.iter().min()?, numbers.iter().max()?);
        // No number is there twice, so there is no gap between them.
        if usize::try_from(high.checked_sub(*low)?).ok()? + 1 == n {
            return (*low != 0).then(|| format!("numbered from {low} to {high}"));
        }
    }
    let named: Vec<String> = graph.names().take(MOST_NAMED).map(ToString::to_string).collect();
    let more = if n > MOST_NAMED { " and so on" } else { "" };
    Some(format!("called {}{more}", named.join(", ")))
}

impl Problem {
    /// The task that it belongs to.
    pub fn task(&self) -> TaskId {
        self.query.task()
    }

    /// An edge that the graph does not have, where it does most harm to believe in it.
    pub fn missing_edge(&self) -> Option<(NodeName, NodeName)> {
        let graph = &self.graph;
        let free = |a: &NodeName, b: &NodeName| a != b && graph.edge(a, b).is_none();
        if let Some((a, b)) = self.query.ends()
            && free(a, b)
        {
            return Some((a.clone(), b.clone()));
        }
        let names: Vec<&NodeName> = graph.names().collect();
        let two_sided = matches!(self.query, Query::Matching(_));
        for (i, a) in names.iter().enumerate() {
            for b in &names[i + 1..] {
                let crosses = a.to_string().starts_with('a') != b.to_string().starts_with('a');
                // A backward arc may close a cycle, which is what a topological sort trips over.
                let pair = if graph.is_directed() { (*b, *a) } else { (*a, *b) };
                if (!two_sided || crosses) && free(pair.0, pair.1) {
                    return Some((pair.0.clone(), pair.1.clone()));
                }
            }
        }
        None
    }

    /// The prompt for this problem: exemplars where the style has them, then the question.
    ///
    /// With [`Wording::Benchmark`] and [`Style::ZeroShot`] it is NLGraph's `question` byte for byte,
    /// provided that the edges stand in NLGraph's order.
    ///
    /// `// Departs from §5:` exemplars are made by our own generator and solver, not NLGraph's.
    pub fn question(&self, wording: Wording, style: Style) -> String {
        let mut text = exemplars::before(self.task(), wording, style);
        text.insert_str(0, style.opening());
        text.push_str(&self.question_alone(wording, style));
        text
    }

    /// The same without exemplars. Whoever only shows problems needs none, nor what solves them.
    pub fn question_alone(&self, wording: Wording, style: Style) -> String {
        self.with_names(self.asked(wording, style)) + style.suffix()
    }

    /// The question with what the style puts before its `Q:`.
    pub(crate) fn asked(&self, wording: Wording, style: Style) -> String {
        let mut asked = String::new();
        self.ask(wording, style, &mut asked);
        let line = match style {
            Style::Recitation => self.recitation(),
            _ => style.line().to_owned(),
        };
        // A question of GraphWiz has no such mark: there the line comes first.
        let at = question_mark(&asked).unwrap_or(0);
        asked.insert_str(at, &line);
        asked
    }

    /// Two questions about edges with their answers: of one that is there, and of one that is not.
    fn recitation(&self) -> String {
        let graph = &self.graph;
        let here = graph.edges().next().map(|e| (e.source.clone(), e.target.clone()));
        let asked = [(here, "Yes, there is."), (self.missing_edge(), "No, there is not.")];
        let mut text = String::new();
        for (i, (ends, answer)) in asked.into_iter().enumerate() {
            let Some((a, b)) = ends else { continue };
            let n = i + 1;
            text += &format!("Q{n}: Is there an edge between {a} and {b}?\nA{n}: {answer}\n");
        }
        text
    }

    /// The benchmark numbers its nodes; a question about a graph of somebody's own says what its nodes
    /// are called.
    fn with_names(&self, asked: String) -> String {
        let n = self.graph.n_nodes();
        // Applicants and jobs are numbered apart, whatever their nodes are called.
        if n == 0 || matches!(self.query, Query::Matching(_)) {
            return asked;
        }
        let said = format!("numbered from 0 to {}", n - 1);
        match naming(&self.graph) {
            Some(naming) => asked.replacen(&said, &naming, 1),
            None => asked,
        }
    }
}

/// Where the last `Q:` stands that is a word of its own: a name may end in the letter.
pub(crate) fn question_mark(text: &str) -> Option<usize> {
    let is_word = |at: &usize| text[..*at].chars().next_back().is_none_or(char::is_whitespace);
    text.rmatch_indices("Q:").map(|(at, _)| at).find(is_word)
}

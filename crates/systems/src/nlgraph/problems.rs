//! Where a benchmark's problems come from: our generator, NLGraph's files, and files of one's own.

use graph::{Graph, formats};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tasks::dataset::{self, DatasetError};
use tasks::{Difficulty, Problem, Query, Style, TaskId, Wording, parse_question};

/// The largest file of problems that is read, in bytes.
pub const MAX_BYTES: usize = dataset::MAX_DATASET_BYTES;
/// The most problems of one benchmark.
pub const MAX_PROBLEMS: usize = 200_000;

/// A problem of a benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// A name that is unique in its benchmark.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The task that the problem is of.
    pub task: TaskId,
    /// How hard it is, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Difficulty>,
    /// The seed that made it, if ours did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The graph that the question is about.
    pub graph: Graph,
    /// What is asked about the graph.
    pub query: Query,
    /// Words of its own; absent where the setup's wording says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
}

impl Item {
    /// A problem under a name.
    pub fn new(id: impl Into<String>, problem: Problem) -> Self {
        let Problem { difficulty, seed, graph, query } = problem;
        let task = query.task();
        Self { id: id.into(), task, difficulty, seed, graph, query, question: None }
    }

    /// The problem that an answer is judged against.
    pub fn problem(&self) -> Problem {
        Problem {
            difficulty: self.difficulty,
            seed: self.seed,
            graph: self.graph.clone(),
            query: self.query.clone(),
        }
    }

    /// The task with its level and its seed, for people: `Cycle, easy, seed 7`.
    pub fn title(&self) -> String {
        let mut words = vec![self.task.title().to_owned()];
        words.extend(self.difficulty.map(|level| level.as_str().to_owned()));
        words.extend(self.seed.map(|seed| format!("seed {seed}")));
        words.join(", ")
    }

    /// The task with its level, for people: `cycle, easy`.
    pub fn family(&self) -> String {
        match self.difficulty {
            Some(level) => format!("{}, {level}", self.task),
            None => self.task.to_string(),
        }
    }
}

/// Why a file of problems could not be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// One of NLGraph's files, or meant to be one.
    #[error("{file}: {error}")]
    Dataset {
        /// The name of the file.
        file: String,
        /// What is wrong with the file.
        error: DatasetError,
    },
    /// A problem that cannot be read.
    #[error("{place}: {message}")]
    Problem {
        /// Where: a file with a line or a key.
        place: String,
        /// What is wrong, and what would be right.
        message: String,
    },
    /// Two problems of one name.
    #[error("two problems are called {id:?}; every problem needs a name of its own")]
    Twice {
        /// The id that is there twice.
        id: String,
    },
    /// There are too many problems.
    #[error("there are {found} {what}; at most {limit} are read")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many are read.
        limit: usize,
    },
}

/// `n` problems of each task and level from the generator, seeds `seed`, `seed + 1`, ….
///
/// Levels that a task does not have are passed over.
///
/// # Errors
/// More than [`MAX_PROBLEMS`].
pub fn generate(
    tasks: &[TaskId],
    levels: &[Difficulty],
    n: usize,
    seed: u64,
) -> Result<Vec<Item>, ProblemError> {
    let families: Vec<(TaskId, Difficulty)> = tasks
        .iter()
        .flat_map(|t| t.difficulties().iter().map(move |l| (*t, *l)))
        .filter(|(_, level)| levels.contains(level))
        .collect();
    let found = families.len().saturating_mul(n);
    if found > MAX_PROBLEMS {
        return Err(ProblemError::TooMany { what: "problems", found, limit: MAX_PROBLEMS });
    }
    let one = |(task, level): &(TaskId, Difficulty), i: u64| {
        let seed = seed.wrapping_add(i);
        Item::new(format!("{task}-{level}-{seed}"), tasks::task(*task).generate(*level, seed))
    };
    Ok(families.iter().flat_map(|f| (0..n as u64).map(move |i| one(f, i))).collect())
}

/// Reads a file of problems: one of NLGraph's, or JSON lines of one's own (`docs/benchmarks.md`
/// has their fields). `file` is its name for messages, with its folder where that helps.
///
/// # Errors
/// What is wrong, in which problem, and what would be right.
pub fn read(file: &str, text: &str) -> Result<Vec<Item>, ProblemError> {
    if text.len() > MAX_BYTES {
        let (found, limit) = (text.len(), MAX_BYTES);
        return Err(ProblemError::TooMany { what: "bytes", found, limit });
    }
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = [".gz", ".jsonl", ".json", ".txt"]
        .iter()
        .fold(name, |name, ending| name.strip_suffix(ending).unwrap_or(name));
    let items = if is_lines(text) { lines(file, stem, text)? } else { nlgraph(file, stem, text)? };
    if items.len() > MAX_PROBLEMS {
        let (found, limit) = (items.len(), MAX_PROBLEMS);
        return Err(ProblemError::TooMany { what: "problems", found, limit });
    }
    Ok(items)
}

/// Whether no two problems have one name.
///
/// # Errors
/// The first name that comes twice.
pub fn check_names(items: &[Item]) -> Result<(), ProblemError> {
    let mut seen = std::collections::BTreeSet::new();
    match items.iter().find(|item| !seen.insert(item.id.as_str())) {
        Some(item) => Err(ProblemError::Twice { id: item.id.clone() }),
        None => Ok(()),
    }
}

/// Whether the first line is a JSON object by itself, and no file of NLGraph's on one line.
fn is_lines(text: &str) -> bool {
    let Some(line) = text.lines().find(|line| !line.trim().is_empty()) else { return false };
    serde_json::from_str::<Value>(line.trim_start_matches('\u{feff}'))
        .is_ok_and(|v| v.get("question").is_some_and(Value::is_string) || v.get("graph").is_some())
}

fn nlgraph(file: &str, stem: &str, text: &str) -> Result<Vec<Item>, ProblemError> {
    let entries = dataset::parse(text)
        .map_err(|error| ProblemError::Dataset { file: file.to_owned(), error })?;
    let item = |entry: dataset::DatasetEntry| {
        let id = format!("{stem}:{}", entry.key);
        let place = || format!("{file}, problem {:?}", entry.key);
        let mut item = from_words(&id, &entry.question)
            .map_err(|message| ProblemError::Problem { place: place(), message })?;
        item.difficulty = entry.level();
        Ok(item)
    };
    entries.into_iter().map(item).collect()
}

/// A problem out of its question. Words that our wording would change are kept.
fn from_words(id: &str, question: &str) -> Result<Item, String> {
    let problem = parse_question(question).map_err(|e| cut(e.to_string()))?;
    let is_ours = problem.question(Wording::Benchmark, Style::ZeroShot) == question;
    let mut item = Item::new(id, problem);
    item.question = (!is_ours).then(|| question.to_owned());
    Ok(item)
}

/// The most letters of what a message quotes.
const MAX_QUOTED: usize = 600;

/// A message of which the middle is left out where it quotes a whole file: its end says what was
/// expected.
fn cut(message: String) -> String {
    let n = message.chars().count();
    if n <= MAX_QUOTED {
        return message;
    }
    let begin: String = message.chars().take(100).collect();
    let end: String = message.chars().skip(n - 100).collect();
    format!("{begin} … {end}")
}

/// One line of one's own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: Option<String>,
    task: Option<String>,
    difficulty: Option<String>,
    question: Option<String>,
    graph: Option<Value>,
    query: Option<Query>,
    #[serde(default, rename = "answer")]
    _answer: Option<Value>,
    #[serde(default, rename = "metadata")]
    _metadata: Option<Value>,
}

fn lines(file: &str, stem: &str, text: &str) -> Result<Vec<Item>, ProblemError> {
    let mut items = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let line = line.trim_start_matches('\u{feff}');
        let read: Line = serde_json::from_str(line).map_err(|e| {
            // It is one line: only the place in it is of use.
            let message = e.to_string();
            let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(m, _)| m);
            ProblemError::Problem {
                place: format!("{file}, line {}, column {}", i + 1, e.column().max(1)),
                message: format!(
                    "{}; a line has `question`, or `graph` with `query`, and may have `id`, `task`, \
                     `difficulty`",
                    cut(message.to_owned())
                ),
            }
        })?;
        let place = || format!("{file}, line {}", i + 1);
        let item = one_line(read, &format!("{stem}:{}", i + 1))
            .map_err(|message| ProblemError::Problem { place: place(), message: cut(message) })?;
        items.push(item);
    }
    Ok(items)
}

fn one_line(line: Line, usual_id: &str) -> Result<Item, String> {
    let id = line.id.unwrap_or_else(|| usual_id.to_owned());
    let mut item = match (line.graph, line.query, line.question) {
        (Some(graph), Some(query), question) => {
            let mut item = Item::new(id, of_graph(graph_of(graph)?, query)?);
            item.question = question;
            item
        }
        (None, None, Some(question)) => from_words(&id, &question)?,
        (Some(_), None, _) => {
            return Err("it has `graph` without `query`, which says what is asked".into());
        }
        (None, Some(_), _) => return Err("it has `query` without `graph`".into()),
        (None, None, None) => {
            return Err("it has neither `question` nor `graph` with `query`".into());
        }
    };
    if let Some(name) = line.task {
        let wanted = TaskId::from_name(&name);
        if wanted != Some(item.task) {
            return Err(format!("it says task {name:?}, and it asks for {:?}", item.task.as_str()));
        }
    }
    if let Some(name) = line.difficulty {
        let level = Difficulty::from_name(&name);
        item.difficulty = Some(
            level.ok_or_else(|| format!("difficulty {name:?} is none of easy, medium, hard"))?,
        );
    }
    Ok(item)
}

/// A graph as an object (node-link, Cytoscape), a list of our deltas, or text in any format.
fn graph_of(value: Value) -> Result<Graph, String> {
    match value {
        Value::Array(_) => serde_json::from_value(value).map_err(|e| format!("`graph`: {e}")),
        Value::String(text) => of_text(&text),
        value @ Value::Object(_) => of_text(&value.to_string()),
        other => Err(format!("`graph` is {other}; expected text, an object or a list of changes")),
    }
}

fn of_text(text: &str) -> Result<Graph, String> {
    let (_, read) = formats::open(text).map_err(|e| format!("`graph`: {e}"))?;
    // A problem is judged by its graph, so nothing of that may be missing.
    match read.notes.faults().first() {
        Some(fault) => Err(format!("`graph`: {fault}")),
        None => Ok(read.graph),
    }
}

fn of_graph(graph: Graph, query: Query) -> Result<Problem, String> {
    query.check(&graph).map_err(|e| format!("`query` {e}"))?;
    Ok(Problem { difficulty: None, seed: None, graph, query })
}

//! The files in which four benchmarks keep questions, right answers and logged answers.
//!
//! A file is what a person drops: a name and bytes. [`sniff`] says which form it has, [`read`]
//! reads its rows. Sizes are limited, errors say where, and nothing in a file is executed:
//! [`pickle`] tells how pickles are read.

mod arena;
mod gracore;
mod instruct;
mod json;
pub mod pickle;
mod wiz;

use std::fmt;

/// The largest file that is read, in bytes.
pub const MAX_BENCHMARK_FILE_BYTES: usize = 64_000_000;
/// The most rows of a file that are read.
pub const MAX_BENCHMARK_ROWS: usize = 200_000;

/// A benchmark whose files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GraphBenchmark {
    /// GraphArena.
    GraphArena,
    /// GraphInstruct, by CGCL.
    GraphInstruct,
    /// GraphWiz.
    GraphWiz,
    /// GraCoRe.
    GraCoRe,
}

impl fmt::Display for GraphBenchmark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GraphArena => "GraphArena",
            Self::GraphInstruct => "GraphInstruct",
            Self::GraphWiz => "GraphWiz",
            Self::GraCoRe => "GraCoRe",
        })
    }
}

/// A form that files have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileForm {
    /// GraphArena's answers, `{"0": {"model": "answer"}}`.
    ArenaLog,
    /// GraphArena's problems, `MCP_easy.pkl`, or its worked examples, `MCP_examples.pkl`.
    ArenaPickle,
    /// GraphWiz's questions, answers and logs, one JSON object a line or all in an array.
    WizLines,
    /// GraphInstruct's table of questions, or the table `id,output` of a model's answers.
    InstructTable,
    /// GraphInstruct's examples for training, an array of `instruction`, `input`, `output`.
    InstructTraining,
    /// Graphs of GraCoRe with their questions, one or an array of them.
    GracoreGraph,
}

impl FileForm {
    /// All forms.
    pub const ALL: [Self; 6] = [
        Self::ArenaLog,
        Self::ArenaPickle,
        Self::WizLines,
        Self::InstructTable,
        Self::InstructTraining,
        Self::GracoreGraph,
    ];

    /// What such a file looks like.
    pub fn looks(self) -> &'static str {
        match self {
            Self::ArenaLog => "GraphArena's answers, {\"0\": {\"model\": \"answer\"}}",
            Self::ArenaPickle => "GraphArena's problems, a pickle such as MCP_easy.pkl",
            Self::WizLines => "GraphWiz's JSON lines with input_prompt and answer, or query",
            Self::InstructTable => {
                "GraphInstruct's CSV with question and answer, or with id and output"
            }
            Self::InstructTraining => {
                "GraphInstruct's JSON array of objects with instruction, input and output"
            }
            Self::GracoreGraph => "GraCoRe's JSON objects with nodes, edges and QA",
        }
    }
}

/// One question of a file, with what was answered to it.
#[derive(Clone, Debug, PartialEq)]
pub struct FileRow {
    /// The benchmark.
    pub benchmark: GraphBenchmark,
    /// The id of the question, as the file has it.
    pub id: String,
    /// The task, as the file or its name has it; empty if neither says.
    pub task: String,
    /// The question with its graph, as a model reads it; without GraphInstruct's graphs, which
    /// stand in `fields` in three forms.
    pub question: Option<String>,
    /// The right answer, as the benchmark has it.
    pub label: Option<String>,
    /// Answers: who gave it (a model, or the field of the file), and the text.
    pub answers: Vec<(String, String)>,
    /// What else the file says of the question, by the names of its fields.
    pub fields: Vec<(String, String)>,
    /// What is wrong with the row, and where, if it could not be read; the others could.
    pub fault: Option<String>,
}

impl FileRow {
    pub(crate) fn new(
        benchmark: GraphBenchmark,
        id: impl Into<String>,
        task: impl Into<String>,
    ) -> Self {
        let (question, label) = (None, None);
        let (answers, fields) = (Vec::new(), Vec::new());
        let (id, task, fault) = (id.into(), task.into(), None);
        Self { benchmark, id, task, question, label, answers, fields, fault }
    }

    /// What the file says under this name.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }
}

/// Why a file is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BenchmarkFileError {
    /// More than is read.
    #[error("too large: {found} {what}; at most {limit} are read")]
    TooLarge {
        /// Bytes or rows.
        what: &'static str,
        /// How many there are, as far as was counted.
        found: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// The file is of no known form.
    #[error("{name:?} begins with {found:?}, which is none of: {}", FileForm::ALL.map(FileForm::looks).join("; "))]
    UnknownForm {
        /// The name of the file.
        name: String,
        /// Its beginning.
        found: String,
    },
    /// A part of the file is not what it should be.
    #[error("{place}: {what}; expected {expected}")]
    Wrong {
        /// Line, row, entry or byte.
        place: String,
        /// What is wrong there, in words.
        what: String,
        /// What would be right.
        expected: &'static str,
    },
}

impl BenchmarkFileError {
    fn wrong(place: impl Into<String>, what: impl Into<String>, expected: &'static str) -> Self {
        Self::Wrong { place: place.into(), what: what.into(), expected }
    }
}

/// The beginning of a file that decides about its form, in bytes.
const HEAD: usize = 64_000;

/// Which form a file has, by its name and its beginning.
pub fn sniff(name: &str, bytes: &[u8]) -> Option<FileForm> {
    let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    if matches!(ending.as_str(), "pkl" | "pickle") || matches!(bytes, [0x80, 0..=5, ..]) {
        return Some(FileForm::ArenaPickle);
    }
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]);
    let head = head.trim_start_matches('\u{feff}').trim_start();
    let has = |key: &str| head.contains(&format!("\"{key}\""));
    if let Some(inner) = head.strip_prefix('{') {
        // Answers may contain any word, so the keys of a log come before words.
        let first = inner.trim_start().strip_prefix('"').and_then(|key| key.split('"').next());
        return match first {
            Some(key) if !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit()) => {
                // A file of NLGraph begins alike, and says what is asked.
                let first = inner.split('}').next().unwrap_or_default();
                (!first.contains("\"question\"")).then_some(FileForm::ArenaLog)
            }
            _ if has("input_prompt") || has("source_data") || has("query") => {
                Some(FileForm::WizLines)
            }
            _ if has("nodes") && has("edges") => Some(FileForm::GracoreGraph),
            _ => None,
        };
    }
    if head.starts_with('[') {
        return match () {
            () if has("instruction") && has("output") => Some(FileForm::InstructTraining),
            () if has("input_prompt") || has("query") => Some(FileForm::WizLines),
            () if has("nodes") && has("edges") => Some(FileForm::GracoreGraph),
            () => None,
        };
    }
    let columns: Vec<&str> =
        head.lines().next()?.split(',').map(|name| name.trim().trim_matches('"')).collect();
    let lists = |wanted: &[&str]| wanted.iter().all(|name| columns.contains(name));
    (lists(&["question", "answer"]) || lists(&["id", "output"])).then_some(FileForm::InstructTable)
}

/// Reads a file of one of the benchmarks.
///
/// A row that is wrong stands among the others with its [fault](FileRow::fault).
///
/// The task comes from the rows, or from the name of the file, such as `MCP_easy.pkl`; for GraCoRe
/// give the name with its folder, such as `Tree/graph_8.json`.
///
/// # Errors
/// The file is too large, of no known form, or wrong as a whole, at a place that the error names.
///
/// # Complexity
/// O(length).
pub fn read(name: &str, bytes: &[u8]) -> Result<Vec<FileRow>, BenchmarkFileError> {
    if bytes.len() > MAX_BENCHMARK_FILE_BYTES {
        let (found, limit) = (bytes.len(), MAX_BENCHMARK_FILE_BYTES);
        return Err(BenchmarkFileError::TooLarge { what: "bytes", found, limit });
    }
    let Some(form) = sniff(name, bytes) else {
        let found = String::from_utf8_lossy(&bytes[..bytes.len().min(40)]).into_owned();
        return Err(BenchmarkFileError::UnknownForm { name: name.into(), found });
    };
    if form == FileForm::ArenaPickle {
        return arena::pickle(name, bytes);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        BenchmarkFileError::wrong(
            format!("line {line}"),
            "a byte that is no UTF-8",
            "text in UTF-8",
        )
    })?;
    let text = text.trim_start_matches('\u{feff}');
    match form {
        FileForm::ArenaLog => arena::log(name, text),
        FileForm::WizLines => wiz::lines(name, text),
        FileForm::InstructTable => instruct::table(name, text),
        FileForm::InstructTraining => instruct::training(name, text),
        _ => gracore::graphs(name, text),
    }
}

/// The rows of a file, one of which may be wrong without harm to the others; where all are, the file is.
fn rows_of(
    benchmark: GraphBenchmark,
    read: impl Iterator<Item = Result<FileRow, BenchmarkFileError>>,
) -> Result<Vec<FileRow>, BenchmarkFileError> {
    let (mut rows, mut first, mut n_read) = (Vec::new(), None, 0);
    for row in read {
        check_rows(rows.len() + 1)?;
        match row {
            Ok(row) => {
                n_read += 1;
                rows.push(row);
            }
            Err(error) => {
                let fault = Some(error.to_string());
                let id = match &error {
                    BenchmarkFileError::Wrong { place, .. } => place.clone(),
                    _ => rows.len().to_string(),
                };
                rows.push(FileRow { fault, ..FileRow::new(benchmark, id, "") });
                first.get_or_insert(error);
            }
        }
    }
    match first {
        Some(error) if n_read == 0 => Err(error),
        _ => Ok(rows),
    }
}

/// The parts of the name of a file, with its folders.
fn name_parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['/', '\\', '_', '-', '.', ' ']).filter(|part| !part.is_empty())
}

fn check_rows(n: usize) -> Result<(), BenchmarkFileError> {
    if n <= MAX_BENCHMARK_ROWS {
        return Ok(());
    }
    Err(BenchmarkFileError::TooLarge { what: "rows", found: n, limit: MAX_BENCHMARK_ROWS })
}

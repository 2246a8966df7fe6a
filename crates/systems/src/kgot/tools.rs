//! The tools of a task: its files, and a second question to a model.

use agent::{ToolFailure, ToolOutput, ToolSet};
use llm::ToolSpec;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use trace::Effects;

/// A file of a task, as text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KgotFile {
    /// How tools name it.
    pub name: String,
    /// What it says.
    pub text: String,
}

/// The tool that asks a model; the controller answers it, because a model takes time.
pub(super) const ASK_MODEL: &str = "ask_model";
/// The tool that calculates.
pub(super) const CALCULATE: &str = "calculate";
/// The lines that one reading gives.
const LINES: usize = 200;
/// The letters that one reading gives.
const LETTERS: usize = 20_000;

/// Tools that read the files of a task.
pub struct TaskTools<'t> {
    files: &'t [KgotFile],
}

impl<'t> TaskTools<'t> {
    /// Tools for these files.
    pub fn new(files: &'t [KgotFile]) -> Self {
        Self { files }
    }

    fn file(&self, name: &str) -> Result<&'t KgotFile, ToolFailure> {
        let wanted = name.trim().trim_start_matches("./");
        let found = self
            .files
            .iter()
            .find(|file| file.name == wanted)
            .or_else(|| self.files.iter().find(|file| file.name.eq_ignore_ascii_case(wanted)));
        found.ok_or_else(|| {
            let names: Vec<&str> = self.files.iter().map(|file| file.name.as_str()).collect();
            failure(
                "unknown_file",
                format!("there is no file {name:?}; there are {}", names.join(", ")),
            )
        })
    }
}

fn failure(code: &str, message: String) -> ToolFailure {
    ToolFailure { is_schema: false, code: code.into(), message, witness: None }
}

fn spec(name: &str, description: &str, properties: Value, required: &[&str]) -> ToolSpec {
    ToolSpec {
        name: name.into(),
        description: description.into(),
        parameters: json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        }),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadArgs {
    file: String,
    #[serde(default)]
    first_line: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchArgs {
    words: String,
}

impl ToolSet for TaskTools<'_> {
    fn specs(&self) -> Vec<ToolSpec> {
        let text = |words: &str| json!({ "type": "string", "description": words });
        let mut specs = vec![spec(
            ASK_MODEL,
            "Asks a language model a question of general knowledge. It sees nothing but the \
             question: give all that it needs.",
            json!({ "question": text("The question, complete in itself.") }),
            &["question"],
        )];
        specs.extend(Maths.specs());
        if !self.files.is_empty() {
            specs.push(spec(
                "read_file",
                "Reads a file of the task, up to 200 lines at a time.",
                json!({
                    "file": text("The name of the file."),
                    "first_line": {
                        "type": "integer", "minimum": 1,
                        "description": "The line to begin at, counted from 1.",
                    },
                }),
                &["file"],
            ));
            specs.push(spec(
                "search_files",
                "Finds the lines of all files that have all of the words, in any order.",
                json!({ "words": text("One or a few words.") }),
                &["words"],
            ));
        }
        specs
    }

    fn call(&mut self, name: &str, arguments: Value) -> Result<ToolOutput, ToolFailure> {
        let schema = |error: serde_json::Error| ToolFailure {
            is_schema: true,
            ..failure("schema", error.to_string())
        };
        let value = match name {
            "read_file" => {
                let ReadArgs { file, first_line } =
                    serde_json::from_value(arguments).map_err(schema)?;
                read(self.file(&file)?, first_line.unwrap_or(1).max(1))
            }
            "search_files" => {
                let SearchArgs { words } = serde_json::from_value(arguments).map_err(schema)?;
                search(self.files, &words)?
            }
            _ => return Maths.call(name, arguments),
        };
        Ok(ToolOutput { value, notes: Vec::new(), effects: Effects::default(), told: None })
    }
}

/// The one tool that calculates.
pub(super) struct Maths;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CalculateArgs {
    expression: String,
}

impl ToolSet for Maths {
    fn specs(&self) -> Vec<ToolSpec> {
        vec![spec(
            CALCULATE,
            "Calculates: + - * / // % ^ brackets, comparisons, 20% of 50, and functions such as \
             sum(1, 2), mean, median, min, max, round(x, digits), sqrt. Exact for whole numbers and \
             fractions. x = 3; x^2 names a value.",
            json!({
                "expression": { "type": "string", "description": "For example (12 + 30) / 4." },
            }),
            &["expression"],
        )]
    }

    fn call(&mut self, name: &str, arguments: Value) -> Result<ToolOutput, ToolFailure> {
        if name != CALCULATE {
            return Err(failure("unknown_function", format!("there is no function {name}")));
        }
        let CalculateArgs { expression } = serde_json::from_value(arguments).map_err(|error| {
            ToolFailure { is_schema: true, ..failure("schema", error.to_string()) }
        })?;
        // Some seconds at most, also in a debug build.
        let limits = maths::MathsLimits { steps: 10_000_000, ..Default::default() };
        let value = maths::evaluate(&expression, &limits)
            .map_err(|error| failure("no_value", error.to_string()))?;
        let value = json!(value.to_string());
        Ok(ToolOutput { value, notes: Vec::new(), effects: Effects::default(), told: None })
    }
}

fn read(file: &KgotFile, first: usize) -> Value {
    let n_lines = file.text.lines().count();
    let mut text = String::new();
    let mut last = first.saturating_sub(1);
    for line in file.text.lines().skip(first - 1).take(LINES) {
        if text.len() + line.len() > LETTERS && !text.is_empty() {
            break;
        }
        text.extend(line.chars().take(LETTERS));
        text.push('\n');
        last += 1;
    }
    let mut value = json!({ "file": file.name, "text": text });
    if first > 1 || last < n_lines {
        value["lines"] = json!(format!("{first} to {last} of {n_lines}"));
    }
    value
}

fn search(files: &[KgotFile], words: &str) -> Result<Value, ToolFailure> {
    let wanted: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    if wanted.is_empty() {
        return Err(failure("no_words", "expected at least one word".into()));
    }
    let mut found = Vec::new();
    let mut n_more = 0_usize;
    for file in files {
        for (i, line) in file.text.lines().enumerate() {
            let lower = line.to_lowercase();
            if wanted.iter().all(|word| lower.contains(word)) {
                if found.len() < LINES {
                    let line: String = line.chars().take(500).collect();
                    found.push(json!({ "file": file.name, "line": i + 1, "text": line }));
                } else {
                    n_more += 1;
                }
            }
        }
    }
    let mut value = json!({ "found": found });
    if n_more > 0 {
        value["more"] = json!(n_more);
    }
    Ok(value)
}

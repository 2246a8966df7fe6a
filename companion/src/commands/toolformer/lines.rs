//! Lines of a file, and the text of each that has calls.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::Value;
use systems::toolformer::Instance;
use systems::toolformer::instance::MAX_LINE;

use crate::{input, limits};

/// Which file, and which of its texts.
#[derive(clap::Args)]
pub(super) struct Texts {
    /// JSON lines, or lines `Input: … Output: … Reasoning Result: ….`, plain or gzipped.
    file: PathBuf,
    /// The field of a JSON line that has the text.
    #[arg(long, default_value = "output")]
    field: String,
    /// Writes one JSON object a line.
    #[arg(long)]
    pub(super) json: bool,
    /// At most so many lines.
    #[arg(long)]
    limit: Option<usize>,
}

/// A line that was read.
pub(super) struct Text {
    /// Its number, from 1.
    pub(super) line: usize,
    /// What was asked, where the line has it.
    pub(super) input: String,
    /// What has calls.
    pub(super) text: String,
    /// The right answers, where the line has them.
    pub(super) answer: Option<String>,
}

impl Texts {
    pub(super) fn read(&self) -> anyhow::Result<Vec<Text>> {
        let mut all = read(&self.file, &self.field)?;
        all.truncate(self.limit.unwrap_or(usize::MAX));
        Ok(all)
    }
}

/// Reads the texts of a file.
pub(super) fn read(path: &Path, field: &str) -> anyhow::Result<Vec<Text>> {
    let mut all = Vec::new();
    let text = input::text(path, limits::TEXT)?;
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let read =
            one(line, field).with_context(|| format!("{}, line {}", path.display(), i + 1))?;
        all.push(Text { line: i + 1, ..read });
    }
    Ok(all)
}

fn one(line: &str, field: &str) -> anyhow::Result<Text> {
    if line.len() > MAX_LINE {
        bail!("it has {} bytes; at most {MAX_LINE} are read", line.len());
    }
    if !line.trim_start().starts_with('{') {
        let read = Instance::read(line)?;
        let (input, text, answer) = (read.input, read.output, read.answer);
        return Ok(Text { line: 0, input, text, answer });
    }
    let mut read: Value = serde_json::from_str(line).context("a JSON object was expected")?;
    let of = |field: &str| read.get(field).and_then(Value::as_str).map(str::to_owned);
    let (input, answer) = (of("input").unwrap_or_default(), of("answer"));
    match read.get_mut(field).map(Value::take) {
        Some(Value::String(text)) => Ok(Text { line: 0, input, text, answer }),
        Some(_) => bail!("the field {field:?} is no text"),
        None => bail!("there is no field {field:?}; --field says which has the text"),
    }
}

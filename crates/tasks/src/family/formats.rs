//! Files of the benchmark: JSON lines, each of a `kind` (`family`, `tool`, `sample`); and the
//! separate files in which other benchmarks of this kind come: samples and tools as JSON lines,
//! links as tab-separated triples.

use std::collections::BTreeMap;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use super::check::declared;
use super::messages::{MAX_LINE_BYTES, read_messages};
use super::model::{Benchmark, Family, FamilyError, Link, MAX_LINKS, Sample, ToolDef};

/// The most bytes of a file.
pub const MAX_FILE_BYTES: usize = 50_000_000;
/// The most samples or tools of a file.
const MAX_LINES: usize = 100_000;
/// The most steps of a search in a file.
const MAX_PATH: usize = 16;

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line {
    Family(Family),
    Tool(ToolDef),
    Sample(Box<Sample>),
}

/// A benchmark as a file: a line for each family, then for each tool, then for each sample.
///
/// # Errors
/// A number that JSON does not have.
pub fn write(benchmark: &Benchmark) -> Result<String, FamilyError> {
    let families = benchmark.families.iter().cloned().map(Line::Family);
    let tools = benchmark.tools.iter().cloned().map(Line::Tool);
    let samples = benchmark.samples.iter().cloned().map(|s| Line::Sample(Box::new(s)));
    let mut text = String::new();
    for (i, line) in families.chain(tools).chain(samples).enumerate() {
        let line = serde_json::to_string(&line)
            .map_err(|e| FamilyError::Line { line: i + 1, message: e.to_string() })?;
        text.push_str(&line);
        text.push('\n');
    }
    Ok(text)
}

/// Reads what [`write()`] writes.
///
/// # Errors
/// A line is no such line, a name is not such as a family may have, a tool requires what it does not
/// declare, or something is too large.
pub fn read_benchmark(text: &str) -> Result<Benchmark, FamilyError> {
    let mut benchmark = Benchmark::default();
    for (line, read) in lines::<Line>(text, "a line with the kind family, tool or sample")? {
        let wrong = |message: String| FamilyError::Line { line, message };
        match read {
            Line::Family(family) => {
                family.check().map_err(|e| wrong(e.to_string()))?;
                benchmark.families.push(family);
            }
            Line::Tool(tool) => {
                declared(&tool).map_err(wrong)?;
                benchmark.tools.push(tool);
            }
            Line::Sample(sample) => benchmark.samples.push(bounded(*sample, line)?),
        }
    }
    Ok(benchmark)
}

/// Reads a benchmark from named files, in any order: one that [`write()`] wrote, or samples (as JSON
/// objects, or as lists of messages, which bring their tools along), tools and triples in a file
/// each. The first line of a file says what is in it.
///
/// # Errors
/// A file cannot be read, by its name.
pub fn read_files(files: &[(String, String)]) -> Result<Benchmark, String> {
    if let [(name, text)] = files
        && kind(text) == FileKind::Benchmark
    {
        return read_benchmark(text).map_err(|e| format!("{name}: {e}"));
    }
    let (mut benchmark, mut tools) = (Benchmark::default(), None);
    for (name, text) in files {
        let wrong = |e: FamilyError| format!("{name}: {e}");
        too_large(text).map_err(wrong)?;
        match kind(text) {
            FileKind::Benchmark => {
                return Err(format!(
                    "{name}: it has a whole benchmark; no other file belongs beside it"
                ));
            }
            FileKind::Messages => {
                let (samples, of_samples) = read_messages(text).map_err(wrong)?;
                benchmark.samples.extend(samples);
                benchmark.tools = of_samples;
            }
            FileKind::Samples => benchmark.samples.extend(read_samples(text).map_err(wrong)?),
            FileKind::Tools => tools = Some(read_tools(text).map_err(wrong)?),
            FileKind::Triples => benchmark.families.push(read_triples("", text).map_err(wrong)?),
        }
    }
    // Tools in a file of their own are more than those that messages name.
    benchmark.tools = tools.unwrap_or(benchmark.tools);
    Ok(benchmark)
}

/// What is in a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Benchmark,
    Messages,
    Samples,
    Tools,
    Triples,
}

/// What is in a file, by its first line. A line that cannot be read counts as one of a benchmark.
fn kind(text: &str) -> FileKind {
    let line = text.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or_default();
    if line.starts_with('[') {
        return FileKind::Messages;
    }
    if !line.starts_with('{') {
        return if line.contains('\t') { FileKind::Triples } else { FileKind::Benchmark };
    }
    let fields: BTreeMap<String, IgnoredAny> = serde_json::from_str(line).unwrap_or_default();
    match () {
        () if fields.contains_key("kind") || fields.is_empty() => FileKind::Benchmark,
        () if fields.contains_key("query") => FileKind::Samples,
        () => FileKind::Tools,
    }
}

/// Reads samples, one as JSON a line. Fields that are not known are passed over.
///
/// # Errors
/// A line is no sample, or something is too large.
pub fn read_samples(text: &str) -> Result<Vec<Sample>, FamilyError> {
    let samples = lines::<Sample>(text, "a sample")?;
    samples.into_iter().map(|(line, sample)| bounded(sample, line)).collect()
}

/// Reads tools, one as JSON a line.
///
/// # Errors
/// A line is no tool, or something is too large.
pub fn read_tools(text: &str) -> Result<Vec<ToolDef>, FamilyError> {
    Ok(lines::<ToolDef>(text, "a tool")?.into_iter().map(|(_, tool)| tool).collect())
}

/// Reads a family's links: head, relation and tail of each on a line, between tabs.
///
/// # Errors
/// A line has not three parts, or one of them is not such as a link may have.
pub fn read_triples(id: &str, text: &str) -> Result<Family, FamilyError> {
    too_large(text)?;
    let mut family = Family { id: id.to_owned(), ..Family::default() };
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let parts: Vec<&str> = line.split('\t').collect();
        let [head, relation, tail] = parts[..] else {
            let message = format!("{} parts between tabs; a link has three", parts.len());
            return Err(FamilyError::Line { line: i + 1, message });
        };
        if family.links.len() >= MAX_LINKS {
            return Err(FamilyError::TooMany { what: "links", limit: MAX_LINKS });
        }
        family.links.push(Link::new(head.trim(), relation.trim(), tail.trim()));
    }
    family.check()?;
    Ok(family)
}

fn too_large(text: &str) -> Result<(), FamilyError> {
    let limit = MAX_FILE_BYTES;
    if text.len() > limit { Err(FamilyError::TooMany { what: "bytes", limit }) } else { Ok(()) }
}

fn lines<T: DeserializeOwned>(text: &str, what: &str) -> Result<Vec<(usize, T)>, FamilyError> {
    too_large(text)?;
    let mut all = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let wrong = |message: String| FamilyError::Line { line: i + 1, message };
        if line.len() > MAX_LINE_BYTES {
            let n = line.len();
            return Err(wrong(format!("it has {n} bytes; at most {MAX_LINE_BYTES} are read")));
        }
        if all.len() >= MAX_LINES {
            return Err(FamilyError::TooMany { what: "lines", limit: MAX_LINES });
        }
        let read = serde_json::from_str(line)
            .map_err(|e| wrong(format!("{what} was expected, as one JSON object: {e}")))?;
        all.push((i + 1, read));
    }
    Ok(all)
}

fn bounded(sample: Sample, line: usize) -> Result<Sample, FamilyError> {
    let longest = sample.searches.iter().map(|s| s.path.len()).max().unwrap_or_default();
    if longest > MAX_PATH || sample.searches.len() > MAX_PATH {
        let message = format!(
            "the sample {:?} has a search of {longest} steps, or too many searches; at most \
             {MAX_PATH} are read",
            sample.id
        );
        return Err(FamilyError::Line { line, message });
    }
    Ok(sample)
}

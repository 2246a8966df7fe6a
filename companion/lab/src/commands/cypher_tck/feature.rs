//! Reads scenarios from the kit's feature files.

use std::path::{Path, PathBuf};

use gherkin::{Feature, GherkinEnv};

use super::steps::{RawStep, Step, StepError};
use companion::{input, limits};

/// Something that the kit asks of an engine.
#[derive(Debug)]
pub(crate) struct Scenario {
    /// The file, from the kit's folder of features on.
    pub file: String,
    /// The names of feature and scenario, and for outlines the row of the examples, from 1.
    pub name: String,
    /// Why it is not run.
    pub skip: Option<&'static str>,
    /// What is done and expected, one after the other.
    pub steps: Result<Vec<Step>, StepError>,
}

/// Why a file gives no scenarios.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FeatureError {
    /// It is no feature file.
    #[error("{}: no feature file: {message}", path.display())]
    Gherkin {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
}

/// Why scenarios with procedures of their own are not run.
pub(crate) const NO_PROCEDURES: &str = "procedures are left out";
/// Why scenarios with dates, times and durations are not run.
pub(crate) const NO_TEMPORAL: &str = "temporal types are left out";

/// The scenarios of a file, in their order.
///
/// # Errors
/// It cannot be read, or is no feature file.
pub(crate) fn read_file(path: &Path) -> anyhow::Result<Vec<Scenario>> {
    Ok(read_text(path, &input::text(path, limits::FEATURE)?)?)
}

/// The scenarios of a text; the path says where it is from, and where named graphs are.
///
/// # Errors
/// It is no feature file.
pub(crate) fn read_text(path: &Path, text: &str) -> Result<Vec<Scenario>, FeatureError> {
    let feature = Feature::parse(for_gherkin(text), GherkinEnv::default())
        .map_err(|e| FeatureError::Gherkin { path: path.to_owned(), message: e.to_string() })?;
    let rules = feature.rules.iter().flat_map(|rule| {
        rule.scenarios.iter().map(|scenario| (rule.background.as_ref(), scenario))
    });
    let all = feature.scenarios.iter().map(|scenario| (None, scenario)).chain(rules);
    let mut scenarios = Vec::new();
    for (of_rule, scenario) in all {
        let backgrounds = [feature.background.as_ref(), of_rule];
        let background = backgrounds.into_iter().flatten().flat_map(|background| &background.steps);
        let steps: Vec<&gherkin::Step> = background.chain(&scenario.steps).collect();
        for (row, example) in examples(scenario) {
            let name = example.fill(&scenario.name);
            let row = row.map(|row| format!(" (row {row})")).unwrap_or_default();
            let steps: Vec<_> = steps.iter().map(|step| example.fill_step(step)).collect();
            scenarios.push(Scenario {
                file: name_of(path),
                name: format!("{}: {name}{row}", feature.name),
                skip: why_skipped(path, &steps),
                steps: super::steps::read(path, &steps),
            });
        }
    }
    Ok(scenarios)
}

/// The path from the kit's folder of features on, so that it is the same wherever the kit lies.
fn name_of(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    match parts.iter().rposition(|part| part == "features") {
        Some(at) => parts[at + 1..].join("/"),
        None => path.display().to_string(),
    }
}

/// The text as the crate `gherkin` can read it: it knows no byte order mark, is unsure of line ends
/// of Windows, and refuses two things that Gherkin allows: backslashes in tables that escape nothing,
/// such as `\'`, and scenarios that begin with And or But, as the next steps of their background. What
/// begins a step makes no difference here, so such a scenario begins with Given.
fn for_gherkin(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_text = false;
    let mut is_first = false;
    for line in text.trim_start_matches('\u{feff}').lines() {
        let trimmed = line.trim_start();
        let begins = |words: &[&str]| words.iter().any(|word| trimmed.starts_with(word));
        if !in_text && begins(&["Background:", "Scenario", "Example"]) {
            is_first = true;
        } else if !in_text && is_first && begins(&["Given ", "When ", "Then ", "* "]) {
            is_first = false;
        } else if !in_text && is_first && begins(&["And ", "But "]) {
            is_first = false;
            out.push_str("Given ");
            out.push_str(&trimmed[4..]);
            out.push('\n');
            continue;
        }
        if trimmed.starts_with("\"\"\"") {
            in_text = !in_text;
        }
        if in_text || !trimmed.starts_with('|') {
            out.push_str(line);
        } else {
            let mut letters = line.chars().peekable();
            while let Some(letter) = letters.next() {
                out.push(letter);
                if letter == '\\' {
                    match letters.next_if(|next| matches!(next, 'n' | '|' | '\\')) {
                        Some(escaped) => out.push(escaped),
                        None => out.push('\\'),
                    }
                }
            }
        }
        out.push('\n');
    }
    out
}

/// A row of examples: what stands for which placeholder.
#[derive(Default)]
struct Example<'f> {
    values: Vec<(&'f str, &'f str)>,
}

/// The rows of all tables of examples, with their numbers; for a scenario without, one that changes
/// nothing.
fn examples(scenario: &gherkin::Scenario) -> Vec<(Option<usize>, Example<'_>)> {
    if scenario.examples.is_empty() {
        return vec![(None, Example::default())];
    }
    let tables = scenario.examples.iter().filter_map(|examples| examples.table.as_ref());
    let rows = tables.filter_map(|table| table.rows.split_first()).flat_map(|(names, rows)| {
        let names = names.iter().map(String::as_str);
        rows.iter().map(move |row| Example {
            values: names.clone().zip(row.iter().map(String::as_str)).collect(),
        })
    });
    rows.enumerate().map(|(i, example)| (Some(i + 1), example)).collect()
}

impl Example<'_> {
    /// The text with values for placeholders. What a value brings is never taken for a placeholder.
    fn fill(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find('<') {
            out.push_str(&rest[..start]);
            rest = &rest[start..];
            let found = self.values.iter().find_map(|(name, value)| {
                let after = rest[1..].strip_prefix(name)?.strip_prefix('>')?;
                Some((value, after))
            });
            (rest, _) = match found {
                Some((value, after)) => (after, out.push_str(value)),
                None => (&rest[1..], out.push('<')),
            };
        }
        out + rest
    }

    fn fill_step(&self, step: &gherkin::Step) -> RawStep {
        let table = step.table.as_ref().map(|table| {
            table.rows.iter().map(|row| row.iter().map(|cell| self.fill(cell)).collect()).collect()
        });
        RawStep {
            words: self.fill(&step.value),
            text: step.docstring.as_ref().map(|text| self.fill(text.trim_matches('\n'))),
            table,
        }
    }
}

fn why_skipped(path: &Path, steps: &[RawStep]) -> Option<&'static str> {
    let folders: Vec<_> = path.components().map(|part| part.as_os_str()).collect();
    let in_temporal = folders.windows(2).any(|pair| pair == ["expressions", "temporal"]);
    if in_temporal || steps.iter().filter_map(|step| step.text.as_deref()).any(uses_temporal) {
        return Some(NO_TEMPORAL);
    }
    let has_procedure = |step: &RawStep| step.words.starts_with("there exists a procedure");
    steps.iter().any(has_procedure).then_some(NO_PROCEDURES)
}

/// The functions that make dates, times and durations; `date.truncate(` and the like are meant too.
const TEMPORAL: [&str; 6] = ["date", "time", "localtime", "datetime", "localdatetime", "duration"];

/// Whether a query calls a function that makes a date, a time or a duration.
fn uses_temporal(query: &str) -> bool {
    let in_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '.');
    query.match_indices('(').any(|(at, _)| {
        let before = &query[..at];
        let name = before.rsplit(|letter| !in_name(letter)).next().unwrap_or_default();
        let name = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
        TEMPORAL.contains(&name.as_str())
    })
}

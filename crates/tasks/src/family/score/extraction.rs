//! What was extracted from the graph, held against the links that are needed.
//!
//! Paper: FamilyTool §6.1, eq. 1–6.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::model::{FamilyCall, Link, Sample};
use super::{Ruleset, mean};

/// What an extraction gave, as far as it is measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extracted {
    /// The links that a search gave.
    pub links: Vec<Link>,
    /// Whether the text for the next model bears the mark of a bad extraction.
    pub is_marked: bool,
    /// Whether the text for the next model is empty.
    pub is_empty: bool,
    /// The relation paths that were searched.
    pub n_paths: usize,
    /// Those with a relation that the graph does not have.
    pub n_fake_paths: usize,
}

/// What an extraction is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExtractionScore {
    /// 1 where the links are exactly those that are needed.
    pub exact_match: f64,
    /// The harmonic mean of precision and recall.
    pub f1: f64,
    /// 1 where all that the right call takes from the graph is at the end of an extracted link.
    pub coverage: f64,
    /// Whether no extraction can be read at all.
    pub is_format_error: bool,
    /// Whether it bears the mark of a bad extraction.
    pub is_marked: bool,
    /// The relation paths that were searched.
    pub n_paths: usize,
    /// Those with a relation that the graph does not have.
    pub n_fake_paths: usize,
}

/// Measures an extraction.
///
/// The rules differ in two things. Where nothing is needed and nothing was extracted, the public
/// code gives F1 0 and a coverage of 1 whatever was extracted; here all three are 1 if nothing was
/// extracted, and else 0. And the public code looks for needed entities as parts of the call's text;
/// here they are whole values of the call.
pub fn score_extraction(sample: &Sample, extracted: &Extracted, mode: Ruleset) -> ExtractionScore {
    let gold: BTreeSet<&Link> = sample.links.iter().collect();
    let found: BTreeSet<&Link> = extracted.links.iter().collect();
    let both = gold.intersection(&found).count() as f64;
    let nothing = gold.is_empty() && found.is_empty();
    let f1 = if both > 0.0 {
        let (precision, recall) = (both / found.len() as f64, both / gold.len() as f64);
        2.0 * precision * recall / (precision + recall)
    } else if mode == Ruleset::Paper && nothing {
        1.0
    } else {
        0.0
    };
    let coverage = if mode == Ruleset::Paper && gold.is_empty() {
        f64::from(found.is_empty())
    } else {
        f64::from(is_covered(sample, &found, mode))
    };
    ExtractionScore {
        exact_match: f64::from(gold == found),
        f1,
        coverage,
        is_format_error: extracted.is_empty,
        is_marked: extracted.is_marked,
        n_paths: extracted.n_paths,
        n_fake_paths: extracted.n_fake_paths,
    }
}

fn is_covered(sample: &Sample, found: &BTreeSet<&Link>, mode: Ruleset) -> bool {
    let ends: BTreeSet<&str> =
        found.iter().flat_map(|l| [l.head.as_str(), l.tail.as_str()]).collect();
    let entities = sample.links.iter().flat_map(|l| [l.head.as_str(), l.tail.as_str()]);
    let Some(call) = &sample.call else { return true };
    let text = serde_json::to_string(call).unwrap_or_default();
    let is_used = |entity: &str| match mode {
        Ruleset::Compat => text.contains(entity),
        Ruleset::Paper => is_value(call, entity),
    };
    entities.filter(|e| is_used(e)).all(|e| ends.contains(e))
}

fn is_value(call: &FamilyCall, entity: &str) -> bool {
    let is = |value: &Value| value.as_str() == Some(entity);
    call.parameters
        .values()
        .any(|v| is(v) || v.as_array().is_some_and(|items| items.iter().any(is)))
}

/// Extractions of many samples, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExtractionSummary {
    /// The number of samples.
    pub n_samples: usize,
    /// Exact match: the share of samples with exactly the right links, 0 to 100.
    pub exact_match: f64,
    /// F1 of the links, 0 to 100.
    pub f1: f64,
    /// Coverage: the share of the right links that were found, 0 to 100.
    pub coverage: f64,
    /// By the public code: samples without the mark, among those without a format error. By the
    /// paper: relation paths without a relation that the graph does not have.
    pub no_hallucination: f64,
    /// The same as the paper's own tables count it: samples without the mark, among all.
    pub no_hallucination_all: f64,
    /// Samples of which no extraction can be read.
    pub format_errors: f64,
}

impl ExtractionSummary {
    /// Takes the mean over samples.
    pub fn of(scores: &[ExtractionScore], mode: Ruleset) -> Self {
        let share = |part: usize, whole: usize| {
            if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
        };
        let count = |is: &dyn Fn(&ExtractionScore) -> bool| scores.iter().filter(|s| is(s)).count();
        let no_hallucination = match mode {
            Ruleset::Compat => share(
                count(&|s| !s.is_format_error && !s.is_marked),
                count(&|s| !s.is_format_error),
            ),
            Ruleset::Paper => {
                let n_paths: usize = scores.iter().map(|s| s.n_paths).sum();
                let n_fake: usize = scores.iter().map(|s| s.n_fake_paths).sum();
                if n_paths == 0 { 100.0 } else { share(n_paths - n_fake.min(n_paths), n_paths) }
            }
        };
        Self {
            n_samples: scores.len(),
            exact_match: mean(scores.iter().map(|s| s.exact_match)),
            f1: mean(scores.iter().map(|s| s.f1)),
            coverage: mean(scores.iter().map(|s| s.coverage)),
            no_hallucination,
            no_hallucination_all: share(count(&|s| !s.is_marked), scores.len()),
            format_errors: share(count(&|s| s.is_format_error), scores.len()),
        }
    }
}

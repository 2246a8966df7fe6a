//! Families: benchmarks, requests that two models work on, searches by hand.

use agent::Limits;
use serde::{Deserialize, Serialize};
use systems::kgetool::{Episode, EpisodeOptions, Extraction, Scores};
use tasks::family::score::Ruleset;
use tasks::family::{Benchmark, Family, Sample, ToolDef};

use crate::exact::Exact;
use crate::runs::ModelChoice;
use crate::service::services;

/// Makes a benchmark of a size that a page can show.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GenerateFamilies {
    /// The seed.
    pub seed: u64,
    /// Relatives of a household, from 8 to 20.
    pub n_relatives: usize,
    /// Whether values are ids in place of names.
    pub is_opaque: bool,
}

/// Reads a benchmark file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadFamilies {
    /// The text of a benchmark file or of a family.
    pub text: String,
}

/// Writes a benchmark file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WriteFamilies {
    /// The benchmark.
    #[serde(with = "crate::exact")]
    pub benchmark: Box<Benchmark>,
}

/// Searches a family's graph by each method, without a model; what each finds stands in the order of
/// [`Method::ALL`](systems::kgetool::Method::ALL).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchFamily {
    /// The family.
    #[serde(with = "crate::exact")]
    pub family: Family,
    /// The searches, as a model would write them.
    pub text: String,
    /// By whose rules.
    pub mode: Ruleset,
    /// How many names Relation Retrieval tries.
    pub k: usize,
}

/// Lets the models work on a request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunFamily {
    /// The family as it is now.
    #[serde(with = "crate::exact")]
    pub family: Family,
    /// The request, with what is right about it where that is known.
    #[serde(with = "crate::exact")]
    pub sample: Sample,
    /// The tools to choose from.
    #[serde(with = "crate::exact")]
    pub tools: Vec<ToolDef>,
    /// The model that searches.
    #[serde(with = "crate::exact")]
    pub extract: ModelChoice,
    /// The model that calls.
    #[serde(with = "crate::exact")]
    pub call: ModelChoice,
    /// How to go about it.
    #[serde(with = "crate::exact")]
    pub options: EpisodeOptions,
    /// How far it may go.
    pub limits: Limits,
    /// Whether it is known what is right.
    pub is_scored: bool,
}

/// The models have done what they could.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FamilyAnswer {
    /// What came of it.
    #[serde(with = "crate::exact")]
    pub episode: Box<Episode>,
    /// Its scores by each set of rules, in the order of [`Ruleset::ALL`]; empty where it is not known
    /// what is right.
    pub scores: Vec<Scores>,
    /// How names were compared.
    pub similarity: String,
}

services! {
    GenerateFamilies, "family/generate" => Exact<Benchmark>,
    ReadFamilies, "family/read" => Exact<Benchmark>,
    WriteFamilies, "family/write" => String,
    SearchFamily, "family/search" => Exact<Vec<Extraction>>,
    RunFamily, "family/run" => FamilyAnswer,
}

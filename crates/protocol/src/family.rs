//! Families: benchmarks, requests that two models work on, searches by hand.

use serde::{Deserialize, Serialize};
use systems::kgetool::Extraction;
use systems::kgetool::experiment::Outcome;
use tasks::family::score::Ruleset;
use tasks::family::{Benchmark, Family, ToolDef};

use crate::exact::Exact;
use crate::runs::RunKind;
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

/// Requests about a family, as [`StartRun`](crate::runs::StartRun) runs them.
#[derive(Clone, Debug)]
pub struct FamilyRun;

impl RunKind for FamilyRun {
    const NAME: &'static str = "run/family";
    const CASES: &'static str = "cases/family";
    type ByHand = AskedFamily;
    type Event = FoundLinks;
    type Outcome = Outcome;
}

/// Whom a request is about, as the page has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AskedFamily {
    /// The family as it is now.
    pub family: Family,
    /// The tools to choose from.
    pub tools: Vec<ToolDef>,
}

/// What the searches found; sent at the end of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundLinks {
    /// What each method makes of the searches, in the order of
    /// [`Method::ALL`](systems::kgetool::Method::ALL); empty where nothing was searched.
    #[serde(with = "crate::exact")]
    pub by_method: Vec<Extraction>,
    /// How names were compared.
    pub similarity: String,
}

services! {
    GenerateFamilies, "family/generate" => Exact<Benchmark>,
    ReadFamilies, "family/read" => Exact<Benchmark>,
    WriteFamilies, "family/write" => String,
    SearchFamily, "family/search" => Exact<Vec<Extraction>>,
}

//! Reports on the family benchmark: what came of each request as a line, and the tables of the paper
//! over such lines, with the paper's own figures as reference rows.

mod report;

use serde::{Deserialize, Serialize};
use systems::kgetool::{Episode, Method, Options, Scores, Source};
use tasks::family::score::Mode;
use tasks::family::{Call, Cell, Link, Noise, Sample, Search};
use trace::Stop;

pub use report::{MAX_LINES, read, tables};

/// What came of one request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FamilyLine {
    /// The sample's id.
    pub id: String,
    /// The label of the model that searched; empty where none was asked.
    pub extract_model: String,
    /// The label of the model that called.
    pub call_model: String,
    /// By which method.
    pub method: Method,
    /// By whose rules the searches were done.
    pub mode: Mode,
    /// How many names Relation Retrieval tried.
    pub k: usize,
    /// What the second model was told.
    pub source: Source,
    /// The searches that were read.
    pub searches: Vec<Search>,
    /// The links that they found.
    pub links: Vec<Link>,
    /// The calls that were made.
    pub calls: Vec<Call>,
    /// Scores by the paper's words.
    pub paper: Scores,
    /// Scores as the public code gives them.
    pub compat: Scores,
    /// Why it ended, where that was not an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// What is new in the sample.
    pub cell: Cell,
    /// Whether it needs nothing of the graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<Noise>,
    /// The relations of its longest search.
    pub depth: usize,
}

impl FamilyLine {
    /// The line of an episode.
    pub fn new(sample: &Sample, episode: &Episode, options: Options) -> Self {
        let stops =
            episode.extracting.iter().chain([&episode.calling]).filter_map(|t| t.stop.as_ref());
        let stopped = stops.filter(|s| **s != Stop::Answered).map(Stop::title).next();
        Self {
            id: sample.id.clone(),
            extract_model: episode
                .extracting
                .as_ref()
                .map_or_else(String::new, |t| t.model.clone()),
            call_model: episode.calling.model.clone(),
            method: options.search.method,
            mode: options.search.mode,
            k: options.search.k,
            source: options.source,
            searches: episode.extraction.found.iter().map(|f| f.search.clone()).collect(),
            links: episode.extraction.extracted.links.clone(),
            calls: episode.calls.clone(),
            paper: episode.score(sample, Mode::Paper),
            compat: episode.score(sample, Mode::Compat),
            stopped,
            cell: sample.cell,
            noise: sample.noise,
            depth: sample.depth,
        }
    }

    /// The scores by a set of rules.
    pub fn scores(&self, rules: Mode) -> Scores {
        match rules {
            Mode::Paper => self.paper,
            Mode::Compat => self.compat,
        }
    }
}

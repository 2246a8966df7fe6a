//! Statements with inline calls that stand somewhere already, run and scored as `bench --experiment
//! toolformer` does with what a model writes.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use eval::report::{Report, ReportOptions, RowGroup};
use eval::{RunEntry, Runs, Setup};
use llm::Model;
use serde::Serialize;
use serde::de::IgnoredAny;
use systems::experiment::{RoleModel, World};
use systems::experiments;
use systems::toolformer::Hubs;
use systems::toolformer::experiment::{HubsWorld, ID, Options, WRITER, bleu_of, case};
use systems::toolformer::prompts::Pair;
use systems::toolformer::write::Statement;

use crate::local::{Local, Players};

/// Scores of what one model wrote.
pub struct Scoring {
    world: World,
    setup: Setup,
    model: String,
    local: Local,
}

impl Scoring {
    /// None so far. `out` names a new runs file that takes them.
    pub fn new(hubs: Hubs, model: &str, options: Options, out: Option<&Path>) -> Result<Self> {
        let experiment = experiments::find(ID).map_err(anyhow::Error::msg)?;
        let usual = experiment.setup(ID, &[RoleModel::in_file(model)]);
        let mut setup = usual.map_err(anyhow::Error::msg)?;
        setup.options = serde_json::to_value(options)?;
        let world = World::new(HubsWorld::new(hubs));
        Ok(Self { world, setup, model: model.to_owned(), local: Local::new(out)? })
    }

    /// Scores what was written for a pair.
    pub fn score(&mut self, id: String, pair: &Pair, written: String) -> Result<RunEntry> {
        let case = case(id, pair).map_err(anyhow::Error::msg)?;
        let predicted = Statement { by: self.model.clone(), text: written };
        let players: Players =
            BTreeMap::from([(WRITER.id.to_owned(), Box::new(predicted) as Box<dyn Model>)]);
        self.local.run(&self.setup, &case, &self.world, &players, None)
    }

    /// Their sums, once their file is there.
    pub fn finish(self) -> Result<Summary> {
        Ok(Summary::of(&self.local.finish()?))
    }
}

/// Scores over many texts, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Texts.
    pub n: usize,
    /// Mean F1 of ROUGE-1.
    pub rouge_1: f64,
    /// Mean F1 of ROUGE-2.
    pub rouge_2: f64,
    /// Mean F1 of ROUGE-L.
    pub rouge_l: f64,
    /// Mean F1 of ROUGE-LSum.
    pub rouge_lsum: f64,
    /// BLEU of the whole.
    pub bleu: f64,
    /// Its brevity penalty.
    pub brevity: f64,
    /// Texts that are the same.
    pub exact_match: f64,
    /// API-generation accuracy as the public code counts it.
    pub api_accuracy: f64,
    /// Texts with the same calls.
    pub same_calls: f64,
    /// Of the texts whose right calls can be run, those with the same answers; none where none can.
    pub same_answers: Option<f64>,
    /// The texts whose right calls can be run.
    pub n_run: usize,
}

impl Summary {
    /// The sums of the runs of one setup. Means are plain ones, where the public code has the median
    /// of resampled ones.
    fn of(runs: &Runs<IgnoredAny>) -> Self {
        let report = Report::of(runs, ReportOptions::default());
        let all = report.setups.first().and_then(|(setup, _)| report.row(setup, &RowGroup::ALL));
        let Some(all) = all else { return Self::default() };
        let measured = |name: &str| all.measures.get(name).map(|mean| 100.0 * mean.value);
        let mean = |name: &str| measured(name).unwrap_or(0.0);
        let bleu = bleu_of(&all.counts).scores();
        let is_run = |run: &&RunEntry<IgnoredAny>| run.score.measures.contains_key("same_answers");
        Self {
            n: all.n_runs,
            rouge_1: mean("rouge_1"),
            rouge_2: mean("rouge_2"),
            rouge_l: mean("rouge_l"),
            rouge_lsum: mean("rouge_lsum"),
            bleu: 100.0 * bleu.score,
            brevity: 100.0 * bleu.brevity,
            exact_match: mean("exact"),
            api_accuracy: mean("api"),
            same_calls: mean("same_calls"),
            same_answers: measured("same_answers"),
            n_run: runs.runs.iter().filter(is_run).count(),
        }
    }
}

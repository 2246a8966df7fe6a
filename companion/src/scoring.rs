//! Statements with inline calls that stand somewhere already, run and scored as `bench --experiment
//! toolformer` does with what a model writes.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use eval::{RunEntry, Runs, Setup};
use llm::Model;
use serde::de::IgnoredAny;
use systems::experiment::{self, RoleModel, World};
use systems::toolformer::Hubs;
use systems::toolformer::experiment::{HubsWorld, ID, Options, WRITER, case};
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
        let experiment = experiment::find(ID).map_err(anyhow::Error::msg)?;
        let usual = experiment.setup(ID, &[RoleModel::in_file(model)]);
        let mut setup = usual.map_err(anyhow::Error::msg)?;
        setup.options = serde_json::to_value(options)?;
        let world = World::new(HubsWorld(hubs));
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

    /// All of them, once their file is there.
    pub fn finish(self) -> Result<Runs<IgnoredAny>> {
        self.local.finish()
    }
}

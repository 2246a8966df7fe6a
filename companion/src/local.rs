//! Runs that ask no endpoint: scripts play, or what was said stands in a file. Every start makes all
//! of them anew; they are held and added up like those of `bench`.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use agent::Cancel;
use anyhow::{Context as _, Result, anyhow, bail};
use eval::{Case, Entry, JobContext, Key, RunEntry, RunOutcome, Runs, Setup};
use futures_util::FutureExt as _;
use llm::Model;
use serde::de::IgnoredAny;
use systems::experiment::World;
use systems::experiments;

use crate::output::NewFile;

/// The models of a setup's roles.
pub type Players = BTreeMap<String, Box<dyn Model>>;

/// Such runs, and the file that takes them.
pub struct Local {
    /// What was run so far, without the traces.
    pub(crate) runs: Runs<IgnoredAny>,
    file: Option<NewFile>,
}

impl Local {
    /// None so far; a file that is named is a runs file in the end, and must not be there yet.
    pub fn new(out: Option<&Path>) -> Result<Self> {
        let mut file = None;
        if let Some(out) = out {
            if out.exists() {
                bail!(
                    "{}: is there already, and is left as it is; give another name",
                    out.display()
                );
            }
            file = Some(NewFile::create(out)?);
        }
        let mut local = Self { runs: Runs::default(), file };
        local.add(Entry::head())?;
        Ok(local)
    }

    /// Makes a run. Tokens are counted by `count`.
    pub fn run(
        &mut self,
        setup: &Setup,
        case: &Case,
        world: &World,
        models: &Players,
        count: Option<&dyn Fn(&str) -> usize>,
    ) -> Result<RunEntry> {
        let hash = setup.hash();
        if !self.runs.setups.contains_key(&hash) {
            let experiment = experiments::find(&setup.experiment).map_err(anyhow::Error::msg)?;
            let tools = experiment.tools(setup);
            if !tools.is_empty() {
                self.add(Entry::Tools { hash: setup.tools.clone(), tools })?;
            }
            self.add(Entry::Setup { hash: hash.clone(), setup: Box::new(setup.clone()) })?;
        }
        if self.runs.case(&case.id).is_none() {
            self.add(Entry::Case(Box::new(case.clone())))?;
        }
        let key = Key { setup: hash, case: case.id.clone(), sample: 0 };
        let context = JobContext {
            models,
            world,
            watch: &(),
            clock: &|| 0.0,
            at_ms: &|| 0.0,
            cancel: &Cancel::default(),
            count,
        };
        let outcome = eval::run(key, setup, case, context)
            .now_or_never()
            .context("internal error: a script was not ready at once")?
            .map_err(anyhow::Error::msg)?;
        match outcome {
            RunOutcome::Finished(run) => {
                self.add(Entry::Run(run.clone()))?;
                Ok(*run)
            }
            RunOutcome::Failed(failure) => Err(anyhow!("{}: {}", failure.key.case, failure.reason)),
            RunOutcome::Cancelled => Err(anyhow!("internal error: a script was stopped")),
        }
    }

    fn add(&mut self, entry: Entry) -> Result<()> {
        if let Some(file) = &mut self.file {
            file.write_all(entry.line().as_bytes())?;
        }
        self.runs.add(entry.light())?;
        Ok(())
    }

    /// The runs without their traces, once their file is there.
    pub fn finish(self) -> Result<Runs<IgnoredAny>> {
        if let Some(file) = self.file {
            file.finish()?;
        }
        Ok(self.runs)
    }
}

//! What the cases of a benchmark stand on.

use std::rc::Rc;
use std::sync::Arc;

use anyhow::Result;
use kg::Kg;
use kg::find::Finder;
use llm::ToolSpec;
use systems::experiment::{Experiment, Setup, Source, World};
use systems::kgetool::experiment::FamilyWorld;
use systems::kgot::experiment as kgot;
use systems::kgqa::KgWorld;
use systems::toolformer::experiment::{self as toolformer, HubsWorld};
use text::WordTable;

use super::reach::Reach;
use crate::commands::kgetool;
use crate::commands::toolformer::data::Given;
use crate::similarity::SimilarityChoice;

/// Makes what cases stand on; every thread makes its own, because a world is not shared.
pub(super) struct WorldMaker {
    pub(super) experiment: &'static dyn Experiment,
    pub(super) source: Source,
    pub(super) graph: Option<(Arc<Kg>, SimilarityChoice)>,
    pub(super) given: Given,
    /// What tools may reach, in the one experiment that has such tools.
    pub(super) reach: Option<Reach>,
}

impl WorldMaker {
    /// What a person should know before runs begin.
    pub(super) fn warning(&self) -> Option<String> {
        self.reach.as_ref()?.warning()
    }

    /// The tools of a setup.
    pub(super) fn tools(&self, setup: &Setup) -> Vec<ToolSpec> {
        match &self.reach {
            Some(reach) if self.experiment.id() == kgot::ID => reach.tools(setup),
            _ => self.experiment.tools(setup),
        }
    }

    /// The world of an estimate, which asks nobody and runs nothing that others wrote.
    pub(super) fn make_at_home(&self) -> Result<World> {
        self.reach.as_ref().map_or_else(|| self.make(), |reach| Ok(reach.world_at_home()))
    }

    pub(super) fn make(&self) -> Result<World> {
        if let Some(reach) = &self.reach {
            return Ok(reach.world());
        }
        match &self.graph {
            Some((kg, similarity)) => {
                let finder = Finder::new(kg.clone(), similarity.open(None, None)?);
                Ok(World::new(KgWorld { finder: Rc::new(finder), away: None }))
            }
            None if self.experiment.id() == toolformer::ID => {
                Ok(World::new(HubsWorld::new(self.given.hubs()?)))
            }
            None => {
                let world = self.experiment.world(&self.source).map_err(anyhow::Error::msg)?;
                match world.get::<FamilyWorld>() {
                    // The table of words is part of this program.
                    Some(family) => {
                        let words = Some(Rc::new(WordTable::read(kgetool::TABLE)?));
                        let benchmark = family.benchmark.clone();
                        Ok(World::new(FamilyWorld { benchmark, words, meaning: None }))
                    }
                    None => Ok(world),
                }
            }
        }
    }
}

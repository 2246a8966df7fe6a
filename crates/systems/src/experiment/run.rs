//! What a run is asked for, and what it gives.

use std::any::Any;
use std::collections::BTreeMap;
use std::rc::Rc;

use agent::RunContext;
use llm::{BoxFuture, Model};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use trace::{Step, Trace};

use super::{Case, Score, Setup};

/// What cases stand on and what is loaded once: a knowledge graph with its finder, a family with
/// its tools, data sets with their models; nothing where a case has all that it needs.
#[derive(Clone, Default)]
pub struct World(Option<Rc<dyn Any>>);

impl World {
    /// A world of that type.
    pub fn new<T: Any>(world: T) -> Self {
        Self(Some(Rc::new(world)))
    }

    /// The world, if it is of that type.
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.as_deref().and_then(|world| world.downcast_ref())
    }
}

/// The model of each role.
#[derive(Clone, Default)]
pub struct Models<'a>(BTreeMap<String, &'a dyn Model>);

impl<'a> Models<'a> {
    /// One model for a role; others may be added.
    pub fn one(role: &str, model: &'a dyn Model) -> Self {
        Self(BTreeMap::from([(role.to_owned(), model)]))
    }

    /// Gives a role its model.
    pub fn set(&mut self, role: &str, model: &'a dyn Model) {
        self.0.insert(role.to_owned(), model);
    }

    /// The model of a role.
    pub fn get(&self, role: &str) -> Option<&'a dyn Model> {
        self.0.get(role).copied()
    }

    /// The model of a role that a system cannot do without.
    ///
    /// # Errors
    /// It has none.
    pub fn need(&self, role: &str) -> Result<&'a dyn Model, String> {
        self.get(role).ok_or_else(|| format!("the role {role:?} has no model"))
    }
}

/// Who looks on while a run is made, and what a person gives it by hand. A closure that takes steps
/// is one; so a benchmark looks on with `&|_: &Step| ()`.
pub trait Session {
    /// Sees each step as it comes.
    fn step(&self, step: &Step);

    /// Whether a person is there who replies where a model asks back.
    fn has_person(&self) -> bool {
        false
    }

    /// What a person gives beside the case, of the experiment's own type: see [`by_hand`].
    fn by_hand(&self) -> Option<&dyn Any> {
        None
    }

    /// Whether it hears of events and shows the outcome in full. Where not, no events need be made, and
    /// an outcome can leave out what [`score`](super::Experiment::score) makes of the trace.
    fn hears(&self) -> bool {
        false
    }

    /// Hears of what happens beside the steps, of the experiment's own type.
    fn event(&self, _event: &dyn Any) {}

    /// A round begins: a person may have asked to pause before it.
    fn round(&self) {}

    /// Asked between the steps of a run. It waits while a person pauses the run, and gives what the
    /// person corrects meanwhile; nothing lets the run continue.
    fn correction(&self) -> BoxFuture<'_, Option<String>> {
        Box::pin(std::future::ready(None))
    }

    /// What became of a correction: nothing if it was made, or why it was refused.
    fn corrected(&self, _fault: Option<String>) {}
}

impl<F: Fn(&Step)> Session for F {
    fn step(&self, step: &Step) {
        self(step);
    }
}

/// What a person gives beside the case, if it is of that type.
pub fn by_hand<T: Any>(session: &dyn Session) -> Option<&T> {
    session.by_hand().and_then(|given| given.downcast_ref())
}

/// What is to be run.
#[derive(Clone)]
pub struct CaseRequest<'a> {
    /// The system with its options.
    pub setup: &'a Setup,
    /// The case that is run.
    pub case: &'a Case,
    /// What it stands on.
    pub world: &'a World,
    /// Who plays the roles.
    pub models: Models<'a>,
    /// Limits, seed, clock, and who may stop it.
    pub setting: RunContext<'a>,
    /// Which sample of the case, counted from 0: each has its own seed.
    pub sample: u32,
    /// Who looks on, and what is given by hand.
    pub session: &'a dyn Session,
}

/// What happened and how good it was. A system gives its own type of outcome; where it crosses the
/// border of an experiment, that is JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finished<O = Value> {
    /// Step by step; every step is of a role ([`Trace::role_at`]).
    pub trace: Trace,
    /// What the run leaves beside its trace, for [`score`](super::Experiment::score): a plan, links,
    /// a filled text.
    pub outcome: O,
    /// How good it was.
    pub score: Score,
}

impl<O: Serialize> Finished<O> {
    /// The same with its outcome as JSON.
    ///
    /// # Errors
    /// It cannot be written as JSON: a map whose keys are no texts.
    pub fn into_json(self) -> Result<Finished, String> {
        let Self { trace, outcome, score } = self;
        let outcome = serde_json::to_value(outcome).map_err(|e| e.to_string())?;
        Ok(Finished { trace, outcome, score })
    }
}

impl Finished {
    /// The same with its outcome as its experiment has it.
    ///
    /// # Errors
    /// It is of another experiment.
    pub fn typed<O: DeserializeOwned>(self) -> Result<Finished<O>, String> {
        let Self { trace, outcome, score } = self;
        Ok(Finished { trace, outcome: read_outcome(&outcome)?, score })
    }
}

/// Reads the outcome of a run back, for [`score`](super::Experiment::score).
///
/// # Errors
/// It is of another experiment.
pub fn read_outcome<O: DeserializeOwned>(outcome: &Value) -> Result<O, String> {
    O::deserialize(outcome).map_err(|e| format!("the outcome of the run: {e}"))
}

//! Calls in text: statements that are written and run, data and models that are taken.
//!
//! What is asked and replied travels as JSON text inside its message, as for knowledge graphs.

mod gallery;
mod hub;
mod messages;
mod run;

use std::cell::RefCell;
use std::rc::Rc;

use llm::BoxFuture;
use systems::toolformer::hubs::{Hubs, models};
use systems::toolformer::{Executor, Mode, Reasoner};

use crate::Output;
use crate::jobs::Context;
use messages::unread;

pub use messages::{
    CallView, DataView, Example, HubView, ModelView, PieceView, RunView, StepView, TaskFamily,
    ToolformerAsk, ToolformerReply, ToolformerRun, WEIGHTS, Writer,
};

/// What is at hand and what is remembered.
#[derive(Default)]
pub(crate) struct Kept {
    executor: Option<Rc<RefCell<Executor>>>,
    /// The models that were taken, each with the data set that it was trained on.
    trained: Vec<(&'static str, String)>,
}

/// The engine's own.
pub(crate) type Open = Rc<RefCell<Kept>>;

/// A model with the data set that it was trained on.
pub(crate) type Trained = (&'static models::Model, String, Rc<dyn Reasoner>);
/// What makes a model of the bytes of its weights.
pub(crate) type ReadTrained = fn(&[u8]) -> Result<Trained, String>;

impl Kept {
    /// What runs calls; made when it is needed first, anew where the rules are others.
    fn executor(&mut self, mode: Mode) -> Result<Rc<RefCell<Executor>>, String> {
        let now = match &self.executor {
            Some(executor) if executor.borrow().mode() == mode => return Ok(executor.clone()),
            Some(executor) => Executor::new(executor.borrow().hubs().clone(), mode),
            None => Executor::new(Hubs::new().map_err(|e| e.to_string())?, mode),
        };
        Ok(self.executor.insert(Rc::new(RefCell::new(now))).clone())
    }

    fn mode(&self) -> Mode {
        self.executor.as_ref().map(|e| e.borrow().mode()).unwrap_or_default()
    }

    fn hubs(&mut self) -> Result<Hubs, String> {
        let executor = self.executor(self.mode())?;
        let hubs = executor.borrow().hubs().clone();
        Ok(hubs)
    }

    /// Other data or models; what was found with those before is forgotten. A statement that is
    /// running goes on with what it began with.
    fn replace(&mut self, hubs: Hubs) {
        self.executor = Some(Rc::new(RefCell::new(Executor::new(hubs, self.mode()))));
    }
}

/// Makes a model of the bytes of its weights.
#[cfg(feature = "ml")]
pub(crate) fn read_trained(bytes: &[u8]) -> Result<Trained, String> {
    let (name, dataset, reasoner) =
        systems::toolformer::models::read(bytes).map_err(|e| e.to_string())?;
    let model = models::find(name).ok_or_else(|| format!("the hub has no model {name:?}"))?;
    Ok((model, dataset, reasoner))
}

/// Answers what is asked about calls in text.
pub(crate) fn perform<'a>(
    context: &'a Context,
    open: &'a Open,
    ask: String,
    files: Vec<(String, String)>,
) -> BoxFuture<'a, Result<Output, String>> {
    Box::pin(async move {
        let ask: ToolformerAsk = serde_json::from_str(&ask).map_err(unread)?;
        let reply = match ask {
            ToolformerAsk::Hub => hub::now(&mut open.borrow_mut())?,
            ToolformerAsk::Gallery { seed } => {
                let mut kept = open.borrow_mut();
                ToolformerReply::Gallery { families: gallery::families(&kept.hubs()?, seed) }
            }
            ToolformerAsk::TakeData { own } => {
                hub::take_data(&mut open.borrow_mut(), own.as_deref(), files)?
            }
            ToolformerAsk::TakeModel => hub::take_model(context, &mut open.borrow_mut())?,
            ToolformerAsk::Read { text } => ToolformerReply::Read { pieces: run::read(&text)? },
            ToolformerAsk::Run(run) => {
                ToolformerReply::Ran { run: Box::new(run::run(context, open, *run).await?) }
            }
            ToolformerAsk::Forget => {
                let mut kept = open.borrow_mut();
                let hubs = kept.hubs()?;
                kept.replace(hubs);
                hub::now(&mut kept)?
            }
        };
        Ok(Output::Toolformer { reply: serde_json::to_string(&reply).map_err(unread)? })
    })
}

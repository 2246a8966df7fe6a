//! Inline tool calls: statements that are written and run, data and models that are opened.

mod gallery;
mod hub;
mod run;

use std::cell::RefCell;
use std::rc::Rc;

use protocol::toolformer::{
    ClearMemory, HubState, MakeExamples, OpenData, OpenModel, OpenedData, PieceView, ReadStatement,
    ShowHub, ShowPrompts, TaskFamily,
};
use systems::Backends;
use systems::toolformer::hubs::Hubs;
use systems::toolformer::{Executor, Mode};

use crate::context::{Context, Ended};

/// The data and models at hand, and what is remembered.
#[derive(Default)]
pub(crate) struct Hand {
    executor: Option<Rc<RefCell<Executor>>>,
    /// The models that were opened, each with the data set that it was trained on.
    trained: Vec<(&'static str, String)>,
}

impl Hand {
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

    /// Other data or models; what was found with those before is forgotten. A statement whose calls
    /// have not run has them too.
    fn replace(&mut self, hubs: Hubs) {
        let now = Executor::new(hubs, self.mode());
        match &self.executor {
            Some(executor) => drop(executor.replace(now)),
            None => self.executor = Some(Rc::new(RefCell::new(now))),
        }
    }
}

pub(crate) async fn show(context: &Context, _: ShowHub) -> Result<HubState, Ended> {
    Ok(hub::state(&mut context.keep::<Hand>().borrow_mut())?)
}

pub(crate) async fn clear(context: &Context, _: ClearMemory) -> Result<HubState, Ended> {
    let kept = context.keep::<Hand>();
    let mut hand = kept.borrow_mut();
    let hubs = hand.hubs()?;
    hand.replace(hubs);
    Ok(hub::state(&mut hand)?)
}

pub(crate) async fn make_examples(
    context: &Context,
    ask: MakeExamples,
) -> Result<Vec<TaskFamily>, Ended> {
    let hubs = context.keep::<Hand>().borrow_mut().hubs()?;
    Ok(gallery::families(&hubs, ask.seed))
}

pub(crate) async fn show_prompts(
    context: &Context,
    _: ShowPrompts,
) -> Result<Vec<TaskFamily>, Ended> {
    let hubs = context.keep::<Hand>().borrow_mut().hubs()?;
    Ok(gallery::prompts(&hubs))
}

pub(crate) async fn open_data(context: &Context, ask: OpenData) -> Result<OpenedData, Ended> {
    let files = context.attachments.take_files();
    let kept = context.keep::<Hand>();
    let mut hand = kept.borrow_mut();
    Ok(hub::open_data(&mut hand, ask.own.as_deref(), files)?)
}

/// What an engine without trained models answers.
pub(crate) async fn refuse_model(_: &Context, _: OpenModel) -> Result<OpenedData, Ended> {
    let why =
        "this page was opened as one file, which runs no trained models; the page on a server does";
    Err(why.into())
}

/// Opens the model whose weights are attached.
pub(crate) async fn open_model<B: Backends>(
    context: &Context,
    _: OpenModel,
) -> Result<OpenedData, Ended> {
    let kept = context.keep::<Hand>();
    let mut hand = kept.borrow_mut();
    Ok(hub::open_model::<B>(&context.attachments, &mut hand)?)
}

pub(crate) async fn read(_: &Context, ask: ReadStatement) -> Result<Vec<PieceView>, Ended> {
    Ok(run::read(&ask.text)?)
}

//! A statement is written by a model, its calls are run, and all of it is kept as a trace.
//!
//! Paper: Graph-ToolFormer §4.5: the model writes the statement with its calls at once; programs
//! run them afterwards, so that there is no second turn.

mod part;
mod preload;
mod prompt;
mod shape;
mod steps;
mod supply;

use std::cell::RefCell;

use agent::{Conversation, RunContext};
use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Shaped, Usage,
    Watch,
};
use trace::{Step, StepBody, Stop, Trace};

use super::execute::{ExecutedText, Executor};
use super::memory::Shown;

pub use part::{MAX_LINKS, MAX_NODES};
pub use prompt::prompt;
pub use shape::statement_shape;
pub use supply::{Needed, Supply};

/// The id of this system in traces.
pub const SYSTEM: &str = "toolformer";
/// The most bytes of a statement or a question.
pub const MAX_INPUT: usize = 100_000;

/// A statement that was written and run.
#[derive(Clone, Debug)]
pub struct Written {
    /// The turn of whoever wrote it, and each call with what it gave.
    pub trace: Trace,
    /// What came of its calls; nothing if no statement came.
    pub ran: Option<ExecutedText>,
    /// For each bracket, after how many steps of the trace it was done.
    pub done_at: Vec<usize>,
    /// What was remembered before the first call.
    pub memory_before: Vec<Shown>,
}

/// A statement that is there already, in a model's place. No prompt is made for it.
pub struct Statement {
    /// Who wrote it.
    pub by: String,
    /// What it says, calls and all.
    pub text: String,
}

impl Statement {
    /// One that a person has written.
    pub fn of_person(text: impl Into<String>) -> Self {
        Self { by: "You".into(), text: text.into() }
    }
}

impl Model for Statement {
    fn label(&self) -> String {
        self.by.clone()
    }

    fn is_person(&self) -> bool {
        true
    }

    fn complete<'a>(
        &'a self,
        _: &'a ChatRequest,
        _: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        let message = Message::assistant(self.text.clone());
        let (finish, usage) = (FinishReason::Stop, Usage::default());
        Box::pin(async move { Ok(ChatResponse { message, finish, usage }) })
    }
}

/// Lets a model write the statement that answers a question, or that puts a call in the place of
/// `[TBR]`, and runs its calls. Each step is handed to `on_step` as it comes.
///
/// Files that calls name are read while the model still writes, as soon as their names are whole. Data
/// and models that are not at hand are asked of `supply`, each as soon as the call that needs it is
/// whole; the calls run once all that can be had is there.
///
/// What a model or a person gets wrong is in the trace, never an error.
pub async fn write(
    executor: &RefCell<Executor>,
    supply: &dyn Supply,
    input: &str,
    model: &dyn Model,
    setting: RunContext<'_>,
    on_step: &mut dyn FnMut(&Step),
) -> Written {
    // Whoever writes the statement himself needs no instruction.
    let messages = if model.is_person() {
        vec![Message::user("A statement with its calls.")]
    } else {
        prompt(executor.borrow().hubs(), input)
    };
    let shaped = Shaped::of(model, || statement_shape(executor.borrow().hubs()));
    let model = shaped.as_ref().map_or(model, |shaped| shaped);
    let start = Trace::new(SYSTEM, model.label(), messages);
    // A person's statement is there at once.
    let supplying = supply::Supplying::new(supply, executor);
    let preloading = preload::Preloading::new(setting.watch, executor, &supplying);
    let setting = match model.is_person() {
        true => setting,
        false => RunContext { watch: &preloading, ..setting },
    };
    let cancel = setting.cancel;
    let mut talk = Conversation::new(start, model, setting, on_step);
    let message = match talk.ask(&[]).await {
        Ok(message) => message,
        Err(stop) => {
            let (ran, done_at) = (None, Vec::new());
            let memory_before = executor.borrow().memory().shown();
            return Written { trace: talk.end(stop), ran, done_at, memory_before };
        }
    };
    let statement = if model.is_person() { &message.content } else { unfenced(&message.content) };
    supplying.whole(statement).await;
    if cancel.is_cancelled() {
        let (ran, done_at) = (None, Vec::new());
        let memory_before = executor.borrow().memory().shown();
        return Written { trace: talk.end(Stop::Cancelled), ran, done_at, memory_before };
    }
    let began = talk.now_ms();
    let memory_before = executor.borrow().memory().shown();
    let ran = executor.borrow_mut().run(statement);
    let mut drawn = part::Drawn::default();
    let mut done_at = Vec::new();
    for call in ran.calls() {
        for body in steps::of(call, &mut drawn) {
            talk.add(began, body);
        }
        done_at.push(talk.trace().steps.len());
    }
    let text = if done_at.is_empty() {
        "nothing is called in the statement".to_owned()
    } else {
        format!("filled in: {}", ran.text)
    };
    let now = talk.now_ms();
    talk.add(now, StepBody::Note { text });
    let trace = talk.end(Stop::Answered);
    Written { trace, ran: Some(ran), done_at, memory_before }
}

/// A statement without the code fence that some models put around all that they write.
fn unfenced(said: &str) -> &str {
    const FENCE: &str = "```";
    let said = said.trim();
    let inner = said.strip_prefix(FENCE).and_then(|s| s.strip_suffix(FENCE));
    // What follows the fence on its line names a language.
    let inner = inner.and_then(|s| s.split_once('\n')).map(|(_, inner)| inner.trim());
    inner.filter(|s| !s.is_empty() && !s.contains(FENCE)).unwrap_or(said)
}

#[cfg(test)]
mod tests;

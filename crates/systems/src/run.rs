//! One system on one problem with one model.

use agent::{Cancel, Clock, Conversation, Limits, NoTools, ToolSet};
use llm::{Message, Model, Watch};
use serde::{Deserialize, Serialize};
use tasks::{Certificate, Difficulty, Judgement, Problem, TaskId, Verdict};
use trace::{Step, Stop, Trace};

use crate::System;
use crate::grounded::GraphTools;

/// What is to be run.
pub struct RunRequest<'a> {
    /// The strategy.
    pub system: &'a System,
    /// The problem; its answer is judged against this, never against the text.
    pub problem: &'a Problem,
    /// The words that the model reads.
    pub question: &'a str,
    /// How far it may go.
    pub limits: Limits,
    /// Sees each answer of the model while it comes; `&()` looks away.
    pub watch: &'a dyn Watch,
}

/// System × Problem: what happened, and how good it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The system's id.
    pub system: String,
    /// The task.
    pub task: TaskId,
    /// How hard the problem was, where that is known.
    pub difficulty: Option<Difficulty>,
    /// The seed that made the problem, if ours did.
    pub seed: Option<u64>,
    /// The words that the model read.
    pub question: String,
    /// Step by step.
    pub trace: Trace,
    /// The verdict with its certificate.
    pub judgement: Judgement,
}

/// Runs a system on a problem and judges the answer.
///
/// Cancelling or reaching a limit gives a run too, with the verdict `NoAnswer` and the reason.
pub async fn run_system(
    request: RunRequest<'_>,
    model: &dyn Model,
    clock: &dyn Clock,
    cancel: &Cancel,
    on_step: &mut dyn FnMut(&Step),
) -> Run {
    let RunRequest { system, problem, question, limits, watch } = request;
    let mut graph_tools = GraphTools::default();
    let mut none = NoTools;
    let tools: &mut dyn ToolSet = if system.has_tools { &mut graph_tools } else { &mut none };
    let conversation = Conversation {
        system: system.id,
        prompt: vec![Message::system(system.prompt), Message::user(question)],
        limits,
        seed: problem.seed,
        watch,
    };
    let trace = agent::run(model, tools, conversation, clock, cancel, on_step).await;
    let judgement = match (&trace.stop, trace.answer()) {
        (Some(Stop::Answered), Some(text)) => tasks::verify(problem, text),
        (stop, _) => Judgement {
            verdict: Verdict::NoAnswer,
            answer: None,
            certificate: Certificate::default(),
            explanation: stop.as_ref().map_or_else(String::new, Stop::title),
        },
    };
    Run {
        system: system.id.to_owned(),
        task: problem.task,
        difficulty: problem.difficulty,
        seed: problem.seed,
        question: question.to_owned(),
        trace,
        judgement,
    }
}

//! One system on one problem with one model.

use agent::{Choosing, NoTools, RunContext, ToolSet};
use llm::{Message, Model, Role, TurnEnd};
use serde::{Deserialize, Serialize};
use tasks::{Certificate, Difficulty, Judgement, Problem, TaskId, Verdict};
use trace::{Step, StepBody, Stop, TOOLS_UNUSED, Trace};

use crate::experiment::{SystemSpec, has_finding};
use crate::grounded::{self, Composing, GraphTools, Surface};
use crate::kgot::PythonRunner;
use crate::program;
use crate::reply::asks_back;
use crate::standalone;

/// What is to be run.
pub struct RunRequest<'a> {
    /// The system that answers.
    pub system: &'a SystemSpec,
    /// The problem; its answer is judged against this, never against the text.
    pub problem: &'a Problem,
    /// The words that the model reads.
    pub question: &'a str,
    /// How it goes about it.
    pub options: RunOptions,
    /// Limits, seed, clock, and who may stop it. Without a seed, that of the problem is taken.
    pub setting: RunContext<'a>,
    /// Who runs the program of a system that writes one.
    pub python: Option<&'a dyn PythonRunner>,
}

/// How a run goes about it, beside its system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunOptions {
    /// What the model sees of the tools.
    #[serde(flatten)]
    pub surface: Surface,
    /// What is said before the question; the system's own words if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The graph is handed over beside the question; the question does not tell its edges.
    pub attach: bool,
    /// Results longer than so many characters are summarised for the model, with a handle; absent
    /// leaves all of them whole.
    pub max_result_chars: Option<usize>,
    /// The composed functions of the run.
    #[serde(skip_serializing_if = "Composing::is_nothing")]
    pub composing: Composing,
    /// How often a model may write another program where one failed.
    pub repairs: u32,
    /// What the trace notes before its first step.
    #[serde(skip)]
    pub note: Option<String>,
    /// A trace that is taken over: what it has is kept, and the run goes on from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resume: Option<Trace>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            surface: Surface::default(),
            prompt: None,
            note: None,
            attach: false,
            // About 1,500 tokens; no result on a benchmark problem is longer.
            max_result_chars: Some(6_000),
            composing: Composing::default(),
            repairs: program::REPAIRS,
            resume: None,
        }
    }
}

/// What a system says before the question.
pub(crate) fn prompt_of(system: &str) -> &'static str {
    match system {
        id if id == grounded::SYSTEM.id => grounded::PROMPT,
        id if id == program::SYSTEM.id => program::PROMPT,
        _ => standalone::PROMPT,
    }
}

/// System × Problem: what happened, and how good it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The id of the system.
    pub system: String,
    /// The task that the problem is of.
    pub task: TaskId,
    /// How hard the problem was, where that is known.
    pub difficulty: Option<Difficulty>,
    /// The seed that made the problem, if ours did.
    pub seed: Option<u64>,
    /// The words that the model read.
    pub question: String,
    /// The trace of the run.
    pub trace: Trace,
    /// The verdict with its certificate.
    pub judgement: Judgement,
}

impl Run {
    /// A run of the experiment on a problem.
    pub fn of(problem: &Problem, trace: Trace, judgement: Judgement) -> Self {
        let question = trace.prompt.iter().find(|m| m.role == Role::User);
        Self {
            system: trace.system.clone(),
            task: problem.task(),
            difficulty: problem.difficulty,
            seed: problem.seed,
            question: question.map_or_else(String::new, |m| m.content.clone()),
            trace,
            judgement,
        }
    }
}

/// Runs a system on a problem and judges the answer.
///
/// Cancelling or reaching a limit gives a run too, with the verdict `NoAnswer` and the reason.
pub async fn run_system(
    request: RunRequest<'_>,
    model: &dyn Model,
    on_step: &mut dyn FnMut(&Step),
) -> Run {
    let RunRequest { system, problem, question, options, setting, python } = request;
    let is_new = options.resume.is_none();
    let mut start = options.resume.unwrap_or_else(|| {
        let usual = if system.has_tools { options.surface.prompt() } else { prompt_of(system.id) };
        let prompt = options.prompt.as_deref().unwrap_or(usual);
        let prompt = vec![Message::system(prompt), Message::user(question)];
        let mut start = Trace::new(system.id, model.label(), prompt);
        start.attached = (options.attach && system.has_tools).then(|| problem.graph.clone());
        if system.has_tools {
            start.composed.clone_from(&options.composing.functions);
        }
        start
    });
    if let Some(text) = options.note.filter(|_| is_new) {
        let body = StepBody::Note { text };
        let note = Step { at_ms: 0.0, took_ms: 0.0, by_person: false, body };
        on_step(&note);
        start.steps.push(note);
    }
    let mut graph_tools = GraphTools::before(&start);
    if options.composing.may_propose {
        graph_tools = graph_tools.with_proposals();
    }
    if let Some(max_chars) = options.max_result_chars {
        graph_tools = graph_tools.with_compact_results(max_chars);
    }
    graph_tools = options.surface.put_on(graph_tools).resumed(&start);
    let mut none = NoTools;
    let tools: &mut dyn ToolSet = if system.has_tools { &mut graph_tools } else { &mut none };
    let choosing = if system.has_tools { options.surface.choosing } else { Choosing::All };
    let setting = RunContext { seed: setting.seed.or(problem.seed), ..setting };
    let mut trace = if system.id != program::SYSTEM.id {
        agent::run(start, model, tools, &choosing, setting, on_step).await
    } else if let Some(python) = python {
        program::run(start, model, python, options.repairs, setting, on_step).await
    } else {
        let message = program::NO_PYTHON.to_owned();
        Trace { stop: Some(Stop::ModelFailed { message, is_overflow: false }), ..start }
    };
    let judgement = judge(problem, &trace, &graph_tools);
    if judgement.verdict == Verdict::NoAnswer && trace.answer().is_some_and(|a| is_back(&trace, a))
    {
        trace.stop = Some(TurnEnd::AskedBack.into());
    }
    Run {
        system: system.id.to_owned(),
        task: problem.task(),
        difficulty: problem.difficulty,
        seed: problem.seed,
        question: question.to_owned(),
        trace,
        judgement,
    }
}

/// What is said beside the verdict on an answer for which no tool was used.
const UNGROUNDED: &str =
    " No function was called: this answer is as ungrounded as one without tools.";

/// Whether an answer is a question back. A program that prints one asks nobody.
fn is_back(trace: &Trace, answer: &str) -> bool {
    trace.printed().is_none() && asks_back(answer)
}

/// What the answer of a run is judged as; `tools` are those that the run had. A question in place of an
/// answer is none.
pub(crate) fn judge(problem: &Problem, trace: &Trace, tools: &GraphTools) -> Judgement {
    let ended = match trace.answer() {
        Some(text) => {
            // A handle in the answer stands for its result.
            let whole = tools.expand(text);
            let text = whole.as_deref().unwrap_or(text);
            let mut judgement = tasks::verify(problem, text);
            if judgement.verdict != Verdict::NoAnswer || !is_back(trace, text) {
                if has_finding(trace, TOOLS_UNUSED) {
                    judgement.explanation.push_str(UNGROUNDED);
                }
                return judgement;
            }
            Some(Stop::AskedBack)
        }
        None => trace.ended(),
    };
    Judgement {
        verdict: Verdict::NoAnswer,
        answer: None,
        certificate: Certificate::default(),
        explanation: ended.as_ref().map_or_else(String::new, Stop::title),
    }
}

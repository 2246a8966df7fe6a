//! The model writes one Python program, and what that prints is the answer: what is asked of models in
//! place of calls of functions.
//!
//! Whoever runs Python bounds time, memory and output. What is wrong with a program is the model's
//! mistake: the model reads it, and may write another, as often as the options say.

mod extract;
pub(crate) mod scripted;

use agent::{Conversation, RunContext};
use llm::{Message, Model, Role};
use trace::{
    Effects, Finding, MistakeKind, NO_PROGRAM, Step, StepBody, Stop, ToolError, ToolResult, Trace,
};

use crate::asks_back;
use crate::experiment::{MODEL, SystemSpec};
use crate::kgot::{
    PYTHON_LIMIT_MS, PythonFailure, PythonFault, PythonReply, PythonRequest, PythonRunner,
};
use extract::Extracted;
pub(crate) use extract::extract;

/// The system.
pub(crate) const SYSTEM: SystemSpec = SystemSpec {
    id: "program",
    title: "By a program",
    lede: "The model writes a Python program, and what that prints is the answer.",
    roles: &[MODEL],
    has_tools: false,
    in_shape: false,
};

/// What it says before the question.
pub(crate) const PROMPT: &str = "Solve the problem by one Python program that computes the answer and \
    prints it. Write the whole program in a block that begins with ```python. It may import networkx; \
    it reads no input, has no network, and is ended after 10 seconds. What it prints is your answer, so \
    print the whole answer and nothing else.";

/// What is said where nobody runs programs.
pub(crate) const NO_PYTHON: &str = "the system \"program\" runs the Python that a model writes, and \
    nobody runs Python here";
/// How often a model may write another program where one failed, if nothing else is said.
pub(crate) const REPAIRS: u32 = 2;
/// The most that can be said.
pub(crate) const MAX_REPAIRS: u32 = 2;
/// The longest program, in bytes.
const MAX_CODE: usize = 50_000;
/// The most letters that a program may print.
const MAX_PRINTED: usize = 20_000;
/// The most letters of what it writes to its standard error that are kept.
const MAX_ERRORS: usize = 4_000;
/// The most letters of a line of a program that are quoted.
const MAX_QUOTED: usize = 120;

/// Whether a conversation asks for a program.
pub(crate) fn is_asked(messages: &[Message]) -> bool {
    messages.iter().any(|m| m.role == Role::System && m.content.contains("Python program"))
}

/// Runs a line to see that Python is there and has networkx.
///
/// # Errors
/// It is not, or has none; the words say which.
pub(crate) async fn check(python: &dyn PythonRunner) -> Result<(), String> {
    match python.run(request("import networkx\nprint(1)".to_owned())).await {
        Ok(_) => Ok(()),
        Err(why) => Err(format!("the system {:?} needs Python with networkx: {why}", SYSTEM.id)),
    }
}

fn request(code: String) -> PythonRequest {
    let limit_ms = PYTHON_LIMIT_MS;
    PythonRequest { code, is_program: true, limit_ms, ..PythonRequest::default() }
}

/// What comes next in a conversation, by its last step that counts.
enum Next {
    Ask,
    Read(Message),
    Repair(String),
    End,
}

fn next(trace: &Trace) -> Next {
    for step in trace.steps.iter().rev() {
        return match &step.body {
            StepBody::Program { fault: None, .. } => Next::End,
            StepBody::Program { fault: Some(why), .. } => Next::Repair(why.clone()),
            StepBody::Findings { findings, .. } => {
                match findings.iter().find(|f| f.rule == NO_PROGRAM) {
                    Some(finding) => Next::Repair(finding.message.clone()),
                    None => continue,
                }
            }
            StepBody::Model { message, .. } => Next::Read(message.clone()),
            StepBody::Prompt { .. } => Next::Ask,
            _ => continue,
        };
    }
    Next::Ask
}

/// The programs of a trace that gave no answer, and the replies without one.
fn n_faults(trace: &Trace) -> usize {
    let is_fault = |step: &&Step| match &step.body {
        StepBody::Program { fault, .. } => fault.is_some(),
        StepBody::Findings { findings, .. } => findings.iter().any(|f| f.rule == NO_PROGRAM),
        _ => false,
    };
    trace.steps.iter().filter(is_fault).count()
}

/// Lets a model write programs until one prints an answer, or it had `repairs` further tries. It
/// continues where `start` ends.
pub(crate) async fn run(
    start: Trace,
    model: &dyn Model,
    python: &dyn PythonRunner,
    repairs: u32,
    context: RunContext<'_>,
    on_step: &mut dyn FnMut(&Step),
) -> Trace {
    let mut talk = Conversation::new(start, model, context, on_step);
    let stop = loop {
        match next(talk.trace()) {
            Next::End => break Stop::Answered,
            Next::Ask => {
                if let Err(stop) = talk.ask(&[]).await {
                    break stop;
                }
            }
            Next::Read(message) => {
                if let Err(stop) = take(&mut talk, &message, python).await {
                    break stop;
                }
            }
            Next::Repair(reason) => {
                if n_faults(talk.trace()) > repairs as usize {
                    break Stop::NoProgram { reason };
                }
                let again = format!(
                    "That gives no answer: {reason}. Write the whole program again, corrected, in \
                     one block that begins with ```python."
                );
                talk.say(vec![Message::user(again)], false);
            }
        }
    };
    talk.end(stop)
}

/// Runs the program of a reply.
async fn take(
    talk: &mut Conversation<'_>,
    reply: &Message,
    python: &dyn PythonRunner,
) -> Result<(), Stop> {
    refuse_calls(talk, reply);
    let extracted = match extract(&reply.content) {
        Ok(Extracted { code, .. }) if code.len() > MAX_CODE => {
            Err(format!("the program has {} bytes; {MAX_CODE} are the most", code.len()))
        }
        Err(_) if reply.tool_calls.is_empty() && asks_back(&reply.content) => {
            return Err(Stop::AskedBack);
        }
        extracted => extracted,
    };
    let Extracted { code, notes } = match extracted {
        Ok(extracted) => extracted,
        Err(message) => {
            let finding = Finding {
                rule: NO_PROGRAM.to_owned(),
                at: None,
                is_error: true,
                message,
                options: Vec::new(),
            };
            let stage = "the program".to_owned();
            talk.add(talk.now_ms(), StepBody::Findings { stage, findings: vec![finding] });
            return Ok(());
        }
    };
    for text in notes {
        talk.add(talk.now_ms(), StepBody::Note { text });
    }
    let began = talk.now_ms();
    let ran = python.run(request(code.clone())).await;
    let took = talk.now_ms() - began;
    let (output, errors, exit, fault) = match ran {
        Ok(PythonReply { output, errors, .. }) => {
            let fault = fault_of_output(&output);
            (output, errors, Some(0), fault)
        }
        Err(failure) if failure.kind == PythonFault::Unavailable => {
            let message = format!("Python: {failure}");
            return Err(Stop::ModelFailed { message, is_overflow: false });
        }
        Err(failure) => {
            let fault = fault_of(&failure, &code);
            (failure.output, failure.errors, failure.exit, Some(fault))
        }
    };
    // What a program prints may be what no model said whole: a key among it.
    let output = talk.clean_text(cut(&output, MAX_PRINTED)).await;
    let errors = talk.clean_text(cut(&errors, MAX_ERRORS)).await;
    let fault = match fault {
        Some(fault) => Some(talk.clean_text(fault).await),
        None => None,
    };
    talk.add_timed(began, took, StepBody::Program { code, output, errors, exit, fault });
    Ok(())
}

/// Answers calls, which some models make of functions that nobody offers; no endpoint takes a call
/// without its answer.
fn refuse_calls(talk: &mut Conversation<'_>, reply: &Message) {
    for call in &reply.tool_calls {
        let message = "there are no functions here; write a program".to_owned();
        let (kind, code) = (MistakeKind::UnknownTool, "unknown_tool".to_owned());
        let result = ToolResult::Error(ToolError { kind, code, message, witness: None });
        let (call, effects) = (call.clone(), Effects::default());
        talk.add(talk.now_ms(), StepBody::Call { call, result, effects, told: None });
    }
}

/// Why what a program printed is no answer.
fn fault_of_output(output: &str) -> Option<String> {
    if output.trim().is_empty() {
        return Some("the program ended well and printed nothing".to_owned());
    }
    let is_long = output.chars().nth(MAX_PRINTED).is_some();
    is_long.then(|| {
        format!("the program printed more than {MAX_PRINTED} letters; print the answer alone")
    })
}

/// Why a program failed, for the model to correct it.
fn fault_of(failure: &PythonFailure, code: &str) -> String {
    let said = &failure.message;
    let quoted = failure.line.and_then(|line| {
        let text = code.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?)?.trim();
        Some(format!(" (line {line}: {})", cut(text, MAX_QUOTED)))
    });
    let place = quoted.unwrap_or_default();
    match failure.kind {
        PythonFault::Syntax => format!("the program is not Python: {said}{place}"),
        PythonFault::Timeout => {
            format!("the program did not end within {} seconds", PYTHON_LIMIT_MS / 1_000)
        }
        PythonFault::Memory => format!("the program took too much memory: {said}"),
        PythonFault::TooLarge => format!("the program made too much: {said}"),
        PythonFault::Runtime | PythonFault::Unavailable => {
            let hint = if said.starts_with("ModuleNotFoundError") {
                "; there are Python's own modules and networkx"
            } else if said.starts_with("EOFError") {
                "; there is no input to read"
            } else {
                ""
            };
            format!("the program failed: {said}{place}{hint}")
        }
    }
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

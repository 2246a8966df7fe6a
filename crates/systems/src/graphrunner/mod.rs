//! GraphRunner: a question is planned, the plan is verified, executed, and the answer is made of
//! what the last step gave.
//!
//! Paper: GraphRunner §3. The trace has every stage: what the planner was asked and wrote, what the
//! verifier found in each round, each step of the execution as a call, and the answering turn, which
//! begins a conversation of its own.

mod prompts;
mod shape;

use agent::Conversation;
use kg::Kg;
use kg::find::{FindOptions, Finder};
use kg::plan::{
    Executed, Plan, PlanFinding, Ready, Severity, StepResult, StepValue, check_data, execute,
    read_plan, verify,
};
use llm::{Message, Model, Shaped, ToolCall, ToolSpec};
use serde_json::Value as Json;
use trace::{Effects, MistakeKind, Step, StepBody, Stop, ToolError, ToolResult, Trace};

use crate::experiment::SystemSpec;
use crate::kgqa::{
    Answered, Away, Drawing, KgRequest, PlanForm, ROLES, begin, effects_of, told_value, traced,
};

use crate::remote::RemoteError;
use crate::reply::asks_back;

pub(crate) use prompts::is_planning;
pub use prompts::{SUBMIT, answer_prompt, plan_prompt, submit_plan};
pub use shape::{plan_schema, plan_shape};

/// The system.
pub const SYSTEM: SystemSpec = SystemSpec {
    id: "graphrunner",
    title: "GraphRunner",
    lede: "Plans the whole traversal, verifies it against the schema, executes it, and answers.",
    roles: ROLES,
    has_tools: false,
    in_shape: true,
};

/// The fields of the options that it looks at.
pub(crate) const OPTIONS: &[&str] =
    &["semantics", "find", "measure", "form", "verify", "check_data", "max_repairs", "max_shown"];

/// A plan that a model made, and what became of it.
pub struct Planned {
    /// What was asked, written and found.
    pub trace: Trace,
    /// The plan; none if the model failed or none could be read.
    pub plan: Option<Plan>,
    /// Whether it can run.
    pub can_run: bool,
    /// How often the planner was asked again.
    pub n_repairs: u32,
}

impl Planned {
    /// What the verifier found in the last round.
    pub fn findings(&self) -> &[trace::Finding] {
        let last = self.trace.steps.iter().rev().find_map(|s| match &s.body {
            StepBody::Findings { findings, .. } => Some(findings.as_slice()),
            _ => None,
        });
        last.unwrap_or_default()
    }

    /// Why there is no plan.
    pub fn fault(&self) -> String {
        match &self.trace.stop {
            Some(Stop::Answered) | None => "no plan could be read".into(),
            Some(stop) => stop.title(),
        }
    }
}

/// Plans and verifies, and executes nothing. The request's system is not looked at.
///
/// Paper: GraphRunner §3.1 to §3.3.
pub async fn plan(
    request: &KgRequest<'_>,
    model: &dyn Model,
    on_step: &mut dyn FnMut(&Step),
) -> Planned {
    let shaped = shaped(request, model);
    let planner = shaped.as_ref().map_or(model, |shaped| shaped);
    let mut talk = begin_conversation(request, planner, on_step);
    let mut n_repairs = 0;
    let (plan, can_run, stop) = match ask_for_plan(request, &mut talk, &mut n_repairs).await {
        Ok((plan, ready)) => {
            (Some(plan).filter(|p| !p.steps.is_empty()), ready.is_some(), Stop::Answered)
        }
        Err(stop) => (None, false, stop),
    };
    Planned { trace: talk.end(stop), plan, can_run, n_repairs }
}

/// The model as a planner whose plans name only what there is, where it can be held to that.
fn shaped<'m>(request: &KgRequest<'_>, model: &'m dyn Model) -> Option<Shaped<'m>> {
    Shaped::of(model, || plan_shape(request.finder.kg(), request.options))
}

fn begin_conversation<'a>(
    request: &KgRequest<'a>,
    model: &'a dyn Model,
    on_step: &'a mut dyn FnMut(&Step),
) -> Conversation<'a> {
    let prompt = plan_prompt(request.finder.kg(), request.options, &request.question.question);
    Conversation::new(begin(SYSTEM.id, model, prompt), model, request.setting, on_step)
}

pub(crate) async fn run(
    request: &KgRequest<'_>,
    model: &dyn Model,
    on_step: &mut dyn FnMut(&Step),
) -> Answered {
    let options = request.options;
    let shaped = shaped(request, model);
    let planner = shaped.as_ref().map_or(model, |shaped| shaped);
    let mut talk = begin_conversation(request, planner, on_step);
    let mut n_repairs = 0;
    let (plan, ready) = match ask_for_plan(request, &mut talk, &mut n_repairs).await {
        Ok(planned) => planned,
        Err(stop) => {
            let (plan, reached) = (None, Default::default());
            let trace = talk.end(stop);
            return Answered { trace, answer: None, plan, reached, n_repairs, part: None };
        }
    };
    let (part, fault) = match (request.away, &ready) {
        (Some(away), Some(_)) => fetch_part(request, away, &plan, &mut talk).await,
        _ => (None, None),
    };
    if let Some(stop) = fault {
        let reached = Default::default();
        let trace = talk.end(stop);
        return Answered { trace, answer: None, plan: Some(plan), reached, n_repairs, part: None };
    }
    let (finder, find) = match &part {
        Some(brought) => (&brought.0, brought.1),
        None => (request.finder, options.find),
    };
    let kg: &Kg = finder.kg();
    // A part has its types in another order than the whole.
    let ready = ready.and_then(|ready| match &part {
        Some(_) => verify(&plan, kg.schema(), options.semantics, "").ready,
        None => Some(ready),
    });
    let executed = ready.as_ref().map(|ready| run_plan(&mut talk, &plan, ready, finder, find));
    let reached = executed.as_ref().map(Executed::reached).unwrap_or_default();
    let last = executed.as_ref().and_then(|e| e.steps.get(e.answer));
    if shaped.is_some() {
        talk.asks(model);
    }
    talk.say(answer_prompt(kg, options, &request.question.question, last), true);
    let stop = match talk.ask(&[]).await {
        Ok(_) => Stop::Answered,
        Err(stop) => stop,
    };
    let (trace, part) = (talk.end(stop), part.map(|p| p.0));
    Answered { trace, answer: None, plan: Some(plan), reached, n_repairs, part }
}

/// Brings here what the plan needs of a store; where that fails, why the run ends.
async fn fetch_part(
    request: &KgRequest<'_>,
    away: Away<'_>,
    plan: &Plan,
    talk: &mut Conversation<'_>,
) -> (Option<(Finder, FindOptions)>, Option<Stop>) {
    let began = talk.now_ms();
    let options = request.options;
    let asked = away.remote.bring(
        plan,
        options.semantics,
        options.find,
        away.transport,
        request.setting.cancel,
    );
    match asked.await {
        Ok(brought) => {
            let kg = brought.finder.kg();
            let mut text = format!(
                "asked the store {} times: {} nodes and {} edges are here",
                brought.n_asks,
                kg.n_nodes(),
                kg.n_edges()
            );
            for note in &brought.notes {
                text.push_str(&format!("; {note}"));
            }
            talk.add(began, StepBody::Note { text });
            (Some((brought.finder, brought.find)), None)
        }
        Err(RemoteError::Stopped) => (None, Some(Stop::Cancelled)),
        Err(error) => {
            let message = format!("the store: {error}");
            talk.add(began, StepBody::Note { text: message.clone() });
            (None, Some(Stop::ModelFailed { message, is_overflow: false }))
        }
    }
}

/// Asks for a plan until it is right or the rounds are used up. Without verification the first plan
/// is taken as it is.
async fn ask_for_plan(
    request: &KgRequest<'_>,
    talk: &mut Conversation<'_>,
    n_repairs: &mut u32,
) -> Result<(Plan, Option<Ready>), Stop> {
    let options = request.options;
    let tools = match options.form {
        PlanForm::Tool if talk.constrains() => {
            let parameters = plan_schema(request.finder.kg(), options);
            vec![ToolSpec { parameters, ..submit_plan(options) }]
        }
        PlanForm::Tool => vec![submit_plan(options)],
        PlanForm::Json | PlanForm::Paper => Vec::new(),
    };
    let mut plan: Option<Plan> = None;
    loop {
        let message = talk.ask(&tools).await?;
        let round = *n_repairs + 1;
        let call = message.tool_calls.iter().find(|c| c.name == SUBMIT);
        let text = call.map_or(message.content.as_str(), |c| c.arguments.as_str());
        let began = talk.now_ms();
        let (merged, found, ready) = match read_plan(text) {
            Ok(read) => {
                let merged = merged(plan.take(), read);
                let (found, ready) = found(request, &merged);
                (Some(merged), found.iter().map(traced).collect(), ready)
            }
            // Whoever reads it replies; the verifier cannot.
            Err(_) if request.has_person && call.is_none() && asks_back(text) => {
                return Err(Stop::Answered);
            }
            Err(error) => {
                let finding = trace::Finding {
                    rule: "read".into(),
                    at: None,
                    is_error: true,
                    message: error.to_string(),
                    options: Vec::new(),
                };
                (plan.take(), vec![finding], None)
            }
        };
        let stage = match (options.verify, options.check_data) {
            (false, _) => "plan, not verified".to_owned(),
            (true, false) => format!("plan on the schema, round {round}"),
            (true, true) => format!("plan on the schema and the data, round {round}"),
        };
        let is_wrong = ready.is_none() || found.iter().any(|f: &trace::Finding| f.is_error);
        let goes_on = options.verify && is_wrong && *n_repairs < options.max_repairs;
        let correction = prompts::ask_for_correction(&found, merged.as_ref(), options);
        answer_calls(talk, &message, &found);
        talk.add(began, StepBody::Findings { stage, findings: found });
        if !goes_on {
            if is_wrong && options.verify {
                let text = format!("after {round} rounds the plan still cannot run");
                let now = talk.now_ms();
                talk.add(now, StepBody::Note { text });
            }
            // What failed on the data alone can still run: it may answer something.
            return Ok((merged.unwrap_or_default(), ready));
        }
        *n_repairs += 1;
        plan = merged;
        if message.tool_calls.is_empty() {
            talk.say(vec![Message::user(correction)], false);
        }
    }
}

/// Every call of a turn needs its result: what was found for `submit_plan`, a refusal for others.
fn answer_calls(talk: &mut Conversation<'_>, message: &Message, found: &[trace::Finding]) {
    for call in &message.tool_calls {
        let error = |code: &str, kind, message: String| {
            ToolResult::Error(ToolError { kind, code: code.into(), message, witness: None })
        };
        let wrong: Vec<&trace::Finding> = found.iter().filter(|f| f.is_error).collect();
        let result = if call.name != SUBMIT {
            let message = format!("there is no function {:?}; there is {SUBMIT}", call.name);
            error("unknown_function", MistakeKind::UnknownTool, message)
        } else if let Some(first) = wrong.first() {
            let list: Vec<String> = wrong.iter().map(|f| prompts::describe(f)).collect();
            error(&first.rule, MistakeKind::Schema, list.join(" "))
        } else {
            ToolResult::Value { value: serde_json::json!({ "verified": true }), notes: Vec::new() }
        };
        let now = talk.now_ms();
        let effects = Effects::default();
        talk.add(now, StepBody::Call { call: call.clone(), result, effects, told: None });
    }
}

/// Steps that were given again take the place of those they correct; a whole plan takes that of all.
///
/// Paper: GraphRunner §3.3, only the failing step goes back to the planner.
fn merged(before: Option<Plan>, given: Plan) -> Plan {
    let Some(mut plan) = before else { return given };
    let is_part = given.steps.len() < plan.steps.len()
        && given.steps.iter().all(|s| plan.steps.iter().any(|b| b.id == s.id));
    if !is_part {
        return given;
    }
    for step in given.steps {
        if let Some(place) = plan.steps.iter_mut().find(|b| b.id == step.id) {
            *place = step;
        }
    }
    if given.answer_from.is_some() {
        plan.answer_from = given.answer_from;
    }
    plan
}

fn found(request: &KgRequest<'_>, plan: &Plan) -> (Vec<PlanFinding>, Option<Ready>) {
    let options = request.options;
    let schema = request.finder.kg().schema();
    let verified = verify(plan, schema, options.semantics, &request.question.question);
    let mut findings = verified.findings;
    if options.verify
        && options.check_data
        // What is in a store is not here to be checked on.
        && request.away.is_none()
        && let Some(ready) = &verified.ready
    {
        findings.extend(check_data(ready, request.finder, options.find));
    }
    // Without verification nothing is told, and what cannot run does not.
    if !options.verify {
        findings.retain(|f| f.severity == Severity::Error);
    }
    (findings, verified.ready)
}

/// Runs the plan and puts every step into the trace as a call.
fn run_plan(
    talk: &mut Conversation<'_>,
    plan: &Plan,
    ready: &Ready,
    finder: &Finder,
    find: FindOptions,
) -> Executed {
    let kg: &Kg = finder.kg();
    let began = talk.now_ms();
    let executed = execute(ready, finder, find);
    let mut on = Drawing::default();
    for (ran, step) in executed.steps.iter().zip(&plan.steps) {
        let mut arguments = serde_json::to_value(step).unwrap_or(Json::Null);
        if let Some(map) = arguments.as_object_mut() {
            map.remove("action");
        }
        let call = ToolCall {
            id: step.id.clone(),
            name: step.action.clone(),
            arguments: arguments.to_string(),
        };
        let effects = effects_of(kg, ran, &mut on);
        let result = ToolResult::Value { value: told_value(kg, ran), notes: notes(ran) };
        talk.add(began, StepBody::Call { call, result, effects, told: None });
    }
    executed
}

fn notes(ran: &StepResult) -> Vec<String> {
    let mut notes = ran.notes.clone();
    if matches!(&ran.value, StepValue::Nodes(nodes) if nodes.is_empty()) {
        notes.push("nothing was found".into());
    }
    notes
}

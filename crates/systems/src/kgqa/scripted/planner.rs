//! The script in the planner's place.

use kg::plan::{Plan, print_plan};
use llm::{ChatRequest, Message, Role, ToolCall};
use tasks::kgqa::plan_of;

use super::schema::Told;
use super::{KgMistake, KgScript, question_in, unknown};
use crate::graphrunner::SUBMIT;

/// What a planner can get wrong.
pub(super) const MAY: &[KgMistake] = &[
    KgMistake::UnknownEdge,
    KgMistake::UnknownType,
    KgMistake::UnknownAction,
    KgMistake::WrongSource,
    KgMistake::WrongMeaning,
];

pub(super) fn turn(script: KgScript, request: &ChatRequest) -> Message {
    let user = request.messages.iter().find(|m| m.role == Role::User);
    let asked = user.map(|m| m.content.as_str()).unwrap_or_default();
    let question = question_in(asked);
    let Some(plan) = plan_of(question) else { return Message::assistant(unknown()) };
    let schema = Told::read(asked);
    let attempt = request.messages.iter().filter(|m| m.role == Role::Assistant).count();
    let plan = match script.errs(question, attempt, MAY) {
        Some(mistake) => wrong(plan, mistake, &schema),
        None => plan,
    };
    let is_tool = request.tools.iter().any(|t| t.name == SUBMIT);
    let json = serde_json::to_string(&plan).unwrap_or_default();
    if is_tool {
        let mut message = Message::assistant("");
        let id = format!("call_{}", attempt + 1);
        message.tool_calls = vec![ToolCall { id, name: SUBMIT.into(), arguments: json }];
        return message;
    }
    let system = request.messages.first().map(|m| m.content.as_str()).unwrap_or_default();
    if system.contains("as in the examples.") {
        return Message::assistant(print_plan(&plan));
    }
    Message::assistant(json)
}

/// A plan with one thing wrong in it.
pub(super) fn wrong(mut plan: Plan, mistake: KgMistake, schema: &Told) -> Plan {
    let start = plan.steps.first().and_then(|s| s.node_type.clone()).unwrap_or_default();
    let Some(step) = plan.steps.iter_mut().find(|s| s.action != "Find_Node") else { return plan };
    let edge = step.edge_type.as_deref().or_else(|| step.of.first()?.edge_type.as_deref());
    let edge = edge.unwrap_or_default().to_owned();
    let put = |step: &mut kg::plan::PlanStep, edge: String| match step.of.first_mut() {
        Some(entry) => entry.edge_type = Some(edge),
        None => step.edge_type = Some(edge),
    };
    match mistake {
        KgMistake::UnknownEdge => put(step, invented(&edge).to_owned()),
        KgMistake::UnknownAction => step.action = "Traverse_Path".into(),
        KgMistake::WrongSource => {
            if let Some(foreign) = schema.foreign(&start) {
                put(step, foreign.to_owned());
            }
        }
        KgMistake::WrongMeaning => {
            // The step that has an edge with a double; there may be none.
            for step in &mut plan.steps {
                let similar = step.edge_type.as_deref().and_then(|e| schema.similar(e));
                if let Some(similar) = similar {
                    step.edge_type = Some(similar.to_owned());
                    break;
                }
            }
        }
        KgMistake::UnknownType => {
            if let Some(first) = plan.steps.first_mut() {
                first.node_type = Some(format!("{start}Entity"));
            }
        }
        KgMistake::MadeUpAnswer => {}
    }
    plan
}

/// A word that a model would write for an edge type that it does not remember.
fn invented(edge: &str) -> &'static str {
    match edge {
        "stops_at" => "calls_at",
        "runs" => "operates",
        "maintains" => "services",
        "near" => "close_to",
        "in_zone" => "located_in",
        _ => "related_to",
    }
}

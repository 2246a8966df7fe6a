//! Scripts that play the model of the rescue system, so that the whole conversation works without a
//! key. They see the conversation and nothing else.
//!
//! The **mistaken** one errs as the transcript of the paper does. Paper: Graph-Grounded LLMs §V adds
//! a node 0 and an edge between 5 and 9 that the data do not have, leaves out the road between 5 and
//! 7, multiplies at fires instead of at debris, and sends every robot to everybody.

use graph::NodeName;
use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Role, ToolCall,
    Usage, Watch,
};
use serde_json::{Value, json};
use tasks::rescue::{Said, Scenario, read_sentence};

use super::tools::report;
use super::{ALREADY, facts};

mod answers;
mod mapping;

use mapping::Calls;

/// A script that plays the model of the rescue system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RescueScript {
    /// Makes the calls that a good model would make.
    Careful,
    /// Errs as the paper's transcript does.
    Mistaken,
}

impl RescueScript {
    /// The script of that name: `script` or `mistaken`.
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            "script" => Some(Self::Careful),
            name if name.starts_with("mistaken") => Some(Self::Mistaken),
            _ => None,
        }
    }

    /// The next turn of a conversation.
    pub fn turn(self, request: &ChatRequest) -> Message {
        let messages = &request.messages;
        let said = messages.iter().rposition(|m| m.role == Role::User).unwrap_or(0);
        let words = messages.get(said).map(|m| m.content.as_str()).unwrap_or_default();
        let turn = Played::new(messages, said);
        if turn.count("get_environment_data") == 0 {
            return ask(messages, "First I read what is where, and the roads.", look());
        }
        let Some(scenario) = turn.scenario() else {
            return Message::assistant("The environment functions gave nothing that I can read.");
        };
        let plain = words.replace(ALREADY, "");
        if plain.len() == words.len() {
            match read_sentence(&scenario.before, &plain) {
                Said::Event { event } => {
                    let Some(failed) = turn.result("update_environment") else {
                        let Some(call) = report(&event) else {
                            return Message::assistant("That is for the editor of the map.");
                        };
                        let calls = vec![("update_environment", call)];
                        return ask(messages, "I record that in the environment.", calls);
                    };
                    if let Err(message) = failed {
                        return Message::assistant(format!("I cannot record that: {message}."));
                    }
                    if turn.count("get_environment_data") == 1 {
                        let why = "The environment has changed, so I read it again.";
                        return ask(messages, why, look());
                    }
                }
                Said::Question { question } => {
                    return answers::answer(&question, &scenario.now, messages, &turn);
                }
                Said::Unclear { reason } => {
                    let text = format!("This is a script, not a model: {reason}.");
                    return Message::assistant(text);
                }
                Said::Deploy | Said::Prioritise => {}
            }
        }
        self.plan(&scenario.now, messages, &turn)
    }

    /// Brings the graph up to date, plans on it, and states the plan.
    fn plan(self, now: &Scenario, messages: &[Message], turn: &Played<'_>) -> Message {
        let graph = mapping::graph_so_far(messages);
        let changes = match self {
            Self::Careful => mapping::changes(now, &graph),
            Self::Mistaken => mapping::mistaken_changes(now, &graph),
        };
        if !changes.is_empty() && !turn.has_mapped() {
            let why = if graph.n_nodes() == 0 {
                "I map the environment to a graph: a node for each location, an edge for each \
                 road, weighted with the time it takes. Debris makes a road take 3 times as long."
            } else {
                "I bring the graph up to date."
            };
            return ask(messages, why, changes);
        }
        match turn.result("plan_routes") {
            None => {
                let calls = vec![("plan_routes", mapping::plan_call(now, &graph))];
                ask(messages, "Now I plan: critical first, then serious, then minor.", calls)
            }
            Some(Ok(result)) => answers::plan(now, &graph, &result, self == Self::Mistaken),
            Some(Err(error)) => Message::assistant(format!("I could not plan: {error}.")),
        }
    }
}

/// The calls that read the environment.
fn look() -> Calls {
    vec![("get_environment_data", json!({})), ("get_environment_map_data", json!({}))]
}

/// A turn that says something and calls.
fn ask(messages: &[Message], say: &str, calls: Calls) -> Message {
    let before: usize = messages.iter().map(|m| m.tool_calls.len()).sum();
    let mut message = Message::assistant(say);
    message.tool_calls = calls
        .into_iter()
        .enumerate()
        .map(|(i, (name, arguments))| ToolCall {
            id: format!("call_{}", before + i + 1),
            name: name.to_owned(),
            arguments: arguments.to_string(),
        })
        .collect();
    message
}

/// The environment before and after what the user reported in this turn.
struct Seen {
    before: Scenario,
    now: Scenario,
}

/// The calls since the user spoke, with what came of them.
struct Played<'a> {
    calls: Vec<(&'a ToolCall, Result<Value, String>)>,
}

impl<'a> Played<'a> {
    fn new(messages: &'a [Message], since: usize) -> Self {
        let mut calls = Vec::new();
        for message in &messages[since..] {
            for call in &message.tool_calls {
                let told = messages[since..]
                    .iter()
                    .find(|m| m.tool_call_id.as_deref() == Some(call.id.as_str()));
                if let Some(result) = told.and_then(|m| result_of(&m.content)) {
                    calls.push((call, result));
                }
            }
        }
        Self { calls }
    }

    fn count(&self, name: &str) -> usize {
        self.calls.iter().filter(|(c, _)| c.name == name).count()
    }

    /// What the last call of a function gave.
    fn result(&self, name: &str) -> Option<Result<Value, String>> {
        self.calls.iter().rev().find(|(c, _)| c.name == name).map(|(_, r)| r.clone())
    }

    /// Whether the graph was built or changed in this turn.
    fn has_mapped(&self) -> bool {
        self.calls.iter().any(|(c, _)| mapping::BUILDS.contains(&c.name.as_str()))
    }

    fn scenario(&self) -> Option<Seen> {
        let all = |name: &str| -> Vec<&Value> {
            let of = self.calls.iter().filter(|(c, _)| c.name == name);
            of.filter_map(|(_, r)| r.as_ref().ok()).collect()
        };
        let (data, map) = (all("get_environment_data"), all("get_environment_map_data"));
        Some(Seen {
            before: facts::read(data.first()?, map.first()?)?,
            now: facts::read(data.last()?, map.last()?)?,
        })
    }
}

fn result_of(content: &str) -> Option<Result<Value, String>> {
    let value: Value = serde_json::from_str(content).ok()?;
    match value.get("error") {
        Some(error) => {
            let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
            Some(Err(message.trim_end_matches('.').to_owned()))
        }
        None => value.get("result").cloned().map(Ok),
    }
}

fn node(id: &str) -> NodeName {
    NodeName::from(id)
}

impl Model for RescueScript {
    fn label(&self) -> String {
        match self {
            Self::Careful => "Scripted model".into(),
            Self::Mistaken => "Mistaken script: errs like the paper's transcript".into(),
        }
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        _: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        let message = self.turn(request);
        let finish = if message.tool_calls.is_empty() {
            FinishReason::Stop
        } else {
            FinishReason::ToolCalls
        };
        // A script reads and writes no tokens, and says so by saying nothing.
        Box::pin(async move { Ok(ChatResponse { message, finish, usage: Usage::default() }) })
    }
}

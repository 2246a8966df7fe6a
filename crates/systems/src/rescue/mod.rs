//! Disaster response: a model that reads the environment with functions, maps it to a graph, plans
//! with graph functions, answers questions and plans again when something changes.
//!
//! Paper: Graph-Grounded LLMs §V. A conversation has many turns; [`Dialogue`] is all that goes from
//! one to the next.

pub mod experiment;
mod facts;
pub mod scripted;
mod tools;

use agent::{Choosing, Limits, RunContext};
use graph::Graph;
use llm::{Message, Model};
use serde::{Deserialize, Serialize};
use tasks::rescue::{RescueFinding, RescuePlan, Scenario, check_graph, check_text};
use trace::{Step, Trace};

use crate::grounded::retrieval;

pub use tools::RescueTools;

/// The name of the system in a trace.
pub const ID: &str = "rescue";

/// What the system says before the conversation.
///
/// Paper: Graph-Grounded LLMs §V takes the prompt of its first example; the rules of the plan and
/// its form are ours, because a plan that is to be checked must say who goes where.
pub const PROMPT: &str = "\
You help to direct rescue robots after a disaster. You can use the given functions through tool_calls \
to arrive at a solution. Don't make assumptions about the environment: read it with \
get_environment_data and get_environment_map_data, and again whenever something may have changed. \
Report what the user tells you about the environment with update_environment, unless the user says \
that the environment data says so already. Map the environment to an undirected weighted graph with \
one node for each location, under its own name, that does not burn, and one edge for each road that \
can be used, weighted with the time it takes; keep the graph up to date. Plan with plan_routes. Rules \
of a plan: no way goes through fire or a closed road; debris makes a road take 3 times as long; each \
robot serves the critical first, then the serious, then the minor; every survivor who can be reached \
is served by exactly one robot; the others are named with the reason. State a plan with one line for \
each robot, such as `R1: L5 -> L3 -> L5; serves S1 at 3, S2 at 9; length 9` (the path with every \
location, each survivor with the time of arrival, the length of the path) or `R2: stays at L6`, and \
one line `Unreachable: S3 (reason)` for each survivor whom nobody can reach. Answer questions from \
the data, in short sentences.";

/// Ends a sentence about something that the environment data tell already, such as a click on the
/// map.
pub const ALREADY: &str = "The environment data says so already.";

/// The tools that every plan needs: without them nothing is known of the environment, and nobody is
/// sent anywhere.
const ALWAYS: [&str; 4] =
    ["get_environment_data", "get_environment_map_data", "update_environment", "plan_routes"];

/// Which tools a turn gets: all of them, or those that every plan needs, those that build a graph, and
/// so many that fit what was said best.
///
/// Paper: Graph-Grounded LLMs §IV, "Context Length Limitations".
pub fn choosing(n_tools: Option<usize>) -> Choosing {
    n_tools.map_or(Choosing::All, |n| retrieval::choosing_beside(n, &ALWAYS))
}

/// How far a turn may go.
pub fn limits() -> Limits {
    Limits { max_rounds: 30, max_calls: 80, ..Limits::default() }
}

/// A conversation between two turns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dialogue {
    /// The environment as it is.
    pub scenario: Scenario,
    /// The graph that the model has built.
    pub graph: Graph,
    /// What was said, the prompt first; empty before the first turn.
    pub messages: Vec<Message>,
}

impl Dialogue {
    /// A conversation in which nothing was said.
    pub fn new(scenario: Scenario) -> Self {
        Self { scenario, graph: Graph::undirected(), messages: Vec::new() }
    }
}

/// What a person says next in a conversation, in place of what a case plans.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SaidNext {
    /// The conversation so far; a new one if absent.
    pub dialogue: Option<Dialogue>,
    /// The words; if empty, those of the case.
    pub words: String,
}

/// What came of a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The conversation after it.
    pub dialogue: Dialogue,
    /// What the model did.
    pub trace: Trace,
    /// The plan that its answer states, if it states one.
    pub plan: Option<RescuePlan>,
    /// What is wrong with what its answer says.
    pub findings: Vec<RescueFinding>,
    /// What is wrong with its graph as a map of the environment; empty before it has a graph.
    pub graph_findings: Vec<RescueFinding>,
}

/// Says something to a model and lets it act until it answers. Its answer is read, and checked by
/// the verifier of `tasks::rescue`.
///
/// A turn that was stopped or failed leaves the conversation as it was, but for what the model
/// reported of the environment by then.
pub async fn say(
    dialogue: Dialogue,
    words: &str,
    model: &dyn Model,
    choosing: &Choosing,
    setting: RunContext<'_>,
    on_step: &mut dyn FnMut(&Step),
) -> Turn {
    let Dialogue { scenario, graph, messages } = dialogue;
    let mut prompt = messages.clone();
    if prompt.is_empty() {
        prompt.push(Message::system(PROMPT));
    }
    prompt.push(Message::user(words));
    let mut start = Trace::new(ID, model.label(), prompt);
    // The graph of the turns before is there from the first step on.
    start.attached = (graph.n_nodes() > 0).then(|| graph.clone());
    let mut tools = RescueTools::new(scenario, graph);
    let trace = agent::run(start, model, &mut tools, choosing, setting, on_step).await;
    let (scenario, graph) = tools.into_parts();
    let Some(answer) = trace.answer().map(str::to_owned) else {
        let dialogue = Dialogue { scenario, graph, messages };
        let (plan, findings, graph_findings) = (None, Vec::new(), Vec::new());
        return Turn { dialogue, trace, plan, findings, graph_findings };
    };
    let messages = trace.messages_before(trace.steps.len());
    let (findings, plan) = check_text(&scenario, &answer);
    let graph_findings =
        if graph.n_nodes() == 0 { Vec::new() } else { check_graph(&scenario, &graph) };
    let dialogue = Dialogue { scenario, graph, messages };
    Turn { dialogue, trace, plan, findings, graph_findings }
}

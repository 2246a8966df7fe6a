//! Composed functions as tools: those that were there before, and those that the model proposes.
//!
//! Paper: Graph-Grounded LLMs §VII, "function additions by the LLM".

use agent::{ToolFailure, ToolOutput};
use graph::composed::{ComposedFunction, MAX_COMPOSED, Proposal, operations};
use graph::functions::find;
use llm::ToolSpec;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use trace::{Effects, StepBody, ToolResult, Trace};

use super::results::{READ_RESULT, failure};

/// The tool by which a model proposes a function.
pub const PROPOSE: &str = "propose_function";

/// Which composed functions a run has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Composing {
    /// Those that are offered beside the library's.
    pub functions: Vec<Proposal>,
    /// The model may propose functions, and call those that are accepted.
    pub may_propose: bool,
}

impl Composing {
    /// Whether a run has none, and may make none.
    pub fn is_nothing(&self) -> bool {
        self.functions.is_empty() && !self.may_propose
    }
}

/// The composed functions as tools, while a run goes on.
#[derive(Clone, Debug, Default)]
pub(super) struct ComposedTools {
    functions: Vec<ComposedFunction>,
    pub(super) may_propose: bool,
    /// Those that were accepted and not offered yet.
    pub(super) added: Vec<ToolSpec>,
}

impl ComposedTools {
    pub(super) fn find(&self, name: &str) -> Option<&ComposedFunction> {
        self.functions.iter().find(|f| f.name() == name)
    }

    fn is_free(&self, name: &str) -> bool {
        find(name).is_none() && self.find(name).is_none() && ![PROPOSE, READ_RESULT].contains(&name)
    }

    /// Takes over functions that were accepted before. Files may have been changed since: what does
    /// not compile is left out, and a call of it says that there is no such function.
    pub(super) fn take_over(&mut self, proposals: &[Proposal]) {
        for proposal in proposals {
            if self.functions.len() < MAX_COMPOSED
                && self.is_free(&proposal.name)
                && let Ok(function) = ComposedFunction::compile(proposal.clone())
            {
                self.functions.push(function);
            }
        }
    }

    /// The tools that a model gets of this.
    pub(super) fn faces(&self) -> impl Iterator<Item = ToolSpec> {
        self.functions.iter().map(face).chain(self.may_propose.then(propose_face))
    }

    /// Checks a proposal and takes it in.
    pub(super) fn propose(&mut self, arguments: &Value) -> Result<ToolOutput, ToolFailure> {
        let proposal = Proposal::from_json(arguments)
            .map_err(|fault| failure("bad_arguments", fault.to_string()))?;
        let mut taken: Vec<&str> = self.functions.iter().map(ComposedFunction::name).collect();
        // Their names count as taken, and not towards the most functions that there may be.
        if [PROPOSE, READ_RESULT].contains(&proposal.name.as_str()) {
            taken = vec![&proposal.name];
        }
        let checked = proposal.clone().check(&taken);
        let (function, report) = checked.map_err(|report| {
            let told: Vec<String> = report.faults.iter().map(ToString::to_string).collect();
            ToolFailure {
                witness: serde_json::to_value(&report).ok(),
                ..failure("proposal_refused", told.join("\n"))
            }
        })?;
        let value = json!({
            "accepted": function.name(),
            "returns": report.returns,
            "calls": report.calls,
            "examples": report.examples,
            "random": report.random,
        });
        self.added.push(face(&function));
        self.functions.push(function);
        let notes = vec!["call it by its name from now on".to_owned()];
        Ok(ToolOutput { value, notes, effects: Effects::default(), told: None })
    }
}

/// The functions that were accepted in a run, in their order.
pub fn accepted(trace: &Trace) -> Vec<Proposal> {
    let proposed = |step: &trace::Step| match &step.body {
        StepBody::Call { call, result: ToolResult::Value { .. }, .. } if call.name == PROPOSE => {
            let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
            Proposal::from_json(&arguments).ok()
        }
        _ => None,
    };
    trace.steps.iter().filter_map(proposed).collect()
}

fn face(function: &ComposedFunction) -> ToolSpec {
    ToolSpec {
        name: function.name().to_owned(),
        description: function.description(),
        parameters: function.parameters(),
    }
}

/// What a model reads of [`PROPOSE`]: the whole language.
fn propose_face() -> ToolSpec {
    let operations: Vec<&str> = operations().collect();
    let description = format!(
        "Proposes a new graph function, composed of those that there are. It is checked: its types, \
         its examples, and that it does not fail on small random graphs. Once it is accepted, call it \
         by its name. The body is one expression, with names for parts of it before: let NAME = \
         VALUE; … VALUE. Graph functions are called on the graph as it stands, with named arguments: \
         find_shortest_path(start: s, end: t).path. Results are records: read a field with a dot, an \
         item of a list with [0]. What may be null needs another value for that: path ?? []. There \
         are if A then B else C, and, or, not, == != < <= > >=, + - * / %, lists [a, b], records \
         {{ a: 1 }}. Functions that change the graph change a copy, up to the end of the part that \
         they stand in: filter(describe_graph().nodes, v => (delete_nodes(nodes: [v]); \
         connected_components().n_components > 1)). Operations: {}.",
        operations.join("; ")
    );
    ToolSpec { name: PROPOSE.into(), description, parameters: Proposal::schema() }
}

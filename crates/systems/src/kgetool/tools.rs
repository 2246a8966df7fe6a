//! The candidate tools as a model may call them. They check a call and do nothing else: there is no
//! house whose lights they could switch.

use agent::{ToolFailure, ToolOutput, ToolSet, answer_call};
use llm::{Message, ToolCall, ToolSpec};
use serde_json::{Map, Value, json};
use tasks::family::{FamilyCall, ToolDef, fits};
use trace::replay::{Replay, ReplayTools, replay as replay_trace};
use trace::{Effects, StepBody, ToolResult, Trace};

/// The candidates of a query.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    tools: Vec<ToolDef>,
}

impl Candidates {
    /// Offers these tools.
    pub fn new(tools: Vec<ToolDef>) -> Self {
        Self { tools }
    }

    /// Those that a trace of ours was made with.
    pub fn of(trace: &Trace) -> Self {
        let tool = |spec: &ToolSpec| ToolDef {
            name: spec.name.clone(),
            description: spec.description.clone(),
            parameters: spec.parameters.clone(),
        };
        Self { tools: trace.tools.iter().map(tool).collect() }
    }

    /// The calls that a model made, under the tools' own names; those whose arguments cannot be read
    /// are left out. Where it made none, those that it wrote out as JSON.
    pub fn calls(&self, trace: &Trace) -> Vec<FamilyCall> {
        let turns = trace.steps.iter().filter_map(|s| match &s.body {
            StepBody::Model { message, .. } => Some(message),
            _ => None,
        });
        turns.flat_map(|message| self.calls_in(message)).collect()
    }

    fn calls_in(&self, message: &Message) -> Vec<FamilyCall> {
        let mut calls: Vec<FamilyCall> = message
            .tool_calls
            .iter()
            .filter_map(|call| {
                let text = call.arguments.trim();
                let text = if text.is_empty() { "{}" } else { text };
                let parameters = serde_json::from_str(text).ok()?;
                Some(FamilyCall { name: self.own_name(&call.name), parameters })
            })
            .collect();
        if calls.is_empty() {
            calls = written(&message.content);
            for call in &mut calls {
                call.name = self.own_name(&call.name);
            }
            // Braces in an explanation are no call.
            calls.retain(|c| self.tools.iter().any(|t| t.name == c.name));
        }
        calls
    }

    fn own_name(&self, name: &str) -> String {
        let own = self.tools.iter().find(|t| safe(&t.name) == name);
        own.map_or_else(|| name.to_owned(), |t| t.name.clone())
    }
}

/// A name that every provider takes.
fn safe(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

/// Calls that are written out as JSON objects with a name and parameters.
fn written(text: &str) -> Vec<FamilyCall> {
    let mut calls = Vec::new();
    let mut rest = &text[..text.floor_char_boundary(super::parse::MAX_TEXT)];
    // An object that cannot be read costs its first brace; a bound keeps that from adding up.
    for _ in 0..200 {
        let Some(at) = rest.find('{') else { break };
        rest = &rest[at..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Map<String, Value>>();
        match values.next() {
            Some(Ok(object)) => {
                rest = &rest[values.byte_offset().max(1)..];
                let parameters = ["parameters", "arguments"].iter().find_map(|k| object.get(*k));
                if let (Some(Value::String(name)), Some(Value::Object(parameters))) =
                    (object.get("name"), parameters)
                {
                    calls.push(FamilyCall { name: name.clone(), parameters: parameters.clone() });
                }
            }
            _ => rest = &rest[1..],
        }
    }
    calls
}

/// What a model is shown of a tool. Tools of other benchmarks have types that JSON Schema does not
/// know, and require parameters that they do not declare: both are corrected, for the model alone.
fn spec(tool: &ToolDef) -> ToolSpec {
    let mut properties = Map::new();
    if let Some(declared) = tool.parameters.get("properties").and_then(Value::as_object) {
        for (name, schema) in declared {
            let mut schema = if schema.is_object() { schema.clone() } else { json!({}) };
            let known_type = match schema.get("type").and_then(Value::as_str) {
                Some("int") => "integer",
                Some("float") => "number",
                Some("bool") => "boolean",
                Some("Dict" | "dict") => "object",
                Some("list" | "List") => "array",
                Some(known) => known,
                None => "string",
            }
            .to_owned();
            if known_type == "array" && schema.get("items").is_none() {
                schema["items"] = json!({});
            }
            schema["type"] = known_type.into();
            properties.insert(name.clone(), schema);
        }
    }
    let required: Vec<String> = tool
        .parameters
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|v| v.as_str().map(str::to_owned))
        .collect();
    for name in &required {
        properties.entry(name.clone()).or_insert_with(|| json!({ "type": "string" }));
    }
    let parameters = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    ToolSpec { name: safe(&tool.name), description: tool.description.clone(), parameters }
}

impl ToolSet for Candidates {
    fn specs(&self) -> Vec<ToolSpec> {
        self.tools.iter().map(spec).collect()
    }

    fn call(&mut self, name: &str, arguments: Value) -> Result<ToolOutput, ToolFailure> {
        let refuse = |message: String| ToolFailure {
            is_schema: true,
            code: "bad_arguments".into(),
            message,
            witness: None,
        };
        let Value::Object(parameters) = arguments else {
            return Err(refuse(format!("the parameters of {name} must be one JSON object")));
        };
        if let Some(tool) = self.tools.iter().find(|t| safe(&t.name) == name) {
            let shown = spec(tool);
            let tool = ToolDef { parameters: shown.parameters, ..tool.clone() };
            let call = FamilyCall { name: tool.name.clone(), parameters };
            fits(&call, &tool).map_err(refuse)?;
        }
        let value = json!({ "accepted": name });
        Ok(ToolOutput { value, notes: Vec::new(), effects: Effects::default(), told: None })
    }
}

/// What a replay finds in a trace of ours; `None` for one that is not. A call is checked again; the
/// family that was searched is not in the trace, so that of a search there is nothing to compute.
pub fn replay(trace: &Trace) -> Option<Replay> {
    match trace.system.as_str() {
        super::CALLS => Some(replay_trace(trace, &mut Candidates::of(trace), true)),
        super::EXTRACTING => Some(Replay::default()),
        super::experiment::ID => {
            let mut replay = replay_trace(trace, &mut Candidates::of(trace), true);
            let is_search = |at: &usize| match trace.steps.get(*at).map(|s| &s.body) {
                Some(StepBody::Call { call, .. }) => call.name == super::SEARCH,
                _ => false,
            };
            replay.findings.retain(|(at, _)| !is_search(at));
            Some(replay)
        }
        _ => None,
    }
}

/// A trace's calls are checked again.
impl ReplayTools for Candidates {
    fn answer(&mut self, call: &ToolCall) -> (ToolResult, Effects) {
        let specs = self.specs();
        let (result, effects, _) = answer_call(self, &specs, call);
        (result, effects)
    }

    fn adopt(&mut self, _: &Effects) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_are_written_out_are_read_and_other_braces_are_not() {
        let tool = ToolDef {
            name: "set.alarm".into(),
            description: String::new(),
            parameters: json!({ "properties": {}, "required": ["time"] }),
        };
        let set = Candidates::new(vec![tool]);
        let text = "I think {so}: <tool_call>{\"name\": \"set_alarm\", \"arguments\": \
                    {\"time\": \"07:15\"}}</tool_call> {\"name\":\"other\",\"parameters\":{}}";
        let calls = set.calls_in(&Message::assistant(text));
        assert_eq!(calls.len(), 1);
        assert_eq!(
            (calls[0].name.as_str(), &calls[0].parameters["time"]),
            ("set.alarm", &json!("07:15"))
        );
        assert!(set.calls_in(&Message::assistant("{".repeat(5000))).is_empty());
        let spec = &set.specs()[0];
        assert_eq!(spec.parameters["properties"]["time"]["type"], "string");
    }

    #[test]
    fn an_undeclared_parameter_is_refused_with_those_that_there_are() {
        let tool = ToolDef {
            name: "t".into(),
            description: String::new(),
            parameters: json!({ "properties": { "a": { "type": "string" } }, "required": ["a"] }),
        };
        let mut set = Candidates::new(vec![tool]);
        let failure = set.call("t", json!({ "a": "x", "b": 1 })).unwrap_err();
        assert_eq!(failure.message, "\"t\" has no parameter \"b\"; it has a");
        assert!(set.call("t", json!({ "a": 2 })).unwrap_err().is_schema);
        assert!(set.call("t", json!({ "a": "x" })).is_ok());
    }
}

//! A step of a run in one sentence, to be read beside the drawing.

use graph::Delta;
use trace::{Step, StepBody, ToolResult, Trace};

use super::viewer;

/// The most characters of what somebody said that a sentence repeats.
const MOST_SAID: usize = 90;
/// The most names of calls that one sentence tells.
const MOST_CALLS: usize = 3;

/// Where no step is in view yet.
pub const BEFORE: &str = "Before the first step.";

/// What happens in the step at a cursor; 0 is before the first one. Empty where there are no steps.
pub fn at<S: AsRef<Step>>(steps: &[S], cursor: usize) -> String {
    match cursor.checked_sub(1).map(|i| steps.get(i.min(steps.len().saturating_sub(1)))) {
        _ if steps.is_empty() => String::new(),
        None => BEFORE.to_owned(),
        Some(step) => step.map(|step| sentence(step.as_ref())).unwrap_or_default(),
    }
}

/// What happens in the step of a trace at a cursor, told of a judge where a judge speaks; 0 is before
/// the first step. Empty beyond the last.
pub fn of_trace(trace: &Trace, cursor: usize) -> String {
    let Some(i) = cursor.checked_sub(1) else { return BEFORE.to_owned() };
    match trace.steps.get(i).map(|step| (step, &step.body)) {
        Some((_, StepBody::Model { message, .. })) if trace.is_judged_at(i) => {
            format!("The judge says: “{}”", short(&message.content))
        }
        Some((step, _)) => sentence(step),
        None => String::new(),
    }
}

/// What a step does.
pub fn sentence(step: &Step) -> String {
    match &step.body {
        StepBody::Model { message, .. } if message.tool_calls.is_empty() => {
            match message.content.trim() {
                "" => "The model says nothing.".to_owned(),
                said => format!("The model answers: “{}”", short(said)),
            }
        }
        StepBody::Model { message, .. } => {
            let names: Vec<&str> = message.tool_calls.iter().map(|c| c.name.as_str()).collect();
            let shown = names[..names.len().min(MOST_CALLS)].join(", ");
            match names.len() {
                1 => format!("The model calls {shown}."),
                n if n <= MOST_CALLS => format!("The model calls {n} functions: {shown}."),
                n => format!("The model calls {n} functions: {shown} and more."),
            }
        }
        StepBody::Call { call, result: ToolResult::Error(error), .. } => {
            format!("{} refuses: {}", call.name, ended(&short(&error.message)))
        }
        StepBody::Call { call, effects, .. } if !effects.deltas.is_empty() => {
            format!("{} {}.", call.name, changes(&effects.deltas))
        }
        StepBody::Call { call, result: ToolResult::Value { value, .. }, .. } => {
            match short(&viewer::value_line(value)).as_str() {
                "" | "null" => format!("{} answers.", call.name),
                told => format!("{} answers: {}", call.name, ended(told)),
            }
        }
        StepBody::Choice { tools, n_tools, .. } => {
            format!("The model gets {} of {n_tools} functions.", tools.len())
        }
        StepBody::Vote { tallies, tie } => match (tallies.first(), tie) {
            (Some(_), true) => "The vote is a tie; the answer that came first is taken.".to_owned(),
            (Some(first), false) => {
                format!("The majority answers: {}", ended(&short(&first.answer)))
            }
            (None, _) => "There is no answer to vote on.".to_owned(),
        },
        StepBody::Prompt { .. } => "The model is asked.".to_owned(),
        StepBody::Findings { stage, findings } => match findings.as_slice() {
            [] => format!("Checked ({stage}): nothing is wrong."),
            [one] => format!("Checked ({stage}): {}", ended(&short(&one.message))),
            [one, ..] => format!(
                "Checked ({stage}): {} mistakes, first: {}",
                findings.len(),
                ended(&short(&one.message))
            ),
        },
        StepBody::Note { text } => ended(&short(text)),
        StepBody::Program { fault: Some(fault), .. } => {
            ended(&format!("No answer: {}", short(fault)))
        }
        StepBody::Program { output, .. } => {
            format!("The program prints: “{}”", short(output.trim()))
        }
        _ => String::new(),
    }
}

/// What changes do to a graph: `adds 3 nodes and 2 edges`.
fn changes(deltas: &[Delta]) -> String {
    let count = |is: fn(&Delta) -> bool| deltas.iter().filter(|d| is(d)).count();
    let nodes = count(|d| matches!(d, Delta::AddNode { .. }));
    let edges = count(|d| matches!(d, Delta::AddEdge { .. }));
    let rows = count(|d| matches!(d, Delta::SetEmbedding { .. }));
    let mut parts = Vec::new();
    let mut part = |verb: &str, n: usize, one: &str, many: &str| {
        if n > 0 {
            parts.push(format!("{verb}{n} {}", if n == 1 { one } else { many }));
        }
    };
    part("adds ", nodes, "node", "nodes");
    part(if nodes > 0 { "" } else { "adds " }, edges, "edge", "edges");
    part("sets ", rows, "embedding", "embeddings");
    let others = deltas.len() - nodes - edges - rows;
    if let [Delta::Create { .. }] = deltas {
        return "begins an empty graph".to_owned();
    }
    if nodes + edges + rows == 0 {
        let changes = if others == 1 { "change" } else { "changes" };
        return format!("makes {others} {changes} to the graph");
    }
    parts.join(" and ")
}

/// The beginning of a text in one line.
fn short(text: &str) -> String {
    let mut words = String::new();
    let mut n = 0;
    // A text may be megabytes: no more is looked at than is shown.
    for c in text.trim_start().chars().take(4 * MOST_SAID) {
        if c.is_whitespace() {
            if !words.ends_with(' ') {
                words.push(' ');
                n += 1;
            }
        } else {
            words.push(c);
            n += 1;
        }
        if n > MOST_SAID {
            return format!("{}…", words.trim_end());
        }
    }
    words.trim_end().to_owned()
}

/// A text that ends as a sentence does.
fn ended(text: &str) -> String {
    if text.ends_with(['.', '!', '?', '…', '”']) { text.to_owned() } else { format!("{text}.") }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use llm::{FinishReason, Message, ToolCall, Usage};
    use serde_json::json;
    use trace::Effects;

    use super::*;

    fn step(body: StepBody) -> Arc<Step> {
        Arc::new(Step { at_ms: 0.0, took_ms: 0.0, by_person: false, body })
    }

    fn call(value: serde_json::Value, deltas: Vec<Delta>) -> Arc<Step> {
        let call = ToolCall { id: "1".into(), name: "f".into(), arguments: "{}".into() };
        let result = ToolResult::Value { value, notes: vec![] };
        let effects = Effects { deltas, ..Effects::default() };
        step(StepBody::Call { call, result, effects, told: None })
    }

    fn says(content: &str) -> Arc<Step> {
        step(StepBody::Model {
            message: Message::assistant(content),
            finish: FinishReason::Stop,
            usage: Usage::default(),
            request_hash: String::new(),
        })
    }

    #[test]
    fn a_judge_is_called_a_judge() {
        let mut trace = Trace::new("graphrunner", "m".into(), Vec::new());
        trace.steps = vec![(*says("Amber Line")).clone(), (*says("Yes. It is right.")).clone()];
        let judge = json!({ "from": 1, "model": "j", "role": trace::JUDGE_ROLE });
        trace.asked = vec![serde_json::from_value(judge).unwrap()];
        assert_eq!(of_trace(&trace, 0), BEFORE);
        assert_eq!(of_trace(&trace, 1), "The model answers: “Amber Line”");
        assert_eq!(of_trace(&trace, 2), "The judge says: “Yes. It is right.”");
        assert_eq!(of_trace(&trace, 9), "");
    }

    #[test]
    fn each_step_is_one_sentence() {
        let node = |name: &str| Delta::AddNode { node: name.into() };
        let edge =
            Delta::AddEdge { source: "a".into(), target: "b".into(), weight: None, capacity: None };
        let changed = call(json!(null), vec![node("a"), node("b"), edge]);
        assert_eq!(sentence(&changed), "f adds 2 nodes and 1 edge.");
        let asked = call(json!({ "path": [1, 2], "weight": 3 }), vec![]);
        assert_eq!(sentence(&asked), "f answers: path: [1,2], weight: 3.");
        assert_eq!(sentence(&call(json!(null), vec![])), "f answers.");
        let removed = call(json!(null), vec![Delta::RemoveNode { node: "a".into() }]);
        assert_eq!(sentence(&removed), "f makes 1 change to the graph.");
        let begun = call(json!(null), vec![Delta::Create { directed: true, weighted: false }]);
        assert_eq!(sentence(&begun), "f begins an empty graph.");
        assert_eq!(sentence(&says("It is\n 3.")), "The model answers: “It is 3.”");
        let long = sentence(&says(&"word ".repeat(1_000_000)));
        assert!(long.chars().count() < 130 && long.ends_with("…”"), "{long}");
    }

    #[test]
    fn the_cursor_says_what_the_step_before_it_did() {
        let steps = [says("one"), says("two")];
        assert_eq!(at(&steps, 0), "Before the first step.");
        assert_eq!(at(&steps, 1), "The model answers: “one”");
        assert_eq!(at(&steps, 2), "The model answers: “two”");
        assert_eq!(at(&steps, 9), "The model answers: “two”");
        assert_eq!(at(&steps[..0], 0), "");
    }
}

//! The paper's textual form of a plan, written.

use super::{Plan, PlanStep, actions};

/// A plan in the paper's form, a line a step: `s1: Find_Node[Nicotine, Compound]`.
pub fn print_plan(plan: &Plan) -> String {
    let mut text: String =
        plan.steps.iter().map(|step| format!("{}: {}\n", step.id, print_step(step))).collect();
    let last = plan.steps.last().map(|s| s.id.as_str());
    if let Some(answer) = plan.answer_from.as_deref().filter(|a| Some(*a) != last) {
        text.push_str(&format!("Answer: {answer}\n"));
    }
    text
}

/// A step in the paper's form, without its id.
fn print_step(step: &PlanStep) -> String {
    let title = actions::of_name(&step.action).map_or(step.action.as_str(), |a| a.title);
    let mut list: Vec<String> = Vec::new();
    for entry in &step.of {
        let edge = entry.edge_type.as_deref().unwrap_or_default();
        let way = entry.direction.map_or(String::new(), |d| format!(", {}", d.as_str()));
        list.push(format!("({}, {}{way})", quoted(&entry.from), quoted(edge)));
    }
    let is_find = title == "Find_Node";
    let fields = [
        (if is_find { "" } else { "hint=" }, step.hint.as_deref()),
        ("", step.from.as_deref()),
        ("to=", step.to.as_deref()),
        ("", step.edge_type.as_deref()),
        (
            if title == "Fetch_Neighbors" && step.edge_type.is_some() { "node_type=" } else { "" },
            step.node_type.as_deref(),
        ),
        ("attribute=", step.attribute.as_deref()),
        ("op=", step.op.as_deref()),
        ("value=", step.value.as_deref()),
        ("", step.direction.map(|d| d.as_str())),
    ];
    for (key, value) in fields {
        if let Some(value) = value {
            list.push(format!("{key}{}", quoted(value)));
        }
    }
    format!("{title}[{}]", list.join(", "))
}

/// A name as the textual form has it: in quotes where it would otherwise be read as more than one.
pub fn quoted(word: &str) -> String {
    let is_plain = !word.is_empty()
        && word.trim() == word
        && !word.contains([',', '[', ']', '(', ')', '"', '=', '\n', '\\']);
    if is_plain { word.to_owned() } else { serde_json::Value::from(word).to_string() }
}

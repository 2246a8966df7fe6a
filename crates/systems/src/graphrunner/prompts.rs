//! What GraphRunner's planner and its answering model are told.

use kg::plan::{ACTIONS, Plan, StepResult, StepValue, print_plan};
use kg::{Kg, NodeIx};
use llm::{ChatRequest, Message, ToolSpec};
use serde_json::json;

use crate::kgqa::{ANSWER_FORM, KgOptions, PlanForm, schema_text};

/// The tool by which a plan is handed in.
pub const SUBMIT: &str = "submit_plan";

/// Plans about a made-up library, so that no example is about the graph at hand.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "Which books did the author of Salt Roads write?",
        "s1: Find_Node[Salt Roads, Book]\ns2: Fetch_Neighbors[s1, written_by]\n\
         s3: Fetch_Neighbors[s2, written_by]",
    ),
    (
        "Which publisher has published both Ana Petrova and Jon Hale?",
        "s1: Find_Node[Ana Petrova, Author]\ns2: Find_Node[Jon Hale, Author]\n\
         s3: Find_Common_Nodes[(s1, publishes), (s2, publishes)]",
    ),
    (
        "Which cities is the publisher of Salt Roads connected to?",
        "s1: Find_Node[Salt Roads, Book]\ns2: Fetch_Neighbors[s1, published_by]\n\
         s3: Fetch_Neighbors[s2, City]",
    ),
];

/// How the prompt of the planner begins.
const PLANS: &str = "You plan how a question is answered";

/// Whether a request is for a plan.
pub(crate) fn is_planning(request: &ChatRequest) -> bool {
    request.messages.first().is_some_and(|m| m.content.starts_with(PLANS))
}

/// The prompt of the planner: what it is to do, the actions, examples, the schema, the question.
///
/// Paper: GraphRunner §3.2 names these parts; the words are ours.
pub fn plan_prompt(kg: &Kg, options: &KgOptions, question: &str) -> Vec<Message> {
    let mut text = String::from(PLANS);
    text.push_str(
        " on a knowledge graph. You see the graph's schema, not its data. Write the whole plan at \
         once: it is verified against the schema and executed for you, and its last step's result answers the question. Every step works on the result \
         of an earlier one; the first is always find_node, with a name or description taken from \
         the question. Use only types of the schema, exactly as they are spelt there. An edge can \
         be followed both ways.\n\nActions:\n",
    );
    for action in ACTIONS.iter().filter(|a| options.semantics.extensions || !a.paper.is_empty()) {
        let name = if options.form == PlanForm::Paper { action.title } else { action.name };
        text.push_str(&format!("- {name}: {}", action.description));
        if options.form != PlanForm::Paper {
            text.push_str(&format!(" Example: {}", action.example));
        }
        text.push('\n');
    }
    text.push_str("\nExamples, about a library:\n");
    for (asked, plan) in EXAMPLES {
        text.push_str(&format!("Question: {asked}\nPlan:\n{}\n\n", form(plan, options.form)));
    }
    text.push_str(match options.form {
        PlanForm::Json => "Answer with one JSON object {\"steps\": [...]} and nothing else.",
        PlanForm::Tool => "Hand the plan in with one call of submit_plan.",
        PlanForm::Paper => "Answer with the plan alone, a line a step, as in the examples.",
    });
    let asked = format!("{}\nQuestion: {question}", schema_text(kg));
    vec![Message::system(text), Message::user(asked)]
}

fn form(plan: &str, form: PlanForm) -> String {
    if form == PlanForm::Paper {
        return plan.to_owned();
    }
    kg::plan::read_plan(plan)
        .ok()
        .and_then(|plan| serde_json::to_string(&plan).ok())
        .unwrap_or_else(|| plan.to_owned())
}

/// The definition of [`SUBMIT`].
pub fn submit_plan(options: &KgOptions) -> ToolSpec {
    let actions: Vec<&str> = ACTIONS
        .iter()
        .filter(|a| options.semantics.extensions || !a.paper.is_empty())
        .map(|a| a.name)
        .collect();
    let text = |what: &str| json!({ "type": "string", "description": what });
    let way = json!({ "type": "string", "enum": ["out", "in", "both"], "description": "Which way edges are followed; both if left out." });
    let mut step = json!({
        "id": text("What later steps call it, such as s1."),
        "action": { "type": "string", "enum": actions, "description": "What it does." },
        "hint": text("find_node: the name of a node, from the question."),
        "node_type": text("find_node: the node's type; fetch_neighbors over several hops: the type that is wanted."),
        "from": text("The id of the step that it begins from."),
        "edge_type": text("fetch_neighbors over one hop: the type of edges."),
        "direction": way,
        "of": {
            "type": "array",
            "description": "find_common_nodes: two entries or more.",
            "items": {
                "type": "object",
                "properties": { "from": text("The id of an earlier step."), "edge_type": text("The type of edges.") },
                "required": ["from", "edge_type"]
            }
        },
    });
    if let (true, Some(map)) = (options.semantics.extensions, step.as_object_mut()) {
        map.insert("attribute".into(), text("attribute, filter, argmax: which attribute."));
        map.insert("op".into(), text("filter: =, !=, <, > or contains."));
        map.insert("value".into(), text("filter: what is compared with."));
        map.insert("to".into(), text("shortest_path: the id of the step with the other end."));
    }
    ToolSpec {
        name: SUBMIT.into(),
        description: "Hands in the plan, or steps of it that were wrong, under their old ids."
            .into(),
        parameters: json!({
            "type": "object",
            "properties": {
                "steps": {
                    "type": "array",
                    "description": "The steps in their order.",
                    "items": { "type": "object", "properties": step, "required": ["id", "action"] }
                },
                "answer_from": text("The id of the step that has the answer; the last if left out.")
            },
            "required": ["steps"]
        }),
    }
}

/// A finding in a sentence.
pub(super) fn describe(finding: &trace::Finding) -> String {
    let at = finding.at.as_ref().map(|at| format!("Step {at}: ")).unwrap_or_default();
    format!("{at}{} ({}).", finding.message, finding.rule)
}

/// What the planner reads when its plan is wrong: the failing steps alone, and why.
pub(super) fn ask_for_correction(
    found: &[trace::Finding],
    plan: Option<&Plan>,
    options: &KgOptions,
) -> String {
    let wrong: Vec<&trace::Finding> = found.iter().filter(|f| f.is_error).collect();
    let list: Vec<String> = wrong.iter().map(|f| format!("- {}", describe(f))).collect();
    let steps: Vec<&str> = wrong.iter().filter_map(|f| f.at.as_deref()).collect();
    let Some(plan) = plan.filter(|_| !steps.is_empty() && steps.len() == wrong.len()) else {
        return format!(
            "The plan cannot run:\n{}\nGive the whole plan again, right.",
            list.join("\n")
        );
    };
    let failing = Plan {
        steps: plan.steps.iter().filter(|s| steps.contains(&s.id.as_str())).cloned().collect(),
        answer_from: None,
    };
    let shown = if options.form == PlanForm::Paper {
        print_plan(&failing)
    } else {
        serde_json::to_string(&failing).unwrap_or_default()
    };
    format!(
        "The plan cannot run:\n{}\nThese steps are wrong:\n{shown}\nGive these steps again, right, \
         under their old ids, and nothing else.",
        list.join("\n")
    )
}

/// The prompt of the answering model: the question and what the last step gave. Nothing else of the
/// run is told. Paper: GraphRunner §3, the answer is made of the last action's result.
pub fn answer_prompt(
    kg: &Kg,
    options: &KgOptions,
    question: &str,
    last: Option<&StepResult>,
) -> Vec<Message> {
    let rules = format!(
        "You answer a question from what a traversal of a knowledge graph has found. Use only what \
         is given, and name nothing that it does not name. {ANSWER_FORM}"
    );
    let found = match last.map(|r| &r.value) {
        None => "The traversal could not run, and nothing was found.".to_owned(),
        Some(StepValue::Nodes(nodes)) if nodes.is_empty() => "Nothing was found.".to_owned(),
        Some(StepValue::Nodes(nodes)) => nodes_text(kg, nodes, options.max_shown),
        Some(StepValue::Number(number)) => format!("The result is the number {number}."),
        Some(StepValue::Texts(texts)) => format!("The values are: {}", texts.join("; ")),
    };
    let asked = format!("Question: {question}\n\nWhat was found:\n{found}");
    vec![Message::system(rules), Message::user(asked)]
}

/// Nodes with their types, and with their attributes where they are few.
fn nodes_text(kg: &Kg, nodes: &[NodeIx], max: usize) -> String {
    let mut text =
        format!("{} {}:\n", nodes.len(), if nodes.len() == 1 { "node" } else { "nodes" });
    let with_attributes = nodes.len() <= 20;
    for node in nodes.iter().take(max) {
        let of = &kg.schema().node_type(kg.node_type(*node)).name;
        let mut known = vec![of.clone()];
        if let (true, Some(attributes)) = (with_attributes, kg.attributes(*node)) {
            for (key, value) in attributes {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                // An abstract would drown the names.
                let short: String = value.chars().take(200).collect();
                known.push(format!("{key}: {short}"));
            }
        }
        text.push_str(&format!("- {} ({})\n", kg.name(*node), known.join(", ")));
    }
    if nodes.len() > max {
        text.push_str(&format!("and {} more\n", nodes.len() - max));
    }
    text
}

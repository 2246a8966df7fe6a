//! What a planner's reply is held to, where its model holds replies to a shape: the actions that are
//! offered, and the types that the graph has.

use kg::Kg;
use kg::plan::{ACTIONS, ActionKind, ActionSpec, Extension};
use llm::{Grammar, ReplyShape};
use serde_json::{Map, Value, json};

use crate::kgqa::{KgOptions, PlanForm};

/// The most steps of a plan that is held to a shape, each named `s1`, `s2`, …
const MAX_STEPS: usize = 8;
/// The most characters of a name or a value.
const MAX_WORD: u32 = 60;
/// The most entries of `find_common_nodes`.
const MAX_ENTRIES: usize = 4;
const WAYS: [&str; 3] = ["out", "in", "both"];
const OPS: [&str; 5] = ["=", "!=", "<", ">", "contains"];

/// What a plan may name.
struct Names {
    ids: Vec<String>,
    node_types: Vec<String>,
    edge_types: Vec<String>,
    attributes: Vec<String>,
}

impl Names {
    fn of(kg: &Kg) -> Self {
        let schema = kg.schema();
        let mut attributes: Vec<String> =
            schema.node_types().iter().flat_map(|t| t.attributes.clone()).collect();
        attributes.sort();
        attributes.dedup();
        Self {
            ids: (1..=MAX_STEPS).map(|i| format!("s{i}")).collect(),
            node_types: schema.node_types().iter().map(|t| t.name.clone()).collect(),
            edge_types: schema.edge_types().iter().map(|t| t.name.clone()).collect(),
            attributes,
        }
    }
}

fn offered(options: &KgOptions) -> impl Iterator<Item = &'static ActionSpec> {
    ACTIONS.iter().filter(|a| options.semantics.extensions || !a.paper.is_empty())
}

/// The fields of an action, beside its id, in the ways in which it can be used: each with its name and
/// whether it has to be there.
fn ways(kind: ActionKind) -> &'static [&'static [(&'static str, bool)]] {
    match kind {
        ActionKind::FindNode => &[&[("hint", true), ("node_type", true)]],
        ActionKind::FetchNeighbors => &[
            &[("from", true), ("edge_type", true), ("direction", false)],
            &[("from", true), ("node_type", true)],
        ],
        ActionKind::FindCommonNodes => &[&[("of", true)]],
        ActionKind::Extension(extension) => match extension {
            Extension::Count => &[&[("from", true)]],
            Extension::Attribute => &[&[("from", true), ("attribute", true)]],
            Extension::Filter => {
                &[&[("from", true), ("attribute", true), ("op", true), ("value", true)]]
            }
            Extension::MostCommon => {
                &[&[("from", true), ("edge_type", true), ("direction", false)]]
            }
            Extension::Argmax => &[
                &[("from", true), ("edge_type", true), ("direction", false)],
                &[("from", true), ("attribute", true)],
            ],
            Extension::ShortestPath => &[&[("from", true), ("to", true)]],
        },
    }
}

/// The fields that can be filled in on this graph; an action without one of them cannot be used.
fn usable<'a>(
    way: &'a [(&'static str, bool)],
    names: &Names,
) -> Option<&'a [(&'static str, bool)]> {
    let is_empty = |field: &str| match field {
        "node_type" => names.node_types.is_empty(),
        "edge_type" | "of" => names.edge_types.is_empty(),
        "attribute" => names.attributes.is_empty(),
        _ => false,
    };
    (!way.iter().any(|(field, _)| is_empty(field))).then_some(way)
}

fn object(properties: Map<String, Value>, required: &[&str]) -> Value {
    json!({
        "type": "object", "properties": properties, "required": required,
        "additionalProperties": false,
    })
}

fn field(name: &str, names: &Names) -> Value {
    let word = json!({ "type": "string", "minLength": 1, "maxLength": MAX_WORD });
    match name {
        "id" | "from" | "to" => json!({ "type": "string", "enum": names.ids }),
        "node_type" => json!({ "type": "string", "enum": names.node_types }),
        "edge_type" => json!({ "type": "string", "enum": names.edge_types }),
        "attribute" => json!({ "type": "string", "enum": names.attributes }),
        "direction" => json!({ "type": "string", "enum": WAYS }),
        "op" => json!({ "type": "string", "enum": OPS }),
        "of" => {
            let entry: Map<String, Value> = ["from", "edge_type"]
                .into_iter()
                .map(|key| (key.to_owned(), field(key, names)))
                .collect();
            json!({
                "type": "array", "items": object(entry, &["from", "edge_type"]),
                "minItems": 2, "maxItems": MAX_ENTRIES,
            })
        }
        _ => word,
    }
}

/// The JSON schema of a plan on a graph. O(types of the graph × actions).
pub fn plan_schema(kg: &Kg, options: &KgOptions) -> Value {
    let names = Names::of(kg);
    let mut steps = Vec::new();
    for action in offered(options) {
        for way in ways(action.kind).iter().filter_map(|way| usable(way, &names)) {
            let mut properties = Map::new();
            properties.insert("id".to_owned(), field("id", &names));
            properties
                .insert("action".to_owned(), json!({ "type": "string", "enum": [action.name] }));
            properties.extend(way.iter().map(|(key, _)| ((*key).to_owned(), field(key, &names))));
            let needed = way.iter().filter(|(_, is_needed)| *is_needed).map(|(key, _)| *key);
            let required: Vec<&str> = ["id", "action"].into_iter().chain(needed).collect();
            steps.push(object(properties, &required));
        }
    }
    let mut properties = Map::new();
    properties.insert(
        "steps".to_owned(),
        json!({
            "type": "array", "items": { "anyOf": steps }, "minItems": 1, "maxItems": MAX_STEPS,
        }),
    );
    properties.insert("answer_from".to_owned(), field("id", &names));
    object(properties, &["steps"])
}

/// A name as the paper's form has it: in quotes where it would be read as more than one.
fn named(names: &[String]) -> Grammar {
    Grammar::one_of(names.iter().map(|name| kg::plan::quoted(name)))
}

fn in_text(name: &str, names: &Names) -> Grammar {
    let word = Grammar::times(Grammar::AnyBut("\"\\".to_owned()), 1, MAX_WORD);
    let word = Grammar::All(vec![Grammar::text("\""), word, Grammar::text("\"")]);
    let keyed = |key: &str, value: Grammar| Grammar::All(vec![Grammar::text(key), value]);
    match name {
        "from" => named(&names.ids),
        "to" => keyed("to=", named(&names.ids)),
        "node_type" => named(&names.node_types),
        "edge_type" => named(&names.edge_types),
        "attribute" => keyed("attribute=", named(&names.attributes)),
        "direction" => keyed("direction=", Grammar::one_of(WAYS)),
        "op" => keyed("op=", Grammar::one_of(OPS.map(kg::plan::quoted))),
        "value" => keyed("value=", word),
        "of" => {
            let entry = Grammar::All(vec![
                Grammar::text("("),
                named(&names.ids),
                Grammar::text(", "),
                named(&names.edge_types),
                Grammar::text(")"),
            ]);
            let more = Grammar::All(vec![Grammar::text(", "), entry.clone()]);
            let more = Grammar::times(more, 1, MAX_ENTRIES as u32 - 1);
            Grammar::All(vec![entry, more])
        }
        _ => word,
    }
}

/// The grammar of a plan in the paper's form, a line a step. O(types of the graph × actions).
fn plan_grammar(kg: &Kg, options: &KgOptions) -> Grammar {
    let names = Names::of(kg);
    let mut calls = Vec::new();
    for action in offered(options) {
        for way in ways(action.kind).iter().filter_map(|way| usable(way, &names)) {
            let mut parts = vec![Grammar::text(format!("{}[", action.title))];
            for (i, (key, is_needed)) in way.iter().enumerate() {
                let comma = Grammar::text(if i > 0 { ", " } else { "" });
                let part = Grammar::All(vec![comma, in_text(key, &names)]);
                parts.push(if *is_needed { part } else { Grammar::times(part, 0, 1) });
            }
            parts.push(Grammar::text("]"));
            calls.push(Grammar::All(parts));
        }
    }
    let line = Grammar::All(vec![named(&names.ids), Grammar::text(": "), Grammar::OneOf(calls)]);
    Grammar::list(line, "\n", MAX_STEPS as u32)
}

/// What a planner's reply keeps to, in the form that the options name.
pub fn plan_shape(kg: &Kg, options: &KgOptions) -> ReplyShape {
    match options.form {
        PlanForm::Json | PlanForm::Tool => ReplyShape::Schema(plan_schema(kg, options)),
        PlanForm::Paper => ReplyShape::Grammar(plan_grammar(kg, options)),
    }
}

//! The functions of Graph-CoT.

use kg::find::{FindOptions, FindOver, Finder};
use kg::{Direction, Kg, NodeIx};
use llm::ToolCall;
use serde_json::json;
use trace::{Effects, MistakeKind, ToolError, ToolResult};

use crate::kgqa::{Drawing, effects_of};

/// The most neighbours that one observation lists.
const MAX_LISTED: usize = 500;

/// An action as the model wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Retrieve(String),
    Feature(String, String),
    Degree(String, String),
    Neighbours(String, String),
    Finish(String),
    Unknown(String),
}

impl Action {
    /// The actions of a line, one after the other.
    pub(super) fn all(line: &str) -> Vec<Self> {
        let mut found = Vec::new();
        let mut rest = line;
        while let Some(open) = rest.find('[') {
            let name = rest[..open].trim_start_matches([',', ' ', ';']).trim();
            // What is finished with may hold brackets; all else is ids and words.
            let is_finish = name.to_lowercase().ends_with("finish");
            let close =
                if is_finish { rest.rfind(']') } else { rest[open..].find(']').map(|i| open + i) };
            let Some(close) = close.filter(|c| *c > open) else { break };
            found.push(Self::of(name, &rest[open + 1..close]));
            rest = &rest[close + 1..];
        }
        found
    }

    fn of(name: &str, inside: &str) -> Self {
        let plain: String = name.chars().filter(char::is_ascii_alphabetic).collect();
        let pair = || {
            // An id may hold commas, a feature or a type hardly does.
            let (id, what) = inside.rsplit_once(',').unwrap_or((inside, ""));
            let word = |w: &str| w.trim().trim_matches(['"', '\'']).to_owned();
            (word(id), word(what))
        };
        match plain.to_lowercase().as_str() {
            "retrievenode" | "retrieve" => {
                Self::Retrieve(inside.trim().trim_matches(['"', '\'']).to_owned())
            }
            "nodefeature" => Self::Feature(pair().0, pair().1),
            "nodedegree" => Self::Degree(pair().0, pair().1),
            // Both spellings are about: the instruction has one, the papers the other.
            "neighbourcheck" | "neighborcheck" => Self::Neighbours(pair().0, pair().1),
            "finish" => Self::Finish(inside.trim().to_owned()),
            _ => Self::Unknown(name.chars().take(60).collect()),
        }
    }

    fn call(&self, id: usize) -> ToolCall {
        let (name, arguments) = match self {
            Self::Retrieve(keyword) => ("RetrieveNode", json!({ "keyword": keyword })),
            Self::Feature(id, f) => ("NodeFeature", json!({ "node": id, "feature": f })),
            Self::Degree(id, t) => ("NodeDegree", json!({ "node": id, "neighbour_type": t })),
            Self::Neighbours(id, t) => {
                ("NeighbourCheck", json!({ "node": id, "neighbour_type": t }))
            }
            Self::Finish(answer) => ("Finish", json!({ "answer": answer })),
            Self::Unknown(name) => (name.as_str(), json!({})),
        };
        ToolCall { id: format!("call_{id}"), name: name.into(), arguments: arguments.to_string() }
    }
}

/// What an action gave.
pub(super) struct Heard {
    pub(super) call: ToolCall,
    pub(super) result: ToolResult,
    pub(super) effects: Effects,
    /// The observation that the model reads.
    pub(super) text: String,
    pub(super) nodes: Vec<NodeIx>,
}

struct Refused {
    kind: MistakeKind,
    /// The rule of GraphRunner's verifier that would have caught it.
    code: &'static str,
    message: String,
}

pub(super) fn observe(
    action: &Action,
    finder: &Finder,
    over: FindOver,
    on: &mut Drawing,
    id: usize,
) -> Heard {
    let kg: &Kg = finder.kg();
    let call = action.call(id);
    match carry_out(action, finder, over) {
        Ok((text, value, nodes, edges)) => {
            let n_edges = edges.len();
            let ran = kg::plan::StepResult {
                id: call.id.clone(),
                value: kg::plan::StepValue::Nodes(nodes.clone()),
                hits: Vec::new(),
                near: Vec::new(),
                edges,
                n_edges,
                notes: Vec::new(),
            };
            let effects = effects_of(kg, &ran, on);
            let result = ToolResult::Value { value, notes: Vec::new() };
            Heard { call, result, effects, text, nodes }
        }
        Err(Refused { kind, code, message }) => {
            let text = message.clone();
            let error = ToolError { kind, code: code.into(), message, witness: None };
            let (result, effects) = (ToolResult::Error(error), Effects::default());
            Heard { call, result, effects, text, nodes: Vec::new() }
        }
    }
}

type Edge = (NodeIx, kg::EdgeTypeIx, NodeIx);
type Done = (String, serde_json::Value, Vec<NodeIx>, Vec<Edge>);

fn carry_out(action: &Action, finder: &Finder, over: FindOver) -> Result<Done, Refused> {
    let kg: &Kg = finder.kg();
    match action {
        Action::Retrieve(keyword) => {
            let options =
                FindOptions { theta: Some(0.0), max_hits: 1, over, ..FindOptions::default() };
            let found = finder.find(keyword, None, options);
            let Some(hit) = found.hits.first() else {
                let message = format!("No node is like {keyword:?}.");
                return Err(Refused { kind: MistakeKind::Library, code: "D1", message });
            };
            let id = kg.id(hit.node);
            let text = format!("The node most like {keyword:?} is {id}.");
            let value = json!({ "node": kg.label(hit.node), "id": id, "score": hit.score });
            Ok((text, value, vec![hit.node], Vec::new()))
        }
        Action::Feature(id, feature) => {
            let node = node(kg, id)?;
            let text = if feature.eq_ignore_ascii_case("name") {
                kg.name(node).to_owned()
            } else {
                let known = kg.attributes(node);
                let value = known.and_then(|a| a.get(feature)).ok_or_else(|| {
                    let mut list: Vec<&str> =
                        known.into_iter().flat_map(|a| a.keys().map(String::as_str)).collect();
                    list.push("name");
                    let message =
                        format!("{id} has no feature {feature:?}; it has {}.", list.join(", "));
                    Refused { kind: MistakeKind::Library, code: "V3", message }
                })?;
                value.as_str().map_or_else(|| value.to_string(), str::to_owned)
            };
            let told = format!("The {feature} of {id} is {text}.");
            Ok((told, json!(text), vec![node], Vec::new()))
        }
        Action::Degree(id, of) => {
            let (found, _) = neighbours(kg, id, of)?;
            let n = found.len();
            Ok((format!("{id} has {n} {of} neighbours."), json!(n), Vec::new(), Vec::new()))
        }
        Action::Neighbours(id, of) => {
            let (found, edges) = neighbours(kg, id, of)?;
            let ids: Vec<&str> = found.iter().take(MAX_LISTED).map(|n| kg.id(*n)).collect();
            let more = found.len().saturating_sub(MAX_LISTED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let text = if found.is_empty() {
                format!("{id} has no {of} neighbours.")
            } else {
                format!("The {of} neighbours of {id} are: {}{more}.", ids.join(", "))
            };
            let names: Vec<String> = found.iter().take(MAX_LISTED).map(|n| kg.label(*n)).collect();
            Ok((text, json!({ "n": found.len(), "nodes": names }), found, edges))
        }
        Action::Finish(_) => Ok((String::new(), json!(null), Vec::new(), Vec::new())),
        Action::Unknown(name) => {
            let message = format!(
                "There is no action {name:?}; there are RetrieveNode, NodeFeature, NodeDegree, \
                 NeighbourCheck and Finish."
            );
            Err(Refused { kind: MistakeKind::UnknownTool, code: "V1", message })
        }
    }
}

fn node(kg: &Kg, id: &str) -> Result<NodeIx, Refused> {
    kg.find_id(id).ok_or_else(|| {
        let message = format!("There is no node with the id {id:?}; RetrieveNode gives ids.");
        Refused { kind: MistakeKind::Library, code: "V2", message }
    })
}

/// Neighbours over edges of a type, or, where the word is a node type, all neighbours of that type.
fn neighbours(kg: &Kg, id: &str, of: &str) -> Result<(Vec<NodeIx>, Vec<Edge>), Refused> {
    let at = node(kg, id)?;
    let schema = kg.schema();
    let mut found = Vec::new();
    let mut edges = Vec::new();
    let wanted_edge = schema.find_edge_type(of);
    let wanted_node = schema.find_node_type(of);
    if wanted_edge.is_none() && wanted_node.is_none() {
        let here: Vec<&str> = schema
            .edges_at(kg.node_type(at))
            .into_iter()
            .map(|(e, _)| schema.edge_type(e).name.as_str())
            .collect();
        let message =
            format!("There is no neighbour type {of:?}; {id} may have {}.", here.join(", "));
        return Err(Refused { kind: MistakeKind::Library, code: "V4", message });
    }
    for (edge_type, way, other) in kg.edges_of(at, Direction::Both) {
        let fits = match wanted_edge {
            Some(wanted) => edge_type == wanted,
            None => Some(kg.node_type(other)) == wanted_node,
        };
        if fits {
            if !found.contains(&other) {
                found.push(other);
            }
            edges.push(if way == Direction::In {
                (other, edge_type, at)
            } else {
                (at, edge_type, other)
            });
        }
    }
    Ok((found, edges))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_and_several_actions_are_read() {
        let list =
            Action::all("NeighborCheck[a, b], NeighbourCheck[x, y, z] and NodeFeature['q', name]");
        assert_eq!(
            list,
            [
                Action::Neighbours("a".into(), "b".into()),
                Action::Neighbours("x, y".into(), "z".into()),
                Action::Unknown("and NodeFeature".into()),
            ]
        );
        assert_eq!(Action::all("Finish[a [b]; c]"), [Action::Finish("a [b]; c".into())]);
        assert_eq!(Action::all("I do not know"), []);
        assert_eq!(Action::all("]["), []);
    }
}

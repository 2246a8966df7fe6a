//! A part of a knowledge graph.

use std::collections::BTreeSet;

use graph::{NodeName, nearest_names};
use kg::{EdgeTypeIx, Kg, KgBuilder, NodeIx};

use super::{Part, name_of};
use crate::toolformer::error::CallError;
use crate::toolformer::tree::Value;

type Fact = (NodeIx, EdgeTypeIx, NodeIx);

/// Entities of one name that are told where a call has to choose one.
const TOLD: usize = 5;

/// What an element of the links asks for.
enum Asked {
    /// The facts from an entity to another.
    Facts(NodeIx, Option<EdgeTypeIx>, NodeIx),
    /// All facts of a relation.
    Relation(EdgeTypeIx),
}

/// The part of a knowledge graph: the entities that are named with the facts between them, or the
/// facts that are named with their ends. A fact is `(head, relation, tail)`; `(head, tail)` is all
/// facts from the one to the other, as the paper's own example writes them, and `relation#name` all
/// facts of a relation. Paper: Graph-ToolFormer §4.3.1, §4.4.1.
///
/// # Errors
/// There is no such entity, relation or fact; a name is that of several entities; the end of a fact
/// is none of the entities that are named.
///
/// # Complexity
/// O(n + m) for n entities and m facts.
pub(super) fn cut(kg: &Kg, nodes: &Part<'_>, links: &Part<'_>) -> Result<Kg, CallError> {
    let asked = match links {
        Part::Some(all) => {
            Some(all.iter().map(|v| asked(kg, v)).collect::<Result<Vec<Asked>, CallError>>()?)
        }
        Part::All { .. } => None,
    };
    let named: Option<BTreeSet<NodeIx>> = match nodes {
        Part::Some(all) => {
            let one = |v: &Value| entity(kg, &name_of(v, "entities")?);
            Some(all.iter().map(one).collect::<Result<_, CallError>>()?)
        }
        Part::All { .. } => None,
    };
    if let (Some(named), Some(asked)) = (&named, &asked) {
        for one in asked {
            let Asked::Facts(head, _, tail) = one else { continue };
            if let Some(outside) = [head, tail].into_iter().find(|n| !named.contains(n)) {
                let near = named.iter().take(TOLD).map(|n| kg.label(*n)).collect();
                return Err(CallError::UnknownNode { node: kg.label(*outside), near });
            }
        }
    }
    let kept: BTreeSet<Fact> = match &asked {
        Some(asked) => facts(kg, asked)?,
        None => kg.edges().collect(),
    };
    let is_in = |n: &NodeIx| named.as_ref().is_none_or(|named| named.contains(n));
    let kept: Vec<Fact> = kept.into_iter().filter(|(h, _, t)| is_in(h) && is_in(t)).collect();
    let entities: BTreeSet<NodeIx> = match (named, nodes) {
        (Some(named), _) => named,
        (None, Part::All { is_related: false }) => kg.nodes().collect(),
        (None, _) => kept.iter().flat_map(|(h, _, t)| [*h, *t]).collect(),
    };
    build(kg, &entities, &kept).map_err(|e| CallError::model(e.to_string()))
}

/// The facts that are asked for. One pass over the graph, however many relations are asked for.
fn facts(kg: &Kg, asked: &[Asked]) -> Result<BTreeSet<Fact>, CallError> {
    let mut found = BTreeSet::new();
    let mut whole = BTreeSet::new();
    for one in asked {
        match one {
            Asked::Relation(relation) => {
                whole.insert(*relation);
            }
            Asked::Facts(head, Some(relation), tail) => {
                if !kg.has_edge(*head, *relation, *tail) {
                    let relation = &kg.schema().edge_type(*relation).name;
                    return Err(CallError::UnknownFact {
                        head: kg.label(*head),
                        relation: Some(relation.clone()),
                        tail: kg.label(*tail),
                        near: between(kg, *head, *tail),
                    });
                }
                found.insert((*head, *relation, *tail));
            }
            Asked::Facts(head, None, tail) => {
                let n = found.len();
                for relation in kg.schema().edge_type_ixs() {
                    if kg.has_edge(*head, relation, *tail) {
                        found.insert((*head, relation, *tail));
                    }
                }
                if found.len() == n && between(kg, *head, *tail).is_empty() {
                    return Err(CallError::UnknownFact {
                        head: kg.label(*head),
                        relation: None,
                        tail: kg.label(*tail),
                        near: between(kg, *tail, *head),
                    });
                }
            }
        }
    }
    if !whole.is_empty() {
        found.extend(kg.edges().filter(|(_, relation, _)| whole.contains(relation)));
    }
    Ok(found)
}

/// The facts from an entity to another, in words.
fn between(kg: &Kg, head: NodeIx, tail: NodeIx) -> Vec<String> {
    let schema = kg.schema();
    schema
        .edge_type_ixs()
        .filter(|relation| kg.has_edge(head, *relation, tail))
        .take(TOLD)
        .map(|r| format!("{} {} {}", kg.label(head), schema.edge_type(r).name, kg.label(tail)))
        .collect()
}

fn asked(kg: &Kg, value: &Value) -> Result<Asked, CallError> {
    let wrong = || CallError::Subset { what: "facts".to_owned(), found: value.to_string() };
    let Value::Tuple(parts) = value else {
        let is_plain = matches!(value, Value::Text(_) | Value::Name(_));
        let is_relation = matches!(value, Value::Reference { kind, .. } if kind == "relation");
        if !is_plain && !is_relation {
            return Err(wrong());
        }
        return relation(kg, &name_of(value, "facts")?).map(Asked::Relation);
    };
    let name = |v: &Value| name_of(v, "facts");
    match parts.as_slice() {
        [head, tail] => {
            Ok(Asked::Facts(entity(kg, &name(head)?)?, None, entity(kg, &name(tail)?)?))
        }
        [head, of, tail] => Ok(Asked::Facts(
            entity(kg, &name(head)?)?,
            Some(relation(kg, &name(of)?)?),
            entity(kg, &name(tail)?)?,
        )),
        _ => Err(wrong()),
    }
}

/// The entity of that id, else the only one of that name.
fn entity(kg: &Kg, name: &str) -> Result<NodeIx, CallError> {
    let name = name.trim();
    if let Some(found) = kg.find_id(name) {
        return Ok(found);
    }
    match kg.named(name).as_slice() {
        [one] => Ok(*one),
        [] => {
            // A graph has many entities, and a name that a model wrote may be long.
            let is_like = |id: &&str| id.len().abs_diff(name.len()) <= 3 && id.len() <= 60;
            let names: Vec<NodeName> =
                kg.nodes().map(|n| kg.id(n)).filter(is_like).map(NodeName::from).collect();
            let near = nearest_names(&NodeName::from(name), names.iter(), TOLD);
            let near = near.iter().map(NodeName::to_string).collect();
            Err(CallError::UnknownNode { node: name.to_owned(), near })
        }
        several => Err(CallError::Several {
            name: name.to_owned(),
            ids: several.iter().take(TOLD).map(|n| kg.id(*n).to_owned()).collect(),
            n: several.len(),
        }),
    }
}

fn relation(kg: &Kg, name: &str) -> Result<EdgeTypeIx, CallError> {
    let name = name.trim();
    kg.schema().find_edge_type(name).ok_or_else(|| {
        let all = kg.schema().edge_types();
        let names: Vec<NodeName> = all.iter().map(|t| NodeName::from(t.name.as_str())).collect();
        let near = nearest_names(&NodeName::from(name), names.iter(), TOLD);
        CallError::UnknownRelation {
            relation: name.to_owned(),
            near: near.iter().map(NodeName::to_string).collect(),
        }
    })
}

fn build(kg: &Kg, entities: &BTreeSet<NodeIx>, facts: &[Fact]) -> Result<Kg, kg::KgError> {
    let mut builder = KgBuilder::new(kg.title());
    for node in entities {
        let attributes = kg.attributes(*node).cloned().unwrap_or_default();
        let of = kg.schema().node_type(kg.node_type(*node)).name.as_str();
        builder.node(kg.id(*node), of, kg.name(*node), attributes)?;
    }
    for (head, relation, tail) in facts {
        let relation = kg.schema().edge_type(*relation).name.as_str();
        builder.edge(kg.id(*head), relation, kg.id(*tail))?;
    }
    builder.build()
}

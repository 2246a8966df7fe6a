//! What each action needs of a step (V1, V6, V7), and the types that it leads to.

use std::collections::BTreeSet;

use super::super::actions::Extension;
use super::super::rules::Rule;
use super::super::{Does, Op, PlanStep};
use super::references::list;
use super::{Check, Types};
use crate::{Direction, EdgeTypeIx, NodeTypeIx};

impl<'a> Check<'a> {
    pub(super) fn find_node(&mut self, step: &'a PlanStep) -> Option<(Option<Does>, Types)> {
        let hint = step.hint.as_deref().map(str::trim).filter(|h| !h.is_empty());
        if hint.is_none() {
            let message = "find_node has no hint; it needs the name of a node, from the question";
            self.fault(Rule::V1, Some(step), message, Vec::new());
        }
        let node_type = self.node_type(step, step.node_type.as_deref())?;
        let does = hint.map(|h| Does::Find { hint: h.to_owned(), node_type });
        Some((does, Some(BTreeSet::from([node_type]))))
    }

    pub(super) fn fetch(&mut self, i: usize, step: &'a PlanStep) -> Option<(Option<Does>, Types)> {
        let from = self.source(i, step, step.from.as_deref());
        let way = step.direction.unwrap_or(self.semantics.direction);
        match (step.edge_type.as_deref(), step.node_type.as_deref()) {
            (Some(edge), None) => {
                // The paper gives both in one place: a node type there means several hops.
                if self.schema.find_edge_type(edge).is_none()
                    && let Some(node_type) = self.schema.find_node_type(edge)
                {
                    return self.reach(step, from, node_type, way);
                }
                let edge_type = self.edge_type(step, edge)?;
                let (from, types) = from?;
                let ends = types.map(|t| self.ends(step, &t, edge_type, way));
                let does = Does::Fetch { from, edge_type, way };
                Some((Some(does), ends.flatten()))
            }
            (None, Some(name)) => {
                let node_type = self.node_type(step, Some(name))?;
                self.reach(step, from, node_type, way)
            }
            (Some(edge), Some(name)) => {
                // Both may be meant: one hop, and only nodes of the type. Where they agree it is
                // the one hop.
                let edge_type = self.edge_type(step, edge);
                let node_type = self.node_type(step, Some(name));
                let (edge_type, node_type) = (edge_type?, node_type?);
                let (from, types) = from?;
                let ends = types.and_then(|t| self.ends(step, &t, edge_type, way));
                if let Some(ends) = &ends
                    && *ends != BTreeSet::from([node_type])
                {
                    let message = format!(
                        "fetch_neighbors has edge_type {edge:?} and node_type {name:?}; give one \
                         of the two: the edges lead to {}",
                        self.list(ends)
                    );
                    self.fault(Rule::V1, Some(step), message, Vec::new());
                    return None;
                }
                Some((Some(Does::Fetch { from, edge_type, way }), ends))
            }
            (None, None) => {
                let message = "fetch_neighbors has neither edge_type (one hop) nor node_type \
                               (several hops)";
                self.fault(Rule::V1, Some(step), message, Vec::new());
                None
            }
        }
    }

    fn reach(
        &mut self,
        step: &PlanStep,
        from: Option<(usize, Types)>,
        node_type: NodeTypeIx,
        way: Direction,
    ) -> Option<(Option<Does>, Types)> {
        let (from, types) = from?;
        let Some(types) = types else {
            return Some((None, Some(BTreeSet::from([node_type]))));
        };
        let hops = self.schema.hops(&types, node_type, way);
        let limit = self.semantics.max_hops;
        if hops.is_none_or(|h| h > limit) {
            let wanted = &self.schema.node_type(node_type).name;
            let options: Vec<String> = self
                .schema
                .node_type_ixs()
                .filter(|t| self.schema.hops(&types, *t, way).is_some_and(|h| h <= limit))
                .map(|t| self.schema.node_type(t).name.clone())
                .collect();
            let distance = match hops {
                Some(h) => format!("is {h} hops away"),
                None => "cannot be reached".into(),
            };
            let message = format!(
                "{wanted:?} {distance} from {}; within {limit} hops are {}",
                self.list(&types),
                list(&options)
            );
            self.fault(Rule::V6, Some(step), message, options);
        }
        let does = Does::Reach { from, node_type, way };
        Some((Some(does), Some(BTreeSet::from([node_type]))))
    }

    pub(super) fn common(&mut self, i: usize, step: &'a PlanStep) -> Option<(Option<Does>, Types)> {
        if step.of.len() < 2 {
            let message = format!(
                "find_common_nodes has {} {}; it needs two or more, each a step with an edge type",
                step.of.len(),
                if step.of.len() == 1 { "entry" } else { "entries" }
            );
            self.fault(Rule::V7, Some(step), message, Vec::new());
        }
        let mut of = Vec::new();
        let mut shared: Types = None;
        let mut is_known = true;
        for entry in &step.of {
            let source = self.source(i, step, Some(&entry.from));
            let Some(edge) = entry.edge_type.as_deref() else {
                let message = format!(
                    "the entry from {:?} has no edge_type; each entry of find_common_nodes needs \
                     one",
                    entry.from
                );
                self.fault(Rule::V1, Some(step), message, Vec::new());
                is_known = false;
                continue;
            };
            let edge_type = self.edge_type(step, edge);
            let (Some((from, types)), Some(edge_type)) = (source, edge_type) else {
                is_known = false;
                continue;
            };
            let way = entry.direction.unwrap_or(self.semantics.direction);
            let ends = types.and_then(|t| self.ends(step, &t, edge_type, way));
            of.push((from, edge_type, way));
            let Some(ends) = ends else {
                is_known = false;
                continue;
            };
            shared = Some(match shared {
                None => ends,
                Some(before) => {
                    let both: BTreeSet<NodeTypeIx> = before.intersection(&ends).copied().collect();
                    if both.is_empty() && is_known {
                        let message = format!(
                            "the entries share no type: one leads to {}, edges {edge:?} from {:?} \
                             to {}",
                            self.list(&before),
                            entry.from,
                            self.list(&ends)
                        );
                        self.fault(Rule::V7, Some(step), message, Vec::new());
                        is_known = false;
                    }
                    both
                }
            });
        }
        let is_whole = is_known && step.of.len() >= 2;
        let types = shared.filter(|t| is_whole && !t.is_empty());
        Some((is_whole.then_some(Does::Common { of }), types))
    }

    pub(super) fn extension(
        &mut self,
        kind: Extension,
        i: usize,
        step: &'a PlanStep,
    ) -> Option<(Option<Does>, Types)> {
        let source = self.source(i, step, step.from.as_deref());
        let way = step.direction.unwrap_or(self.semantics.direction);
        let edge = match step.edge_type.as_deref() {
            Some(edge) => Some(self.edge_type(step, edge)?),
            None => None,
        };
        let attribute = step.attribute.clone();
        let (from, types) = source?;
        match kind {
            Extension::Count => Some((Some(Does::Count { from }), types)),
            Extension::Attribute => {
                let attribute = self.attribute(step, attribute, types.as_ref())?;
                Some((Some(Does::Attribute { from, attribute }), types))
            }
            Extension::Filter => {
                let attribute = self.attribute(step, attribute, types.as_ref())?;
                let op = Op::from_name(step.op.as_deref().unwrap_or("="));
                let (Some(op), Some(value)) = (op, step.value.clone()) else {
                    let options: Vec<String> = Op::ALL.iter().map(|(n, _)| (*n).into()).collect();
                    let message = format!(
                        "filter compares by {:?} with {:?}; op is one of {}, and value is what is \
                         compared with",
                        step.op.as_deref().unwrap_or("="),
                        step.value.as_deref().unwrap_or_default(),
                        options.join(" ")
                    );
                    self.fault(Rule::V1, Some(step), message, options);
                    return None;
                };
                Some((Some(Does::Filter { from, attribute, op, value }), types))
            }
            Extension::ShortestPath => {
                let Some(name) = step.to.as_deref() else {
                    let message = "shortest_path has no `to`; it needs two earlier steps";
                    self.fault(Rule::V1, Some(step), message, Vec::new());
                    return None;
                };
                let (to, _) = self.source(i, step, Some(name))?;
                let all = self.schema.node_type_ixs().collect();
                Some((Some(Does::ShortestPath { from, to }), Some(all)))
            }
            Extension::MostCommon => {
                let edge_type = self.edge_given(step, edge)?;
                let ends = types.and_then(|t| self.ends(step, &t, edge_type, way));
                Some((Some(Does::MostCommon { from, edge_type, way }), ends))
            }
            Extension::Argmax => match (edge, attribute) {
                (None, Some(attribute)) => {
                    let attribute = self.attribute(step, Some(attribute), types.as_ref())?;
                    Some((Some(Does::ArgmaxAttribute { from, attribute }), types))
                }
                _ => {
                    let edge_type = self.edge_given(step, edge)?;
                    if let Some(types) = &types {
                        // For its finding alone: nodes without such edges have no largest degree.
                        self.ends(step, types, edge_type, way);
                    }
                    Some((Some(Does::ArgmaxDegree { from, edge_type, way }), types))
                }
            },
        }
    }

    /// The edge type that an action goes by.
    fn edge_given(&mut self, step: &PlanStep, edge: Option<EdgeTypeIx>) -> Option<EdgeTypeIx> {
        if edge.is_none() {
            let message = format!("{} has no edge_type to go by", step.action);
            self.fault(Rule::V1, Some(step), message, Vec::new());
        }
        edge
    }
}

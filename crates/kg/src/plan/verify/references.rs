//! The names that a step uses: earlier steps (V2), types and attributes (V3, V4), and where edges
//! lead (V5).

use std::collections::BTreeSet;

use super::super::PlanStep;
use super::super::rules::Rule;
use super::{Check, Types};
use crate::{Direction, EdgeTypeIx, NodeTypeIx};

impl Check<'_> {
    pub(super) fn attribute(
        &mut self,
        step: &PlanStep,
        wanted: Option<String>,
        types: Option<&BTreeSet<NodeTypeIx>>,
    ) -> Option<String> {
        let Some(wanted) = wanted else {
            let message = format!("{} has no attribute to go by", step.action);
            self.fault(Rule::V1, Some(step), message, Vec::new());
            return None;
        };
        let Some(types) = types else { return Some(wanted) };
        let has: BTreeSet<&String> =
            types.iter().flat_map(|t| &self.schema.node_type(*t).attributes).collect();
        if wanted == "name" || has.contains(&wanted) {
            return Some(wanted);
        }
        let mut options: Vec<String> = has.into_iter().cloned().collect();
        options.push("name".into());
        let message = format!(
            "{} have no attribute {wanted:?}; they have {}",
            self.list(types),
            list(&options)
        );
        self.fault(Rule::V3, Some(step), message, options);
        None
    }

    /// The step that another begins from, and its types.
    pub(super) fn source(
        &mut self,
        i: usize,
        step: &PlanStep,
        named: Option<&str>,
    ) -> Option<(usize, Types)> {
        let Some(name) = named else {
            // The paper's plans are chains: what is not named is the step before.
            let before = i.checked_sub(1)?;
            self.used.insert(before);
            return Some((before, self.steps[before].1.clone()));
        };
        let Some(&at) = self.numbers.get(name) else {
            let options: Vec<String> = self.numbers.keys().map(|k| (*k).to_owned()).collect();
            let message = format!(
                "{:?} begins from {name:?}, which is no earlier step; earlier are {}",
                step.id,
                list(&options)
            );
            self.fault(Rule::V2, Some(step), message, options);
            return None;
        };
        self.used.insert(at);
        if self.is_value[at] {
            let message = format!("{name:?} gives a value, and {:?} needs nodes", step.id);
            self.fault(Rule::V2, Some(step), message, Vec::new());
            return None;
        }
        Some((at, self.steps[at].1.clone()))
    }

    pub(super) fn node_type(&mut self, step: &PlanStep, name: Option<&str>) -> Option<NodeTypeIx> {
        let found = name.and_then(|n| self.schema.find_node_type(n));
        if found.is_none() {
            let options: Vec<String> =
                self.schema.node_types().iter().map(|t| t.name.clone()).collect();
            let what = match name {
                Some(name) => format!("there is no node type {}", quoted(name)),
                None => "a node type is missing".into(),
            };
            let rule = if name.is_some() { Rule::V3 } else { Rule::V1 };
            let message = format!("{what}; there are {}", list(&options));
            self.fault(rule, Some(step), message, options);
        }
        found
    }

    pub(super) fn edge_type(&mut self, step: &PlanStep, name: &str) -> Option<EdgeTypeIx> {
        let found = self.schema.find_edge_type(name);
        if found.is_none() {
            let options: Vec<String> =
                self.schema.edge_types().iter().map(|t| t.name.clone()).collect();
            let near = near(name, &options);
            let message =
                format!("there is no edge type {}; there are {}", quoted(name), list(&near));
            self.fault(Rule::V4, Some(step), message, near);
        }
        found
    }

    /// Where edges of a type lead from nodes of some types.
    pub(super) fn ends(
        &mut self,
        step: &PlanStep,
        types: &BTreeSet<NodeTypeIx>,
        edge_type: EdgeTypeIx,
        way: Direction,
    ) -> Types {
        let ends: BTreeSet<NodeTypeIx> =
            types.iter().flat_map(|t| self.schema.ends_of(*t, edge_type, way)).collect();
        if !ends.is_empty() {
            return Some(ends);
        }
        let mut options: Vec<String> = types
            .iter()
            .flat_map(|t| self.schema.edges_at(*t))
            .filter(|(_, w)| *w == Direction::Both || way == Direction::Both || *w == way)
            .map(|(e, _)| self.schema.edge_type(e).name.clone())
            .collect();
        options.sort();
        options.dedup();
        let edge = &self.schema.edge_type(edge_type).name;
        let against = match way {
            Direction::Both => "",
            Direction::Out => " that go out from them",
            Direction::In => " that come in to them",
        };
        let message = format!(
            "{} nodes have no edges {edge:?}{against}; they have {}",
            self.list(types),
            list(&options)
        );
        self.fault(Rule::V5, Some(step), message, options);
        None
    }
}

/// At most 40 names in a sentence.
pub(super) fn list(names: &[String]) -> String {
    if names.is_empty() {
        return "none".into();
    }
    let shown = &names[..names.len().min(40)];
    let rest = names.len() - shown.len();
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

fn quoted(name: &str) -> String {
    if name.chars().count() <= 60 {
        return format!("{name:?}");
    }
    let start: String = name.chars().take(60).collect();
    format!("{start:?}… ({} bytes)", name.len())
}

/// The names most like one, the best first: all where there are few.
fn near(wanted: &str, names: &[String]) -> Vec<String> {
    use text::SimilarityMeasure as _;
    if names.len() <= 40 {
        return names.to_vec();
    }
    let start: String = wanted.chars().take(200).collect();
    let list: Vec<&str> = names.iter().map(String::as_str).collect();
    let scores = text::NGrams.index(&list).scores(&start);
    let mut ranked: Vec<usize> = (0..names.len()).collect();
    ranked.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    ranked.into_iter().take(20).map(|i| names[i].clone()).collect()
}

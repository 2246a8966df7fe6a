//! Verification of a plan against actions and schema, before anything runs.
//!
//! Paper: GraphRunner §3.3. The rules V1 to V8 spell out its two checks; types are inferred over
//! the schema alone, so nothing of the data is read.

mod answer;
mod references;
mod steps;

use std::collections::{BTreeMap, BTreeSet};

use super::actions::ActionKind;
use super::rules::{PlanFinding, Rule, Severity};
use super::{ACTIONS, Does, MAX_STEPS, Plan, PlanStep, Ready, ReadyStep, Semantics, actions};
use crate::{NodeTypeIx, Schema};

/// What came of a verification.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verified {
    /// What is wrong, in the order of the steps.
    pub findings: Vec<PlanFinding>,
    /// For every step the types that its nodes can have.
    pub types: Vec<BTreeSet<NodeTypeIx>>,
    /// The plan, ready to run, where no finding is an error.
    pub ready: Option<Ready>,
}

/// Holds a plan against actions and schema.
///
/// `question` serves V8 alone; empty leaves it out. O(steps · schema).
pub fn verify(plan: &Plan, schema: &Schema, semantics: Semantics, question: &str) -> Verified {
    let mut check = Check {
        schema,
        semantics,
        findings: Vec::new(),
        numbers: BTreeMap::new(),
        steps: Vec::new(),
        used: BTreeSet::new(),
        is_value: Vec::new(),
    };
    if plan.steps.is_empty() {
        check.fault(Rule::V2, None, "the plan has no steps; the first is find_node", Vec::new());
    }
    if plan.steps.len() > MAX_STEPS {
        let message =
            format!("the plan has {} steps; at most {MAX_STEPS} are executed", plan.steps.len());
        check.fault(Rule::V2, None, message, Vec::new());
        return Verified { findings: check.findings, ..Verified::default() };
    }
    for (i, step) in plan.steps.iter().enumerate() {
        let (does, types) = check.step(i, step).unwrap_or((None, None));
        check.is_value.push(matches!(does, Some(Does::Count { .. } | Does::Attribute { .. })));
        check.steps.push((does, types));
        if check.numbers.insert(&step.id, i).is_some() {
            let message =
                format!("two steps are called {:?}; each needs an id of its own", step.id);
            check.fault(Rule::V2, Some(step), message, Vec::new());
        }
    }
    let answer = check.answer(plan, question);
    check.unused(plan, answer);
    let Check { mut findings, steps, .. } = check;
    let place = |f: &PlanFinding| {
        f.step.as_ref().and_then(|id| plan.steps.iter().position(|s| s.id == *id))
    };
    findings.sort_by_key(|f| (place(f).unwrap_or(usize::MAX), f.rule));
    let types: Vec<BTreeSet<NodeTypeIx>> =
        steps.iter().map(|(_, t)| t.clone().unwrap_or_default()).collect();
    let is_right = findings.iter().all(|f| f.severity == Severity::Warning);
    let ready = answer.filter(|_| is_right).and_then(|answer| {
        let steps: Option<Vec<ReadyStep>> = steps
            .into_iter()
            .zip(&plan.steps)
            .map(|((does, types), step)| {
                Some(ReadyStep { id: step.id.clone(), does: does?, types: types? })
            })
            .collect();
        Some(Ready { steps: steps?, answer, semantics })
    });
    Verified { findings, types, ready }
}

/// The types of a step; `None` where an earlier fault hides them, so that nothing is told twice.
type Types = Option<BTreeSet<NodeTypeIx>>;

struct Check<'a> {
    schema: &'a Schema,
    semantics: Semantics,
    findings: Vec<PlanFinding>,
    numbers: BTreeMap<&'a str, usize>,
    steps: Vec<(Option<Does>, Types)>,
    used: BTreeSet<usize>,
    is_value: Vec<bool>,
}

impl<'a> Check<'a> {
    fn fault(
        &mut self,
        rule: Rule,
        step: Option<&PlanStep>,
        message: impl Into<String>,
        options: Vec<String>,
    ) {
        let step = step.map(|s| s.id.clone());
        let message = message.into();
        self.findings.push(PlanFinding { rule, step, severity: Severity::Error, message, options });
    }

    /// `None` where a fault stands in the way.
    fn step(&mut self, i: usize, step: &'a PlanStep) -> Option<(Option<Does>, Types)> {
        let action = match actions::of_name(&step.action) {
            Some(a) if a.paper.is_empty() && !self.semantics.extensions => {
                let options = names(self.semantics);
                let message = format!(
                    "action {:?} goes beyond the paper's three and is switched off; there are {}",
                    step.action,
                    options.join(", ")
                );
                self.fault(Rule::V1, Some(step), message, options);
                None
            }
            Some(a) => Some(a),
            None => {
                let options = names(self.semantics);
                let message = format!(
                    "there is no action {:?}; there are {}",
                    step.action,
                    options.join(", ")
                );
                self.fault(Rule::V1, Some(step), message, options);
                None
            }
        };
        if i == 0 && action.is_some_and(|a| a.kind != ActionKind::FindNode) {
            let message = format!(
                "the first step is {:?}; a plan starts with find_node, which has a hint and a node \
                 type",
                step.action
            );
            self.fault(Rule::V2, Some(step), message, vec!["find_node".into()]);
            return None;
        }
        match action?.kind {
            ActionKind::FindNode => self.find_node(step),
            ActionKind::FetchNeighbors => self.fetch(i, step),
            ActionKind::FindCommonNodes => self.common(i, step),
            ActionKind::Extension(kind) => self.extension(kind, i, step),
        }
    }

    fn list(&self, types: &BTreeSet<NodeTypeIx>) -> String {
        let names: Vec<&str> =
            types.iter().map(|t| self.schema.node_type(*t).name.as_str()).collect();
        names.join(" or ")
    }
}

/// The actions that may be used.
fn names(semantics: Semantics) -> Vec<String> {
    let may = ACTIONS.iter().filter(|a| semantics.extensions || !a.paper.is_empty());
    may.map(|a| a.name.to_owned()).collect()
}

//! What is checked once every step is known: the answer (V2, V8), and steps that nothing uses (V2).

use std::collections::BTreeSet;

use super::super::rules::{PlanFinding, Rule, Severity};
use super::super::{Plan, PlanStep};
use super::Check;
use super::references::list;
use crate::{NodeTypeIx, fold};

impl Check<'_> {
    pub(super) fn answer(&mut self, plan: &Plan, question: &str) -> Option<usize> {
        let last = plan.steps.len().checked_sub(1)?;
        let at = match &plan.answer_from {
            None => last,
            Some(id) => match plan.steps.iter().position(|s| s.id == *id) {
                Some(at) => at,
                None => {
                    let options: Vec<String> = plan.steps.iter().map(|s| s.id.clone()).collect();
                    let message = format!(
                        "the answer is to come from {id:?}, which is no step; there are {}",
                        list(&options)
                    );
                    self.fault(Rule::V2, None, message, options);
                    return None;
                }
            },
        };
        if let Some(types) = self.steps[at].1.clone().filter(|_| !self.is_value[at]) {
            self.fits_question(&plan.steps[at], &types, question);
        }
        Some(at)
    }

    /// V8: a question that names types right after "which", "what" or "how many" wants one of them.
    fn fits_question(&mut self, step: &PlanStep, types: &BTreeSet<NodeTypeIx>, question: &str) {
        let words: Vec<String> = question
            .split(|c: char| !c.is_alphanumeric())
            .filter(|w| !w.is_empty())
            .map(str::to_lowercase)
            .collect();
        let asked = words.iter().position(|w| matches!(w.as_str(), "which" | "what" | "many"));
        let Some(at) = asked else { return };
        let rest = format!("{} ", words[at + 1..].join(" "));
        let is = |t: &NodeTypeIx| {
            let name = fold(&self.schema.node_type(*t).name);
            let mut forms = vec![format!("{name} "), format!("{name}s "), format!("{name}es ")];
            forms.extend(name.strip_suffix('y').map(|n| format!("{n}ies ")));
            forms.iter().any(|f| rest.starts_with(f.as_str()))
        };
        let wanted: BTreeSet<NodeTypeIx> = self.schema.node_type_ixs().filter(is).collect();
        if !wanted.is_empty() && wanted.is_disjoint(types) {
            let message = format!(
                "the question asks for {}, and the answer is {}",
                self.list(&wanted),
                self.list(types)
            );
            let step = Some(step.id.clone());
            let options = wanted.iter().map(|t| self.schema.node_type(*t).name.clone()).collect();
            let severity = Severity::Warning;
            self.findings.push(PlanFinding { rule: Rule::V8, step, severity, message, options });
        }
    }

    pub(super) fn unused(&mut self, plan: &Plan, answer: Option<usize>) {
        let Some(answer) = answer else { return };
        // Where some step could not be read it is not known what it would have used.
        if self.steps.iter().any(|(does, _)| does.is_none()) {
            return;
        }
        for (i, step) in plan.steps.iter().enumerate() {
            if i != answer && !self.used.contains(&i) {
                let message = format!("nothing uses the result of {:?}", step.id);
                self.fault(Rule::V2, Some(step), message, Vec::new());
            }
        }
    }
}

//! Verification of a plan against actions and schema, before anything runs.
//!
//! Paper: GraphRunner §3.3. The rules V1 to V8 spell out its two checks; types are inferred over
//! the schema alone, so nothing of the data is read.

use std::collections::{BTreeMap, BTreeSet};

use super::rules::{PlanFinding, Rule, Severity};
use super::{ACTIONS, Does, MAX_STEPS, Op, Plan, PlanStep, Ready, ReadyStep, Semantics, actions};
use crate::{Direction, EdgeTypeIx, NodeTypeIx, Schema, fold};

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
        if i == 0 && action.is_some_and(|a| a.name != "find_node") {
            let message = format!(
                "the first step is {:?}; a plan starts with find_node, which has a hint and a node \
                 type",
                step.action
            );
            self.fault(Rule::V2, Some(step), message, vec!["find_node".into()]);
            return None;
        }
        match action?.name {
            "find_node" => self.find_node(step),
            "fetch_neighbors" => self.fetch(i, step),
            "find_common_nodes" => self.common(i, step),
            _ => self.extension(action?.name, i, step),
        }
    }

    fn find_node(&mut self, step: &'a PlanStep) -> Option<(Option<Does>, Types)> {
        let hint = step.hint.as_deref().map(str::trim).filter(|h| !h.is_empty());
        if hint.is_none() {
            let message = "find_node has no hint; it needs the name of a node, from the question";
            self.fault(Rule::V1, Some(step), message, Vec::new());
        }
        let node_type = self.node_type(step, step.node_type.as_deref())?;
        let does = hint.map(|h| Does::Find { hint: h.to_owned(), node_type });
        Some((does, Some(BTreeSet::from([node_type]))))
    }

    fn fetch(&mut self, i: usize, step: &'a PlanStep) -> Option<(Option<Does>, Types)> {
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

    fn common(&mut self, i: usize, step: &'a PlanStep) -> Option<(Option<Does>, Types)> {
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

    fn extension(
        &mut self,
        name: &str,
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
        match name {
            "count" => Some((Some(Does::Count { from }), types)),
            "attribute" => {
                let attribute = self.attribute(step, attribute, types.as_ref())?;
                Some((Some(Does::Attribute { from, attribute }), types))
            }
            "filter" => {
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
            "shortest_path" => {
                let Some(name) = step.to.as_deref() else {
                    let message = "shortest_path has no `to`; it needs two earlier steps";
                    self.fault(Rule::V1, Some(step), message, Vec::new());
                    return None;
                };
                let (to, _) = self.source(i, step, Some(name))?;
                let all = self.schema.node_type_ixs().collect();
                Some((Some(Does::ShortestPath { from, to }), Some(all)))
            }
            _ => match (edge, attribute) {
                (Some(edge_type), _) => {
                    let ends = types.clone().and_then(|t| self.ends(step, &t, edge_type, way));
                    if name == "most_common" {
                        return Some((Some(Does::MostCommon { from, edge_type, way }), ends));
                    }
                    Some((Some(Does::ArgmaxDegree { from, edge_type, way }), types))
                }
                (None, Some(attribute)) if name == "argmax" => {
                    let attribute = self.attribute(step, Some(attribute), types.as_ref())?;
                    Some((Some(Does::ArgmaxAttribute { from, attribute }), types))
                }
                _ => {
                    let message = format!("{name} has no edge_type to go by");
                    self.fault(Rule::V1, Some(step), message, Vec::new());
                    None
                }
            },
        }
    }

    fn attribute(
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
    fn source(&mut self, i: usize, step: &PlanStep, named: Option<&str>) -> Option<(usize, Types)> {
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

    fn node_type(&mut self, step: &PlanStep, name: Option<&str>) -> Option<NodeTypeIx> {
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

    fn edge_type(&mut self, step: &PlanStep, name: &str) -> Option<EdgeTypeIx> {
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
    fn ends(
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

    fn answer(&mut self, plan: &Plan, question: &str) -> Option<usize> {
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

    fn unused(&mut self, plan: &Plan, answer: Option<usize>) {
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

/// At most 40 names in a sentence.
fn list(names: &[String]) -> String {
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

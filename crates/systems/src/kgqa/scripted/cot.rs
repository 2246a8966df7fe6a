//! The script in the place of Graph-CoT's model: the same plan as the planner's, walked one hop at a
//! time through the scratchpad.

use std::collections::BTreeMap;

use kg::plan::{Plan, PlanStep};
use llm::Message;
use tasks::kgqa::plan_of;

use super::schema::Told;
use super::{KgMistake, KgScript, planner, unknown};

pub(super) fn turn(script: KgScript, prompt: &str) -> Message {
    // The example has a question of its own; the one at hand is the last.
    let at = prompt.rfind("\nQuestion: ").map_or(0, |i| i + "\nQuestion: ".len());
    let (question, scratchpad) = prompt[at..].split_once('\n').unwrap_or((&prompt[at..], ""));
    let question = question.trim();
    let Some(plan) = plan_of(question) else {
        return Message::assistant(format!("Finish[{}]", unknown()));
    };
    let last = scratchpad.lines().last().unwrap_or_default();
    let step = 1 + scratchpad.matches("\nObservation ").count();
    if last.starts_with("Thought") {
        let thought = if step == 1 {
            "I need the nodes that the question names."
        } else {
            "From what I have seen I go one hop further, or answer."
        };
        return Message::assistant(thought);
    }
    let schema = Told::read(&prompt[..at]);
    let n_wrong = n_wrong(scratchpad, &plan, &schema);
    let mistake = script.errs(question, n_wrong, planner::MAY);
    // A wrong meaning is not noticed, so it stays; the same questions as the planner's have it.
    let plan = if script.errs(question, 0, planner::MAY) == Some(KgMistake::WrongMeaning) {
        planner::wrong(plan, KgMistake::WrongMeaning, &schema)
    } else {
        plan
    };
    let walk = Walk { seen: read(scratchpad), schema: &schema };
    let mut action = walk.next(&plan.steps, question);
    if let (true, Some(mistake)) = (action.starts_with("NeighbourCheck"), mistake) {
        action = wrong(&action, mistake, &schema);
    }
    // At the same chance as the other systems' answering turns.
    let made_up = script.makes_up(question);
    if made_up && action.starts_with("Finish[") && action != "Finish[none]" {
        action = action.replacen("Finish[", "Finish[Atlantis Gate; ", 1);
    }
    Message::assistant(action)
}

/// Ends an action's checks with a type that does not fit.
fn wrong(action: &str, mistake: KgMistake, schema: &Told) -> String {
    let first = action.split(']').next().unwrap_or_default();
    let edge = first.rsplit(", ").next().unwrap_or_default();
    let other = match mistake {
        KgMistake::UnknownAction => return action.replace("NeighbourCheck[", "Traverse["),
        KgMistake::WrongSource => {
            let ends = schema.edges.iter().find(|(e, _, _)| e == edge);
            let foreign = schema.edges.iter().find(|(_, f, t)| {
                ends.is_some_and(|(_, from, to)| ![f, t].iter().any(|x| *x == from || *x == to))
            });
            foreign.map_or("neighbours", |(e, _, _)| e.as_str())
        }
        KgMistake::WrongMeaning => return action.to_owned(),
        _ => "connected_to",
    };
    action.replace(&format!(", {edge}]"), &format!(", {other}]"))
}

/// How many actions so far were of a kind that the plan does not have.
fn n_wrong(scratchpad: &str, plan: &Plan, schema: &Told) -> usize {
    let mut right: Vec<String> = Vec::new();
    for step in &plan.steps {
        let edges = step.of.iter().filter_map(|e| e.edge_type.clone());
        right.extend(step.edge_type.clone().into_iter().chain(edges));
    }
    let doubles: Vec<String> =
        right.iter().filter_map(|e| schema.similar(e)).map(str::to_owned).collect();
    // Where several hops are one step, any edge may be on the way.
    let is_open = right.iter().any(|e| schema.nodes.contains(e));
    let all: Vec<String> = schema.edges.iter().map(|(e, _, _)| e.clone()).collect();
    let actions = scratchpad.lines().filter(|l| l.starts_with("Action"));
    actions
        .filter(|line| {
            line.contains("Traverse[")
                || line.contains("NeighbourCheck[")
                    && !right.iter().chain(&doubles).any(|e| line.contains(&format!(", {e}]")))
                    && !(is_open && all.iter().any(|e| line.contains(&format!(", {e}]"))))
        })
        .count()
}

/// Every action so far with what was observed.
fn read(scratchpad: &str) -> BTreeMap<String, Vec<String>> {
    let mut seen = BTreeMap::new();
    for line in scratchpad.lines().filter_map(|l| l.strip_prefix("Observation ")) {
        let Some((_, text)) = line.split_once(": ") else { continue };
        // Observations of several actions follow each other; each ends a sentence.
        for sentence in text
            .split_inclusive(". ")
            .flat_map(|s| s.strip_suffix('.').or(s.strip_suffix(". ")).or(Some(s)))
        {
            if let Some(rest) = sentence.strip_prefix("The node most like ") {
                if let Some((keyword, id)) = rest.rsplit_once(" is ") {
                    let keyword = keyword.trim_matches('"');
                    seen.insert(format!("retrieve {keyword}"), vec![id.to_owned()]);
                }
            } else if let Some(rest) = sentence.strip_prefix("The name of ") {
                if let Some((id, name)) = rest.split_once(" is ") {
                    seen.insert(format!("name {id}"), vec![name.to_owned()]);
                }
            } else if let Some(rest) = sentence.strip_prefix("The ") {
                if let Some((what, ids)) = rest.split_once(" are: ")
                    && let Some((edge, id)) = what.split_once(" neighbours of ")
                {
                    let ids = ids.split(", ").map(str::to_owned).collect();
                    seen.insert(format!("{edge} {id}"), ids);
                }
            } else if let Some((id, rest)) = sentence.split_once(" has no ")
                && let Some(edge) = rest.strip_suffix(" neighbours")
            {
                seen.insert(format!("{edge} {id}"), Vec::new());
            }
        }
    }
    seen
}

struct Walk<'a> {
    seen: BTreeMap<String, Vec<String>>,
    schema: &'a Told,
}

/// What is known of a step, or the actions that would tell.
type Known = Result<Vec<String>, Vec<String>>;

impl Walk<'_> {
    /// The next action: everything that the first open step needs, or the answer.
    fn next(&self, steps: &[PlanStep], question: &str) -> String {
        let mut results: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut types: BTreeMap<&str, String> = BTreeMap::new();
        let mut last: Vec<String> = Vec::new();
        let mut wanted: Vec<String> = Vec::new();
        for step in steps {
            let known = self.step(step, &results, &mut types);
            match known {
                Ok(ids) => {
                    results.insert(&step.id, ids.clone());
                    last = ids;
                }
                // Nodes that the question names are looked for together.
                Err(actions) => {
                    wanted.extend(actions);
                    if step.action != "Find_Node" {
                        break;
                    }
                }
            }
        }
        if !wanted.is_empty() {
            return wanted.join(", ");
        }
        if question.to_lowercase().starts_with("how many") || question.contains("number of") {
            return format!("Finish[{}]", last.len());
        }
        let mut names = Vec::new();
        for id in &last {
            match self.seen.get(&format!("name {id}")) {
                Some(name) => names.extend(name.iter().cloned()),
                None => wanted.push(format!("NodeFeature[{id}, name]")),
            }
        }
        if !wanted.is_empty() {
            return wanted.join(", ");
        }
        let answer = if names.is_empty() { "none".to_owned() } else { names.join("; ") };
        format!("Finish[{answer}]")
    }

    fn step<'s>(
        &self,
        step: &'s PlanStep,
        results: &BTreeMap<&str, Vec<String>>,
        types: &mut BTreeMap<&'s str, String>,
    ) -> Known {
        if let Some(hint) = &step.hint {
            types.insert(&step.id, step.node_type.clone().unwrap_or_default());
            let found = self.seen.get(&format!("retrieve {hint}"));
            return found.cloned().ok_or_else(|| vec![format!("RetrieveNode[{hint}]")]);
        }
        if !step.of.is_empty() {
            let mut shared: Option<Vec<String>> = None;
            let mut open = Vec::new();
            for entry in &step.of {
                let from = results.get(entry.from.as_str()).cloned().unwrap_or_default();
                match self.hop(&from, entry.edge_type.as_deref().unwrap_or_default()) {
                    Ok(own) => {
                        shared = Some(match shared {
                            None => own,
                            Some(s) => s.into_iter().filter(|x| own.contains(x)).collect(),
                        });
                    }
                    Err(actions) => open.extend(actions),
                }
            }
            types.insert(&step.id, String::new());
            return if open.is_empty() { Ok(shared.unwrap_or_default()) } else { Err(open) };
        }
        let from = step.from.as_deref().unwrap_or_default();
        let mut at = results.get(from).cloned().unwrap_or_default();
        let edge = step.edge_type.as_deref().unwrap_or_default();
        // A node type in the place of an edge type: several hops, one after the other.
        if self.schema.nodes.iter().any(|n| n == edge) {
            let start = types.get(from).cloned().unwrap_or_default();
            for edge in self.schema.way(&start, edge) {
                at = self.hop(&at, &edge)?;
            }
            return Ok(at);
        }
        self.hop(&at, edge)
    }

    /// The neighbours of some nodes, or the checks that would tell them.
    fn hop(&self, from: &[String], edge: &str) -> Known {
        let mut found = Vec::new();
        let mut open = Vec::new();
        for id in from {
            match self.seen.get(&format!("{edge} {id}")) {
                Some(ids) => {
                    for id in ids {
                        if !found.contains(id) {
                            found.push(id.clone());
                        }
                    }
                }
                None => open.push(format!("NeighbourCheck[{id}, {edge}]")),
            }
        }
        if open.is_empty() { Ok(found) } else { Err(open) }
    }
}

//! The script in the place of a model that answers from what it is given.

use std::sync::Arc;

use kg::KgBuilder;
use kg::find::{FindOptions, Finder};
use kg::plan::{Semantics, execute, verify};
use llm::{ChatRequest, Message, Role};
use serde_json::Map;
use tasks::Verdict;
use tasks::kgqa::{judge, plan_of, told_fact};

use super::{KgScript, question_in, unknown};

/// An entity that no generated network has.
const MADE_UP: &str = "Atlantis Gate";

fn is_count(question: &str) -> bool {
    let question = question.to_lowercase();
    question.starts_with("how many") || question.contains("number of")
}

/// What the model is asked: the last message of a person.
fn asked(request: &ChatRequest) -> &str {
    let last = request.messages.iter().rfind(|m| m.role == Role::User);
    last.map(|m| m.content.as_str()).unwrap_or_default()
}

pub(super) fn from_traversal(script: KgScript, request: &ChatRequest) -> Message {
    let text = asked(request);
    // The question comes first here; what was found may hold the same word.
    let question =
        text.strip_prefix("Question: ").and_then(|t| t.lines().next()).unwrap_or_default();
    let mut names: Vec<String> = Vec::new();
    let mut n = 0;
    let mut plain = None;
    for line in text.lines().skip_while(|l| !l.starts_with("What was found:")).skip(1) {
        if let Some(name) = line.strip_prefix("- ") {
            names.push(name.split(" (").next().unwrap_or(name).to_owned());
        } else if let Some(count) =
            line.strip_suffix(" nodes:").or_else(|| line.strip_suffix(" node:"))
        {
            n = count.parse().unwrap_or(0);
        } else if let Some(number) = line.strip_prefix("The result is the number ") {
            plain = Some(number.trim_end_matches('.').to_owned());
        } else if let Some(values) = line.strip_prefix("The values are: ") {
            plain = Some(values.to_owned());
        }
    }
    let answer = if let Some(plain) = plain {
        plain
    } else if is_count(question) {
        n.to_string()
    } else if names.is_empty() {
        "none".into()
    } else {
        if script.makes_up(question) {
            names.pop();
            names.push(MADE_UP.into());
        }
        names.join("; ")
    };
    Message::assistant(format!("Answer: {answer}"))
}

/// From triples `- a | edge | b`: the same plan, on the graph that they make.
pub(super) fn from_context(script: KgScript, request: &ChatRequest) -> Message {
    let text = asked(request);
    let question = question_in(text);
    let Some(plan) = plan_of(question) else { return Message::assistant(unknown()) };
    let mut names = match told_fact(question) {
        Some(fact) => told_by(text, &fact),
        None => on_context(text, &plan).unwrap_or_default(),
    };
    if is_count(question) {
        return Message::assistant(format!("Answer: {}", names.len()));
    }
    if !names.is_empty() && script.makes_up(question) {
        names.pop();
        names.push(MADE_UP.into());
    }
    let answer = if names.is_empty() { "none".to_owned() } else { names.join("; ") };
    Message::assistant(format!("Answer: {answer}"))
}

/// The script in the judge's place: it reads names as the rules do.
pub(super) fn grade(request: &ChatRequest) -> Message {
    let text = asked(request);
    let (before, reference) = text.rsplit_once("\nReference: ").unwrap_or((text, ""));
    let answer = before.split_once("\nAnswer: ").map_or("", |(_, answer)| answer);
    let names: Vec<String> =
        reference.split(", ").filter(|n| !n.is_empty()).map(str::to_owned).collect();
    let judged = judge(&names, answer, &[]);
    let word = if judged.verdict == Verdict::Correct { "Yes" } else { "No" };
    Message::assistant(format!("{word}. {}.", judged.explanation))
}

/// The nodes whose texts tell a fact, from lines `- name (Type), story: …`.
fn told_by(text: &str, fact: &str) -> Vec<String> {
    let nodes = text.lines().filter_map(|l| l.strip_prefix("- ").or(l.strip_prefix("Centre: ")));
    let tells = nodes.filter(|line| line.contains(fact));
    tells.filter_map(|line| Some(line.split_once(" (")?.0.to_owned())).collect()
}

/// The types of both ends of each edge type of the generated graphs, which a model would know from
/// the words.
const ENDS: &[(&str, &str, &str)] = &[
    ("stops_at", "Line", "Station"),
    ("next_stop", "Station", "Station"),
    ("in_zone", "Station", "Zone"),
    ("runs", "Operator", "Line"),
    ("maintains", "Operator", "Line"),
    ("near", "Sight", "Station"),
    ("parent_of", "Person", "Person"),
    ("married_to", "Person", "Person"),
    ("friend_of", "Person", "Person"),
    ("lives_in", "Person", "Street"),
    ("works_at", "Person", "Shop"),
    ("owns", "Person", "Shop"),
    ("stands_in", "Shop", "Street"),
    ("went_to", "Person", "Event"),
    ("held_in", "Event", "Street"),
];

fn on_context(text: &str, plan: &kg::plan::Plan) -> Option<Vec<String>> {
    let mut builder = KgBuilder::new("context");
    for line in text.lines().filter_map(|l| l.strip_prefix("- ")) {
        let parts: Vec<&str> = line.split(" | ").collect();
        let [source, edge, target] = parts.as_slice() else { continue };
        let (_, from, to) = ENDS.iter().find(|(e, _, _)| e == edge)?;
        builder.node(source, from, source, Map::new()).ok()?;
        builder.node(target, to, target, Map::new()).ok()?;
        builder.edge(source, edge, target).ok()?;
    }
    let kg = Arc::new(builder.build().ok()?);
    let ready = verify(plan, kg.schema(), Semantics::default(), "").ready?;
    let finder = Finder::new(kg.clone(), std::rc::Rc::new(text::NGrams));
    Some(execute(&ready, &finder, FindOptions::default()).answer().texts(&kg))
}

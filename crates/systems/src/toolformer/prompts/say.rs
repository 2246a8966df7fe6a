//! A template filled with what it is about: the sentence, and the sentence with its calls.

use crate::toolformer::hubs::{Function, HubTask, tasks};
use crate::toolformer::instance::PLACEHOLDER;
use crate::toolformer::tree::{Api, Arrow, Bracket, BracketOutput, Call, Tag, Value};

/// What a template is about.
pub(super) struct About<'a> {
    /// The id of the dataset, for calls.
    pub(super) dataset: &'a str,
    /// Its name in sentences.
    pub(super) title: &'a str,
    pub(super) task: &'static HubTask,
    pub(super) function: &'static Function,
    /// The name of a graph of a set.
    pub(super) graph: Option<&'a str>,
    /// What stands behind the function in the call.
    pub(super) arguments: &'a [(&'static str, String)],
    /// What stands for `{a}`, `{b}`, `{r}` and `{k}` in sentences.
    pub(super) words: &'a [(&'static str, String)],
}

impl About<'_> {
    /// The sentence with its calls, and the functions of the silent ones in their order.
    pub(super) fn output(&self, statement: &str) -> Option<(String, Vec<&'static Function>)> {
        let mut functions = Vec::new();
        let mut output = self.fill(statement);
        for name in silent(statement).1 {
            let (task, function) = tasks::function(&name)?;
            let call = self.bracket(task, function, &[], None);
            output = output.replace(&format!("<{name}>"), &format!(" {call}"));
            functions.push(function);
        }
        let tag = Some(Tag { arrow: Arrow::Long, output: BracketOutput::Result });
        let call = self.bracket(self.task, self.function, self.arguments, tag);
        Some((output.replace(PLACEHOLDER, &call), functions))
    }

    /// The sentence with its names, from a capital letter on.
    pub(super) fn fill(&self, sentence: &str) -> String {
        let graph = self.graph.unwrap_or(self.title).replace('_', " ");
        let mut filled = sentence
            .replace("{graph}", &graph)
            .replace("{data}", self.title)
            .replace("{item}", item(self.dataset));
        for (slot, word) in self.words {
            filled = filled.replace(slot, word);
        }
        let mut chars = filled.chars();
        match chars.next() {
            Some(first) => first.to_uppercase().chain(chars).collect(),
            None => filled,
        }
    }

    fn bracket(
        &self,
        task: &HubTask,
        function: &Function,
        arguments: &[(&'static str, String)],
        tag: Option<Tag>,
    ) -> String {
        let load = load(self.dataset, self.graph);
        let name = format!("{}:{}", task.model, function.name);
        let mut all = vec![Value::Call(load), Value::Text(name)];
        for (kind, id) in arguments {
            all.push(match *kind {
                "" => id.parse().map_or_else(|_| Value::Text(id.clone()), Value::Number),
                // As in the public files: references to nodes stand in quotes, others do not.
                "node" => Value::Text(format!("node#{id}")),
                "item" => reference(item(self.dataset), id),
                kind => reference(kind, id),
            });
        }
        Bracket { calls: vec![Call { api: Api::Reason, arguments: all }], tag }.to_string()
    }
}

/// The call that loads a dataset, or a graph of it.
pub(super) fn load(dataset: &str, graph: Option<&str>) -> Call {
    let mut arguments = vec![Value::Text(dataset.to_owned())];
    if let Some(graph) = graph {
        arguments.push(Value::Set(vec![Value::Text(graph.to_owned())]));
    }
    Call { api: Api::Load, arguments }
}

/// What a dataset recommends.
pub(super) fn item(dataset: &str) -> &'static str {
    match dataset {
        "last-fm" => "artist",
        "movielens" => "movie",
        _ => "item",
    }
}

fn reference(kind: &str, id: &str) -> Value {
    Value::Reference { kind: kind.to_owned(), id: id.to_owned() }
}

/// A sentence without the places of silent calls, and what they call.
pub(super) fn silent(sentence: &str) -> (String, Vec<String>) {
    let (mut plain, mut names) = (String::new(), Vec::new());
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('<') {
        plain.push_str(before);
        let Some((name, after)) = after.split_once('>') else { break };
        names.push(name.to_owned());
        rest = after;
    }
    plain.push_str(rest);
    (plain, names)
}

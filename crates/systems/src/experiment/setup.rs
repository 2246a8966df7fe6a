//! What makes two runs comparable: a system, its models, and how all are asked.

use std::collections::BTreeMap;

use agent::Limits;
use llm::{Endpoint, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use trace::bytes_hash;

/// The model that plays a role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoleModel {
    /// Its name at its endpoint, or a script's name.
    pub model: String,
    /// The endpoint's protocol and options, never its address; absent for a script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<Endpoint>,
}

impl RoleModel {
    /// A script in the place of a model.
    pub fn script(name: impl Into<String>) -> Self {
        Self { model: name.into(), endpoint: None }
    }

    /// A model whose answers stand in a file: somebody asked it before.
    pub fn in_file(name: impl Into<String>) -> Self {
        Self { model: name.into(), endpoint: Some(Endpoint::new("file", "")) }
    }

    /// A model at an endpoint. The address is not kept.
    pub fn at(endpoint: &Endpoint, model: impl Into<String>) -> Self {
        let endpoint = Endpoint { base_url: String::new(), ..endpoint.clone() };
        Self { model: model.into(), endpoint: Some(endpoint) }
    }

    /// The endpoint's kind: its protocol, `file`, `local`, or `script`.
    pub fn kind(&self) -> &str {
        self.endpoint.as_ref().map_or("script", |e| e.provider.as_str())
    }
}

/// A system with its models, and everything that its results depend on but the case.
///
/// Runs of one setup are counted together. [`Setup::hash`] is part of every run's key, so that a
/// run under another prompt, temperature, limit, tool list or scorer is another run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// The id of the experiment.
    pub experiment: String,
    /// The id of the system.
    pub system: String,
    /// The model of each role.
    pub roles: BTreeMap<String, RoleModel>,
    /// The experiment's own options, all of them.
    pub options: Value,
    /// How far a run may go.
    pub limits: Limits,
    /// Runs that are put together to one by the majority of their answers.
    ///
    /// Paper: Graph-Grounded LLMs §IV (self-consistency).
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub votes: u32,
    /// Hash of the definitions of the tools that there are; empty where there are none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tools: String,
    /// The version of the rules by which runs are scored.
    pub scorer: u32,
}

fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_one(n: &u32) -> bool {
    *n == 1
}

impl Setup {
    /// 16 hexadecimal digits that change with anything in here.
    pub fn hash(&self) -> String {
        bytes_hash(serde_json::to_string(self).unwrap_or_default().as_bytes())
    }

    /// Hash of what is said to models but the case: the options and the prompts among them.
    pub fn prompt_hash(&self) -> String {
        bytes_hash(self.options.to_string().as_bytes())
    }

    /// The names of the models that answer, each once: `a`, or `a, b` where the roles have two. A
    /// judge answers nothing.
    pub fn models(&self) -> String {
        let mut names: Vec<&str> = Vec::new();
        let order = self.spec().map_or(&[][..], |s| s.roles);
        let in_order = order.iter().filter_map(|r| self.roles.get(r.id));
        let others =
            self.roles.iter().filter(|(id, _)| order.iter().all(|r| r.id != *id)).map(|(_, m)| m);
        let judge = self.roles.get(super::JUDGE.id);
        let is_judge = |m: &&RoleModel| judge.is_some_and(|j| std::ptr::eq(j, *m));
        for model in in_order.chain(others).filter(|m| !is_judge(m)) {
            if !names.contains(&model.model.as_str()) {
                names.push(&model.model);
            }
        }
        names.join(", ")
    }

    /// The model of a role; that of the first role where it has none of its own.
    pub fn model(&self, role: &str) -> Option<&RoleModel> {
        self.roles.get(role)
    }

    /// The model of the first role.
    pub fn first_model(&self) -> Option<&RoleModel> {
        let first = self.spec().map(|s| s.first_role().id);
        first.and_then(|id| self.roles.get(id)).or_else(|| self.roles.values().next())
    }

    /// The kinds of its endpoints, each once.
    pub fn kind(&self) -> String {
        let mut kinds: Vec<&str> = self.roles.values().map(RoleModel::kind).collect();
        kinds.dedup();
        kinds.join(", ")
    }

    /// Whether every model of it is a script.
    pub fn is_scripted(&self) -> bool {
        self.roles.values().all(|m| m.endpoint.is_none())
    }

    /// The sampling temperature of its first model, where one is set.
    pub fn temperature(&self) -> Option<f64> {
        self.first_model().and_then(|m| m.endpoint.as_ref()).and_then(|e| e.options.temperature)
    }

    /// How its first model calls tools, where that is not the usual way: `tools by json`.
    fn tool_style(&self) -> Option<String> {
        let options = self.first_model()?.endpoint.as_ref()?.options;
        let held = if options.constrain { ", held to their schema" } else { "" };
        let name = options.tool_style.name();
        (!options.tool_style.is_native()).then(|| format!("tools by {name}{held}"))
    }

    /// The system's title, or its id where this version has no such system.
    pub fn system_title(&self) -> String {
        self.spec().map_or_else(|| self.system.clone(), |s| s.title.to_owned())
    }

    /// The options that are not as usual, in words: `verify false`, `max steps 40`.
    pub fn unusual(&self) -> Vec<String> {
        let mut words = Vec::new();
        if let (Some(Value::Object(usual)), Value::Object(here)) =
            (self.usual_options(), &self.options)
        {
            differing(&usual, here, &mut words);
        }
        words.extend(self.tool_style());
        if self.votes > 1 {
            words.push(format!("{} votes", self.votes));
        }
        words
    }
}

fn differing(usual: &Map<String, Value>, here: &Map<String, Value>, words: &mut Vec<String>) {
    for (name, value) in here.iter().filter(|(name, value)| usual.get(*name) != Some(value)) {
        match (usual.get(name), value) {
            (Some(Value::Object(before)), Value::Object(parts)) => differing(before, parts, words),
            // A text of a paragraph says less than that it is another.
            (_, Value::String(text)) if text.len() > 40 => words.push(format!("other {name}")),
            (_, Value::String(text)) => words.push(format!("{} {text}", name.replace('_', " "))),
            // Options of single precision are written as they were given.
            (_, Value::Number(n)) if n.is_f64() => {
                let n = n.as_f64().unwrap_or_default() as f32;
                words.push(format!("{} {n}", name.replace('_', " ")));
            }
            (_, value) => words.push(format!("{} {value}", name.replace('_', " "))),
        }
    }
}

/// The hash of definitions of tools.
pub fn hash_of(tools: &[ToolSpec]) -> String {
    bytes_hash(serde_json::to_string(tools).unwrap_or_default().as_bytes())
}

//! What makes two runs comparable: a system, a model, and how both are asked.

use agent::{Choosing, Limits};
use llm::{Endpoint, ToolSpec};
use serde::{Deserialize, Serialize};
use systems::{RunOptions, System};
use tasks::{Problem, Style, VERIFIER_VERSION, Wording};
use trace::bytes_hash;

/// A system with a model, and everything that its results depend on but the problem.
///
/// Runs of one setup are counted together; [`Setup::hash`] is part of every run's key, so that a
/// run under another prompt, temperature, limit, tool list or verifier is another run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// The system's id.
    pub system: String,
    /// The model's name at its endpoint, or a script's name.
    pub model: String,
    /// The endpoint's protocol and options, never its address; absent for a script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<Endpoint>,
    /// What the system says before the question.
    pub prompt: String,
    /// In which words the question is put.
    pub wording: Wording,
    /// In which prompting style.
    pub style: Style,
    /// How far a run may go.
    pub limits: Limits,
    /// Which tools the model gets.
    pub choosing: Choosing,
    /// The graph is handed over beside the question.
    #[serde(default)]
    pub attach: bool,
    /// Results longer than so many characters are summarised for the model.
    #[serde(default)]
    pub max_result_chars: Option<usize>,
    /// Hash of the definitions of the tools that there are; empty where there are none.
    pub tools: String,
    /// The version of the rules by which answers are read and judged.
    pub verifier: u32,
}

impl Setup {
    /// A system with a model, asked in the usual way.
    pub fn new(system: &System, model: impl Into<String>) -> Self {
        let RunOptions { choosing, attach, max_result_chars, .. } = RunOptions::default();
        Self {
            system: system.id.to_owned(),
            model: model.into(),
            endpoint: None,
            prompt: system.prompt.to_owned(),
            wording: Wording::Improved,
            style: Style::ZeroShot,
            limits: Limits::default(),
            choosing,
            attach,
            max_result_chars,
            tools: if system.has_tools { tools_hash() } else { String::new() },
            verifier: VERIFIER_VERSION,
        }
    }

    /// The same with a model at an endpoint. The address is not kept.
    #[must_use]
    pub fn at(mut self, endpoint: &Endpoint) -> Self {
        self.endpoint = Some(Endpoint { base_url: String::new(), ..endpoint.clone() });
        self
    }

    /// 16 hexadecimal digits that change with anything in here.
    pub fn hash(&self) -> String {
        bytes_hash(serde_json::to_string(self).unwrap_or_default().as_bytes())
    }

    /// Hash of all that is said to the model but the problem: system prompt, wording and style.
    pub fn prompt_hash(&self) -> String {
        let words = serde_json::to_string(&(&self.prompt, self.wording, self.style));
        bytes_hash(words.unwrap_or_default().as_bytes())
    }

    /// The endpoint's kind: its protocol, or `script`.
    pub fn kind(&self) -> &str {
        self.endpoint.as_ref().map_or("script", |e| e.provider.as_str())
    }

    /// The system's title, or its id where this version has no such system.
    pub fn system_title(&self) -> String {
        systems::find(&self.system).map_or_else(|| self.system.clone(), |s| s.title.to_owned())
    }

    /// The words that the model reads of a problem.
    pub fn question(&self, problem: &Problem, own_words: Option<&str>) -> String {
        let has_tools = systems::find(&self.system).is_some_and(|s| s.has_tools);
        if self.attach && has_tools {
            return problem.attached_question(self.wording);
        }
        own_words.map_or_else(|| problem.question(self.wording, self.style), str::to_owned)
    }

    /// How the run goes about it.
    pub fn options(&self) -> RunOptions {
        RunOptions {
            choosing: self.choosing.clone(),
            attach: self.attach,
            max_result_chars: self.max_result_chars,
            resume: None,
        }
    }
}

/// The hash of the graph tools' definitions.
fn tools_hash() -> String {
    use agent::ToolSet as _;
    hash_of(&systems::grounded::GraphTools::default().specs())
}

/// The hash of definitions of tools.
pub(crate) fn hash_of(tools: &[ToolSpec]) -> String {
    bytes_hash(serde_json::to_string(tools).unwrap_or_default().as_bytes())
}

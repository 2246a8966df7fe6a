//! The model that a command asks, and what people see of a run with it.

use std::rc::Rc;

use agent::EndpointModel;
use anyhow::{Context as _, Result, bail};
use llm::{ApiKey, AskOptions, Endpoint, Model, Part, Watch};
use trace::{Step, StepBody, ToolResult};

use crate::http::Client;
use crate::tool_way::ToolWay;
use crate::{gguf_models, keys, output, own_model};

/// The key in an environment variable, if one is named.
pub fn key(name: Option<&str>) -> Result<Option<ApiKey>> {
    let Some(name) = name else { return Ok(None) };
    let text = keys::find(name)
        .with_context(|| format!("the environment variable {name:?} is not set"))?;
    Ok(Some(ApiKey::new(&text).with_context(|| format!("{name:?} is empty"))?))
}

/// The one model that a command asks, and how.
#[derive(Clone, clap::Args)]
pub(super) struct AskedModel {
    /// The endpoint's protocol: openai, responses, anthropic, gemini or ollama.
    #[arg(long, default_value = "openai")]
    provider: String,
    /// The endpoint's address.
    #[arg(long)]
    endpoint: Option<String>,
    /// The model's name there; or local:NAME or local:FILE.gguf, which runs in this program.
    #[arg(long)]
    model: String,
    /// The environment variable that holds the key.
    #[arg(long)]
    key_env: Option<String>,
    /// Asks for whole answers.
    #[arg(long)]
    no_stream: bool,
    /// How the model calls tools: native (the endpoint's own interface), json or react (in the text
    /// of prompt and reply), json-schema (json, and the endpoint holds calls to the tools' schema).
    /// Default: json-schema for a model from a GGUF file, else native.
    #[arg(long, value_name = "STYLE")]
    tool_style: Option<ToolWay>,
    /// The most tokens of a reply. Default: the endpoint's own limit.
    #[arg(long, value_name = "N")]
    reply_tokens: Option<u64>,
    /// The sampling temperature. Default: the endpoint's own.
    #[arg(long)]
    temperature: Option<f64>,
    /// The context window in tokens, for Ollama's own protocol.
    #[arg(long)]
    num_ctx: Option<u64>,
}

impl AskedModel {
    /// The model as the command names it.
    pub(super) fn name(&self) -> &str {
        &self.model
    }

    /// What the latest answer took, of a model that runs here.
    pub(super) fn speed(&self) -> Option<String> {
        gguf_models::speed_of(&self.model)
    }

    /// The model for a question in a person's own words. Our own model has weights for these.
    pub(super) fn open_for_people(&self) -> Result<Box<dyn Model>> {
        let model = own_model::for_people(&self.model).to_owned();
        Self { model, ..self.clone() }.open(true)
    }

    /// The model, with a client of its own where it is at an endpoint. `has_tools` says that it is
    /// to be given tools, which not every model that runs here can be.
    pub(super) fn open(&self, has_tools: bool) -> Result<Box<dyn Model>> {
        let mut options = AskOptions {
            no_stream: self.no_stream,
            num_ctx: self.num_ctx,
            max_tokens: self.reply_tokens,
            temperature: self.temperature,
            ..AskOptions::default()
        };
        let file = self.model.strip_prefix(gguf_models::PREFIX);
        let is_held = file.is_some_and(|name| !own_model::is_own(name));
        let usual = if is_held { ToolWay::SCHEMA } else { ToolWay::default() };
        self.tool_style.unwrap_or(usual).apply(&mut options);
        if let Some(name) = file {
            let player = gguf_models::LocalPlayer::open(name, options)?;
            if let Some(why) = player.tools_fault().filter(|_| has_tools) {
                bail!(why);
            }
            return Ok(Box::new(player));
        }
        let Some(address) = &self.endpoint else {
            bail!("--endpoint is missing: where is {:?} asked?", self.model);
        };
        let endpoint =
            Endpoint { options, ..Endpoint::new(self.provider.as_str(), address.as_str()) };
        // Asked there all the same: the path is the protocol's own.
        let typed = address.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        if typed.trim() != endpoint.root() {
            let root = endpoint.root();
            output::complain(&format!("the address of the endpoint is taken to be {root}"));
        }
        let client = Rc::new(Client::new(key(self.key_env.as_deref())?));
        let model = EndpointModel::new(endpoint, self.model.clone(), client);
        Ok(Box::new(model.map_err(anyhow::Error::msg)?))
    }
}

/// Tells on the standard error that a question is asked again.
pub(super) struct Waits;

impl Watch for Waits {
    fn part(&self, part: Part) {
        if let Part::Retry { attempt, wait_ms, reason, .. } = part {
            let seconds = wait_ms / 1000.0;
            output::complain(&format!("attempt {attempt} in {seconds:.1} s: {reason}"));
        }
    }
}

/// A step on one line.
pub(super) fn describe(step: &Step) -> String {
    let line = match &step.body {
        StepBody::Model { message, .. } => format!("model: {}", message.content),
        StepBody::Call { call, result, .. } => {
            let outcome = match result {
                ToolResult::Value { value, .. } => value.to_string(),
                ToolResult::Error(error) => format!("refused: {}", error.message),
            };
            format!("call: {}({}) -> {outcome}", call.name, call.arguments)
        }
        StepBody::Note { text } => format!("note: {text}"),
        StepBody::Prompt { messages, .. } => {
            let words: Vec<&str> = messages.iter().map(|m| m.content.as_str()).collect();
            format!("asked: {}", words.join(" "))
        }
        StepBody::Program { .. } => format!("program: {}", step.body.program_text()),
        StepBody::Findings { stage, findings } => {
            let words: Vec<&str> = findings.iter().map(|f| f.message.as_str()).collect();
            format!("{stage}: {}", words.join("; "))
        }
        _ => "…".into(),
    };
    line.chars().map(|c| if c == '\n' { ' ' } else { c }).take(400).collect()
}

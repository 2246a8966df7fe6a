//! `graphground kgetool run`: the pipeline over a benchmark.

use std::io::Write as _;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

use agent::{Cancel, EndpointModel, Limits, RunContext};
use anyhow::{Context as _, anyhow, bail};
use eval::family::FamilyLine;
use futures_util::FutureExt as _;
use llm::{Endpoint, Model};
use systems::kgetool::scripted::KgScript;
use systems::kgetool::{self, Asked, Models, Options};

use super::{Data, Searching, SourceName};
use crate::commands::run::key;
use crate::http::Client;
use crate::output;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    data: Data,
    #[command(flatten)]
    searching: Searching,
    /// What the second model is told of the graph.
    #[arg(long, value_enum, default_value_t = SourceName::Extracted)]
    source: SourceName,
    /// The script that searches: script, mistaken-relation, mistaken-hop, mistaken-tool or
    /// mistaken-type.
    #[arg(long, default_value = "script")]
    extract_script: String,
    /// The script that calls.
    #[arg(long, default_value = "script")]
    call_script: String,
    /// An endpoint's address; its models take the scripts' places.
    #[arg(long)]
    endpoint: Option<String>,
    /// The endpoint's protocol: openai, responses, anthropic, gemini or ollama.
    #[arg(long, default_value = "openai")]
    provider: String,
    /// The model there that searches.
    #[arg(long, requires = "endpoint")]
    extract_model: Option<String>,
    /// The model there that calls.
    #[arg(long, requires = "endpoint")]
    call_model: Option<String>,
    /// The environment variable that holds the key.
    #[arg(long)]
    key_env: Option<String>,
    /// At most so many samples.
    #[arg(long)]
    limit: Option<usize>,
}

impl Args {
    fn model(&self, script: &str, named: Option<&str>) -> anyhow::Result<Box<dyn Model>> {
        if let (Some(endpoint), Some(model)) = (&self.endpoint, named) {
            let client = Rc::new(Client::new(key(self.key_env.as_deref())?));
            let endpoint = Endpoint::new(self.provider.as_str(), endpoint.as_str());
            let model = EndpointModel::new(endpoint, model.to_owned(), client);
            return Ok(Box::new(model.map_err(anyhow::Error::msg)?));
        }
        let script = KgScript::by_name(script).ok_or_else(|| {
            let names = KgScript::ALL.map(KgScript::name).join(", ");
            anyhow!("there is no script {script:?}; there are {names}")
        })?;
        Ok(Box::new(script))
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let benchmark = args.data.read()?;
    let options = Options { search: args.searching.options()?, source: args.source.source() };
    if args.endpoint.is_some() && args.extract_model.is_none() && args.call_model.is_none() {
        bail!("--endpoint needs --extract-model, --call-model or both");
    }
    let extract = args.model(&args.extract_script, args.extract_model.as_deref())?;
    let call = args.model(&args.call_script, args.call_model.as_deref())?;
    let models = Models { extract: &*extract, call: &*call };
    #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
    let start = Instant::now();
    let clock = move || start.elapsed().as_secs_f64() * 1000.0;
    let cancel = Cancel::default();
    let meaning = args.searching.meaning()?;
    let mut out = output::stdout();
    for sample in benchmark.samples.iter().take(args.limit.unwrap_or(usize::MAX)) {
        let family = benchmark.family(sample)?;
        let tools = benchmark.candidates(sample)?;
        let asked = Asked { family, sample, tools: &tools, meaning: &*meaning };
        let setting = RunContext {
            limits: Limits::default(),
            seed: None,
            clock: &clock,
            cancel: &cancel,
            watch: &(),
        };
        // The client blocks, so that every future is ready when it is looked at.
        let episode = kgetool::run(asked, models, options, setting, &mut |_, _| ())
            .now_or_never()
            .context("a fault of ours: the run did not come to its end")??;
        serde_json::to_writer(&mut out, &FamilyLine::new(sample, &episode, options))?;
        writeln!(out)?;
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

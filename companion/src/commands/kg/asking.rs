//! Who is asked, and what.

use std::path::PathBuf;
use std::rc::Rc;
use std::time::Instant;

use agent::EndpointModel;
use anyhow::{Context as _, Result, bail};
use kg::find::Finder;
use llm::{Endpoint, Model};
use systems::experiment::{Experiment, MODEL};
use systems::kgqa::KgQa;
use tasks::kgqa::{KgQuestion, questions_about, read_questions};

use crate::commands::asked::key;
use crate::gguf_models;
use crate::http::Client;
use crate::{input, limits};

/// Which model.
#[derive(clap::Args)]
pub struct PlanAsking {
    /// The model's name at the endpoint, one on this machine: local:own, local:FILE.bin,
    /// local:FILE.gguf, or a script: script, mistaken:KIND, erring:PERCENT.
    #[arg(long, default_value = "script")]
    pub model: String,
    /// The endpoint's address; a script plays the model if left out.
    #[arg(long)]
    pub endpoint: Option<String>,
    /// The endpoint's protocol.
    #[arg(long, default_value = "openai")]
    provider: String,
    /// The environment variable that holds the key.
    #[arg(long)]
    key_env: Option<String>,
}

impl PlanAsking {
    pub fn model(&self) -> Result<Box<dyn Model>> {
        self.named(&self.model)
    }

    /// A model of that name at the same endpoint, or the script of that name.
    pub(crate) fn named(&self, name: &str) -> Result<Box<dyn Model>> {
        let Some(address) = &self.endpoint else {
            if let Some(local) = name.strip_prefix(gguf_models::PREFIX) {
                let options = llm::AskOptions::default();
                return Ok(Box::new(gguf_models::LocalPlayer::open(local, options)?));
            }
            let experiment: &dyn Experiment = &KgQa;
            return experiment.script_named(MODEL.id, name).map_err(anyhow::Error::msg);
        };
        let endpoint = Endpoint::new(self.provider.as_str(), address.as_str());
        let client = Rc::new(Client::new(key(self.key_env.as_deref())?));
        let model =
            EndpointModel::new(endpoint, name.to_owned(), client).map_err(anyhow::Error::msg)?;
        Ok(Box::new(model))
    }
}

/// Which questions.
#[derive(clap::Args)]
pub(crate) struct Questions {
    /// Questions, a JSON object a line with `question` and `answers`; generated ones for a metro
    /// network or a tiny graph if left out.
    #[arg(long)]
    qa: Option<PathBuf>,
    /// So many questions at most.
    #[arg(long, default_value_t = 100)]
    n: usize,
}

impl Questions {
    pub(crate) fn read(&self, finder: &Finder) -> Result<Vec<KgQuestion>> {
        let mut list = match &self.qa {
            Some(path) => read_questions(&input::text(path, limits::TEXT)?)
                .with_context(|| path.display().to_string())?
                .into_iter()
                .map(|row| row.question)
                .collect(),
            None => questions_about(finder.kg(), self.n, 0, 1),
        };
        list.truncate(self.n);
        if list.is_empty() {
            bail!("there are no questions; give --qa, or a graph whose nodes have names and edges");
        }
        Ok(list)
    }
}

/// Milliseconds from now on.
pub fn clock() -> impl Fn() -> f64 {
    #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
    let start = Instant::now();
    move || start.elapsed().as_secs_f64() * 1e3
}

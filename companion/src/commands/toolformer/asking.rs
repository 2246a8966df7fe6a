//! Who writes.

use std::rc::Rc;

use agent::EndpointModel;
use anyhow::Result;
use llm::{Endpoint, Model, Part, Watch};
use systems::experiment::{Experiment, RoleModel};
use systems::toolformer::experiment::{InlineCalls, WRITER};

use crate::commands::asked::key;
use crate::http::Client;
use crate::output;

/// Which model.
#[derive(clap::Args)]
pub struct Asking {
    /// The model's name at the endpoint, or a script: script, mistaken:KIND, erring:PERCENT.
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

impl Asking {
    /// As `bench` takes them.
    pub(crate) fn as_words(&self) -> Vec<String> {
        let mut words = vec!["--model".to_owned(), self.model.clone()];
        let mut say = |name: &str, value: &str| words.extend([name.to_owned(), value.to_owned()]);
        if let Some(address) = &self.endpoint {
            say("--endpoint", address);
            say("--provider", &self.provider);
        }
        if let Some(name) = &self.key_env {
            say("--key-env", name);
        }
        words
    }

    /// The model as a setup names it.
    pub fn role(&self) -> RoleModel {
        match &self.endpoint {
            Some(address) => {
                let endpoint = Endpoint::new(self.provider.as_str(), address.as_str());
                RoleModel::at(&endpoint, self.model.as_str())
            }
            None => RoleModel::script(self.model.as_str()),
        }
    }

    pub fn model(&self) -> Result<Box<dyn Model>> {
        let Some(address) = &self.endpoint else {
            let experiment: &dyn Experiment = &InlineCalls;
            return experiment.script_named(WRITER.id, &self.model).map_err(anyhow::Error::msg);
        };
        let endpoint = Endpoint::new(self.provider.as_str(), address.as_str());
        let client = Rc::new(Client::new(key(self.key_env.as_deref())?));
        let model = EndpointModel::new(endpoint, self.model.clone(), client);
        Ok(Box::new(model.map_err(anyhow::Error::msg)?))
    }
}

/// Tells on the standard error that a question is asked again.
pub struct Waits;

impl Watch for Waits {
    fn part(&self, part: Part) {
        if let Part::Retry { attempt, wait_ms, reason, .. } = part {
            let seconds = wait_ms / 1000.0;
            output::complain(&format!("attempt {attempt} in {seconds:.1} s: {reason}"));
        }
    }
}

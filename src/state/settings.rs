//! Which model answers, and how the page looks.

use engine::message::ModelChoice;
use llm::Endpoint;
use serde::{Deserialize, Serialize};
use systems::grounded::scripted::Script;

/// Which model answers. Kept between visits; never carries a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelSettings {
    /// Whether an endpoint is asked, or a script.
    pub use_endpoint: bool,
    /// The script's name.
    pub script: String,
    /// The endpoint's address.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            use_endpoint: false,
            script: "script".into(),
            base_url: String::new(),
            model: String::new(),
        }
    }
}

impl ModelSettings {
    /// The endpoint, as typed.
    pub fn endpoint(&self) -> Endpoint {
        Endpoint::new("openai", self.base_url.trim())
    }

    /// What a run is told.
    pub fn choice(&self) -> ModelChoice {
        if self.use_endpoint {
            ModelChoice::Endpoint { endpoint: self.endpoint(), model: self.model.trim().to_owned() }
        } else {
            ModelChoice::Script { name: self.script.clone() }
        }
    }

    /// What is in use, in words, for the corner of the page.
    pub fn words(&self) -> String {
        if self.use_endpoint {
            let host = self.base_url.trim();
            let host = host.split("//").nth(1).unwrap_or(host);
            let host = host.split('/').next().unwrap_or(host);
            return format!("{} at {host}", self.model.trim());
        }
        let label = Script::by_name(&self.script)
            .map_or_else(|| self.script.clone(), |s| llm::Model::label(&s));
        format!("{label}, no key")
    }

    /// What is wrong with what was typed, if anything.
    pub fn fault(&self) -> Option<String> {
        if !self.use_endpoint {
            return None;
        }
        let url = self.base_url.trim();
        if url.is_empty() {
            return Some("Type the endpoint's address, such as http://127.0.0.1:8190/v1".into());
        }
        if !url.starts_with("http://") && !url.starts_with("https://") {
            return Some(format!("{url:?} is no address: it must start with http:// or https://"));
        }
        if url.contains('@') {
            return Some("Put the key into its own field, not into the address".into());
        }
        if self.model.trim().is_empty() {
            return Some("Name the model; Test lists those that the endpoint has".into());
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corner_names_model_and_host() {
        let settings = ModelSettings {
            use_endpoint: true,
            base_url: "http://127.0.0.1:8190/v1".into(),
            model: "m".into(),
            ..ModelSettings::default()
        };
        assert_eq!(settings.words(), "m at 127.0.0.1:8190");
        assert_eq!(settings.fault(), None);
        assert_eq!(ModelSettings::default().words(), "Scripted model, no key");
    }

    #[test]
    fn faults_say_what_would_be_right() {
        let with = |url: &str, model: &str| ModelSettings {
            use_endpoint: true,
            base_url: url.into(),
            model: model.into(),
            ..ModelSettings::default()
        };
        assert!(with("", "m").fault().unwrap().contains("http://127.0.0.1"));
        assert!(with("localhost:80", "m").fault().unwrap().contains("http://"));
        assert!(with("http://key@host", "m").fault().unwrap().contains("own field"));
        assert!(with("http://host", " ").fault().unwrap().contains("Test"));
    }
}

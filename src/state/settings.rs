//! Which model answers, and how the page looks.

use llm::{AskOptions, Endpoint};
use protocol::runs::ModelChoice;
use serde::{Deserialize, Serialize};
use systems::grounded::scripted::Script;

use super::address::Address;

/// Where the browser keeps these settings.
pub const SETTINGS: &str = "graphground.model";

/// What stands in the place of a file's name where the model is our own: no file is called so.
pub const OWN: &str = "own";

/// The address of models in this page.
pub use llm::served::IN_PROGRAM as IN_PAGE;

/// Whether requests to an address are answered in this page.
pub fn is_in_page(base_url: &str) -> bool {
    base_url == IN_PAGE
}

/// What our own model is called in the corner of the page.
pub const OWN_WORDS: &str = "Our own small model, in this page";

/// Which model answers. Kept between visits; never carries a key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelSettings {
    /// Whether an endpoint is asked, or a script.
    pub use_endpoint: bool,
    /// Whether the endpoint is a model file in this page.
    #[serde(default)]
    pub in_page: bool,
    /// The name of that file.
    #[serde(default)]
    pub file: String,
    /// How that file's model is asked.
    #[serde(default)]
    pub file_options: AskOptions,
    /// The script's name.
    pub script: String,
    /// The endpoint's address.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// The endpoint's protocol.
    #[serde(default = "usual_protocol")]
    pub provider: String,
    /// How the endpoint is asked.
    #[serde(default)]
    pub options: AskOptions,
}

fn usual_protocol() -> String {
    "openai".into()
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            use_endpoint: false,
            in_page: false,
            file: String::new(),
            file_options: AskOptions::default(),
            script: Script::DEMO.into(),
            base_url: String::new(),
            model: String::new(),
            provider: usual_protocol(),
            options: AskOptions::default(),
        }
    }
}

impl ModelSettings {
    /// Whether a model file in this page answers.
    pub fn is_file(&self) -> bool {
        self.use_endpoint && self.in_page && self.file != OWN
    }

    /// Whether the model answers that comes with the page.
    pub fn is_own(&self) -> bool {
        self.use_endpoint && self.in_page && self.file == OWN
    }

    /// The endpoint, as typed.
    pub fn endpoint(&self) -> Endpoint {
        if self.is_file() {
            // The worker speaks this protocol, so that everything that asks an endpoint asks it too.
            return Endpoint { options: self.file_options, ..Endpoint::new("openai", IN_PAGE) };
        }
        let options = self.options;
        Endpoint { options, ..Endpoint::new(&*self.provider, self.base_url.trim()) }
    }

    /// What a run is told.
    pub fn choice(&self) -> ModelChoice {
        if self.is_own() {
            ModelChoice::Own
        } else if self.use_endpoint {
            let model = if self.is_file() { &self.file } else { &self.model };
            ModelChoice::Endpoint { endpoint: self.endpoint(), model: model.trim().to_owned() }
        } else {
            ModelChoice::Script { name: self.script.clone() }
        }
    }

    /// Whether the script plays that shows a guess beside an answer from tools.
    pub fn is_demo(&self) -> bool {
        !self.use_endpoint && self.script == Script::DEMO
    }

    /// The hosts that a run asks: the one of the endpoint, or none.
    pub fn origins(&self) -> Vec<String> {
        let is_asked = self.use_endpoint && !self.in_page;
        let at = is_asked.then(|| Address::parse(&self.base_url).ok()).flatten();
        at.map(|a| a.origin()).into_iter().collect()
    }

    /// What is in use, in words, for the corner of the page.
    pub fn words(&self) -> String {
        if self.is_own() {
            return OWN_WORDS.into();
        }
        if self.is_file() {
            return format!("{}, in this page", self.file);
        }
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
        if self.in_page {
            let words = "Choose one of the files below, or add one";
            return self.file.is_empty().then(|| words.to_owned());
        }
        if let Err(fault) = Address::parse(&self.base_url) {
            return Some(fault);
        }
        let Some(provider) = llm::providers::find(&self.provider) else {
            return Some(format!("{:?} is no protocol that Graphground speaks", self.provider));
        };
        if let Some(fault) = self.options.fault(provider) {
            return Some(fault);
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
        assert_eq!(ModelSettings::default().words(), "Demo script: guesses alone, no key");
    }

    #[test]
    fn a_file_in_this_page_is_asked_as_an_endpoint_is() {
        let typed = ModelSettings {
            use_endpoint: true,
            base_url: "http://h/v1".into(),
            model: "m".into(),
            ..ModelSettings::default()
        };
        let mut settings = ModelSettings { in_page: true, ..typed.clone() };
        assert!(settings.fault().unwrap().contains("add one"));
        settings.file = "small.gguf".into();
        settings.file_options.tool_style = llm::ToolStyle::Json;
        assert_eq!((settings.fault(), settings.origins()), (None, Vec::new()));
        assert_eq!(settings.words(), "small.gguf, in this page");
        let own = ModelSettings { file: OWN.into(), ..settings.clone() };
        assert_eq!(own.words(), "Our own small model, in this page");
        assert_eq!((own.choice(), own.fault(), own.is_file()), (ModelChoice::Own, None, false));
        assert_eq!(own.origins(), Vec::<String>::new());
        let ModelChoice::Endpoint { endpoint, model } = settings.choice() else {
            panic!("an endpoint")
        };
        assert!(is_in_page(&endpoint.base_url) && !is_in_page("page:model/x"));
        assert_eq!(endpoint.options.tool_style, llm::ToolStyle::Json);
        assert_eq!(model, "small.gguf");
        // What was typed in before is there again.
        settings.in_page = false;
        assert_eq!(settings.endpoint(), typed.endpoint());
        settings.use_endpoint = false;
        settings.in_page = true;
        assert!(matches!(settings.choice(), ModelChoice::Script { .. }));
    }

    #[test]
    fn what_an_earlier_version_kept_is_read() {
        let old = r#"{"use_endpoint":true,"script":"script","base_url":"http://h/v1","model":"m"}"#;
        let settings: ModelSettings = serde_json::from_str(old).unwrap();
        assert_eq!(settings.endpoint(), Endpoint::new("openai", "http://h/v1"));
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

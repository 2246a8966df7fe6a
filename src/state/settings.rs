//! Which model answers, and how the page looks.

use llm::{AskOptions, Endpoint, ToolStyle};
use protocol::runs::ModelChoice;
use serde::{Deserialize, Deserializer, Serialize};
use systems::grounded::scripted::Script;
use tasks::{TaskGroup, TaskId};

use super::address::Address;

/// Where the browser keeps these settings.
pub const SETTINGS: &str = "graphground.model";

/// The address of models in this page.
pub use llm::served::IN_PROGRAM as IN_PAGE;

/// Whether requests to an address are answered in this page.
pub fn is_in_page(base_url: &str) -> bool {
    base_url == IN_PAGE
}

/// What our own model is called in traces.
pub const OWN_LABEL: &str = "our own small model (on this machine)";

/// What our own model is called in the corner of the page.
pub const OWN_WORDS: &str = "Our own small model, in this page";

/// Who answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Who {
    /// The small model that comes with the page.
    #[default]
    Own,
    /// A script, which plays a model.
    Script,
    /// An endpoint.
    Endpoint,
    /// A model file in this page.
    File,
}

/// Who answers, as it was kept; an earlier version kept whether an endpoint does.
fn kept_who<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Who, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Kept {
        Name(String),
        AsksEndpoint(bool),
    }
    Ok(match Kept::deserialize(deserializer)? {
        Kept::Name(name) => match name.as_str() {
            "script" => Who::Script,
            "endpoint" => Who::Endpoint,
            "file" => Who::File,
            _ => Who::Own,
        },
        Kept::AsksEndpoint(asks) => {
            if asks {
                Who::Endpoint
            } else {
                Who::Own
            }
        }
    })
}

/// Which model answers. Kept between visits; never carries a key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelSettings {
    /// Who answers.
    #[serde(default, alias = "use_endpoint", deserialize_with = "kept_who")]
    pub who: Who,
    /// The name of the model file in this page.
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
            who: Who::default(),
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
        self.who == Who::File
    }

    /// Whether the model answers that comes with the page.
    pub fn is_own(&self) -> bool {
        self.who == Who::Own
    }

    /// Whether the model answers questions of a task at all. Our own learned NLGraph's eight tasks; of
    /// the others it refuses the words or is right by chance at best (its card has the table).
    pub fn knows_task(&self, task: TaskId) -> bool {
        !self.is_own() || task.group() == TaskGroup::NlGraph
    }

    /// Whether a model answers that somebody brought: it reads any text, and every page can ask it.
    pub fn is_brought(&self) -> bool {
        matches!(self.who, Who::Endpoint | Who::File)
    }

    /// Takes another address. The tool style was found for the server at the one before.
    pub fn set_address(&mut self, typed: String) {
        let before = self.endpoint().host();
        self.base_url = typed;
        if self.endpoint().host() != before {
            self.options.tool_style = ToolStyle::default();
            self.options.constrain = false;
        }
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
        let at = |model: &str| ModelChoice::Endpoint {
            endpoint: self.endpoint(),
            model: model.trim().to_owned(),
        };
        match self.who {
            Who::Own => ModelChoice::Own,
            Who::Script => ModelChoice::Script { name: self.script.clone() },
            Who::Endpoint => at(&self.model),
            Who::File => at(&self.file),
        }
    }

    /// Whether the script plays that shows a guess beside an answer from tools.
    pub fn is_demo(&self) -> bool {
        self.who == Who::Script && self.script == Script::DEMO
    }

    /// The hosts that a run asks: the one of the endpoint, or none.
    pub fn origins(&self) -> Vec<String> {
        let is_asked = self.who == Who::Endpoint;
        let at = is_asked.then(|| Address::parse(&self.base_url).ok()).flatten();
        at.map(|a| a.origin()).into_iter().collect()
    }

    /// Whether a run by the model of that label comes out the same for whoever opens a link to it: a
    /// script's does, and that of our own model.
    pub fn runs_again(&self, label: &str) -> bool {
        match self.who {
            Who::Own => label == OWN_LABEL,
            Who::Script => Script::by_name(&self.script)
                .is_some_and(|script| llm::Model::label(&script) == label),
            Who::Endpoint | Who::File => false,
        }
    }

    /// What is in use, in words, for the corner of the page.
    pub fn words(&self) -> String {
        match self.who {
            Who::Own => OWN_WORDS.into(),
            Who::File => format!("{}, in this page", self.file),
            Who::Endpoint => {
                let host = self.base_url.trim();
                let host = host.split("//").nth(1).unwrap_or(host);
                let host = host.split('/').next().unwrap_or(host);
                format!("{} at {host}", self.model.trim())
            }
            Who::Script => {
                let label = Script::by_name(&self.script)
                    .map_or_else(|| self.script.clone(), |s| llm::Model::label(&s));
                format!("{label}, no key")
            }
        }
    }

    /// What is wrong with what was typed, if anything.
    pub fn fault(&self) -> Option<String> {
        match self.who {
            Who::Own | Who::Script => return None,
            Who::File => {
                let words = "Choose one of the files below, or add one";
                return self.file.is_empty().then(|| words.to_owned());
            }
            Who::Endpoint => {}
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
            return Some("Name the model; Check lists those that the endpoint has".into());
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_model_knows_the_tasks_that_it_learned() {
        let known = |who| {
            let settings = ModelSettings { who, ..ModelSettings::default() };
            TaskId::ALL.into_iter().filter(|task| settings.knows_task(*task)).count()
        };
        assert_eq!(known(Who::Own), 8);
        assert_eq!([Who::Script, Who::Endpoint].map(known), [TaskId::ALL.len(); 2]);
    }

    #[test]
    fn a_style_that_was_found_for_one_server_does_not_stay_for_the_next() {
        let mut settings =
            ModelSettings { base_url: "http://127.0.0.1:1/v1".into(), ..ModelSettings::default() };
        settings.options.tool_style = ToolStyle::Json;
        settings.options.constrain = true;
        settings.set_address("http://127.0.0.1:1".into());
        assert_eq!(settings.options.tool_style, ToolStyle::Json, "the same server");
        settings.set_address("http://127.0.0.1:2".into());
        assert_eq!(settings.options, AskOptions::default());
    }

    #[test]
    fn the_corner_names_model_and_host() {
        let settings = ModelSettings {
            who: Who::Endpoint,
            base_url: "http://127.0.0.1:8190/v1".into(),
            model: "m".into(),
            ..ModelSettings::default()
        };
        assert_eq!(settings.words(), "m at 127.0.0.1:8190");
        assert_eq!(settings.fault(), None);
        assert_eq!(ModelSettings::default().words(), "Our own small model, in this page");
        let script = ModelSettings { who: Who::Script, ..ModelSettings::default() };
        assert_eq!(script.words(), "Demo script: guesses alone, no key");
    }

    #[test]
    fn a_file_in_this_page_is_asked_as_an_endpoint_is() {
        let typed = ModelSettings {
            who: Who::Endpoint,
            base_url: "http://h/v1".into(),
            model: "m".into(),
            ..ModelSettings::default()
        };
        let mut settings = ModelSettings { who: Who::File, ..typed.clone() };
        assert!(settings.fault().unwrap().contains("add one"));
        settings.file = "small.gguf".into();
        settings.file_options.tool_style = ToolStyle::Json;
        assert_eq!((settings.fault(), settings.origins()), (None, Vec::new()));
        assert_eq!(settings.words(), "small.gguf, in this page");
        assert_eq!(OWN_LABEL, ownmodel::LABEL);
        let own = ModelSettings { who: Who::Own, ..settings.clone() };
        assert_eq!(own.words(), "Our own small model, in this page");
        assert_eq!((own.choice(), own.fault(), own.is_file()), (ModelChoice::Own, None, false));
        assert_eq!(own.origins(), Vec::<String>::new());
        let ModelChoice::Endpoint { endpoint, model } = settings.choice() else {
            panic!("an endpoint")
        };
        assert!(is_in_page(&endpoint.base_url) && !is_in_page("page:model/x"));
        assert_eq!(endpoint.options.tool_style, ToolStyle::Json);
        assert_eq!(model, "small.gguf");
        // What was typed in before is there again.
        settings.who = Who::Endpoint;
        assert_eq!(settings.endpoint(), typed.endpoint());
        settings.who = Who::Script;
        assert!(matches!(settings.choice(), ModelChoice::Script { .. }));
    }

    #[test]
    fn what_an_earlier_version_kept_is_read() {
        let old = r#"{"use_endpoint":true,"script":"script","base_url":"http://h/v1","model":"m"}"#;
        let settings: ModelSettings = serde_json::from_str(old).unwrap();
        assert_eq!(settings.endpoint(), Endpoint::new("openai", "http://h/v1"));
        assert_eq!(settings.who, Who::Endpoint);
        let settings: ModelSettings = serde_json::from_str(&old.replace("true", "false")).unwrap();
        assert_eq!(settings.who, Who::Own);
        for who in [Who::Own, Who::Script, Who::Endpoint, Who::File] {
            let kept = ModelSettings { who, ..settings.clone() };
            let text = serde_json::to_string(&kept).unwrap();
            assert_eq!(serde_json::from_str::<ModelSettings>(&text).unwrap(), kept);
        }
    }

    #[test]
    fn runs_of_scripts_and_of_our_own_model_come_out_the_same_elsewhere() {
        let mut settings = ModelSettings { who: Who::Own, ..ModelSettings::default() };
        assert!(settings.runs_again(OWN_LABEL) && !settings.runs_again("gpt-4"));
        settings.who = Who::Script;
        let label = Script::by_name(&settings.script).map(|s| llm::Model::label(&s)).unwrap();
        assert!(settings.runs_again(&label) && !settings.runs_again(OWN_LABEL));
        settings.who = Who::Endpoint;
        assert!(!settings.runs_again(&label));
    }

    #[test]
    fn faults_say_what_would_be_right() {
        let with = |url: &str, model: &str| ModelSettings {
            who: Who::Endpoint,
            base_url: url.into(),
            model: model.into(),
            ..ModelSettings::default()
        };
        assert!(with("", "m").fault().unwrap().contains("http://127.0.0.1"));
        assert!(with("localhost:80", "m").fault().unwrap().contains("http://"));
        assert!(with("http://key@host", "m").fault().unwrap().contains("own field"));
        assert!(with("http://host", " ").fault().unwrap().contains("Check"));
    }
}

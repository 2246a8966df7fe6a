//! Endpoints that were in use since the page was opened: a run with two models may ask two of them.
//!
//! Addresses and names of models alone. The key of each stays where keys are, by its address, and
//! goes nowhere else.

use super::settings::{ModelSettings, Who};

/// The endpoints, each with its model, in the order in which they came into use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UsedEndpoints(Vec<ModelSettings>);

/// Under which name an endpoint with its model is chosen.
pub fn id_of(settings: &ModelSettings) -> String {
    let ModelSettings { provider, base_url, model, .. } = settings;
    format!("{provider} {} {}", base_url.trim(), model.trim())
}

impl UsedEndpoints {
    /// Takes note of what is in use. An endpoint that is known is known as it is asked now.
    pub fn note(&mut self, settings: &ModelSettings) {
        if settings.who != Who::Endpoint || settings.fault().is_some() {
            return;
        }
        let id = id_of(settings);
        match self.0.iter_mut().find(|known| id_of(known) == id) {
            Some(known) => known.clone_from(settings),
            None => self.0.push(settings.clone()),
        }
    }

    /// The endpoint of that name.
    pub fn find(&self, id: &str) -> Option<&ModelSettings> {
        self.0.iter().find(|known| id_of(known) == id)
    }

    /// Each with its name and what people call it: the model and the host, and the whole address
    /// where that would be said of two.
    pub fn named(&self) -> Vec<(String, String)> {
        let words: Vec<String> = self.0.iter().map(ModelSettings::words).collect();
        let of = |(i, known): (usize, &ModelSettings)| {
            let is_one = words.iter().filter(|w| **w == words[i]).count() == 1;
            let said = match is_one {
                true => words[i].clone(),
                false => {
                    let (model, url) = (known.model.trim(), known.base_url.trim());
                    format!("{model} at {url} ({})", known.provider)
                }
            };
            (id_of(known), said)
        };
        self.0.iter().enumerate().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(base_url: &str, model: &str) -> ModelSettings {
        ModelSettings {
            who: Who::Endpoint,
            base_url: base_url.into(),
            model: model.into(),
            ..ModelSettings::default()
        }
    }

    #[test]
    fn each_endpoint_and_model_is_known_once() {
        let mut used = UsedEndpoints::default();
        for settings in [
            at("http://127.0.0.1:1/v1", "a"),
            at("http://127.0.0.1:2/v1", "b"),
            at("http://127.0.0.1:1/v1", "b"),
            at("http://127.0.0.1:1/v1 ", "a"),
            // These are no endpoints, or none yet.
            ModelSettings::default(),
            at("", "a"),
            at("http://127.0.0.1:1/v1", " "),
        ] {
            used.note(&settings);
        }
        let words: Vec<String> = used.named().into_iter().map(|(_, words)| words).collect();
        assert_eq!(words, ["a at 127.0.0.1:1", "b at 127.0.0.1:2", "b at 127.0.0.1:1"]);
        for (id, _) in used.named() {
            assert_eq!(id_of(used.find(&id).unwrap()), id);
        }
        assert_eq!(used.find("openai http://127.0.0.1:3/v1 a"), None);
    }

    #[test]
    fn two_that_would_be_called_the_same_are_told_apart_and_options_are_the_last_ones() {
        let mut used = UsedEndpoints::default();
        used.note(&at("http://h/v1", "m"));
        used.note(&at("http://h/v2", "m"));
        let words: Vec<String> = used.named().into_iter().map(|(_, words)| words).collect();
        assert_eq!(words, ["m at http://h/v1 (openai)", "m at http://h/v2 (openai)"]);
        let mut other = at("http://h/v1", "m");
        other.options.tool_style = llm::ToolStyle::Json;
        used.note(&other);
        assert_eq!(used.find(&id_of(&other)), Some(&other));
        assert_eq!(used.named().len(), 2);
    }
}

//! How a run goes about it, as a person chooses.

use agent::Choosing;
use protocol::runs::ModelChoice;
use serde_json::{Value, json};
use systems::grounded::retrieval::{N_TOOLS, choosing};

/// The most runs of one vote that the page offers.
pub const MOST_RUNS: u32 = 9;

/// How a run goes about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct How {
    /// Only the functions that fit the question are sent, or all of them; where nobody chose, what suits
    /// the model.
    pub few_tools: Option<bool>,
    /// How many beside those that build a graph.
    pub n_tools: usize,
    /// Functions that are sent whatever fits: by name.
    pub pinned: String,
    /// The model has to call until a function that asks the graph has answered; where nobody chose,
    /// what suits the model.
    pub hold: Option<bool>,
    /// The graph is handed over beside the question.
    pub attach: bool,
    /// So many runs, put together by the majority.
    pub n_runs: u32,
}

impl Default for How {
    fn default() -> Self {
        Self {
            few_tools: None,
            n_tools: N_TOOLS,
            pinned: String::new(),
            hold: None,
            attach: false,
            n_runs: 1,
        }
    }
}

impl How {
    /// Whether only the functions that fit are sent to a model.
    pub fn sends_few(&self, model: &ModelChoice) -> bool {
        self.few_tools.unwrap_or_else(|| model.surface().choosing != Choosing::All)
    }

    /// Whether a model has to call.
    pub fn holds(&self, model: &ModelChoice) -> bool {
        self.hold.unwrap_or_else(|| model.surface().hold)
    }

    /// The options of a run by a model.
    pub fn options(&self, model: &ModelChoice) -> Value {
        let few = self.sends_few(model);
        let mut choosing = if few { choosing(self.n_tools) } else { Choosing::All };
        if let Choosing::Bm25 { pinned, .. } = &mut choosing {
            let more = self.pinned.split([',', ' ']).map(str::trim).filter(|n| !n.is_empty());
            pinned.extend(more.map(str::to_owned));
        }
        let guide = model.surface().guide;
        json!({ "choosing": choosing, "guide": guide, "hold": self.holds(model), "attach": self.attach })
    }

    /// In a few words, for the line above the choices.
    pub fn words(&self) -> String {
        let mut words = Vec::new();
        match self.few_tools {
            Some(true) => words.push(format!("{} functions that fit", self.n_tools)),
            Some(false) => words.push("all functions".into()),
            None => {}
        }
        match self.hold {
            Some(true) => words.push("has to call".into()),
            Some(false) => words.push("may answer without a call".into()),
            None => {}
        }
        if self.attach {
            words.push("graph attached".into());
        }
        if self.n_runs > 1 {
            words.push(format!("best of {}", self.n_runs));
        }
        if words.is_empty() { "as suits the model, one run".into() } else { words.join(", ") }
    }
}

pub use systems::nlgraph::{STYLES, WORDINGS};

#[cfg(test)]
mod tests {
    use llm::Endpoint;
    use llm::served::IN_PROGRAM;

    use super::*;

    #[test]
    fn choices_become_options() {
        let usual = systems::nlgraph::Options::usual("grounded").value();
        for (name, value) in How::default().options(&ModelChoice::Own).as_object().unwrap() {
            assert_eq!(usual[name], *value, "{name}");
        }
        let endpoint = Endpoint::new("openai", "http://127.0.0.1");
        let endpoint = ModelChoice::Endpoint { endpoint, model: "m".into() };
        let guided = How::default().options(&endpoint);
        assert_eq!((&guided["guide"], &guided["choosing"]["n_tools"]), (&json!(true), &json!(5)));
        let held = |how: &How, model: &ModelChoice| how.options(model)["hold"].clone();
        let endpoint_of_file = Endpoint::new("openai", IN_PROGRAM);
        let file = ModelChoice::Endpoint { endpoint: endpoint_of_file, model: "m".into() };
        assert_eq!(
            (held(&How::default(), &endpoint), held(&How::default(), &file)),
            (json!(false), json!(true))
        );
        assert_eq!(held(&How { hold: Some(false), ..How::default() }, &file), json!(false));
        let all =
            How { few_tools: Some(false), hold: Some(true), ..How::default() }.options(&endpoint);
        assert_eq!((&all["hold"], &all["choosing"]["how"]), (&json!(true), &json!("all")));
        let how = How {
            few_tools: Some(true),
            n_tools: 2,
            pinned: "pagerank, bfs_order".into(),
            hold: None,
            attach: true,
            n_runs: 5,
        };
        assert_eq!(how.words(), "2 functions that fit, graph attached, best of 5");
        let options = how.options(&ModelChoice::Own);
        let choosing = serde_json::from_value(options["choosing"].clone()).unwrap();
        let Choosing::Bm25 { n_tools, pinned, .. } = choosing else {
            panic!("few tools are chosen by words")
        };
        assert_eq!(n_tools, 2);
        assert!(
            pinned.contains(&"pagerank".to_owned()) && pinned.contains(&"add_edges".to_owned())
        );
        assert_eq!(options["attach"], true);
    }
}

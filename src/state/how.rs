//! How a run goes about it, as a person chooses.

use agent::Choosing;
use serde_json::{Value, json};
use systems::grounded::retrieval::{N_TOOLS, choosing};

/// The most runs of one vote that the page offers.
pub const MOST_RUNS: u32 = 9;

/// How a run goes about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct How {
    /// Only the functions that fit the question are sent, not all of them.
    pub few_tools: bool,
    /// How many beside those that build a graph.
    pub n_tools: usize,
    /// Functions that are sent whatever fits: by name.
    pub pinned: String,
    /// The graph is handed over beside the question.
    pub attach: bool,
    /// So many runs, put together by the majority.
    pub n_runs: u32,
}

impl Default for How {
    fn default() -> Self {
        Self { few_tools: false, n_tools: N_TOOLS, pinned: String::new(), attach: false, n_runs: 1 }
    }
}

impl How {
    /// The options of a run.
    pub fn options(&self) -> Value {
        let mut choosing = if self.few_tools { choosing(self.n_tools) } else { Choosing::All };
        if let Choosing::Bm25 { pinned, .. } = &mut choosing {
            let more = self.pinned.split([',', ' ']).map(str::trim).filter(|n| !n.is_empty());
            pinned.extend(more.map(str::to_owned));
        }
        json!({ "choosing": choosing, "attach": self.attach })
    }

    /// In a few words, for the line above the choices.
    pub fn words(&self) -> String {
        let mut words = Vec::new();
        if self.few_tools {
            words.push(format!("{} functions that fit", self.n_tools));
        }
        if self.attach {
            words.push("graph attached".into());
        }
        if self.n_runs > 1 {
            words.push(format!("best of {}", self.n_runs));
        }
        if words.is_empty() { "all functions, one run".into() } else { words.join(", ") }
    }
}

pub use systems::nlgraph::{STYLES, WORDINGS};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_become_options() {
        let usual = systems::nlgraph::Options::usual("grounded").value();
        for (name, value) in How::default().options().as_object().unwrap() {
            assert_eq!(usual[name], *value, "{name}");
        }
        let how = How {
            few_tools: true,
            n_tools: 2,
            pinned: "pagerank, bfs_order".into(),
            attach: true,
            n_runs: 5,
        };
        assert_eq!(how.words(), "2 functions that fit, graph attached, best of 5");
        let options = how.options();
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

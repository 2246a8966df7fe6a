//! How a run goes about it, as a person chooses.

use agent::Choosing;
use serde_json::{Value, json};
use systems::grounded::retrieval::{N_TOOLS, choosing};
use tasks::{Style, Wording};

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

/// In which words a question may be put.
pub static WORDINGS: [(Wording, &str); 3] = [
    (Wording::Improved, "Clearer topological sort (the paper's Table II)"),
    (Wording::Benchmark, "NLGraph's own (the paper's Table I)"),
    (Wording::City, "Cities and roads (shortest path)"),
];

/// How a model may be prompted.
pub static STYLES: [(Style, &str); 23] = [
    (Style::ZeroShot, "The question alone"),
    (Style::ZeroCot, "Think step by step"),
    (Style::LeastToMost, "Break it down"),
    (Style::Program, "By a Python program"),
    (Style::BuildAGraph, "Build the graph first"),
    (Style::FewShot, "Solved examples"),
    (Style::Cot, "Reasoned examples"),
    (Style::Algorithm, "Examples and an algorithm"),
    (Style::BuildAGraphCot, "Reasoned examples that build the graph first"),
    (Style::BuildAGraphAlgorithm, "The same with an algorithm"),
    (Style::StepByStep, "Reasoned examples, “think step by step”"),
    (Style::EachDetail, "Reasoned examples, “each detail carefully”"),
    (Style::Systematically, "Reasoned examples, “systematically”"),
    (Style::Dots, "Reasoned examples, a line of dots in each"),
    (Style::DotsFirst, "Reasoned examples, a line of dots before all"),
    (Style::Recitation, "Two edges recited before the question"),
    (Style::TwoShot, "2 solved examples"),
    (Style::FourShot, "4 solved examples"),
    (Style::EightShot, "8 solved examples"),
    (Style::TwelveShot, "12 solved examples"),
    (Style::SixteenShot, "16 solved examples"),
    (Style::MediumCot, "Reasoned examples of level medium"),
    (Style::HardCot, "Reasoned examples of level hard"),
];

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

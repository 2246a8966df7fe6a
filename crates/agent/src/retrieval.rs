//! Which tools a model gets: all of them, or those that fit the question.
//!
//! Paper: Graph-Grounded LLMs §IV, "Context Length Limitations", names this as future work.

use llm::{Message, Role, ToolSpec};
use serde::{Deserialize, Serialize};
use text::Bm25;

/// How the tools of a run are chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum Choosing {
    /// Every tool is sent.
    #[default]
    All,
    /// Those whose name, description and arguments fit the question best, by BM25.
    Bm25 {
        /// How many, beside the pinned ones.
        n_tools: usize,
        /// Names of tools that are always there.
        pinned: Vec<String>,
        /// More words for a tool: in which people ask for what it does.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        asked_as: Vec<(String, String)>,
    },
    /// These and no others, until one more is called.
    Named {
        /// The names of the tools that are sent.
        names: Vec<String>,
    },
}

/// The choice while a run goes on.
pub(crate) struct Choice {
    /// All tools, the best fitting first behind the pinned ones.
    order: Vec<usize>,
    /// So many of them are sent.
    n_sent: usize,
    reason: String,
}

impl Choice {
    /// The choice before the first turn; `None` if all tools are sent.
    pub(crate) fn new(
        choosing: &Choosing,
        specs: &[ToolSpec],
        messages: &[Message],
    ) -> Option<Self> {
        let (first, rest, n_more, reason): (Vec<usize>, Vec<usize>, usize, String) = match choosing
        {
            Choosing::All => return None,
            Choosing::Named { names } => {
                let (first, rest) = (0..specs.len()).partition(|&i| names.contains(&specs[i].name));
                (first, rest, 0, "chosen by hand".into())
            }
            Choosing::Bm25 { n_tools, pinned, asked_as } => {
                let question =
                    messages.iter().rfind(|m| m.role == Role::User).map(|m| asked(&m.content));
                let ranked = Bm25::new(specs.iter().map(|s| document(s, asked_as)))
                    .rank(&question.unwrap_or_default());
                let (first, rest): (Vec<usize>, Vec<usize>) =
                    ranked.iter().map(|r| r.index).partition(|&i| pinned.contains(&specs[i].name));
                let reason = "the functions to build a graph, and those that fit the question best";
                (first, rest, *n_tools, reason.into())
            }
        };
        // The pinned ones in the library's order, whatever their rank.
        let mut order = first;
        order.sort_unstable();
        let n_sent = (order.len() + n_more).min(specs.len());
        order.extend(rest);
        Some(Self { order, n_sent, reason })
    }

    /// All tools, where more may come.
    pub(crate) fn all(specs: &[ToolSpec]) -> Self {
        let reason = "all functions; one that is accepted comes in".into();
        Self { order: (0..specs.len()).collect(), n_sent: specs.len(), reason }
    }

    /// Takes in a tool that was made in the run, at its place in the list: whoever made it, asked for it.
    pub(crate) fn take_in(&mut self, index: usize, name: &str) {
        self.order.insert(self.n_sent, index);
        self.n_sent += 1;
        self.reason = format!("{name} was accepted");
    }

    /// Brings in tools by their names, which somebody asked for. Whether anything changed.
    pub(crate) fn bring_in(&mut self, specs: &[ToolSpec], names: &[String]) -> bool {
        let before = self.n_sent;
        for name in names {
            let at = self.order.iter().position(|i| specs[*i].name == *name);
            if let Some(at) = at.filter(|at| *at >= self.n_sent) {
                let index = self.order.remove(at);
                self.order.insert(self.n_sent, index);
                self.n_sent += 1;
            }
        }
        if self.n_sent > before {
            self.reason = "functions were looked up".into();
        }
        self.n_sent > before
    }

    /// The tools that are sent.
    pub(crate) fn sent(&self, specs: &[ToolSpec]) -> Vec<ToolSpec> {
        self.order.iter().take(self.n_sent).map(|&i| specs[i].clone()).collect()
    }

    pub(crate) fn reason(&self) -> &str {
        &self.reason
    }

    /// Makes the choice wider after a call of a tool that was not sent: it comes in, and twice as
    /// many as before. Whether anything changed.
    pub(crate) fn widen(&mut self, specs: &[ToolSpec], called: &str) -> bool {
        let is_sent = |i: &usize| specs[*i].name == called;
        if self.n_sent >= specs.len() || self.order[..self.n_sent].iter().any(is_sent) {
            return false;
        }
        if let Some(at) = self.order.iter().position(is_sent) {
            let index = self.order.remove(at);
            self.order.insert(self.n_sent, index);
            self.n_sent += 1;
        }
        self.n_sent = (self.n_sent * 2).min(specs.len());
        self.reason = format!("{called} was called without having been sent");
        true
    }
}

/// The question of a text: what stands behind its last `Q:`, if it has one, else all of it but lines
/// that are items of a list. An attached or written graph is no question.
fn asked(text: &str) -> String {
    if let Some(at) = text.rfind("Q:") {
        return text[at + 2..].to_owned();
    }
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("- "));
    lines.collect::<Vec<_>>().join("\n")
}

/// The words by which a tool is found. Its name counts twice.
fn document(spec: &ToolSpec, asked_as: &[(String, String)]) -> String {
    let mut words = format!("{} {} {}", spec.name, spec.name, spec.description);
    if let Some(properties) = spec.parameters.get("properties").and_then(|p| p.as_object()) {
        for (name, schema) in properties {
            words.push(' ');
            words.push_str(name);
            if let Some(text) = schema.get("description").and_then(|d| d.as_str()) {
                words.push(' ');
                words.push_str(text);
            }
        }
    }
    for (_, more) in asked_as.iter().filter(|(name, _)| *name == spec.name) {
        words.push(' ');
        words.push_str(more);
    }
    words
}

/// The tools that [`Choosing`] picks for a conversation, without running it.
pub fn choose(choosing: &Choosing, specs: &[ToolSpec], messages: &[Message]) -> Vec<ToolSpec> {
    Choice::new(choosing, specs, messages).map_or_else(|| specs.to_vec(), |c| c.sent(specs))
}

//! The hub of tasks, one file each: the functions that calls can name, and who answers them.

mod attribute_calculation;
mod clustering;
mod graph_classification;
mod node_classification;
mod ranking;
mod searching;

use super::datasets::{Dataset, DatasetKind};

/// A kind of reasoning.
pub struct HubTask {
    /// A stable id. Paper: Graph-ToolFormer §3.3.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// One sentence for people.
    pub lede: &'static str,
    /// The datasets that it is about.
    pub kinds: &'static [DatasetKind],
    /// Whether it can be done on whatever has nodes and links.
    pub is_for_any_network: bool,
    /// The model that answers where a call names none.
    pub model: &'static str,
    /// What can be asked.
    pub functions: &'static [Function],
}

impl HubTask {
    /// Whether it is about that dataset.
    pub fn is_about(&self, dataset: &Dataset) -> bool {
        self.is_about_kind(dataset.kind)
    }

    /// Whether it is about datasets of that kind.
    pub fn is_about_kind(&self, kind: DatasetKind) -> bool {
        self.kinds.contains(&kind) || (self.is_for_any_network && kind != DatasetKind::Knowledge)
    }
}

/// Something that calls can ask.
pub struct Function {
    /// Its name behind the colon: `topic`.
    pub name: &'static str,
    /// Other names for it, as in the paper.
    pub spellings: &'static [&'static str],
    /// What it takes behind the graph.
    pub takes: &'static [FunctionParameter],
    /// What its result is.
    pub gives: &'static str,
}

/// An argument of a function.
pub struct FunctionParameter {
    /// The kinds of reference that it may be; none for a number.
    pub kinds: &'static [&'static str],
    /// The fewest of them.
    pub least: usize,
    /// The most of them.
    pub most: usize,
    /// Whether it is the word itself and no reference.
    pub is_word: bool,
}

impl FunctionParameter {
    const fn times(kinds: &'static [&'static str], least: usize, most: usize) -> Self {
        Self { kinds, least, most, is_word: false }
    }

    const fn one(kinds: &'static [&'static str]) -> Self {
        Self::times(kinds, 1, 1)
    }

    const fn word(kinds: &'static [&'static str]) -> Self {
        Self { kinds, least: 0, most: 1, is_word: true }
    }

    const fn optional(kinds: &'static [&'static str]) -> Self {
        Self::times(kinds, 0, 1)
    }

    const fn some(kinds: &'static [&'static str]) -> Self {
        Self::times(kinds, 1, usize::MAX)
    }

    const fn any(kinds: &'static [&'static str]) -> Self {
        Self::times(kinds, 0, usize::MAX)
    }

    const fn number() -> Self {
        Self::times(&[], 1, 1)
    }

    /// It in words: `a user#…`.
    pub fn words(&self) -> String {
        let what = match self.kinds {
            [] => "a number".to_owned(),
            kinds if self.is_word => kinds.join(" or "),
            kinds => kinds.iter().map(|k| format!("{k}#…")).collect::<Vec<_>>().join(" or "),
        };
        match (self.least, self.most) {
            (0, 1) => format!("{what} or nothing"),
            (0, _) => format!("any number of {what}"),
            (_, usize::MAX) => format!("one {what} or more"),
            _ => what,
        }
    }
}

/// Every kind of reasoning.
pub static TASKS: [&HubTask; 6] = [
    &attribute_calculation::TASK,
    &clustering::TASK,
    &graph_classification::TASK,
    &node_classification::TASK,
    &ranking::TASK,
    &searching::TASK,
];

/// The task of that id.
pub fn find(id: &str) -> Option<&'static HubTask> {
    TASKS.iter().find(|t| t.id == id).copied()
}

/// The function of that name, with its task.
pub fn function(name: &str) -> Option<(&'static HubTask, &'static Function)> {
    let name = name.trim().to_lowercase().replace(['-', ' '], "_");
    let is_it = |f: &&Function| f.name == name || f.spellings.contains(&name.as_str());
    TASKS.iter().find_map(|t| t.functions.iter().find(is_it).map(|f| (*t, f)))
}

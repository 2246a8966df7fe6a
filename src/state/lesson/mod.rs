//! Lessons: short guided pages with live graphs.
//!
//! A lesson is data, a Markdown file with typed blocks in `assets/lessons`; this reads it into plain
//! structs. CONTRIBUTING.md says how to add one.

mod inline;
pub mod map;
mod parse;
pub mod recorded;
pub mod source;
#[cfg(test)]
mod tests;

use draw::{LayoutKind, Scene};
use tasks::{Difficulty, TaskId, Verdict};

pub use parse::{LessonError, parse};

/// A lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// What it is called.
    pub title: String,
    /// Its one idea, in a sentence.
    pub idea: String,
    /// How many minutes a class takes for it.
    pub minutes: u32,
    /// Its content, from top to bottom.
    pub blocks: Vec<Block>,
}

/// A piece of a lesson.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading.
    Heading(Vec<Span>),
    /// A paragraph.
    Paragraph(Vec<Span>),
    /// A list.
    List {
        /// Whether its items are numbered.
        ordered: bool,
        /// The items.
        items: Vec<Vec<Span>>,
    },
    /// A graph with a question; the blocks below are about it, up to the next one.
    Problem(ProblemBlock),
    /// One or two systems, to be run on the problem above.
    Run(RunBlock),
    /// A text that is held against the problem above.
    Claims(ClaimsBlock),
    /// An answer to the problem above, with its verdict.
    Answer(AnswerBlock),
    /// How our own model came to an answer about the problem above.
    Look(LookBlock),
    /// A question to the class.
    Predict(Predict),
    /// What only the teacher is to read, paragraph by paragraph.
    Notes(Vec<Vec<Span>>),
    /// A model that plans a rescue on the nine locations.
    Rescue(RescueBlock),
    /// A task that is solved with a graph that grows, or without.
    Thoughts(ThoughtsBlock),
    /// A recorded run of another system.
    Recorded(RecordedBlock),
}

/// Words in a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Span {
    /// As they are.
    Plain(String),
    /// Strong.
    Strong(String),
    /// Stressed.
    Em(String),
    /// Code.
    Code(String),
}

/// A graph with a question.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemBlock {
    /// Where it comes from.
    pub source: ProblemSource,
    /// How it is drawn, where that is not left to the engine.
    pub layout: Option<LayoutKind>,
    /// What people call its nodes: node and name.
    pub names: Vec<(String, String)>,
}

/// Where a problem comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum ProblemSource {
    /// A question in the benchmark's words.
    Question(String),
    /// Our own generator.
    Made {
        /// The task that the problem is made for.
        task: TaskId,
        /// How hard.
        difficulty: Difficulty,
        /// The seed that the problem is made from.
        seed: u64,
    },
}

/// Which systems a block runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Systems {
    /// With tools.
    Grounded,
    /// Without tools.
    Standalone,
    /// Both, the one without tools first.
    Both,
}

impl Systems {
    /// Their ids, in the order in which they are shown.
    pub fn ids(self) -> &'static [&'static str] {
        match self {
            Self::Grounded => &["grounded"],
            Self::Standalone => &["standalone"],
            Self::Both => &["standalone", "grounded"],
        }
    }
}

/// Who answers in a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Player {
    /// Our own small model.
    Own,
    /// A script of `systems::grounded::scripted`, by its name, where a certain mistake is needed.
    Script(String),
}

/// Runs of whom the lesson names, or of the model in use.
#[derive(Clone, Debug, PartialEq)]
pub struct RunBlock {
    /// Which systems.
    pub systems: Systems,
    /// Who answers, system by system.
    pub players: Vec<Player>,
    /// The verdict that the lesson's text promises of them, system by system.
    pub expect: Vec<Verdict>,
    /// Whether the graph is handed over beside the question.
    pub attach: bool,
}

/// A text whose claims are checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimsBlock {
    /// So many of its claims are false, the lesson's text says.
    pub n_false: usize,
    /// Whom the text is quoted from; of nobody where it is made up.
    pub quoted: Option<Quoted>,
    /// The text whose claims are marked.
    pub text: String,
}

/// An answer to the problem above that is judged.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerBlock {
    /// The verdict that the lesson's text says.
    pub expect: Verdict,
    /// What the answer says.
    pub text: String,
}

/// Who said a text about the problem above, without tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoted {
    /// Our own small model, which can be asked again.
    Own,
    /// SmolLM2-135M, whose answers stand in `assets/answers`.
    Smollm2,
}

/// A run that was recorded: of one of [`recorded::RUNS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedBlock {
    /// Its name there.
    pub run: String,
    /// The verdict that the lesson's text promises.
    pub expect: Verdict,
}

/// What our own model answers without tools, looked into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookBlock {
    /// The word of the answer that is looked at first.
    pub word: String,
    /// The answer.
    pub answer: String,
}

/// A question to the class.
#[derive(Clone, Debug, PartialEq)]
pub struct Predict {
    /// What is asked.
    pub ask: String,
    /// What can be chosen.
    pub choices: Vec<String>,
    /// Which choice is right, counted from 0.
    pub right: usize,
    /// Why, shown after the choice.
    pub because: String,
}

/// A turn of the rescue conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct RescueBlock {
    /// `script` or `mistaken`.
    pub script: String,
    /// What is said to the model.
    pub say: String,
    /// What the checks find, each a part of a finding's message; empty when they find nothing.
    pub finds: Vec<String>,
}

/// A task of the set of Knowledge Graph of Thoughts.
#[derive(Clone, Debug, PartialEq)]
pub struct ThoughtsBlock {
    /// Which task of the set of seed 0, counted from 0.
    pub index: usize,
    /// Whether a graph is grown.
    pub has_graph: bool,
    /// The script that plays the model.
    pub script: String,
    /// The verdict that the lesson's text promises.
    pub expect: Verdict,
}

/// A scene as a lesson draws it: with the names that its text uses, and without weights where every edge
/// has the weight 1.
pub fn dressed(mut scene: Scene, names: &[(String, String)]) -> Scene {
    let is_plain = scene.edges.iter().all(|e| e.label.as_deref().is_none_or(|l| l == "1"));
    if is_plain {
        scene.edges.iter_mut().for_each(|edge| edge.label = None);
    }
    for node in &mut scene.nodes {
        let Some((_, name)) = names.iter().find(|(of, _)| *of == node.name.to_string()) else {
            continue;
        };
        node.tag = Some(match node.tag.take() {
            Some(tag) => format!("{name} · {tag}"),
            None => name.clone(),
        });
    }
    if is_plain || !names.is_empty() {
        scene.arrange();
    }
    scene
}

/// A lesson's place: its name in an address, and its text.
pub type LessonFile = (&'static str, &'static str);

macro_rules! lessons {
    ($($name:literal: $file:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../assets/lessons/", $file, ".md")))),*]
    };
}

/// Every lesson, in the order of the list.
pub static LESSONS: &[LessonFile] = lessons! {
    "friends": "01-friends",
    "no-way": "02-no-way",
    "sums": "03-sums",
    "invented-edge": "04-invented-edge",
    "bad-json": "05-bad-json",
    "hamilton": "06-hamilton",
    "wrong-function": "07-wrong-function",
    "flow": "08-flow",
    "dropped-node": "09-dropped-node",
    "attached": "10-attached",
    "rescue": "11-rescue",
    "graph-of-thoughts": "12-graph-of-thoughts",
    "look-inside": "13-look-inside",
    "plan-and-verify": "14-plan-and-verify",
    "search-and-call": "15-search-and-call",
    "calls-in-a-sentence": "16-calls-in-a-sentence",
    "a-real-model": "17-a-real-model",
    "optimal-feasible-invented": "18-optimal-feasible-invented",
};

/// The names in [`LESSONS`], without the texts: these are in a part of the page that loads later.
pub const NAMES: [&str; 18] = [
    "friends",
    "no-way",
    "sums",
    "invented-edge",
    "bad-json",
    "hamilton",
    "wrong-function",
    "flow",
    "dropped-node",
    "attached",
    "rescue",
    "graph-of-thoughts",
    "look-inside",
    "plan-and-verify",
    "search-and-call",
    "calls-in-a-sentence",
    "a-real-model",
    "optimal-feasible-invented",
];

/// The number of a lesson in [`LESSONS`].
pub fn position(name: &str) -> Option<usize> {
    LESSONS.iter().position(|(n, _)| *n == name)
}

//! How a model is asked.

use serde::{Deserialize, Serialize};

use crate::{Difficulty, TaskId};

/// How a model is asked: NLGraph's prompting styles.
///
/// NLGraph tries many of them on one task only, such as the lines before the question on shortest
/// paths; here each can be had for every task. Self-consistency is no style: it is a number of runs
/// with the style [`Style::Cot`] or [`Style::FewShot`], put to the vote. Roads between cities are a
/// [`Wording`](crate::Wording).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// The question alone, without examples.
    #[default]
    ZeroShot,
    /// `Let's think step by step:` after the question.
    ZeroCot,
    /// Least to most: `Let's break down this problem:`.
    LeastToMost,
    /// `Let's solve the problem by a Python program:`.
    Program,
    /// Build-a-Graph without exemplars: `Let's construct a graph with the nodes and edges first.`
    BuildAGraph,
    /// Some solved problems before the question, with short answers.
    FewShot,
    /// Some solved problems before the question, with reasoned answers.
    Cot,
    /// As [`Style::Cot`], after a short description of an algorithm.
    Algorithm,
    /// Build-a-Graph as NLGraph has it: as [`Style::Cot`], with its line in every question.
    BuildAGraphCot,
    /// As [`Style::Algorithm`], with the line of Build-a-Graph in every question.
    BuildAGraphAlgorithm,
    /// As [`Style::Cot`], with `Let's think step by step.` in every question.
    StepByStep,
    /// As [`Style::Cot`], with `Examine each detail carefully.` in every question.
    EachDetail,
    /// As [`Style::Cot`], with `Think it through systematically.` in every question.
    Systematically,
    /// As [`Style::Cot`], with a line of 55 dots in every question: room, and no word.
    Dots,
    /// As [`Style::Cot`], with the line of dots before everything.
    ///
    /// `// Departs from NLGraph:` it has blocks of dots there, whose sizes are not written down.
    DotsFirst,
    /// Two questions about edges with their answers before the question itself.
    Recitation,
    /// Two solved problems with short answers, however many the task has otherwise.
    TwoShot,
    /// Four.
    FourShot,
    /// Eight.
    EightShot,
    /// Twelve.
    TwelveShot,
    /// Sixteen.
    SixteenShot,
    /// As [`Style::Cot`], with problems of the level medium, where the task has it.
    MediumCot,
    /// As [`Style::Cot`], with problems of the level hard.
    HardCot,
}

/// 55 dots, and the end of their line.
const DOTS: &str = ".......................................................\n";

impl Style {
    /// All styles.
    pub const ALL: [Self; 23] = [
        Self::ZeroShot,
        Self::ZeroCot,
        Self::LeastToMost,
        Self::Program,
        Self::BuildAGraph,
        Self::FewShot,
        Self::Cot,
        Self::Algorithm,
        Self::BuildAGraphCot,
        Self::BuildAGraphAlgorithm,
        Self::StepByStep,
        Self::EachDetail,
        Self::Systematically,
        Self::Dots,
        Self::DotsFirst,
        Self::Recitation,
        Self::TwoShot,
        Self::FourShot,
        Self::EightShot,
        Self::TwelveShot,
        Self::SixteenShot,
        Self::MediumCot,
        Self::HardCot,
    ];

    /// Whether solved problems stand before the question.
    pub fn has_exemplars(self) -> bool {
        !matches!(
            self,
            Self::ZeroShot
                | Self::ZeroCot
                | Self::LeastToMost
                | Self::Program
                | Self::BuildAGraph
                | Self::Recitation
        )
    }

    /// How many solved problems, where the style says so itself.
    pub(crate) fn n_shots(self) -> Option<u64> {
        Some(match self {
            Self::TwoShot => 2,
            Self::FourShot => 4,
            Self::EightShot => 8,
            Self::TwelveShot => 12,
            Self::SixteenShot => 16,
            _ => return None,
        })
    }

    /// Whether the solved problems have reasoned answers.
    pub(crate) fn is_reasoned(self) -> bool {
        self.has_exemplars() && self != Self::FewShot && self.n_shots().is_none()
    }

    /// Whether an algorithm is described first.
    pub(crate) fn describes_algorithm(self) -> bool {
        matches!(self, Self::Algorithm | Self::BuildAGraphAlgorithm)
    }

    /// Whether the model is told to construct the graph first.
    pub(crate) fn constructs(self) -> bool {
        matches!(self, Self::BuildAGraph | Self::BuildAGraphCot | Self::BuildAGraphAlgorithm)
    }

    /// The level of the solved problems: the wanted one, or the nearest below that the task has.
    pub(crate) fn level(self, task: TaskId) -> Difficulty {
        let wanted = match self {
            Self::MediumCot => Difficulty::Medium,
            Self::HardCot => Difficulty::Hard,
            _ => Difficulty::Easy,
        };
        let levels = task.difficulties().iter().copied();
        levels.filter(|level| *level <= wanted).max().unwrap_or(Difficulty::Easy)
    }

    /// What stands before everything.
    pub(crate) fn opening(self) -> &'static str {
        if self == Self::DotsFirst { DOTS } else { "" }
    }

    /// What stands on a line before the `Q:` of a question.
    pub(crate) fn line(self) -> &'static str {
        match self {
            Self::StepByStep => "Let's think step by step.\n",
            Self::EachDetail => "Examine each detail carefully.\n",
            Self::Systematically => "Think it through systematically.\n",
            Self::Dots => DOTS,
            _ => "",
        }
    }

    /// What stands behind the question.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::ZeroCot => " Let's think step by step:",
            Self::LeastToMost => " Let's break down this problem:",
            Self::Program => " Let's solve the problem by a Python program:",
            _ => "",
        }
    }
}

//! What the Compare page holds.

use draw::Marks;
use leptos::prelude::*;
use protocol::problem::ProblemView;

use crate::services::open_problem::OpenProblem;
use crate::shell::Shell;
use crate::state::marks;
use crate::state::settings::ModelSettings;
use crate::workbench::checked_run::{Answered, CheckedRun};
use crate::workbench::played_sides::PlayedSides;

/// The state of the page; it outlives a visit to another page.
#[derive(Clone, Copy)]
pub(crate) struct PageState {
    /// The problem, which other pages show too.
    pub(crate) open: OpenProblem,
    /// Without tools, and with them.
    pub(crate) sides: [CheckedRun; 2],
    /// The walk over the steps of both.
    pub(crate) play: PlayedSides,
    /// Whose claims are drawn: 0 those without tools, 1 both, 2 those with tools.
    pub(crate) whose: RwSignal<usize>,
    /// The claim that is drawn alone: of which side, and which.
    pub(crate) picked: RwSignal<Option<(usize, usize)>>,
    /// Whether the dialog of models is open.
    pub(super) chooses_model: RwSignal<bool>,
    question: StoredValue<Option<String>>,
    /// What of an address was followed last, and after how many acts of the person.
    pub(super) followed: StoredValue<Option<(String, u64)>>,
}

impl PageState {
    pub(crate) fn new(shell: Shell) -> Self {
        let open = shell.open_problem();
        let sides = [CheckedRun::new(), CheckedRun::new()];
        let state = Self {
            open,
            sides,
            play: PlayedSides::new(sides.to_vec()),
            whose: RwSignal::new(1),
            picked: RwSignal::new(None),
            chooses_model: shell.chooses_model,
            question: StoredValue::new(None),
            followed: StoredValue::new(None),
        };
        // What was run on another problem is forgotten.
        Effect::new(move |_| {
            let question = open.problem.with(|p| p.as_ref().map(|p| p.question.clone()));
            if state.question.get_value() != question {
                state.question.set_value(question);
                state.clear();
            }
        });
        state
    }

    /// Opens a problem that another page hands over, and lets it be answered where that costs nobody
    /// anything.
    pub(crate) fn take(self, problem: ProblemView) {
        self.question.set_value(Some(problem.question.clone()));
        self.clear();
        self.open.take(problem);
        if !self.open.settings.with_untracked(ModelSettings::is_brought) {
            self.run_both();
        }
    }

    fn clear(self) {
        self.sides.iter().for_each(|side| side.clear());
        self.picked.set(None);
    }

    pub(crate) fn is_busy(self) -> bool {
        self.sides.iter().any(|side| side.session.is_busy())
    }

    pub(crate) fn marks(self) -> Marks {
        if let Some(effects) = self.play.effects() {
            return effects;
        }
        let sides = self.sides.map(|side| {
            if self.play.tells(side) { side.answered.get() } else { Answered::default() }
        });
        if let Some((which, claim)) = self.picked.get() {
            return sides[which].drawn(Some(claim));
        }
        let of = |sides: &[Answered]| marks::together(sides.iter().map(|side| side.drawn(None)));
        match self.whose.get() {
            0 => of(&sides[..1]),
            2 => of(&sides[1..]),
            _ => of(&sides),
        }
    }

    /// Runs both systems at once, or stops what runs.
    pub(crate) fn run_both(self) {
        if self.sides.iter().any(|side| side.session.is_busy_untracked()) {
            self.sides.iter().for_each(|side| side.session.stop());
            return;
        }
        let Some(problem) = self.open.problem.get_untracked() else { return };
        // What is run now is about this question, whoever has heard of it yet.
        self.question.set_value(Some(problem.question.clone()));
        let settings = self.open.settings;
        if let Some(fault) = settings.with_untracked(ModelSettings::fault) {
            self.open.notice.set(Some(fault));
            return;
        }
        self.open.notice.set(None);
        self.picked.set(None);
        self.play.begin();
        for (system, side) in ["standalone", "grounded"].into_iter().zip(self.sides) {
            let model = settings.with_untracked(ModelSettings::choice);
            side.start(system, model, problem.clone(), false);
        }
    }
}

//! Runs of the Solve page: by a model, by the person in its place, one or several.

use std::sync::Arc;

use leptos::prelude::*;
use protocol::runs::ModelChoice;
use systems::Run;
use systems::nlgraph::ProblemByHand;
use trace::Trace;

use super::state::{PageState, Shown};
use crate::services::screen::{show_stage, wants_no_motion};
use crate::state::problem_run;
use crate::state::settings::ModelSettings;
use crate::state::stored::Keeping;
use crate::state::story::{Story, shared};
use crate::workbench::session::Happening;

impl PageState {
    /// Runs a system, or stops what runs.
    pub(crate) fn run_or_stop(self, system: &'static str) {
        if self.session.busy.with_untracked(|b| b.as_deref() == Some(system)) {
            self.session.stop();
        } else {
            self.run(system);
            show_stage();
        }
    }

    /// Runs a system with the model of the settings.
    pub(crate) fn run(self, system: &'static str) {
        if let Some(fault) = self.open.settings.with_untracked(ModelSettings::fault) {
            self.session.notice.set(Some(fault));
            return;
        }
        if system == "program" && self.open.settings.with_untracked(ModelSettings::is_own) {
            let words = "Our own small model writes no programs. Choose a script, a model file or a \
                         model at an endpoint in “Model”";
            self.session.notice.set(Some(words.to_owned()));
            return;
        }
        self.run_with(system, self.open.settings.with_untracked(ModelSettings::choice));
    }

    /// Lets the person answer in the model's place, with the same tools.
    pub(crate) fn take_the_seat(self) {
        self.run_with("grounded", ModelChoice::Person);
    }

    pub(super) fn run_with(self, system: &'static str, model: ModelChoice) {
        self.tell_all();
        self.stories.update(|s| {
            s.insert(system.to_owned(), Story::begin(system));
        });
        self.start(system, model, None);
    }

    /// Replies to a model that asked back; its run goes on.
    pub(super) fn reply(self, says: String) {
        let Shown::Story(shown) = self.shown.get_untracked() else { return };
        let Some(system) = systems::nlgraph::find(&shown) else { return };
        let run = self.stories.with_untracked(|s| s.get(&shown).and_then(|s| s.run.clone()));
        let Some(run) = run else { return };
        if let Some(fault) = self.open.settings.with_untracked(ModelSettings::fault) {
            self.session.notice.set(Some(fault));
            return;
        }
        let trace = systems::with_reply(run.trace.clone(), &says);
        self.with_story(&shown, |story| {
            story.run = None;
            story.is_told = false;
            story.steps = shared(&trace.steps);
            story.cursor = story.steps.len();
        });
        let model = self.open.settings.with_untracked(ModelSettings::choice);
        self.start(system.id, model, Some(trace));
    }

    /// Runs a system; from the end of a trace, if there is one.
    fn start(self, system: &'static str, model: ModelChoice, resume: Option<Trace>) {
        let Some(problem) = self.open.problem.get_untracked() else { return };
        self.goal.set_value(None);
        self.open.notice.set(None);
        self.shown.set(Shown::Story(system.to_owned()));
        self.session.playing.set(!wants_no_motion());
        let how = self.how.get_untracked();
        let options = how.options(&model);
        let mut ask = match problem_run::ask(system, &problem, model) {
            Ok(ask) => ask,
            Err(message) => return self.session.notice.set(Some(message)),
        };
        ask.options = options;
        ask.votes = if resume.is_some() { 1 } else { how.n_runs };
        ask.by_hand = ProblemByHand { composing: self.composed.composing(), resume };
        let engine = self.open.engine();
        let keeping = Keeping::problem(&problem);
        self.session.start_keeping(
            &engine,
            &ask,
            keeping,
            system,
            move |happening| match happening {
                Happening::Progress(done, _) if done > 0 => self.with_story(system, |story| {
                    // The next run of a vote begins; what is shown is always one run.
                    *story = Story::begin(system);
                }),
                Happening::Step(step) => self.with_story(system, |story| {
                    story.steps.push(step);
                    if !self.session.playing.get_untracked() {
                        story.cursor = story.steps.len();
                    }
                }),
                Happening::Done(ended) => {
                    self.finish(system, problem_run::ended(&problem, ended));
                }
                _ => {}
            },
        );
    }

    /// Has the claims of a finished run's answer checked.
    pub(super) fn mark_answer(self, system: &str) {
        let run = self.stories.with_untracked(|s| s.get(system).and_then(|s| s.run.clone()));
        let Some(run) = run else { return };
        let Some(text) = run.trace.answer().map(str::to_owned) else { return };
        let system = system.to_owned();
        self.check_claims(text, move |claims| {
            self.with_story(&system, |story| {
                // Meanwhile another run may have come.
                if story.run.as_ref().is_some_and(|now| Arc::ptr_eq(now, &run)) {
                    story.claims = claims;
                }
            });
        });
    }

    /// Takes a run that has come to its end.
    fn finish(self, system: &str, run: Run) {
        let trace = run.trace.clone();
        let goal = self.goal.get_value();
        self.with_story(system, |story| {
            story.finish(run);
            if !self.session.playing.get_untracked() {
                story.seek(goal.unwrap_or(usize::MAX));
                story.is_told = true;
            }
        });
        self.mark_answer(system);
        // What an address asked for was not the person's run.
        if goal.is_none() {
            self.composed.note(&trace);
        }
    }
}

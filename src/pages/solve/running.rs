//! Runs of the Solve page: by a model, by the person in its place, one or several.

use agent::Limits;
use engine::message::ModelChoice;
use engine::{Event, Output, Request};
use leptos::prelude::*;
use llm::Message;

use super::room::{Room, Shown};
use crate::services::engine_client;
use crate::services::screen::wants_no_motion;
use crate::state::live::Live;
use crate::state::settings::ModelSettings;
use crate::state::stored::StoredRun;
use crate::state::story::Story;

impl Room {
    /// Runs a system with the model of the settings.
    pub(crate) fn run(self, system: &'static str) {
        if let Some(fault) = self.settings.with_untracked(ModelSettings::fault) {
            self.notice.set(Some(fault));
            return;
        }
        self.run_with(system, self.settings.with_untracked(ModelSettings::choice));
    }

    /// Lets the person answer in the model's place, with the same tools.
    pub(crate) fn take_the_seat(self) {
        self.run_with("grounded", ModelChoice::Person);
    }

    /// What the person says in the model's place.
    pub(crate) fn say(self, message: Message) {
        self.seat.set(None);
        self.job.with_value(|job| {
            if let Some(job) = job {
                job.say(message);
            }
        });
    }

    pub(super) fn run_with(self, system: &'static str, model: ModelChoice) {
        let Some(problem) = self.problem.get_untracked() else { return };
        self.stop();
        self.run.update_value(|r| *r += 1);
        self.goal.set_value(None);
        self.live.set(Live::default());
        self.notice.set(None);
        self.running.set(Some(system.to_owned()));
        self.stories.update(|s| {
            s.insert(system.to_owned(), Story::begun(system));
        });
        self.shown.set(Shown::Story(system.to_owned()));
        self.playing.set(!wants_no_motion());
        let how = self.how.get_untracked();
        let request = Request::Run {
            system: system.to_owned(),
            problem: Box::new(problem.clone()),
            model,
            limits: Limits::default(),
            options: Box::new(how.options()),
            n_runs: how.n_runs,
        };
        let run_id = self.run.get_value();
        let handle = engine_client::interactive().start(&request, move |event| {
            if self.run.get_value() != run_id {
                return;
            }
            match event {
                Event::Asked { tools } => self.seat.set(Some(tools)),
                Event::Progress { done, .. } if done > 0 => self.with_story(system, |story| {
                    // The next run of a vote begins; what is shown is always one run.
                    *story = Story::begun(system);
                }),
                Event::Step { step } => {
                    self.live.set(Live::default());
                    self.with_story(system, |story| {
                        story.steps.push(step.into());
                        if !self.playing.get_untracked() {
                            story.cursor = story.steps.len();
                        }
                    });
                }
                Event::Parts { parts } => self.live.update(|l| l.take(parts)),
                Event::Done { output } => {
                    self.running.set(None);
                    self.seat.set(None);
                    self.live.set(Live::default());
                    if let Output::Run { run, .. } = *output {
                        let stored =
                            StoredRun::new(js_sys::Date::now(), problem.clone(), (*run).clone());
                        let goal = self.goal.get_value();
                        self.with_story(system, |story| {
                            story.finish(*run);
                            if !self.playing.get_untracked() {
                                let n = story.steps.len();
                                story.cursor = goal.map_or(n, |goal| goal.min(n));
                            }
                        });
                        // What an address asked for was not the person's run.
                        if goal.is_none() {
                            self.keep(stored);
                        }
                    }
                }
                Event::Failed { message } => {
                    self.running.set(None);
                    self.seat.set(None);
                    self.live.set(Live::default());
                    self.notice.set(Some(message));
                }
                _ => {}
            }
        });
        self.job.set_value(Some(handle));
    }

    /// Stops the run, if one runs.
    pub(crate) fn stop(self) {
        self.running.set(None);
        self.seat.set(None);
        self.job.update_value(|job| {
            if let Some(job) = job.take() {
                job.cancel();
            }
        });
    }
}

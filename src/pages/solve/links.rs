//! What an address asks of the Solve page: a problem that is packed into it, a random graph, and a
//! script's run up to a step.

use engine::message::{ModelChoice, Shared};
use engine::{Output, Request};
use leptos::prelude::*;

use super::PAGE;
use super::state::PageState;
use crate::routes::{Route, href};
use crate::services::clipboard;
use crate::state::setup::{ProblemSetup, how_keys, model_key};
use crate::workbench::share::Sharing;

impl PageState {
    /// Does what an address asks for beyond a task with difficulty and seed; tells whether it asks
    /// for another problem.
    pub(super) fn follow(self, route: &Route) -> bool {
        let request = self.request_of(route);
        let goal = Goal::of(route);
        let Some(request) = request else {
            return false;
        };
        let what = route.keys.get("s").cloned().unwrap_or_else(|| format!("{:?}", route.keys));
        if self.followed.with_value(|last| last.as_ref() == Some(&what)) {
            return true;
        }
        self.followed.set_value(Some(what));
        self.open.ask_other(request, move |answer| {
            let message = match answer {
                Ok(Output::Problem { problem }) => {
                    self.open.take(problem);
                    goal.run(self);
                    return;
                }
                Ok(Output::Graph { graph, layout, places, .. }) => {
                    self.open.take_graph(graph, layout, places);
                    return;
                }
                Ok(_) => "This link is about another page of Graphground.".to_owned(),
                Err(message) => message,
            };
            // What is on the page stays; where nothing is, a problem takes its place.
            if self.open.problem.with_untracked(Option::is_none) {
                self.open.generate_then(move || self.open.notice.set(Some(message)));
            } else {
                self.open.notice.set(Some(message));
            }
        });
        true
    }

    fn request_of(self, route: &Route) -> Option<Request> {
        if let Some(link) = route.keys.get("s") {
            return Some(Request::ReadLink { link: link.clone() });
        }
        let generator = route.keys.get("gen")?.clone();
        let ProblemSetup { wording, style, .. } = self.open.setup.get_untracked();
        let ProblemSetup { task, seed, .. } = ProblemSetup::of_keys(&route.keys);
        Some(Request::Sample { task, generator, seed, wording, style })
    }

    /// All that an address says of the page.
    pub(super) fn keys(self) -> Vec<(&'static str, String)> {
        let mut keys = self.open.setup.with_untracked(ProblemSetup::keys);
        keys.extend(self.open.settings.with_untracked(model_key));
        keys.extend(self.how.with_untracked(how_keys));
        keys
    }

    /// A link to the problem: readable where a seed makes it, else with the problem in it.
    pub(super) fn share(self, sharing: Sharing) {
        let Some(problem) = self.open.problem.get_untracked() else { return };
        let setup = self.open.setup.get_untracked();
        if problem.seed == Some(setup.seed) && problem.difficulty == Some(setup.difficulty) {
            let keys = self.keys();
            let keys: Vec<(&str, &str)> = keys.iter().map(|(k, v)| (*k, v.as_str())).collect();
            sharing.readable(&href(PAGE.path, &keys));
            return;
        }
        let text = problem.question.clone();
        let save = Callback::new(move |()| clipboard::save("problem.txt", "text/plain", &text));
        let problem = Box::new(problem);
        let shared = Shared::Problem { problem, wording: setup.wording, style: setup.style };
        sharing.packed(PAGE.path, shared, Some(save));
    }
}

/// The run that an address asks for: always a script's, since a link must cost nobody anything.
pub(super) struct Goal {
    script: Option<String>,
    system: &'static str,
    step: Option<usize>,
}

impl Goal {
    pub(super) fn of(route: &Route) -> Self {
        let key = |name: &str| route.keys.get(name);
        Self {
            script: key("script").cloned(),
            system: key("system").and_then(|s| systems::find(s)).map_or("grounded", |s| s.id),
            step: key("step").and_then(|s| s.parse().ok()),
        }
    }

    pub(super) fn run(self, state: PageState) {
        if self.script.is_none() && self.step.is_none() {
            return;
        }
        let usual = || "script".to_owned();
        let name = self.script.unwrap_or_else(usual);
        state.run_with(self.system, ModelChoice::Script { name });
        state.goal.set_value(Some(self.step.unwrap_or(usize::MAX)));
        state.session.playing.set(false);
    }
}

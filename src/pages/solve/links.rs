//! What an address asks of the Solve page: a problem that is packed into it, a random graph, and a
//! script's run up to a step.

use engine::message::{ModelChoice, Shared};
use engine::{Output, Request};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::room::{Draft, Room};
use crate::pages::sharing::Sharing;
use crate::routes::{Page, Route};
use crate::services::{clipboard, engine_client};

impl Room {
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
        self.asked.update_value(|a| *a += 1);
        let asked = self.asked.get_value();
        spawn_local(async move {
            let answer = engine_client::interactive().ask(request).await;
            if self.asked.get_value() != asked {
                return;
            }
            let message = match answer {
                Ok(Output::Problem { problem }) => {
                    self.take(problem);
                    goal.run(self);
                    return;
                }
                Ok(Output::Graph { graph, layout, places, .. }) => {
                    self.take_graph(graph, layout, places);
                    return;
                }
                Ok(_) => "This link is about another page of Graphground.".to_owned(),
                Err(message) => message,
            };
            // What is on the page stays; where nothing is, a problem takes its place.
            if self.problem.with_untracked(Option::is_none) {
                self.generate_then(move || self.notice.set(Some(message)));
            } else {
                self.notice.set(Some(message));
            }
        });
        true
    }

    fn request_of(self, route: &Route) -> Option<Request> {
        if let Some(link) = route.keys.get("s") {
            return Some(Request::ReadLink { link: link.clone() });
        }
        let generator = route.keys.get("gen")?.clone();
        let Draft { wording, style, .. } = self.draft.get_untracked();
        let Draft { task, seed, .. } = Draft::from_route(route);
        Some(Request::Sample { task, generator, seed, wording, style })
    }

    /// A link to the problem: readable where a seed makes it, else with the problem in it.
    pub(super) fn share(self, sharing: Sharing) {
        let Some(problem) = self.problem.get_untracked() else { return };
        let draft = self.draft.get_untracked();
        let made = Draft { seed: problem.seed.unwrap_or_default(), task: problem.task, ..draft };
        let usual = Draft::from_route(&Route::default());
        let plain = (draft.wording, draft.style) == (usual.wording, usual.style);
        if problem.seed.is_some() && problem.difficulty == Some(draft.difficulty) && plain {
            sharing.readable(&made.href());
            return;
        }
        let text = problem.question.clone();
        let save = Callback::new(move |()| clipboard::save("problem.txt", "text/plain", &text));
        let problem = Box::new(problem);
        let shared = Shared::Problem { problem, wording: draft.wording, style: draft.style };
        sharing.packed(Page::Solve, shared, Some(save));
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

    pub(super) fn run(self, room: Room) {
        if self.script.is_none() && self.step.is_none() {
            return;
        }
        let name = self.script.unwrap_or_else(|| "script".to_owned());
        room.run_with(self.system, ModelChoice::Script { name });
        room.goal.set_value(Some(self.step.unwrap_or(usize::MAX)));
        room.playing.set(false);
    }
}

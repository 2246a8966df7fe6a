//! What an address asks of the Solve page: a problem that is packed into it, a random graph, and a
//! script's run up to a step.

use leptos::prelude::*;
use protocol::exact::Exact;
use protocol::problem::{ProblemView, SampleProblem};
use protocol::runs::ModelChoice;
use protocol::share::{Linked, ReadLink, Shared};
use systems::experiment::Experiment;
use systems::nlgraph::NlGraph;

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
        let (link, generator) = (route.keys.get("s").cloned(), route.keys.get("gen").cloned());
        if link.is_none() && generator.is_none() {
            return false;
        }
        let goal = Goal::of(route);
        let what = route.keys.get("s").cloned().unwrap_or_else(|| format!("{:?}", route.keys));
        if self.followed.with_value(|last| last.as_ref() == Some(&what)) {
            return true;
        }
        self.followed.set_value(Some(what));
        if let Some(link) = link {
            self.open.ask_other(ReadLink { link }, move |answer| match answer {
                Ok(Exact(Linked::Problem(problem))) => self.begin(*problem, goal),
                Ok(Exact(Linked::Graph(view))) => {
                    self.open.take_graph(*view);
                }
                Ok(_) => self.refuse("This link is about another page of Graphground.".to_owned()),
                Err(message) => self.refuse(message),
            });
        } else if let Some(generator) = generator {
            let ProblemSetup { wording, style, .. } = self.open.setup.get_untracked();
            let ProblemSetup { task, seed, .. } = ProblemSetup::of_keys(&route.keys);
            let ask = SampleProblem { task, generator, seed, wording, style };
            self.open.ask_other(ask, move |answer| match answer {
                Ok(Exact(problem)) => self.begin(problem, goal),
                Err(message) => self.refuse(message),
            });
        }
        true
    }

    fn begin(self, problem: ProblemView, goal: Goal) {
        self.open.take(problem);
        goal.run(self);
    }

    /// What is on the page stays; where nothing is, a problem takes its place.
    fn refuse(self, message: String) {
        if self.open.problem.with_untracked(Option::is_none) {
            self.open.generate_then(move || self.open.notice.set(Some(message)));
        } else {
            self.open.notice.set(Some(message));
        }
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
    /// The system's id, or that there is none of the name.
    system: Result<&'static str, String>,
    step: Option<usize>,
}

impl Goal {
    pub(super) fn of(route: &Route) -> Self {
        let key = |name: &str| route.keys.get(name);
        let nlgraph: &dyn Experiment = &NlGraph;
        Self {
            script: key("script").cloned(),
            system: match key("system") {
                Some(name) => nlgraph.system(name).map(|s| s.id),
                None => Ok("grounded"),
            },
            step: key("step").and_then(|s| s.parse().ok()),
        }
    }

    pub(super) fn run(self, state: PageState) {
        if self.script.is_none() && self.step.is_none() {
            return;
        }
        let system = match self.system {
            Ok(system) => system,
            Err(message) => {
                state
                    .open
                    .notice
                    .set(Some(format!("The run of this address cannot be shown: {message}.")));
                return;
            }
        };
        let usual = || "script".to_owned();
        let name = self.script.unwrap_or_else(usual);
        state.run_with(system, ModelChoice::Script { name });
        state.goal.set_value(Some(self.step.unwrap_or(usize::MAX)));
        state.session.playing.set(false);
    }
}

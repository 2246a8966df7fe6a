//! What an address asks of the Solve page: a problem that is packed into it, a random graph, and a
//! script's run up to a step.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::exact::Exact;
use protocol::problem::{ProblemView, SampleProblem};
use protocol::runs::ModelChoice;
use protocol::share::{Linked, ReadLink, Shared};
use systems::Run;
use systems::experiment::Experiment;
use systems::nlgraph::NlGraph;
use trace::Record;

use super::state::{PageState, Shown};
use crate::routes::{self, Route, href};
use crate::services::trace_file::{self, TraceFile};
use crate::services::{clipboard, engine_client, open};
use crate::state::ready::{self, ReadyGraph};
use crate::state::records;
use crate::state::settings::ModelSettings;
use crate::state::setup::{OWN, ProblemSetup, how_keys, model_key, model_of_keys};
use crate::workbench::share::Sharing;

/// The key of a ready graph in addresses.
const READY: &str = "ready";

impl PageState {
    /// Opens a ready graph, as a step in the browser's history.
    pub(super) fn open_ready(self, id: &str) {
        // Chosen again after it was edited, it opens again.
        self.followed.set_value(None);
        routes::go(&href(open::PROBLEM, &[(READY, id)]));
    }

    /// Does what an address asks for beyond a task with difficulty and seed; tells whether it asks
    /// for another problem.
    pub(super) fn follow(self, route: &Route) -> bool {
        let (link, generator) = (route.keys.get("s").cloned(), route.keys.get("gen").cloned());
        let ready = route.keys.get(READY).cloned();
        if link.is_none() && generator.is_none() && ready.is_none() {
            // What was followed before may be followed again from here.
            self.followed.set_value(None);
            return false;
        }
        let goal = Goal::of(route);
        let what = route.keys.get("s").cloned().unwrap_or_else(|| format!("{:?}", route.keys));
        let what = (what, self.open.acts());
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
        } else if let Some(id) = ready {
            match ReadyGraph::find(&id).and_then(ReadyGraph::problem) {
                Some(problem) => {
                    self.open.take(problem.clone());
                    self.open.reword(problem);
                }
                None => {
                    let ids: Vec<&str> = ready::READY.iter().map(|ready| ready.id).collect();
                    let ids = ids.join(", ");
                    self.refuse(format!("There is no ready graph {id:?}; there are {ids}."));
                }
            }
        } else if let Some(generator) = generator {
            let ProblemSetup { wording, style, .. } = self.open.setup.get_untracked();
            let ProblemSetup { task, seed, .. } = ProblemSetup::of_keys(&route.keys);
            let ask = SampleProblem { task, generator, seed, wording, style };
            self.open.ask_other(ask, move |answer| match answer {
                Ok(Exact(problem)) => {
                    self.open.with_exemplars(problem, move |problem| self.begin(problem, goal));
                }
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

    /// The finished run that is shown, with its cursor.
    fn finished(self) -> Option<(String, Arc<Run>, usize)> {
        let Shown::Story(system) = self.shown.get_untracked() else { return None };
        let found = self.stories.with_untracked(|stories| {
            let story = stories.get(&system)?;
            Some((story.run.clone()?, story.cursor, story.steps.len()))
        });
        let (run, cursor, n) = found?;
        Some((system, run, if cursor == n { usize::MAX } else { cursor }))
    }

    /// Saves a run as a file of traces.
    fn save_run(self, record: Record) {
        spawn_local(async move {
            let engine = engine_client::interactive();
            match TraceFile::write(engine, "run", vec![record], trace_file::own_format()).await {
                Ok(file) => file.save(),
                Err(message) => self.open.notice.set(Some(message)),
            }
        });
    }

    /// A link to what is on the page: readable where a seed makes the problem and whoever opens it can
    /// have the same run, else with the problem or the run in it.
    pub(super) fn share(self, sharing: Sharing) {
        let Some(problem) = self.open.problem.get_untracked() else { return };
        let setup = self.open.setup.get_untracked();
        let finished = self.finished();
        let is_made =
            problem.seed == Some(setup.seed) && problem.difficulty == Some(setup.difficulty);
        let runs_again = finished.as_ref().is_none_or(|(_, run, _)| {
            self.open.settings.with_untracked(|s| s.runs_again(&run.trace.model))
        });
        if let Some((_, run, _)) = finished.clone().filter(|_| !runs_again) {
            let record = Box::new(records::of_run(&run, "1".into()));
            let file = record.clone();
            let save = Callback::new(move |()| self.save_run((*file).clone()));
            sharing.packed(open::TRACE, Shared::Trace { record }, Some(save));
            return;
        }
        if is_made {
            let mut keys = self.keys();
            if let Some((system, _, cursor)) = finished {
                if self.open.settings.with_untracked(ModelSettings::is_own) {
                    keys.push(("model", OWN.to_owned()));
                }
                keys.push(("system", system));
                // What stands at its end is played once from its beginning.
                keys.push(match cursor {
                    usize::MAX => ("play", "1".to_owned()),
                    step => ("step", step.to_string()),
                });
            }
            let keys: Vec<(&str, &str)> = keys.iter().map(|(k, v)| (*k, v.as_str())).collect();
            sharing.readable(&href(open::PROBLEM, &keys));
            return;
        }
        let text = problem.question.clone();
        let save = Callback::new(move |()| clipboard::save("problem.txt", "text/plain", &text));
        let problem = Box::new(problem);
        let shared = Shared::Problem { problem, wording: setup.wording, style: setup.style };
        sharing.packed(open::PROBLEM, shared, Some(save));
    }
}

/// The run that an address asks for: a script's or that of our own model, since a link must cost nobody
/// anything.
pub(super) struct Goal {
    script: Option<String>,
    /// The model that the address names, where it names no script for the run.
    model: Option<ModelChoice>,
    /// Whether the run is played from its beginning.
    plays: bool,
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
            model: model_of_keys(&route.keys),
            plays: key("play").is_some_and(|play| play == "1"),
            system: match key("system") {
                Some(name) => nlgraph.system(name).map(|s| s.id),
                None => Ok("grounded"),
            },
            step: key("step").and_then(|s| s.parse().ok()),
        }
    }

    pub(super) fn run(self, state: PageState) {
        if self.script.is_none() && self.step.is_none() && !self.plays {
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
        let usual = ModelChoice::Script { name: "script".to_owned() };
        let script = self.script.map(|name| ModelChoice::Script { name });
        state.run_with(system, script.or(self.model).unwrap_or(usual));
        if self.plays {
            return;
        }
        state.goal.set_value(Some(self.step.unwrap_or(usize::MAX)));
        state.session.keep_nothing();
        state.session.playing.set(false);
    }
}

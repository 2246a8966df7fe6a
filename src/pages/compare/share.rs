//! Links to what is compared: the problem, and the pair of runs on it.

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::exact::Exact;
use protocol::share::{Linked, ReadLink, Shared};
use systems::Run;

use super::state::PageState;
use crate::routes::{Route, href};
use crate::services::open;
use crate::state::settings::ModelSettings;
use crate::state::setup::{OWN, ProblemSetup, model_key, model_of_keys};
use crate::workbench::checked_run::{Answered, claims_of};
use crate::workbench::share::Sharing;

impl PageState {
    /// Does what an address asks for: a problem, with both runs where it asks for them too.
    pub(super) fn follow(self, route: &Route) {
        if let Some(link) = route.keys.get("s") {
            if self.follows(link) {
                self.open_pair(link.clone());
            }
            return;
        }
        // An address costs nobody anything: it asks no endpoint.
        let runs = route.keys.get("run").is_some_and(|run| run == "1");
        let runs = runs
            && model_of_keys(&route.keys).is_some()
            && self.follows(&format!("{:?}", route.keys));
        let is_there = self.open.problem.with_untracked(Option::is_some);
        let same = ProblemSetup::of_keys(&route.keys) == self.open.setup.get_untracked();
        self.open.follow(&route.keys, move || {
            if runs {
                self.run_both();
            }
        });
        if runs && is_there && same {
            self.run_both();
        }
    }

    /// Whether this is another address than the one that was followed last.
    fn follows(self, what: &str) -> bool {
        let what = Some((what.to_owned(), self.open.acts()));
        let is_new = self.followed.with_value(|last| *last != what);
        self.followed.set_value(what);
        is_new
    }

    fn open_pair(self, link: String) {
        self.open.ask_other(ReadLink { link }, move |answer| match answer {
            Ok(Exact(Linked::Pair(problem, runs))) => {
                self.open.take(*problem);
                // What follows from another problem forgets the runs; these come after it.
                spawn_local(async move {
                    for run in runs {
                        self.show(run).await;
                    }
                });
            }
            Ok(Exact(Linked::Problem(problem))) => self.open.take(*problem),
            Ok(_) => self.refuse("This link is about another page of Graphground.".to_owned()),
            Err(message) => self.refuse(message),
        });
    }

    /// Shows a run that a link brought, with its claims held against the graph.
    async fn show(self, run: Run) {
        let Some(problem) = self.open.problem.get_untracked() else { return };
        let side = self.sides[usize::from(run.system != "standalone")];
        let claims = claims_of(problem, run.trace.answer().unwrap_or_default().to_owned()).await;
        side.answered.set(Answered { run: Some(run), claims, ..Answered::default() });
    }

    /// What is on the page stays; where nothing is, a problem takes its place.
    fn refuse(self, message: String) {
        if self.open.problem.with_untracked(Option::is_none) {
            self.open.generate_then(move || self.open.notice.set(Some(message)));
        } else {
            self.open.notice.set(Some(message));
        }
    }

    /// A link to what is on the page: readable where whoever opens it can have the same runs, else with
    /// the runs in it.
    pub(super) fn share(self, sharing: Sharing) {
        let Some(problem) = self.open.problem.get_untracked() else { return };
        let setup = self.open.setup.get_untracked();
        let runs: Vec<Run> =
            self.sides.iter().filter_map(|side| side.answered.get_untracked().run).collect();
        let is_made =
            problem.seed == Some(setup.seed) && problem.difficulty == Some(setup.difficulty);
        let runs_again = self.open.settings.with_untracked(|settings| {
            runs.iter().all(|run| settings.runs_again(&run.trace.model))
        });
        if !is_made || !runs_again {
            let (wording, style) = (setup.wording, setup.style);
            let problem = Box::new(problem);
            let shared = if runs.is_empty() {
                Shared::Problem { problem, wording, style }
            } else {
                Shared::Pair { problem, wording, style, runs }
            };
            sharing.packed(open::BOTH, shared, None);
            return;
        }
        let mut keys = setup.keys();
        keys.extend(self.open.settings.with_untracked(model_key));
        if !runs.is_empty() {
            if self.open.settings.with_untracked(ModelSettings::is_own) {
                keys.push(("model", OWN.to_owned()));
            }
            keys.push(("run", "1".to_owned()));
        }
        let keys: Vec<(&str, &str)> = keys.iter().map(|(k, v)| (*k, v.as_str())).collect();
        sharing.readable(&href(open::BOTH, &keys));
    }
}

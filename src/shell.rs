//! What the shell gives to every page: the address, the model in use, prices, what waits to be opened,
//! and a place for state that outlives a visit to another page.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;

use leptos::prelude::*;

use crate::routes::Route;
use crate::services::composed::ComposedFunctions;
use crate::services::kept_runs::KeptRuns;
use crate::services::open::Open;
use crate::services::open_graph::OpenGraph;
use crate::services::open_problem::OpenProblem;
use crate::state::prices::Prices;
use crate::state::settings::ModelSettings;
use crate::state::used_endpoints::UsedEndpoints;

/// Steps that keys, a bar at the bottom of a phone and the outer page may walk through.
#[derive(Clone, Copy)]
pub(crate) struct Stepped {
    /// The step in view, and how many there are.
    pub(crate) place: Signal<(usize, usize)>,
    pub(crate) on_seek: Callback<usize>,
    pub(crate) playing: RwSignal<bool>,
}

impl Stepped {
    /// Goes to a step, and plays no longer.
    pub(crate) fn seek(self, to: usize) {
        self.playing.set(false);
        self.on_seek.run(to);
    }

    /// Plays, from the beginning where all was played; or pauses.
    pub(crate) fn play(self) {
        let (at, n) = self.place.get_untracked();
        if !self.playing.get_untracked() && at >= n {
            self.on_seek.run(0);
        }
        self.playing.update(|p| *p = !*p);
    }
}

/// Handed to each page when it is mounted.
#[derive(Clone, Copy)]
pub(crate) struct Shell {
    pub(crate) route: RwSignal<Route>,
    pub(crate) settings: RwSignal<ModelSettings>,
    /// The endpoints that were in use since the page was opened.
    pub(crate) endpoints: RwSignal<UsedEndpoints>,
    pub(crate) prices: RwSignal<Prices>,
    /// Whether the security policy that is wanted is another than the one in force.
    pub(crate) needs_reload: RwSignal<bool>,
    pub(crate) open: Open,
    pub(crate) kept_runs: KeptRuns,
    pub(crate) composed: ComposedFunctions,
    /// Whether the dialog in which the model is chosen is to be opened.
    pub(crate) chooses_model: RwSignal<bool>,
    /// What of its page is shown, for the title of the browser's tab: a lesson, a benchmark.
    pub(crate) detail: RwSignal<Option<String>>,
    /// The steps that are walked through from outside of their page.
    pub(crate) stepped: RwSignal<Option<Stepped>>,
    states: StoredValue<States, LocalStorage>,
}

struct States {
    owner: Owner,
    made: BTreeMap<TypeId, Box<dyn Any>>,
}

impl Shell {
    pub(crate) fn new(
        route: RwSignal<Route>,
        settings: RwSignal<ModelSettings>,
        prices: RwSignal<Prices>,
    ) -> Self {
        let owner = Owner::current().unwrap_or_default();
        let endpoints = RwSignal::new(UsedEndpoints::default());
        Effect::new(move |_| settings.with(|s| endpoints.update(|e| e.note(s))));
        Self {
            route,
            settings,
            endpoints,
            prices,
            needs_reload: RwSignal::new(false),
            open: Open::new(),
            kept_runs: KeptRuns::new(),
            composed: ComposedFunctions::new(),
            chooses_model: RwSignal::new(false),
            detail: RwSignal::new(None),
            stepped: RwSignal::new(None),
            states: StoredValue::new_local(States { owner, made: BTreeMap::new() }),
        }
    }

    /// The problem that is open, for all pages that show it.
    pub(crate) fn open_problem(self) -> OpenProblem {
        self.state(|shell| {
            shell.route.with_untracked(|route| OpenProblem::new(route, shell.settings))
        })
    }

    /// The knowledge graph that is open, for all pages that use its engine.
    pub(crate) fn open_graph(self) -> OpenGraph {
        self.state(|_| OpenGraph::new())
    }

    /// The state of this type: made at the first call, and the same at every later one.
    pub(crate) fn state<T: Copy + 'static>(self, make: impl FnOnce(Self) -> T) -> T {
        let id = TypeId::of::<T>();
        let made = self.states.with_value(|s| {
            let found = s.made.get(&id).and_then(|any| any.downcast_ref::<T>());
            found.copied().ok_or_else(|| s.owner.clone())
        });
        match made {
            Ok(state) => state,
            Err(owner) => {
                // Owned by the shell and not by the page that is shown, which goes with its views.
                let state = owner.with(|| untrack(|| make(self)));
                self.states.update_value(|s| {
                    s.made.insert(id, Box::new(state));
                });
                state
            }
        }
    }
}

//! What the Rescue page holds, and what can be done with it.

use std::cell::RefCell;

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::Service;
use protocol::exact::Exact;
use protocol::rescue::{
    CheckRescue, CheckedRescue, GenerateScenario, PlanRescue, PlannedRescue, ReadScenario,
};
use protocol::runs::{EndedRun, ModelChoice, RunEvent};
use protocol::share::{Linked, ReadLink, Shared};
use serde_json::json;
use systems::grounded::retrieval;
use systems::rescue::Turn;
use tasks::rescue::{DisasterEvent as Happening, NINE_LOCATIONS, Scenario};
use web_sys::File;

use crate::pages::addresses;
use crate::services::engine_client;
use crate::services::{clipboard, files, storage};
use crate::shell::Shell;
use crate::state::rescue::{RescueState, turn_of};
use crate::state::settings::ModelSettings;
use crate::workbench::session::{Happening as Told, RunSession};
use crate::workbench::share::Sharing;

const KEPT: &str = "rescue";
/// A state larger than this is kept without its conversation: a browser keeps some 5 MB.
const MAX_KEPT: usize = 1_500_000;

/// What a click on the map does.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Mode {
    /// Picks what is there.
    #[default]
    Pick,
    /// Puts a new location where nothing is.
    AddLocation,
    /// Joins the location that is picked to another.
    Join(String),
    /// Draws the location that is picked elsewhere.
    Move(String),
}

/// What is picked on the map.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Pick {
    /// A location.
    Location(String),
    /// A road.
    Road(String, String),
}

/// The state of the page; it outlives a visit to another page.
#[derive(Clone, Copy)]
pub(crate) struct PageState {
    pub(crate) disaster: RwSignal<RescueState>,
    pub(crate) size: RwSignal<usize>,
    pub(crate) seed: RwSignal<u64>,
    pub(crate) pick: RwSignal<Option<Pick>>,
    pub(crate) mode: RwSignal<Mode>,
    /// The conversation: what goes on is the words to which the model is finding an answer.
    pub(crate) session: RunSession,
    /// How many steps of the plan in force are behind the robots.
    pub(crate) n_gone: RwSignal<usize>,
    pub(crate) playing: RwSignal<bool>,
    /// Times the usual speed.
    pub(crate) speed: RwSignal<f64>,
    /// Whether the script errs like the paper's transcript.
    pub(crate) errs: RwSignal<bool>,
    /// Whether only the functions are sent that every plan needs, and those that fit what is said.
    pub(crate) few_tools: RwSignal<bool>,
    /// Milliseconds that the planner took last, where no model was asked.
    pub(crate) took_ms: RwSignal<Option<f64>>,
    pub(crate) settings: RwSignal<ModelSettings>,
    /// Opens the dialog of models.
    pub(crate) chooses_model: RwSignal<bool>,
    /// The link that was opened last.
    followed: StoredValue<Option<String>>,
}

impl PageState {
    pub(crate) fn new(shell: Shell) -> Self {
        let kept = storage::recall::<RescueState>(KEPT).filter(|d| d.scenario().check().is_ok());
        // The file is a part of the program, and a test reads it.
        let first = || Scenario::from_json(NINE_LOCATIONS).unwrap_or_else(|_| Scenario::empty());
        let start = kept.unwrap_or_else(|| RescueState::new(first()));
        Self {
            disaster: RwSignal::new(start),
            size: RwSignal::new(30),
            seed: RwSignal::new(1),
            pick: RwSignal::new(None),
            mode: RwSignal::default(),
            session: RunSession::new(),
            n_gone: RwSignal::new(usize::MAX),
            playing: RwSignal::new(false),
            speed: RwSignal::new(1.0),
            errs: RwSignal::new(false),
            few_tools: RwSignal::new(false),
            took_ms: RwSignal::new(None),
            settings: shell.settings,
            chooses_model: shell.chooses_model,
            followed: StoredValue::new(None),
        }
    }

    fn keep(self) {
        self.disaster.with_untracked(|d| {
            let small = serde_json::to_string(d).is_ok_and(|t| t.len() <= MAX_KEPT);
            if small {
                storage::remember(KEPT, d);
            } else {
                let mut bare = RescueState::new(d.scenario().clone());
                bare.plan.clone_from(&d.plan);
                bare.planned_for.clone_from(&d.planned_for);
                storage::remember(KEPT, &bare);
            }
        });
    }

    fn ask<S: Service>(self, ask: S, then: impl FnOnce(S::Reply) + 'static) {
        spawn_local(async move {
            match engine_client::interactive().ask(ask).await {
                Ok(reply) => then(reply),
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    fn open(self, scenario: Scenario) {
        self.show(scenario);
        self.keep();
    }

    fn show(self, scenario: Scenario) {
        self.session.stop();
        self.disaster.update(|d| d.open(scenario));
        self.pick.set(None);
        self.mode.set(Mode::Pick);
        self.session.notice.set(None);
        self.took_ms.set(None);
    }

    /// The paper's layout.
    pub(crate) fn paper(self) {
        self.load(NINE_LOCATIONS.to_owned());
    }

    /// Makes a scenario of the size and the seed that are set.
    pub(crate) fn generate(self) {
        let (n_locations, seed) = (self.size.get_untracked(), self.seed.get_untracked());
        self.ask(GenerateScenario { n_locations, seed }, move |Exact(scenario)| {
            self.open(scenario)
        });
    }

    fn load(self, text: String) {
        self.ask(ReadScenario { text }, move |Exact(scenario)| self.open(scenario));
    }

    /// Opens the disaster that is packed into a link. The one that the browser keeps stays until
    /// something happens to this one.
    pub(crate) fn open_link(self, link: String) {
        if self.followed.with_value(|last| last.as_ref() == Some(&link)) {
            return;
        }
        self.followed.set_value(Some(link.clone()));
        spawn_local(async move {
            match engine_client::interactive().ask(ReadLink { link }).await {
                Ok(Exact(Linked::Rescue(scenario))) => self.show(*scenario),
                Ok(_) => {
                    let words = "This link is about another page of Graphground.";
                    self.session.notice.set(Some(words.into()));
                }
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// A link with the scenario in it, or its file.
    pub(crate) fn share(self, sharing: Sharing) {
        let scenario = self.disaster.with_untracked(|d| d.scenario().clone());
        let shared = Shared::Rescue { scenario: Box::new(scenario) };
        sharing.packed(addresses::RESCUE, shared, Some(Callback::new(move |()| self.save())));
    }

    /// Opens the first of some files.
    pub(crate) fn take_files(self, list: Vec<File>) {
        let Some(file) = list.into_iter().next() else { return };
        spawn_local(async move {
            match files::text(&file).await {
                Ok(text) => self.load(text),
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Offers the scenario as a file.
    pub(crate) fn save(self) {
        let text = self.disaster.with_untracked(|d| d.scenario().to_json());
        clipboard::save("scenario.json", "application/json", &text);
    }

    /// Lets something happen on the map.
    pub(crate) fn happen(self, event: Happening) {
        let mut result = Ok(());
        self.disaster.update(|d| result = d.apply(&event));
        match result {
            Ok(()) => {
                self.session.notice.set(None);
                self.recheck();
            }
            Err(error) => self.session.notice.set(Some(error.to_string())),
        }
    }

    /// Takes the last change back.
    pub(crate) fn undo(self) {
        self.disaster.update(RescueState::undo);
        self.pick.set(None);
        self.recheck();
    }

    /// Holds the plan in force against the map as it is now.
    fn recheck(self) {
        self.keep();
        let Some(text) = self.disaster.with_untracked(|d| d.plan.as_ref().map(|p| p.to_text()))
        else {
            return;
        };
        let scenario = self.disaster.with_untracked(|d| d.scenario().clone());
        let ask = CheckRescue { scenario: scenario.clone(), text };
        self.ask(ask, move |CheckedRescue { findings, .. }| {
            // A later change has its own check.
            if self.disaster.with_untracked(|d| *d.scenario() == scenario) {
                self.disaster.update(|d| d.findings = findings);
                self.keep();
            }
        });
    }

    /// Plans without a model.
    pub(crate) fn plan(self) {
        let scenario = self.disaster.with_untracked(|d| d.scenario().clone());
        self.ask(PlanRescue { scenario: scenario.clone() }, move |planned| {
            let PlannedRescue { plan, findings, took_ms } = planned;
            if self.disaster.with_untracked(|d| *d.scenario() == scenario) {
                self.disaster.update(|d| d.take_plan(plan, findings));
                self.took_ms.set(Some(took_ms));
                self.keep();
            }
        });
    }

    /// Says something to the model.
    pub(crate) fn say(self, words: String) {
        if words.trim().is_empty() || self.session.is_busy_untracked() {
            return;
        }
        let settings = self.settings.get_untracked();
        let model = if settings.is_brought() {
            settings.choice()
        } else {
            let name = if self.errs.get_untracked() { "mistaken" } else { "script" };
            ModelChoice::Script { name: name.into() }
        };
        self.session.show(Vec::new());
        self.took_ms.set(None);
        let dialogue = self.disaster.with_untracked(|d| d.dialogue.clone());
        let before = dialogue.scenario.clone();
        let mut ask = match turn_of(dialogue, &words, model) {
            Ok(ask) => ask,
            Err(message) => return self.session.notice.set(Some(message)),
        };
        if self.few_tools.get_untracked() {
            ask.options = json!({ "n_tools": retrieval::N_TOOLS });
        }
        let engine = engine_client::interactive();
        let said = words.clone();
        let turn = RefCell::new(None);
        self.session.start(&engine, &ask, &words, move |happening| match happening {
            Told::Step(step) => self.session.push(step),
            Told::Event(RunEvent::Own(Exact(now))) => _ = turn.replace(Some(now)),
            Told::Done(EndedRun { run, .. }) => {
                if let Some(turn) = turn.take() {
                    self.take_answer(&before, said.clone(), Turn { trace: run.trace, ..turn });
                }
            }
            _ => {}
        });
    }

    /// Takes what the model answered about a scenario, unless the map was changed meanwhile.
    fn take_answer(self, before: &Scenario, words: String, turn: Turn) {
        if self.disaster.with_untracked(|d| d.scenario() == before) {
            self.disaster.update(|d| d.take_answer(words, turn));
            self.keep();
            return;
        }
        let text = "The map was changed while the model was at work, so its answer is dropped. \
                    Ask again.";
        self.session.notice.set(Some(text.into()));
    }
}

//! What the Lessons page holds: who plays the model.

use std::collections::BTreeMap;

use draw::{Marks, Scene};
use leptos::prelude::*;
use protocol::problem::ProblemView;
use protocol::runs::ModelChoice;
use tasks::Judgement;
use tasks::claims::Claim;

use super::edit::Writing;
use crate::shell::Shell;
use crate::state::lesson::{Player, dressed};
use crate::state::marks;
use crate::state::settings::ModelSettings;

/// The state of the page; it outlives a visit to another page.
#[derive(Clone, Copy)]
pub(crate) struct PageState {
    /// The model in use answers, and not whom the lesson names.
    pub(crate) uses_chosen: RwSignal<bool>,
    pub(crate) settings: RwSignal<ModelSettings>,
    pub(crate) notice: RwSignal<Option<String>>,
    /// What the browser's tab says besides the page.
    pub(super) detail: RwSignal<Option<String>>,
    /// The lesson that somebody writes.
    pub(super) writing: Writing,
}

/// A problem of a lesson, and what the lesson's texts claim about its graph.
#[derive(Clone, Copy)]
pub(super) struct Posed {
    /// The problem, once the engine has read or made it.
    pub(super) problem: RwSignal<Option<ProblemView>>,
    /// The claims of each text. They are there when the problem is, so that the page is laid out
    /// once and no button moves away from whoever is about to press it.
    /// What the answers of the lesson are worth.
    pub(super) judged: RwSignal<BTreeMap<String, Judgement>>,
    pub(super) claims: RwSignal<BTreeMap<String, Vec<Claim>>>,
    /// What people call its nodes.
    pub(super) names: StoredValue<Vec<(String, String)>>,
}

impl Posed {
    /// The problem's graph with marks, as a lesson draws it.
    pub(super) fn scene(self, drawn: &Marks) -> Scene {
        self.problem.with(|p| {
            let scene = p.as_ref().map(|p| marks::scene(p, drawn)).unwrap_or_default();
            self.names.try_with_value(|names| dressed(scene.clone(), names)).unwrap_or(scene)
        })
    }
}

impl PageState {
    pub(crate) fn new(shell: Shell) -> Self {
        Self {
            uses_chosen: RwSignal::new(false),
            settings: shell.settings,
            detail: shell.detail,
            notice: RwSignal::new(None),
            writing: Writing::new(),
        }
    }

    /// The model that plays a block; nothing, and a notice, where the one in use is not set up.
    pub(super) fn model(self, player: &Player) -> Option<ModelChoice> {
        if !self.uses_chosen.get_untracked() {
            return Some(match player {
                Player::Own => ModelChoice::Own,
                Player::Script(name) => ModelChoice::Script { name: name.clone() },
            });
        }
        let fault = self.settings.with_untracked(ModelSettings::fault);
        if fault.is_some() {
            self.notice.set(fault);
            return None;
        }
        Some(self.settings.with_untracked(ModelSettings::choice))
    }

    /// The model that plays a block whose questions are not the benchmark's: one that somebody brought,
    /// if it is in use, or the block's script.
    pub(super) fn model_or_script(self, script: &str) -> Option<ModelChoice> {
        let name = script.to_owned();
        if self.settings.with_untracked(ModelSettings::is_brought) {
            return self.model(&Player::Script(name));
        }
        Some(ModelChoice::Script { name })
    }
}

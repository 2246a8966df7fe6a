//! What the page Catch the lie holds: the round that is played.

use leptos::prelude::*;

use crate::routes;
use crate::services::storage;
use crate::shell::Shell;
use crate::state::lie::{PlayedTurn, Round, SavedRound};
use crate::workbench::recorded::Recorded;

/// The key of the seed in addresses.
pub(super) const SEED: &str = "seed";
/// The key of the view for a class in addresses.
pub(super) const CLASS: &str = "class";
/// A round that nobody asked for has a seed below this: short enough to say it to a class.
const MOST_SEEDS: f64 = 10_000.0;
/// Where the browser keeps the round that is played.
const SAVED: &str = "graphground.lie";

#[derive(Clone, Copy)]
pub(super) struct PageState {
    pub(super) shell: Shell,
    pub(super) recorded: Recorded,
    /// The seed of the round.
    pub(super) seed: RwSignal<u64>,
    pub(super) round: RwSignal<Round>,
    /// The piece that a person looks at on the drawing.
    pub(super) looked_at: RwSignal<Option<usize>>,
    /// Whether a class plays, whose hands are counted.
    pub(super) is_class: RwSignal<bool>,
}

impl PageState {
    pub(super) fn new(shell: Shell) -> Self {
        let recorded = Recorded::of(shell);
        let saved = storage::recall::<SavedRound>(SAVED).filter(SavedRound::is_under_way);
        let any = || (js_sys::Math::random() * MOST_SEEDS) as u64;
        let state = Self {
            shell,
            recorded,
            seed: RwSignal::new(saved.map_or_else(any, |saved| saved.seed)),
            round: RwSignal::default(),
            looked_at: RwSignal::new(None),
            is_class: RwSignal::new(false),
        };
        // Another seed is another round; the one that was under way before a reload continues.
        Effect::new(move |_| {
            let seed = state.seed.get();
            if let Some(found) = recorded.found.get() {
                let round = Round::new(&found.answers, seed);
                state.looked_at.set(None);
                state.round.set(round.resumed(storage::recall(SAVED)));
            }
        });
        Effect::new(move |_| {
            let saved = state.round.with(Round::saved);
            if saved.is_under_way() || state.round.with_untracked(Round::is_over) {
                storage::remember(SAVED, &saved);
            }
        });
        state
    }

    /// Plays the round of a seed, unless it is the one that is played.
    pub(super) fn open(self, seed: u64, is_class: bool) {
        self.is_class.set(is_class);
        if self.seed.get_untracked() != seed {
            self.seed.set(seed);
        }
    }

    /// What was done with the answer that is shown.
    pub(super) fn played(self) -> Memo<PlayedTurn> {
        Memo::new(move |_| {
            self.round.with(|r| r.turn().map(|turn| turn.played.clone())).unwrap_or_default()
        })
    }

    /// Picks a claim; one that a class votes on is not picked by a click. Once the truth is shown, a claim
    /// is looked at on the drawing, and on the next click what was picked.
    pub(super) fn choose(self, place: usize) {
        let is_over = self.round.with_untracked(|r| r.turn().is_some_and(|t| t.played.is_over));
        if is_over {
            self.looked_at.update(|at| *at = if *at == Some(place) { None } else { Some(place) });
        } else if !self.is_class.get_untracked() {
            self.round.update(|round| round.pick(place));
        }
    }

    /// Shows the next answer.
    pub(super) fn go_on(self) {
        self.looked_at.set(None);
        self.round.update(Round::go_on);
    }

    /// The address of the round.
    pub(super) fn href(self) -> String {
        let seed = self.seed.get().to_string();
        let mut keys = vec![(SEED, seed.as_str())];
        if self.is_class.get() {
            keys.push((CLASS, "1"));
        }
        routes::href(crate::pages::addresses::LIE, &keys)
    }
}

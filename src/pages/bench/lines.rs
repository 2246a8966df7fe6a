//! The lines of the benchmark that is open: kept in the browser, and held by the worker.

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::bench::{AddRuns, ClearRuns, UnpackRuns};

use super::state::PageState;
use crate::services::storage::NotKept;
use crate::services::transport::after;
use crate::services::{benches, engine_client};
use crate::state::bench::{BenchMeta, runs_in, unkept_words};

/// Lines that came with the page.
#[derive(Clone)]
pub(super) enum Brought {
    /// In gzip in base64, as the page's own file has them.
    Packed(String),
    /// As text.
    Plain(String),
}

/// Where the lines are.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    /// The worker that holds the lines, and of which benchmark.
    pub(super) held: StoredValue<Option<(u64, f64)>>,
    /// The lines of a benchmark that is not kept, to hand them over again.
    pub(super) brought: StoredValue<Option<Brought>>,
    /// Pieces of lines that wait to be kept, one after the other, each with its benchmark.
    saving: StoredValue<Vec<(BenchMeta, String)>>,
    /// The number of the piece that was kept last.
    last_piece: StoredValue<f64>,
    is_saving: StoredValue<bool>,
    /// Whether lines are being handed to the worker.
    is_handing: StoredValue<bool>,
    /// What is said of lines that the browser's storage gave up.
    pub(super) unkept: RwSignal<Option<String>>,
}

impl Lines {
    pub(super) fn new() -> Self {
        Self {
            held: StoredValue::new(None),
            brought: StoredValue::new(None),
            saving: StoredValue::new(Vec::new()),
            last_piece: StoredValue::new(0.0),
            is_saving: StoredValue::new(false),
            is_handing: StoredValue::new(false),
            unkept: RwSignal::new(None),
        }
    }
}

impl PageState {
    /// Sees to it that the worker holds the lines of the benchmark that is open. One call waits for the
    /// other, so that the lines of two benchmarks never mix.
    pub(super) async fn hold(self) -> Result<(), String> {
        self.until_handed().await;
        self.lines.is_handing.set_value(true);
        let held = self.hand_over().await;
        self.lines.is_handing.set_value(false);
        held
    }

    /// Waits until no lines are being handed to the worker.
    pub(super) async fn until_handed(self) {
        while self.lines.is_handing.get_value() {
            after(20).await;
        }
    }

    async fn hand_over(self) -> Result<(), String> {
        let Some(meta) = self.open.get_untracked() else {
            return Err("no benchmark is open".into());
        };
        let epoch = engine_client::bench().epoch();
        if epoch > 0 && self.lines.held.get_value() == Some((epoch, meta.id)) {
            return Ok(());
        }
        let is_brought = self.is_embedded.get_untracked() || self.is_example.get_untracked();
        if let Some(brought) = self.lines.brought.get_value().filter(|_| is_brought) {
            match brought {
                Brought::Packed(packed) => self.ask(UnpackRuns { packed }, "Reading").await?,
                Brought::Plain(text) => {
                    // Nobody asked for the example, so nothing moves while it is read.
                    self.ask_quietly(ClearRuns {}, None).await?;
                    self.ask_quietly(AddRuns { text }, None).await?
                }
            };
        } else {
            // What is being kept now is either among the lines that are kept, or still waits.
            while self.lines.is_saving.get_value() {
                after(20).await;
            }
            let waiting = self.lines.saving.with_value(|all| {
                let ours = all.iter().filter(|(of, _)| of.id == meta.id);
                ours.map(|(_, text)| text.clone()).collect::<Vec<_>>()
            });
            self.ask(ClearRuns {}, "Reading").await?;
            let kept = match benches::load_lines(meta.id).await {
                // A browser that keeps nothing has told so when it was to keep the first lines.
                Err(_) if !waiting.is_empty() => Vec::new(),
                kept => kept?,
            };
            for text in kept.into_iter().chain(waiting) {
                self.ask(AddRuns { text }, "Reading").await?;
            }
        }
        self.lines.held.set_value(Some((engine_client::bench().epoch(), meta.id)));
        Ok(())
    }

    /// Keeps lines in the browser, one piece after the other, under the benchmark that is open now.
    pub(super) fn keep(self, text: String) {
        let Some(mut meta) = self.open.get_untracked() else { return };
        if text.is_empty() || self.is_embedded.get_untracked() {
            return;
        }
        meta.title = self.title.get_untracked();
        meta.about = self.about.get_untracked();
        self.lines.saving.update_value(|waiting| waiting.push((meta, text)));
        spawn_local(async move {
            self.keep_waiting().await;
        });
    }

    /// Keeps the pieces that wait; says whether none is left. Where the store gives one up, it waits with
    /// those behind it until there is room, and no further runs are made.
    pub(super) async fn keep_waiting(self) -> bool {
        if self.lines.is_saving.get_value() {
            return true;
        }
        self.lines.is_saving.set_value(true);
        let mut refused = None;
        while let Some((meta, text)) = self.lines.saving.with_value(|w| w.first().cloned()) {
            // By the clock, so that a page in another tab writes beside and never over it.
            let piece = js_sys::Date::now().max(self.lines.last_piece.get_value() + 0.01);
            self.lines.last_piece.set_value(piece);
            if let Err(why) = benches::save(&meta, piece, &text).await {
                refused = Some(why);
                break;
            }
            self.lines.saving.update_value(|waiting| {
                waiting.remove(0);
            });
        }
        self.lines.is_saving.set_value(false);
        let unkept = match refused {
            None => None,
            Some(NotKept::GivenUp(why)) => {
                if self.going.is_running.get_untracked() {
                    self.pause();
                }
                let texts =
                    |all: &Vec<(BenchMeta, String)>| all.iter().map(|(_, t)| runs_in(t)).sum();
                Some(unkept_words(&why, self.lines.saving.with_value(texts)))
            }
            Some(NotKept::NoStore(message)) => {
                self.fail(format!(
                    "{message}. The benchmark goes on, and is lost with this page unless you save its runs file."
                ));
                return false;
            }
        };
        let is_kept = unkept.is_none();
        self.lines.unkept.set(unkept);
        is_kept
    }

    /// The benchmarks of a list as they are with the lines that wait to be kept.
    pub(super) fn with_waiting(self, mut list: Vec<BenchMeta>) -> Vec<BenchMeta> {
        self.lines.saving.with_value(|waiting| {
            for (meta, _) in waiting {
                match list.iter_mut().find(|kept| kept.id == meta.id) {
                    Some(kept) => *kept = meta.clone(),
                    None => list.insert(0, meta.clone()),
                }
            }
        });
        list
    }

    /// Forgets the lines of a benchmark that wait to be kept, and keeps those of others where its own have
    /// made room.
    pub(super) async fn forget_waiting(self, id: f64) {
        self.lines.saving.update_value(|waiting| waiting.retain(|(of, _)| of.id != id));
        if self.lines.unkept.with_untracked(Option::is_some) {
            self.keep_waiting().await;
        }
    }
}

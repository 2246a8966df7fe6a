//! The work on a large graph: places and measures from a worker, what is chosen and looked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use draw::whole::Spot;
use js_sys::Uint8Array;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::numbers::PackedNumbers;
use protocol::whole::{
    EDGES, MOST_EDGES, MOST_NODES, MeasureWhole, PlaceWhole, WholeMeasure, WholePlaces,
};

use crate::services::engine_client::{self, Beside, JobHandle, NoReply};
use crate::services::screen;
use crate::state::numbers::grouped;
use crate::state::whole::camera::Camera;
use crate::state::whole::look::By;
use crate::state::whole::{Chosen, LargeGraph, Measured};

/// The seed of layouts: the same graph is drawn the same everywhere.
const SEED: u64 = 1;
/// The scale at which a node that is looked for is shown at least, in pixels for an edge.
const CLOSE: f64 = 40.0;

/// What a person sees of the work.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Work {
    /// How far it is, in thousandths; nothing where nothing goes on.
    pub(super) progress: Option<u32>,
    /// The job in words, such as "Measuring…".
    pub(super) words: String,
    /// What came of it.
    pub(super) said: String,
    /// What a saved file holds.
    pub(super) saved: String,
    pub(super) fault: Option<String>,
}

/// The state of the view.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) whole: RwSignal<Arc<LargeGraph>>,
    pub(super) at: RwSignal<Arc<Vec<Spot>>>,
    pub(super) chosen: RwSignal<Chosen>,
    pub(super) measured: RwSignal<BTreeMap<By, Measured>>,
    pub(super) camera: RwSignal<Option<Camera>>,
    pub(super) picked: RwSignal<Option<u32>>,
    pub(super) search: RwSignal<String>,
    pub(super) work: RwSignal<Work>,
    pub(super) job: StoredValue<Option<JobHandle>, LocalStorage>,
    /// Counts graphs and jobs, so that what was left changes nothing later.
    turn: StoredValue<u32>,
}

/// The edges of a graph as bytes that are handed over.
fn edges_of(whole: &LargeGraph) -> Beside<'static> {
    let bytes = PackedNumbers(whole.pairs()).to_bytes();
    let buffer = Uint8Array::from(bytes.as_slice()).buffer();
    Beside { bytes: vec![(EDGES.into(), buffer)], ..Beside::default() }
}

fn places_of(told: &WholePlaces) -> Vec<Spot> {
    told.at.0.as_chunks::<2>().0.to_vec()
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            whole: RwSignal::default(),
            at: RwSignal::default(),
            chosen: RwSignal::default(),
            measured: RwSignal::default(),
            camera: RwSignal::new(None),
            picked: RwSignal::new(None),
            search: RwSignal::default(),
            work: RwSignal::default(),
            job: StoredValue::new_local(None),
            turn: StoredValue::new(0),
        }
    }

    /// Counts on; what was under way is stopped.
    pub(super) fn next_turn(self) -> u32 {
        if let Some(job) = self.job.try_update_value(Option::take).flatten() {
            job.cancel();
        }
        self.turn
            .try_update_value(|turn| {
                *turn += 1;
                *turn
            })
            .unwrap_or_default()
    }

    fn is_turn(self, turn: u32) -> bool {
        self.turn.try_get_value() == Some(turn)
    }

    /// Begins with another graph.
    pub(super) fn open(self, whole: Arc<LargeGraph>) {
        let colour = if whole.types.len() > 1 { By::Type } else { By::Nothing };
        self.chosen.set(Chosen { colour, size: By::Degree, ..Chosen::default() });
        self.measured.set(BTreeMap::new());
        self.camera.set(None);
        self.picked.set(None);
        self.at.set(Arc::new(Vec::new()));
        let too_many = whole.n_nodes() > MOST_NODES || whole.edges.len() > MOST_EDGES;
        self.whole.set(whole.clone());
        if too_many {
            let fault = format!(
                "This graph has {} nodes and {} edges. At most {} nodes and {} edges are drawn as a whole.",
                grouped(whole.n_nodes()),
                grouped(whole.edges.len()),
                grouped(MOST_NODES),
                grouped(MOST_EDGES)
            );
            self.work.set(Work { fault: Some(fault), ..Work::default() });
            return;
        }
        self.lay_out(whole);
    }

    /// Says how far a job is.
    fn tell(self, turn: u32, done: usize, total: usize) {
        if self.is_turn(turn) {
            let share = done as f64 / total.max(1) as f64 * 1000.0;
            self.work.update(|work| work.progress = Some(share as u32));
        }
    }

    fn begin(self, words: &str) -> u32 {
        let turn = self.next_turn();
        self.work.update(|work| {
            *work = Work {
                progress: Some(0),
                words: words.to_owned(),
                said: std::mem::take(&mut work.said),
                ..Work::default()
            };
        });
        turn
    }

    fn end(self, said: Option<String>, why: Option<NoReply>) {
        self.work.update(|work| {
            (work.progress, work.words) = (None, String::new());
            work.said = said.unwrap_or(std::mem::take(&mut work.said));
            work.fault = match why {
                Some(NoReply::Failed(message)) => Some(message),
                _ => None,
            };
        });
    }

    /// Places all nodes; on the way the drawing shows how far they are.
    fn lay_out(self, whole: Arc<LargeGraph>) {
        let turn = self.begin("Placing the nodes…");
        self.work.update(|work| work.said.clear());
        let ask = PlaceWhole { n_nodes: whole.n_nodes() as u32, seed: SEED };
        let on_places = move |told: WholePlaces| {
            if self.is_turn(turn) {
                self.at.set(Arc::new(places_of(&told)));
            }
        };
        let (job, coming) = engine_client::for_whole(whole.n_nodes()).start_and_wait(
            &ask,
            &edges_of(&whole),
            move |done, total| self.tell(turn, done, total),
            on_places,
        );
        self.job.set_value(Some(job));
        spawn_local(async move {
            let placed = coming.wait().await;
            if !self.is_turn(turn) {
                return;
            }
            match placed {
                Ok(placed) => {
                    self.at.set(Arc::new(places_of(&placed.places)));
                    let threads = match placed.n_threads {
                        0 | 1 => "one thread".to_owned(),
                        n => format!("{n} threads"),
                    };
                    let stress = placed.places.stress;
                    let stress = stress.map(|s| format!(", stress {s:.3}")).unwrap_or_default();
                    let said = format!(
                        "Placed in {:.1} s on {threads}, {} moves{stress}.",
                        placed.took_ms / 1000.0,
                        placed.places.n_moves
                    );
                    self.end(Some(said), None);
                }
                Err(why) => {
                    let said = (why == NoReply::Cancelled)
                        .then(|| "Stopped. The nodes stand where they were.".to_owned());
                    self.end(said, Some(why));
                }
            }
        });
    }

    /// Measures what colours or sizes are to say, if it is not there yet.
    pub(super) fn want(self, by: By) {
        let measure = match by {
            By::PageRank => WholeMeasure::PageRank,
            By::Betweenness => WholeMeasure::Betweenness,
            _ => return,
        };
        if self.measured.with_untracked(|m| m.contains_key(&by)) || self.is_busy() {
            return;
        }
        let whole = self.whole.get_untracked();
        let turn = self.begin("Measuring…");
        let ask = MeasureWhole {
            n_nodes: whole.n_nodes() as u32,
            directed: whole.is_directed,
            measure,
            seed: SEED,
        };
        let (job, coming) = engine_client::for_whole(whole.n_nodes()).start_and_wait(
            &ask,
            &edges_of(&whole),
            move |done, total| self.tell(turn, done, total),
            |()| (),
        );
        self.job.set_value(Some(job));
        spawn_local(async move {
            let measured = coming.wait().await;
            if !self.is_turn(turn) {
                return;
            }
            match measured {
                Ok(found) => {
                    let n = found.n_sources;
                    self.measured.update(|all| {
                        all.insert(by, Measured { values: found.values.0, n_sources: n });
                    });
                    let from = n.map(|n| {
                        format!("Betweenness is estimated from {} nodes.", grouped(n as usize))
                    });
                    self.end(from, None);
                    // What else was chosen meanwhile.
                    let Chosen { colour, size, .. } = self.chosen.get_untracked();
                    [colour, size].into_iter().for_each(|by| self.want(by));
                }
                Err(why) => self.end(None, Some(why)),
            }
        });
    }

    fn is_busy(self) -> bool {
        self.work.with_untracked(|work| work.progress.is_some())
    }

    /// Shows a node close by, and what it is joined to.
    pub(super) fn go_to(self, node: u32) {
        self.picked.set(Some(node));
        let Some(place) = self.at.with_untracked(|at| at.get(node as usize).copied()) else {
            return;
        };
        let size = screen::size_of(".whole-canvas");
        let camera = self.camera.get_untracked();
        let camera = camera.unwrap_or_else(|| self.at.with_untracked(|at| Camera::fit(at, size)));
        self.camera.set(Some(camera.at(place, CLOSE)));
    }
}

//! What the Family page holds, and what can be done with it.

use std::collections::BTreeMap;

use engine::message::{FamilyAsk, FamilyReply};
use engine::{Event, Output};
use leptos::prelude::*;
use leptos::task::spawn_local;
use systems::kgetool::{Extraction, Method, Options};
use tasks::family::score::Mode;
use tasks::family::{Benchmark, Link};
use web_sys::File;

use crate::components::player::Tick;
use crate::pages::traces::state::TracesState;
use crate::routes::{self, Page, Route};
use crate::services::engine_client::{self, JobHandle};
use crate::services::trace_file::{self, TraceFile};
use crate::services::{clipboard, files, playback};
use crate::state::family::drawing::{Drawn, Looked, drawn};
use crate::state::family::{Done, ENDPOINT, FamilyState, links_of, records, seated};
use crate::state::live::Live;
use crate::state::settings::ModelSettings;
use crate::state::story::Steps;

/// The state of the page; it outlives a visit to another page.
#[derive(Clone, Copy)]
pub(crate) struct FamilyRoom {
    pub(crate) state: RwSignal<FamilyState>,
    pub(crate) options: RwSignal<Options>,
    /// Who sits in the seat of the model that searches, and of the one that calls.
    pub(crate) seats: [RwSignal<String>; 2],
    pub(crate) steps: RwSignal<Steps>,
    pub(crate) cursor: RwSignal<usize>,
    pub(crate) playing: RwSignal<bool>,
    pub(crate) live: RwSignal<Live>,
    pub(crate) is_busy: RwSignal<bool>,
    pub(crate) notice: RwSignal<Option<String>>,
    /// Whoever is looked at.
    pub(crate) person: RwSignal<Option<String>>,
    /// Whether the links that are needed are shown before a model has searched.
    pub(crate) shows_gold: RwSignal<bool>,
    /// By which rules scores are shown.
    pub(crate) rules: RwSignal<Mode>,
    /// What searches by hand have found, method by method.
    pub(crate) by_hand: RwSignal<Vec<Extraction>>,
    pub(crate) seed: RwSignal<u64>,
    pub(crate) n_relatives: RwSignal<usize>,
    pub(crate) is_opaque: RwSignal<bool>,
    pub(crate) settings: RwSignal<ModelSettings>,
    traces: TracesState,
    job: StoredValue<Option<JobHandle>, LocalStorage>,
    /// The address that was followed last.
    followed: StoredValue<Option<BTreeMap<String, String>>>,
}

impl FamilyRoom {
    pub(crate) fn new(settings: RwSignal<ModelSettings>, traces: TracesState) -> Self {
        let seat = || {
            let is_endpoint = settings.with_untracked(|s| s.use_endpoint);
            RwSignal::new(if is_endpoint { ENDPOINT } else { "script" }.to_owned())
        };
        let room = Self {
            state: RwSignal::default(),
            options: RwSignal::default(),
            seats: [seat(), seat()],
            steps: RwSignal::default(),
            cursor: RwSignal::new(0),
            playing: RwSignal::new(false),
            live: RwSignal::default(),
            is_busy: RwSignal::new(false),
            notice: RwSignal::new(None),
            person: RwSignal::new(None),
            shows_gold: RwSignal::new(false),
            rules: RwSignal::new(Mode::Paper),
            by_hand: RwSignal::default(),
            seed: RwSignal::new(1),
            n_relatives: RwSignal::new(9),
            is_opaque: RwSignal::new(false),
            settings,
            traces,
            job: StoredValue::new_local(None),
            followed: StoredValue::new(None),
        };
        // Whoever switches to an endpoint, or back, means this page too.
        Effect::new(move |before: Option<bool>| {
            let is_endpoint = settings.with(|s| s.use_endpoint);
            if before.is_some_and(|b| b != is_endpoint) {
                for seat in room.seats {
                    seat.set(if is_endpoint { ENDPOINT } else { "script" }.to_owned());
                }
            }
            is_endpoint
        });
        let step = move || {
            let n = room.steps.with_untracked(Vec::len);
            playback::forward(room.cursor, n) || room.is_busy.get_untracked()
        };
        playback::play_in_time(room.playing, 900.0, || 1.0, step);
        room
    }

    /// Follows an address: the seed of a benchmark, and which of its requests, counted from 1.
    pub(crate) fn follow(self, keys: &BTreeMap<String, String>) {
        if self.followed.with_value(|last| last.as_ref() == Some(keys)) {
            return;
        }
        self.followed.set_value(Some(keys.clone()));
        let number = |key: &str| keys.get(key).and_then(|v| v.parse::<u64>().ok());
        let is_new = self.state.with_untracked(|s| s.benchmark.families.is_empty());
        let seed = number("seed");
        if let Some(n) = number("people") {
            self.n_relatives.set((n as usize).clamp(8, 20));
        }
        let request = number("request").map(|n| (n as usize).saturating_sub(1));
        if let Some(seed) = seed {
            self.seed.set(seed);
        }
        if is_new || seed.is_some() {
            self.generate(request);
        }
    }

    /// Puts what is shown into the address.
    fn tell(self) {
        let (seed, n) = (self.seed.get_untracked(), self.n_relatives.get_untracked());
        let request = self.state.with_untracked(|s| s.sample.map(|i| i + 1));
        let (seed, n) = (seed.to_string(), n.to_string());
        let request = request.map(|r| r.to_string());
        let mut keys = vec![("seed", seed.as_str()), ("people", n.as_str())];
        keys.extend(request.as_deref().map(|r| ("request", r)));
        let own = |(k, v): &(&str, &str)| ((*k).to_owned(), (*v).to_owned());
        self.followed.set_value(Some(keys.iter().map(own).collect()));
        routes::replace(&Route::href(Page::Family, &keys));
    }

    fn ask(self, ask: FamilyAsk, then: impl FnOnce(FamilyReply) + 'static) {
        spawn_local(async move {
            let reply = async {
                match engine_client::knowledge().ask(ask.request()?).await? {
                    Output::Family { reply } => FamilyReply::read(&reply).map(Some),
                    _ => Ok(None),
                }
            };
            match reply.await {
                Ok(Some(reply)) => then(reply),
                Ok(None) => {}
                Err(message) => self.notice.set(Some(message)),
            }
        });
    }

    fn clear(self) {
        self.stop();
        self.playing.set(false);
        self.steps.set(Vec::new());
        self.cursor.set(0);
        self.live.set(Live::default());
        self.by_hand.set(Vec::new());
        self.notice.set(None);
    }

    fn open(self, benchmark: Benchmark, request: Option<usize>) {
        self.clear();
        self.person.set(None);
        self.state.update(|s| {
            s.open(benchmark);
            if request.is_some_and(|i| i < s.benchmark.samples.len()) {
                s.pick(request);
            }
        });
    }

    /// Makes a benchmark of the seed that is set.
    pub(crate) fn generate(self, request: Option<usize>) {
        let ask = FamilyAsk::Generate {
            seed: self.seed.get_untracked(),
            n_relatives: self.n_relatives.get_untracked(),
            is_opaque: self.is_opaque.get_untracked(),
        };
        self.ask(ask, move |reply| {
            if let FamilyReply::Benchmark { benchmark } = reply {
                self.open(*benchmark, request);
                if routes::current().page == Page::Family {
                    self.tell();
                }
            }
        });
    }

    /// Opens the first of some files.
    pub(crate) fn take_files(self, list: Vec<File>) {
        let Some(file) = list.into_iter().next() else { return };
        spawn_local(async move {
            match files::text(&file).await {
                Ok(text) => self.ask(FamilyAsk::Load { text }, move |reply| {
                    if let FamilyReply::Benchmark { benchmark } = reply {
                        self.open(*benchmark, None);
                    }
                }),
                Err(message) => self.notice.set(Some(message)),
            }
        });
    }

    /// Offers the benchmark, with what was added, as a file.
    pub(crate) fn save(self) {
        let benchmark = Box::new(self.state.with_untracked(|s| s.benchmark.clone()));
        self.ask(FamilyAsk::Save { benchmark }, |reply| {
            if let FamilyReply::File { text } = reply {
                clipboard::save("family-benchmark.jsonl", "application/x-ndjson", &text);
            }
        });
    }

    /// Takes a request of the benchmark.
    pub(crate) fn pick(self, sample: usize) {
        self.clear();
        self.person.set(None);
        self.state.update(|s| s.pick(Some(sample)));
        self.tell();
    }

    /// Looks at another family.
    pub(crate) fn look(self, family: usize) {
        self.clear();
        self.person.set(None);
        self.state.update(|s| s.look(family));
        self.tell();
    }

    /// Adds a fact; the next request knows it.
    pub(crate) fn add(self, link: Link) -> bool {
        let mut result = Ok(());
        let head = link.head.clone();
        self.state.update(|s| result = s.add(link));
        match result {
            Ok(()) => {
                self.notice.set(None);
                self.person.set(Some(head));
                true
            }
            Err(error) => {
                self.notice.set(Some(error.to_string()));
                false
            }
        }
    }

    /// Searches the graph by hand.
    pub(crate) fn search(self, text: String) {
        let Some(family) = self.state.with_untracked(|s| s.now().cloned()) else { return };
        let search = self.options.get_untracked().search;
        let ask = FamilyAsk::Search { family, text, mode: search.mode, k: search.k };
        self.ask(ask, move |reply| {
            if let FamilyReply::Found { by_method } = reply {
                self.notice.set(None);
                self.by_hand.set(by_method);
            }
        });
    }

    /// Lets the models work on the request.
    pub(crate) fn run(self) {
        if self.is_busy.get_untracked() {
            return;
        }
        self.clear();
        let settings = self.settings.get_untracked();
        let [extract, call] = self.seats.map(|seat| seated(&seat.get_untracked(), &settings));
        let options = self.options.get_untracked();
        self.state.update(|s| s.done = None);
        let run = self.state.with_untracked(|s| s.run((extract, call), options));
        let request = run.and_then(|run| {
            let (sample, is_scored) = (run.sample.clone(), run.is_scored);
            FamilyAsk::Run(Box::new(run)).request().map(|request| (request, sample, is_scored))
        });
        let (request, sample, is_scored) = match request {
            Ok(made) => made,
            Err(message) => {
                self.notice.set(Some(message));
                return;
            }
        };
        self.is_busy.set(true);
        let job = engine_client::knowledge().start(&request, move |event| match event {
            Event::Step { step } => {
                self.live.set(Live::default());
                self.steps.update(|s| s.push(step.into()));
                self.cursor.set(self.steps.with_untracked(Vec::len));
            }
            Event::Parts { parts } => self.live.update(|l| l.take(parts)),
            Event::Done { output } => {
                self.is_busy.set(false);
                self.live.set(Live::default());
                if let Output::Family { reply } = *output
                    && let Ok(FamilyReply::Ran { episode, scores, meaning }) =
                        FamilyReply::read(&reply)
                {
                    let (sample, episode) = (sample.clone(), *episode);
                    let done = Done { sample, is_scored, episode, scores, meaning };
                    self.state.update(|s| s.done = Some(done));
                }
            }
            Event::Failed { message } => {
                self.is_busy.set(false);
                self.live.set(Live::default());
                self.notice.set(Some(message));
            }
            _ => {}
        });
        self.job.set_value(Some(job));
    }

    /// Stops the models.
    pub(crate) fn stop(self) {
        self.job.with_value(|job| {
            if let Some(job) = job {
                job.cancel();
            }
        });
    }

    fn method(self) -> Method {
        self.options.get_untracked().search.method
    }

    /// The traces of the last request as a file, for `then`.
    fn written(self, then: impl FnOnce(TraceFile) + 'static) {
        let method = self.method();
        let done = self.state.with_untracked(|s| s.done.as_ref().map(|d| records(d, method)));
        let Some(records) = done else { return };
        spawn_local(async move {
            let engine = engine_client::knowledge();
            match TraceFile::write(engine, "family", records, trace_file::own_format()).await {
                Ok(file) => then(file),
                Err(message) => self.notice.set(Some(message)),
            }
        });
    }

    /// Offers the traces of the last request as a file.
    pub(crate) fn export(self) {
        self.written(|file| file.save());
    }

    /// Opens the traces of the last request on the page of traces.
    pub(crate) fn open_traces(self) {
        self.written(move |file| self.traces.open_written(file));
    }

    /// A tick for each step.
    pub(crate) fn ticks(self) -> Vec<Tick> {
        let is_bad = |step: &trace::Step| {
            let body = &step.body;
            matches!(body, trace::StepBody::Call { result: trace::ToolResult::Error(_), .. })
        };
        self.steps.with(|s| s.iter().map(|step| Tick { is_bad: is_bad(step) }).collect())
    }

    /// The family with what is to be seen of it now.
    pub(crate) fn drawn(self, per_row: usize) -> Drawn {
        let cursor = self.cursor.get();
        let mut found =
            self.steps.with(|s| s.iter().take(cursor).flat_map(|s| links_of(s)).collect());
        if self.steps.with(Vec::is_empty) {
            let method = Method::ALL.iter().position(|m| *m == self.options.get().search.method);
            found = self.by_hand.with(|all| {
                let of = method.and_then(|i| all.get(i));
                of.map(|e| e.extracted.links.clone()).unwrap_or_default()
            });
        }
        let person = self.person.get();
        // What is needed is told once all is found, or where somebody wants to see it.
        let shows = self.shows_gold.get();
        self.state.with(|s| {
            let Some(family) = s.now() else { return Drawn::default() };
            let is_over = s.done.as_ref().is_some_and(|d| {
                d.is_scored
                    && d.episode.extracting.as_ref().is_some_and(|t| cursor >= t.steps.len())
            });
            let gold = match s.picked() {
                Some(sample) if shows || is_over => sample.links.clone(),
                _ => Vec::new(),
            };
            drawn(family, &Looked { found, gold, person, per_row })
        })
    }
}

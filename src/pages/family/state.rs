//! What the Family page holds, and what can be done with it.

use protocol::Service;
use protocol::exact::Exact;
use protocol::family::{FoundLinks, GenerateFamilies, ReadFamilies, SearchFamily, WriteFamilies};
use protocol::runs::{EndedRun, RunEvent};
use std::cell::RefCell;
use std::collections::BTreeMap;

use leptos::prelude::*;
use leptos::task::spawn_local;
use systems::kgetool::{EpisodeOptions, Extraction, Method};
use tasks::family::score::Ruleset;
use tasks::family::{Benchmark, Link};
use web_sys::File;

use crate::pages::addresses;
use crate::routes::{self, href};
use crate::services::open::{Open, TraceToOpen};
use crate::services::trace_file::{self, TraceFile};
use crate::services::{clipboard, engine_client, files};
use crate::shell::Shell;
use crate::state::family::drawing::{Drawn, Looked, drawn};
use crate::state::family::{
    ENDPOINT, FamilyResult, FamilyState, links_of, record, reseated, seated,
};
use crate::state::settings::ModelSettings;
use crate::state::used_endpoints::UsedEndpoints;
use crate::workbench::session::{Happening, RunSession};

/// The state of the page; it outlives a visit to another page.
#[derive(Clone, Copy)]
pub(crate) struct PageState {
    /// The benchmark, the request of it, and what came of it.
    pub(crate) household: RwSignal<FamilyState>,
    pub(crate) session: RunSession,
    pub(crate) options: RwSignal<EpisodeOptions>,
    /// Who sits in the seat of the model that searches, and of the one that calls.
    pub(crate) seats: [RwSignal<String>; 2],
    /// Whoever is looked at.
    pub(crate) person: RwSignal<Option<String>>,
    /// Whether the links that are needed are shown before a model has searched.
    pub(crate) shows_gold: RwSignal<bool>,
    /// By which rules scores are shown.
    pub(crate) rules: RwSignal<Ruleset>,
    /// What searches by hand have found, method by method.
    pub(crate) by_hand: RwSignal<Vec<Extraction>>,
    pub(crate) seed: RwSignal<u64>,
    pub(crate) n_relatives: RwSignal<usize>,
    pub(crate) is_opaque: RwSignal<bool>,
    pub(crate) settings: RwSignal<ModelSettings>,
    /// The endpoints that a seat can hold to.
    pub(crate) endpoints: RwSignal<UsedEndpoints>,
    open: Open,
    /// The address that was followed last.
    followed: StoredValue<Option<BTreeMap<String, String>>>,
}

impl PageState {
    pub(crate) fn new(shell: Shell) -> Self {
        let settings = shell.settings;
        let seat = || {
            let is_endpoint = settings.with_untracked(ModelSettings::is_brought);
            RwSignal::new(if is_endpoint { ENDPOINT } else { "script" }.to_owned())
        };
        let state = Self {
            household: RwSignal::default(),
            session: RunSession::playing(900.0),
            options: RwSignal::default(),
            seats: [seat(), seat()],
            person: RwSignal::new(None),
            shows_gold: RwSignal::new(false),
            rules: RwSignal::new(Ruleset::Paper),
            by_hand: RwSignal::default(),
            seed: RwSignal::new(1),
            n_relatives: RwSignal::new(9),
            is_opaque: RwSignal::new(false),
            settings,
            endpoints: shell.endpoints,
            open: shell.open,
            followed: StoredValue::new(None),
        };
        // Whoever switches to an endpoint, or back, means this page too.
        Effect::new(move |before: Option<bool>| {
            let is_endpoint = settings.with(ModelSettings::is_brought);
            if before.is_some_and(|b| b != is_endpoint) {
                for seat in state.seats {
                    let used = state.endpoints;
                    seat.update(|s| *s = used.with_untracked(|e| reseated(s, is_endpoint, e)));
                }
            }
            is_endpoint
        });
        state
    }

    /// Follows an address: the seed of a benchmark, and which of its requests, counted from 1.
    pub(crate) fn follow(self, keys: &BTreeMap<String, String>) {
        if self.followed.with_value(|last| last.as_ref() == Some(keys)) {
            return;
        }
        self.followed.set_value(Some(keys.clone()));
        let number = |key: &str| keys.get(key).and_then(|v| v.parse::<u64>().ok());
        let is_new = self.household.with_untracked(|s| s.benchmark.families.is_empty());
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
        let request = self.household.with_untracked(|s| s.sample.map(|i| i + 1));
        let (seed, n) = (seed.to_string(), n.to_string());
        let request = request.map(|r| r.to_string());
        let mut keys = vec![("seed", seed.as_str()), ("people", n.as_str())];
        keys.extend(request.as_deref().map(|r| ("request", r)));
        let own = |(k, v): &(&str, &str)| ((*k).to_owned(), (*v).to_owned());
        self.followed.set_value(Some(keys.iter().map(own).collect()));
        routes::replace(&href(addresses::FAMILY, &keys));
    }

    fn ask<S: Service>(self, ask: S, then: impl FnOnce(S::Reply) + 'static) {
        spawn_local(async move {
            match engine_client::knowledge().ask(ask).await {
                Ok(reply) => then(reply),
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    fn clear(self) {
        self.session.clear();
        self.by_hand.set(Vec::new());
    }

    fn take(self, benchmark: Benchmark, request: Option<usize>) {
        self.clear();
        self.person.set(None);
        self.household.update(|s| {
            s.open(benchmark);
            if request.is_some_and(|i| i < s.benchmark.samples.len()) {
                s.pick(request);
            }
        });
    }

    /// Makes a benchmark of the seed that is set.
    pub(crate) fn generate(self, request: Option<usize>) {
        let ask = GenerateFamilies {
            seed: self.seed.get_untracked(),
            n_relatives: self.n_relatives.get_untracked(),
            is_opaque: self.is_opaque.get_untracked(),
        };
        self.ask(ask, move |Exact(benchmark)| {
            self.take(benchmark, request);
            if routes::current().path == addresses::FAMILY {
                self.tell();
            }
        });
    }

    /// Opens the first of some files.
    pub(crate) fn take_files(self, list: Vec<File>) {
        let Some(file) = list.into_iter().next() else { return };
        spawn_local(async move {
            match files::text(&file).await {
                Ok(text) => self.ask(ReadFamilies { text }, move |Exact(benchmark)| {
                    self.take(benchmark, None);
                }),
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Offers the benchmark, with what was added, as a file.
    pub(crate) fn save(self) {
        let benchmark = Box::new(self.household.with_untracked(|s| s.benchmark.clone()));
        self.ask(WriteFamilies { benchmark }, |text| {
            clipboard::save("family-benchmark.jsonl", "application/x-ndjson", &text);
        });
    }

    /// Takes a request of the benchmark.
    pub(crate) fn pick(self, sample: usize) {
        self.clear();
        self.person.set(None);
        self.household.update(|s| s.pick(Some(sample)));
        self.tell();
    }

    /// Looks at another family.
    pub(crate) fn look(self, family: usize) {
        self.clear();
        self.person.set(None);
        self.household.update(|s| s.look(family));
        self.tell();
    }

    /// Adds a fact; the next request knows it.
    pub(crate) fn add(self, link: Link) -> bool {
        let mut result = Ok(());
        let head = link.head.clone();
        self.household.update(|s| result = s.add(link));
        match result {
            Ok(()) => {
                self.session.notice.set(None);
                self.person.set(Some(head));
                true
            }
            Err(error) => {
                self.session.notice.set(Some(error.to_string()));
                false
            }
        }
    }

    /// Searches the graph by hand.
    pub(crate) fn search(self, text: String) {
        let Some(family) = self.household.with_untracked(|s| s.now().cloned()) else { return };
        let search = self.options.get_untracked().search;
        let ask = SearchFamily { family, text, mode: search.mode, k: search.k };
        self.ask(ask, move |Exact(by_method)| {
            self.session.notice.set(None);
            self.by_hand.set(by_method);
        });
    }

    /// Lets the models work on the request.
    pub(crate) fn run(self) {
        if self.session.is_busy_untracked() {
            return;
        }
        self.clear();
        let settings = self.settings.get_untracked();
        let used = self.endpoints.get_untracked();
        let [extract, call] =
            self.seats.map(|seat| seated(&seat.get_untracked(), &settings, &used));
        let options = self.options.get_untracked();
        self.household.update(|s| s.done = None);
        let run = self.household.with_untracked(|s| s.run((extract, call), options));
        let ask = match run {
            Ok(ask) => ask,
            Err(message) => return self.session.notice.set(Some(message)),
        };
        let found = RefCell::new(FoundLinks::default());
        let engine = engine_client::knowledge();
        self.session.start(&engine, &ask, "search", move |happening| match happening {
            Happening::Step(step) => self.session.push(step),
            Happening::Event(RunEvent::Own(links)) => _ = found.replace(links),
            Happening::Done(EndedRun { run, case, is_known, .. }) => match case.body.read() {
                Ok(sample) => {
                    let (run, found) = (*run, found.take());
                    let done = FamilyResult { sample, is_scored: is_known, run, found };
                    self.household.update(|s| s.done = Some(done));
                }
                Err(message) => self.session.notice.set(Some(message)),
            },
            _ => {}
        });
    }

    /// The traces of the last request as a file, for `then`.
    fn written(self, then: impl FnOnce(TraceFile) + 'static) {
        let done = self.household.with_untracked(|s| s.done.as_ref().map(record));
        let Some(record) = done else { return };
        spawn_local(async move {
            let engine = engine_client::knowledge();
            match TraceFile::write(engine, "family", vec![record], trace_file::own_format()).await {
                Ok(file) => then(file),
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Offers the traces of the last request as a file.
    pub(crate) fn export(self) {
        self.written(|file| file.save());
    }

    /// Opens the traces of the last request on the page of traces.
    pub(crate) fn open_traces(self) {
        self.written(move |file| self.open.trace(TraceToOpen::File(file)));
    }

    /// The family with what is to be seen of it now.
    pub(crate) fn drawn(self, per_row: usize) -> Drawn {
        let cursor = self.session.cursor.get();
        let mut found =
            self.session.steps.with(|s| s.iter().take(cursor).flat_map(|s| links_of(s)).collect());
        if self.session.steps.with(Vec::is_empty) {
            let method = Method::ALL.iter().position(|m| *m == self.options.get().search.method);
            found = self.by_hand.with(|all| {
                let of = method.and_then(|i| all.get(i));
                of.map(|e| e.extracted.links.clone()).unwrap_or_default()
            });
        }
        let person = self.person.get();
        // What is needed is told once all is found, or where somebody wants to see it.
        let shows = self.shows_gold.get();
        self.household.with(|s| {
            let Some(family) = s.now() else { return Drawn::default() };
            let is_over = s
                .done
                .as_ref()
                .is_some_and(|d| d.is_scored && d.has_searched() && cursor >= d.n_searching());
            let gold = match s.picked() {
                Some(sample) if shows || is_over => sample.links.clone(),
                _ => Vec::new(),
            };
            drawn(family, &Looked { found, gold, person, per_row })
        })
    }
}

//! The left column: which benchmark, which request, who works on it and how.

use leptos::prelude::*;
use protocol::runs::ModelChoice;
use systems::kgetool::{FactSource, Method};
use tasks::family::score::Ruleset;
use tasks::family::{Family, Noise};

use super::facts::FactsPanel;
use super::state::PageState;
use crate::components::form::{Area, Check, Field, Number, Select};
use crate::components::needs_model::NeedsModel;
use crate::components::run_or_stop::RunOrStop;
use crate::services::open_graph::OpenGraph;
use crate::services::{files, keys, policy};
use crate::state::address::Address;
use crate::state::family::{seatable, seated};
use crate::workbench::names::NamesPanel;

#[component]
pub(super) fn LeftColumn(
    state: PageState,
    graph: OpenGraph,
    chooses_model: RwSignal<bool>,
) -> impl IntoView {
    view! {
            <h1>"Family"</h1>
            <p class="lede">
                "A request speaks of somebody's favourite restaurant; only the family's graph knows which that is. One model searches the graph, another calls a tool with what was found."
            </p>
            <RequestForm state/>
            <NeedsModel
                why=Signal::derive(move || {
                    let is_own = state.household.with(|s| s.picked().is_none() && !s.benchmark.families.is_empty());
                    let is_played = state.seats.iter().any(|seat| {
                        let seat = seat.get();
                        state.settings.with(|s| state.endpoints.with(|used| seated(&seat, s, used))).is_script()
                    });
                    (is_own && is_played)
                        .then_some("A script plays a model here, and it knows the requests of the benchmark alone. A request of your own needs a model.")
                })
                chooses_model
            />
            <RunOrStop
                is_busy=Signal::derive(move || state.session.is_busy())
                title="Search and call"
                on_run=Callback::new(move |()| state.run())
                on_stop=Callback::new(move |()| state.session.stop())
            />
            <Seats state/>
            <NamesPanel graph/>
            <FactsPanel state/>
            <BenchmarkForm state/>
    }
}

#[component]
fn RequestForm(state: PageState) -> impl IntoView {
    let families = Signal::derive(move || {
        state.household.with(|s| {
            let names = s.benchmark.families.iter().map(|f| family_name(&f.id)).enumerate();
            names.map(|(i, name)| (i.to_string(), name)).collect()
        })
    });
    let samples = Signal::derive(move || {
        state.household.with(|s| {
            let all = s.benchmark.samples.iter().enumerate();
            let all = all.map(|(i, x)| (i.to_string(), format!("{}. {}", i + 1, x.query)));
            std::iter::once((String::new(), "your own".to_owned())).chain(all).collect()
        })
    });
    let about = move || {
        state.household.with(|s| match s.picked() {
            None if s.benchmark.families.is_empty() => "Making a benchmark…".into(),
            None => "Your own request: nobody knows what is right, so there are no scores.".into(),
            Some(sample) => {
                let mut words = vec![match sample.noise {
                    Some(noise) => Noise::title(noise).to_owned(),
                    None => format!("{} hops", sample.depth).replace("1 hops", "1 hop"),
                }];
                words.push(sample.cell.title().to_owned());
                let level = ["the graph's own words", "synonyms", "a paraphrase"];
                words.extend(level.get(usize::from(sample.level)).map(|w| (*w).to_owned()));
                words.push(format!("{} tools to choose from", sample.candidates.len()));
                words.join(", ")
            }
        })
    };
    let names = move || {
        state.household.with(|s| {
            let of = |f: &Family| f.people().iter().map(|p| (*p).to_owned()).collect::<Vec<_>>();
            s.now().map(of).unwrap_or_default()
        })
    };
    let people = Signal::derive(move || {
        let all = names().into_iter().map(|n| (n.clone(), n));
        std::iter::once((String::new(), "nobody".to_owned())).chain(all).collect()
    });
    let speaker = Signal::derive(move || {
        let speaker = state.household.with(|s| s.speaker.clone());
        if names().contains(&speaker) { speaker } else { String::new() }
    });
    view! {
        <Select
            label="A request of the benchmark"
            testid="request"
            options=samples
            value=Signal::derive(move || {
                state.household.with(|s| s.sample.map(|i| i.to_string()).unwrap_or_default())
            })
            on_change=move |at: String| {
                if let Ok(i) = at.parse() {
                    state.pick(i);
                }
            }
        />
        <Area
            label="What is asked"
            testid="query"
            maxlength="4000"
            value=Signal::derive(move || state.household.with(|s| s.typed.clone()))
            on_input=move |words| state.household.update(|s| s.type_in(words))
        />
        <div class="two">
            <Select
                label="Who speaks"
                testid="speaker"
                options=people
                value=speaker
                on_change=move |name| state.household.update(|s| s.speak_as(name))
            />
            <Select
                label="Whose graph"
                testid="family"
                options=families
                value=Signal::derive(move || state.household.with(|s| s.family.to_string()))
                on_change=move |at: String| {
                    if let Ok(i) = at.parse() {
                        state.look(i);
                    }
                }
            />
        </div>
        <p class="facts" data-testid="about">{about}</p>
    }
}

/// The families of our own benchmark have names that say what is new in them.
fn family_name(id: &str) -> String {
    match id {
        "h0" => "Household 1".into(),
        "h0+" => "Household 1, new relations".into(),
        "h1" => "Household 2".into(),
        "h1+" => "Household 2, new relations".into(),
        "" => "The family".into(),
        other => other.to_owned(),
    }
}

/// Why a model that was chosen may not answer.
fn warning(choice: &ModelChoice) -> Option<&'static str> {
    let ModelChoice::Endpoint { endpoint, .. } = choice else { return None };
    let origin = Address::parse(&endpoint.base_url).ok()?.origin();
    // The switch holds the page to the endpoint that is in use.
    if policy::applied().is_some_and(|allowed| !allowed.contains(&origin)) {
        return Some(
            "\u{201c}Only these endpoints\u{201d} is on, and allows the endpoint in use alone: this one is not asked.",
        );
    }
    let has_key = keys::has(&endpoint.base_url);
    (!has_key && origin.starts_with("https")).then_some("No key for it in this tab.")
}

#[component]
fn Seats(state: PageState) -> impl IntoView {
    let seat = move |i: usize, title: &'static str, name: &'static str| {
        let seat = state.seats[i];
        let choices = Signal::derive(move || {
            let seat = seat.get();
            state.settings.with(|s| state.endpoints.with(|used| seatable(&seat, s, used)))
        });
        let warning = move || {
            let seat = seat.get();
            let choice =
                state.settings.with(|s| state.endpoints.with(|used| seated(&seat, s, used)));
            warning(&choice).map(|words| view! { <p class="seat-warning">{words}</p> })
        };
        view! {
            <Select
                label=title
                testid=name
                options=choices
                value=seat
                on_change=move |who| seat.set(who)
            />
            {warning}
        }
    };
    let options = state.options;
    let methods = Method::ALL.map(|m| {
        let words = match m {
            Method::Exact => "Exact match: find nothing",
            Method::Gs => "Greedy Search: all links there",
            Method::Rr => "Relation Retrieval: similar names",
        };
        (m.name().to_owned(), words.to_owned())
    });
    let methods = methods.to_vec();
    let sources: Vec<_> =
        FactSource::ALL.into_iter().map(|s| (s.name().to_owned(), s.title().to_owned())).collect();
    let modes = [("paper", "as the paper says"), ("compat", "as its public code does")]
        .map(|(name, words)| (name.to_owned(), words.to_owned()))
        .to_vec();
    view! {
        {seat(0, "Who searches", "seat-extract")}
        {seat(1, "Who calls", "seat-call")}
        <p class="quiet-text">
            "Each step can have its own model and endpoint. Choose them one after the other with the model button above; both lists keep them until the page is closed."
        </p>
        <Select
            label="Where a relation is not there"
            testid="method"
            options=Signal::stored(methods)
            value=Signal::derive(move || options.with(|o| o.search.method.name().to_owned()))
            on_change=move |name: String| {
                if let Some(method) = Method::by_name(&name) {
                    options.update(|o| o.search.method = method);
                }
            }
        />
        <details class="how">
            <summary>"Settings"</summary>
            <Select
                label="What the caller receives"
                testid="source"
                options=Signal::stored(sources)
                value=Signal::derive(move || options.with(|o| o.source.name().to_owned()))
                on_change=move |name: String| {
                    if let Some(source) = FactSource::ALL.into_iter().find(|s| s.name() == name) {
                        options.update(|o| o.source = source);
                    }
                }
            />
            <Select
                label="Searches and scores"
                testid="mode"
                options=Signal::stored(modes)
                value=Signal::derive(move || options.with(|o| o.search.mode.name().to_owned()))
                on_change=move |name: String| {
                    let is_compat = name == Ruleset::Compat.name();
                    let mode = if is_compat { Ruleset::Compat } else { Ruleset::Paper };
                    options.update(|o| o.search.mode = mode);
                    state.rules.set(mode);
                }
            />
            <Number
                label="Names that Relation Retrieval tries"
                testid="k"
                min=1.0
                max=10.0
                value=Signal::derive(move || options.with(|o| o.search.k as f64))
                on_change=move |k: f64| options.update(|o| o.search.k = k as usize)
            />
        </details>
    }
}

#[component]
fn BenchmarkForm(state: PageState) -> impl IntoView {
    view! {
        <details>
            <summary>"Another benchmark"</summary>
            <div class="two">
                <Number
                    label="Seed"
                    testid="seed"
                    value=Signal::derive(move || state.seed.get() as f64)
                    on_change=move |n: f64| state.seed.set(n as u64)
                />
                <Number
                    label="Relatives"
                    testid="relatives"
                    min=8.0
                    max=20.0
                    value=Signal::derive(move || state.n_relatives.get() as f64)
                    on_change=move |n: f64| state.n_relatives.set(n as usize)
                />
            </div>
            <Check
                label=|| "Values are ids such as city_0002, which some models take for no values"
                checked=state.is_opaque
                on_change=move |on| state.is_opaque.set(on)
            />
            <div class="actions">
                <button class="ghost" data-testid="generate" on:click=move |_| state.generate(None)>
                    "Make it"
                </button>
                <button class="ghost" data-testid="save" on:click=move |_| state.save()>
                    "Save it as a file"
                </button>
            </div>
            <Field label="Open a file">
                <input
                    type="file"
                    accept=".jsonl,application/x-ndjson"
                    data-testid="open"
                    on:change=move |e| state.take_files(files::chosen(&e))
                />
            </Field>
        </details>
    }
}

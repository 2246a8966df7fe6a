//! The left room: which benchmark, which request, who works on it and how.

use leptos::prelude::*;
use systems::kgetool::scripted::KgScript;
use systems::kgetool::{Method, Source};
use tasks::family::Noise;
use tasks::family::score::Mode;

use super::facts::FactsPanel;
use super::room::FamilyRoom;
use crate::components::run_or_stop::RunOrStop;
use crate::pages::kg::names::NamesPanel;
use crate::pages::kg::state::KgState;
use crate::services::files;
use crate::state::family::ENDPOINT;

/// The panel.
#[component]
pub(super) fn SetupPanel(room: FamilyRoom, knowledge: KgState) -> impl IntoView {
    view! {
        <section class="left" aria-label="Request">
            <h1>"Family"</h1>
            <p class="lede">
                "A request speaks of somebody's favourite restaurant; only the family's graph knows which that is. One model searches the graph, another calls a tool with what was found."
            </p>
            <RequestForm room/>
            <RunOrStop
                is_busy=room.is_busy
                title="Search and call"
                on_run=Callback::new(move |()| room.run())
                on_stop=Callback::new(move |()| room.stop())
            />
            <Seats room/>
            <NamesPanel state=knowledge finds=false/>
            <FactsPanel room/>
            <BenchmarkForm room/>
        </section>
    }
}

#[component]
fn RequestForm(room: FamilyRoom) -> impl IntoView {
    let families = move || {
        room.state.with(|s| {
            let now = s.family;
            let ids = s.benchmark.families.iter().map(|f| family_name(&f.id));
            ids.enumerate()
                .map(|(i, name)| view! { <option value=i selected=i == now>{name}</option> })
                .collect_view()
        })
    };
    let samples = move || {
        room.state.with(|s| {
            let now = s.sample;
            s.benchmark
                .samples
                .iter()
                .enumerate()
                .map(|(i, sample)| {
                    let name = format!("{}. {}", i + 1, sample.query);
                    view! { <option value=i selected=Some(i) == now>{name}</option> }
                })
                .collect_view()
        })
    };
    let about = move || {
        room.state.with(|s| match s.picked() {
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
    let people = move || {
        room.state.with(|s| {
            let speaker = s.speaker.clone();
            let names: Vec<String> = s
                .now()
                .map(|f| f.people().iter().map(|p| (*p).to_owned()).collect())
                .unwrap_or_default();
            let is_known = names.contains(&speaker);
            let nobody = view! { <option value="" selected=!is_known>"nobody"</option> };
            let options = names
                .into_iter()
                .map(|n| {
                    let is_it = n == speaker;
                    view! { <option value=n.clone() selected=is_it>{n.clone()}</option> }
                })
                .collect_view();
            (nobody, options)
        })
    };
    view! {
        <label class="field">
            <span>"A request of the benchmark"</span>
            <select
                data-testid="request"
                on:change=move |e| {
                    if let Ok(i) = event_target_value(&e).parse() {
                        room.pick(i);
                    }
                }
            >
                <option value="" selected=move || room.state.with(|s| s.sample.is_none())>
                    "your own"
                </option>
                {samples}
            </select>
        </label>
        <label class="field">
            <span>"What is asked"</span>
            <textarea
                rows="3"
                maxlength="4000"
                data-testid="query"
                prop:value=move || room.state.with(|s| s.typed.clone())
                on:input=move |e| room.state.update(|s| s.type_in(event_target_value(&e)))
            ></textarea>
        </label>
        <div class="two">
            <label class="field">
                <span>"Who speaks"</span>
                <select
                    data-testid="speaker"
                    on:change=move |e| room.state.update(|s| s.speak_as(event_target_value(&e)))
                >
                    {people}
                </select>
            </label>
            <label class="field">
                <span>"Whose graph"</span>
                <select
                    data-testid="family"
                    on:change=move |e| {
                        if let Ok(i) = event_target_value(&e).parse() {
                            room.look(i);
                        }
                    }
                >
                    {families}
                </select>
            </label>
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

#[component]
fn Seats(room: FamilyRoom) -> impl IntoView {
    let seat = move |i: usize, title: &'static str, name: &'static str| {
        let seat = room.seats[i];
        let scripts = move || {
            let now = seat.get();
            KgScript::ALL
                .into_iter()
                .map(|script| {
                    let (name, title) = (script.name(), script.title());
                    view! { <option value=name selected=now == name>{format!("Script: {title}")}</option> }
                })
                .collect_view()
        };
        let endpoint = move || {
            room.settings.with(|s| {
                s.use_endpoint.then(|| {
                    let words = s.words();
                    view! { <option value=ENDPOINT selected=seat.get() == ENDPOINT>{words}</option> }
                })
            })
        };
        view! {
            <label class="field">
                <span>{title}</span>
                <select data-testid=name on:change=move |e| seat.set(event_target_value(&e))>
                    {endpoint}
                    {scripts}
                </select>
            </label>
        }
    };
    let options = room.options;
    view! {
        {seat(0, "Who searches", "seat-extract")}
        {seat(1, "Who calls", "seat-call")}
        <label class="field">
            <span>"Where a relation is not there"</span>
            <select
                data-testid="method"
                on:change=move |e| {
                    if let Some(method) = Method::by_name(&event_target_value(&e)) {
                        options.update(|o| o.search.method = method);
                    }
                }
            >
                {Method::ALL
                    .into_iter()
                    .map(|m| {
                        let words = match m {
                            Method::Exact => "Exact match: find nothing",
                            Method::Gs => "Greedy Search: all links there",
                            Method::Rr => "Relation Retrieval: like names",
                        };
                        view! {
                            <option
                                value=m.name()
                                selected=move || options.with(|o| o.search.method == m)
                            >
                                {words}
                            </option>
                        }
                    })
                    .collect_view()}
            </select>
        </label>
        <details class="how">
            <summary>"How it goes about it"</summary>
            <label class="field">
                <span>"What the caller is told"</span>
                <select
                    data-testid="source"
                    on:change=move |e| {
                        let name = event_target_value(&e);
                        if let Some(source) = Source::ALL.into_iter().find(|s| s.name() == name) {
                            options.update(|o| o.source = source);
                        }
                    }
                >
                    {Source::ALL
                        .into_iter()
                        .map(|s| {
                            view! {
                                <option value=s.name() selected=move || options.with(|o| o.source == s)>
                                    {s.title()}
                                </option>
                            }
                        })
                        .collect_view()}
                </select>
            </label>
            <label class="field">
                <span>"Searches and scores"</span>
                <select
                    data-testid="mode"
                    on:change=move |e| {
                        let is_compat = event_target_value(&e) == Mode::Compat.name();
                        let mode = if is_compat { Mode::Compat } else { Mode::Paper };
                        options.update(|o| o.search.mode = mode);
                        room.rules.set(mode);
                    }
                >
                    <option value="paper">"as the paper says"</option>
                    <option value="compat">"as its public code does"</option>
                </select>
            </label>
            <label class="field">
                <span>"Names that Relation Retrieval tries"</span>
                <input
                    type="number"
                    min="1"
                    max="10"
                    data-testid="k"
                    prop:value=move || options.with(|o| o.search.k.to_string())
                    on:change=move |e| {
                        if let Ok(k) = event_target_value(&e).parse::<usize>() {
                            options.update(|o| o.search.k = k.clamp(1, 10));
                        }
                    }
                />
            </label>
        </details>
    }
}

#[component]
fn BenchmarkForm(room: FamilyRoom) -> impl IntoView {
    view! {
        <details>
            <summary>"Another benchmark"</summary>
            <div class="two">
                <label class="field">
                    <span>"Seed"</span>
                    <input
                        type="number"
                        min="0"
                        data-testid="seed"
                        prop:value=move || room.seed.get().to_string()
                        on:change=move |e| {
                            if let Ok(n) = event_target_value(&e).parse() {
                                room.seed.set(n);
                            }
                        }
                    />
                </label>
                <label class="field">
                    <span>"Relatives"</span>
                    <input
                        type="number"
                        min="8"
                        max="20"
                        data-testid="relatives"
                        prop:value=move || room.n_relatives.get().to_string()
                        on:change=move |e| {
                            if let Ok(n) = event_target_value(&e).parse::<usize>() {
                                room.n_relatives.set(n.clamp(8, 20));
                                room.n_relatives.notify();
                            }
                        }
                    />
                </label>
            </div>
            <label class="choice small">
                <input
                    type="checkbox"
                    prop:checked=move || room.is_opaque.get()
                    on:change=move |e| room.is_opaque.set(event_target_checked(&e))
                />
                "Values are ids such as city_0002, which some models take for no values"
            </label>
            <div class="actions">
                <button class="ghost" data-testid="generate" on:click=move |_| room.generate(None)>
                    "Make it"
                </button>
                <button class="ghost" data-testid="save" on:click=move |_| room.save()>
                    "Save it as a file"
                </button>
            </div>
            <label class="field">
                <span>"Open a file"</span>
                <input
                    type="file"
                    accept=".jsonl,application/x-ndjson"
                    data-testid="open"
                    on:change=move |e| room.take_files(files::chosen(&e))
                />
            </label>
        </details>
    }
}

//! The left column: which graph, which question, who answers, and how.

use leptos::prelude::*;
use protocol::kg::{KgSource, KgView};
use systems::kgqa::scripted::KgScript;
use systems::kgqa::{KgOptions, PlanForm, SYSTEMS, asks_stores};

use super::opening::WORDNET;
use super::questions::QuestionChoice;
use super::state::{OWN, PageState};
use super::store::StoreChoice;
use crate::components::form::{Check, Number, Select};
use crate::components::needs_model::NeedsModel;
use crate::components::notice::Notice;
use crate::services::files;
use crate::state::numbers::grouped;
use crate::state::settings::ModelSettings;
use crate::workbench::names::NamesPanel;
use crate::workbench::role::RoleSelect;
use crate::workbench::share::ShareButton;

#[component]
pub(super) fn LeftColumn(state: PageState, chooses_model: RwSignal<bool>) -> impl IntoView {
    let on_share = Callback::new(move |sharing: crate::workbench::share::Sharing| {
        match state.href() {
            Some(href) => sharing.readable(&href),
            None => state.session.notice.set(Some(
                "A link holds no files of your own: share the file, and whoever has it drops it on this page.".into(),
            )),
        }
    });
    view! {
        <Notice
            message=state.session.notice
            on_again=Callback::new(move |()| state.open_again())
        />
        <h1>"GraphRunner"</h1>
        <p class="lede">
            "A question about a knowledge graph: the model plans, the plan is verified before anything runs, then executed, then answered."
        </p>
        <GraphChoice state/>
        <QuestionChoice state/>
        <NeedsModel
            why=Signal::derive(move || match (state.needs_model(), state.plays_own()) {
                (false, _) => None,
                (true, true) => Some("Our own small model learned to plan in the words of the list. In other words, it is likely to fail."),
                (true, false) => Some("A script plays the model here. It knows the questions of the list and others in the same words; any other question needs a model, or a plan by hand."),
            })
            chooses_model
        />
        <h2>"Answer it"</h2>
        <div class="actions">
            {SYSTEMS
                .iter()
                .enumerate()
                .map(|(i, system)| {
                    let id = system.id;
                    // The first is what the page is about, the others are what it is held against.
                    let is_first = i == 0;
                    let class = if is_first { "run" } else { "ghost" };
                    view! {
                        <button
                            class=class
                            title=move || {
                                if state.suits(id) {
                                    system.lede.to_owned()
                                } else {
                                    format!("Our own small model cannot run {}: choose a larger model.", system.title)
                                }
                            }
                            data-testid=format!("run-{id}")
                            disabled=move || {
                                !state.suits(id) || state.graph.view.with(|v| {
                                    v.as_ref().is_none_or(|v| v.store.is_some() && !asks_stores(system.id))
                                })
                                    || state.session.busy.with(|b| b.as_ref().is_some_and(|b| b != id))
                            }
                            on:click=move |_| state.run(id)
                        >
                            {move || {
                                if state.session.busy.with(|b| b.as_deref() == Some(id)) {
                                    "Stop".to_owned()
                                } else if is_first {
                                    format!("Run {}", system.title)
                                } else {
                                    system.title.to_owned()
                                }
                            }}
                        </button>
                    }
                })
                .collect_view()}
        </div>
        <Scripts state/>
        <Choices state/>
        <NamesPanel
            graph=state.graph
            find=Signal::derive(move || state.options.with(|o| o.find))
        />
        <ByHand state/>
        <ShareButton on_share/>
    }
}

#[component]
fn GraphChoice(state: PageState) -> impl IntoView {
    let metro = move || match state.graph.source.get() {
        KgSource::Metro { n_lines, seed } => Some((n_lines, seed)),
        _ => None,
    };
    let town = move || match state.graph.source.get() {
        KgSource::Town { seed } => Some(seed),
        _ => None,
    };
    let tiny = move || match state.graph.source.get() {
        KgSource::Tiny { seed } => Some(seed),
        _ => None,
    };
    let open = move |n_lines: usize, seed: u64| state.open_metro(n_lines, seed, None);
    let title = move || match state.graph.source.get() {
        KgSource::Files { title, .. } => title,
        KgSource::Store { place, .. } => place.url,
        KgSource::Town { seed } => format!("town:{seed}"),
        KgSource::Metro { .. } | KgSource::Tiny { .. } => String::new(),
    };
    let now = move || match title() {
        _ if metro().is_some() => "metro".to_owned(),
        _ if tiny().is_some() => "tiny".to_owned(),
        _ if town().is_some() => "town".to_owned(),
        own if own == WORDNET => "wordnet".to_owned(),
        _ => "own".to_owned(),
    };
    let graphs = Signal::derive(move || {
        let mut list = vec![
            ("tiny".to_owned(), "A tiny graph with made-up types".to_owned()),
            ("metro".to_owned(), "A generated metro network".to_owned()),
            ("town".to_owned(), "A generated town, with texts".to_owned()),
            ("wordnet".to_owned(), "WordNet's most used nouns (370 KB)".to_owned()),
        ];
        if now() == "own" {
            list.push(("own".to_owned(), title()));
        }
        list
    });
    view! {
        <div class="heading">
            <h2>"Graph"</h2>
            <label class="quiet file-button">
                "Open files…"
                <input
                    type="file"
                    multiple
                    data-testid="kg-files"
                    accept=".jsonl,.ndjson,.tsv,.csv,.txt,.nt,.ttl,.graphml,.json,.gz"
                    on:change=move |e| state.open_files(files::chosen(&e))
                />
            </label>
        </div>
        <Show when=move || metro().is_some()>
            <div class="pair">
                <Number
                    label="Lines"
                    testid="kg-lines"
                    min=2.0
                    max=16.0
                    value=Signal::derive(move || metro().map_or(8, |m| m.0) as f64)
                    on_change=move |n: f64| open(n as usize, metro().map_or(1, |m| m.1))
                />
                <Number
                    label="Seed"
                    testid="kg-seed"
                    value=Signal::derive(move || metro().map_or(1, |m| m.1) as f64)
                    on_change=move |seed: f64| open(metro().map_or(8, |m| m.0), seed as u64)
                />
            </div>
        </Show>
        <Show when=move || tiny().is_some()>
            <Number
                label="Seed"
                testid="kg-tiny-seed"
                value=Signal::derive(move || tiny().unwrap_or(1) as f64)
                on_change=move |seed: f64| state.open_tiny(seed as u64, None)
            />
        </Show>
        <Show when=move || town().is_some()>
            <Number
                label="Seed"
                testid="kg-town-seed"
                value=Signal::derive(move || town().unwrap_or(1) as f64)
                on_change=move |seed: f64| state.open_town(seed as u64, None)
            />
        </Show>
        <Select
            label="Which graph"
            bare=true
            testid="kg-graph"
            options=graphs
            value=Signal::derive(now)
            on_change=move |name: String| match name.as_str() {
                "metro" => open(8, 1),
                "tiny" => state.open_tiny(1, None),
                "town" => state.open_town(1, None),
                "wordnet" => state.open_wordnet(),
                _ => {}
            }
        />
        {move || {
            if state.graph.opening.get() {
                return view! { <p class="facts" role="status">"Opening the graph…"</p> }.into_any();
            }
            state.graph.view.get().map_or_else(|| ().into_any(), |v| summary(state, &v))
        }}
        <StoreChoice state/>
    }
}

/// Formats that the graph can be saved in, with their names for people.
const FORMATS: [(&str, &str); 7] = [
    ("jsonl", "JSON lines"),
    ("tsv", "triples, TSV"),
    ("csv", "triples, CSV"),
    ("graphml", "GraphML"),
    ("grbench", "GRBench's JSON"),
    ("ntriples", "N-Triples"),
    ("turtle", "Turtle"),
];

/// Saving the graph.
fn more(state: PageState) -> impl IntoView {
    let all = FORMATS.iter().map(|(id, title)| ((*id).to_owned(), (*title).to_owned()));
    let formats: Vec<_> = std::iter::once((String::new(), "as…".to_owned())).chain(all).collect();
    view! {
        <Select
            label="Save the graph"
            testid="kg-save"
            options=Signal::stored(formats)
            value=""
            on_change=move |format: String| {
                if !format.is_empty() {
                    state.save(&format);
                }
            }
        />
    }
}

fn summary(state: PageState, view: &KgView) -> AnyView {
    let count = |n: usize, one: &str| match n {
        1 => format!("1 {one}"),
        _ => format!("{} {one}s", grouped(n)),
    };
    let [nodes, edges] = [count(view.n_nodes, "node"), count(view.n_edges, "edge")];
    let took = match view.took_ms {
        ms if ms < 1_000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", ms / 1e3),
    };
    let figures = if let Some(store) = &view.store {
        let title = &view.title;
        format!(
            "{title}: {nodes} and {edges} stay in the store ({store}); its schema came in {took}"
        )
    } else {
        let memory = match view.memory {
            bytes if bytes < 1_000_000 => format!("{:.0} KB", bytes as f64 / 1e3),
            bytes => format!("{:.1} MB", bytes as f64 / 1e6),
        };
        format!("{}: {nodes}, {edges}, {memory}, opened in {took}", view.title)
    };
    let label = |name: &str| view.labels.get(name).map_or(name, String::as_str).to_owned();
    let name = |i: kg::NodeTypeIx| label(&view.schema.node_type(i).name);
    let types = view
        .schema
        .node_types()
        .iter()
        .zip(&view.samples)
        .take(100)
        .map(|(t, names)| {
            let known = if t.attributes.is_empty() {
                String::new()
            } else {
                format!(" with {}", t.attributes.join(", "))
            };
            view! {
                <li>
                    <b title=t.name.clone()>{label(&t.name)}</b>
                    {format!(" {}{known}", t.n_nodes)}
                    {(!names.is_empty()).then(|| format!(": {}", names.join(", ")))}
                    {(t.n_nodes > names.len() && !names.is_empty()).then_some(", …")}
                </li>
            }
        })
        .collect_view();
    let edges = view
        .schema
        .edge_types()
        .iter()
        .take(200)
        .map(|e| {
            let ends: Vec<String> = e
                .ends
                .iter()
                .take(6)
                .map(|x| format!("{} → {}", name(x.from), name(x.to)))
                .collect();
            view! {
                <li>
                    <b title=e.name.clone()>{label(&e.name)}</b>
                    {format!(" {}: {}", e.n_edges, ends.join(", "))}
                </li>
            }
        })
        .collect_view();
    let faults = (view.n_faults > 0).then(|| {
        let list = view.faults.iter().map(|f| view! { <li>{f.clone()}</li> }).collect_view();
        view! {
            <details class="kg-faults" open data-testid="kg-faults">
                <summary>{format!("{} lines could not be read; the others are open", view.n_faults)}</summary>
                <ul>{list}</ul>
            </details>
        }
    });
    view! {
        <p class="facts" data-testid="kg-figures">{figures}</p>
        {faults}
        <div data-testid="kg-notes">
            {view.notes.iter().map(|note| view! { <p class="quiet-text">{note.clone()}</p> }).collect_view()}
        </div>
        <details>
            <summary>"Types and edges"</summary>
            <ul class="kg-types">{types}</ul>
            <ul class="kg-types">{edges}</ul>
            {more(state)}
        </details>
    }
    .into_any()
}

/// Which script plays the model, where no endpoint is in use.
#[component]
fn Scripts(state: PageState) -> impl IntoView {
    let names = Signal::derive(move || {
        if state.plays_own() {
            return vec![(OWN.to_owned(), "Our own small model, for GraphRunner".to_owned())];
        }
        KgScript::names()
    });
    view! {
        <Show
            when=move || !state.settings.with(ModelSettings::is_brought)
            fallback=move || {
                view! { <p class="facts">{move || format!("Model: {}", state.settings.with(|s| s.words()))}</p> }
            }
        >
            <Select
                label="Model"
                testid="kg-script"
                options=names
                value=state.script
                on_change=move |name| state.choose(name)
            />
        </Show>
    }
}

/// A yes or no among the options.
fn tick(
    state: PageState,
    id: &'static str,
    title: &'static str,
    get: fn(&KgOptions) -> bool,
    set: fn(&mut KgOptions, bool),
) -> impl IntoView {
    view! {
        <Check
            label=move || title
            testid=id
            checked=Signal::derive(move || state.options.with(get))
            on_change=move |on| state.options.update(|o| set(o, on))
        />
    }
}

#[component]
fn Choices(state: PageState) -> impl IntoView {
    let forms = [
        ("json", "JSON", PlanForm::Json),
        ("tool", "a tool call", PlanForm::Tool),
        ("paper", "the paper's form", PlanForm::Paper),
    ];
    let ways = [("both", "both ways"), ("out", "as they point")]
        .map(|(value, words)| (value.to_owned(), words.to_owned()))
        .to_vec();
    view! {
        <details class="how" data-testid="kg-choices">
            <summary>"Run settings"</summary>
            {tick(state, "kg-verify", "Verify the plan before it runs", |o| o.verify, |o, on| o.verify = on)}
            {tick(state, "kg-data", "Verify it on the data too", |o| o.check_data, |o, on| o.check_data = on)}
            {tick(
                state,
                "kg-extensions",
                "Actions beyond the paper: count, attribute, filter, most common, argmax, path",
                |o| o.semantics.extensions,
                |o, on| o.semantics.extensions = on,
            )}
            {tick(
                state,
                "kg-nearest",
                "Several hops stop at the nearest nodes of the type",
                |o| o.semantics.nearest,
                |o, on| o.semantics.nearest = on,
            )}
            {tick(
                state,
                "kg-sets",
                "An entry of Find_Common_Nodes may be several nodes",
                |o| o.semantics.set_entries,
                |o, on| o.semantics.set_entries = on,
            )}
            <Select
                label="Edges are followed"
                options=Signal::stored(ways)
                value=Signal::derive(move || {
                    let is_out = state.options.with(|o| o.semantics.direction == kg::Direction::Out);
                    if is_out { "out" } else { "both" }.to_owned()
                })
                on_change=move |way: String| {
                    let to = if way == "out" { kg::Direction::Out } else { kg::Direction::Both };
                    state.options.update(|o| o.semantics.direction = to);
                }
            />
            <Select
                label="The plan comes as"
                testid="kg-form"
                options=Signal::stored(forms.map(|(v, t, _)| (v.to_owned(), t.to_owned())).to_vec())
                value=Signal::derive(move || {
                    let now = state.options.with(|o| o.form);
                    forms.iter().find(|f| f.2 == now).map_or("", |f| f.0).to_owned()
                })
                on_change=move |value: String| {
                    if let Some((_, _, form)) = forms.iter().find(|(v, ..)| *v == value) {
                        state.options.update(|o| o.form = *form);
                    }
                }
            />
            {number(state, "Most hops", 1.0, 10.0, |o| o.semantics.max_hops as f64, |o, n| o.semantics.max_hops = n as usize)}
            {number(state, "Repairs at most", 0.0, 10.0, |o| f64::from(o.max_repairs), |o, n| o.max_repairs = n as u32)}
            <Theta state/>
            <RoleSelect
                label="Judge (GPT4Score)"
                testid="kg-judge"
                settings=state.settings
                scripts=vec![("script".to_owned(), "a script that knows the rules".to_owned())]
                nobody="nobody"
                value=state.judge
                on_change=Callback::new(move |judge| state.judge.set(judge))
                on_problem=Callback::new(move |why| state.session.notice.set(Some(why)))
            />
            <p class="quiet-text">
                "A judge reads each answer beside the right one, and says yes or no. Choose its model with the model button above, choose it here, then choose the model that answers."
            </p>
        </details>
    }
}

/// The threshold, which is the measure's own where none is set.
#[component]
fn Theta(state: PageState) -> impl IntoView {
    let own = move || f64::from(state.graph.similarity.measure.with(|m| m.threshold));
    let set = move || state.options.with(|o| o.find.theta);
    view! {
        <Number
            label="Similarity threshold θ"
            testid="kg-theta"
            max=1.0
            step="0.05"
            value=Signal::derive(move || {
                let now = set().map_or_else(own, f64::from);
                (now * 100.0).round() / 100.0
            })
            on_change=move |n: f64| state.options.update(|o| o.find.theta = Some(n as f32))
        />
        <p class="facts" data-testid="kg-theta-own">
            {move || {
                let own = format!("{:.2}", own());
                let by = state.graph.similarity.measure.with(|m| m.label.clone());
                match set() {
                    None => format!("The threshold of {by}."),
                    Some(_) => format!("Set by you; {by} has {own}. "),
                }
            }}
            <Show when=move || set().is_some()>
                <button
                    class="link"
                    data-testid="kg-theta-reset"
                    on:click=move |_| state.options.update(|o| o.find.theta = None)
                >
                    "Use that"
                </button>
            </Show>
        </p>
    }
}

fn number(
    state: PageState,
    title: &'static str,
    least: f64,
    most: f64,
    get: fn(&KgOptions) -> f64,
    set: fn(&mut KgOptions, f64),
) -> impl IntoView {
    view! {
        <Number
            label=title
            min=least
            max=most
            step=if most <= 1.0 { "0.05" } else { "1" }
            value=Signal::derive(move || (state.options.with(get) * 100.0).round() / 100.0)
            on_change=move |n| state.options.update(|o| set(o, n))
        />
    }
}

/// A plan of a person's own.
#[component]
fn ByHand(state: PageState) -> impl IntoView {
    let example = "Find_Node[Amber Line, Line]\nFetch_Neighbors[s1, stops_at]";
    view! {
        <details class="how" data-testid="kg-by-hand">
            <summary>"Write the plan yourself"</summary>
            <textarea
                rows="4"
                class="machine-in"
                spellcheck="false"
                aria-label="The plan"
                placeholder=example
                data-testid="kg-plan"
                prop:value=move || state.plan.get()
                on:input=move |e| state.plan.set(event_target_value(&e))
            ></textarea>
            <p class="quiet-text">
                "A line a step, or JSON. With a plan here GraphRunner runs it in the model's place; the answer is the model's."
            </p>
            <button class="quiet" data-testid="kg-check" on:click=move |_| state.check()>
                "Verify it"
            </button>
            {move || {
                state
                    .checked
                    .get()
                    .map(|checked| match checked {
                        Err(message) => {
                            view! { <p class="report no" data-testid="kg-checked">{message}</p> }.into_any()
                        }
                        Ok(checked) => {
                            let list: Vec<trace::Finding> = checked
                                .findings
                                .iter()
                                .map(|f| trace::Finding {
                                    rule: f.rule.as_str().to_owned(),
                                    at: f.step.clone(),
                                    is_error: f.severity == kg::plan::Severity::Error,
                                    message: f.message.clone(),
                                    options: Vec::new(),
                                })
                                .collect();
                            view! {
                                <div data-testid="kg-checked">
                                    <pre class="machine">{checked.printed}</pre>
                                    {crate::components::findings::findings_view("plan", &list)}
                                </div>
                            }
                                .into_any()
                        }
                    })
            }}
        </details>
    }
}

//! How the runs are made: prompts, options of the experiment, samples and limits.

use leptos::prelude::*;
use protocol::bench::BenchSpec;
use serde_json::Value;

use super::super::state::PageState;
use super::chosen;
use crate::components::form::{Check, Number, OptionalNumber, Select, Text, named};
use crate::state::bench_options::{self, OptionField};
use crate::state::how::{STYLES, WORDINGS};

/// A number of the spec.
fn number(
    state: PageState,
    label: &'static str,
    id: &'static str,
    min: f64,
    max: f64,
    get: fn(&BenchSpec) -> f64,
    set: fn(&mut BenchSpec, f64),
) -> impl IntoView {
    view! {
        <Number
            label
            testid=id
            min
            max
            value=Signal::derive(move || state.spec.with(get))
            on_change=move |n| state.spec.update(|s| set(s, n))
        />
    }
}

/// A number of the spec that may be left out.
fn optional(
    state: PageState,
    label: &'static str,
    id: &'static str,
    placeholder: &'static str,
    get: fn(&BenchSpec) -> Option<f64>,
    set: fn(&mut BenchSpec, Option<f64>),
) -> impl IntoView {
    view! {
        <OptionalNumber
            label
            testid=id
            placeholder
            value=Signal::derive(move || state.spec.with(get))
            on_change=move |n| state.spec.update(|s| set(s, n))
        />
    }
}

/// One of a list of things that have names.
fn choice<T: Copy + PartialEq + Send + Sync + 'static>(
    state: PageState,
    label: &'static str,
    list: &'static [(T, &'static str)],
    get: fn(&BenchSpec) -> T,
    set: fn(&mut BenchSpec, T),
) -> impl IntoView {
    let place = move || {
        let now = state.spec.with(get);
        list.iter().position(|(t, _)| *t == now).unwrap_or(0).to_string()
    };
    view! {
        <Select
            label
            options=Signal::stored(named(list))
            value=Signal::derive(place)
            on_change=move |at: String| {
                if let Some((thing, _)) = at.parse().ok().and_then(|i: usize| list.get(i)) {
                    state.spec.update(|s| set(s, *thing));
                }
            }
        />
    }
}

/// What every run of the benchmark has in common.
#[component]
pub(super) fn How(state: PageState) -> impl IntoView {
    let is_nlgraph = move || state.spec.with(|s| s.experiment == "nlgraph");
    let most = f64::from(u32::MAX);
    view! {
        <h3>"Run settings"</h3>
        <Show when=is_nlgraph>
            {choice(state, "Wording", &WORDINGS, |s| s.wording, |s, v| s.wording = v)}
            {choice(state, "Prompt", &STYLES, |s| s.style, |s, v| s.style = v)}
        </Show>
        <div class="bench-numbers">
            {number(state, "Votes per run", "bench-votes", 1.0, most, |s| f64::from(s.votes), |s, v| s.votes = v as u32)}
            {number(state, "Samples per case", "bench-samples", 1.0, most, |s| f64::from(s.n_samples), |s, v| s.n_samples = v as u32)}
            {number(state, "Runs at once", "bench-concurrency", 1.0, 64.0, |s| s.concurrency as f64, |s, v| s.concurrency = v as usize)}
            {optional(state, "Temperature", "bench-temperature", "not set", |s| s.temperature, |s, v| s.temperature = v)}
            <Show when=is_nlgraph>
                {optional(state, "Tools sent", "bench-tools", "all", |s| s.n_tools.map(|n| n as f64), |s, v| s.n_tools = v.map(|v| v as usize))}
            </Show>
            {optional(state, "Stop at tokens", "bench-max-tokens", "no limit", |s| s.budget.max_tokens.map(|n| n as f64), |s, v| s.budget.max_tokens = v.map(|v| v as u64))}
            {optional(state, "Stop at dollars", "bench-max-dollars", "no limit", |s| s.budget.max_dollars, |s, v| s.budget.max_dollars = v)}
        </div>
        <Show when=is_nlgraph>
            <Check
                label=|| "Attach the graph to the question"
                testid="bench-attach"
                checked=Signal::derive(move || state.spec.with(|s| s.attach))
                on_change=move |on| state.spec.update(|s| s.attach = on)
            />
        </Show>
        <Show when=move || !is_nlgraph()>
            <Options state/>
        </Show>
    }
}

/// A field for each option that the chosen systems have.
#[component]
fn Options(state: PageState) -> impl IntoView {
    // By the systems alone: a field must not be made anew while a person types in it.
    let fields = Memo::new(move |_| {
        let ids = state.spec.with(|s| s.systems.clone());
        let systems = chosen(state).map(|e| e.systems).unwrap_or_default();
        let of: Vec<(String, Value)> = systems
            .into_iter()
            .filter(|s| ids.contains(&s.id))
            .map(|s| (s.title, s.options))
            .collect();
        (bench_options::fields(&of), of.len())
    });
    let is_changed = move || state.spec.with(|s| !s.options.is_null());
    let group = move |(whose, fields): (String, Vec<OptionField>)| {
        let rows = fields.into_iter().map(|field| view! { <OneOption state field/> });
        view! {
            {(!whose.is_empty()).then(|| view! { <h4>{format!("Only {whose}")}</h4> })}
            <div class="bench-numbers">{rows.collect_view()}</div>
        }
    };
    let groups = move || {
        let (fields, n_systems) = fields.get();
        bench_options::groups(fields, n_systems).into_iter().map(group).collect_view()
    };
    view! {
        <Show when=move || fields.with(|(f, _)| !f.is_empty())>
            <details class="bench-options" data-testid="bench-options">
                <summary>
                    {move || if is_changed() { "Options (changed)" } else { "Options" }}
                </summary>
                <p class="quiet-text">"An empty field stands for the usual value, which it shows."</p>
                {groups}
            </details>
        </Show>
    }
}

/// One option, by its kind.
#[component]
fn OneOption(state: PageState, field: OptionField) -> impl IntoView {
    let path = field.path.clone();
    let testid = format!("bench-option-{path}");
    let set = {
        let path = path.clone();
        move |value: Option<Value>| {
            state.spec.update(|s| bench_options::put(&mut s.options, &path, value));
        }
    };
    let now = move || {
        state.spec.with(|s| {
            bench_options::get(&s.options, &path).map(bench_options::written).unwrap_or_default()
        })
    };
    let label = field.label();
    if let Value::Bool(usual) = field.usual {
        let words = |b: bool| if b { "yes" } else { "no" };
        let options = vec![
            (String::new(), format!("usual: {}", words(usual))),
            ("true".to_owned(), "yes".to_owned()),
            ("false".to_owned(), "no".to_owned()),
        ];
        return view! {
            <Select
                label
                testid
                options=Signal::stored(options)
                value=Signal::derive(now)
                on_change=move |name: String| set(name.parse().ok().map(Value::Bool))
            />
        }
        .into_any();
    }
    let typed = RwSignal::new(untrack(now));
    let fault = RwSignal::new(None);
    view! {
        <Text
            label
            testid
            placeholder=field.placeholder()
            value=typed
            fault
            on_input=move |text: String| {
                match field.read(&text) {
                    Ok(value) => {
                        fault.set(None);
                        set(value);
                    }
                    // The setup keeps the last value that could be read.
                    Err(why) => fault.set(Some(why)),
                }
                typed.set(text);
            }
        />
    }
    .into_any()
}

//! How the runs are made: prompts, options of the experiment, samples and limits.

use leptos::prelude::*;
use protocol::bench::BenchSpec;
use serde_json::Value;

use super::super::state::PageState;
use super::chosen;
use crate::components::form::{Number, OptionalNumber, Select, Text};
use crate::state::bench_options::{self, OptionField};

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

/// What every run of the benchmark has in common.
#[component]
pub(super) fn How(state: PageState) -> impl IntoView {
    let most = f64::from(u32::MAX);
    view! {
        <h3>"Run settings"</h3>
        <div class="bench-numbers">
            {number(state, "Votes per run", "bench-votes", 1.0, most, |s| f64::from(s.votes), |s, v| s.votes = v as u32)}
            {number(state, "Samples per case", "bench-samples", 1.0, most, |s| f64::from(s.n_samples), |s, v| s.n_samples = v as u32)}
            {number(state, "Runs at once", "bench-concurrency", 1.0, 64.0, |s| s.concurrency as f64, |s, v| s.concurrency = v as usize)}
            {optional(state, "Temperature", "bench-temperature", "not set", |s| s.temperature, |s, v| s.temperature = v)}
            {optional(state, "Stop at tokens", "bench-max-tokens", "no limit", |s| s.budget.max_tokens.map(|n| n as f64), |s, v| s.budget.max_tokens = v.map(|v| v as u64))}
            {optional(state, "Stop at dollars", "bench-max-dollars", "no limit", |s| s.budget.max_dollars, |s, v| s.budget.max_dollars = v)}
        </div>
        <Options state/>
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
    let known = chosen(state).and_then(|mut e| e.choices.remove(&field.path)).unwrap_or_default();
    let choices = match field.usual {
        Value::Bool(_) => vec![(true.into(), "yes".into()), (false.into(), "no".into())],
        _ => known,
    };
    if !choices.is_empty() {
        let usual = choices.iter().find(|(value, _)| *value == field.usual);
        let usual = format!("usual: {}", usual.map_or("", |(_, name): &(Value, String)| name));
        let named = choices.iter().map(|(value, name)| (value.to_string(), name.clone()));
        let options = [(String::new(), usual)].into_iter().chain(named).collect();
        let value = {
            let path = field.path.clone();
            move || {
                let text = |v: &Value| v.to_string();
                state
                    .spec
                    .with(|s| bench_options::get(&s.options, &path).map(text).unwrap_or_default())
            }
        };
        return view! {
            <Select
                label
                testid
                options=Signal::stored(options)
                value=Signal::derive(value)
                on_change=move |text: String| set(serde_json::from_str(&text).ok())
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

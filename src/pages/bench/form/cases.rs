//! The cases of a benchmark: generated ones, or files.

use leptos::prelude::*;
use protocol::bench::BenchSpec;

use super::super::state::PageState;
use super::super::take_files;
use super::{ALL, chosen, toggle};
use crate::components::form::{Check, Number, Text};
use crate::services::files;

/// Boxes for the members of a list of which any may be chosen; `all` stands for all of them.
fn boxes(
    state: PageState,
    names: Vec<String>,
    all: Vec<String>,
    get: fn(&mut BenchSpec) -> &mut Vec<String>,
) -> impl IntoView {
    let order = names.clone();
    let of = move |name: String| {
        let (shown, all, order) = (name.replace('_', " "), all.clone(), order.clone());
        let is_in = {
            let (name, all) = (name.clone(), all.clone());
            move || {
                let mut spec = state.spec.get();
                get(&mut spec).iter().any(|n| *n == name || (n == ALL && all.contains(&name)))
            }
        };
        let change = move |is_in: bool| {
            state.spec.update(|s| {
                let list = get(s);
                if list.iter().any(|n| n == ALL) {
                    list.clone_from(&all);
                }
                toggle(list, name.clone(), is_in);
                list.sort_by_key(|n| order.iter().position(|a| a == n));
            });
        };
        view! {
            <Check label=move || shown.clone() checked=Signal::derive(is_in) on_change=change/>
        }
    };
    names.into_iter().map(of).collect_view()
}

/// Which cases, and how many.
#[component]
pub(super) fn Cases(state: PageState, has_runs: Memo<bool>) -> impl IntoView {
    let groups = move || {
        let of = chosen(state).map(|e| (e.groups, e.all_groups)).unwrap_or_default();
        boxes(state, of.0, of.1, |s| &mut s.groups)
    };
    let levels = move || {
        let names = chosen(state).map(|e| e.levels).unwrap_or_default();
        boxes(state, names.clone(), names, |s| &mut s.levels)
    };
    let world = move || {
        let usual = chosen(state).map(|e| e.world).filter(|w| !w.is_empty())?;
        Some(view! {
            <Text
                label="Graph"
                testid="bench-world"
                placeholder=usual
                value=Signal::derive(move || state.spec.with(|s| s.world.clone()))
                on_input=move |typed| state.spec.update(|s| s.world = typed)
            />
        })
    };
    let from_files = move || state.spec.with(|s| !s.files.is_empty());
    let listed = move || {
        let of = |(name, text): &(String, String)| {
            let words = format!("{name}, {:.1} KB", text.len() as f64 / 1e3);
            view! { <p class="quiet-text">{words}</p> }
        };
        state.spec.with(|s| s.files.iter().map(of).collect_view())
    };
    view! {
        <h3>"Cases"</h3>
        <Show when=move || has_runs.get()>
            <p class="quiet-text">"The cases are fixed: this benchmark already has runs on them."</p>
        </Show>
        <fieldset disabled=move || has_runs.get() || from_files()>
            <div class="bench-ticks">{groups}</div>
            <div class="bench-ticks">{levels}</div>
            {world}
            <div class="bench-numbers">
                <Number
                    label="Problems per task and level"
                    testid="bench-n"
                    min=1.0
                    value=Signal::derive(move || state.spec.with(|s| s.n as f64))
                    on_change=move |n: f64| state.spec.update(|s| s.n = n as usize)
                />
                <Number
                    label="First seed"
                    testid="bench-seed"
                    value=Signal::derive(move || state.spec.with(|s| s.seed as f64))
                    on_change=move |n: f64| state.spec.update(|s| s.seed = n as u64)
                />
            </div>
        </fieldset>
        <label class="file-button">
            "Or use files of cases…"
            <input
                type="file"
                multiple
                accept=".json,.jsonl"
                data-testid="bench-problems"
                prop:disabled=move || has_runs.get()
                on:change=move |e| take_files(state, files::chosen(&e))
            />
        </label>
        {listed}
    }
}

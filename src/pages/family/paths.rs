//! The relation paths: what became of each hop by each method, side by side; and searches by hand.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use systems::kgetool::{Extraction, Method};

use super::state::PageState;
use crate::components::form::Area;
use crate::state::family::hop_rows;

#[component]
pub(super) fn PathsPanel(state: PageState) -> impl IntoView {
    let by_method = move || {
        let done = state.household.with(|s| s.done.as_ref().map(|d| d.found.by_method.clone()));
        done.filter(|all| !all.is_empty()).unwrap_or_else(|| state.by_hand.get())
    };
    let typed = RwSignal::new(String::new());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        state.search(typed.get_untracked());
    };
    let example = move || {
        state.household.with(|s| {
            let speaker = if s.speaker.is_empty() { "Ada".to_owned() } else { s.speaker.clone() };
            format!("KG.search(start=\"{speaker}\", path=[\"mother\", \"best_restaurant\"])")
        })
    };
    view! {
        <div class="paths">
            {move || {
                let all = by_method();
                let used = state.options.with(|o| o.search.method);
                if all.iter().any(|e| !e.found.is_empty() || !e.unread.is_empty()) {
                    view! { <Hops all used/> }.into_any()
                } else {
                    ().into_any()
                }
            }}
            <details>
                <summary>"Search by hand"</summary>
                <form on:submit=submit>
                    <Area
                        label="As a model would write it"
                        testid="by-hand"
                        rows=2
                        maxlength="4000"
                        placeholder=Signal::derive(example)
                        value=typed
                        on_input=move |words| typed.set(words)
                    />
                    <button class="ghost" data-testid="search">
                        "Search by each method"
                    </button>
                </form>
            </details>
        </div>
    }
}

#[component]
fn Hops(all: Vec<Extraction>, used: Method) -> impl IntoView {
    let is_used = move |i: usize| Method::ALL.get(i) == Some(&used);
    let heads = Method::ALL
        .into_iter()
        .enumerate()
        .map(|(i, m)| {
            let words =
                if is_used(i) { format!("{}, in use", m.title()) } else { m.title().into() };
            view! { <th scope="col" class:used=is_used(i)>{words}</th> }
        })
        .collect_view();
    let rows = hop_rows(&all)
        .into_iter()
        .map(|(search, relation, texts)| {
            let cells = texts
                .into_iter()
                .enumerate()
                .map(|(i, text)| {
                    let tone = match text.split(' ').next() {
                        Some("matched") => "ok",
                        Some("not") => "no",
                        _ => "half",
                    };
                    view! { <td class=tone class:used=is_used(i)>{text}</td> }
                })
                .collect_view();
            let start = all.first().and_then(|e| e.found.get(search - 1));
            let start = start.map(|f| f.search.start.clone()).unwrap_or_default();
            view! {
                <tr>
                    <th scope="row">
                        <small>{format!("{search}. from {start}")}</small>
                        <code>{relation}</code>
                    </th>
                    {cells}
                </tr>
            }
        })
        .collect_view();
    let sums = all
        .iter()
        .enumerate()
        .map(|(i, e)| {
            let (n, bad) = (e.extracted.links.len(), if e.extracted.is_marked { ", marked bad" } else { "" });
            view! { <td class:used=is_used(i)>{format!("{n} links{bad}").replace("1 links", "1 link")}</td> }
        })
        .collect_view();
    let unread = all.first().map(|e| e.unread.clone()).unwrap_or_default();
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label="Paths">
            <table class="hops" data-testid="hops">
                <caption>"What became of each hop"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Relation"</th>
                        {heads}
                    </tr>
                </thead>
                <tbody>
                    {rows}
                    <tr>
                        <th scope="row">"found"</th>
                        {sums}
                    </tr>
                </tbody>
            </table>
        </div>
        {unread
            .into_iter()
            .map(|why| view! { <p class="err">{format!("A search could not be read: {why}")}</p> })
            .collect_view()}
    }
}

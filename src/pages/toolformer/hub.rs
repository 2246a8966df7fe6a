//! What is at hand: data sets and models, and how to come by the others.

use leptos::prelude::*;
use protocol::toolformer::{DataView, ModelView};
use systems::toolformer::data::Profile;

use super::state::PageState;
use crate::services::files;
use crate::state::toolformer::{BESIDE, Beside};

#[component]
pub(super) fn HubPanel(state: PageState) -> impl IntoView {
    let here = move || {
        let all = state.hub.get().datasets;
        all.into_iter().filter(|d| d.profile.is_some()).map(data_view).collect_view()
    };
    let away = move || {
        let all = state.hub.get().datasets;
        all.into_iter().filter(|d| d.profile.is_none()).map(data_view).collect_view()
    };
    let models = move || state.hub.get().models.into_iter().map(model_view).collect_view();
    let writers = move || state.hub.get().writers.into_iter().map(writer_view).collect_view();
    view! {
        <section class="hub" data-testid="hub" aria-label="Data and models">
            <h2>"Data and models"</h2>
            <p role="status" class="quiet-text" data-testid="taken">
                {move || match (state.loading.get(), state.taken.get()) {
                    (Some(name), _) => format!("Loading {name}…"),
                    (None, Some(words)) => words,
                    (None, None) => String::new(),
                }}
            </p>
            <ul class="beside-files">
                {BESIDE.iter().map(|b| view! { <Load state beside=b/> }).collect_view()}
            </ul>
            <label class="file-button">
                "Open data or weights…"
                <input
                    type="file"
                    multiple=true
                    accept=".jsonl,.gz,.safetensors"
                    data-testid="open"
                    on:change=move |e| state.take_files(files::chosen(&e))
                />
            </label>
            <p class="quiet-text">
                "Or drop them on the page: a pack that " <code>"graphground data pack"</code>
                " wrote, weights that " <code>"graphground train"</code> " wrote."
            </p>
            <details>
                <summary>"Loaded"</summary>
                <ul>{here}</ul>
            </details>
            <details>
                <summary>"Can be loaded"</summary>
                <ul>{away}</ul>
            </details>
            <details>
                <summary>"Models"</summary>
                <ul>{models}</ul>
            </details>
            <details>
                <summary>"Language models that write"</summary>
                <p class="quiet-text">
                    "They write the statement, and no call asks one; choose one under “Who writes the statement”."
                </p>
                <ul data-testid="writers">{writers}</ul>
            </details>
        </section>
    }
}

fn writer_view((id, title, lede): (String, String, String)) -> impl IntoView {
    view! {
        <li data-testid=format!("writer-{id}")>
            <b>{title}</b>
            <p class="quiet-text">{lede}</p>
        </li>
    }
}

/// Something that lies beside the page.
#[component]
fn Load(state: PageState, beside: &'static Beside) -> impl IntoView {
    view! {
        <li>
            <button
                class="quiet"
                data-testid=format!("load-{}", beside.id)
                disabled=move || state.loading.with(Option::is_some)
                on:click=move |_| state.take_beside(beside)
            >
                {format!("Load {}", beside.title)}
            </button>
            <span class="quiet-text">{beside.lede}</span>
            {move || {
                let report = state.report(beside.model, beside.id)?;
                let testid = format!("figure-{}", beside.id);
                let caveat = report.caveat().map(|words| format!(" {words} {}", beside.note));
                Some(view! { <p class="quiet-text" data-testid=testid>{report.words()} "." {caveat}</p> })
            }}
        </li>
    }
}

fn data_view(data: DataView) -> impl IntoView {
    let size = data.profile.map_or_else(|| data.source.clone(), sizes);
    view! {
        <li>
            <code>{data.id}</code>
            " "
            <b>{data.title}</b>
            <p class="quiet-text">{data.lede} " " {size}</p>
        </li>
    }
}

fn sizes(profile: Profile) -> String {
    let Profile { n_graphs, n_nodes, n_links, .. } = profile;
    let graphs = if n_graphs > 1 { format!("{n_graphs} graphs, ") } else { String::new() };
    format!("{graphs}{n_nodes} nodes, {n_links} links.")
}

fn model_view(model: ModelView) -> impl IntoView {
    let words = if model.is_ready {
        "Works without training.".to_owned()
    } else if model.trained_on.is_empty() {
        format!("Not here: {}.", model.source)
    } else {
        format!("Trained on {}.", model.trained_on.join(", "))
    };
    view! {
        <li data-testid=format!("model-{}", model.id)>
            <b>{model.title}</b>
            <p class="quiet-text">{model.lede} " " {words}</p>
            <p class="quiet-text">
                <code>{model.functions.join(", ")}</code>
            </p>
        </li>
    }
}

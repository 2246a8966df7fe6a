//! The left room: the statement, who writes it, statements to try, and what is at hand.

use engine::toolformer::{Example, TaskFamily};
use leptos::prelude::*;
use systems::toolformer::Mode;
use systems::toolformer::scripted::WriterScript;

use super::hub::HubPanel;
use super::room::ToolformerRoom;
use crate::components::notice::Notice;
use crate::state::toolformer::{ENDPOINT, PERSON};

/// The room.
#[component]
pub(super) fn SetupPanel(room: ToolformerRoom) -> impl IntoView {
    view! {
        <section class="left" aria-label="Statement">
            <Notice message=room.notice/>
            <h1>"Graph-ToolFormer"</h1>
            <p class="lede">
                "A sentence with calls of graph tools in it. Each call loads data, asks a model about them, and gives way to what it found."
            </p>
            <Writer room/>
            <label class="field wide">
                <span>
                    {move || {
                        if room.writer.with(|w| w == PERSON) {
                            "The statement, with its calls in brackets"
                        } else {
                            "A question, or a statement with [TBR] where the result is to stand"
                        }
                    }}
                </span>
                <textarea
                    rows="5"
                    maxlength="20000"
                    spellcheck="false"
                    data-testid="input"
                    prop:value=move || room.input.get()
                    on:input=move |e| room.input.set(event_target_value(&e))
                ></textarea>
            </label>
            <div class="actions">
                {move || {
                    if room.is_busy.get() {
                        view! {
                            <button class="ghost" data-testid="stop" on:click=move |_| room.stop()>
                                "Stop"
                            </button>
                        }
                            .into_any()
                    } else {
                        view! {
                            <button
                                class="run"
                                data-testid="run"
                                disabled=move || room.input.with(|t| t.trim().is_empty())
                                on:click=move |_| room.start()
                            >
                                {move || {
                                    if room.writer.with(|w| w == PERSON) {
                                        "Run the calls"
                                    } else {
                                        "Write and run"
                                    }
                                }}
                            </button>
                        }
                            .into_any()
                    }
                }}
            </div>
            <Gallery room/>
            <HubPanel room/>
        </section>
    }
}

#[component]
fn Writer(room: ToolformerRoom) -> impl IntoView {
    let option = move |value: String, words: String| {
        let is_it = {
            let value = value.clone();
            move || room.writer.with(|w| *w == value)
        };
        view! { <option value=value selected=is_it>{words}</option> }
    };
    let scripts =
        WriterScript::names().into_iter().map(|(name, title)| option(name, title)).collect_view();
    let endpoint = move || {
        room.settings.with(|s| s.use_endpoint.then(|| option(ENDPOINT.to_owned(), s.words())))
    };
    view! {
        <label class="field wide">
            <span>"Who writes the statement"</span>
            <select
                data-testid="writer"
                on:change=move |e| room.writer.set(event_target_value(&e))
            >
                {option(PERSON.to_owned(), "I do".to_owned())}
                {endpoint}
                {scripts}
            </select>
        </label>
        <details class="how">
            <summary>"How calls are read and run"</summary>
            <label class="field wide">
                <span>"By whose rules"</span>
                <select
                    data-testid="mode"
                    on:change=move |e| {
                        let is_reference = event_target_value(&e) == "reference";
                        room.mode.set(if is_reference { Mode::Reference } else { Mode::Ours });
                    }
                >
                    <option value="ours">"ours: what the paper says works"</option>
                    <option value="reference">"the paper's public code; what it cannot do is an error"</option>
                </select>
            </label>
        </details>
    }
}

/// Statements to try, by kind of reasoning.
#[component]
fn Gallery(room: ToolformerRoom) -> impl IntoView {
    let families = move || {
        room.gallery
            .get()
            .into_iter()
            .enumerate()
            .map(|(i, family)| view! { <Family room family is_open={i == 0}/> })
            .collect_view()
    };
    view! {
        <section class="gallery" data-testid="gallery" aria-label="Statements to try">
            <h2>"Statements to try"</h2>
            {families}
            <button
                class="quiet"
                data-testid="others"
                on:click=move |_| room.examples(room.seed.get_untracked() + 1)
            >
                "Others"
            </button>
        </section>
    }
}

#[component]
fn Family(room: ToolformerRoom, family: TaskFamily, is_open: bool) -> impl IntoView {
    let TaskFamily { task, title, lede, examples } = family;
    let none = examples.is_empty();
    view! {
        <details open=is_open data-testid=format!("family-{task}")>
            <summary>{title}</summary>
            <p class="quiet-text">{lede}</p>
            {none
                .then(|| {
                    view! {
                        <p class="quiet-text">
                            "No data for it are at hand; load some under “Data and models”."
                        </p>
                    }
                })}
            <ul>
                {examples
                    .into_iter()
                    .map(|example| view! { <Try room example/> })
                    .collect_view()}
            </ul>
        </details>
    }
}

#[component]
fn Try(room: ToolformerRoom, example: Example) -> impl IntoView {
    let Example { function, dataset, question, statement, truth } = example;
    let asked = question.clone();
    let by_script = move |_| {
        let writer = room.writer.get_untracked();
        let careful = WriterScript::Careful.name();
        let keeps = writer != PERSON;
        room.try_it(asked.clone(), (!keeps).then_some(&careful));
    };
    view! {
        <li>
            <p>{question}</p>
            <p class="quiet-text">
                <code>{function.clone()}</code>
                {format!(" on {dataset}")}
                {truth.map(|t| format!("; true is {t}"))}
            </p>
            <div class="actions">
                <button
                    class="quiet"
                    data-testid=format!("try-{function}")
                    on:click=move |_| room.try_it(statement.clone(), Some(PERSON))
                >
                    "Run its statement"
                </button>
                <button class="quiet" data-testid=format!("ask-{function}") on:click=by_script>
                    "Have it written"
                </button>
            </div>
        </li>
    }
}

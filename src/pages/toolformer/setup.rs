//! The left room: the statement, who writes it, statements to try, and what is at hand.

use engine::toolformer::{Example, TaskFamily};
use leptos::prelude::*;
use systems::toolformer::Mode;
use systems::toolformer::scripted::WriterScript;

use super::hub::HubPanel;
use super::room::ToolformerRoom;
use crate::components::notice::Notice;
use crate::components::run_or_stop::RunOrStop;
use crate::services::screen;
use crate::state::toolformer::{ENDPOINT, PERSON, rounded, told};

/// The room.
#[component]
pub(super) fn SetupPanel(room: ToolformerRoom) -> impl IntoView {
    view! {
        <section class="left" aria-label="Statement">
            <Notice message=room.notice on_again=Callback::new(move |()| room.open_again())/>
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
                    on:input=move |e| room.say(event_target_value(&e))
                ></textarea>
            </label>
            <ReadSoFar room/>
            <RunOrStop
                is_busy=room.is_busy
                title=Signal::derive(move || {
                    if room.writer.with(|w| w == PERSON) { "Run the calls" } else { "Write and run" }
                        .to_owned()
                })
                disabled=Signal::derive(move || room.input.with(|t| t.trim().is_empty()))
                on_run=Callback::new(move |()| room.start())
                on_stop=Callback::new(move |()| room.stop())
            />
            <Rules room/>
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
                on:change=move |e| room.seat(event_target_value(&e))
            >
                {option(PERSON.to_owned(), "I do".to_owned())}
                {endpoint}
                {scripts}
            </select>
        </label>
    }
}

/// What could be read of the statement while it is typed.
#[component]
fn ReadSoFar(room: ToolformerRoom) -> impl IntoView {
    let told = Memo::new(move |_| {
        let is_person = room.writer.with(|w| w == PERSON);
        room.read.with(|pieces| (is_person && !pieces.is_empty()).then(|| told(pieces)))
    });
    view! {
        <p
            class="read-so-far"
            class:fault=move || told.with(|t| t.as_ref().is_some_and(|t| t.0))
            role="status"
            data-testid="read"
        >
            {move || told.get().map(|t| t.1)}
        </p>
    }
}

/// By whose rules calls are read and run.
#[component]
fn Rules(room: ToolformerRoom) -> impl IntoView {
    view! {
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
            .map(|(i, family)| {
                // On a phone an open list would stand between the statement and its drawing.
                let is_open = i == 0 && !screen::is_narrow();
                view! { <Family room family is_open/> }
            })
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
            <button
                class="try-it"
                title="Run its statement"
                data-testid=format!("try-{function}")
                on:click=move |_| room.try_it(statement.clone(), Some(PERSON))
            >
                {question}
            </button>
            <p class="quiet-text">
                <code>{function.clone()}</code>
                {format!(" on {dataset}")}
                {truth.map(|t| format!("; true is {}", rounded(&t)))}
            </p>
            <button
                class="quiet ask"
                title="Have a script, or the model in use, write the statement"
                data-testid=format!("ask-{function}")
                on:click=by_script
            >
                "Have it written"
            </button>
        </li>
    }
}

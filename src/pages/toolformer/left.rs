//! The left column: the statement, who writes it, statements to try, and what is at hand.

use std::collections::BTreeMap;

use leptos::prelude::*;
use protocol::toolformer::{StatementExample, TaskFamily};
use systems::toolformer::Mode;
use systems::toolformer::scripted::WriterScript;

use super::hub::HubPanel;
use super::state::PageState;
use crate::components::form::{Area, Select};
use crate::components::notice::Notice;
use crate::components::run_or_stop::RunOrStop;
use crate::services::screen;
use crate::state::settings::Who;
use crate::state::toolformer::{Beside, ENDPOINT, PERSON, describe, rounded};

#[component]
pub(super) fn LeftColumn(state: PageState) -> impl IntoView {
    view! {
            <Notice message=state.session.notice on_again=Callback::new(move |()| state.open_again())/>
            <h1>"Graph-ToolFormer"</h1>
            <p class="lede">
                "A sentence with calls of graph tools in it. Each call loads data and asks a model about it, and the result replaces the call."
            </p>
            <Writer state/>
            <Area
                label=Signal::derive(move || {
                    if state.writer.with(|w| w == PERSON) {
                        "The statement, with its calls in brackets"
                    } else {
                        "A question, or a statement with [TBR] where the result is to stand"
                    }
                        .to_owned()
                })
                testid="input"
                rows=5
                maxlength="20000"
                value=state.input
                on_input=move |words| state.say(words)
            />
            <ReadSoFar state/>
            <RunOrStop
                is_busy=Signal::derive(move || state.session.is_busy())
                title=Signal::derive(move || {
                    if state.writer.with(|w| w == PERSON) { "Run the calls" } else { "Write and run" }
                        .to_owned()
                })
                disabled=Signal::derive(move || state.input.with(|t| t.trim().is_empty()))
                on_run=Callback::new(move |()| state.start())
                on_stop=Callback::new(move |()| state.session.stop())
            />
            <Rules state/>
            <Gallery state/>
            <Prompts state/>
            <HubPanel state/>
    }
}

#[component]
fn Writer(state: PageState) -> impl IntoView {
    let options = Signal::derive(move || {
        let endpoint = state.settings.with(|s| (s.who != Who::Script).then(|| s.words()));
        let endpoint = endpoint.map(|words| (ENDPOINT.to_owned(), words));
        let person = (PERSON.to_owned(), "I do".to_owned());
        std::iter::once(person).chain(endpoint).chain(WriterScript::names()).collect()
    });
    view! {
        <Select
            label="Who writes the statement"
            testid="writer"
            options
            value=state.writer
            on_change=move |who| state.seat(who)
        />
    }
}

/// What could be read of the statement while it is typed.
#[component]
fn ReadSoFar(state: PageState) -> impl IntoView {
    let told = Memo::new(move |_| {
        let is_person = state.writer.with(|w| w == PERSON);
        state.read.with(|pieces| (is_person && !pieces.is_empty()).then(|| describe(pieces)))
    });
    view! {
        <p
            class="read-so-far"
            class:fault=move || state.loading.with(Option::is_none) && told.with(|t| t.as_ref().is_some_and(|t| t.0))
            role="status"
            data-testid="read"
        >
            {move || match state.loading.get() {
                Some(name) => Some(format!("Loading {name}…")),
                None => told.get().map(|t| t.1),
            }}
        </p>
    }
}

/// By whose rules calls are read and run.
#[component]
fn Rules(state: PageState) -> impl IntoView {
    let rules = [
        ("ours", "ours: what the paper says works"),
        ("reference", "the paper's public code; what it cannot do is an error"),
    ]
    .map(|(name, words)| (name.to_owned(), words.to_owned()))
    .to_vec();
    view! {
        <details class="how">
            <summary>"How calls are read and run"</summary>
            <Select
                label="By whose rules"
                testid="mode"
                options=Signal::stored(rules)
                value=Signal::derive(move || {
                    let is_ours = state.mode.with(|m| *m == Mode::Ours);
                    if is_ours { "ours" } else { "reference" }.to_owned()
                })
                on_change=move |name: String| {
                    let is_reference = name == "reference";
                    state.mode.set(if is_reference { Mode::Reference } else { Mode::Ours });
                }
            />
        </details>
    }
}

/// Statements to try, by kind of reasoning.
#[component]
fn Gallery(state: PageState) -> impl IntoView {
    // What a person opened stays open when the statements are made anew, as they are with each model
    // that is loaded. On a phone an open list would stand between the statement and its drawing.
    let toggled = StoredValue::new(BTreeMap::<String, bool>::new());
    let families = move || {
        state
            .gallery
            .get()
            .into_iter()
            .enumerate()
            .map(|(i, family)| {
                let is_open = toggled
                    .with_value(|t| t.get(&family.task).copied())
                    .unwrap_or(i == 0 && !screen::is_narrow());
                view! { <Family state family is_open toggled/> }
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
                on:click=move |_| state.examples(state.seed.get_untracked() + 1)
            >
                "Others"
            </button>
        </section>
    }
}

/// Prompts that show what kinds of calls there are, task by task.
#[component]
fn Prompts(state: PageState) -> impl IntoView {
    let toggled = StoredValue::new(BTreeMap::<String, bool>::new());
    let families = move || {
        let all = state.prompts.get().into_iter().map(|family| {
            let is_open = toggled.with_value(|t| t.get(&family.task).copied()).unwrap_or(false);
            view! { <Family state family is_open toggled/> }
        });
        all.collect_view()
    };
    view! {
        <section class="gallery" data-testid="prompts" aria-label="Kinds of calls">
            <h2>"Kinds of calls"</h2>
            <p class="quiet-text">
                "What the prompts of Graph-ToolFormer teach a model, in sentences of our own. Press one to run its calls."
            </p>
            {families}
        </section>
    }
}

#[component]
fn Family(
    state: PageState,
    family: TaskFamily,
    is_open: bool,
    /// What a person opened and closed, by the id of the family.
    toggled: StoredValue<BTreeMap<String, bool>>,
) -> impl IntoView {
    let TaskFamily { task, title, lede, examples } = family;
    let none = examples.is_empty();
    view! {
        <details
            open=is_open
            data-testid=format!("family-{task}")
            on:toggle=move |e| {
                let open = event_target::<web_sys::HtmlDetailsElement>(&e).open();
                toggled.update_value(|t| {
                    t.insert(task.clone(), open);
                });
            }
        >
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
                    .map(|example| view! { <Try state example/> })
                    .collect_view()}
            </ul>
        </details>
    }
}

#[component]
fn Try(state: PageState, example: StatementExample) -> impl IntoView {
    let StatementExample { function, dataset, question, statement, truth, teaches } = example;
    let needs = Beside::answering(&dataset, &statement);
    let asks = statement.clone();
    let held_out = move || {
        let report = needs.and_then(|b| state.report(b.model, b.id))?;
        Some(match report.is_held_out(&asks)? {
            true => "; held out of the training",
            false => "; seen in the training",
        })
    };
    let asked = question.clone();
    let by_script = move |_| {
        let writer = state.writer.get_untracked();
        let careful = WriterScript::Careful.name();
        let keeps = writer != PERSON;
        state.try_it(asked.clone(), (!keeps).then_some(&careful));
    };
    view! {
        <li>
            <button
                class="try-it"
                title="Run its statement"
                data-testid=format!("try-{function}")
                on:click=move |_| state.try_it(statement.clone(), Some(PERSON))
            >
                {question}
            </button>
            <p class="quiet-text">
                {match teaches {
                    Some(teaches) => view! { {teaches} }.into_any(),
                    None => {
                        view! {
                            <code>{function.clone()}</code>
                            {format!(" on {dataset}")}
                        }
                            .into_any()
                    }
                }}
                {truth.map(|t| format!("; true is {}", rounded(&t)))}
                <span data-testid=format!("held-out-{function}")>{held_out}</span>
            </p>
            <button
                class="quiet ask"
                title="Have a script, or the model in use, write the statement"
                data-testid=format!("ask-{function}")
                on:click=by_script
            >
                "Let the model write it"
            </button>
        </li>
    }
}

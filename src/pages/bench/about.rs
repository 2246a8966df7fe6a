//! What the report of a benchmark says of itself: who made it, when, how it is cited.

use leptos::prelude::*;

use super::state::PageState;
use crate::components::form::{Area, Text};
use crate::workbench::copy::CopyButton;

/// Who made it and what for, under the title.
#[component]
pub(super) fn AboutLine(state: PageState) -> impl IntoView {
    move || {
        state.open_id().map(|_| {
            let about = state.about.get();
            let description = about.description.trim().to_owned();
            view! {
                {about.byline().map(|line| view! { <p class="bench-by" data-testid="bench-by">{line}</p> })}
                {(!description.is_empty()).then(|| view! { <p class="bench-what">{description}</p> })}
            }
        })
    }
}

/// The fields, and the entry by which others cite it.
#[component]
pub(super) fn AboutForm(state: PageState) -> impl IntoView {
    let keep = Callback::new(move |()| state.keep_about());
    let type_in = move |change: &dyn Fn(&mut eval::About)| {
        state.about.update(change);
        state.keep_about_soon();
    };
    let citation = move || {
        let title = state.title.get();
        let about = eval::About { title, ..state.about.get() };
        about.citation().map(|entry| {
            view! {
                <div class="bench-cite">
                    <h3>"How others cite it" <CopyButton what="the citation" text=entry.clone()/></h3>
                    <pre class="machine" tabindex="0" data-testid="citation">{entry}</pre>
                </div>
            }
        })
    };
    let wrong_address = Signal::derive(move || {
        let about = state.about.get();
        (!about.address.trim().is_empty() && about.link().is_none())
            .then(|| "Begin it with https://, or leave it out.".to_owned())
    });
    view! {
        <section aria-label="About this report" class="bench-about">
            <h2>"About this report"</h2>
            <p class="quiet-text">
                "The page that you save says this above its figures."
            </p>
            <div class="bench-about-fields">
                <Text
                    label="Title"
                    testid="about-title"
                    maxlength="120"
                    value=state.title
                    on_input=move |typed| {
                        state.title.set(typed);
                        state.keep_about_soon();
                    }
                    on_change=keep
                />
                <Text
                    label="Authors, with semicolons between them"
                    testid="about-authors"
                    maxlength="400"
                    value=Signal::derive(move || state.about.with(|a| a.authors.clone()))
                    on_input=move |typed| type_in(&|a| a.authors.clone_from(&typed))
                    on_change=keep
                />
                <Text
                    label="Date"
                    kind="date"
                    testid="about-date"
                    value=Signal::derive(move || state.about.with(|a| a.date.clone()))
                    on_input=move |typed| type_in(&|a| a.date.clone_from(&typed))
                    on_change=keep
                />
                <Text
                    label="Address where it will stand"
                    kind="url"
                    testid="about-address"
                    maxlength="300"
                    placeholder=Signal::stored("https://…".to_owned())
                    fault=wrong_address
                    value=Signal::derive(move || state.about.with(|a| a.address.clone()))
                    on_input=move |typed| type_in(&|a| a.address.clone_from(&typed))
                    on_change=keep
                />
            </div>
            <Area
                label="Description"
                testid="about-description"
                maxlength="4000"
                placeholder=Signal::stored("What was asked, and how to read the figures.".to_owned())
                value=Signal::derive(move || state.about.with(|a| a.description.clone()))
                on_input=move |typed| type_in(&|a| a.description.clone_from(&typed))
                on_change=keep
            />
            {citation}
        </section>
    }
}

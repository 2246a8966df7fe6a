//! What a person writes about a run: tags, a note on the whole of it, a note on the step at the cursor.

use leptos::prelude::*;

use super::state::PageState;

/// Tags and a note on the run that is shown.
#[component]
pub(super) fn RunNotes(state: PageState) -> impl IntoView {
    let notes = Memo::new(move |_| state.entry().map(|e| e.notes).unwrap_or_default());
    view! {
        <Show when=move || state.current.with(Option::is_some)>
            <details class="run-notes" data-testid="run-notes">
                <summary>"Notes and tags"</summary>
                <label>
                    "Tags, with commas between them"
                    <input
                        type="text"
                        data-testid="tags"
                        maxlength="400"
                        placeholder="invented edge, for the paper"
                        prop:value=move || notes.with(|n| n.tags.join(", "))
                        on:change=move |e| {
                            let typed = event_target_value(&e);
                            state.note(|notes| notes.set_tags(&typed));
                        }
                    />
                </label>
                <label>
                    "Note on this run"
                    <textarea
                        rows="3"
                        maxlength="4000"
                        data-testid="run-note"
                        prop:value=move || notes.with(|n| n.run.clone())
                        on:change=move |e| {
                            let typed = event_target_value(&e);
                            state.note(|notes| notes.run = typed);
                        }
                    ></textarea>
                </label>
                <p class="quiet-text">
                    "What you write is kept in this browser with the trace: after a reload both are under “Kept runs”, and a file that is opened again gets its notes back. They are in every file and link of the trace, too."
                </p>
            </details>
        </Show>
    }
}

/// A note on the step at the cursor.
#[component]
pub(super) fn StepNote(state: PageState, step: usize) -> impl IntoView {
    let words = Memo::new(move |_| {
        state.entry().and_then(|e| e.notes.steps.get(&(step + 1)).cloned()).unwrap_or_default()
    });
    view! {
        <details class="step-note" open=words.with_untracked(|w| !w.is_empty())>
            <summary>"Note on this step"</summary>
            <textarea
                rows="2"
                maxlength="4000"
                aria-label="Note on this step"
                data-testid="step-note"
                prop:value=move || words.get()
                on:change=move |e| {
                    let typed = event_target_value(&e);
                    state.note(|notes| notes.set_step(step + 1, &typed));
                }
            ></textarea>
        </details>
    }
}

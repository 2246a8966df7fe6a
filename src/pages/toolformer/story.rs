//! The right column: the working memory, and what was done.

use leptos::prelude::*;

use super::state::PageState;
use crate::components::transcript::Transcript;

#[component]
pub(super) fn StoryColumn(state: PageState) -> impl IntoView {
    view! {
            <Memory state/>
            <Show when=move || state.run.with(Option::is_some)>
                <div class="exports">
                    <button class="quiet" data-testid="export" on:click=move |_| state.export()>
                        "Save the trace"
                    </button>
                    <button class="quiet" data-testid="to-traces" on:click=move |_| state.open_trace()>
                        "Open it in Traces"
                    </button>
                </div>
            </Show>
            <Transcript
                steps=state.session.steps
                cursor=state.session.cursor
                playing=state.session.playing
                on_seek=Callback::new(move |k| state.session.cursor.set(k))
            />
    }
}

/// What was loaded and found of late, the oldest first.
#[component]
fn Memory(state: PageState) -> impl IntoView {
    let memory = Memo::new(move |_| state.memory_now());
    view! {
        <section class="memory" data-testid="memory" aria-label="Working memory">
            <h2>"Working memory"</h2>
            <p class="quiet-text">
                {move || match memory.with(Vec::len) {
                    0 => "Empty. It holds the last ten things that were loaded or found.".to_owned(),
                    n => format!("{n} of 10; the oldest goes first."),
                }}
            </p>
            <ol>
                {move || {
                    memory
                        .get()
                        .into_iter()
                        .map(|entry| {
                            let hits = match entry.n_hits {
                                0 => None,
                                1 => Some("used again once".to_owned()),
                                n => Some(format!("used again {n} times")),
                            };
                            view! {
                                <li>
                                    <code>{entry.key}</code>
                                    <span>{entry.value}</span>
                                    {hits.map(|words| view! { <em>{words}</em> })}
                                </li>
                            }
                        })
                        .collect_view()
                }}
            </ol>
            <Show when=move || memory.with(|m| !m.is_empty())>
                <button class="quiet" data-testid="forget" on:click=move |_| state.forget()>
                    "Forget all of it"
                </button>
            </Show>
        </section>
    }
}

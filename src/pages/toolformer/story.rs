//! The right room: the working memory, and what was done.

use leptos::prelude::*;

use super::room::ToolformerRoom;
use crate::components::transcript::Transcript;

/// The room.
#[component]
pub(super) fn StoryPanel(room: ToolformerRoom) -> impl IntoView {
    let steps = Signal::derive(move || match room.run.get() {
        Some(ran) => ran.steps,
        None => room.steps.get(),
    });
    view! {
        <section class="right" aria-label="Memory and steps">
            <Memory room/>
            <Show when=move || room.run.with(Option::is_some)>
                <div class="exports">
                    <button class="quiet" data-testid="export" on:click=move |_| room.export()>
                        "Save the trace"
                    </button>
                    <button class="quiet" data-testid="to-traces" on:click=move |_| room.open_trace()>
                        "Open it in Traces"
                    </button>
                </div>
            </Show>
            <Transcript
                steps
                cursor=room.cursor
                on_seek=Callback::new(move |k| room.cursor.set(k))
            />
        </section>
    }
}

/// What was loaded and found of late, the oldest first.
#[component]
fn Memory(room: ToolformerRoom) -> impl IntoView {
    let memory = Memo::new(move |_| room.memory_now());
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
                <button class="quiet" data-testid="forget" on:click=move |_| room.forget()>
                    "Forget all of it"
                </button>
            </Show>
        </section>
    }
}

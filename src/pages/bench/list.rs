//! The benchmarks that this browser keeps.

use leptos::prelude::*;
use protocol::bench::BenchSpec;

use super::state::PageState;
use super::take_files;
use crate::services::files;
use crate::state::bench::name;
use crate::state::numbers::{grouped, plural};
use crate::state::settings::ModelSettings;

/// The list, with a way to begin one.
#[component]
pub(super) fn List(state: PageState, settings: RwSignal<ModelSettings>) -> impl IntoView {
    let rows = move || {
        let list = state.list.get();
        if list.is_empty() {
            return view! {
                <p class="quiet-text" data-testid="bench-none">
                    "None of your own yet. Begin one, or open what the command line or another browser made: a runs file, or results on knowledge graphs and families."
                </p>
            }
            .into_any();
        }
        let rows: Vec<AnyView> = list
            .into_iter()
            .map(|meta| {
                let (id, n) = (meta.id, meta.n_runs);
                let title = name(&meta.title).to_owned();
                let words = if meta.n_jobs > n {
                    format!("{} of {} runs", grouped(n), grouped(meta.n_jobs))
                } else {
                    plural(n, "run")
                };
                let label = format!("Delete {title}");
                view! {
                    <li>
                        <button class="open" on:click=move |_| state.open_kept(meta.clone())>
                            <b>{title}</b>
                            <small>{words}</small>
                        </button>
                        <button class="quiet" aria-label=label on:click=move |_| state.delete(id)>
                            "Delete"
                        </button>
                    </li>
                }
                .into_any()
            })
            .collect();
        view! { <ul class="bench-list">{rows}</ul> }.into_any()
    };
    view! {
        <section aria-label="Kept benchmarks">
            <div class="bench-act">
                <button class="run" data-testid="bench-new" on:click=move |_| {
                    state.begin();
                    // Until a person has chosen others, the model in use is what is measured.
                    let usual = BenchSpec::default();
                    state.spec.update(|s| {
                        if s.experiment == usual.experiment && s.models == usual.models {
                            s.models = vec![settings.with_untracked(ModelSettings::choice)];
                        }
                    });
                }>
                    "New benchmark"
                </button>
                <label class="file-button">
                    "Open a file of runs, results or problems…"
                    <input
                        type="file"
                        multiple
                        accept=".jsonl,.json"
                        data-testid="bench-file"
                        on:change=move |e| take_files(state, files::chosen(&e))
                    />
                </label>
            </div>
            {rows}
        </section>
    }
}

//! Pasting a question, dropping a file.

use graph::formats::TableColumns;
use leptos::html::Dialog;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::exact::Exact;
use protocol::problem::{MOST_EDGES, ReadProblem, ReadReply};
use web_sys::File;

use super::state::PageState;
use crate::components::columns_dialog::ColumnsDialog;
use crate::components::form::{Area, Field};
use crate::components::ready_graphs::ReadyGraphs;
use crate::services::{engine_client, files};
use crate::shell::Shell;

/// Dropped files: one question or graph is shown here, a file of problems opens the Dataset page.
pub(super) fn take_files(shell: Shell, state: PageState, list: Vec<File>) {
    let datasets = list.len() > 1 || list.first().is_some_and(|f| f.name().ends_with(".json"));
    let Some(first) = list.first().cloned() else { return };
    spawn_local(async move {
        if datasets {
            // A node-link graph is JSON too: the start of the file tells.
            let start = first.slice_with_i32_and_i32(0, 400).ok();
            let head = match start {
                Some(blob) => wasm_bindgen_futures::JsFuture::from(blob.text()).await.ok(),
                None => None,
            };
            let head = head.and_then(|h| h.as_string()).unwrap_or_default();
            if list.len() > 1 || head.contains("\"question\"") {
                shell.open.files(list);
                return;
            }
        }
        if let Some(message) = too_many_rows(&first).await {
            return state.open.notice.set(Some(message));
        }
        match files::text_and_guess(&first).await {
            Ok((text, encoding)) => {
                state.open.encoding.set_value(encoding);
                state.open.read(text, || {});
            }
            Err(message) => state.open.notice.set(Some(message)),
        }
    });
}

/// Why a large table or list of edges is not read, as far as its beginning shows how many there are.
async fn too_many_rows(file: &File) -> Option<String> {
    const LARGE: f64 = 5e6;
    const HEAD: i32 = 65_536;
    if file.size() < LARGE {
        return None;
    }
    let head = files::head(file, HEAD).await.ok()?;
    let (rows, _) = head.rsplit_once('\n')?;
    let ask = ReadProblem::new(rows);
    let Exact(reply) = engine_client::interactive().ask(ask).await.ok()?;
    let n_rows = match reply {
        ReadReply::Table(_) => rows.lines().count(),
        ReadReply::Graph(view) => view.graph.n_edges(),
        ReadReply::Problem(_) => return None,
    };
    let n = file.size() / rows.len() as f64 * n_rows as f64;
    (n > MOST_EDGES as f64 * 1.1).then(|| {
        format!(
            "{} has about {:.1} million edges; this page asks about at most {MOST_EDGES}. Knowledge opens \
             larger ones.",
            file.name(),
            n / 1e6
        )
    })
}

/// The dialog in which a text is pasted or a file is chosen.
#[component]
pub(super) fn ImportDialog(shell: Shell, state: PageState, node: NodeRef<Dialog>) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let fault = RwSignal::new(None::<String>);
    let close = move || {
        // The page may be gone by the time that the engine has read a text.
        if let Some(dialog) = node.try_get_untracked().flatten() {
            dialog.close();
        }
    };
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let typed = text.get_untracked();
        if typed.trim().is_empty() {
            fault.set(Some("Paste a question or a graph first.".into()));
            return;
        }
        if typed.len() > files::MAX_PASTE {
            fault.set(Some(format!(
                "This text has {:.1} MB; a paste may have at most {:.0} MB. Drop it as a file.",
                typed.len() as f64 / 1e6,
                files::MAX_PASTE as f64 / 1e6
            )));
            return;
        }
        fault.set(None);
        state.open.encoding.set_value(None);
        state.open.notice.set(None);
        state.open.read(typed, move || {
            text.set(String::new());
            close();
        });
    };
    view! {
        <dialog node_ref=node class="import" aria-labelledby="import-title">
            <form on:submit=submit>
                <h2 id="import-title">"A question or a graph of your own"</h2>
                <p class="quiet-text">
                    "One of NLGraph's questions in its own words, or a graph: edges one a line, a table, GraphML, GEXF, GML, DOT, Mermaid, Pajek, JSON and others."
                </p>
                <Area
                    label="Text"
                    testid="paste"
                    rows=9
                    value=text
                    on_input=move |typed| text.set(typed)
                />
                {move || {
                    fault
                        .get()
                        .or_else(|| state.open.notice.get())
                        .map(|f| view! { <p class="report no" role="alert">{f}</p> })
                }}
                <ReadyGraphs
                    testid="import-ready"
                    on_pick=Callback::new(move |id| {
                        close();
                        state.open_ready(id);
                    })
                />
                <Field label="Or a file (also: drop one anywhere on the page)">
                    <input
                        type="file"
                        multiple
                        data-testid="file"
                        on:change=move |e| {
                            take_files(shell, state, files::chosen(&e));
                            close();
                        }
                    />
                </Field>
                <footer>
                    <button type="button" class="quiet" on:click=move |_| close()>
                        "Cancel"
                    </button>
                    <button class="run" type="submit" data-testid="read">
                        "Read it"
                    </button>
                </footer>
            </form>
        </dialog>
    }
}

/// Asks which columns of a table are what, while there is one whose headings say nothing.
#[component]
pub(super) fn TableDialog(state: PageState) -> impl IntoView {
    let open = state.open;
    let on_open = move |columns: TableColumns| {
        let Some((text, _)) = open.table.get_untracked() else { return };
        open.notice.set(None);
        open.read_columns(text, Some(columns), move || open.table.set(None));
    };
    view! {
        <ColumnsDialog
            table=Signal::derive(move || open.table.get().map(|(_, view)| view))
            has_relations=false
            fault=open.notice
            on_open
            on_cancel=move |()| open.table.set(None)
        />
    }
}

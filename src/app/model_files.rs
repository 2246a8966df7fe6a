//! The list of model files in this page: adding, loading, choosing and deleting them. It loads when it
//! is first looked at.

use leptos::prelude::*;
use leptos::task::spawn_local;
use llm::ToolStyle;
use modelfiles::{KeptFile, name_of_address};
use wasm_split_helpers::SplitLoaderError;
use web_sys::{AbortController, File};

use crate::components::form::{OptionalNumber, Select, Text};
use crate::services::model_file::{self, Outcome};
use crate::services::{files, single_file};
use crate::state::model_file::{Transfer, facts, how_to_go_on, is_usable, speed};
use crate::state::settings::ModelSettings;

#[wasm_split_helpers::wasm_split(model_file, fallible)]
#[allow(unsafe_code)]
fn file_list(
    draft: RwSignal<ModelSettings>,
    is_open: RwSignal<bool>,
) -> Result<AnyView, SplitLoaderError> {
    Ok(view! { <Files draft is_open/> }.into_any())
}

/// The list, once its code has come.
#[component]
pub(super) fn ModelFiles(draft: RwSignal<ModelSettings>, is_open: RwSignal<bool>) -> impl IntoView {
    let part = RwSignal::new_local(None::<Option<AnyView>>);
    let owner = Owner::current().unwrap_or_default();
    spawn_local(async move {
        let view = loaded_in(owner, draft, is_open).await;
        part.set(Some(view));
    });
    (move || match part.try_update(Option::take).flatten() {
        Some(Some(view)) => view,
        Some(None) => view! {
            <p class="report no" role="alert">
                "The part of the page that runs models could not be loaded. Open this dialog again to try again."
            </p>
        }
        .into_any(),
        None => {
            part.track();
            view! { <p class="quiet-text">"Loading …"</p> }.into_any()
        }
    })
    .into_any()
}

/// What the view makes is owned by the dialog, which stays.
async fn loaded_in(
    owner: Owner,
    draft: RwSignal<ModelSettings>,
    is_open: RwSignal<bool>,
) -> Option<AnyView> {
    let mut coming = std::pin::pin!(file_list(draft, is_open));
    std::future::poll_fn(move |context| owner.with(|| coming.as_mut().poll(context))).await.ok()
}

/// What the list shows and does.
#[derive(Clone, Copy)]
struct State {
    draft: RwSignal<ModelSettings>,
    files: RwSignal<Option<Vec<KeptFile>>>,
    doing: RwSignal<Option<Transfer>>,
    fault: RwSignal<Option<String>>,
    said: RwSignal<Option<String>>,
    abort: StoredValue<Option<AbortController>, LocalStorage>,
}

impl State {
    /// Begins something that a person may stop; nothing while something else is under way.
    fn begin(self, words: String) -> Option<AbortController> {
        if self.doing.with_untracked(Option::is_some) {
            return None;
        }
        self.fault.set(None);
        self.said.set(None);
        let abort = AbortController::new().ok()?;
        self.abort.set_value(Some(abort.clone()));
        self.doing.set(Some(Transfer::new(words)));
        Some(abort)
    }

    fn tell(self, done: f64, total: f64) {
        self.doing.update(|doing| {
            if let Some(doing) = doing {
                doing.tell(done, total, js_sys::Date::now());
            }
        });
    }

    /// Shows what came of it. The first file that can be used is chosen.
    fn end(self, outcome: Outcome, added: Option<&str>) {
        self.doing.set(None);
        self.fault.set(outcome.fault);
        self.said.set(outcome.said);
        let Some(files) = outcome.files else { return };
        let chosen = self.draft.with_untracked(|d| d.file.clone());
        let usable = |name: &str| files.iter().find(|f| f.name == name && is_usable(f)).cloned();
        if usable(&chosen).is_none() {
            match added.and_then(usable) {
                Some(file) => self.choose(&file),
                // A file that is gone is asked by nobody.
                None if !chosen.is_empty() => self.draft.update(|d| d.file.clear()),
                None => {}
            }
        }
        self.files.set(Some(files));
    }

    fn choose(self, file: &KeptFile) {
        self.draft.update(|d| {
            d.file = file.name.clone();
            // A template without a place for tools would leave them out without a word.
            let knows_tools = file.about.as_ref().is_some_and(|about| about.knows_tools);
            d.file_options.tool_style =
                if knows_tools { ToolStyle::Native } else { ToolStyle::Json };
        });
    }

    fn add(self, own: Vec<File>) {
        let Some(own) = own.into_iter().next() else { return };
        let name = own.name();
        let Some(abort) = self.begin(format!("Adding {name}")) else { return };
        spawn_local(async move {
            let outcome = model_file::add(own, &abort, |done, total| self.tell(done, total)).await;
            let name = modelfiles::name_of(&name).ok();
            self.end(outcome, name.as_deref());
        });
    }

    fn load(self, address: String) {
        let name = match name_of_address(&address) {
            Ok(name) => name,
            Err(fault) => return self.fault.set(Some(fault)),
        };
        let there = self
            .files
            .with_untracked(|files| files.iter().flatten().find(|file| file.name == name).cloned());
        if there.as_ref().is_some_and(is_usable) {
            self.fault
                .set(Some(format!("{name} is there already; delete it first to load it anew")));
            return;
        }
        // The rest follows where the first part is from the same address.
        let half = there.filter(|f| !f.is_whole && f.address.as_deref() == Some(address.trim()));
        let file = half.unwrap_or_else(|| KeptFile { name: name.clone(), ..KeptFile::default() });
        let Some(abort) = self.begin(format!("Loading {name}")) else { return };
        spawn_local(async move {
            let on_bytes = |done, total| self.tell(done, total);
            let outcome = model_file::load(file, address.trim(), &abort, on_bytes).await;
            self.end(outcome, Some(&name));
        });
    }

    fn stop(self) {
        if let Some(abort) = self.abort.get_value() {
            abort.abort();
        }
    }

    fn delete(self, name: String) {
        if self.begin(format!("Deleting {name}")).is_some() {
            spawn_local(async move { self.end(model_file::delete(name).await, None) });
        }
    }

    fn look(self) {
        spawn_local(async move {
            let outcome = model_file::list().await;
            self.end(outcome, None);
        });
    }
}

#[component]
fn Files(draft: RwSignal<ModelSettings>, is_open: RwSignal<bool>) -> impl IntoView {
    if single_file::is_one_file() {
        return view! {
            <p class="report no">
                "A page that is one file has nothing in it that runs models. Open the page from a server, such as the one that "
                <code>"graphground"</code> " comes with, or start a model there and name it as an endpoint."
            </p>
        }
        .into_any();
    }
    let state = State {
        draft,
        files: RwSignal::new(None),
        doing: RwSignal::new(None),
        fault: RwSignal::new(None),
        said: RwSignal::new(None),
        abort: StoredValue::new_local(None),
    };
    state.look();
    let speeds = RwSignal::new(model_file::speeds());
    // An answer may have come since the list was last looked at.
    Effect::new(move |_| {
        if is_open.get() {
            speeds.set(model_file::speeds());
        }
    });
    let is_busy = move || state.doing.with(Option::is_some);
    let rows = move || {
        state.files.get().map(|files| {
            let rows: Vec<_> = files
                .into_iter()
                .map(|file| {
                    let name = file.name.clone();
                    let told = move || speeds.with(|all| all.get(&name).map(speed));
                    view! { <FileRow state file told=Signal::derive(told)/> }
                })
                .collect();
            match rows.is_empty() {
                true => view! { <p class="quiet-text">"There is no file yet."</p> }.into_any(),
                false => view! { <ul class="kept-files">{rows}</ul> }.into_any(),
            }
        })
    };
    view! {
        <link rel="stylesheet" href="styles/model.css"/>
        <div
            class="model-files"
            data-testid="model-files"
        >
            <p class="quiet-text">
                "It runs on this machine, and neither the file nor what is asked leaves it. With its context it has to fit into 2 GB of memory, or into half of the machine's memory where that is less."
            </p>
            {rows}
            <Doing state/>
            {move || state.fault.get().map(|f| view! { <p class="report no" role="alert" data-testid="file-fault">{f}"."</p> })}
            {move || state.said.get().map(|s| view! { <p class="report ok" role="status" data-testid="file-said">"Note: " {s} "."</p> })}
            <Show when=move || !is_busy()>
                <Adding state/>
            </Show>
            <Show when=move || draft.with(|d| d.is_file() && !d.file.is_empty())>
                <Asking draft/>
            </Show>
        </div>
    }
    .into_any()
}

/// A file, with what can be done with it.
#[component]
fn FileRow(state: State, file: KeptFile, told: Signal<Option<String>>) -> impl IntoView {
    let name = file.name.clone();
    let is_usable = is_usable(&file);
    let words = facts(&file);
    let next = (!file.is_whole).then(|| how_to_go_on(&file));
    let address = file.address.clone().filter(|_| !file.is_whole);
    let from = address.clone().map(|a| view! { <p class="from">"From " <code>{a}</code></p> });
    let choose = {
        let file = file.clone();
        move |_| state.choose(&file)
    };
    let is_busy = move || state.doing.with(Option::is_some);
    let rest = address.map(|address| {
        view! {
            <button
                type="button"
                class="ghost"
                data-testid="load-rest"
                disabled=is_busy
                on:click=move |_| state.load(address.clone())
            >
                "Load the rest"
            </button>
        }
    });
    let (mine, doomed, marked) = (name.clone(), name.clone(), name.clone());
    view! {
        <li data-file=marked>
            <label class="choice">
                <input
                    type="radio"
                    name="model-file"
                    data-testid="choose-file"
                    disabled=!is_usable
                    prop:checked=move || state.draft.with(|d| d.file == mine)
                    on:change=choose
                />
                <span>
                    <b>{name}</b>
                    <span class="quiet-text">{words} " " {next}</span>
                    {move || told.get().map(|told| view! { <span class="quiet-text" data-testid="file-speed">{told}</span> })}
                </span>
            </label>
            {from}
            <p class="file-buttons">
                {rest}
                <button
                    type="button"
                    class="ghost"
                    data-testid="delete-file"
                    disabled=is_busy
                    on:click=move |_| state.delete(doomed.clone())
                >
                    "Delete"
                </button>
            </p>
        </li>
    }
}

/// What is under way, with a way to stop it.
#[component]
fn Doing(state: State) -> impl IntoView {
    let total = move || state.doing.with(|d| d.as_ref().map_or(0.0, |d| d.total));
    let bar = move |of: fn(&Transfer) -> f64| {
        let known = total() > 0.0;
        state.doing.with(|d| d.as_ref().filter(|_| known).map(|d| of(d).to_string()))
    };
    view! {
        <Show when=move || state.doing.with(Option::is_some)>
            <div class="file-doing" data-testid="file-doing">
                <p>
                    <b>{move || state.doing.with(|d| d.as_ref().map(|d| d.words.clone()))}</b>
                    <span class="quiet-text">
                        {move || state.doing.with(|d| d.as_ref().map(Transfer::facts))}
                    </span>
                </p>
                <progress aria-label="How far it is" max=move || bar(|d| d.total) value=move || bar(|d| d.done)></progress>
                <button type="button" class="ghost" data-testid="stop-file" on:click=move |_| state.stop()>
                    "Stop"
                </button>
            </div>
        </Show>
    }
}

/// A file of the person's own, or one from an address.
#[component]
fn Adding(state: State) -> impl IntoView {
    let address = RwSignal::new(String::new());
    let over = RwSignal::new(false);
    let load = move || state.load(address.get_untracked());
    view! {
        <label
            class="drop-file"
            class:over=move || over.get()
            on:dragover=move |e| {
                e.prevent_default();
                over.set(true);
            }
            on:dragleave=move |_| over.set(false)
            on:drop=move |e| {
                over.set(false);
                state.add(files::dropped(&e));
            }
        >
            <span>"Add a GGUF file: choose it, or drop it here"</span>
            <input
                type="file"
                accept=".gguf"
                data-testid="own-file"
                on:change=move |e| state.add(files::chosen(&e))
            />
        </label>
        <div
            class="from-address"
            on:keydown=move |e| {
                // Else the dialog would take it for its own.
                if e.key() == "Enter" {
                    e.prevent_default();
                    load();
                }
            }
        >
            <Text
                label="Or load one from an address"
                testid="file-address"
                kind="url"
                placeholder=Signal::stored("https://…/model.Q4_1.gguf".to_owned())
                value=address
                on_input=move |typed| address.set(typed)
            />
            <button
                type="button"
                class="ghost"
                data-testid="load-file"
                disabled=move || address.with(|a| a.trim().is_empty())
                on:click=move |_| load()
            >
                "Load"
            </button>
        </div>
    }
}

/// How the model is asked.
#[component]
fn Asking(draft: RwSignal<ModelSettings>) -> impl IntoView {
    let styles = ToolStyle::ALL.iter().map(|(style, name, title)| {
        let title = if style.is_native() { "The tools of its chat template" } else { title };
        ((*name).to_owned(), title.to_owned())
    });
    let set_most = move |n: Option<f64>| {
        draft.update(|d| d.file_options.max_tokens = n.map(|n| n as u64));
    };
    view! {
        <div class="file-options">
            <Select
                label="How the model calls tools"
                testid="file-tool-style"
                options=Signal::stored(styles.collect::<Vec<_>>())
                value=Signal::derive(move || {
                    draft.with(|d| d.file_options.tool_style.name().to_owned())
                })
                on_change=move |name: String| {
                    if let Some(style) = ToolStyle::by_name(&name) {
                        draft.update(|d| d.file_options.tool_style = style);
                    }
                }
            />
            <OptionalNumber
                label="Most tokens of a reply"
                testid="file-max-tokens"
                min=1.0
                step="1"
                placeholder="1024"
                value=Signal::derive(move || {
                    draft.with(|d| d.file_options.max_tokens.map(|n| n as f64))
                })
                on_change=set_most
            />
        </div>
    }
}

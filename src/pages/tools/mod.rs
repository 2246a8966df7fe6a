//! Tools: every function that a model may call, with its description, schemas, and a form to try.

mod composed;

use draw::{Marks, Places, Scene};
use graph::functions::FunctionError;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::exact::Exact;
use protocol::problem::{CallFunction, CallOutput, FunctionView, ListFunctions};
use web_sys::HtmlDetailsElement;

use self::composed::{ComposedList, ComposedPanel};
use super::{PageSpec, part};
use crate::components::code::Code;
use crate::components::form::Text;
use crate::components::graph_table::GraphTable;
use crate::components::graph_view::{Gesture, GraphView};
use crate::components::notice::Notice;
use crate::components::schema_form::SchemaForm;
use crate::services::{clipboard, engine_client, open, screen};
use crate::shell::Shell;
use crate::state::form::fields;
use crate::state::marks;

pub(super) static PAGE: PageSpec = PageSpec {
    path: open::FUNCTION,
    title: "Tools",
    group: "Library",
    styles: &["tools.css"],
    part: part!(library, tools, mount),
    ..PageSpec::USUAL
};

fn mount(shell: Shell) -> AnyView {
    let route = shell.route;
    let list = RwSignal::new(Vec::<FunctionView>::new());
    let search = RwSignal::new(String::new());
    let notice = RwSignal::new(None::<String>);
    spawn_local(async move {
        match engine_client::interactive().ask(ListFunctions {}).await {
            Ok(functions) => list.set(functions),
            Err(message) => notice.set(Some(message)),
        }
    });
    let chosen = Memo::new(move |_| {
        let wanted = route.with(|r| r.key_of(PAGE.path, "f"));
        list.with(|l| {
            wanted
                .and_then(|name| l.iter().find(|f| f.name == name))
                .or_else(|| l.iter().find(|f| f.name == "find_shortest_path"))
                .or(l.first())
                .cloned()
        })
    });
    let own = shell.composed;
    let composed = Memo::new(move |_| {
        let wanted = route.with(|r| r.key_of(PAGE.path, "f"))?;
        own.list.with(|list| list.iter().find(|known| known.name == wanted).cloned())
    });
    let nothing_fits = Memo::new(move |_| {
        let words = search.get();
        list.with(|l| !l.is_empty() && !l.iter().any(|f| fits(f, &words)))
    });
    // On a phone the list would push the function off the screen: it opens when somebody looks for one.
    let is_narrow = screen::is_narrow();
    let unfolded = RwSignal::new(!is_narrow);
    Effect::new(move |before: Option<Option<String>>| {
        let name = chosen.with(|c| c.as_ref().map(|f| f.name.clone()));
        if is_narrow && before.is_some_and(|before| before != name) {
            unfolded.set(false);
        }
        name
    });
    view! {
        <main class="page tools-page">
            <nav class="catalog" aria-label="Functions">
                <h1>"Tools"</h1>
                <p class="lede">
                    {move || match list.with(Vec::len) {
                        0 => "Loading the functions…".to_owned(),
                        n => format!("{n} functions that a model, or you, may call on a graph."),
                    }}
                </p>
                <Notice message=notice/>
                <Text
                    label="Find"
                    testid="find-function"
                    kind="search"
                    placeholder="path, matching, weight…"
                    value=search
                    on_input=move |words: String| {
                        unfolded.update(|u| *u |= !words.trim().is_empty());
                        search.set(words);
                    }
                />
                <details
                    data-testid="functions"
                    prop:open=move || unfolded.get()
                    on:toggle=move |e| unfolded.set(event_target::<HtmlDetailsElement>(&e).open())
                >
                    <summary>{move || listed(list, &search.get())}</summary>
                    {move || groups(list, &search.get(), match composed.with(Option::is_some) {
                        true => None,
                        false => chosen.with(|c| c.as_ref().map(|f| f.name.clone())),
                    })}
                </details>
                <ComposedList
                    composed=own
                    chosen=Signal::derive(move || composed.with(|c| c.as_ref().map(|p| p.name.clone())))
                />
            </nav>
            {move || {
                if nothing_fits.get() {
                    return Some(view! { <NothingFits search/> }.into_any());
                }
                if let Some(proposal) = composed.get() {
                    return Some(view! { <ComposedPanel proposal composed=own/> }.into_any());
                }
                chosen.get().map(|f| view! { <FunctionPanel function=f/> }.into_any())
            }}
        </main>
    }
    .into_any()
}

fn groups(
    list: RwSignal<Vec<FunctionView>>,
    search: &str,
    chosen: Option<String>,
) -> impl IntoView + use<> {
    let found: Vec<FunctionView> =
        list.with(|l| l.iter().filter(|f| fits(f, search)).cloned().collect());
    let mut names: Vec<String> = Vec::new();
    for f in &found {
        if !names.contains(&f.group) {
            names.push(f.group.clone());
        }
    }
    names
        .into_iter()
        .map(|group| {
            let entries = found
                .iter()
                .filter(|f| f.group == group)
                .map(|f| {
                    let is_chosen = chosen.as_deref() == Some(&f.name);
                    view! {
                        <li>
                            <a
                                href=open::function_href(&f.name)
                                aria-current=is_chosen.then_some("true")
                            >
                                <code>{f.name.clone()}</code>
                            </a>
                        </li>
                    }
                })
                .collect_view();
            view! {
                <h2>{group}</h2>
                <ul>{entries}</ul>
            }
        })
        .collect_view()
}

/// What the list has.
fn listed(list: RwSignal<Vec<FunctionView>>, search: &str) -> String {
    let n = list.with(|l| l.iter().filter(|f| fits(f, search)).count());
    match (search.trim(), n) {
        ("", n) => format!("All {n} functions"),
        (words, 1) => format!("1 function with {words:?}"),
        (words, n) => format!("{n} functions with {words:?}"),
    }
}

/// Whether a function is what somebody looks for: its name or its description has the words.
fn fits(function: &FunctionView, search: &str) -> bool {
    let wanted = search.trim().to_lowercase();
    function.name.contains(&wanted) || function.description.to_lowercase().contains(&wanted)
}

/// In the place of a function, where the words that are looked for fit none.
#[component]
fn NothingFits(search: RwSignal<String>) -> impl IntoView {
    view! {
        <section class="function" data-testid="nothing-fits">
            <p class="what">
                {move || format!("No function has {:?} in its name or its description.", search.get().trim())}
            </p>
            <button class="ghost" on:click=move |_| search.set(String::new())>
                "Show all functions"
            </button>
        </section>
    }
}

/// One function.
#[component]
fn FunctionPanel(function: FunctionView) -> impl IntoView {
    let shape = RwSignal::new(1usize);
    let result = RwSignal::new(None::<Result<CallOutput, FunctionError>>);
    let fault = RwSignal::new(None::<String>);
    let graph = function.example_graph.clone();
    let places = RwSignal::new(function.example_places.clone());
    let drawn = graph.clone();
    let scene = Memo::new(move |_| scene_after(&drawn, &places.get(), result.get().as_ref()));
    let view_box = RwSignal::new(None);
    let name = function.name.clone();
    let call = Callback::new(move |arguments: serde_json::Value| {
        let ask = CallFunction { function: name.clone(), graph: graph.clone(), arguments };
        spawn_local(async move {
            match engine_client::interactive().ask(ask).await {
                Ok(Exact(r)) => {
                    fault.set(None);
                    result.set(Some(r));
                }
                Err(message) => fault.set(Some(message)),
            }
        });
    });
    let form = fields(&function.parameters, &function.example_arguments);
    let shapes = function.shapes.clone();
    let tabs = shapes
        .iter()
        .enumerate()
        .map(|(i, (name, _))| {
            view! {
                <button
                    role="tab"
                    aria-selected=move || (shape.get() == i).to_string()
                    on:click=move |_| shape.set(i)
                >
                    {shape_title(name)}
                </button>
            }
        })
        .collect_view();
    let schema = Signal::derive(move || {
        shapes
            .get(shape.get())
            .and_then(|(_, json)| serde_json::to_string_pretty(json).ok())
            .unwrap_or_default()
    });
    let raises = (!function.raises.is_empty()).then(|| {
        let rows = function
            .raises
            .iter()
            .map(|(code, when)| view! { <dt><code>{code.clone()}</code></dt> <dd>{when.clone()}</dd> })
            .collect_view();
        view! {
            <h2>"Errors that it answers with"</h2>
            <dl class="raises">{rows}</dl>
        }
    });
    view! {
        <article class="function" data-testid="function-panel">
            <h1><code>{function.name.clone()}</code></h1>
            <p class="what">{function.description.clone()}</p>
            <p class="facts">
                {if function.writes { "Changes the graph" } else { "Only reads" }}
                " · "
                {function.complexity.clone()}
                {(!function.paper.is_empty()).then(|| format!(" · {}", function.paper))}
            </p>
            <div class="try">
                <div>
                    <h2>"Try it"</h2>
                    <SchemaForm fields=form button="Call it" on_submit=call is_main=true/>
                    {move || fault.get().map(|f| view! { <p class="report no" role="alert">{f}</p> })}
                    {move || result.get().map(outcome)}
                </div>
                <div class="canvas small">
                    <GraphView
                        scene
                        view=view_box
                        editing=false
                        label="The example graph"
                        on_gesture=Callback::new(move |g| {
                            if let Gesture::Move(name, at) = g {
                                places.update(|p| p.set(name, at));
                            }
                        })
                    />
                </div>
            </div>
            <details>
                <summary>"The example graph as a table"</summary>
                <GraphTable scene/>
            </details>
            {raises}
            <h2>"What the model reads"</h2>
            <div class="tabs" role="tablist">
                {tabs}
            </div>
            <Code text=schema on_copy=Callback::new(|t: String| clipboard::copy(&t))/>
        </article>
    }
}

fn shape_title(name: &str) -> &'static str {
    match name {
        "paper" => "The paper's figure 2",
        "openai" => "OpenAI",
        "anthropic" => "Anthropic",
        "mcp" => "MCP",
        _ => "Other",
    }
}

/// The example graph with what the call changed or points to.
fn scene_after(
    graph: &graph::Graph,
    places: &Places,
    result: Option<&Result<CallOutput, FunctionError>>,
) -> Scene {
    let Some(Ok(call)) = result else { return Scene::new(graph, places, &Marks::default()) };
    let mut after = graph.clone();
    for delta in &call.deltas {
        // The function made them for this very graph.
        let _ = after.apply(delta);
    }
    let places = draw::layout(&after, draw::suited(&after), 1, places);
    Scene::new(&after, &places, &marks::of_touched(&call.touched))
}

fn outcome(result: Result<CallOutput, FunctionError>) -> AnyView {
    match result {
        Ok(call) => view! {
            <pre class="machine" data-testid="try-result">
                {serde_json::to_string_pretty(&call.value).unwrap_or_default()}
            </pre>
            {call.notes.into_iter().map(|n| view! { <p class="remark">{n}</p> }).collect_view()}
        }
        .into_any(),
        Err(error) => view! {
            <p class="report no" data-testid="try-result">
                <code>{error.code}</code>
                ": "
                {error.message}
            </p>
            {error.witness.map(|w| view! { <pre class="machine">{w.to_string()}</pre> })}
        }
        .into_any(),
    }
}

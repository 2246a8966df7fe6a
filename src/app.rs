//! Mounts the page: what every page shares, and which page is shown.

use engine::{Output, Request};
use leptos::html::Dialog;
use leptos::prelude::*;
use leptos::task::spawn_local;
use llm::{ApiKey, providers};

use crate::components::endpoint_dialog::{Choice, EndpointDialog};
use crate::components::icon::Logo;
use crate::components::palette::{Command, Palette};
use crate::components::share_dialog::ShareDialog;
use crate::pages::bench::{BenchPage, BenchState};
use crate::pages::compare::ComparePage;
use crate::pages::compare::state::CompareState;
use crate::pages::dataset::{DatasetPage, DatasetState};
use crate::pages::endpoints::EndpointsPage;
use crate::pages::family::FamilyPage;
use crate::pages::family::room::FamilyRoom;
use crate::pages::framed;
use crate::pages::kg::KgPage;
use crate::pages::kg::state::KgState;
use crate::pages::lessons::LessonsPage;
use crate::pages::lessons::state::LessonsState;
use crate::pages::rescue::RescuePage;
use crate::pages::rescue::room::RescueRoom;
use crate::pages::sharing::Sharing;
use crate::pages::solve::SolvePage;
use crate::pages::solve::room::Room;
use crate::pages::toolformer::ToolformerPage;
use crate::pages::toolformer::room::ToolformerRoom;
use crate::pages::tools::ToolsPage;
use crate::pages::traces::TracesPage;
use crate::pages::traces::state::TracesState;
use crate::routes::{self, GROUPS, Page};
use crate::services::keys::{self, Keep};
use crate::services::{clipboard, embed, engine_client, policy, single_file, storage, transport};
use crate::state::prices::{PRICES, Prices};
use crate::state::settings::{ModelSettings, SETTINGS};
use tasks::TaskId;

const THEME: &str = "graphground.theme";

/// Mounts the page into the document.
pub fn mount() {
    std::panic::set_hook(Box::new(|info| show_panic(&info.to_string())));
    if let Some(loading) = document().get_element_by_id("loading") {
        loading.remove();
    }
    policy::apply();
    mount_to_body(App);
}

/// A fault of ours: what happened, with a way to report and a way on.
fn show_panic(message: &str) {
    leptos::logging::error!("{message}");
    let Some(body) = document().body() else { return };
    if let Ok(panel) = document().create_element("div") {
        panel.set_class_name("panic");
        panel.set_attribute("role", "alert").ok();
        panel.set_text_content(Some(&format!(
            "Something in this page broke: {message}\n\nYour runs are kept. Reload the page to go on."
        )));
        body.append_child(&panel).ok();
    }
}

#[component]
fn App() -> impl IntoView {
    let route = RwSignal::new(routes::current());
    routes::follow(route);
    route.with_untracked(embed::begin);
    let alone = !embed::is_on();
    // Whoever frames this page must not come to ask the person's endpoint with the person's key.
    let kept = alone.then(|| storage::recall::<ModelSettings>(SETTINGS)).flatten();
    let settings = RwSignal::new(kept.unwrap_or_default());
    if alone {
        keys::recall();
    }
    let sharing = Sharing(RwSignal::new(None));
    if alone {
        provide_context(sharing);
    }
    let prices = RwSignal::new(storage::recall::<Prices>(PRICES).unwrap_or_default());
    provide_context(prices);
    // These outlive a visit to another page.
    let room = Room::new(settings, &route.get_untracked());
    let dataset = DatasetState::new();
    let traces = TracesState::new();
    if traces.open_embedded() && route.with_untracked(|r| *r == routes::Route::default()) {
        routes::go(&Page::Traces.href());
    }
    let bench = BenchState::new(prices);
    if bench.open_embedded() && route.with_untracked(|r| *r == routes::Route::default()) {
        routes::go(&Page::Bench.href());
    }
    let compare = CompareState::new();
    let rescue = RescueRoom::new(settings);
    let knowledge = KgState::new(settings);
    let family = FamilyRoom::new(settings, traces);
    let toolformer = ToolformerRoom::new(settings, traces);
    let lessons = LessonsState::new(settings);
    let dialog = NodeRef::<Dialog>::new();
    let needs_reload = RwSignal::new(false);
    Effect::new(move |_| {
        policy::follow(&settings.with(ModelSettings::origins));
        needs_reload.set(policy::needs_reload());
    });
    let page = Memo::new(move |_| route.with(|r| r.page));
    Effect::new(move |_| {
        let page = page.get();
        document().set_title(&format!("{} · Graphground", page.title()));
    });
    framed::join(page, room, traces);
    view! {
        {alone.then(|| view! { <Header page=page.into() settings dialog/> })}
        {move || match page.get() {
            Page::Solve => view! { <SolvePage room route/> }.into_any(),
            Page::Dataset => view! { <DatasetPage state=dataset room/> }.into_any(),
            Page::Compare => {
                view! { <ComparePage state=compare room settings prices/> }.into_any()
            }
            Page::Traces => {
                let on_problem = Callback::new(move |problem| {
                    room.take(problem);
                    routes::go(&Page::Solve.href());
                });
                view! { <TracesPage state=traces kept=room.kept settings route on_problem/> }.into_any()
            }
            Page::Tools => view! { <ToolsPage route/> }.into_any(),
            // In a frame nobody is to be led to change where runs and keys go, or what is kept.
            Page::Endpoints | Page::Bench if !(alone || bench.is_embedded.get_untracked()) => {
                view! { <main class="page"><p>"This page is not shown in a frame."</p></main> }
                    .into_any()
            }
            Page::Endpoints => view! { <EndpointsPage settings prices needs_reload/> }.into_any(),
            Page::Rescue => view! { <RescuePage room=rescue route/> }.into_any(),
            Page::Kg => view! { <KgPage state=knowledge route traces prices/> }.into_any(),
            Page::Family => view! { <FamilyPage room=family route knowledge/> }.into_any(),
            Page::Toolformer => view! { <ToolformerPage room=toolformer/> }.into_any(),
            Page::Bench => view! { <BenchPage state=bench traces settings route/> }.into_any(),
            Page::Lessons => view! { <LessonsPage state=lessons route/> }.into_any(),
        }}
        {alone
            .then(|| {
                view! {
                    <Commands/>
                    <Endpoint settings dialog/>
                    <ShareDialog
                        offer=sharing.0
                        on_copy=Callback::new(|link: String| clipboard::copy(&link))
                    />
                }
            })}
        <Show when=move || needs_reload.get()>
            <ReloadOffer/>
        </Show>
    }
}

/// The offer to load the page again, when its policy is not the one that is wanted.
#[component]
fn ReloadOffer() -> impl IntoView {
    view! {
        <div class="reload" role="status">
            <p>
                "\"Only these endpoints\" holds this page to what was allowed when it was loaded. Loading it again brings back the problem, the settings and the kept runs; a key that is only in memory must be typed again."
            </p>
            <button class="run" data-testid="reload" on:click=move |_| policy::reload()>
                "Load again"
            </button>
        </div>
    }
}

/// The palette with every page, task and function; the functions are asked for when it first opens.
#[component]
fn Commands() -> impl IntoView {
    let functions = RwSignal::new(Vec::<String>::new());
    let commands = Signal::derive(move || {
        let pages = GROUPS.iter().flat_map(|g| g.pages).map(|p| Command {
            title: p.title().to_owned(),
            kind: "page",
            href: p.href(),
        });
        let tasks = TaskId::ALL.into_iter().map(|t| Command {
            title: t.title().to_owned(),
            kind: "task",
            href: routes::Route::href(
                Page::Solve,
                &[("task", t.as_str()), ("difficulty", "easy"), ("seed", "7")],
            ),
        });
        let functions = functions.get().into_iter().map(|f| Command {
            href: routes::Route::href(Page::Tools, &[("f", &f)]),
            title: f,
            kind: "function",
        });
        pages.chain(tasks).chain(functions).collect::<Vec<Command>>()
    });
    let on_open = Callback::new(move |()| {
        if functions.with_untracked(|f| !f.is_empty()) {
            return;
        }
        spawn_local(async move {
            if let Ok(Output::Catalog { functions: list }) =
                engine_client::interactive().ask(Request::Catalog).await
            {
                functions.set(list.into_iter().map(|f| f.name).collect());
            }
        });
    });
    view! { <Palette commands on_open on_go=Callback::new(|href: String| routes::go(&href))/> }
}

#[component]
fn Header(
    page: Signal<Page>,
    settings: RwSignal<ModelSettings>,
    dialog: NodeRef<Dialog>,
) -> impl IntoView {
    let theme = RwSignal::new(storage::recall::<String>(THEME).unwrap_or_else(|| "auto".into()));
    Effect::new(move |_| {
        let theme = theme.get();
        if let Some(root) = document().document_element() {
            let _ = match theme.as_str() {
                "auto" => root.remove_attribute("data-theme"),
                other => root.set_attribute("data-theme", other),
            };
        }
        storage::remember(THEME, &theme);
    });
    let next_theme = move |_| {
        theme.update(|t| {
            *t = match t.as_str() {
                "auto" => "light",
                "light" => "dark",
                _ => "auto",
            }
            .to_owned();
        });
    };
    let groups = GROUPS
        .iter()
        .map(|group| {
            let is_here = move || group.pages.contains(&page.get());
            view! {
                <a href=group.pages[0].href() aria-current=move || is_here().then_some("page")>
                    {group.title}
                </a>
            }
        })
        .collect_view();
    let below = move || {
        let here = page.get();
        let group = GROUPS.iter().find(|g| g.pages.contains(&here))?;
        (group.pages.len() > 1).then(|| {
            let links = group
                .pages
                .iter()
                .map(|p| {
                    view! {
                        <a href=p.href() aria-current=(*p == here).then_some("page")>
                            {p.title()}
                        </a>
                    }
                })
                .collect_view();
            view! { <nav class="below" aria-label=group.title>{links}</nav> }
        })
    };
    view! {
        <header class="top">
            <a class="brand" href=Page::Solve.href()>
                <Logo/>
                "Graphground"
            </a>
            <nav aria-label="Pages">{groups}</nav>
            {below}
            <button
                class="quiet theme"
                aria-label=move || format!("Theme: {}", theme.get())
                title="Theme"
                on:click=next_theme
            >
                {move || match theme.get().as_str() {
                    "light" => "Light",
                    "dark" => "Dark",
                    _ => "Auto",
                }}
            </button>
            <button
                class="pill"
                data-testid="endpoint"
                on:click=move |_| {
                    if let Some(dialog) = dialog.get_untracked() {
                        let _ = dialog.show_modal();
                    }
                }
            >
                <span class="dot" class:remote=move || settings.with(|s| s.use_endpoint)></span>
                {move || settings.with(ModelSettings::words)}
            </button>
        </header>
    }
}

#[component]
fn Endpoint(settings: RwSignal<ModelSettings>, dialog: NodeRef<Dialog>) -> impl IntoView {
    let report = RwSignal::new(None::<Result<String, String>>);
    let models = RwSignal::new(Vec::<String>::new());
    let changes = RwSignal::new(0u32);
    let has_key = Callback::new(move |base_url: String| {
        changes.track();
        keys::has(&base_url)
    });
    let is_remembered = Callback::new(|base_url: String| keys::place(&base_url) == Keep::Device);
    let on_choice = Callback::new(move |choice: Choice| match choice {
        Choice::Use { settings: chosen, key, remember } => {
            let base_url = chosen.endpoint().base_url;
            if let Some(key) = ApiKey::new(&key) {
                keys::set(&base_url, key);
            }
            // A key that is kept for this tab stays there unless the tick says more.
            if remember || keys::place(&base_url) == Keep::Device {
                keys::keep(&base_url, if remember { Keep::Device } else { Keep::Memory });
            }
            changes.update(|k| *k += 1);
            storage::remember(SETTINGS, &chosen);
            settings.set(chosen);
            report.set(None);
        }
        Choice::Forget { base_url } => {
            keys::forget(&base_url);
            changes.update(|k| *k += 1);
        }
        Choice::Test { settings: chosen, key } => {
            let endpoint = chosen.endpoint();
            let url = endpoint.base_url.clone();
            if !url.starts_with("http://") && !url.starts_with("https://") {
                report.set(chosen.fault().map(Err));
                return;
            }
            if let Some(key) = ApiKey::new(&key) {
                keys::set(&url, key);
                changes.update(|k| *k += 1);
            }
            report.set(Some(Ok(format!("Asking {url} …"))));
            spawn_local(async move {
                let Some(provider) = providers::find(&endpoint.provider) else { return };
                let Ok(abort) = web_sys::AbortController::new() else { return };
                let answer =
                    transport::send(&endpoint, (provider.list_models)(&endpoint), &abort).await;
                report.set(Some(match answer.and_then(|a| (provider.models)(&a)) {
                    Ok(list) => {
                        let words = match list.len() {
                            0 => "It answers, and lists no models; type the model's name.".into(),
                            1 => format!("It answers, and has one model: {}.", list[0]),
                            n => format!("It answers, and has {n} models, such as {}.", list[0]),
                        };
                        models.set(list);
                        Ok(words)
                    }
                    Err(error) => Err(capitalised(&error.to_string())),
                }));
            });
        }
    });
    view! {
        <EndpointDialog
            node=dialog
            current=settings.into()
            has_key
            is_remembered
            report
            models
            origin=single_file::origin()
            on_choice
        />
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|c| c.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

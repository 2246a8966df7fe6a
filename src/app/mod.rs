//! Mounts the page: what every page shares, and which page is shown.

mod commands;
mod endpoint;
mod header;
mod keys;
mod model_dialog;
mod model_files;

use leptos::html::Dialog;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast as _;

use crate::components::share_dialog::ShareDialog;
use crate::pages::{self, PAGES, PageSpec};
use crate::routes;
use crate::services::{
    clipboard, embed, embedded, keys as key_store, model_file, policy, screen, storage, styles,
    version,
};
use crate::shell::Shell;
use crate::state::prices::{PRICES, Prices};
use crate::state::settings::{ModelSettings, SETTINGS};
use crate::workbench::framed;
use crate::workbench::one_file::{OneFileButton, no_runs};
use crate::workbench::played::SteppedNow;
use crate::workbench::presenting::Presenting;
use crate::workbench::share::Sharing;
use commands::Commands;
use header::Header;
use model_dialog::ModelDialog;

/// Mounts the page into the document.
pub fn mount() {
    std::panic::set_hook(Box::new(|info| {
        leptos::logging::error!("{info}");
        show_panic(&messages::panic_words(info));
    }));
    // Before anything knows whether this is a frame: there the person's policy holds too.
    policy::apply();
    routes::know(PAGES.iter().map(|page| page.path));
    styles::add(PAGES.iter().flat_map(|page| page.styles).copied());
    mount_to_body(App);
}

/// The words that stand in the page until its code is there.
fn remove_loading() {
    if let Some(loading) = document().get_element_by_id("loading") {
        loading.remove();
    }
}

/// A page whose code is not there yet.
#[derive(Clone, Copy)]
enum Coming {
    Loads(&'static PageSpec),
    Failed(&'static PageSpec),
}

/// Says that a page is on its way, which shows after a moment alone, or that it cannot be loaded.
#[component]
fn OnItsWay(coming: Coming, on_again: Callback<&'static PageSpec>) -> impl IntoView {
    match coming {
        Coming::Loads(page) => view! {
            <p class="on-its-way" role="status" data-testid="page-coming">{format!("Loading {} …", page.title)}</p>
        }
        .into_any(),
        Coming::Failed(page) => view! {
            <div class="on-its-way failed" role="alert" data-testid="page-failed">
                <p>{format!("{} could not be loaded; {}.", page.title, screen::why_not_loaded())}</p>
                <button class="run" on:click=move |_| on_again.run(page)>"Try again"</button>
            </div>
        }
        .into_any(),
    }
}

/// An internal error: what happened, with a way to report and a way on.
fn show_panic(message: &str) {
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

/// The page that an address leads to; data in the page's own file has a page of its own.
fn spec_of(route: &routes::Route) -> &'static PageSpec {
    pages::find(route.path)
}

/// Goes to the page that opens the data in the page's own file, unless the address names a page.
fn go_to_data() {
    let of_data = PAGES.iter().find(|page| page.data.is_some_and(embedded::has));
    if let Some(page) = of_data.filter(|_| !routes::is_given()) {
        routes::go(&routes::href(page.path, &[]));
    }
}

#[component]
fn App() -> impl IntoView {
    let route = RwSignal::new(routes::current());
    routes::follow(route);
    route.with_untracked(|route| embed::begin(&route.keys));
    let alone = !embed::is_on();
    let settings = RwSignal::new(storage::recall::<ModelSettings>(SETTINGS).unwrap_or_default());
    key_store::recall();
    let sharing = Sharing::new();
    if alone {
        provide_context(sharing);
    }
    let prices = RwSignal::new(storage::recall::<Prices>(PRICES).unwrap_or_default());
    provide_context(prices);
    let shell = Shell::new(route, settings, prices);
    // What runs something on a page keeps its run there.
    provide_context(shell.kept_runs);
    provide_context(SteppedNow(shell.stepped));
    let presenting = alone.then(Presenting::new);
    if let Some(presenting) = presenting {
        provide_context(presenting);
    }
    let help = NodeRef::<Dialog>::new();
    keys::listen(shell, presenting, help);
    go_to_data();
    let needs_reload = shell.needs_reload;
    if alone {
        Effect::new(move |_| {
            policy::follow(&settings.with(ModelSettings::origins));
            needs_reload.set(policy::needs_reload());
        });
    }
    let page = Memo::new(move |_| route.with(spec_of));
    let shown = RwSignal::new(None::<&'static PageSpec>);
    let coming = RwSignal::new(None::<Coming>);
    let come = move |page_now: &'static PageSpec| {
        let is_wanted = move || page.get_untracked() == page_now;
        coming.set(Some(Coming::Loads(page_now)));
        spawn_local(async move {
            let loaded = page_now.part.load().await;
            if !is_wanted() {
                return;
            }
            if loaded.is_err() {
                version::look();
                remove_loading();
                coming.set(Some(Coming::Failed(page_now)));
                return;
            }
            styles::show(page_now.styles, move || {
                if is_wanted() {
                    remove_loading();
                    coming.set(None);
                    shown.set(Some(page_now));
                    if let Some(body) = document().body() {
                        let _ = body.set_attribute("data-page", page_now.path);
                    }
                }
            });
        });
    };
    Effect::new(move |_| {
        let page_now = page.get();
        shell.detail.set(None);
        come(page_now);
    });
    Effect::new(move |_| {
        let title = page.get().title;
        document().set_title(&match shell.detail.get() {
            Some(detail) => format!("{detail} · {title} · Graphground"),
            None => format!("{title} · Graphground"),
        });
    });
    // An address that leads nowhere shows the first page, and says so.
    let lost = Memo::new(move |_| route.with(|r| r.lost.clone()));
    framed::join(shell);
    let outdated = version::is_outdated();
    view! {
        {alone.then(|| view! { <SkipButton/> <Header page shell/> <ModelDialog shell/> })}
        {move || {
            lost.get()
                .map(|path| {
                    view! {
                        <p class="lost" role="status" data-testid="lost">
                            {format!("There is no page {path:?} here; this is the first page.")}
                        </p>
                    }
                })
        }}
        {move || coming.get().map(|coming| view! { <OnItsWay coming on_again=Callback::new(come)/> })}
        {move || shown.get().map(|page| untrack(|| mounted(page, shell, alone)))}
        {alone
            .then(|| {
                view! {
                    <Commands shell/>
                    <keys::Help node=help/>
                    <ShareDialog
                        offer=sharing.offer
                        on_copy=Callback::new(|link: String| clipboard::copy(&link))
                        more=WholePage
                    />
                }
            })}
        <ModelDoing/>
        <Show when={
            let outdated = outdated.clone();
            move || needs_reload.get() && !outdated.get()
        }>
            <ReloadOffer/>
        </Show>
        <Show when=move || outdated.get()>
            <Updated/>
        </Show>
    }
}

/// The offer to save the playground itself.
#[component]
fn WholePage() -> impl IntoView {
    view! {
        <details class="share-frame">
            <summary data-testid="share-page">"Save this page as one file"</summary>
            <p class="quiet-text">
                "The whole playground in one HTML file of about 9 MB, without your runs, settings and keys. It opens from a disk, and needs no network."
            </p>
            <OneFileButton label="Save the page (HTML)" testid="share-page-save" contents=no_runs()/>
        </details>
    }
}

/// The first stop of the keyboard: past the head, to what the page is about.
#[component]
fn SkipButton() -> impl IntoView {
    let skip = move |_| {
        let main = document().query_selector("main").ok().flatten();
        if let Some(main) = main.and_then(|m| m.dyn_into::<web_sys::HtmlElement>().ok()) {
            main.set_tab_index(-1);
            let _ = main.focus();
        }
    };
    view! {
        <button class="skip" data-testid="skip-to-content" on:click=skip>
            "Skip to the page"
        </button>
    }
}

/// How far a model in the page is, while nothing of its answer is there.
#[component]
fn ModelDoing() -> impl IntoView {
    let doing = model_file::doing();
    move || {
        doing.get().map(|doing| {
            view! {
                <div class="model-doing" role="status" data-testid="model-doing">
                    <p>{doing.words}</p>
                    <progress aria-hidden="true" max=doing.total.to_string() value=doing.done.to_string()></progress>
                </div>
            }
        })
    }
}

/// In a frame nobody is to be led to change where runs and keys go, or what is kept.
fn mounted(page: &'static PageSpec, shell: Shell, alone: bool) -> AnyView {
    if alone || page.in_frames || page.data.is_some_and(embedded::has) {
        return page.part.view(shell).unwrap_or_else(|| ().into_any());
    }
    view! { <main class="page"><p>"This page is not shown in a frame."</p></main> }.into_any()
}

/// The offer to load the page again, when its server has another one.
#[component]
fn Updated() -> impl IntoView {
    view! {
        <div class="reload" role="alert" data-testid="updated">
            <p>"This page was updated. Reload; your runs are kept."</p>
            <button class="run" data-testid="reload-updated" on:click=move |_| policy::reload()>
                "Reload"
            </button>
        </div>
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

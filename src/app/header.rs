//! The head of every page: where one is, the theme, the model in use.

use leptos::prelude::*;

use super::model_dialog;
use crate::components::icon::Logo;
use crate::pages::{self, PAGES, PageSpec};
use crate::routes;
use crate::services::storage;
use crate::shell::Shell;
use crate::state::settings::{ModelSettings, Who};

const THEME: &str = "graphground.theme";

#[component]
pub(super) fn Header(page: Memo<&'static PageSpec>, shell: Shell) -> impl IntoView {
    let settings = shell.settings;
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
    let groups = pages::groups()
        .into_iter()
        .map(|(group, list)| {
            let first = routes::href(list[0].path, &[]);
            view! {
                <a href=first aria-current=move || (page.get().group == group).then_some("page")>
                    {group}
                </a>
            }
        })
        .collect_view();
    let below = move || {
        let here = page.get();
        let (group, list) = pages::groups().into_iter().find(|(g, _)| *g == here.group)?;
        (list.len() > 1).then(|| {
            let links = list
                .into_iter()
                .map(|p| {
                    view! {
                        <a
                            href=routes::href(p.path, &[])
                            aria-current=(p == here).then_some("page")
                        >
                            {p.title}
                        </a>
                    }
                })
                .collect_view();
            view! { <nav class="below" aria-label=group>{links}</nav> }
        })
    };
    let who = move || settings.with(ModelSettings::words);
    // For whoever looks at every page in turn.
    let paths = PAGES.iter().map(|p| p.path).collect::<Vec<_>>().join(" ");
    view! {
        <header class="top" data-pages=paths>
            <a class="brand" href=routes::href("", &[])>
                <Logo/>
                "Graphground"
            </a>
            <div class="ways">
                <nav aria-label="Pages">{groups}</nav>
                {below}
            </div>
            <button
                class="quiet theme"
                aria-label=move || format!("Theme: {}", theme.get())
                title="Light, dark, or as the system has it"
                on:click=next_theme
            >
                <span class="theme-word">"Theme: "</span>
                {move || theme.get()}
            </button>
            <button
                class="pill"
                data-testid="endpoint"
                title=who
                on:pointerenter=move |_| model_dialog::preload()
                on:focus=move |_| model_dialog::preload()
                on:click=move |_| shell.chooses_model.set(true)
            >
                <span class="dot" class:remote=move || settings.with(|s| s.who == Who::Endpoint)></span>
                <span class="words">{who}</span>
            </button>
        </header>
    }
}

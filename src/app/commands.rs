//! What the palette offers: every page, task and function.

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::problem::ListFunctions;
use tasks::TaskId;

use crate::components::palette::{Command, Palette};
use crate::pages::PAGES;
use crate::routes;
use crate::services::{engine_client, open};

/// The palette with every page, task and function; the functions are asked for when it first opens.
#[component]
pub(super) fn Commands() -> impl IntoView {
    let functions = RwSignal::new(Vec::<String>::new());
    let commands = Signal::derive(move || {
        let pages = PAGES.iter().map(|p| Command {
            title: p.title.to_owned(),
            kind: "page",
            href: routes::href(p.path, &[]),
        });
        let tasks = TaskId::ALL.into_iter().map(|t| Command {
            title: t.title().to_owned(),
            kind: "task",
            href: open::task_href(t),
        });
        let functions = functions.get().into_iter().map(|f| Command {
            href: open::function_href(&f),
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
            if let Ok(list) = engine_client::interactive().ask(ListFunctions {}).await {
                functions.set(list.into_iter().map(|f| f.name).collect());
            }
        });
    });
    view! { <Palette commands on_open on_go=Callback::new(|href: String| routes::go(&href))/> }
}

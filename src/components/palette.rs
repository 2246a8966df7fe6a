//! The command palette: every page, lesson, task, function, kept run and act by a few letters. Ctrl+K
//! opens it anywhere.

use leptos::html::{Dialog, Input};
use leptos::prelude::*;
use web_sys::KeyboardEvent;

/// Something that can be done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Command {
    /// What it is called.
    pub(crate) title: String,
    /// What kind of thing it is.
    pub(crate) kind: &'static str,
    /// What comes of choosing it.
    pub(crate) goal: Goal,
}

/// What a command does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Goal {
    /// Leads to an address.
    Address(String),
    /// Does something on the page that is shown, by its name.
    Act(&'static str),
}

/// The most that are listed at once.
const MOST: usize = 12;

/// The commands that fit what was typed: every word must be in the title or the kind.
fn fitting(commands: &[Command], typed: &str) -> Vec<Command> {
    let words: Vec<String> = typed.split_whitespace().map(str::to_lowercase).collect();
    let fits = |c: &&Command| {
        let text = format!("{} {}", c.title, c.kind).to_lowercase();
        words.iter().all(|w| text.contains(w))
    };
    commands.iter().filter(fits).take(MOST).cloned().collect()
}

/// The palette.
#[component]
pub(crate) fn Palette(
    #[prop(into)] commands: Signal<Vec<Command>>,
    /// Told before it opens, for whoever loads what it lists.
    on_open: Callback<()>,
    on_go: Callback<Goal>,
) -> impl IntoView {
    let node = NodeRef::<Dialog>::new();
    let field = NodeRef::<Input>::new();
    let typed = RwSignal::new(String::new());
    let at = RwSignal::new(0usize);
    let found = Memo::new(move |_| commands.with(|c| fitting(c, &typed.get())));
    let close = move || {
        if let Some(dialog) = node.get_untracked() {
            dialog.close();
        }
    };
    let go = move |i: usize| {
        if let Some(command) = found.with_untracked(|f| f.get(i).cloned()) {
            close();
            on_go.run(command.goal);
        }
    };
    let handle = window_event_listener(leptos::ev::keydown, move |e: KeyboardEvent| {
        if !(e.ctrl_key() || e.meta_key()) || !e.key().eq_ignore_ascii_case("k") {
            return;
        }
        e.prevent_default();
        on_open.run(());
        typed.set(String::new());
        at.set(0);
        if let Some(dialog) = node.get_untracked() {
            if dialog.open() {
                dialog.close();
                return;
            }
            let _ = dialog.show_modal();
        }
        if let Some(field) = field.get_untracked() {
            let _ = field.focus();
        }
    });
    on_cleanup(move || handle.remove());
    let keys = move |e: KeyboardEvent| {
        let n = found.with_untracked(Vec::len).max(1);
        match e.key().as_str() {
            "ArrowDown" => at.update(|a| *a = (*a + 1) % n),
            "ArrowUp" => at.update(|a| *a = (*a + n - 1) % n),
            "Enter" => go(at.get_untracked()),
            // A search field would empty itself first, and stay.
            "Escape" => close(),
            _ => return,
        }
        e.prevent_default();
    };
    let rows = move || {
        found
            .get()
            .into_iter()
            .enumerate()
            .map(|(i, command)| {
                view! {
                    <li
                        role="option"
                        aria-selected=move || (at.get() == i).to_string()
                        on:click=move |_| go(i)
                    >
                        <span>{command.title}</span>
                        <small>{command.kind}</small>
                    </li>
                }
            })
            .collect_view()
    };
    view! {
        <dialog node_ref=node class="palette" aria-label="Commands">
            <input
                node_ref=field
                type="search"
                aria-label="Go to"
                placeholder="A page, a lesson, a task, a function…"
                data-testid="palette"
                prop:value=move || typed.get()
                on:input=move |e| {
                    typed.set(event_target_value(&e));
                    at.set(0);
                }
                on:keydown=keys
            />
            <ul role="listbox" aria-label="Commands">{rows}</ul>
            {move || {
                found.with(Vec::is_empty).then(|| view! { <p class="quiet-text">"Nothing fits."</p> })
            }}
        </dialog>
    }
}

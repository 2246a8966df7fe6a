//! The editor: a lesson is written from blocks, seen as it will be, saved as its file, shared by link.

use std::time::Duration;

use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::share::Shared;

use super::article;
use super::state::PageState;
use crate::components::form::{Area, Text};
use crate::pages::addresses;
use crate::routes;
use crate::services::{clipboard, files, storage};
use crate::state::lesson::parse;
use crate::state::lesson::source::{Draft, LessonPiece, TEMPLATES};
use crate::workbench::share::{ShareButton, Sharing};

/// Where a draft outlives the page.
const KEPT: &str = "graphground.lesson-draft";
/// What is typed is shown once the writer rests, in milliseconds.
const REST_MS: u64 = 500;

/// A piece in the list: a field keeps the focus while it moves.
#[derive(Clone, Copy, PartialEq)]
struct Row {
    id: u64,
    kind: StoredValue<String>,
    text: RwSignal<String>,
}

/// The lesson that is being written; it outlives a visit to another lesson.
#[derive(Clone, Copy)]
pub(super) struct Writing {
    title: RwSignal<String>,
    idea: RwSignal<String>,
    minutes: RwSignal<String>,
    rows: RwSignal<Vec<Row>>,
    /// The file as it is shown: a while behind what is typed.
    shown: RwSignal<String>,
    next: StoredValue<u64>,
    /// Where signals of new blocks live: as long as the page's state, whatever is shown meanwhile.
    owner: StoredValue<Option<Owner>>,
}

impl Writing {
    pub(super) fn new() -> Self {
        let writing = Self {
            title: RwSignal::default(),
            idea: RwSignal::default(),
            minutes: RwSignal::default(),
            rows: RwSignal::default(),
            shown: RwSignal::default(),
            next: StoredValue::new(0),
            owner: StoredValue::new(Owner::current()),
        };
        let kept = storage::recall::<String>(KEPT).map(|text| Draft::read(&text));
        writing.set(kept.unwrap_or_else(Draft::example));
        writing
    }

    fn row(self, piece: LessonPiece) -> Row {
        let id = self.next.get_value();
        self.next.set_value(id + 1);
        let make = || (StoredValue::new(piece.kind), RwSignal::new(piece.text));
        let (kind, text) = match self.owner.get_value() {
            Some(owner) => owner.with(make),
            None => make(),
        };
        Row { id, kind, text }
    }

    /// Takes another lesson in the place of the one that is written.
    pub(super) fn set(self, draft: Draft) {
        self.shown.set(draft.write());
        let rows = draft.pieces.into_iter().map(|piece| self.row(piece)).collect();
        self.title.set(draft.title);
        self.idea.set(draft.idea);
        self.minutes.set(draft.minutes);
        self.rows.set(rows);
    }

    /// The same, once the person agrees to lose what was written there before.
    pub(super) fn replace(self, draft: Draft) -> bool {
        const ASK: &str = "The lesson that you are writing is replaced. Save its file first if you want to keep it.";
        let now = untrack(|| self.draft());
        let is_own = now != Draft::example() && now != draft;
        let agrees = || window().confirm_with_message(ASK).unwrap_or(false);
        if is_own && !agrees() {
            return false;
        }
        self.set(draft);
        true
    }

    fn draft(self) -> Draft {
        let piece = |row: &Row| LessonPiece { kind: row.kind.get_value(), text: row.text.get() };
        Draft {
            title: self.title.get(),
            idea: self.idea.get(),
            minutes: self.minutes.get(),
            pieces: self.rows.with(|rows| rows.iter().map(piece).collect()),
        }
    }

    fn move_row(self, id: u64, by: isize) {
        self.rows.update(|rows| {
            let Some(at) = rows.iter().position(|row| row.id == id) else { return };
            let to = at.saturating_add_signed(by);
            if to < rows.len() {
                rows.swap(at, to);
            }
        });
    }
}

#[component]
pub(super) fn Editor(state: PageState) -> impl IntoView {
    let writing = state.writing;
    // Shown and kept once nothing was typed for a while; the first time at once.
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move |before: Option<()>| {
        let text = writing.draft().write();
        if let Some(timer) = waiting.try_update_value(Option::take).flatten() {
            timer.clear();
        }
        if before.is_none() {
            return;
        }
        let show = move || {
            storage::remember(KEPT, &text);
            let _ = writing.shown.try_set(text);
        };
        waiting.set_value(set_timeout_with_handle(show, Duration::from_millis(REST_MS)).ok());
    });
    let fault = Memo::new(move |_| {
        let text = writing.shown.get();
        let error = parse(&text).err()?;
        Some((Draft::read(&text).piece_at(error.line), error.message))
    });
    let share = move |sharing: Sharing| {
        let text = writing.draft().write();
        let file = text.clone();
        let save = Callback::new(move |()| save(&file));
        sharing.packed(addresses::LESSONS, Shared::Lesson { text }, Some(save));
    };
    let open = move |e: web_sys::Event| {
        for file in files::chosen(&e) {
            spawn_local(async move {
                match files::text(&file).await {
                    Ok(text) => drop(writing.replace(Draft::read(&text))),
                    Err(message) => state.notice.set(Some(message)),
                }
            });
        }
    };
    view! {
        <main class="page lessons lesson-editor">
            <div class="lesson-bar">
                <a href=routes::href(addresses::LESSONS, &[])>"All lessons"</a>
                <ShareButton on_share=Callback::new(share)/>
                <button
                    class="ghost"
                    data-testid="lesson-save"
                    on:click=move |_| save(&writing.draft().write())
                >
                    "Save as a file"
                </button>
                <label class="file-button">
                    "Open a file…"
                    <input type="file" accept=".md,.txt" data-testid="lesson-open" on:change=open/>
                </label>
            </div>
            <h1>"Write a lesson"</h1>
            <p class="quiet-text">
                "A lesson is Markdown with blocks. What you write stays in this browser; share it by a link, or save its file."
            </p>
            <div class="editor-columns">
                <section aria-label="The lesson's blocks">
                    <Text
                        label="Title"
                        testid="lesson-title"
                        maxlength="120"
                        value=writing.title
                        on_input=move |typed| writing.title.set(typed)
                    />
                    <Text
                        label="Its one idea"
                        testid="lesson-idea"
                        maxlength="300"
                        value=writing.idea
                        on_input=move |typed| writing.idea.set(typed)
                    />
                    <Text
                        label="Minutes"
                        testid="lesson-minutes"
                        maxlength="2"
                        value=writing.minutes
                        on_input=move |typed| writing.minutes.set(typed)
                    />
                    {move || {
                        let (piece, message) = fault.get()?;
                        piece
                            .is_none()
                            .then(|| view! { <p class="report no" role="alert">{message}</p> })
                    }}
                    <ol class="pieces">
                        <For each=move || writing.rows.get() key=|row| row.id let:row>
                            <PieceFields writing row fault/>
                        </For>
                    </ol>
                    <div class="add-pieces" role="group" aria-label="Add a block">
                        <span class="quiet-text">"Add:"</span>
                        {TEMPLATES
                            .into_iter()
                            .map(|(name, kind, text)| {
                                let add = move |_| {
                                    let (kind, text) = (kind.to_owned(), text.to_owned());
                                    let row = writing.row(LessonPiece { kind, text });
                                    writing.rows.update(|rows| rows.push(row));
                                };
                                let id = if kind.is_empty() { "text" } else { kind };
                                view! {
                                    <button class="ghost" data-testid=format!("add-{id}") on:click=add>
                                        {name}
                                    </button>
                                }
                            })
                            .collect_view()}
                    </div>
                </section>
                <section class="editor-preview" aria-label="The lesson as it will be">
                    {move || {
                        let text = writing.shown.get();
                        match parse(&text) {
                            Ok(lesson) => article(state, lesson),
                            Err(error) => {
                                view! {
                                    <p class="report no" data-testid="lesson-fault">
                                        {format!("It cannot be shown yet. {error}")}
                                    </p>
                                }
                                    .into_any()
                            }
                        }
                    }}
                </section>
            </div>
        </main>
    }
}

/// One block: its text, what is wrong in it, and buttons that move it.
#[component]
fn PieceFields(
    writing: Writing,
    row: Row,
    fault: Memo<Option<(Option<usize>, String)>>,
) -> impl IntoView {
    let kind = row.kind.get_value();
    let title = TEMPLATES.iter().find(|(_, k, _)| *k == kind).map_or(kind.clone(), |t| t.0.into());
    let place =
        Memo::new(move |_| writing.rows.with(|rows| rows.iter().position(|r| r.id == row.id)));
    let mine = move || {
        let (piece, message) = fault.get()?;
        (piece.is_some() && piece == place.get()).then_some(message)
    };
    let n_lines = row.text.with_untracked(|text| text.lines().count() + text.len() / 60);
    let rows = u32::try_from(n_lines.clamp(2, 14)).unwrap_or(14);
    let label = title.clone();
    let named =
        move |what: &str| format!("{what}: {title}, block {}", place.get().map_or(0, |at| at + 1));
    let (up, down, away) = (named.clone(), named.clone(), named);
    view! {
        <li class="piece-fields">
            <Area
                label
                testid=format!("piece-{}", if kind.is_empty() { "text" } else { &kind })
                rows
                maxlength="20000"
                value=row.text
                on_input=move |typed| row.text.set(typed)
            />
            <div class="piece-buttons">
                <button
                    class="quiet"
                    aria-label=move || up("Move up")
                    title="Move up"
                    disabled=move || place.get() == Some(0)
                    on:click=move |_| writing.move_row(row.id, -1)
                >
                    "↑"
                </button>
                <button
                    class="quiet"
                    aria-label=move || down("Move down")
                    title="Move down"
                    disabled=move || place.get() == writing.rows.with(Vec::len).checked_sub(1)
                    on:click=move |_| writing.move_row(row.id, 1)
                >
                    "↓"
                </button>
                <button
                    class="quiet"
                    aria-label=move || away("Remove")
                    title="Remove"
                    on:click=move |_| writing.rows.update(|rows| rows.retain(|r| r.id != row.id))
                >
                    "×"
                </button>
            </div>
            {move || mine().map(|message| view! { <p class="report no" role="alert">{message}</p> })}
        </li>
    }
}

fn save(text: &str) {
    clipboard::save("lesson.md", "text/markdown", text);
}

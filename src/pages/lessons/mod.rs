//! Lessons: short guided pages for a class, one idea each, with a live graph.

mod edit;
mod play;
mod recorded;
mod rescue;
mod state;
mod thoughts;
mod words;

use std::collections::VecDeque;
use std::iter;

use leptos::task::spawn_local;
use protocol::exact::Exact;
use protocol::share::{Linked, ReadLink, Shared};

use leptos::prelude::*;

use super::{PageSpec, addresses, part};
use crate::components::notice::Notice;
use crate::routes;
use crate::services::engine_client;
use crate::shell::Shell;
use crate::state::lesson::source::Draft;
use crate::state::lesson::{self, Block, LESSONS, Lesson};
use crate::state::settings::ModelSettings;
use crate::workbench::presenting::{PresentButtons, Presenting};
use crate::workbench::share::{ShareButton, Sharing};
use edit::Editor;
use play::{Checked, Inside, Judged, Problem, Runs, pose};
use recorded::Recorded;
use rescue::Rescue;
use state::{PageState, Posed};
use thoughts::Thoughts;
use words::{Question, list, notes, spans};

pub(super) static PAGE: PageSpec = PageSpec {
    path: addresses::LESSONS,
    title: "Lessons",
    group: "Teach",
    styles: &["compare.css", "lessons.css", "look.css"],
    part: part!(lessons, lessons, mount),
    ..PageSpec::USUAL
};

/// The list, or the lesson that the address names.
fn mount(shell: Shell) -> AnyView {
    let state = shell.state(PageState::new);
    let route = shell.route;
    let wanted = Memo::new(move |_| {
        let key = |name: &str| route.with(|r| r.key_of(PAGE.path, name));
        (key("l"), key("s"), key("edit").is_some())
    });
    let lesson = move || {
        state.notice.set(None);
        state.detail.set(None);
        match wanted.get() {
            (.., true) => view! { <Editor state/> }.into_any(),
            (_, Some(link), _) => view! { <Shown state link/> }.into_any(),
            (None, ..) => view! { <Contents unknown=None/> }.into_any(),
            (Some(name), ..) => match lesson::position(&name) {
                Some(at) => view! { <One state at/> }.into_any(),
                None => view! { <Contents unknown=Some(name)/> }.into_any(),
            },
        }
    };
    // Whatever scrolls, the window or the page in it, another lesson begins at its top.
    Effect::new(move |_| {
        wanted.track();
        request_animation_frame(|| {
            window().scroll_to_with_x_and_y(0.0, 0.0);
            if let Ok(Some(main)) = document().query_selector("main") {
                main.set_scroll_top(0);
            }
        });
    });
    lesson.into_any()
}

fn href(name: &str) -> String {
    routes::href(PAGE.path, &[("l", name)])
}

/// Every lesson with its idea.
#[component]
fn Contents(unknown: Option<String>) -> impl IntoView {
    let rows = LESSONS
        .iter()
        .filter_map(|(name, text)| Some((name, lesson::parse(text).ok()?)))
        .map(|(name, lesson)| {
            view! {
                <li>
                    <a href=href(name)>
                        <b>{lesson.title}</b>
                        <span>{lesson.idea}</span>
                        <small>{format!("{} min", lesson.minutes)}</small>
                    </a>
                </li>
            }
        })
        .collect_view();
    view! {
        <main class="page lessons">
            <h1>"Lessons"</h1>
            <p class="lede">
                "One idea each, with a graph that you can run. They work without a key: our own small model answers, and where a lesson needs a certain mistake, a script makes it."
            </p>
            {unknown
                .map(|name| {
                    view! {
                        <p class="notice" role="alert">
                            {format!("There is no lesson {name:?}; these are all.")}
                        </p>
                    }
                })}
            <ol class="lesson-list" data-testid="lesson-list">{rows}</ol>
            <p>
                <a class="button-link" data-testid="lesson-write" href=editor()>
                    "Write a lesson of your own"
                </a>
            </p>
        </main>
    }
}

/// One lesson.
#[component]
fn One(state: PageState, at: usize) -> impl IntoView {
    let (name, text) = LESSONS[at];
    let body = match lesson::parse(text) {
        Ok(lesson) => {
            state.detail.set(Some(lesson.title.clone()));
            article(state, lesson)
        }
        Err(error) => {
            let words = format!("Internal error: this lesson cannot be read ({error}).");
            view! { <p class="notice" role="alert">{words}</p> }.into_any()
        }
    };
    let step = |at: usize, class: &'static str, words: &'static str| {
        let (name, text) = LESSONS.get(at)?;
        let title = lesson::parse(text).ok()?.title;
        Some(view! {
            <a class=class href=href(name)>
                <small>{words}</small>
                {title}
            </a>
        })
    };
    let presenting = use_context::<Presenting>();
    let large = move || presenting.is_some_and(|p| p.large.get());
    view! {
        <main class="page lessons" class:large=large>
            <div class="lesson-bar">
                <a href=routes::href(PAGE.path, &[])>"All lessons"</a>
                <span class="quiet-text">{format!("{} of {}", at + 1, LESSONS.len())}</span>
                <ShareButton on_share=Callback::new(move |sharing: Sharing| sharing.readable(&href(name)))/>
                <PrintButton/>
                <CopyToEdit state text=text.to_owned()/>
                <span class="present-row">
                    <PresentButtons/>
                </span>
            </div>
            <article class="lesson" data-testid="lesson">{body}</article>
            <nav class="lesson-nav" aria-label="Lessons">
                {at.checked_sub(1).and_then(|before| step(before, "previous", "Previous"))}
                {step(at + 1, "next", "Next")}
            </nav>
        </main>
    }
}

fn editor() -> String {
    routes::href(PAGE.path, &[("edit", "1")])
}

/// Prints the lesson as a handout: the print style leaves out what only a screen can do.
#[component]
fn PrintButton() -> impl IntoView {
    view! {
        <button
            class="ghost"
            data-testid="handout"
            title="The text, the drawing and the questions on paper, without answers"
            on:click=|_| drop(window().print())
        >
            "Print a handout"
        </button>
    }
}

/// Opens the editor with this lesson in it; what was written there before is asked for first.
#[component]
fn CopyToEdit(state: PageState, text: String) -> impl IntoView {
    view! {
        <button
            class="ghost"
            data-testid="lesson-copy"
            on:click=move |_| {
                if state.writing.replace(Draft::read(&text)) {
                    routes::go(&editor());
                }
            }
        >
            "Edit a copy"
        </button>
    }
}

/// A lesson that came in a link.
#[component]
fn Shown(state: PageState, link: String) -> impl IntoView {
    let text = RwSignal::new(None::<Result<String, String>>);
    spawn_local(async move {
        let found = match engine_client::interactive().ask(ReadLink { link }).await {
            Ok(Exact(Linked::Lesson(text))) => Ok(text),
            Ok(_) => Err("This link is about another page of Graphground.".to_owned()),
            Err(message) => Err(message),
        };
        let _ = text.try_set(Some(found));
    });
    let presenting = use_context::<Presenting>();
    let large = move || presenting.is_some_and(|p| p.large.get());
    let body = move || {
        let read = text.get()?.and_then(|text| {
            lesson::parse(&text).map(|lesson| (text, lesson)).map_err(|e| e.to_string())
        });
        Some(match read {
            Err(message) => {
                view! { <p class="notice" role="alert">{format!("This lesson cannot be shown: {message}")}</p> }
                    .into_any()
            }
            Ok((text, lesson)) => {
                let shared = text.clone();
                let share = move |sharing: Sharing| {
                    sharing.packed(PAGE.path, Shared::Lesson { text: shared.clone() }, None);
                };
                view! {
                    <div class="lesson-bar">
                        <a href=routes::href(PAGE.path, &[])>"All lessons"</a>
                        <span class="quiet-text">"Somebody wrote this lesson and shared it"</span>
                        <ShareButton on_share=Callback::new(share)/>
                        <PrintButton/>
                        <CopyToEdit state text/>
                        <span class="present-row">
                            <PresentButtons/>
                        </span>
                    </div>
                    <article class="lesson" data-testid="lesson">{article(state, lesson)}</article>
                }
                    .into_any()
            }
        })
    };
    view! { <main class="page lessons" class:large=large>{body}</main> }
}

/// The texts whose claims are checked before the next problem is posed, and the answers that are judged.
fn texts_about_it(rest: &VecDeque<Block>) -> (Vec<String>, Vec<String>) {
    let (mut texts, mut answers) = (Vec::new(), Vec::new());
    for block in rest.iter().take_while(|block| !matches!(block, Block::Problem(_))) {
        match block {
            Block::Claims(block) => texts.push(block.text.clone()),
            Block::Answer(block) => answers.push(block.text.clone()),
            _ => {}
        }
    }
    (texts, answers)
}

/// A lesson from its title to its last block.
fn article(state: PageState, lesson: Lesson) -> AnyView {
    let mut posed: Option<Posed> = None;
    let mut rest = VecDeque::from(lesson.blocks);
    let blocks = iter::from_fn(|| {
        Some(match rest.pop_front()? {
            Block::Heading(words) => view! { <h2>{spans(words)}</h2> }.into_any(),
            Block::Paragraph(words) => view! { <p>{spans(words)}</p> }.into_any(),
            Block::List { ordered, items } => list(ordered, items),
            Block::Predict(predict) => view! { <Question predict/> }.into_any(),
            Block::Notes(paragraphs) => notes(paragraphs),
            Block::Rescue(block) => view! { <Rescue state block/> }.into_any(),
            Block::Thoughts(block) => view! { <Thoughts state block/> }.into_any(),
            Block::Recorded(block) => view! { <Recorded block/> }.into_any(),
            Block::Problem(block) => {
                let (texts, answers) = texts_about_it(&rest);
                let of = pose(state, block, texts, answers);
                posed = Some(of);
                view! { <Problem posed=of/> }.into_any()
            }
            Block::Run(block) => posed.map(|posed| view! { <Runs state posed block/> }).into_any(),
            Block::Claims(block) => posed.map(|posed| view! { <Checked posed block/> }).into_any(),
            Block::Answer(block) => posed.map(|posed| view! { <Judged posed block/> }).into_any(),
            Block::Look(block) => posed.map(|posed| view! { <Inside posed block/> }).into_any(),
        })
    })
    .collect_view();
    view! {
        <header>
            <h1>{lesson.title}</h1>
            <p class="idea">{lesson.idea}</p>
            <p class="quiet-text">{format!("About {} minutes", lesson.minutes)}</p>
        </header>
        <Players state/>
        <Notice message=state.notice/>
        {blocks}
    }
    .into_any()
}

/// Who answers.
#[component]
fn Players(state: PageState) -> impl IntoView {
    let choice = move |chosen: bool, id: &'static str, words: Signal<String>| {
        view! {
            <button
                aria-pressed=move || (state.uses_chosen.get() == chosen).to_string()
                data-testid=id
                on:click=move |_| state.uses_chosen.set(chosen)
            >
                {words}
            </button>
        }
    };
    let ours = Signal::derive(|| "The lesson's choice".to_owned());
    let theirs = Signal::derive(move || {
        format!("The model in use: {}", state.settings.with(ModelSettings::words))
    });
    view! {
        <div class="lesson-players" role="group" aria-label="Who answers">
            <span class="quiet-text">"Who answers:"</span>
            {choice(false, "players-script", ours)}
            {choice(true, "players-own", theirs)}
        </div>
    }
}

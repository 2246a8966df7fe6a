//! A gallery of hallucinations: what real models said about graphs, with what of it is false; of the
//! answers that are recorded here, or of a log that somebody drops.

mod state;

use leptos::prelude::*;
use protocol::answers::CheckedAnswer;
use tasks::TaskId;

use super::{PageSpec, part};
use crate::components::claimed_text::ClaimedText;
use crate::components::form::{Field, Select};
use crate::components::graph_view::GraphView;
use crate::components::notice::Notice;
use crate::routes;
use crate::services::files;
use crate::shell::Shell;
use crate::state::answers::{self, Hallucination, error_kinds, false_words, who_answered};
use crate::state::gallery::{self, GalleryFilter};
use crate::state::home::asked;
use crate::state::marks;
use crate::state::view::ViewBox;
use crate::workbench::drop_frame::DropFrame;
use crate::workbench::share::{ShareButton, Sharing};
use state::PageState;

pub(super) static PAGE: PageSpec = PageSpec {
    path: "gallery",
    title: "Hallucinations",
    group: "Teach",
    styles: &["answers.css"],
    part: part!(answers, gallery, mount),
    ..PageSpec::USUAL
};

/// False claims of an answer that a card has room for.
const MOST_FALSE: usize = 3;
/// Characters of words that a card quotes.
const MOST_QUOTED: usize = 160;

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(PageState::new);
    Effect::new(move |_| {
        if let Some(keys) = shell.route.with(|r| r.keys_of(PAGE.path).cloned()) {
            state.set_filter(GalleryFilter::of_keys(&keys));
        }
    });
    Effect::new(move |_| {
        let keys = state.filter.get().keys();
        if shell.route.with_untracked(|r| r.path == PAGE.path) {
            routes::replace(&routes::href(PAGE.path, &keys));
        }
    });
    let on_share = Callback::new(move |sharing: Sharing| {
        sharing.readable(&routes::href(PAGE.path, &state.filter.get_untracked().keys()));
    });
    view! {
        <DropFrame class="page gallery" on_files=Callback::new(move |list: Vec<_>| state.read(&list))>
            <header class="answers-head">
                <h1>"A gallery of hallucinations"</h1>
                // A log that somebody dropped is in no address.
                <Show when=move || state.log.with(Option::is_none)>
                    <ShareButton on_share/>
                </Show>
                <p class="lede">
                    "What language models said about graphs without tools, word for word. What is false is red; each problem is one click from the same question with tools."
                </p>
            </header>
            <Notice
                message=state.recorded.notice
                on_again=Callback::new(move |()| state.recorded.load())
            />
            <Notice message=state.notice/>
            <Source state/>
            <Filters state/>
            <Cards state/>
        </DropFrame>
    }
    .into_any()
}

/// Where the answers are from, and the way to a log of one's own.
#[component]
fn Source(state: PageState) -> impl IntoView {
    let words = move || {
        let Some(found) = state.answers() else {
            return "Checking the recorded answers…".to_owned();
        };
        let from = match state.log.get() {
            Some(log) => format!("{}: {} answers", log.name, found.n_read),
            None => format!("{} recorded answers", found.n_read),
        };
        let shown = if found.answers.len() < found.n_false {
            format!(", of which the first {} are here", found.answers.len())
        } else {
            String::new()
        };
        format!("{from}, {} with something false in them{shown}.", found.n_false)
    };
    let unread = move || {
        let found = state.answers()?;
        let fault = found.fault.clone()?;
        let n = found.n_unread;
        let lines = if n == 1 { "1 line".to_owned() } else { format!("{n} lines") };
        Some(view! {
            <p class="report no" data-testid="gallery-unread">
                {format!("{lines} could not be read. {fault}")}
            </p>
        })
    };
    view! {
        <div class="gallery-source">
            <p role="status" data-testid="gallery-source">{words}</p>
            <Show when=move || state.log.with(Option::is_some)>
                <button class="quiet" data-testid="gallery-back" on:click=move |_| state.close_log()>
                    "Back to the recorded answers"
                </button>
            </Show>
            {unread}
            <details>
                <summary>"Your own log of answers"</summary>
                <p class="quiet-text">
                    "Drop a file on this page, or choose one: one JSON object a line, with question (in NLGraph's words) and answer, and model where you have it; or NLGraph's logged answers with task, graph, query and answer_text. It is read in this page and goes nowhere."
                </p>
                <Field label="A log of answers (JSON Lines)">
                    <input
                        type="file"
                        data-testid="gallery-file"
                        on:change=move |e| state.read(&files::chosen(&e))
                    />
                </Field>
            </details>
        </div>
    }
}

/// Which answers are shown.
#[component]
fn Filters(state: PageState) -> impl IntoView {
    let choices = Memo::new(move |_| {
        state.answers().map(|found| gallery::choices(&found.answers)).unwrap_or_default()
    });
    let any = || (String::new(), "All".to_owned());
    let tasks = Signal::derive(move || {
        choices.with(|(tasks, _)| {
            let rows = tasks.iter().map(|t| (t.as_str().to_owned(), t.title().to_owned()));
            std::iter::once(any()).chain(rows).collect()
        })
    });
    let errors = Signal::derive(move || {
        choices.with(|(_, errors)| {
            let rows = errors.iter().map(|e| (e.as_str().to_owned(), e.title().to_owned()));
            std::iter::once(any()).chain(rows).collect()
        })
    });
    view! {
        <div class="gallery-filters">
            <Select
                label="Task"
                testid="gallery-task"
                options=tasks
                value=Signal::derive(move || {
                    state.filter.get().task.map(|t| t.as_str().to_owned()).unwrap_or_default()
                })
                on_change=move |name: String| {
                    let filter = state.filter.get_untracked();
                    state.set_filter(GalleryFilter { task: TaskId::from_name(&name), ..filter });
                }
            />
            <Select
                label="Kind of error"
                testid="gallery-error"
                options=errors
                value=Signal::derive(move || {
                    state.filter.get().error.map(|e| e.as_str().to_owned()).unwrap_or_default()
                })
                on_change=move |name: String| {
                    let filter = state.filter.get_untracked();
                    state.set_filter(GalleryFilter { error: Hallucination::from_name(&name), ..filter });
                }
            />
            <a class="ghost link" href=routes::href("lie", &[])>"Play: catch the lie"</a>
        </div>
    }
}

/// The cards, and the button for more of them.
#[component]
fn Cards(state: PageState) -> impl IntoView {
    let cards = move || {
        let found = state.answers()?;
        let places = state.filter.get().places(&found.answers);
        let n_shown = state.n_shown.get();
        if places.is_empty() {
            let words = "No answer has all of that. Choose fewer things at once.";
            return Some(view! { <p class="empty">{words}</p> }.into_any());
        }
        let left = places.len().saturating_sub(n_shown);
        let cards = places.into_iter().take(n_shown).filter_map(|place| {
            let answer = found.answers.get(place)?.clone();
            Some(view! { <Card state answer/> })
        });
        let cards = cards.collect_view();
        Some(
            view! {
                <ul class="gallery-cards" data-testid="gallery-cards">{cards}</ul>
                {(left > 0).then(|| view! {
                    <button
                        class="ghost"
                        data-testid="gallery-more"
                        on:click=move |_| state.n_shown.update(|n| *n += gallery::PAGE)
                    >
                        {format!("Show more ({left} left)")}
                    </button>
                })}
            }
            .into_any(),
        )
    };
    view! { <div>{cards}</div> }
}

/// An answer.
#[component]
fn Card(state: PageState, answer: CheckedAnswer) -> impl IntoView {
    let scene = marks::scene(&answer.problem, &answers::drawn(&answer));
    let view_box = RwSignal::new(None::<ViewBox>);
    let kinds = error_kinds(&answer.claims).into_iter().map(|kind| {
        view! { <span class="gallery-kind">{kind.title()}</span> }
    });
    let kinds = kinds.collect_view();
    let wrong = false_words(&answer).into_iter().take(MOST_FALSE).map(|(words, why)| {
        view! {
            <li>
                <q>{gallery::shortened(&words, MOST_QUOTED)}</q>
                <small>{why}</small>
            </li>
        }
    });
    let wrong = wrong.collect_view();
    let question = gallery::shortened(asked(&answer.problem.question), MOST_QUOTED);
    let who = who_answered(&answer);
    let title = answer.problem.task.title();
    let problem = answer.problem.clone();
    let with_tools = move |_| state.shell.open.compared(problem.clone());
    let is_open = RwSignal::new(false);
    let whole = move || {
        is_open.get().then(|| {
            view! {
                <ClaimedText
                    text=answer.text.clone()
                    claims=answer.claims.clone()
                    picked=None
                    on_pick=Callback::new(|_| {})
                />
            }
        })
    };
    view! {
        <li class="gallery-card" data-testid="gallery-card">
            <header>
                <h2>{title}</h2>
                {kinds}
            </header>
            // The drawing shows what the words below say; a hundred of them are no hundred stops.
            <div class="canvas" inert=true aria-hidden="true">
                <GraphView
                    scene=Signal::stored(scene)
                    view=view_box
                    editing=false
                    label=title
                    on_gesture=Callback::new(|_| {})
                />
            </div>
            <p class="gallery-asked">{question}</p>
            <ul class="gallery-false">{wrong}</ul>
            <p class="quiet-text">{who}</p>
            <details on:toggle=move |_| is_open.set(true)>
                <summary>"The whole answer"</summary>
                {whole}
            </details>
            <button class="ghost" data-testid="with-tools" on:click=with_tools>
                "See it solved with tools"
            </button>
        </li>
    }
}

//! Catch the lie: ten answers that real models gave, one after the other. Something is false in each,
//! and whoever plays picks it.

mod state;

use draw::{Marks, Scene};
use leptos::html::{Button, Div};
use leptos::prelude::*;
use protocol::answers::CheckedAnswer;

use super::{PageSpec, addresses, part};
use crate::components::graph_view::GraphView;
use crate::components::notice::Notice;
use crate::components::result_line::ResultLine;
use crate::routes;
use crate::services::clipboard;
use crate::shell::Shell;
use crate::state::answers::{TextPiece, who_answered};
use crate::state::home::asked;
use crate::state::lie::{LieTurn, Round};
use crate::state::view::ViewBox;
use crate::state::{answers, marks};
use crate::workbench::share::{ShareButton, Sharing, whole};
use state::{PageState, SEED};

pub(super) static PAGE: PageSpec = PageSpec {
    path: addresses::LIE,
    title: "Catch the lie",
    group: "Teach",
    styles: &["answers.css"],
    part: part!(answers, lie, mount),
    ..PageSpec::USUAL
};

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(PageState::new);
    Effect::new(move |_| {
        let seed = shell.route.with(|r| r.key_of(PAGE.path, SEED));
        if let Some(seed) = seed.and_then(|seed| seed.parse().ok()) {
            state.open(seed);
        }
    });
    // The round that is played is in the address, so that a class plays the same one.
    Effect::new(move |_| {
        let href = state.href();
        if shell.route.with_untracked(|r| r.path == PAGE.path) {
            routes::replace(&href);
        }
    });
    let on_share =
        Callback::new(move |sharing: Sharing| sharing.readable(&untrack(|| state.href())));
    // A round is laid out again as it goes on to another answer, and not as something is picked.
    let at = Memo::new(move |_| state.round.with(|r| (r.seed, r.at, r.turns.len(), r.is_over())));
    let body = move || match at.get() {
        (.., 0, _) => {
            view! { <p class="empty" role="status">"Checking the recorded answers…"</p> }.into_any()
        }
        (.., true) => view! { <Score state/> }.into_any(),
        _ => view! { <Play state/> }.into_any(),
    };
    view! {
        <main class="page lie">
            <header class="answers-head">
                <h1>"Catch the lie"</h1>
                <ShareButton on_share/>
                <p class="lede">
                    "Ten answers that language models gave about graphs, word for word. Something is false in each of them: find it, and click it."
                </p>
            </header>
            <Notice
                message=state.recorded.notice
                on_again=Callback::new(move |()| state.recorded.load())
            />
            <Squares state/>
            {body}
        </main>
    }
    .into_any()
}

/// A square for each answer: which is played, and which lies were caught.
#[component]
fn Squares(state: PageState) -> impl IntoView {
    let squares = move || {
        state.round.with(|round| {
            let square = |(i, turn): (usize, &LieTurn)| {
                let (class, word) = match turn.is_caught() {
                    Some(true) => ("caught", "caught"),
                    Some(false) => ("missed", "missed"),
                    None => ("open", "not played yet"),
                };
                let is_current = i == round.at;
                view! {
                    <li class=class class:current=is_current>
                        <span class="sr-only">{format!("{}: {word}", i + 1)}</span>
                    </li>
                }
            };
            round.turns.iter().enumerate().map(square).collect_view()
        })
    };
    view! { <ol class="lie-squares" data-testid="lie-squares" aria-label="Answers of this round">{squares}</ol> }
}

/// What is drawn of an answer: the graph alone, and after a pick what the answer claims of it.
fn scene_of(turn: &LieTurn) -> Scene {
    let problem = &turn.answer.problem;
    let drawn = if turn.picked.is_some() { answers::drawn(&turn.answer) } else { Marks::default() };
    marks::scene(problem, &drawn)
}

/// The answer that is played.
#[component]
fn Play(state: PageState) -> impl IntoView {
    let round = state.round;
    let turn = round.with_untracked(|r| r.turn().cloned())?;
    let view_box = RwSignal::new(None::<ViewBox>);
    let scene = Memo::new(move |_| round.with(|r| r.turn().map(scene_of)).unwrap_or_default());
    let place = round.with_untracked(|r| format!("Answer {} of {}", r.at + 1, r.turns.len()));
    let CheckedAnswer { problem, .. } = &turn.answer;
    let said = NodeRef::<Div>::new();
    // Whoever plays with keys goes on from the answer, not from the top of the page.
    Effect::new(move |_| {
        if let Some(said) = said.get().filter(|_| round.with_untracked(|r| r.at > 0)) {
            let _ = said.focus();
        }
    });
    let pieces = turn.pieces.iter().cloned().enumerate();
    let pieces = pieces.map(|(i, piece)| view! { <Pickable state place=i piece/> }).collect_view();
    Some(view! {
        <div class="lie-grid">
            <section class="lie-said" aria-label="The answer">
                <div node_ref=said tabindex="-1" class="lie-who">
                    <b>{place}</b>
                    <span class="quiet-text" data-testid="lie-who">{who_answered(&turn.answer)}</span>
                </div>
                <p class="lie-question">{asked(&problem.question).to_owned()}</p>
                <details>
                    <summary>"What the model read"</summary>
                    <p class="quiet-text lie-whole">{problem.question.clone()}</p>
                </details>
                <p class="claimed lie-text" data-testid="lie-text">{pieces}</p>
                <Told state/>
            </section>
            <section class="lie-stage" aria-label="The graph of the question">
                <div class="canvas">
                    <GraphView
                        scene
                        view=view_box
                        editing=false
                        label="The graph that the question is about"
                        on_gesture=Callback::new(|_| {})
                    />
                </div>
                <p class="claim-legend" class:unseen=move || round.with(|r| r.turn().is_none_or(|t| t.picked.is_none()))>
                    <span class="key aside">"in the answer and in the graph"</span>
                    <span class="key false">"in the answer, not in the graph"</span>
                </p>
            </section>
        </div>
    })
}

/// A stretch of the answer; one that claims something can be picked.
#[component]
fn Pickable(state: PageState, place: usize, piece: TextPiece) -> impl IntoView {
    let TextPiece { text, pick } = piece;
    let Some(pick) = pick else { return text.into_any() };
    let picked = Memo::new(move |_| state.round.with(|r| r.turn().and_then(|t| t.picked)));
    let is_over = move || picked.get().is_some();
    let choose = move || state.round.update(|round| round.pick(place));
    let word = if pick.is_false { "false" } else { "true" };
    let label = {
        // It begins with what is seen, for whoever speaks to a program what is on the screen.
        let (seen, why) = (text.clone(), pick.why);
        move || if is_over() { format!("{seen}: {word}, {why}") } else { seen.clone() }
    };
    view! {
        <mark
            class=move || match picked.get() {
                None => "lie-piece".to_owned(),
                Some(at) if at == place => format!("lie-piece {word} picked"),
                Some(_) => format!("lie-piece {word}"),
            }
            role="button"
            tabindex=move || if is_over() { "-1" } else { "0" }
            aria-disabled=move || is_over().to_string()
            aria-label=label
            on:click=move |_| choose()
            on:keydown=move |e| {
                if e.key() == "Enter" || e.key() == " " {
                    e.prevent_default();
                    choose();
                }
            }
        >
            {text}
        </mark>
    }
    .into_any()
}

/// What came of the pick, and where to go from here.
#[component]
fn Told(state: PageState) -> impl IntoView {
    let round = state.round;
    let turn =
        Memo::new(move |_| round.with(|r| r.turn().and_then(|t| Some((t.told()?, t.is_caught())))));
    let next = NodeRef::<Button>::new();
    Effect::new(move |_| {
        if let Some(next) = next.get() {
            let _ = next.focus();
        }
    });
    let with_tools = move |_| {
        let problem = round.with_untracked(|r| r.turn().map(|t| t.answer.problem.clone()));
        if let Some(problem) = problem {
            state.shell.open.compared(problem);
        }
    };
    let is_last = move || round.with(|r| r.at + 1 == r.turns.len());
    let told = move || {
        match turn.get() {
        Some((told, is_caught)) => view! {
            <p class="report" class:no=is_caught != Some(true) data-testid="lie-told">{told}</p>
            <div class="lie-on">
                <button
                    class="run"
                    data-testid="lie-next"
                    node_ref=next
                    on:click=move |_| round.update(Round::go_on)
                >
                    {move || if is_last() { "See the score" } else { "Next answer" }}
                </button>
                <button class="ghost" data-testid="with-tools" on:click=with_tools>
                    "See it solved with tools"
                </button>
            </div>
        }
        .into_any(),
        None => view! {
            <p class="quiet-text">"Underlined words claim something that can be checked on the graph."</p>
        }
        .into_any(),
    }
    };
    view! { <div role="status">{told}</div> }
}

/// The score, with the result to paste.
#[component]
fn Score(state: PageState) -> impl IntoView {
    let round = state.round.get_untracked();
    let link = whole(&untrack(|| state.href()));
    let line = format!("{}\n{link}", round.line());
    let (score, n) = (round.score(), round.turns.len());
    let rows = round.turns.into_iter().map(|turn| {
        let (sign, class) =
            if turn.is_caught() == Some(true) { ("✓", "ok") } else { ("✗", "no") };
        let lie = turn.pieces.iter().filter_map(|p| p.pick.as_ref()).find(|p| p.is_false);
        let why = lie.map(|pick| format!("“{}”: {}.", pick.says, pick.why));
        let title = turn.answer.problem.task.title();
        view! {
            <li>
                <i class=class aria-hidden="true">{sign}</i>
                <span>{title} ": " {why}</span>
            </li>
        }
    });
    view! {
        <section class="lie-score" data-testid="lie-score">
            <h2>{format!("{score} of {n} lies caught")}</h2>
            <ResultLine text=line on_copy=Callback::new(|text: String| clipboard::copy(&text))/>
            <div class="lie-on">
                <button
                    class="run"
                    data-testid="lie-again"
                    on:click=move |_| state.seed.update(|seed| *seed = seed.wrapping_add(1))
                >
                    "Play again"
                </button>
                <a class="ghost button" href=routes::href("gallery", &[])>"See all the answers"</a>
            </div>
            <ol>{rows.collect_view()}</ol>
        </section>
    }
}

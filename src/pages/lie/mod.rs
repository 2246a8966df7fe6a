//! Catch the lie: ten answers that real models gave, one after the other. Something is false in each,
//! and whoever plays picks it.

mod class;
mod state;

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
use crate::state::marks;
use crate::state::view::ViewBox;
use crate::workbench::share::{ShareButton, Sharing, whole};
use class::Tally;
use state::{CLASS, PageState, SEED};

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
        let (seed, class) =
            shell.route.with(|r| (r.key_of(PAGE.path, SEED), r.key_of(PAGE.path, CLASS).is_some()));
        if let Some(seed) = seed.and_then(|seed| seed.parse().ok()) {
            state.open(seed, class);
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
    let at = Memo::new(move |_| {
        let is_class = state.is_class.get();
        state.round.with(|r| (r.seed, r.at, is_class, r.turns.len(), r.is_over()))
    });
    let body = move || match at.get() {
        (.., 0, _) => {
            view! { <p class="empty" role="status">"Checking the recorded answers…"</p> }.into_any()
        }
        (.., true) => view! { <Score state/> }.into_any(),
        _ => view! { <Play state/> }.into_any(),
    };
    view! {
        <main class="page lie" class:for-class=move || state.is_class.get()>
            <header class="answers-head">
                <h1>"Catch the lie"</h1>
                <button
                    class="ghost"
                    data-testid="lie-class"
                    aria-pressed=move || state.is_class.get().to_string()
                    on:click=move |_| state.is_class.update(|on| *on = !*on)
                >
                    "For a class"
                </button>
                <ShareButton on_share/>
                <p class="lede">
                    {move || if state.is_class.get() {
                        "Something is false in each answer. Show this on a projector, ask who thinks that a claim is false, and count the hands."
                    } else {
                        "Ten answers that language models gave about graphs, word for word. Something is false in each of them: find it, and click it."
                    }}
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

/// The answer that is played.
#[component]
fn Play(state: PageState) -> impl IntoView {
    let round = state.round;
    let turn = round.with_untracked(|r| r.turn().cloned())?;
    let view_box = RwSignal::new(None::<ViewBox>);
    let scene = Memo::new(move |_| {
        let at = state.looked_at.get();
        let of = |turn: &LieTurn| marks::scene(&turn.answer.problem, &turn.drawn(at));
        round.with(|r| r.turn().map(of)).unwrap_or_default()
    });
    let place = round.with_untracked(|r| format!("Answer {} of {}", r.at + 1, r.turns.len()));
    let CheckedAnswer { problem, .. } = &turn.answer;
    let said = NodeRef::<Div>::new();
    // Whoever plays with keys goes on from the answer, not from the top of the page.
    Effect::new(move |_| {
        if let Some(said) = said.get().filter(|_| round.with_untracked(|r| r.at > 0)) {
            let _ = said.focus();
        }
    });
    let is_class = state.is_class.get_untracked();
    let pieces = turn.pieces.iter().cloned().enumerate();
    let letter = |i: usize| is_class.then(|| turn.letter(i));
    let pieces = pieces
        .map(|(i, piece)| view! { <Pickable state place=i letter=letter(i) piece/> })
        .collect_view();
    let is_hidden = move || round.with(|r| r.turn().is_none_or(|t| !t.played.is_over));
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
                {is_class.then(|| view! { <Tally state turn=turn.clone()/> })}
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
                <p class="claim-legend" class:unseen=is_hidden>
                    <span class="key aside">"in the answer and in the graph"</span>
                    <span class="key false">"in the answer, not in the graph"</span>
                </p>
            </section>
        </div>
    })
}

/// A stretch of the answer; one that claims something can be picked, and looked at once the truth is shown.
#[component]
fn Pickable(
    state: PageState,
    place: usize,
    letter: Option<char>,
    piece: TextPiece,
) -> impl IntoView {
    let TextPiece { text, pick } = piece;
    let Some(pick) = pick else { return text.into_any() };
    let played = state.played();
    let is_over = move || played.with(|p| p.is_over);
    let choose = move || state.choose(place);
    let word = if pick.is_false { "false" } else { "true" };
    let label = {
        // It begins with what is seen, for whoever speaks to a program what is on the screen.
        let (seen, why) = (text.clone(), pick.why);
        move || if is_over() { format!("{seen}: {word}, {why}") } else { seen.clone() }
    };
    view! {
        <mark
            class=move || {
                let (is_picked, is_over) = played.with(|p| (p.picked == Some(place), p.is_over));
                let word = if is_over { word } else { "" };
                let picked = if is_picked { "picked" } else { "" };
                let looked_at = if state.looked_at.get() == Some(place) { "looked-at" } else { "" };
                format!("lie-piece {word} {picked} {looked_at}")
            }
            role="button"
            tabindex="0"
            aria-label=label
            on:click=move |_| choose()
            on:keydown=move |e| {
                if e.key() == "Enter" || e.key() == " " {
                    e.prevent_default();
                    choose();
                }
            }
        >
            {letter.map(|letter| view! { <b class="letter" aria-hidden="true">{letter}</b> })}
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
            <p class="report" class:ok=is_caught == Some(true) class:no=is_caught == Some(false) data-testid="lie-told">{told}</p>
            <p class="quiet-text">"Click a claim to see it on the graph."</p>
            <div class="lie-on">
                <button
                    class="run"
                    data-testid="lie-next"
                    node_ref=next
                    on:click=move |_| state.go_on()
                >
                    {move || if is_last() { "See the score" } else { "Next answer" }}
                </button>
                <button class="ghost" data-testid="with-tools" on:click=with_tools>
                    "See it solved with tools"
                </button>
            </div>
        }
        .into_any(),
        None if state.is_class.get() => view! {
            <button class="run" data-testid="lie-reveal" on:click=move |_| round.update(Round::reveal)>
                "Show what is false"
            </button>
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
        let lie = turn.picks().map(|(_, pick)| pick).find(|pick| pick.is_false);
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

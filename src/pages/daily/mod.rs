//! The problem of the day: whoever plays is the model, and solves it with as few calls as can be.

mod state;

use std::sync::Arc;

use draw::{Mark, Scene};
use leptos::prelude::*;
use llm::ToolSpec;

use super::{PageSpec, part};
use crate::components::graph_view::Gesture;
use crate::components::long_text::LongText;
use crate::components::model_seat::ModelSeat;
use crate::components::notice::Notice;
use crate::components::result_line::ResultLine;
use crate::components::transcript::Transcript;
use crate::components::verdict::VerdictCard;
use crate::routes;
use crate::services::{clipboard, screen};
use crate::shell::Shell;
use crate::state::daily::{self, Day};
use crate::state::tray;
use crate::workbench::columns::{Columns, Left, Middle, Story};
use crate::workbench::share::{ShareButton, Sharing, whole};
use crate::workbench::stage::Stage;
use state::{DAY, PageState, today};

pub(super) static PAGE: PageSpec = PageSpec {
    path: "daily",
    title: "Problem of the day",
    group: "Solve",
    styles: &["answers.css"],
    part: part!(solve, daily, mount),
    ..PageSpec::USUAL
};

fn href_of(day: Day) -> String {
    routes::href(PAGE.path, &[(DAY, &day.to_string())])
}

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(PageState::new);
    Effect::new(move |_| {
        let route = shell.route.get();
        if route.path != PAGE.path {
            return;
        }
        match route.keys.get(DAY).map(|text| (text, Day::from_text(text))) {
            None => state.open(today()),
            Some((_, Some(day))) => {
                state.notice.set(None);
                state.open(day);
            }
            Some((text, None)) => {
                state.notice.set(Some(format!("{text:?} is no day; a day is 2026-11-25.")));
                state.open(today());
            }
        }
    });
    let on_files = Callback::new(move |files| shell.open.files(files));
    view! {
        <Columns class="daily" on_files>
            <Left slot label="Problem">
                <Task state/>
            </Left>
            <Middle slot>
                <Drawing state/>
            </Middle>
            <Story slot label="Your turn">
                <Turn state/>
            </Story>
        </Columns>
    }
    .into_any()
}

/// The day, the question, and how it goes.
#[component]
fn Task(state: PageState) -> impl IntoView {
    let question = Memo::new(move |_| {
        state.problem.with(|p| p.as_ref().map_or_else(Arc::default, |p| p.question.as_str().into()))
    });
    let script = move || match state.best.get() {
        Some(best) => format!("Par: {best} calls. An answer without a call does not count."),
        None => "Par: being counted…".to_owned(),
    };
    let before = move || {
        state.day.get().before().map(|day| view! { <a href=href_of(day)>"The day before"</a> })
    };
    let is_past = move || state.day.get() != today();
    let on_share = Callback::new(move |sharing: Sharing| {
        sharing.readable(&href_of(state.day.get_untracked()));
    });
    view! {
        <h1>"Problem of the day"</h1>
        <p class="lede">
            "Today you are the model. Build the graph by calling functions, let a function compute, and answer: with as few calls as you can. The problem is the same for everybody."
        </p>
        <p class="daily-day">
            <b data-testid="daily-day">{move || state.day.get().to_string()}</b>
            {before}
            <Show when=is_past>
                <a href=routes::href(PAGE.path, &[])>"Today"</a>
            </Show>
            <ShareButton on_share/>
        </p>
        <h2>"Question"</h2>
        <LongText text=question class="question" testid="daily-question"/>
        <p data-testid="daily-script">{script}</p>
        <div class="actions">
            <button
                class="run"
                data-testid="daily-start"
                disabled=move || state.problem.with(Option::is_none)
                on:click=move |_| {
                    state.play();
                    screen::show_stage();
                }
            >
                {move || if state.session.is_busy() || state.run.with(Option::is_some) { "Start again" } else { "Start" }}
            </button>
        </div>
    }
}

/// The graph that the calls build.
#[component]
fn Drawing(state: PageState) -> impl IntoView {
    let scene = Memo::new(move |_| state.scene());
    let words = Signal::derive(move || {
        let n_there =
            |s: &Scene| s.nodes.iter().filter(|node| !node.marks.contains(&Mark::Faded)).count();
        scene.with(|s| {
            format!("The graph of your calls, {} nodes, {} edges.", n_there(s), s.edges.len())
        })
    });
    let empty = Signal::derive(move || {
        if state.problem.with(Option::is_none) {
            return Some("Making the problem of the day…".to_owned());
        }
        let is_empty = scene.with(|s| s.nodes.is_empty());
        is_empty.then(|| "Still empty: your calls build this graph.".to_owned())
    });
    view! {
        <Stage
            label="Graph"
            scene
            words
            empty
            fit_on=Signal::derive(move || state.day.track())
            on_gesture=Callback::new(move |gesture| {
                if let Gesture::PickNode(node) = gesture {
                    state.click(node);
                }
            })
        />
    }
}

/// The seat of the model, and what was called; in the end the result.
#[component]
fn Turn(state: PageState) -> impl IntoView {
    let session = state.session;
    let seat = move || {
        session.seat.get().map(|tools| {
            let n = session.steps.with(daily::n_calls);
            view! {
                <p class="daily-count" data-testid="daily-count">{daily::so_far(n)}</p>
                <Tray state tools=tools.clone()/>
                <ModelSeat tools on_say=Callback::new(move |m| state.say(m)) begun=state.begun/>
            }
        })
    };
    let result = move || {
        let played = state.played()?;
        let judgement = state.run.with(|run| run.as_ref().map(|run| run.judgement.clone()))?;
        let best = state.best.get();
        let day = state.day.get();
        let line = format!("{}\n{}", daily::line(day, &played, best), whole(&href_of(day)));
        Some(view! {
            <div class="verdicts one">
                <VerdictCard who="You" judgement is_current=true/>
            </div>
            <p class="daily-told" role="status" data-testid="daily-told">{daily::told(&played, best)}</p>
            <ResultLine text=line on_copy=Callback::new(|text: String| clipboard::copy(&text))/>
        })
    };
    let is_idle = move || {
        !session.is_busy() && state.run.with(Option::is_none) && session.steps.with(Vec::is_empty)
    };
    view! {
        <Notice message=state.notice on_again=Callback::new(move |()| state.load())/>
        <Notice message=session.notice/>
        <Show when=is_idle>
            <div class="empty">
                <p class="lead">"You are the model."</p>
                <p>
                    "Press Start. Click nodes on the drawing and a function in the tray: that is a call. Then write the answer. What you call appears here, and the graph grows beside it."
                </p>
            </div>
        </Show>
        {result}
        {seat}
        <Transcript
            steps=session.steps
            cursor=session.cursor
            on_seek=Callback::new(move |at| session.cursor.set(at))
        />
    }
}

/// The functions to click, and the nodes that the next call takes.
#[component]
fn Tray(state: PageState, tools: Vec<ToolSpec>) -> impl IntoView {
    let row = |title: &'static str, names: &[&'static str]| {
        let tools = names.iter().filter_map(|name| tools.iter().find(|t| t.name == *name).cloned());
        let buttons = tools.map(|tool| {
            let name = tool.name.clone();
            let testid = format!("tray-{name}");
            view! {
                <button
                    class="ghost"
                    title=tool.description.clone()
                    data-testid=testid
                    on:click=move |_| state.call(&tool)
                >
                    {name}
                </button>
            }
        });
        let buttons = buttons.collect_view();
        view! { <div class="tray-row" role="group" aria-label=title><b>{title}</b>{buttons}</div> }
    };
    let clicked = move || {
        let names = state
            .clicked
            .with(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "));
        if names.is_empty() {
            return view! { <p class="quiet-text">"Click nodes on the drawing, then the function that takes them. A form opens where something is missing."</p> }.into_any();
        }
        view! {
            <p>
                "The next call takes: "<b data-testid="daily-clicked">{names}</b>" "
                <button class="quiet" on:click=move |_| state.clicked.set(Vec::new())>"Clear"</button>
            </p>
        }
        .into_any()
    };
    view! {
        <section class="tray" aria-label="Functions" data-testid="tray">
            {row("Build", &tray::BUILDING)}
            {row("Ask", &tray::ASKING)}
            {clicked}
        </section>
    }
}

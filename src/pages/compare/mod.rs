//! Compare: one problem, the answer without tools and the one with them, and every claim of both
//! held against the graph.

mod pictures;
mod share;
mod state;

use std::sync::Arc;

use draw::Scene;
use leptos::prelude::*;

use super::{PageSpec, part};
use crate::components::claimed_text::{ClaimedText, FalseClaims};
use crate::components::demo_note::DemoNote;
use crate::components::graph_view::GraphView;
use crate::components::long_text::LongText;
use crate::components::notice::Notice;
use crate::components::problem_choice::{ProblemChoice, WordsChoice};
use crate::components::verdict::{VerdictCard, spoken};
use crate::services::open;
use crate::shell::Shell;
use crate::state::prices::Prices;
use crate::state::settings::OWN_LABEL;
use crate::state::view::ViewBox;
use crate::state::{home, look, marks};
use crate::workbench::checked_run::Answered;
use crate::workbench::look_inside::LookPanel;
use crate::workbench::played_sides::{Announced, PlayingCard};
use crate::workbench::presenting::PresentMenu;
use crate::workbench::run_bar::RunBar;
use crate::workbench::share::{ShareButton, Sharing};
use crate::workbench::stage::PlayedBar;
use pictures::Pictures;
use state::PageState;

pub(super) static PAGE: PageSpec = PageSpec {
    path: open::BOTH,
    title: "Compare",
    group: "Solve",
    styles: &["compare.css", "look.css"],
    part: part!(lessons, compare, mount),
    ..PageSpec::USUAL
};

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(PageState::new);
    if let Some(problem) = shell.open.take_compared() {
        state.take(problem);
    }
    Effect::new(move |_| {
        let route = shell.route.get();
        if route.path == PAGE.path {
            state.follow(&route);
        }
    });
    state.open.tell(shell.route, PAGE.path, Vec::new);
    view! {
        <main class="page compare-page">
            <Head state/>
            <Notice message=state.open.notice/>
            <Question state/>
            <div class="compare-grid">
                <SidePanel state title="Without tools" which=0 prices=shell.prices/>
                <Claims state/>
                <SidePanel state title="With graph tools" which=1 prices=shell.prices/>
            </div>
        </main>
        <RunBar
            title="Run both"
            is_busy=Signal::derive(move || state.is_busy())
            can_run=Signal::derive(move || state.open.can_run())
            on_run=Callback::new(move |()| state.run_both())
            on_stop=Callback::new(move |()| state.run_both())
        />
    }
    .into_any()
}

/// What is compared, on which problem, and the button that does it.
#[component]
fn Head(state: PageState) -> impl IntoView {
    let open = state.open;
    let on_change = Callback::new(move |to| open.change(to));
    let on_share = Callback::new(move |sharing| state.share(sharing));
    if let Some(sharing) = use_context::<Sharing>() {
        sharing.adds(move || view! { <Pictures state/> }.into_any());
    }
    view! {
        <header class="compare-head">
            <h1>"Compare"</h1>
                <p class="lede">
                    "The same model, the same question: without tools on the left, with graph tools on the right. Every claim is held against the graph."
                </p>
                <DemoNote settings=open.settings/>
            <div class="compare-act">
                <ProblemChoice setup=open.setup on_change settings=open.settings chooses_model=state.chooses_model/>
                <button
                    class="run"
                    data-testid="run-both"
                    disabled=move || !state.is_busy() && !open.can_run()
                    on:click=move |_| state.run_both()
                >
                    {move || if state.is_busy() { "Stop" } else { "Run both" }}
                </button>
                <details class="how">
                    <summary>"Wording and prompt"</summary>
                    <WordsChoice setup=open.setup on_change/>
                </details>
                <ShareButton on_share/>
            </div>
        </header>
    }
}

/// What is asked, and in a fold all that the model reads.
#[component]
fn Question(state: PageState) -> impl IntoView {
    let problem = state.open.problem;
    let title = move || {
        problem.with(|p| {
            p.as_ref().map_or_else(
                || "The question".to_owned(),
                |p| {
                    let mut words = vec![p.task.title().to_owned()];
                    words.extend(p.difficulty.map(|d| d.as_str().to_owned()));
                    words.extend(p.seed.map(|s| format!("seed {s}")));
                    words.join(", ")
                },
            )
        })
    };
    let question = Memo::new(move |_| {
        problem.with(|p| p.as_ref().map_or_else(Arc::default, |p| p.question.as_str().into()))
    });
    let asked = move || question.with(|text| home::asked(text).to_owned());
    view! {
        <div class="compare-question">
            <h2>{asked}</h2>
            <details>
                <summary>{title}</summary>
                <LongText text=question class="question"/>
            </details>
        </div>
    }
}

/// The graph with what is claimed about it.
#[component]
fn Claims(state: PageState) -> impl IntoView {
    let view_box = RwSignal::new(None::<ViewBox>);
    let scene = Memo::new(move |_| {
        let drawn = state.marks();
        state.open.problem.with(|p| {
            let whole = p.as_ref().filter(|p| draw::is_drawn_whole(&p.graph));
            whole.map_or_else(Scene::default, |p| marks::scene(p, &drawn))
        })
    });
    let buttons = ["Without tools", "Both", "With tools"]
        .into_iter()
        .enumerate()
        .map(|(i, name)| {
            view! {
                <button
                    aria-pressed=move || (state.whose.get() == i).to_string()
                    data-testid=format!("whose-{i}")
                    on:click=move |_| {
                        state.picked.set(None);
                        state.whose.set(i);
                    }
                >
                    {name}
                </button>
            }
        })
        .collect_view();
    view! {
        <section class="compare-stage" aria-label="What is claimed">
            <div class="tools" role="toolbar" aria-label="Whose claims">
                {buttons}
                <PresentMenu/>
            </div>
            <div class="canvas">
                <GraphView
                    scene
                    view=view_box
                    editing=false
                    label="The graph with what is claimed about it"
                    on_gesture=Callback::new(|_| {})
                />
            </div>
            <PlayedBar player=state.play.played()/>
            <p class="claim-legend">
                <span class="key true">"in the answer and in the graph"</span>
                <span class="key aside">"in the graph, but not what was asked"</span>
                <span class="key false">"in the answer, not in the graph"</span>
            </p>
        </section>
    }
}

/// How what our own model said came about; it is computed when somebody opens it.
#[component]
fn Inside(state: PageState, answered: Answered) -> impl IntoView {
    let run = answered.run.filter(|run| run.trace.model == OWN_LABEL);
    let problem = state.open.problem.get_untracked();
    let open = RwSignal::new(false);
    run.zip(problem).map(|(run, problem)| {
        let turns = look::turns(&run.trace);
        // What was stopped at once said nothing.
        (!turns.is_empty()).then(|| view! {
            <details class="look-fold" on:toggle=move |_| open.set(true)>
                <summary data-testid="look-inside">"Look inside: how likely each word was, and where the model looked"</summary>
                {move || open.get().then(|| view! { <LookPanel problem=problem.clone() turns=turns.clone()/> })}
            </details>
        })
    })
}

/// One answer with its verdict, its figures and its claims.
#[component]
fn SidePanel(
    state: PageState,
    title: &'static str,
    which: usize,
    prices: RwSignal<Prices>,
) -> impl IntoView {
    let picked = Signal::derive(move || {
        state.picked.get().filter(|(w, _)| *w == which).map(|(_, claim)| claim)
    });
    let side = state.sides[which];
    let play = state.play;
    let told = Memo::new(move |_| play.tells(side));
    let announced = Signal::derive(move || {
        let now = side.answered.get();
        let run = now.run.filter(|_| told.get());
        run.map(|run| spoken(title, &run.judgement)).unwrap_or_default()
    });
    view! {
        <section class="compare-side" data-testid=format!("side-{}", 2 * which) aria-label=title>
            <Notice message=side.session.notice/>
            <Announced words=announced/>
            {move || {
                let now = side.answered.get();
                if now.run.is_some() && !told.get() {
                    let place = Signal::derive(move || {
                        (play.place(side), side.session.steps.with(Vec::len))
                    });
                    view! {
                        <PlayingCard who=title place on_skip=Callback::new(move |()| play.skip())/>
                    }
                        .into_any()
                } else if let Some(run) = &now.run {
                    let judgement = run.judgement.clone();
                    let text = now.answer();
                    // The verdict says why there is none.
                    let has_answer = run.trace.answer().is_some();
                    let (n, n_false) =
                        (now.claims.len(), now.claims.iter().filter(|c| !c.is_true).count());
                    let claims = now.claims.clone();
                    let summary = match (n, n_false) {
                        (0, _) => "It claims nothing that can be checked.".to_owned(),
                        (n, 0) => format!("{n} claims, all true"),
                        (n, f) => format!("{n} claims, {f} false"),
                    };
                    view! {
                        <VerdictCard who=title judgement is_current=true/>
                        <p class="facts">{now.facts(&prices.get())}</p>
                        <p class="facts" data-testid="n-claims">{summary}</p>
                        {has_answer.then(|| view! {
                            <ClaimedText
                                text
                                claims
                                picked
                                on_pick=Callback::new(move |claim: Option<usize>| {
                                    state.picked.set(claim.map(|c| (which, c)));
                                })
                            />
                        })}
                        <FalseClaims claims=now.claims.clone()/>
                        <Inside state answered=now/>
                    }
                        .into_any()
                } else if side.session.is_busy() {
                    view! {
                        <div class="card busy">
                            <b>{title}</b>
                            <strong>"Running"</strong>
                            <p>{format!("{} steps so far", now.n_steps)}</p>
                        </div>
                    }
                        .into_any()
                } else {
                    view! {
                        <div class="card">
                            <b>{title}</b>
                            <p>"Not run yet."</p>
                        </div>
                    }
                        .into_any()
                }
            }}
        </section>
    }
}

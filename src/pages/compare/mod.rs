//! Compare: one problem, the answer without tools and the one with them, and every claim of both
//! held against the graph.

pub(crate) mod side;
pub(crate) mod state;

use std::sync::Arc;

use draw::Scene;
use leptos::prelude::*;

use crate::components::claimed_text::{ClaimedText, FalseClaims};
use crate::components::graph_view::{GraphView, View};
use crate::components::long_text::LongText;
use crate::components::notice::Notice;
use crate::components::verdict::VerdictCard;
use crate::pages::solve::room::Room;
use crate::routes::Page;
use crate::state::claimed;
use crate::state::marks;
use crate::state::prices::Prices;
use crate::state::settings::ModelSettings;
use side::Side;
use state::CompareState;

/// The page.
#[component]
pub(crate) fn ComparePage(
    state: CompareState,
    room: Room,
    settings: RwSignal<ModelSettings>,
    prices: RwSignal<Prices>,
) -> impl IntoView {
    // A visit without a problem makes the first one.
    if room.problem.with_untracked(Option::is_none) {
        room.generate();
    }
    Effect::new(move |_| {
        let seen = room.problem.with(|p| p.as_ref().map(|p| p.question.clone()));
        state.belongs_to(seen);
    });
    let view_box = RwSignal::new(None::<View>);
    let scene = Memo::new(move |_| {
        let drawn = marks::of_certificate(&state.marks());
        room.problem.with(|p| {
            let whole = p.as_ref().filter(|p| draw::is_drawn_whole(&p.graph));
            whole.map_or_else(Scene::default, |p| marks::scene(p, &drawn))
        })
    });
    let title = move || {
        room.problem.with(|p| {
            p.as_ref().map_or_else(String::new, |p| {
                let mut words = vec![p.task.title().to_owned()];
                words.extend(p.difficulty.map(|d| d.as_str().to_owned()));
                words.extend(p.seed.map(|s| format!("seed {s}")));
                words.join(", ")
            })
        })
    };
    let question = Memo::new(move |_| {
        room.problem.with(|p| p.as_ref().map_or_else(Arc::default, |p| p.question.as_str().into()))
    });
    view! {
        <main class="page compare-page">
            <header class="compare-head">
                <div>
                    <h1>"Compare"</h1>
                    <p class="lede">
                        "The same model, the same question: without tools on the left, with graph tools on the right. Every claim is held against the graph."
                    </p>
                </div>
                <div class="compare-act">
                    <button
                        class="run"
                        data-testid="run-both"
                        disabled=move || room.problem.with(Option::is_none)
                        on:click=move |_| state.run_both(room, settings)
                    >
                        {move || if state.is_busy() { "Stop" } else { "Run both" }}
                    </button>
                    <a class="quiet-link" href=Page::Solve.href()>"Another problem…"</a>
                </div>
            </header>
            <Notice message=state.notice/>
            <details class="compare-question">
                <summary>{title}</summary>
                <LongText text=question class="question"/>
            </details>
            <div class="compare-grid">
                <SidePanel state side=state.left title="Without tools" which=0 prices/>
                <section class="compare-stage" aria-label="What is claimed">
                    <div class="tools" role="toolbar" aria-label="Whose claims">
                        {["Left", "Both", "Right"]
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
                            .collect_view()}
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
                    <p class="claim-legend">
                        <span class="key true">"claimed, and true"</span>
                        <span class="key false">"claimed, but not there"</span>
                    </p>
                </section>
                <SidePanel state side=state.right title="With graph tools" which=2 prices/>
            </div>
        </main>
    }
    .into_any()
}

/// One answer with its verdict, its figures and its claims.
#[component]
fn SidePanel(
    state: CompareState,
    side: RwSignal<Side>,
    title: &'static str,
    which: usize,
    prices: RwSignal<Prices>,
) -> impl IntoView {
    let picked = Signal::derive(move || {
        state.picked.get().filter(|(w, _)| *w == which).map(|(_, claim)| claim)
    });
    view! {
        <section class="compare-side" data-testid=format!("side-{which}") aria-label=title>
            {move || {
                let now = side.get();
                if let Some(run) = &now.run {
                    let judgement = run.judgement.clone();
                    let text = now.answer();
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
                        <ClaimedText
                            text
                            claims
                            picked
                            on_pick=Callback::new(move |claim: Option<usize>| {
                                state.picked.set(claim.map(|c| (which, c)));
                            })
                        />
                        <FalseClaims claims=now.claims.clone()/>
                    }
                        .into_any()
                } else if now.busy {
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

pub(crate) fn merged(sides: &[Side], picked: Option<(usize, usize)>) -> tasks::Marks {
    match picked {
        Some((which, claim)) => {
            let side = &sides[usize::from(which != 0).min(sides.len() - 1)];
            claimed::marks(side.claims.get(claim))
        }
        None => claimed::marks(sides.iter().flat_map(|s| &s.claims)),
    }
}

//! The blocks of a lesson that compute: a problem, its runs, a text that is checked.

use std::collections::BTreeMap;

use draw::{Marks, Places, Scene};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::exact::Exact;
use protocol::problem::{GenerateProblem, ReadProblem, ReadReply, VerifyAnswer};
use tasks::{Style, Verdict, Wording};

use super::state::{PageState, Posed};
use crate::components::certificate::CertificateList;
use crate::components::claimed_text::{ClaimedText, FalseClaims};
use crate::components::graph_view::GraphView;
use crate::components::notice::Notice;
use crate::components::transcript::Transcript;
use crate::components::verdict::{VerdictCard, spoken};
use crate::services::{engine_client, screen};
use crate::state::lesson::{
    AnswerBlock, ClaimsBlock, LookBlock, Player, ProblemBlock, ProblemSource, Quoted, RunBlock,
};
use crate::state::look::LookTurn;
use crate::state::settings::ModelSettings;
use crate::state::{claimed, marks, story};
use crate::workbench::checked_run::{CheckedRun, claims_of};
use crate::workbench::look_inside::LookPanel;
use crate::workbench::played::Played;
use crate::workbench::played_sides::{Announced, PlayedSides, PlayingCard};
use crate::workbench::stage::PlayedBar;

/// A colour of a drawing, and what it means.
type Key = (&'static str, &'static str);

const CLAIMED: &[Key] =
    &[("true", "in the answer and in the graph"), ("false", "in the answer, not in the graph")];
const JUDGED: &[Key] = &[
    ("true", "in a right answer"),
    ("aside", "in the answer, valid, not the best"),
    ("path", "in a better one"),
    ("false", "not valid"),
];
const RUN: &[Key] = &[
    ("true", "in the answer and in the graph"),
    ("aside", "in the graph, but not what was asked"),
    ("false", "in the answer, not in the graph"),
    ("written", "written in the step"),
    ("read", "read in the step"),
];

/// How much wider than high a drawing in the column of the text is.
const FIGURE_RATIO: f64 = 2.2;

/// A drawing in the column of the text.
#[component]
pub(super) fn Figure(
    scene: Signal<Scene>,
    #[prop(into)] label: String,
    #[prop(optional)] legend: &'static [Key],
    /// The walk over the steps of what is drawn.
    #[prop(optional, into)]
    player: Option<Played>,
) -> impl IntoView {
    let shown = Memo::new(move |_| {
        let mut scene = scene.get();
        scene.close_up();
        scene
    });
    // As wide and high as what is drawn first; what is marked later moves nothing.
    let size = Memo::new(move |before: Option<&Option<(f64, f64)>>| {
        let known = before.copied().flatten();
        known.or_else(|| shown.with(|s| (!s.nodes.is_empty()).then_some((s.view.2, s.view.3))))
    });
    let style = move || {
        size.get().map(|(width, height)| format!("--width: {width:.0}; --height: {height:.0}"))
    };
    view! {
        <figure class="lesson-figure">
            <div class="canvas" style=style>
                <GraphView
                    scene=shown
                    view=RwSignal::new(None)
                    editing=false
                    label
                    on_gesture=Callback::new(|_| {})
                />
            </div>
            {player.map(|player| view! { <PlayedBar player/> })}
            {(!legend.is_empty())
                .then(|| {
                    let keys = legend
                        .iter()
                        .map(|(class, words)| {
                            view! { <span class=format!("key {class}")>{*words}</span> }
                        })
                        .collect_view();
                    view! { <figcaption class="legend">{keys}</figcaption> }
                })}
        </figure>
    }
}

/// Lets the engine read or make a problem, find what each of the texts claims about it, and judge the
/// answers: all before any of it is shown, so that nothing moves.
pub(super) fn pose(
    state: PageState,
    block: ProblemBlock,
    texts: Vec<String>,
    answers: Vec<String>,
) -> Posed {
    let names = StoredValue::new(block.names);
    let (claims, judged) = (RwSignal::default(), RwSignal::default());
    let posed = Posed { problem: RwSignal::new(None), claims, judged, names };
    spawn_local(async move {
        let engine = engine_client::interactive();
        let made = match block.source {
            ProblemSource::Question(text) => match engine.ask(ReadProblem::new(text)).await {
                Ok(Exact(ReadReply::Problem(problem))) => Ok(*problem),
                Ok(Exact(ReadReply::Graph(_) | ReadReply::Table(_))) => {
                    Err("the lesson's problem could not be created".to_owned())
                }
                Err(message) => Err(message),
            },
            ProblemSource::Made { task, difficulty, seed } => {
                let (wording, style) = (Wording::Improved, Style::ZeroShot);
                let ask = GenerateProblem { task, difficulty, seed, wording, style };
                engine.ask(ask).await.map(|problem| problem.0)
            }
        };
        match made {
            Ok(mut problem) => {
                if let Some(kind) = block.layout {
                    problem.layout = kind;
                    problem.places = draw::layout(&problem.graph, kind, 1, &Places::default());
                }
                if !screen::is_narrow() {
                    problem.places = problem.places.widened(FIGURE_RATIO);
                }
                let mut claims = BTreeMap::new();
                for text in texts {
                    let found = claims_of(problem.clone(), text.clone()).await;
                    claims.insert(text, found);
                }
                let mut judged = BTreeMap::new();
                for text in answers {
                    let ask =
                        VerifyAnswer { problem: Box::new(problem.clone()), text: text.clone() };
                    if let Ok(found) = engine.ask(ask).await {
                        judged.insert(text, found.judgement);
                    }
                }
                // The reader may have gone on to another lesson.
                drop(posed.claims.try_set(claims));
                drop(posed.judged.try_set(judged));
                drop(posed.problem.try_set(Some(problem)));
            }
            Err(message) => state.notice.set(Some(message)),
        }
    });
    posed
}

/// A problem: its graph, and its words on demand.
#[component]
pub(super) fn Problem(posed: Posed) -> impl IntoView {
    let scene = Signal::derive(move || posed.scene(&Marks::default()));
    let posed = posed.problem;
    let facts = move || {
        let counts = posed.with(|p| {
            let (n, m) = p.as_ref().map(|p| (p.graph.n_nodes(), p.graph.n_edges()))?;
            Some(format!("{n} nodes, {m} edges: the question as a model reads it"))
        });
        counts.unwrap_or_else(|| "The question as a model reads it".to_owned())
    };
    view! {
        <Figure scene label="The graph of the question"/>
        <details class="lesson-question">
            <summary>{facts}</summary>
            <pre class="question">{move || posed.with(|p| p.as_ref().map(|p| p.question.clone()))}</pre>
        </details>
    }
}

/// A text, and its claims in it and on the drawing.
#[component]
pub(super) fn Checked(posed: Posed, block: ClaimsBlock) -> impl IntoView {
    let picked = RwSignal::new(None::<usize>);
    let text = block.text.clone();
    let claims =
        Memo::new(move |_| posed.claims.with(|all| all.get(&text).cloned().unwrap_or_default()));
    let scene = Signal::derive(move || {
        let drawn = claims.with(|all| match picked.get() {
            Some(i) => claimed::marks(all.get(i)),
            None => claimed::marks(all),
        });
        // A text is no answer that is judged.
        posed.scene(&marks::of_certificate(&drawn, true))
    });
    view! {
        <section class="lesson-block" data-testid="lesson-claims" aria-label="A text, checked">
            {move || {
                view! {
                    <ClaimedText
                        text=block.text.clone()
                        claims=claims.get()
                        picked
                        on_pick=Callback::new(move |claim| picked.set(claim))
                    />
                    <FalseClaims claims=claims.get()/>
                }
            }}
            {block.quoted.map(|who| view! {
                <p class="quiet-text" data-testid="lesson-quote">
                    {match who {
                        Quoted::Own => "Our own small model said this, without tools and with the likeliest token each time.",
                        Quoted::Smollm2 => "SmolLM2-135M said this, without tools and with the likeliest token each time. It was recorded.",
                    }}
                </p>
            })}
            <Figure scene label="The graph with what the text claims" legend=CLAIMED/>
        </section>
    }
}

/// An answer with its verdict, and what the verdict stands on, on the drawing.
#[component]
pub(super) fn Judged(posed: Posed, block: AnswerBlock) -> impl IntoView {
    let text = block.text.clone();
    let judged = Memo::new(move |_| posed.judged.with(|all| all.get(&text).cloned()));
    let scene = Signal::derive(move || {
        let drawn = judged.with(|found| {
            let found = found.as_ref()?;
            let is_right = found.verdict == Verdict::Correct;
            Some(marks::of_certificate(&found.certificate.marks, is_right))
        });
        posed.scene(&drawn.unwrap_or_default())
    });
    view! {
        <section class="lesson-block" data-testid="lesson-answer" aria-label="An answer, judged">
            <p class="claimed">{block.text.clone()}</p>
            {move || {
                judged.get().map(|judgement| {
                    let certificate = judgement.certificate.clone();
                    view! {
                        <VerdictCard who="This answer" judgement/>
                        <details>
                            <summary>"Why this verdict"</summary>
                            <CertificateList certificate/>
                        </details>
                    }
                })
            }}
            <Figure scene label="The graph with what the check found" legend=JUDGED/>
        </section>
    }
}

/// An answer of our own model, and how it came about.
#[component]
pub(super) fn Inside(posed: Posed, block: LookBlock) -> impl IntoView {
    let LookBlock { word, answer } = block;
    view! {
        <section class="lesson-block" data-testid="lesson-look" aria-label="An answer, looked into">
            <p class="claimed">{answer.clone()}</p>
            {move || {
                let (answer, word) = (answer.clone(), word.clone());
                posed.problem.get().map(|problem| {
                    let turns = vec![LookTurn::alone(&problem.question, &answer)];
                    view! { <LookPanel problem turns word=Some(word)/> }
                })
            }}
        </section>
    }
}

/// The title of a fold with steps in it.
pub(super) fn steps_in_words(n: usize) -> String {
    if n == 1 {
        "How it came to that: 1 step".into()
    } else {
        format!("How it came to that: {n} steps")
    }
}

/// One system of a block.
#[derive(Clone, Copy)]
struct Seat {
    system: &'static str,
    title: &'static str,
    player: StoredValue<Player>,
    run: CheckedRun,
    picked: RwSignal<Option<usize>>,
}

impl Seat {
    fn new(system: &'static str, player: Player) -> Self {
        Self {
            system,
            title: if system == "grounded" { "With graph tools" } else { "Without tools" },
            player: StoredValue::new(player),
            // A class would fill the list of runs with what a lesson plays.
            run: CheckedRun::unkept(),
            picked: RwSignal::new(None),
        }
    }

    fn claimed(self) -> Marks {
        let picked = self.picked.get();
        self.run.answered.with(|s| s.drawn(picked))
    }
}

/// Who answers, in words.
fn played_by(players: &[Player]) -> String {
    let of = |player: &Player| match player {
        Player::Own => "our own small model".to_owned(),
        Player::Script(name) => format!("the script {name}"),
    };
    match players {
        [one, other] if one != other => format!("Answered by {}, then by {}", of(one), of(other)),
        [Player::Own, _, ..] => {
            "Answered by our own small model, with the same weights on both sides".into()
        }
        [one, ..] => format!("Answered by {}", of(one)),
        [] => String::new(),
    }
}

/// One or two systems on the problem.
#[component]
pub(super) fn Runs(state: PageState, posed: Posed, block: RunBlock) -> impl IntoView {
    let (shown, posed) = (posed, posed.problem);
    let seats: Vec<Seat> = block
        .systems
        .ids()
        .iter()
        .zip(&block.players)
        .map(|(s, n)| Seat::new(s, n.clone()))
        .collect();
    let list = StoredValue::new(seats.clone());
    let play = PlayedSides::new(seats.iter().map(|seat| seat.run).collect());
    on_cleanup(move || {
        list.try_with_value(|l| l.iter().for_each(|s| s.run.session.abandon()));
    });
    let is_busy = move || list.with_value(|l| l.iter().any(|s| s.run.session.is_busy()));
    let is_done = Memo::new(move |_| {
        list.with_value(|l| l.iter().any(|s| s.run.answered.with(|a| a.run.is_some())))
    });
    let attach = block.attach;
    let start = move |_| {
        let seats = list.get_value();
        if seats.iter().any(|s| s.run.session.is_busy_untracked()) {
            seats.iter().for_each(|s| s.run.clear());
            return;
        }
        let Some(problem) = posed.get_untracked() else { return };
        state.notice.set(None);
        play.begin();
        for seat in seats {
            let Some(model) = seat.player.with_value(|player| state.model(player)) else { return };
            seat.picked.set(None);
            seat.run.start(seat.system, model, problem.clone(), attach);
        }
    };
    let scene = Signal::derive(move || {
        let seats = list.get_value();
        let told = |seat: &&Seat| play.tells(seat.run);
        let claimed = || marks::together(seats.iter().filter(told).map(|seat| seat.claimed()));
        let drawn = play.effects().unwrap_or_else(claimed);
        shown.scene(&drawn)
    });
    let who = Memo::new(move |_| {
        if state.uses_chosen.get() {
            return format!("Answered by {}", state.settings.with(ModelSettings::words));
        }
        played_by(&block.players)
    });
    let two = seats.len() > 1;
    let label = match block.systems.ids() {
        [one] if *one == "grounded" => "Run with tools",
        [_] => "Run without tools",
        _ => "Run both",
    };
    view! {
        <section class="lesson-block lesson-run" class:both=two data-testid="lesson-block">
            <div class="lesson-act">
                <button
                    class="run"
                    data-testid="lesson-run"
                    disabled=move || posed.with(Option::is_none)
                    on:click=start
                >
                    {move || if is_busy() { "Stop" } else { label }}
                </button>
                <Show when=is_busy fallback=move || view! { <span class="quiet-text" data-testid="lesson-player">{who.get()}</span> }>
                    <span class="quiet-text" role="status">"Running…"</span>
                </Show>
            </div>
            {move || {
                is_done.get().then(|| view! {
                    <Figure scene label="The graph with what is claimed" legend=RUN player=play.played()/>
                })
            }}
            {list
                .get_value()
                .into_iter()
                .map(|seat| view! { <Notice message=seat.run.session.notice/> })
                .collect_view()}
            <div class="lesson-sides">
                {seats.into_iter().map(|seat| view! { <Outcome seat play/> }).collect_view()}
            </div>
        </section>
    }
}

/// What a system answered, and how it came to it.
#[component]
fn Outcome(seat: Seat, play: PlayedSides) -> impl IntoView {
    let told = Memo::new(move |_| play.tells(seat.run));
    let announced = Signal::derive(move || {
        let run = seat.run.answered.get().run.filter(|_| told.get());
        run.map(|run| spoken(seat.title, &run.judgement)).unwrap_or_default()
    });
    let outcome = move || {
        let now = seat.run.answered.get();
        let run = now.run.clone()?;
        if !told.get() {
            let place = Signal::derive(move || {
                (play.place(seat.run), seat.run.session.steps.with(Vec::len))
            });
            let on_skip = Callback::new(move |()| play.skip());
            return Some(
                view! { <div class="lesson-side"><PlayingCard who=seat.title place on_skip/></div> }
                    .into_any(),
            );
        }
        let steps = story::shared(&run.trace.steps);
        let n = steps.len();
        let words = now.answer();
        Some(view! {
            <div class="lesson-side" data-testid=format!("side-{}", seat.system)>
                <VerdictCard who=format!("{}: {}", seat.title, run.trace.model) judgement=run.judgement/>
                <ClaimedText
                    text=words
                    claims=now.claims.clone()
                    picked=seat.picked
                    on_pick=Callback::new(move |claim| {
                        play.seek(usize::MAX);
                        seat.picked.set(claim);
                    })
                />
                <FalseClaims claims=now.claims/>
                <details class="lesson-steps">
                    <summary data-testid="lesson-steps">
                        {steps_in_words(n)}
                    </summary>
                    <p class="quiet-text">"Click a step to see on the drawing what it wrote or read."</p>
                    <Transcript
                        steps=Signal::stored(steps)
                        cursor=Signal::derive(move || play.place(seat.run))
                        on_seek=Callback::new(move |at| play.pause_at(at))
                    />
                </details>
            </div>
        }
        .into_any())
    };
    view! {
        <Announced words=announced/>
        {outcome}
    }
}

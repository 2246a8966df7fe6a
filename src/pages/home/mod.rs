//! The first page: one problem, and two answers of the same model beside each other. It says in ten
//! seconds what all this is about, and leads on.

mod state;
mod strip;

use draw::{Marks, Scene};
use leptos::prelude::*;
use protocol::problem::ProblemView;
use trace::{Record, StepBody};

use super::{PageSpec, part};
use crate::components::claimed_text::ClaimedText;
use crate::components::form::Area;
use crate::components::graph_view::GraphView;
use crate::components::notice::Notice;
use crate::components::verdict;
use crate::routes::href;
use crate::services::model_file;
use crate::services::open::TraceToOpen;
use crate::shell::Shell;
use crate::state::settings::Who;
use crate::state::view::ViewBox;
use crate::state::{claimed, home, marks};
use crate::workbench::checked_run::Answered;
use crate::workbench::share::ShareButton;
use state::PageState;
use strip::Strip;

pub(super) static PAGE: PageSpec = PageSpec {
    path: "home",
    title: "Start",
    styles: &["home.css"],
    part: part!(home, home, mount),
    ..PageSpec::USUAL
};

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(PageState::new);
    view! {
        <main class="page home">
            <Head state/>
            <People state/>
            <Told state/>
            <Notice message=state.notice/>
            <div class="home-sides">
                <Side state which=0/>
                <Side state which=1/>
            </div>
            <Strip state/>
            <Doors state/>
        </main>
    }
    .into_any()
}

/// What people may type.
const PEOPLE: &str = "Emma knows Noah. Noah knows Mia and Ben. Mia knows Lea. Ben knows Tom. Tom knows Ida. \
                      What is the shortest chain from Emma to Ida?";

/// What is asked, and of whom.
#[component]
fn Head(state: PageState) -> impl IntoView {
    let question = move || {
        if let Some(theirs) = state.theirs.get() {
            return theirs;
        }
        state.problem.with(|p| {
            let text = p.as_ref().map(|p| home::asked(&p.question).to_owned());
            text.unwrap_or_else(|| "Making a problem…".to_owned())
        })
    };
    let whole =
        move || state.problem.with(|p| p.as_ref().map_or_else(String::new, |p| p.question.clone()));
    let who = move || {
        state.shell.settings.with(|s| match s.who {
            Who::Own => {
                "Who answers: our own small language model, in this page. It was trained twice from \
                 scratch, equally long, on generated problems: once without tools, once with. The first problem was chosen \
                 because the mistake is easy to see."
                    .to_owned()
            }
            Who::Script => {
                format!("Who answers: no model, but a script that plays one ({}).", s.words())
            }
            _ => format!("Who answers: {}.", s.words()),
        })
    };
    view! {
        <header class="home-head">
            <h1>"One model, one question, two answers"</h1>
            <p class="home-question" data-testid="home-question">{question}</p>
            <p class="quiet-text" data-testid="home-who">{who}</p>
            <details>
                <summary>"What the model reads"</summary>
                <p class="quiet-text">{whole}</p>
            </details>
        </header>
    }
}

/// A field for people of one's own: who knows whom, and a question.
#[component]
fn People(state: PageState) -> impl IntoView {
    let is_empty = move || state.people.with(|text| text.trim().is_empty());
    let ask = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        state.ask_about_people();
    };
    view! {
        <details class="home-people" data-testid="home-people">
            <summary data-testid="home-people-open">"Ask about your friends"</summary>
            <form on:submit=ask>
                <Area
                    label="Who knows whom? End with a question."
                    testid="home-people-words"
                    rows=3
                    maxlength="4000"
                    placeholder=PEOPLE
                    value=state.people
                    on_input=move |words| state.people.set(words)
                />
                <div class="row">
                    <button class="run" data-testid="home-people-ask" disabled=is_empty>
                        "Ask both"
                    </button>
                    <button
                        type="button"
                        class="ghost"
                        data-testid="home-people-example"
                        on:click=move |_| {
                            state.people.set(PEOPLE.to_owned());
                            state.ask_about_people();
                        }
                    >
                        "Try an example"
                    </button>
                    <Show when=move || state.theirs.with(Option::is_some) && state.told().is_some()>
                        <ShareButton on_share=Callback::new(move |sharing| state.share(sharing))/>
                    </Show>
                </div>
            </form>
        </details>
    }
}

/// What is drawn of a side.
fn scene_of(state: PageState, which: usize, problem: &ProblemView) -> Scene {
    let side = state.sides[which];
    let whole = Scene::new(&problem.graph, &problem.places, &Marks::default());
    let is_grown = which == 0 || state.is_grown();
    let ended = side.answered.with(|a| {
        let run = a.run.as_ref().filter(|_| is_grown)?;
        let claims = claimed::marks(&a.claims);
        let has_claims = !claims.nodes.is_empty() || !claims.edges.is_empty();
        let drawn = if has_claims { claims } else { run.judgement.certificate.marks.clone() };
        let is_right = run.judgement.verdict == tasks::Verdict::Correct;
        Some(marks::scene(problem, &marks::of_certificate(&drawn, is_right)))
    });
    if let Some(scene) = ended {
        return scene;
    }
    if which == 0 {
        return whole;
    }
    let n = state.n_grown.get();
    let graph = side.session.steps.with(|steps| home::grown(steps, n));
    // Nothing jumps while the graph grows.
    Scene { view: whole.view, ..Scene::new(&graph, &problem.places, &Marks::default()) }
}

/// One answer: what is drawn, what is said, how right it is.
#[component]
fn Side(state: PageState, which: usize) -> impl IntoView {
    let side = state.sides[which];
    let (title, lede) = match which {
        0 => ("Without tools", "The model reads the question and answers from its head."),
        _ => ("With tools", "The same model builds the graph and lets functions compute."),
    };
    let view_box = RwSignal::new(None::<ViewBox>);
    let scene = Memo::new(move |_| {
        state.problem.with(|p| p.as_ref().map(|p| scene_of(state, which, p))).unwrap_or_default()
    });
    Effect::new(move |_| {
        state.problem.track();
        view_box.set(None);
    });
    let verdict =
        Memo::new(move |_| side.answered.with(|a| a.run.as_ref().map(|run| run.judgement.verdict)));
    let badge = move || {
        let (word, tone) = match verdict.get() {
            Some(verdict) => verdict::words(verdict),
            None if side.session.is_busy() => ("Answering…", "busy"),
            None => ("Not asked yet", "none"),
        };
        let is_there = verdict.get().is_some();
        view! {
            <strong class=format!("home-verdict {tone}") data-verdict=is_there.then_some(word)>{word}</strong>
        }
    };
    let is_empty = move || which == 1 && scene.with(|s| s.nodes.is_empty());
    view! {
        <section class="home-side" aria-label=title data-testid=format!("home-side-{which}")>
            <header>
                <h2>{title}</h2>
                {badge}
                <p class="quiet-text">{lede}</p>
            </header>
            <div class="canvas">
                <GraphView
                    scene
                    view=view_box
                    editing=false
                    label=format!("{title}: the graph with what is claimed about it")
                    on_gesture=Callback::new(|_| {})
                />
                <Show when=move || is_empty() && state.problem.with(Option::is_some)>
                    <p class="home-empty">"Still empty: the model builds this graph itself, by calls."</p>
                </Show>
            </div>
            <Notice message=side.session.notice/>
            <Coming state which/>
            <Calls state which/>
            {move || side.answered.with(|a| a.run.is_some().then(|| said(a)))}
        </section>
    }
}

/// An answer with its claims; one that failed says why.
fn said(answered: &Answered) -> impl IntoView + use<> {
    let why = answered.run.as_ref().map(|run| run.judgement.explanation.clone());
    view! {
        <ClaimedText
            text=answered.answer()
            claims=answered.claims.clone()
            picked=None
            on_pick=Callback::new(|_| {})
        />
        <p class="quiet-text">{why}</p>
    }
}

/// What comes while a side is answering: the weights at first, then what the model says.
#[component]
fn Coming(state: PageState, which: usize) -> impl IntoView {
    let side = state.sides[which];
    let doing = model_file::doing();
    move || {
        if !side.session.is_busy() {
            return None;
        }
        if let Some(doing) = doing.get() {
            let (done, total) = (doing.done.to_string(), doing.total.to_string());
            return Some(
                view! {
                    <div class="home-coming" role="status" data-testid="home-weights">
                        <p>{doing.words}</p>
                        <progress aria-hidden="true" max=total value=done></progress>
                    </div>
                }
                .into_any(),
            );
        }
        let text = side.session.live.with(|live| live.text.text().to_owned());
        Some(view! { <p class="claimed" data-testid="home-live">{text} "▍"</p> }.into_any())
    }
}

/// The calls of the run with tools, by their names.
#[component]
fn Calls(state: PageState, which: usize) -> impl IntoView {
    let steps = state.sides[which].session.steps;
    move || {
        let names: Vec<String> = steps.with(|steps| {
            let of = |body: &StepBody| match body {
                StepBody::Call { call, .. } => Some(call.name.clone()),
                _ => None,
            };
            steps.iter().filter_map(|step| of(&step.body)).collect()
        });
        (!names.is_empty()).then(|| {
            let chips = names.into_iter().map(|name| view! { <li>{name}</li> }).collect_view();
            view! { <ol class="home-calls" aria-label="Functions that it called">{chips}</ol> }
        })
    }
}

/// What happened, and the one button.
#[component]
fn Told(state: PageState) -> impl IntoView {
    let sentence = move || match state.told() {
        Some([alone, with]) => home::sentence(alone, with),
        None if state.is_busy() => "Both are answering…".to_owned(),
        None => String::new(),
    };
    let is_waiting = move || {
        !state.is_at_once()
            && !state.is_busy()
            && state.told().is_none()
            && state.problem.with(Option::is_some)
    };
    view! {
        <div class="home-told">
            <p role="status" data-testid="home-told">{sentence}</p>
            <Show when=is_waiting>
                <button class="run" data-testid="home-ask" on:click=move |_| state.answer()>
                    "Ask it"
                </button>
            </Show>
            <button
                class="run"
                data-testid="home-another"
                on:click=move |_| state.show(state.place.get_untracked() + 1)
            >
                "Another problem"
            </button>
        </div>
    }
}

/// Where to go from here.
#[component]
fn Doors(state: PageState) -> impl IntoView {
    let shell = state.shell;
    // The trace of the answer that is shown, or the page of traces where there is none yet.
    let inspect = move |event: leptos::ev::MouseEvent| {
        let run = state.sides[1].answered.with_untracked(|a| a.run.clone());
        let (Some(run), Some(problem)) = (run, state.problem.get_untracked()) else { return };
        event.prevent_default();
        let record = Record {
            id: "start".into(),
            task: run.task.as_str().into(),
            input: problem.question.clone(),
            ..Record::of(run.trace)
        };
        let name = format!("{}, with tools", run.task.title());
        let problem = Some(Box::new(problem));
        shell.open.trace(TraceToOpen::Record {
            record: Box::new(record),
            name,
            problem,
            back: None,
        });
    };
    view! {
        <nav class="home-doors" aria-label="Where to go from here">
            <a href=href("lessons", &[]) data-testid="door-teach">
                <b>"Teach with it"</b>
                <span>"Lessons to read and play, for a class or for yourself."</span>
            </a>
            <a href=href("traces", &[]) data-testid="door-inspect" on:click=inspect>
                <b>"Look inside an answer"</b>
                <span>"Every step of the answer above: what was said, called and computed."</span>
            </a>
            <a href=href("bench", &[]) data-testid="door-bench">
                <b>"Run a benchmark"</b>
                <span>"Many problems, several models, tables and plots."</span>
            </a>
            <button
                type="button"
                data-testid="door-model"
                on:click=move |_| shell.chooses_model.set(true)
            >
                <b>"Use your own model"</b>
                <span>"A server on your machine, a service, or a model file in this page."</span>
            </button>
        </nav>
    }
}

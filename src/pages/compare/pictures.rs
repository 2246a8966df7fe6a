//! What is compared as a picture and as a film.

use draw::{Marks, Scene, Theme};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::problem::ProblemView;

use super::state::PageState;
use crate::routes;
use crate::services::open;
use crate::services::screen::is_dark;
use crate::services::{clipboard, film};
use crate::state::marks;
use crate::state::picture::{self, ComparedPair, Side};
use crate::workbench::checked_run::Answered;

/// What is on a picture, as far as it is there.
struct Shot {
    question: String,
    model: String,
    address: String,
    sides: Vec<Side>,
    /// The graph bare, with the first answer's claims, and with both.
    scenes: [Scene; 3],
}

impl Shot {
    fn of(state: PageState) -> Option<Self> {
        let problem = state.open.problem.get_untracked()?;
        let answered: Vec<Answered> =
            state.sides.iter().map(|side| side.answered.get_untracked()).collect();
        let mut sides = Vec::new();
        for (answered, title) in answered.iter().zip(["Without tools", "With graph tools"]) {
            sides.push(Side {
                title: title.to_owned(),
                verdict: Some(answered.run.as_ref()?.judgement.verdict),
                text: answered.answer(),
                claims: answered.claims.clone(),
            });
        }
        let model = answered.first()?.run.as_ref()?.trace.model.clone();
        let first = answered.first()?.drawn(None);
        let both = marks::together(answered.iter().map(|answered| answered.drawn(None)));
        let scene = |drawn: &Marks| marks::scene(&problem, drawn);
        Some(Self {
            scenes: [scene(&Marks::default()), scene(&first), scene(&both)],
            address: address_of(&problem),
            question: problem.question,
            model,
            sides,
        })
    }

    fn pair(&self) -> ComparedPair<'_> {
        ComparedPair {
            question: &self.question,
            model: &self.model,
            scene: &self.scenes[2],
            sides: &self.sides,
            address: &self.address,
        }
    }
}

/// Where the problem is found; empty where the page is on this machine, which nobody else can open.
fn address_of(problem: &ProblemView) -> String {
    let location = window().location();
    let host = location.hostname().unwrap_or_default();
    if matches!(host.as_str(), "" | "localhost" | "127.0.0.1" | "[::1]") {
        return String::new();
    }
    let here = location.href().unwrap_or_default();
    let here = here.split('#').next().unwrap_or_default().to_owned();
    let (Some(difficulty), Some(seed)) = (problem.difficulty, problem.seed) else {
        return here + &routes::href(open::BOTH, &[]);
    };
    let seed = seed.to_string();
    let task = problem.query.task();
    let keys = [("task", task.as_str()), ("difficulty", difficulty.as_str()), ("seed", &seed)];
    here + &routes::href(open::BOTH, &keys)
}

fn theme() -> Theme {
    if is_dark() { Theme::Dark } else { Theme::Light }
}

/// The buttons, once both sides have answered.
#[component]
pub(super) fn Pictures(state: PageState) -> impl IntoView {
    // Which moment is recorded, of how many.
    let recording = RwSignal::new(None::<(usize, usize)>);
    let fault = RwSignal::new(None::<String>);
    let is_there = move || state.sides.iter().all(|side| side.answered.with(|a| a.run.is_some()));
    let save = move |as_png: bool| {
        let Some(shot) = Shot::of(state) else { return };
        let (file, height) = picture::pair(&shot.pair(), theme());
        if as_png {
            clipboard::save_png("compare.png", &file, picture::WIDTH, height);
        } else {
            clipboard::save("compare.svg", "image/svg+xml", &file);
        }
    };
    let record = move || {
        let Some(shot) = Shot::of(state) else { return };
        fault.set(None);
        spawn_local(async move {
            let [bare, first, both] = &shot.scenes;
            let (moments, height) = picture::film(&shot.pair(), [bare, first, both], theme());
            let n = moments.len();
            recording.set(Some((0, n)));
            let on_moment = move |i: usize| {
                // Whoever stops it, or leaves, wants no file.
                let goes_on = recording.try_with_untracked(Option::is_some) == Some(true);
                if goes_on {
                    recording.set(Some((i, n)));
                }
                goes_on
            };
            let done = film::record("compare", &moments, height, on_moment).await;
            recording.try_set(None);
            if let Err(words) = done {
                fault.try_set(Some(words));
            }
        });
    };
    view! {
        <Show when=is_there>
            <div class="share-picture" role="group" aria-labelledby="pictures">
                <span id="pictures">"Both answers"</span>
                <button class="ghost" data-testid="picture-png" on:click=move |_| save(true)>"PNG"</button>
                <button class="ghost" data-testid="picture-svg" on:click=move |_| save(false)>"SVG"</button>
                {move || match recording.get() {
                    None => {
                        view! {
                            <button class="ghost" data-testid="picture-film" on:click=move |_| record()>
                                "Film"
                            </button>
                        }
                            .into_any()
                    }
                    Some((i, n)) => {
                        view! {
                            <span role="status">
                                <progress aria-label="Recording" max=n.to_string() value=i.to_string()></progress>
                            </span>
                            <button class="ghost" on:click=move |_| recording.set(None)>"Stop"</button>
                        }
                            .into_any()
                    }
                }}
            </div>
            {move || fault.get().map(|words| view! { <p class="report no" role="alert">{words}</p> })}
        </Show>
    }
}

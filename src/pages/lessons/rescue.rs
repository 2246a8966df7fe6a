//! A turn of the rescue conversation in a lesson, and what the checks find.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use draw::Scene;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::exact::Exact;
use protocol::rescue::RescueRun;
use protocol::runs::{EndedRun, ModelChoice, RunEvent, StartRun};
use systems::rescue::{Dialogue, Turn};
use tasks::rescue::{NINE_LOCATIONS, RescueFinding, Scenario};

use super::play::{Figure, steps_in_words};
use super::state::PageState;
use crate::components::transcript::Transcript;
use crate::services::engine_client::{self, Beside};
use crate::state::lesson::{RescueBlock, map};
use crate::state::rescue::turn_of;
use crate::state::story;

/// What the colours of the map mean.
const MAP: &[(&str, &str)] =
    &[("plain", "as the data say"), ("false", "not as the data say, or left out")];

/// The block.
#[component]
pub(super) fn Rescue(state: PageState, block: RescueBlock) -> impl IntoView {
    let turn = RwSignal::new(None::<Turn>);
    let busy = RwSignal::new(false);
    let is_here = Arc::new(AtomicBool::new(true));
    let left = is_here.clone();
    on_cleanup(move || left.store(false, Ordering::Relaxed));
    let words = block.say.clone();
    let start = move |_| {
        let Some(model) = state.model_or_script(&block.script) else { return };
        let request = match ask(&block.say, model) {
            Ok(request) => request,
            Err(message) => return state.notice.set(Some(message)),
        };
        busy.set(true);
        turn.set(None);
        let is_here = is_here.clone();
        spawn_local(async move {
            let told = Rc::new(RefCell::new(None));
            let hear = told.clone();
            let on_event = move |event| {
                if let RunEvent::Own(Exact(turn)) = event {
                    hear.replace(Some(turn));
                }
            };
            let engine = engine_client::interactive();
            let (_, reply) =
                engine.start_and_wait(&request, &Beside::default(), |_, _| (), on_event);
            let answer = reply.wait().await.map_err(String::from);
            if !is_here.load(Ordering::Relaxed) {
                return;
            }
            busy.set(false);
            match answer {
                Ok(EndedRun { run, .. }) => {
                    turn.set(told.take().map(|said| Turn { trace: run.trace, ..said }));
                }
                Err(message) => state.notice.set(Some(message)),
            }
        });
    };
    view! {
        <section class="lesson-block lesson-run" data-testid="lesson-rescue">
            <div class="lesson-act">
                <button class="run" data-testid="lesson-run" disabled=move || busy.get() on:click=start>
                    {move || if busy.get() { "Running…" } else { "Let it plan" }}
                </button>
                <span class="quiet-text">{format!("“{words}”")}</span>
            </div>
            {move || turn.get().map(|turn| view! { <Found turn/> })}
        </section>
    }
}

/// The request that says the words on the nine locations.
fn ask(words: &str, model: ModelChoice) -> Result<StartRun<RescueRun>, String> {
    let scenario = Scenario::from_json(NINE_LOCATIONS).map_err(|e| e.to_string())?;
    turn_of(Dialogue::new(scenario), words, model)
}

/// The model's map, its answer, and the findings about both.
#[component]
fn Found(turn: Turn) -> impl IntoView {
    let drawn: Scene =
        map::scene(&turn.dialogue.scenario, &turn.dialogue.graph, &turn.graph_findings);
    let n = turn.graph_findings.len() + turn.findings.len();
    let (tone, word) = if n == 0 { ("ok", "No fault") } else { ("no", "Faults") };
    let told = match n {
        0 => "The graph is the environment's, and the plan keeps every rule.".to_owned(),
        1 => "1 thing is wrong.".to_owned(),
        n => format!("{n} things are wrong."),
    };
    let steps = story::shared(&turn.trace.steps);
    let n_steps = steps.len();
    let cursor = RwSignal::new(n_steps);
    let answer = turn.trace.answer().unwrap_or_default().to_owned();
    view! {
        <Figure scene=Signal::stored(drawn) label="The model's graph on the map" legend=MAP/>
        <div class=format!("card {tone}") data-verdict=word>
            <b>"Graph and answer, held against the data"</b>
            <strong>{word}</strong>
            <p>{told}</p>
        </div>
        <Findings title="In the graph that the model built" list=turn.graph_findings/>
        <Findings title="In the answer" list=turn.findings/>
        <p class="claimed">{answer}</p>
        <details class="lesson-steps">
            <summary>{steps_in_words(n_steps)}</summary>
            <Transcript
                steps=Signal::stored(steps)
                cursor
                on_seek=Callback::new(move |at| cursor.set(at))
            />
        </details>
    }
}

#[component]
fn Findings(title: &'static str, list: Vec<RescueFinding>) -> impl IntoView {
    (!list.is_empty()).then(|| {
        let rows = list.into_iter().map(|f| view! { <li>{f.message}</li> }).collect_view();
        view! {
            <h3>{title}</h3>
            <ul class="false-claims" data-testid="findings">{rows}</ul>
        }
    })
}

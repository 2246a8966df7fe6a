//! A task of Knowledge Graph of Thoughts in a lesson, solved with a graph that grows or without.

use std::collections::BTreeSet;

use leptos::prelude::*;
use protocol::exact::Exact;
use protocol::kgot::{KgotEvent, KgotRun};
use protocol::runs::{EndedRun, ListCases, RunEvent, StartRun};
use systems::experiment::Source;
use systems::kgot::experiment::{own_case, system_of};
use systems::kgot::{GRAPH, KgotLanguage, KgotMethod, TOOLS};
use tasks::kgot::KgotCase;

use super::play::{Figure, steps_in_words};
use super::state::PageState;
use crate::components::transcript::Transcript;
use crate::components::verdict::words;
use crate::services::engine_client;
use crate::state::kgot::{Growing, Pointed, SolvedTask, drawn};
use crate::state::lesson::ThoughtsBlock;
use crate::state::story;
use crate::workbench::session::{Happening, RunSession};

/// What the colours mean.
const LEGEND: &[(&str, &str)] = &[("true", "supports the answer"), ("plain", "the rest")];

/// The block.
#[component]
pub(super) fn Thoughts(state: PageState, block: ThoughtsBlock) -> impl IntoView {
    let session = RunSession::unkept();
    let growing = RwSignal::new(Growing::default());
    let solved = RwSignal::new(None::<SolvedTask>);
    on_cleanup(move || session.abandon());
    let has_graph = block.has_graph;
    let index = block.index;
    let start = move |_| {
        let Some(model) = state.model_or_script(&block.script) else { return };
        session.clear();
        growing.set(Growing::default());
        solved.set(None);
        session.busy.set(Some("task".into()));
        let turn = session.turn();
        leptos::task::spawn_local(async move {
            let engine = engine_client::knowledge();
            let set = ListCases::<KgotRun>::new(Source { seed: 0, ..Source::default() });
            let case = engine.ask(set).await.and_then(|Exact(cases)| {
                let case = cases.get(index).ok_or("the set has no such task")?;
                case.body.read::<KgotCase>()
            });
            if !session.is_turn(turn) {
                return;
            }
            match case {
                Ok(case) => {
                    let task = systems::kgot::experiment::task_of(&case);
                    let own = match own_case(&task, Some(&case.answer)) {
                        Ok(own) => own,
                        Err(message) => return state.notice.set(Some(message)),
                    };
                    let method =
                        if has_graph { KgotMethod::OneLanguage } else { KgotMethod::NoGraph };
                    let system = system_of(&method, KgotLanguage::Cypher);
                    let mut ask = StartRun::<KgotRun>::new(system, own);
                    if has_graph {
                        ask = ask.with_model(GRAPH.id, model.clone());
                    }
                    ask = ask.with_model(TOOLS.id, model);
                    session.start(&engine, &ask, "solve", move |happening| match happening {
                        Happening::Event(RunEvent::Own(KgotEvent::Grown(growth))) => {
                            growing.update(|g| g.push(0, growth));
                        }
                        Happening::Done(EndedRun { run, is_known, .. }) => {
                            growing.update(Growing::tidy);
                            solved.set(Some(SolvedTask { run: *run, is_known }));
                        }
                        Happening::Failed(message) => state.notice.set(Some(message)),
                        _ => {}
                    });
                }
                Err(message) => {
                    session.abandon();
                    state.notice.set(Some(message));
                }
            }
        });
    };
    let title = move || match (session.is_busy(), has_graph) {
        (true, _) => "Running…",
        (_, true) => "Grow a graph and solve",
        (_, false) => "Solve without a graph",
    };
    view! {
        <section class="lesson-block lesson-run lesson-thoughts" data-testid="lesson-thoughts">
            <div class="lesson-act">
                <button
                    class="run"
                    data-testid="lesson-run"
                    disabled=move || session.is_busy()
                    on:click=start
                >
                    {title}
                </button>
                <Show when=move || session.is_busy()>
                    <button class="quiet" on:click=move |_| session.stop()>
                        "Stop"
                    </button>
                </Show>
            </div>
            {move || solved.get().map(|done| view! { <Solved done growing=growing.get() has_graph/> })}
        </section>
    }
}

/// The answer, the graph that it stands on, and what was done.
#[component]
fn Solved(done: SolvedTask, growing: Growing, has_graph: bool) -> impl IntoView {
    let card = done.score().map(|score| {
        let (word, tone) = words(score.verdict);
        view! {
            <div class=format!("card {tone}") data-verdict=word>
                <b>{if has_graph { "With a graph" } else { "Without a graph" }}</b>
                <strong>{word}</strong>
                <p>{score.explanation.clone()}</p>
            </div>
        }
    });
    let support: BTreeSet<String> = done.run.outcome.support.iter().cloned().collect();
    let pointed = Pointed { support, ..Pointed::default() };
    let mut now = growing.newest();
    now.fresh_nodes.clear();
    now.fresh_edges.clear();
    let scene = drawn(&now, &growing.places, &pointed);
    let figure = (!scene.nodes.is_empty()).then(|| {
        let label = "The graph that has grown";
        view! { <Figure scene=Signal::stored(scene) label legend=LEGEND/> }
    });
    let steps = story::shared(&done.run.trace.steps);
    let n_steps = steps.len();
    let cursor = RwSignal::new(n_steps);
    view! {
        {card}
        {figure}
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

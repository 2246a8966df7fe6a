//! How a turn of our own model came about: its words to choose from, what else was likely at each, and
//! where in the question the model looked.

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::problem::ProblemView;
use protocol::runs::{LookInside, LookedInside};

use crate::components::graph_view::GraphView;
use crate::services::engine_client;
use crate::state::look::LookTurn;
use crate::state::{look, marks};

/// Turns of a model to choose from; the one that is chosen is computed again, and shown.
#[component]
pub(crate) fn LookPanel(
    problem: ProblemView,
    turns: Vec<LookTurn>,
    /// The word that is chosen at first; else the turn's own.
    #[prop(optional_no_strip)]
    word: Option<String>,
) -> impl IntoView {
    let chosen = RwSignal::new(0_usize);
    let titles: Vec<String> = turns.iter().map(|turn| turn.title.clone()).collect();
    let (problem, turns) = (StoredValue::new(problem), StoredValue::new(turns));
    let choice = (titles.len() > 1).then(|| {
        let button = |(i, title): (usize, String)| {
            view! {
                <button
                    type="button"
                    aria-pressed=move || (chosen.get() == i).to_string()
                    on:click=move |_| chosen.set(i)
                >
                    {format!("{}. {title}", i + 1)}
                </button>
            }
        };
        view! {
            <div class="look-turns" role="group" aria-label="Turns of the model" data-testid="look-turns">
                {titles.into_iter().enumerate().map(button).collect_view()}
            </div>
        }
    });
    let inside = move || {
        let turn = turns.with_value(|turns| turns.get(chosen.get()).cloned())?;
        let (problem, word) = (problem.get_value(), word.clone());
        Some(view! { <Turn problem turn word/> })
    };
    view! { <div class="look-place">{choice} {inside}</div> }
}

/// Asks the model again, and shows it once the answer is there.
#[component]
fn Turn(problem: ProblemView, turn: LookTurn, word: Option<String>) -> impl IntoView {
    let looked = RwSignal::new(None::<Result<LookedInside, String>>);
    let ask = LookInside {
        before: turn.before.clone(),
        said: Box::new(turn.said.clone()),
        has_tools: turn.has_tools,
    };
    spawn_local(async move {
        let answer = engine_client::interactive().ask(ask).await;
        // The reader may have gone on.
        drop(looked.try_set(Some(answer.map(|look| look.0))));
    });
    let problem = StoredValue::new(problem);
    move || {
        Some(match looked.get()? {
            Ok(look) => {
                let named = word.as_deref().and_then(|word| look::find(&look, word));
                let at = named.unwrap_or_else(|| look::first(&look, &turn));
                let problem = problem.get_value();
                view! { <Looked look problem at/> }.into_any()
            }
            Err(message) => view! { <p class="notice" role="alert">{message}</p> }.into_any(),
        })
    }
}

/// The words, the probabilities and the attention of the one that is chosen.
#[component]
fn Looked(look: LookedInside, problem: ProblemView, at: usize) -> impl IntoView {
    let words = look::words(&look);
    let chosen = RwSignal::new(at);
    let look = StoredValue::new(look);
    let problem = StoredValue::new(problem);
    let chips = words
        .into_iter()
        .map(|word| {
            let token = word.token;
            let share = look.with_value(|l| l.said[token].probability);
            view! {
                <button
                    type="button"
                    aria-pressed=move || (chosen.get() == token).to_string()
                    title=format!("{} likely", look::percent(share))
                    on:click=move |_| chosen.set(token)
                >
                    {word.text}
                </button>
            }
        })
        .collect_view();
    let likely = move || {
        let token = chosen.get();
        look.with_value(|l| l.said.get(token).map(|said| said.likely.clone()))
            .unwrap_or_default()
            .into_iter()
            .map(|(text, share)| {
                view! {
                    <li>
                        <code>{look::told(&text).to_owned()}</code>
                        <meter min="0" max="1" value=share.to_string() aria-hidden="true"></meter>
                        <span>{look::percent(share)}</span>
                    </li>
                }
            })
            .collect_view()
    };
    let question = move || {
        let token = chosen.get();
        look.with_value(|l| look::spans(l, token))
            .into_iter()
            .map(|span| {
                let style = format!("--heat: {:.2}", span.heat);
                view! { <span style=style title=look::percent(span.share)>{span.text}</span> }
            })
            .collect_view()
    };
    let edges = Memo::new(move |_| {
        let token = chosen.get();
        look.with_value(|l| problem.with_value(|p| look::edges(l, token, &p.graph)))
    });
    let scene = Signal::derive(move || {
        problem.with_value(|p| edges.with(|edges| marks::scene(p, &look::marks(edges))))
    });
    let told = move || {
        edges.with(|edges| {
            let of = |(u, v, share): &(graph::NodeName, graph::NodeName, f32)| {
                format!("{u}–{v} ({})", look::percent(*share))
            };
            match edges.as_slice() {
                [] => "It looked at no edge of the question for long.".to_owned(),
                list => format!(
                    "It looked at these edges most: {}.",
                    list.iter().map(of).collect::<Vec<_>>().join(", ")
                ),
            }
        })
    };
    view! {
        <section class="look" aria-label="How the answer came about" data-testid="look">
            <p class="quiet-text">"Choose a word that the model said."</p>
            <div
                class="look-words"
                role="group"
                aria-label="What the model said"
                data-testid="look-words"
            >{chips}</div>
            <div class="look-two">
                <div>
                    <h3>"What else was likely there"</h3>
                    <ol class="look-likely" data-testid="look-likely">{likely}</ol>
                    <h3>"Where the model looked"</h3>
                    <p class="quiet-text" role="status" data-testid="look-edges">{told}</p>
                </div>
                <div class="canvas">
                    <GraphView
                        scene
                        view=RwSignal::new(None)
                        editing=false
                        label="The graph with the edges that the model looked at"
                        on_gesture=Callback::new(|_| {})
                    />
                </div>
            </div>
            <p class="look-question" data-testid="look-question">{question}</p>
            <p class="quiet-text">
                "The darker a word of the question is painted, the more of the model's attention was on it when it said the chosen word: the mean over all attention heads. What a model looks at is a hint at what it used, and no proof."
            </p>
        </section>
    }
}

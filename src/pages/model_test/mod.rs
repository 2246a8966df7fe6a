//! Test my model: eight problems without tools and with them, and a card and a badge to paste.

mod state;

use leptos::prelude::*;

use super::{PageSpec, part};
use crate::components::notice::Notice;
use crate::components::verdict;
use crate::routes;
use crate::services::{clipboard, open};
use crate::shell::Shell;
use crate::state::model_card::{ModelCard, TestRow};
use crate::state::settings::ModelSettings;
use crate::workbench::copy::CopyButton;
use state::PageState;

pub(super) static PAGE: PageSpec = PageSpec {
    path: "test",
    title: "Test my model",
    group: "Bench",
    styles: &["model_test.css"],
    in_frames: false,
    part: part!(endpoints, test, mount),
    ..PageSpec::USUAL
};

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(PageState::new);
    let card = Memo::new(move |_| state.card());
    let n_done = move || {
        state.rows.with(|rows| {
            rows.iter().flat_map(|(_, sides)| sides).filter(|s| s.verdict.is_some()).count()
        })
    };
    view! {
        <main class="page model-test">
            <h1>"Test my model"</h1>
            <p class="lede">
                "Eight graph problems, each answered without tools and with them. The verdicts are computed here; nothing but the questions leaves this page."
            </p>
            <ol class="test-steps">
                <li>
                    <h2>"Choose the model"</h2>
                    <p data-testid="test-model">{move || shell.settings.with(ModelSettings::words)}</p>
                    <p class="row-of-buttons">
                        <button class="ghost" data-testid="test-choose" on:click=move |_| shell.chooses_model.set(true)>
                            "Choose another…"
                        </button>
                        <a class="button-link" href=routes::href(open::ENDPOINT, &[])>
                            "Check an endpoint"
                        </a>
                    </p>
                </li>
                <li>
                    <h2>"Let it answer"</h2>
                    <Notice message=state.notice/>
                    <div class="test-act">
                        <Show
                            when=move || state.at.with(Option::is_none)
                            fallback=move || {
                                view! {
                                    <button class="ghost" data-testid="stop" on:click=move |_| state.stop()>
                                        "Stop"
                                    </button>
                                }
                            }
                        >
                            <button class="run" data-testid="run" on:click=move |_| state.start()>
                                {move || match n_done() {
                                    0 => "Ask the 16 questions",
                                    16 => "Ask them again",
                                    _ => "Ask what is missing",
                                }}
                            </button>
                        </Show>
                        <progress max="16" value=move || n_done().to_string() aria-label="Answers"></progress>
                        <span role="status" data-testid="test-progress">
                            {move || {
                                let n = n_done();
                                let s = state.seconds.get();
                                if s > 0.0 { format!("{n} of 16, {s:.1} s") } else { format!("{n} of 16") }
                            }}
                        </span>
                    </div>
                    <Table state/>
                </li>
                <li>
                    <h2>"Take the card"</h2>
                    {move || {
                        let card = card.get();
                        if card.is_whole() {
                            view! { <Card card/> }.into_any()
                        } else {
                            view! {
                                <p class="quiet-text">
                                    "Once all sixteen are answered there is a badge and a card here, to paste into a model's page."
                                </p>
                            }
                                .into_any()
                        }
                    }}
                </li>
            </ol>
        </main>
    }
    .into_any()
}

/// The problems with both verdicts; each opens the run behind it.
#[component]
fn Table(state: PageState) -> impl IntoView {
    let row = move |i: usize, (task, sides): &TestRow| {
        let cells = [0, 1].map(|side| {
            let outcome = sides[side];
            let (word, tone) = match outcome.verdict {
                Some(verdict) => verdict::words(verdict),
                None if state.at.get() == Some((i, side)) => ("Answering…", "busy"),
                None => ("–", "none"),
            };
            let told = match (side, outcome.n_false, outcome.n_calls) {
                (_, 1, _) => ", 1 false claim".to_owned(),
                (_, n, _) if n > 1 => format!(", {n} false claims"),
                (1, _, n) if n > 0 => format!(", {n} calls"),
                _ => String::new(),
            };
            let href = state
                .kept
                .with(|kept| kept[i][side])
                .map(|id| routes::href(open::TRACE, &[("run", &format!("{id:.0}"))]));
            view! {
                <td class=format!("tone {tone}")>
                    {word} {told}
                    {href
                        .map(|href| {
                            let label = format!("Trace of {}", task.title());
                            view! { " " <a href=href aria-label=label>"trace"</a> }
                        })}
                </td>
            }
        });
        view! {
            <tr>
                <th scope="row">{task.title()}</th>
                {cells.into_iter().collect_view()}
            </tr>
        }
    };
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label="Answers">
            <table data-testid="test-table">
                <thead>
                    <tr>
                        <th scope="col">"Problem, easy, seed 1"</th>
                        <th scope="col">"Without tools"</th>
                        <th scope="col">"With tools"</th>
                    </tr>
                </thead>
                <tbody>
                    {move || {
                        let rows = state.rows.get();
                        rows.iter().enumerate().map(|(i, of)| row(i, of)).collect_view()
                    }}
                </tbody>
            </table>
        </div>
    }
}

/// The badge, the line and the card, each to be copied or saved.
#[component]
fn Card(card: ModelCard) -> impl IntoView {
    let (badge, line, markdown) = (card.badge(), card.line(), card.markdown());
    let picture = format!(
        "data:image/svg+xml;charset=utf-8,{}",
        String::from(js_sys::encode_uri_component(&badge))
    );
    let file = badge.clone();
    view! {
        {card
            .is_script
            .then(|| {
                view! {
                    <p class="remark">
                        "A script answered, which knows the questions: this says nothing about a model. Choose a model above."
                    </p>
                }
            })}
        <p class="badge-row">
            <img src=picture alt=line.clone() height="20" data-testid="test-badge"/>
            <button
                class="ghost"
                data-testid="save-badge"
                on:click=move |_| clipboard::save("graphground-badge.svg", "image/svg+xml", &file)
            >
                "Save the badge (SVG)"
            </button>
        </p>
        <p data-testid="test-line">{line.clone()} " " <CopyButton what="the line" text=line/></p>
        <h3>"A card in Markdown" <CopyButton what="the card" text=markdown.clone()/></h3>
        <pre class="machine" tabindex="0" data-testid="test-card">{markdown}</pre>
        <p class="quiet-text">
            "Eight problems are a first look. For intervals and many problems, "
            <a href=routes::href("bench", &[])>"run a benchmark"</a> "."
        </p>
    }
}

//! Functions that are composed of the library's: what a model or a person proposed.

use graph::composed::{MAX_COMPOSED, Proposal, ProposalReport};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::problem::{CheckProposal, CheckedProposal};

use crate::components::code::Code;
use crate::components::form::Area;
use crate::routes;
use crate::services::composed::ComposedFunctions;
use crate::services::{clipboard, engine_client, open};
use crate::workbench::proposing::ProposeChoice;

/// What somebody sees who proposes a function for the first time.
const EXAMPLE: &str = r#"{
  "name": "friends_of_friends",
  "description": "Finds the nodes two steps away from a node.",
  "parameters": [{ "name": "s", "type": "node", "description": "The node." }],
  "body": "let near = get_neighbors(node: s).neighbors; let next = flatten(map(near, v => get_neighbors(node: v).neighbors)); sort(difference(next, concat(near, [s])))",
  "examples": [
    { "graph": { "edges": [[0, 1], [1, 2], [2, 3]] }, "arguments": { "s": 0 }, "result": [2] },
    { "graph": { "edges": [[0, 1]] }, "arguments": { "s": 0 }, "result": [] }
  ]
}"#;

/// The kept functions, below the library's, and a form to propose one.
#[component]
pub(super) fn ComposedList(
    composed: ComposedFunctions,
    #[prop(into)] chosen: Signal<Option<String>>,
) -> impl IntoView {
    let entries = move || {
        composed.list.with(|list| {
            list.iter()
                .map(|proposal| {
                    let name = proposal.name.clone();
                    let is_chosen = chosen.with(|c| c.as_deref() == Some(&name));
                    view! {
                        <li>
                            <a
                                href=open::function_href(&name)
                                aria-current=is_chosen.then_some("true")
                            >
                                <code>{name.clone()}</code>
                            </a>
                        </li>
                    }
                })
                .collect_view()
        })
    };
    view! {
        <section class="composed" data-testid="composed-functions">
            <h2>"Composed functions"</h2>
            <ul>{entries}</ul>
            <Show when=move || composed.list.with(Vec::is_empty)>
                <p class="quiet-text">
                    "None yet. A model may propose one in a run, or you here: it is made of the functions above."
                </p>
            </Show>
            <ProposeChoice composed/>
            <ProposeForm composed/>
        </section>
    }
}

/// Checks what somebody proposes, and keeps it where it is accepted.
#[component]
fn ProposeForm(composed: ComposedFunctions) -> impl IntoView {
    let text = RwSignal::new(EXAMPLE.to_owned());
    let report = RwSignal::new(None::<ProposalReport>);
    let fault = RwSignal::new(None::<String>);
    let check = move |_| {
        let taken = composed
            .list
            .with_untracked(|list| list.iter().map(|known| known.name.clone()).collect());
        let ask = CheckProposal { text: text.get_untracked(), taken };
        spawn_local(async move {
            match engine_client::interactive().ask(ask).await {
                Ok(CheckedProposal { proposal, report: found }) => {
                    fault.set(None);
                    if let Some(proposal) = proposal.filter(|_| found.is_accepted()) {
                        let name = proposal.name.clone();
                        if !composed.keep(proposal) {
                            let full = format!(
                                "It is right, and there is no room for it: {MAX_COMPOSED} functions are kept. Delete one first."
                            );
                            fault.set(Some(full));
                            return;
                        }
                        routes::go(&open::function_href(&name));
                    }
                    report.set(Some(found));
                }
                Err(message) => fault.set(Some(message)),
            }
        });
    };
    view! {
        <details class="propose" data-testid="propose">
            <summary>"Propose a function"</summary>
            <Area
                label="The proposal as JSON"
                testid="proposal"
                rows=12
                value=text
                on_input=move |words| text.set(words)
            />
            <button class="run" data-testid="check-proposal" on:click=check>
                "Check and keep"
            </button>
            {move || fault.get().map(|f| view! { <p class="report no" role="alert">{f}</p> })}
            {move || report.get().map(|report| faults(&report))}
        </details>
    }
}

fn faults(report: &ProposalReport) -> AnyView {
    if report.is_accepted() {
        return view! { <p class="report yes" role="status">"Accepted and kept."</p> }.into_any();
    }
    let lines =
        report.faults.iter().map(|fault| view! { <li>{fault.to_string()}</li> }).collect_view();
    view! {
        <div class="report no" role="alert" data-testid="proposal-faults">
            <ul>{lines}</ul>
        </div>
    }
    .into_any()
}

/// One of them: its source, its examples with what came of them, and a way to be rid of it.
#[component]
pub(super) fn ComposedPanel(proposal: Proposal, composed: ComposedFunctions) -> impl IntoView {
    let report = RwSignal::new(None::<Result<ProposalReport, String>>);
    let text = serde_json::to_string_pretty(&proposal).unwrap_or_default();
    let ask = CheckProposal { text: text.clone(), taken: Vec::new() };
    spawn_local(async move {
        let checked = engine_client::interactive().ask(ask).await;
        report.set(Some(checked.map(|checked| checked.report)));
    });
    let parameters = proposal
        .parameters
        .iter()
        .map(|parameter| {
            let kind = serde_json::to_value(parameter.kind).unwrap_or_default();
            let kind = kind.as_str().unwrap_or_default().to_owned();
            view! {
                <dt><code>{parameter.name.clone()}</code></dt>
                <dd>{kind} ": " {parameter.description.clone()}</dd>
            }
        })
        .collect_view();
    let examples: Vec<String> = proposal
        .examples
        .iter()
        .map(|example| {
            let graph = serde_json::to_string(&example.graph).unwrap_or_default();
            format!("{graph} with {}", example.arguments)
        })
        .collect();
    let name = proposal.name.clone();
    let body = proposal.body.clone();
    view! {
        <article class="function" data-testid="composed-panel">
            <h1><code>{proposal.name.clone()}</code></h1>
            <p class="what">{proposal.description.clone()}</p>
            <p class="facts">
                {move || match report.get() {
                    None => "Checking…".to_owned(),
                    Some(Err(message)) => message,
                    Some(Ok(report)) => facts(&report),
                }}
            </p>
            <h2>"Source"</h2>
            <Code
                text=Signal::stored(body)
                on_copy=Callback::new(|t: String| clipboard::copy(&t))
            />
            <h2>"What it takes"</h2>
            <dl class="raises">{parameters}</dl>
            <h2>"Examples"</h2>
            {move || {
                let report = report.get().and_then(Result::ok).unwrap_or_default();
                tried(&examples, &report)
            }}
            <details>
                <summary>"The proposal as JSON"</summary>
                <Code
                    text=Signal::stored(text)
                    on_copy=Callback::new(|t: String| clipboard::copy(&t))
                />
            </details>
            <button
                class="ghost"
                data-testid="delete-composed"
                on:click=move |_| {
                    composed.delete(&name);
                    routes::go(&open::function_href("find_shortest_path"));
                }
            >
                "Delete this function"
            </button>
        </article>
    }
}

/// What the check found, in a line.
fn facts(report: &ProposalReport) -> String {
    let random = &report.random;
    let refused: usize = random.refused.values().sum();
    let calls = match report.calls.as_slice() {
        [] => "Calls no graph function".to_owned(),
        calls => format!("Composed of {}", calls.join(", ")),
    };
    let mut words = format!(
        "{calls} · gives {} · {} results on {} random graphs, {refused} refused by a function",
        report.returns, random.n_results, random.n_graphs,
    );
    if !report.is_accepted() {
        let told: Vec<String> = report.faults.iter().map(ToString::to_string).collect();
        words = format!("It would be refused now: {}", told.join("; "));
    }
    words
}

fn tried(examples: &[String], report: &ProposalReport) -> AnyView {
    let rows = examples
        .iter()
        .enumerate()
        .map(|(i, example)| {
            let came = report.examples.get(i).map(|result| {
                let sign = if result.passed { "✓ gives " } else { "✗ gives " };
                let got = match (&result.got, &result.error) {
                    (Some(got), _) => got.to_string(),
                    (None, Some(error)) => error.message.clone(),
                    (None, None) => "nothing".to_owned(),
                };
                format!("{sign}{got}, should give {}", result.expected)
            });
            view! {
                <li>
                    <code>{example.clone()}</code>
                    " "
                    {came}
                </li>
            }
        })
        .collect_view();
    view! { <ol class="composed-examples" data-testid="composed-examples">{rows}</ol> }.into_any()
}

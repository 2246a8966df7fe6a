//! The right column: the answer and what it stands on, what it took, and all that was done.

use std::sync::Arc;

use leptos::prelude::*;
use systems::kgot::{KgotCost, KgotMember};
use trace::{Step, StepBody, Stop, ToolResult};

use super::state::PageState;
use crate::components::notice::Notice;
use crate::components::transcript::Transcript;
use crate::components::verdict::words;
use crate::state::kgot::SolvedTask;
use crate::state::live::Live;
use crate::state::prices::{Prices, dollars};
use crate::workbench::waiting::Waiting;

#[component]
pub(super) fn StoryColumn(state: PageState, prices: RwSignal<Prices>) -> impl IntoView {
    let done = move || state.solved();
    let has_trace = move || state.ended.with(Option::is_some);
    let waits = move || {
        state.session.is_busy() && !state.is_paused.get() && state.session.live.with(Live::is_empty)
    };
    view! {
        <Notice message=state.session.notice on_again=Callback::new(move |()| state.run())/>
        {move || done().map(|d| view! { <Outcome done=d state/> })}
        <Show when=has_trace>
            <div class="exports">
                <button class="quiet" data-testid="export" on:click=move |_| state.export()>
                    "Save the trace"
                </button>
                <button class="quiet" data-testid="to-traces" on:click=move |_| state.open_trace()>
                    "Open it in Traces"
                </button>
            </div>
        </Show>
        {move || done().map(|d| view! { <Costs done=d prices/> })}
        <Transcript
            own_words=own_words
            steps=state.session.steps
            cursor=state.session.cursor
            playing=state.session.playing
            on_seek=Callback::new(move |k| state.session.cursor.set(k))
        />
        <Waiting session=state.session/>
        <Show when=move || state.session.steps.with(Vec::is_empty) && !state.session.is_busy()>
            <div class="empty">
                <p class="lead">"Press “Grow a graph and solve”."</p>
                <p>
                    "Then step through the run: votes on whether something is missing, tool calls, the queries that write to the graph, and the one that reads the answer."
                </p>
                <p>
                    "Let the script err, and see bad JSON repaired, a broken query corrected with its error text, and an endpoint that fails asked again."
                </p>
            </div>
        </Show>
        <Show when=waits>
            <p class="quiet-text waiting" role="status">"The model is at work…"</p>
        </Show>
    }
}

/// Who does a step.
fn own_words(step: &Step) -> Option<&'static str> {
    match &step.body {
        StepBody::Model { message, .. } if message.tool_calls.is_empty() => Some("Thought"),
        StepBody::Call { result: ToolResult::Error(_), call, .. } => match call.name.as_str() {
            "read_graph" | "write_graph" => Some("The query fails"),
            _ => None,
        },
        StepBody::Call { call, .. } => Some(match call.name.as_str() {
            "read_graph" => "Asks the graph",
            "write_graph" => "Writes to the graph",
            "correct_graph" => "You correct the graph",
            "open_graph" if call.id == "open" => "Begins with a graph",
            "open_graph" => "Takes another graph",
            _ => "Calls a tool",
        }),
        StepBody::Findings { .. } => Some("Check of the reply"),
        _ => None,
    }
}

#[component]
fn Outcome(done: Arc<SolvedTask>, state: PageState) -> impl IntoView {
    let outcome = &done.run.outcome;
    let card = done.score().map(|score| {
        let (word, tone) = words(score.verdict);
        view! {
            <div class="verdicts">
                <div class=format!("card {tone}") data-verdict=word>
                    <b>"Answer"</b>
                    <strong>{word}</strong>
                    <p>{score.explanation.clone()}</p>
                </div>
            </div>
        }
    });
    let answer = outcome.answer.clone();
    let stopped = done.run.trace.stop.as_ref().filter(|s| **s != Stop::Answered).map(Stop::title);
    let mut facts = Vec::new();
    if outcome.n_queries > 0 {
        let rounds = match outcome.n_rounds {
            1 => "1 round".to_owned(),
            n => format!("{n} rounds"),
        };
        facts.push(format!("{rounds} that added to the graph"));
        facts.push(format!("{} queries that wrote", outcome.n_queries));
        if outcome.n_fixed + outcome.n_dropped > 0 {
            let (fixed, dropped) = (outcome.n_fixed, outcome.n_dropped);
            facts.push(format!("{fixed} corrected, {dropped} dropped"));
        }
        facts.push(format!("{} questions after the vote to solve", outcome.n_finishing));
    }
    let facts = facts.join(" · ");
    let support = outcome.support.clone();
    let members = outcome.members.clone();
    let taken = outcome.answer.clone();
    let n_steps = done.run.trace.steps.len();
    view! {
        {card}
        <div class="evidence outcome" data-testid="outcome">
            {answer.map(|text| view! { <p class="kgot-answer" data-testid="kgot-answer">{text}</p> })}
            {stopped.map(|why| view! { <p class="err">{why}</p> })}
            {outcome
                .is_forced
                .then(|| {
                    view! {
                        <p class="err">
                            "The rounds were used up: the answer was forced, and may be a guess."
                        </p>
                    }
                })}
            {(!support.is_empty())
                .then(|| {
                    view! {
                        <p data-testid="kgot-support">
                            "Stands on "
                            {support.join(", ")}
                            ". "
                            <button
                                class="link"
                                on:click=move |_| state.session.cursor.set(n_steps)
                            >
                                "Show it in the graph"
                            </button>
                        </p>
                    }
                })}
            {(!members.is_empty()).then(|| view! { <Members members taken/> })}
            <p class="quiet-text">{facts}</p>
        </div>
    }
}

/// What each language of fusion answered.
#[component]
fn Members(members: Vec<KgotMember>, taken: Option<String>) -> impl IntoView {
    let rows = members.into_iter().map(|member| {
        let is_taken = taken.as_ref() == Some(&member.answer);
        let word = match (is_taken, member.is_forced) {
            (true, _) => "taken",
            (false, true) => "forced, not taken",
            (false, false) => "not taken",
        };
        view! {
            <tr>
                <th scope="row">{member.language.name()}</th>
                <td>{member.answer}</td>
                <td>{word}</td>
            </tr>
        }
    });
    view! {
        <table class="kgot-answers" data-testid="kgot-members">
            <caption>"What each language answered"</caption>
            <tbody>{rows.collect_view()}</tbody>
        </table>
    }
}

/// What each function of the controller took, as the public code logs it.
#[component]
fn Costs(done: Arc<SolvedTask>, prices: RwSignal<Prices>) -> impl IntoView {
    if done.run.outcome.costs.is_empty() {
        return ().into_any();
    }
    let model = done.run.trace.model.clone();
    let rows = move || {
        let own = prices.get();
        let cost = |c: &KgotCost| {
            let usage = llm::Usage {
                input_tokens: Some(c.prompt_tokens),
                output_tokens: Some(c.completion_tokens),
                ..llm::Usage::default()
            };
            own.cost(&model, &usage).map_or_else(|| "–".to_owned(), |sum| dollars(Some(sum)))
        };
        let mut sum = KgotCost::default();
        let mut lines: Vec<AnyView> = Vec::new();
        for (name, c) in &done.run.outcome.costs {
            sum.calls += c.calls;
            sum.prompt_tokens += c.prompt_tokens;
            sum.completion_tokens += c.completion_tokens;
            sum.ms += c.ms;
            lines.push(line(&name.replace('_', " "), c, cost(c)));
        }
        lines.push(line("all", &sum, cost(&sum)));
        lines
    };
    view! {
        <details class="candidates kgot-costs">
            <summary data-testid="kgot-costs">"What each function took"</summary>
            <div class="scroll" tabindex="0" role="region" aria-label="What each function took">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">"Function"</th>
                            <th scope="col" class="num">"Questions"</th>
                            <th scope="col" class="num" title="Sent and received, as the endpoint reports them">
                                "Tokens"
                            </th>
                            <th scope="col" class="num">"Time"</th>
                            <th scope="col" class="num" title="At the prices of the page Models">
                                "Cost"
                            </th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </details>
    }
    .into_any()
}

fn line(name: &str, cost: &KgotCost, dollars: String) -> AnyView {
    let tokens = cost.prompt_tokens + cost.completion_tokens;
    let tokens = if tokens == 0 { "–".to_owned() } else { tokens.to_string() };
    let time = if cost.ms >= 1000.0 {
        format!("{:.1} s", cost.ms / 1000.0)
    } else {
        format!("{:.0} ms", cost.ms)
    };
    view! {
        <tr>
            <th scope="row">{name.to_owned()}</th>
            <td class="num">{cost.calls}</td>
            <td class="num">{tokens}</td>
            <td class="num">{time}</td>
            <td class="num">{dollars}</td>
        </tr>
    }
    .into_any()
}

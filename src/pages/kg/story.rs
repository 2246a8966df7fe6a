//! The right column: what each system made of the question, and the story of the one that is shown.

use kg::plan::print_plan;
use leptos::prelude::*;
use systems::experiment::{COMMON_KINDS, Cost, Experiment as _};
use systems::kgqa::{EntityClaim, KgQa, PAPER_PRICES};
use tasks::Verdict;
use tasks::kgqa::GrbenchDomain;
use trace::{Record, Step, StepBody};

use super::state::{PageState, Ran};
use crate::components::findings::findings_view;
use crate::components::reply_form::ReplyForm;
use crate::components::transcript::Transcript;
use crate::services::open::{Open, TraceToOpen};
use crate::state::prices::{Prices, dollars};
use crate::state::settings::ModelSettings;

#[component]
pub(super) fn StoryColumn(state: PageState, open: Open, prices: RwSignal<Prices>) -> impl IntoView {
    view! {
            {move || {
                let runs = state.runs.get();
                if runs.is_empty() && state.session.busy.with(Option::is_none) {
                    return view! {
                        <div class="empty">
                            <p class="lead">"Ask the graph."</p>
                            <p>
                                "GraphRunner has the model write a whole plan. The verifier holds it against the schema, and hands back only the step that is wrong. Then the plan runs, and the model answers from what its last step gave."
                            </p>
                            <p>
                                "Run a baseline on the same question to put both beside each other. Pick a mistaken script to see what the verifier catches, and what it cannot."
                            </p>
                        </div>
                    }
                        .into_any();
                }
                view! {
                    <Beside state prices/>
                    {move || state.current().map(|ran| answer(open, &ran))}
                    <Reply state/>
                }
                    .into_any()
            }}
            <Show when=move || state.session.steps.with(|s| !s.is_empty())>
                <Transcript
                    steps=state.session.steps
                    cursor=state.session.cursor
                    playing=state.session.playing
                    own_words=|step| is_plan(step).then_some("Plan")
                    folds=|step| is_plan(step).then_some("Plan as the model wrote it")
                    on_seek=Callback::new(move |to| {
                        state.on_schema.set(false);
                        state.session.cursor.set(to);
                    })
                />
            </Show>
    }
}

/// Whether the model's words are a plan: it stands above as people read it.
fn is_plan(step: &Step) -> bool {
    match &step.body {
        StepBody::Model { message, .. } if message.tool_calls.is_empty() => {
            let text = message.content.trim_start();
            text.starts_with('{') && text.contains("\"steps\"")
        }
        _ => false,
    }
}

/// A reply to the model of the run that is shown, where it asks back.
#[component]
fn Reply(state: PageState) -> impl IntoView {
    let is_asked = Memo::new(move |_| {
        state.current().is_some_and(|ran| ran.asked_back().is_some()) && !state.session.is_busy()
    });
    view! {
        <Show when=move || is_asked.get()>
            <ReplyForm
                label="Reply to the model"
                on_send=Callback::new(move |says| state.reply(says))
            />
        </Show>
    }
}

fn verdict_words(ran: &Ran) -> (&'static str, &'static str) {
    if ran.asked_back().is_some() {
        return ("asks back", "");
    }
    if ran.question.answers.is_empty() {
        return ("not judged", "");
    }
    match ran.run.score.verdict {
        Verdict::Correct => ("correct", "yes"),
        Verdict::Partial => ("in part", "half"),
        Verdict::NoAnswer => ("no answer", "no"),
        Verdict::Incorrect => ("wrong", "no"),
    }
}

/// Tokens of the answer; those of a judge are none of it.
fn tokens(cost: &Cost) -> String {
    let (input, output, is_counted) = cost.tokens_of_answer().unwrap_or_default();
    let about = if is_counted { "≈ " } else { "" };
    format!("{about}{}", input + output)
}

fn at_paper_prices(cost: &Cost) -> f64 {
    cost.dollars_of_answer(PAPER_PRICES).unwrap_or_default()
}

/// The systems beside each other; a click shows one.
#[component]
fn Beside(state: PageState, prices: RwSignal<Prices>) -> impl IntoView {
    let rows = move || {
        let runs = state.runs.get();
        let own = prices.get();
        runs.iter()
            .map(|ran| {
                let id = ran.run.trace.system.clone();
                let title = systems::kgqa::find(&id).map_or(id.clone(), |s| s.title.to_owned());
                let (words, class) = verdict_words(ran);
                let (shown, picked) = (id.clone(), id.clone());
                // What a script costs says nothing of a model, and our own costs nothing.
                let cost = if ran.is_free {
                    "–".to_owned()
                } else {
                    format!("${:.4}", at_paper_prices(&ran.cost))
                };
                let mine = state
                    .settings
                    .with(ModelSettings::is_brought)
                    .then(|| dollars(own.cost(&ran.run.trace.model, &ran.run.trace.usage())));
                view! {
                    <tr
                        class:current=move || state.shown.with(|s| s.as_deref() == Some(&*shown))
                        data-testid=format!("row-{id}")
                    >
                        <th scope="row">
                            <button class="quiet-link" on:click=move |_| state.show(&picked)>
                                {title}
                            </button>
                        </th>
                        <td><span class=format!("verdict-word {class}")>{words}</span></td>
                        <td class="num">{ran.cost.n_rounds}</td>
                        <td class="num">{tokens(&ran.cost)}</td>
                        <td class="num">{cost}</td>
                        {mine.map(|sum| view! { <td class="num">{sum}</td> })}
                    </tr>
                }
            })
            .collect_view()
    };
    let told = move || {
        let runs = state.runs.get();
        if runs.iter().all(|ran| ran.is_scripted) {
            return Some(
                "A script that knows the questions produced these rows; they say nothing about a model."
                    .to_owned(),
            );
        }
        let of = |id: &str| runs.iter().find(|ran| ran.run.trace.system == id && !ran.is_scripted);
        let (ours, other) = (of("graphrunner")?, of("graph_cot")?);
        // What a wrong answer costs is no saving.
        let is_wrong = |ran: &&Ran| {
            !ran.question.answers.is_empty() && ran.run.score.verdict != Verdict::Correct
        };
        if [ours, other].iter().any(is_wrong) {
            return None;
        }
        let times = at_paper_prices(&other.cost) / at_paper_prices(&ours.cost).max(1e-9);
        // The paper's ratios are about its own graphs.
        let is_of_paper = state.graph.view.with(|view| {
            view.as_ref().is_some_and(|open| {
                GrbenchDomain::of_schema(&open.schema, open.n_nodes, &open.title).is_some()
            })
        });
        let paper = if is_of_paper { "; the paper: 3.0 to 12.9" } else { "" };
        Some(format!("Graph-CoT costs {times:.1} times as much as GraphRunner here{paper}."))
    };
    view! {
        <Show when=move || state.runs.with(|r| !r.is_empty())>
            <div class="beside" data-testid="kg-beside">
                <div class="scroll">
                    <table>
                        <thead>
                            <tr>
                                <th scope="col">"System"</th>
                                <th scope="col">"Answer"</th>
                                <th scope="col" class="num" title="Turns of the model">"Turns"</th>
                                <th scope="col" class="num" title="Input and output; ≈ four characters a token">"Tokens"</th>
                                <th scope="col" class="num" title="At the paper's prices: 30 and 60 dollars for a million input and output tokens">"Cost"</th>
                                {move || state.settings.with(ModelSettings::is_brought).then(|| view! {
                                    <th scope="col" class="num" title="At the prices of the page Models">"Yours"</th>
                                })}
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
                <p class="quiet-text">{told}</p>
            </div>
        </Show>
    }
}

/// The answer with its entities marked, the plan, and what went wrong.
fn answer(open: Open, ran: &Ran) -> AnyView {
    let (run, question) = (ran.run.clone(), ran.question.clone());
    let (words, class) = verdict_words(ran);
    let outcome = &run.outcome;
    let unsupported = outcome.claims.iter().filter(|c| !c.is_supported).count();
    let claims = match (outcome.claims.len(), unsupported) {
        (0, _) => "It names no entity.".to_owned(),
        (1, 0) => "One entity, which the run reached.".to_owned(),
        (1, _) => "Its one entity was not reached by the run: unsupported.".to_owned(),
        (n, 0) => format!("{n} entities, all reached by the run."),
        (n, u) => format!("{u} of {n} entities were not reached by the run: unsupported."),
    };
    let kinds =
        KgQa.error_kinds().iter().chain(&COMMON_KINDS).filter(|k| run.score.errors.contains(k.id));
    let errors: Vec<&str> = kinds.map(|k| k.title).collect();
    let errors = (!errors.is_empty()).then(|| {
        view! { <p class="mistakes" data-testid="kg-errors">{format!("On the way: {}", errors.join(", "))}</p> }
    });
    let plan = outcome.plan.as_ref().filter(|p| !p.steps.is_empty()).map(|plan| {
        let repairs = match outcome.n_repairs {
            0 => "The plan".to_owned(),
            1 => "The plan, corrected once".to_owned(),
            n => format!("The plan, corrected {n} times"),
        };
        // What the verifier found on the way, round by round.
        let rounds = run
            .trace
            .steps
            .iter()
            .filter_map(|s| match &s.body {
                StepBody::Findings { stage, findings } if !findings.is_empty() => {
                    Some(findings_view(stage, findings))
                }
                _ => None,
            })
            .collect_view();
        view! {
            {rounds}
            <h3>{repairs}</h3>
            <pre class="machine" data-testid="kg-printed">{print_plan(plan)}</pre>
        }
    });
    let exchanges = ran.exchanges.iter().map(|exchange| {
        let (asked, said) = (exchange.asked.clone(), exchange.said.clone());
        view! {
            <p class="facts" data-testid="kg-exchange">
                <b>"It asked: "</b> {asked} " " <b>"You replied: "</b> {said}
            </p>
        }
    });
    let exchanges = exchanges.collect_view();
    let judged = if ran.asked_back().is_some() {
        "The model asked a question back instead of answering. It is not judged.".to_owned()
    } else if question.answers.is_empty() {
        "The right answer is not known, so it is not judged.".to_owned()
    } else {
        run.score.explanation.clone()
    };
    let grade = outcome.judge_said.clone().map(|said| {
        let word = match outcome.judged {
            Some(true) => "right",
            Some(false) => "wrong",
            None => "not readable",
        };
        view! {
            <p class="facts" data-testid="kg-judged">
                <b>{format!("The judge: {word}. ")}</b>
                <q>{said}</q>
            </p>
        }
    });
    let answer = marked(&outcome.answer, &outcome.claims);
    let to_traces = move |_| {
        let mut made = Record::of(run.trace.clone());
        made.id.clone_from(&question.id);
        made.task = "kgqa".into();
        made.input.clone_from(&question.question);
        let name = format!("{}: {}", run.trace.system, question.question);
        let record = Box::new(made);
        open.trace(TraceToOpen::Record { record, name, problem: None, back: None });
    };
    view! {
        <div class="evidence kg-answer">
            <div class="heading">
                <h3>"Answer " <span class=format!("verdict-word {class}") data-testid="kg-verdict">{words}</span></h3>
                <button class="quiet" data-testid="kg-to-traces" on:click=to_traces>"Open as trace"</button>
            </div>
            {exchanges}
            <p class="claimed" data-testid="kg-answer">{answer}</p>
            <p class="facts">{claims} " " {judged}</p>
            {grade}
            {errors}
            {plan}
        </div>
    }
    .into_any()
}

/// A text with its entities marked.
fn marked(text: &str, claims: &[EntityClaim]) -> Vec<AnyView> {
    if text.is_empty() {
        return vec![view! { <i>"There is no answer."</i> }.into_any()];
    }
    let mut parts = Vec::new();
    let mut at = 0;
    for claim in claims {
        if claim.start < at || claim.end > text.len() {
            continue;
        }
        parts.push(text[at..claim.start].to_owned().into_any());
        let (class, why) = match (claim.is_supported, claim.is_known) {
            (true, _) => ("claim true", "reached by the run"),
            (false, true) => ("claim false", "in the graph, but not reached by the run"),
            (false, false) => ("claim false", "no node of the graph has this name"),
        };
        parts.push(
            view! { <mark class=class title=why aria-label=format!("{}: {why}", claim.name)>{claim.name.clone()}</mark> }
                .into_any(),
        );
        at = claim.end;
    }
    parts.push(text[at..].to_owned().into_any());
    parts
}

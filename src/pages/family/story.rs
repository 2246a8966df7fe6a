//! The right column: what is right, what was done, and how good it is.

use leptos::prelude::*;
use systems::kgetool::Scores;
use tasks::family::score::Ruleset;
use tasks::family::{FamilyCall, Sample};

use super::state::PageState;
use crate::components::notice::Notice;
use crate::components::transcript::Transcript;
use crate::state::family::FamilyResult;
use crate::workbench::waiting::Waiting;

#[component]
pub(super) fn StoryColumn(state: PageState) -> impl IntoView {
    let done = move || state.household.with(|s| s.done.clone());
    view! {
            <Notice message=state.session.notice on_again=Callback::new(move |()| state.generate(None))/>
            {move || done().map(|d| view! { <Outcome done=d rules=state.rules.get()/> })}
            <Show when=move || state.household.with(|s| s.done.is_some())>
                <div class="exports">
                    <button class="quiet" data-testid="export" on:click=move |_| state.export()>
                        "Save both traces"
                    </button>
                    <button class="quiet" data-testid="to-traces" on:click=move |_| state.open_traces()>
                        "Open them in Traces"
                    </button>
                </div>
            </Show>
            <Transcript
                steps=state.session.steps
                cursor=state.session.cursor
                playing=state.session.playing
                on_seek=Callback::new(move |k| state.session.cursor.set(k))
            />
            <Waiting session=state.session/>
            <Show when=move || state.session.steps.with(Vec::is_empty) && !state.session.is_busy()>
                <div class="empty">
                    <p class="lead">"Press: Search and call."</p>
                    <p>
                        "The first model reads the relations of the graph and writes searches. What they find goes, with the request, to the second, which calls one tool. Both are measured against what is right."
                    </p>
                    <p>
                        "Let a script make up a name, and see what Greedy Search and Relation Retrieval make of it."
                    </p>
                </div>
            </Show>
            <Show when=move || state.session.is_busy() && state.session.live.with(crate::state::live::Live::is_empty)>
                <p class="quiet-text waiting" role="status">"The models are at work…"</p>
            </Show>
            <Candidates state/>
    }
}

/// A call as people write one.
fn call_text(call: &FamilyCall) -> String {
    let parameters: Vec<String> =
        call.parameters.iter().map(|(k, v)| format!("{k}: {v}")).collect();
    format!("{}({})", call.name, parameters.join(", "))
}

#[component]
fn Outcome(done: FamilyResult, rules: Ruleset) -> impl IntoView {
    let (scores, extracted) = (done.scores(rules), done.has_searched());
    let FamilyResult { sample, is_scored, run, found } = done;
    let similarity = found.similarity;
    let made: Vec<String> = run.outcome.calls.iter().map(call_text).collect();
    let told = run.trace.answer().unwrap_or_default().to_owned();
    let stop = run.trace.stop.as_ref().filter(|s| **s != trace::Stop::Answered);
    let stopped: Vec<String> = stop.map(trace::Stop::title).into_iter().collect();
    // What was stopped is no answer that could be wrong.
    let scores = scores.filter(|_| stopped.is_empty());
    let nothing = made.is_empty() && stopped.is_empty();
    let right = is_scored.then(|| right_call(&sample));
    view! {
        {scores.map(|s| view! { <Cards scores=s extracted/> })}
        <div class="evidence outcome" data-testid="outcome">
            {made
                .into_iter()
                .map(|text| {
                    view! {
                        <p>
                            <b>"Called "</b>
                            <code data-testid="called">{text}</code>
                        </p>
                    }
                })
                .collect_view()}
            {nothing.then(|| view! { <p data-testid="called"><b>"Called nothing. "</b>{told}</p> })}
            {stopped.into_iter().map(|why| view! { <p class="err">{why}</p> }).collect_view()}
            {right.map(|text| view! { <p><b>"Right is "</b><code data-testid="right">{text}</code></p> })}
            {scores.map(|s| view! { <Figures scores=s rules extracted/> })}
            <p class="quiet-text">{format!("Names were compared by {similarity}.")}</p>
        </div>
    }
}

fn right_call(sample: &Sample) -> String {
    sample.call.as_ref().map_or_else(|| "to call nothing and ask".into(), call_text)
}

/// Both steps in a word.
#[component]
fn Cards(scores: Scores, extracted: bool) -> impl IntoView {
    let card = |who: &'static str, is_right: bool, share: f64, why: String| {
        let (word, tone) = if is_right {
            ("Correct", "ok")
        } else if share > 0.0 {
            ("Partly right", "half")
        } else {
            ("Wrong", "no")
        };
        view! {
            <div class=format!("card {tone}") data-verdict=word>
                <b>{who}</b>
                <strong>{word}</strong>
                <p>{why}</p>
            </div>
        }
    };
    let Scores { extraction: e, call: c } = scores;
    let found = if e.exact_match == 1.0 {
        "exactly the links that are needed".to_owned()
    } else if e.coverage == 1.0 {
        "all that the call needs, and more".to_owned()
    } else {
        "not all that the call needs".to_owned()
    };
    let called = if c.exact_match == 1.0 {
        "the right tool with the right values".to_owned()
    } else if c.tool == 1.0 {
        format!("the right tool, {:.0} % of the values", 100.0 * c.value)
    } else {
        "not the right tool".to_owned()
    };
    view! {
        <div class="verdicts">
            {extracted
                .then(|| card("Searched", e.exact_match == 1.0, e.f1.max(e.coverage), found))}
            {card("Called", c.exact_match == 1.0, c.value, called)}
        </div>
    }
}

#[component]
fn Figures(scores: Scores, rules: Ruleset, extracted: bool) -> impl IntoView {
    let Scores { extraction: e, call: c } = scores;
    let percent = |x: f64| format!("{:.0}", 100.0 * x);
    let by = match rules {
        Ruleset::Paper => "in percent, by the paper's words",
        Ruleset::Compat => "in percent, as its public code counts",
    };
    let row = move |name: &'static str, value: String, meaning: &'static str| {
        view! {
            <div title=meaning>
                <dt>{name}</dt>
                <dd>{value}</dd>
            </div>
        }
    };
    view! {
        <dl class="measures" data-testid="measures" aria-label=by>
            {extracted
                .then(|| {
                    view! {
                        {row("Links EM", percent(e.exact_match), "Exact match: the links found are those that are needed, no more and no less")}
                        {row("Links F1", percent(e.f1), "How well the links found and the links needed cover each other")}
                        {row("Coverage", percent(e.coverage), "How many of the links needed were found")}
                        {row("Made-up paths", format!("{} of {}", e.n_fake_paths, e.n_paths), "Searches along a relation or from a person that the graph does not have")}
                    }
                })}
            {row("Call EM", percent(c.exact_match), "Exact match: the right tool with the right values")}
            {row("Tool", percent(c.tool), "The tool that was called is the right one")}
            {row("Values", percent(c.value), "How many of the values in the call are right")}
        </dl>
        <p class="quiet-text">{by}</p>
    }
}

/// The tools that may be called.
#[component]
fn Candidates(state: PageState) -> impl IntoView {
    let tools = move || {
        state.household.with(|s| {
            let tools = s.tools().unwrap_or_default();
            tools
                .into_iter()
                .map(|t| {
                    let declared =
                        t.parameters.get("properties").and_then(|p| p.as_object().cloned());
                    let names: Vec<String> =
                        declared.map(|p| p.keys().cloned().collect()).unwrap_or_default();
                    view! {
                        <li>
                            <code>{format!("{}({})", t.name, names.join(", "))}</code>
                            <span>{t.description}</span>
                        </li>
                    }
                })
                .collect_view()
        })
    };
    let title = move || {
        let n = state.household.with(|s| s.tools().map_or(0, |t| t.len()));
        let own = state.household.with(|s| s.picked().is_none());
        if own && n > 24 {
            format!("{n} tools, of which the 12 nearest to the request may be called")
        } else {
            format!("{n} tools may be called")
        }
    };
    view! {
        <details class="candidates">
            <summary data-testid="candidates">{title}</summary>
            <ul>{tools}</ul>
        </details>
    }
}

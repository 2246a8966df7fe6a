//! The questions with known answers: the next one of a level, or one from the list; and the field for
//! any other.

use leptos::prelude::*;
use tasks::kgqa::{KgQuestion, is_told, is_typed};

use super::opening::AskedFrom;
use super::state::PageState;
use crate::components::form::Text;

/// Levels by the number of hops, and their titles.
const LEVELS: [(u32, &str); 3] = [(1, "1 hop"), (2, "2 hops"), (3, "3 hops")];

#[component]
pub(super) fn QuestionChoice(state: PageState) -> impl IntoView {
    let pick = Callback::new(move |words: String| {
        if words != state.question.get_untracked() {
            // A graph that is being opened goes on: the engine has it, whatever is asked of it.
            state.session.abandon();
            state.question.set(words);
            state.forget();
        }
    });
    view! {
        <h2>"Question"</h2>
        <Show when=move || state.questions.with(|q| !q.is_empty())>
            <div class="kg-questions" data-testid="kg-questions">
                <p class="facts">"Take one with a known answer:"</p>
                <div class="actions">
                    {LEVELS
                        .map(|(hops, title)| {
                            let none = move || state.questions.with(|q| of(q, hops).next().is_none());
                            let next = move |_| {
                                let now = state.question.get_untracked();
                                let found = state.questions.with_untracked(|q| next_of(q, hops, &now));
                                if let Some(words) = found {
                                    pick.run(words);
                                }
                            };
                            view! {
                                <button
                                    class="ghost"
                                    data-testid=format!("kg-hops-{hops}")
                                    title=format!("The next question whose answer is {title} away")
                                    disabled=none
                                    on:click=next
                                >
                                    {title}
                                </button>
                            }
                        })}
                </div>
                <List state pick/>
                {move || state.asked_from.get().map(|from| told_of_files(state, &from))}
                {move || {
                    state.questions.with(|list| list.iter().any(is_typed)).then(|| view! {
                        <p class="facts">
                            "Some were made from the types and edges of this graph; running a plan gave their answers."
                        </p>
                    })
                }}
                {move || {
                    state.questions.with(|list| list.iter().any(is_told)).then(|| view! {
                        <p class="facts">
                            "The answers to some stand in a text alone: Text-RAG can find them, a walk along the edges cannot."
                        </p>
                    })
                }}
            </div>
        </Show>
        <textarea
            rows="3"
            aria-label="The question"
            placeholder="Ask something about the graph"
            data-testid="kg-question"
            prop:value=move || state.question.get()
            on:change=move |e| pick.run(event_target_value(&e))
        ></textarea>
    }
}

/// Where the questions are from, and whether the graph has their answers.
fn told_of_files(state: PageState, from: &AskedFrom) -> impl IntoView + use<> {
    let AskedFrom { names, n, n_known } = from;
    let listed = state.questions.with(Vec::len);
    let names = names.join(", ");
    let mut words = match n {
        1 => format!("1 question from {names}."),
        n => format!("{n} questions from {names}."),
    };
    if listed < *n {
        words += &format!(" The first {listed} of them are here.");
    }
    words += &match n_known {
        Some(known) if known == n => " All their answers are nodes of this graph.".to_owned(),
        Some(0) => {
            " None of their answers is a node of this graph: is it the graph that they are about?"
                .to_owned()
        }
        Some(known) => format!(
            " All answers of {known} of them are nodes of this graph; the other answers are something else, such as a number."
        ),
        None => String::new(),
    };
    view! {
        <p class="facts" data-testid="kg-asked-from">
            {words} " "
            <button class="link" data-testid="kg-ask-made" on:click=move |_| state.ask_made()>
                "Use questions that are made here"
            </button>
        </p>
    }
}

/// All of them, folded, with a field to find some.
#[component]
fn List(state: PageState, pick: Callback<String>) -> impl IntoView {
    let search = RwSignal::new(String::new());
    let rows = move |hops: u32, title: &'static str| {
        let entries = state.questions.with(|list| {
            of(list, hops)
                .filter(|q| fits(q, &search.get()))
                .map(|q| {
                    let words = q.question.clone();
                    let mine = words.clone();
                    let is_it = move || state.question.with(|now| *now == mine).then_some("true");
                    let value = words.clone();
                    view! {
                        <li>
                            <button aria-current=is_it on:click=move |_| pick.run(value.clone())>
                                {words}
                            </button>
                        </li>
                    }
                })
                .collect_view()
        });
        (!entries.is_empty()).then(|| {
            view! {
                <li>
                    <h3>{title}</h3>
                    <ul>{entries}</ul>
                </li>
            }
        })
    };
    let none = move || state.questions.with(|q| !q.iter().any(|q| fits(q, &search.get())));
    view! {
        <details>
            <summary>
                {move || format!("Choose from all {}", state.questions.with(Vec::len))}
            </summary>
            <Text
                label="Find"
                testid="kg-find-question"
                kind="search"
                placeholder="a word of it"
                value=search
                on_input=move |words| search.set(words)
            />
            <ul>{move || LEVELS.map(|(hops, title)| rows(hops, title)).collect_view()}</ul>
            {move || none().then(|| view! { <p class="facts">"No question has these words."</p> })}
        </details>
    }
}

/// The questions of a level; what is farther away than the last counts to it.
fn of(list: &[KgQuestion], hops: u32) -> impl Iterator<Item = &KgQuestion> {
    let (least, most) = (LEVELS[0].0, LEVELS[LEVELS.len() - 1].0);
    list.iter().filter(move |q| q.hops.clamp(least, most) == hops)
}

/// The question of a level behind the one that is asked now, and behind the last one the first.
fn next_of(list: &[KgQuestion], hops: u32, now: &str) -> Option<String> {
    let all: Vec<&KgQuestion> = of(list, hops).collect();
    let at = all.iter().position(|q| q.question == now).map_or(0, |i| i + 1);
    all.get(at).or(all.first()).map(|q| q.question.clone())
}

/// Whether a question has the words that are looked for.
fn fits(question: &KgQuestion, search: &str) -> bool {
    question.question.to_lowercase().contains(&search.trim().to_lowercase())
}

//! Which problem: task, level, seed, and the words of its question.

use leptos::prelude::*;
use tasks::{Difficulty, TaskGroup, TaskId};

use super::form::{Number, Select, named};
use super::needs_model::NeedsModel;
use crate::state::how::{STYLES, WORDINGS};
use crate::state::settings::ModelSettings;
use crate::state::setup::ProblemSetup;

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|c| c.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Task, level and seed, with a button for the next problem.
#[component]
pub(crate) fn ProblemChoice(
    setup: RwSignal<ProblemSetup>,
    /// Called with another setup.
    on_change: Callback<ProblemSetup>,
    settings: RwSignal<ModelSettings>,
    /// Opens the dialog of models.
    chooses_model: RwSignal<bool>,
) -> impl IntoView {
    let change = move |update: &dyn Fn(&mut ProblemSetup)| {
        let mut to = setup.get_untracked();
        update(&mut to);
        on_change.run(to);
    };
    // Tasks beyond NLGraph's say whose they are.
    let title = |t: TaskId| match t.group() {
        TaskGroup::NlGraph => t.title().to_owned(),
        group => format!("{}: {}", group.title(), t.title()),
    };
    let knows = move |task| settings.with(|s| s.knows_task(task));
    let tasks = Signal::derive(move || {
        let marked = |t: TaskId| match knows(t) {
            true => title(t),
            false => format!("{} (needs a larger model)", title(t)),
        };
        TaskId::ALL.map(|t| (t.as_str().to_owned(), marked(t))).to_vec()
    });
    let task = Memo::new(move |_| setup.with(|s| s.task));
    let levels = Signal::derive(move || {
        let levels = task.get().difficulties();
        levels.iter().map(|l| (l.as_str().to_owned(), capital(l.as_str()))).collect()
    });
    view! {
        <div class="problem-choice">
            <Select
                label="Task"
                testid="task"
                options=tasks
                value=Signal::derive(move || task.get().as_str().to_owned())
                on_change=move |name: String| {
                    if let Some(task) = TaskId::from_name(&name) {
                        change(&|s| s.task = task);
                    }
                }
            />
            <NeedsModel
                why=Signal::derive(move || {
                    (!knows(task.get())).then_some("Our own small model never learned this task.")
                })
                chooses_model
            />
            <div class="row">
                <Select
                    label="Difficulty"
                    testid="difficulty"
                    options=levels
                    value=Signal::derive(move || setup.with(|s| s.difficulty.as_str().to_owned()))
                    on_change=move |name: String| {
                        if let Some(level) = Difficulty::from_name(&name) {
                            change(&|s| s.difficulty = level);
                        }
                    }
                />
                <div class="seed">
                    <Number
                        label="Seed"
                        testid="seed"
                        value=Signal::derive(move || setup.with(|s| s.seed as f64))
                        on_change=move |seed: f64| change(&|s| s.seed = seed as u64)
                    />
                    <button
                        class="quiet"
                        data-testid="next-problem"
                        title="The next problem"
                        aria-label="The next problem"
                        on:click=move |_| change(&|s| s.seed = s.seed.wrapping_add(1))
                    >
                        "Next"
                    </button>
                </div>
            </div>
        </div>
    }
}

/// In which words the question is put, and how the model is prompted.
#[component]
pub(crate) fn WordsChoice(
    setup: RwSignal<ProblemSetup>,
    on_change: Callback<ProblemSetup>,
) -> impl IntoView {
    fn place<T: PartialEq>(list: &[(T, &'static str)], thing: &T) -> String {
        list.iter().position(|(t, _)| t == thing).unwrap_or_default().to_string()
    }
    let change = move |update: &dyn Fn(&mut ProblemSetup)| {
        let mut to = setup.get_untracked();
        update(&mut to);
        on_change.run(to);
    };
    view! {
        <Select
            label="Wording"
            testid="wording"
            options=Signal::stored(named(&WORDINGS))
            value=Signal::derive(move || setup.with(|s| place(&WORDINGS, &s.wording)))
            on_change=move |at: String| {
                if let Some((wording, _)) = at.parse().ok().and_then(|i: usize| WORDINGS.get(i)) {
                    change(&|s| s.wording = *wording);
                }
            }
        />
        <Select
            label="Prompting style"
            testid="style"
            options=Signal::stored(named(&STYLES))
            value=Signal::derive(move || setup.with(|s| place(&STYLES, &s.style)))
            on_change=move |at: String| {
                if let Some((style, _)) = at.parse().ok().and_then(|i: usize| STYLES.get(i)) {
                    change(&|s| s.style = *style);
                }
            }
        />
    }
}

//! Readers sort the runs that are not right: the class of each by the rules is accepted or changed,
//! and what each reader says stands in the runs file.

use std::collections::BTreeMap;

use eval::Key;
use eval::labels::{MAX_READER, NONE, ReaderLabel};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::bench::{FailureRow, LabelRun, ListFailures, ListedFailures};

use super::state::PageState;
use crate::components::form::{Check, Text};

/// What is sorted, by whom, and where the reader is.
#[derive(Clone, Copy)]
struct Sorting {
    state: PageState,
    listed: RwSignal<Option<ListedFailures>>,
    reader: RwSignal<String>,
    at: RwSignal<usize>,
    /// Whether the report does not know yet what was said last.
    is_new: RwSignal<bool>,
}

impl Sorting {
    /// Asks for the runs that are not right.
    fn load(self) {
        spawn_local(async move {
            let asked = async {
                self.state.hold().await?;
                Ok::<_, String>(self.state.ask(ListFailures {}, "Listing").await?)
            };
            match asked.await {
                Ok(listed) => {
                    // Whoever reads goes on at the same run.
                    let key = untrack(|| self.row()).map(|row| row.key);
                    let at = listed.rows.iter().position(|row| Some(&row.key) == key.as_ref());
                    self.at.set(at.unwrap_or_default());
                    self.listed.set(Some(listed));
                }
                Err(message) => self.state.fail(message),
            }
        });
    }

    /// What the reader said of each run.
    fn said(self) -> BTreeMap<Key, String> {
        let reader = self.reader.with(|name| name.trim().to_owned());
        self.listed.with(|listed| {
            let all = listed.iter().flat_map(|l| &l.readers);
            let mine = all.filter(|(name, _)| *name == reader).flat_map(|(_, labels)| labels);
            mine.cloned().collect()
        })
    }

    fn row(self) -> Option<FailureRow> {
        self.listed.with(|listed| listed.as_ref()?.rows.get(self.at.get()).cloned())
    }

    /// Goes to the next run that the reader has not sorted, or stays where there is none.
    fn go_on(self) {
        let said = untrack(|| self.said());
        let next = self.listed.with_untracked(|listed| {
            let rows = listed.as_ref().map_or(&[][..], |l| l.rows.as_slice());
            let at = self.at.get_untracked();
            let order = (at + 1..rows.len()).chain(0..at.min(rows.len()));
            let mut open = order.filter(|i| !said.contains_key(&rows[*i].key));
            open.next()
        });
        if let Some(next) = next {
            self.at.set(next);
        }
    }

    /// Keeps what the reader says of the run at hand.
    fn say(self, class: String) {
        let reader = self.reader.with_untracked(|name| name.trim().to_owned());
        if reader.is_empty() {
            self.state
                .fail("Type your name above the runs first: classes are kept by reader.".into());
            return;
        }
        let Some(row) = untrack(|| self.row()) else { return };
        let at_ms = js_sys::Date::now();
        let label = ReaderLabel { key: row.key.clone(), reader: reader.clone(), class, at_ms };
        spawn_local(async move {
            let asked = async {
                self.state.hold().await?;
                let label = label.clone();
                Ok::<_, String>(self.state.ask(LabelRun { label }, "Keeping").await?)
            };
            match asked.await {
                Ok(line) => {
                    self.state.keep(line);
                    self.is_new.set(true);
                    self.listed.update(|listed| {
                        let Some(listed) = listed else { return };
                        if listed.readers.iter().all(|(name, _)| *name != reader) {
                            listed.readers.push((reader.clone(), Vec::new()));
                        }
                        let mine = listed.readers.iter_mut().find(|(name, _)| *name == reader);
                        if let Some((_, labels)) = mine {
                            labels.retain(|(key, _)| *key != label.key);
                            if label.class != NONE {
                                labels.push((label.key.clone(), label.class.clone()));
                            }
                        }
                    });
                    // The reader may have gone elsewhere meanwhile, or have taken the label back.
                    let is_here = untrack(|| self.row()).is_some_and(|row| row.key == label.key);
                    if is_here && label.class != NONE {
                        self.go_on();
                    }
                }
                Err(message) => self.state.fail(message),
            }
        });
    }
}

/// The section; nothing where no run can be sorted.
#[component]
pub(super) fn SortingPanel(state: PageState, on_open: Callback<Key>) -> impl IntoView {
    let sorting = Sorting {
        state,
        listed: RwSignal::new(None),
        reader: RwSignal::default(),
        at: RwSignal::new(0),
        is_new: RwSignal::new(false),
    };
    let has_some = move || {
        state.outcome.shown.with(|shown| shown.as_ref().is_some_and(|s| s.n_sortable > 0))
            && !state.is_embedded.get()
    };
    let is_open = RwSignal::new(false);
    // Runs that were made meanwhile are listed, too.
    Effect::new(move |_| {
        state.outcome.shown.track();
        if is_open.get() {
            sorting.is_new.set(false);
            sorting.load();
        }
    });
    view! {
        <Show when=has_some>
            <section aria-label="Sort failures" data-testid="sorting">
                <details on:toggle=move |e| {
                    let details: web_sys::Element = event_target(&e);
                    is_open.set(details.has_attribute("open"));
                }>
                    <summary>"Sort what is not right"</summary>
                    <p class="quiet-text">
                        "Why is each of these runs not right? Rules sorted them into the paper's classes. Read them, and accept a class or choose another. What you say is kept in the runs file under your name. A second reader opens the same file under another name; the report then tells how often you agree with each other and with the rules."
                    </p>
                    {move || is_open.get().then(|| view! { <Sheet sorting on_open/> })}
                </details>
            </section>
        </Show>
    }
}

/// The runs, one after the other.
#[component]
fn Sheet(sorting: Sorting, on_open: Callback<Key>) -> impl IntoView {
    let shows_rules = RwSignal::new(true);
    let n = move || sorting.listed.with(|l| l.as_ref().map_or(0, |l| l.rows.len()));
    let told = move || {
        let listed = sorting.listed.get()?;
        let mut words = match listed.n {
            0 => return Some("Every run is right: there is nothing to sort.".to_owned()),
            _ => {
                let said = sorting.said();
                let n = listed.rows.iter().filter(|row| said.contains_key(&row.key)).count();
                format!("{n} of {} sorted by you.", listed.rows.len())
            }
        };
        if listed.n > listed.rows.len() {
            words += &format!(" The first {} of {} are here.", listed.rows.len(), listed.n);
        }
        Some(words)
    };
    view! {
        <div class="bench-act">
            <Text
                label="Your name"
                testid="sorting-reader"
                placeholder="Reader 1"
                value=sorting.reader
                on_input=move |words: String| {
                    sorting.reader.set(words.chars().take(MAX_READER).collect());
                }
            />
            <Check
                label=|| "Show what the rules say (untick to read without)"
                testid="sorting-rules"
                checked=shows_rules
                on_change=move |on| shows_rules.set(on)
            />
            <Show when=move || sorting.is_new.get()>
                <button class="ghost" data-testid="sorting-report" on:click=move |_| sorting.state.show()>
                    "Add up again"
                </button>
            </Show>
        </div>
        <p class="facts" role="status" data-testid="sorting-told">{told}</p>
        {move || sorting.row().map(|row| card(sorting, shows_rules, &row, on_open))}
        <Show when=move || 1 < n()>
            <div class="bench-act">
                <button
                    class="ghost"
                    disabled=move || sorting.at.get() == 0
                    on:click=move |_| sorting.at.update(|at| *at = at.saturating_sub(1))
                >
                    "← Previous"
                </button>
                <span class="facts">{move || format!("{} of {}", sorting.at.get() + 1, n())}</span>
                <button
                    class="ghost"
                    disabled=move || sorting.at.get() + 1 >= n()
                    on:click=move |_| sorting.at.update(|at| *at += 1)
                >
                    "Next →"
                </button>
            </div>
        </Show>
    }
}

fn card(
    sorting: Sorting,
    shows_rules: RwSignal<bool>,
    row: &FailureRow,
    on_open: Callback<Key>,
) -> impl IntoView + use<> {
    let FailureRow { key, setup, question, gold, answer, why, class: by_rules } = row.clone();
    let system = sorting.state.outcome.shown.with_untracked(|shown| {
        shown.as_ref().and_then(|s| s.labels.get(setup).cloned()).unwrap_or_default()
    });
    let mine = sorting.said().get(&key).cloned().unwrap_or_default();
    let classes = sorting.listed.with_untracked(|l| l.as_ref().map(|l| l.classes.clone()));
    let buttons = classes.unwrap_or_default().into_iter().map(|(id, title)| {
        let is_rules = id == by_rules;
        let is_mine = id == mine;
        let words = move || match is_rules && shows_rules.get() {
            true => format!("{title} (the rules)"),
            false => title.clone(),
        };
        let testid = format!("sort-{id}");
        view! {
            <button
                class=move || if is_rules && shows_rules.get() { "run" } else { "ghost" }
                aria-pressed=is_mine.to_string()
                data-testid=testid
                on:click=move |_| sorting.say(id.clone())
            >
                {words}
            </button>
        }
    });
    let buttons = buttons.collect_view();
    let answer = if answer.is_empty() { "(none)".to_owned() } else { answer };
    view! {
        <div class="sorting-run" data-testid="sorting-run">
            <p class="facts">{format!("{}: {system}", key.case)}</p>
            <dl>
                <dt>"Question"</dt>
                <dd>{question}</dd>
                <dt>"Right"</dt>
                <dd>{gold}</dd>
                <dt>"Answer"</dt>
                <dd>{answer}</dd>
                <dt>"Judged"</dt>
                <dd>{why}</dd>
            </dl>
            <div class="bench-act" role="group" aria-label="Why is it not right?">{buttons}</div>
            {(!mine.is_empty())
                .then(|| {
                    view! {
                        <button
                            class="link"
                            data-testid="sort-back"
                            on:click=move |_| sorting.say(NONE.to_owned())
                        >
                            "Take my class back"
                        </button>
                    }
                })}
            <button class="link" data-testid="sorting-trace" on:click=move |_| on_open.run(key.clone())>
                "Open the run as a trace"
            </button>
        </div>
    }
}

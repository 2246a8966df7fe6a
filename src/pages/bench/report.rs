//! A benchmark added up: plots, tables, a comparison, a check, files.

use eval::Key;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::bench::BenchForm;

use super::state::PageState;
use crate::components::data_table::DataTable;
use crate::components::plot_view::PlotView;
use crate::components::verdict::words;
use crate::services::transport::after;
use crate::services::{clipboard, files};
use crate::state::numbers::grouped;
use crate::workbench::one_file::OneFileButton;

/// Counts up to `n`, a part at a time: thousands of shapes in one task would hold up the page.
fn one_after_the_other(n: usize) -> RwSignal<usize> {
    let drawn = RwSignal::new(0);
    spawn_local(async move {
        for i in 1..=n {
            after(0).await;
            if drawn.try_set(i).is_some() {
                // The report has gone meanwhile.
                return;
            }
        }
    });
    drawn
}

/// Plots and tables.
#[component]
pub(super) fn ReportPanel(state: PageState) -> impl IntoView {
    // What grows is drawn at once after the first time: the page must not shrink and jump.
    let is_drawn = StoredValue::new(false);
    move || {
        state.outcome.shown.get().map(|shown| {
            let scripts_note = shown.report.scripts_note();
            let n_plots = shown.plots.len();
            let drawn = match is_drawn.get_value() {
                true => RwSignal::new(usize::MAX),
                false => one_after_the_other(n_plots + shown.tables.len()),
            };
            is_drawn.set_value(true);
            let plots = shown.plots.into_iter().enumerate().map(|(i, plot)| {
                let is_due = Memo::new(move |_| drawn.get() > i);
                let (title, file) = (plot.title.clone(), plot.clone());
                let label = format!("SVG of the plot \"{title}\"");
                view! {
                    <figure>
                        <figcaption>
                            <b>{title.clone()}</b>
                            <button
                                class="quiet"
                                aria-label=label
                                on:click=move |_| {
                                    clipboard::save(&format!("{title}.svg"), "image/svg+xml", &file.file());
                                }
                            >
                                "SVG"
                            </button>
                        </figcaption>
                        {move || is_due.get().then(|| view! { <PlotView plot=plot.clone()/> })}
                    </figure>
                }
            });
            let plots = plots.collect_view();
            let tables = shown.tables.into_iter().enumerate().map(|(i, table)| {
                let is_due = Memo::new(move |_| drawn.get() > n_plots + i);
                move || is_due.get().then(|| view! { <DataTable table=table.clone()/> })
            });
            let tables = tables.collect_view();
            view! {
                <section class="bench-report" aria-label="Report" data-testid="bench-report">
                    {scripts_note
                        .map(|words| view! { <p class="remark" data-testid="scripts-note">{words}</p> })}
                    <div class="bench-plots">{plots}</div>
                    {tables}
                </section>
            }
        })
    }
}

/// The button that computes everything again, and what came of it.
#[component]
pub(super) fn CheckPanel(state: PageState) -> impl IntoView {
    let outcome = move || {
        state.outcome.checked.get().map(|c| {
            let n = c.drifts.len();
            let head = format!(
                "{} of {} verdicts {}, with {} tool results, in {:.1} s",
                grouped(c.n_runs - n.min(c.n_runs)),
                grouped(c.n_runs),
                if n == 0 { "recomputed" } else { "confirmed" },
                grouped(c.n_calls),
                c.took_ms / 1e3
            );
            let proves = "That shows what follows from the answers and calls in the file, not who gave them.";
            if n == 0 {
                return view! {
                    <div class="seal ok" role="status" data-testid="check-result">
                        <p><b>{format!("✓ {head}: everything comes out as the file says.")}</b></p>
                        <p class="quiet-text">{proves}</p>
                    </div>
                }
                .into_any();
            }
            let lines = c.drifts.into_iter().take(200).map(|d| {
                let mut what = Vec::new();
                if let Some((told, found)) = d.verdict {
                    what.push(format!(
                        "the file says \"{}\", and the verdict is \"{}\"",
                        words(told).0,
                        words(found).0
                    ));
                }
                if !d.steps.is_empty() {
                    let steps: Vec<String> = d.steps.iter().map(|s| (s + 1).to_string()).collect();
                    what.push(format!("another result at step {}", steps.join(", ")));
                }
                if !d.counts.is_empty() {
                    what.push(format!("the file has another {}", d.counts.join(", another ")));
                }
                view! { <li><b>{d.key.case}</b>": "{what.join("; ")}</li> }
            });
            let lines = lines.collect_view();
            view! {
                <div class="seal no" role="alert" data-testid="check-result">
                    <p><b>{format!("✗ {head}: {} not come out as the file says.", if n == 1 { "1 run does".to_owned() } else { format!("{} runs do", grouped(n)) })}</b></p>
                    <ul>{lines}</ul>
                </div>
            }
            .into_any()
        })
    };
    view! {
        <section class="bench-check" aria-label="Check">
            <div class="bench-act">
                <button
                    class="run"
                    data-testid="bench-check"
                    disabled=move || state.going.is_running.get() || state.step.with(Option::is_some)
                    on:click=move |_| spawn_local(state.check())
                >
                    "Verify all results"
                </button>
                <span class="quiet-text">
                    "Computes every tool result and every verdict again on this machine, without a model."
                </span>
            </div>
            {outcome}
        </section>
    }
}

/// A way to merge another file.
#[component]
pub(super) fn AddPanel(state: PageState) -> impl IntoView {
    let add = move |e: web_sys::Event| {
        for file in files::chosen(&e) {
            spawn_local(async move {
                match files::text(&file).await {
                    Ok(text) => state.add_file(file.name(), text).await,
                    Err(message) => state.fail(message),
                }
            });
        }
    };
    view! {
        <section aria-label="A second file">
            <label class="file-button">
                "Merge another runs file…"
                <input
                    type="file"
                    accept=".jsonl"
                    data-testid="bench-add"
                    disabled=move || state.going.is_running.get() || state.is_embedded.get()
                    on:change=add
                />
            </label>
        </section>
    }
}

/// Two setups beside each other.
#[component]
pub(super) fn ComparePanel(state: PageState, on_open: Callback<Key>) -> impl IntoView {
    let (left, right) = (RwSignal::new(0_usize), RwSignal::new(1_usize));
    let hash = move |place: usize| {
        state.outcome.shown.with(|s| {
            s.as_ref().and_then(|s| s.report.setups.get(place).map(|(hash, _)| hash.clone()))
        })
    };
    let select = move |label: &'static str, id: &'static str, at: RwSignal<usize>| {
        let labels =
            state.outcome.shown.with(|s| s.as_ref().map(|s| s.labels.clone()).unwrap_or_default());
        view! {
            <label class="field">
                <span>{label}</span>
                <select
                    data-testid=id
                    on:change=move |e| at.set(event_target_value(&e).parse().unwrap_or(0))
                >
                    {labels
                        .into_iter()
                        .enumerate()
                        .map(|(i, name)| {
                            view! {
                                <option value=i.to_string() selected=move || at.get() == i>
                                    {name}
                                </option>
                            }
                        })
                        .collect_view()}
                </select>
            </label>
        }
    };
    let several =
        move || state.outcome.shown.with(|s| s.as_ref().is_some_and(|s| s.labels.len() > 1));
    let result = move || {
        state.outcome.compared.get().map(|(table, differing, left, right)| {
            let n = differing.len();
            let lines = differing.into_iter().take(500).map(|d| {
                let key = |setup: &str| Key {
                    setup: setup.to_owned(),
                    case: d.case.clone(),
                    sample: d.sample,
                };
                let (a, b) = (key(&left), key(&right));
                let (wa, wb) = (words(d.left), words(d.right));
                view! {
                    <li>
                        <span>{d.case.clone()}</span>
                        <button class=format!("quiet tone {}", wa.1) on:click=move |_| on_open.run(a.clone())>
                            "A: "{wa.0}
                        </button>
                        <button class=format!("quiet tone {}", wb.1) on:click=move |_| on_open.run(b.clone())>
                            "B: "{wb.0}
                        </button>
                    </li>
                }
            });
            let lines = lines.collect_view();
            view! {
                <DataTable table/>
                <details open=true>
                    <summary>{format!("{n} runs in which they differ; each opens as a trace")}</summary>
                    <ul class="bench-differing" data-testid="differing">{lines}</ul>
                </details>
            }
        })
    };
    view! {
        <Show when=several>
            <section aria-label="Comparison">
                <h2>"Two of them beside each other"</h2>
                <div class="bench-act">
                    {move || select("A", "compare-left", left)}
                    {move || select("B", "compare-right", right)}
                    <button
                        class="ghost"
                        data-testid="bench-compare"
                        disabled=move || left.get() == right.get()
                        on:click=move |_| {
                            if let (Some(a), Some(b)) = (hash(left.get_untracked()), hash(right.get_untracked())) {
                                state.compare(a, b);
                            }
                        }
                    >
                        "Compare"
                    </button>
                </div>
                {result}
            </section>
        </Show>
    }
}

/// Files to save.
#[component]
pub(super) fn Files(state: PageState) -> impl IntoView {
    let button = |(form, extension, words): (BenchForm, &'static str, &'static str)| {
        view! {
            <button
                class="ghost"
                data-testid=format!("save-{extension}")
                on:click=move |_| state.save(form)
            >
                {words}
            </button>
        }
    };
    let (first, others) = BenchForm::ALL.split_at(2);
    view! {
        <section aria-label="Files">
            <h2>"Save"</h2>
            <div class="bench-act">
                <OneFileButton label="Live page (HTML)" testid="save-live" contents=state.live_page()/>
                {first.iter().copied().map(button).collect_view()}
            </div>
            <details class="bench-more">
                <summary>"Other formats"</summary>
                <div class="bench-act">{others.iter().copied().map(button).collect_view()}</div>
            </details>
            <p class="quiet-text">
                "A live page is this whole playground in one file of about 9 MB, with these runs in it. It opens from a disk without a network and asks nobody, and it computes every verdict again as it opens. The small page shows the same figures; dropped here, it is checked too."
            </p>
        </section>
    }
}

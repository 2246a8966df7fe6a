//! Prices and context windows: a table that a person can change.

use leptos::prelude::*;

use super::PageState;
use crate::services::storage;
use crate::state::numbers::plural;
use crate::state::prices::{CARD, PRICES, Price, Prices, read_price};
use crate::state::settings::Who;

#[component]
pub(super) fn PricesPanel(state: PageState) -> impl IntoView {
    let PageState { prices, settings, .. } = state;
    let fault = RwSignal::new(None::<String>);
    // How many rows are drawn; what is typed into one does not draw it anew.
    let drawn = RwSignal::new(0u32);
    let keep = move || storage::remember(PRICES, &prices.get_untracked());
    let rows = move || {
        drawn.track();
        let list = prices.get_untracked().0;
        let table = Table { prices, fault, drawn };
        list.into_iter().enumerate().map(|(at, row)| view! { <Row table at row/> }).collect_view()
    };
    let n_rows = move || {
        drawn.track();
        prices.with_untracked(|p| p.0.len())
    };
    let now = move || {
        let model =
            settings.with(|s| (s.who == Who::Endpoint).then(|| s.model.trim().to_owned()))?;
        let words = match prices.with(|p| p.of(&model).cloned()) {
            None => format!("{model:?} is not in the table: what its runs cost is unknown."),
            Some(row) => format!("{model:?} counts as {}.", row.model),
        };
        Some(view! { <p class="quiet-text" data-testid="priced">{words}</p> })
    };
    view! {
        <section aria-labelledby="prices">
            <h2 id="prices">"Prices and context windows"</h2>
            <p class="quiet-text">
                "Dollars for a million tokens. An empty field is unknown, and a run with an unknown price shows its cost as unknown. "
                {CARD}
            </p>
            {now}
            <details data-testid="price-table">
                <summary>{move || plural(n_rows(), "model")}</summary>
                <div class="scroll">
                    <table class="prices">
                        <thead>
                            <tr>
                                <th scope="col">"Model"</th>
                                <th scope="col">"Read"</th>
                                <th scope="col">"Cached"</th>
                                <th scope="col">"Written"</th>
                                <th scope="col">"Context"</th>
                                <th scope="col"><span class="unseen">"Remove"</span></th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
                {move || fault.get().map(|f| view! { <p class="report no" role="alert">{f}</p> })}
                <p class="row-of-buttons">
                    <button
                        class="quiet"
                        data-testid="add-price"
                        on:click=move |_| {
                            let model = settings.with_untracked(|s| s.model.trim().to_owned());
                            prices.update(|p| p.0.push(Price { model, ..Price::default() }));
                            keep();
                            drawn.update(|d| *d += 1);
                        }
                    >
                        "Add a model"
                    </button>
                    <button
                        class="quiet"
                        on:click=move |_| {
                            prices.set(Prices::default());
                            storage::forget(PRICES);
                            drawn.update(|d| *d += 1);
                        }
                    >
                        "Back to those that came with it"
                    </button>
                </p>
            </details>
        </section>
    }
}

/// The table that a row is a part of.
#[derive(Clone, Copy)]
struct Table {
    prices: RwSignal<Prices>,
    fault: RwSignal<Option<String>>,
    /// Counts rows that came or went; what is typed into one does not draw it anew.
    drawn: RwSignal<u32>,
}

impl Table {
    /// Changes a row, and keeps the table.
    fn change(self, at: usize, change: impl FnOnce(&mut Price) -> Result<(), String>) {
        let mut outcome = Ok(());
        self.prices.update(|p| {
            if let Some(row) = p.0.get_mut(at) {
                outcome = change(row);
            }
        });
        self.fault.set(outcome.err());
        storage::remember(PRICES, &self.prices.get_untracked());
    }

    fn remove(self, at: usize) {
        self.prices.update(|p| {
            p.0.remove(at);
        });
        storage::remember(PRICES, &self.prices.get_untracked());
        self.drawn.update(|d| *d += 1);
    }
}

fn read_context(text: &str) -> Result<Option<u64>, String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| format!("{text:?} is no number of tokens"))
}

/// A model with its prices.
#[component]
fn Row(table: Table, at: usize, row: Price) -> impl IntoView {
    let model = if row.model.is_empty() { "the new row".to_owned() } else { row.model.clone() };
    let named = move |what: &str| format!("{what} of {model}");
    let cell = |label: String, value: Option<f64>, set: fn(&mut Price, Option<f64>)| {
        view! {
            <td>
                <input
                    type="text"
                    inputmode="decimal"
                    placeholder="unknown"
                    aria-label=label
                    value=value.map(|n| n.to_string())
                    on:change=move |e| {
                        let text = event_target_value(&e);
                        table.change(at, |row| read_price(&text).map(|p| set(row, p)));
                    }
                />
            </td>
        }
    };
    view! {
        <tr>
            <td>
                <input
                    type="text"
                    class="wide"
                    aria-label=named("Name")
                    value=row.model.clone()
                    on:change=move |e| {
                        let text = event_target_value(&e);
                        table
                            .change(
                                at,
                                |row| {
                                    row.model = text.trim().to_owned();
                                    Ok(())
                                },
                            );
                    }
                />
            </td>
            {cell(named("Price of input tokens"), row.input, |r, p| r.input = p)}
            {cell(named("Price of cached input tokens"), row.cached, |r, p| r.cached = p)}
            {cell(named("Price of output tokens"), row.output, |r, p| r.output = p)}
            <td>
                <input
                    type="text"
                    inputmode="numeric"
                    placeholder="unknown"
                    aria-label=named("Context window")
                    value=row.context.map(|n| n.to_string())
                    on:change=move |e| {
                        let text = event_target_value(&e);
                        table.change(at, |row| read_context(&text).map(|n| row.context = n));
                    }
                />
            </td>
            <td>
                <button
                    class="quiet"
                    aria-label=named("Remove the row")
                    on:click=move |_| table.remove(at)
                >
                    "Remove"
                </button>
            </td>
        </tr>
    }
}

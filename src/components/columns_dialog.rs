//! Asks which column of a table is what, above its first rows.

use graph::formats::TableColumns;
use leptos::html::Dialog;
use leptos::prelude::*;
use protocol::problem::TableView;

use super::form::{Check, Select};

/// What a column can be; the value of a choice is the place in this list.
const ROLES: [&str; 5] = ["skip", "source", "target", "relation", "weight"];
const SOURCE: usize = 1;
const TARGET: usize = 2;
const RELATION: usize = 3;
const WEIGHT: usize = 4;

/// The dialog, open while there is a table. `has_relations` says whether what is opened has names for its
/// edges, in place of weights.
#[component]
pub(crate) fn ColumnsDialog(
    #[prop(into)] table: Signal<Option<TableView>>,
    has_relations: bool,
    /// Why the table cannot be opened with these columns.
    #[prop(optional, into)]
    fault: Signal<Option<String>>,
    #[prop(into)] on_open: Callback<TableColumns>,
    #[prop(into)] on_cancel: Callback<()>,
) -> impl IntoView {
    let node = NodeRef::<Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = node.get() else { return };
        match (table.with(Option::is_some), dialog.open()) {
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    view! {
        <dialog
            node_ref=node
            class="table-columns"
            aria-labelledby="columns-title"
            data-testid="columns"
            on:close=move |_| {
                if table.with_untracked(Option::is_some) {
                    on_cancel.run(());
                }
            }
        >
            <h2 id="columns-title">"Which columns are what?"</h2>
            {move || {
                table
                    .get()
                    .map(|table| view! { <Choices table has_relations fault on_open on_cancel/> })
            }}
        </dialog>
    }
}

/// What a table looks like before anybody says so: the first two columns of words are the ends, or the
/// first two of all.
fn guess(table: &TableView, has_relations: bool) -> Vec<usize> {
    let is_number = |i: usize| {
        let mut cells = table.rows.iter().filter_map(|row| row.get(i)).peekable();
        cells.peek().is_some() && cells.all(|cell| cell.replace(',', ".").parse::<f64>().is_ok())
    };
    let n = table.columns.len();
    let mut roles = vec![0; n];
    match n {
        0 | 1 => {}
        3 if has_relations => roles = vec![SOURCE, RELATION, TARGET],
        _ => {
            let mut words = (0..n).filter(|i| !is_number(*i));
            let ends = words.next().zip(words.next()).unwrap_or((0, 1));
            (roles[ends.0], roles[ends.1]) = (SOURCE, TARGET);
            if n == 3 && !has_relations && ends == (0, 1) && is_number(2) {
                roles[2] = WEIGHT;
            }
        }
    }
    roles
}

#[component]
fn Choices(
    table: TableView,
    has_relations: bool,
    #[prop(into)] fault: Signal<Option<String>>,
    on_open: Callback<TableColumns>,
    on_cancel: Callback<()>,
) -> impl IntoView {
    let roles = RwSignal::new(guess(&table, has_relations));
    let is_headed = RwSignal::new(true);
    let names = StoredValue::new(table.columns.clone());
    let column = move |role: usize| {
        let at = roles.with(|roles| roles.iter().position(|r| *r == role))?;
        let place = (at + 1).to_string();
        let name = names.with_value(|names| names.get(at).cloned()).unwrap_or_default();
        let is_only = names.with_value(|names| names.iter().filter(|n| **n == name).count() == 1);
        Some(if is_headed.get() && is_only && !name.is_empty() { name } else { place })
    };
    let chosen = move || TableColumns {
        source: column(SOURCE),
        target: column(TARGET),
        relation: column(RELATION),
        weight: column(WEIGHT),
    };
    let can_open = move || column(SOURCE).is_some() && column(TARGET).is_some();
    let options: Vec<(String, String)> = ROLES
        .iter()
        .enumerate()
        .filter(|(i, _)| *i != if has_relations { WEIGHT } else { RELATION })
        .map(|(i, words)| (i.to_string(), (*words).to_owned()))
        .collect();
    let choices = table
        .columns
        .iter()
        .enumerate()
        .map(|(i, name)| {
            let options = options.clone();
            view! {
                <th scope="col">
                    <Select
                        label=format!("Column {}: {name}", i + 1)
                        bare=true
                        testid=format!("column-{}", i + 1)
                        options
                        value=Signal::derive(move || roles.with(|roles| roles[i].to_string()))
                        on_change=move |value: String| {
                            let role = value.parse().unwrap_or(0);
                            roles.update(|roles| {
                                // A role has one column.
                                roles.iter_mut().filter(|r| role > 0 && **r == role).for_each(|r| *r = 0);
                                roles[i] = role;
                            });
                        }
                    />
                </th>
            }
        })
        .collect_view();
    let cells =
        |row: &[String]| row.iter().map(|cell| view! { <td>{cell.clone()}</td> }).collect_view();
    let first = cells(&table.columns);
    let rows = table.rows.iter().map(|row| view! { <tr>{cells(row)}</tr> }).collect_view();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if can_open() {
            on_open.run(chosen());
        }
    };
    view! {
        <form on:submit=submit>
            <p class="quiet-text">
                {table.message.as_ref().map(|_| "No heading of this table is one that is known. ")}
                "An edge goes from its source to its target. These are the first rows."
            </p>
            <div class="scroll" tabindex="0" role="region" aria-label="First rows of the table">
                <table>
                    <thead>
                        <tr>{choices}</tr>
                    </thead>
                    <tbody>
                        <tr class:names=is_headed>{first}</tr>
                        {rows}
                    </tbody>
                </table>
            </div>
            <Check
                label=|| "The first row is a heading"
                testid="is-headed"
                checked=is_headed
                on_change=move |is| is_headed.set(is)
            />
            {move || fault.get().map(|f| view! { <p class="report no" role="alert">{f}</p> })}
            <footer>
                <button type="button" class="quiet" on:click=move |_| on_cancel.run(())>
                    "Cancel"
                </button>
                <button
                    class="run"
                    type="submit"
                    data-testid="open-table"
                    disabled=move || !can_open()
                >
                    "Open the table"
                </button>
            </footer>
        </form>
    }
}

//! A table of texts, numbers to the right.

use eval::tables::Table;
use leptos::prelude::*;

/// The table with its title and its note.
#[component]
pub(crate) fn DataTable(table: Table) -> impl IntoView {
    let n = table.head.len();
    let class = |c: usize| if table.is_number(c) { "num" } else { "" };
    let heads = (0..n)
        .map(|c| view! { <th scope="col" class=class(c)>{table.name(c).to_owned()}</th> })
        .collect_view();
    let rows = table
        .rows
        .iter()
        .map(|row| {
            let tone = match (row.is_reference, row.is_total) {
                (true, _) => "reference",
                (_, true) => "total",
                _ => "",
            };
            let cells = row
                .cells
                .iter()
                .enumerate()
                .map(|(c, text)| view! { <td class=class(c)>{text.clone()}</td> })
                .collect_view();
            view! { <tr class=tone>{cells}</tr> }
        })
        .collect_view();
    view! {
        <div class="data-table">
            <h2>{table.title.clone()}</h2>
            <div class="scroll" tabindex="0" role="region" aria-label=table.title.clone()>
                <table>
                    <thead>
                        <tr>{heads}</tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            {(!table.note.is_empty()).then(|| view! { <p class="quiet-text">{table.note.clone()}</p> })}
        </div>
    }
    .into_any()
}

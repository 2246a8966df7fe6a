//! The graph as a table: the same picture for whoever reads rather than looks.

use draw::Scene;
use leptos::prelude::*;

/// Nodes with their neighbours, and what is marked.
#[component]
pub(crate) fn GraphTable(#[prop(into)] scene: Signal<Scene>) -> impl IntoView {
    let rows = move || {
        scene.with(|s| {
            s.nodes
                .iter()
                .map(|node| {
                    let joined: Vec<String> = s
                        .edges
                        .iter()
                        .filter(|e| !e.is_ghost)
                        .filter_map(|e| {
                            let weight =
                                e.label.as_ref().map(|w| format!(" ({w})")).unwrap_or_default();
                            let directed = e.arrow.is_some();
                            if e.source == node.name {
                                let arrow = if directed { "→ " } else { "" };
                                Some(format!("{arrow}{}{weight}", e.target))
                            } else if e.target == node.name {
                                let arrow = if directed { "← " } else { "" };
                                Some(format!("{arrow}{}{weight}", e.source))
                            } else {
                                None
                            }
                        })
                        .collect();
                    let marks: Vec<&str> = node.marks.iter().map(|m| m.class()).collect();
                    view! {
                        <tr>
                            <th scope="row">{node.name.to_string()}</th>
                            <td>{joined.join(", ")}</td>
                            <td>{marks.join(", ")} {node.beside().map(|words| format!(" {words}"))}</td>
                        </tr>
                    }
                })
                .collect_view()
        })
    };
    view! {
        <div class="graph-table">
            <table>
                <thead>
                    <tr>
                        <th>"Node"</th>
                        <th>"Joined to (weight)"</th>
                        <th>"Marked"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

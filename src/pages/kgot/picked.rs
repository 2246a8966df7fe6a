//! A node that is looked at, and corrections of the graph by hand.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;

use super::state::PageState;
use crate::components::form::Text;
use crate::state::kgot::{add_fact, drop_edge, drop_node, properties_text};

/// All that the graph knows of the node that was clicked.
#[component]
pub(super) fn PickedPanel(state: PageState) -> impl IntoView {
    let shown = move || {
        let id = state.picked.get()?;
        let now = state.now();
        let node = now.nodes.get(&id)?.clone();
        let labels = node.labels.join(", ");
        let rows = now
            .edges
            .values()
            .filter(|e| e.source == id || e.target == id)
            .map(|edge| {
                let name =
                    |id: &u64| now.nodes.get(id).map_or_else(String::new, |n| n.name.clone());
                let more = properties_text(&edge.properties);
                let more = if more.is_empty() { more } else { format!(" ({more})") };
                let words = format!(
                    "{} → {} → {}{more}",
                    name(&edge.source),
                    edge.edge_type,
                    name(&edge.target)
                );
                let edge = edge.id;
                view! {
                    <li>
                        <span>{words}</span>
                        <button
                            class="quiet"
                            data-testid="kgot-drop-edge"
                            on:click=move |_| state.correct(drop_edge(edge))
                        >
                            "Drop"
                        </button>
                    </li>
                }
            })
            .collect_view();
        let values = node
            .properties
            .iter()
            .map(|(name, value)| {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                view! {
                    <div>
                        <dt>{name.clone()}</dt>
                        <dd>{value}</dd>
                    </div>
                }
            })
            .collect_view();
        Some(view! {
            <section class="kgot-picked" aria-label="The node that is picked" data-testid="kgot-picked">
                <h2>{node.name.clone()} <small>{labels}</small></h2>
                <dl>{values}</dl>
                <ul>{rows}</ul>
                <button
                    class="quiet"
                    data-testid="kgot-drop-node"
                    on:click=move |_| state.correct(drop_node(id))
                >
                    "Drop this node and its relationships"
                </button>
            </section>
        })
    };
    view! { {shown} }
}

/// A fact that is added by hand.
#[component]
pub(super) fn CorrectPanel(state: PageState) -> impl IntoView {
    let parts = [(); 3].map(|()| RwSignal::new(String::new()));
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let [head, relation, tail] = parts.map(|part| part.get_untracked());
        match add_fact(&state.now(), &head, &relation, &tail) {
            Ok(query) => {
                state.session.notice.set(None);
                state.correct(query);
                parts[1].set(String::new());
                parts[2].set(String::new());
            }
            Err(why) => state.session.notice.set(Some(why)),
        }
    };
    let field = move |i: usize, title: &'static str, name: &'static str, list: &'static str| {
        let part = parts[i];
        view! {
            <Text
                label=title
                testid=name
                list=list
                maxlength="300"
                value=part
                on_input=move |words| part.set(words)
            />
        }
    };
    let names = move || {
        let names = state.now().nodes.into_values().map(|n| n.name);
        names.map(|n| view! { <option value=n></option> }).collect_view()
    };
    let types = move || {
        let types = state.now().words().types.into_iter();
        types.map(|n| view! { <option value=n></option> }).collect_view()
    };
    view! {
        <details class="kgot-correct">
            <summary data-testid="kgot-correct">"Correct the graph by hand"</summary>
            <p class="quiet-text">
                "While a run pauses, it goes on with what you changed, and the trace says that it was you. Without a run, the next one begins with the corrected graph."
            </p>
            <form class="three" on:submit=submit>
                {field(0, "Who or what", "kgot-head", "kgot-names")}
                {field(1, "Relationship", "kgot-relation", "kgot-types")}
                {field(2, "To whom or what", "kgot-tail", "kgot-names")}
                <datalist id="kgot-names">{names}</datalist>
                <datalist id="kgot-types">{types}</datalist>
                <button class="ghost" data-testid="kgot-add">
                    "Add the fact"
                </button>
            </form>
        </details>
    }
}

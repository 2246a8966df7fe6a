//! What is new: facts that are added while the page is open. The next request knows them, because
//! the relations stand in the prompt; nothing is trained again.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use tasks::family::Link;

use super::state::PageState;
use crate::components::form::Text;

/// The form.
#[component]
pub(super) fn FactsPanel(state: PageState) -> impl IntoView {
    let parts = [(); 3].map(|()| RwSignal::new(String::new()));
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let [head, relation, tail] =
            parts.map(|part| part.with_untracked(|text| text.trim().to_owned()));
        let relation = relation.replace(' ', "_");
        if state.add(Link::new(head, relation, tail)) {
            parts[1].set(String::new());
            parts[2].set(String::new());
        }
    };
    let listed = move |of: fn(&tasks::family::Family) -> Vec<String>| {
        move || {
            state.household.with(|s| {
                let names = s.now().map(of).unwrap_or_default();
                names.into_iter().map(|n| view! { <option value=n></option> }).collect_view()
            })
        }
    };
    let names = |f: &tasks::family::Family| f.people().iter().map(|p| (*p).to_owned()).collect();
    let relations =
        |f: &tasks::family::Family| f.relations().iter().map(|p| (*p).to_owned()).collect();
    let field = move |i: usize, title: &'static str, name: &'static str, list: &'static str| {
        let part = parts[i];
        view! {
            <Text
                label=title
                testid=name
                list=list
                maxlength="200"
                value=part
                on_input=move |words| part.set(words)
            />
        }
    };
    view! {
        <details>
            <summary>"Tell the graph something new"</summary>
            <p class="quiet-text">
                "A new person, relation or value is known to the next request at once: nothing is trained again. Ask, for example, for a taxi to a favourite tree."
            </p>
            <form on:submit=submit>
                {field(0, "Who", "fact-head", "family-people")}
                {field(1, "has, or is", "fact-relation", "family-relations")}
                {field(2, "What, or whom", "fact-tail", "family-people")}
                <datalist id="family-people">{listed(names)}</datalist>
                <datalist id="family-relations">{listed(relations)}</datalist>
                <div class="actions">
                    <button class="ghost" data-testid="fact-add">
                        "Add it"
                    </button>
                </div>
            </form>
            <Show when=move || state.household.with(|s| s.n_added > 0)>
                <p class="facts" data-testid="added" role="status">
                    {move || {
                        let n = state.household.with(|s| s.n_added);
                        format!("{n} added. ")
                    }}
                    <button
                        class="quiet"
                        on:click=move |_| state.household.update(crate::state::family::FamilyState::take_back)
                    >
                        "Take the last back"
                    </button>
                </p>
            </Show>
        </details>
    }
}

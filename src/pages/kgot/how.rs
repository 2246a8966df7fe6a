//! How a task is gone about: the method, the languages of fusion, and the numbers of a run.

use leptos::prelude::*;
use systems::kgot::{KgotLanguage, PromptForm};

use super::state::{PageState, Way};
use crate::components::form::{Check, Number, Select, named};

#[component]
pub(super) fn How(state: PageState) -> impl IntoView {
    let options = state.options;
    let modes = vec![
        ("cypher".to_owned(), "Grow a graph, in Cypher".to_owned()),
        ("sparql".to_owned(), "Grow a graph, in SPARQL (loads 2 MB)".to_owned()),
        ("networkx".to_owned(), "Grow a graph, in Python with NetworkX (loads 8 MB)".to_owned()),
        ("direct".to_owned(), "Grow a graph, and answer from its text".to_owned()),
        ("fusion".to_owned(), "Fusion: a graph in each of several languages".to_owned()),
        ("none".to_owned(), "No graph: the tools alone".to_owned()),
    ];
    let mode = Signal::derive(move || {
        let language = options.with(|o| o.language);
        let name = match (state.way.get(), language) {
            (Way::NoGraph, _) => "none",
            (Way::Fusion, _) => "fusion",
            (_, KgotLanguage::Cypher) => "cypher",
            (_, KgotLanguage::Sparql) => "sparql",
            (_, KgotLanguage::Direct) => "direct",
            (_, KgotLanguage::Networkx) => "networkx",
        };
        name.to_owned()
    });
    let forms = [(PromptForm::Xml, "XML tags"), (PromptForm::Markdown, "Markdown headings")];
    view! {
        <Select
            label="Method"
            testid="kgot-method"
            options=Signal::stored(modes)
            value=mode
            on_change=move |name: String| {
                let language = match name.as_str() {
                    "none" => return state.way.set(Way::NoGraph),
                    "fusion" => return state.way.set(Way::Fusion),
                    "sparql" => KgotLanguage::Sparql,
                    "direct" => KgotLanguage::Direct,
                    "networkx" => KgotLanguage::Networkx,
                    _ => KgotLanguage::Cypher,
                };
                state.way.set(Way::OneLanguage);
                options.update(|o| o.language = language);
                if language != KgotLanguage::Direct {
                    state.ask_in(language);
                }
                if language == KgotLanguage::Networkx {
                    state.want_python(true);
                }
            }
        />
        <Show when=move || state.way.get() == Way::Fusion>
            <Members state/>
        </Show>
        <Show when=move || state.has_graph()>
            <Check
                label=|| "Pause before each round"
                testid="kgot-pauses"
                checked=state.pauses
                on_change=move |on| state.pauses.set(on)
            />
            <details class="how">
                <summary>"How it goes about it"</summary>
                <div class="two">
                    <Number
                        label="Rounds"
                        testid="kgot-rounds"
                        min=1.0
                        max=20.0
                        value=Signal::derive(move || options.with(|o| f64::from(o.max_rounds)))
                        on_change=move |n: f64| options.update(|o| o.max_rounds = n as u32)
                    />
                    <Number
                        label="Votes a round"
                        testid="kgot-votes"
                        min=1.0
                        max=15.0
                        value=Signal::derive(move || options.with(|o| f64::from(o.votes)))
                        on_change=move |n: f64| options.update(|o| o.votes = n as u32)
                    />
                    <Number
                        label="Temperature of votes"
                        testid="kgot-temperature"
                        max=2.0
                        step="0.1"
                        value=Signal::derive(move || options.with(|o| o.vote_temperature))
                        on_change=move |n: f64| options.update(|o| o.vote_temperature = n)
                    />
                    <Number
                        label="Corrections of a query"
                        testid="kgot-fixes"
                        max=10.0
                        value=Signal::derive(move || options.with(|o| f64::from(o.max_fixes)))
                        on_change=move |n: f64| options.update(|o| o.max_fixes = n as u32)
                    />
                </div>
                <Select
                    label="How prompts mark their parts"
                    testid="kgot-prompts"
                    options=Signal::stored(named(&forms))
                    value=Signal::derive(move || {
                        let at = options.with(|o| forms.iter().position(|(f, _)| *f == o.prompts));
                        at.unwrap_or_default().to_string()
                    })
                    on_change=move |at: String| {
                        let form = at.parse().ok().and_then(|i: usize| forms.get(i));
                        if let Some((form, _)) = form {
                            options.update(|o| o.prompts = *form);
                        }
                    }
                />
                <Check
                    label=|| "Ask whether a calculation is needed"
                    checked=Signal::derive(move || options.with(|o| o.maths))
                    on_change=move |on| options.update(|o| o.maths = on)
                />
            </details>
        </Show>
    }
}

/// What the languages of fusion are called here, in the order in which they solve a task.
const MEMBERS: [(KgotLanguage, &str, &str); 4] = [
    (KgotLanguage::Cypher, "Cypher", "kgot-member-cypher"),
    (KgotLanguage::Sparql, "SPARQL (loads 2 MB)", "kgot-member-sparql"),
    (KgotLanguage::Networkx, "Python with NetworkX (loads 8 MB)", "kgot-member-networkx"),
    (KgotLanguage::Direct, "Direct retrieval: the text of the graph", "kgot-member-direct"),
];

/// The languages of fusion.
#[component]
fn Members(state: PageState) -> impl IntoView {
    let checks = MEMBERS.map(|(language, words, testid)| {
        let checked = Signal::derive(move || state.members.with(|all| all.contains(&language)));
        view! {
            <Check
                label=move || words
                testid=testid
                checked=checked
                on_change=move |on| {
                    state.take_member(language, on);
                }
            />
        }
    });
    view! {
        <fieldset class="kgot-members">
            <legend>"Languages"</legend>
            <p class="quiet-text">
                "The task is solved in each, one after the other. Where the answers differ, the graph executor chooses; it sees what each answer stands on."
            </p>
            {checks.into_iter().collect_view()}
        </fieldset>
    }
}

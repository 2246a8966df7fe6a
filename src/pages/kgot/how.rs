//! How a task is gone about: the method, the languages of fusion, and the numbers of a run.

use leptos::prelude::*;
use systems::kgot::{KgotLanguage, PromptForm};

use super::state::PageState;
use crate::components::form::{Check, Number, Select, named};
use crate::state::kgot_form::Way;

#[component]
pub(super) fn How(state: PageState) -> impl IntoView {
    let form = state.form;
    let modes = vec![
        ("cypher".to_owned(), "Grow a graph, in Cypher".to_owned()),
        ("sparql".to_owned(), "Grow a graph, in SPARQL (loads 2 MB)".to_owned()),
        ("networkx".to_owned(), "Grow a graph, in Python with NetworkX (loads 8 MB)".to_owned()),
        ("direct".to_owned(), "Grow a graph, and answer from its text".to_owned()),
        ("fusion".to_owned(), "Fusion: a graph in each of several languages".to_owned()),
        ("none".to_owned(), "No graph: the tools alone".to_owned()),
    ];
    let mode = Signal::derive(move || {
        let name = match form.with(|f| (f.way, f.options.language)) {
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
                    "none" => return form.update(|f| f.way = Way::NoGraph),
                    "fusion" => return form.update(|f| f.way = Way::Fusion),
                    "sparql" => KgotLanguage::Sparql,
                    "direct" => KgotLanguage::Direct,
                    "networkx" => KgotLanguage::Networkx,
                    _ => KgotLanguage::Cypher,
                };
                form.update(|f| {
                    f.way = Way::OneLanguage;
                    f.options.language = language;
                });
                if language != KgotLanguage::Direct {
                    state.ask_in(language);
                }
                if language == KgotLanguage::Networkx {
                    state.want_python(true);
                }
            }
        />
        <Show when=move || form.with(|f| f.way == Way::Fusion)>
            <Members state/>
        </Show>
        <Show when=move || state.has_graph()>
            <Check
                label=|| "Pause before each round"
                testid="kgot-pauses"
                checked=Signal::derive(move || form.with(|f| f.pauses))
                on_change=move |on| form.update(|f| f.pauses = on)
            />
            <details class="how">
                <summary>"Settings"</summary>
                <div class="two">
                    <Number
                        label="Rounds"
                        testid="kgot-rounds"
                        min=1.0
                        max=20.0
                        value=Signal::derive(move || form.with(|f| f64::from(f.options.max_rounds)))
                        on_change=move |n: f64| form.update(|f| f.options.max_rounds = n as u32)
                    />
                    <Number
                        label="Votes a round"
                        testid="kgot-votes"
                        min=1.0
                        max=15.0
                        value=Signal::derive(move || form.with(|f| f64::from(f.options.votes)))
                        on_change=move |n: f64| form.update(|f| f.options.votes = n as u32)
                    />
                    <Number
                        label="Temperature of votes"
                        testid="kgot-temperature"
                        max=2.0
                        step="0.1"
                        value=Signal::derive(move || form.with(|f| f.options.vote_temperature))
                        on_change=move |n: f64| form.update(|f| f.options.vote_temperature = n)
                    />
                    <Number
                        label="Corrections of a query"
                        testid="kgot-fixes"
                        max=10.0
                        value=Signal::derive(move || form.with(|f| f64::from(f.options.max_fixes)))
                        on_change=move |n: f64| form.update(|f| f.options.max_fixes = n as u32)
                    />
                </div>
                <Select
                    label="How prompts mark their parts"
                    testid="kgot-prompts"
                    options=Signal::stored(named(&forms))
                    value=Signal::derive(move || {
                        let at = form.with(|f| forms.iter().position(|(marks, _)| *marks == f.options.prompts));
                        at.unwrap_or_default().to_string()
                    })
                    on_change=move |at: String| {
                        let marks = at.parse().ok().and_then(|i: usize| forms.get(i));
                        if let Some((marks, _)) = marks {
                            form.update(|f| f.options.prompts = *marks);
                        }
                    }
                />
                <Check
                    label=|| "Ask whether a calculation is needed"
                    checked=Signal::derive(move || form.with(|f| f.options.maths))
                    on_change=move |on| form.update(|f| f.options.maths = on)
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
        let checked = Signal::derive(move || state.form.with(|f| f.members.contains(&language)));
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

//! The stage: a drawing with its tools, the same as a table, and the player under it.

use draw::Scene;
use leptos::prelude::*;

use super::played::{self, Played};
use super::presenting::PresentMenu;
use super::share::Sharing;
use crate::components::graph_table::GraphTable;
use crate::components::graph_view::{Gesture, GraphView};
use crate::components::player::Player;
use crate::state::view::ViewBox;

/// The stage.
#[component]
pub(crate) fn Stage(
    /// What the column is, for screen readers.
    label: &'static str,
    scene: Memo<Scene>,
    /// What is drawn, for screen readers.
    words: Signal<String>,
    /// Why nothing is drawn, where nothing is.
    #[prop(optional, into)]
    empty: Signal<Option<String>>,
    /// Something that stands in the drawing's place.
    #[prop(optional, into)]
    instead: Option<Instead>,
    /// Changes where another thing is drawn, which is then seen whole.
    #[prop(into)]
    fit_on: Signal<()>,
    /// Whether gestures change the graph.
    #[prop(optional, into)]
    editing: Signal<bool>,
    #[prop(default = Callback::new(|_| ()))] on_gesture: Callback<Gesture>,
    /// Tools before those that every stage has.
    #[prop(optional, into)]
    before: ViewFn,
    /// Tools after them.
    #[prop(optional, into)]
    after: ViewFn,
    /// What stands between the tools and the drawing.
    #[prop(optional, into)]
    above: ViewFn,
    /// What lies on the drawing.
    #[prop(optional, into)]
    over: ViewFn,
    /// What stands under the drawing, before the player.
    #[prop(optional, into)]
    below: ViewFn,
    #[prop(optional, into)] player: Option<Played>,
    /// What stands under the player.
    #[prop(optional, into)]
    under: ViewFn,
) -> impl IntoView {
    let view_box = RwSignal::new(None::<ViewBox>);
    let whole = RwSignal::new(None::<ViewBox>);
    let as_table = RwSignal::new(false);
    if let Some(sharing) = use_context::<Sharing>() {
        sharing.draws(scene);
    }
    Effect::new(move |_| {
        fit_on.get();
        view_box.set(None);
    });
    let zoom = move |factor: f64| {
        if let Some(now) = view_box.get_untracked().or_else(|| whole.get_untracked()) {
            view_box.set(Some(now.zoomed(now.middle(), factor)));
        }
    };
    let is_instead = move || instead.is_some_and(|i| i.is_on.get());
    let has_drawing = move || !is_instead() && empty.with(Option::is_none);
    let drawing = move || {
        if let Some(instead) = instead.filter(|i| i.is_on.get()) {
            return instead.view.run(());
        }
        if let Some(why) = empty.get() {
            return view! { <p class="empty" role="status">{why}</p> }.into_any();
        }
        if as_table.get() {
            return view! { <GraphTable scene/> }.into_any();
        }
        view! { <GraphView scene view=view_box whole editing label=words on_gesture/> }.into_any()
    };
    view! {
        <section class="stage" aria-label=label>
            <div class="tools" role="toolbar" aria-label="Tools of the drawing">
                {before.run()}
                <Show when=has_drawing>
                    <button aria-label="Zoom out" on:click=move |_| zoom(1.25)>"−"</button>
                    <button aria-label="Zoom in" on:click=move |_| zoom(0.8)>"+"</button>
                    <button on:click=move |_| view_box.set(None)>"Fit"</button>
                    <button
                        aria-pressed=move || as_table.get().to_string()
                        data-testid="table"
                        on:click=move |_| as_table.update(|t| *t = !*t)
                    >
                        "Table"
                    </button>
                </Show>
                {after.run()}
                <PresentMenu/>
            </div>
            {above.run()}
            <div class="canvas" class:asks=is_instead data-testid="canvas">
                {drawing}
                {over.run()}
            </div>
            {below.run()}
            {player.map(|player| view! { <PlayedBar player is_off=Signal::derive(is_instead)/> })}
            {under.run()}
        </section>
    }
}

/// The caption of the step in view, and the player. Their place is kept before there are steps, so that
/// the drawing does not jump when they come.
#[component]
pub(crate) fn PlayedBar(
    player: Played,
    /// Whether something else than the steps is looked at.
    #[prop(optional, into)]
    is_off: Signal<bool>,
) -> impl IntoView {
    played::offer(player);
    let Played { n, cursor, line, caption, playing, speed, on_seek } = player;
    view! {
        <div class="played" class:off=move || is_off.get()>
            <Show
                when=move || n.get() != 0
                fallback=|| view! { <p class="played-hint">"Steps are played here once something runs."</p> }
            >
                <p class="caption" data-testid="caption" title=move || caption.get()>
                    {move || caption.get()}
                </p>
                <Player n cursor line playing speed on_seek/>
            </Show>
        </div>
    }
}

/// What may stand in the drawing's place.
#[derive(Clone, Copy)]
pub(crate) struct Instead {
    pub(crate) is_on: Signal<bool>,
    pub(crate) view: Callback<(), AnyView>,
}

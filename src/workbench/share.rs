//! Links to what is on a page: made by the engine, offered in one dialog for all pages.

use draw::{Scene, Theme};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::share::{Shared, WriteLink};

use crate::components::share_dialog::Offer;
use crate::routes;
use crate::services::screen::is_dark;
use crate::services::{clipboard, engine_client, single_file};

/// The offer that the dialog shows; in the context of every page.
#[derive(Clone, Copy)]
pub(crate) struct Sharing {
    pub(crate) offer: RwSignal<Option<Offer>>,
    /// The drawing that stands on the page's stage.
    drawn: StoredValue<Option<Memo<Scene>>>,
    /// What else the page saves.
    added: StoredValue<Option<ViewFn>>,
}

/// Saves a drawing as a picture, in the colours of the page.
fn save_picture(scene: &Scene, as_png: bool) {
    let theme = if is_dark() { Theme::Dark } else { Theme::Light };
    let file = draw::svg(scene, theme, "A graph drawn by Graphground");
    if as_png {
        clipboard::save_png("graph.png", &file, scene.view.2, scene.view.3);
    } else {
        clipboard::save("graph.svg", "image/svg+xml", &file);
    }
}

impl Sharing {
    pub(crate) fn new() -> Self {
        Self {
            offer: RwSignal::new(None),
            drawn: StoredValue::new(None),
            added: StoredValue::new(None),
        }
    }

    /// Offers a drawing as a picture as long as its stage stands.
    pub(crate) fn draws(self, scene: Memo<Scene>) {
        self.drawn.set_value(Some(scene));
        on_cleanup(move || {
            // The stage of another page may stand already.
            self.drawn.update_value(|drawn| *drawn = drawn.filter(|d| *d != scene));
        });
    }

    /// Offers what else a page saves, as long as the page is open.
    pub(crate) fn adds(self, what: impl Fn() -> AnyView + Send + Sync + 'static) {
        self.added.set_value(Some(what.into()));
        on_cleanup(move || self.added.set_value(None));
    }

    fn open(self, link: Result<String, String>, save: Option<Callback<()>>) {
        let remark = single_file::is_from_disk().then_some(
            "This page was opened from a disk, so the link leads to a file on this machine. What stands from # on works behind the address of any other Graphground.",
        );
        let drawn = self.drawn.get_value();
        let drawn = drawn.filter(|d| d.with_untracked(|scene| !scene.nodes.is_empty()));
        let picture = drawn.map(|drawn| {
            Callback::new(move |as_png| drawn.with_untracked(|scene| save_picture(scene, as_png)))
        });
        let added = self.added.get_value();
        self.offer.set(Some(Offer { link, save, picture, added, remark }));
    }

    /// Offers an address that says by itself what is to be shown.
    pub(crate) fn readable(self, href: &str) {
        self.open(Ok(whole(href)), None);
    }

    /// Packs something into an address, and offers it or its file.
    pub(crate) fn packed(self, path: &'static str, shared: Shared, save: Option<Callback<()>>) {
        self.packed_at(path, shared, None, save);
    }

    /// The same at a step, with which the page opens.
    pub(crate) fn packed_at(
        self,
        path: &'static str,
        shared: Shared,
        step: Option<usize>,
        save: Option<Callback<()>>,
    ) {
        spawn_local(async move {
            let ask = WriteLink { shared: Box::new(shared) };
            let link = engine_client::interactive().ask(ask).await;
            let link = link.map(|link| {
                let step = step.map(|step| step.to_string());
                let mut keys = vec![("s", link.as_str())];
                keys.extend(step.as_deref().map(|step| ("step", step)));
                whole(&routes::href(path, &keys))
            });
            self.open(link, save);
        });
    }
}

/// An address of this page as one that works elsewhere too.
pub(crate) fn whole(href: &str) -> String {
    let here = window().location().href().unwrap_or_default();
    let base = here.split('#').next().unwrap_or_default();
    format!("{base}{href}")
}

/// The button that every page with something to share has.
#[component]
pub(crate) fn ShareButton(on_share: Callback<Sharing>) -> impl IntoView {
    let sharing = use_context::<Sharing>()?;
    Some(view! {
        <button type="button" class="ghost share-button" data-testid="share" on:click=move |_| on_share.run(sharing)>
            "Share…"
        </button>
    })
}

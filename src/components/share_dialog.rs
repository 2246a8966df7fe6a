//! A link to what is on the page, to copy, with a word where it is long.

use leptos::html::Dialog;
use leptos::prelude::*;

use super::form::Field;
use crate::state::fragment::{LONG, SHORT, frame};

/// What is offered: an address with what to say of it, or why there is none.
#[derive(Clone)]
pub(crate) struct Offer {
    /// The whole address, or what went wrong.
    pub(crate) link: Result<String, String>,
    /// Offers the same as a file; nothing where the readable address is all there is.
    pub(crate) save: Option<Callback<()>>,
    /// Saves the drawing as a picture, as a PNG or else as an SVG; nothing where nothing is drawn.
    pub(crate) picture: Option<Callback<bool>>,
    /// What else the page saves.
    pub(crate) added: Option<ViewFn>,
    /// What else is to be said.
    pub(crate) remark: Option<&'static str>,
}

/// The dialog; it opens when there is an offer.
#[component]
pub(crate) fn ShareDialog(
    offer: RwSignal<Option<Offer>>,
    on_copy: Callback<String>,
    /// What else there is to save.
    #[prop(into)]
    more: ViewFn,
) -> impl IntoView {
    let node = NodeRef::<Dialog>::new();
    let copied = RwSignal::new(false);
    Effect::new(move |_| {
        let Some(dialog) = node.get() else { return };
        if offer.with(Option::is_some) {
            copied.set(false);
            let _ = dialog.show_modal();
        }
    });
    let close = move || {
        if let Some(dialog) = node.get_untracked() {
            dialog.close();
        }
    };
    let body = move || {
        let Offer { link, save, picture, added, remark } = offer.get()?;
        let as_file = save.map(|save| {
            view! {
                <button class="ghost" data-testid="share-file" on:click=move |_| save.run(())>
                    "Save as a file"
                </button>
            }
        });
        let as_picture = picture.map(|picture| {
            let button = |title: &'static str, testid: &'static str, as_png: bool| {
                view! {
                    <button class="ghost" data-testid=testid on:click=move |_| picture.run(as_png)>
                        {title}
                    </button>
                }
            };
            let buttons = (button("PNG", "save-png", true), button("SVG", "save-svg", false));
            view! {
                <div class="share-picture" role="group" aria-labelledby="share-picture">
                    <span id="share-picture">"The drawing as a picture"</span>
                    {buttons}
                </div>
            }
        });
        let length = link.as_ref().map_or(0, |l| l.chars().count());
        let words = match &link {
            Err(message) => Some(message.clone()),
            Ok(_) if length > LONG => Some(format!(
                "This is too much for a link: it would have {length} characters, and many programs cut links off. Share the file instead."
            )),
            Ok(_) if length > SHORT => Some(format!(
                "This link has {length} characters. Some programs cut links of more than {SHORT} off; try it before you send it on."
            )),
            Ok(_) => None,
        };
        // A page of others shows no file of this machine.
        let is_from_disk = remark.is_some();
        let shown = link.ok().filter(|_| length <= LONG);
        let field = shown.map(|link| {
            let copy = link.clone();
            let code = (!is_from_disk).then(|| {
                let code = frame(&link);
                let copied_code = RwSignal::new(false);
                let copy = code.clone();
                view! {
                    <details class="share-frame">
                        <summary data-testid="share-frame">"Show it inside your own page"</summary>
                        <textarea readonly rows="3" aria-label="The code of a frame" prop:value=code></textarea>
                        <button
                            class="ghost"
                            on:click=move |_| {
                                on_copy.run(copy.clone());
                                copied_code.set(true);
                            }
                        >
                            {move || if copied_code.get() { "Copied" } else { "Copy the code" }}
                        </button>
                    </details>
                }
            });
            view! {
                <Field label="The link">
                    <input type="text" readonly data-testid="share-link" prop:value=link/>
                </Field>
                <button
                    class="run"
                    data-testid="share-copy"
                    on:click=move |_| {
                        on_copy.run(copy.clone());
                        copied.set(true);
                    }
                >
                    {move || if copied.get() { "Copied" } else { "Copy it" }}
                </button>
                {code}
            }
        });
        Some(view! {
            {words.map(|w| view! { <p class="report no" data-testid="share-words">{w}</p> })}
            {field}
            {as_file}
            {as_picture}
            {added.map(|added| added.run())}
            {remark.map(|r| view! { <p class="quiet-text">{r}</p> })}
            {more.run()}
        })
    };
    view! {
        <dialog
            node_ref=node
            class="share"
            aria-labelledby="share-title"
            on:close=move |_| offer.set(None)
        >
            <h2 id="share-title">"Share this"</h2>
            <p class="quiet-text">
                "Everything is in the link itself, and no server gets to see it. It holds what is on the page and never a key."
            </p>
            <div class="share-body">{body}</div>
            <footer>
                <button class="quiet" on:click=move |_| close()>
                    "Close"
                </button>
            </footer>
        </dialog>
    }
}

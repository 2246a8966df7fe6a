//! The button that saves the page as one file, with or without runs, and how far that is.

use std::rc::Rc;

use eval::About;
use futures_util::future::LocalBoxFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::AbortController;

use crate::services::own_file::{self, NotSaved, Wanted};

/// A file's name and the runs that go into it, when somebody asks.
pub(crate) type Contents =
    Rc<dyn Fn() -> LocalBoxFuture<'static, Result<(String, Option<(About, String)>), String>>>;

/// The page with nothing in it.
pub(crate) fn no_runs() -> Contents {
    Rc::new(|| Box::pin(std::future::ready(Ok((eval::live::FILE.to_owned(), None)))))
}

/// How far it is: words, bytes done, bytes in all.
type Step = (String, f64, f64);

/// The button; below it, progress with a way to stop, or why it failed. Where the site lacks what it needs,
/// that is said in its place.
#[component]
pub(crate) fn OneFileButton(
    label: &'static str,
    testid: &'static str,
    contents: Contents,
) -> impl IntoView {
    let step = RwSignal::new(None::<Step>);
    let failed = RwSignal::new(None::<String>);
    let is_absent = RwSignal::new(false);
    spawn_local(async move {
        let can_save = own_file::can_save().await;
        // The page may show something else by then.
        let _ = is_absent.try_set(!can_save);
    });
    let abort = StoredValue::new_local(None::<AbortController>);
    let contents = StoredValue::new_local(contents);
    let save = move |_| {
        let Ok(controller) = AbortController::new() else { return };
        abort.set_value(Some(controller.clone()));
        failed.set(None);
        step.set(Some(("Getting ready".to_owned(), 0.0, 0.0)));
        let coming = contents.with_value(|contents| contents());
        spawn_local(async move {
            let saved = match coming.await {
                Ok((name, runs)) => {
                    let tell = move |words, done, total| {
                        // The page may show something else meanwhile.
                        step.try_set(Some((words, done, total)));
                    };
                    let on_step = Box::new(tell);
                    own_file::save(Wanted { name, runs, abort: controller, on_step }).await
                }
                Err(why) => Err(NotSaved::Failed(why)),
            };
            step.try_set(None);
            if let Err(NotSaved::Failed(why)) = saved {
                failed.try_set(Some(why));
            }
        });
    };
    let stop = move |_| {
        abort.with_value(|abort| {
            if let Some(abort) = abort {
                abort.abort();
            }
        });
    };
    let progress = move || {
        step.get().map(|(words, done, total)| {
            // Without a value the bar says that something goes on, and not how far it is.
            let (max, value) = if total > 0.0 {
                (Some(total.to_string()), Some(done.to_string()))
            } else {
                (None, None)
            };
            view! {
                <div class="progress" role="status" data-testid=format!("{testid}-step")>
                    <progress max=max value=value></progress>
                    <span>{words}</span>
                    <button class="quiet" on:click=stop>"Stop"</button>
                </div>
            }
        })
    };
    let absent = move || {
        view! {
            <p class="quiet-text" data-testid=format!("{testid}-absent")>
                {format!("{label}: not from here, because this site does not have the page as one file.")}
                {own_file::ON_THE_COMMAND_LINE}
            </p>
        }
    };
    view! {
        <Show when=move || !is_absent.get() fallback=absent>
            <button
                class="ghost"
                data-testid=testid
                disabled=move || step.with(Option::is_some)
                on:click=save
            >
                {label}
            </button>
        </Show>
        {progress}
        {move || {
            failed.get().map(|why| {
                view! { <p class="report no" role="alert" data-testid=format!("{testid}-failed")>{why}</p> }
            })
        }}
    }
}

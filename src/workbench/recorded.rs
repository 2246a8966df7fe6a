//! The recorded answers of real models with what is false in them: checked once, for all pages that
//! show them.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::answers::{CheckAnswers, CheckedAnswers};
use protocol::exact::Exact;

use crate::services::{assets, engine_client, files, single_file};
use crate::shell::Shell;
use crate::state::answers::{BESIDE, RECORDED};

/// The most bytes of a file of answers that are read.
const LONGEST: i32 = 20_000_000;

/// The recorded answers, once they are checked.
#[derive(Clone, Copy)]
pub(crate) struct Recorded {
    pub(crate) found: RwSignal<Option<Arc<CheckedAnswers>>>,
    pub(crate) notice: RwSignal<Option<String>>,
}

impl Recorded {
    /// Those of the page; the first call has them checked.
    pub(crate) fn of(shell: Shell) -> Self {
        shell.state(|_| {
            let recorded = Self { found: RwSignal::new(None), notice: RwSignal::new(None) };
            recorded.load();
            recorded
        })
    }

    /// Has them checked, again where there was no engine for it.
    pub(crate) fn load(self) {
        spawn_local(async move {
            let mut all = match check(RECORDED.to_owned()).await {
                Ok(found) => found,
                Err(message) => return self.notice.set(Some(message)),
            };
            // A page that was opened from a disk has no files beside it.
            for path in BESIDE.iter().filter(|_| !single_file::is_from_disk()) {
                match beside(path).await {
                    Ok(found) => all.absorb(found),
                    Err(message) => self.notice.set(Some(message)),
                }
            }
            self.found.set(Some(Arc::new(all)));
        });
    }
}

/// Has the answers checked that a file beside the page holds.
async fn beside(path: &str) -> Result<CheckedAnswers, String> {
    check(files::head(&assets::file(path).await?, LONGEST).await?).await
}

/// Has the engine check a log of answers.
pub(crate) async fn check(text: String) -> Result<CheckedAnswers, String> {
    let Exact(found) = engine_client::interactive().ask(CheckAnswers { text }).await?;
    Ok(found)
}

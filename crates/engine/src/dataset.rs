//! Whole files of questions, checked in slices so that a stop or another request gets through.

use tasks::dataset::Checker;

use crate::jobs::{Context, Files};
use crate::message::FileReport;
use crate::{Event, Output};

/// The longest that is computed without letting other messages in.
const SLICE_MS: f64 = 12.0;
/// Problems between two looks at the clock.
const BATCH: usize = 16;

pub(crate) async fn check(
    context: &Context,
    keep: &Files,
    files: Vec<(String, String)>,
) -> Result<Output, String> {
    let mut took_ms = 0.0;
    let mut done = 0;
    for (index, (name, text)) in files.iter().enumerate() {
        let mut began = context.host.now_ms();
        let report = match Checker::new(text) {
            Ok(mut checker) => {
                while checker.advance(BATCH) {
                    let now = context.host.now_ms();
                    if now - began < SLICE_MS {
                        continue;
                    }
                    took_ms += now - began;
                    let total = done + checker.total();
                    context.post(Event::Progress { done: done + checker.done(), total });
                    context.host.pause().await;
                    if context.cancel.is_cancelled() {
                        return Ok(Output::Cancelled);
                    }
                    began = context.host.now_ms();
                }
                done += checker.total();
                Ok(checker.finish())
            }
            Err(error) => Err(error.to_string()),
        };
        took_ms += context.host.now_ms() - began;
        let report = Box::new(FileReport { name: name.clone(), report });
        context.post(Event::File { index, report });
        context.host.pause().await;
    }
    *keep.borrow_mut() = files;
    Ok(Output::Dataset { n_questions: done, took_ms })
}

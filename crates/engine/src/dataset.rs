//! Whole files of questions, checked in slices so that a stop or another request gets through.

use std::rc::Rc;

use tasks::dataset::Checker;

use crate::jobs::{Context, Files};
use crate::message::FileReport;
use crate::{Event, Output};

/// The longest that is computed without letting other messages in.
const SLICE_MS: f64 = 12.0;
/// Problems between two looks at the clock. So few are not shared out among threads: a problem is
/// mostly small allocations, the allocator has one lock, and two threads were measured to take
/// nearly twice as long as one (`docs/measurements.md`).
const BATCH: usize = 16;

pub(crate) async fn check(
    context: &Context,
    keep: &Files,
    files: Vec<(String, String)>,
) -> Result<Output, String> {
    // Kept from the start: a row that is shown opens while the others are still checked, and after
    // a stop.
    let files = Rc::new(files);
    *keep.borrow_mut() = files.clone();
    let n_threads = graph::threads::count();
    let mut took_ms = 0.0;
    let mut done = 0;
    for (index, (name, text)) in files.iter().enumerate() {
        let mut began = context.host.now_ms();
        let before_ms = took_ms;
        let mut report = match tasks::dataset::parse(text) {
            Ok(entries) => {
                let mut checker = Checker::new(entries);
                while checker.advance(BATCH) > 0 {
                    let now = context.host.now_ms();
                    if now - began < SLICE_MS {
                        continue;
                    }
                    took_ms += now - began;
                    let (of_file, in_file) = checker.progress();
                    context.post(Event::Progress { done: done + of_file, total: done + in_file });
                    context.host.pause().await;
                    if context.cancel.is_cancelled() {
                        return Ok(Output::Cancelled);
                    }
                    began = context.host.now_ms();
                }
                done += checker.progress().1;
                Ok(checker.report())
            }
            Err(error) => Err(error.to_string()),
        };
        took_ms += context.host.now_ms() - began;
        if let Ok(report) = &mut report {
            report.spread_seconds((took_ms - before_ms) / 1e3);
        }
        let report = Box::new(FileReport { name: name.clone(), report });
        context.post(Event::File { index, report });
        context.host.pause().await;
        // Files may be so small that none lasts a slice.
        if context.cancel.is_cancelled() {
            return Ok(Output::Cancelled);
        }
    }
    Ok(Output::Dataset { n_questions: done, took_ms, n_threads })
}

//! What stays in the browser: runs in IndexedDB, settings in local storage.

use std::pin::pin;

use futures_channel::oneshot;
use futures_util::future::{Either, select};
use idb::{Database, DatabaseEvent as _, Factory, ObjectStoreParams, TransactionMode};
use leptos::prelude::window;
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::transport::after;
use crate::state::stored::{RunSummary, StoredRun};

const NAME: &str = "graphground";
const SUMMARIES: &str = "run_summaries";
const RUNS: &str = "runs";
/// What benchmarks are called and what they do, by their id.
pub(super) const BENCHES: &str = "benches";
/// Lines of runs files, by a benchmark's id and the number of the piece.
pub(super) const BENCH_LINES: &str = "bench_lines";

pub(super) async fn open() -> Result<Database, idb::Error> {
    let mut request = Factory::new()?.open(NAME, Some(2))?;
    request.on_upgrade_needed(|event| {
        if let Ok(database) = event.database() {
            let there = database.store_names();
            for store in [SUMMARIES, RUNS, BENCHES, BENCH_LINES] {
                if !there.iter().any(|name| name == store) {
                    let _ = database.create_object_store(store, ObjectStoreParams::new());
                }
            }
        }
    });
    request.await
}

/// The longest that a store may take, in milliseconds. Some browsers never answer at all.
const PATIENCE_MS: u64 = 10_000;

/// What comes of work in a store, unless that does not answer.
pub(super) async fn timely<T: 'static>(
    work: impl Future<Output = Result<T, idb::Error>> + 'static,
) -> Result<T, String> {
    let (sender, receiver) = oneshot::channel();
    // It is let be where it is given up: an answer may come late, and must find who waits for it.
    spawn_local(async move {
        let _ = sender.send(work.await);
    });
    match select(receiver, pin!(after(PATIENCE_MS))).await {
        Either::Left((Ok(done), _)) => done.map_err(words),
        _ => Err(words("its storage does not answer")),
    }
}

pub(super) fn words(error: impl std::fmt::Display) -> String {
    format!("this browser does not keep runs ({error}); in a private window that is usual")
}

/// Keeps a run under its id.
pub(crate) async fn save_run(run: &StoredRun) -> Result<(), String> {
    let (Ok(summary), Ok(whole)) =
        (serde_json::to_string(&run.summary), serde_json::to_string(run))
    else {
        return Err("the run could not be written".into());
    };
    let key = JsValue::from_f64(run.summary.id);
    timely(async move {
        let database = open().await?;
        let change = database.transaction(&[SUMMARIES, RUNS], TransactionMode::ReadWrite)?;
        for (store, text) in [(SUMMARIES, summary), (RUNS, whole)] {
            change.object_store(store)?.put(&text.into(), Some(&key))?.await?;
        }
        change.commit()?.await?;
        Ok::<(), idb::Error>(())
    })
    .await
}

/// All runs that are kept, the newest first.
pub(crate) async fn run_summaries() -> Result<Vec<RunSummary>, String> {
    let rows = timely(async move {
        let database = open().await?;
        let look = database.transaction(&[SUMMARIES], TransactionMode::ReadOnly)?;
        look.object_store(SUMMARIES)?.get_all(None, None)?.await
    })
    .await?;
    let mut list: Vec<RunSummary> =
        rows.iter().filter_map(|row| serde_json::from_str(&row.as_string()?).ok()).collect();
    list.sort_by(|a, b| b.id.total_cmp(&a.id));
    Ok(list)
}

/// One run.
pub(crate) async fn load_run(id: f64) -> Result<StoredRun, String> {
    let row = timely(async move {
        let database = open().await?;
        let look = database.transaction(&[RUNS], TransactionMode::ReadOnly)?;
        look.object_store(RUNS)?.get(JsValue::from_f64(id))?.await
    })
    .await?;
    row.and_then(|r| r.as_string())
        .and_then(|text| serde_json::from_str(&text).ok())
        .ok_or_else(|| "that run is no longer there, or was written by another version".into())
}

/// Forgets one run.
pub(crate) async fn delete_run(id: f64) -> Result<(), String> {
    timely(async move {
        let database = open().await?;
        let change = database.transaction(&[SUMMARIES, RUNS], TransactionMode::ReadWrite)?;
        for store in [SUMMARIES, RUNS] {
            change.object_store(store)?.delete(JsValue::from_f64(id))?.await?;
        }
        change.commit()?.await?;
        Ok::<(), idb::Error>(())
    })
    .await
}

/// Keeps a small value; a browser that refuses forgets it, and nothing else happens.
pub(crate) fn remember<T: Serialize>(key: &str, value: &T) {
    if let (Ok(Some(storage)), Ok(text)) = (window().local_storage(), serde_json::to_string(value))
    {
        let _ = storage.set_item(key, &text);
    }
}

/// A small value that was kept.
pub(crate) fn recall<T: DeserializeOwned>(key: &str) -> Option<T> {
    let text = window().local_storage().ok()??.get_item(key).ok()??;
    serde_json::from_str(&text).ok()
}

/// Forgets a small value.
pub(crate) fn forget(key: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = storage.remove_item(key);
    }
}

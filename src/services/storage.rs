//! What stays in the browser: runs in IndexedDB, settings in local storage. To a frame all of it is
//! closed: whoever frames the page must not come to use what is the person's.

use std::pin::pin;

use futures_channel::oneshot;
use futures_util::future::{Either, select};
use idb::{
    Database, DatabaseEvent as _, Factory, ObjectStore, ObjectStoreParams, Transaction,
    TransactionMode, TransactionResult,
};
use leptos::prelude::window;
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use web_sys::{DomException, IdbTransaction, Storage};

use super::embed;
use super::transport::after;
use crate::state::stored::{RunSummary, StoredRun};

const NAME: &str = "graphground";
const SUMMARIES: &str = "run_summaries";
const RUNS: &str = "runs";
/// What benchmarks are called and what they do, by their id.
pub(super) const BENCHES: &str = "benches";
/// Lines of runs files, by a benchmark's id and the number of the piece.
pub(super) const BENCH_LINES: &str = "bench_lines";

async fn open() -> Result<Database, idb::Error> {
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

/// Why something is not kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NotKept {
    /// The store gave the change up, as it does where it is full; the words say why. It may take the same
    /// change later.
    GivenUp(String),
    /// This browser has no store that works.
    NoStore(String),
}

impl NotKept {
    fn given_up(error: Option<&DomException>) -> Self {
        Self::GivenUp(match error.map(|e| (e.name(), e.message())) {
            Some((name, _)) if name == "QuotaExceededError" => "Storage is full".into(),
            Some((name, message)) => {
                format!("The browser's storage gave up ({name}: {message})")
            }
            None => "The browser's storage gave up".into(),
        })
    }
}

impl From<idb::Error> for NotKept {
    fn from(error: idb::Error) -> Self {
        match &error {
            idb::Error::DomException(error) if error.name() == "QuotaExceededError" => {
                Self::given_up(Some(error))
            }
            _ => Self::NoStore(words(error)),
        }
    }
}

impl From<NotKept> for String {
    fn from(why: NotKept) -> Self {
        match why {
            NotKept::GivenUp(why) => {
                format!("{why}: this change is not kept. Delete runs or benchmarks to make room.")
            }
            NotKept::NoStore(message) => message,
        }
    }
}

/// Runs work in a store, unless that does not answer.
async fn timely<T: 'static>(
    work: impl Future<Output = Result<T, NotKept>> + 'static,
) -> Result<T, NotKept> {
    let (sender, receiver) = oneshot::channel();
    if embed::is_on() {
        return Err(NotKept::NoStore("a page in a frame keeps nothing".into()));
    }
    // It is let be where it is given up: an answer may come late, and must find who waits for it.
    spawn_local(async move {
        let _ = sender.send(work.await);
    });
    match select(receiver, pin!(after(PATIENCE_MS))).await {
        Either::Left((Ok(done), _)) => done,
        _ => Err(NotKept::NoStore(words("its storage does not answer"))),
    }
}

pub(super) fn words(error: impl std::fmt::Display) -> String {
    format!("this browser does not keep runs ({error}); in a private window that is usual")
}

/// Reads from a store.
pub(super) async fn look<T: 'static>(
    store: &'static str,
    work: impl AsyncFnOnce(ObjectStore) -> Result<T, idb::Error> + 'static,
) -> Result<T, String> {
    let looked = timely(async move {
        let transaction = open().await?.transaction(&[store], TransactionMode::ReadOnly)?;
        Ok(work(transaction.object_store(store)?).await?)
    });
    Ok(looked.await?)
}

/// Changes stores: all that the work does, or nothing of it.
pub(super) async fn change(
    stores: &'static [&'static str],
    work: impl AsyncFnOnce(&Transaction) -> Result<(), idb::Error> + 'static,
) -> Result<(), NotKept> {
    timely(async move {
        let transaction = open().await?.transaction(stores, TransactionMode::ReadWrite)?;
        let inner = IdbTransaction::from(transaction);
        let done = work(&Transaction::from(inner.clone())).await;
        if let Err(error) = done {
            // It may have ended with the error.
            let _ = inner.abort();
            return Err(error.into());
        }
        // A store without room takes what is put, and gives all of it up at the end.
        match Transaction::from(inner.clone()).commit()?.await? {
            TransactionResult::Committed => Ok(()),
            TransactionResult::Aborted => Err(NotKept::given_up(inner.error().as_ref())),
        }
    })
    .await
}

/// Keeps a run under its id.
pub(crate) async fn save_run(run: &StoredRun) -> Result<(), NotKept> {
    save_runs(std::slice::from_ref(run)).await
}

/// Keeps runs under their ids: all or none.
pub(crate) async fn save_runs(runs: &[StoredRun]) -> Result<(), NotKept> {
    let mut rows = Vec::with_capacity(2 * runs.len());
    for run in runs {
        let summary = serde_json::to_string(&run.summary);
        let both = [(SUMMARIES, summary), (RUNS, serde_json::to_string(run))];
        for (store, text) in both {
            let text = text.map_err(|e| NotKept::NoStore(words(e)))?;
            rows.push((store, run.summary.id, text));
        }
    }
    change(&[SUMMARIES, RUNS], async move |to| {
        for (store, id, text) in rows {
            to.object_store(store)?.put(&text.into(), Some(&id.into()))?.await?;
        }
        Ok(())
    })
    .await
}

/// All runs that are kept, the newest first.
pub(crate) async fn run_summaries() -> Result<Vec<RunSummary>, String> {
    let rows = look(SUMMARIES, async |store| store.get_all(None, None)?.await).await?;
    let mut list: Vec<RunSummary> =
        rows.iter().filter_map(|row| serde_json::from_str(&row.as_string()?).ok()).collect();
    list.sort_by(|a, b| b.id.total_cmp(&a.id));
    Ok(list)
}

/// One run.
pub(crate) async fn load_run(id: f64) -> Result<StoredRun, String> {
    let row = look(RUNS, async move |store| store.get(JsValue::from_f64(id))?.await).await?;
    row.and_then(|r| r.as_string())
        .and_then(|text| serde_json::from_str(&text).ok())
        .ok_or_else(|| "that run is no longer there, or was written by another version".into())
}

/// Forgets one run.
pub(crate) async fn delete_run(id: f64) -> Result<(), NotKept> {
    change(&[SUMMARIES, RUNS], async move |of| {
        for store in [SUMMARIES, RUNS] {
            of.object_store(store)?.delete(JsValue::from_f64(id))?.await?;
        }
        Ok(())
    })
    .await
}

/// Where small values are.
fn small() -> Option<Storage> {
    if embed::is_on() { None } else { window().local_storage().ok().flatten() }
}

/// Keeps a small value; a browser that refuses forgets it, and nothing else happens.
pub(crate) fn remember<T: Serialize>(key: &str, value: &T) {
    if let (Some(storage), Ok(text)) = (small(), serde_json::to_string(value)) {
        let _ = storage.set_item(key, &text);
    }
}

/// A small value that was kept.
pub(crate) fn recall<T: DeserializeOwned>(key: &str) -> Option<T> {
    serde_json::from_str(&small()?.get_item(key).ok()??).ok()
}

/// Forgets a small value.
pub(crate) fn forget(key: &str) {
    if let Some(storage) = small() {
        let _ = storage.remove_item(key);
    }
}

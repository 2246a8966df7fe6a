//! Benchmarks in IndexedDB: what each is called, and the lines of its runs as they come.

use idb::{KeyRange, Query};
use js_sys::Array;
use wasm_bindgen::JsValue;

use super::storage::{BENCH_LINES, BENCHES, NotKept, change, look, words};
use crate::state::bench::{BenchMeta, BenchName};

/// The key of a piece of lines: the benchmark's id, and which piece.
fn piece_key(id: f64, piece: f64) -> JsValue {
    Array::of2(&id.into(), &piece.into()).into()
}

/// Every piece of a benchmark.
fn pieces(id: f64) -> Result<Query, idb::Error> {
    let (first, last) = (piece_key(id, 0.0), piece_key(id, f64::INFINITY));
    Ok(Query::KeyRange(KeyRange::bound(&first, &last, None, None)?))
}

fn written(meta: &BenchMeta) -> Result<JsValue, NotKept> {
    let text = serde_json::to_string(meta).map_err(|e| NotKept::NoStore(words(e)))?;
    Ok(text.into())
}

/// Keeps a piece of lines, and what its benchmark is called and does: both or neither.
pub(crate) async fn save(meta: &BenchMeta, piece: f64, text: &str) -> Result<(), NotKept> {
    let (about, text) = (written(meta)?, text.into());
    let (id, key) = (JsValue::from_f64(meta.id), piece_key(meta.id, piece));
    change(&[BENCHES, BENCH_LINES], async move |to| {
        to.object_store(BENCH_LINES)?.put(&text, Some(&key))?.await?;
        to.object_store(BENCHES)?.put(&about, Some(&id))?.await?;
        Ok(())
    })
    .await
}

/// Keeps what a benchmark is called and does, without lines.
pub(crate) async fn save_meta(meta: &BenchMeta) -> Result<(), NotKept> {
    let (about, id) = (written(meta)?, JsValue::from_f64(meta.id));
    change(&[BENCHES], async move |to| {
        to.object_store(BENCHES)?.put(&about, Some(&id))?.await?;
        Ok(())
    })
    .await
}

/// What is kept of every benchmark, as text.
async fn rows() -> Result<Vec<String>, String> {
    let rows = look(BENCHES, async |store| store.get_all(None, None)?.await).await?;
    Ok(rows.iter().filter_map(JsValue::as_string).collect())
}

/// Every benchmark, the newest first.
pub(crate) async fn list() -> Result<Vec<BenchMeta>, String> {
    let rows = rows().await?;
    let mut list: Vec<BenchMeta> =
        rows.iter().filter_map(|row| serde_json::from_str(row).ok()).collect();
    list.sort_by(|a, b| b.id.total_cmp(&a.id));
    Ok(list)
}

/// What every benchmark is called, the newest first. Whoever needs no more does not load what reads the
/// rest.
pub(crate) async fn names() -> Result<Vec<BenchName>, String> {
    let rows = rows().await?;
    let mut list: Vec<BenchName> =
        rows.iter().filter_map(|row| serde_json::from_str(row).ok()).collect();
    list.sort_by(|a, b| b.id.total_cmp(&a.id));
    Ok(list)
}

/// Every piece of lines of a benchmark, in order.
pub(crate) async fn load_lines(id: f64) -> Result<Vec<String>, String> {
    let rows =
        look(BENCH_LINES, async move |store| store.get_all(Some(pieces(id)?), None)?.await).await?;
    Ok(rows.iter().filter_map(JsValue::as_string).collect())
}

/// Forgets a benchmark.
pub(crate) async fn delete(id: f64) -> Result<(), NotKept> {
    change(&[BENCHES, BENCH_LINES], async move |of| {
        of.object_store(BENCHES)?.delete(JsValue::from_f64(id))?.await?;
        of.object_store(BENCH_LINES)?.delete(pieces(id)?)?.await?;
        Ok(())
    })
    .await
}

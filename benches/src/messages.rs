//! Payloads of messages between page and worker, on their way as one JSON text and as values of
//! JavaScript.

use std::rc::Rc;

use graph::functions::FUNCTIONS;
use graph::generators::gnp;
use js_sys::Function;
use protocol::problem::PlaceNodes;
use protocol::runs::ModelChoice;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_wasm_bindgen::Serializer;
use trace::{Record, formats};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A run as the page shows it.
const TRACE: &str = include_str!("../../fuzz/seeds/trace.json");

/// The serializer of `src/services/messages.rs`.
const VALUES: Serializer = Serializer::new().serialize_large_number_types_as_bigints(true);

type Way = Rc<dyn Fn(&Function) -> Option<()>>;

/// A payload on its two ways: written, copied by the function, read.
struct Payload {
    name: &'static str,
    text: Way,
    value: Way,
}

fn payload<T: Serialize + DeserializeOwned + 'static>(name: &'static str, value: T) -> Payload {
    let value = Rc::new(value);
    let same = value.clone();
    let copy = |f: &Function, value: &JsValue| f.call1(&JsValue::UNDEFINED, value).ok();
    Payload {
        name,
        text: Rc::new(move |f| {
            let text = serde_json::to_string(&*value).ok()?;
            let arrived = copy(f, &JsValue::from_str(&text))?.as_string()?;
            std::hint::black_box(serde_json::from_str::<T>(&arrived).ok()?);
            Some(())
        }),
        value: Rc::new(move |f| {
            let written = same.serialize(&VALUES).ok()?;
            let arrived = copy(f, &written)?;
            std::hint::black_box(serde_wasm_bindgen::from_value::<T>(arrived).ok()?);
            Some(())
        }),
    }
}

fn payloads() -> Vec<Payload> {
    let records = formats::read(TRACE).map(|(_, records)| records).unwrap_or_default();
    let many: Vec<Record> = records.iter().cycle().take(100).cloned().collect();
    let graph = |n: usize, p: f64| {
        let graph = gnp(n, p, false, 1).unwrap_or_default();
        PlaceNodes { graph, kind: draw::LayoutKind::Force, seed: 1 }
    };
    vec![
        payload("the choice of a model", ModelChoice::Script { name: "script".into() }),
        payload("a run with its steps", records),
        payload("100 runs with their steps", many),
        payload("a graph of 100 nodes and about 500 edges", graph(100, 0.1)),
        payload("a graph of 2,000 nodes and about 100,000 edges", graph(2_000, 0.05)),
    ]
}

thread_local! {
    static PAYLOADS: Vec<Payload> = payloads();
}

/// The payloads' names, in their order.
#[wasm_bindgen]
pub fn message_names() -> Vec<String> {
    PAYLOADS.with(|all| all.iter().map(|p| p.name.to_owned()).collect())
}

fn send(index: usize, copy: &Function, way: fn(&Payload) -> &Way) -> Result<(), String> {
    PAYLOADS.with(|all| {
        let payload = all.get(index).ok_or("there is no such payload")?;
        way(payload)(copy).ok_or_else(|| format!("{} did not arrive", payload.name))
    })
}

/// Sends a payload as one JSON text; `copy` copies what a message copies.
#[wasm_bindgen]
pub fn message_as_text(index: usize, copy: &Function) -> Result<(), String> {
    send(index, copy, |p| &p.text)
}

/// Sends a payload as values of JavaScript.
#[wasm_bindgen]
pub fn message_as_value(index: usize, copy: &Function) -> Result<(), String> {
    send(index, copy, |p| &p.value)
}

/// Of the results of the functions' own examples: how many come back changed as values of
/// JavaScript, and how many there are.
#[wasm_bindgen]
pub fn changed_results() -> Vec<u32> {
    let (mut changed, mut all) = (0, 0);
    for function in FUNCTIONS {
        let example = function.example();
        let Ok(outcome) = function.call(&example.graph, example.arguments) else { continue };
        let back = outcome.value.serialize(&VALUES).ok();
        let back = back.and_then(|v| serde_wasm_bindgen::from_value::<Value>(v).ok());
        changed += u32::from(back.as_ref() != Some(&outcome.value));
        all += 1;
    }
    vec![changed, all]
}

#![doc = include_str!("../README.md")]
#![cfg(target_arch = "wasm32")]
#![warn(missing_docs)]

use std::panic::PanicHookInfo;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
pub use serde_wasm_bindgen::Error;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// A request, an event or a reply that is not read yet.
#[derive(Serialize, Deserialize)]
pub struct JsPayload(#[serde(with = "serde_wasm_bindgen::preserve")] pub JsValue);

/// A value for the other side.
///
/// # Errors
/// The value has no form in JavaScript.
pub fn write(value: &impl Serialize) -> Result<JsValue, Error> {
    // Seeds take 64 bits, and a number of JavaScript has 53.
    value.serialize(&Serializer::new().serialize_large_number_types_as_bigints(true))
}

/// A value from the other side.
///
/// # Errors
/// It is not of this type. Page and worker are of one build, so that is an internal error.
pub fn read<T: DeserializeOwned>(value: JsValue) -> Result<T, Error> {
    serde_wasm_bindgen::from_value(value)
}

/// What a panic says to people. Where in the program it was is for the console alone: that is a path of the
/// machine which built it.
pub fn panic_words(info: &PanicHookInfo) -> String {
    info.payload_as_str().unwrap_or("it said nothing").to_owned()
}

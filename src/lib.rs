//! The page. Only this package knows Leptos and the browser; everything that computes is a crate.
//!
//! `state` is plain structs with tests that run anywhere; `services` touch the browser;
//! `components` draw what they are given; `workbench` has what pages are built of: the frame, the
//! stage, panels that several pages show; `pages` wire them together, and know nothing of each other.

pub mod state;

#[cfg(all(target_arch = "wasm32", feature = "page"))]
mod app;
#[cfg(all(target_arch = "wasm32", feature = "page"))]
mod components;
#[cfg(all(target_arch = "wasm32", feature = "page"))]
mod pages;
#[cfg(all(target_arch = "wasm32", feature = "page"))]
mod routes;
#[cfg(target_arch = "wasm32")]
mod services;
#[cfg(all(target_arch = "wasm32", feature = "page"))]
mod shell;
#[cfg(all(target_arch = "wasm32", feature = "page"))]
mod workbench;

#[cfg(all(target_arch = "wasm32", feature = "page"))]
pub use app::mount;
#[cfg(all(target_arch = "wasm32", feature = "worker"))]
/// The lists of what the engine of a worker answers.
pub type Lists = engine::Services<services::engine_host::Sent>;
#[cfg(all(target_arch = "wasm32", feature = "worker"))]
pub use services::engine_host::register_engine;

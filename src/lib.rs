//! The page. Only this package knows Leptos and the browser; everything that computes is a crate.
//!
//! `state` is plain structs with tests that run anywhere; `services` touch the browser;
//! `components` draw what they are given; `workbench` has what pages are built of: the frame, the
//! stage, panels that several pages show; `pages` wire them together, and know nothing of each other.

pub mod state;

#[cfg(target_arch = "wasm32")]
mod app;
#[cfg(target_arch = "wasm32")]
mod components;
#[cfg(target_arch = "wasm32")]
mod pages;
#[cfg(target_arch = "wasm32")]
mod routes;
#[cfg(target_arch = "wasm32")]
mod services;
#[cfg(target_arch = "wasm32")]
mod shell;
#[cfg(target_arch = "wasm32")]
mod workbench;

#[cfg(target_arch = "wasm32")]
pub use app::mount;

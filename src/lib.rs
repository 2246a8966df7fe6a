//! The page. Only this package knows Leptos and the browser; everything that computes is a crate.

#[cfg(target_arch = "wasm32")]
mod app;

#[cfg(target_arch = "wasm32")]
pub use app::mount;

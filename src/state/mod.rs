//! What the page knows, as plain structs with update methods; no browser, no Leptos.

pub mod editor;
pub mod form;
pub mod marks;
pub mod neighbourhood;
pub mod rescue;
pub mod settings;
pub mod stored;
pub mod story;

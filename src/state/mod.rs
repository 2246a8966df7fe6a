//! What the page knows, as plain structs with update methods; no browser, no Leptos.

pub mod address;
pub mod bench;
pub mod claimed;
pub mod doctor;
pub mod editor;
pub mod embed;
pub mod family;
pub mod fork;
pub mod form;
pub mod fragment;
pub mod how;
pub mod lesson;
pub mod live;
pub mod long_text;
pub mod marks;
pub mod neighbourhood;
pub mod presets;
pub use eval::prices;
pub mod records;
pub mod rescue;
pub mod rows;
pub mod settings;
pub mod stored;
pub mod story;
pub mod toolformer;
pub mod viewer;

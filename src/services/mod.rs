//! Everything that touches the browser beyond drawing.

#[cfg(feature = "page")]
pub(crate) mod assets;
#[cfg(feature = "page")]
pub(crate) mod benches;
#[cfg(feature = "page")]
pub(crate) mod clipboard;
#[cfg(feature = "page")]
pub(crate) mod doctor;
#[cfg(feature = "page")]
pub(crate) mod embed;
#[cfg(feature = "page")]
pub(crate) mod embedded;
#[cfg(feature = "page")]
pub(crate) mod engine_client;
pub(crate) mod engine_host;
#[cfg(feature = "page")]
pub(crate) mod files;
#[cfg(feature = "page")]
pub(crate) mod keys;
#[cfg(feature = "page")]
pub(crate) mod models;
#[cfg(feature = "page")]
pub(crate) mod policy;
#[cfg(feature = "threads")]
mod pool;
#[cfg(feature = "page")]
pub(crate) mod single_file;
#[cfg(feature = "page")]
pub(crate) mod storage;
#[cfg(feature = "page")]
pub(crate) mod transport;
#[cfg(feature = "page")]
pub(crate) mod worker;

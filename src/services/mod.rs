//! Everything that touches the browser beyond drawing.

pub(crate) mod benches;
pub(crate) mod clipboard;
pub(crate) mod doctor;
pub(crate) mod embed;
pub(crate) mod embedded;
pub(crate) mod engine_client;
pub(crate) mod engine_host;
pub(crate) mod files;
pub(crate) mod keys;
pub(crate) mod policy;
pub(crate) mod single_file;
pub(crate) mod storage;
pub(crate) mod transport;
pub(crate) mod worker;

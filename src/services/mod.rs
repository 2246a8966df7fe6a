//! Everything that touches the browser beyond drawing.

pub(crate) mod assets;
pub(crate) mod benches;
pub(crate) mod clipboard;
pub(crate) mod doctor;
pub(crate) mod embed;
pub(crate) mod embedded;
pub(crate) mod engine_client;
pub(crate) mod files;
pub(crate) mod kept_runs;
pub(crate) mod keys;
pub(crate) mod lock;
pub(crate) mod models;
pub(crate) mod open;
pub(crate) mod open_graph;
pub(crate) mod open_problem;
pub(crate) mod playback;
pub(crate) mod policy;
pub(crate) mod python;
pub(crate) mod screen;
pub(crate) mod similarity;
pub(crate) mod single_file;
pub(crate) mod storage;
pub(crate) mod styles;
pub(crate) mod trace_file;
pub(crate) mod transport;
pub(crate) mod worker;

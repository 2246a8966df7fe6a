//! The engine behind its messages: whatever the page sends is answered, stopped, or refused with a
//! reason, and every message survives JSON.

// What the tests share may fail as they may.
#![allow(clippy::unwrap_used)]

mod answers;
mod asking;
mod bench;
mod endpoints;
mod every_request;
mod family;
mod files;
mod kg;
mod kgot;
mod later;
mod links;
mod own;
mod page;
mod requests;
mod rescue;
mod similarity;
mod toolformer;
mod traces;
mod whole;

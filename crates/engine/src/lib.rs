#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod answers;
mod asking;
mod asks;
mod attachments;
mod benchmarks;
mod catalog;
mod context;
mod dataset;
mod engine;
mod families;
mod fetch;
mod free;
mod friends;
mod gzip;
mod handler;
mod host;
mod inline_calls;
mod kgot;
mod knowledge;
pub mod link;
mod measure;
mod models;
mod open;
mod own;
mod person;
mod planner;
mod problems;
mod python;
mod queries;
mod run;
mod services;
mod similarity;
mod sparql;
mod supply;
mod trace_files;
mod whole;

pub use attachments::Attachments;
pub use engine::Engine;
pub use gzip::gunzip;
pub use handler::{Arrived, Handler, List, Loading, Payload};
pub use host::Host;
pub use services::Services;

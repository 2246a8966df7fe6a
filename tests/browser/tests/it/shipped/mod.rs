//! What only the shipped page has: parts that load later, threads, and what both need of a server.
//! `cargo xtask dist --check` runs these.

mod parts;
mod threads;

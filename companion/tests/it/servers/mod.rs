//! The servers of the companion under attack: pages elsewhere, slow and endless clients, and
//! queries that take everything.

// They look at a clock.
#![allow(clippy::disallowed_methods)]

mod guard;
mod queries;

/// The commands that listen, each with a path that it answers.
const SERVERS: [(&[&str], &str); 3] = [
    (&["serve", "--port", "0"], "/v1/models"),
    (&["kg", "serve", "--kg", "metro:3:1", "--port", "0"], "/query?query=ASK%7B%7D"),
    (&["mcp", "--http", "127.0.0.1:0"], "/mcp"),
];

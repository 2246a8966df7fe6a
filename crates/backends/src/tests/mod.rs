//! SPARQL, compared with the graphs themselves.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod property_sparql;
mod sparql;

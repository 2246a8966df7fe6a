//! The list of targets.

mod answers;
mod documents;
mod gguf;
mod graphs;
mod joining;
mod knowledge;
mod languages;
mod left;
mod models;
mod official;
mod own;
mod page;
mod property;
mod results;
mod tasks;
mod weights;

use crate::{Target, data};

/// Every target: one for each parser that reads what others wrote.
pub fn targets() -> Vec<Target> {
    [
        graphs::targets(),
        knowledge::targets(),
        property::targets(),
        languages::targets(),
        results::targets(),
        page::targets(),
        tasks::targets(),
        official::targets(),
        answers::targets(),
        models::targets(),
        joining::targets(),
        left::targets(),
        weights::targets(),
        gguf::targets(),
        own::targets(),
        data::targets(),
        documents::targets(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

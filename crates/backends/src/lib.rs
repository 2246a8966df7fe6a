#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod files;
mod language;
pub mod property_sparql;
pub mod sparql;
#[cfg(test)]
mod tests;
pub mod trained;

use std::sync::Arc;

use kg::{AnswerTable, Kg};
use systems::kgot::{FileReader, GraphLanguage};
use systems::{Backends, QueryFault, TrainedModel, TripleStore};
use text::Embed;

pub use files::DocumentFiles;
pub use language::SparqlGraphs;

/// All of it, for an engine.
pub struct All;

impl Backends for All {
    fn files() -> Option<&'static dyn FileReader> {
        Some(&DocumentFiles)
    }

    fn sparql() -> Option<&'static dyn GraphLanguage> {
        Some(&SparqlGraphs)
    }

    fn triples(kg: Arc<Kg>) -> Result<Box<dyn TripleStore>, QueryFault> {
        Ok(Box::new(sparql::Sparql::new(kg)?))
    }

    fn trained(bytes: &[u8]) -> Result<TrainedModel, String> {
        trained::read(bytes).map_err(|e| e.to_string())
    }

    fn minilm(weights: Vec<u8>, tokenizer: &[u8], config: &[u8]) -> Result<Box<dyn Embed>, String> {
        Ok(Box::new(ml::MiniLm::new(weights, tokenizer, config).map_err(|e| e.to_string())?))
    }
}

impl TripleStore for sparql::Sparql<Arc<Kg>> {
    fn query(&self, query: &str, max_rows: usize) -> Result<AnswerTable, QueryFault> {
        Ok(Self::query(self, query, max_rows)?)
    }
}

impl From<sparql::SparqlError> for QueryFault {
    fn from(error: sparql::SparqlError) -> Self {
        Self { message: error.to_string(), place: error.place() }
    }
}

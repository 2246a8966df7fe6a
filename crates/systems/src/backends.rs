//! What a crate above brings, so that a build without it compiles none of it.

use std::rc::Rc;
use std::sync::Arc;

use kg::{AnswerTable, Kg};
use text::Embed;

use crate::kgot::{FileReader, GraphLanguage};
use crate::toolformer::Reasoner;

/// A trained model of Graph-ToolFormer: the name that calls name it by, the data set that it was trained
/// on, and what answers.
pub type TrainedModel = (&'static str, String, Rc<dyn Reasoner>);

/// What an engine has beside graphs. Each is a function of its own: a module for the browser that is cut
/// into parts loads no more than what a part calls.
pub trait Backends: 'static {
    /// Makes text of files; without one, only text is read.
    fn files() -> Option<&'static dyn FileReader> {
        None
    }

    /// SPARQL over graphs that grow.
    fn sparql() -> Option<&'static dyn GraphLanguage> {
        None
    }

    /// Makes triples of a graph, to be queried in SPARQL.
    ///
    /// # Errors
    /// The graph is too large, or there is no SPARQL here.
    fn triples(_: Arc<Kg>) -> Result<Box<dyn TripleStore>, QueryFault> {
        Err(QueryFault { message: absent("SPARQL"), place: None })
    }

    /// Reads a trained model from the bytes of its file.
    ///
    /// # Errors
    /// The file is of no model of the hub or damaged, or there are no models here.
    fn trained(_: &[u8]) -> Result<TrainedModel, String> {
        Err(absent("trained models"))
    }

    /// Reads MiniLM, which compares names, from the bytes of its three files.
    ///
    /// # Errors
    /// A file is of another model or damaged, or there are no models here.
    fn minilm(
        _weights: Vec<u8>,
        _tokenizer: &[u8],
        _config: &[u8],
    ) -> Result<Box<dyn Embed>, String> {
        Err(absent("models"))
    }
}

fn absent(what: &str) -> String {
    format!("internal error: this engine was built without {what}")
}

/// None of it.
pub struct NoBackends;

impl Backends for NoBackends {}

/// A knowledge graph as triples.
pub trait TripleStore {
    /// Answers a query with at most `max_rows` rows.
    ///
    /// # Errors
    /// The query cannot be read, or not be answered.
    fn query(&self, query: &str, max_rows: usize) -> Result<AnswerTable, QueryFault>;
}

/// Why a query has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryFault {
    /// What is wrong, and what would be right.
    pub message: String,
    /// The line and the column that this is about, both from 1, where it is about one.
    pub place: Option<(usize, usize)>,
}

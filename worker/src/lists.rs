//! What every engine answers.

use engine::{List, Services};
use systems::NoBackends;

use crate::Sent;

/// The lists of an engine without backends.
type Lists = Services<Sent, NoBackends>;

/// What every engine answers, and what only those do that are loaded for a page that needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Graph problems, functions, files, traces, links, disasters.
    Core,
    /// Benchmarks, knowledge graphs, families and inline calls too.
    Knowledge,
    /// Knowledge graphs and SPARQL over them.
    Rdf,
    /// Knowledge graphs whose names a model compares.
    Ml,
    /// Inline calls with trained models.
    Toolformer,
    /// What the page as one file needs: all but RDF and models.
    File,
}

impl Kind {
    /// That of a worker: the page says by the worker's name, `kind-number`, which engine it wants.
    pub fn of(name: &str) -> Self {
        match name.split('-').next() {
            Some("knowledge") => Self::Knowledge,
            Some("rdf") => Self::Rdf,
            Some("ml") => Self::Ml,
            Some("toolformer") => Self::Toolformer,
            Some("file") => Self::File,
            _ => Self::Core,
        }
    }
}

/// What every engine answers, in a module that is loaded whole.
pub const CORE: [List<Sent>; 8] = [
    List::Here(Lists::WHOLE),
    List::Here(Lists::PROBLEMS),
    List::Here(Lists::ANSWERS),
    List::Here(Lists::RUNS),
    List::Here(Lists::FILES),
    List::Here(Lists::TRACES),
    List::Here(Lists::LINKS),
    List::Here(Lists::RESCUE),
];

//! What an engine can do beyond what every visitor needs.
//!
//! All modules of the page are compiled together; each names the parts that it has. Nothing else
//! refers to a part's code, so the linker leaves out of a module what the module does not name.

use llm::BoxFuture;

use crate::jobs::Context;
use crate::{Output, Request, bench, kg, likeness, sparql, toolformer};

type Answering =
    for<'a> fn(&'a Context, &'a kg::Open, Request) -> BoxFuture<'a, Result<Output, String>>;

type Calling = for<'a> fn(
    &'a Context,
    &'a toolformer::Open,
    String,
    Vec<(String, String)>,
) -> BoxFuture<'a, Result<Output, String>>;

type Benchmarking =
    for<'a> fn(&'a Context, &'a bench::Kept, String) -> BoxFuture<'a, Result<Output, String>>;

/// The parts that an engine has.
#[derive(Clone, Copy, Default)]
pub struct Parts {
    pub(crate) bench: Option<Benchmarking>,
    pub(crate) knowledge: Option<Answering>,
    pub(crate) sparql: Option<fn() -> Box<dyn sparql::Queries>>,
    pub(crate) minilm: Option<likeness::ReadModel>,
    pub(crate) toolformer: Option<Calling>,
    pub(crate) trained: Option<toolformer::ReadTrained>,
}

impl Parts {
    /// None: the graph functions, the problems and their runs.
    pub const PLAIN: Self = Self {
        bench: None,
        knowledge: None,
        sparql: None,
        minilm: None,
        toolformer: None,
        trained: None,
    };

    /// Benchmarks: every experiment with its systems, reports and files.
    #[must_use]
    pub const fn with_bench(mut self) -> Self {
        self.bench = Some(bench::perform);
        self
    }

    /// Knowledge graphs and families.
    #[must_use]
    pub const fn with_knowledge(mut self) -> Self {
        self.knowledge = Some(kg::answer_request);
        self
    }

    /// SPARQL over the knowledge graph that is open.
    #[cfg(feature = "rdf")]
    #[must_use]
    pub const fn with_sparql(mut self) -> Self {
        self.sparql = Some(sparql::triples);
        self
    }

    /// Likeness of names by a model from the bytes of its weights.
    #[cfg(feature = "ml")]
    #[must_use]
    pub const fn with_minilm(mut self) -> Self {
        self.minilm = Some(likeness::minilm);
        self
    }

    /// Calls in text: Graph-ToolFormer with what takes no training.
    #[must_use]
    pub const fn with_toolformer(mut self) -> Self {
        self.toolformer = Some(toolformer::perform);
        self
    }

    /// The trained models that calls in text ask, from the bytes of their weights.
    #[cfg(feature = "ml")]
    #[must_use]
    pub const fn with_trained(mut self) -> Self {
        self.trained = Some(toolformer::read_trained);
        self
    }
}

//! The function library: every graph algorithm that a model may call.
//!
//! One function is one file with one line in [`FUNCTIONS`]. A file has
//! - `Args`, whose doc comment, types and field comments become the JSON description that the
//!   model reads, and `Returns`, which describes the result the same way;
//! - a typed Rust function for everything else in the house;
//! - `FUNCTION`, which ties them together with an example.
//!
//! A function never changes the graph it is given: it hands back [`Delta`]s, and whoever owns the
//! graph applies them. That makes every call replayable.

mod catalog;
mod outcome;
mod sample;

pub mod add_edges;
pub mod create_graph;
pub mod find_cycle;
pub mod find_hamilton_path;
pub mod find_shortest_path;
pub mod graph_convolution;
pub mod has_path;
pub mod is_bipartite;
pub mod max_bipartite_matching;
pub mod max_flow;
pub mod topological_sort;

pub use catalog::{Format, describe};
pub use outcome::{Example, FunctionError, Outcome, Touched};

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{Delta, Graph};

/// Every function of the library, in the order of the catalogue.
pub static FUNCTIONS: &[GraphFunction] = &[
    create_graph::FUNCTION,
    add_edges::FUNCTION,
    has_path::FUNCTION,
    find_shortest_path::FUNCTION,
    find_cycle::FUNCTION,
    topological_sort::FUNCTION,
    is_bipartite::FUNCTION,
    max_bipartite_matching::FUNCTION,
    max_flow::FUNCTION,
    find_hamilton_path::FUNCTION,
    graph_convolution::FUNCTION,
];

/// The function of that name.
pub fn find(name: &str) -> Option<&'static GraphFunction> {
    FUNCTIONS.iter().find(|f| f.name == name)
}

/// Where a function stands in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Makes or changes the graph.
    Build,
    /// Says what is there.
    Describe,
    /// Reachability, traversal, components.
    Connectivity,
    /// Paths and distances.
    Paths,
    /// Cycles and orders.
    Order,
    /// Flows, cuts, matchings.
    Flow,
    /// Trees, tours, colourings, cliques.
    Structure,
    /// Numbers that describe nodes or the whole.
    Metrics,
    /// Node embeddings.
    Embeddings,
}

/// A deterministic graph algorithm with a name, a JSON description and an example.
#[derive(Clone, Copy)]
pub struct GraphFunction {
    /// The name that a model calls; `snake_case`, unique.
    pub name: &'static str,
    /// A few words for people.
    pub title: &'static str,
    /// Where it stands in the catalogue.
    pub group: Group,
    /// Where in the paper it comes from; empty for what we added.
    pub paper: &'static str,
    /// Whether its result carries deltas.
    pub writes: bool,
    /// The errors it answers with: code, and when.
    pub raises: &'static [(&'static str, &'static str)],
    /// Worst-case time in n nodes and m edges.
    pub complexity: &'static str,
    args: fn() -> Schema,
    returns: fn() -> Schema,
    example: fn() -> Example,
    run: fn(&Graph, Value) -> Result<Outcome, FunctionError>,
}

/// What a function file supplies beside its types; see [`GraphFunction::new`].
pub(crate) struct Facts {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) group: Group,
    pub(crate) paper: &'static str,
    pub(crate) writes: bool,
    pub(crate) raises: &'static [(&'static str, &'static str)],
    pub(crate) complexity: &'static str,
    pub(crate) example: fn() -> Example,
}

/// A function's typed face: its arguments, its result, and the call.
pub(crate) trait Typed {
    type Args: DeserializeOwned + JsonSchema;
    type Returns: Serialize + JsonSchema;
    /// Runs on a graph; `out` takes deltas, what was touched, and notes.
    fn call(
        graph: &Graph,
        args: Self::Args,
        out: &mut Outcome,
    ) -> Result<Self::Returns, FunctionError>;
}

fn schema_of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|s| {
        s.meta_schema = None;
        s.inline_subschemas = true;
    });
    SchemaGenerator::new(settings).into_root_schema_for::<T>()
}

fn run_typed<T: Typed>(graph: &Graph, arguments: Value) -> Result<Outcome, FunctionError> {
    // Models send null or nothing where a function takes no arguments.
    let arguments = if arguments.is_null() { Value::Object(Default::default()) } else { arguments };
    let args: T::Args = serde_json::from_value(arguments)
        .map_err(|e| FunctionError::new("bad_arguments", e.to_string()))?;
    let mut out = Outcome::default();
    let value = T::call(graph, args, &mut out)?;
    out.value = serde_json::to_value(value)
        .map_err(|e| FunctionError::new("internal", format!("the result is not JSON: {e}")))?;
    Ok(out)
}

impl GraphFunction {
    pub(crate) const fn new<T: Typed>(facts: Facts) -> Self {
        Self {
            name: facts.name,
            title: facts.title,
            group: facts.group,
            paper: facts.paper,
            writes: facts.writes,
            raises: facts.raises,
            complexity: facts.complexity,
            args: schema_of::<T::Args>,
            returns: schema_of::<T::Returns>,
            example: facts.example,
            run: run_typed::<T>,
        }
    }

    /// What the model reads: the doc comment of the arguments.
    pub fn description(&self) -> String {
        description_of(&(self.args)())
    }

    /// The JSON schema of the arguments, without title and description of its own.
    pub fn parameters(&self) -> Value {
        let mut schema = (self.args)().to_value();
        if let Some(object) = schema.as_object_mut() {
            object.remove("title");
            object.remove("description");
            object.entry("type").or_insert_with(|| "object".into());
            object.entry("properties").or_insert_with(|| Value::Object(Default::default()));
            object.entry("required").or_insert_with(|| Value::Array(Vec::new()));
            object.insert("additionalProperties".into(), false.into());
        }
        schema
    }

    /// The JSON schema of the result.
    pub fn returns(&self) -> Value {
        let mut schema = (self.returns)().to_value();
        if let Some(object) = schema.as_object_mut() {
            object.remove("title");
        }
        schema
    }

    /// A graph and arguments on which the function does something worth seeing.
    pub fn example(&self) -> Example {
        (self.example)()
    }

    /// Calls the function with JSON arguments.
    ///
    /// The graph is not changed: apply [`Outcome::deltas`] to it.
    ///
    /// # Errors
    /// A [`FunctionError`] that tells a model what was wrong and what would be right.
    pub fn call(&self, graph: &Graph, arguments: Value) -> Result<Outcome, FunctionError> {
        (self.run)(graph, arguments)
    }
}

impl std::fmt::Debug for GraphFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GraphFunction").field("name", &self.name).finish_non_exhaustive()
    }
}

fn description_of(schema: &Schema) -> String {
    schema
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Applies deltas in order; used by functions that must look at the graph they make.
pub(crate) fn applied(graph: &Graph, deltas: &[Delta]) -> Result<Graph, FunctionError> {
    let mut next = graph.clone();
    for delta in deltas {
        next.apply(delta)?;
    }
    Ok(next)
}

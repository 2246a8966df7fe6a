//! The function library: every graph algorithm that a model may call.
//!
//! One function is one file with one line in [`FUNCTIONS`]. A file has
//! - `Args`, whose doc comment, types and field comments become the JSON description that the
//!   model reads, and `Returns`, which describes the result the same way;
//! - a typed Rust function for the rest of the workspace;
//! - `FUNCTION`, which ties them together with an example.
//!
//! A function never changes the graph it is given: it hands back [`Delta`](crate::Delta)s, and whoever owns the
//! graph applies them. That makes every call replayable.

mod bounds;
mod catalog;
mod meant;
mod outcome;
mod parts;
mod sample;
mod schemas;
mod shared;

pub mod add_edges;
pub mod add_nodes;
pub mod all_pairs_shortest_distances;
pub mod average_shortest_path_length;
pub mod betweenness_centrality;
pub mod bfs_order;
pub mod center;
pub mod clear_graph;
pub mod closeness_centrality;
pub mod clustering_coefficient;
pub mod color_graph;
pub mod common_neighbors;
pub mod connected_components;
pub mod create_graph;
pub mod degree_centrality;
pub mod delete_edges;
pub mod delete_nodes;
pub mod describe_graph;
pub mod dfs_order;
pub mod diameter;
pub mod eccentricity;
pub mod find_articulation_points;
pub mod find_bridges;
pub mod find_cliques;
pub mod find_cycle;
pub mod find_eulerian_path;
pub mod find_hamilton_path;
pub mod find_heaviest_triangle;
pub mod find_longest_path;
pub mod find_shortest_distance;
pub mod find_shortest_path;
pub mod find_shortest_tour;
pub mod find_subgraph;
pub mod get_degrees;
pub mod get_density;
pub mod get_edge_weight;
pub mod get_neighbors;
pub mod graph_convolution;
pub mod graph_edit_distance;
pub mod has_cycle;
pub mod has_edge;
pub mod has_path;
pub mod is_bipartite;
pub mod is_dag;
pub mod is_isomorphic;
pub mod is_topological_order;
pub mod is_tree;
pub mod max_bipartite_matching;
pub mod max_clique;
pub mod max_common_subgraph;
pub mod max_flow;
pub mod max_independent_set;
pub mod min_cut;
pub mod min_vertex_cover;
pub mod minimum_spanning_tree;
pub mod pagerank;
pub mod periphery;
pub mod plan_routes;
pub mod radius;
pub mod rename_node;
pub mod set_edge_weights;
pub mod set_node_embeddings;
pub mod shortest_path_lengths;
pub mod strongly_connected_components;
pub mod topological_sort;

pub use bounds::EMPTY_GRAPH;
pub use catalog::{CatalogFormat, describe};
pub(crate) use catalog::{Face, shaped};
pub use outcome::{CallOutcome, Example, FunctionError, Touched};
pub(crate) use schemas::keep_one_type_each;

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::Graph;

/// Every function of the library, in the order of the catalogue.
pub static FUNCTIONS: &[GraphFunction] = &[
    create_graph::FUNCTION,
    add_nodes::FUNCTION,
    add_edges::FUNCTION,
    delete_nodes::FUNCTION,
    delete_edges::FUNCTION,
    rename_node::FUNCTION,
    set_edge_weights::FUNCTION,
    set_node_embeddings::FUNCTION,
    clear_graph::FUNCTION,
    describe_graph::FUNCTION,
    get_neighbors::FUNCTION,
    common_neighbors::FUNCTION,
    get_degrees::FUNCTION,
    has_edge::FUNCTION,
    get_edge_weight::FUNCTION,
    get_density::FUNCTION,
    has_path::FUNCTION,
    bfs_order::FUNCTION,
    dfs_order::FUNCTION,
    connected_components::FUNCTION,
    strongly_connected_components::FUNCTION,
    find_bridges::FUNCTION,
    find_articulation_points::FUNCTION,
    find_shortest_path::FUNCTION,
    find_shortest_distance::FUNCTION,
    shortest_path_lengths::FUNCTION,
    all_pairs_shortest_distances::FUNCTION,
    find_longest_path::FUNCTION,
    plan_routes::FUNCTION,
    find_cycle::FUNCTION,
    has_cycle::FUNCTION,
    topological_sort::FUNCTION,
    is_topological_order::FUNCTION,
    is_dag::FUNCTION,
    is_tree::FUNCTION,
    max_flow::FUNCTION,
    min_cut::FUNCTION,
    max_bipartite_matching::FUNCTION,
    is_bipartite::FUNCTION,
    minimum_spanning_tree::FUNCTION,
    find_hamilton_path::FUNCTION,
    find_shortest_tour::FUNCTION,
    find_eulerian_path::FUNCTION,
    max_clique::FUNCTION,
    find_cliques::FUNCTION,
    find_heaviest_triangle::FUNCTION,
    color_graph::FUNCTION,
    max_independent_set::FUNCTION,
    min_vertex_cover::FUNCTION,
    is_isomorphic::FUNCTION,
    find_subgraph::FUNCTION,
    max_common_subgraph::FUNCTION,
    graph_edit_distance::FUNCTION,
    diameter::FUNCTION,
    radius::FUNCTION,
    eccentricity::FUNCTION,
    center::FUNCTION,
    periphery::FUNCTION,
    average_shortest_path_length::FUNCTION,
    clustering_coefficient::FUNCTION,
    degree_centrality::FUNCTION,
    closeness_centrality::FUNCTION,
    betweenness_centrality::FUNCTION,
    pagerank::FUNCTION,
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
    /// The errors it answers with: code, and when. Beside these every function answers
    /// `bad_arguments` and `too_many_entries` to arguments that do not fit its schema.
    pub raises: &'static [(&'static str, &'static str)],
    /// Worst-case time in n nodes and m edges.
    pub complexity: &'static str,
    /// The schemas of its types, which [`schemas`] has made already.
    #[cfg(test)]
    types: [fn() -> Value; 2],
    example: fn() -> Example,
    run: fn(&Graph, Value, &'static str) -> Result<CallOutcome, FunctionError>,
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
        out: &mut CallOutcome,
    ) -> Result<Self::Returns, FunctionError>;
}

fn run_typed<T: Typed>(
    graph: &Graph,
    arguments: Value,
    name: &'static str,
) -> Result<CallOutcome, FunctionError> {
    // Models send null or nothing where a function takes no arguments.
    let arguments = if arguments.is_null() { Value::Object(Default::default()) } else { arguments };
    bounds::arguments(&arguments)?;
    let (arguments, read_as) = meant::as_meant(&schemas::of(name).args, arguments);
    let wrong = |path: &serde_path_to_error::Path, what: &str| {
        bad_arguments(&schemas::of(name).args, &arguments, path, what)
    };
    if !arguments.is_object() {
        // Serde would take a list for the fields in order.
        return Err(wrong(&serde_path_to_error::Track::new().path(), "not an object"));
    }
    let args: T::Args = serde_path_to_error::deserialize(&arguments)
        .map_err(|e| wrong(e.path(), &e.inner().to_string()))?;
    let mut out = CallOutcome { notes: read_as, ..CallOutcome::default() };
    let value = T::call(graph, args, &mut out)?;
    out.value = serde_json::to_value(value)
        .map_err(|e| FunctionError::new("internal", format!("the result is not JSON: {e}")))?;
    Ok(out)
}

/// Serde names Rust's types; a model knows JSON's.
const PLAIN_WORDS: &[(&str, &str)] = &[
    ("expected f64", "expected a number"),
    ("expected usize", "expected a whole number of at least 0"),
    ("expected a sequence", "expected a list"),
    ("expected a tuple of size 2", "expected a pair"),
    ("expected fewer elements in array", "expected a pair"),
    ("there are no fields", "there are no arguments"),
    ("field", "argument"),
];

/// Which argument is wrong, what was given, and what the arguments are.
fn bad_arguments(
    schema: &Value,
    arguments: &Value,
    path: &serde_path_to_error::Path,
    what: &str,
) -> FunctionError {
    use serde_path_to_error::Segment;
    let mut given = Some(arguments);
    for segment in path {
        given = given.and_then(|value| match segment {
            Segment::Seq { index } => value.get(*index),
            Segment::Map { key } => value.get(key),
            Segment::Enum { .. } | Segment::Unknown => None,
        });
    }
    let path = path.to_string();
    let mut message = if path == "." { String::new() } else { format!("argument `{path}`: ") };
    message +=
        &PLAIN_WORDS.iter().fold(what.to_owned(), |text, (rust, plain)| text.replace(rust, plain));
    if let Some(given) = given.filter(|value| path != "." || !value.is_object()) {
        let mut text = given.to_string();
        if let Some((cut, _)) = text.char_indices().nth(60) {
            text.truncate(cut);
            text += "…";
        }
        message += &format!("; given {text}");
    }
    let required = schema.get("required").and_then(Value::as_array);
    let describe = |(name, property): (&String, &Value)| {
        let kind = match property.get("type") {
            Some(Value::String(kind)) => kind.clone(),
            Some(Value::Array(kinds)) => {
                let kinds: Vec<&str> =
                    kinds.iter().filter_map(Value::as_str).filter(|k| *k != "null").collect();
                kinds.join(" or ")
            }
            _ => "any".into(),
        };
        let needed = required.is_some_and(|r| r.iter().any(|x| x == name.as_str()));
        format!("{name} ({kind}{})", if needed { "" } else { ", optional" })
    };
    let known: Vec<String> = schema
        .get("properties")
        .and_then(Value::as_object)
        .map(|properties| properties.iter().map(describe).collect())
        .unwrap_or_default();
    let brings_graph = |name: &str| arguments.get(name).is_some_and(|value| !value.is_null());
    if !known.iter().any(|k| k.starts_with("edges "))
        && ["edges", "graph"].iter().any(|name| brings_graph(name))
    {
        message += "; the function reads the graph that create_graph made, so leave the edges out";
    }
    message += &if known.is_empty() {
        "; the function takes no arguments: give {}".to_owned()
    } else {
        format!("; the arguments are {}", known.join(", "))
    };
    FunctionError::new("bad_arguments", message)
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
            #[cfg(test)]
            types: [schemas::made::<T::Args>, schemas::made::<T::Returns>],
            example: facts.example,
            run: run_typed::<T>,
        }
    }

    /// What the model reads: the doc comment of the arguments.
    pub fn description(&self) -> String {
        description_of(&schemas::of(self.name).args)
    }

    /// The JSON schema of the arguments as models and servers read it: each has one type, because some
    /// servers refuse the tools where a type is a list. A node is a text there; `0` and `"0"` are one
    /// node.
    pub fn parameters(&self) -> Value {
        let mut schema = self.arguments();
        keep_one_type_each(&mut schema);
        schema
    }

    /// The JSON schema of the arguments with all types that they take, without title and description
    /// of its own.
    pub fn arguments(&self) -> Value {
        let mut schema = schemas::of(self.name).args.clone();
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
        let mut schema = schemas::of(self.name).returns.clone();
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
    /// The graph is not changed: apply [`CallOutcome::deltas`] to it.
    ///
    /// # Errors
    /// A [`FunctionError`] that tells a model what was wrong and what would be right.
    pub fn call(&self, graph: &Graph, arguments: Value) -> Result<CallOutcome, FunctionError> {
        (self.run)(graph, arguments, self.name)
    }
}

impl std::fmt::Debug for GraphFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GraphFunction").field("name", &self.name).finish_non_exhaustive()
    }
}

fn description_of(schema: &Value) -> String {
    schema
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

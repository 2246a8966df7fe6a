//! Graphs that live elsewhere: what is asked of a store as a request, and its answer read.
//!
//! Nothing here opens a socket: whoever drives a [`Store`] sends its request, with the key of that
//! address where it needs one, and hands the answer back. Each ask is one request. Names, ids and
//! types that come back are foreign until they are shown, and bounded.

mod copy;
mod error;
mod neo4j;
mod part;
mod queries;
mod sparql;
mod statement;

use serde::{Deserialize, Serialize};

pub use copy::{LABEL as COPY_LABEL, check_copy_name, copy_iri};
pub use error::StoreError;
pub use part::{MAX_ASKS, MAX_EDGES, PartError, StorePart};
pub use queries::{ConfirmedForWriting, MAX_QUERY, QueryStore, StoreRows};
pub use statement::StoreStatement;

use crate::{Direction, Schema};

/// The most that may be asked for at once.
pub const MAX_LIMIT: usize = 10_000;
/// The most nodes whose neighbours may be asked for at once.
pub const MAX_NODES: usize = 500;
/// The most bytes of an answer that are read.
pub const MAX_ANSWER: usize = 50_000_000;

/// Where a store is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreAddress {
    /// The address: of a SPARQL endpoint the whole one, of Neo4j that of the server.
    pub url: String,
    /// The database of the server, where it has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// The language of names, as in `en`.
    #[serde(default = "english")]
    pub language: String,
}

fn english() -> String {
    "en".into()
}

/// What a traversal needs to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// The node types, those with most nodes first.
    NodeTypes {
        /// At most so many.
        limit: usize,
    },
    /// Which types of edges go between which types of nodes, those with most edges first.
    EdgeTypes {
        /// At most so many.
        limit: usize,
    },
    /// The nodes of a name.
    Named {
        /// The name of the nodes, in any case.
        name: String,
        /// At most so many.
        limit: usize,
    },
    /// The edges at some nodes.
    Neighbors {
        /// The ids of the nodes.
        nodes: Vec<String>,
        /// The type of the edges; any, if none.
        edge_type: Option<String>,
        /// The direction in which edges are followed.
        way: Direction,
        /// At most so many edges.
        limit: usize,
    },
}

impl Ask {
    fn limit(&self) -> usize {
        match self {
            Self::NodeTypes { limit }
            | Self::EdgeTypes { limit }
            | Self::Named { limit, .. }
            | Self::Neighbors { limit, .. } => *limit,
        }
    }

    /// Refuses what no store should be asked.
    fn check(&self) -> Result<(), StoreError> {
        let limit = self.limit();
        if limit == 0 || limit > MAX_LIMIT {
            return Err(StoreError::Limit { value: limit, most: MAX_LIMIT });
        }
        match self {
            Self::Neighbors { nodes, .. } if nodes.is_empty() || nodes.len() > MAX_NODES => {
                Err(StoreError::Nodes { value: nodes.len(), most: MAX_NODES })
            }
            Self::Named { name, .. } if name.trim().is_empty() || name.len() > 1000 => {
                Err(StoreError::Name { n_bytes: name.len() })
            }
            _ => Ok(()),
        }
    }
}

/// A node of a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remote {
    /// The id of the node in the store.
    pub id: String,
    /// Its name, or its id where it has none.
    pub name: String,
    /// Its type, where it has one.
    pub node_type: Option<String>,
}

/// An edge of a store, seen from the node that was asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteEdge {
    /// The id of the node that was asked about.
    pub node: String,
    /// The type of the edge.
    pub edge_type: String,
    /// `Out` if the edge begins at `node`, `In` if it ends there.
    pub way: Direction,
    /// The node at the other end.
    pub other: Remote,
}

/// A type of nodes of a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteType {
    /// The name of the type.
    pub name: String,
    /// The number of nodes of the type.
    pub n_nodes: u64,
}

/// A type of edges of a store between two types of nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteEnds {
    /// The type of the edges.
    pub edge_type: String,
    /// The type that it begins at.
    pub from: String,
    /// The type that it ends at.
    pub to: String,
    /// The number of edges between the two types.
    pub n_edges: u64,
}

/// What a store told. `is_cut` says that there is more than was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Told {
    /// Of [`Ask::NodeTypes`].
    NodeTypes {
        /// The node types, each with its number of nodes.
        types: Vec<RemoteType>,
        /// Whether there are more.
        is_cut: bool,
    },
    /// Of [`Ask::EdgeTypes`].
    EdgeTypes {
        /// The types with their ends.
        ends: Vec<RemoteEnds>,
        /// Whether there are more.
        is_cut: bool,
    },
    /// Of [`Ask::Named`].
    Nodes {
        /// The nodes with that name.
        nodes: Vec<Remote>,
        /// Whether there are more.
        is_cut: bool,
    },
    /// Of [`Ask::Neighbors`].
    Edges {
        /// The edges, each once.
        edges: Vec<RemoteEdge>,
        /// Whether there are more.
        is_cut: bool,
    },
}

/// Bytes to send. Never carries a key: whoever sends them adds the one of that address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreRequest {
    /// The method, which is always `POST`.
    pub method: String,
    /// The whole address, without credentials.
    pub url: String,
    /// Header names and values.
    pub headers: Vec<(String, String)>,
    /// The body: a query, or JSON with a query.
    pub body: String,
}

/// A store at a place. Whoever drives it sends what [`Store::request`] gives over their transport
/// and hands what came back to [`Store::read`].
pub trait Store {
    /// What to send for an ask.
    ///
    /// # Errors
    /// If the ask is out of bounds, or names what cannot be in such a store.
    fn request(&self, ask: &Ask) -> Result<StoreRequest, StoreError>;

    /// What came back, read.
    ///
    /// # Errors
    /// If the store refused, or what it sent is not a whole answer.
    fn read(&self, ask: &Ask, status: u16, body: &str) -> Result<Told, StoreError>;
}

/// Opens a store for queries in its language, given where it is and where its updates go.
pub type OpenQueries = fn(StoreAddress, Option<String>) -> Result<Box<dyn QueryStore>, StoreError>;

/// A kind of store.
pub struct StoreKind {
    /// A stable id, as `--kg ID:ADDRESS` takes it: `sparql`.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// An address as an example.
    pub example: &'static str,
    /// A store of this kind at a place.
    pub open: fn(StoreAddress) -> Result<Box<dyn Store>, StoreError>,
    /// The same for queries in its language; with the address for updates, where that is another.
    pub queries: OpenQueries,
}

/// Every kind of store.
pub static STORES: &[StoreKind] = &[sparql::STORE, neo4j::STORE];

/// The kind of that id.
pub fn find(id: &str) -> Option<&'static StoreKind> {
    STORES.iter().find(|s| s.id == id)
}

/// A schema out of what a store told of its types.
pub fn schema(types: &[RemoteType], ends: &[RemoteEnds]) -> Schema {
    let mut schema = Schema::given(
        types.iter().map(|t| t.name.as_str()),
        ends.iter().map(|e| (e.edge_type.as_str(), e.from.as_str(), e.to.as_str())),
    );
    let n_nodes: Vec<(&str, u64)> = types.iter().map(|t| (t.name.as_str(), t.n_nodes)).collect();
    let n_edges: Vec<(&str, u64)> =
        ends.iter().map(|e| (e.edge_type.as_str(), e.n_edges)).collect();
    schema.tell(&n_nodes, &n_edges);
    schema
}

/// Checks an address: of the web, without a login in it, which would end up in logs.
fn check_place(place: &StoreAddress) -> Result<(), StoreError> {
    let rest = ["https://", "http://"].iter().find_map(|s| place.url.strip_prefix(s));
    let host = rest.and_then(|r| r.split(['/', '?', '#']).next()).unwrap_or_default();
    if host.is_empty() || place.url.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(StoreError::Url { url: place.url.chars().take(200).collect() });
    }
    if host.contains('@') {
        return Err(StoreError::Login);
    }
    let is_tag = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if place.language.is_empty() || !place.language.chars().all(is_tag) {
        return Err(StoreError::Language { language: place.language.chars().take(40).collect() });
    }
    Ok(())
}

/// Reads an answer as JSON, or says what it is instead.
fn json(status: u16, body: &str) -> Result<serde_json::Value, StoreError> {
    if body.len() > MAX_ANSWER {
        return Err(StoreError::TooLong { n_bytes: body.len(), most: MAX_ANSWER });
    }
    let start = || body.trim().chars().take(200).collect::<String>();
    serde_json::from_str(body).map_err(|error| {
        if !(200..300).contains(&status) {
            StoreError::Refused { status, said: start() }
        } else if error.is_eof() {
            StoreError::Half { n_bytes: body.len() }
        } else {
            StoreError::NotJson { reason: error.to_string(), start: start() }
        }
    })
}

/// Cuts to the limit, of which one more was asked for.
fn cut<T>(mut found: Vec<T>, ask: &Ask) -> (Vec<T>, bool) {
    let is_cut = found.len() > ask.limit();
    found.truncate(ask.limit());
    (found, is_cut)
}

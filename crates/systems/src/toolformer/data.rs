//! The one shape of all graph data that calls load.

use std::rc::Rc;

use graph::{Graph, GraphError};
use kg::{Kg, KgError};
use serde::{Deserialize, Serialize};
use tasks::family::FamilyError;

/// Data as models get it.
#[derive(Clone, Debug)]
pub enum Data {
    /// One graph with what is known of its nodes.
    Network(Rc<Network>),
    /// Many graphs, each with a name.
    Set(Vec<Member>),
    /// Facts about entities.
    Knowledge(Rc<Kg>),
}

/// Why data cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// A graph cannot be.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The facts make no graph.
    #[error(transparent)]
    Facts(#[from] KgError),
    /// A family cannot be.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// A file of facts has other things in it.
    #[error("{n} lines cannot be read; the first: {first}")]
    Lines {
        /// How many there are.
        n: usize,
        /// Where the first is, and what is wrong.
        first: String,
    },
    /// There is nothing in them.
    #[error("there is no {what} in the data; at least one is expected")]
    Empty {
        /// What the data do not have.
        what: &'static str,
    },
}

/// One graph. Features and labels stand in the order of its nodes, times in the order of its links;
/// each may be empty.
#[derive(Clone, Debug)]
pub struct Network {
    /// Nodes and links; a link's weight is a rating, where the data have one.
    pub graph: Graph,
    /// What is known of each node: the features that it has, with their values.
    pub features: Vec<Vec<(u32, f32)>>,
    /// The class of each node, where it has one.
    pub labels: Vec<Option<String>>,
    /// When each link came, in seconds since 1970, where the data tell.
    pub times: Vec<u64>,
}

impl From<Graph> for Network {
    fn from(graph: Graph) -> Self {
        Self { graph, features: Vec::new(), labels: Vec::new(), times: Vec::new() }
    }
}

/// A graph of a set.
#[derive(Clone, Debug)]
pub struct Member {
    /// What calls name it by: `bull_graph`, or the number of an instance.
    pub name: String,
    /// Its graph, with features and label.
    pub network: Rc<Network>,
    /// Its class, where it has one.
    pub label: Option<String>,
}

/// What is said of data without showing them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// The number of graphs.
    pub n_graphs: usize,
    /// Nodes or entities, of all graphs.
    pub n_nodes: usize,
    /// Links or facts, of all graphs.
    pub n_links: usize,
    /// Whether links have a direction.
    pub is_directed: bool,
    /// Whether links have weights.
    pub is_weighted: bool,
}

impl Data {
    /// Data of a single graph.
    pub fn network(network: impl Into<Network>) -> Self {
        Self::Network(Rc::new(network.into()))
    }

    /// What is said of it.
    pub fn profile(&self) -> Profile {
        let graphs: Vec<&Graph> = match self {
            Self::Network(network) => vec![&network.graph],
            Self::Set(all) => all.iter().map(|m| &m.network.graph).collect(),
            Self::Knowledge(facts) => {
                return Profile {
                    n_graphs: 1,
                    n_nodes: facts.n_nodes(),
                    n_links: facts.n_edges(),
                    is_directed: true,
                    is_weighted: false,
                };
            }
        };
        Profile {
            n_graphs: graphs.len(),
            n_nodes: graphs.iter().map(|g| g.n_nodes()).sum(),
            n_links: graphs.iter().map(|g| g.n_edges()).sum(),
            is_directed: graphs.iter().any(|g| g.is_directed()),
            is_weighted: graphs.iter().any(|g| g.is_weighted()),
        }
    }
}

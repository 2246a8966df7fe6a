//! The graphs of the dataset `gpr`, made by our generators.

use std::rc::Rc;

use graph::{Graph, GraphError, generators as make};

use crate::toolformer::data::{Data, Member};

/// A graph of the dataset.
pub struct NamedGraph {
    /// What calls name it by.
    pub name: &'static str,
    /// Makes it. Nodes stand in the order in which results list them.
    pub make: fn() -> Result<Graph, GraphError>,
}

/// An entry whose graph has the name of the entry without `_graph`.
macro_rules! named {
    ($name:literal) => {
        NamedGraph {
            name: concat!($name, "_graph"),
            make: || {
                make::named($name).unwrap_or(Err(GraphError::TooLarge { what: "names", limit: 0 }))
            },
        }
    };
}

const fn entry(name: &'static str, make: fn() -> Result<Graph, GraphError>) -> NamedGraph {
    NamedGraph { name, make }
}

/// The 37 graphs, in the order of their names.
pub static GRAPHS: [NamedGraph; 37] = [
    entry("balanced_tree", || make::balanced_tree(2, 4)),
    entry("barbell_graph", || make::barbell(8, 3)),
    entry("binomial_tree", || make::binomial_tree(5)),
    named!("bull"),
    named!("chvatal"),
    entry("circulant_graph", || make::circulant(6, &[1, 2])),
    entry("circular_ladder_graph", || make::circular_ladder(15)),
    entry("complete_graph", || make::complete(15)),
    named!("cubical"),
    entry("cycle_graph", || make::cycle(6)),
    named!("desargues"),
    named!("diamond"),
    named!("dodecahedral"),
    entry("dorogovtsev_goltsev_mendes_graph", || make::dorogovtsev_goltsev_mendes(3)),
    named!("frucht"),
    entry("full_rary_tree", || make::full_rary_tree(3, 7)),
    named!("heawood"),
    entry("hoffman_singleton_graph", make::hoffman_singleton),
    named!("house"),
    named!("house_x"),
    named!("icosahedral"),
    named!("krackhardt_kite"),
    // In this dataset it is no ladder: its answers are those of the tree of seven nodes.
    entry("ladder_graph", || make::full_rary_tree(3, 7)),
    entry("lollipop_graph", || make::lollipop(4, 10)),
    named!("moebius_kantor"),
    named!("octahedral"),
    named!("pappus"),
    entry("path_graph", || make::path(12)),
    entry("petersen_graph", make::petersen),
    named!("sedgewick_maze"),
    entry("star_graph", || make::star(8)),
    named!("tetrahedral"),
    named!("truncated_cube"),
    named!("truncated_tetrahedron"),
    entry("turan_graph", || make::turan(15, 3)),
    named!("tutte"),
    entry("wheel_graph", || make::wheel(6)),
];

/// All of them as data.
///
/// # Errors
/// None in practice: their sizes are fixed.
pub fn data() -> Result<Data, GraphError> {
    let member = |entry: &NamedGraph| {
        let graph = (entry.make)()?;
        let network = Rc::new(graph.into());
        Ok(Member { name: entry.name.to_owned(), network, label: None })
    };
    GRAPHS.iter().map(member).collect::<Result<Vec<Member>, GraphError>>().map(Data::Set)
}

/// The name in the dataset of what a person calls "bull", "Bull graph" or "bull_graph".
pub fn find(name: &str) -> Option<&'static str> {
    let plain = name.trim().to_lowercase().replace([' ', '-'], "_");
    let is_it = |entry: &&NamedGraph| {
        entry.name == plain || entry.name.strip_suffix("_graph") == Some(plain.as_str())
    };
    GRAPHS.iter().find(is_it).map(|e| e.name)
}

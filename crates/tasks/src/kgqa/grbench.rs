//! Which of GRBench's graphs a graph is.
//!
//! Paper: GraphRunner §4.1 with the benchmark GRBench: graphs of five domains. What the papers report
//! is about those graphs, so their figures stand beside runs on these alone.

use std::collections::BTreeSet;

use kg::{Kg, Schema, fold};

/// A domain of GRBench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GrbenchDomain {
    /// Papers, authors, venues.
    Academic,
    /// Items and brands of a shop.
    Ecommerce,
    /// Hetionet.
    Healthcare,
    /// Opinions of courts.
    Legal,
    /// Books.
    Literature,
}

/// The fewest nodes of a whole graph of GRBench: its smallest one has 47 thousand. What has the
/// schema and fewer nodes is a part of one, or an example.
const FEWEST_NODES: usize = 40_000;

impl GrbenchDomain {
    /// Every domain, in the order of the paper's Table 1.
    pub const ALL: [Self; 5] =
        [Self::Academic, Self::Ecommerce, Self::Healthcare, Self::Legal, Self::Literature];

    /// Its name for people, as the paper has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Academic => "academic",
            Self::Ecommerce => "e-commerce",
            Self::Healthcare => "healthcare",
            Self::Legal => "legal",
            Self::Literature => "literature",
        }
    }

    /// The domain of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|domain| domain.name() == name)
    }

    /// The node types of its graphs, and their edge types; of Hetionet's edge types their number,
    /// since each of their names begins and ends with a node type.
    const fn schema(self) -> (&'static [&'static str], &'static [&'static str], usize) {
        match self {
            Self::Academic => (
                &["paper", "author", "venue"],
                &["author", "venue", "reference", "cited by", "paper"],
                5,
            ),
            Self::Ecommerce => (
                &["item", "brand"],
                &[
                    "brand",
                    "item",
                    "also viewed item",
                    "buy after viewing item",
                    "also bought item",
                    "bought together item",
                ],
                6,
            ),
            Self::Healthcare => (
                &[
                    "anatomy",
                    "biological process",
                    "cellular component",
                    "compound",
                    "disease",
                    "gene",
                    "molecular function",
                    "pathway",
                    "pharmacologic class",
                    "side effect",
                    "symptom",
                ],
                &[],
                24,
            ),
            Self::Legal => (
                &["opinion", "opinion cluster", "docket", "court"],
                &["reference", "cited by", "opinion cluster", "opinion", "docket", "court"],
                6,
            ),
            Self::Literature => (
                &["book", "author", "publisher", "series"],
                &["author", "publisher", "series", "similar books", "book"],
                5,
            ),
        }
    }

    /// The domain whose whole graph this is, by its types and its size; none where it is another
    /// graph, a part of one, or one that was made up with its types. O(types).
    pub fn of(kg: &Kg) -> Option<Self> {
        Self::of_schema(kg.schema(), kg.n_nodes(), kg.title())
    }

    /// The same of a graph of which only the schema, the number of nodes and the title are here.
    pub fn of_schema(schema: &Schema, n_nodes: usize, title: &str) -> Option<Self> {
        if n_nodes < FEWEST_NODES || title == kg::generators::HETIONET_LIKE {
            return None;
        }
        let plain = |name: &str| fold(&name.replace(['_', '-'], " "));
        let nodes: BTreeSet<String> = schema.node_types().iter().map(|t| plain(&t.name)).collect();
        let edges: BTreeSet<String> = schema.edge_types().iter().map(|t| plain(&t.name)).collect();
        Self::ALL.into_iter().find(|domain| {
            let (node_types, edge_types, n_edge_types) = domain.schema();
            let is_named = |edge: &String| match edge_types {
                [] => node_types.iter().any(|of| edge.starts_with(of)),
                known => known.contains(&edge.as_str()),
            };
            nodes.len() == node_types.len()
                && node_types.iter().all(|of| nodes.contains(*of))
                && edges.len() == n_edge_types
                && edges.iter().all(is_named)
        })
    }
}

#[cfg(test)]
mod tests {
    use kg::KgBuilder;
    use kg::generators::{hetionet_like, metro};

    use super::*;

    fn library(n: usize, edges: &[&str], title: &str) -> Kg {
        let mut builder = KgBuilder::new(title);
        for (i, of) in ["book", "author", "publisher", "series"].iter().enumerate() {
            let _ = builder.node(&format!("n{i}"), of, of, Default::default());
        }
        for i in 4..n {
            let _ = builder.node(&format!("n{i}"), "book", "a book", Default::default());
        }
        for (edge, (a, b)) in edges.iter().zip([(0, 1), (0, 2), (0, 3), (0, 4), (1, 0)]) {
            let _ = builder.edge(&format!("n{a}"), edge, &format!("n{b}"));
        }
        builder.build().unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn a_domain_is_told_by_types_and_size_and_nothing_else_is_one() {
        let edges = ["author", "publisher", "series", "similar_books", "book"];
        let whole = library(FEWEST_NODES, &edges, "goodreads");
        assert_eq!(GrbenchDomain::of(&whole), Some(GrbenchDomain::Literature));
        assert_eq!(GrbenchDomain::of(&library(9, &edges, "my books")), None);
        assert_eq!(GrbenchDomain::of(&library(FEWEST_NODES, &edges[..4], "books")), None);
        let others = ["author", "publisher", "series", "sequel", "book"];
        assert_eq!(GrbenchDomain::of(&library(FEWEST_NODES, &others, "books")), None);
        for made in [metro(8, 1), hetionet_like(FEWEST_NODES + 50, 60_000, 1)] {
            assert_eq!(GrbenchDomain::of(&made.unwrap_or_else(|e| panic!("{e}"))), None);
        }
        for domain in GrbenchDomain::ALL {
            assert_eq!(GrbenchDomain::by_name(domain.name()), Some(domain));
        }
    }

    /// The types of the made-up graph are Hetionet's: under another title it is taken for it.
    #[test]
    fn hetionet_is_told_by_its_types() {
        let made = hetionet_like(FEWEST_NODES + 50, 60_000, 1).unwrap_or_else(|e| panic!("{e}"));
        let mut renamed = KgBuilder::new("hetionet-v1.0");
        for node in made.nodes() {
            let of = &made.schema().node_type(made.node_type(node)).name;
            let _ = renamed.node(made.id(node), of, made.name(node), Default::default());
        }
        for (a, edge, b) in made.edges() {
            let edge = &made.schema().edge_type(edge).name;
            let _ = renamed.edge(made.id(a), edge, made.id(b));
        }
        let renamed = renamed.build().unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(GrbenchDomain::of(&renamed), Some(GrbenchDomain::Healthcare));
    }
}

//! A large graph as its drawing shows it: who is joined to whom, what is measured, what is in sight.

pub mod camera;
pub mod labels;
pub mod look;
pub mod nearest;
pub mod svg;

use std::collections::{BTreeMap, BTreeSet};

use draw::whole::{Neighbours, Spot};
use eval::tables::csv_line;
use graph::Graph;
use protocol::kg::WholeKg;

use look::{By, Rgb};

/// Found names at most.
const MOST_FOUND: usize = 20;

/// A large graph.
#[derive(Clone, Debug, Default)]
pub struct LargeGraph {
    /// The name of each node.
    pub names: Vec<String>,
    /// The types of nodes; empty where there are none.
    pub types: Vec<String>,
    /// For each node its place in `types`.
    pub type_of: Vec<u32>,
    /// Each edge with its direction, as its source gave it.
    pub edges: Vec<(u32, u32)>,
    /// Whether edges have a direction.
    pub is_directed: bool,
    /// Who is joined to whom.
    pub links: Neighbours,
    /// The connected component of each node; the largest is 0.
    pub components: Vec<u32>,
}

impl LargeGraph {
    fn new(
        names: Vec<String>,
        (types, type_of): (Vec<String>, Vec<u32>),
        edges: Vec<(u32, u32)>,
        is_directed: bool,
    ) -> Self {
        let links = Neighbours::new(names.len(), &edges);
        let components = links.components();
        Self { names, types, type_of, edges, is_directed, links, components }
    }

    /// A graph without types.
    pub fn of_graph(graph: &Graph) -> Self {
        let names = graph.names().map(ToString::to_string).collect();
        let adjacency = graph.adjacency();
        let edges = adjacency.edges.iter().map(|e| (e.0, e.1)).collect();
        Self::new(names, (Vec::new(), Vec::new()), edges, graph.is_directed())
    }

    /// A knowledge graph. Edges between the same two nodes are one.
    pub fn of_knowledge(kg: WholeKg) -> Self {
        let (pairs, _) = kg.edges.0.as_chunks::<2>();
        let mut edges: Vec<(u32, u32)> = pairs.iter().map(|&[a, b]| (a, b)).collect();
        edges.sort_unstable();
        edges.dedup();
        Self::new(kg.names, (kg.types, kg.type_of.0), edges, true)
    }

    /// The number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.names.len()
    }

    /// The edges as two numbers each.
    pub fn pairs(&self) -> Vec<u32> {
        self.edges.iter().flat_map(|&(a, b)| [a, b]).collect()
    }

    /// The type of a node, where it has one.
    pub fn type_name(&self, node: u32) -> Option<&str> {
        let place = self.type_of.get(node as usize)?;
        self.types.get(*place as usize).map(String::as_str)
    }

    /// The number of neighbours of each node.
    pub fn degrees(&self) -> Vec<f32> {
        (0..self.n_nodes()).map(|i| self.links.of(i).len() as f32).collect()
    }

    /// Nodes whose names contain a text, whatever its case: those that begin with it first.
    ///
    /// O(n).
    pub fn find(&self, text: &str) -> Vec<u32> {
        let wanted = text.trim().to_lowercase();
        if wanted.is_empty() {
            return Vec::new();
        }
        let (mut first, mut later) = (Vec::new(), Vec::new());
        for (node, name) in (0u32..).zip(&self.names) {
            match name.to_lowercase().find(&wanted) {
                Some(0) if first.len() < MOST_FOUND => first.push(node),
                Some(at) if at > 0 && later.len() < MOST_FOUND => later.push(node),
                _ => {}
            }
        }
        first.sort_by_key(|&node| self.names[node as usize].len());
        first.extend(later);
        first.truncate(MOST_FOUND);
        first
    }

    /// How many nodes each type has, by its place in `types`.
    pub fn type_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.types.len()];
        for &of in &self.type_of {
            if let Some(size) = sizes.get_mut(of as usize) {
                *size += 1;
            }
        }
        sizes
    }
}

/// What a person chose to see.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chosen {
    /// What colours say.
    pub colour: By,
    /// What sizes say.
    pub size: By,
    /// Types that are not shown.
    pub hidden: BTreeSet<u32>,
}

/// Values that were measured, and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// One for each node.
    pub values: Vec<f32>,
    /// From how many nodes it was estimated, where not from all.
    pub n_sources: Option<u32>,
}

/// Every node as it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dressed {
    /// Its colour.
    pub colours: Vec<Rgb>,
    /// Its radius as a multiple of the usual one; 0 where it is not shown.
    pub radii: Vec<f32>,
    /// The nodes, those that matter most first.
    pub order: Vec<u32>,
}

impl LargeGraph {
    /// What is known of each node by a measure.
    fn values(&self, by: By, measured: &BTreeMap<By, Measured>) -> Option<Vec<f32>> {
        match by {
            By::Degree => Some(self.degrees()),
            _ => measured.get(&by).map(|m| m.values.clone()),
        }
    }

    /// Every node as it is drawn. Where a measure is not there yet, nodes are alike.
    ///
    /// O(n log n).
    pub fn dressed(
        &self,
        chosen: &Chosen,
        measured: &BTreeMap<By, Measured>,
        plain: Rgb,
        is_dark: bool,
    ) -> Dressed {
        let n = self.n_nodes();
        let colours = match chosen.colour {
            By::Type if !self.types.is_empty() => {
                let places = self.places_of_types();
                self.type_of.iter().map(|&of| look::of_kind(places[of as usize])).collect()
            }
            By::Component => self.components.iter().map(|&c| look::of_kind(c as usize)).collect(),
            by => match self.values(by, measured) {
                Some(values) => {
                    look::shares(&values).iter().map(|&s| look::of_share(s, is_dark)).collect()
                }
                None => vec![plain; n],
            },
        };
        let sizes = self.values(chosen.size, measured);
        let mut radii: Vec<f32> = match &sizes {
            Some(values) => look::shares(values).into_iter().map(look::radius).collect(),
            None => vec![1.0; n],
        };
        for (radius, of) in radii.iter_mut().zip(&self.type_of) {
            if chosen.hidden.contains(of) {
                *radius = 0.0;
            }
        }
        let weights = sizes.or_else(|| self.values(chosen.colour, measured));
        let weights = weights.unwrap_or_else(|| self.degrees());
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by(|&a, &b| weights[b as usize].total_cmp(&weights[a as usize]).then(a.cmp(&b)));
        Dressed { colours, radii, order }
    }

    /// For each type the place of its colour: the most frequent first.
    pub fn places_of_types(&self) -> Vec<usize> {
        let sizes = self.type_sizes();
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by_key(|&of| std::cmp::Reverse(sizes[of]));
        let mut places = vec![0; sizes.len()];
        for (place, of) in order.into_iter().enumerate() {
            places[of] = place;
        }
        places
    }

    /// The places of all nodes as a table: name, type, x, y.
    pub fn csv(&self, at: &[Spot]) -> String {
        let line = |cells: [&str; 4]| csv_line(cells.into_iter());
        let mut text = line(["name", "type", "x", "y"]);
        for (node, (name, place)) in (0u32..).zip(self.names.iter().zip(at)) {
            let of = self.type_name(node).unwrap_or_default();
            text.push_str(&line([name, of, &place[0].to_string(), &place[1].to_string()]));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use protocol::numbers::PackedNumbers;

    use super::*;

    fn some() -> LargeGraph {
        LargeGraph::of_knowledge(WholeKg {
            names: ["Bern", "Oberbern", "bernina, \"=x\"", "=Chur"].map(str::to_owned).to_vec(),
            types: vec!["town".into(), "pass".into()],
            type_of: PackedNumbers(vec![0, 0, 1, 0]),
            edges: PackedNumbers(vec![0, 1, 0, 1, 1, 0, 2, 0]),
        })
    }

    #[test]
    fn edges_between_two_nodes_are_one_link() {
        let whole = some();
        assert_eq!((whole.edges.len(), whole.links.n_edges()), (3, 2));
        assert_eq!(whole.degrees(), [2.0, 1.0, 1.0, 0.0]);
        assert_eq!(whole.components, [0, 0, 0, 1]);
        assert_eq!((whole.type_name(2), whole.type_name(9)), (Some("pass"), None));
    }

    #[test]
    fn names_are_found_whatever_their_case() {
        let whole = some();
        assert_eq!(whole.find(" BERN "), [0, 2, 1]);
        assert!(whole.find("").is_empty() && whole.find("x y").is_empty());
    }

    #[test]
    fn colours_and_sizes_follow_what_is_chosen() {
        let whole = some();
        let plain = [1, 2, 3];
        let mut chosen = Chosen::default();
        let none = BTreeMap::new();
        let dressed = whole.dressed(&chosen, &none, plain, false);
        assert_eq!((dressed.colours[0], dressed.radii[0]), (plain, 1.0));
        assert_eq!(dressed.order, [0, 1, 2, 3], "by degree where nothing is chosen");
        chosen = Chosen { colour: By::Type, size: By::Degree, hidden: BTreeSet::from([1]) };
        let dressed = whole.dressed(&chosen, &none, plain, false);
        assert_eq!(dressed.colours[0], look::of_kind(0));
        assert_eq!(dressed.colours[2], look::of_kind(1));
        assert!(dressed.radii[0] > dressed.radii[1] && dressed.radii[2] == 0.0);
        chosen = Chosen { colour: By::PageRank, size: By::PageRank, ..Chosen::default() };
        assert_eq!(whole.dressed(&chosen, &none, plain, false).colours[0], plain);
        let values = vec![0.1, 0.2, 0.3, 0.4];
        let measured = BTreeMap::from([(By::PageRank, Measured { values, n_sources: None })]);
        let dressed = whole.dressed(&chosen, &measured, plain, true);
        assert_eq!(dressed.order, [3, 2, 1, 0]);
        assert_eq!(dressed.colours[3], look::of_share(1.0, true));
    }

    #[test]
    fn a_table_keeps_names_as_they_are_and_holds_no_formula() {
        let table = some().csv(&[[0.0, 1.5]; 4]);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines[1], "Bern,town,0,1.5");
        assert_eq!(lines[3], "\"bernina, \"\"=x\"\"\",pass,0,1.5");
        assert_eq!(lines[4], "'=Chur,town,0,1.5");
    }
}

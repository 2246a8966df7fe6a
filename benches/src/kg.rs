//! A large knowledge graph: read, stepped through, weighed.

use ::kg::formats::{Faults, find};
use ::kg::generators::hetionet_like;
use ::kg::{Direction, Kg, KgBuilder, NodeIx};

/// A made-up graph as a file of triples, and what is read of it.
pub struct KgCase {
    text: String,
    kg: Kg,
}

impl KgCase {
    /// Makes the file.
    ///
    /// # Errors
    /// None that such numbers could cause.
    pub fn new(n_nodes: usize, n_edges: usize, seed: u64) -> Result<Self, ::kg::KgError> {
        let made = hetionet_like(n_nodes, n_edges, seed)?;
        let mut text = String::from("source\trelation\ttarget\n");
        for (source, edge_type, target) in made.edges() {
            let name = &made.schema().edge_type(edge_type).name;
            for part in [made.id(source), "\t", name, "\t", made.id(target), "\n"] {
                text.push_str(part);
            }
        }
        Ok(Self { text, kg: KgBuilder::new("").build()? })
    }

    /// The file's length in bytes.
    pub fn n_bytes(&self) -> usize {
        self.text.len()
    }

    /// Reads the file's lines, without building the indexes; gives the number of edges.
    pub fn parse(&self) -> usize {
        let mut builder = KgBuilder::new("read");
        self.read(&mut builder);
        builder.n_edges()
    }

    /// Reads the file and builds the graph; gives its number of edges.
    ///
    /// # Errors
    /// None that what was written could cause.
    pub fn load(&mut self) -> Result<usize, ::kg::KgError> {
        let mut builder = KgBuilder::new("read");
        self.read(&mut builder);
        self.kg = builder.build()?;
        Ok(self.kg.n_edges())
    }

    fn read(&self, builder: &mut KgBuilder) -> Faults {
        find("tsv").map_or_else(Faults::default, |tsv| (tsv.read)(&self.text, builder))
    }

    /// Bytes that an edge takes in the indexes, and the whole graph in bytes.
    pub fn weight(&self) -> (f64, usize) {
        (self.kg.edge_memory() as f64 / self.kg.n_edges().max(1) as f64, self.kg.memory())
    }

    /// One hop over every type of edges from so many nodes; gives the number of neighbours.
    pub fn one_hop(&self, n: usize) -> usize {
        let starts = self.starts(n);
        let types: Vec<_> = self.kg.schema().edge_type_ixs().collect();
        let hop = |node: &NodeIx| {
            types.iter().map(|t| self.kg.neighbors(*node, *t, Direction::Both).len()).sum::<usize>()
        };
        starts.iter().map(hop).sum()
    }

    /// Two hops over every edge from so many nodes; gives the number of nodes that they end at,
    /// each once for a start.
    pub fn two_hops(&self, n: usize) -> usize {
        let mut seen = vec![0_u32; self.kg.n_nodes()];
        let mut found = 0;
        for (round, start) in self.starts(n).into_iter().enumerate() {
            for (_, _, middle) in self.kg.edges_of(start, Direction::Both) {
                for (_, _, end) in self.kg.edges_of(middle, Direction::Both) {
                    let mark = &mut seen[end.0 as usize];
                    found += usize::from(*mark != round as u32 + 1);
                    *mark = round as u32 + 1;
                }
            }
        }
        found
    }

    /// Nodes from all over the graph.
    fn starts(&self, n: usize) -> Vec<NodeIx> {
        let all = self.kg.n_nodes().max(1);
        let step = (all / n.max(1)).max(1);
        self.kg.nodes().step_by(step).take(n).collect()
    }
}

//! What is in a benchmark, counted: tables 1 and 2 of the paper for any benchmark of this kind.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::model::{Benchmark, Family, Link, Noise, Novelty};

/// The counts of a benchmark. Paper: FamilyTool, Tables 1 and 2.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BenchmarkStats {
    /// Each graph, then all of them as one where there are several.
    pub graphs: Vec<GraphStats>,
    /// Tools that golden calls call, each once.
    pub n_called_tools: usize,
    /// Tools that there are to choose from, each once.
    pub n_tools: usize,
    /// All requests.
    pub n_samples: usize,
    /// Requests in which it is right to call nothing.
    pub n_without_call: usize,
    /// Requests by what is new in them. One whose file does not say counts as nothing new.
    pub by_cell: Vec<(Novelty, usize)>,
    /// Requests by why they need nothing of the graph; the others are left out.
    pub by_noise: Vec<(Noise, usize)>,
    /// Requests by how many golden links they have, which the paper calls hops.
    pub by_links: BTreeMap<usize, usize>,
    /// The mean of that; 0 without requests.
    pub mean_links: f64,
    /// Requests by the hops of their longest search, as we count.
    pub by_depth: BTreeMap<usize, usize>,
    /// The mean of that; 0 without requests.
    pub mean_depth: f64,
    /// Requests by how many searches they need.
    pub by_searches: BTreeMap<usize, usize>,
}

/// The counts of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GraphStats {
    /// Its name; empty where a file gives none.
    pub id: String,
    /// Its people: heads of links, and whoever is named.
    pub n_people: usize,
    /// People and values.
    pub n_nodes: usize,
    /// Links, each once.
    pub n_links: usize,
    /// Relations, each once.
    pub n_relations: usize,
}

impl GraphStats {
    fn of<'a>(id: &str, families: impl Iterator<Item = &'a Family> + Clone) -> Self {
        let links: BTreeSet<&Link> = families.clone().flat_map(|f| &f.links).collect();
        let people: BTreeSet<&str> = families.flat_map(Family::people).collect();
        let tails = links.iter().map(|l| l.tail.as_str());
        let nodes: BTreeSet<&str> = people.iter().copied().chain(tails).collect();
        let relations: BTreeSet<&str> = links.iter().map(|l| l.relation.as_str()).collect();
        Self {
            id: id.to_owned(),
            n_people: people.len(),
            n_nodes: nodes.len(),
            n_links: links.len(),
            n_relations: relations.len(),
        }
    }
}

/// What all graphs together are called.
pub const ALL_GRAPHS: &str = "all together";

impl BenchmarkStats {
    /// Counts a benchmark.
    ///
    /// # Complexity
    /// O((links + samples) log).
    pub fn of(benchmark: &Benchmark) -> Self {
        let families = &benchmark.families;
        let mut graphs: Vec<GraphStats> =
            families.iter().map(|f| GraphStats::of(&f.id, std::iter::once(f))).collect();
        if families.len() > 1 {
            graphs.push(GraphStats::of(ALL_GRAPHS, families.iter()));
        }
        let samples = &benchmark.samples;
        let called: BTreeSet<&str> =
            samples.iter().filter_map(|s| s.call.as_ref()).map(|c| c.name.as_str()).collect();
        let tools: BTreeSet<&str> = benchmark.tools.iter().map(|t| t.name.as_str()).collect();
        let count = |of: &dyn Fn(usize) -> usize| {
            let mut all = BTreeMap::new();
            for i in 0..samples.len() {
                *all.entry(of(i)).or_insert(0) += 1;
            }
            all
        };
        let by_links = count(&|i| samples[i].links.len());
        let by_depth =
            count(&|i| samples[i].searches.iter().map(|s| s.path.len()).max().unwrap_or(0));
        let mean = |all: &BTreeMap<usize, usize>| {
            let sum: usize = all.iter().map(|(value, n)| value * n).sum();
            if samples.is_empty() { 0.0 } else { sum as f64 / samples.len() as f64 }
        };
        let cell = |cell: Novelty| (cell, samples.iter().filter(|s| s.cell == cell).count());
        let noise = |noise| (noise, samples.iter().filter(|s| s.noise == Some(noise)).count());
        Self {
            graphs,
            n_called_tools: called.len(),
            n_tools: tools.len(),
            n_samples: samples.len(),
            n_without_call: samples.iter().filter(|s| s.call.is_none()).count(),
            by_cell: Novelty::ALL.into_iter().map(cell).filter(|(_, n)| *n > 0).collect(),
            by_noise: Noise::ALL.into_iter().map(noise).filter(|(_, n)| *n > 0).collect(),
            mean_links: mean(&by_links),
            by_links,
            mean_depth: mean(&by_depth),
            by_depth,
            by_searches: count(&|i| samples[i].searches.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::{Recipe, generate, read_messages, read_triples};

    #[test]
    fn our_own_benchmark_has_what_its_recipe_says() {
        let recipe = Recipe::full(3);
        let (cells, n_noise) = (recipe.cells, recipe.n_noise);
        let benchmark = generate(recipe).unwrap();
        let stats = BenchmarkStats::of(&benchmark);
        assert_eq!((stats.n_called_tools, stats.n_tools), (102, 102));
        assert_eq!(stats.n_samples, cells.iter().sum::<usize>() + n_noise);
        assert_eq!(stats.by_noise.iter().map(|(_, n)| n).sum::<usize>(), n_noise);
        let all = stats.graphs.last().unwrap();
        assert_eq!((all.id.as_str(), all.n_relations), (ALL_GRAPHS, 65));
        // The oracle: the family that has the most has no more than all together, and sums agree.
        assert!(stats.graphs.iter().all(|g| g.n_links <= all.n_links && g.n_people <= g.n_nodes));
        for counts in [&stats.by_links, &stats.by_depth, &stats.by_searches] {
            assert_eq!(counts.values().sum::<usize>(), stats.n_samples);
        }
        let slow: usize = benchmark.samples.iter().map(|s| s.links.len()).sum();
        assert!((stats.mean_links - slow as f64 / stats.n_samples as f64).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_counted_as_nothing() {
        let stats = BenchmarkStats::of(&Benchmark::default());
        assert_eq!(stats, BenchmarkStats::default());
    }

    #[test]
    fn two_chains_of_one_hop_are_two_links_and_one_hop() {
        let line = r#"[{"role": "id", "content": "x_1"},
            {"role": "candidate_tools", "content": [{"name": "book", "parameters": {"properties": {}}},
              {"name": "ring", "parameters": {"properties": {}}}]},
            {"role": "user", "content": "<speak>Speaker: Ada</speak> Go there. The extra information for the query is ([Ada, home, oak_1], [Ada, office, elm_2])."},
            {"role": "tool_call", "content": [{"name": "book", "parameters": {}, "depend_on": []}]}]"#;
        let (samples, tools) = read_messages(&line.replace('\n', " ")).unwrap();
        let family =
            read_triples("", "Ada\thome\toak_1\nAda\toffice\telm_2\nAda\tson\tBo\n").unwrap();
        let stats = BenchmarkStats::of(&Benchmark { families: vec![family], tools, samples });
        assert_eq!((stats.n_called_tools, stats.n_tools), (1, 2));
        assert_eq!(stats.by_links, BTreeMap::from([(2, 1)]));
        assert_eq!(stats.by_depth, BTreeMap::from([(1, 1)]));
        assert_eq!(stats.by_searches, BTreeMap::from([(2, 1)]));
        let graph = GraphStats {
            n_people: 1,
            n_nodes: 4,
            n_links: 3,
            n_relations: 3,
            ..Default::default()
        };
        assert_eq!(stats.graphs, [graph]);
    }
}

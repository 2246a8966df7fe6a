//! Communities of people who share friends: k-means on the numbers of their common neighbours.
//!
//! Paper: Graph-ToolFormer §4.3.5 names the method and gives neither the number of communities nor
//! where it starts; here they are 10, the best of several k-means++ starts from a fixed seed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use graph::functions::Touched;
use graph::{Graph, NodeName, nearest_names};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::data::{Data, Network};
use super::error::CallError;
use super::python::{dict, float, text};
use super::reasoner::{Reasoned, Reasoner, ReasonerRequest};

/// The communities of a graph, unless it has fewer nodes.
pub const N_COMMUNITIES: usize = 10;
/// Up to so many nodes rows are exact; beyond, they are projected.
const MAX_EXACT: usize = 1_500;
/// The numbers of a projected row. Distances between rows change by about an eighth.
const N_PROJECTED: usize = 64;
/// The most rounds of one start.
const MAX_ROUNDS: usize = 60;
/// The members of a community that are told to a drawing.
const MAX_SHOWN: usize = 60;

/// Which node is in which community, both counted from 0; communities in the order of their first
/// members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Communities {
    /// Of each node, in the order of the graph.
    pub of: Vec<usize>,
    /// How many have each.
    pub sizes: Vec<usize>,
}

/// Of each node the row of its common neighbours with every node: `|N(u) ∩ N(v)|`. Links count both
/// ways and once. O(n²) memory, O(sum of squared degrees) time.
pub fn affinity(graph: &Graph) -> Vec<Vec<f32>> {
    let neighbors = neighbors(graph);
    let n = neighbors.len();
    let mut rows = vec![vec![0.0; n]; n];
    for around in &neighbors {
        for &u in around {
            for &v in around {
                rows[u][v] += 1.0;
            }
        }
    }
    rows
}

fn neighbors(graph: &Graph) -> Vec<Vec<usize>> {
    let place: BTreeMap<&NodeName, usize> =
        graph.names().enumerate().map(|(i, name)| (name, i)).collect();
    let mut all = vec![Vec::new(); place.len()];
    for edge in graph.edges() {
        let ends = (place.get(edge.source), place.get(edge.target));
        if let (Some(&a), Some(&b)) = ends
            && a != b
        {
            all[a].push(b);
            all[b].push(a);
        }
    }
    for list in &mut all {
        list.sort_unstable();
        list.dedup();
    }
    all
}

/// The same rows in few numbers, by random signs (Achlioptas 2003): never more than the graph's
/// links are in memory. O(links · numbers).
fn projected(graph: &Graph, rng: &mut ChaCha8Rng) -> Vec<Vec<f32>> {
    let neighbors = neighbors(graph);
    let scale = 1.0 / (N_PROJECTED as f32).sqrt();
    let signs: Vec<Vec<f32>> = neighbors
        .iter()
        .map(|_| {
            let bits: u64 = rng.random();
            (0..N_PROJECTED).map(|k| if bits >> k & 1 == 1 { scale } else { -scale }).collect()
        })
        .collect();
    // Common neighbours are walks of two steps: the adjacency twice.
    let step = |from: &[Vec<f32>]| -> Vec<Vec<f32>> {
        let of = |around: &Vec<usize>| {
            let mut sum = vec![0.0; N_PROJECTED];
            for v in around {
                sum.iter_mut().zip(&from[*v]).for_each(|(s, x)| *s += x);
            }
            sum
        };
        neighbors.iter().map(of).collect()
    };
    step(&step(&signs))
}

fn distance(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// Communities of a graph's nodes, at most `k`. The same seed gives the same ones.
///
/// O(rounds · nodes · `k` · length of a row).
pub fn communities(graph: &Graph, k: usize, seed: u64) -> Communities {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let n = graph.n_nodes();
    let rows = if n <= MAX_EXACT { affinity(graph) } else { projected(graph, &mut rng) };
    let n_starts = if n <= MAX_EXACT { 10 } else { 3 };
    let mut best: Option<(f32, Vec<usize>)> = None;
    for _ in 0..n_starts {
        let start = k_means(&rows, k.clamp(1, n.max(1)), &mut rng);
        if best.as_ref().is_none_or(|(cost, _)| start.0 < *cost) {
            best = Some(start);
        }
    }
    numbered(best.map(|b| b.1).unwrap_or_default())
}

/// Counts communities in the order of their first members; empty ones are none.
fn numbered(of: Vec<usize>) -> Communities {
    let mut number: BTreeMap<usize, usize> = BTreeMap::new();
    let mut sizes = Vec::new();
    let of = of
        .into_iter()
        .map(|c| {
            let i = *number.entry(c).or_insert(sizes.len());
            if i == sizes.len() {
                sizes.push(0);
            }
            sizes[i] += 1;
            i
        })
        .collect();
    Communities { of, sizes }
}

/// Lloyd's rounds from a k-means++ start: the cost, and of each row its centre.
fn k_means(rows: &[Vec<f32>], k: usize, rng: &mut ChaCha8Rng) -> (f32, Vec<usize>) {
    if rows.is_empty() {
        return (0.0, Vec::new());
    }
    let mut centres: Vec<Vec<f32>> = vec![rows[rng.random_range(0..rows.len())].clone()];
    let mut far: Vec<f32> = rows.iter().map(|r| distance(r, &centres[0])).collect();
    while centres.len() < k {
        let sum: f32 = far.iter().sum();
        // All rows are centres already.
        if sum <= 0.0 {
            break;
        }
        let mut left = rng.random_range(0.0..1.0_f32) * sum;
        let place = far.iter().position(|d| {
            left -= d;
            left < 0.0
        });
        let centre = rows[place.unwrap_or(rows.len() - 1)].clone();
        for (d, row) in far.iter_mut().zip(rows) {
            *d = d.min(distance(row, &centre));
        }
        centres.push(centre);
    }
    let mut of = vec![usize::MAX; rows.len()];
    let mut cost = 0.0;
    for _ in 0..MAX_ROUNDS {
        let mut is_changed = false;
        cost = 0.0;
        for (row, own) in rows.iter().zip(&mut of) {
            let near = centres.iter().map(|c| distance(row, c)).enumerate();
            let (i, d) = near.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0));
            is_changed |= *own != i;
            *own = i;
            cost += d;
        }
        if !is_changed {
            break;
        }
        let length = rows[0].len();
        let mut sums = vec![(vec![0.0_f32; length], 0_usize); centres.len()];
        for (row, i) in rows.iter().zip(&of) {
            sums[*i].0.iter_mut().zip(row).for_each(|(s, x)| *s += x);
            sums[*i].1 += 1;
        }
        for (centre, (sum, n)) in centres.iter_mut().zip(sums) {
            // A centre that lost all its rows stays where it is.
            if n > 0 {
                *centre = sum.into_iter().map(|s| s / n as f32).collect();
            }
        }
    }
    (cost, of)
}

/// The model `kmeans`: needs no training, and keeps what it found of the last network.
#[derive(Default)]
pub struct KMeans {
    last: RefCell<Option<(Rc<Network>, Rc<Communities>)>>,
}

impl KMeans {
    fn of(&self, network: &Rc<Network>) -> Rc<Communities> {
        // The network itself is kept, so that no other one can come to stand in its place.
        if let Some((last, found)) = self.last.borrow().as_ref()
            && Rc::ptr_eq(last, network)
        {
            return found.clone();
        }
        let found = Rc::new(communities(&network.graph, N_COMMUNITIES, 0));
        *self.last.borrow_mut() = Some((network.clone(), found.clone()));
        found
    }
}

impl Reasoner for KMeans {
    fn reason(&self, ask: &ReasonerRequest<'_>) -> Result<Reasoned, CallError> {
        let Data::Network(network) = &ask.data.data else {
            return Err(CallError::DoesNotApply {
                function: format!("kmeans:{}", ask.function.name),
                dataset: ask.data.name.clone(),
                does: "it groups the nodes of one network".to_owned(),
            });
        };
        let graph = &network.graph;
        let found = self.of(network);
        let names: Vec<&NodeName> = graph.names().collect();
        let place = |id: &str| {
            let name = NodeName::from(id);
            names.iter().position(|n| **n == name).ok_or_else(|| {
                let near = nearest_names(&name, names.iter().copied(), 5);
                let near = near.iter().map(NodeName::to_string).collect();
                CallError::UnknownNode { node: id.to_owned(), near }
            })
        };
        let asked: Vec<usize> =
            ask.arguments.iter().map(|a| place(&a.id)).collect::<Result<_, _>>()?;
        let words = match (ask.function.name, asked.as_slice()) {
            ("community", []) => {
                let of = names.iter().zip(&found.of);
                dict(of.map(|(name, c)| (text(&name.to_string()), text(&format!("#{c}")))))
            }
            ("community", [one]) => format!("#{}", found.of[*one]),
            ("common_community_check", [a, b]) => {
                if found.of[*a] == found.of[*b] { "the same" } else { "different" }.to_owned()
            }
            ("community_count", _) => found.sizes.len().to_string(),
            ("community_avg_size", _) => {
                float(names.len() as f64 / found.sizes.len().max(1) as f64)
            }
            ("community_max_size", _) => found.sizes.iter().max().unwrap_or(&0).to_string(),
            ("community_size", [one]) => found.sizes[found.of[*one]].to_string(),
            (other, _) => return Err(CallError::model(format!("kmeans has no {other:?}"))),
        };
        // What a person wants to see: those who were asked about, and who is with them.
        let mut shown: Vec<usize> = asked.clone();
        for (i, community) in found.of.iter().enumerate() {
            let is_with = asked.iter().any(|a| found.of[*a] == *community);
            if is_with && shown.len() < MAX_SHOWN && !shown.contains(&i) {
                shown.push(i);
            }
        }
        let nodes = shown.into_iter().map(|i| names[i].clone()).collect();
        let n = found.sizes.len();
        let notes = vec![format!("k-means with {n} communities, rows of common neighbours")];
        let looked_at = Touched { nodes, edges: Vec::new() };
        Ok(Reasoned { text: words, looked_at, notes, ..Reasoned::default() })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn graph(n: usize, links: &[(usize, usize)]) -> Graph {
        let mut graph = Graph::undirected();
        for i in 0..n {
            graph.ensure_node(format!("u{i}")).unwrap();
        }
        for (a, b) in links {
            graph.link(format!("u{a}"), format!("u{b}")).unwrap();
        }
        graph
    }

    proptest! {
        /// Counted by sets, pair by pair.
        #[test]
        fn common_neighbours_are_counted(
            links in prop::collection::vec((0usize..9, 0usize..9), 0..30),
        ) {
            let graph = graph(9, &links);
            let around = |u: usize| -> BTreeSet<usize> {
                let of = |(a, b): &(usize, usize)| match (*a == u, *b == u) {
                    (true, false) => Some(*b),
                    (false, true) => Some(*a),
                    _ => None,
                };
                links.iter().filter_map(of).collect()
            };
            let rows = affinity(&graph);
            for (u, row) in rows.iter().enumerate() {
                for (v, n) in row.iter().enumerate() {
                    prop_assert_eq!(*n as usize, around(u).intersection(&around(v)).count());
                }
            }
        }

        /// In the end no node is nearer to another community's centre than to its own.
        #[test]
        fn every_node_is_with_the_nearest_centre(
            links in prop::collection::vec((0usize..14, 0usize..14), 5..50),
            k in 1usize..6,
        ) {
            let graph = graph(14, &links);
            let rows = affinity(&graph);
            let found = communities(&graph, k, 3);
            prop_assert!(found.sizes.len() <= k && found.sizes.iter().sum::<usize>() == 14);
            let centre = |c: usize| -> Vec<f32> {
                let own: Vec<&Vec<f32>> =
                    rows.iter().zip(&found.of).filter(|(_, o)| **o == c).map(|(r, _)| r).collect();
                (0..14).map(|i| own.iter().map(|r| r[i]).sum::<f32>() / own.len() as f32).collect()
            };
            let centres: Vec<Vec<f32>> = (0..found.sizes.len()).map(centre).collect();
            for (row, own) in rows.iter().zip(&found.of) {
                let best = centres.iter().map(|c| distance(row, c)).fold(f32::MAX, f32::min);
                prop_assert!(distance(row, &centres[*own]) <= best + 1e-3);
            }
        }
    }

    /// Groups that were planted are found, exactly and by projection.
    #[test]
    fn planted_groups_are_found() {
        for n in [80, 2_000] {
            let mut rng = ChaCha8Rng::seed_from_u64(7);
            let (inside, outside) = if n == 80 { (0.6, 0.03) } else { (0.08, 0.002) };
            let mut links = Vec::new();
            for a in 0..n {
                for b in 0..a {
                    let p = if a % 4 == b % 4 { inside } else { outside };
                    if rng.random_range(0.0..1.0) < p {
                        links.push((a, b));
                    }
                }
            }
            let found = communities(&graph(n, &links), 4, 1);
            let n_right = (0..n).filter(|i| found.of[*i] == found.of[i % 4]).count();
            assert_eq!(found.sizes.len(), 4);
            assert!(n_right as f64 >= 0.97 * n as f64, "{n_right} of {n}");
            assert_eq!(found, communities(&graph(n, &links), 4, 1));
        }
    }
}

//! The least number of colours, by the sets of colours that are left to each node.

use graph::{Graph, NodeName};

/// What is known of the least number of colours.
pub(crate) struct Colors {
    /// Nodes of each colour, as few as were found.
    pub(crate) classes: Vec<Vec<NodeName>>,
    /// Nodes that are all joined with each other: each needs a colour of its own.
    pub(crate) clique: Vec<NodeName>,
    /// Choices that were tried to see that one colour fewer is not enough.
    pub(crate) tries: u64,
    /// Whether fewer are impossible.
    pub(crate) is_least: bool,
}

/// The most nodes of a graph: a set of them is one number.
const MOST_NODES: usize = 128;

/// Choices that are tried; the benchmark's graphs need a few thousand at most.
const MOST_TRIES: u64 = 2_000_000;

/// The least number of colours such that joined nodes differ; directions and loops do not matter. `None`
/// for more nodes than sets have room for.
///
/// From the size of a clique up it is tried whether so many colours are enough: the node with the fewest
/// colours left is next, and what it takes its neighbours lose.
///
/// # Complexity
/// Exponential; at most two million choices in all, each O(n).
pub(crate) fn least_colors(graph: &Graph) -> Option<Colors> {
    let near = neighbours(graph)?;
    let n = near.len();
    let nodes: Vec<&NodeName> = graph.names().collect();
    let clique = grown_clique(&near);
    let name = |v: usize| nodes[v].clone();
    let mut search = Search { near: &near, color: vec![None; n], tries: 0 };
    let mut colors = Colors {
        classes: Vec::new(),
        clique: clique.iter().map(|v| name(*v)).collect(),
        tries: 0,
        is_least: true,
    };
    for k in clique.len()..=n {
        let before = search.tries;
        let all = u128::MAX.checked_shr(128 - k as u32).unwrap_or(0);
        let is_enough = search.run(&vec![all; n], 0);
        if is_enough == Some(false) {
            colors.tries = search.tries - before;
            continue;
        }
        if is_enough.is_none() {
            colors.is_least = false;
            search.color = first_free(&near);
        }
        let used = search.color.iter().flatten().max().map_or(0, |most| most + 1);
        let class = |c: usize| (0..n).filter(|v| search.color[*v] == Some(c)).map(name).collect();
        colors.classes = (0..used).map(class).collect();
        break;
    }
    Some(colors)
}

/// The largest of the cliques that grow from each node by the neighbour with the most neighbours inside.
fn grown_clique(near: &[u128]) -> Vec<usize> {
    let grow = |start: usize| {
        let (mut clique, mut left) = (vec![start], near[start]);
        while left != 0 {
            let inside = |v: &usize| (near[*v] & left).count_ones();
            let next = (0..near.len()).filter(|v| left >> v & 1 == 1).max_by_key(inside);
            let Some(next) = next else { break };
            clique.push(next);
            left &= near[next];
        }
        clique
    };
    (0..near.len()).map(grow).max_by_key(Vec::len).unwrap_or_default()
}

/// The first free colour for each node, those with the most neighbours first: what GraCoRe's question
/// calls "largest_first".
fn first_free(near: &[u128]) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..near.len()).collect();
    order.sort_by_key(|v| std::cmp::Reverse(near[*v].count_ones()));
    let mut color = vec![None; near.len()];
    for v in order {
        let is_free =
            |c: &usize| (0..near.len()).all(|w| near[v] >> w & 1 == 0 || color[w] != Some(*c));
        color[v] = (0..).find(is_free);
    }
    color
}

/// How many colours the greedy method "largest_first" takes.
pub(crate) fn largest_first(graph: &Graph) -> Option<usize> {
    first_free(&neighbours(graph)?).iter().flatten().max().map(|most| most + 1)
}

/// The neighbours of each node in the order of the nodes, whatever the directions and without loops.
fn neighbours(graph: &Graph) -> Option<Vec<u128>> {
    let g = graph.adjacency();
    if g.n_nodes() > MOST_NODES {
        return None;
    }
    let mut near = vec![0_u128; g.n_nodes()];
    for (a, b, _) in g.edges.iter().filter(|(a, b, _)| a != b) {
        near[*a as usize] |= 1 << b;
        near[*b as usize] |= 1 << a;
    }
    Some(near)
}

struct Search<'a> {
    near: &'a [u128],
    color: Vec<Option<usize>>,
    tries: u64,
}

impl Search<'_> {
    /// As deep as there are nodes. `None`: too many tries.
    fn run(&mut self, left: &[u128], used: usize) -> Option<bool> {
        let open = (0..left.len()).filter(|v| self.color[*v].is_none());
        let Some(v) = open
            .min_by_key(|v| (left[*v].count_ones(), std::cmp::Reverse(self.near[*v].count_ones())))
        else {
            return Some(true);
        };
        // One new colour is as good as another.
        for c in (0..=used).filter(|c| left[v] >> c & 1 == 1) {
            self.tries += 1;
            if self.tries > MOST_TRIES {
                return None;
            }
            let lose = |(w, set): (usize, &u128)| {
                if self.near[v] >> w & 1 == 1 { set & !(1 << c) } else { *set }
            };
            let next: Vec<u128> = left.iter().enumerate().map(lose).collect();
            let is_stuck = |w: usize| self.color[w].is_none() && w != v && next[w] == 0;
            if (0..next.len()).any(is_stuck) {
                continue;
            }
            self.color[v] = Some(c);
            if self.run(&next, used.max(c + 1))? {
                return Some(true);
            }
            self.color[v] = None;
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;
    use crate::random;

    /// All assignments of k colours.
    fn by_hand(n: usize, edges: &[(usize, usize)]) -> usize {
        let is_enough = |k: usize| {
            (0..k.pow(n as u32)).any(|code| {
                let color = |v: usize| code / k.pow(v as u32) % k;
                edges.iter().all(|(a, b)| color(*a) != color(*b))
            })
        };
        (1..=n).find(|k| is_enough(*k)).unwrap()
    }

    #[test]
    fn it_agrees_with_all_assignments_and_with_the_library() {
        for seed in 0..200 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let n = random::between(&mut rng, 1, 6);
            let p = rng.random_range(0.2..1.0);
            let edges = random::pairs(&mut rng, n, p);
            let graph = random::plain(false, n, edges.clone());
            let ours = least_colors(&graph).unwrap();
            assert!(ours.is_least);
            assert_eq!(ours.classes.len(), by_hand(n, &edges), "seed {seed}");
            assert!(largest_first(&graph).unwrap() >= ours.classes.len());
        }
        for seed in 0..60 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let edges = random::pairs(&mut rng, 26, 0.35);
            let graph = random::plain(false, 26, edges);
            let theirs = graph::functions::color_graph::color_graph(&graph, 20_000_000);
            let ours = least_colors(&graph).unwrap();
            assert!(theirs.exact && ours.is_least, "seed {seed}");
            assert_eq!(ours.classes.len(), theirs.classes.len(), "seed {seed}");
            let of = |name: &NodeName| ours.classes.iter().position(|class| class.contains(name));
            assert!(graph.edges().all(|edge| of(edge.source) != of(edge.target)));
            let pairs =
                |a: &NodeName| ours.clique.iter().filter(|b| graph.edge(a, b).is_some()).count();
            assert!(ours.clique.iter().all(|a| pairs(a) + 1 == ours.clique.len()));
        }
    }
}

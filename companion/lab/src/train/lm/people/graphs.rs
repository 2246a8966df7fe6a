//! What a question is about: a graph with names, and what is asked of it.

use rand::Rng as _;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand_chacha::ChaCha8Rng;

use super::names::{names, title, word};
use super::templates::{Domain, Lines, domains};

/// What an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Undirected,
    Directed,
    Capacity,
    Match,
}

/// Why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lack {
    /// It is no question about a graph.
    NoGraph,
    /// A graph is there, and nothing is asked.
    NoQuestion,
    /// What is asked about was not said.
    TooLittle,
    /// Numbers are asked for, and there are none.
    NoNumbers,
    /// It names what the text does not.
    Absent,
}

/// An edge as it is written, from the first node named to the second.
pub(super) type Written = (usize, usize, Option<f64>);

/// A graph with names, and what is asked.
pub(super) struct Scene {
    pub(super) kind: &'static str,
    pub(super) domain: &'static Domain,
    pub(super) way: Way,
    pub(super) names: Vec<String>,
    /// What the model calls each node.
    pub(super) handles: Vec<String>,
    pub(super) are_things: bool,
    pub(super) edges: Vec<Written>,
    /// The edges in the order of the text, which may have one twice.
    pub(super) written: Vec<Written>,
    /// Nodes without an edge that the text names.
    pub(super) alone: Vec<usize>,
    /// Pairs that the text says are no edges.
    pub(super) denied: Vec<(usize, usize)>,
    pub(super) ends: (usize, usize),
    pub(super) lack: Option<Lack>,
}

fn way(domain: &Domain) -> Way {
    match domain.way {
        "directed" => Way::Directed,
        "capacity" => Way::Capacity,
        "match" => Way::Match,
        _ => Way::Undirected,
    }
}

/// Two different numbers below `n`.
fn two(rng: &mut ChaCha8Rng, n: usize) -> (usize, usize) {
    let a = rng.random_range(0..n);
    (a, (a + rng.random_range(1..n)) % n)
}

/// A forest of `n_parts` trees, with some more edges; `is_along` keeps each edge in the order of numbers.
fn sparse(
    rng: &mut ChaCha8Rng,
    n: usize,
    n_parts: usize,
    more: usize,
    is_along: bool,
) -> Vec<(usize, usize)> {
    let part: Vec<usize> =
        (0..n).map(|i| if i < n_parts { i } else { rng.random_range(0..n_parts) }).collect();
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for i in 1..n {
        let earlier: Vec<usize> = (0..i).filter(|j| part[*j] == part[i]).collect();
        // Long rather than bushy.
        let other = match rng.random_bool(0.6) {
            true => earlier.last(),
            false => earlier.choose(rng),
        };
        edges.extend(other.map(|j| (*j, i)));
    }
    for _ in 0..more {
        let (a, b) = two(rng, n);
        let (a, b) = if is_along { (a.min(b), a.max(b)) } else { (a, b) };
        if part[a] == part[b] && !edges.contains(&(a, b)) && !edges.contains(&(b, a)) {
            edges.push((a, b));
        }
    }
    edges
}

fn plain_graph(rng: &mut ChaCha8Rng, kind: &str, way: Way, n: usize) -> Vec<(usize, usize)> {
    let is_directed = way == Way::Directed;
    let has_parts = matches!(kind, "path" | "reach" | "groups" | "hops" | "short" | "decline");
    let n_parts = match kind {
        "groups" => rng.random_range(1..=4.min(n / 2)),
        _ if has_parts && rng.random_bool(0.4) => 2,
        _ => 1,
    };
    let more = match kind {
        "cycle" if rng.random_bool(0.5) => 0,
        "tour" => rng.random_range(0..4),
        _ => rng.random_range(0..=n / 2),
    };
    let is_along = is_directed
        && (kind == "order" && rng.random_bool(0.9) || kind == "cycle" && rng.random_bool(0.4));
    let mut edges = match kind == "tour" && rng.random_bool(0.5) {
        true => (1..n).map(|i| (i - 1, i)).collect(),
        false => sparse(rng, n, n_parts, more, is_along),
    };
    if kind == "tour" {
        for _ in 0..more {
            let (a, b) = two(rng, n);
            if !edges.contains(&(a, b)) && !edges.contains(&(b, a)) {
                edges.push((a, b));
            }
        }
    }
    for edge in &mut edges {
        let turns = match way {
            Way::Undirected => 0.5,
            _ if is_along || kind == "order" => 0.0,
            _ => 0.25,
        };
        if rng.random_bool(turns) {
            *edge = (edge.1, edge.0);
        }
    }
    edges
}

/// How large numbers on edges are, for a whole text.
fn number(rng: &mut ChaCha8Rng, size: u32) -> f64 {
    match size {
        0..=5 => rng.random_range(1..=12).into(),
        6 | 7 => (5 * rng.random_range(1..=24)).into(),
        8 => rng.random_range(10..160).into(),
        9 => rng.random_range(100..900).into(),
        _ => f64::from(rng.random_range(1..40)) / 2.0,
    }
}

impl Scene {
    pub(super) fn draw(rng: &mut ChaCha8Rng, kind: &str, lines: Lines) -> Option<Self> {
        let kind = *super::KINDS.iter().find(|known| **known == kind)?;
        let sort = sort(kind);
        let fits = |domain: &&Domain| match kind {
            "decline" => domain.name != "else" && domain.way != "capacity",
            _ => domain.has(sort, lines),
        };
        let all: Vec<&'static Domain> = domains().iter().filter(fits).collect();
        let domain = *all.choose(rng)?;
        let way = way(domain);
        let most = if rng.random_bool(0.15) { 14 } else { 9 };
        let sizes = if rng.random_bool(0.25) { 3..=4 } else { 4..=most };
        let n = rng.random_range(sizes);
        let (mut pairs, n) = match way {
            Way::Match => {
                let (l, r) = (rng.random_range(2..=5), rng.random_range(2..=5));
                let mut pairs = Vec::new();
                for a in 0..l {
                    let mut right: Vec<usize> = (l..l + r).collect();
                    right.shuffle(rng);
                    right.truncate(rng.random_range(1..=3));
                    pairs.extend(right.into_iter().map(|b| (a, b)));
                }
                // What nobody wants is not named.
                let named = |i: &usize| pairs.iter().any(|(a, b)| a == i || b == i);
                let kept: Vec<usize> = (0..l + r).filter(named).collect();
                let place = |i: usize| kept.iter().position(|k| *k == i).unwrap_or_default();
                let n = kept.len();
                (pairs.iter().map(|(a, b)| (place(*a), place(*b))).collect::<Vec<_>>(), n)
            }
            Way::Capacity => {
                let n = n.min(8);
                let mut pairs = sparse(rng, n, 1, n / 2 + 1, true);
                if !pairs.iter().any(|(_, b)| *b == n - 1) {
                    pairs.push((n - 2, n - 1));
                }
                (pairs, n)
            }
            _ => (plain_graph(rng, kind, way, n), n),
        };
        let n_left = pairs.iter().map(|(a, _)| a + 1).max().unwrap_or_default();
        if way != Way::Match && rng.random_bool(0.7) {
            pairs.shuffle(rng);
        }
        let has_numbers = way == Way::Capacity
            || kind == "short"
            || way != Way::Match && !matches!(kind, "degree" | "decline") && rng.random_bool(0.06);
        let size = rng.random_range(0..11);
        let edges: Vec<Written> =
            pairs.iter().map(|(a, b)| (*a, *b, has_numbers.then(|| number(rng, size)))).collect();
        let (mut names, are_things) = match way {
            Way::Match => {
                let (mut left, _) = names(rng, domain.nodes, n_left);
                let sort = *["step", "course", "place", "person"].choose(rng)?;
                let (right, _) = names(rng, sort, n - n_left);
                left.extend(right);
                (left, false)
            }
            _ => names(rng, domain.nodes, n),
        };
        if names.iter().collect::<std::collections::BTreeSet<_>>().len() < names.len() {
            return None;
        }
        let has_edge = |i: &usize| pairs.iter().any(|(a, b)| a == i || b == i);
        let alone: Vec<usize> = (0..n).filter(|i| !has_edge(i)).collect();
        let is_pair = |a: usize, b: usize| pairs.contains(&(a, b)) || pairs.contains(&(b, a));
        let mut denied = Vec::new();
        if way != Way::Match && rng.random_bool(0.2) {
            for _ in 0..rng.random_range(1..3) {
                let (a, b) = two(rng, n);
                if !is_pair(a, b) && !alone.contains(&a) && !alone.contains(&b) {
                    denied.push((a, b));
                }
            }
        }
        let mut ends = match way {
            Way::Capacity => (0, n - 1),
            _ => two(rng, n),
        };
        let mut lack = None;
        let has_ends = matches!(kind, "path" | "hops" | "short" | "degree");
        if kind == "decline" {
            let ways = [
                Lack::NoGraph,
                Lack::NoGraph,
                Lack::NoQuestion,
                Lack::TooLittle,
                Lack::NoNumbers,
                Lack::Absent,
            ];
            let fits = |lack: &&Lack| **lack != Lack::NoNumbers || domain.has("?nonum", lines);
            let ways: Vec<&Lack> = ways.iter().filter(fits).collect();
            lack = Some(**ways.choose(rng)?);
        } else if has_ends && rng.random_bool(0.05) {
            lack = Some(Lack::Absent);
        }
        if lack == Some(Lack::Absent) {
            // A node that the question alone names.
            let fresh = match names.first()?.parse::<u32>() {
                Ok(_) => (1..159_u32).map(|n| n.to_string()).find(|n| !names.contains(n))?,
                Err(_) if names[0].chars().next().is_some_and(char::is_uppercase) => title(rng),
                Err(_) => word(rng),
            };
            names.push(fresh);
            ends = match kind == "degree" || rng.random_bool(0.3) {
                true => (names.len() - 1, ends.1),
                false => (ends.0, names.len() - 1),
            };
        }
        Some(Self {
            kind,
            domain,
            way,
            names,
            are_things,
            edges,
            alone,
            denied,
            ends,
            lack,
            handles: Vec::new(),
            written: Vec::new(),
        })
    }

    /// All names that the text has to have.
    pub(super) fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Whether the first node named needs the second, so that the edge leads back.
    pub(super) fn leads_back(&self) -> bool {
        self.domain.leads_back
    }

    pub(super) fn is_directed(&self) -> bool {
        matches!(self.way, Way::Directed | Way::Capacity)
    }
}

/// The sort of a kind's lines.
pub(super) fn sort(kind: &str) -> &'static str {
    match kind {
        "path" => "?path",
        "hops" => "?hops",
        "short" => "?short",
        "cycle" => "?cycle",
        "order" => "?order",
        "match" => "?match",
        "flow" => "?flow",
        "tour" => "?tour",
        "degree" => "?degree",
        "most" => "?most",
        "ends" => "?ends",
        "common" => "?common",
        "groups" => "?groups",
        "reach" => "?reach",
        "bridge" => "?bridge",
        "cutnode" => "?cutnode",
        _ => "?none",
    }
}

//! Orders in which a breadth-first or a depth-first search may visit nodes.

use std::collections::BTreeSet;

use graph::{Graph, NodeIdx, NodeName};

use super::named::{NodeList, last_list, whole_list, wrapped};
use super::order::{Announced, is_broken_off, list, list_alone, read_visits};
use super::{listing, repeated};
use crate::definition::Asked;
use crate::graph_instruct::Start;
use crate::judgement::{Evidence, MarkKind};
use crate::names::join;
use crate::reading::Phrases;
use crate::reading::Reading;
use crate::reading::ReadingRule;
use crate::{Judgement, Verdict};

/// Which node a search goes on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    /// The first of those that it visited and that still have a neighbour that was not visited.
    Breadth,
    /// The last of them.
    Depth,
}

static BY: Phrases = Phrases::of(
    "order, sequence, traversal, answer, result, visited, visits, visit, bfs, dfs, search, nodes",
);

/// Reads what stands between the last `<<<` and `>>>`; else a list that is announced.
pub(crate) fn read(problem: Asked<'_, Start>, reading: &Reading) -> Option<NodeList> {
    let graph = problem.graph;
    if let Some(inside) = wrapped(reading) {
        reading.fire(ReadingRule::witness("between <<< and >>>", None));
        return Some(NodeList { nodes: whole_list(graph, inside, reading) });
    }
    if graph.names().any(|name| name.as_int().is_none()) {
        return last_list(graph, reading).map(|nodes| NodeList { nodes });
    }
    let full = graph.index(&problem.query.start).map_or(0, |start| reached(graph, start).len());
    let named =
        |order: Vec<i64>| NodeList { nodes: order.into_iter().map(NodeName::Int).collect() };
    if reading.lists_alone {
        return list_alone(reading, full).map(named);
    }
    let (mut order, mut rule) = list(reading, &Announced { by: &BY, full });
    let told = read_visits(reading);
    // The start alone, "start from node 5", is no order where more can be reached.
    if order.len() < full && told.len() > order.len().max(usize::from(full > 1)) {
        (order, rule) = (told, ReadingRule::witness("told visits", None));
    }
    // A list that breaks off is none yet, unless it is wrong whatever would follow.
    let distinct: BTreeSet<&i64> = order.iter().collect();
    if order.is_empty()
        || order.len() < full && distinct.len() == order.len() && is_broken_off(reading, &rule)
    {
        return None;
    }
    reading.fire(rule);
    Some(named(order))
}

/// The nodes that can be reached from one.
fn reached(graph: &Graph, start: NodeIdx) -> BTreeSet<NodeIdx> {
    let mut seen = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        open.extend(graph.neighbors(at).into_iter().filter(|next| seen.insert(*next)));
    }
    seen
}

/// How a search goes on, from the nodes that it visited.
struct Walk<'g> {
    graph: &'g Graph,
    search: Search,
    visited: BTreeSet<NodeIdx>,
    /// The nodes that may still have neighbours, in the order in which they were visited.
    open: std::collections::VecDeque<NodeIdx>,
}

impl<'g> Walk<'g> {
    fn from(graph: &'g Graph, search: Search, start: NodeIdx) -> Self {
        Self { graph, search, visited: BTreeSet::from([start]), open: [start].into() }
    }

    /// The node that the search goes on from, and the neighbours that may come next. `None` at its end.
    fn next(&mut self) -> Option<(NodeIdx, Vec<NodeIdx>)> {
        loop {
            let at = match self.search {
                Search::Breadth => self.open.front(),
                Search::Depth => self.open.back(),
            };
            let at = *at?;
            let free = |next: &NodeIdx| !self.visited.contains(next);
            let next: Vec<NodeIdx> = self.graph.neighbors(at).into_iter().filter(free).collect();
            if !next.is_empty() {
                return Some((at, next));
            }
            match self.search {
                Search::Breadth => self.open.pop_front(),
                Search::Depth => self.open.pop_back(),
            };
        }
    }

    fn visit(&mut self, node: NodeIdx) {
        self.visited.insert(node);
        self.open.push_back(node);
    }
}

/// Whether a search may visit the nodes in this order.
pub(crate) fn is_order(
    search: Search,
    graph: &Graph,
    start: &NodeName,
    order: &[NodeName],
) -> bool {
    fault(search, graph, start, order, &mut Evidence::skip()).is_none()
}

/// The first place at which an order is wrong, and what could have come there. Each node's parent is
/// written down.
///
/// Where the search has an end and other nodes are left, it may begin anew at one of them, or stop.
///
/// # Complexity
/// O(n · d) for n nodes with d neighbours, with logarithms.
fn fault(
    search: Search,
    graph: &Graph,
    start: &NodeName,
    order: &[NodeName],
    evidence: &mut Evidence,
) -> Option<String> {
    let unknown: Vec<&NodeName> = order.iter().filter(|name| !graph.has_node(name)).collect();
    if !unknown.is_empty() {
        return Some(format!("the graph has no node {}", listing(&unknown)));
    }
    if let Some(twice) = repeated(order) {
        return Some(format!("node {twice} comes twice"));
    }
    let Some(first) = order.first().filter(|first| *first == start) else {
        return Some(format!("it does not start from node {start}"));
    };
    evidence.node(first, MarkKind::Order(0));
    let mut walk = Walk::from(graph, search, graph.index(first).ok()?);
    for (i, name) in order.iter().enumerate().skip(1) {
        let node = graph.index(name).ok()?;
        let Some((parent, next)) = walk.next() else {
            evidence
                .note(format_args!("{}. {name}: a new start, as nothing else is reached", i + 1));
            walk.visit(node);
            continue;
        };
        let from = graph.name(parent);
        if !next.contains(&node) {
            let could: Vec<&NodeName> = next.iter().map(|node| graph.name(*node)).collect();
            evidence.node(name, MarkKind::False);
            for other in &could {
                evidence.edge(from, other, MarkKind::Path, None);
            }
            return Some(format!(
                "{name} comes in place {}, where the search goes on from node {from} to {}",
                i + 1,
                either(&could)
            ));
        }
        evidence.check(true, format_args!("{}. {name}, a neighbour of {from}", i + 1));
        evidence.node(name, MarkKind::Order(i));
        evidence.edge(from, name, MarkKind::True, None);
        walk.visit(node);
    }
    let (parent, next) = walk.next()?;
    let left: Vec<&NodeName> = next.iter().map(|node| graph.name(*node)).collect();
    Some(format!(
        "it ends after {} nodes, where the search goes on from node {} to {}",
        order.len(),
        graph.name(parent),
        either(&left)
    ))
}

/// `3, 5 or 7`.
fn either(nodes: &[&NodeName]) -> String {
    listing(nodes).replace(" and ", " or ")
}

pub(crate) fn judge(
    search: Search,
    problem: Asked<'_, Start>,
    answer: &NodeList,
    mut evidence: Evidence,
) -> Judgement {
    let (graph, start) = (problem.graph, &problem.query.start);
    let kind = if search == Search::Breadth { "breadth-first" } else { "depth-first" };
    let Some(fault) = fault(search, graph, start, &answer.nodes, &mut evidence) else {
        let text = format_args!("Right: a {kind} search can visit the nodes in this order.");
        return Judgement::new(Verdict::Correct, evidence, text);
    };
    evidence.check(false, fault.as_str());
    if evidence.is_wanted()
        && let Ok(first) = graph.index(start)
    {
        let mut order = vec![start.clone()];
        let mut walk = Walk::from(graph, search, first);
        while let Some((_, next)) = walk.next() {
            order.push(graph.name(next[0]).clone());
            walk.visit(next[0]);
        }
        evidence.note(format_args!("one that is right: {}", join(&order, ", ")));
    }
    let text = format_args!("No {kind} search visits the nodes in this order: {fault}.");
    Judgement::new(Verdict::Incorrect, evidence, text)
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;
    use crate::{parse_question, random, verify};

    /// All orders of `0..n` that begin with 0.
    fn orders(n: usize) -> Vec<Vec<usize>> {
        let mut all = vec![vec![0]];
        for _ in 1..n {
            let longer = all.iter().flat_map(|order: &Vec<usize>| {
                (1..n).filter(|i| !order.contains(i)).map(|i| [&order[..], &[i]].concat())
            });
            all = longer.collect();
        }
        all
    }

    /// What tells such orders without a search: of a before b before c, where a is joined with c and not
    /// with b, some d is joined with b that comes before a (breadth first), or between a and b (depth
    /// first). Corneil and Krueger, A unified view of graph searching (2008).
    fn by_triples(search: Search, joined: &[Vec<bool>], order: &[usize]) -> bool {
        let n = order.len();
        let is = |i: usize, j: usize| joined[order[i]][order[j]];
        (0..n).all(|c| {
            (0..c).all(|b| {
                (0..b).all(|a| {
                    let mut among = match search {
                        Search::Breadth => 0..a,
                        Search::Depth => a + 1..b,
                    };
                    !is(a, c) || is(a, b) || among.any(|d| is(d, b))
                })
            })
        })
    }

    #[test]
    fn all_orders_of_small_graphs_are_judged_as_triples_of_nodes_tell() {
        let mut n_right = 0;
        for seed in 0..60 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let n = random::between(&mut rng, 2, 6);
            let p = rng.random_range(0.4..0.9);
            let edges = random::connected_pairs(&mut rng, n, p);
            let mut joined = vec![vec![false; n]; n];
            for (a, b) in &edges {
                (joined[*a][*b], joined[*b][*a]) = (true, true);
            }
            let graph = random::plain(false, n, edges);
            for order in orders(n) {
                let names: Vec<NodeName> = order.iter().map(|i| NodeName::from(*i)).collect();
                for search in [Search::Breadth, Search::Depth] {
                    let truth = by_triples(search, &joined, &order);
                    let ours = is_order(search, &graph, &names[0], &names);
                    assert_eq!(ours, truth, "{search:?} {seed} {order:?}");
                    n_right += usize::from(truth);
                }
            }
        }
        assert!(n_right > 500, "{n_right}");
    }

    #[test]
    fn directions_count_and_other_parts_may_follow() {
        let graph = random::plain(true, 5, [(0, 1), (0, 2), (2, 0), (1, 3)]);
        let is = |search, order: &[usize]| {
            let names: Vec<NodeName> = order.iter().map(|i| NodeName::from(*i)).collect();
            is_order(search, &graph, &0_usize.into(), &names)
        };
        assert!(is(Search::Breadth, &[0, 1, 2, 3]) && is(Search::Breadth, &[0, 2, 1, 3, 4]));
        assert!(!is(Search::Breadth, &[0, 1, 3, 2]) && !is(Search::Breadth, &[0, 1, 2]));
        assert!(is(Search::Depth, &[0, 1, 3, 2]) && is(Search::Depth, &[0, 2, 1, 3, 4]));
        assert!(!is(Search::Depth, &[0, 1, 2, 3]) && !is(Search::Depth, &[1, 3]));
    }

    #[test]
    fn answers_in_words_are_read_and_a_wrong_order_is_told_where() {
        use Verdict::{Correct, Incorrect, NoAnswer};
        let problem = |kind: &str| {
            parse_question(&format!(
                "Given an undirected graph whose nodes are numbered from 0 to 4, with the edges: [(0, \
                 1), (0, 2), (1, 3), (2, 4)].\nQ: Start from node 0, output a sequence of traversal in \
                 {kind} search order.\nA:"
            ))
            .unwrap()
        };
        let (bfs, dfs) = (problem("breadth-first"), problem("depth-first"));
        for (text, by_breadth, by_depth) in [
            ("<<<0, 1, 2, 3, 4>>>", Correct, Incorrect),
            ("<<<[0, 2, 1, 4, 3]>>>", Correct, Incorrect),
            ("I visit 0, then more. <<<0, 1, 3, 2, 4>>>", Incorrect, Correct),
            ("Not <<<0, 1>>> but <<<0,2,4,1,3>>>.", Incorrect, Correct),
            // The benchmark's rules accept the next two.
            ("<<<0, 1, 2, 4, 3>>>", Incorrect, Incorrect),
            ("<<<0, 1, 2, 3, 4, 4>>>", Incorrect, Incorrect),
            ("The order is 0 -> 1 -> 2 -> 3 -> 4.", Correct, Incorrect),
            ("0, 1, 3, 2, 4", Incorrect, Correct),
            ("<<<0, 1, 3, 2, 9>>>", Incorrect, Incorrect),
            ("<<<1, 0, 3, 2, 4>>>", Incorrect, Incorrect),
            ("The sequence is 0, 1,", NoAnswer, NoAnswer),
            ("I do not know.", NoAnswer, NoAnswer),
        ] {
            for (problem, verdict) in [(&bfs, by_breadth), (&dfs, by_depth)] {
                let judgement = verify(problem, text);
                assert_eq!(judgement.verdict, verdict, "{text}: {}", judgement.explanation);
            }
        }
        let told = verify(&bfs, "<<<0, 1, 2, 4, 3>>>").explanation;
        assert!(
            told.contains("4 comes in place 4, where the search goes on from node 1 to 3"),
            "{told}"
        );
        let told = verify(&dfs, "<<<0, 1, 2, 3, 4>>>");
        assert!(told.explanation.contains("2 comes in place 3"), "{}", told.explanation);
        assert!(told.certificate.lines.iter().any(|line| line.text == "2. 1, a neighbour of 0"));
    }
}

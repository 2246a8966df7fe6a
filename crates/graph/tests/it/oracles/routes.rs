//! Routes of several vehicles, against every assignment in every order.

use graph::functions::plan_routes::{Args, Returns, plan_routes};
use graph::{Graph, NodeName};
use proptest::prelude::*;

use super::small::{Small, Weights, small};

/// All distances, by Floyd and Warshall, without the blocked nodes.
fn distances(g: &Small, blocked: &[usize]) -> Vec<Vec<f64>> {
    let mut d = vec![vec![f64::INFINITY; g.n]; g.n];
    for &(a, b, w) in &g.edges {
        if !blocked.contains(&a) && !blocked.contains(&b) {
            d[a][b] = d[a][b].min(w);
            d[b][a] = d[b][a].min(w);
        }
    }
    for v in 0..g.n {
        if !blocked.contains(&v) {
            d[v][v] = 0.0;
        }
    }
    for k in 0..g.n {
        for i in 0..g.n {
            for j in 0..g.n {
                d[i][j] = d[i][j].min(d[i][k] + d[k][j]);
            }
        }
    }
    d
}

/// The best sums of arrivals by priority, and the least length of a plan that has them.
fn best(
    d: &[Vec<f64>],
    starts: &[usize],
    targets: &[usize],
    priorities: &[u32],
) -> (Vec<f64>, f64) {
    let reachable: Vec<usize> = (0..targets.len())
        .filter(|&t| starts.iter().any(|&s| d[s][targets[t]].is_finite()))
        .collect();
    let mut classes: Vec<u32> = reachable.iter().map(|&t| priorities[t]).collect();
    classes.sort_unstable();
    classes.dedup();
    let mut best: Option<(Vec<f64>, f64)> = None;
    let n_ways = starts.len().pow(reachable.len() as u32);
    for order in permutations(&reachable) {
        for way in 0..n_ways {
            let mut at = starts.to_vec();
            let mut time = vec![0.0; starts.len()];
            let mut urgency = vec![0; starts.len()];
            let mut sums = vec![0.0; classes.len()];
            let (mut rest, mut fits) = (way, true);
            for &t in &order {
                let v = rest % starts.len();
                rest /= starts.len();
                fits &= urgency[v] <= priorities[t];
                urgency[v] = priorities[t];
                time[v] += d[at[v]][targets[t]];
                at[v] = targets[t];
                sums[classes.iter().position(|&c| c == priorities[t]).unwrap()] += time[v];
            }
            let length: f64 = time.iter().sum();
            if fits
                && length.is_finite()
                && best.as_ref().is_none_or(|b| (&sums, length) < (&b.0, b.1))
            {
                best = Some((sums, length));
            }
        }
    }
    best.unwrap_or_default()
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for i in 0..items.len() {
        let mut rest = items.to_vec();
        let first = rest.remove(i);
        for mut tail in permutations(&rest) {
            tail.insert(0, first);
            all.push(tail);
        }
    }
    all
}

/// What a plan claims holds on the graph: walks, lengths, order, everyone served once.
fn honest(graph: &Graph, args: &Args, plan: &Returns) -> Result<(), TestCaseError> {
    let blocked = args.blocked_nodes.clone();
    let priorities = args.priorities.clone().unwrap_or_else(|| vec![1; args.targets.len()]);
    let mut served = vec![0; args.targets.len()];
    for route in &plan.routes {
        prop_assert_eq!(&route.path[0], &args.starts[route.vehicle]);
        let mut walked = 0.0;
        let mut along = vec![(route.path[0].clone(), 0.0)];
        for pair in route.path.windows(2) {
            prop_assert!(!blocked.contains(&pair[0]) && !blocked.contains(&pair[1]));
            walked += graph.edge(&pair[0], &pair[1]).expect("an edge").weight_or_one();
            along.push((pair[1].clone(), walked));
        }
        prop_assert_eq!(walked, route.length);
        let mut urgency = 0;
        for stop in &route.stops {
            prop_assert!(along.contains(&(stop.node.clone(), stop.arrival)));
            prop_assert!(priorities[stop.target] >= urgency);
            urgency = priorities[stop.target];
            served[stop.target] += 1;
        }
    }
    for lost in &plan.unreachable {
        served[lost.target] += 1;
    }
    prop_assert!(served.iter().all(|&n| n == 1), "{served:?}");
    Ok(())
}

fn named(nodes: &[usize]) -> Vec<NodeName> {
    nodes.iter().map(|&n| NodeName::from(n)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_plan_is_better(
        g in small(7, Weights::Natural),
        starts in proptest::collection::vec(0..7usize, 0..=3),
        targets in proptest::collection::vec((0..7usize, 1..=3u32), 0..=5),
        blocked in proptest::collection::vec(0..7usize, 0..=2),
    ) {
        prop_assume!(g.n > 0);
        let g = Small { directed: false, ..g.undirected() };
        let within = |v: usize| v % g.n;
        let starts: Vec<usize> = starts.into_iter().map(within).collect();
        let blocked: Vec<usize> = blocked.into_iter().map(within).collect();
        let (targets, priorities): (Vec<usize>, Vec<u32>) =
            targets.into_iter().map(|(t, p)| (within(t), p)).unzip();
        let graph = g.graph();
        let args = Args {
            starts: named(&starts),
            targets: named(&targets),
            priorities: Some(priorities.clone()),
            blocked_nodes: named(&blocked),
            blocked_edges: Vec::new(),
        };
        let plan = plan_routes(&graph, &args).unwrap();
        honest(&graph, &args, &plan)?;
        prop_assert!(plan.optimal);
        let (sums, length) = best(&distances(&g, &blocked), &starts, &targets, &priorities);
        let found: Vec<f64> = plan.arrival_sums.iter().map(|s| s.sum).collect();
        prop_assert_eq!(found, sums);
        prop_assert_eq!(plan.routes.iter().map(|r| r.length).sum::<f64>(), length);
    }

    #[test]
    fn large_plans_are_honest(
        n in 20..80usize,
        seed in any::<u64>(),
        n_vehicles in 1..8usize,
        n_targets in 10..40usize,
    ) {
        let plain = graph::generators::gnp(n, 3.0 / n as f64, false, seed).unwrap();
        let mut graph = Graph::undirected();
        for name in plain.names() {
            graph.ensure_node(name.clone()).unwrap();
        }
        for (i, e) in plain.edges().enumerate() {
            graph.link_weighted(e.source.clone(), e.target.clone(), (i * 7 % 11 + 1) as f64).unwrap();
        }
        let targets: Vec<usize> = (0..n_targets).map(|i| (i * 13 + 5) % n).collect();
        let starts: Vec<usize> = (0..n_vehicles).map(|i| (i * 17) % n).collect();
        let args = Args {
            starts: named(&starts),
            targets: named(&targets),
            priorities: Some((0..n_targets).map(|i| i as u32 % 3 + 1).collect()),
            blocked_nodes: Vec::new(),
            blocked_edges: Vec::new(),
        };
        let plan = plan_routes(&graph, &args).unwrap();
        honest(&graph, &args, &plan)?;
    }
}

#[test]
fn a_blocked_edge_is_gone_round_and_a_directed_graph_refused() {
    let mut graph = Graph::undirected();
    for (a, b, w) in [(0usize, 1usize, 1.0), (1, 2, 1.0), (0, 2, 9.0)] {
        graph.link_weighted(a, b, w).unwrap();
    }
    let mut args = Args {
        starts: named(&[0]),
        targets: named(&[2]),
        priorities: None,
        blocked_nodes: Vec::new(),
        blocked_edges: vec![(NodeName::from(1usize), NodeName::from(0usize))],
    };
    let plan = plan_routes(&graph, &args).unwrap();
    assert_eq!(plan.routes[0].length, 9.0);
    args.blocked_edges = vec![(NodeName::from(0usize), NodeName::from(7usize))];
    assert_eq!(plan_routes(&graph, &args).unwrap_err().code, "unknown_node");
    args.blocked_edges = Vec::new();
    args.priorities = Some(vec![1, 2]);
    assert_eq!(plan_routes(&graph, &args).unwrap_err().code, "length_mismatch");
    args.priorities = None;
    assert_eq!(plan_routes(&Graph::directed(), &args).unwrap_err().code, "unknown_node");
    let mut directed = Graph::directed();
    directed.link(0usize, 2usize).unwrap();
    assert_eq!(plan_routes(&directed, &args).unwrap_err().code, "directed_graph");
    let mut negative = Graph::undirected();
    negative.link_weighted(0usize, 2usize, -1.0).unwrap();
    assert_eq!(plan_routes(&negative, &args).unwrap_err().code, "negative_weight");
}

//! Routes of several vehicles to targets of different urgency.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, sample,
};
use crate::routing::{Table, assign};
use crate::search::{Reach, dijkstra};
use crate::{Adjacency, Graph, NodeIdx, NodeName};

/// The most vehicles of a call.
pub const MAX_VEHICLES: usize = 50;
/// The most targets of a call.
pub const MAX_TARGETS: usize = 200;

/// Plans which vehicle goes to which targets, and in which order, along shortest paths. Urgent
/// targets come first: each vehicle serves its targets in the order of their priority, and the sum
/// of the arrivals at the most urgent ones is made as small as possible, then that of the next.
/// Every target that some vehicle can reach is served once; the others are named as unreachable.
/// Blocked nodes and edges are not walked. The graph must be undirected.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The node where each vehicle starts; several may start at the same node.
    pub starts: Vec<NodeName>,
    /// The node of each target; two targets may be at the same node.
    pub targets: Vec<NodeName>,
    /// One priority for each target, in the same order: 1 is the most urgent, 2 comes after 1, and
    /// so on. Leave out if all are equally urgent.
    #[serde(default)]
    pub priorities: Option<Vec<u32>>,
    /// Nodes that no route may enter, such as a fire.
    #[serde(default)]
    pub blocked_nodes: Vec<NodeName>,
    /// Edges that no route may use.
    #[serde(default)]
    #[schemars(with = "Vec<[NodeName; 2]>")]
    pub blocked_edges: Vec<(NodeName, NodeName)>,
}

/// A target that a route serves.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TargetStop {
    /// The number of the target in `targets`, from 0.
    pub target: usize,
    /// Its node.
    pub node: NodeName,
    /// The length of the route up to here.
    pub arrival: f64,
}

/// What one vehicle does.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Route {
    /// The number of the vehicle in `starts`, from 0.
    pub vehicle: usize,
    /// Its targets, in the order in which it serves them.
    pub stops: Vec<TargetStop>,
    /// Every node that it passes, from its start to its last target.
    pub path: Vec<NodeName>,
    /// The length of the route.
    pub length: f64,
}

/// A target that nobody can reach.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Unreachable {
    /// The number of the target in `targets`, from 0.
    pub target: usize,
    /// Its node.
    pub node: NodeName,
}

/// The sum of the arrivals at the targets of a priority.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ArrivalSum {
    /// The priority.
    pub priority: u32,
    /// The sum of the arrivals at its targets.
    pub sum: f64,
}

/// The routes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Returns {
    /// One route for each vehicle, in the order of `starts`; one without stops stays where it is.
    pub routes: Vec<Route>,
    /// The targets that no vehicle can reach.
    pub unreachable: Vec<Unreachable>,
    /// What was made as small as possible, the most urgent priority first.
    pub arrival_sums: Vec<ArrivalSum>,
    /// Whether no plan is better by this measure. If false, the plan is a good one that was found
    /// within the limit on steps.
    pub optimal: bool,
}

/// Routes of vehicles to targets, the most urgent first.
///
/// The measure is lexicographic: the sum of the arrivals at the targets of the smallest priority
/// number, then of the next, and of plans equal in all of them the shorter one. In each route the
/// priorities never fall. The search is exact while its budget lasts, which is for up to eight
/// targets of a priority at most; `optimal` says whether it did.
///
/// # Errors
/// `unknown_node`, `unknown_edge`, `length_mismatch`, `directed_graph`, `negative_weight`,
/// `too_many_targets`.
///
/// # Complexity
/// O((v + k) · (n + m) log n) for v vehicles and k targets, and a bounded exact search; after it
/// O(k² · (k + v)) a round of local search.
///
/// Paper: Graph-Grounded LLMs §V has the application, and no algorithm for it.
pub fn plan_routes(graph: &Graph, args: &Args) -> Result<Returns, FunctionError> {
    let (n_vehicles, n_targets) = (args.starts.len(), args.targets.len());
    if n_vehicles > MAX_VEHICLES || n_targets > MAX_TARGETS {
        return Err(FunctionError::new(
            "too_many_targets",
            format!(
                "{n_vehicles} vehicles and {n_targets} targets are too many: at most \
                 {MAX_VEHICLES} and {MAX_TARGETS} are planned at once"
            ),
        ));
    }
    let priorities = args.priorities.clone().unwrap_or_else(|| vec![1; n_targets]);
    bounds::one_for_each("targets", n_targets, "priorities", priorities.len())?;
    let blocked = Blocked::new(graph, args)?;
    let starts = places(graph, &args.starts)?;
    let targets = places(graph, &args.targets)?;
    let roads = blocked.open(graph)?;
    let work = (n_vehicles + n_targets) as u64 * (roads.n_nodes() + roads.edges.len()) as u64;
    bounds::affordable(work * 20)?;
    let reach = |at: &NodeIdx| {
        let position = roads.position(*at);
        (!blocked.nodes[position as usize]).then(|| dijkstra(&roads, position, None))
    };
    let from_starts: Vec<Option<Reach>> = starts.iter().map(reach).collect();
    let from_targets: Vec<Option<Reach>> = targets.iter().map(reach).collect();
    let at: Vec<u32> = targets.iter().map(|t| roads.position(*t)).collect();
    let row = |reach: &Option<Reach>| -> Vec<f64> {
        at.iter()
            .map(|t| reach.as_ref().map_or(f64::INFINITY, |r| r.distance[*t as usize]))
            .collect()
    };
    let table = Table {
        from_start: from_starts.iter().map(row).collect(),
        between: from_targets.iter().map(row).collect(),
        start_at: starts.iter().map(|s| roads.position(*s)).collect(),
        target_at: at.clone(),
    };
    let mut classes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    let mut unreachable = Vec::new();
    for (target, node) in args.targets.iter().enumerate() {
        if table.from_start.iter().any(|r| r[target].is_finite()) {
            classes.entry(priorities[target]).or_default().push(target);
        } else {
            unreachable.push(Unreachable { target, node: node.clone() });
        }
    }
    let ordered: Vec<Vec<usize>> = classes.values().cloned().collect();
    let assignment = assign(&table, &ordered);
    let mut routes = Vec::with_capacity(n_vehicles);
    let mut sums: BTreeMap<u32, f64> = classes.keys().map(|p| (*p, 0.0)).collect();
    for (vehicle, order) in assignment.orders.iter().enumerate() {
        let mut route = Route {
            vehicle,
            stops: Vec::new(),
            path: vec![args.starts[vehicle].clone()],
            length: 0.0,
        };
        let mut from = from_starts[vehicle].as_ref();
        for &target in order {
            let Some(reach) = from else { break };
            let leg = reach.path_to(at[target]).unwrap_or_default();
            route.length += reach.distance[at[target] as usize];
            let names = graph.names_of(&roads.places(&leg));
            route.path.extend(names.into_iter().skip(1));
            *sums.entry(priorities[target]).or_default() += route.length;
            let node = args.targets[target].clone();
            route.stops.push(TargetStop { target, node, arrival: route.length });
            from = from_targets[target].as_ref();
        }
        routes.push(route);
    }
    let arrival_sums =
        sums.into_iter().map(|(priority, sum)| ArrivalSum { priority, sum }).collect();
    Ok(Returns { routes, unreachable, arrival_sums, optimal: assignment.proven })
}

fn places(graph: &Graph, names: &[NodeName]) -> Result<Vec<NodeIdx>, FunctionError> {
    names.iter().map(|name| graph.index(name).map_err(FunctionError::from)).collect()
}

/// What no route may walk, by positions in the graph's bare structure.
struct Blocked {
    nodes: Vec<bool>,
    edges: Vec<(u32, u32)>,
}

impl Blocked {
    fn new(graph: &Graph, args: &Args) -> Result<Self, FunctionError> {
        let adjacency = graph.adjacency();
        let mut nodes = vec![false; adjacency.n_nodes()];
        for name in &args.blocked_nodes {
            nodes[adjacency.position(graph.index(name)?) as usize] = true;
        }
        let mut edges = Vec::new();
        for (a, b) in &args.blocked_edges {
            graph.require_edge(a, b)?;
            let (a, b) = (graph.index(a)?, graph.index(b)?);
            let (a, b) = (adjacency.position(a), adjacency.position(b));
            edges.push((a.min(b), a.max(b)));
        }
        edges.sort_unstable();
        Ok(Self { nodes, edges })
    }

    /// The graph without what is blocked.
    fn open(&self, graph: &Graph) -> Result<Adjacency, FunctionError> {
        let mut roads = graph.adjacency();
        if roads.directed {
            return Err(FunctionError::new(
                "directed_graph",
                "routes are planned on an undirected graph, and this one is directed: create it \
                 with directed = false",
            ));
        }
        let edges = std::mem::take(&mut roads.edges);
        let open = |&(a, b, _): &(u32, u32, f64)| {
            !self.nodes[a as usize]
                && !self.nodes[b as usize]
                && self.edges.binary_search(&(a.min(b), a.max(b))).is_err()
        };
        let edges: Vec<(u32, u32, f64)> = edges.into_iter().filter(open).collect();
        if let Some(&(a, b, weight)) = edges.iter().find(|e| e.2 < 0.0) {
            let names = graph.names_of(&roads.places(&[a, b]));
            return Err(FunctionError::new(
                "negative_weight",
                format!(
                    "edge ({}, {}) has the weight {weight}: a distance is at least 0",
                    names[0], names[1]
                ),
            ));
        }
        Ok(Adjacency::new(roads.nodes, roads.position, false, edges))
    }
}

pub(super) struct PlanRoutes;

impl Typed for PlanRoutes {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let plan = plan_routes(graph, &args)?;
        for route in plan.routes.iter().filter(|r| !r.stops.is_empty()) {
            for node in &route.path {
                if !out.touched.nodes.contains(node) {
                    out.touched.nodes.push(node.clone());
                }
            }
            let edges = route.path.windows(2).map(|w| (w[0].clone(), w[1].clone()));
            out.touched.edges.extend(edges);
        }
        Ok(plan)
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<PlanRoutes>(Facts {
    name: "plan_routes",
    title: "Routes of several vehicles",
    group: Group::Paths,
    paper: "",
    writes: false,
    raises: &[
        ("unknown_node", "A node is not in the graph."),
        ("unknown_edge", "A blocked edge is not in the graph."),
        ("length_mismatch", "There is not one priority for each target."),
        ("directed_graph", "The graph is directed."),
        ("negative_weight", "An edge has a weight below 0."),
        ("too_many_targets", "There are too many vehicles or targets."),
    ],
    complexity: "O((v + k) · (n + m) log n) for v vehicles and k targets, and a bounded search",
    example: || Example {
        graph: sample::weighted(&[(0, 1, 4.0), (1, 2, 3.0), (2, 3, 2.0), (3, 4, 5.0), (4, 0, 1.0)]),
        arguments: json!({
            "starts": [0, 2], "targets": [1, 3, 4], "priorities": [2, 1, 1], "blocked_nodes": []
        }),
    },
});

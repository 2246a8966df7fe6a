//! A task asked about a random graph: `gen=er,20,0.2` with a seed.

use graph::generators::{barabasi_albert, gnp, random_dag, random_sparse, random_tree};
use graph::{Delta, Graph, NodeName};
use protocol::exact::Exact;
use protocol::problem::{ProblemView, SampleProblem};
use tasks::{EdgeNumber, Problem, TaskId};

use crate::context::{Context, Ended};
use crate::problems;

/// The most nodes: more are not drawn.
const MAX_NODES: usize = draw::MOST_NODES;

/// Makes the graph that a generator's name and numbers say, and asks the task's question about it.
///
/// # Errors
/// The words say what is wrong with the generator, and which there are.
fn ask_about(task: TaskId, generator: &str, seed: u64) -> Result<Problem, String> {
    let mut parts = generator.split(',').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let mut number = |what: &str| -> Result<f64, String> {
        let text = parts.next().unwrap_or_default();
        text.parse::<f64>()
            .ok()
            .filter(|x| x.is_finite() && *x >= 0.0)
            .ok_or_else(|| format!("{generator:?} has {text:?} as its {what}; {GENERATORS}"))
    };
    let n = number("number of nodes")?;
    if !(2.0..=MAX_NODES as f64).contains(&n) || n.fract() != 0.0 {
        return Err(format!("{n} is no number of nodes for a link; 2 to {MAX_NODES} are"));
    }
    let n = n as usize;
    let directed = task.is_directed();
    let graph = match (name, directed) {
        ("er", _) => {
            let p = number("probability")?;
            match task {
                TaskId::Topology => random_dag(n, p, seed),
                _ => gnp(n, p, directed, seed),
            }
        }
        ("ba", false) => barabasi_albert(n, number("number of edges a node")? as usize, seed),
        ("sparse", _) => random_sparse(n, number("number of edges")? as usize, directed, seed),
        ("tree", false) => random_tree(n, seed),
        _ => return Err(format!("{task} has no graphs of a generator {name:?}; {GENERATORS}")),
    }
    .map_err(|e| e.to_string())?;
    super::bounded(graph.n_nodes(), graph.n_edges()).map_err(|e| e.to_string())?;
    let (source, target) = (NodeName::from(0usize), NodeName::from(n - 1));
    let graph = match task.edge_number() {
        EdgeNumber::Unused => graph,
        EdgeNumber::Weight => weighted(&graph, seed, false)?,
        EdgeNumber::Capacity => weighted(&graph, seed, true)?,
    };
    let query = task.between(&graph, source, target).filter(|query| query.check(&graph).is_ok());
    let Some(query) = query else {
        return Err(format!(
            "{task} is not asked about random graphs; leave out gen, and give a difficulty"
        ));
    };
    Ok(Problem { difficulty: None, seed: None, graph, query })
}

pub(crate) async fn sample(_: &Context, ask: SampleProblem) -> Result<Exact<ProblemView>, Ended> {
    let SampleProblem { task, generator, seed, wording, style } = ask;
    Ok(Exact(problems::view(ask_about(task, &generator, seed)?, wording, style)))
}

/// What can be asked for, for people.
const GENERATORS: &str = "gen is er,NODES,PROBABILITY or sparse,NODES,EDGES, for undirected \
                          questions also ba,NODES,EDGES-A-NODE or tree,NODES";

/// The same graph with a number from 1 to 10 on every edge.
fn weighted(graph: &Graph, seed: u64, as_capacity: bool) -> Result<Graph, String> {
    let mut deltas = graph.to_deltas();
    for (i, delta) in (0u64..).zip(&mut deltas) {
        let value = Some((mixed(seed ^ i.wrapping_mul(0x9e37_79b9_7f4a_7c15)) % 10 + 1) as f64);
        match delta {
            Delta::Create { weighted, .. } => *weighted = !as_capacity,
            Delta::AddEdge { capacity, .. } if as_capacity => *capacity = value,
            Delta::AddEdge { weight, .. } => *weight = value,
            _ => {}
        }
    }
    Graph::from_deltas(&deltas).map_err(|e| e.to_string())
}

/// A number that looks random (the last step of splitmix64).
fn mixed(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

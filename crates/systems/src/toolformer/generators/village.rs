//! People in circles of friends.

use graph::{Graph, GraphError};

use super::chance::Chance;
use crate::toolformer::data::{Data, Network};

/// The circles.
pub const CIRCLES: usize = 6;

/// Makes so many people, called `p1`, `p2`, …, in six circles, which are the labels. Two of a circle
/// know each other with probability 0.3, two others with 0.01; who would know nobody knows somebody
/// of the circle, and each circle knows somebody of the next.
///
/// # Errors
/// There are more people than a graph may have.
pub fn make(n: usize, seed: u64) -> Result<Data, GraphError> {
    let mut chance = Chance::new(seed);
    let circles = chance.classes(n, CIRCLES);
    let name = |i: usize| format!("p{}", i + 1);
    let mut graph = Graph::undirected();
    for i in 0..n {
        graph.ensure_node(name(i))?;
    }
    let mut last: Vec<Option<usize>> = vec![None; CIRCLES];
    for i in 0..n {
        for j in 0..i {
            if chance.is(if circles[i] == circles[j] { 0.3 } else { 0.01 }) {
                graph.link(name(j), name(i))?;
            }
        }
        // Along its circle all hang together.
        if let Some(before) = last[circles[i]].replace(i)
            && graph.edge(&name(before).into(), &name(i).into()).is_none()
        {
            graph.link(name(before), name(i))?;
        }
    }
    for pair in last.windows(2) {
        if let &[Some(a), Some(b)] = pair
            && graph.edge(&name(a).into(), &name(b).into()).is_none()
        {
            graph.link(name(a), name(b))?;
        }
    }
    let labels = circles.iter().map(|c| Some(format!("circle {}", c + 1))).collect();
    Ok(Data::network(Network { graph, features: Vec::new(), labels, times: Vec::new() }))
}

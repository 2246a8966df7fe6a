//! What a claim in a text and an edge on a drawing have in common.

use graph::NodeName;
use tasks::claims::Claim;

/// Two ends, in one order: a claim about an edge is about it in either direction.
pub type EdgeEnds = (NodeName, NodeName);

/// The ends of an edge in their one order.
pub fn ends(a: &NodeName, b: &NodeName) -> EdgeEnds {
    if a <= b { (a.clone(), b.clone()) } else { (b.clone(), a.clone()) }
}

/// The edges that a claim is about.
pub fn edges_of(claim: &Claim) -> Vec<EdgeEnds> {
    claim.marks.edges.iter().map(|mark| ends(&mark.source, &mark.target)).collect()
}

#[cfg(test)]
mod tests {
    use tasks::{Difficulty, TaskId, claims, task};

    use super::*;

    #[test]
    fn a_claimed_path_is_about_its_edges_from_either_end() {
        let problem = task(TaskId::Connectivity).generate(Difficulty::Easy, 3);
        let edge = problem.graph.edges().next().unwrap();
        let (u, v) = (edge.source.clone(), edge.target.clone());
        let found = claims::find(&problem, &format!("There is an edge between {v} and {u}."));
        assert_eq!(edges_of(&found[0]), [ends(&u, &v)]);
        assert_eq!(ends(&u, &v), ends(&v, &u));
    }
}

//! What a person points at: a claim in a text, or the edges on a drawing that it is about.

use graph::NodeName;
use leptos::prelude::*;
use tasks::claims::Claim;

/// Two ends, in one order: a claim about an edge is about it in either direction.
pub type Ends = (NodeName, NodeName);

/// The edges that are pointed at; in the context of every page.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pointing(RwSignal<Vec<Ends>>);

/// The ends of an edge in their one order.
pub fn ends(a: &NodeName, b: &NodeName) -> Ends {
    if a <= b { (a.clone(), b.clone()) } else { (b.clone(), a.clone()) }
}

/// The edges that a claim is about.
pub fn edges_of(claim: &Claim) -> Vec<Ends> {
    claim.marks.edges.iter().map(|mark| ends(&mark.source, &mark.target)).collect()
}

impl Pointing {
    /// Points at edges; at none where the pointer leaves.
    pub fn at(self, edges: Vec<Ends>) {
        if self.0.with_untracked(|before| *before != edges) {
            self.0.set(edges);
        }
    }

    /// Whether one of these edges is pointed at.
    pub fn is_at(self, edges: &[Ends]) -> bool {
        self.0.with(|at| edges.iter().any(|edge| at.contains(edge)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_the_same_from_both_ends() {
        let (a, b, c): (NodeName, NodeName, NodeName) = ("a".into(), "b".into(), "c".into());
        let owner = Owner::new();
        owner.set();
        let pointing = Pointing::default();
        pointing.at(vec![ends(&b, &a)]);
        assert!(pointing.is_at(&[ends(&b, &c), ends(&a, &b)]) && !pointing.is_at(&[ends(&b, &c)]));
        pointing.at(Vec::new());
        assert!(!pointing.is_at(&[ends(&a, &b)]));
    }
}

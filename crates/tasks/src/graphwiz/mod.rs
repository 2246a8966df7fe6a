//! Tasks of GraphWiz (arXiv 2402.16029), one file each.
//!
//! Its questions tell the graph behind the `Q:`, and its answers stand behind `###`. They are read
//! as its files have them; for styles with exemplars an `A:` closes the question.

pub(crate) mod bipartite;
pub(crate) mod hamiltonian;
pub(crate) mod substructure;
pub(crate) mod triplet;

//! Small molecules, half of which do something.

use std::rc::Rc;

use graph::{Graph, GraphError};

use super::chance::Chance;
use crate::toolformer::data::{Data, Member, Network};

/// The atoms, in the order of the features.
pub const ATOMS: [&str; 4] = ["C", "N", "O", "Cl"];

struct Molecule {
    graph: Graph,
    atoms: Vec<u32>,
}

impl Molecule {
    /// A new atom, bound to another if one is named.
    fn atom(&mut self, atom: u32, to: Option<usize>) -> Result<usize, GraphError> {
        let new = self.atoms.len();
        self.graph.ensure_node(new.to_string())?;
        self.atoms.push(atom);
        if let Some(to) = to {
            self.graph.link(to.to_string(), new.to_string())?;
        }
        Ok(new)
    }

    /// A chain of carbon that begins at an atom.
    fn chain(&mut self, n: usize, mut to: Option<usize>) -> Result<Vec<usize>, GraphError> {
        let mut chain = Vec::new();
        for _ in 0..n {
            let atom = self.atom(0, to)?;
            chain.push(atom);
            to = Some(atom);
        }
        Ok(chain)
    }

    fn ring(&mut self, n: usize, to: Option<usize>) -> Result<Vec<usize>, GraphError> {
        let ring = self.chain(n, to)?;
        self.graph.link(ring[n - 1].to_string(), ring[0].to_string())?;
        Ok(ring)
    }
}

/// Makes so many molecules, called by their numbers, from 1. The class is 1 where a nitrogen with two
/// oxygens sits on a ring, else 0: it may sit on a chain, or the ring may carry other atoms, so that
/// counting atoms does not tell. One label in twenty is wrong.
///
/// # Errors
/// None in practice: molecules are small.
pub fn make(n: usize, seed: u64) -> Result<Data, GraphError> {
    let mut chance = Chance::new(seed);
    let classes = chance.classes(n, 2);
    let mut set = Vec::new();
    for (i, class) in classes.into_iter().enumerate() {
        let molecule = molecule(class == 1, &mut chance)?;
        let told = if chance.is(0.05) { 1 - class } else { class };
        let features = molecule.atoms.iter().map(|&a| vec![(a, 1.0)]).collect();
        let network =
            Network { graph: molecule.graph, features, labels: Vec::new(), times: Vec::new() };
        set.push(Member {
            name: (i + 1).to_string(),
            network: Rc::new(network),
            label: Some(told.to_string()),
        });
    }
    Ok(Data::Set(set))
}

fn molecule(does: bool, chance: &mut Chance) -> Result<Molecule, GraphError> {
    let mut it = Molecule { graph: Graph::undirected(), atoms: Vec::new() };
    let mut rings = vec![it.ring(chance.between(5, 6), None)?];
    if chance.is(0.4) {
        let at = rings[0][chance.below(3)];
        rings.push(it.ring(chance.between(5, 6), Some(at))?);
    }
    let mut chains = Vec::new();
    for _ in 0..chance.between(1, 2) {
        let ring = chance.below(rings.len());
        let at = rings[ring][chance.below(rings[ring].len())];
        chains.extend(it.chain(chance.between(2, 4), Some(at))?);
    }
    // The group that matters, and where it does not matter.
    let group_at = if does {
        let ring = &rings[chance.below(rings.len())];
        Some(ring[chance.below(ring.len())])
    } else {
        chance.is(0.75).then(|| chains[chance.below(chains.len())])
    };
    if let Some(at) = group_at {
        let nitrogen = it.atom(1, Some(at))?;
        it.atom(2, Some(nitrogen))?;
        it.atom(2, Some(nitrogen))?;
    }
    // Atoms that say nothing.
    for _ in 0..chance.below(4) {
        let at = chance.below(it.atoms.len());
        let atom = [1, 2, 3][chance.below(3)];
        if it.atoms[at] == 0 {
            it.atom(atom, Some(at))?;
        }
    }
    Ok(it)
}

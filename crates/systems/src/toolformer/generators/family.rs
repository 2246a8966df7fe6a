//! A family, its home and what it owns, as facts.

use std::rc::Rc;

use tasks::family::{Recipe, generate};

use crate::toolformer::data::{Data, DataError};

/// Makes the household of the family benchmark from which examples may be taken, with ids in place of
/// addresses and the like. The people have given names alone.
///
/// # Errors
/// There are fewer or more relatives than a household may have, 8 to 20.
pub fn make(n_relatives: usize, seed: u64) -> Result<Data, DataError> {
    let recipe =
        Recipe { cells: [0; 4], n_noise: 0, n_relatives, is_opaque: true, ..Recipe::full(seed) };
    let benchmark = generate(recipe)?;
    // The first is without the relations that the benchmark keeps back, the second is whole.
    let family = benchmark.families.iter().find(|f| f.id == "h0+");
    let kg = family.map(tasks::family::Family::kg).transpose()?;
    kg.map(|kg| Data::Knowledge(Rc::new(kg))).ok_or(DataError::Empty { what: "family" })
}

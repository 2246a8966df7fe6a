//! Papers in six fields that cite each other.

use std::collections::BTreeSet;

use graph::{Graph, GraphError};

use super::chance::Chance;
use crate::toolformer::data::{Data, Network};

/// The fields.
pub const FIELDS: [&str; 6] =
    ["Acoustics", "Botany", "Cartography", "Dyestuffs", "Economics", "Folklore"];
/// Words that are used in one field above all.
const OWN_WORDS: usize = 30;
/// Words that are used in all.
const COMMON_WORDS: usize = 120;
/// Words of all, which are the features.
pub const WORDS: usize = FIELDS.len() * OWN_WORDS + COMMON_WORDS;

/// Makes so many papers, called by their numbers, from 1. Each but the first cites one to five that
/// came before it, mostly of its own field and rather old ones. A word in three is of its field, some
/// are of the next. The labels of one paper in sixteen are wrong, so that nobody can be right about
/// all.
///
/// # Errors
/// There are more papers than a graph may have.
pub fn make(n: usize, seed: u64) -> Result<Data, GraphError> {
    let mut chance = Chance::new(seed);
    let fields = chance.classes(n, FIELDS.len());
    let mut of_field: Vec<Vec<usize>> = vec![Vec::new(); FIELDS.len()];
    let mut graph = Graph::directed();
    let (mut features, mut labels) = (Vec::new(), Vec::new());
    for (i, &field) in fields.iter().enumerate() {
        graph.ensure_node((i + 1).to_string())?;
        let mut cited = BTreeSet::new();
        for _ in 0..if i == 0 { 0 } else { chance.between(1, 5) } {
            let own = &of_field[field];
            cited.insert(if !own.is_empty() && chance.is(0.75) {
                own[chance.popular(own.len())]
            } else {
                chance.below(i)
            });
        }
        for other in cited {
            graph.link((i + 1).to_string(), (other + 1).to_string())?;
        }
        of_field[field].push(i);
        let words: BTreeSet<usize> =
            (0..chance.between(10, 18)).map(|_| word(field, &mut chance)).collect();
        features.push(words.into_iter().map(|word| (word as u32, 1.0)).collect());
        let told = if chance.is(1.0 / 16.0) {
            (field + chance.between(1, FIELDS.len() - 1)) % FIELDS.len()
        } else {
            field
        };
        labels.push(Some(FIELDS[told].to_owned()));
    }
    Ok(Data::network(Network { graph, features, labels, times: Vec::new() }))
}

fn word(field: usize, chance: &mut Chance) -> usize {
    let next = (field + 1) % FIELDS.len();
    match chance.below(12) {
        0..3 => field * OWN_WORDS + chance.popular(OWN_WORDS),
        3..5 => next * OWN_WORDS + chance.popular(OWN_WORDS),
        _ => FIELDS.len() * OWN_WORDS + chance.popular(COMMON_WORDS),
    }
}

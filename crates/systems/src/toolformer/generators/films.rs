//! Who likes which films.

use graph::{Graph, GraphError};

use super::chance::Chance;
use crate::toolformer::data::Data;

/// What people and films differ in.
const TRAITS: usize = 4;
/// Films of which the one is seen that is liked best.
const CHOICE: usize = 6;

/// Makes so many users, `u1`, `u2`, …, and films, `i1`, `i2`, …, with ratings from 1 to 5 as weights.
/// Both have four hidden traits; users pick what fits theirs out of a few films, of which the first
/// are the best known, and their ratings follow the traits with some whim.
///
/// # Errors
/// There are more of them than a graph may have.
pub fn make(n_users: usize, n_films: usize, seed: u64) -> Result<Data, GraphError> {
    let mut chance = Chance::new(seed);
    let mut all = |n: usize| -> Vec<Vec<f64>> {
        (0..n).map(|_| (0..TRAITS).map(|_| chance.normal()).collect()).collect()
    };
    let (users, films) = (all(n_users), all(n_films));
    let mut graph = Graph::undirected();
    // A film that nobody saw is there too.
    for name in (1..=n_users).map(|u| format!("u{u}")).chain((1..=n_films).map(|i| format!("i{i}")))
    {
        graph.ensure_node(name)?;
    }
    for (u, user) in users.iter().enumerate() {
        let fits = |film: usize| -> f64 {
            user.iter().zip(&films[film]).map(|(a, b)| a * b).sum::<f64>() / 2.0
        };
        let mut seen = vec![false; n_films];
        for _ in 0..chance.between(15, 40) {
            let mut best: Option<(f64, usize)> = None;
            for _ in 0..CHOICE {
                let film = chance.popular(n_films);
                let liked = fits(film) + chance.normal() / 2.0;
                if !seen[film] && best.is_none_or(|(most, _)| liked > most) {
                    best = Some((liked, film));
                }
            }
            let Some((liked, film)) = best else { continue };
            seen[film] = true;
            let rating = (3.0 + liked).round().clamp(1.0, 5.0);
            graph.link_weighted(format!("u{}", u + 1), format!("i{}", film + 1), rating)?;
        }
    }
    Ok(Data::network(graph))
}

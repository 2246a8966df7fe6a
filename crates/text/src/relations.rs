//! Names of relations as models miswrite them, with what was meant: what a way to tell meaning is
//! scored by.
//!
//! The names and the pairs are our own; no way to tell meaning was made with them in view.

use crate::similarity::SimilarityMeasure;

/// Relations of a family's knowledge graph.
const RELATIONS: &str = include_str!("../data/relations.txt");
/// `miswritten = meant, or meant`.
const PAIRS: &str = include_str!("../data/relation_pairs.txt");

/// The names that there are.
pub fn relations() -> Vec<&'static str> {
    RELATIONS.lines().collect()
}

/// What a model wrote, with the names that it may have meant.
pub fn pairs() -> Vec<(&'static str, Vec<&'static str>)> {
    let split = |line: &'static str| line.split_once(" = ");
    PAIRS
        .lines()
        .filter_map(split)
        .map(|(wrote, meant)| (wrote, meant.split(", ").collect()))
        .collect()
}

/// How often what was meant is found.
#[derive(Clone, Debug, PartialEq)]
pub struct RelationScore {
    /// The pairs that were tried.
    pub n_pairs: usize,
    /// How often the first name is one that was meant.
    pub first: usize,
    /// How often one of the first three is.
    pub among_three: usize,
    /// What was written where the first is not, and the three that were found instead.
    pub missed: Vec<(&'static str, [&'static str; 3])>,
}

/// Scores a way to tell meaning by all [`pairs`]. Names that score the same stand in the order of
/// the list.
pub fn score(meaning: &dyn SimilarityMeasure) -> RelationScore {
    let names = relations();
    // Names are written with underscores, texts with spaces.
    let texts: Vec<String> = names.iter().map(|n| n.replace('_', " ")).collect();
    let index = meaning.index(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let mut score = RelationScore { n_pairs: 0, first: 0, among_three: 0, missed: Vec::new() };
    for (wrote, meant) in pairs() {
        let scores = index.scores(&wrote.replace('_', " "));
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        let best = [names[order[0]], names[order[1]], names[order[2]]];
        score.n_pairs += 1;
        score.among_three += usize::from(best.iter().any(|n| meant.contains(n)));
        if meant.contains(&best[0]) {
            score.first += 1;
        } else {
            score.missed.push((wrote, best));
        }
    }
    score
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::NGrams;

    #[test]
    fn every_pair_is_written_once_and_means_a_relation_that_there_is() {
        let names: BTreeSet<&str> = relations().into_iter().collect();
        assert_eq!(names.len(), relations().len());
        assert!(names.len() >= 65);
        let wrote: BTreeSet<&str> = pairs().iter().map(|p| p.0).collect();
        assert_eq!((wrote.len(), pairs().len()), (PAIRS.lines().count(), wrote.len()));
        assert!(wrote.len() >= 150 && wrote.is_disjoint(&names));
        for (wrote, meant) in pairs() {
            assert!(meant.iter().all(|m| names.contains(m)), "{wrote}: {meant:?}");
        }
    }

    #[test]
    fn trigrams_find_what_is_spelt_alike_and_miss_what_only_means_the_same() {
        let score = score(&NGrams);
        let missed = |wrote| score.missed.iter().any(|m| m.0 == wrote);
        assert!(!missed("favourite_doctor") && missed("prefer_physician") && missed("spouse"));
        assert_eq!(score.first + score.missed.len(), score.n_pairs);
        assert!(score.among_three >= score.first);
    }
}

//! Facts that are missing, by TransE: a relation is the way from the head's place to the tail's.
//!
//! Paper: Bordes and others, 2013; Graph-ToolFormer §4.3.6.

use serde::{Deserialize, Serialize};

use crate::weights::{Array, FileError, ModelFile, Names, bounded, write};

/// What the file calls the model.
pub const NAME: &str = "transe";

/// How lengths are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Norm {
    /// The sum of the differences.
    L1,
    /// The root of the sum of their squares.
    L2,
}

/// What stands in the file beside the tensors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Config {
    /// The numbers of a vector.
    pub n_dims: usize,
    /// How lengths are measured.
    pub norm: Norm,
    /// Entities, in the order of their vectors.
    pub entities: Names,
    /// Relations, in the order of theirs.
    pub relations: Names,
    /// Of each relation whether it leads from an entity to itself anywhere in the data; the others
    /// are not answered so.
    pub has_loops: Vec<bool>,
}

/// A trained TransE: vectors of entities and relations.
#[derive(Clone, Debug)]
pub struct TransE {
    /// The data that it learned from.
    pub dataset: String,
    /// Its sizes, and the names of entities and relations.
    pub config: Config,
    entities: Vec<f32>,
    relations: Vec<f32>,
}

/// The tensors that a model of these sizes has.
pub fn shapes(config: &Config) -> Vec<(String, Vec<usize>)> {
    vec![
        ("entities".into(), vec![config.entities.len(), config.n_dims]),
        ("relations".into(), vec![config.relations.len(), config.n_dims]),
    ]
}

/// Writes the file of a model.
///
/// # Errors
/// The tensors are not those of the config.
pub fn file(
    dataset: &str,
    config: &Config,
    tensors: &[(String, Array)],
) -> Result<Vec<u8>, FileError> {
    write(NAME, dataset, config, tensors)
}

/// The length of `head + relation − tail`.
pub fn length(norm: Norm, head: &[f32], relation: &[f32], tail: &[f32]) -> f32 {
    let all = head.iter().zip(relation).zip(tail).map(|((h, r), t)| h + r - t);
    match norm {
        Norm::L1 => all.map(f32::abs).sum(),
        Norm::L2 => all.map(|x| x * x).sum::<f32>().sqrt(),
    }
}

impl TransE {
    /// Makes it of its file.
    ///
    /// # Errors
    /// The file is not one of such a model.
    pub fn new(mut file: ModelFile) -> Result<Self, FileError> {
        let config: Config = file.config(NAME)?;
        bounded("n_dims", config.n_dims, 4096)?;
        bounded("the number of entities", config.entities.len(), usize::MAX)?;
        bounded("the number of relations", config.relations.len(), usize::MAX)?;
        if config.has_loops.len() != config.relations.len() {
            let (n, m) = (config.has_loops.len(), config.relations.len());
            let reason = format!("has_loops tells of {n} relations, and there are {m}");
            return Err(FileError::Config { reason });
        }
        let mut taken = Vec::new();
        for (name, shape) in shapes(&config) {
            taken.push(file.take(&name, &shape)?);
        }
        file.end()?;
        let [entities, relations] = <[Vec<f32>; 2]>::try_from(taken).unwrap_or_default();
        Ok(Self { dataset: file.head.dataset, config, entities, relations })
    }

    fn row<'a>(&self, of: &'a [f32], place: usize) -> &'a [f32] {
        let n = self.config.n_dims;
        of.get(place * n..(place + 1) * n).unwrap_or_default()
    }

    /// How far the head with the relation is from the tail; less is more likely.
    pub fn distance(&self, head: usize, relation: usize, tail: usize) -> f32 {
        length(
            self.config.norm,
            self.row(&self.entities, head),
            self.row(&self.relations, relation),
            self.row(&self.entities, tail),
        )
    }

    /// The likeliest tails of a head and a relation, with their distances, the likeliest first.
    /// O(entities).
    pub fn tails(&self, head: usize, relation: usize, k: usize) -> Vec<(usize, f32)> {
        let all = self.others(head, relation);
        nearest(all.map(|tail| (tail, self.distance(head, relation, tail))), k)
    }

    /// The likeliest heads of a relation and a tail. O(entities).
    pub fn heads(&self, relation: usize, tail: usize, k: usize) -> Vec<(usize, f32)> {
        let all = self.others(tail, relation);
        nearest(all.map(|head| (head, self.distance(head, relation, tail))), k)
    }

    /// The likeliest relations from a head to a tail. O(relations).
    pub fn relations(&self, head: usize, tail: usize, k: usize) -> Vec<(usize, f32)> {
        let all = 0..self.config.relations.len();
        nearest(all.map(|r| (r, self.distance(head, r, tail))), k)
    }

    /// What may stand at the other end.
    fn others(&self, end: usize, relation: usize) -> impl Iterator<Item = usize> + use<> {
        let has_loops = self.config.has_loops.get(relation).copied().unwrap_or(true);
        (0..self.config.entities.len()).filter(move |e| has_loops || *e != end)
    }
}

/// The first by distance, then by place.
fn nearest(all: impl Iterator<Item = (usize, f32)>, k: usize) -> Vec<(usize, f32)> {
    let mut all: Vec<(usize, f32)> = all.collect();
    let order = |a: &(usize, f32), b: &(usize, f32)| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0));
    if k > 0 && k < all.len() {
        all.select_nth_unstable_by(k - 1, order);
    }
    all.truncate(k);
    all.sort_by(order);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn answers_are_the_nearest_by_counting() {
        let model = TransE::new(ModelFile::read(&fixture::transe()).unwrap()).unwrap();
        let (n, m) = (model.config.entities.len(), model.config.relations.len());
        for head in 0..n {
            for relation in 0..m {
                let is_asked = |e: usize| e != head || model.config.has_loops[relation];
                let tails = model.tails(head, relation, 4);
                for (place, (tail, far)) in tails.iter().enumerate() {
                    let nearer = |e: &usize| {
                        let theirs = model.distance(head, relation, *e);
                        is_asked(*e) && (theirs < *far || theirs == *far && e < tail)
                    };
                    assert_eq!((0..n).filter(nearer).count(), place);
                    assert!(is_asked(*tail));
                }
                let heads = model.heads(relation, head, n);
                assert_eq!(heads.len(), n - usize::from(!model.config.has_loops[relation]));
                assert!(heads.is_sorted_by(|a, b| a.1 <= b.1));
                assert_eq!(heads[0].1, model.distance(heads[0].0, relation, head));
            }
        }
        assert_eq!(model.relations(0, 1, 9).len(), m);
    }

    #[test]
    fn lengths_are_those_of_the_norms() {
        let (h, r, t) = ([1.0, 2.0], [0.5, -1.0], [0.0, 4.0]);
        assert_eq!(length(Norm::L1, &h, &r, &t), 1.5 + 3.0);
        assert_eq!(length(Norm::L2, &h, &r, &t), (1.5_f32 * 1.5 + 9.0).sqrt());
    }

    #[test]
    fn configs_that_do_not_fit_are_refused() {
        let mut file = ModelFile::read(&fixture::transe()).unwrap();
        file.config["has_loops"] = serde_json::json!([true]);
        assert!(TransE::new(file).unwrap_err().to_string().contains("tells of 1 relations"));
        let mut file = ModelFile::read(&fixture::transe()).unwrap();
        file.config["n_dims"] = serde_json::json!(0);
        assert!(TransE::new(file).unwrap_err().to_string().contains("n_dims is 0"));
        assert!(TransE::new(ModelFile::read(&fixture::bpr()).unwrap()).is_err());
    }
}

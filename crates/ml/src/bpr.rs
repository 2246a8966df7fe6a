//! What a person will like, by Bayesian personalised ranking: a vector for each user and item, and a
//! number for how liked an item is by all.
//!
//! Paper: Rendle and others, 2009; Graph-ToolFormer §4.3.4.

use serde::{Deserialize, Serialize};

use crate::weights::{Array, FileError, ModelFile, Names, bounded, write};

/// What the file calls the model.
pub const NAME: &str = "bpr";

/// What stands in the file beside the tensors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Config {
    /// The numbers of a vector.
    pub n_dims: usize,
    /// Users, in the order of their vectors.
    pub users: Names,
    /// Items, in the order of theirs.
    pub items: Names,
}

/// A trained BPR model: vectors of users and items.
#[derive(Clone, Debug)]
pub struct Bpr {
    /// The data that it learned from.
    pub dataset: String,
    /// Its sizes, and the names of users and items.
    pub config: Config,
    users: Vec<f32>,
    items: Vec<f32>,
    bias: Vec<f32>,
}

/// The tensors that a model of these sizes has.
pub fn shapes(config: &Config) -> Vec<(String, Vec<usize>)> {
    vec![
        ("users".into(), vec![config.users.len(), config.n_dims]),
        ("items".into(), vec![config.items.len(), config.n_dims]),
        ("bias".into(), vec![config.items.len()]),
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

impl Bpr {
    /// Makes it of its file.
    ///
    /// # Errors
    /// The file is not one of such a model.
    pub fn new(mut file: ModelFile) -> Result<Self, FileError> {
        let config: Config = file.config(NAME)?;
        bounded("n_dims", config.n_dims, 4096)?;
        bounded("the number of users", config.users.len(), usize::MAX)?;
        bounded("the number of items", config.items.len(), usize::MAX)?;
        let mut taken = Vec::new();
        for (name, shape) in shapes(&config) {
            taken.push(file.take(&name, &shape)?);
        }
        file.end()?;
        let [users, items, bias] = <[Vec<f32>; 3]>::try_from(taken).unwrap_or_default();
        Ok(Self { dataset: file.head.dataset, config, users, items, bias })
    }

    /// How much a user will like an item, `p·q + b`; larger is more.
    pub fn score(&self, user: usize, item: usize) -> f32 {
        let n = self.config.n_dims;
        let p = self.users.get(user * n..(user + 1) * n).unwrap_or_default();
        let q = self.items.get(item * n..(item + 1) * n).unwrap_or_default();
        let dot: f32 = p.iter().zip(q).map(|(a, b)| a * b).sum();
        dot + self.bias.get(item).copied().unwrap_or(0.0)
    }

    /// The items that a user will like most, with their scores, the most liked first; where two are
    /// liked as much, the earlier first. O(items).
    pub fn top(&self, user: usize, k: usize) -> Vec<(usize, f32)> {
        let mut all: Vec<(usize, f32)> =
            (0..self.config.items.len()).map(|i| (i, self.score(user, i))).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all.truncate(k);
        all
    }
}

/// A score as a share between 0 and 1.
pub fn share(score: f32) -> f32 {
    1.0 / (1.0 + (-score).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn top_is_the_order_of_the_scores() {
        let model = Bpr::new(ModelFile::read(&fixture::bpr()).unwrap()).unwrap();
        let n = model.config.items.len();
        for user in 0..model.config.users.len() {
            let top = model.top(user, n + 5);
            assert_eq!(top.len(), n);
            for (place, (item, score)) in top.iter().enumerate() {
                // By counting: as many are before it as have a larger score, or the same and are
                // earlier in the list.
                let before = |other: &usize| {
                    let theirs = model.score(user, *other);
                    theirs > *score || theirs == *score && other < item
                };
                assert_eq!((0..n).filter(before).count(), place);
                assert_eq!(model.score(user, *item), *score);
            }
        }
        assert_eq!(share(0.0), 0.5);
    }

    #[test]
    fn a_vector_too_few_is_refused_by_name() {
        let mut file = ModelFile::read(&fixture::bpr()).unwrap();
        file.config["users"] = serde_json::json!(["u1"]);
        let told = Bpr::new(file).unwrap_err().to_string();
        assert!(told.starts_with("the tensor \"users\" is ["), "{told}");
    }
}

//! Learning what people like, from what they liked before.
//!
//! Paper: Rendle and others, 2009, §4: stochastic gradients on `ln σ(x_ui − x_uj) − λ|θ|²`.
//! Departs from it: where the data have times, what a user liked last is the test, because a
//! recommendation is about what comes next.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

use anyhow::{Context as _, Result, bail};
use ml::bpr::{Config, file, shapes};
use ml::weights::{Array, Names};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use systems::toolformer::data::Network;

use super::{Experiment, Headline, Measured, Numbers, Tensors, Trainer, epoch_rng, split_rng};

/// Draws of an item that a user did not like, before a draw is given up.
const MAX_DRAWS: usize = 50;

/// Users with what they liked.
pub(crate) struct Bpr {
    dataset: String,
    config: Config,
    settings: Numbers,
    /// Of each user, in the order of the data.
    train: Vec<Vec<u32>>,
    valid: Vec<Vec<u32>>,
    test: Vec<Vec<u32>>,
}

impl Bpr {
    pub(crate) fn new(dataset: &str, network: &Network, settings: &Numbers) -> Result<Self> {
        let is_by_time = settings.get("by_time") > 0.0;
        if is_by_time && network.times.len() != network.graph.n_edges() {
            bail!("{dataset}: its links have no times; split it at random with --set by_time=0");
        }
        let times = network.times.iter().copied().chain(std::iter::repeat(0));
        let links: Vec<(String, String, u64)> = network
            .graph
            .edges()
            .zip(times)
            .map(|(e, time)| (e.source.to_string(), e.target.to_string(), time))
            .collect();
        let sources: BTreeSet<&str> = links.iter().map(|(a, _, _)| a.as_str()).collect();
        let liked = || links.iter().filter(|(_, b, _)| !sources.contains(b.as_str()));
        let all = network.graph.names().map(ToString::to_string);
        let items: HashSet<&str> = liked().map(|(_, b, _)| b.as_str()).collect();
        let owners: HashSet<&str> = liked().map(|(a, _, _)| a.as_str()).collect();
        let (mut users, mut things) = (Vec::new(), Vec::new());
        for name in all {
            if owners.contains(name.as_str()) {
                users.push(name);
            } else if items.contains(name.as_str()) {
                things.push(name);
            }
        }
        if users.len() < 2 || things.len() < 4 {
            bail!(
                "{dataset}: links should lead from users to items; {} users are there",
                users.len()
            );
        }
        let users = Names::try_from(users).map_err(anyhow::Error::msg)?;
        let items = Names::try_from(things).map_err(anyhow::Error::msg)?;
        let mut by_user: Vec<Vec<(u32, u64)>> = vec![Vec::new(); users.len()];
        for (user, item, time) in liked() {
            let (Some(u), Some(i)) = (users.place(user), items.place(item)) else { continue };
            by_user[u].push((i as u32, *time));
        }
        let mut rng = split_rng(settings.count("split") as u64);
        let (mut train, mut valid, mut test) = (Vec::new(), Vec::new(), Vec::new());
        for mut liked in by_user {
            liked.sort_unstable();
            liked.dedup_by_key(|(item, _)| *item);
            shuffle(&mut liked, &mut rng);
            if is_by_time {
                // Of what came in the same second the order stays as drawn.
                liked.sort_by_key(|(_, time)| Reverse(*time));
            }
            let mut liked: Vec<u32> = liked.into_iter().map(|(item, _)| item).collect();
            let n_test = settings.count("test").min(liked.len() / 2);
            let mut rest = liked.split_off(n_test);
            let n_valid = settings.count("valid").min(rest.len() / 4);
            let learned = rest.split_off(n_valid);
            train.push(learned);
            valid.push(rest);
            test.push(liked);
        }
        let config = Config { n_dims: settings.count("dims").max(1), users, items };
        let (dataset, settings) = (dataset.to_owned(), settings.clone());
        Ok(Self { dataset, config, settings, train, valid, test })
    }

    /// Of each item how many users have it in the training.
    fn popularity(&self) -> Vec<f32> {
        let mut n = vec![0.0; self.config.items.len()];
        self.train.iter().flatten().for_each(|i| n[*i as usize] += 1.0);
        n
    }

    /// The mean over users of how many of the pairs (an item to find, another) `score` puts in order,
    /// and of how many of the first ten are to be found. What `without` has of a user is in no pair.
    fn auc(
        &self,
        score: impl Fn(usize, usize) -> f32,
        to_find: &[Vec<u32>],
        without: &[&[Vec<u32>]],
    ) -> (f64, f64) {
        let n_items = self.config.items.len();
        let (mut sum, mut precision, mut n) = (0.0, 0.0, 0);
        for (user, found) in to_find.iter().enumerate() {
            let mut kind = vec![0_u8; n_items];
            without.iter().flat_map(|w| &w[user]).for_each(|i| kind[*i as usize] = 2);
            found.iter().for_each(|i| kind[*i as usize] = 1);
            let scored = |(item, kind): (usize, &u8)| (score(user, item), *kind == 1);
            let all = kind.iter().enumerate().filter(|(_, k)| **k != 2).map(scored).collect();
            if let Some(auc) = auc_of(all, &mut precision) {
                sum += auc;
                n += 1;
            }
        }
        (sum / f64::from(n.max(1)), precision / f64::from(n.max(1)))
    }
}

/// Fisher and Yates.
pub(super) fn shuffle<T>(all: &mut [T], rng: &mut ChaCha8Rng) {
    for i in (1..all.len()).rev() {
        all.swap(i, rng.random_range(0..=i));
    }
}

/// A number around 0, by Box and Muller.
pub(super) fn normal(rng: &mut ChaCha8Rng) -> f32 {
    let (a, b) = (1.0 - rng.random::<f64>(), rng.random::<f64>());
    ((-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()) as f32
}

impl Experiment for Bpr {
    fn metric(&self) -> &'static str {
        "AUC"
    }

    fn start(&self, seed: u64, part: usize) -> Result<Box<dyn Trainer + '_>> {
        let mut rng = epoch_rng(seed, part, 0);
        let scale = self.settings.get("init") as f32;
        let n = self.config.n_dims;
        let mut draw = |n: usize| (0..n).map(|_| scale * normal(&mut rng)).collect::<Vec<f32>>();
        let users = draw(self.config.users.len() * n);
        let items = draw(self.config.items.len() * n);
        let bias = vec![0.0; self.config.items.len()];
        let likes = |all: &Vec<u32>| all.iter().copied().collect();
        let train = self.train.iter().map(likes).collect();
        let pairs = pairs(&self.train);
        Ok(Box::new(Learning { experiment: self, train, pairs, users, items, bias }))
    }

    fn file(&self, weights: &Tensors) -> Result<Vec<u8>> {
        Ok(file(&self.dataset, &self.config, weights)?)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let count = |all: &[Vec<u32>]| all.iter().map(Vec::len).sum::<usize>();
        vec![
            ("Users", self.config.users.len().to_string()),
            ("Items", self.config.items.len().to_string()),
            (
                "Split",
                format!(
                    "{}: {} to learn from, {} to choose the epoch by, {} in the test",
                    match self.settings.get("by_time") > 0.0 {
                        true => "each user's last links are the test, those before them validation",
                        false => "links at random within each user",
                    },
                    count(&self.train),
                    count(&self.valid),
                    count(&self.test)
                ),
            ),
        ]
    }

    fn headline(&self) -> Headline {
        Headline {
            figure: UNSEEN,
            baseline: POPULAR_UNSEEN,
            baseline_is: "those that most users had first",
            measured: "of pairs of a held-out item and one that the user had not are in order",
        }
    }

    fn held_out(&self, _: usize) -> Vec<String> {
        self.names(&self.test)
    }

    fn split(&self) -> Vec<(&'static str, String)> {
        let text = |all: &[Vec<u32>]| self.names(all).join("\n") + "\n";
        vec![
            ("train.tsv", text(&self.train)),
            ("valid.tsv", text(&self.valid)),
            ("test.tsv", text(&self.test)),
        ]
    }
}

impl Bpr {
    /// Of each pair the names of user and item, with a tab between.
    fn names(&self, all: &[Vec<u32>]) -> Vec<String> {
        let line = |(u, i): (u32, u32)| {
            let (user, item) = (self.config.users.at(u as usize), self.config.items.at(i as usize));
            format!("{user}\t{item}")
        };
        pairs(all).into_iter().map(line).collect()
    }
}

/// The figure that a model is told by, and the same of whoever ranks by popularity.
const UNSEEN: &str = "test AUC without items of the training";
const POPULAR_UNSEEN: &str = "popularity: test AUC without items of the training";

fn pairs(by_user: &[Vec<u32>]) -> Vec<(u32, u32)> {
    let of = |(u, items): (usize, &Vec<u32>)| items.iter().map(move |i| (u as u32, *i)).collect();
    by_user.iter().enumerate().flat_map::<Vec<_>, _>(of).collect()
}

struct Learning<'a> {
    experiment: &'a Bpr,
    train: Vec<HashSet<u32>>,
    pairs: Vec<(u32, u32)>,
    users: Vec<f32>,
    items: Vec<f32>,
    bias: Vec<f32>,
}

/// How much is lost where a user likes one item by so much more than another.
fn loss(more: f32) -> f32 {
    // ln(1 + e^-x) without running over.
    (-more).max(0.0) + (-more.abs()).exp().ln_1p()
}

impl Learning<'_> {
    fn score(&self, user: usize, item: usize) -> f32 {
        let n = self.experiment.config.n_dims;
        let (p, q) = (&self.users[user * n..][..n], &self.items[item * n..][..n]);
        self.bias[item] + p.iter().zip(q).map(|(a, b)| a * b).sum::<f32>()
    }

    /// A step down the gradient of `loss(x_ui − x_uj) + λ/2 |θ|²`; gives the loss before it.
    fn step(&mut self, user: usize, liked: usize, other: usize, lr: f32, reg: f32) -> f32 {
        let n = self.experiment.config.n_dims;
        let more = self.score(user, liked) - self.score(user, other);
        let pull = 1.0 / (1.0 + more.exp());
        for k in 0..n {
            let (p, i, j) =
                (self.users[user * n + k], self.items[liked * n + k], self.items[other * n + k]);
            self.users[user * n + k] += lr * (pull * (i - j) - reg * p);
            self.items[liked * n + k] += lr * (pull * p - reg * i);
            self.items[other * n + k] += lr * (-pull * p - reg * j);
        }
        self.bias[liked] += lr * (pull - reg * self.bias[liked]);
        self.bias[other] += lr * (-pull - reg * self.bias[other]);
        loss(more)
    }

    fn auc(&self, to_find: &[Vec<u32>], without: &[&[Vec<u32>]]) -> (f64, f64) {
        self.experiment.auc(|user, item| self.score(user, item), to_find, without)
    }
}

/// How many pairs of a right and a wrong one have the right one above, where as much counts a half;
/// nothing where there is no pair. Adds the share of right ones among the first ten.
fn auc_of(mut all: Vec<(f32, bool)>, precision: &mut f64) -> Option<f64> {
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n_right = all.iter().filter(|a| a.1).count();
    let n_wrong = all.len() - n_right;
    if n_right == 0 || n_wrong == 0 {
        return None;
    }
    *precision += all.iter().rev().take(10).filter(|a| a.1).count() as f64 / 10.0;
    let (mut wrong_below, mut sum, mut i) = (0, 0.0, 0);
    while i < all.len() {
        let same = all[i..].iter().take_while(|a| a.0 == all[i].0).count();
        let right = all[i..i + same].iter().filter(|a| a.1).count();
        let wrong = same - right;
        sum += right as f64 * (wrong_below as f64 + wrong as f64 / 2.0);
        wrong_below += wrong;
        i += same;
    }
    Some(sum / (n_right as f64 * n_wrong as f64))
}

impl Trainer for Learning<'_> {
    fn epoch(&mut self, _: usize, rng: &mut ChaCha8Rng) -> Result<f64> {
        let settings = &self.experiment.settings;
        let (lr, reg) = (settings.get("lr") as f32, settings.get("reg") as f32);
        let n_items = self.experiment.config.items.len();
        let n = self.pairs.len();
        let mut lost = 0.0;
        for _ in 0..n {
            let (user, liked) = self.pairs[rng.random_range(0..n)];
            let draw = (0..MAX_DRAWS).map(|_| rng.random_range(0..n_items));
            let is_other = |j: &usize| !self.train[user as usize].contains(&(*j as u32));
            let Some(other) = draw.into_iter().find(is_other) else { continue };
            lost += f64::from(self.step(user as usize, liked as usize, other, lr, reg));
        }
        Ok(lost / n.max(1) as f64)
    }

    fn measure(&mut self) -> Result<Measured> {
        let (train, valid, test) =
            (&self.experiment.train, &self.experiment.valid, &self.experiment.test);
        Ok(Measured {
            // Items of the test are among the others, or the choice would know which they are.
            valid: self.auc(valid, &[train]).0,
            test: self.auc(test, &[]).0,
            valid_loss: 0.0,
        })
    }

    fn weights(&self) -> Result<Tensors> {
        let data = [&self.users, &self.items, &self.bias];
        let named = shapes(&self.experiment.config).into_iter().zip(data);
        Ok(named.map(|((name, shape), d)| (name, Array::new(&shape, d.clone()))).collect())
    }

    fn set_weights(&mut self, weights: &Tensors) -> Result<()> {
        let data = [&mut self.users, &mut self.items, &mut self.bias];
        for (to, (name, shape)) in data.into_iter().zip(shapes(&self.experiment.config)) {
            *to = take_tensor(weights, &name, &shape)?;
        }
        Ok(())
    }

    fn figures(&mut self) -> Result<Vec<(&'static str, f64)>> {
        let (train, valid, test) =
            (&self.experiment.train, &self.experiment.valid, &self.experiment.test);
        let (all, ten) = self.auc(test, &[]);
        let (unseen, ten_unseen) = self.auc(test, &[train, valid]);
        let (learned, ten_learned) = self.auc(train, &[]);
        let popularity = self.experiment.popularity();
        let popular = |_: usize, item: usize| popularity[item];
        let (known, ten_known) = self.experiment.auc(popular, test, &[]);
        let (known_unseen, ten_known_unseen) = self.experiment.auc(popular, test, &[train, valid]);
        Ok(vec![
            ("test AUC", all),
            ("popularity: test AUC", known),
            (UNSEEN, unseen),
            (POPULAR_UNSEEN, known_unseen),
            ("test precision at 10", ten),
            ("popularity: test precision at 10", ten_known),
            ("test precision at 10 without items of the training", ten_unseen),
            ("popularity: test precision at 10 without items of the training", ten_known_unseen),
            ("training AUC", learned),
            ("training precision at 10", ten_learned),
        ])
    }
}

/// A tensor out of a checkpoint, if it has that shape.
pub(super) fn take_tensor(all: &Tensors, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
    let found = all.iter().find(|(n, _)| n == name).map(|(_, t)| t);
    let found = found.with_context(|| format!("the tensor {name:?} is missing"))?;
    if found.shape != shape {
        bail!("the tensor {name:?} is {:?}; it should be {shape:?}", found.shape);
    }
    Ok(found.data.clone())
}

#[cfg(test)]
mod tests;

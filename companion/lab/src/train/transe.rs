//! Learning facts, so that missing ones can be told.
//!
//! Paper: Bordes and others, 2013, algorithm 1, with a step after every fact in place of one after
//! every batch, and the places that a step moved brought back to length one right after it. Departs
//! from it too: a share of the wrong facts has another relation, because relations are asked for.

use std::collections::{HashMap, HashSet};

use anyhow::{Result, bail};
use kg::Kg;
use ml::transe::{Config, Norm, file, length, shapes};
use ml::weights::{Array, Names};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::bpr::{shuffle, take_tensor};
use super::{Experiment, Headline, Measured, Numbers, Tensors, Trainer, epoch_rng, split_rng};
use rules::Rules;

mod rules;

/// Draws of a wrong fact, before a draw is given up.
const MAX_DRAWS: usize = 20;

/// Head, relation, tail.
type Fact = [u32; 3];

/// Facts to learn.
pub(crate) struct TransE {
    dataset: String,
    config: Config,
    settings: Numbers,
    train: Vec<Fact>,
    valid: Vec<Fact>,
    test: Vec<Fact>,
    /// All tails of a head and a relation, and all heads of a relation and a tail.
    tails: HashMap<(u32, u32), Vec<u32>>,
    heads: HashMap<(u32, u32), Vec<u32>>,
}

impl TransE {
    pub(crate) fn new(dataset: &str, kg: &Kg, settings: &Numbers) -> Result<Self> {
        let place: HashMap<_, u32> = kg.nodes().zip(0..).collect();
        let entities: Vec<String> = kg.nodes().map(|n| kg.id(n).to_owned()).collect();
        let mut relations: Vec<String> = Vec::new();
        let mut of: HashMap<String, u32> = HashMap::new();
        let mut facts: Vec<Fact> = Vec::new();
        for (head, relation, tail) in kg.edges() {
            let name = &kg.schema().edge_type(relation).name;
            let relation = *of.entry(name.clone()).or_insert_with(|| {
                relations.push(name.clone());
                relations.len() as u32 - 1
            });
            facts.push([place[&head], relation, place[&tail]]);
        }
        facts.sort_unstable();
        facts.dedup();
        if facts.len() < 10 {
            bail!("{dataset}: {} facts are too few to learn from", facts.len());
        }
        let mut has_loops = vec![false; relations.len()];
        facts.iter().filter(|f| f[0] == f[2]).for_each(|f| has_loops[f[1] as usize] = true);
        let (mut tails, mut heads) = (HashMap::new(), HashMap::new());
        for [h, r, t] in &facts {
            tails.entry((*h, *r)).or_insert_with(Vec::new).push(*t);
            heads.entry((*r, *t)).or_insert_with(Vec::new).push(*h);
        }
        let (train, valid, test) = part(facts, entities.len(), relations.len(), settings);
        let names = |all| Names::try_from(all).map_err(anyhow::Error::msg);
        let config = Config {
            n_dims: settings.count("dims").max(1),
            norm: if settings.get("norm") == 2.0 { Norm::L2 } else { Norm::L1 },
            entities: names(entities)?,
            relations: names(relations)?,
            has_loops,
        };
        let (dataset, settings) = (dataset.to_owned(), settings.clone());
        Ok(Self { dataset, config, settings, train, valid, test, tails, heads })
    }
}

/// Puts facts aside at random, so many that every entity and relation keeps a fact to be learned from.
/// With `apart` all facts between the same two entities go together: in WordNet most of them say the
/// same twice, and the one would give the other away.
fn part(
    mut facts: Vec<Fact>,
    n_entities: usize,
    n_relations: usize,
    settings: &Numbers,
) -> (Vec<Fact>, Vec<Fact>, Vec<Fact>) {
    shuffle(&mut facts, &mut split_rng(settings.count("split") as u64));
    let most = facts.len() / 10;
    let (n_valid, n_test) = (settings.count("valid").min(most), settings.count("test").min(most));
    let (mut of_entity, mut of_relation) = (vec![0_u32; n_entities], vec![0_u32; n_relations]);
    for [h, r, t] in &facts {
        of_entity[*h as usize] += 1;
        of_entity[*t as usize] += 1;
        of_relation[*r as usize] += 1;
    }
    let (mut train, mut valid, mut test) = (Vec::new(), Vec::new(), Vec::new());
    for group in groups(facts, settings.get("apart") > 0.0) {
        let [h, _, t] = group[0].map(|x| x as usize);
        let n = group.len() as u32 * if h == t { 2 } else { 1 };
        let of_group = |r: u32| group.iter().filter(|f| f[1] == r).count() as u32;
        let is_spare = of_entity[h] > n
            && of_entity[t] > n
            && group.iter().all(|f| of_relation[f[1] as usize] > of_group(f[1]));
        let to = match is_spare {
            true if test.len() + group.len() <= n_test => &mut test,
            true if valid.len() + group.len() <= n_valid => &mut valid,
            _ => {
                train.extend(group);
                continue;
            }
        };
        for fact in group {
            to.push(fact);
            let [h, r, t] = fact.map(|x| x as usize);
            of_entity[h] -= 1;
            of_entity[t] -= 1;
            of_relation[r] -= 1;
        }
    }
    (train, valid, test)
}

/// Each fact alone, or those between the same two entities together, in the order of their first ones.
fn groups(facts: Vec<Fact>, is_apart: bool) -> Vec<Vec<Fact>> {
    if !is_apart {
        return facts.into_iter().map(|f| vec![f]).collect();
    }
    let mut place: HashMap<(u32, u32), usize> = HashMap::new();
    let mut groups: Vec<Vec<Fact>> = Vec::new();
    for fact in facts {
        let [h, _, t] = fact;
        let at = *place.entry((h.min(t), h.max(t))).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(fact),
            None => groups.push(vec![fact]),
        }
    }
    groups
}

impl Experiment for TransE {
    fn metric(&self) -> &'static str {
        "filtered Hits@10"
    }

    fn start(&self, seed: u64, part: usize) -> Result<Box<dyn Trainer + '_>> {
        let mut rng = epoch_rng(seed, part, 0);
        let n = self.config.n_dims;
        let bound = 6.0 / (n as f32).sqrt();
        let mut draw = |rows: usize| -> Vec<f32> {
            (0..rows * n).map(|_| bound * (2.0 * rng.random::<f32>() - 1.0)).collect()
        };
        let mut relations = draw(self.config.relations.len());
        let mut entities = draw(self.config.entities.len());
        relations.chunks_mut(n).for_each(to_unit);
        entities.chunks_mut(n).for_each(to_unit);
        let known: HashSet<Fact> = self.train.iter().copied().collect();
        Ok(Box::new(Learning {
            experiment: self,
            known,
            order: self.train.clone(),
            entities,
            relations,
        }))
    }

    fn file(&self, weights: &Tensors) -> Result<Vec<u8>> {
        Ok(file(&self.dataset, &self.config, weights)?)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("Entities", self.config.entities.len().to_string()),
            ("Relations", self.config.relations.len().to_string()),
            (
                "Split",
                format!(
                    "facts at random{}, such that every entity and relation keeps one to be learned \
                     from: {} to learn from, {} to choose the epoch by, {} in the test",
                    match self.settings.get("apart") > 0.0 {
                        true => ", all between the same two entities in the same part",
                        false => "",
                    },
                    self.train.len(),
                    self.valid.len(),
                    self.test.len()
                ),
            ),
        ]
    }

    fn headline(&self) -> Headline {
        Headline {
            figure: TEN,
            baseline: RULES_TEN,
            baseline_is: "inverse relations, else the relation's most frequent answers",
            measured: "of questions about held-out facts have the answer among the first ten",
        }
    }

    fn held_out(&self, _: usize) -> Vec<String> {
        self.names(&self.test)
    }

    fn split(&self) -> Vec<(&'static str, String)> {
        let text = |all: &[Fact]| self.names(all).join("\n") + "\n";
        vec![
            ("train.tsv", text(&self.train)),
            ("valid.tsv", text(&self.valid)),
            ("test.tsv", text(&self.test)),
        ]
    }
}

impl TransE {
    /// Of each fact its names, with tabs between.
    fn names(&self, all: &[Fact]) -> Vec<String> {
        let (entity, relation) = (&self.config.entities, &self.config.relations);
        let line = |[h, r, t]: &Fact| {
            let (h, r, t) =
                (entity.at(*h as usize), relation.at(*r as usize), entity.at(*t as usize));
            format!("{h}\t{r}\t{t}")
        };
        all.iter().map(line).collect()
    }

    /// Ranks of the tail and of the head of a fact, raw and without other right answers, where
    /// `distance` says how far an answer is.
    fn ranks(&self, fact: Fact, distance: impl Fn(Fact) -> f32) -> [Ranks; 2] {
        let [h, r, t] = fact;
        let n = self.config.entities.len() as u32;
        let own = distance(fact);
        let right_tails = self.tails.get(&(h, r)).map_or(&[][..], Vec::as_slice);
        let right_heads = self.heads.get(&(r, t)).map_or(&[][..], Vec::as_slice);
        let tail = |e: u32| distance([h, r, e]);
        let head = |e: u32| distance([e, r, t]);
        let of = |all: &dyn Fn(u32) -> f32, right: &[u32], at: u32| {
            let raw = rank(own, (0..n).filter(|e| *e != at).map(all));
            // Those of the right ones that are not the answer come off again.
            let known = rank(own, right.iter().filter(|e| **e != at).map(|e| all(*e)));
            [Ranks::of(raw), Ranks::of(raw - (known - 1.0))]
        };
        let (a, b) = (of(&tail, right_tails, t), of(&head, right_heads, h));
        [a[0].and(b[0]), a[1].and(b[1])]
    }

    /// Ranks over facts, raw and filtered; in the order of the facts, however many threads there are.
    fn all_ranks(&self, facts: &[Fact], distance: impl Fn(Fact) -> f32 + Sync) -> [Ranks; 2] {
        let each: Vec<[Ranks; 2]> = facts.par_iter().map(|f| self.ranks(*f, &distance)).collect();
        let none = [Ranks::default(); 2];
        each.into_iter().fold(none, |a, b| [a[0].and(b[0]), a[1].and(b[1])])
    }

    /// The share of facts whose relation is the nearest of all between its ends.
    fn relations_found(&self, facts: &[Fact], distance: impl Fn(Fact) -> f32) -> f64 {
        let n = self.config.relations.len() as u32;
        let is_found = |[h, r, t]: &Fact| {
            let own = distance([*h, *r, *t]);
            let is_right = |x: u32| {
                let tails = self.tails.get(&(*h, x));
                tails.is_some_and(|all| all.contains(t))
            };
            (0..n).all(|x| x == *r || is_right(x) || distance([*h, x, *t]) > own)
        };
        facts.iter().filter(|f| is_found(f)).count() as f64 / facts.len().max(1) as f64
    }
}

/// The figure that a model is told by, and the same of whoever follows rules.
const TEN: &str = "filtered Hits@10";
const RULES_TEN: &str = "rules: filtered Hits@10";

fn to_unit(row: &mut [f32]) {
    let size = row.iter().map(|x| x * x).sum::<f32>().sqrt();
    if size > 0.0 {
        row.iter_mut().for_each(|x| *x /= size);
    }
}

struct Learning<'a> {
    experiment: &'a TransE,
    known: HashSet<Fact>,
    order: Vec<Fact>,
    entities: Vec<f32>,
    relations: Vec<f32>,
}

/// Ranks of the right answers, summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Ranks {
    n: f64,
    sum: f64,
    inverse: f64,
    in_one: f64,
    in_ten: f64,
}

impl Ranks {
    fn of(rank: f64) -> Self {
        let within = |k: f64| f64::from(u8::from(rank <= k));
        Self { n: 1.0, sum: rank, inverse: 1.0 / rank, in_one: within(1.0), in_ten: within(10.0) }
    }

    fn and(self, other: Self) -> Self {
        Self {
            n: self.n + other.n,
            sum: self.sum + other.sum,
            inverse: self.inverse + other.inverse,
            in_one: self.in_one + other.in_one,
            in_ten: self.in_ten + other.in_ten,
        }
    }

    fn mean(self, of: fn(&Self) -> f64) -> f64 {
        of(&self) / self.n.max(1.0)
    }
}

/// The place of a distance among others, from 1; among those that are as far it is in the middle.
fn rank(own: f32, others: impl Iterator<Item = f32>) -> f64 {
    let (mut nearer, mut same) = (0_usize, 0_usize);
    for other in others {
        nearer += usize::from(other < own);
        same += usize::from(other == own);
    }
    1.0 + nearer as f64 + same as f64 / 2.0
}

impl Learning<'_> {
    fn distance(&self, [h, r, t]: Fact) -> f32 {
        let n = self.experiment.config.n_dims;
        let row = |of: usize| of * n..(of + 1) * n;
        length(
            self.experiment.config.norm,
            &self.entities[row(h as usize)],
            &self.relations[row(r as usize)],
            &self.entities[row(t as usize)],
        )
    }

    /// Moves a fact's places so that its distance shrinks (`by` > 0) or grows.
    fn pull(&mut self, [h, r, t]: Fact, by: f32) {
        let n = self.experiment.config.n_dims;
        let (h, r, t) = (h as usize * n, r as usize * n, t as usize * n);
        let far = match self.experiment.config.norm {
            Norm::L1 => 1.0,
            Norm::L2 => length(
                Norm::L2,
                &self.entities[h..h + n],
                &self.relations[r..r + n],
                &self.entities[t..t + n],
            )
            .max(1e-6),
        };
        for k in 0..n {
            let x = self.entities[h + k] + self.relations[r + k] - self.entities[t + k];
            let slope = match self.experiment.config.norm {
                Norm::L1 if x == 0.0 => 0.0,
                Norm::L1 => x.signum(),
                Norm::L2 => x / far,
            };
            self.entities[h + k] -= by * slope;
            self.relations[r + k] -= by * slope;
            self.entities[t + k] += by * slope;
        }
    }

    /// A step down the gradient of `max(0, margin + d(fact) − d(wrong))`; gives the loss before it.
    fn step(&mut self, fact: Fact, wrong: Fact, margin: f32, lr: f32) -> f32 {
        let lost = margin + self.distance(fact) - self.distance(wrong);
        if lost <= 0.0 {
            return 0.0;
        }
        self.pull(fact, lr);
        self.pull(wrong, -lr);
        lost
    }

    /// Ranks over facts, raw and filtered.
    fn all_ranks(&self, facts: &[Fact]) -> [Ranks; 2] {
        self.experiment.all_ranks(facts, |fact| self.distance(fact))
    }
}

/// How long a step is in an epoch, counted from 1: as long as `lr` in the first, and where it is to
/// be so, shorter by as much in each, so that after the last it would be none.
fn step_length(settings: &Numbers, epoch: usize) -> f64 {
    let epochs = settings.get("epochs").max(1.0);
    let gone = (epoch.saturating_sub(1) as f64 / epochs).min(1.0);
    settings.get("lr") * (1.0 - gone * settings.get("anneal").clamp(0.0, 1.0))
}

impl Trainer for Learning<'_> {
    fn epoch(&mut self, epoch: usize, rng: &mut ChaCha8Rng) -> Result<f64> {
        let settings = &self.experiment.settings;
        let lr = step_length(settings, epoch) as f32;
        let margin = settings.get("margin") as f32;
        let of_relation = settings.get("relation");
        let n_entities = self.experiment.config.entities.len() as u32;
        let n_relations = self.experiment.config.relations.len() as u32;
        let n = self.experiment.config.n_dims;
        // From the same order in every epoch, so that an epoch hangs on its number alone.
        let mut order = std::mem::take(&mut self.order);
        order.copy_from_slice(&self.experiment.train);
        shuffle(&mut order, rng);
        let mut lost = 0.0;
        for fact in &order {
            let mut wrong = *fact;
            for _ in 0..MAX_DRAWS {
                wrong = *fact;
                if rng.random::<f64>() < of_relation {
                    wrong[1] = rng.random_range(0..n_relations);
                } else {
                    let end = if rng.random::<bool>() { 0 } else { 2 };
                    wrong[end] = rng.random_range(0..n_entities);
                }
                if !self.known.contains(&wrong) {
                    break;
                }
            }
            let loss = self.step(*fact, wrong, margin, lr);
            if loss > 0.0 {
                for e in [fact[0], fact[2], wrong[0], wrong[2]] {
                    to_unit(&mut self.entities[e as usize * n..][..n]);
                }
            }
            lost += f64::from(loss);
        }
        let mean = lost / order.len().max(1) as f64;
        self.order = order;
        Ok(mean)
    }

    fn measure(&mut self) -> Result<Measured> {
        let n = self.experiment.settings.count("sample").max(1);
        let hits = |all: &[Fact]| {
            let [_, filtered] = self.all_ranks(&all[..n.min(all.len())]);
            filtered.mean(|r| r.in_ten)
        };
        let (valid, test) = (hits(&self.experiment.valid), hits(&self.experiment.test));
        Ok(Measured { valid, test, valid_loss: 0.0 })
    }

    fn weights(&self) -> Result<Tensors> {
        let named =
            shapes(&self.experiment.config).into_iter().zip([&self.entities, &self.relations]);
        Ok(named.map(|((name, shape), d)| (name, Array::new(&shape, d.clone()))).collect())
    }

    fn set_weights(&mut self, weights: &Tensors) -> Result<()> {
        let data = [&mut self.entities, &mut self.relations];
        for (to, (name, shape)) in data.into_iter().zip(shapes(&self.experiment.config)) {
            *to = take_tensor(weights, &name, &shape)?;
        }
        Ok(())
    }

    fn figures(&mut self) -> Result<Vec<(&'static str, f64)>> {
        let [raw, filtered] = self.all_ranks(&self.experiment.test);
        let [_, aside] = self.all_ranks(&self.experiment.valid);
        let experiment = self.experiment;
        let rules = Rules::new(
            &experiment.train,
            experiment.config.entities.len(),
            experiment.config.relations.len(),
        );
        let [_, by_rules] = experiment.all_ranks(&experiment.test, |fact| rules.distance(fact));
        let [_, frequent] = experiment.all_ranks(&experiment.test, |fact| rules.rarity(fact));
        let by_rules_found = experiment.relations_found(&experiment.test, |f| rules.other(f));
        let found = experiment.relations_found(&experiment.test, |fact| self.distance(fact));
        Ok(vec![
            ("filtered mean rank", filtered.mean(|r| r.sum)),
            ("filtered mean reciprocal rank", filtered.mean(|r| r.inverse)),
            ("filtered Hits@1", filtered.mean(|r| r.in_one)),
            (TEN, filtered.mean(|r| r.in_ten)),
            ("raw mean rank", raw.mean(|r| r.sum)),
            ("raw Hits@10", raw.mean(|r| r.in_ten)),
            ("relations found", found),
            ("rules: filtered mean rank", by_rules.mean(|r| r.sum)),
            ("rules: filtered Hits@1", by_rules.mean(|r| r.in_one)),
            (RULES_TEN, by_rules.mean(|r| r.in_ten)),
            ("rules: relations found", by_rules_found),
            ("most frequent answers: filtered mean rank", frequent.mean(|r| r.sum)),
            ("most frequent answers: filtered Hits@1", frequent.mean(|r| r.in_one)),
            ("most frequent answers: filtered Hits@10", frequent.mean(|r| r.in_ten)),
            ("validation: filtered mean rank", aside.mean(|r| r.sum)),
            ("validation: filtered Hits@10", aside.mean(|r| r.in_ten)),
        ])
    }
}

#[cfg(test)]
mod tests;

//! A network that begins as another one: with more layers, and a longer table of tokens.

use anyhow::{Result, ensure};
use ownmodel::{Config, FIRST_NAMED, Layout, N_NUMBERS, N_VOCAB, OwnNetwork, Tensor, number_of};

use super::Learner;

impl Learner {
    /// Takes over weights that learned the first `n_tokens` of the table. New layers lie between the old ones and add nothing to the stream at first;
    /// numbers of names begin alike, but for a part that keeps them apart.
    ///
    /// # Errors
    /// The other network is wider, deeper or built otherwise.
    pub(crate) fn begin_as(&mut self, start: &OwnNetwork, n_tokens: usize) -> Result<()> {
        let (old, new) = (*start.config(), *self.config());
        let is_alike = Config { n_layers: new.n_layers, ..old } == new;
        ensure!(
            is_alike && old.n_layers <= new.n_layers,
            "a training that begins with weights has their width, heads and hidden size, and as many \
             layers or more: {old:?} is not a part of {new:?}"
        );
        let from = Layout::new(&old);
        let into = Layout::new(&new);
        let width = new.width;
        let learned = self.learned_mut();
        let mut copy = |from: &Tensor, into: &Tensor| {
            // What the table had.
            let n = from.rows.min(if from.at == 0 { n_tokens } else { from.rows }) * from.columns;
            learned[into.at..into.at + n].copy_from_slice(&start.weights()[from.range()][..n]);
        };
        // All but the embedding and the last gains belong to layers, nine each.
        let per_layer = (from.tensors.len() - 2) / old.n_layers;
        let place = |layer: usize| layer * new.n_layers / old.n_layers;
        copy(&from.tensors[0], &into.tensors[0]);
        for layer in 0..old.n_layers {
            for i in 0..per_layer {
                let (a, b) = (1 + layer * per_layer + i, 1 + place(layer) * per_layer + i);
                copy(&from.tensors[a], &into.tensors[b]);
            }
        }
        copy(&from.tensors[from.tensors.len() - 1], &into.tensors[into.tensors.len() - 1]);
        let kept: Vec<usize> = (0..old.n_layers).map(place).collect();
        for (layer, at) in into.layers.iter().enumerate() {
            if !kept.contains(&layer) {
                learned[at.out..at.out + width * width].fill(0.0);
                learned[at.down..at.down + width * new.hidden].fill(0.0);
            }
        }
        self.begin_numbers(n_tokens);
        Ok(())
    }

    /// The rows of numbers were added to those of tokens: they begin at nothing. Numbers of
    /// names, and nodes that the old table had no token for, begin as the mean of their kind; names keep
    /// a row of their own that differs from all others.
    fn begin_numbers(&mut self, n_old: usize) {
        let width = self.config().width;
        let at = |token: u32| token as usize * width..(token as usize + 1) * width;
        let (total, embed) = (self.layout().total, self.layout().embed);
        let kinds =
            (0..N_VOCAB as u32).filter_map(|token| Some((ownmodel::role_of(token)?, token)));
        let mut by_role: std::collections::BTreeMap<u8, Vec<u32>> = Default::default();
        for (role, token) in kinds {
            by_role.entry(role).or_default().push(token);
        }
        let learned = self.learned_mut();
        for tokens in by_role.values() {
            let is_old = |token: &&u32| {
                (**token as usize) < n_old && number_of(**token).is_some_and(|n| n < FIRST_NAMED)
            };
            let old: Vec<u32> = tokens.iter().filter(is_old).copied().collect();
            let mut mean = vec![0.0; width];
            for token in &old {
                let row = &learned[embed..][at(*token)];
                mean.iter_mut().zip(row).for_each(|(sum, x)| *sum += x / old.len().max(1) as f32);
            }
            for token in tokens.iter().filter(|token| !old.contains(token)) {
                learned[embed..][at(*token)].copy_from_slice(&mean);
            }
        }
        for n in 0..N_NUMBERS.min(FIRST_NAMED) {
            learned[total..][at(n)].fill(0.0);
        }
        // Those of names keep the random rows they were made with, as far apart as those of numbers.
        for x in &mut learned[total..][at(FIRST_NAMED).start..] {
            *x *= 4.0;
        }
    }
}

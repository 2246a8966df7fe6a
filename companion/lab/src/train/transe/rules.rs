//! What can be told of a fact by counting alone: relations that turn others around, and how often a
//! relation has an answer. What learns should do better.

use std::collections::HashSet;

use super::Fact;

/// Counts of the facts to learn from.
pub(super) struct Rules {
    n_entities: usize,
    /// Of each entity the relations that lead on from it, with where to; and those that lead to it.
    on: Vec<Vec<(u32, u32)>>,
    to: Vec<Vec<(u32, u32)>>,
    /// Of two relations, how often the second leads back where the first leads on.
    turned: Vec<Vec<f32>>,
    n_of: Vec<f32>,
    /// Of a relation and an entity how often it is the head, and how often the tail.
    heads: Vec<f32>,
    tails: Vec<f32>,
}

impl Rules {
    /// Counts. O(facts · relations + entities · relations).
    pub(super) fn new(facts: &[Fact], n_entities: usize, n_relations: usize) -> Self {
        let known: HashSet<Fact> = facts.iter().copied().collect();
        let mut it = Self {
            n_entities,
            on: vec![Vec::new(); n_entities],
            to: vec![Vec::new(); n_entities],
            turned: vec![vec![0.0; n_relations]; n_relations],
            n_of: vec![0.0; n_relations],
            heads: vec![0.0; n_relations * n_entities],
            tails: vec![0.0; n_relations * n_entities],
        };
        for [h, r, t] in facts {
            let place = |e: u32| *r as usize * n_entities + e as usize;
            it.heads[place(*h)] += 1.0;
            it.tails[place(*t)] += 1.0;
            it.n_of[*r as usize] += 1.0;
            it.on[*h as usize].push((*r, *t));
            it.to[*t as usize].push((*r, *h));
            for (back, n) in it.turned[*r as usize].iter_mut().enumerate() {
                *n += f32::from(u8::from(known.contains(&[*t, back as u32, *h])));
            }
        }
        for (row, n) in it.turned.iter_mut().zip(&it.n_of) {
            row.iter_mut().for_each(|x| *x /= n.max(1.0));
        }
        it
    }

    /// The best of what is known the other way round, as a share from 0 to 1.
    fn inverse(&self, [h, r, t]: Fact) -> f32 {
        let (on, to) = (&self.on[t as usize], &self.to[h as usize]);
        let (shorter, other) = if on.len() < to.len() { (on, h) } else { (to, t) };
        let leading_back = shorter.iter().filter(|(_, e)| *e == other);
        leading_back.map(|(s, _)| self.turned[*s as usize][r as usize]).fold(0.0, f32::max)
    }

    /// Less where the relation has this head and this tail often. Of two answers to a question only
    /// one end differs, so that the product ranks them as that end alone does.
    pub(super) fn rarity(&self, [h, r, t]: Fact) -> f32 {
        let place = |e: u32| r as usize * self.n_entities + e as usize;
        -((1.0 + self.heads[place(h)]) * (1.0 + self.tails[place(t)])).ln()
    }

    /// Less where a fact is known the other way round; of those that are alike, by frequency.
    pub(super) fn distance(&self, fact: Fact) -> f32 {
        -1000.0 * self.inverse(fact) + self.rarity(fact)
    }

    /// The same between relations, which are alike more often.
    pub(super) fn other(&self, fact: Fact) -> f32 {
        self.distance(fact) - 1e-6 * self.n_of[fact[1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_turned_around_is_the_best_answer_and_then_the_most_frequent() {
        // 0 is over 1 and 2, which are under 0, but nobody said so of 2; 3 is over 1 too.
        let facts = [[0, 0, 1], [1, 1, 0], [0, 0, 2], [3, 0, 1], [1, 1, 3]];
        let rules = Rules::new(&facts, 4, 2);
        assert_eq!(rules.turned[0], [0.0, 2.0 / 3.0]);
        assert_eq!(rules.turned[1], [1.0, 0.0]);
        // Under whom is 2? Under 0, because 0 is over it; 3 is as frequent.
        let order = |score: &dyn Fn(Fact) -> f32| -> Vec<u32> {
            let mut all: Vec<u32> = vec![3, 0, 2];
            all.sort_by(|a, b| score([2, 1, *a]).total_cmp(&score([2, 1, *b])));
            all
        };
        assert_eq!(order(&|f| rules.distance(f)), [0, 3, 2]);
        assert_eq!(rules.rarity([2, 1, 0]), rules.rarity([2, 1, 3]));
        // Over whom is 3? Most are over 1.
        assert!(rules.rarity([3, 0, 1]) < rules.rarity([3, 0, 2]));
        // What is between 2 and 0?
        assert!(rules.other([2, 1, 0]) < rules.other([2, 0, 0]));
    }
}

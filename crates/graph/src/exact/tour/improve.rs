//! Tours that are good, and not proven to be the best.

use super::{Branching, closed};

impl Branching<'_> {
    /// The tour of always going to the nearest node, made shorter by turning pieces around and moving
    /// short pieces elsewhere.
    pub(super) fn improve(&mut self, start: usize) {
        let n = self.length.len();
        let mut order = vec![start];
        let mut left: Vec<usize> = (0..n).filter(|v| *v != start).collect();
        while !left.is_empty() {
            let at = order[order.len() - 1];
            let near = |i: &usize| self.length[at][left[*i]];
            let Some(i) = (0..left.len()).min_by(|a, b| near(a).total_cmp(&near(b))) else { break };
            order.push(left.swap_remove(i));
        }
        let length = |a: usize, b: usize| self.length[a][b].min(1e15);
        let mut changed = true;
        while changed && self.steps <= self.budget / 2 {
            changed = false;
            for i in 0..n - 1 {
                for k in i + 1..n {
                    self.steps += 1;
                    let (a, b) = (order[(i + n - 1) % n], order[i]);
                    let (c, d) = (order[k], order[(k + 1) % n]);
                    if a == c || b == d {
                        continue;
                    }
                    let gain = length(a, b) + length(c, d) - length(a, c) - length(b, d);
                    if gain > 1e-9 {
                        order[i..=k].reverse();
                        changed = true;
                    }
                }
            }
            for size in 1..=3.min(n.saturating_sub(3)) {
                for i in 0..n {
                    self.steps += n as u64;
                    // The piece stands first, whichever it is.
                    let mut turned: Vec<usize> =
                        order[i..].iter().chain(&order[..i]).copied().collect();
                    let piece: Vec<usize> = turned.drain(..size).collect();
                    let (first, last) = (piece[0], piece[size - 1]);
                    let (before, behind) = (turned[turned.len() - 1], turned[0]);
                    let saved =
                        length(before, first) + length(last, behind) - length(before, behind);
                    let put = (0..turned.len() - 1)
                        .map(|k| {
                            let (a, b) = (turned[k], turned[k + 1]);
                            let gap = length(a, b);
                            let straight = length(a, first) + length(last, b) - gap;
                            let back = length(a, last) + length(first, b) - gap;
                            (straight.min(back), k, back < straight)
                        })
                        .min_by(|a, b| a.0.total_cmp(&b.0));
                    let Some((cost, k, is_back)) = put.filter(|p| saved - p.0 > 1e-9) else {
                        continue;
                    };
                    debug_assert!(cost < saved);
                    let piece: Vec<usize> =
                        if is_back { piece.into_iter().rev().collect() } else { piece };
                    turned.splice(k + 1..k + 1, piece);
                    order = turned;
                    changed = true;
                }
            }
        }
        let total = closed(self.length, &order);
        if total.is_finite() && self.best.as_ref().is_none_or(|b| total < b.0) {
            self.best = Some((total, order));
        }
    }
}

//! Sums and flows: the forms in which texts state amounts.

use graph::NodeName;

use super::find::Finder;
use super::{Asks, Said};
use crate::definition::Row;

impl Finder<'_> {
    /// `1 + 2 = 3` and `[1,0] + [0,1] = [1,1]`.
    pub(super) fn sum(&mut self, at: usize) -> Option<usize> {
        if at > 0 && self.is(at - 1, &["+"]) {
            return None;
        }
        let (first, mut end) = self.term(at)?;
        let mut terms = vec![first];
        while self.is(end, &["+"]) {
            let (term, after) = self.term(end + 1)?;
            terms.push(term);
            end = after;
        }
        // One number equals nothing worth checking; one vector may be copied wrongly.
        let enough = terms.len() > 1 || (terms[0].len() > 1 && self.speech.row == Row::Embedding);
        if !enough || !self.is(end, &["="]) {
            return None;
        }
        let (value, end) = self.term(end + 1)?;
        let text = self.words_between(at, end);
        self.state(Said::Sum { terms, value, text }, at, end);
        Some(end)
    }

    fn term(&self, at: usize) -> Option<(Vec<f64>, usize)> {
        if self.is_number(at) {
            return Some((vec![self.number(at)?], at + 1));
        }
        if !self.is(at, &["[", "("]) {
            return None;
        }
        let (mut values, mut at) = (Vec::new(), at + 1);
        loop {
            if !self.is_number(at) {
                return None;
            }
            values.push(self.number(at)?);
            at += 1;
            if self.is(at, &["]", ")"]) {
                return Some((values, at + 1));
            }
            if !self.is(at, &[","]) {
                return None;
            }
            at += 1;
        }
    }

    /// `13 units of flow from node 7 to node 8`, `the maximum flow from node 7 to node 8 is 20`.
    pub(super) fn flow_words(&mut self, at: usize) -> Option<usize> {
        if matches!(self.asks, Asks::Flow(..))
            && self.is(at, &["maximum", "max"])
            && self.is(at + 1, &["flow"])
        {
            return self.max_flow(at);
        }
        let value = self.number(at).filter(|_| self.is(at + 1, &["unit", "units"]))?;
        let mut next = self
            .skip(at + 2, &["of", "flow", "can", "be", "sent", "through", "along", "the", "edge"]);
        let mut source = None;
        if self.is(next, &["from"]) {
            let (u, after) = self.end(next + 1)?;
            source = Some(u);
            next = after;
        }
        if !self.is(next, &["to"]) {
            return None;
        }
        let (v, end) = self.end(next + 1)?;
        // "from the source (node 4), we can send 13 units of flow to node 8, and 11 … to node 10".
        let u = source.or_else(|| self.sender(at))?;
        // All that flows, where no edge leads there: "six units can flow from the source to the sink".
        let is_all = matches!(self.asks, Asks::Flow(source, sink) if *source == u && *sink == v)
            && self.graph.edge(&u, &v).is_none();
        let said = match is_all {
            true => Said::MaxFlow { u, v, value },
            false => Said::Flow { u, v, value },
        };
        self.state(said, at, end);
        Some(end)
    }

    /// Who sends, where that was said earlier in the sentence.
    fn sender(&self, at: usize) -> Option<NodeName> {
        let mut back = at;
        while back > 0 && self.same_sentence(back - 1, at) {
            back -= 1;
            if self.is(back, &["from"])
                && let Some((node, _)) = self.end(back + 1)
            {
                return Some(node);
            }
        }
        None
    }

    /// A node that may be called an end: `the sink (node 5)`.
    fn end(&self, at: usize) -> Option<(NodeName, usize)> {
        let named = self.skip(at, &["the", "source", "sink", "(", ","]);
        let (node, end) = self.node(named, true)?;
        Some((node, if named > at { self.skip(end, &[")"]) } else { end }))
    }

    fn max_flow(&mut self, at: usize) -> Option<usize> {
        let Asks::Flow(source, sink) = self.asks else { return None };
        let (mut u, mut v) = (source.clone(), sink.clone());
        let mut next = at + 2;
        if self.is(next, &["from", "between"]) {
            let (a, mid) = self.node(next + 1, true)?;
            let (b, end) = self.node(self.skip(mid, &["to", "and"]), true)?;
            (u, v, next) = (a, b, end);
        }
        let value_at = self.skip(
            next,
            &["is", "also", "therefore", "thus", "=", ":", "of", "would", "be", "equal", "to"],
        );
        // `1 200` may be one number or two, and `2 (via 0) + 4 (via 1) = 6` is a sum.
        let is_sum = || {
            let close = (value_at..value_at + 32).find(|at| self.is(*at, &[")"]));
            close.is_some_and(|close| self.is(close + 1, &["+", "="]))
        };
        let is_open = self.is_number(value_at + 1) || self.is(value_at + 1, &["("]) && is_sum();
        if value_at == next || !self.is_number(value_at) || is_open {
            return Some(next);
        }
        // "… is 4 + 5 = 9": the flow is what stands last, and the sum is a claim of its own.
        let mut last = value_at;
        while self.is(last + 1, &["+", "="]) && self.is_number(last + 2) {
            last += 2;
        }
        let value = self.number(last)?;
        self.state(Said::MaxFlow { u, v, value }, at, last + 1);
        Some(if last > value_at { value_at } else { last + 1 })
    }
}

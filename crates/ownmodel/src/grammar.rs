//! Which tokens may follow in a turn of the model, so that calls are well formed and name only tools
//! that are offered, and so that a name that is repeated is one that came before, letter by letter.

use std::collections::{BTreeMap, BTreeSet};

use crate::edges::EdgeReader;
use crate::forms::{JSON_CAPACITIES, JSON_NAMED, JSON_PAIRS, JSON_WEIGHTS, N_JSON};
use crate::vocabulary::{
    BREAK, CAPITAL, DIRECTED, END, END_CALL, FIRST_FORM, JOIN, Kind, SPACE, Shape, UNDIRECTED,
    UNWEIGHTED, WEIGHTED, function, function_of, kind, number_of, words,
};

/// Where a turn stands.
#[derive(Clone, Debug)]
enum State {
    /// Nothing was said.
    Start,
    /// A text is being said.
    Text,
    /// A call of that shape has so many tokens behind its own; in a list, `form` is the list's.
    Call { shape: Shape, n: usize, form: Option<usize>, n_row: usize, edges: EdgeState },
    /// A call is whole.
    Called,
}

/// The state of a list of edges.
#[derive(Clone, Debug, Default)]
struct EdgeState {
    reader: EdgeReader,
    has_any: bool,
    /// The weight of the last edge must follow.
    owes_weight: bool,
}

impl EdgeState {
    fn allows(&self, form: Option<usize>, token: u32) -> bool {
        let has_weights = matches!(form, Some(JSON_WEIGHTS | JSON_CAPACITIES));
        if self.owes_weight {
            return matches!(kind(token), Kind::Number(_));
        }
        match kind(token) {
            // Edges with weights do not share their second node.
            Kind::Head(_) => !has_weights || !self.reader.would_join(true),
            Kind::Tail(_) => !has_weights || !self.reader.would_join(false),
            _ if token == BREAK => self.reader.is_whole(),
            _ => token == END_CALL && self.has_any && !self.reader.is_waiting(),
        }
    }

    fn push(&mut self, form: Option<usize>, token: u32) {
        let has_edge = !self.reader.push(token).is_empty();
        self.has_any |= has_edge;
        self.owes_weight = has_edge && matches!(form, Some(JSON_WEIGHTS | JSON_CAPACITIES));
    }
}

/// What a turn may go on with.
#[derive(Clone, Debug)]
pub(crate) struct Grammar {
    offered: Vec<u32>,
    must_call: bool,
    state: State,
    /// The letters of each name that came, by its number.
    names: BTreeMap<u32, Vec<char>>,
    /// The number of the name that is being spelled, and how many of its letters came.
    spelled: Option<(u32, usize)>,
    /// The numbers that calls may have; none where they may have all.
    mentioned: Option<BTreeSet<u32>>,
}

impl Grammar {
    /// For a turn behind these tokens in which these tools are offered; `must_call` forbids a text.
    pub(crate) fn new<'n>(
        before: &[u32],
        names: impl IntoIterator<Item = &'n str>,
        must_call: bool,
    ) -> Self {
        let offered: Vec<u32> = names.into_iter().filter_map(function).collect();
        let must_call = must_call && !offered.is_empty();
        let mut names: BTreeMap<u32, Vec<char>> = BTreeMap::new();
        let mut last = None;
        for token in before {
            match (kind(*token), last) {
                (Kind::Name(n), _) => {
                    names.insert(n, Vec::new());
                    last = Some(n);
                }
                (Kind::Letter(letter), Some(n)) => names.entry(n).or_default().push(letter),
                _ => last = None,
            }
        }
        Self { offered, must_call, state: State::Start, names, spelled: None, mentioned: None }
    }

    /// Allows only numbers in calls that came before.
    #[must_use]
    pub(crate) fn with_mentioned_only(self, before: &[u32]) -> Self {
        let mentioned = before.iter().filter_map(|token| number_of(*token)).collect();
        Self { mentioned: Some(mentioned), ..self }
    }

    /// Whether tokens of a call follow.
    pub(crate) fn is_in_call(&self) -> bool {
        matches!(self.state, State::Call { .. })
    }

    fn is_mentioned(&self, token: u32) -> bool {
        match (&self.mentioned, number_of(token)) {
            (Some(mentioned), Some(number)) => mentioned.contains(&number),
            _ => true,
        }
    }

    /// Whether a token goes on with a name, or stands where none is begun.
    fn spells(&self, token: u32) -> bool {
        let rest = self
            .spelled
            .map(|(name, n)| self.names.get(&name).and_then(|letters| letters.get(n)).copied());
        match (kind(token), rest) {
            (Kind::Letter(letter), Some(Some(next))) => letter == next,
            (Kind::Letter(_), _) | (_, Some(Some(_))) => false,
            (Kind::Name(name), _) => self.names.contains_key(&name),
            _ => true,
        }
    }

    /// Whether a token may come next.
    pub(crate) fn allows(&self, token: u32) -> bool {
        let calls = self.offered.contains(&token);
        let says = match kind(token) {
            Kind::Word(i) => i < words().len(),
            Kind::Form(form) => (N_JSON..crate::forms::FORMS.len()).contains(&form),
            Kind::Digit(_) | Kind::Head(_) | Kind::Tail(_) | Kind::Number(_) => true,
            Kind::Name(_) | Kind::Letter(_) => true,
            _ => matches!(token, JOIN | SPACE | CAPITAL | BREAK),
        };
        if !self.spells(token) || self.is_in_call() && !self.is_mentioned(token) {
            return false;
        }
        match &self.state {
            State::Start if self.must_call => calls,
            State::Start => calls || says,
            State::Text => says || token == END,
            State::Called => calls || token == END,
            State::Call { shape, n, form, edges, .. } if *shape == Shape::Edges && *n > 0 => {
                edges.allows(*form, token)
            }
            State::Call { shape, n, n_row, .. } => Self::allows_within(*shape, *n, *n_row, token),
        }
    }

    fn allows_within(shape: Shape, n: usize, n_row: usize, token: u32) -> bool {
        let kind = kind(token);
        let is_head = matches!(kind, Kind::Head(_));
        let is_tail = matches!(kind, Kind::Tail(_));
        let is_number = matches!(kind, Kind::Number(_));
        let ends = token == END_CALL;
        match (shape, n) {
            (Shape::Nothing, _) => ends,
            (Shape::Ends(..) | Shape::Node(_), 0) => is_head,
            (Shape::Ends(..), 1) => is_tail,
            (Shape::Layers, 0) => is_number,
            (Shape::Ends(..) | Shape::Node(_) | Shape::Layers, _) => ends,
            (Shape::Kind, 0) => matches!(token, DIRECTED | UNDIRECTED),
            (Shape::Kind, 1) => matches!(token, WEIGHTED | UNWEIGHTED),
            (Shape::Kind, _) => ends,
            (Shape::Nodes, 0) => is_number,
            (Shape::Nodes, _) => is_number || ends,
            (Shape::Edges, _) => [JSON_PAIRS, JSON_WEIGHTS, JSON_CAPACITIES, JSON_NAMED]
                .contains(&((token.wrapping_sub(FIRST_FORM)) as usize)),
            (Shape::Embeddings, 0) => token == FIRST_FORM + crate::forms::JSON_ROWS as u32,
            (Shape::Embeddings, 1) => is_head,
            (Shape::Embeddings, _) if n_row == 0 => is_number,
            (Shape::Embeddings, _) => is_number || is_head || ends,
        }
    }

    /// Takes the token that comes.
    pub(crate) fn push(&mut self, token: u32) {
        self.spelled = match (kind(token), self.spelled) {
            (Kind::Name(name), _) => Some((name, 0)),
            (Kind::Letter(_), Some((name, n))) => Some((name, n + 1)),
            _ => None,
        };
        self.state = match (&self.state, function_of(token)) {
            (State::Start | State::Called, Some((_, shape))) => State::Call {
                shape: *shape,
                n: 0,
                form: None,
                n_row: 0,
                edges: EdgeState::default(),
            },
            (State::Start | State::Text, _) => State::Text,
            (State::Call { .. }, _) if token == END_CALL => State::Called,
            (State::Call { shape, n, form, n_row, edges }, _) => {
                let mut edges = edges.clone();
                edges.push(*form, token);
                let (form, n_row) = match kind(token) {
                    Kind::Form(form) => (Some(form), 0),
                    Kind::Head(_) => (*form, 0),
                    _ => (*form, n_row + 1),
                };
                State::Call { shape: *shape, n: n + 1, form, n_row, edges }
            }
            (State::Called, None) => State::Called,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::encode;

    #[test]
    fn a_name_that_is_repeated_is_one_that_came() {
        let before = encode("user #u98 and item #B0").tokens;
        let mut grammar = Grammar::new(&before, [], false);
        let allowed = |grammar: &Grammar| -> Vec<String> {
            let all = (0..crate::N_VOCAB as u32).filter(|token| grammar.allows(*token));
            all.map(crate::name_of).collect()
        };
        let is_name = |name: &String| name.starts_with("⟨name");
        let names: Vec<String> = allowed(&grammar).into_iter().filter(is_name).collect();
        assert_eq!(names, ["⟨name 0⟩", "⟨name 1⟩"]);
        let again = encode("#u98").tokens;
        for (i, token) in again.iter().enumerate() {
            assert!(grammar.allows(*token));
            if i > 1 {
                // Nothing but the next letter.
                assert_eq!(allowed(&grammar), [crate::name_of(*token)]);
            }
            grammar.push(*token);
        }
        // The name is over: no letter follows, and a word may.
        assert!(!grammar.allows(again[2]));
        assert!(crate::vocabulary::word("and").is_some_and(|token| grammar.allows(token)));
    }
}

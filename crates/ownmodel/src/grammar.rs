//! Which tokens may follow in a turn of the model, so that calls are well formed and name only tools
//! that are offered, and so that a name that is repeated is one that came before, letter by letter.

use std::collections::BTreeMap;

use crate::forms::{JSON_CAPACITIES, JSON_NAMED, JSON_PAIRS, JSON_WEIGHTS, N_JSON};
use crate::vocabulary::{
    BREAK, CAPITAL, DIRECTED, END, END_CALL, FIRST_FORM, JOIN, Kind, SPACE, Shape, UNDIRECTED,
    UNWEIGHTED, WEIGHTED, function, function_of, kind, words,
};

/// Where a turn stands.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// Nothing was said.
    Start,
    /// A text is being said.
    Text,
    /// A call of that shape has so many tokens behind its own; in a list, `form` is the list's.
    Call { shape: Shape, n: usize, form: Option<usize>, n_row: usize },
    /// A call is whole.
    Called,
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
        Self { offered, must_call, state: State::Start, names, spelled: None }
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
        if !self.spells(token) {
            return false;
        }
        match &self.state {
            State::Start if self.must_call => calls,
            State::Start => calls || says,
            State::Text => says || token == END,
            State::Called => calls || token == END,
            State::Call { shape, n, form, n_row } => {
                Self::allows_within(*shape, *n, *form, *n_row, token)
            }
        }
    }

    fn allows_within(
        shape: Shape,
        n: usize,
        form: Option<usize>,
        n_row: usize,
        token: u32,
    ) -> bool {
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
            (Shape::Edges, 0) => [JSON_PAIRS, JSON_WEIGHTS, JSON_CAPACITIES, JSON_NAMED]
                .contains(&((token.wrapping_sub(FIRST_FORM)) as usize)),
            (Shape::Edges, n) => {
                let is_valued = matches!(form, Some(JSON_WEIGHTS | JSON_CAPACITIES));
                match (n - 1) % if is_valued { 3 } else { 2 } {
                    0 => is_head || ends && n > 1,
                    1 => is_tail,
                    _ => is_number,
                }
            }
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
            (State::Start | State::Called, Some((_, shape))) => {
                State::Call { shape: *shape, n: 0, form: None, n_row: 0 }
            }
            (State::Start | State::Text, _) => State::Text,
            (State::Call { .. }, _) if token == END_CALL => State::Called,
            (State::Call { shape, n, form, n_row }, _) => {
                let (form, n_row) = match kind(token) {
                    Kind::Form(form) => (Some(form), 0),
                    Kind::Head(_) => (*form, 0),
                    _ => (*form, n_row + 1),
                };
                State::Call { shape: *shape, n: n + 1, form, n_row }
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

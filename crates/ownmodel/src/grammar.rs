//! Which tokens may follow in a turn of the model, so that calls are well formed and name only tools
//! that are offered.

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
}

impl Grammar {
    /// For a turn in which these tools are offered; `must_call` forbids a text.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>, must_call: bool) -> Self {
        let offered: Vec<u32> = names.into_iter().filter_map(function).collect();
        let must_call = must_call && !offered.is_empty();
        Self { offered, must_call, state: State::Start }
    }

    /// Whether a token may come next.
    pub(crate) fn allows(&self, token: u32) -> bool {
        let calls = self.offered.contains(&token);
        let says = match kind(token) {
            Kind::Word(i) => i < words().len(),
            Kind::Form(form) => (N_JSON..crate::forms::FORMS.len()).contains(&form),
            Kind::Digit(_) | Kind::Head(_) | Kind::Tail(_) | Kind::Number(_) => true,
            _ => matches!(token, JOIN | SPACE | CAPITAL | BREAK),
        };
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

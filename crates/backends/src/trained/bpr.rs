//! What a user will like.

use std::collections::HashSet;

use graph::functions::Touched;
use ml::bpr::{Bpr, NAME, share};

use super::{MAX_SCORES, MAX_SHOWN, link, node, of_its_data, unknown};
use systems::toolformer::CallError;
use systems::toolformer::data::Data;
use systems::toolformer::python;
use systems::toolformer::{Reasoned, Reasoner, ReasonerRequest};

pub(super) struct Model(Bpr);

impl Model {
    pub(super) fn new(model: Bpr) -> Self {
        Self(model)
    }
}

impl Reasoner for Model {
    fn reason(&self, ask: &ReasonerRequest<'_>) -> Result<Reasoned, CallError> {
        let Self(model) = self;
        of_its_data(ask, NAME, &model.dataset)?;
        let (users, items) = (&model.config.users, &model.config.items);
        let [first, second] = ask.arguments else {
            return Err(CallError::model("bpr wants a user, and an item or a number"));
        };
        let user = users
            .place(&first.id)
            .ok_or_else(|| unknown("user", &first.id, users.len(), &model.dataset))?;
        if ask.function.name == "recommendation" {
            let item = items
                .place(&second.id)
                .ok_or_else(|| unknown("item", &second.id, items.len(), &model.dataset))?;
            let score = share(model.score(user, item));
            return Ok(Reasoned {
                // Three places, as the paper's table 5 has them.
                text: format!("{score:.3}"),
                looked_at: Touched {
                    nodes: vec![node(&first.id), node(&second.id)],
                    edges: vec![link(&first.id, &second.id)],
                },
                notes: liked(ask, &first.id, &[&second.id]),
                scores: vec![(second.id.clone(), f64::from(score))],
                weighs_nodes: true,
            });
        }
        let k = second.id.parse::<usize>().map_err(|_| {
            CallError::model(format!("{:?} is no number of items to recommend", second.id))
        })?;
        let top = model.top(user, k);
        let names: Vec<&str> = top.iter().map(|(i, _)| items.at(*i)).collect();
        let text: Vec<String> = names.iter().map(|n| python::text(n)).collect();
        let shown = || names.iter().take(MAX_SHOWN);
        let scores = top.iter().take(MAX_SCORES);
        Ok(Reasoned {
            text: format!("[{}]", text.join(", ")),
            looked_at: Touched {
                nodes: std::iter::once(node(&first.id)).chain(shown().map(|n| node(n))).collect(),
                edges: shown().map(|n| link(&first.id, n)).collect(),
            },
            notes: liked(ask, &first.id, &names),
            scores: scores.map(|(i, x)| (items.at(*i).to_owned(), f64::from(share(*x)))).collect(),
            weighs_nodes: true,
        })
    }
}

/// Which of the items the data tell that the user had already. They are not left out, as the paper's
/// are not.
fn liked(ask: &ReasonerRequest<'_>, user: &str, items: &[&str]) -> Vec<String> {
    let Data::Network(network) = &ask.data.data else { return Vec::new() };
    let Ok(place) = network.graph.index(&node(user)) else { return Vec::new() };
    let mut had: HashSet<String> =
        network.graph.neighbors(place).iter().map(|i| network.graph.name(*i).to_string()).collect();
    had.extend(
        network.graph.predecessors(place).iter().map(|i| network.graph.name(*i).to_string()),
    );
    let these: Vec<&str> = items.iter().copied().filter(|i| had.contains(*i)).collect();
    match these.len() {
        0 => Vec::new(),
        n => vec![format!("{n} of these {user} has in the data: {}", these.join(", "))],
    }
}

//! The topic of a paper.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use graph::NodeName;
use graph::functions::Touched;
use ml::graph_bert::{GraphBert, NAME, Papers, Prediction};
use ml::network::Links;

use super::{MAX_SCORES, MAX_SHOWN, failed, node, of_its_data, other_shape};
use systems::toolformer::CallError;
use systems::toolformer::data::{Data, Network};
use systems::toolformer::{Reasoned, Reasoner, ReasonerRequest};

pub(super) struct Model {
    model: GraphBert,
    /// The network that was asked about last, as the model sees it.
    last: RefCell<Option<(Rc<Network>, Rc<Papers>)>>,
}

impl Model {
    pub(super) fn new(model: GraphBert) -> Self {
        Self { model, last: RefCell::new(None) }
    }

    fn papers(&self, network: &Rc<Network>) -> Rc<Papers> {
        if let Some((of, papers)) = &*self.last.borrow()
            && Rc::ptr_eq(of, network)
        {
            return Rc::clone(papers);
        }
        let links = links(network);
        let papers = Rc::new(Papers::new(&self.model.config, links, network.features.clone()));
        *self.last.borrow_mut() = Some((Rc::clone(network), Rc::clone(&papers)));
        papers
    }
}

/// The links of a network by the places of its nodes.
pub(super) fn links(network: &Network) -> Links {
    let place: HashMap<&NodeName, usize> = network.graph.names().zip(0..).collect();
    let ends = network
        .graph
        .edges()
        .filter_map(|e| Some((place.get(e.source).copied()?, place.get(e.target).copied()?)));
    Links::new(network.graph.n_nodes(), ends.collect::<Vec<_>>())
}

impl Reasoner for Model {
    fn reason(&self, ask: &ReasonerRequest<'_>) -> Result<Reasoned, CallError> {
        let model = &self.model;
        of_its_data(ask, NAME, &model.dataset)?;
        let Data::Network(network) = &ask.data.data else {
            return Err(other_shape(ask.data, "a network of papers"));
        };
        let names: Vec<&NodeName> = network.graph.names().collect();
        let place: HashMap<String, usize> =
            names.iter().enumerate().map(|(i, n)| (n.to_string(), i)).collect();
        let mut asked = Vec::new();
        for argument in ask.arguments {
            let Some(i) = place.get(&argument.id) else {
                let near = graph::nearest_names(&node(&argument.id), names.iter().copied(), 3);
                return Err(CallError::UnknownNode {
                    node: argument.id.clone(),
                    near: near.iter().map(ToString::to_string).collect(),
                });
            };
            asked.push(*i);
        }
        let papers = self.papers(network);
        let told = model.predict(&papers, &asked).map_err(failed)?;
        // The data write names of topics with `_`, the texts with spaces.
        let label = |t: &Prediction| model.config.labels.at(t.label()).replace('_', " ");
        let text: Vec<String> = told.iter().map(label).collect();
        let mut notes = Vec::new();
        if names.len() != model.config.n_nodes {
            notes.push(format!(
                "the model learned from {} papers and saw {} now",
                model.config.n_nodes,
                names.len()
            ));
        }
        let mut scores = Vec::new();
        if let [one] = told.as_slice() {
            let mut shares: Vec<(String, f64)> = model
                .config
                .labels
                .iter()
                .zip(&one.shares)
                .map(|(l, x)| (l.replace('_', " "), f64::from(*x)))
                .collect();
            shares.sort_by(|a, b| b.1.total_cmp(&a.1));
            scores.extend(shares);
            let closest = one.sequence.iter().skip(1).filter(|m| m.intimacy > 0.0);
            let closest: Vec<String> =
                closest.map(|m| format!("{} {:.4}", names[m.node as usize], m.intimacy)).collect();
            notes.push(match closest.is_empty() {
                true => "no paper is linked with it; it was looked at alone".to_owned(),
                false => format!("looked at with the closest by intimacy: {}", closest.join(", ")),
            });
        } else {
            let best = |(t, n): (&Prediction, &usize)| {
                (names[*n].to_string(), f64::from(t.shares[t.label()]))
            };
            scores.extend(told.iter().zip(&asked).take(MAX_SCORES).map(best));
        }
        Ok(Reasoned {
            text: text.join(", "),
            looked_at: shown(network, &told),
            notes,
            scores,
            weighs_nodes: false,
        })
    }
}

/// The sequences, with the links from their first nodes to the others.
fn shown(network: &Network, told: &[Prediction]) -> Touched {
    let names: Vec<&NodeName> = network.graph.names().collect();
    let mut touched = Touched::default();
    for one in told {
        let Some(first) = one.sequence.first() else { continue };
        let own = names[first.node as usize];
        for member in &one.sequence {
            let name = names[member.node as usize];
            if touched.nodes.len() >= MAX_SHOWN {
                return touched;
            }
            if !touched.nodes.contains(name) {
                touched.nodes.push(node(&name.to_string()));
            }
            let edge = network.graph.edge(own, name).or_else(|| network.graph.edge(name, own));
            if let Some(edge) = edge
                && own != name
            {
                touched.edges.push((edge.source.clone(), edge.target.clone()));
            }
        }
    }
    touched
}

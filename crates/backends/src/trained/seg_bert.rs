//! What a molecule does.

use graph::functions::Touched;
use ml::seg_bert::{Molecule, NAME, SegBert};

use super::graph_bert::links;
use super::{MAX_SCORES, MAX_SHOWN, failed, of_its_data, other_shape};
use systems::toolformer::CallError;
use systems::toolformer::data::{Data, Member};
use systems::toolformer::{Reasoned, Reasoner, ReasonerRequest};

pub(super) struct Model(SegBert);

impl Model {
    pub(super) fn new(model: SegBert) -> Self {
        Self(model)
    }
}

impl Reasoner for Model {
    fn reason(&self, ask: &ReasonerRequest<'_>) -> Result<Reasoned, CallError> {
        let Self(model) = self;
        of_its_data(ask, NAME, &model.dataset)?;
        let Data::Set(set) = &ask.data.data else {
            return Err(other_shape(ask.data, "a set of graphs"));
        };
        let mut asked: Vec<&Member> = Vec::new();
        for argument in ask.arguments {
            let Some(member) = set.iter().find(|m| m.name == argument.id) else {
                let near = set.iter().filter(|m| m.name.starts_with(&argument.id)).take(3);
                return Err(CallError::UnknownGraph {
                    dataset: ask.data.name.clone(),
                    graph: argument.id.clone(),
                    near: near.map(|m| m.name.clone()).collect(),
                });
            };
            asked.push(member);
        }
        let molecules: Vec<Molecule> = asked
            .iter()
            .map(|m| Molecule::new(&model.config, links(&m.network), &m.network.features))
            .collect();
        let shares = model.predict(&molecules.iter().collect::<Vec<_>>()).map_err(failed)?;
        let best = |shares: &Vec<f32>| {
            let better = |b: usize, i: usize| if shares[i] > shares[b] { i } else { b };
            (0..shares.len()).fold(0, better)
        };
        let labels = &model.config.labels;
        let text: Vec<&str> = shares.iter().map(|s| labels.at(best(s))).collect();
        let mut notes = Vec::new();
        for member in &asked {
            let n = member.network.graph.n_nodes();
            if n > model.config.n_nodes {
                let most = model.config.n_nodes;
                notes.push(format!("of the {n} nodes of {} the first {most} count", member.name));
            }
        }
        let (mut scores, mut looked_at) = (Vec::new(), Touched::default());
        if let ([shares], [member]) = (shares.as_slice(), asked.as_slice()) {
            scores =
                labels.iter().zip(shares).map(|(l, x)| (l.to_owned(), f64::from(*x))).collect();
            scores.sort_by(|a, b| b.1.total_cmp(&a.1));
            let graph = &member.network.graph;
            looked_at.nodes = graph.names().take(MAX_SHOWN).cloned().collect();
            let is_shown = |e: &graph::EdgeRef<'_>| {
                looked_at.nodes.contains(e.source) && looked_at.nodes.contains(e.target)
            };
            let edges = graph.edges().filter(is_shown).take(2 * MAX_SHOWN);
            looked_at.edges = edges.map(|e| (e.source.clone(), e.target.clone())).collect();
        } else {
            let one = |(m, s): (&&Member, &Vec<f32>)| (m.name.clone(), f64::from(s[best(s)]));
            scores.extend(asked.iter().zip(&shares).take(MAX_SCORES).map(one));
        }
        Ok(Reasoned { text: text.join(", "), looked_at, notes, scores, weighs_nodes: false })
    }
}

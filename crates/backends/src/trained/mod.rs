//! The trained models of the hub, from the bytes of their files.
//!
//! Each is of one data set; asked about another, it says so. `docs/models.md` says what they are and
//! how they are made.

mod bpr;
mod graph_bert;
mod seg_bert;
#[cfg(test)]
mod tests;
mod transe;

use std::rc::Rc;

use graph::NodeName;
use ml::weights::{FileError, ModelFile};

use systems::toolformer::{CallError, Loaded, Reasoner, ReasonerRequest};

/// The most nodes and links that are told to a drawing.
const MAX_SHOWN: usize = 60;
/// The most scores that are told.
const MAX_SCORES: usize = 40;

/// Makes a model of its file: the name that calls name it by, the data set that it is of, and what
/// answers. [`systems::toolformer::Hubs::with_model_of`] takes all three.
///
/// # Errors
/// The file is not one of a model of the hub, or damaged.
pub fn read(bytes: &[u8]) -> Result<(&'static str, String, Rc<dyn Reasoner>), FileError> {
    let file = ModelFile::read(bytes)?;
    let dataset = file.head.dataset.clone();
    let (name, reasoner): (&'static str, Rc<dyn Reasoner>) = match file.head.model.as_str() {
        ml::bpr::NAME => (ml::bpr::NAME, Rc::new(bpr::Model::new(ml::bpr::Bpr::new(file)?))),
        ml::transe::NAME => {
            (ml::transe::NAME, Rc::new(transe::Model::new(ml::transe::TransE::new(file)?)))
        }
        ml::graph_bert::NAME => {
            let model = ml::graph_bert::GraphBert::new(file)?;
            (ml::graph_bert::NAME, Rc::new(graph_bert::Model::new(model)))
        }
        ml::seg_bert::NAME => {
            let model = ml::seg_bert::SegBert::new(file)?;
            (ml::seg_bert::NAME, Rc::new(seg_bert::Model::new(model)))
        }
        other => {
            return Err(FileError::Model {
                expected: "graph_bert, seg_bert, bpr or transe",
                found: other.chars().take(80).collect(),
            });
        }
    };
    Ok((name, dataset, reasoner))
}

/// That the question is about the data that a model learned from.
fn of_its_data(ask: &ReasonerRequest<'_>, model: &str, dataset: &str) -> Result<(), CallError> {
    if ask.data.name.eq_ignore_ascii_case(dataset) {
        return Ok(());
    }
    Err(CallError::model(format!(
        "these weights of {model} learned from {dataset:?} and say nothing about {:?}; `graphground \
         train {model} --data {}` makes others",
        ask.data.name, ask.data.name
    )))
}

/// A fault of the calculation.
fn failed(error: ml::MlError) -> CallError {
    CallError::model(error.to_string())
}

/// That the data have another shape than the model's.
fn other_shape(data: &Loaded, expected: &str) -> CallError {
    CallError::model(format!("{} is not {expected}", data.words()))
}

/// A name that the weights do not know.
fn unknown(what: &str, name: &str, n: usize, dataset: &str) -> CallError {
    CallError::model(format!(
        "the weights know no {what} {name:?}; they know the {n} that they met in {dataset:?}"
    ))
}

fn node(name: &str) -> NodeName {
    NodeName::from(name)
}

/// A link between two, for a drawing.
fn link(a: &str, b: &str) -> (NodeName, NodeName) {
    (node(a), node(b))
}

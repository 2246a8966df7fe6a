//! Our own language model as a base: its gradients are made by hand in the crate `ownmodel`, for whole
//! matrices, and folded into those of the adapters.

use crate::train::learn::{LessonText, Outcome, Slopes};
use anyhow::Result;
use llm::{ChatRequest, Role};
use ownmodel::file::FileHead;
use ownmodel::{OwnNetwork, Tensor, codec};

use super::adapters::{Adapters, Place};
use super::data::Line;
use super::{Base, Example, Loss};

/// Texts are shared out in so many parts, whatever the number of processors, so that a fine-tuning is
/// the same on every machine with the same instructions.
const PARTS: usize = 2;

/// A file of our own model.
pub(crate) struct Own {
    pub(crate) network: OwnNetwork,
    pub(crate) head: FileHead,
    slopes: Slopes,
    matrices: Vec<(String, Tensor)>,
}

impl Own {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        let (network, head) = ownmodel::file::read(bytes)?;
        let config = *network.config();
        Ok(Self { network, head, slopes: Slopes::new(config), matrices: config.matrices() })
    }

    /// All weights with what was learned.
    pub(crate) fn merged(&self, adapters: &Adapters, learned: &[f32]) -> Vec<f32> {
        let mut weights = self.network.weights().to_vec();
        for (i, (_, tensor)) in self.matrices.iter().enumerate() {
            adapters.merge(i, learned, &mut weights[tensor.range()]);
        }
        weights
    }
}

/// A line as tokens.
///
/// # Errors
/// What is wrong with the line, in words.
pub(crate) fn example(line: &Line) -> std::result::Result<Example, String> {
    let known: Vec<&str> = codec::functions().collect();
    for (i, message) in line.messages.iter().enumerate() {
        if message.role == Role::System {
            continue;
        }
        for call in &message.tool_calls {
            if !known.contains(&call.name.as_str()) {
                return Err(format!(
                    "message {} calls {:?}, for which our own model has no token; it can learn to \
                     call {}",
                    i + 1,
                    call.name,
                    known.join(", ")
                ));
            }
        }
        let said = &message.content;
        if message.role == Role::Assistant && ownmodel::text::encode(said).n_unknown > 0 {
            let word = said.split_whitespace().find(|w| ownmodel::text::encode(w).n_unknown > 0);
            return Err(format!(
                "message {} has {:?}, which our own model has no token for and cannot learn to say",
                i + 1,
                word.unwrap_or(said)
            ));
        }
    }
    let (messages, tools) = (line.messages.clone(), line.tools.clone());
    let request = ChatRequest { messages, tools, ..ChatRequest::default() };
    let mut tokens = codec::prompt(&request).map_err(|e| e.to_string())?;
    // The last one asks the model to go on.
    tokens.pop();
    let turns = line.messages.iter().zip(&line.learned);
    let learned: Vec<bool> =
        turns.filter(|(m, _)| m.role == Role::Assistant).map(|(_, is)| *is).collect();
    let is_own = codec::own_turns(&tokens, &learned);
    let mut own = tokens.iter().zip(&is_own);
    if own.any(|(token, is_own)| *is_own && codec::is_unknown(*token)) {
        return Err(
            "a call has arguments that our own model cannot write: nodes are numbered from 0 \
                    to 63, weights to 255"
                .to_owned(),
        );
    }
    Ok(Example { tokens, is_own, line: line.number })
}

fn lesson(example: &Example) -> LessonText {
    let tokens = example.tokens.clone();
    LessonText { places: codec::places(&tokens), is_own: example.is_own.clone(), tokens }
}

impl Base for Own {
    fn places(&self) -> Vec<Place> {
        let place = |(name, tensor): &(String, Tensor)| Place {
            name: name.clone(),
            rows: tensor.rows,
            columns: tensor.columns,
        };
        self.matrices.iter().map(place).collect()
    }

    fn matrix(&self, i: usize) -> Result<Vec<f32>> {
        Ok(self.network.weights()[self.matrices[i].1.range()].to_vec())
    }

    fn learn(
        &self,
        adapters: &Adapters,
        learned: &[f32],
        batch: &[&Example],
        gradient: Option<&mut [f32]>,
    ) -> Result<Loss> {
        let weights = self.merged(adapters, learned);
        let learns = gradient.is_some();
        let run = |part: usize| {
            let mut whole = vec![0.0; if learns { weights.len() } else { 0 }];
            let mut loss = Loss::default();
            for example in batch.iter().skip(part).step_by(PARTS) {
                let text = lesson(example);
                let outcome: Outcome = match learns {
                    true => self.slopes.learn(&weights, &text, &mut whole),
                    false => self.slopes.measure(&weights, &text),
                };
                loss.add(Loss {
                    sum: outcome.loss,
                    n: outcome.found.len(),
                    n_right: outcome.found.iter().filter(|is| **is).count(),
                });
            }
            (whole, loss)
        };
        let ((mut whole, mut loss), (more, more_loss)) = rayon::join(|| run(0), || run(1));
        loss.add(more_loss);
        whole.iter_mut().zip(&more).for_each(|(x, more)| *x += more);
        if let Some(gradient) = gradient {
            for (i, (_, tensor)) in self.matrices.iter().enumerate() {
                adapters.fold(i, learned, &whole[tensor.range()], gradient);
            }
        }
        Ok(loss)
    }
}

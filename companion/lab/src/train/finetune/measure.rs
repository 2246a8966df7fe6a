//! What a model makes of held-out lines, before a fine-tuning and after it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use eval::stats::wilson;
use futures_util::FutureExt as _;
use llm::{ChatRequest, Message, Model, ToolCall};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use systems::toolformer::Hubs;
use systems::toolformer::experiment::Options;

use super::data::Line;
use companion::output;
use companion::scoring::{Scoring, Summary};

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Share {
    pub(crate) n: usize,
    pub(crate) right: usize,
}

impl Share {
    fn add(&mut self, is_right: bool) {
        self.n += 1;
        self.right += usize::from(is_right);
    }

    /// The share with its interval at 95 %, for people.
    pub(crate) fn words(&self) -> String {
        match wilson(self.right as f64, self.n as f64) {
            None => "–".to_owned(),
            Some(i) => format!(
                "{} of {} ({:.1} %, {:.1} to {:.1})",
                self.right,
                self.n,
                100.0 * i.value,
                100.0 * i.low,
                100.0 * i.high
            ),
        }
    }
}

/// What came of held-out lines.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Measured {
    /// Lines whose every turn came out right.
    pub(crate) lines: Share,
    /// Turns that call, with the same functions and arguments as in the line.
    pub(crate) calls: Share,
    /// The same of each function: turns that call it, and call it so.
    pub(crate) functions: BTreeMap<String, Share>,
    /// Turns that answer in words, the same letter for letter.
    pub(crate) answers: Share,
    /// Turns that could not be asked, and why the first could not.
    pub(crate) failed: usize,
    pub(crate) fault: Option<String>,
    /// Of questions with their answers: the measures of the paper's table 4.
    pub(crate) table: Option<Summary>,
    pub(crate) loss: f64,
    /// The share of tokens that were the likeliest.
    pub(crate) right_tokens: f64,
    pub(crate) n_tokens: usize,
}

/// How it is measured.
pub(crate) struct Measuring<'m> {
    pub(crate) model: &'m dyn Model,
    /// What the model is called in reports.
    pub(crate) name: &'m str,
    pub(crate) lines: &'m [&'m Line],
    /// The most tokens of an answer.
    pub(crate) most: usize,
    /// A new runs file for the statements, which `report` makes table 4 of.
    pub(crate) runs: Option<&'m Path>,
}

/// Calls with arguments as JSON, so that neither spaces nor the order of members count.
fn calls(calls: &[ToolCall]) -> Vec<(&str, Value)> {
    let of = |call: &ToolCall| serde_json::from_str(&call.arguments).unwrap_or(Value::Null);
    calls.iter().map(|call| (call.name.as_str(), of(call))).collect()
}

impl Measuring<'_> {
    fn ask(&self, line: &Line, n: usize) -> Result<Result<Message, String>> {
        let request = ChatRequest {
            messages: line.messages[..n].to_vec(),
            tools: line.tools.clone(),
            temperature: Some(0.0),
            max_tokens: Some(self.most as u64),
            ..ChatRequest::default()
        };
        let answer = self.model.complete(&request, &()).now_or_never();
        let answer = answer.context("internal error: a model in this program was not ready")?;
        Ok(answer.map(|answer| answer.message).map_err(|e| e.to_string()))
    }
}

/// Lets a model write every turn of held-out lines that is to be learned, each behind the turns of the
/// line before it.
pub(crate) fn measure(of: &Measuring<'_>) -> Result<Measured> {
    let mut measured = Measured::default();
    let has_pairs = of.lines.iter().any(|line| line.pair.is_some());
    let mut scoring = match has_pairs {
        true => Some(Scoring::new(Hubs::new()?, of.name, Options::default(), of.runs)?),
        false => None,
    };
    let bar = output::bar(of.lines.len());
    for (at, line) in of.lines.iter().enumerate() {
        bar.set_position(at as u64);
        let mut is_whole = true;
        for i in (0..line.messages.len()).filter(|i| line.learned[*i]) {
            let wanted = &line.messages[i];
            let said = match of.ask(line, i)? {
                Ok(said) => said,
                Err(fault) => {
                    measured.failed += 1;
                    measured.fault.get_or_insert(fault);
                    Message::assistant("")
                }
            };
            let is_right = calls(&said.tool_calls) == calls(&wanted.tool_calls)
                && (!wanted.tool_calls.is_empty() || said.content.trim() == wanted.content.trim());
            is_whole &= is_right;
            match wanted.tool_calls.is_empty() {
                true => measured.answers.add(is_right),
                false => measured.calls.add(is_right),
            }
            for call in &wanted.tool_calls {
                let same = calls(std::slice::from_ref(call));
                let is = calls(&said.tool_calls).contains(&same[0]);
                measured.functions.entry(call.name.clone()).or_default().add(is);
            }
            if let (Some(scoring), Some(pair)) = (&mut scoring, &line.pair) {
                let id = format!("{}-{}", pair.dataset, line.number);
                scoring.score(id, pair, said.content.trim().to_owned())?;
            }
        }
        measured.lines.add(is_whole);
    }
    bar.finish_and_clear();
    if let Some(scoring) = scoring {
        measured.table = Some(scoring.finish()?);
    }
    Ok(measured)
}

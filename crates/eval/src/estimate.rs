//! What a benchmark will take, before it starts.

use std::collections::BTreeMap;

use agent::{Cancel, ToolSet as _};
use llm::{Usage, Watch};
use serde::{Deserialize, Serialize};
use systems::grounded::GraphTools;
use systems::grounded::scripted::Script;
use tasks::{Difficulty, TaskId};
use trace::StepBody;

use crate::prices::Prices;
use crate::{Item, Key, Outcome, Plan, Setup, run};

/// Letters of a token, about: English text and JSON under the usual vocabularies.
const LETTERS: u64 = 4;
/// Tokens that a model without tools writes, about: a reasoned answer.
const WRITTEN_ALONE: u64 = 250;

/// What a benchmark will take, about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Runs that are still to be made.
    pub n_runs: usize,
    /// Tokens that will be read.
    pub tokens_read: u64,
    /// Tokens that will be written.
    pub tokens_written: u64,
    /// Dollars; absent if a price is not known.
    pub dollars: Option<f64>,
}

/// Estimates the jobs that are left: the careful script has the conversation on one problem of each
/// family, whose texts are measured, four letters a token. A model that takes more turns takes more.
pub async fn estimate(
    plan: &Plan,
    is_finished: impl Fn(&Key) -> bool,
    prices: &Prices,
) -> Estimate {
    let mut known: BTreeMap<(usize, TaskId, Option<Difficulty>), Usage> = BTreeMap::new();
    let mut sum = Estimate { dollars: Some(0.0), ..Estimate::default() };
    for job in plan.jobs().filter(|job| !is_finished(&job.key)) {
        let (setup, item) = (&plan.setups[job.setup], &plan.items[job.item]);
        let family = (job.setup, item.task, item.difficulty);
        let usage = match known.get(&family) {
            Some(usage) => *usage,
            None => {
                let usage = of_one(setup, item, job.key).await;
                known.insert(family, usage);
                usage
            }
        };
        sum.n_runs += 1;
        sum.tokens_read += usage.input_tokens.unwrap_or(0);
        sum.tokens_written += usage.output_tokens.unwrap_or(0);
        let dollars = prices.cost(&setup.model, &usage);
        sum.dollars = sum.dollars.zip(dollars).map(|(a, b)| a + b);
    }
    sum
}

async fn of_one(setup: &Setup, item: &Item, key: Key) -> Usage {
    let (clock, at, cancel) = (|| 0.0, || 0.0, Cancel::default());
    let watch: &dyn Watch = &();
    let tokens_of = GraphTools::default();
    let outcome = run(key, setup, item, &Script::Careful, watch, &clock, &at, &cancel).await;
    let Ok(Outcome::Finished(entry)) = outcome else { return Usage::default() };
    let trace = entry.whole_trace(setup, item, &tokens_of.specs());
    let has_tools = systems::find(&setup.system).is_some_and(|s| s.has_tools);
    let (mut read, mut written) = (0, 0);
    for (i, step) in trace.steps.iter().enumerate() {
        let StepBody::Model { message, .. } = &step.body else { continue };
        let letters: usize = trace
            .messages_before(i)
            .iter()
            .map(|m| {
                m.content.len() + m.tool_calls.iter().map(|c| c.arguments.len() + 20).sum::<usize>()
            })
            .sum();
        read += letters as u64 / LETTERS;
        if has_tools {
            let tools = trace.tools_before(i);
            read += tools.iter().filter_map(|t| tokens_of.n_tokens(&t.name)).sum::<u64>();
        }
        let calls: usize = message.tool_calls.iter().map(|c| c.arguments.len() + 20).sum();
        written += (message.content.len() + calls) as u64 / LETTERS;
    }
    if !has_tools {
        written += WRITTEN_ALONE;
    }
    Usage { input_tokens: Some(read), output_tokens: Some(written), ..Usage::default() }
}

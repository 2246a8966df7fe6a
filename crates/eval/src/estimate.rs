//! What a benchmark will take, before it starts.

use std::collections::BTreeMap;

use agent::Cancel;
use llm::{Model, ToolSpec, Usage, Watch};
use serde::{Deserialize, Serialize};
use systems::experiment::{Case, World};
use systems::experiments;
use trace::StepBody;

use crate::prices::Prices;
use crate::{BenchPlan, JobContext, Key, RunOutcome, Setup, run};

/// Letters of a token, about: English text and JSON under the usual vocabularies.
const LETTERS: u64 = 4;
/// Roughly how many output tokens a reasoned answer takes without tools.
const WRITTEN_ALONE: u64 = 250;

/// What a benchmark will take, about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Runs that are still to be made.
    pub n_runs: usize,
    /// Input tokens of all runs together.
    pub input_tokens: u64,
    /// Output tokens of all runs together.
    pub output_tokens: u64,
    /// Dollars; absent if a price is not known.
    pub dollars: Option<f64>,
}

/// Estimates the jobs that are left: careful scripts play the models on one case of each group and
/// level, and the texts are measured, four letters a token. A model that takes more turns takes more.
pub async fn estimate(
    plan: &BenchPlan,
    is_finished: impl Fn(&Key) -> bool,
    world: &World,
    prices: &Prices,
) -> Estimate {
    let mut known: BTreeMap<(usize, &str, &str), Usage> = BTreeMap::new();
    let mut sum = Estimate { dollars: Some(0.0), ..Estimate::default() };
    for job in plan.jobs().filter(|job| !is_finished(&job.key)) {
        let (setup, case) = (&plan.setups[job.setup], &plan.cases[job.case]);
        let group = (job.setup, case.group.as_str(), case.level.as_str());
        let usage = match known.get(&group) {
            Some(usage) => *usage,
            None => {
                let usage = of_one(setup, case, job.key, world).await;
                known.insert(group, usage);
                usage
            }
        };
        sum.n_runs += 1;
        sum.input_tokens += usage.input_tokens.unwrap_or(0);
        sum.output_tokens += usage.output_tokens.unwrap_or(0);
        let model = setup.first_model().map_or("", |m| m.model.as_str());
        let dollars = prices.cost(model, &usage);
        sum.dollars = sum.dollars.zip(dollars).map(|(a, b)| a + b);
    }
    sum
}

async fn of_one(setup: &Setup, case: &Case, key: Key, world: &World) -> Usage {
    let (clock, at, cancel) = (|| 0.0, || 0.0, Cancel::default());
    let watch: &dyn Watch = &();
    let Ok(experiment) = experiments::find(&setup.experiment) else {
        return Usage::default();
    };
    let careful = |role: &String| {
        let name = experiment.scripts(role).into_iter().next()?.name;
        Some((role.clone(), experiment.script(role, &name)?))
    };
    let models: BTreeMap<String, Box<dyn Model>> = setup.roles.keys().filter_map(careful).collect();
    let context = JobContext {
        models: &models,
        world,
        watch,
        clock: &clock,
        at_ms: &at,
        cancel: &cancel,
        count: None,
    };
    let Ok(RunOutcome::Finished(entry)) = run(key, setup, case, context).await else {
        return Usage::default();
    };
    let trace = entry.whole_trace(setup, case, &experiment.tools(setup));
    let has_tools = !trace.tools.is_empty();
    let (mut input, mut output) = (0, 0);
    for (i, step) in trace.steps.iter().enumerate() {
        let StepBody::Model { message, .. } = &step.body else { continue };
        let letters: usize = trace
            .messages_before(i)
            .iter()
            .map(|m| {
                m.content.len() + m.tool_calls.iter().map(|c| c.arguments.len() + 20).sum::<usize>()
            })
            .sum();
        input += letters as u64 / LETTERS;
        input += trace.tools_before(i).iter().map(tokens_of).sum::<u64>();
        let calls: usize = message.tool_calls.iter().map(|c| c.arguments.len() + 20).sum();
        output += (message.content.len() + calls) as u64 / LETTERS;
    }
    if !has_tools {
        output += WRITTEN_ALONE;
    }
    let (input, output) = (input * u64::from(setup.votes), output * u64::from(setup.votes));
    Usage { input_tokens: Some(input), output_tokens: Some(output), ..Usage::default() }
}

/// The tokens of a tool's definition: as they were counted, where that was done, else by letters.
fn tokens_of(tool: &ToolSpec) -> u64 {
    let counted = systems::grounded::tokens_of(&tool.name);
    counted.unwrap_or_else(|| {
        let text = serde_json::to_string(tool).map_or(0, |t| t.len());
        text as u64 / LETTERS
    })
}

//! What the tools of disaster response cost, all of them and those that a turn needs.

use agent::{Cancel, RunContext, ToolSet, choose};
use anyhow::{Context as _, anyhow};
use futures_util::FutureExt as _;
use llm::Message;
use systems::rescue::scripted::RescueScript;
use systems::rescue::{Dialogue, RescueTools, choosing, limits, say};
use tasks::rescue::{MAX_GENERATED, MIN_GENERATED, Scenario, generate, random_event};
use tiktoken_rs::CoreBPE;

use super::{called_in, count_tools};

/// Disasters that are played, with a plan at the start and one after each event.
const N_DISASTERS: usize = 10;
const N_EVENTS: usize = 4;

/// What was counted.
pub(super) struct Turns {
    pub(super) n_turns: usize,
    /// Tokens of all definitions.
    pub(super) all: usize,
    /// Tokens of those that are sent, on average of a turn.
    pub(super) sent: usize,
    /// Functions that turns use, each once a turn, and how many of them were sent.
    pub(super) used: usize,
    pub(super) found: usize,
}

/// Plays disasters by the careful script.
pub(super) fn count(bpe: &CoreBPE, n_tools: usize) -> anyhow::Result<Turns> {
    let mut turns = Turns { n_turns: 0, all: 0, sent: 0, used: 0, found: 0 };
    let cancel = Cancel::default();
    let how = choosing(Some(n_tools));
    for i in 0..N_DISASTERS {
        let n = MIN_GENERATED + i * (MAX_GENERATED.min(50) - MIN_GENERATED) / N_DISASTERS;
        let mut scenario: Scenario = generate(n, i as u64).map_err(|e| anyhow!("{e}"))?;
        let specs = RescueTools::new(scenario.clone(), graph::Graph::undirected()).specs();
        turns.all = count_tools(bpe, &specs);
        let mut words = "Deploy the rescue robots.".to_owned();
        let mut dialogue = Dialogue::new(scenario.clone());
        for k in 0..=N_EVENTS {
            let sent = choose(&how, &specs, &[Message::user(words.as_str())]);
            let setting = RunContext {
                limits: limits(),
                seed: None,
                clock: &|| 0.0,
                cancel: &cancel,
                watch: &(),
            };
            let all = agent::Choosing::All;
            let mut on_step = |_: &_| {};
            let turn = say(dialogue, &words, &RescueScript::Careful, &all, setting, &mut on_step)
                .now_or_never()
                .context("a script answers at once")?;
            let used = called_in(&turn.trace);
            turns.n_turns += 1;
            turns.sent += count_tools(bpe, &sent);
            turns.used += used.len();
            let is_sent = |name: &&&str| sent.iter().any(|s| s.name == **name);
            turns.found += used.iter().filter(is_sent).count();
            dialogue = turn.dialogue;
            let Some(event) = random_event(&scenario, (i * 31 + k) as u64) else { break };
            scenario = event.apply(&scenario).map_err(|e| anyhow!("{e}"))?;
            words = event.sentence();
        }
    }
    turns.sent /= turns.n_turns.max(1);
    Ok(turns)
}

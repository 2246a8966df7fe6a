//! Version 1 of the runs file: NLGraph alone, one model a setup, `problem` lines and `facts`.

use std::collections::{BTreeMap, BTreeSet};

use agent::{Choosing, Limits};
use llm::{Endpoint, ToolSpec, Usage};
use serde::{Deserialize, Serialize};
use systems::experiment::{Cost, MODEL, RoleModel, Score, Setup};
use systems::nlgraph::{self, Item, Options};
use tasks::{Style, Verdict, Wording};
use trace::{MistakeKind, bytes_hash};

use crate::{Entry, Failure, Key, RunEntry};

/// A line of that version.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", bound(deserialize = "T: Deserialize<'de>"))]
enum OldEntry<T> {
    Head { format: String, version: u32 },
    Setup { hash: String, setup: Box<OldSetup> },
    Tools { hash: String, tools: Vec<ToolSpec> },
    Problem(Box<Item>),
    Run(Box<OldRun<T>>),
    Failure(Failure),
}

/// A setup of that version; its hash is that of these fields in this order.
#[derive(Serialize, Deserialize)]
struct OldSetup {
    system: String,
    model: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    endpoint: Option<Endpoint>,
    prompt: String,
    wording: Wording,
    style: Style,
    limits: Limits,
    choosing: Choosing,
    #[serde(default)]
    attach: bool,
    #[serde(default)]
    max_result_chars: Option<usize>,
    tools: String,
    verifier: u32,
}

impl OldSetup {
    fn hash(&self) -> String {
        bytes_hash(serde_json::to_string(self).unwrap_or_default().as_bytes())
    }

    fn into_setup(self) -> Setup {
        let options = Options {
            prompt: self.prompt,
            wording: self.wording,
            style: self.style,
            choosing: self.choosing,
            attach: self.attach,
            max_result_chars: self.max_result_chars,
        };
        let model = RoleModel { model: self.model, endpoint: self.endpoint };
        Setup {
            experiment: nlgraph::ID.to_owned(),
            system: self.system,
            roles: BTreeMap::from([(MODEL.id.to_owned(), model)]),
            options: options.value(),
            limits: self.limits,
            votes: 1,
            tools: self.tools,
            scorer: self.verifier,
        }
    }
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>"))]
struct OldRun<T> {
    key: Key,
    #[serde(default)]
    at_ms: f64,
    verdict: Verdict,
    #[serde(default)]
    explanation: String,
    facts: OldFacts,
    trace: T,
}

#[derive(Deserialize)]
struct OldFacts {
    n_rounds: u32,
    n_calls: u32,
    #[serde(default)]
    mistakes: BTreeMap<MistakeKind, u32>,
    #[serde(default)]
    n_corrections: u32,
    #[serde(default)]
    usage: Usage,
    took_ms: f64,
    #[serde(default)]
    n_claims: u32,
    #[serde(default)]
    n_false_claims: u32,
    #[serde(default)]
    errors: BTreeSet<String>,
}

/// Reads a line of that version. `renamed` has the hashes of setups then and now: a run that was
/// finished then is the same run today.
pub(crate) fn read<'de, T: Deserialize<'de>>(
    line: &'de str,
    renamed: &mut BTreeMap<String, String>,
) -> Result<Entry<T>, String> {
    let entry: OldEntry<T> = serde_json::from_str(line)
        .map_err(|e| e.to_string().replace(" at line 1 column ", " at letter "))?;
    let today = |mut key: Key, renamed: &BTreeMap<String, String>| {
        if let Some(hash) = renamed.get(&key.setup) {
            key.setup.clone_from(hash);
        }
        key
    };
    Ok(match entry {
        OldEntry::Head { format, version } => Entry::Head { format, version },
        OldEntry::Tools { hash, tools } => Entry::Tools { hash, tools },
        OldEntry::Setup { hash, setup } => {
            // A setup that does not have the hash that it had when it was written was changed by
            // hand: it keeps its name, and a check finds it.
            let was_changed = setup.hash() != hash;
            let setup = setup.into_setup();
            let now = if was_changed { hash.clone() } else { setup.hash() };
            renamed.insert(hash, now.clone());
            Entry::Setup { hash: now, setup: Box::new(setup) }
        }
        OldEntry::Problem(item) => Entry::Case(Box::new(nlgraph::case(&item)?)),
        OldEntry::Failure(failure) => {
            let key = today(failure.key, renamed);
            Entry::Failure(Failure { key, ..failure })
        }
        OldEntry::Run(run) => {
            let OldRun { key, at_ms, verdict, explanation, facts, trace } = *run;
            let mut score = Score::new(verdict, explanation);
            score.errors = facts.errors;
            for (name, n) in [("claims", facts.n_claims), ("false_claims", facts.n_false_claims)] {
                if n > 0 {
                    score = score.with_count(name, u64::from(n));
                }
            }
            let cost = Cost {
                n_rounds: facts.n_rounds,
                n_calls: facts.n_calls,
                mistakes: facts.mistakes,
                n_corrections: facts.n_corrections,
                usage: facts.usage,
                took_ms: facts.took_ms,
                ..Cost::default()
            };
            let key = today(key, renamed);
            let outcome = serde_json::Value::Null;
            Entry::Run(Box::new(RunEntry { key, at_ms, score, cost, outcome, trace }))
        }
    })
}

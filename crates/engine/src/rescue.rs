//! Disaster response: scenarios, plans, and turns of a conversation.
//!
//! What is asked and replied travels as JSON text inside its message. Both sides keep these types as
//! JSON elsewhere too, so that one reader of each serves, and the page stays small.

use agent::Limits;
use agent::RunContext;
use llm::Model;
use serde::{Deserialize, Serialize};
use systems::rescue::scripted::RescueScript;
use systems::rescue::{Dialogue, Turn, say};
use tasks::rescue::{Finding, Plan, Scenario, check_text, generate, plan, verify_plan};

use crate::fetch::Watching;
use crate::jobs::{Context, model_of};
use crate::message::ModelChoice;
use crate::{Event as Told, Output, Request};

/// What is asked about a disaster.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RescueAsk {
    /// Makes a scenario.
    Generate {
        /// How many locations, from 9 to 200.
        n_locations: usize,
        /// The seed.
        seed: u64,
    },
    /// Reads a scenario file.
    Load {
        /// Its text.
        text: String,
    },
    /// Plans without a model.
    Plan {
        /// The scenario.
        scenario: Scenario,
    },
    /// Checks a plan, in words or as the planner gives it.
    Check {
        /// The scenario.
        scenario: Scenario,
        /// The plan in words.
        text: String,
    },
    /// Says something to the model, which may call functions and then answers.
    Say {
        /// The conversation so far.
        dialogue: Box<Dialogue>,
        /// What is said.
        words: String,
        /// The model.
        model: ModelChoice,
        /// How far it may go.
        limits: Limits,
    },
}

/// What comes of a [`RescueAsk`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RescueReply {
    /// A scenario.
    Scenario {
        /// It.
        scenario: Scenario,
    },
    /// A plan.
    Planned {
        /// It.
        plan: Plan,
        /// What the verifier finds wrong with it.
        findings: Vec<Finding>,
        /// Milliseconds that the planner took.
        took_ms: f64,
    },
    /// A plan in words was checked.
    Checked {
        /// The plan that was read, if there was one.
        plan: Option<Plan>,
        /// What is wrong.
        findings: Vec<Finding>,
    },
    /// The model has answered, or was stopped.
    Said {
        /// What came of it.
        turn: Box<Turn>,
    },
}

fn unread(error: serde_json::Error) -> String {
    format!("a fault of ours: a message about a disaster cannot be read ({error})")
}

impl RescueAsk {
    /// The request that asks this.
    ///
    /// # Errors
    /// A number that JSON does not have.
    pub fn request(&self) -> Result<Request, String> {
        Ok(Request::Rescue { ask: serde_json::to_string(self).map_err(unread)? })
    }
}

impl RescueReply {
    /// Reads the text of an [`Output::Rescue`].
    ///
    /// # Errors
    /// The text is none of ours.
    pub fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(unread)
    }
}

pub(crate) async fn perform(context: &Context, ask: &str) -> Result<Output, String> {
    let ask: RescueAsk = serde_json::from_str(ask).map_err(unread)?;
    let reply = match ask {
        RescueAsk::Generate { n_locations, seed } => {
            let scenario = generate(n_locations, seed).map_err(|e| e.to_string())?;
            RescueReply::Scenario { scenario }
        }
        RescueAsk::Load { text } => {
            let scenario = Scenario::from_json(&text).map_err(|e| e.to_string())?;
            RescueReply::Scenario { scenario }
        }
        RescueAsk::Plan { scenario } => {
            let began = context.host.now_ms();
            let plan = plan(&scenario).map_err(|e| e.to_string())?;
            let took_ms = context.host.now_ms() - began;
            let findings = verify_plan(&scenario, &plan);
            RescueReply::Planned { plan, findings, took_ms }
        }
        RescueAsk::Check { scenario, text } => {
            let (findings, plan) = check_text(&scenario, &text);
            RescueReply::Checked { plan, findings }
        }
        RescueAsk::Say { dialogue, words, model, limits } => {
            let turn = talk(context, *dialogue, &words, model, limits).await?;
            RescueReply::Said { turn: Box::new(turn) }
        }
    };
    Ok(Output::Rescue { reply: serde_json::to_string(&reply).map_err(unread)? })
}

async fn talk(
    context: &Context,
    dialogue: Dialogue,
    words: &str,
    model: ModelChoice,
    limits: Limits,
) -> Result<Turn, String> {
    let model: Box<dyn Model> = match model {
        ModelChoice::Script { name } => {
            Box::new(RescueScript::by_name(&name).ok_or_else(|| {
                format!("there is no script {name:?}; there are script, mistaken")
            })?)
        }
        other => model_of(context, other)?,
    };
    let watching = Watching::new(context);
    let host = context.host.clone();
    let clock = move || host.now_ms();
    let mut on_step = |step: &trace::Step| {
        watching.step();
        context.post(Told::Step { step: Box::new(step.clone()) });
    };
    let model = model.as_ref();
    let setting =
        RunContext { limits, seed: None, clock: &clock, cancel: &context.cancel, watch: &watching };
    Ok(say(dialogue, words, model, setting, &mut on_step).await)
}

//! Disaster response through the engine, every message as JSON text.

use engine::message::{ModelChoice, RescueAsk, RescueReply};
use engine::{Event, Output};
use systems::rescue::{Dialogue, Turn, limits};
use tasks::rescue::{HazardKind, Scenario};

use crate::page::*;

fn play(ask: RescueAsk) -> (Vec<Event>, Result<RescueReply, String>) {
    let mut posted = Page::new().play(ask.request().unwrap());
    let reply = match posted.pop().unwrap() {
        Event::Done { output } => match *output {
            Output::Rescue { reply } => Ok(RescueReply::read(&reply).unwrap()),
            other => panic!("{other:?}"),
        },
        Event::Failed { message } => Err(message),
        other => panic!("{other:?}"),
    };
    (posted, reply)
}

fn nine() -> Scenario {
    let text = tasks::rescue::NINE_LOCATIONS.to_owned();
    match play(RescueAsk::Load { text }).1.unwrap() {
        RescueReply::Scenario { scenario } => scenario,
        other => panic!("{other:?}"),
    }
}

fn turn(dialogue: Dialogue, words: &str, name: &str) -> (usize, Turn) {
    let model = ModelChoice::Script { name: name.into() };
    let (posted, reply) = play(RescueAsk::Say {
        dialogue: Box::new(dialogue),
        words: words.into(),
        model,
        limits: limits(),
    });
    match reply.unwrap() {
        RescueReply::Said { turn } => (posted.len(), *turn),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_conversation_goes_on_over_messages() {
    let (n_steps, first) = turn(Dialogue::new(nine()), "Deploy the robots.", "script");
    assert_eq!(n_steps, first.trace.steps.len());
    assert_eq!(first.plan.as_ref().unwrap().routes.len(), 2);
    assert!(first.findings.is_empty() && first.graph_findings.is_empty());
    let (_, second) = turn(first.dialogue, "Fire has spread to L2.", "script");
    assert!(second.dialogue.scenario.has_at(HazardKind::Fire, "L2"));
    assert!(second.findings.is_empty() && second.graph_findings.is_empty());
    let (_, bad) = turn(Dialogue::new(nine()), "Deploy the robots.", "mistaken");
    assert!(!bad.findings.is_empty() && !bad.graph_findings.is_empty());
}

#[test]
fn a_plan_without_a_model_is_made_and_checked() {
    let RescueReply::Scenario { scenario } =
        play(RescueAsk::Generate { n_locations: 60, seed: 4 }).1.unwrap()
    else {
        panic!("a scenario was asked for")
    };
    let ask = RescueAsk::Plan { scenario: scenario.clone() };
    let RescueReply::Planned { plan, findings, .. } = play(ask).1.unwrap() else {
        panic!("a plan was asked for")
    };
    assert_eq!(findings, []);
    let text = plan.to_text().replacen("length ", "length 9", 1);
    let RescueReply::Checked { findings, .. } =
        play(RescueAsk::Check { scenario, text }).1.unwrap()
    else {
        panic!("a check was asked for")
    };
    assert!(!findings.is_empty());
}

#[test]
fn what_does_not_fit_is_refused_in_words() {
    for (ask, words) in [
        (RescueAsk::Generate { n_locations: 5, seed: 1 }, "must be from 9 to 200"),
        (RescueAsk::Load { text: "{}".into() }, "this is no scenario"),
    ] {
        let error = play(ask).1.unwrap_err();
        assert!(error.contains(words), "{error}");
    }
    assert!(RescueReply::read("{}").unwrap_err().contains("a fault of ours"));
}

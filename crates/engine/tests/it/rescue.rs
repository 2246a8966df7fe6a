//! Disaster response through the engine, every message as JSON text.

use agent::Limits;
use engine::Request;
use engine::message::{ModelChoice, RescueAsk, RescueReply};
use engine::{Event, Output};
use serde_json::{Value, json};
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

#[test]
fn a_model_at_an_endpoint_talks_about_a_disaster_and_is_checked() {
    let mut page = Page::new();
    let text = tasks::rescue::NINE_LOCATIONS;
    let scenario = Scenario::from_json(text).unwrap();
    let ask = RescueAsk::Say {
        dialogue: Box::new(Dialogue::new(scenario)),
        words: "Deploy the robots.".into(),
        model: endpoint(),
        limits: Limits::default(),
    };
    let events = page.play(ask.request().unwrap());
    let (first, request) = fetch(&events);
    let sent: Value = serde_json::from_str(&request.body).unwrap();
    assert_eq!(sent["messages"][1]["content"], "Deploy the robots.");
    let names: Vec<&str> = sent["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|t| t["function"]["name"].as_str())
        .collect();
    assert!(names.contains(&"get_environment_data") && names.contains(&"plan_routes"));
    // It answers at once, without a look at the data: R2 leaves somebody out and walks into a fire.
    let text = "R1: L5 -> L3; serves S1 at 3; length 3\nR2: L6 -> L1 -> L2 -> L9; serves S3 at 5; \
                length 29";
    let message = json!({ "role": "assistant", "content": text });
    page.send(1, Request::Fetched { fetch: first, result: answer(message) });
    page.settle();
    let Some(Event::Done { output }) = page.events(1).pop() else { panic!("it is not done") };
    let Output::Rescue { reply } = *output else { panic!("{output:?}") };
    let RescueReply::Said { turn } = RescueReply::read(&reply).unwrap() else { panic!("{reply}") };
    let messages: Vec<&str> = turn.findings.iter().map(|f| f.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "R2: the step L2 -> L9 touches L9, which burns",
            "S2 at L7 can be reached and is not served",
        ]
    );
    assert_eq!(turn.dialogue.messages.len(), 3);
}

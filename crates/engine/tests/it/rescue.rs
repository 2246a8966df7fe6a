//! Disaster response through the engine.

use protocol::exact::Exact;
use protocol::rescue::{
    CheckRescue, CheckedRescue, GenerateScenario, PlanRescue, PlannedRescue, ReadScenario,
    RescueRun,
};
use protocol::runs::{ModelChoice, RunEvent, StartRun};
use serde_json::{Value, json};
use systems::rescue::experiment::{Disaster, case};
use systems::rescue::{Dialogue, SaidNext, Turn};
use tasks::rescue::{HazardKind, Scenario, random_event};
use trace::StepBody;

use crate::page::*;

fn nine() -> Scenario {
    Page::new().ask(ReadScenario { text: tasks::rescue::NINE_LOCATIONS.to_owned() }).0
}

fn turn(dialogue: Dialogue, words: &str, name: &str) -> (usize, Turn) {
    turn_of(Page::new().play(said(dialogue, words, script(name))))
}

/// The request for a turn.
fn said(dialogue: Dialogue, words: &str, model: ModelChoice) -> StartRun<RescueRun> {
    let disaster = Disaster { scenario: dialogue.scenario.clone(), events: Vec::new() };
    let mut ask = StartRun::<RescueRun>::new("rescue", case("own".into(), &disaster).unwrap());
    ask.by_hand = SaidNext { dialogue: Some(dialogue), words: words.into() };
    ask.with_model("model", model)
}

/// The number of the steps that were sent, and the turn.
fn turn_of(posted: Vec<Event>) -> (usize, Turn) {
    let n_steps = posted.iter().filter(|e| matches!(e, Event::Step { .. })).count();
    let told = told::<StartRun<RescueRun>>(&posted).pop();
    let Some(RunEvent::Own(Exact(turn))) = told else { panic!("{told:?}") };
    (n_steps, Turn { trace: ended::<RescueRun>(posted).run.trace, ..turn })
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
fn each_step_of_every_turn_is_sent_as_it_is_in_the_trace() {
    let scenario = nine();
    let events = vec![random_event(&scenario, 1).unwrap()];
    let case = case("own".into(), &Disaster { scenario, events }).unwrap();
    let ask = StartRun::<RescueRun>::new("rescue", case).with_model("model", script("script"));
    let posted = Page::new().play(ask);
    let sent = sent_steps(&posted);
    let run = ended::<RescueRun>(posted).run;
    assert!(sent.iter().any(|step| matches!(step.body, StepBody::Prompt { .. })), "a second turn");
    assert_eq!(sent, run.trace.steps);
}

#[test]
fn a_plan_without_a_model_is_made_and_checked() {
    let mut page = Page::new();
    let scenario = page.ask(GenerateScenario { n_locations: 60, seed: 4 }).0;
    let PlannedRescue { plan, findings, .. } = page.ask(PlanRescue { scenario: scenario.clone() });
    assert_eq!(findings, []);
    let text = plan.to_text().replacen("length ", "length 9", 1);
    let CheckedRescue { findings, .. } = page.ask(CheckRescue { scenario, text });
    assert!(!findings.is_empty());
}

#[test]
fn what_does_not_fit_is_refused_in_words() {
    let mut page = Page::new();
    let few = page.refused(GenerateScenario { n_locations: 5, seed: 1 });
    assert!(few.contains("must be from 9 to 200"), "{few}");
    let none = page.refused(ReadScenario { text: "{}".into() });
    assert!(none.contains("this is no scenario"), "{none}");
}

#[test]
fn a_model_at_an_endpoint_talks_about_a_disaster_and_is_checked() {
    let mut page = Page::new();
    let text = tasks::rescue::NINE_LOCATIONS;
    let scenario = Scenario::from_json(text).unwrap();
    let ask = said(Dialogue::new(scenario), "Deploy the robots.", endpoint());
    let events = page.play(ask);
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
    page.fetched(1, first, answer(message));
    page.settle();
    let (_, turn) = turn_of(page.events(1));
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

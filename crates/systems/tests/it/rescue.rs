//! The whole rescue conversation through the real loop: the careful script keeps every rule, the
//! mistaken one breaks those that the paper's transcript breaks.

use agent::{Cancel, Choosing, RunContext};
use futures_util::FutureExt as _;
use systems::rescue::scripted::RescueScript;
use systems::rescue::{ALREADY, Dialogue, PROMPT, Turn, choosing, limits, say};
use tasks::rescue::{
    DisasterEvent, HazardKind, Injury, NINE_LOCATIONS, Place, RescueRule, Scenario, generate,
    random_event,
};
use test_support::context;
use trace::{StepBody, Stop, ToolResult};

fn nine() -> Dialogue {
    Dialogue::new(Scenario::from_json(NINE_LOCATIONS).unwrap())
}

/// No time passes, and nobody watches.
fn setting(cancel: &Cancel) -> RunContext<'_> {
    RunContext { limits: limits(), ..context(cancel) }
}

fn tell(dialogue: Dialogue, script: RescueScript, words: &str) -> Turn {
    say(dialogue, words, &script, &Choosing::All, setting(&Cancel::default()), &mut |_| {})
        .now_or_never()
        .unwrap()
}

/// A turn in words: what was said and called, and what came of it.
fn story(words: &str, turn: &Turn) -> String {
    let mut lines = vec![format!("# {words}")];
    for step in &turn.trace.steps {
        lines.push(match &step.body {
            StepBody::Model { message, .. } => format!("model: {}", message.content),
            StepBody::Call { call, result, .. } => {
                let told = match result {
                    ToolResult::Value { value, .. } => value.to_string(),
                    ToolResult::Error(error) => format!("refused: {}", error.message),
                };
                let told: String = told.chars().take(240).collect();
                format!("call: {}({}) = {told}", call.name, call.arguments)
            }
            other => format!("{other:?}"),
        });
    }
    lines.extend(turn.graph_findings.iter().map(|f| format!("graph: {}", f.message)));
    lines.extend(turn.findings.iter().map(|f| format!("finding: {}", f.message)));
    lines.join("\n")
}

const PAPER: [&str; 8] = [
    "Deploy rescue robots. There are survivors and fire hazards around collapsed buildings.",
    "What are the locations of victims with critical health condition?",
    "Prioritize saving victims in critical condition first.",
    "Fire expanded to L2. Update the environment.",
    "A new survivor at L6, critical.",
    "Robot 1 is lost.",
    "Who cannot be reached?",
    "How far is it from L6 to L3?",
];

#[test]
fn the_careful_script_plays_the_papers_conversation_without_a_fault() {
    let mut dialogue = nine();
    let mut stories = Vec::new();
    for words in PAPER {
        let turn = tell(dialogue, RescueScript::Careful, words);
        assert_eq!(turn.trace.stop, Some(Stop::Answered), "{words}");
        assert_eq!(turn.trace.mistakes(), [], "{words}");
        assert_eq!(turn.findings, [], "{words}");
        assert_eq!(turn.graph_findings, [], "{words}");
        stories.push(story(words, &turn));
        dialogue = turn.dialogue;
    }
    assert!(dialogue.scenario.has_at(HazardKind::Fire, "L2"));
    assert_eq!(dialogue.scenario.survivors.len(), 4);
    insta::assert_snapshot!(stories.join("\n\n"));
}

#[test]
fn the_mistaken_script_errs_like_the_transcript_and_every_error_is_found() {
    let mut dialogue = nine();
    let mut stories = Vec::new();
    for words in [PAPER[0], PAPER[3]] {
        let turn = tell(dialogue, RescueScript::Mistaken, words);
        assert_eq!(turn.trace.mistakes(), [], "the library refuses none of this");
        stories.push(story(words, &turn));
        let graph: Vec<RescueRule> = turn.graph_findings.iter().map(|f| f.rule).collect();
        // A node and an edge that the data do not have, a way into fire, a forgotten debris factor.
        for rule in [
            RescueRule::UnknownName,
            RescueRule::NoSuchRoad,
            RescueRule::ThroughFire,
            RescueRule::Missing,
        ] {
            assert!(graph.contains(&rule), "{rule:?} is not among {graph:?}");
        }
        if words == PAPER[0] {
            assert!(graph.contains(&RescueRule::WrongDistance), "{graph:?}");
            let plan: Vec<RescueRule> = turn.findings.iter().map(|f| f.rule).collect();
            for rule in [RescueRule::UnknownName, RescueRule::NoSuchRoad] {
                assert!(plan.contains(&rule), "{rule:?} is not among {plan:?}");
            }
        }
        dialogue = turn.dialogue;
    }
    insta::assert_snapshot!(stories.join("\n\n"));
}

#[test]
fn the_script_plans_again_after_every_event_in_many_places() {
    let mut plans = 0;
    for seed in 0..30_u64 {
        let mut dialogue = Dialogue::new(generate(9 + seed as usize * 3, seed).unwrap());
        let mut words = "Deploy the robots.".to_owned();
        for step in 0..=5 {
            let turn = tell(dialogue, RescueScript::Careful, &words);
            let tale = || story(&words, &turn);
            assert_eq!(turn.trace.stop, Some(Stop::Answered), "{}", tale());
            assert_eq!(turn.findings, [], "{}", tale());
            assert_eq!(turn.graph_findings, [], "{}", tale());
            assert_eq!(turn.trace.mistakes(), [], "{}", tale());
            let direct = tasks::rescue::plan(&turn.dialogue.scenario).unwrap();
            // One who can be sent is always told of, so the plan is read back as it was made.
            if let Some(plan) = &turn.plan {
                let served = |p: &tasks::rescue::RescuePlan| -> usize {
                    p.routes.iter().map(|r| r.stops.len()).sum()
                };
                assert_eq!(served(plan), served(&direct), "{}", tale());
                plans += 1;
            }
            dialogue = turn.dialogue;
            let event = random_event(&dialogue.scenario, seed * 10 + step).unwrap();
            // By turns a sentence that the model reports, and a click that the data have already.
            words = event.sentence();
            if step % 2 == 1 {
                dialogue.scenario = event.apply(&dialogue.scenario).unwrap();
                words = format!("{words} {ALREADY}");
            }
        }
    }
    assert!(plans > 170, "{plans}");
}

#[test]
fn what_cannot_be_recorded_and_what_is_not_understood_is_said() {
    let answer = |words: &str| {
        let turn = tell(nine(), RescueScript::Careful, words);
        turn.trace.answer().unwrap().to_owned()
    };
    assert_eq!(
        answer("Fire has spread to L8."),
        "I cannot record that: there is fire at L8 already, so nothing changes."
    );
    assert_eq!(
        answer("Fire has spread to L77."),
        "This is a script, not a model: there is no L77 in this scenario."
    );
    assert!(answer("Sing a song.").starts_with("This is a script, not a model: this is neither"));
    assert_eq!(
        answer("Who cannot be reached?"),
        "There is no plan yet: tell me to deploy the robots."
    );
    assert_eq!(answer("What is at L7?"), "L7: survivor S2, minor; roads to L4 (4), L5 (3).");
    assert_eq!(answer("Where are the robots?"), "R1 at L5, available; R2 at L6, available.");
}

#[test]
fn every_event_that_a_sentence_can_tell_goes_through_the_tool() {
    let events = [
        DisasterEvent::HazardAppears { kind: HazardKind::Debris, at: Place::Location("L7".into()) },
        DisasterEvent::HazardAppears {
            kind: HazardKind::Collapse,
            at: Place::Road("L5".into(), "L7".into()),
        },
        DisasterEvent::HazardEnds { kind: HazardKind::Fire, at: Place::Location("L8".into()) },
        DisasterEvent::SurvivorFound { at: "L5".into(), injury: Injury::Low },
        DisasterEvent::SurvivorRescued { id: "S1".into() },
        DisasterEvent::InjuryChanges { id: "S2".into(), injury: Injury::High },
        DisasterEvent::RobotLost { id: "R2".into() },
        DisasterEvent::RobotMoves { id: "R2".into(), at: "L7".into() },
        DisasterEvent::RobotArrives { at: "L3".into() },
    ];
    for event in events {
        let before = nine();
        let after = event.apply(&before.scenario).unwrap();
        let turn = tell(before, RescueScript::Careful, &event.sentence());
        assert_eq!(turn.dialogue.scenario, after, "{}", event.sentence());
        assert_eq!(turn.findings, [], "{}", event.sentence());
    }
}

#[test]
fn a_turn_that_is_stopped_leaves_the_conversation_as_it_was() {
    let cancel = Cancel::default();
    cancel.cancel();
    let turn = say(
        nine(),
        PAPER[0],
        &RescueScript::Careful,
        &Choosing::All,
        setting(&cancel),
        &mut |_| {},
    )
    .now_or_never()
    .unwrap();
    assert_eq!(turn.trace.stop, Some(Stop::Cancelled));
    assert_eq!(turn.dialogue, nine());
}

#[test]
fn the_prompt() {
    insta::assert_snapshot!(PROMPT);
}

/// With few tools the same plans come out: what is called and was not sent comes in.
#[test]
fn few_tools_are_sent_and_the_plans_stay_the_same() {
    let cancel = Cancel::default();
    let play = |n_tools: Option<usize>| {
        let mut dialogue = nine();
        let (mut plans, mut sent) = (Vec::new(), Vec::new());
        for words in PAPER {
            let script = RescueScript::Careful;
            let how = choosing(n_tools);
            let mut on_step = |_: &_| {};
            let turn = say(dialogue, words, &script, &how, setting(&cancel), &mut on_step);
            let turn = turn.now_or_never().unwrap();
            assert!(turn.findings.is_empty() && turn.graph_findings.is_empty(), "{words}");
            assert_eq!(turn.trace.stop, Some(Stop::Answered), "{words}");
            sent.extend(turn.trace.steps.iter().filter_map(|step| match &step.body {
                StepBody::Choice { tools, .. } => Some(tools.len()),
                _ => None,
            }));
            plans.push(turn.plan);
            dialogue = turn.dialogue;
        }
        (plans, sent)
    };
    let ((all, none), (few, sent)) = (play(None), play(Some(3)));
    assert_eq!(all, few);
    // Four that every plan needs, three that build a graph, three that fit.
    assert!(none.is_empty() && sent.contains(&10), "{none:?} {sent:?}");
}

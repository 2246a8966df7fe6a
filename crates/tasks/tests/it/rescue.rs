//! Rescue: the paper's layout, files, events, sentences, and the proof that every plan after every
//! event keeps the verifier's rules.

use proptest::prelude::*;
use tasks::rescue::*;

fn nine() -> Scenario {
    Scenario::from_json(NINE_LOCATIONS).unwrap()
}

fn rules(found: &[RescueFinding]) -> Vec<RescueRule> {
    let mut rules: Vec<RescueRule> = found.iter().map(|f| f.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

#[test]
fn the_plan_of_the_papers_layout() {
    let scenario = nine();
    let plan = plan(&scenario).unwrap();
    assert_eq!(
        plan.to_text(),
        "R1: L5 -> L3 -> L5 -> L7; serves S1 at 3, S2 at 9; length 9\n\
         R2: L6 -> L1; serves S3 at 5; length 5\n"
    );
    assert_eq!(verify_plan(&scenario, &plan), []);
    assert_eq!(plan.optimal, Some(true));
}

#[test]
fn the_plan_after_the_fire_has_spread_to_l2() {
    let before = nine();
    let Said::Event { event } =
        read_sentence(&before, "Fire expanded to L2. Update the environment.")
    else {
        panic!("the paper's sentence is an event")
    };
    let after = event.apply(&before).unwrap();
    let old = plan(&before).unwrap();
    let new = plan(&after).unwrap();
    assert_eq!(verify_plan(&after, &new), []);
    // Neither route used L2, so the old one still holds.
    assert_eq!(old, new);
    let cut = DisasterEvent::RobotLost { id: "R2".into() }.apply(&after).unwrap();
    let plan = plan(&cut).unwrap();
    // L1 is still reached the long way, through the debris at L4.
    assert_eq!(
        plan.to_text(),
        "R1: L5 -> L3 -> L5 -> L7 -> L4 -> L6 -> L1 -> L6 -> L4 -> L7; serves S1 at 3, S3 at 35, \
         S2 at 61; length 61\n"
    );
    assert_eq!(verify_plan(&cut, &plan), []);
}

#[test]
fn who_cannot_be_reached_is_named_with_the_reason() {
    let mut scenario = nine();
    for event in [
        DisasterEvent::SurvivorFound { at: "L8".into(), injury: Injury::High },
        DisasterEvent::HazardAppears {
            kind: HazardKind::Collapse,
            at: Place::Road("L5".into(), "L3".into()),
        },
    ] {
        scenario = event.apply(&scenario).unwrap();
    }
    let text = plan(&scenario).unwrap().to_text();
    assert!(text.contains("Unreachable: S4 (L8 burns)"), "{text}");
    assert!(text.contains("Unreachable: S1 (no safe way leads from any robot to L3)"), "{text}");
}

/// Each way to spoil the good plan, with the rule that must notice.
#[test]
fn every_rule_is_noticed() {
    let scenario = nine();
    let good = plan(&scenario).unwrap();
    let spoil = |change: &dyn Fn(&mut RescuePlan)| {
        let mut plan = good.clone();
        change(&mut plan);
        rules(&verify_plan(&scenario, &plan))
    };
    let path = |ids: &[&str]| -> Vec<String> { ids.iter().map(ToString::to_string).collect() };
    let cases: Vec<(RescueRule, Vec<RescueRule>)> = vec![
        (RescueRule::UnknownName, spoil(&|p| p.routes[1].robot = "R9".into())),
        (RescueRule::UnknownName, spoil(&|p| p.routes[1].path = path(&["L6", "L0", "L1"]))),
        (RescueRule::NoSuchRoad, spoil(&|p| p.routes[0].path = path(&["L5", "L9", "L3"]))),
        (RescueRule::ThroughFire, spoil(&|p| p.routes[0].path = path(&["L5", "L2", "L9", "L2"]))),
        (RescueRule::WrongDistance, spoil(&|p| p.routes[0].length = 8.0)),
        (RescueRule::WrongDistance, spoil(&|p| p.routes[1].stops[0].arrival = 4.0)),
        (RescueRule::CriticalFirst, spoil(&|p| p.routes[0].stops.reverse())),
        (RescueRule::Unserved, spoil(&|p| _ = p.routes[0].stops.pop())),
        (
            RescueRule::ServedTwice,
            spoil(&|p| {
                let stop = p.routes[0].stops[1].clone();
                p.routes[0].stops.push(stop);
            }),
        ),
        (
            RescueRule::WrongUnreachable,
            spoil(&|p| {
                let survivor = "S1".into();
                p.unreachable.push(UnreachableSurvivor { survivor, reason: String::new() });
            }),
        ),
        (RescueRule::WrongRobot, spoil(&|p| p.routes[0].robot = "R2".into())),
        (RescueRule::WrongStop, spoil(&|p| p.routes[1].stops[0].at = "L6".into())),
        (RescueRule::WrongStop, spoil(&|p| p.routes[1].path = path(&["L6"]))),
        (
            RescueRule::Detour,
            spoil(&|p| {
                p.routes[1].path = path(&["L6", "L1", "L6", "L1"]);
                p.routes[1].stops[0].arrival = 15.0;
                p.routes[1].length = 15.0;
            }),
        ),
    ];
    for (rule, found) in cases {
        assert!(found.contains(&rule), "{rule:?} is not among {found:?}");
    }
    let closed = DisasterEvent::HazardAppears {
        kind: HazardKind::Collapse,
        at: Place::Road("L1".into(), "L6".into()),
    };
    let closed = closed.apply(&scenario).unwrap();
    assert!(rules(&verify_plan(&closed, &good)).contains(&RescueRule::ClosedRoad));
    let unsaid = DisasterEvent::SurvivorFound { at: "L9".into(), injury: Injury::Low };
    let unsaid = unsaid.apply(&scenario).unwrap();
    assert_eq!(rules(&verify_plan(&unsaid, &good)), [RescueRule::WrongUnreachable]);
}

/// Paper: the transcript of §V calls add_nodes with 0 to 9 and add_edges with these numbers.
#[test]
fn the_graph_of_the_papers_transcript_is_caught() {
    let mut graph = graph::Graph::undirected();
    for i in 0..=9_usize {
        graph.ensure_node(i).unwrap();
    }
    let edges = [(8, 3), (3, 5), (5, 2), (2, 9), (2, 1), (1, 6), (6, 4), (4, 7), (5, 9_usize)];
    let weights = [15.0, 3.0, 6.0, 12.0, 12.0, 5.0, 9.0, 4.0, 9.0];
    for ((a, b), weight) in edges.into_iter().zip(weights) {
        graph.link_weighted(a as usize, b, weight).unwrap();
    }
    let found = check_graph(&nine(), &graph);
    let messages: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "node 0 of the graph is no location of the scenario",
            "edge L8 - L3 of the graph leads into the fire at L8",
            "edge L2 - L9 of the graph leads into the fire at L9",
            "edge L4 - L7 of the graph weighs 4; it takes 12 (3 times 4 for the debris)",
            "edge L5 - L9 of the graph is no road of the scenario",
            "the road L5 - L7 is open and not in the graph",
        ]
    );
    assert_eq!(check_graph(&nine(), &scenario_graph(&nine()).unwrap()), []);
}

#[test]
fn a_text_is_checked_even_where_it_is_no_plan() {
    let scenario = nine();
    let (found, plan) = check_text(
        &scenario,
        "To the survivor at L7: [L5, L9, L7]. The way L5 -> L2 -> L1 is open, and so is L0.",
    );
    assert_eq!(plan, None);
    let messages: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "the text names \"L0\", and there is no such location",
            "the text goes L5 -> L9, and there is no such road",
            "the text goes L9 -> L7, and there is no such road",
        ]
    );
}

#[test]
fn sentences_are_read() {
    let s = nine();
    let event = |text: &str| match read_sentence(&s, text) {
        Said::Event { event } => event.sentence(),
        other => format!("{other:?}"),
    };
    for (text, meant) in [
        ("fire has spread to L2", "Fire has spread to L2."),
        ("The fire at L9 has spread to L2!", "Fire has spread to L9."),
        ("The fire has spread from L9 to L2", "Fire has spread to L2."),
        ("A fire broke out at l6", "Fire has spread to L6."),
        ("The fire at L8 has been put out", "The fire at L8 is out."),
        ("a new survivor at L6", "A new survivor at L6, serious."),
        (
            "We found another victim at location 6, badly hurt, critical",
            "A new survivor at L6, critical.",
        ),
        ("robot 1 is lost", "Robot R1 is lost."),
        ("R2 is down", "Robot R2 is lost."),
        ("Robot 2 has moved to L4", "Robot R2 has moved to L4."),
        ("The road between L5 and L7 is blocked", "A building has collapsed on the road L5 - L7."),
        ("S2 is rescued", "Survivor S2 is rescued."),
        ("survivor 2 is critical now", "Survivor S2 is critical now."),
    ] {
        assert_eq!(event(text), meant, "{text}");
    }
    let high = Some(Injury::High);
    for (text, said) in [
        (
            "What are the locations of victims with critical health condition?",
            Said::Question { question: Question::Survivors { injury: high } },
        ),
        ("Prioritize saving victims in critical condition first.", Said::Prioritise),
        (
            "Deploy rescue robots. There are survivors and fire hazards around collapsed buildings.",
            Said::Deploy,
        ),
        (
            "How far is it from L5 to L7?",
            Said::Question { question: Question::Way { from: "L5".into(), to: "L7".into() } },
        ),
        ("Who cannot be reached?", Said::Question { question: Question::Unreachable }),
        (
            "Where does robot 1 go?",
            Said::Question { question: Question::Robot { id: "R1".into() } },
        ),
        ("Where is fire?", Said::Question { question: Question::Hazards }),
    ] {
        assert_eq!(read_sentence(&s, text), said, "{text}");
    }
    let Said::Unclear { reason } = read_sentence(&s, "Fire has spread to L99.") else {
        panic!("L99 is not there")
    };
    assert_eq!(reason, "there is no L99 in this scenario");
}

#[test]
fn bad_files_are_told_what_would_be_right() {
    let good: serde_json::Value = serde_json::from_str(NINE_LOCATIONS).unwrap();
    let mut lines = Vec::new();
    for (pointer, value) in [
        ("/version", serde_json::json!(2)),
        ("/roads/0/distance", serde_json::json!(-1)),
        ("/roads/0/to", serde_json::json!("L99")),
        ("/roads/0/to", serde_json::json!("L8")),
        ("/roads/1/to", serde_json::json!("L8")),
        ("/locations/1/id", serde_json::json!("L1")),
        ("/locations/1/id", serde_json::json!("<b>")),
        ("/locations/1/x", serde_json::json!(1e9)),
        ("/hazards/0/at", serde_json::json!(["L1", "L9"])),
        ("/hazards/0/kind", serde_json::json!("flood")),
        ("/survivors/0/injury", serde_json::json!("bad")),
        ("/robots", serde_json::json!(vec![good["robots"][0].clone(); 21])),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value;
        lines.push(Scenario::from_json(&bad.to_string()).unwrap_err().to_string());
    }
    lines.push(Scenario::from_json("not json").unwrap_err().to_string());
    insta::assert_snapshot!(lines.join("\n"));
}

/// The proof: 200 generated scenarios of 9 to 200 locations, five events each, a plan after each.
#[test]
fn after_every_event_every_plan_keeps_the_rules() {
    let (mut plans, mut events) = (0, 0);
    for seed in 0..200_u64 {
        let n = MIN_GENERATED + (seed as usize * 191) / 199;
        let mut scenario = generate(n, seed).unwrap();
        for step in 0..=5 {
            let plan = plan(&scenario).unwrap();
            let found = verify_plan(&scenario, &plan);
            assert!(found.is_empty(), "{n} locations, seed {seed}, event {step}: {found:?}");
            // What the plan says in words is read back as the same plan.
            let (found, read) = check_text(&scenario, &plan.to_text());
            assert!(found.is_empty(), "{found:?}");
            assert_eq!(read.map(|p| p.routes), (!plan.routes.is_empty()).then_some(plan.routes));
            plans += 1;
            if step < 5 {
                let event = random_event(&scenario, seed * 100 + step).unwrap();
                // What the event says in words is read back as the same event.
                let said = read_sentence(&scenario, &event.sentence());
                assert_eq!(said, Said::Event { event: event.clone() }, "{}", event.sentence());
                scenario = event.apply(&scenario).unwrap();
                events += 1;
            }
        }
    }
    assert_eq!((plans, events), (1200, 1000));
}

#[test]
fn the_same_seed_makes_the_same_scenario_and_another_seed_another() {
    assert_eq!(generate(40, 7).unwrap(), generate(40, 7).unwrap());
    assert_ne!(generate(40, 7).unwrap(), generate(40, 8).unwrap());
    assert!(generate(8, 1).is_err() && generate(201, 1).is_err());
    let text = generate(200, 3).unwrap().to_json();
    assert_eq!(Scenario::from_json(&text).unwrap(), generate(200, 3).unwrap());
}

proptest! {
    #[test]
    fn no_text_makes_a_reader_panic(text in "\\PC{0,300}") {
        let s = nine();
        let _ = Scenario::from_json(&text);
        let _ = read_sentence(&s, &text);
        let _ = check_text(&s, &text);
    }

    #[test]
    fn no_words_of_the_trade_make_a_reader_panic(
        words in proptest::collection::vec(
            prop_oneof![
                Just("R1:"), Just("L5"), Just("->"), Just("→"), Just("serves"), Just("S1 at 3"),
                Just(";"), Just("length 1e999"), Just("NaN"), Just(","), Just("[L1, L2]"),
                Just("fire"), Just("robot 1"), Just("road"), Just("L99"), Just("\n"), Just("new"),
                Just("survivor"), Just("Unreachable:"), Just("("), Just("?"), Just("stays at"),
            ],
            0..40,
        ),
    ) {
        let s = nine();
        let text = words.join(" ");
        let (_, plan) = check_text(&s, &text);
        if let Some(plan) = plan {
            for route in &plan.routes {
                prop_assert!(route.length.is_finite());
            }
        }
        if let Said::Event { event } = read_sentence(&s, &text) {
            // Two locations need not be joined by a road; else an event names only what is there.
            if let Err(error) = event.apply(&s) {
                let error = error.to_string();
                let told = error.contains("nothing changes") || error.contains("there is no road");
                prop_assert!(told, "{error}");
            }
        }
    }

    #[test]
    fn any_number_of_events_leaves_a_scenario_whole(
        n in 9..60usize, seed in any::<u64>(), steps in proptest::collection::vec(any::<u64>(), 0..30),
    ) {
        let mut s = generate(n, seed).unwrap();
        for step in steps {
            if let Some(event) = random_event(&s, step) {
                s = event.apply(&s).unwrap();
                prop_assert!(s.check().is_ok());
            }
        }
        prop_assert_eq!(&Scenario::from_json(&s.to_json()).unwrap(), &s);
        prop_assert_eq!(verify_plan(&s, &plan(&s).unwrap()), []);
    }
}

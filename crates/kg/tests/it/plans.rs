//! Plans: read, verified, executed, against slow oracles.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use kg::find::{FindOptions, Finder};
use kg::plan::{
    CommonEntry, Plan, PlanError, PlanStep, Rule, Semantics, Severity, StepValue, check_data,
    execute, print_plan, read_plan, verify,
};
use kg::{Direction, Kg, KgBuilder, NodeIx};
use proptest::prelude::*;
use serde_json::{Map, json};

/// Drugs and diseases, made up.
pub fn clinic() -> Kg {
    let mut builder = KgBuilder::new("clinic");
    let nodes = [
        ("c1", "Compound", "Calmex"),
        ("c2", "Compound", "Dolorin"),
        ("c3", "Compound", "Pax, forte"),
        ("d1", "Disease", "grey fever"),
        ("d2", "Disease", "blue cough"),
        ("a1", "Anatomy", "midbrain"),
        ("a2", "Anatomy", "heel"),
        ("k1", "Class", "sedatives"),
    ];
    for (id, of, name) in nodes {
        let age = (of == "Compound")
            .then(|| ("approved".to_owned(), json!(1990 + u32::from(id.as_bytes()[1] - b'0'))));
        builder.node(id, of, name, age.into_iter().collect::<Map<_, _>>()).unwrap();
    }
    for (s, t, o) in [
        ("c1", "treats", "d1"),
        ("c2", "palliates", "d1"),
        ("c2", "treats", "d2"),
        ("c3", "treats", "d2"),
        ("d1", "localizes", "a1"),
        ("d2", "localizes", "a1"),
        ("d2", "localizes", "a2"),
        ("k1", "includes", "c1"),
        ("k1", "includes", "c2"),
    ] {
        builder.edge(s, t, o).unwrap();
    }
    builder.build().unwrap()
}

fn finder(kg: Kg) -> Finder {
    Finder::new(Arc::new(kg), Rc::new(text::NGrams))
}

fn names(text: &str) -> Vec<String> {
    let finder = finder(clinic());
    let plan = read_plan(text).unwrap();
    let semantics = Semantics { extensions: true, ..Semantics::default() };
    let verified = verify(&plan, finder.kg().schema(), semantics, "");
    let ready = verified.ready.unwrap_or_else(|| panic!("{:?}", verified.findings));
    execute(&ready, &finder, FindOptions::default()).answer().texts(finder.kg())
}

#[test]
fn spellings_of_one_plan_are_one_plan() {
    let spellings = [
        r#"{"steps":[{"id":"s1","action":"find_node","hint":"Calmex","node_type":"Compound"},{"id":"s2","action":"fetch_neighbors","from":"s1","edge_type":"treats"}],"answer_from":"s2"}"#,
        "Sure! Here is the plan:\n```json\n{\"plan\": [{\"step\": 1, \"action\": \"Find_Node\", \"args\": {\"node_finding_hint\": \"Calmex\", \"node_type\": \"Compound\"}}, {\"step\": 2, \"action\": \"Fetch_Neighbors\", \"args\": {\"current_node\": \"step 1\", \"targeted_edge_type\": \"treats\"}}]}\n```",
        r#"[{"action":"FindNode","arguments":["Calmex","Compound"]},{"action":"FetchNeighbors","arguments":["s1","treats"]}]"#,
        "1. Find_Node[Calmex, Compound]\n2. Fetch_Neighbors[current_node, treats]",
        "Step 1: Find_Node[\"Calmex\", \"Compound\"]\nStep 2: Fetch_Neighbors[Calmex, treats]\nAnswer: step 2",
        "s1 = Find_Node[Calmex, Compound], s2 = Fetch_Neighbors[treats]",
        r#"{"steps": ["Find_Node[Calmex, Compound]", "Fetch_Neighbors[s1, treats]"]}"#,
        r#"{"steps":[{"find_node":{"hint":"Calmex","node_type":"Compound"}},{"fetch_neighbors":{"node":"s1","edge":"treats"}}]}"#,
    ];
    for text in spellings {
        assert_eq!(names(text), ["grey fever"], "{text}");
    }
    assert_eq!(
        names("Find_Node[Pax, forte, Compound]\nFetch_Neighbors[s1, treats]"),
        ["blue cough"]
    );
    assert_eq!(
        names(
            "s1: Find_Node[Dolorin, Compound]\ns2: Find_Node[midbrain, Anatomy]\ns3: Find_Common_Nodes[(s1, palliates), (midbrain, localizes)]"
        ),
        ["grey fever"]
    );
    assert_eq!(
        names("Find_Node[sedatives, Class]\nFetch_Neighbors[s1, Disease]"),
        ["grey fever", "blue cough"]
    );
}

#[test]
fn actions_beyond_the_paper() {
    assert_eq!(
        names("Find_Node[midbrain, Anatomy]\nFetch_Neighbors[s1, localizes]\nCount[s2]"),
        ["2"]
    );
    assert_eq!(names("Find_Node[Calmex, Compound]\nAttribute[s1, attribute=approved]"), ["1991"]);
    assert_eq!(
        names(
            "Find_Node[blue cough, Disease]\nFetch_Neighbors[s1, treats]\nFilter[s2, attribute=approved, op=>, value=1992]"
        ),
        ["Pax, forte"]
    );
    assert_eq!(
        names(
            "Find_Node[sedatives, Class]\nFetch_Neighbors[s1, Disease]\nMost_Common[s2, localizes]"
        ),
        ["midbrain"]
    );
    assert_eq!(
        names("Find_Node[sedatives, Class]\nFetch_Neighbors[s1, includes]\nArgmax[s2, treats]"),
        ["Calmex", "Dolorin"]
    );
    assert_eq!(
        names("Find_Node[sedatives, Class]\nFind_Node[heel, Anatomy]\nShortest_Path[s1, to=s2]"),
        ["sedatives", "Dolorin", "blue cough", "heel"]
    );
    let plan = read_plan("Find_Node[Calmex, Compound]\nCount[s1]").unwrap();
    let findings = verify(&plan, clinic().schema(), Semantics::default(), "").findings;
    assert!(findings[0].rule == Rule::V1 && findings[0].message.contains("switched off"));
}

#[test]
fn each_rule_names_what_would_be_right() {
    let kg = clinic();
    let find = "Find_Node[Calmex, Compound]\n";
    for (text, rule, told) in [
        (
            "Find_Node[Calmex, Compound]\nTeleport_To[s1, treats]",
            Rule::V1,
            "there are find_node, fetch_neighbors",
        ),
        ("Find_Node[Calmex, Drug]", Rule::V3, "there are Compound, Disease"),
        ("Fetch_Neighbors[x, treats]", Rule::V2, "starts with find_node"),
        (
            "{\"steps\":[{\"action\":\"find_node\",\"hint\":\"a\",\"node_type\":\"Class\"},{\"action\":\"fetch_neighbors\",\"from\":\"s7\",\"edge_type\":\"includes\"}]}",
            Rule::V2,
            "no earlier step",
        ),
        (&format!("{find}Fetch_Neighbors[s1, cures]"), Rule::V4, "there are treats, palliates"),
        (
            &format!("{find}Fetch_Neighbors[s1, localizes]"),
            Rule::V5,
            "they have includes, palliates, treats",
        ),
        (&format!("{find}Fetch_Neighbors[s1, treats, in]"), Rule::V5, "come in to them"),
        (&format!("{find}Find_Common_Nodes[(s1, treats)]"), Rule::V7, "needs two or more"),
        (
            &format!(
                "{find}s2: Find_Node[heel, Anatomy]\nFind_Common_Nodes[(s1, includes), (s2, localizes)]"
            ),
            Rule::V7,
            "share no type",
        ),
        (&format!("{find}Find_Node[heel, Anatomy]"), Rule::V2, "nothing uses"),
        (
            &format!("{find}s2: Fetch_Neighbors[s1, treats]\nAnswer: s9"),
            Rule::V2,
            "which is no step",
        ),
    ] {
        let verified = verify(&read_plan(text).unwrap(), kg.schema(), Semantics::default(), "");
        assert!(verified.ready.is_none(), "{text}");
        assert_eq!(verified.findings.len(), 1, "{text}: {:?}", verified.findings);
        assert_eq!(verified.findings[0].rule, rule, "{text}");
        assert!(verified.findings[0].message.contains(told), "{}", verified.findings[0].message);
    }
    let near = Semantics { max_hops: 1, ..Semantics::default() };
    let plan = read_plan("Find_Node[sedatives, Class]\nFetch_Neighbors[s1, Anatomy]").unwrap();
    let verified = verify(&plan, kg.schema(), near, "");
    assert_eq!(
        verified.findings[0].message,
        "\"Anatomy\" is 3 hops away from Class; within 1 hops are Compound"
    );
    let plan = read_plan(&format!("{find}Fetch_Neighbors[s1, treats]")).unwrap();
    let verified = verify(&plan, kg.schema(), near, "Which anatomy is treated?");
    assert!(verified.ready.is_some());
    assert_eq!(
        (verified.findings[0].rule, verified.findings[0].severity),
        (Rule::V8, Severity::Warning)
    );
}

#[test]
fn the_data_check_catches_the_wrong_edge_of_the_right_shape() {
    let finder = finder(clinic());
    let check = |text: &str, semantics| {
        let ready =
            verify(&read_plan(text).unwrap(), finder.kg().schema(), semantics, "").ready.unwrap();
        check_data(&ready, &finder, FindOptions::default())
    };
    let both = Semantics::default();
    let findings = check("Find_Node[Calmex, Compound]\nFetch_Neighbors[s1, palliates]", both);
    assert_eq!(findings[0].rule, Rule::D2);
    assert_eq!(
        findings[0].message,
        "Calmex has no edge \"palliates\"; to nodes of that type lead treats"
    );
    let findings = check("Find_Node[Kalmix, Compound]\nFetch_Neighbors[s1, treats]", both);
    assert_eq!((findings[0].rule, findings[0].options[0].as_str()), (Rule::D1, "Calmex"));
    assert!(check("Find_Node[Calmex, Compound]\nFetch_Neighbors[s1, treats]", both).is_empty());
    let one = Semantics { set_entries: false, ..both };
    let text = "Find_Node[sedatives, Class]\nFetch_Neighbors[s1, includes]\nFind_Node[midbrain, Anatomy]\nFind_Common_Nodes[(s2, treats), (s3, localizes)]";
    assert_eq!(check(text, one)[0].rule, Rule::D3);
    assert!(check(text, both).is_empty());
}

#[test]
fn bad_texts_are_told_where_and_why() {
    assert_eq!(read_plan("I cannot help with that."), Err(PlanError::None));
    let PlanError::Json { line, column, .. } =
        read_plan("Plan:\n{\"steps\": [{\"action\": \"find_node\",\n \"hint\" 3").unwrap_err()
    else {
        panic!()
    };
    assert_eq!((line, column), (3, 9));
    assert_eq!(read_plan(&"x".repeat(2_000_000)), Err(PlanError::TooLong { length: 2_000_000 }));
    let long: Vec<PlanStep> = (0..10_000)
        .map(|i| PlanStep {
            id: format!("s{i}"),
            action: "find_node".into(),
            ..PlanStep::default()
        })
        .collect();
    let text = serde_json::to_string(&Plan { steps: long, answer_from: None }).unwrap();
    let plan = read_plan(&text).unwrap();
    let verified = verify(&plan, clinic().schema(), Semantics::default(), "");
    assert_eq!(verified.findings[0].message, "the plan has 10000 steps; at most 64 are executed");
    let name = "r".repeat(900_000);
    let plan =
        read_plan(&format!("Find_Node[Calmex, Compound]\nFetch_Neighbors[s1, {name}]")).unwrap();
    let verified = verify(&plan, clinic().schema(), Semantics::default(), "");
    assert!(verified.findings[0].message.len() < 300 && verified.findings[0].rule == Rule::V4);
}

/// A graph and a chain of edge types.
fn walks() -> impl Strategy<Value = (Kg, usize, Vec<(usize, Direction)>)> {
    let way = prop::sample::select(vec![Direction::Out, Direction::In, Direction::Both]);
    (2usize..10).prop_flat_map(move |n| {
        let edges = prop::collection::vec((0..n, 0usize..3, 0..n), 1..30);
        let path = prop::collection::vec((0usize..3, way.clone()), 1..4);
        (edges, 0..n, path).prop_map(move |(edges, start, path)| {
            let mut builder = KgBuilder::new("made");
            for i in 0..n {
                builder.node(&format!("n{i}"), "Thing", &format!("thing {i}"), Map::new()).unwrap();
            }
            for t in 0..3 {
                // So that every type is in the schema.
                builder.edge("n0", &format!("e{t}"), "n1").unwrap();
            }
            for (s, t, o) in edges {
                builder.edge(&format!("n{s}"), &format!("e{t}"), &format!("n{o}")).unwrap();
            }
            (builder.build().unwrap(), start, path)
        })
    })
}

/// One hop, from the plain list of edges.
fn hop(kg: &Kg, from: &BTreeSet<NodeIx>, edge: &str, way: Direction) -> BTreeSet<NodeIx> {
    let mut found = BTreeSet::new();
    for (s, t, o) in kg.edges() {
        if kg.schema().edge_type(t).name == edge {
            if way != Direction::In && from.contains(&s) {
                found.insert(o);
            }
            if way != Direction::Out && from.contains(&o) {
                found.insert(s);
            }
        }
    }
    found
}

proptest! {
    #[test]
    fn execution_agrees_with_the_definition((kg, start, path) in walks()) {
        let mut steps = vec![PlanStep { id: "s0".into(), action: "find_node".into(), hint: Some(format!("thing {start}")), node_type: Some("Thing".into()), ..PlanStep::default() }];
        let begin = BTreeSet::from([kg.find_id(&format!("n{start}")).unwrap()]);
        let mut expected = begin.clone();
        let mut entries = Vec::new();
        let mut shared: Option<BTreeSet<NodeIx>> = None;
        for (i, (edge, way)) in path.iter().enumerate() {
            let edge = format!("e{edge}");
            steps.push(PlanStep { id: format!("s{}", i + 1), action: "fetch_neighbors".into(), from: Some(format!("s{i}")), edge_type: Some(edge.clone()), direction: Some(*way), ..PlanStep::default() });
            expected = hop(&kg, &expected, &edge, *way);
            let own = hop(&kg, &begin, &edge, *way);
            shared = Some(match shared { None => own, Some(s) => s.intersection(&own).copied().collect() });
            entries.push(CommonEntry { from: "s0".into(), edge_type: Some(edge), direction: Some(*way) });
        }
        let finder = finder(kg);
        let run = |steps: Vec<PlanStep>| {
            let plan = Plan { steps, answer_from: None };
            // What is printed is read as the same plan.
            let again = read_plan(&print_plan(&plan)).unwrap();
            let json = read_plan(&serde_json::to_string(&plan).unwrap()).unwrap();
            assert_eq!(json, plan);
            let of = |p: &Plan| verify(p, finder.kg().schema(), Semantics::default(), "").ready;
            assert_eq!(of(&again), of(&plan));
            of(&plan).map(|r| execute(&r, &finder, FindOptions::default()).answer().nodes().iter().copied().collect::<BTreeSet<_>>())
        };
        // Edges with one end alone are no fault of types here: there is one type.
        prop_assert_eq!(run(steps.clone()), Some(expected));
        if entries.len() >= 2 {
            let common = PlanStep { id: "c".into(), action: "find_common_nodes".into(), of: entries, ..PlanStep::default() };
            prop_assert_eq!(run(vec![steps[0].clone(), common]), shared);
        }
    }

    #[test]
    fn nothing_that_is_read_panics(text in ".{0,200}", noise in "[\\[\\]{}(),:\"A-Za-z_ 0-9\n=]{0,200}") {
        let kg = clinic();
        for text in [text.as_str(), noise.as_str(), &format!("Find_Node[{noise}]"), &format!("{{\"steps\": [{noise}]}}")] {
            if let Ok(plan) = read_plan(text) {
                let verified = verify(&plan, kg.schema(), Semantics { extensions: true, ..Semantics::default() }, text);
                prop_assert!(verified.ready.is_some() || !verified.findings.is_empty());
                if let Some(ready) = verified.ready {
                    let done = execute(&ready, &finder(clinic()), FindOptions::default());
                    prop_assert!(matches!(done.answer(), StepValue::Nodes(_) | StepValue::Number(_) | StepValue::Texts(_)));
                }
            }
        }
    }
}

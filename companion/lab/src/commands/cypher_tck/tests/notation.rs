//! The notation of values.

use proptest::prelude::*;

use crate::commands::cypher_tck::expected::{KitEdge, KitHop, KitMap, KitNode, KitValue};

fn read(text: &str) -> KitValue {
    text.parse().unwrap()
}

#[test]
fn plain_values_are_read() {
    let cases = [
        ("null", KitValue::Null),
        (" true ", KitValue::Bool(true)),
        ("false", KitValue::Bool(false)),
        ("-7", KitValue::Int(-7)),
        ("-9223372036854775808", KitValue::Int(i64::MIN)),
        ("1.0", KitValue::float(1.0)),
        (".5", KitValue::float(0.5)),
        ("1e10", KitValue::float(1e10)),
        ("-1.5E-3", KitValue::float(-0.0015)),
        ("NaN", KitValue::float(f64::NAN)),
        ("Inf", KitValue::float(f64::INFINITY)),
        ("-Inf", KitValue::float(f64::NEG_INFINITY)),
        ("''", KitValue::Text(String::new())),
        (r"'it\'s \\ \n \d'", KitValue::Text("it's \\ \n \\d".into())),
        ("'(:A) <x> ü'", KitValue::Text("(:A) <x> ü".into())),
        ("[]", KitValue::List(Vec::new())),
        ("[1, [ 'a' ]]", KitValue::List(vec![KitValue::Int(1), read("['a']")])),
        ("{}", KitValue::Map(KitMap::new())),
    ];
    for (text, value) in cases {
        assert_eq!(read(text), value, "{text}");
    }
}

#[test]
fn parts_of_graphs_are_read() {
    assert_eq!(read("()"), KitValue::Node(KitNode::default()));
    let node = KitNode {
        labels: ["A".to_owned(), "B".to_owned()].into(),
        properties: [("x".to_owned(), KitValue::Int(1))].into(),
    };
    assert_eq!(read("(:B:A {x: 1})"), KitValue::Node(node.clone()));
    let edge = KitEdge { edge_type: "T".into(), properties: KitMap::new() };
    assert_eq!(read("[:T]"), KitValue::Edge(edge.clone()));
    let hop = |forward| KitHop { forward, edge: edge.clone(), node: node.clone() };
    assert_eq!(
        read("<()-[:T]->(:A:B {x: 1})<-[:T]-(:A:B {x: 1})>"),
        KitValue::Path(KitNode::default(), vec![hop(true), hop(false)]),
    );
    assert_eq!(read("<()>"), KitValue::Path(KitNode::default(), Vec::new()));
    assert_eq!(read("[:`a ``b`]").to_string(), "[:`a ``b`]");
    assert_eq!(read("[[:T], ()]").to_string(), "[[:T], ()]");
}

#[test]
fn what_is_no_value_is_refused_with_its_place() {
    for text in [
        "",
        "nul",
        "1 2",
        "'open",
        "[1",
        "[1,]",
        "{a 1}",
        "{a: 1, a: 2}",
        "(A)",
        "[:]",
        "<()-[:T]-()>",
        "<()<-[:T]->()>",
        "9223372036854775808",
        "1.2.3",
        "--1",
        "<x>",
        "1e",
        "infinity",
    ] {
        assert!(text.parse::<KitValue>().is_err(), "{text}");
    }
    let error = "[1, ?]".parse::<KitValue>().unwrap_err();
    assert_eq!(error.to_string(), "\"[1, ?]\" is no value: expected a value at byte 4");
    assert!("[".repeat(100_000).parse::<KitValue>().is_err());
}

#[test]
fn whole_numbers_are_no_floats_and_nan_equals_itself() {
    assert_ne!(read("1"), read("1.0"));
    assert_eq!(read("NaN"), read("NaN"));
    assert_eq!(read("-0.0"), read("0.0"));
    assert_ne!(read("'1'"), read("1"));
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[A-Za-z_][A-Za-z0-9_]{0,4}", "[a `:'é\\\\]{0,4}"]
}

fn plain() -> impl Strategy<Value = KitValue> {
    prop_oneof![
        Just(KitValue::Null),
        any::<bool>().prop_map(KitValue::Bool),
        any::<i64>().prop_map(KitValue::Int),
        any::<f64>().prop_map(KitValue::float),
        prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(-0.0)].prop_map(KitValue::float),
        any::<String>().prop_map(KitValue::Text),
        "[\\\\'\"nrt\n\r\t]{0,6}".prop_map(KitValue::Text),
    ]
}

fn node(of: impl Strategy<Value = KitValue>) -> impl Strategy<Value = KitNode> {
    let labels = prop::collection::btree_set(name(), 0..3);
    let properties = prop::collection::btree_map(name(), of, 0..3);
    (labels, properties).prop_map(|(labels, properties)| KitNode { labels, properties })
}

fn edge(of: impl Strategy<Value = KitValue>) -> impl Strategy<Value = KitEdge> {
    let properties = prop::collection::btree_map(name(), of, 0..3);
    (name(), properties).prop_map(|(edge_type, properties)| KitEdge { edge_type, properties })
}

fn value() -> impl Strategy<Value = KitValue> {
    plain().prop_recursive(3, 24, 4, |of| {
        let hop = (any::<bool>(), edge(of.clone()), node(of.clone()))
            .prop_map(|(forward, edge, node)| KitHop { forward, edge, node });
        prop_oneof![
            prop::collection::vec(of.clone(), 0..4).prop_map(KitValue::List),
            prop::collection::btree_map(name(), of.clone(), 0..4).prop_map(KitValue::Map),
            node(of.clone()).prop_map(KitValue::Node),
            edge(of.clone()).prop_map(KitValue::Edge),
            (node(of), prop::collection::vec(hop, 0..3))
                .prop_map(|(start, hops)| KitValue::Path(start, hops)),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_can_be_read_again(value in value()) {
        prop_assert_eq!(value.to_string().parse::<KitValue>(), Ok(value));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[\\[\\](){}<>:,'a1.\\- ü`]{0,20}") {
        let _ = text.parse::<KitValue>();
    }

    #[test]
    fn order_in_lists_can_be_left_out(list in prop::collection::vec(value(), 0..5)) {
        let turned = KitValue::List(list.iter().rev().cloned().collect());
        prop_assert_eq!(KitValue::List(list).without_order(), turned.without_order());
    }
}

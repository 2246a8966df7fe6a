//! Tables, values of the engine, side effects.

use cypher::{CypherPath, CypherValue};
use kg::property::{EdgeId, Element, NodeId, Properties, PropertyGraph, PropertyValue};

use super::table;
use crate::commands::cypher_tck::compare::{Order, SideEffects, to_kit, to_parameter};
use crate::commands::cypher_tck::expected::KitValue;

const ORDERED: Order = Order { of_rows: true, in_lists: true };
const ANY: Order = Order { of_rows: false, in_lists: true };
const ANY_LISTS: Order = Order { of_rows: false, in_lists: false };

#[test]
fn rows_without_order_are_compared_with_their_numbers() {
    let twice = table(&["a"], &[&["1"], &["2"], &["1"]]);
    assert!(twice.equals(&table(&["a"], &[&["1"], &["1"], &["2"]]), ANY));
    assert!(!twice.equals(&table(&["a"], &[&["1"], &["1"], &["2"]]), ORDERED));
    assert!(!twice.equals(&table(&["a"], &[&["1"], &["2"], &["2"]]), ANY));
    assert!(!twice.equals(&table(&["a"], &[&["1"], &["2"]]), ANY));
    assert!(twice.equals(&twice, ORDERED));
}

#[test]
fn columns_count_with_their_order() {
    let ab = table(&["a", "b"], &[&["1", "2"]]);
    assert!(!ab.equals(&table(&["b", "a"], &[&["1", "2"]]), ANY));
    assert!(!ab.equals(&table(&["b", "a"], &[&["2", "1"]]), ANY));
    assert!(!table(&["a"], &[]).equals(&table(&["b"], &[]), ANY));
}

#[test]
fn lists_are_compared_in_order_unless_that_is_left_out() {
    let one = table(&["a"], &[&["[1, [2, 3], {k: [4, 5]}]"]]);
    let other = table(&["a"], &[&["[{k: [5, 4]}, [3, 2], 1]"]]);
    assert!(!one.equals(&other, ANY));
    assert!(one.equals(&other, ANY_LISTS));
    assert!(!one.equals(&table(&["a"], &[&["[{k: [5, 4]}, [3, 2], 1, 1]"]]), ANY_LISTS));
}

#[test]
fn labels_are_a_set_and_whole_numbers_no_floats() {
    let node = table(&["n"], &[&["(:A:B {x: 1})"]]);
    assert!(node.equals(&table(&["n"], &[&["(:B:A {x: 1})"]]), ORDERED));
    assert!(!node.equals(&table(&["n"], &[&["(:B:A {x: 1.0})"]]), ORDERED));
    assert!(!node.equals(&table(&["n"], &[&["(:A {x: 1})"]]), ORDERED));
}

fn of(names: &[(&str, PropertyValue)]) -> Properties {
    names.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

/// `(:B:A {x: 1, l: [2.5, 'a']})-[:T {y: true}]->()`, and a loop at the second node.
fn graph() -> (PropertyGraph, [NodeId; 2], [EdgeId; 2]) {
    let mut graph = PropertyGraph::default();
    let list = PropertyValue::List(vec![PropertyValue::Float(2.5), "a".into()]);
    let a = graph.create_node(["B", "A"], of(&[("x", 1.into()), ("l", list)])).unwrap();
    let b = graph.create_node([""; 0], Properties::new()).unwrap();
    let ab = graph.create_edge(a, "T", b, of(&[("y", true.into())])).unwrap();
    let bb = graph.create_edge(b, "L", b, Properties::new()).unwrap();
    (graph, [a, b], [ab, bb])
}

#[test]
fn values_of_the_engine_are_what_the_kit_writes() {
    let (graph, [a, b], [ab, bb]) = graph();
    let path = |nodes: &[NodeId], edges: &[EdgeId]| {
        CypherValue::path(CypherPath { nodes: nodes.to_vec(), edges: edges.to_vec() })
    };
    let list = vec![
        CypherValue::Null,
        CypherValue::Bool(true),
        CypherValue::Float(1.0),
        CypherValue::text("a"),
    ];
    let cases = [
        (CypherValue::Node(a), "(:A:B {x: 1, l: [2.5, 'a']})"),
        (CypherValue::Edge(ab), "[:T {y: true}]"),
        (path(&[a, b], &[ab]), "<(:A:B {x: 1, l: [2.5, 'a']})-[:T {y: true}]->()>"),
        (path(&[b, b, a], &[bb, ab]), "<()-[:L]->()<-[:T {y: true}]-(:A:B {x: 1, l: [2.5, 'a']})>"),
        (path(&[b], &[]), "<()>"),
        (CypherValue::list(list), "[null, true, 1.0, 'a']"),
        (CypherValue::map([("k".to_owned(), CypherValue::Int(3))].into()), "{k: 3}"),
    ];
    for (value, written) in cases {
        assert_eq!(to_kit(&value, &graph), written.parse().unwrap(), "{written}");
    }
    let wrong = [
        CypherValue::Node(NodeId(9)),
        CypherValue::Edge(EdgeId(9)),
        path(&[a, a], &[ab]),
        path(&[a], &[ab]),
    ];
    for value in wrong {
        let kit = to_kit(&value, &graph);
        assert!(matches!(kit, KitValue::Other(_)), "{kit}");
    }
}

#[test]
fn parameters_are_values_and_no_parts_of_graphs() {
    let graph = PropertyGraph::default();
    for written in ["null", "[1, 2.5, {a: 'b'}]", "true"] {
        let value: KitValue = written.parse().unwrap();
        assert_eq!(to_kit(&to_parameter(&value).unwrap(), &graph), value);
    }
    assert!(to_parameter(&"[()]".parse().unwrap()).is_none());
}

fn effects(of: &[(&str, usize)]) -> SideEffects {
    let mut effects = SideEffects::default();
    for (name, count) in of {
        assert!(effects.set(name, *count), "{name}");
    }
    effects
}

#[test]
fn side_effects_are_counted_as_the_kit_does() {
    let (before, [a, b], [ab, bb]) = graph();
    assert_eq!(SideEffects::between(&before, &before.clone()), effects(&[]));
    assert_eq!(effects(&[("+nodes", 0)]), effects(&[]));
    assert!(!SideEffects::default().set("nodes", 1));

    // Labels count by name, however many nodes have them.
    let mut after = before.clone();
    let c = after.create_node(["A", "C"], of(&[("x", 1.into()), ("y", 2.into())])).unwrap();
    after.create_node(["C"], Properties::new()).unwrap();
    after.create_edge(c, "T", a, of(&[("z", 1.into())])).unwrap();
    let made = [("+nodes", 2), ("+relationships", 1), ("+labels", 1), ("+properties", 3)];
    assert_eq!(SideEffects::between(&before, &after), effects(&made));
    let gone = [("-nodes", 2), ("-relationships", 1), ("-labels", 1), ("-properties", 3)];
    assert_eq!(SideEffects::between(&after, &before), effects(&gone));

    // A value that changes goes and comes; the same value again is nothing, and 1.0 is not 1.
    let mut after = before.clone();
    after.set_property(Element::Node(a), "x", Some(PropertyValue::Float(1.0))).unwrap();
    after.set_property(Element::Edge(ab), "y", Some(true.into())).unwrap();
    after.set_property(Element::Edge(bb), "new", Some(1.into())).unwrap();
    after.set_property(Element::Node(a), "l", None).unwrap();
    assert_eq!(
        SideEffects::between(&before, &after),
        effects(&[("+properties", 2), ("-properties", 2)])
    );

    // A label that another node still has is not gone.
    let mut after = before.clone();
    after.add_label(b, "A").unwrap();
    after.remove_label(a, "A").unwrap();
    after.remove_label(a, "B").unwrap();
    assert_eq!(SideEffects::between(&before, &after), effects(&[("-labels", 1)]));

    // Something else with the same content is something else.
    let mut after = before.clone();
    after.delete_edge(bb).unwrap();
    after.create_edge(b, "L", b, Properties::new()).unwrap();
    let both = effects(&[("+relationships", 1), ("-relationships", 1)]);
    assert_eq!(SideEffects::between(&before, &after), both);
    assert_eq!(both.to_string(), "side effects: +relationships 1 -relationships 1");
}

//! PropertyValue graphs, held against lists that are searched from end to end.

use std::collections::{BTreeMap, BTreeSet};

use kg::property::{
    EdgeId, Element, GraphStore, NodeId, Properties, PropertyError, PropertyGraph, PropertyPoint,
    PropertyValue, Writing, snapshot_file,
};
use proptest::prelude::*;

/// A graph as lists; ids are counted as the graph counts them.
#[derive(Clone, Debug, Default, PartialEq)]
struct Lists {
    nodes: Vec<(NodeId, BTreeSet<String>, Properties)>,
    edges: Vec<(EdgeId, NodeId, String, NodeId, Properties)>,
}

#[derive(Clone, Debug)]
enum Op {
    Node(Vec<u8>, Properties),
    Edge(usize, u8, usize, Properties),
    Set(bool, usize, u8, Option<PropertyValue>),
    Label(usize, u8),
    Unlabel(usize, u8),
    DeleteEdge(usize),
    DeleteNode(usize),
    Fail,
}

fn value() -> impl Strategy<Value = PropertyValue> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(PropertyValue::Bool),
        any::<i64>().prop_map(PropertyValue::Int),
        // Fifteen digits at most, as `snapshot_file::read` says.
        (-999_999_999_i64..999_999_999).prop_map(|n| PropertyValue::Float(n as f64 / 8.0)),
        ".{0,6}".prop_map(PropertyValue::Text),
        (any::<bool>(), any::<i16>(), prop::option::of(any::<i16>())).prop_map(
            |(is_geographic, x, z)| {
                let (x, z) = (f64::from(x) / 8.0, z.map(f64::from));
                PropertyValue::Point(PropertyPoint { is_geographic, x, y: -x, z })
            }
        ),
    ];
    leaf.prop_recursive(2, 8, 4, |inner| {
        prop::collection::vec(inner, 0..4).prop_map(PropertyValue::List)
    })
}

fn values() -> impl Strategy<Value = Properties> {
    prop::collection::btree_map("[a-d]", value(), 0..3)
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => (prop::collection::vec(0..4u8, 0..3), values()).prop_map(|(l, p)| Op::Node(l, p)),
        4 => (0..12usize, 0..3u8, 0..12usize, values()).prop_map(|(a, t, b, p)| Op::Edge(a, t, b, p)),
        3 => (any::<bool>(), 0..12usize, 0..4u8, prop::option::of(value()))
            .prop_map(|(node, i, name, v)| Op::Set(node, i, name, v)),
        2 => (0..12usize, 0..4u8).prop_map(|(i, l)| Op::Label(i, l)),
        2 => (0..12usize, 0..4u8).prop_map(|(i, l)| Op::Unlabel(i, l)),
        2 => (0..12usize).prop_map(Op::DeleteEdge),
        2 => (0..12usize).prop_map(Op::DeleteNode),
        1 => Just(Op::Fail),
    ]
}

fn label(l: u8) -> String {
    format!("L{l}")
}

impl Lists {
    /// Does it to both; the graph must fail where the lists say so.
    fn apply(&mut self, op: &Op, graph: &mut Writing) -> Result<(), PropertyError> {
        // Small numbers mean things that may be there, or not any more.
        let (n, e) = (|i: usize| NodeId(i as u64), |i: usize| EdgeId(i as u64));
        match op {
            Op::Node(labels, properties) => {
                let labels: BTreeSet<String> = labels.iter().map(|l| label(*l)).collect();
                let id = graph.create_node(labels.clone(), properties.clone())?;
                assert!(self.nodes.iter().all(|(old, ..)| *old < id), "ids grow");
                self.nodes.push((id, labels, properties.clone()));
            }
            Op::Edge(a, t, b, properties) => {
                let made = graph.create_edge(n(*a), &label(*t), n(*b), properties.clone());
                let are_there = [a, b].iter().all(|i| self.has(n(**i)));
                assert_eq!(made.is_ok(), are_there, "{op:?}");
                self.edges.push((made?, n(*a), label(*t), n(*b), properties.clone()));
            }
            Op::Set(is_node, i, name, value) => {
                let name = label(*name);
                let (of, mine) = if *is_node {
                    let mine = self.nodes.iter_mut().find(|(id, ..)| *id == n(*i));
                    (Element::Node(n(*i)), mine.map(|(.., p)| p))
                } else {
                    let mine = self.edges.iter_mut().find(|(id, ..)| *id == e(*i));
                    (Element::Edge(e(*i)), mine.map(|(.., p)| p))
                };
                let set = graph.set_property(of, &name, value.clone());
                assert_eq!(set.is_ok(), mine.is_some(), "{op:?}");
                set?;
                if let Some(mine) = mine {
                    mine.remove(&name);
                    mine.extend(value.clone().map(|v| (name, v)));
                }
            }
            Op::Label(i, l) | Op::Unlabel(i, l) => {
                let gives = matches!(op, Op::Label(..));
                let done = if gives {
                    graph.add_label(n(*i), &label(*l))
                } else {
                    graph.remove_label(n(*i), &label(*l))
                };
                let mine = self.nodes.iter_mut().find(|(id, ..)| *id == n(*i));
                assert_eq!(done.is_ok(), mine.is_some(), "{op:?}");
                done?;
                if let Some((_, labels, _)) = mine {
                    labels.remove(&label(*l));
                    labels.extend(gives.then(|| label(*l)));
                }
            }
            Op::DeleteEdge(i) => {
                let mine = self.edges.iter().position(|(id, ..)| *id == e(*i));
                let gone = graph.delete_edge(e(*i));
                assert_eq!(gone.is_ok(), mine.is_some(), "{op:?}");
                gone?;
                self.edges.remove(mine.expect("just looked"));
            }
            Op::DeleteNode(i) => {
                let held = self.edges.iter().any(|(_, a, _, b, _)| [*a, *b].contains(&n(*i)));
                let mine = self.nodes.iter().position(|(id, ..)| *id == n(*i));
                let gone = graph.delete_node(n(*i));
                assert_eq!(gone.is_ok(), mine.is_some() && !held, "{op:?}");
                gone?;
                self.nodes.remove(mine.expect("just looked"));
            }
            Op::Fail => return Err(PropertyError::Empty("on purpose")),
        }
        Ok(())
    }

    fn has(&self, id: NodeId) -> bool {
        self.nodes.iter().any(|(i, ..)| *i == id)
    }

    fn check(&self, graph: &PropertyGraph) {
        assert_eq!((graph.n_nodes(), graph.n_edges()), (self.nodes.len(), self.edges.len()));
        let nodes: Vec<_> = graph
            .nodes()
            .map(|(id, node)| (id, node.labels.clone(), node.properties.clone()))
            .collect();
        assert_eq!(nodes, self.nodes);
        let edges: Vec<_> = graph
            .edges()
            .map(|(id, e)| (id, e.source, e.edge_type.clone(), e.target, e.properties.clone()))
            .collect();
        assert_eq!(edges, self.edges);
        let mut counts = BTreeMap::new();
        for (_, labels, _) in &self.nodes {
            for label in labels {
                *counts.entry(label.as_str()).or_insert(0) += 1;
            }
        }
        assert_eq!(graph.labels().collect::<BTreeMap<_, _>>(), counts);
        for l in 0..4 {
            let mine: Vec<NodeId> =
                self.nodes.iter().filter(|n| n.1.contains(&label(l))).map(|n| n.0).collect();
            assert_eq!(graph.with_label(&label(l)).collect::<Vec<_>>(), mine);
        }
        for (id, ..) in &self.nodes {
            let of = |end: fn(&(EdgeId, NodeId, String, NodeId, Properties)) -> NodeId| {
                self.edges.iter().filter(|e| end(e) == *id).map(|e| e.0).collect::<Vec<_>>()
            };
            assert_eq!(graph.outgoing(*id).collect::<Vec<_>>(), of(|e| e.1));
            assert_eq!(graph.incoming(*id).collect::<Vec<_>>(), of(|e| e.3));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn writes_are_whole_or_nothing_and_every_state_can_be_read_again(
        writes in prop::collection::vec(prop::collection::vec(op(), 1..6), 1..20),
        back in 0..20usize,
    ) {
        let mut store = GraphStore::default();
        let mut lists = Lists::default();
        let mut states = vec![lists.clone()];
        for ops in &writes {
            let mut draft = lists.clone();
            let before = store.snapshots().len();
            let done = store.write("a write", |graph| {
                ops.iter().try_for_each(|op| draft.apply(op, graph))
            });
            if done.is_ok() {
                lists = draft;
            }
            lists.check(store.now());
            if store.snapshots().len() > before {
                prop_assert!(done.is_ok());
                states.push(lists.clone());
            } else if done.is_ok() {
                prop_assert_eq!(&lists, states.last().expect("the first"), "an unkept change");
            }
        }
        for (state, snapshot) in states.iter().zip(store.snapshots()) {
            state.check(&snapshot.graph);
        }
        prop_assert_eq!(states.len(), store.snapshots().len());
        let back = back % states.len();
        store.go_back(back).expect("room");
        states[back].check(store.now());
        // What is made now has an id that nothing ever had.
        let ids: BTreeSet<NodeId> =
            states.iter().flat_map(|s| s.nodes.iter().map(|n| n.0)).collect();
        let new = store.write("one more", |g| g.create_node(["New"], Properties::new())).expect("one");
        prop_assert!(!ids.contains(&new));
    }

    #[test]
    fn changes_tell_what_is_different(ops in prop::collection::vec(op(), 0..12), more in prop::collection::vec(op(), 1..8)) {
        let mut store = GraphStore::default();
        let mut lists = Lists::default();
        for op in &ops {
            let mut draft = lists.clone();
            if store.write("one", |graph| draft.apply(op, graph)).is_ok() {
                lists = draft;
            }
        }
        let before = store.now().clone();
        let n = store.snapshots().len();
        let mut draft = lists.clone();
        let done = store.write("all", |graph| more.iter().try_for_each(|op| draft.apply(op, graph)));
        if done.is_ok() && store.snapshots().len() > n {
            let changes = &store.snapshots()[n].changes;
            let after = store.now();
            let all = |g: &PropertyGraph| -> BTreeSet<Element> {
                let nodes = g.nodes().map(|(id, _)| Element::Node(id));
                nodes.chain(g.edges().map(|(id, _)| Element::Edge(id))).collect()
            };
            let (old, new) = (all(&before), all(after));
            prop_assert_eq!(&changes.created, &(&new - &old));
            prop_assert_eq!(&changes.deleted, &(&old - &new));
            for element in &old & &new {
                let differs = match element {
                    Element::Node(id) => before.node(id) != after.node(id),
                    Element::Edge(id) => before.edge(id) != after.edge(id),
                };
                // Something may be changed and changed back.
                prop_assert!(!differs || changes.changed.contains(&element));
            }
            prop_assert!(changes.changed.iter().all(|e| old.contains(e) && new.contains(e)));
        }
    }

    #[test]
    fn a_file_gives_the_graph_again(ops in prop::collection::vec(op(), 0..30)) {
        let mut store = GraphStore::default();
        let mut lists = Lists::default();
        for op in &ops {
            let mut draft = lists.clone();
            if store.write("one", |graph| draft.apply(op, graph)).is_ok() {
                lists = draft;
            }
        }
        let text = snapshot_file::write(store.now());
        let again = snapshot_file::read(&text).expect("our own file").graph;
        prop_assert_eq!(&again, store.now());
        // In any order of lines.
        let backwards: String = text.lines().rev().map(|l| format!("{l}\n")).collect();
        prop_assert_eq!(&snapshot_file::read(&backwards).expect("the same").graph, store.now());
    }

    #[test]
    fn no_text_makes_the_reader_panic(
        text in "(\\{\"(type|id|labels|start|x)\":(\"(node|relationship|0|a)\"|[0-9]{1,22}|null|\\{\\}|\\[1\\])\\}?[,\n]?){0,6}|.{0,40}",
        cut in 0..400usize,
    ) {
        let _ = snapshot_file::read(&text);
        let whole = concat!(
            "{\"type\":\"node\",\"id\":\"0\",\"labels\":[\"A\"],\"properties\":{\"x\":[1,2.5,\"ü\"]}}\n",
            "{\"type\":\"relationship\",\"id\":\"0\",\"label\":\"T\",\"start\":{\"id\":\"0\"},\"end\":{\"id\":\"0\"}}\n",
        );
        let cut = whole.char_indices().map(|(i, _)| i).take_while(|i| *i <= cut).last().unwrap_or(0);
        let _ = snapshot_file::read(&whole[..cut]);
    }
}

#[test]
fn snapshots_of_the_public_code_are_read() {
    // Written by hand after the two forms: APOC's, and NetworkX's with whole nodes at the ends.
    let apoc = r#"{"type":"node","id":"7","labels":["Film","Work"],"properties":{"year":1994}}
{"type":"node","id":"9","labels":["Person"]}
{"id":"3","type":"relationship","label":"DIRECTED","properties":{"counter":2},"start":{"id":"9","labels":["Person"]},"end":{"id":"7","labels":["Film","Work"]}}
"#;
    let graph = snapshot_file::read(apoc).unwrap().graph;
    assert_eq!(graph.with_label("Work").collect::<Vec<_>>(), [NodeId(7)]);
    assert_eq!(graph.edge(EdgeId(3)).unwrap().edge_type, "DIRECTED");
    let networkx = r#"{"type":"node","id":"A1","labels":"Film","properties":{"year":1994}}
{"type":"node","id":3,"labels":"Person","properties":{}}
{"type":"relationship","id":"e","label":"DIRECTED","start":{"id":3,"labels":"Person","properties":{}},"end":{"id":"A1","labels":"Film","properties":{"year":1994}}}
"#;
    let graph = snapshot_file::read(networkx).unwrap().graph;
    let (_, edge) = graph.edges().next().unwrap();
    assert_eq!((edge.source, edge.target), (NodeId(3), NodeId(4)));
}

#[test]
fn what_is_wrong_in_a_file_is_told_with_its_line() {
    let node = r#"{"type":"node","id":"0","labels":["A"]}"#;
    for (text, line, words) in [
        ("[1]".to_owned(), 1, "expected an object"),
        (format!("{node}\n\n{{\"type\":"), 3, "not JSON"),
        (format!("{node}\n{node}"), 2, "two nodes"),
        (format!("{node}\n{{\"type\":\"edge\"}}"), 2, "not \"edge\""),
        (r#"{"type":"node"}"#.into(), 1, "expected an \"id\""),
        (r#"{"type":"node","id":"0","labels":[1]}"#.into(), 1, "a list of texts"),
        (r#"{"type":"node","id":"0","properties":[1]}"#.into(), 1, "\"properties\": an object"),
        (
            format!(
                "{node}\n{}",
                r#"{"type":"relationship","id":"0","label":"T","start":{"id":"0"},"end":{"id":"5"}}"#
            ),
            2,
            "no node 5",
        ),
        (
            format!(
                "{node}\n{}",
                r#"{"type":"relationship","id":"0","start":{"id":"0"},"end":{"id":"0"}}"#
            ),
            2,
            "the type of an edge is empty",
        ),
    ] {
        let fault = snapshot_file::read(&text).unwrap_err();
        assert_eq!(fault.line, line, "{text}");
        assert!(fault.message.contains(words), "{fault} has no {words:?}");
    }
}

#[test]
fn values_of_neo4j_are_read_as_its_programs_write_them() {
    let place =
        |x, y, z, is_geographic| PropertyValue::Point(PropertyPoint { is_geographic, x, y, z });
    for (json, expected) in [
        (
            r#"{"crs":"wgs-84","latitude":33.5,"longitude":13.1,"height":null}"#,
            place(13.1, 33.5, None, true),
        ),
        (
            r#"{"crs":"wgs-84-3d","latitude":1,"longitude":2,"height":3}"#,
            place(2.0, 1.0, Some(3.0), true),
        ),
        (r#"{"crs":"cartesian","x":1.5,"y":2.0,"z":null}"#, place(1.5, 2.0, None, false)),
        (r#"{"srid":7203,"x":1.5,"y":2.0}"#, place(1.5, 2.0, None, false)),
        // The old HTTP endpoint.
        (
            r#"{"type":"Point","coordinates":[2.0,1.0],"crs":{"srid":4326,"name":"WGS-84","type":"link"}}"#,
            place(2.0, 1.0, None, true),
        ),
        // The Query API with types.
        (r#"{"$type":"Point","_value":"SRID=4326;POINT (1.2 3.4)"}"#, place(1.2, 3.4, None, true)),
        (r#"{"$type":"Date","_value":"2024-05-31"}"#, "2024-05-31".into()),
        (r#"{"$type":"Duration","_value":"P14DT16H12M"}"#, "P14DT16H12M".into()),
        (r#"{"$type":"Integer","_value":"7"}"#, 7.into()),
        (r#""2015-07-04T19:32:24""#, "2015-07-04T19:32:24".into()),
    ] {
        let line = format!(r#"{{"type":"node","id":"0","properties":{{"v":{json}}}}}"#);
        let read = snapshot_file::read(&line).unwrap();
        assert_eq!(read.graph.node(NodeId(0)).unwrap().properties["v"], expected, "{json}");
        assert!(read.notes.is_empty(), "{:?}", read.notes.lines());
    }
    // What cannot be kept is left out, and the rest is there: here a duration as APOC once wrote it.
    let line = r#"{"type":"node","id":"0","properties":{"d":{"units":["MONTHS"],"typeName":"Duration"},"e":null,"n":"X"}}"#;
    let read = snapshot_file::read(line).unwrap();
    assert_eq!(
        read.graph.node(NodeId(0)).unwrap().properties,
        Properties::from([("n".into(), "X".into())])
    );
    let said = read.notes.lines();
    assert_eq!(said.len(), 1);
    assert!(
        said[0].starts_with("left out: 1 value that no property can have")
            && said[0].ends_with("`d` (line 1)"),
        "{said:?}"
    );
}

#[test]
fn rows_and_lists_of_apoc_are_read() {
    let node = r#"{"type":"node","id":"0","labels":["A"]}"#;
    let edge =
        r#"{"type":"relationship","id":"0","label":"T","start":{"id":"0"},"end":{"id":"0"}}"#;
    let rows = format!("{{\"n\":{node},\"x\":1}}\n{{\"n\":{node},\"r\":{edge}}}\n");
    let list = format!("[{node},\n{edge}]");
    for text in [rows, list] {
        let graph = snapshot_file::read(&text).unwrap().graph;
        assert_eq!((graph.nodes().count(), graph.edges().count()), (1, 1), "{text}");
    }
}

#[test]
fn a_property_has_bounds() {
    let mut graph = PropertyGraph::default();
    let long = PropertyValue::Text("x".repeat(1_000_001));
    let too_long = graph.create_node(["A"], Properties::from([("text".into(), long)]));
    assert!(matches!(too_long, Err(PropertyError::TooLong { .. })));
    let nan = PropertyValue::List(vec![PropertyValue::Float(f64::NAN)]);
    let not_finite = graph.create_node(["A"], Properties::from([("x".into(), nan)]));
    assert!(matches!(not_finite, Err(PropertyError::NotFinite { .. })));
    assert_eq!(graph, PropertyGraph::default());
    assert_eq!(graph.labels().count(), 0);
}

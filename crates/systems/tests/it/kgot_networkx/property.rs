//! Any graph, changed in any way that Python can change it, comes back as the store has it.

use super::*;

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop_oneof![Just("a"), Just("b"), Just("0"), Just("1"), Just("3"), Just("")]
            .prop_map(|text| json!(text)),
        (0_i64..4).prop_map(|int| json!(int)),
        Just(json!(1.0)),
        Just(json!(0.5)),
        Just(json!(true)),
        Just(json!(["x", 2])),
    ]
}

fn properties() -> impl Strategy<Value = Map<String, Value>> {
    let name = prop_oneof![
        Just("id"),
        Just("name"),
        Just("label"),
        Just("labels"),
        Just("type"),
        Just("born")
    ];
    prop::collection::vec((name.prop_map(str::to_owned), value()), 0..4)
        .prop_map(|all| all.into_iter().collect())
}

fn labels() -> impl Strategy<Value = Vec<String>> {
    let all = vec!["Person".to_owned(), "Text".to_owned(), "Place".to_owned()];
    prop::sample::subsequence(all, 0..3)
}

/// Any graph of a few nodes.
pub fn any_graph() -> impl Strategy<Value = PropertyGraph> {
    let nodes = prop::collection::vec((labels(), properties()), 0..6);
    let edges = prop::collection::vec((0_usize..6, 0_usize..6, 0_usize..2, properties()), 0..6);
    (nodes, edges).prop_map(|(nodes, edges)| {
        let n = nodes.len();
        let nodes = nodes.into_iter().enumerate();
        let told = PythonGraph {
            directed: true,
            nodes: nodes
                .map(|(i, (labels, properties))| PythonNode {
                    id: Some(i.to_string()),
                    key: None,
                    labels,
                    properties,
                })
                .collect(),
            edges: edges
                .into_iter()
                .filter(|(source, target, ..)| *source < n && *target < n)
                .map(|(source, target, kind, properties)| PythonEdge {
                    id: None,
                    source: PythonKey::Text(source.to_string()),
                    target: PythonKey::Text(target.to_string()),
                    edge_type: ["R", "S"][kind].to_owned(),
                    properties,
                })
                .collect(),
        };
        property_graph(&told)
    })
}

/// What code may do to a graph.
#[derive(Clone, Debug)]
enum Deed {
    Add(Value, Vec<String>, Map<String, Value>),
    Join(usize, usize, usize, Map<String, Value>),
    Remove(usize),
    Part(usize),
    Set(usize, String, Value),
    Label(usize, Vec<String>),
}

fn deed() -> impl Strategy<Value = Deed> {
    let key = prop_oneof![
        Just(json!("a")),
        Just(json!("new")),
        Just(json!("7")),
        Just(json!(3)),
        Just(json!(40))
    ];
    // Such names as Python itself moves elsewhere before it tells of them are not here.
    let plain = || {
        properties().prop_map(|mut all| {
            ["label", "labels", "type"].iter().for_each(|name| drop(all.remove(*name)));
            all
        })
    };
    prop_oneof![
        (key, labels(), plain()).prop_map(|(k, l, p)| Deed::Add(k, l, p)),
        (0_usize..8, 0_usize..8, 0_usize..2, plain())
            .prop_map(|(s, t, k, p)| Deed::Join(s, t, k, p)),
        (0_usize..8).prop_map(Deed::Remove),
        (0_usize..8).prop_map(Deed::Part),
        (0_usize..8, prop_oneof![Just("born"), Just("name")], value())
            .prop_map(|(i, name, v)| Deed::Set(i, name.to_owned(), v)),
        (0_usize..8, labels()).prop_map(|(i, l)| Deed::Label(i, l)),
    ]
}

fn carry_out(told: &mut PythonGraph, deed: Deed) {
    let n = told.nodes.len();
    let key_at = |told: &PythonGraph, i: usize| told.nodes[i % n].key.clone().unwrap();
    match deed {
        Deed::Add(key, labels, properties) => {
            let key: PythonKey = serde_json::from_value(key).unwrap();
            match told.nodes.iter_mut().find(|node| node.key.as_ref() == Some(&key)) {
                Some(node) => node.properties.extend(properties),
                None => {
                    let node = PythonNode { id: None, key: Some(key), labels, properties };
                    told.nodes.push(node);
                }
            }
        }
        _ if n == 0 => {}
        Deed::Join(source, target, kind, properties) => {
            let edge = PythonEdge {
                id: None,
                source: key_at(told, source),
                target: key_at(told, target),
                edge_type: ["R", "S"][kind].to_owned(),
                properties,
            };
            told.edges.push(edge);
        }
        Deed::Remove(i) => {
            let key = key_at(told, i);
            told.nodes.remove(i % n);
            told.edges.retain(|edge| edge.source != key && edge.target != key);
        }
        Deed::Part(i) => {
            if !told.edges.is_empty() {
                told.edges.remove(i % told.edges.len());
            }
        }
        Deed::Set(i, name, value) => _ = told.nodes[i % n].properties.insert(name, value),
        Deed::Label(i, labels) => told.nodes[i % n].labels = labels,
    }
}

/// As numbers are the same that Python may have changed on the way.
fn plain(value: &Value) -> String {
    match value {
        Value::Number(number) => number.as_f64().unwrap().to_string(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

fn plain_all(all: &Map<String, Value>, hidden: &str) -> BTreeMap<String, String> {
    let shown = all.iter().filter(|(name, _)| *name != hidden);
    shown.map(|(name, value)| (name.clone(), plain(value))).collect()
}

type Shape = (BTreeSet<String>, BTreeMap<String, String>);

proptest! {
    #[test]
    fn what_did_not_change_changes_nothing(graph in any_graph()) {
        let mut store = GraphStore::open(graph.clone());
        let told = unchanged(&graph);
        let changes = write(&gives_graph(told), &mut store, "pass").unwrap();
        prop_assert!(changes.is_empty(), "{changes:?}");
        prop_assert_eq!((store.now(), store.snapshots().len()), (&graph, 1));
    }

    #[test]
    fn what_came_back_is_what_the_store_has(
        graph in any_graph(),
        deeds in prop::collection::vec(deed(), 1..7),
    ) {
        let mut told = unchanged(&graph);
        deeds.into_iter().for_each(|deed| carry_out(&mut told, deed));
        let mut store = GraphStore::open(graph.clone());
        let changes = match write(&gives_graph(told.clone()), &mut store, "code") {
            Ok(changes) => changes,
            Err(why) => {
                // A node that would not be found again, and no other reason.
                prop_assert!(
                    why.contains("nodes are called by their ids") || why.contains("cannot be told"),
                    "{}", why
                );
                prop_assert_eq!((store.now(), store.snapshots().len()), (&graph, 1));
                return Ok(());
            }
        };
        let now = store.now().clone();
        prop_assert_eq!(changes.is_empty(), now == graph);
        // The nodes: old ones by their ids, new ones by the keys that the code gave them.
        let keys = python_keys(&now);
        let has = told_graph(&now);
        let mut key_of: BTreeMap<String, PythonKey> = BTreeMap::new();
        let mut there: BTreeMap<(Option<String>, PythonKey), Shape> = BTreeMap::new();
        let old: BTreeMap<String, PythonKey> = told
            .nodes
            .iter()
            .filter_map(|node| Some((node.id.clone()?, node.key.clone()?)))
            .collect();
        for ((_, key), node) in keys.iter().zip(&has.nodes) {
            let id = node.id.clone().unwrap();
            let key = old.get(&id).unwrap_or(key).clone();
            key_of.insert(id.clone(), key.clone());
            let id = old.contains_key(&id).then_some(id);
            let labels = node.labels.iter().cloned().collect();
            there.insert((id, key), (labels, plain_all(&node.properties, "labels")));
        }
        for node in &told.nodes {
            let key = node.key.clone().unwrap();
            let found = there.remove(&(node.id.clone(), key.clone()));
            let (labels, mut properties) = found.unwrap();
            prop_assert_eq!(labels, node.labels.iter().cloned().collect::<BTreeSet<_>>());
            let wanted = plain_all(&node.properties, "labels");
            if node.id.is_none() {
                // The key was kept in one property, if it was in none.
                properties.retain(|name, value| {
                    wanted.contains_key(name)
                        || (name != "id" && name != "name")
                        || *value != plain(&serde_json::to_value(&key).unwrap())
                });
            }
            prop_assert_eq!(properties, wanted);
        }
        prop_assert!(there.is_empty(), "{there:?}");
        // The edges: as many as came back, new ones that say the same once.
        let shape = |edge: &PythonEdge, ends: (PythonKey, PythonKey)| {
            (ends, edge.edge_type.clone(), plain_all(&edge.properties, "type"))
        };
        let mut wanted = Vec::new();
        let (old, new): (Vec<_>, Vec<_>) = told.edges.iter().partition(|edge| edge.id.is_some());
        for edge in old.into_iter().chain(new) {
            let one = shape(edge, (edge.source.clone(), edge.target.clone()));
            if edge.id.is_some() || !wanted.contains(&one) {
                wanted.push(one);
            }
        }
        let end = |key: &PythonKey| match key {
            PythonKey::Text(id) => key_of[id].clone(),
            PythonKey::Number(_) => unreachable!("ids are texts"),
        };
        let mut has: Vec<_> =
            has.edges.iter().map(|edge| shape(edge, (end(&edge.source), end(&edge.target)))).collect();
        has.sort();
        wanted.sort();
        prop_assert_eq!(has, wanted);
    }
}

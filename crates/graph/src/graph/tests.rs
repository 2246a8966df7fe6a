use super::*;
use crate::Delta;

#[test]
fn an_undirected_edge_is_found_both_ways() {
    let mut g = Graph::undirected();
    g.link_weighted(1usize, 0usize, 2.5).unwrap();
    assert_eq!(g.edge(&0usize.into(), &1usize.into()).unwrap().weight, Some(2.5));
    g.link_weighted(0usize, 1usize, 4.0).unwrap();
    assert_eq!(g.n_edges(), 1, "the second time sets the weight");
}

#[test]
fn removing_a_node_takes_its_edges_and_leaves_the_rest() {
    let mut g = Graph::directed();
    g.link("a", "b").unwrap();
    g.link("b", "c").unwrap();
    g.link("c", "a").unwrap();
    g.apply(&Delta::RemoveNode { node: "b".into() }).unwrap();
    assert_eq!(g.n_edges(), 1);
    assert!(g.edge(&"c".into(), &"a".into()).is_some());
    g.link("a", "b").unwrap();
    assert_eq!(g.n_edges(), 2);
    assert_eq!(Graph::from_deltas(&g.to_deltas()).unwrap(), g);
}

#[test]
fn numbers_are_found_wherever_their_nodes_stand() {
    let mut g = Graph::undirected();
    for i in [0usize, 2, 1, 7] {
        g.ensure_node(i).unwrap();
    }
    g.apply(&Delta::RemoveNode { node: 2usize.into() }).unwrap();
    // Takes the place that node 2 has left, which is number 1.
    g.ensure_node(3usize).unwrap();
    g.apply(&Delta::RenameNode { from: 7usize.into(), to: 5usize.into() }).unwrap();
    g.apply(&Delta::RenameNode { from: 5usize.into(), to: 4usize.into() }).unwrap();
    let found = |i: usize| g.index(&i.into()).ok().map(|idx| g.name(idx).clone());
    for i in [0usize, 1, 3, 4] {
        assert_eq!(found(i), Some(i.into()));
    }
    assert!([2usize, 5, 7].into_iter().all(|i| found(i).is_none()));
}

#[test]
fn an_unknown_node_is_answered_with_what_is_there() {
    let mut g = Graph::undirected();
    for i in 0..7usize {
        g.ensure_node(i).unwrap();
    }
    let error = g.index(&7usize.into()).unwrap_err();
    assert_eq!(error.to_string(), "unknown node 7: the graph has nodes 0 to 6");
}

#[test]
fn a_refused_delta_changes_nothing() {
    let mut g = Graph::undirected();
    g.link("a", "b").unwrap();
    let before = g.clone();
    let bad = Delta::AddEdge {
        source: "a".into(),
        target: "b".into(),
        weight: Some(f64::NAN),
        capacity: None,
    };
    assert!(g.apply(&bad).is_err());
    assert!(g.apply(&Delta::AddNode { node: "a".into() }).is_err());
    assert_eq!(g, before);
}

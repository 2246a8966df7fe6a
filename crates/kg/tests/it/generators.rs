//! Generated graphs: the same seed, the same graph; the types that are promised.

use kg::formats::find;
use kg::generators::hetionet_like;

#[test]
fn a_graph_like_hetionet_has_its_types_and_about_the_size_asked_for() {
    let kg = hetionet_like(2_000, 30_000, 1).unwrap();
    assert!((1_990..=2_010).contains(&kg.n_nodes()), "{}", kg.n_nodes());
    assert!((24_000..=30_000).contains(&kg.n_edges()), "{}", kg.n_edges());
    assert_eq!((kg.schema().node_types().len(), kg.schema().edge_types().len()), (11, 24));
    for edge_type in kg.schema().edge_types() {
        // Each type of edges goes between the two types that its name says.
        assert_eq!(edge_type.ends.len(), 1, "{}", edge_type.name);
        let ends = edge_type.ends[0];
        let (from, to) = (kg.schema().node_type(ends.from), kg.schema().node_type(ends.to));
        assert!(edge_type.name.starts_with(&from.name) && edge_type.name.ends_with(&to.name));
    }
    let degrees: Vec<usize> =
        kg.nodes().map(|n| kg.edges_of(n, kg::Direction::Both).count()).collect();
    let mean = degrees.iter().sum::<usize>() / degrees.len();
    assert!(*degrees.iter().max().unwrap() > 10 * mean, "some nodes have many edges");
}

#[test]
fn the_same_seed_makes_the_same_bytes_and_another_seed_others() {
    let written = |seed| (find("jsonl").unwrap().write)(&hetionet_like(300, 2_000, seed).unwrap());
    assert_eq!(written(5), written(5));
    assert_ne!(written(5), written(6));
    // However small, it is a graph.
    assert_eq!(hetionet_like(0, 0, 0).unwrap().n_nodes(), 11);
}

//! Large graphs as a whole: placed in slices, measured as the library measures, refused in words.

use engine::Attachments;
use graph::functions::betweenness_centrality::betweenness_centrality;
use graph::functions::pagerank::pagerank;
use graph::{Graph, generators};
use protocol::Service as _;
use protocol::kg::ShowWhole;
use protocol::numbers::PackedNumbers;
use protocol::whole::{EDGES, MeasureWhole, PlaceWhole, WholeMeasure};

use crate::kg::metro;
use crate::page::*;

fn edges_of(graph: &Graph) -> Attachments {
    let pairs = graph.adjacency().edges.iter().flat_map(|e| [e.0, e.1]).collect();
    beside(pairs)
}

fn beside(pairs: Vec<u32>) -> Attachments {
    Attachments::new(vec![(EDGES.into(), PackedNumbers(pairs).to_bytes())])
}

/// Has two nodes placed; gives the name of the request.
pub(crate) fn placed(page: &mut Page) -> &'static str {
    page.try_with(PlaceWhole { n_nodes: 2, seed: 1 }, beside(vec![0, 1])).unwrap();
    PlaceWhole::NAME
}

/// Has two nodes measured; gives the name of the request.
pub(crate) fn measured(page: &mut Page) -> &'static str {
    let measure = WholeMeasure::PageRank;
    let ask = MeasureWhole { n_nodes: 2, directed: false, measure, seed: 1 };
    page.try_with(ask, beside(vec![0, 1])).unwrap();
    MeasureWhole::NAME
}

#[test]
fn all_nodes_are_placed_in_slices_that_can_be_stopped() {
    let graph = generators::gnp(800, 0.005, false, 1).unwrap();
    let ask = || PlaceWhole { n_nodes: 800, seed: 3 };
    let mut page = Page::new();
    // Each look at the clock is longer than a slice.
    page.host.tick_ms.set(50.0);
    let mut events = page.play_with(ask(), edges_of(&graph));
    let placed = done::<PlaceWhole>(events.pop().unwrap());
    assert_eq!(placed.places.at.0.len(), 1600);
    assert!(placed.places.stress.is_some_and(|s| s > 0.0 && s < 0.5), "{:?}", placed.places.stress);
    let told = told::<PlaceWhole>(&events);
    assert!(!told.is_empty() && told.iter().all(|t| t.at.0.len() == 1600));
    let progress: Vec<(usize, usize)> = events
        .iter()
        .filter_map(|event| match event {
            Event::Progress { done, total } => Some((*done, *total)),
            _ => None,
        })
        .collect();
    assert!(progress.len() > 3 && progress.is_sorted(), "{progress:?}");
    let again = page.try_with(ask(), edges_of(&graph)).unwrap();
    assert_eq!(again.places, placed.places, "the same seed gives the same places");
    let mut events = page.play_and_stop(ask(), edges_of(&graph), 2);
    assert!(matches!(events.pop().unwrap(), Event::Cancelled));
}

#[test]
fn measures_are_those_of_the_library() {
    for directed in [false, true] {
        let graph = generators::gnp(60, 0.06, directed, 5).unwrap();
        let mut page = Page::new();
        let mut ask = |measure| {
            let ask = MeasureWhole { n_nodes: 60, directed, measure, seed: 1 };
            let measured = page.try_with(ask, edges_of(&graph)).unwrap();
            assert_eq!(measured.n_sources, None, "all nodes of a small graph are asked");
            measured.values.0
        };
        for (ours, library) in [
            (ask(WholeMeasure::PageRank), pagerank(&graph, 0.85).unwrap()),
            (ask(WholeMeasure::Betweenness), betweenness_centrality(&graph).unwrap()),
        ] {
            assert_eq!(ours.len(), 60);
            for (a, b) in ours.iter().zip(library) {
                assert!((f64::from(*a) - b).abs() < 1e-6, "{a} {b}");
            }
        }
    }
}

#[test]
fn edges_that_do_not_fit_are_refused() {
    let mut page = Page::new();
    let mut refused =
        |n_nodes, beside| page.try_with(PlaceWhole { n_nodes, seed: 1 }, beside).unwrap_err();
    assert!(refused(2, beside(vec![0, 2])).contains("do not fit 2 nodes"));
    assert!(refused(2, beside(vec![0, 1, 1])).contains("do not fit 2 nodes"));
    let cut = Attachments::new(vec![(EDGES.into(), vec![0, 0, 0])]);
    assert!(refused(2, cut).contains("no numbers"));
    assert!(refused(2, Attachments::default()).contains("not attached"));
    assert!(refused(200_001, beside(vec![])).contains("at most 200000"));
}

#[test]
fn the_open_knowledge_graph_is_told_whole() {
    let mut page = Page::new();
    let view = page.ask(metro());
    let whole = page.ask(ShowWhole {});
    assert_eq!(whole.names.len(), whole.type_of.0.len());
    let types = view.schema.node_types().iter().map(|t| t.name.clone());
    assert_eq!(whole.types, types.collect::<Vec<_>>());
    let most = whole.names.len() as u32;
    assert!(whole.edges.0.len() > 40 && whole.edges.0.iter().all(|&node| node < most));
    let n: usize = view.schema.node_types().iter().map(|t| t.n_nodes).sum();
    assert_eq!(n, whole.names.len());
}

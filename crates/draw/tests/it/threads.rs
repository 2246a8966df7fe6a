//! Any number of threads places the nodes of a large graph on the same spots.
//!
//! Where `graph` has its feature `threads`, which a test of the whole workspace turns on. That a pool
//! is there is known to the whole process: the tests beside this one share their work too meanwhile,
//! with the same results, and none of them may open a pool or close it.

use draw::whole::{Neighbours, Spot, WholeLayout};
use graph::{generators, threads};

fn placed() -> (Vec<Spot>, Option<f64>) {
    let graph = generators::barabasi_albert(6_000, 3, 2).unwrap();
    let adjacency = graph.adjacency();
    let edges: Vec<(u32, u32)> = adjacency.edges.iter().map(|e| (e.0, e.1)).collect();
    let mut layout = WholeLayout::new(&Neighbours::new(6_000, &edges), 5);
    while layout.step() {}
    (layout.places(), layout.stress())
}

#[test]
fn a_large_graph_is_placed_the_same_on_any_number_of_threads() {
    let one = placed();
    for n_threads in [2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        threads::open(n_threads);
        assert_eq!(pool.install(placed), one, "{n_threads} threads");
        threads::open(0);
    }
}

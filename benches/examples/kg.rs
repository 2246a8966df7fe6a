//! Times a large knowledge graph natively: `cargo xtask bench-kg` runs this.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use std::time::Instant;

use bench_page::KgCase;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|n| n.parse::<usize>());
    let n_nodes = numbers.next().unwrap_or(Ok(47_031))?;
    let n_edges = numbers.next().unwrap_or(Ok(2_300_000))?;
    let mut case = KgCase::new(n_nodes, n_edges, 1)?;
    let time = |what: &str, n: f64, run: &mut dyn FnMut() -> usize| {
        let mut times: Vec<f64> = Vec::new();
        let mut found = 0;
        for _ in 0..5 {
            let begun = Instant::now();
            found = run();
            times.push(begun.elapsed().as_secs_f64() * 1000.0);
        }
        times.sort_by(f64::total_cmp);
        println!("{what}: {:.4} ms (median of 5), {found}", times[2] / n);
    };
    println!("file: {:.1} MB", case.n_bytes() as f64 / 1e6);
    time("lines read, edges", 1.0, &mut || case.parse());
    let begun = Instant::now();
    let n = case.load()?;
    println!("read and built once: {:.0} ms, {n} edges", begun.elapsed().as_secs_f64() * 1000.0);
    time("one hop over all types from a node, neighbours from 1000", 1000.0, &mut || {
        case.one_hop(1000)
    });
    time("two hops from a node, ends from 100", 100.0, &mut || case.two_hops(100));
    let (an_edge, all) = case.weight();
    println!("memory: {an_edge:.1} bytes an edge, {:.1} MB in all", all as f64 / 1e6);
    Ok(())
}

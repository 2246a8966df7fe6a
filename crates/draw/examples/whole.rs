//! Places a large graph and says how long it took and how well lengths fit distances:
//! `cargo run --release --package draw --example whole -- grid|ba|er|tree|communities NODES [FILE.svg]`.
// It tells the time and prints what it found.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use std::error::Error;
use std::fmt::Write as _;
use std::time::Instant;

use draw::whole::{Neighbours, WholeLayout};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// Edges of a graph of a kind with about `n` nodes.
fn edges(kind: &str, n: u32) -> Result<(u32, Vec<(u32, u32)>), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut edges = Vec::new();
    let mut n = n;
    match kind {
        "grid" => {
            let side = f64::from(n).sqrt() as u32;
            n = side * side;
            for i in 0..n {
                if i % side + 1 < side {
                    edges.push((i, i + 1));
                }
                if i + side < n {
                    edges.push((i, i + side));
                }
            }
        }
        // Each new node joins three old ones, the more likely the more neighbours they have.
        "ba" => {
            for i in 1..n {
                for _ in 0..3 {
                    let old = if edges.is_empty() || rng.random_bool(0.3) {
                        rng.random_range(0..i)
                    } else {
                        let (a, b) = edges[rng.random_range(0..edges.len())];
                        if rng.random_bool(0.5) { a } else { b }
                    };
                    edges.push((i, old));
                }
            }
        }
        "er" => edges.extend((0..3 * n).map(|_| (rng.random_range(0..n), rng.random_range(0..n)))),
        "tree" => edges.extend((1..n).map(|i| ((i - 1) / 2, i))),
        // Groups of a hundred, few edges between them.
        "communities" => {
            for i in 0..n {
                for _ in 0..3 {
                    let near = i / 100 * 100 + rng.random_range(0..100);
                    let far = rng.random_bool(0.02);
                    edges.push((i, if far { rng.random_range(0..n) } else { near.min(n - 1) }));
                }
            }
        }
        other => return Err(format!("no kind {other:?}: grid, ba, er, tree or communities")),
    }
    Ok((n, edges))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let kind = words.next().unwrap_or_else(|| "ba".to_owned());
    let n: u32 = words.next().unwrap_or_else(|| "100000".to_owned()).parse()?;
    let (n, edges) = edges(&kind, n)?;
    let before = Instant::now();
    let links = Neighbours::new(n as usize, &edges);
    let mut layout = WholeLayout::new(&links, 1);
    let (mut n_steps, mut last) = (0, 0);
    while layout.step() {
        n_steps += 1;
        if let (Some(stress), true) = (layout.stress(), layout.n_moves() != last) {
            last = layout.n_moves();
            println!("{:6.2} s  move {last}: stress {stress:.4}", before.elapsed().as_secs_f64());
        }
    }
    println!(
        "{kind}: {n} nodes, {} edges, {n_steps} steps, {:.2} s, stress {:.4}",
        links.n_edges(),
        before.elapsed().as_secs_f64(),
        layout.stress().unwrap_or_default()
    );
    if let Some(file) = words.next() {
        let places = layout.places();
        let most = places.iter().flatten().fold(0.0f32, |a, &b| a.max(b));
        let mut svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {most} {most}' width='1200' height='1200'>\
             <rect width='100%' height='100%' fill='white'/><path stroke='#137' stroke-opacity='.15' \
             stroke-width='{}' fill='none' d='",
            most / 1500.0
        );
        for a in 0..n as usize {
            for &b in links.of(a).iter().filter(|&&b| b as usize > a) {
                let (p, q) = (places[a], places[b as usize]);
                write!(svg, "M{:.2} {:.2}L{:.2} {:.2}", p[0], p[1], q[0], q[1])?;
            }
        }
        svg.push_str("'/></svg>");
        std::fs::write(file, svg)?;
    }
    Ok(())
}

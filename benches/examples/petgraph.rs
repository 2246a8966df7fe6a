//! Our functions beside petgraph's algorithms, natively: a table of times and ratios.
//!
//! `cargo xtask bench-petgraph` runs this, and the same in Chromium.

// A program for people: it prints, and what it cannot build it does not time.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::disallowed_methods)]

use std::hint::black_box;
use std::time::Instant;

use bench_page::{CASES, PETGRAPH, TIMED, build, build_peer, draw};

/// A sample lasts so long at least.
const SAMPLE_MS: f64 = 4.0;
/// A cell lasts so long at most.
const CELL_MS: f64 = 2_000.0;
/// So many samples, of which the median counts.
const SAMPLES: usize = 7;

/// The median time of a call in milliseconds.
fn measure(mut call: impl FnMut() -> f64) -> f64 {
    let mut sample = |times: u32| {
        let began = Instant::now();
        for _ in 0..times {
            black_box(call());
        }
        began.elapsed().as_secs_f64() * 1e3
    };
    let mut times = 1;
    let mut took = sample(1);
    while took < SAMPLE_MS && times < 1_000_000 {
        times = (f64::from(times) * (1.3 * SAMPLE_MS / took.max(1e-4)).clamp(2.0, 10.0)) as u32;
        took = sample(times);
    }
    let (mut all, mut spent) = (Vec::new(), 0.0);
    while all.len() < SAMPLES && (spent < CELL_MS || all.is_empty()) {
        let took = sample(times);
        spent += took;
        all.push(took / f64::from(times));
    }
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

fn shown(ms: f64) -> String {
    match ms {
        ..0.001 => format!("{:.0} ns", ms * 1e6),
        ..1.0 => format!("{:.1} µs", ms * 1e3),
        ..1000.0 => format!("{ms:.1} ms"),
        _ => format!("{:.2} s", ms / 1e3),
    }
}

fn main() {
    println!("| function | nodes | ours | petgraph | petgraph / ours |");
    println!("|---|---:|---:|---:|---:|");
    for (name, kind, most) in TIMED {
        let ours = CASES.iter().find(|case| case.name == *name).unwrap();
        let theirs = PETGRAPH.iter().find(|case| case.name == *name).unwrap();
        for n in [100, 1_000, 10_000, 100_000] {
            if n > *most || n > theirs.most {
                continue;
            }
            let d = draw(*kind, n);
            let graph = build(n, d.directed, &d.from, &d.to, &d.weights).unwrap();
            let peer = build_peer(n, d.directed, &d.from, &d.to, &d.weights);
            let (a, b) = ((ours.run)(&graph), (theirs.run)(&peer));
            assert!((a - b).abs() <= 1e-8 * a.abs().max(1e-3), "{name}, {n}: {a} and {b}");
            let ours = measure(|| (ours.run)(black_box(&graph)));
            let theirs = measure(|| (theirs.run)(black_box(&peer)));
            println!(
                "| {name} | {n} | {} | {} | {:.2} |",
                shown(ours),
                shown(theirs),
                theirs / ours
            );
        }
    }
}

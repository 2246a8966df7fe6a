//! Times solver and judge on problems of every task natively: `cargo xtask bench-tasks` runs this.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use std::time::Instant;

use bench_page::TaskCase;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).map_or(Ok(20), |n| n.parse())?;
    for place in 0..TaskCase::n() {
        let Some(case) = TaskCase::new(place, n as u64) else { continue };
        let mut n_right = 0;
        let times = |run: &mut dyn FnMut(usize)| {
            let (mut sum, mut longest) = (0.0, 0.0_f64);
            for at in 0..n {
                let begun = Instant::now();
                run(at);
                let took = begun.elapsed().as_secs_f64() * 1e3;
                sum += took;
                longest = longest.max(took);
            }
            (sum / n as f64, longest)
        };
        let (solved, longest) = times(&mut |at| case.solve(at));
        let (judged, _) = times(&mut |at| n_right += usize::from(case.solve_and_judge(at)));
        // A line of JSON, as the page gives one.
        println!(
            "{{\"name\":\"{} {} {}\",\"solve\":{solved},\"longest\":{longest},\"both\":{judged},\"right\":{n_right}}}",
            case.task,
            case.level,
            case.most_nodes()
        );
    }
    Ok(())
}

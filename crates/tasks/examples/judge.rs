//! Makes a problem, puts it into the benchmark's words, and judges answers to it.
//!
//! `cargo run --package tasks --example judge`

use std::error::Error;
use std::io::Write as _;

use tasks::{Difficulty, Style, TaskId, Wording, claims, reference_text, solve, task, verify};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    let problem = task(TaskId::ShortestPath).generate(Difficulty::Easy, 7);
    writeln!(out, "{}\n", problem.question(Wording::Benchmark, Style::ZeroShot))?;

    let right = reference_text(&problem, &solve(&problem));
    let wrong = "The shortest path is 0, 1, with a total weight of 1.";
    for text in [right.as_str(), wrong, "I would rather not say."] {
        let judgement = verify(&problem, text);
        writeln!(out, "{text}\n  {:?}: {}", judgement.verdict, judgement.explanation)?;
        for line in &judgement.certificate.lines {
            writeln!(out, "    {}", line.text)?;
        }
    }
    // What a text claims beside its answer, and whether it is so.
    let text = "Node 0 is connected to node 1 with a weight of 9, and 2 + 2 = 5.";
    for claim in claims::find(&problem, text) {
        writeln!(out, "claims {}: {} ({})", claim.says, claim.is_true, claim.why)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() -> Result<(), Box<dyn std::error::Error>> {
        super::main()
    }
}

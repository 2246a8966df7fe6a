//! What each step and each test of a run takes, for the tables at its end.

use std::fmt::Write as _;
use std::fs;
use std::process::{Child, ExitStatus};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::steps::{hold, root, say};

/// How many of the slowest tests are listed.
const SLOWEST: usize = 30;
/// Steps that take less are not listed, in seconds.
const SHORT: f64 = 1.0;
/// What a whole run may take on two cores, in seconds.
const BUDGET: f64 = 30.0 * 60.0;
/// How often a running command is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// Linux counts a process's time in hundredths of a second.
const TICKS_PER_SECOND: f64 = 100.0;

/// A command, or a part of a run.
#[derive(Clone, Debug, Serialize)]
struct Phase {
    what: String,
    wall_s: f64,
    /// Of the command and all that it waited for; unknown where there is no `/proc`.
    cpu_s: Option<f64>,
}

/// A test.
#[derive(Clone, Debug, Serialize)]
struct Test {
    name: String,
    wall_s: f64,
}

static PHASES: Mutex<Vec<Phase>> = Mutex::new(Vec::new());
static TESTS: Mutex<Vec<Test>> = Mutex::new(Vec::new());

/// What a command took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Took {
    /// Seconds that passed.
    pub wall_s: f64,
    /// Seconds of the processor, its children's included; `None` where there is no `/proc`.
    pub cpu_s: Option<f64>,
}

/// Waits for a command that was started then; gives how it ended and what it took.
///
/// # Errors
/// The system refuses to wait.
pub fn wait(start: Instant, mut child: Child) -> Result<(ExitStatus, Took)> {
    let mut cpu_s = None;
    // A process that has ended keeps its times until somebody waits for it.
    while let Some((ended, seconds)) = times(child.id()) {
        if ended {
            cpu_s = Some(seconds);
            break;
        }
        std::thread::sleep(LOOK);
    }
    let status = child.wait()?;
    Ok((status, Took { wall_s: start.elapsed().as_secs_f64(), cpu_s }))
}

/// Notes a step of the run.
pub fn step(what: &str, Took { wall_s, cpu_s }: Took) {
    hold(&PHASES).push(Phase { what: what.into(), wall_s, cpu_s });
}

/// Whether a process has ended, and its CPU seconds with those of its children that it waited for.
fn times(id: u32) -> Option<(bool, f64)> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name stands in brackets and may hold anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields.get(11..15)?.iter().filter_map(|field| field.parse::<f64>().ok()).sum();
    Some((fields.first() == Some(&"Z"), ticks / TICKS_PER_SECOND))
}

/// Notes a test.
pub fn test(name: String, wall_s: f64) {
    hold(&TESTS).push(Test { name, wall_s });
}

/// Prints what the steps and the slowest tests took, writes all of it as JSON under `target/`, and warns
/// where the run took more than its budget.
///
/// # Errors
/// The file cannot be written.
pub fn report(start: Instant) -> Result<()> {
    let whole_s = start.elapsed().as_secs_f64();
    let (phases, mut tests) = (hold(&PHASES).clone(), hold(&TESTS).clone());
    tests.sort_by(|a, b| b.wall_s.total_cmp(&a.wall_s));
    let path = root().join("target/test-times.json");
    let all = serde_json::json!({ "wall_s": whole_s, "phases": phases, "tests": tests });
    fs::write(&path, serde_json::to_string_pretty(&all)?)
        .with_context(|| format!("cannot write {}", path.display()))?;
    print!("{}", tables(&phases, &tests));
    say(&format!(
        "{:.0} s in all; the times of every step and test are in {}",
        whole_s,
        path.display()
    ));
    if whole_s > BUDGET {
        say(&format!(
            "warning: this run took {:.0} min; the budget on two cores is {:.0} min (CONTRIBUTING.md, Tests)",
            whole_s / 60.0,
            BUDGET / 60.0
        ));
    }
    Ok(())
}

fn tables(phases: &[Phase], tests: &[Test]) -> String {
    let mut text = String::from("\n     wall s     cpu s  step\n");
    let mut line = |wall: f64, cpu: Option<f64>, what: &str| {
        let cpu = cpu.map_or("–".into(), |cpu| format!("{cpu:.1}"));
        let _ = writeln!(text, "{wall:>11.1} {cpu:>9}  {what}");
    };
    for phase in phases.iter().filter(|phase| phase.wall_s >= SHORT) {
        line(phase.wall_s, phase.cpu_s, &phase.what);
    }
    let cpu_s = phases.iter().filter_map(|phase| phase.cpu_s).sum();
    line(phases.iter().map(|phase| phase.wall_s).sum(), Some(cpu_s), "sum (some run side by side)");
    if !tests.is_empty() {
        let _ = writeln!(text, "\n     wall s  the slowest of {} tests", tests.len());
        for test in tests.iter().take(SLOWEST) {
            let _ = writeln!(text, "{:>11.1}  {}", test.wall_s, test.name);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_s_time_on_the_processor_is_its_own_and_its_children_s() {
        let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let child = std::process::Command::new("sh")
            .args(["-c", &format!("sh -c '{busy}'; {busy}")])
            .spawn()
            .unwrap();
        let (status, took) = wait(Instant::now(), child).unwrap();
        assert!(status.success());
        let Some(cpu_s) = took.cpu_s else { return };
        assert!(cpu_s > 0.0 && cpu_s <= took.wall_s + 0.1, "{took:?}");
    }

    #[test]
    fn the_tables_list_the_slowest_first_and_leave_out_short_steps() {
        let phase = |what: &str, wall_s| Phase { what: what.into(), wall_s, cpu_s: Some(2.0) };
        let tests = [Test { name: "it::slow".into(), wall_s: 3.0 }];
        let text = tables(&[phase("building", 61.25), phase("format", 0.2)], &tests);
        assert!(text.contains("       61.2       2.0  building\n"), "{text}");
        assert!(!text.contains("format") && text.contains("        3.0  it::slow\n"), "{text}");
        assert!(text.contains("       61.5       4.0  sum"), "{text}");
    }
}

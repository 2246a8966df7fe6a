//! Whole files of questions, checked in slices so that a stop or another request gets through.

use std::rc::Rc;

use protocol::exact::Exact;
use protocol::problem::{
    CheckFiles, CheckedFiles, FileReport, OpenQuestion, ProblemView, SampleQuestions, WarmUp,
    WarmedUp,
};
use tasks::dataset::Checker;
use tasks::{Difficulty, Style, Task, TaskGroup, Wording, reference_text, solve};

use crate::attachments::TextOf;
use crate::context::{Context, Ended};
use crate::problems;

/// The files that were checked last.
#[derive(Default)]
struct Checked(Rc<Vec<TextOf>>);

/// The longest that is computed without letting other messages in.
const SLICE_MS: f64 = 12.0;
/// Problems between two looks at the clock, for a single thread.
const BATCH: usize = 16;
/// The same for each of several threads: to wake them takes a while.
const SHARED_BATCH: usize = 512;

/// The longest that warming up may take.
const MOST_WARM_MS: f64 = 3_000.0;

/// A file in the benchmark's form.
fn file_of<'t>(problems: impl Iterator<Item = (&'t Task, Difficulty, u64)>) -> String {
    let mut file = serde_json::Map::new();
    for (task, level, seed) in problems {
        let problem = task.generate(level, seed);
        let entry = serde_json::json!({
            "question": problem.question(Wording::Benchmark, Style::ZeroShot),
            "answer": reference_text(&problem, &solve(&problem)),
            "difficulty": level.as_str(),
        });
        file.insert(file.len().to_string(), entry);
    }
    serde_json::Value::Object(file).to_string()
}

/// A file with one problem of each of NLGraph's tasks and levels.
fn warm_file(seed: u64) -> String {
    let tasks = TaskGroup::NlGraph.tasks().map(tasks::task);
    file_of(tasks.flat_map(|task| task.difficulties.iter().map(move |level| (task, *level, seed))))
}

/// Problems of each task in a file of samples.
const SAMPLES: u64 = 3;

/// Makes a file of samples.
pub(crate) async fn sample(_: &Context, ask: SampleQuestions) -> Result<String, Ended> {
    let tasks = TaskGroup::NlGraph.tasks().map(tasks::task);
    Ok(file_of(tasks.flat_map(|task| {
        let levels = task.difficulties.iter().cycle();
        levels.zip(0..SAMPLES).map(move |(level, i)| (task, *level, ask.seed + i))
    })))
}

/// Checks problems of its own, so that the browser compiles well what files need. It gives way to
/// whatever comes, and ends when it is cancelled.
pub(crate) async fn warm_up(context: &Context, ask: WarmUp) -> Result<WarmedUp, Ended> {
    let began = context.host.now_ms();
    let limit = ask.ms.min(MOST_WARM_MS);
    let mut n_questions = 0;
    for seed in 0.. {
        let text = warm_file(seed);
        context.pause().await?;
        let mut checker = Checker::new(tasks::dataset::parse(&text).map_err(|e| e.to_string())?);
        while checker.advance(BATCH) > 0 {
            context.pause().await?;
        }
        n_questions += checker.progress().1;
        if context.host.now_ms() - began >= limit {
            break;
        }
    }
    Ok(WarmedUp { n_questions })
}

/// Checks the files that are attached.
pub(crate) async fn check(context: &Context, _: CheckFiles) -> Result<CheckedFiles, Ended> {
    // Kept from the start: a row that is shown opens while the others are still checked, and after
    // a stop.
    let files = Rc::new(context.attachments.take_files());
    context.keep::<Checked>().borrow_mut().0 = files.clone();
    let mut n_threads = 1;
    let mut took_ms = 0.0;
    let mut done = 0;
    for (index, (name, text)) in files.iter().enumerate() {
        let mut began = context.host.now_ms();
        let before_ms = took_ms;
        let mut report = match tasks::dataset::parse(text) {
            Ok(entries) => {
                let mut checker = Checker::new(entries);
                loop {
                    // The threads may not be there yet when the files are.
                    let ready = graph::threads::count();
                    n_threads = n_threads.max(ready);
                    let batch = if ready > 1 { SHARED_BATCH * ready } else { BATCH };
                    if checker.advance(batch) == 0 {
                        break;
                    }
                    let now = context.host.now_ms();
                    if now - began < SLICE_MS {
                        continue;
                    }
                    took_ms += now - began;
                    let (of_file, in_file) = checker.progress();
                    context.progress(done + of_file, done + in_file).await?;
                    began = context.host.now_ms();
                }
                done += checker.progress().1;
                Ok(checker.report())
            }
            Err(error) => Err(error.to_string()),
        };
        took_ms += context.host.now_ms() - began;
        if let Ok(report) = &mut report {
            report.spread_seconds((took_ms - before_ms) / 1e3);
        }
        context.tell(FileReport { index, name: name.clone(), report });
        // Files may be so small that none lasts a slice.
        context.pause().await?;
    }
    Ok(CheckedFiles { n_questions: done, took_ms, n_threads })
}

/// Opens one problem of the files that were checked last.
pub(crate) async fn open(
    context: &Context,
    ask: OpenQuestion,
) -> Result<Exact<ProblemView>, Ended> {
    let OpenQuestion { file, key } = ask;
    let files = context.keep::<Checked>().borrow().0.clone();
    let (_, text) = files.get(file).ok_or("that file is no longer here; drop it again")?;
    let entries = tasks::dataset::parse(text).map_err(|e| e.to_string())?;
    let entry = entries.into_iter().find(|e| e.key == key);
    let entry = entry.ok_or_else(|| format!("the file has no problem {key:?}"))?;
    Ok(Exact(problems::read_entry(&entry)?))
}

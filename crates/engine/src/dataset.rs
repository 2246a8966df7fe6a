//! Whole files of questions, checked in slices so that a stop or another request gets through.

use std::rc::Rc;

use protocol::exact::Exact;
use protocol::problem::{
    CheckFiles, CheckedFiles, FileReport, OpenQuestion, ProblemView, SampleAnswers,
    SampleQuestions, WarmUp, WarmedUp,
};
use tasks::dataset::{Checker, DatasetEntry, RowProblem, find_questions};
use tasks::official::files::{self, FileRow};
use tasks::{Difficulty, Slip, SlipKind, Style, Task, TaskGroup, Wording, reference_text, solve};

use crate::context::{Context, Ended};
use crate::problems;

/// The files that were checked last.
#[derive(Default)]
struct Checked(Rc<Vec<Questions>>);

/// What is in a file.
enum Questions {
    /// The text of a file of NLGraph, which is parsed when its turn comes.
    Own(String),
    /// Questions or answers of another benchmark.
    Others(Vec<FileRow>),
    /// Nothing that is read.
    None(String),
}

impl Questions {
    fn read(name: &str, bytes: Vec<u8>) -> Self {
        if files::sniff(name, &bytes).is_some() {
            return match files::read(name, &bytes) {
                Ok(rows) => Self::Others(rows),
                Err(error) => Self::None(error.to_string()),
            };
        }
        match String::from_utf8(bytes) {
            Ok(text) => Self::Own(text),
            Err(_) => Self::None("it is no text in UTF-8, and no pickle".to_owned()),
        }
    }

    /// The problems of a file of NLGraph.
    fn entries(text: &str) -> Result<Vec<DatasetEntry>, String> {
        tasks::dataset::parse(text.trim_start_matches('\u{feff}')).map_err(|e| e.to_string())
    }

    fn checker(&self) -> Result<Checker, String> {
        match self {
            Self::Own(text) => Ok(Checker::new(Self::entries(text)?)),
            Self::Others(rows) => Ok(Checker::of_rows(rows.clone())),
            Self::None(why) => Err(why.clone()),
        }
    }
}

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

/// Makes a log of answers in GraphArena's form, one problem of each of its tasks: the best answer, one
/// that leaves something out, and one that names what is not there.
pub(crate) async fn sample_answers(_: &Context, ask: SampleAnswers) -> Result<String, Ended> {
    let mut file = serde_json::Map::new();
    for task in TaskGroup::GraphArena.tasks().map(tasks::task) {
        let problem = task.generate(Difficulty::Easy, ask.seed);
        let best = reference_text(&problem, &solve(&problem));
        let mut less = solve(&problem);
        problem.slip(&mut less, &Slip { kind: SlipKind::DroppedNode, invented: None });
        let entry = serde_json::json!({
            "problem": problem.question(Wording::Benchmark, Style::ZeroShot),
            "best": format!("The answer is {best}."),
            "less": format!("The answer is {}.", reference_text(&problem, &less)),
            "invented": format!("The answer is {}.", best.replacen(']', ", Nobody Known]", 1)),
        });
        file.insert(file.len().to_string(), entry);
    }
    Ok(serde_json::Value::Object(file).to_string())
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
    let attached = context.attachments.take_bytes();
    let mut read: Vec<(String, Questions)> = Vec::with_capacity(attached.len());
    for (name, bytes) in attached {
        let questions = Questions::read(&name, bytes);
        let is_read = !matches!(questions, Questions::Own(_));
        read.push((name, questions));
        if is_read {
            context.pause().await?;
        }
    }
    // Answers may be in another file than what they answer.
    let others = |questions: &Questions| match questions {
        Questions::Others(rows) => rows.clone(),
        Questions::Own(_) | Questions::None(_) => Vec::new(),
    };
    let all: Vec<FileRow> = read.iter().flat_map(|(_, questions)| others(questions)).collect();
    for (_, questions) in &mut read {
        if let Questions::Others(rows) = questions {
            find_questions(rows, &all);
        }
    }
    drop(all);
    let (names, files): (Vec<String>, Vec<Questions>) = read.into_iter().unzip();
    let files = Rc::new(files);
    context.keep::<Checked>().borrow_mut().0 = files.clone();
    let mut n_threads = 1;
    let mut took_ms = 0.0;
    let mut done = 0;
    for (index, (name, questions)) in names.iter().zip(files.iter()).enumerate() {
        let mut began = context.host.now_ms();
        let before_ms = took_ms;
        let mut report = match questions.checker() {
            Ok(mut checker) => {
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
            Err(error) => Err(error),
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
    let questions = files.get(file).ok_or("that file is no longer here; drop it again")?;
    let missing = || format!("the file has no problem {key:?}");
    match questions {
        Questions::Own(text) => {
            let entries = Questions::entries(text)?;
            let entry = entries.iter().find(|e| e.key == key).ok_or_else(missing)?;
            Ok(Exact(problems::read_entry(entry)?))
        }
        Questions::Others(rows) => {
            let row = rows.iter().find(|row| row.id == key).ok_or_else(missing)?;
            let asked = RowProblem::of(row).map_err(|e| e.to_string())?;
            let question = row.question.clone().unwrap_or_default();
            Ok(Exact(problems::worded(asked.problem, question)))
        }
        Questions::None(why) => Err(why.clone().into()),
    }
}

//! Problems whose nodes have names, put to models that know numbers alone.

use agent::Cancel;
use futures_util::FutureExt as _;
use graph::{Delta, NodeName};
use llm::Model;
use systems::experiment::{CaseRequest, Experiment, Finished, MODEL, Models, World};
use systems::grounded::scripted::Script;
use systems::nlgraph::{Item, NlGraph, case};
use tasks::{Problem, TASKS, TaskGroup, Verdict};
use test_support::context;
use trace::{Step, StepBody};

/// Plain, of two words, within each other, with signs, and not in Latin letters.
const NAMES: [&str; 12] = [
    "Emma",
    "Noah",
    "Mia",
    "Kim Lund",
    "Kim",
    "Émile",
    "St. Gallen",
    "A-1",
    "O'Hara",
    "Łódź",
    "北京",
    "Emmanuel",
];

fn name(i: i64) -> String {
    let known = usize::try_from(i).ok().and_then(|i| NAMES.get(i));
    known.map_or_else(
        || {
            format!(
                "Town{}x",
                char::from(b'a' + (i % 26) as u8).to_string() + &"y".repeat((i / 26) as usize)
            )
        },
        |n| (*n).to_owned(),
    )
}

/// The same problem with names for numbers.
fn named(problem: &Problem) -> Problem {
    let mut graph = problem.graph.clone();
    let all: Vec<NodeName> = graph.names().cloned().collect();
    let named = |node: &NodeName| NodeName::from(name(node.as_int().unwrap()).as_str());
    for from in all {
        let to = named(&from);
        graph.apply(&Delta::RenameNode { from, to }).unwrap();
    }
    let ends = problem.query.ends().map(|(a, b)| (named(a), named(b)));
    let query = problem.query.clone();
    let query = ends.map_or_else(|| query.clone(), |(a, b)| query.with_ends(a, b));
    Problem { graph, query, difficulty: problem.difficulty, seed: problem.seed }
}

fn play(system: &str, model: &dyn Model, problem: Problem) -> Finished {
    let experiment: &dyn Experiment = &NlGraph;
    let setup = experiment.setup(system, &[]).unwrap();
    let case = case(&Item::new("a", problem)).unwrap();
    let cancel = Cancel::default();
    let request = CaseRequest {
        setup: &setup,
        case: &case,
        world: &World::default(),
        models: Models::one(MODEL.id, model),
        setting: context(&cancel),
        sample: 0,
        session: &|_: &Step| (),
    };
    experiment.run(request).now_or_never().unwrap().unwrap()
}

#[test]
fn what_a_script_does_with_numbers_it_does_with_names() {
    let mut wrong = Vec::new();
    let mut n = 0;
    for task in TASKS.iter().filter(|t| t.id.group() != TaskGroup::GraphArena) {
        for (system, script) in [
            ("grounded", Script::Careful),
            ("standalone", Script::Careful),
            ("grounded", Script::Mistaken),
            ("standalone", Script::Mistaken),
        ] {
            for seed in 0..4 {
                let problem = task.generate(task.difficulties[0], seed);
                // The pattern of a search has names already.
                if problem.graph.names().any(|name| name.as_int().is_none()) {
                    continue;
                }
                let with_names = named(&problem);
                let numbers = play(system, &script, problem);
                let names = play(system, &script, with_names);
                n += 1;
                if numbers.score.verdict != names.score.verdict {
                    wrong.push(format!(
                        "{} {system} {script:?} {seed}: {:?} and {:?}: {}\n  {}\n  {:?}",
                        task.id,
                        numbers.score.verdict,
                        names.score.verdict,
                        names.score.explanation,
                        names.trace.answer().unwrap_or_default(),
                        names.trace.stop,
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {n}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_trace_has_the_names_and_a_note_with_the_numbers() {
    let problem = named(&TASKS[0].generate(TASKS[0].difficulties[0], 3));
    let run = play("grounded", &Script::Careful, problem);
    assert_eq!(run.score.verdict, Verdict::Correct);
    let StepBody::Note { text } = &run.trace.steps[0].body else { panic!("{:?}", run.trace.steps) };
    assert!(text.contains("Emma is 0, Noah is 1, Mia is 2"), "{text}");
    let text = serde_json::to_string(&run.trace.steps[1..]).unwrap();
    assert!(text.contains("Emma") && run.trace.prompt[1].content.contains("Emma"), "{text}");
    assert!(!run.trace.answer().unwrap().contains("node 0"), "{:?}", run.trace.answer());
}

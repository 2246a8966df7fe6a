//! The runs that lessons show are still what these systems do.

use agent::{Cancel, RunContext};
use futures_util::FutureExt as _;
use serde_json::json;
use systems::experiment::{CaseRequest, Models, RoleModel, Source};
use systems::experiments;
use tasks::Verdict;
use trace::{Record, RecordScore};

/// What each run is of: experiment, system, script, and which case of seed 1.
const MADE: [(&str, &str, &str, &str, usize); 6] = [
    ("plan-refused", "kgqa", "graphrunner", "mistaken:unknown-edge", 2),
    ("plan-wrong-meaning", "kgqa", "graphrunner", "mistaken:wrong-meaning", 2),
    ("search-greedy", "family", "gs", "mistaken-relation", 0),
    ("search-retrieval", "family", "rr", "mistaken-relation", 0),
    ("call-filled", "toolformer", "toolformer", "script", 18),
    ("call-unknown", "toolformer", "toolformer", "mistaken:unknown-domain", 18),
];

fn made(experiment: &str, system: &str, script: &str, index: usize) -> Record {
    let experiment = experiments::find(experiment).unwrap();
    let spec = experiment.system(system).unwrap();
    let setup = experiment.setup(system, &[RoleModel::script(script)]).unwrap();
    let source = Source { n: Some(40), ..Source::default() };
    let (cases, world) = experiment.load(&source).unwrap();
    let case = &cases[index];
    let played = spec.roles.iter().filter(|role| setup.roles.contains_key(role.id));
    let scripts: Vec<_> =
        played.map(|role| (role.id, experiment.script(role.id, script).unwrap())).collect();
    let mut models = Models::default();
    for (role, script) in &scripts {
        models.set(role, &**script);
    }
    let cancel = Cancel::default();
    let request = CaseRequest {
        setup: &setup,
        case,
        world: &world,
        models,
        setting: RunContext {
            limits: setup.limits,
            seed: None,
            clock: &|| 0.0,
            cancel: &cancel,
            watch: &(),
        },
        sample: 0,
        session: &|_: &trace::Step| (),
    };
    let done = experiment.run(request).now_or_never().unwrap().unwrap();
    let verdict = done.score.verdict;
    let label = serde_json::to_value(verdict).unwrap().as_str().unwrap().to_owned();
    let value = if verdict == Verdict::Correct { 1.0 } else { 0.0 };
    let mut record = Record::of(done.trace);
    record.id = case.id.clone();
    record.task = case.experiment.clone();
    record.input = experiment.question(&setup, case);
    record.score = Some(RecordScore {
        name: "verdict".into(),
        label,
        value,
        explanation: done.score.explanation,
    });
    record.metadata.insert("script".into(), json!(script));
    record.metadata.insert("right".into(), json!(experiment.gold(case)));
    record
}

/// `GRAPHGROUND_RECORD=1` writes the files again.
#[test]
fn every_recorded_run_comes_out_again() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/lessons/recorded");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), MADE.len());
    for (name, experiment, system, script, index) in MADE {
        let file = format!("{folder}/{name}.json");
        let now = made(experiment, system, script, index);
        if std::env::var_os("GRAPHGROUND_RECORD").is_some() {
            std::fs::write(&file, serde_json::to_string(&now).unwrap() + "\n").unwrap();
            continue;
        }
        let kept: Record = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!(kept, now, "{name}");
    }
}

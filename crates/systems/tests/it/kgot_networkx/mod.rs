//! Python with networkx as a language of Knowledge Graph of Thoughts: what comes back from Python is
//! what the store has, and a real Python knows nodes by the keys that prompts show.
//!
//! The tests with a real Python need `python3` with networkx and the script that runs code for the
//! page, `www/python/run.py` or what `GRAPHGROUND_RUN_PY` names. Without them they say so and pass.

mod property;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;

use agent::{Cancel, Limits, RunContext};
use futures_util::FutureExt as _;
use kg::property::{Changes, GraphStore, PropertyGraph};
use llm::BoxFuture;
use property::any_graph;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use systems::experiment::{self, CaseRequest, Models, Setup, Source, World};
use systems::experiments;
use systems::kgot::experiment::KgotWorld;
use systems::kgot::scripted::{Faulty, KgotScript};
use systems::kgot::{
    GRAPH, GraphLanguage as _, GraphRows, KgotFile, KgotLanguage, KgotModels, KgotOptions,
    KgotPlace, KgotTask, Languages, Networkx, PythonEdge, PythonFailure, PythonFault, PythonGraph,
    PythonKey, PythonNode, PythonReply, PythonRequest, PythonRunner, TOOLS, python_keys, run,
    told_graph,
};
use tasks::kgot::{GaiaVerdict, cases, judge_gaia};

use crate::fake_python::{FakePython, property_graph};

// --- Runners ---------------------------------------------------------------------------------------

/// Gives what it is told to give, whatever it is asked.
struct Gives(Result<PythonReply, PythonFailure>);

impl PythonRunner for Gives {
    fn run<'a>(&'a self, _: PythonRequest) -> BoxFuture<'a, Result<PythonReply, PythonFailure>> {
        Box::pin(std::future::ready(self.0.clone()))
    }
}

fn gives_graph(graph: PythonGraph) -> Gives {
    Gives(Ok(PythonReply { graph: Some(graph), ..PythonReply::default() }))
}

fn gives(result: Value) -> Gives {
    Gives(Ok(PythonReply { result, ..PythonReply::default() }))
}

/// One process of a real Python, which runs one request after the other. No bounds: the code is ours.
struct RealPython(RefCell<(Child, BufReader<std::process::ChildStdout>)>);

#[derive(Deserialize)]
struct Answer {
    ok: bool,
    kind: Option<PythonFault>,
    #[serde(default)]
    message: String,
    line: Option<u64>,
    #[serde(flatten)]
    reply: PythonReply,
}

const LOOP: &str = "import os, sys\n\
    out = os.fdopen(os.dup(1), 'w')\n\
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)\n\
    import run\n\
    for line in sys.stdin:\n    print(run.run_text(line), file=out, flush=True)\n";

impl RealPython {
    fn find() -> Option<Self> {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
        let script = std::env::var_os("GRAPHGROUND_RUN_PY")
            .map_or_else(|| root.join("www/python/run.py"), PathBuf::from);
        if !script.exists() {
            test_data::missing("run.py, which GRAPHGROUND_RUN_PY names");
            return None;
        }
        let mut paths = vec![script.parent()?.to_owned()];
        paths.push(root.join("target/pyodide/checked/networkx.whl"));
        if let Some(more) = std::env::var_os("PYTHONPATH") {
            paths.extend(std::env::split_paths(&more));
        }
        let path = std::env::join_paths(paths).ok()?;
        let mut ask = Command::new("python3");
        ask.args(["-c", "import networkx"]).env("PYTHONPATH", &path).stderr(Stdio::null());
        if !ask.status().is_ok_and(|status| status.success()) {
            test_data::missing("a python3 with networkx");
            return None;
        }
        let mut child = Command::new("python3")
            .args(["-c", LOOP])
            .env("PYTHONPATH", &path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Some(Self(RefCell::new((child, answers))))
    }

    fn keys(&self, graph: &PropertyGraph) -> Vec<PythonKey> {
        let request = PythonRequest {
            code: "result = list(G.nodes)".into(),
            graph: Some(told_graph(graph)),
            ..PythonRequest::default()
        };
        let reply = PythonRunner::run(self, request).now_or_never().unwrap().unwrap();
        serde_json::from_value(reply.result).unwrap()
    }
}

impl Drop for RealPython {
    fn drop(&mut self) {
        let (child, _) = self.0.get_mut();
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl PythonRunner for RealPython {
    fn run<'a>(
        &'a self,
        request: PythonRequest,
    ) -> BoxFuture<'a, Result<PythonReply, PythonFailure>> {
        let (child, answers) = &mut *self.0.borrow_mut();
        let text = serde_json::to_string(&request).unwrap();
        writeln!(child.stdin.as_mut().unwrap(), "{text}").unwrap();
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        let answer: Answer = serde_json::from_str(&line).unwrap();
        let answer = if answer.ok {
            Ok(answer.reply)
        } else {
            let Answer { kind, message, line, .. } = answer;
            Err(PythonFailure { line, ..PythonFailure::new(kind.unwrap(), message) })
        };
        Box::pin(std::future::ready(answer))
    }
}

fn write(runner: &dyn PythonRunner, store: &mut GraphStore, code: &str) -> Result<Changes, String> {
    Networkx { runner }.write(store, code).now_or_never().unwrap()
}

fn read(runner: &dyn PythonRunner, graph: &PropertyGraph, code: &str) -> Result<GraphRows, String> {
    Networkx { runner }.read(graph, code).now_or_never().unwrap()
}

fn graph(nodes: Value, edges: Value) -> PropertyGraph {
    property_graph(&serde_json::from_value(json!({ "nodes": nodes, "edges": edges })).unwrap())
}

/// Ada, who wrote Notes.
fn ada() -> PropertyGraph {
    graph(
        json!([
            { "id": "0", "labels": ["Person"], "properties": { "name": "Ada", "born": 1815 } },
            { "id": "1", "labels": ["Text"], "properties": { "name": "Notes" } },
        ]),
        json!([{ "id": "0", "source": "0", "target": "1", "type": "WROTE",
                 "properties": { "year": 1843 } }]),
    )
}

// --- The store's side, whatever Python gives -------------------------------------------------------

/// A graph as Python has it, and would give it back unchanged.
fn unchanged(graph: &PropertyGraph) -> PythonGraph {
    let mut told = told_graph(graph);
    let keys = python_keys(graph);
    let keys: BTreeMap<PythonKey, PythonKey> =
        keys.into_iter().map(|(id, key)| (PythonKey::Text(id.0.to_string()), key)).collect();
    for node in &mut told.nodes {
        let own = PythonKey::Text(node.id.clone().unwrap());
        node.key = Some(keys[&own].clone());
        // Python has the labels there.
        node.properties.remove("labels");
    }
    for edge in &mut told.edges {
        edge.source = keys[&edge.source].clone();
        edge.target = keys[&edge.target].clone();
        edge.properties.remove("type");
    }
    told
}

#[test]
fn what_is_no_property_is_flattened_or_refused_in_words() {
    let adds = |properties: Value| {
        let mut told = unchanged(&ada());
        told.nodes.push(PythonNode {
            id: None,
            key: Some(PythonKey::Text("New".into())),
            labels: Vec::new(),
            properties: serde_json::from_value(properties).unwrap(),
        });
        told
    };
    let add = |properties: Value| {
        let mut store = GraphStore::open(ada());
        let changes = write(&gives_graph(adds(properties)), &mut store, "code")?;
        assert_eq!((changes.created.len(), changes.changed.len()), (1, 0));
        let told = told_graph(store.now());
        Ok::<Value, String>(json!(told.nodes[2].properties))
    };
    assert_eq!(
        add(json!({ "a": null, "at": { "x": 1, "y": { "z": null, "u": [2] } } })).unwrap(),
        json!({ "at_x": 1, "at_y_u": [2], "name": "New" })
    );
    assert_eq!(add(json!({ "name": "Else" })).unwrap(), json!({ "name": "Else", "id": "New" }));
    let refused = |properties: Value| add(properties).unwrap_err();
    assert_eq!(
        refused(json!({ "a": [{ "b": 1 }] })),
        "node \"New\", \"a\": an object is no value of a property; give its parts names of their own"
    );
    assert!(refused(json!({ "a": [null] })).starts_with("node \"New\", \"a\": null is no value"));
    assert!(refused(json!({ "a_b": 1, "a": { "b": 2 } })).contains("\"a_b\" twice"));
    assert!(refused(json!({ "id": "Q1" })).contains("call it by that"));
    // Another node is known by the name Ada.
    assert!(refused(json!({ "id": "Ada" })).contains("call it by that"));
    let mut told = adds(json!({}));
    told.nodes[2].key = Some(PythonKey::Text("1".into()));
    let mut store = GraphStore::open(ada());
    let why = write(&gives_graph(told), &mut store, "code").unwrap_err();
    assert!(why.contains("\"1\" cannot be told from another"), "{why}");
}

#[test]
fn what_a_runner_must_not_give_is_refused_and_changes_nothing() {
    let try_it = |change: &dyn Fn(&mut PythonGraph)| {
        let mut told = unchanged(&ada());
        change(&mut told);
        let mut store = GraphStore::open(ada());
        let why = write(&gives_graph(told), &mut store, "code").unwrap_err();
        assert_eq!((store.now(), store.snapshots().len()), (&ada(), 1));
        why
    };
    assert!(try_it(&|g| g.directed = false).contains("MultiDiGraph"));
    assert!(try_it(&|g| g.nodes[0].id = Some("9".into())).contains("wrong id"));
    assert!(try_it(&|g| g.nodes[1].id = Some("0".into())).contains("wrong id"));
    assert!(try_it(&|g| g.nodes[1].key = g.nodes[0].key.clone()).contains("same key"));
    assert!(try_it(&|g| g.nodes[0].key = None).contains("empty"));
    assert!(try_it(&|g| g.edges[0].id = Some("9".into())).contains("wrong id"));
    assert!(try_it(&|g| drop(g.nodes.remove(1))).contains("there is no node \"Notes\""));
    assert!(try_it(&|g| g.edges[0].edge_type = " ".into()).contains("has no type"));
    let mut store = GraphStore::open(ada());
    assert!(write(&gives(json!(1)), &mut store, "x").unwrap_err().contains("gave no graph back"));
    let failure = PythonFailure {
        line: Some(2),
        output: "hello".into(),
        ..PythonFailure::new(PythonFault::Runtime, "KeyError: 'Bob'")
    };
    let why = write(&Gives(Err(failure)), &mut store, "x").unwrap_err();
    assert_eq!(why, "KeyError: 'Bob' (line 2)");
    assert!(write(&gives(json!(1)), &mut store, " ").unwrap_err().contains("1 bytes"));
}

#[test]
fn results_are_rows() {
    let rows = |result: Value| {
        let rows = read(&gives(result), &ada(), "result = 1").unwrap();
        (rows.columns.join(" "), json!(rows.rows))
    };
    assert_eq!(
        rows(json!([{ "a": 1 }, { "b": 2, "a": 3 }])),
        ("a b".into(), json!([[1, null], [3, 2]]))
    );
    assert_eq!(rows(json!({ "a": 1, "b": [2] })), ("a b".into(), json!([[1, [2]]])));
    assert_eq!(rows(json!(["x", ["y", 1]])), ("result".into(), json!([["x"], [["y", 1]]])));
    assert_eq!(rows(json!(7)), ("result".into(), json!([[7]])));
    assert_eq!(rows(json!([{ "a": 1 }, 2])), ("result".into(), json!([[{ "a": 1 }], [2]])));
    assert_eq!(rows(json!([])).1, json!([]));
    assert_eq!(rows(json!(null)).1, json!([]));
    let nothing = read(&gives(json!(null)), &ada(), "print(1)").unwrap_err();
    assert!(nothing.contains("`result`"), "{nothing}");
}

#[test]
fn the_graph_is_told_by_keys_and_in_python() {
    let graph = graph(
        json!([
            { "id": "0", "labels": ["Person"], "properties": { "name": "Ada \"L\"", "alive": false } },
            { "id": "1", "labels": [], "properties": { "id": 7, "at": [1.5, true] } },
            { "id": "2", "labels": ["Text"], "properties": { "name": "same", "labels": "x" } },
            { "id": "3", "labels": ["Text"], "properties": { "name": "same" } },
        ]),
        json!([{ "id": "0", "source": "0", "target": "1", "type": "OF", "properties": {} },
               { "id": "1", "source": "2", "target": "0", "type": "OF",
                 "properties": { "n": 1, "type": "y" } }]),
    );
    let told = Networkx { runner: &gives(json!(null)) }.tell(&graph);
    assert_eq!(
        told,
        concat!(
            "Nodes of G:\n",
            " labels [\"Person\"]\n",
            "  \"Ada \\\"L\\\"\": {\"alive\": False, \"name\": \"Ada \\\"L\\\"\"}\n",
            " labels [\"Text\"]\n",
            "  \"2\": {\"name\": \"same\"}\n",
            "  \"3\": {\"name\": \"same\"}\n",
            " labels []\n",
            "  7: {\"at\": [1.5, True], \"id\": 7}\n",
            "Edges of G:\n",
            " type \"OF\"\n",
            "  \"Ada \\\"L\\\"\" -> 7\n",
            "  \"2\" -> \"Ada \\\"L\\\"\" {\"n\": 1}",
        )
    );
}

// --- In a bench ------------------------------------------------------------------------------------

fn bench(system: &str, options: Value, world: &World) -> Result<experiment::Finished, String> {
    let experiment = experiments::find("kgot").unwrap();
    let source = Source { seed: 1, n: Some(1), ..Source::default() };
    let cases = experiment.cases(&source, world).unwrap();
    let setup: Setup = serde_json::from_value(json!({
        "experiment": "kgot", "system": system, "roles": {}, "scorer": 1,
        "options": experiment.read_options(system, &options)?,
        "limits": experiment.limits(),
    }))
    .unwrap();
    let script = KgotScript::new([1]);
    let mut models = Models::one(GRAPH.id, &script);
    models.set(TOOLS.id, &script);
    let (clock, cancel) = (|| 0.0, Cancel::default());
    let limits = experiment.limits();
    let request = CaseRequest {
        setup: &setup,
        case: &cases[0],
        world,
        models,
        setting: RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() },
        sample: 0,
        session: &|_: &trace::Step| (),
    };
    let finished = experiment.run(request).now_or_never().unwrap()?;
    let again = experiment.score(world, &setup, &cases[0], &finished.trace, &finished.outcome);
    assert_eq!(again.unwrap(), finished.score, "scored from the outcome alone");
    Ok(finished)
}

fn world(python: impl PythonRunner + 'static) -> World {
    World::new(KgotWorld { python: Some(Rc::new(python)), ..KgotWorld::default() })
}

#[test]
fn where_nobody_runs_python_a_run_is_refused_and_not_scored() {
    for (system, options) in [
        ("kgot-networkx", json!({})),
        ("kgot-fusion", json!({ "members": ["cypher", "networkx"] })),
    ] {
        let refused = |world: &World| bench(system, options.clone(), world).unwrap_err();
        let why = refused(&World::default());
        assert!(why.contains("nobody runs Python with networkx here"), "{why}");
        let broken = PythonFailure::new(PythonFault::Unavailable, "there is no networkx");
        assert_eq!(refused(&world(Gives(Err(broken)))), "Python: there is no networkx");
        assert!(refused(&world(gives(json!(1)))).contains("gives no graphs back"));
        let finished = bench(system, options.clone(), &world(FakePython::new([1])));
        let finished = finished.unwrap();
        assert_eq!(finished.score.verdict, tasks::Verdict::Correct, "{:?}", finished.score);
    }
    // Who does not write Python needs nobody to run it.
    assert!(bench("kgot-cypher", json!({}), &world(gives(json!(1)))).is_ok());
}

// --- With a real Python ----------------------------------------------------------------------------

#[test]
fn python_knows_nodes_by_the_keys_that_we_say() {
    let Some(python) = RealPython::find() else { return };
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..300 {
        let graph = any_graph().new_tree(&mut runner).unwrap().current();
        let ours: Vec<PythonKey> = python_keys(&graph).into_values().collect();
        assert_eq!(python.keys(&graph), ours, "{:?}", told_graph(&graph).nodes);
    }
}

#[test]
fn python_changes_nothing_where_it_does_nothing() {
    let Some(python) = RealPython::find() else { return };
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..300 {
        let graph = any_graph().new_tree(&mut runner).unwrap().current();
        let mut store = GraphStore::open(graph.clone());
        assert!(write(&python, &mut store, "pass").unwrap().is_empty());
        // Not even where it puts another graph in the place of the one that it was given.
        let code = "self.G = nx.MultiDiGraph(G)";
        let changes = write(&python, &mut store, code).unwrap();
        assert!(changes.is_empty(), "{changes:?}");
    }
}

#[test]
fn python_writes_and_finds_what_it_wrote() {
    let Some(python) = RealPython::find() else { return };
    let mut store = GraphStore::open(ada());
    let mut does = |code: &str| {
        let changes = write(&python, &mut store, code).map_err(|why| format!("{code}: {why}"))?;
        Ok::<_, String>((changes.created.len(), changes.changed.len(), changes.deleted.len()))
    };
    assert_eq!(
        does("G.add_node('Bob', label='Person')\nG.add_edge('Ada', 'Bob', relationship='KNOWS')"),
        Ok((2, 0, 0))
    );
    // The same again, and in a DiGraph's way: nothing new.
    assert_eq!(does("self.G.add_edge('Ada', 'Bob', type='KNOWS')"), Ok((0, 0, 0)));
    assert_eq!(does("G.add_node(101, labels=['Delivery'], pieces=5, note=None)"), Ok((1, 0, 0)));
    assert_eq!(
        does("G.nodes[101]['pieces'] += 1; G.add_edge(101, 'Bob', type='TO')"),
        Ok((1, 1, 0))
    );
    assert_eq!(does("G.add_node('Ada', label='Writer', born=1815.0)"), Ok((0, 1, 0)));
    assert_eq!(does("G.remove_node('Notes')"), Ok((0, 0, 2)));
    assert_eq!(does("G.add_node('B', name='Bob')"), Ok((1, 0, 0)));
    assert_eq!(does("G.nodes['B']['x'] = {'y': {3, 1}}; G.nodes['Bob']['x'] = 1"), Ok((0, 2, 0)));
    assert!(does("G.add_edge('Ada', 'Bob')").unwrap_err().contains("has no type"));
    assert!(does("G.nodes['Bo']['x'] = 1").unwrap_err().contains("KeyError: 'Bo' (line 1)"));
    assert!(does("G.add_node(").unwrap_err().contains("SyntaxError"));
    assert!(does("self.G = G.to_undirected()").unwrap_err().contains("MultiDiGraph"));
    assert_eq!(does("G = nx.DiGraph(G)"), Ok((0, 0, 0)));
    let rows = |code: &str| read(&python, store.now(), code).unwrap().rows;
    assert_eq!(json!(rows("sorted(map(str, G.nodes))")), json!([["101"], ["Ada"], ["B"], ["Bob"]]));
    assert_eq!(
        json!(rows("result = G.nodes['Ada']")),
        json!([[1815, "Ada", ["Person", "Writer"]]])
    );
    assert_eq!(
        json!(rows("result = [e['type'] for _, _, e in G.edges(data=True)]")),
        json!([["KNOWS"], ["TO"]])
    );
    assert_eq!(json!(rows("G.clear(); result = len(G)")), json!([[0]]));
    assert_eq!(store.now().n_nodes(), 4, "a read changes a copy");
    assert!(Networkx { runner: &python }.check().now_or_never().unwrap().is_ok());
}

#[test]
fn the_script_solves_every_task_with_a_real_python_with_faults_and_without() {
    let Some(python) = RealPython::find() else { return };
    let networkx = Networkx { runner: &python };
    let languages = Languages { networkx: Some(&networkx), ..Languages::default() };
    let place = KgotPlace { languages, ..KgotPlace::default() };
    let options = KgotOptions { language: KgotLanguage::Networkx, ..KgotOptions::default() };
    let (clock, cancel) = (|| 0.0, Cancel::default());
    let limits = Limits { max_rounds: 300, max_calls: 300, max_tokens: None, deadline_ms: None };
    let setting = RunContext { limits, seed: Some(1), clock: &clock, cancel: &cancel, watch: &() };
    let careful = KgotScript::new([1]);
    let faulty = Faulty::new(KgotScript::new([1]), 7);
    let (mut right, mut right_with_faults, mut fixed) = (0, 0, 0);
    for case in cases(1) {
        let files = case.files.iter().map(|(name, text)| KgotFile::of_text(name, text));
        let task = KgotTask { question: case.question.clone(), files: files.collect() };
        let mut solves = |model: &dyn llm::Model| {
            let models = KgotModels { graph: model, tools: model };
            let answered =
                run(&task, &options, models, &place, setting, &mut |_| ()).now_or_never().unwrap();
            fixed += answered.outcome.n_fixed;
            let answer = answered.outcome.answer.unwrap_or_default();
            judge_gaia(&answer, &case.answer) == GaiaVerdict::Right
        };
        right += usize::from(solves(&careful));
        right_with_faults += usize::from(solves(&faulty));
    }
    assert_eq!(right, 120);
    assert!(right_with_faults >= 118 && fixed > 0, "{right_with_faults}, {fixed} fixed");
}

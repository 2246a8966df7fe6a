//! A model proposes functions in a run, calls what is accepted, and later runs have it too.

use agent::{Cancel, Choosing};
use futures_util::FutureExt as _;
use graph::composed::Proposal;
use llm::Message;
use serde_json::{Value, json};
use systems::free::{FreeRequest, run_free};
use systems::grounded::retrieval::choosing;
use systems::grounded::{Composing, GraphTools, PROPOSE, Surface, accepted};
use systems::{Run, RunOptions, RunRequest, run_system};
use tasks::{Difficulty, Style, TaskId, Wording, task};
use test_support::{Lines, calling, context};
use trace::replay::{ReplayFinding, replay};
use trace::{StepBody, ToolResult, Trace, formats};

fn call(name: &str, arguments: &Value) -> Message {
    calling(&[(name, &arguments.to_string())])
}

/// The number of nodes that are more than one step away from a node, reached or not.
fn strangers(body: &str) -> Value {
    json!({
        "name": "count_strangers",
        "description": "Counts the nodes that a node is not joined to.",
        "parameters": [{ "name": "node", "type": "node", "description": "The node." }],
        "body": body,
        "examples": [
            { "graph": { "edges": [[0, 1], [1, 2], [2, 3]] }, "arguments": "{\"node\": 0}", "result": "2" },
            { "graph": { "edges": [[0, 1]] }, "arguments": "{\"node\": 0}", "result": "0" },
        ],
    })
}

const RIGHT: &str = "describe_graph().n_nodes - 1 - count(get_neighbors(node: node).neighbors)";
const WRONG: &str = "describe_graph().n_nodes - count(get_neighbors(node: node).neighbours)";

fn run(model: &Lines, options: RunOptions) -> Run {
    let cancel = Cancel::default();
    let problem = task(TaskId::Connectivity).generate(Difficulty::Easy, 3);
    let question = problem.question(Wording::Benchmark, Style::ZeroShot);
    let request = RunRequest {
        system: systems::nlgraph::find("grounded").unwrap(),
        problem: &problem,
        question: &question,
        options,
        setting: context(&cancel),
        python: None,
    };
    run_system(request, model, &mut |_| {}).now_or_never().unwrap()
}

fn results(trace: &Trace) -> Vec<(&str, &ToolResult)> {
    let of = |s: &'_ trace::Step| matches!(s.body, StepBody::Call { .. });
    trace
        .steps
        .iter()
        .filter(|s| of(s))
        .filter_map(|s| match &s.body {
            StepBody::Call { call, result, .. } => Some((call.name.as_str(), result)),
            _ => None,
        })
        .collect()
}

fn holds(trace: &Trace) {
    let tools = GraphTools::before(trace);
    let tools = match RunOptions::default().max_result_chars {
        Some(max) => tools.with_compact_results(max),
        None => tools,
    };
    let found = replay(trace, &mut { tools }, true);
    assert!(found.findings.iter().all(|(_, f)| *f == ReplayFinding::Same), "{found:?}");
    for (i, step) in trace.steps.iter().enumerate() {
        if matches!(step.body, StepBody::Model { .. }) {
            assert_eq!(trace.request_of(i).unwrap().is_same, Some(true), "step {i}");
        }
    }
}

/// The whole way: refused with what would be right, accepted, called, told again, offered later.
#[test]
fn a_model_corrects_its_proposal_and_calls_the_function_in_the_same_and_in_later_runs() {
    let edges = call("add_edges", &json!({ "edges": [[0, 1], [1, 2], [2, 3]] }));
    let asks = call("count_strangers", &json!({ "node": 1 }));
    for choosing in [Choosing::All, choosing(2)] {
        let model = Lines::new([
            edges.clone(),
            asks.clone(),
            call(PROPOSE, &strangers(WRONG)),
            call(PROPOSE, &strangers(RIGHT)),
            asks.clone(),
            call(PROPOSE, &strangers(RIGHT)),
            Message::assistant("The answer is yes."),
        ]);
        let composing = Composing { functions: Vec::new(), may_propose: true };
        let is_all = choosing == Choosing::All;
        let surface = Surface { choosing, ..Surface::default() };
        let first = run(&model, RunOptions { composing, surface, ..RunOptions::default() });
        let found = results(&first.trace);
        let error = |i: usize| match found[i] {
            (name, ToolResult::Error(e)) => (name, e.code.as_str(), e.message.as_str()),
            other => panic!("{other:?}"),
        };
        assert_eq!(error(1).1, "unknown_function");
        assert_eq!(error(2).1, "proposal_refused");
        assert!(error(2).2.contains("no field \"neighbours\""), "{}", error(2).2);
        assert!(error(5).2.contains("take another name"), "{}", error(5).2);
        let ToolResult::Value { value, .. } = found[3].1 else { panic!("{found:?}") };
        assert_eq!(value["returns"], "number");
        assert_eq!(value["examples"][0]["passed"], true);
        let ToolResult::Value { value, .. } = found[4].1 else { panic!("{found:?}") };
        assert_eq!(*value, json!(1));
        let asked = model.asked();
        let has = |turn: usize, name: &str| asked[turn].tools.iter().any(|t| t.name == name);
        assert!(!has(3, "count_strangers") && has(4, "count_strangers"));
        if is_all {
            assert!(has(0, PROPOSE));
        }
        holds(&first.trace);
        // Files keep it.
        let written = formats::write_own(&[trace::Record::of(first.trace.clone())]);
        holds(&formats::read(&written).unwrap().1[0].trace);
        // A fork behind the proposal still has the function.
        let at = first.trace.steps.iter().position(|s| {
            matches!(&s.body, StepBody::Call { result: ToolResult::Value { .. }, call, .. } if call.name == PROPOSE)
        });
        let fork = first.trace.fork(at.unwrap() + 2);
        let model = Lines::new([asks.clone(), Message::assistant("The answer is yes.")]);
        let again = run(&model, RunOptions { resume: Some(fork), ..RunOptions::default() });
        assert!(
            matches!(results(&again.trace).last(), Some((_, ToolResult::Value { value, .. })) if *value == json!(1))
        );
        holds(&again.trace);
        // A later run has it from its first turn, and cannot propose unless that is turned on.
        let composing = Composing { functions: accepted(&first.trace), may_propose: false };
        assert_eq!(composing.functions.len(), 1);
        let model = Lines::new([
            edges.clone(),
            asks.clone(),
            call(PROPOSE, &strangers(RIGHT)),
            Message::assistant("The answer is yes."),
        ]);
        let later = run(&model, RunOptions { composing, ..RunOptions::default() });
        let found = results(&later.trace);
        assert!(matches!(found[1].1, ToolResult::Value { value, .. } if *value == json!(1)));
        assert!(matches!(found[2].1, ToolResult::Error(e) if e.code == "unknown_function"));
        assert!(model.asked()[0].tools.iter().any(|t| t.name == "count_strangers"));
        holds(&later.trace);
    }
}

#[test]
fn a_free_question_has_them_too() {
    let functions = vec![Proposal::from_json(&strangers(RIGHT)).unwrap()];
    let model = Lines::new([
        call("add_edges", &json!({ "edges": [["Tom", "Katy"], ["Katy", "Paul"]] })),
        call("count_strangers", &json!({ "node": "Tom" })),
        Message::assistant("Tom does not know one person."),
    ]);
    let cancel = Cancel::default();
    let request = FreeRequest {
        says: "Tom knows Katy, Katy knows Paul; how many does Tom not know?",
        resume: None,
        surface: Default::default(),
        composing: Composing { functions, may_propose: true },
        setting: context(&cancel),
    };
    let trace = run_free(request, &model, &mut |_| {}).now_or_never().unwrap();
    assert!(matches!(results(&trace)[1].1, ToolResult::Value { value, .. } if *value == json!(1)));
    assert!(trace.tools.iter().any(|t| t.name == PROPOSE));
}

/// What a file says is not taken on trust.
#[test]
fn what_does_not_compile_or_takes_a_name_is_left_out() {
    let mut taken = strangers(RIGHT);
    taken["name"] = json!("max_flow");
    let mut proposals: Vec<Proposal> = [strangers(WRONG), taken, strangers(RIGHT)]
        .iter()
        .map(|p| Proposal::from_json(p).unwrap())
        .collect();
    proposals.extend((0..60).map(|i| {
        let mut one = strangers(RIGHT);
        one["name"] = json!(format!("copy_{i}"));
        Proposal::from_json(&one).unwrap()
    }));
    let n_library = agent::ToolSet::specs(&GraphTools::default()).len();
    let specs = agent::ToolSet::specs(&GraphTools::default().with_composed(&proposals));
    assert_eq!(specs.len(), n_library + graph::composed::MAX_COMPOSED);
    assert_eq!(specs.iter().filter(|s| s.name == "max_flow").count(), 1);
}

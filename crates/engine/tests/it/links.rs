//! Permalinks: what is written is read again, and whatever else comes is refused in words.

use graph::{Delta, Graph};
use proptest::prelude::*;
use protocol::problem::{ProblemView, ReadProblem, SampleProblem, SolveProblem};
use protocol::share::{Linked, ReadLink, Shared, WriteLink};
use serde_json::{Value, json};
use tasks::{Ends, Query, Style, TaskId, Terminals, Whole, Wording};
use trace::Record;

use crate::page::*;

fn shared(problem: &ProblemView) -> Shared {
    let problem = Box::new(problem.clone());
    Shared::Problem { problem, wording: Wording::Improved, style: Style::ZeroShot }
}

fn write(page: &mut Page, shared: Shared) -> String {
    page.ask(WriteLink { shared: Box::new(shared) })
}

fn read(page: &mut Page, link: &str) -> Result<Linked, String> {
    page.try_ask(ReadLink { link: link.to_owned() }).map(|read| read.0)
}

fn problem_of(read: Result<Linked, String>) -> ProblemView {
    match read.unwrap() {
        Linked::Problem(problem) => *problem,
        other => panic!("{other:?}"),
    }
}

/// A link by other means than ours: flate2 writes it, and JSON is put together by hand.
fn link(kind: &str, text: &str) -> String {
    use base64::Engine as _;
    use std::io::Write as _;
    let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    deflate.write_all(text.as_bytes()).unwrap();
    let bytes = deflate.finish().unwrap();
    format!("v1.{kind}.{}", base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes))
}

#[test]
fn a_problem_of_every_task_comes_back() {
    let mut page = Page::new();
    for task in TaskId::ALL {
        for seed in 1..6 {
            let made = page.problem(task, seed);
            let link = write(&mut page, shared(&made));
            let back = problem_of(read(&mut page, &link));
            // A link does not claim that a seed of ours made it.
            assert_eq!(back, ProblemView { seed: None, ..made }, "{task} {seed}");
        }
    }
}

#[test]
fn words_of_ones_own_come_back_and_words_about_another_graph_do_not() {
    let mut page = Page::new();
    let mut made = page.problem(TaskId::Cycle, 3);
    made.question = made.question.replace("Q:", "\nQ:");
    let link = write(&mut page, shared(&made));
    assert_eq!(problem_of(read(&mut page, &link)).question, made.question);
    let other = page.problem(TaskId::Cycle, 4);
    let lie = ProblemView { question: other.question.clone(), ..made.clone() };
    let link = write(&mut page, shared(&lie));
    let back = problem_of(read(&mut page, &link));
    assert_eq!(back.graph, made.graph);
    assert_ne!(back.question, other.question);
}

#[test]
fn a_disaster_and_a_trace_come_back() {
    let mut page = Page::new();
    let scenario = tasks::rescue::Scenario::from_json(tasks::rescue::NINE_LOCATIONS).unwrap();
    let link = write(&mut page, Shared::Rescue { scenario: Box::new(scenario.clone()) });
    let Ok(Linked::Rescue(back)) = read(&mut page, &link) else { panic!() };
    assert_eq!(*back, scenario);
    assert!(link.len() < 2000, "{}", link.len());

    let problem = page.problem(TaskId::ShortestPath, 7);
    let trace = run_of(&mut page.play(run("grounded", &problem, script("script")))).trace;
    let record = Record::of(trace);
    let link = write(&mut page, Shared::Trace { record: Box::new(record.clone()) });
    let Ok(Linked::Traces(file)) = read(&mut page, &link) else { panic!() };
    assert_eq!(file.records, [record]);
    assert!(link.len() < 8000, "{}", link.len());
}

#[test]
fn a_pair_comes_back_and_is_judged_again() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::ShortestPath, 7);
    let mut runs: Vec<systems::Run> = ["standalone", "grounded"]
        .into_iter()
        .map(|system| {
            let mut events = page.play(run(system, &problem, script("mistaken/bad-json")));
            let run = run_of(&mut events);
            systems::Run::of(&core(&problem), run.trace, run.outcome)
        })
        .collect();
    let verdicts: Vec<_> = runs.iter().map(|run| run.judgement.clone()).collect();
    assert_ne!(verdicts[0].verdict, verdicts[1].verdict);
    // What somebody writes into a link about a verdict is not believed.
    runs[0].judgement = verdicts[1].clone();
    let pair = |runs: &[systems::Run]| Shared::Pair {
        problem: Box::new(problem.clone()),
        wording: Wording::Benchmark,
        style: Style::ZeroShot,
        runs: runs.to_vec(),
    };
    let address = write(&mut page, pair(&runs));
    let Ok(Linked::Pair(back, found)) = read(&mut page, &address) else { panic!() };
    assert_eq!((&back.graph, &back.question), (&problem.graph, &problem.question));
    for ((found, run), verdict) in found.iter().zip(&runs).zip(&verdicts) {
        assert_eq!((&found.trace, &found.system), (&run.trace, &run.system));
        assert_eq!(&found.judgement, verdict);
    }
    assert!(address.len() < 9000, "{}", address.len());
    let refused = |page: &mut Page, runs: &[systems::Run]| {
        let address = write(page, pair(runs));
        read(page, &address).unwrap_err()
    };
    assert!(refused(&mut page, &[]).contains("it has 0 runs"));
    runs[0].system = "oracle".into();
    assert!(refused(&mut page, &runs).contains("no system \"oracle\""));
    let text = json!({ "problem": {}, "runs": [] }).to_string();
    assert!(read(&mut page, &link("pair", &text)).is_err());
}

/// Links that were shared stay links: a problem of each task with seed 1, and the nine locations.
#[test]
fn links_that_were_shared_are_read() {
    let mut page = Page::new();
    let text = include_str!("links.txt");
    let links: Vec<(&str, &str)> = text.lines().filter_map(|l| l.split_once(' ')).collect();
    assert_eq!(links.len(), 9);
    for (name, link) in links {
        if name == "rescue" {
            assert!(matches!(read(&mut page, link), Ok(Linked::Rescue(_))));
            continue;
        }
        let task = TaskId::from_name(name).unwrap();
        let made = page.problem(task, 1);
        let back = problem_of(read(&mut page, link));
        assert_eq!((&back.graph, &back.query), (&made.graph, &made.query), "{name}");
        assert_eq!(back.question, made.question, "{name}");
    }
}

#[test]
fn links_of_other_programs_are_read() {
    let mut page = Page::new();
    let body = json!({
        "graph": { "nodes": 3, "names": ["a", "b", 3], "edges": [[0, 1], [1, 2, 4.5], [0, 2, null, 7]] },
        "query": { "kind": "shortest_path", "source": "a", "target": 3 },
    });
    let problem = problem_of(read(&mut page, &link("problem", &body.to_string())));
    assert_eq!((problem.graph.n_nodes(), problem.graph.n_edges()), (3, 3));
    assert_eq!(problem.task, TaskId::ShortestPath);
    let read = read(&mut page, &link("graph", "0 1\n1 2\n"));
    assert!(matches!(read, Ok(Linked::Graph(view)) if view.graph.n_edges() == 2));
}

#[test]
fn what_cannot_be_read_is_refused_in_words() {
    let mut page = Page::new();
    let bomb = link("graph", &"0 1\n".repeat(10_000_000));
    assert!(bomb.len() < 65_536, "a bomb must fit: {}", bomb.len());
    let nodes = json!({ "graph": { "nodes": 4_000_000_000u32, "edges": [] }, "query": { "kind": "cycle" } });
    let layers = json!({ "graph": { "nodes": 1, "edges": [], "embeddings": [[1.0]] },
        "query": { "kind": "convolution", "layers": 4_000_000_000u32 } });
    let jobs = json!({ "graph": { "nodes": 2, "names": ["a0", "j0"], "edges": [] },
        "query": { "kind": "matching", "n_applicants": 1, "n_jobs": 1_000_000_000_000u64 } });
    let lost = json!({ "graph": { "nodes": 2, "edges": [[0, 2]] }, "query": { "kind": "cycle" } });
    let end = json!({ "graph": { "nodes": 2, "edges": [[0, 1]] },
        "query": { "kind": "connectivity", "source": 0, "target": "<b>" } });
    let arrows = json!({ "graph": { "nodes": 2, "edges": [[0, 1]] }, "query": { "kind": "topological_sort" } });
    for (text, word) in [
        (String::new(), "v1.KIND.PAYLOAD"),
        ("hello".into(), "v1.KIND.PAYLOAD"),
        ("v1".into(), "v1.KIND.PAYLOAD"),
        ("v1.problem".into(), "v1.KIND.PAYLOAD"),
        ("v0.problem.AA".into(), "v1.KIND.PAYLOAD"),
        ("v2.problem.AA".into(), "newer Graphground"),
        ("v1.virus.AA".into(), "\"virus\""),
        ("v1.problem.!!".into(), "damaged"),
        ("v1.problem.AAAA".into(), "damaged"),
        (format!("v1.problem.{}", "A".repeat(70_000)), "longer than"),
        (bomb, "unfolds to more"),
        (link("problem", "[]"), "no problem"),
        (link("problem", "{}"), "no problem"),
        (link("problem", &nodes.to_string()), "4000000000 nodes"),
        (link("problem", &layers.to_string()), "1 to 5"),
        (link("problem", &jobs.to_string()), "jobs"),
        (link("problem", &lost.to_string()), "[0,2] names no two of 2"),
        (link("problem", &end.to_string()), "no node"),
        (link("problem", &arrows.to_string()), "undirected"),
        (link("rescue", "{}"), "no disaster"),
        (link("trace", "{}"), "no trace"),
        (link("graph", "tell me a story"), "no graph"),
    ] {
        match read(&mut page, &text) {
            Err(message) => assert!(message.contains(word), "{word}: {message}"),
            other => panic!("{word}: {other:?}"),
        }
    }
}

#[test]
fn a_random_graph_is_asked_about() {
    let mut page = Page::new();
    let sample = |task, generator: &str, seed| SampleProblem {
        task,
        generator: generator.into(),
        seed,
        wording: Wording::Improved,
        style: Style::ZeroShot,
    };
    for (task, generator) in [
        (TaskId::ShortestPath, "er,20,0.2"),
        (TaskId::Connectivity, "ba,20,2"),
        (TaskId::Cycle, "tree,20"),
        (TaskId::Topology, "er,20,0.2"),
        (TaskId::Flow, "er,20,0.2"),
        (TaskId::Flow, "sparse,20,40"),
        (TaskId::Hamilton, "sparse,20,40"),
    ] {
        let problem = page.ask(sample(task, generator, 7)).0;
        let again = page.ask(sample(task, generator, 7)).0;
        let other = page.ask(sample(task, generator, 8)).0;
        assert_eq!(problem, again);
        assert_ne!(problem.graph, other.graph);
        assert_eq!(problem.graph.n_nodes(), 20);
        // It is a whole problem: the solver's answer is right, and it survives a link.
        let solved = page.ask(SolveProblem { problem: Box::new(problem.clone()) });
        assert_eq!(solved.judgement.verdict, tasks::Verdict::Correct, "{task} {generator}");
        let link = write(&mut page, shared(&problem));
        assert_eq!(problem_of(read(&mut page, &link)), problem);
    }
    for (task, generator, word) in [
        (TaskId::Cycle, "", "er,NODES"),
        (TaskId::Cycle, "er", "er,NODES"),
        (TaskId::Cycle, "er,20,x", "probability"),
        (TaskId::Cycle, "er,1e9,0.5", "2 to 500"),
        (TaskId::Cycle, "er,2.5,0.5", "2 to 500"),
        (TaskId::Cycle, "er,-3,0.5", "number of nodes"),
        (TaskId::Cycle, "sparse,10,1e18", "edges"),
        (TaskId::Flow, "tree,10", "no graphs"),
        (TaskId::Gnn, "er,10,0.2", "difficulty"),
    ] {
        let message = page.refused(sample(task, generator, 7));
        assert!(message.contains(word), "{generator}: {message}");
    }
}

/// The table of `docs/sharing.md`; `cargo test -p engine links_are_short -- --nocapture` prints it.
#[test]
fn a_link_asks_for_no_more_edges_than_nodes() {
    let mut page = Page::new();
    let sample = |generator: &str| SampleProblem {
        task: TaskId::Cycle,
        generator: generator.into(),
        seed: 1,
        wording: Wording::Improved,
        style: Style::ZeroShot,
    };
    // 38 letters of an address that ask for 124,750 edges.
    let words = page.refused(sample("er,500,1"));
    assert!(words.contains("it has 124750 edges; at most 50000 are read from a link"), "{words}");
    let problem = page.ask(sample("er,500,0.3")).0;
    assert!(problem.graph.n_edges() > 30_000);
    // It is not drawn whole, so nothing of it is placed.
    assert_eq!(problem.places.iter().count(), 0);
    // The same, packed: few letters for many edges.
    let edges = vec![json!([0, 1]); 50_001];
    let body = json!({ "graph": { "nodes": 400, "edges": edges }, "query": { "kind": "cycle" } })
        .to_string();
    let message = read(&mut page, &link("problem", &body)).unwrap_err();
    assert!(message.contains("it has 50001 edges; at most 50000"), "{message}");
    // A complete graph of 500 nodes in graph6.
    let complete = format!("~?Fs{}{{", "~".repeat(20_791));
    let message = read(&mut page, &link("graph", &complete)).unwrap_err();
    assert!(message.contains("it has 124750 edges; at most 50000"), "{message}");
}

#[test]
fn a_graph_that_a_page_cannot_hold_is_refused() {
    let mut page = Page::new();
    let text: String = (0..200_001).map(|i| format!("{i} {}\n", i + 1)).collect();
    let words = page.refused(ReadProblem::new(text));
    assert!(words.contains("200002 nodes; the page asks about at most 200000"), "{words}");
}

#[test]
fn links_are_short() {
    let mut page = Page::new();
    let mut rows = Vec::new();
    for (n, m) in [(20, 40), (50, 120), (100, 300), (500, 1500)] {
        for task in [TaskId::Cycle, TaskId::ShortestPath] {
            let problem = page
                .ask(SampleProblem {
                    task,
                    generator: format!("sparse,{n},{m}"),
                    seed: 7,
                    wording: Wording::Improved,
                    style: Style::ZeroShot,
                })
                .0;
            let link = write(&mut page, shared(&problem));
            rows.push((format!("{n} nodes, {m} edges, {task}"), link.len()));
        }
    }
    for (task, model) in [(TaskId::Cycle, "script"), (TaskId::ShortestPath, "mistaken/bad-json")] {
        let problem = page.problem(task, 7);
        let trace = run_of(&mut page.play(run("grounded", &problem, script(model)))).trace;
        let n = trace.steps.len();
        let link = write(&mut page, Shared::Trace { record: Box::new(Record::of(trace)) });
        rows.push((format!("a run of {n} steps on {task}"), link.len()));
    }
    for (what, length) in &rows {
        println!("| {what} | {length} |");
    }
    let longest = |what: &str| rows.iter().filter(|r| r.0.starts_with(what)).map(|r| r.1).max();
    assert!(longest("100 nodes").is_some_and(|n| n < 2000), "{rows:?}");
    assert!(longest("500 nodes, 1500 edges, cycle").is_some_and(|n| n < 8000), "{rows:?}");
    assert!(longest("a run").is_some_and(|n| n < 8000), "{rows:?}");
}

/// A graph with names, weights and capacities as they come, and a query about it.
fn problems() -> impl Strategy<Value = (Graph, Query)> {
    let name = prop_oneof![
        (0i64..12).prop_map(|i| i.to_string()),
        "[a-z<>\"é ]{1,6}".prop_map(|s| s.trim().to_owned()),
    ];
    let edge =
        (0usize..12, 0usize..12, prop::option::of(-5.0..50.0f64), prop::option::of(0.0..9.0f64));
    (
        any::<bool>(),
        prop::collection::btree_set(name, 1..12),
        prop::collection::vec(edge, 0..30),
        0..3u8,
    )
        .prop_map(|(directed, names, edges, which)| {
            let names: Vec<String> = names.into_iter().filter(|n| !n.is_empty()).collect();
            let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
            graph.ensure_node("start").unwrap();
            for name in &names {
                graph.ensure_node(name.as_str()).unwrap();
            }
            let all: Vec<_> = graph.names().cloned().collect();
            for (a, b, weight, capacity) in edges {
                let (source, target) = (all[a % all.len()].clone(), all[b % all.len()].clone());
                let _ = graph.apply(&Delta::AddEdge { source, target, weight, capacity });
            }
            let (source, target) = (all[0].clone(), all[all.len() - 1].clone());
            let query = match (directed, which) {
                // From a node to itself is no problem of flow, and no link opens one.
                (true, 0) if source != target => Query::Flow(Terminals { source, sink: target }),
                (true, _) => Query::Topology(Whole),
                (false, 0) => Query::ShortestPath(Ends { source, target }),
                (false, 1) => Query::Connectivity(Ends { source, target }),
                (false, _) => Query::Cycle(Whole),
            };
            (graph, query)
        })
}

proptest! {
    #[test]
    fn any_graph_comes_back((graph, query) in problems()) {
        let mut page = Page::new();
        let view = ProblemView { graph, query, question: "in no words".into(), ..page.problem(TaskId::Cycle, 1) };
        let link = write(&mut page, shared(&view));
        let back = problem_of(read(&mut page, &link));
        prop_assert_eq!(&back.graph, &view.graph);
        prop_assert_eq!(back.query, view.query);
    }

    #[test]
    fn no_text_breaks_the_reader(text in "(v1\\.(problem|graph|rescue|trace)\\.)?[A-Za-z0-9_.-]{0,200}") {
        // Anything else than a reply or a refusal panics.
        if let Err(words) = read(&mut Page::new(), &text) {
            prop_assert!(!words.is_empty());
        }
    }

    #[test]
    fn a_link_that_was_changed_on_its_way_breaks_nothing(
        seed in 1u64..50,
        at in any::<prop::sample::Index>(),
        letter in "[A-Za-z0-9_-]",
        cut in any::<bool>(),
    ) {
        let mut page = Page::new();
        let made = page.problem(TaskId::Flow, seed);
        let mut link = write(&mut page, shared(&made));
        let at = at.index(link.len());
        link.replace_range(at..at + 1, &letter);
        if cut {
            link.truncate(at);
        }
        // Whatever is read can be solved without a panic.
        if let Ok(Linked::Problem(problem)) = read(&mut page, &link) {
            page.ask(SolveProblem { problem });
        }
    }

    #[test]
    fn no_json_breaks_the_reader(
        nodes in 0usize..6,
        names in prop::collection::vec(prop_oneof![(0u32..6).prop_map(Value::from), "[a-j0-9]{1,3}".prop_map(Value::from)], 0..6),
        edges in prop::collection::vec((0u32..7, 0u32..7, -1e300..1e300f64), 0..8),
        directed in any::<bool>(),
        query in prop::sample::select(vec![
            json!({ "kind": "cycle" }), json!({ "kind": "topological_sort" }), json!({ "kind": "hamilton_path" }),
            json!({ "kind": "max_flow", "source": 0, "sink": 0 }), json!({ "kind": "max_flow", "source": 0, "sink": 1 }),
            json!({ "kind": "shortest_path", "source": 0, "target": 0 }), json!({ "kind": "shortest_path", "source": 0, "target": 1 }),
            json!({ "kind": "matching", "n_applicants": 1, "n_jobs": 0 }), json!({ "kind": "convolution", "layers": 2 }),
        ]),
    ) {
        let body = json!({ "graph": { "directed": directed, "nodes": nodes, "names": names, "edges": edges }, "query": query });
        let mut page = Page::new();
        if let Ok(Linked::Problem(problem)) = read(&mut page, &link("problem", &body.to_string())) {
            page.ask(SolveProblem { problem: problem.clone() });
            page.play(run("grounded", &problem, script("script")));
        }
    }
}

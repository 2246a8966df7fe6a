//! Files of graphs and traces, and the arguments of graph functions.

use graph::Graph;
use graph::functions::FUNCTIONS;
use serde_json::json;

use crate::{Target, choice, text};

/// A small graph with weights and a direction, or without.
fn small(is_directed: bool) -> Graph {
    let mut graph = if is_directed { Graph::directed() } else { Graph::undirected() };
    for (i, (a, b)) in
        [("0", "1"), ("1", "2"), ("2", "0"), ("2", "3"), ("b c", "3")].iter().enumerate()
    {
        let _ = graph.link_weighted(*a, *b, i as f64 + 0.5);
    }
    graph
}

/// Files of formats that are read and not written, by their ids.
const READ_ONLY: [(&str, &str); 10] = [
    (
        "json_graph",
        r#"{"graph": {"directed": true, "nodes": {"a": {}, "b": {"label": "B"}}, "edges": [{"source": "a", "target": "b", "metadata": {"weight": 2}}]}}"#,
    ),
    ("adjacency_json", r#"{"a": ["b", "c"], "b": {"c": 2.5}}"#),
    ("json_lists", r#"{"nodes": ["a", "b"], "edges": [["a", "b", 2], ["b", "a"]]}"#),
    (
        "apoc",
        "{\"type\":\"node\",\"id\":\"0\",\"labels\":[\"P\"],\"properties\":{\"name\":\"A\"}}\n{\"type\":\"relationship\",\"id\":\"0\",\"label\":\"KNOWS\",\"start\":{\"id\":\"0\"},\"end\":{\"id\":\"0\"}}\n",
    ),
    ("mermaid", "flowchart LR\n  A[One] -->|2| B{Two} & C\n  subgraph s\n  B -.-> D\n  end\n"),
    ("sparse6", ":Fa@x^\n"),
    ("arrows", "a -> b\nb -> c: 2\nc <- a\n"),
    ("adjacency_list", "a: b, c\nb: c\nc:\n"),
    ("sif", "a pp b c\nd pp a\n"),
    ("sentences", "Ann knows Ben and Carla. Ben works for Dev."),
];

fn read_only(id: &str) -> Option<Vec<u8>> {
    READ_ONLY.iter().find(|(known, _)| *known == id).map(|(_, text)| text.as_bytes().to_vec())
}

pub(super) fn targets() -> Vec<Target> {
    let mut all: Vec<Target> = graph::formats::FORMATS
        .iter()
        .map(|format| {
            let run = |data: &[u8]| {
                let Ok(read) = (format.parse)(&text(data)) else { return };
                // What can be written can be read; a table leaves out nodes without edges.
                let is_written = read.graph.n_edges() > 0 || format.id != "edge_table";
                let write = format.write.filter(|_| is_written);
                if let Some(Ok(written)) = write.map(|write| write(&read.graph)) {
                    let again = (format.parse)(&written);
                    assert!(again.is_ok(), "{}: {again:?} of {written:?}", format.id);
                }
            };
            Target::new(format!("graph_{}", format.id), 2048, run, |places| {
                let mut seeds: Vec<Vec<u8>> = [small(true), small(false)]
                    .iter()
                    .filter_map(|graph| Some(format.write?(graph).ok()?.into_bytes()))
                    .collect();
                seeds.extend(read_only(format.id));
                let ending = format.extensions.first().copied().unwrap_or_default();
                seeds.extend(places.files("crates/graph/tests", &format!(".{ending}")));
                seeds
            })
        })
        .collect();
    all.push(Target::new(
        "graph_any",
        2048,
        |data| {
            let text = text(data);
            drop(graph::formats::open(&text));
            drop(graph::formats::open_nth(&text, 2));
        },
        |_| {
            let written = |graph: &Graph| {
                let of = graph::formats::FORMATS.iter().filter_map(|f| f.write?(graph).ok());
                of.map(String::into_bytes).collect::<Vec<_>>()
            };
            let read = READ_ONLY.iter().map(|(_, text)| text.as_bytes().to_vec());
            [small(true), small(false)].iter().flat_map(written).chain(read).collect()
        },
    ));
    all.push(Target::new(
        "table",
        2048,
        |data| {
            let text = text(data);
            let table = graph::tables::TableText::new(&text);
            let _ = table.rows().count();
            let chosen = graph::formats::TableColumns {
                source: Some("1".to_owned()),
                target: Some("2".to_owned()),
                weight: Some("3".to_owned()),
                ..Default::default()
            };
            drop(graph::formats::open_table(&text, &chosen));
            drop(graph::formats::open_tables(&[&text, "Id,Label\n1,Ann\n"]));
        },
        |_| {
            let tables = [
                "Source;Target;Weight\na;b;0,5\n",
                "a,\"b\nc\",1\n\"d,e,2\n",
                "# source\ttarget\nx y\tz\n",
            ];
            tables.iter().map(|t| t.as_bytes().to_vec()).collect()
        },
    ));
    all.push(Target::new("graph_functions", 512, call, |_| {
        let examples = FUNCTIONS.iter().enumerate().map(|(i, function)| {
            let example = serde_json::to_vec(&function.example().arguments).unwrap_or_default();
            [&[i as u8][..], &example].concat()
        });
        examples.collect()
    }));
    all.push(Target::new("composed_function", 2048, composed, |_| {
        let bodies: [&str; 5] = [
            "let d = find_shortest_path(start: s, end: t); count(d.path ?? [])",
            "sort(filter(describe_graph().nodes, v => (delete_nodes(nodes: [v]); \
             connected_components().n_components > 1)))",
            "{ a: sum(map(get_degrees().degrees, d => d.degree)) / 2, b: [1, -2.5][0] }",
            "if not has_path(start: s, end: t).has_path and k >= 3 then \"x\" else 'y'",
            "max_by(range(k % 7), i => abs(i - 3)) ?? k",
        ];
        bodies.iter().map(|body| body.as_bytes().to_vec()).collect()
    }));
    all.push(Target::new(
        "proposal",
        2048,
        |data| {
            let Ok(value) = serde_json::from_slice(data) else { return };
            let Ok(proposal) = graph::composed::Proposal::from_json(&value) else { return };
            drop(proposal.check(&[]));
        },
        |_| vec![include_bytes!("../../seeds/proposal.json").to_vec()],
    ));
    all.extend(trace::formats::FORMATS.iter().map(|format| {
        let run = |data: &[u8]| {
            let Ok(records) = format.read(&text(data)) else { return };
            for record in &records {
                let trace = &record.trace;
                drop(trace.graph_after(trace.steps.len()));
                let _ = (trace.usage(), trace.mistakes(), trace.n_corrections());
                for step in 0..trace.steps.len().min(20) {
                    drop(trace.request_of(step));
                }
            }
            if let Some(write) = format.write {
                let written = write(&records);
                assert!(format.read(&written).is_ok(), "{}: {written}", format.id);
            }
        };
        Target::new(format!("trace_{}", format.id), 8192, run, |_| traces(format))
    }));
    all.push(Target::new(
        "trace_any",
        8192,
        |data| drop(trace::formats::open(data)),
        |_| {
            let archive = include_bytes!("../../seeds/trace.eval").to_vec();
            trace::formats::FORMATS.iter().flat_map(traces).chain([archive]).collect()
        },
    ));
    all
}

/// A trace with a turn, a call that changes the graph and one that fails, in a format.
fn traces(format: &trace::formats::Format) -> Vec<Vec<u8>> {
    const OWN: &str = include_str!("../../seeds/trace.json");
    let records = trace::formats::read(OWN).map(|(_, records)| records).unwrap_or_default();
    let mut seeds: Vec<Vec<u8>> =
        format.write.map(|write| write(&records).into_bytes()).into_iter().collect();
    // The forms of other programs, one a line.
    const OTHERS: &str = include_str!("../../seeds/traces.jsonl");
    let is_it = |line: &&str| trace::formats::sniff(line).is_ok_and(|f| f.id == format.id);
    seeds.extend(OTHERS.lines().filter(is_it).map(|line| line.as_bytes().to_vec()));
    seeds
}

/// Reads a body, and runs it where its types fit.
fn composed(data: &[u8]) {
    use graph::composed::{ComposedFunction, Proposal};
    let parameter =
        |name: &str, kind: &str| json!({ "name": name, "type": kind, "description": "" });
    let example = |result: u8| json!({ "graph": { "edges": [] }, "result": result });
    let value = json!({
        "name": "fuzzed", "description": "Whatever comes.", "body": text(data),
        "parameters": [parameter("s", "node"), parameter("t", "node"), parameter("k", "number")],
        "examples": [example(1), example(2)],
    });
    let Ok(proposal) = Proposal::from_json(&value) else { return };
    let Ok(function) = ComposedFunction::compile(proposal) else { return };
    for is_directed in [false, true] {
        let arguments = json!({ "s": 0, "t": "b c", "k": 4 });
        drop(function.call(&small(is_directed), &arguments));
    }
}

/// Calls a function as a model would: which one, and its arguments as it wrote them.
fn call(data: &[u8]) {
    let (which, rest) = choice(data);
    let function = &FUNCTIONS[which % FUNCTIONS.len()];
    let Ok(arguments) = serde_json::from_slice(rest) else { return };
    let graph = small(which >= 128);
    if let Ok(outcome) = function.call(&graph, arguments) {
        let mut next = graph.clone();
        for delta in &outcome.deltas {
            let done = next.apply(delta);
            assert!(done.is_ok(), "{}: {done:?}", function.name);
        }
    }
}

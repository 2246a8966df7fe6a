//! What models write: inline tool calls, searches, pairs of prompts; and the files of both benchmarks.

use std::cell::RefCell;

use systems::kgetool;
use systems::toolformer::instance::Instance;
use systems::toolformer::prompts::{augment, recognise};
use systems::toolformer::{Executor, Hubs, Mode, Segment, pack, parse};
use tasks::family::score::Ruleset as Rules;
use tasks::family::{
    Recipe, generate, read_files, read_messages, read_samples, read_tools, read_triples, write,
};

use crate::{Target, choice, text};

const CALLS: [&str; 6] = [
    "The diameter of [GL(\"gpr\", {\"lollipop_graph\"})] is [GR(GL(\"gpr\", {\"lollipop_graph\"}), \"toolx:diameter\")-->r].",
    "[GR(GL(\"cora\"), \"graph_bert:topic\", paper#7)-->r] and [GR(G, \"kmeans:graph_partition\", 3)]",
    "[TABLE(GL(\"umls\", {nodes}, {(\"a\", \"r\", \"b\")}), \"transe:head_entity\", \"x\", 'y')--> r]",
    "a [b] [ [c] ] [GR(((()]",
    "[GR(GL(\"mutag\", {graph#1, graph#2}), \"seg_bert:molecule_function\", -1, 2.5e3)-->r1, r2]",
    "[GL(\"file:/x.json\")] -> \\\"x\\\" [GR(GR(GR(GL(\"a\"), \"b\"), \"c\"), \"d\")]",
];

pub(super) fn targets() -> Vec<Target> {
    let calls = |places: &crate::Places| {
        let mut seeds: Vec<Vec<u8>> = CALLS.iter().map(|c| c.as_bytes().to_vec()).collect();
        for line in places.lines("toolformer", ".jsonl.gz", 1) {
            if let Ok(line) = serde_json::from_slice::<serde_json::Value>(&line) {
                let fields = line.as_object().into_iter().flatten();
                seeds.extend(fields.filter_map(|(_, v)| Some(v.as_str()?.as_bytes().to_vec())));
            }
        }
        seeds
    };
    vec![
        Target::new("toolformer_parse", 1024, read_calls, calls),
        toolformer_run(),
        Target::new(
            "toolformer_prompts",
            1024,
            |data| {
                let text = text(data);
                let _ = recognise(&text);
                let _ = augment::read(&text);
                if let Ok(instance) = Instance::read(&text) {
                    let _ = (instance.line(), instance.answers());
                }
            },
            |places| {
                let mut seeds = places.lines("toolformer", ".jsonl.gz", 1);
                seeds.push(br#"{"input": "What is the diameter of the lollipop graph?", "output": "It is [GR(GL(\"gpr\", {\"lollipop_graph\"}), \"toolx:diameter\")-->r]."}"#.to_vec());
                seeds
            },
        ),
        Target::new("toolformer_pack", 8192, |data| drop(pack::read(&text(data))), |_| packs()),
        Target::new(
            "kgetool_answer",
            1024,
            |data| {
                let text = text(data);
                for mode in [Rules::Paper, Rules::Compat] {
                    let _ = kgetool::parse(&text, mode);
                }
            },
            |_| {
                let known = [
                    "(Bob)-[mother]->(x)-[works_at]->(y)",
                    "1. Bob -> mother -> birthday\n2. [\"Ada\", \"father\", \"email\"]",
                    "{\"searches\": [{\"start\": \"Bob\", \"relations\": [\"mother\", \"email\"]}]}",
                    "```json\n[['Bob', 'mother'], ['Bob', 'father', 'phone']]\n```",
                ];
                known.iter().map(|k| k.as_bytes().to_vec()).collect()
            },
        ),
        Target::new("family_files", 16_384, run_family, |_| families()),
    ]
}

/// What the printer writes is read as the same tree.
fn read_calls(data: &[u8]) {
    for segment in parse(&text(data)) {
        let Segment::Site(site) = segment else { continue };
        let Ok(bracket) = site.bracket else { continue };
        let written = bracket.to_string();
        let again = parse(&written);
        let same = match again.as_slice() {
            [Segment::Site(site)] => site.bracket.as_ref() == Ok(&bracket),
            _ => false,
        };
        assert!(same, "{:?} is written {written:?} and read {again:?}", site.source);
    }
}

fn toolformer_run() -> Target {
    let executors = RefCell::new(Vec::new());
    let run = move |data: &[u8]| {
        let mut executors = executors.borrow_mut();
        if executors.is_empty() {
            for mode in [Mode::Ours, Mode::Reference] {
                executors.extend(Hubs::new().ok().map(|hubs| Executor::new(hubs, mode)));
            }
        }
        for executor in executors.iter_mut() {
            let _ = executor.run(&text(data));
        }
    };
    Target::new("toolformer_run", 512, run, |_| {
        let mut seeds: Vec<Vec<u8>> = CALLS.iter().map(|c| c.as_bytes().to_vec()).collect();
        let Ok(hubs) = Hubs::new() else { return seeds };
        for name in ["gpr", "mutag"] {
            let pairs = systems::toolformer::prompts::make(&hubs, name, 40, 1).unwrap_or_default();
            seeds.extend(pairs.into_iter().map(|pair| pair.output.into_bytes()));
        }
        seeds
    })
}

fn packs() -> Vec<Vec<u8>> {
    let network = br#"{"format":"graphground-data","version":1,"name":"own","title":"Own","kind":"citation_network","nodes":2,"links":1}
{"id":"a","label":"x","features":[[0,1.0]]}
{"id":"b"}
{"from":"a","to":"b","weight":2.0}
"#;
    vec![network.to_vec()]
}

/// The files of a family benchmark, and its samples as messages; the first byte says which.
fn families() -> Vec<Vec<u8>> {
    let mut seeds = vec![
        b"\x03['Bob', 'mother', 'Ada']\n['Ada', 'email', 'a@b.c']\n".to_vec(),
        b"\x02[{\"name\":\"send\",\"description\":\"d\",\"parameters\":{\"to\":{\"type\":\"string\"}}}]".to_vec(),
        b"\x04{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"tool_calls\":[{\"function\":{\"name\":\"send\",\"arguments\":\"{}\"}}]}],\"tools\":[]}".to_vec(),
    ];
    let recipe = Recipe::small(1);
    if let Ok(written) = generate(recipe).and_then(|benchmark| write(&benchmark)) {
        for (which, n) in [(0, usize::MAX), (1, 3), (1, 1)] {
            let part: String = written.split_inclusive('\n').take(n).collect();
            seeds.push([&[which][..], part.as_bytes()].concat());
        }
    }
    seeds
}

fn run_family(data: &[u8]) {
    let (which, rest) = choice(data);
    let text = text(rest);
    match which % 5 {
        0 => drop(read_files(&[("x".to_owned(), text.into_owned())])),
        1 => drop(read_samples(&text)),
        2 => drop(read_tools(&text)),
        3 => drop(read_triples("x", &text)),
        _ => drop(read_messages(&text)),
    }
}

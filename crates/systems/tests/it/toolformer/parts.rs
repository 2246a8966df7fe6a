//! What `GL` loads beside whole datasets: parts of knowledge graphs, and files.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use kg::KgBuilder;
use proptest::prelude::*;
use systems::toolformer::data::Data;
use systems::toolformer::files::{CallFiles, FileData, read};
use systems::toolformer::hubs::{DatasetKind, Hubs};
use systems::toolformer::{Executor, MemoryValue, Mode};

type Triple = (String, String, String);

fn triple(fact: &(&str, &str, &str)) -> Triple {
    (fact.0.to_owned(), fact.1.to_owned(), fact.2.to_owned())
}

const FACTS: &[(&str, &str, &str)] = &[
    ("/m/1", "/people/born_in", "/m/2"),
    ("/m/1", "/people/lives_in", "/m/2"),
    ("/m/2", "/place/in", "/m/3"),
    ("/m/4", "/people/born_in", "/m/3"),
    ("/m/1", "/people/knows", "/m/4"),
];

fn hubs() -> Hubs {
    let mut builder = KgBuilder::new("freebase");
    for (id, name) in [("/m/1", "Ann Low"), ("/m/2", "North Home"), ("/m/3", "Ulm"), ("/m/4", "Bo")]
    {
        builder.node(id, "Thing", name, serde_json::Map::new()).unwrap();
    }
    builder.node("/m/5", "Thing", "Ulm", serde_json::Map::new()).unwrap();
    for (head, relation, tail) in FACTS {
        builder.edge(head, relation, tail).unwrap();
    }
    let data = Data::Knowledge(Rc::new(builder.build().unwrap()));
    Hubs::new().unwrap().with_data("freebase", DatasetKind::Knowledge, data)
}

/// The entities and facts that a call loads, or why it loads none.
fn loaded(hubs: Hubs, arguments: &str) -> Result<(Vec<String>, BTreeSet<Triple>), String> {
    let ran = Executor::new(hubs, Mode::Ours).run(&format!("[GL(\"freebase\"{arguments})]"));
    let call = ran.calls().next().unwrap();
    if let Some(error) = &call.error {
        return Err(error.to_string());
    }
    let Ok(MemoryValue::Graph(graph)) = &call.done[0].value else { panic!("a graph") };
    let Data::Knowledge(kg) = &graph.data else { panic!("facts") };
    let relation = |r| kg.schema().edge_type(r).name.clone();
    let facts = kg.edges().map(|(h, r, t)| (kg.id(h).into(), relation(r), kg.id(t).into()));
    Ok((kg.nodes().map(|n| kg.id(n).to_owned()).collect(), facts.collect()))
}

#[test]
fn parts_of_a_knowledge_graph_are_loaded() {
    let size = |arguments: &str| {
        loaded(hubs(), arguments).map(|(nodes, facts)| (nodes.len(), facts.len()))
    };
    assert_eq!(size(""), Ok((5, 5)));
    assert_eq!(size(", \"all entities\", \"all facts\""), Ok((5, 5)));
    // Entities with the facts between them, by id, by reference and by name.
    assert_eq!(size(", {\"/m/1\", entity#/m/2, \"Bo\"}"), Ok((3, 3)));
    assert_eq!(size(", {\"Ann Low\", \"North Home\"}, \"all related facts\""), Ok((2, 2)));
    // Facts with their ends; a pair is every fact from the one to the other, as in the paper's
    // example of Freebase.
    assert_eq!(size(", \"all related entities\", {(/m/1, /people/born_in, /m/2)}"), Ok((2, 1)));
    assert_eq!(size(", \"all\", {(/m/1, \"/people/born_in\", /m/2)}"), Ok((5, 1)));
    assert_eq!(
        size(
            ", {\"Ann Low\", \"North Home\", /m/3}, {(\"Ann Low\", \"North Home\"), \
             (\"North Home\", /m/3)}"
        ),
        Ok((3, 3))
    );
    // All facts of a relation.
    let (nodes, facts) =
        loaded(hubs(), ", \"all related entities\", {relation#/people/born_in}").unwrap();
    assert_eq!(nodes, ["/m/1", "/m/2", "/m/3", "/m/4"]);
    assert_eq!(facts, BTreeSet::from([triple(&FACTS[0]), triple(&FACTS[3])]));
    assert_eq!(size(", {/m/1, /m/2}, {relation#/people/born_in}"), Ok((2, 1)));
}

#[test]
fn what_a_knowledge_graph_lacks_is_told() {
    let told = |arguments: &str| loaded(hubs(), arguments).unwrap_err();
    assert!(told(", {\"/m/9\"}").contains("no node \"/m/9\"; near it are /m/1"));
    assert_eq!(
        told(", {\"Ulm\"}"),
        "2 entities have the name \"Ulm\"; give the id of one: /m/3, /m/5"
    );
    assert!(
        told(", \"all\", {(/m/1, /people/bornin, /m/2)}")
            .contains("no relation \"/people/bornin\"; near it are /people/born_in")
    );
    assert!(told(", \"all\", {(/m/1, /place/in, /m/2)}").contains(
        "no fact \"Ann Low\" /place/in \"North Home\"; between the two there are Ann Low"
    ));
    // The other way round there is one, and the error says so.
    assert!(
        told(", \"all\", {(/m/4, /m/1)}")
            .contains("between the two there are Ann Low /people/knows Bo")
    );
    assert!(
        told(", {/m/1, /m/3}, {(/m/1, /m/2)}").starts_with("the graph has no node \"North Home\"")
    );
    assert!(told(", \"all\", {(/m/1)}").contains("{(\"head\", \"relation\", \"tail\")}"));
    assert!(told(", {(/m/1, /m/2)}").contains("does not say which entities"));
    let long = "x".repeat(900);
    assert!(told(&format!(", {{\"{long}\"}}")).starts_with("the graph has no node"));
}

proptest! {
    #[test]
    fn a_part_is_what_a_filter_over_the_facts_leaves(
        named in proptest::collection::btree_set(1..6u8, 1..5),
        wanted in proptest::collection::btree_set(0..FACTS.len(), 0..4),
        is_all in any::<bool>(),
        are_facts_named in any::<bool>(),
    ) {
        let id = |n: &u8| format!("/m/{n}");
        let nodes = match is_all {
            true => "\"all related entities\"".to_owned(),
            false => format!("{{{}}}", named.iter().map(id).collect::<Vec<_>>().join(", ")),
        };
        let are_facts_named = are_facts_named && !wanted.is_empty();
        let tuple = |i: &usize| { let (h, r, t) = FACTS[*i]; format!("({h}, {r}, {t})") };
        let links = match are_facts_named {
            true => format!("{{{}}}", wanted.iter().map(tuple).collect::<Vec<_>>().join(", ")),
            false => "\"all facts\"".to_owned(),
        };
        // The oracle: lists of texts, filtered.
        let is_in = |n: &str| is_all || named.iter().any(|x| id(x) == n);
        let chosen: BTreeSet<Triple> = FACTS.iter().enumerate()
            .filter(|(i, _)| !are_facts_named || wanted.contains(i))
            .map(|(_, f)| triple(f)).collect();
        let outside = chosen.iter().any(|(h, _, t)| !is_in(h) || !is_in(t));
        let facts: BTreeSet<Triple> =
            chosen.into_iter().filter(|(h, _, t)| is_in(h) && is_in(t)).collect();
        let mut entities: BTreeSet<String> = match is_all {
            true => facts.iter().flat_map(|(h, _, t)| [h.clone(), t.clone()]).collect(),
            false => named.iter().map(id).collect(),
        };
        if is_all && !are_facts_named {
            entities = (1..6).map(|n| id(&n)).collect();
        }
        match loaded(hubs(), &format!(", {nodes}, {links}")) {
            Err(told) => prop_assert!(are_facts_named && outside, "{told}"),
            Ok((found, kept)) => {
                prop_assert!(!(are_facts_named && outside));
                prop_assert_eq!(found, entities.into_iter().collect::<Vec<_>>());
                prop_assert_eq!(kept, facts);
            }
        }
    }
}

/// A folder of two files, which counts how often it is asked.
#[derive(Default)]
struct Folder(RefCell<Vec<String>>);

impl CallFiles for Folder {
    fn load(&self, steps: &[&str]) -> Result<FileData, String> {
        let path = steps.join("/");
        self.0.borrow_mut().push(path.clone());
        match path.as_str() {
            "graphs/roads.txt" => read(&path, "a b\nb c\nc a\n"),
            "people.tsv" => read(&path, "Ann\tknows\tBob\nBob\tlikes\tCid\n"),
            _ => Err("there is no such file".to_owned()),
        }
    }

    fn paths(&self, most: usize) -> Vec<String> {
        ["graphs/roads.txt", "people.tsv"].iter().take(most).map(ToString::to_string).collect()
    }
}

#[test]
fn a_call_loads_a_file_where_a_folder_is_open() {
    let folder = Rc::new(Folder::default());
    let hubs = Hubs::new().unwrap().with_files(folder.clone());
    let mut executor = Executor::new(hubs.clone(), Mode::Ours);
    let size = "[GR(GL(\"graphs/roads.txt\"), \"toolx:size\")-->r]";
    assert_eq!(executor.run(size).text, "3");
    // As the paper's first table writes it; the part of a file is a part like any other.
    let named = "[GL(file-path:\"./graphs/roads.txt\") -> G_l][GR(G_l, \"toolx:order\")->r]";
    assert_eq!(executor.run(named).text, "3");
    let part = "[GR(GL(\"graphs/roads.txt\", {\"a\", \"b\"}), \"toolx:size\")-->r]";
    assert_eq!(executor.run(part).text, "1");
    let facts = executor.run("[GL(\"people.tsv\", {\"Ann\", \"Bob\"})-->r]");
    assert_eq!(facts.text, "people: a knowledge graph, 2 nodes and 1 link");
    // What is remembered is not read again, and a path keeps its capitals.
    assert_eq!(executor.run(size).text, "3");
    let other = executor.run("[GL(\"graphs/Roads.txt\")]");
    assert!(other.calls().next().unwrap().error.is_some());
    let asked = folder.0.borrow().clone();
    assert_eq!(asked.iter().filter(|p| *p == "graphs/roads.txt").count(), 3, "{asked:?}");
    // A model is told of the files.
    let told = systems::toolformer::write::prompt(&hubs, "How many roads are there?");
    assert!(told[0].content.contains("graphs/roads.txt, people.tsv"), "{}", told[0].content);
}

#[test]
fn nothing_is_read_that_nobody_opened() {
    let why = |hubs: Hubs, mode: Mode, name: &str| {
        let ran = Executor::new(hubs, mode).run(&format!("[GL(\"{name}\")]"));
        ran.calls().next().unwrap().error.clone().unwrap()
    };
    let folder = Rc::new(Folder::default());
    let open = || Hubs::new().unwrap().with_files(folder.clone());
    for path in
        ["../people.tsv", "/people.tsv", "graphs/../../people.tsv", "~/people.tsv", "C:\\a.csv"]
    {
        let error = why(open(), Mode::Ours, path);
        assert_eq!(serde_json::to_value(&error).unwrap()["kind"], "file", "{path}: {error}");
        assert!(error.to_string().contains("from the folder of --files on"), "{error}");
    }
    for address in ["http://a.example/g.csv", "https://a.example", "file:///etc/passwd"] {
        for hubs in [open(), Hubs::new().unwrap()] {
            let error = why(hubs, Mode::Ours, address);
            assert_eq!(serde_json::to_value(&error).unwrap()["kind"], "address", "{error}");
            assert!(error.to_string().contains("Fetch the file yourself"), "{error}");
        }
    }
    assert!(folder.0.borrow().is_empty(), "a path that leads out was handed on");
    let closed = why(Hubs::new().unwrap(), Mode::Ours, "people.tsv").to_string();
    assert!(
        closed.contains("--files FOLDER opens one") && closed.contains("drop the file"),
        "{closed}"
    );
    // The public code knows names alone.
    let reference = why(open(), Mode::Reference, "people.tsv");
    assert!(reference.to_string().starts_with("there is no dataset"), "{reference}");
}

//! Graphs in stores: what a plan gives there is what it gives on the graph itself.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use agent::{Cancel, Transport};
use backends::sparql::Sparql;
use futures_util::FutureExt as _;
use kg::find::{FindOptions, Finder};
use kg::plan::{Plan, Semantics, execute, read_plan, verify};
use kg::stores::{Ask, ConfirmedForWriting, Remote, RemoteEdge, StoreAddress, StorePart, Told};
use kg::{Direction, Kg, Schema};
use llm::{Endpoint, HttpRequest};
use systems::kgqa::scripted::KgScript;
use systems::kgqa::{Away, KgOptions, KgRequest, answer};
use systems::remote::{RemoteError, RemoteKg, RemoteQueries};
use tasks::Verdict;
use test_support::{Answering, context, response};
use trace::{StepBody, Stop};

/// What a store of the graph would tell.
fn tell(kg: &Kg, ask: &Ask) -> Told {
    let remote = |n| Remote {
        id: kg.id(n).to_owned(),
        name: kg.name(n).to_owned(),
        node_type: Some(kg.schema().node_type(kg.node_type(n)).name.clone()),
    };
    match ask {
        Ask::Named { name, .. } => {
            Told::Nodes { nodes: kg.named(name).into_iter().map(remote).collect(), is_cut: false }
        }
        Ask::Neighbors { nodes, edge_type, way, limit } => {
            let mut edges = Vec::new();
            for id in nodes {
                let node = kg.find_id(id).unwrap();
                for (of, way, other) in kg.edges_of(node, *way) {
                    let of = kg.schema().edge_type(of).name.clone();
                    if edge_type.as_ref().is_none_or(|wanted| *wanted == of) {
                        let (node, other) = (id.clone(), remote(other));
                        edges.push(RemoteEdge { node, edge_type: of, way, other });
                    }
                }
            }
            let is_cut = edges.len() > *limit;
            edges.truncate(*limit);
            Told::Edges { edges, is_cut }
        }
        _ => panic!("a part asks for no types"),
    }
}

fn outline(kg: &Kg) -> Schema {
    let s = kg.schema();
    let types = s.node_types().iter().map(|t| t.name.as_str());
    // Types in another order than the graph's own, as a store tells them by their sizes.
    let mut types: Vec<&str> = types.collect();
    types.reverse();
    let ends = s.edge_types().iter().flat_map(|e| {
        e.ends.iter().map(|n| {
            (e.name.as_str(), s.node_type(n.from).name.as_str(), s.node_type(n.to).name.as_str())
        })
    });
    Schema::given(types, ends)
}

fn names(kg: Arc<Kg>, plan: &Plan, semantics: Semantics, find: FindOptions) -> BTreeSet<String> {
    let ready = verify(plan, kg.schema(), semantics, "").ready.unwrap();
    let finder = Finder::new(kg.clone(), Rc::new(text::NGrams));
    execute(&ready, &finder, find).answer().texts(&kg).into_iter().collect()
}

/// Plans of every action that needs no attributes, about the metro network.
fn plans(kg: &Kg) -> Vec<Plan> {
    let finder = Finder::new(Arc::new(kg.clone()), Rc::new(text::NGrams));
    let mut plans: Vec<Plan> = tasks::kgqa::generate(finder.kg(), 60, 1, 3)
        .into_iter()
        .filter_map(|q| q.plan)
        .filter(|p| p.steps.iter().all(|s| !["attribute", "filter"].contains(&s.action.as_str())))
        .collect();
    let lines: Vec<&str> = kg
        .nodes()
        .filter(|n| kg.schema().node_type(kg.node_type(*n)).name == "Line")
        .map(|n| kg.name(n))
        .collect();
    let (a, b) = (lines[0], lines[1]);
    for steps in [
        format!("s1: Find_Node[{a}, Line]\ns2: Fetch_Neighbors[s1, node_type=Person]"),
        format!("s1: Find_Node[{a}, Line]\ns2: Fetch_Neighbors[s1, node_type=Line]"),
        format!("s1: Find_Node[{a}, Line]\ns2: Fetch_Neighbors[s1, node_type=Station]"),
    ] {
        plans.push(read_plan(&steps).unwrap());
    }
    let path = format!(
        r#"{{"steps": [{{"id":"a","action":"find_node","hint":"{a}","node_type":"Line"}},
        {{"id":"b","action":"find_node","hint":"{b}","node_type":"Line"}},
        {{"id":"p","action":"shortest_path","from":"a","to":"b"}}, {{"id":"n","action":"count","from":"p"}}]}}"#
    );
    plans.push(read_plan(&path).unwrap());
    plans
}

#[test]
fn a_part_gives_what_the_whole_gives() {
    let kg = Arc::new(kg::generators::metro(9, 5).unwrap());
    let mut n_brought = 0;
    for direction in [Direction::Both, Direction::Out, Direction::In] {
        for nearest in [true, false] {
            let semantics =
                Semantics { direction, nearest, extensions: true, ..Semantics::default() };
            for plan in plans(&kg) {
                if verify(&plan, kg.schema(), semantics, "").ready.is_none() {
                    continue;
                }
                let mut part =
                    StorePart::new("metro", outline(&kg), plan.clone(), semantics).unwrap();
                while let Some(ask) = part.next().unwrap() {
                    part.take(&ask, tell(&kg, &ask));
                }
                let here = Arc::new(part.kg().unwrap());
                n_brought += 1;
                let (whole, part_of_it) = (
                    names(kg.clone(), &plan, semantics, FindOptions::default()),
                    names(here, &plan, semantics, StorePart::find_options(FindOptions::default())),
                );
                assert_eq!(whole, part_of_it, "{}", kg::plan::print_plan(&plan));
            }
        }
    }
    assert!(n_brought > 150, "{n_brought}");
}

#[test]
fn what_cannot_be_brought_is_told_before_anything_is_asked() {
    let kg = kg::generators::metro(4, 1).unwrap();
    let semantics = Semantics { extensions: true, ..Semantics::default() };
    let part = |steps: &str| {
        let plan = read_plan(&format!(r#"{{"steps": [{steps}]}}"#)).unwrap();
        StorePart::new("m", outline(&kg), plan, semantics).err().map(|e| e.to_string()).unwrap()
    };
    let find = r#"{"id":"s1","action":"find_node","hint":"X","node_type":"Line"}"#;
    let wrong = part(&find.replace("Line", "Tramway"));
    assert!(wrong.starts_with("the plan cannot run on this store"), "{wrong}");
    let of = r#"{"id":"s2","action":"attribute","from":"s1","attribute":"opened"}"#;
    // The store's schema names no attributes, so the verifier or the part refuses it.
    let wrong = part(&format!("{find}, {of}"));
    assert!(wrong.contains("attribute"), "{wrong}");
}

/// A SPARQL endpoint over a graph, in memory, that counts how often it is asked.
struct Endpointed<'k> {
    sparql: Sparql<&'k Kg>,
    n_asked: Cell<usize>,
    /// Half an answer from so many on.
    breaks_at: Cell<usize>,
}

impl<'k> Endpointed<'k> {
    fn over(kg: &'k Kg) -> Self {
        let (n_asked, breaks_at) = (Cell::new(0), Cell::new(usize::MAX));
        Self { sparql: Sparql::new(kg).unwrap(), n_asked, breaks_at }
    }

    fn transport(&self) -> impl Transport + '_ {
        Answering(|_: &Endpoint, request: HttpRequest| {
            self.n_asked.set(self.n_asked.get() + 1);
            let query = decoded(request.body.strip_prefix("query=").unwrap_or(&request.body));
            let mut body = self.sparql.results_json(&query, 100_000).unwrap();
            if self.n_asked.get() >= self.breaks_at.get() {
                body.truncate(body.len() / 2);
            }
            Ok(response(200, body))
        })
    }
}

/// What a form's value says, as the `url` of the standard decodes it.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(b) = rest.next() {
        bytes.push(match b {
            b'+' => b' ',
            b'%' => {
                let hex = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&hex).unwrap(), 16).unwrap()
            }
            b => b,
        });
    }
    String::from_utf8(bytes).unwrap()
}

fn place() -> StoreAddress {
    StoreAddress { url: "http://127.0.0.1:1/query".into(), database: None, language: "en".into() }
}

#[test]
fn graphrunner_answers_from_a_sparql_endpoint() {
    let kg = Arc::new(kg::generators::metro(6, 2).unwrap());
    let endpointed = Endpointed::over(&kg);
    let transport = endpointed.transport();
    let remote = RemoteKg::open("sparql", place(), &transport).now_or_never().unwrap().unwrap();
    assert_eq!(endpointed.n_asked.get(), 2);
    assert_eq!(remote.counts().n_nodes, kg.n_nodes() as u64);
    assert_eq!(remote.counts().n_edges, kg.n_edges() as u64);
    let outline = Finder::new(Arc::new(remote.outline().unwrap()), Rc::new(text::NGrams));
    let whole = Finder::new(kg.clone(), Rc::new(text::NGrams));
    let questions = tasks::kgqa::generate(&kg, 25, 1, 4);
    let cancel = Cancel::default();
    let options = KgOptions::default();
    let (mut n_right, mut n_local) = (0, 0);
    for question in &questions {
        let system = "graphrunner";
        let model = KgScript::Careful;
        let ask = |finder, away| {
            let request = KgRequest {
                system,
                finder,
                question,
                options: &options,
                setting: context(&cancel),
                away,
                has_person: false,
            };
            answer(request, &model, None, &mut |_| {}).now_or_never().unwrap()
        };
        let there = ask(&outline, Some(Away { remote: &remote, transport: &transport }));
        let here = ask(&whole, None);
        n_local += usize::from(here.score.verdict == Verdict::Correct);
        n_right += usize::from(there.score.verdict == Verdict::Correct);
        assert_eq!(there.score.verdict, here.score.verdict, "{}", question.question);
        assert!(there.outcome.claims.iter().all(|c| c.is_supported), "{:?}", there.outcome.claims);
        let note = there.trace.steps.iter().find_map(|s| match &s.body {
            StepBody::Note { text } => Some(text.clone()),
            _ => None,
        });
        assert!(note.unwrap().starts_with("asked the store"), "{:?}", there.trace.stop);
    }
    assert_eq!((n_right, n_local), (25, 25));
}

#[test]
fn a_store_that_breaks_off_ends_the_run_in_words() {
    let kg = Arc::new(kg::generators::metro(4, 2).unwrap());
    let endpointed = Endpointed::over(&kg);
    let transport = endpointed.transport();
    let open = |kind: &str| RemoteKg::open(kind, place(), &transport).now_or_never().unwrap();
    let wrong = open("mongo").err().unwrap().to_string();
    assert!(wrong.contains("\"mongo\"") && wrong.contains("sparql, neo4j"), "{wrong}");
    let remote = open("sparql").unwrap();
    endpointed.breaks_at.set(3);
    let outline = Finder::new(Arc::new(remote.outline().unwrap()), Rc::new(text::NGrams));
    let question = tasks::kgqa::generate(&kg, 1, 2, 4).remove(0);
    let cancel = Cancel::default();
    let request = KgRequest {
        system: "graphrunner",
        finder: &outline,
        question: &question,
        options: &KgOptions::default(),
        setting: context(&cancel),
        away: Some(Away { remote: &remote, transport: &transport }),
        has_person: false,
    };
    let run = answer(request, &KgScript::Careful, None, &mut |_| {}).now_or_never().unwrap();
    let Some(Stop::ModelFailed { message, .. }) = &run.trace.stop else {
        panic!("{:?}", run.trace.stop)
    };
    assert!(message.starts_with("the store:"), "{message}");
    // The plan is there: nothing of it was lost.
    assert!(run.outcome.plan.is_some());
    endpointed.n_asked.set(5);
    assert!(matches!(open("sparql"), Err(RemoteError::Store(_))));
}

#[test]
fn a_store_is_written_to_where_a_person_typed_its_address_and_nowhere_else() {
    let place = StoreAddress {
        url: "http://a.example/query".into(),
        database: None,
        language: "en".into(),
    };
    let update = "http://a.example/update";
    let store = RemoteQueries::open("sparql", place.clone(), Some(update.into())).unwrap();
    assert_eq!((store.language(), store.writes_to().as_str()), ("SPARQL", update));
    let sent = RefCell::new(Vec::new());
    let taken = Answering(|endpoint: &Endpoint, request: HttpRequest| {
        let is_update = request.url.ends_with("/update");
        let rows = r#"{"head": {"vars": ["x"]}, "results": {"bindings": [{}, {}]}}"#;
        sent.borrow_mut().push((endpoint.base_url.clone(), request));
        Ok(response(200, if is_update { "" } else { rows }))
    });
    let rows = store.read("SELECT ?x {}", 1, &taken).now_or_never().unwrap().unwrap();
    assert!(rows.is_cut && rows.rows.len() == 1);
    let elsewhere = ConfirmedForWriting::new("http://b.example", "http://b.example").unwrap();
    let refused = store.write("CLEAR ALL", &elsewhere, 1, &taken).now_or_never().unwrap();
    assert!(refused.unwrap_err().to_string().contains("is not confirmed"));
    assert_eq!(sent.borrow().len(), 1, "nothing was sent");
    let typed = ConfirmedForWriting::new(&store.writes_to(), update).unwrap();
    store.write("CLEAR ALL", &typed, 1, &taken).now_or_never().unwrap().unwrap();
    // Each address has a key of its own, if it has one.
    let sent = sent.borrow();
    assert_eq!(sent[0].0, "http://a.example/query");
    assert_eq!((sent[1].0.as_str(), sent[1].1.url.as_str()), (update, update));
    assert!(RemoteQueries::open("mysql", place, None).is_err());
}

//! Knowledge graphs: files, plans, questions in SPARQL, answers of stores.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use backends::sparql::Sparql;
use kg::find::{FindOptions, Finder};
use kg::formats::{ENOUGH_FAULTS, FORMATS};
use kg::plan::{Semantics, check_data, execute, read_plan, verify};
use kg::stores::{Ask, STORES, StoreAddress};
use kg::{Direction, Kg, KgBuilder};
use serde_json::{Map, Value, json};
use text::NGrams;

use crate::{Target, choice, text};

/// The longest query: a few joins, whose answer over one triple is one row.
const MAX_QUERY: usize = 300;

fn small() -> Option<Kg> {
    let mut builder = KgBuilder::new("small");
    let attributes: Map<String, Value> =
        [("born".to_owned(), json!(1815)), ("names".to_owned(), json!(["A", "B"]))]
            .into_iter()
            .collect();
    builder.node("p1", "Person", "Ada \"the\" <first>", attributes).ok()?;
    builder.node("p2", "Person", "Bob, Jr.", Map::new()).ok()?;
    builder.node("Book::b", "Book", "", Map::new()).ok()?;
    builder.edge("p1", "Person-wrote-Book", "Book::b").ok()?;
    builder.edge("p2", "knows", "p1").ok()?;
    builder.build().ok()
}

pub(super) fn targets() -> Vec<Target> {
    let mut all: Vec<Target> = FORMATS
        .iter()
        .map(|format| {
            let run = |data: &[u8]| {
                let mut builder = KgBuilder::new("");
                let faults = (format.read)(&text(data), &mut builder);
                assert!(faults.n <= ENOUGH_FAULTS && faults.first.len() <= faults.n);
                let _ = faults.refusal(format);
                if let Ok(kg) = builder.build() {
                    let _ = (format.write)(&kg);
                }
            };
            Target::new(format!("kg_{}", format.id), 2048, run, |places| {
                let mut seeds = vec![format.example.into()];
                seeds.extend(small().map(|kg| (format.write)(&kg).into_bytes()));
                if format.id == "jsonl" {
                    seeds.extend(places.lines("kgqa", "nodes.jsonl.gz", 5));
                    seeds.extend(places.lines("kgqa", "edges.jsonl.gz", 5));
                }
                seeds
            })
        })
        .collect();
    all.push(plans());
    all.push(sparql());
    all.push(sparql_limits());
    all.extend(STORES.iter().map(|kind| {
        let run = |data: &[u8]| {
            let place =
                StoreAddress { url: kind.example.into(), database: None, language: "en".into() };
            let Ok(store) = (kind.open)(place.clone()) else { return };
            let (which, rest) = choice(data);
            let status = if which >= 128 { 200 } else { 500 };
            let asks = asks();
            if let Ok(queries) = (kind.queries)(place, None) {
                drop(queries.rows(status, &text(rest), 10));
                drop(queries.written(status, &text(rest), 10));
            }
            drop(store.read(&asks[which % asks.len()], status, &text(rest)));
        };
        let id = kind.id;
        Target::new(format!("store_{id}"), 4096, run, move |places| {
            let tapes =
                |of: &str| places.files(&format!("crates/kg/tests/cassettes/{of}{id}"), ".json");
            let queries = tapes("queries/");
            let asks = tapes("").into_iter().filter_map(|tape| body(&tape));
            asks.chain(queries.iter().filter_map(|tape| query_body(tape))).collect()
        })
    }));
    all.push(Target::new(
        "kg_questions",
        2048,
        |data| {
            let text = text(data);
            // What is read as questions says that it is such a file.
            let is_read = tasks::kgqa::read_questions(&text).is_ok_and(|rows| !rows.is_empty());
            if is_read && text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
                assert!(tasks::kgqa::is_of_questions(&text));
            }
        },
        |places| {
            let mut seeds = places.lines("kgqa", "qa.jsonl.gz", 3);
            seeds.push(br#"{"id":"q","question":"Who?","answers":["a",1],"path":["x",["y_inverse"]],"start":"b"}"#.to_vec());
            seeds
        },
    ));
    all.push(Target::new(
        "kg_judge",
        1024,
        |data| {
            let text = text(data);
            let mut lines = text.splitn(3, '\n');
            let answers: Vec<String> =
                lines.next().unwrap_or_default().split('|').map(str::to_owned).collect();
            let named: Vec<String> =
                lines.next().unwrap_or_default().split('|').map(str::to_owned).collect();
            let _ = tasks::kgqa::judge(&answers, lines.next().unwrap_or_default(), &named);
            let _ = tasks::kgqa::recognise(&text);
        },
        |_| {
            vec![
                b"Ada|Bob, Jr.\nCid\nAnswer: Ada; Bob, Jr. and Cid".to_vec(),
                "Löwe\n\nThe ANSWER is: l\u{f6}we • x".into(),
                b"Which lines stop at Oak?".to_vec(),
            ]
        },
    ));
    all
}

/// The answer that a tape has, for the kind of ask that it is about.
/// What a store answered to a query in its own language.
fn query_body(tape: &[u8]) -> Option<Vec<u8>> {
    let tape: Value = serde_json::from_slice(tape).ok()?;
    let body = match &tape["body"] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let status = if tape["error"].is_null() { 128 } else { 0 };
    Some([&[status][..], body.as_bytes()].concat())
}

fn body(tape: &[u8]) -> Option<Vec<u8>> {
    let tape: Value = serde_json::from_slice(tape).ok()?;
    let body = match &tape["body"] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let ask: Ask = serde_json::from_value(tape["ask"].clone()).ok()?;
    let which = match ask {
        Ask::NodeTypes { .. } => 0,
        Ask::EdgeTypes { .. } => 1,
        Ask::Named { .. } => 2,
        Ask::Neighbors { .. } => 3,
    };
    let is_ok = tape["status"].as_u64().is_none_or(|s| s == 200);
    // A multiple of the number of asks, so that the same ask is meant.
    let head = which + if is_ok { 128 } else { 0 };
    Some([&[head][..], body.as_bytes()].concat())
}

fn asks() -> [Ask; 4] {
    [
        Ask::NodeTypes { limit: 10 },
        Ask::EdgeTypes { limit: 10 },
        Ask::Named { name: "Ada".into(), limit: 10 },
        Ask::Neighbors {
            nodes: vec!["p1".into(), "p2".into()],
            edge_type: None,
            way: Direction::Both,
            limit: 10,
        },
    ]
}

fn plans() -> Target {
    let finder = RefCell::new(None);
    let run = move |data: &[u8]| {
        let mut finder = finder.borrow_mut();
        if finder.is_none() {
            let Ok(kg) = kg::generators::metro(2, 1) else { return };
            *finder = Some(Finder::new(Arc::new(kg), Rc::new(NGrams)));
        }
        let (Some(finder), Ok(plan)) = (finder.as_ref(), read_plan(&text(data))) else { return };
        let semantics = Semantics::default();
        let verified = verify(&plan, finder.kg().schema(), semantics, "Which lines stop at Oak?");
        if let Some(ready) = verified.ready {
            let _ = check_data(&ready, finder, FindOptions::default());
            let _ = execute(&ready, finder, FindOptions::default());
        }
    };
    Target::new("kg_plan", 1024, run, |_| {
        let text = "1. find_node(\"Oak\", type=\"Station\")\n2. fetch_neighbors(1, edge=\"on_line\")\n3. find_common_nodes([(1, \"on_line\"), (2, \"on_line\")])\n";
        let json = r#"{"steps":[{"id":"s1","action":"find_node","hint":"Oak","node_type":"Station"},{"id":"s2","action":"fetch_neighbors","of":"s1","edge_type":"on_line"}],"answer":"s2"}"#;
        let code =
            "s1 = find_node('Oak', 'Station')\ns2 = fetch_neighbors(s1, 'on_line')\nreturn s2";
        let mut seeds: Vec<Vec<u8>> =
            [text, json, code].iter().map(|s| s.as_bytes().to_vec()).collect();
        let questions = kg::generators::metro(2, 1)
            .map(|kg| tasks::kgqa::generate(&Arc::new(kg), 12, 1, 1))
            .unwrap_or_default();
        for plan in questions.iter().filter_map(|q| q.plan.as_ref()) {
            seeds.extend(serde_json::to_vec(plan).ok());
        }
        seeds
    })
}

fn sparql() -> Target {
    let asked = RefCell::new(None);
    let run = move |data: &[u8]| {
        if data.len() > MAX_QUERY {
            return;
        }
        let mut asked = asked.borrow_mut();
        if asked.is_none() {
            let mut builder = KgBuilder::new("one");
            if builder.node("a", "T", "", Map::new()).is_err() {
                return;
            }
            // One triple: any join over it has one row at most.
            *asked = builder.build().ok().and_then(|kg| Sparql::new(kg).ok());
        }
        if let Some(asked) = asked.as_ref() {
            drop(asked.query(&text(data), 10));
        }
    };
    Target::new("kg_sparql", MAX_QUERY, run, |_| {
        [
            "SELECT * { ?s ?p ?o }",
            "SELECT ?n (COUNT(*) AS ?k) { ?n a type:T . OPTIONAL { ?n rdfs:label ?l } FILTER(?k > 1 || !bound(?l)) } GROUP BY ?n HAVING (?k > 0) ORDER BY DESC(?k) LIMIT 3",
            "PREFIX x: <urn:x#> ASK { x:a (x:b/^x:c|!x:d)* ?y . MINUS { ?y x:e \"t\"@en, 'u'^^x:f, 1.5e3 } }",
            "CONSTRUCT { ?a edge:b [ x ?c ] } WHERE { GRAPH ?g { ?a ?b ?c } UNION { VALUES (?a ?c) { (1 UNDEF) } } BIND(REPLACE(STR(?a), \"x\", \"y\") AS ?z) }",
            "DESCRIBE <urn:a> FROM <urn:b>",
            "SELECT * { SERVICE <http://x/> { ?s ?p ?o } FILTER NOT EXISTS { { SELECT DISTINCT ?s { ?s ?p (1 2) } } } }",
        ]
        .iter()
        .map(|q| q.as_bytes().to_vec())
        .collect()
    })
}

/// What is held of a query before it is parsed, on long ones too.
fn sparql_limits() -> Target {
    let run = |data: &[u8]| drop(backends::sparql::check(&text(data)));
    Target::new("kg_sparql_limits", 8192, run, |_| {
        [
            "SELECT * { VALUES (?a ?b) { (<urn:a> 1e-3) (x:b-c 'it''s') } ?a x:p/^x:q|!x:r ?b }"
                .into(),
            "{(".repeat(40),
            "'''\\'''\"\"\"<<urn:a> # {\n".repeat(9),
            "?s ?p ?o ; ?q 1, 2 . ".repeat(60),
        ]
        .iter()
        .map(|q: &String| q.as_bytes().to_vec())
        .collect()
    })
}

//! Stores: what is sent, what is read, and a real SPARQL engine behind the queries.
//!
//! The tapes under `tests/cassettes` follow public documentation, which each names; none was
//! recorded.

use std::path::{Path, PathBuf};

use kg::Direction;
use kg::stores::ConfirmedForWriting;
use kg::stores::{Ask, STORES, Store, StoreAddress, StoreError, find};
use kg::stores::{Told, schema};
use proptest::prelude::*;
use serde_json::{Value, json};

fn place(url: &str) -> StoreAddress {
    StoreAddress { url: url.into(), database: None, language: "en".into() }
}

fn open(kind: &str) -> Box<dyn Store> {
    let kind = find(kind).unwrap();
    (kind.open)(place(kind.example)).unwrap()
}

fn tapes() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cassettes");
    let mut found = Vec::new();
    for kind in STORES {
        for entry in std::fs::read_dir(folder.join(kind.id)).unwrap() {
            found.push((kind.id.to_owned(), entry.unwrap().path()));
        }
    }
    found.sort();
    found
}

fn tape(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn every_kind_has_tapes_for_every_ask() {
    for kind in STORES {
        let own = tapes().iter().filter(|(k, _)| k == kind.id).count();
        assert!(own >= 6, "{} has {own}", kind.id);
    }
}

#[test]
fn what_a_store_answers_is_read_as_the_tape_says() {
    for (kind, path) in tapes() {
        let tape = tape(&path);
        assert!(tape["source"].as_str().unwrap().len() > 10 && tape["recorded"] == json!(false));
        let ask: Ask = serde_json::from_value(tape["ask"].clone()).unwrap();
        let store = open(&kind);
        let status = tape["status"].as_u64().unwrap() as u16;
        let body = tape["body"].as_str().map_or_else(|| tape["body"].to_string(), str::to_owned);
        match store.read(&ask, status, &body) {
            Ok(told) => assert_eq!(serde_json::to_value(&told).unwrap(), tape["told"], "{path:?}"),
            Err(error) => {
                assert_eq!(json!(error.to_string()), tape["error"], "{path:?}");
                continue;
            }
        }
        // Half of an answer is never an answer.
        for end in (0..body.len()).filter(|i| body.is_char_boundary(*i)) {
            let error = store.read(&ask, status, &body[..end]).unwrap_err();
            assert_eq!(error, StoreError::Half { n_bytes: end }, "{path:?}");
        }
    }
}

fn asks() -> Vec<Ask> {
    let neighbors = |nodes: &[&str], edge_type: Option<&str>, way| Ask::Neighbors {
        nodes: nodes.iter().map(|n| (*n).to_owned()).collect(),
        edge_type: edge_type.map(str::to_owned),
        way,
        limit: 50,
    };
    vec![
        Ask::NodeTypes { limit: 100 },
        Ask::EdgeTypes { limit: 100 },
        Ask::Named { name: "ada Quill".into(), limit: 10 },
        neighbors(&["p2"], None, Direction::Both),
        neighbors(&["p2", "p3"], Some("has mother"), Direction::Out),
        neighbors(&["p1"], Some("has mother"), Direction::In),
    ]
}

#[test]
fn what_is_sent_is_what_it_was() {
    for kind in STORES {
        let store = open(kind.id);
        let sent: Vec<String> = asks()
            .iter()
            .map(|ask| {
                let request = store.request(ask).unwrap();
                format!(
                    "{} {}\n{:?}\n{}",
                    request.method, request.url, request.headers, request.body
                )
            })
            .collect();
        insta::assert_snapshot!(format!("sent_{}", kind.id), sent.join("\n\n"));
    }
}

#[test]
fn what_cannot_be_asked_is_refused_before_it_is_sent() {
    let sparql = find("sparql").unwrap();
    let neo4j = find("neo4j").unwrap();
    let refused = |kind: &kg::stores::StoreKind, place: StoreAddress| {
        (kind.open)(place).map(|_| ()).unwrap_err().to_string()
    };
    assert!(refused(sparql, place("ftp://x")).contains("expected https://"));
    let login = refused(sparql, place("https://me:secret@example.org/sparql"));
    assert!(login.contains("login") && !login.contains("secret"), "{login}");
    let spaced = StoreAddress { language: "en\") . }".into(), ..place("http://x/") };
    assert!(refused(sparql, spaced).contains("no language"));
    let database = StoreAddress { database: Some("../x".into()), ..place("http://x") };
    assert!(refused(neo4j, database).contains("no name of a database"));
    for kind in STORES {
        let store = open(kind.id);
        let error = |ask: Ask| store.request(&ask).unwrap_err().to_string();
        assert!(error(Ask::NodeTypes { limit: 0 }).contains("expected 1 to 10000"));
        assert!(error(Ask::Named { name: " ".into(), limit: 1 }).contains("the name has 1 bytes"));
        let nodes = vec!["n".to_owned(); 501];
        let many = Ask::Neighbors { nodes, edge_type: None, way: Direction::Out, limit: 1 };
        assert!(error(many).contains("501 nodes"));
    }
}

proptest! {
    /// Whatever an id or a name has in it, it cannot end the place that it stands in.
    #[test]
    fn nothing_that_is_asked_for_becomes_a_query(text in "\\PC{1,30}|[>\"'\\\\{}<;. \n]{1,12}") {
        let ask = Ask::Neighbors {
            nodes: vec![text.clone()], edge_type: Some(text.clone()), way: Direction::Out, limit: 3,
        };
        let Ok(request) = open("sparql").request(&ask) else { return Ok(()) };
        let query = decoded(&request.body);
        let plain = decoded(&open("sparql").request(&Ask::Neighbors {
            nodes: vec!["a".into()], edge_type: Some("a".into()), way: Direction::Out, limit: 3,
        }).unwrap().body);
        for sign in ['{', '}', '<', '>', '"', ';'] {
            prop_assert_eq!(query.matches(sign).count(), plain.matches(sign).count(), "{}", query);
        }
        let request = open("neo4j").request(&ask).unwrap();
        let body: Value = serde_json::from_str(&request.body).unwrap();
        let plain = open("neo4j").request(&Ask::Neighbors {
            nodes: vec!["a".into()], edge_type: None, way: Direction::Out, limit: 3,
        }).unwrap();
        let plain: Value = serde_json::from_str(&plain.body).unwrap();
        prop_assert_eq!(&body["statement"], &plain["statement"]);
        prop_assert_eq!(&body["parameters"]["nodes"][0], &json!(text));
    }

    #[test]
    fn any_answer_is_no_panic(body in "\\PC{0,60}", status in 100u16..600) {
        for kind in STORES {
            for ask in asks() {
                let _ = open(kind.id).read(&ask, status, &body);
            }
        }
    }
}

/// The query in a form.
fn decoded(body: &str) -> String {
    let body = body.strip_prefix("query=").unwrap().replace('+', " ");
    let mut bytes = Vec::new();
    let mut rest = body.bytes();
    while let Some(b) = rest.next() {
        if b == b'%' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
        } else {
            bytes.push(b);
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// A family whose ids, types and edges are no IRIs.
fn family() -> kg::Kg {
    let mut builder = kg::KgBuilder::new("family");
    for (id, of, name) in [
        ("p1", "Person", "Ada Quill"),
        ("p2", "Person", "Bo \"B\" Quill"),
        ("p3", "Person", "Cy"),
        ("c 1", "City", "Brackwater"),
    ] {
        builder.node(id, of, name, serde_json::Map::new()).unwrap();
    }
    for (source, edge, target) in [
        ("p2", "has mother", "p1"),
        ("p3", "has mother", "p2"),
        ("p2", "lives in", "c 1"),
        ("p2", "likes", "p2"),
    ] {
        builder.edge(source, edge, target).unwrap();
    }
    builder.build().unwrap()
}

/// Asks everything of something that answers SPARQL, and holds it against the graph.
fn holds_against_the_graph(
    store: &dyn Store,
    mut answer: impl FnMut(&kg::stores::StoreRequest) -> String,
) {
    let kg = family();
    let mut tell = |ask: &Ask| {
        let body = answer(&store.request(ask).unwrap());
        store.read(ask, 200, &body).unwrap_or_else(|e| panic!("{ask:?}: {e}"))
    };
    let Told::NodeTypes { types, is_cut: false } = tell(&Ask::NodeTypes { limit: 9 }) else {
        panic!()
    };
    let Told::EdgeTypes { ends, is_cut: false } = tell(&Ask::EdgeTypes { limit: 9 }) else {
        panic!()
    };
    let types_told: Vec<(&str, u64)> = types.iter().map(|t| (t.name.as_str(), t.n_nodes)).collect();
    assert_eq!(types_told, [("Person", 3), ("City", 1)]);
    let told = schema(&types, &ends);
    for edge_type in kg.schema().edge_types() {
        let own = told.edge_type(told.find_edge_type(&edge_type.name).unwrap());
        assert_eq!(own.ends.len(), edge_type.ends.len(), "{}", edge_type.name);
    }
    let Told::NodeTypes { types, is_cut: true } = tell(&Ask::NodeTypes { limit: 1 }) else {
        panic!()
    };
    assert_eq!(types.len(), 1);
    for name in ["Ada Quill", "ada Quill", "Bo \"B\" Quill", "Nobody\\"] {
        let Told::Nodes { nodes, .. } = tell(&Ask::Named { name: name.into(), limit: 5 }) else {
            panic!()
        };
        let expected: Vec<&str> = kg.named(name).iter().map(|n| kg.id(*n)).collect();
        assert_eq!(nodes.iter().map(|n| n.id.as_str()).collect::<Vec<_>>(), expected, "{name}");
    }
    for node in kg.nodes() {
        for way in [Direction::Out, Direction::In, Direction::Both] {
            let ask =
                Ask::Neighbors { nodes: vec![kg.id(node).into()], edge_type: None, way, limit: 50 };
            let Told::Edges { edges, is_cut: false } = tell(&ask) else { panic!() };
            let mut found: Vec<(String, Direction, String, String)> = edges
                .into_iter()
                .map(|e| (e.edge_type, e.way, e.other.name, e.other.node_type.unwrap()))
                .collect();
            let mut expected: Vec<_> = kg
                .edges_of(node, way)
                .map(|(t, way, other)| {
                    let of = &kg.schema().node_type(kg.node_type(other)).name;
                    (
                        kg.schema().edge_type(t).name.clone(),
                        way,
                        kg.name(other).to_owned(),
                        of.clone(),
                    )
                })
                .collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{} {way:?}", kg.id(node));
        }
    }
    let nodes = vec!["p2".to_owned(), "p3".to_owned()];
    let ask = Ask::Neighbors {
        nodes,
        edge_type: Some("has mother".into()),
        way: Direction::Out,
        limit: 1,
    };
    let Told::Edges { edges, is_cut: true } = tell(&ask) else { panic!() };
    assert_eq!(edges.len(), 1);
}

#[test]
fn a_sparql_engine_answers_as_the_graph_does() {
    use oxigraph::io::RdfFormat;
    use oxigraph::sparql::results::{QueryResultsFormat, QueryResultsSerializer};
    use oxigraph::sparql::{QueryResults, SparqlEvaluator};
    let engine = oxigraph::store::Store::new().unwrap();
    let turtle = (kg::formats::find("turtle").unwrap().write)(&family());
    engine.load_from_slice(RdfFormat::Turtle, &turtle).unwrap();
    holds_against_the_graph(&*open("sparql"), |request| {
        let query = SparqlEvaluator::new().parse_query(&decoded(&request.body)).unwrap();
        let QueryResults::Solutions(found) = query.on_store(&engine).execute().unwrap() else {
            panic!()
        };
        let mut to = QueryResultsSerializer::from_format(QueryResultsFormat::Json)
            .serialize_solutions_to_writer(Vec::new(), found.variables().to_vec())
            .unwrap();
        for solution in found {
            to.serialize(&solution.unwrap()).unwrap();
        }
        String::from_utf8(to.finish().unwrap()).unwrap()
    });
}

/// Over HTTP, where `GRAPHGROUND_OXIGRAPH` names oxigraph's own server (the PyPI package `oxigraph`
/// has it).
#[test]
fn oxigraphs_own_server_answers_as_the_graph_does() {
    use std::io::{Read as _, Write as _};
    use std::net::{TcpListener, TcpStream};
    use std::process::{Command, Stdio};
    let Some(program) = std::env::var_os("GRAPHGROUND_OXIGRAPH") else {
        test_data::missing("oxigraph's server, which GRAPHGROUND_OXIGRAPH names");
        return;
    };
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("127.0.0.1:{port}");
    let mut server = Command::new(program)
        .args(["serve", "--bind", &address])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let send = |path: &str, headers: &[(String, String)], body: &str| -> std::io::Result<String> {
        let mut stream = TcpStream::connect(&address)?;
        let headers: String = headers.iter().map(|(k, v)| format!("{k}: {v}\r\n")).collect();
        let n = body.len();
        write!(
            stream,
            "POST {path} HTTP/1.0\r\nhost: {address}\r\ncontent-length: {n}\r\n{headers}\r\n{body}"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    };
    let turtle = (kg::formats::find("turtle").unwrap().write)(&family());
    let header = [("content-type".to_owned(), "text/turtle".to_owned())];
    let loaded = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        send("/store?default", &header, &turtle).is_ok_and(|a| a.contains(" 20"))
    });
    let url = format!("http://{address}/query");
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        assert!(loaded, "the server did not take the graph");
        let store = (find("sparql").unwrap().open)(place(&url)).unwrap();
        holds_against_the_graph(&*store, |request| {
            let answer = send("/query", &request.headers, &request.body).unwrap();
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            assert!(head.contains(" 200"), "{answer}");
            whole(head, body)
        });
        let broken =
            send("/query", &[("content-type".into(), "application/sparql-query".into())], "SELECT")
                .unwrap();
        let (head, body) = broken.split_once("\r\n\r\n").unwrap();
        let body = &whole(head, body);
        let error = store.read(&Ask::NodeTypes { limit: 1 }, 400, body).unwrap_err();
        assert!(matches!(error, StoreError::Refused { status: 400, .. }), "{error}");

        // In its own language: what is written is read again, and what fails says why.
        let update_url = format!("http://{address}/update");
        let store = (find("sparql").unwrap().queries)(place(&url), Some(update_url)).unwrap();
        let typed = format!("http://{address}/update");
        let confirmed = ConfirmedForWriting::new(&store.writes_to(), &typed).unwrap();
        let answer = |request: &kg::stores::StoreRequest| {
            let path = request.url.strip_prefix(&format!("http://{address}")).unwrap();
            let answer = send(path, &request.headers, &request.body).unwrap();
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            let status = head.split(' ').nth(1).unwrap().parse::<u16>().unwrap();
            (status, whole(head, body))
        };
        let count = "SELECT (COUNT(*) AS ?n) { ?s <http://a.example/kiln> ?o }";
        let n = || {
            let (status, body) = answer(&store.query(count).unwrap());
            store.rows(status, &body, 9).unwrap().rows
        };
        assert_eq!(n(), [[serde_json::json!(0)]]);
        let insert = "INSERT DATA { <http://a.example/x> <http://a.example/kiln> 1, \"é\" }";
        let (status, body) = answer(&store.update(insert, &confirmed).unwrap());
        store.written(status, &body, 9).unwrap();
        assert_eq!(n(), [[serde_json::json!(2)]]);
        let (status, body) = answer(&store.query("ASK { ?s ?p 1 }").unwrap());
        assert_eq!(store.rows(status, &body, 9).unwrap().rows, [[serde_json::json!(true)]]);
        let (status, body) = answer(&store.update("INSERT DATE {}", &confirmed).unwrap());
        let error = store.written(status, &body, 9).unwrap_err();
        assert!(matches!(error, StoreError::Refused { status: 400, .. }), "{error}");
        // A query is no update, and an update no query.
        let (status, body) = answer(&store.query(insert).unwrap());
        assert!(store.rows(status, &body, 9).is_err());
        assert_eq!(n(), [[serde_json::json!(2)]]);
    }));
    server.kill().unwrap();
    server.wait().unwrap();
    if let Err(panic) = done {
        std::panic::resume_unwind(panic);
    }
}

/// A body that may have come in pieces, each after its length.
fn whole(head: &str, body: &str) -> String {
    if !head.to_lowercase().contains("transfer-encoding: chunked") {
        return body.to_owned();
    }
    let (mut rest, mut out) = (body, String::new());
    while let Some((length, after)) = rest.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap();
        out.push_str(&after[..length]);
        rest = after[length..].trim_start_matches("\r\n");
        if length == 0 {
            break;
        }
    }
    out
}

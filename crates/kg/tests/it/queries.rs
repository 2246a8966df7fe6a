//! Queries in a store's own language: what is sent, what is read, and who may write.
//!
//! The tapes under `tests/cassettes/queries` follow public documentation, which each names; none was
//! recorded.

use std::path::Path;

use kg::stores::{
    ConfirmedForWriting, MAX_QUERY, QueryStore, STORES, StoreAddress, StoreError, StoreRows, find,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The most rows that the tapes ask for.
const MAX_ROWS: usize = 3;

fn open(kind: &str) -> Box<dyn QueryStore> {
    let kind = find(kind).unwrap();
    let place = StoreAddress { url: kind.example.into(), database: None, language: "en".into() };
    (kind.queries)(place, None).unwrap()
}

fn confirmed(store: &dyn QueryStore) -> ConfirmedForWriting {
    ConfirmedForWriting::new(&store.writes_to(), &store.writes_to()).unwrap()
}

fn read(
    store: &dyn QueryStore,
    access: &Value,
    status: u16,
    body: &str,
) -> Result<StoreRows, StoreError> {
    match access.as_str() {
        Some("read") => store.rows(status, body, MAX_ROWS),
        _ => store.written(status, body, MAX_ROWS),
    }
}

#[test]
fn what_a_store_answers_to_a_query_is_read_as_the_tape_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cassettes/queries");
    for kind in STORES {
        let store = open(kind.id);
        let (mut n, mut n_errors) = (0, 0);
        for entry in std::fs::read_dir(folder.join(kind.id)).unwrap() {
            let path = entry.unwrap().path();
            let tape: Value =
                serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            assert!(
                tape["source"].as_str().unwrap().len() > 10 && tape["recorded"] == json!(false)
            );
            let query = tape["query"].as_str().unwrap();
            let request = match tape["access"].as_str() {
                Some("read") => store.query(query).unwrap(),
                _ => store.update(query, &confirmed(&*store)).unwrap(),
            };
            assert_eq!(request.method, "POST");
            let status = tape["status"].as_u64().unwrap() as u16;
            let body =
                tape["body"].as_str().map_or_else(|| tape["body"].to_string(), str::to_owned);
            n += 1;
            match read(&*store, &tape["access"], status, &body) {
                Ok(rows) => {
                    assert_eq!(serde_json::to_value(&rows).unwrap(), tape["rows"], "{path:?}");
                    // Half of an answer is never an answer, where an answer says something.
                    if tape["body"].is_object() {
                        for end in (0..body.len()).filter(|i| body.is_char_boundary(*i)) {
                            let error = read(&*store, &tape["access"], status, &body[..end]);
                            assert_eq!(error, Err(StoreError::Half { n_bytes: end }), "{path:?}");
                        }
                    }
                }
                Err(error) => {
                    n_errors += 1;
                    assert_eq!(json!(error.to_string()), tape["error"], "{path:?}");
                }
            }
        }
        assert!(n >= 8 && n_errors >= 4, "{}: {n} tapes, {n_errors} errors", kind.id);
    }
}

#[test]
fn what_is_sent_for_a_query_is_what_it_was() {
    let mut sent = Vec::new();
    for kind in STORES {
        let store = open(kind.id);
        for request in [
            store.query("A {\"b\"} + é\n&c=d").unwrap(),
            store.update("A {\"b\"} + é\n&c=d", &confirmed(&*store)).unwrap(),
        ] {
            let (method, url, body) = (request.method, request.url, request.body);
            sent.push(format!("{method} {url}\n{:?}\n{body}", request.headers));
        }
    }
    insta::assert_snapshot!("queries_sent", sent.join("\n\n"));
}

#[test]
fn nothing_is_written_where_nobody_typed_the_address() {
    for kind in STORES {
        let store = open(kind.id);
        let address = store.writes_to();
        assert!(ConfirmedForWriting::new(&address, &format!(" {address}/ ")).is_ok());
        for typed in ["", "yes", "http://127.0.0.1", &address[..address.len() - 1]] {
            let error = ConfirmedForWriting::new(&address, typed).unwrap_err().to_string();
            assert!(error.contains("is not confirmed") && error.contains(&address), "{error}");
        }
        let other = ConfirmedForWriting::new("http://a.example", "http://a.example").unwrap();
        let error = store.update("x", &other).unwrap_err();
        assert!(matches!(error, StoreError::NotConfirmed { .. }), "{error}");
    }
    assert!(ConfirmedForWriting::new("", "").is_err());
}

#[test]
fn updates_may_go_to_an_address_of_their_own() {
    let place = |url: &str, database: Option<&str>| StoreAddress {
        url: url.into(),
        database: database.map(str::to_owned),
        language: "en".into(),
    };
    let sparql = find("sparql").unwrap();
    let at = |url: &str| (sparql.queries)(place("http://a.example/query", None), Some(url.into()));
    let store = at("http://a.example/update").unwrap();
    assert_eq!(store.writes_to(), "http://a.example/update");
    let request = store.update("CLEAR ALL", &confirmed(&*store)).unwrap();
    assert_eq!(request.url, "http://a.example/update");
    assert_eq!(store.query("ASK {}").unwrap().url, "http://a.example/query");
    assert!(matches!(at("ftp://a.example"), Err(StoreError::Url { .. })));
    assert!(matches!(at("http://me:secret@a.example"), Err(StoreError::Login)));
    let neo4j = find("neo4j").unwrap();
    let movies = (neo4j.queries)(place("http://a.example:7474/", Some("movies")), None).unwrap();
    assert_eq!(movies.writes_to(), "http://a.example:7474/db/movies");
    let wrong = (neo4j.queries)(place("http://a.example", Some("../x")), None);
    assert!(matches!(wrong, Err(StoreError::Database { .. })));
}

#[test]
fn queries_and_answers_are_bounded() {
    for kind in STORES {
        let store = open(kind.id);
        for query in [" \n".to_owned(), "x".repeat(MAX_QUERY + 1)] {
            assert!(matches!(store.query(&query), Err(StoreError::Query { .. })));
            let update = store.update(&query, &confirmed(&*store));
            assert!(matches!(update, Err(StoreError::Query { .. })));
        }
    }
    // Some rows may be as large as many.
    let long = "x".repeat(1_000_000);
    let body = json!({ "data": { "fields": ["x"], "values": vec![vec![long]; 9] } }).to_string();
    let rows = open("neo4j").rows(202, &body, 100).unwrap();
    assert!(rows.is_cut && rows.rows.len() == 3, "{}", rows.rows.len());
    // A row that is too short has no value there.
    let body = json!({ "data": { "fields": ["x", "y"], "values": [[1], "odd"] } }).to_string();
    let rows = open("neo4j").rows(202, &body, 100).unwrap().rows;
    assert_eq!(rows, [[json!(1), Value::Null], [Value::Null, Value::Null]]);
}

proptest! {
    #[test]
    fn any_answer_to_a_query_is_no_panic(body in "\\PC{0,60}", status in 100u16..600) {
        for kind in STORES {
            for access in ["read", "write"] {
                let _ = read(&*open(kind.id), &json!(access), status, &body);
            }
        }
    }
}

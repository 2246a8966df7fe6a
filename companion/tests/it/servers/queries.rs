//! Queries that ended the process once, or kept it from everybody else.

use std::time::{Duration, Instant};

use crate::program::{PROGRAM, Server};

const KG: [&str; 6] = ["kg", "serve", "--kg", "metro:3:1", "--port", "0"];

fn ask(server: &Server, query: &str) -> (u16, String) {
    let of = "Content-Type: application/sparql-query\r\n";
    let (status, _, body) = server.ask("POST", "/query", of, query);
    (status, body)
}

fn is_well(server: &Server) {
    let (status, body) = ask(server, "SELECT * { ?s a ?t } LIMIT 3");
    assert!(status == 200 && body.matches("urn:kg:node").count() == 3, "{status} {body}");
}

/// `open` so many times, the middle, `close` as many times.
fn nested(open: &str, middle: &str, close: &str, n: usize) -> String {
    format!("SELECT * {{ {}{middle}{} }}", open.repeat(n), close.repeat(n))
}

#[test]
fn queries_that_are_too_deep_or_too_long_are_refused_and_the_next_is_answered() {
    let server = Server::start(&KG);
    let any = "?s ?p ?o";
    let too_much = [
        nested("{", any, "}", 5_000),
        format!("SELECT * {{ {any} FILTER {}1{} }}", "(".repeat(5_000), ")".repeat(5_000)),
        format!("SELECT * {{ FILTER(1{} > 0) }}", "+1".repeat(20_000)),
        format!("SELECT * {{ {{}}{} }}", " UNION {}".repeat(5_000)),
        nested("OPTIONAL {", any, "}", 3_000),
        nested("{SELECT * {", any, "}}", 3_000),
        nested("FILTER NOT EXISTS {", any, "}", 3_000),
        nested("[ ?p ", "1", " ]", 5_000),
        format!("SELECT * {{ ?s {}<urn:a> ?o }}", "<urn:a>/".repeat(900)),
    ];
    for query in &too_much {
        let (status, body) = ask(&server, query);
        assert_eq!(status, 400, "{}: {body}", &query[..40]);
        assert!(body.contains("the query has more than"), "{body}");
        is_well(&server);
    }
    let (status, body) = ask(&server, &format!("# {}", "x".repeat(200_000)));
    assert_eq!((status, body.contains("expected at most 100000")), (400, true), "{body}");
    let (status, body) = ask(&server, "SELECT * { ?a ?b ?c . ?d ?e ?f }");
    assert_eq!((status, body.contains("more than 10000 rows")), (400, true), "{body}");
}

/// Sorts the graph's cube: every row of it has to be held.
const CUBE: &str = "SELECT DISTINCT ?a ?d ?g { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?a";
/// Counts the graph's fifth power: no memory, and time without an end.
const COUNT: &str =
    "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n2 ?o }";

#[test]
fn a_query_that_takes_too_long_is_ended_while_others_are_answered() {
    let server = Server::start(&[&KG[..], &["--seconds", "3"]].concat());
    is_well(&server);
    std::thread::scope(|scope| {
        let heavy = scope.spawn(|| {
            let began = Instant::now();
            let told = ask(&server, COUNT);
            (told, began.elapsed())
        });
        std::thread::sleep(Duration::from_millis(500));
        let began = Instant::now();
        is_well(&server);
        assert!(began.elapsed() < Duration::from_secs(2), "others wait: {:?}", began.elapsed());
        let ((status, body), took) = heavy.join().unwrap();
        assert_eq!(status, 503, "{body}");
        assert!(body.contains("longer than 3 s"), "{body}");
        assert!((2..12).contains(&took.as_secs()), "{took:?}");
    });
    // As many as there are processes, and more: all end, and all processes come back.
    std::thread::scope(|scope| {
        let heavy: Vec<_> = (0..3).map(|_| scope.spawn(|| ask(&server, COUNT).0)).collect();
        assert!(heavy.into_iter().all(|h| h.join().unwrap() == 503));
    });
    is_well(&server);
}

#[test]
#[cfg(target_os = "linux")]
fn a_query_that_wants_too_much_memory_is_ended_and_the_next_is_answered() {
    let server = Server::start(&[&KG[..], &["--memory", "200", "--seconds", "60"]].concat());
    let (status, body) = ask(&server, CUBE);
    assert_eq!(status, 503, "{body}");
    assert!(body.contains("more than 200 MB of memory"), "{body}");
    is_well(&server);
    assert!(server.peak_mb() < 150, "the server itself: {} MB", server.peak_mb());
}

#[test]
fn the_command_line_is_held_to_the_same() {
    let sparql = |args: &[&str]| {
        let out = std::process::Command::new(PROGRAM)
            .args(["kg", "sparql", "--kg", "metro:3:1"])
            .args(args)
            .output()
            .unwrap();
        (out.status.code(), String::from_utf8(out.stderr).unwrap())
    };
    let (code, told) = sparql(&["--query", &nested("{", "?s ?p ?o", "}", 5_000)]);
    assert!(code == Some(1) && told.contains("brackets within each other"), "{code:?} {told}");
    let (code, told) = sparql(&["--query", COUNT, "--seconds", "1"]);
    assert!(code == Some(1) && told.contains("longer than 1 s"), "{code:?} {told}");
    let (code, told) = sparql(&["--query", "ASK {"]);
    assert!(code == Some(1) && told.contains("line 1"), "{code:?} {told}");
}

#[test]
fn a_graph_that_cannot_be_opened_is_told_before_anything_listens() {
    let out = std::process::Command::new(PROGRAM)
        .args(["kg", "serve", "--kg", "no-such-file.jsonl", "--port", "0"])
        .output()
        .unwrap();
    let told = String::from_utf8(out.stderr).unwrap();
    assert!(out.status.code() == Some(1) && told.contains("no-such-file.jsonl"), "{told}");
}

#[test]
#[cfg(target_os = "linux")]
fn no_process_is_left_when_the_server_is_killed_in_the_middle_of_a_query() {
    let mut server = Server::start(&KG);
    let children = || -> Vec<String> {
        let of = format!("PPid:\t{}", server.process.id());
        let all = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
        all.filter(|entry| {
            let status = std::fs::read_to_string(entry.path().join("status"));
            status.is_ok_and(|s| s.lines().any(|line| line == of))
        })
        .map(|entry| entry.path().display().to_string())
        .collect()
    };
    // The second may still be loading.
    let deadline = Instant::now() + Duration::from_secs(20);
    while children().len() < 2 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(50));
    }
    let children = children();
    assert_eq!(children.len(), 2, "{children:?}");
    std::thread::scope(|scope| {
        let heavy = scope.spawn(|| ask(&server, COUNT));
        std::thread::sleep(Duration::from_millis(500));
        let _ = std::process::Command::new("kill")
            .args(["-9", &server.process.id().to_string()])
            .status();
        heavy.join().unwrap();
    });
    server.process.wait().unwrap();
    let is_gone = |path: &String| {
        std::fs::read_to_string(format!("{path}/status")).map_or(true, |s| s.contains("State:\tZ"))
    };
    let deadline = Instant::now() + Duration::from_secs(5);
    while !children.iter().all(is_gone) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(children.iter().all(is_gone), "a process goes on without its server");
}

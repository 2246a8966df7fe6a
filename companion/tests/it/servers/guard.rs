//! Who is answered, and what no client can do to the others.

use std::io::Write as _;
use std::time::{Duration, Instant};

use super::SERVERS;
use crate::program::{Server, read};

#[test]
fn pages_elsewhere_and_other_hosts_are_refused_by_every_server() {
    for (args, path) in SERVERS {
        let server = Server::start(args);
        for headers in [
            "Origin: https://evil.example\r\n",
            "Origin: null\r\n",
            "Origin: http://localhost.evil.example\r\n",
            "Origin: http://127.0.0.1\r\nOrigin: https://evil.example\r\n",
            "Host: evil.example\r\n",
            "Host: 127.0.0.1.evil.example\r\n",
            "Host: 127.0.0.1\r\nHost: evil.example\r\n",
            // What a picture or a link of a page elsewhere sends, and a form.
            "Sec-Fetch-Site: cross-site\r\n",
            "Origin: https://evil.example\r\nContent-Type: application/x-www-form-urlencoded\r\n",
            "Origin: null\r\nContent-Type: text/plain\r\n",
        ] {
            for method in ["GET", "POST", "OPTIONS", "DELETE"] {
                let (status, head, body) = server.ask(method, path, headers, "");
                assert_eq!(status, 403, "{args:?} {method} {headers}: {head} {body}");
                assert!(!head.contains("access-control-allow"), "{args:?} {headers}: {head}");
            }
        }
        let origin = "Origin: https://teach.example\r\n";
        let (_, _, body) = server.ask("GET", path, origin, "");
        assert!(body.contains("--allow-origin https://teach.example"), "{args:?}: {body}");
    }
}

#[test]
fn pages_of_this_machine_and_named_ones_are_answered_and_may_read() {
    for (args, path) in SERVERS {
        let named = [args, &["--allow-origin", "https://teach.example", "--allow-origin", "null"]];
        let server = Server::start(&named.concat());
        for origin in ["http://localhost:8080", "http://127.0.0.1", "https://teach.example", "null"]
        {
            let headers = format!("Origin: {origin}\r\n");
            let (status, head, _) = server.ask("GET", path, &headers, "");
            assert_ne!(status, 403, "{args:?} {origin}");
            let line = format!("access-control-allow-origin: {origin}");
            assert!(head.contains(&line), "{args:?} {origin}: {head}");
            assert!(head.contains("vary: origin"), "{args:?}: {head}");
            assert!(!head.contains("private-network"), "only a preflight has it: {head}");
            let headers = format!(
                "{headers}Access-Control-Request-Method: POST\r\n\
                 Access-Control-Request-Private-Network: true\r\n"
            );
            let (status, head, _) = server.ask("OPTIONS", path, &headers, "");
            assert_eq!(status, 204, "{args:?} {origin}: {head}");
            assert!(head.contains("access-control-allow-private-network: true"), "{head}");
            assert!(head.contains(&line), "{head}");
        }
        let (status, ..) = server.ask("GET", path, "Host: teach.example\r\n", "");
        assert_ne!(status, 403, "{args:?}: a proxy under the named host");
        // A program is answered, and is told nothing that only browsers read.
        let (status, head, _) = server.ask("GET", path, "", "");
        assert!(status != 403 && !head.contains("access-control"), "{args:?}: {status} {head}");
    }
}

#[test]
fn a_form_cannot_ask_what_wants_json_or_sparql() {
    for (args, path) in
        [(SERVERS[0].0, "/v1/chat/completions"), (SERVERS[1].0, "/query"), (SERVERS[2].0, "/mcp")]
    {
        let server = Server::start(args);
        for of in ["text/plain", "multipart/form-data; boundary=x", ""] {
            let headers =
                format!("Content-Type: {of}\r\nAccept: application/json, text/event-stream\r\n");
            let (status, head, body) = server.ask("POST", path, &headers, "{}");
            assert_eq!(status, 415, "{args:?} {of:?}: {head} {body}");
        }
    }
}

#[test]
fn headers_and_bodies_are_bounded() {
    for (args, path) in SERVERS {
        let server = Server::start(args);
        let host = format!("Host: 127.0.0.1:{}", server.port);
        // One header without an end, and a million of them.
        for more in ["x".repeat(1_000), "A: b\r\n".repeat(200)] {
            let mut stream = server.connect();
            let mut sent = write!(stream, "GET {path} HTTP/1.1\r\n{host}\r\nX: ").is_ok();
            let mut n = 0;
            while sent && n < 200_000_000 {
                sent = stream.write_all(more.as_bytes()).is_ok();
                n += more.len();
            }
            assert!(n < 8_000_000, "{args:?}: {n} bytes of headers were taken");
            drop(stream);
        }
        let long = format!("X-Long: {}\r\n", "x".repeat(70_000));
        let (status, head, _) = server.ask("GET", path, &long, "");
        assert_eq!(status, 431, "{args:?}: {head}");
        // A body that says how long it is, and one that does not.
        let path = path.split('?').next().unwrap();
        let of = "Content-Type: application/json\r\n";
        let (status, _, body) = server.send(&format!(
            "POST {path} HTTP/1.1\r\n{host}\r\n{of}Content-Length: 99999999999\r\n\r\n{{"
        ));
        assert_eq!(status, 413, "{args:?}: {body}");
        let mut stream = server.connect();
        write!(stream, "POST {path} HTTP/1.1\r\n{host}\r\n{of}Transfer-Encoding: chunked\r\n\r\n")
            .unwrap();
        let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
        let mut n = 0;
        while n < 400_000_000 && stream.write_all(chunk.as_bytes()).is_ok() {
            n += 0x10000;
        }
        assert!(n < 40_000_000, "{args:?}: {n} bytes of a body were taken");
        #[cfg(target_os = "linux")]
        assert!(server.peak_mb() < 150, "{args:?}: {} MB", server.peak_mb());
        let (status, ..) = server.ask("GET", path, "", "");
        assert_ne!(status, 0, "{args:?}: it still answers");
    }
}

#[test]
fn slow_clients_end_and_do_not_keep_others_out() {
    for (args, path) in SERVERS {
        let server = Server::start(args);
        let host = format!("Host: 127.0.0.1:{}", server.port);
        // Half a head, half a body, nothing at all: more of each than there are places.
        let mut open: Vec<_> = (0..100).map(|_| server.connect()).collect();
        for i in 0..200 {
            let mut stream = server.connect();
            let text = if i % 2 == 0 {
                format!("GET {path} HTTP/1.1\r\n{host}\r\n")
            } else {
                format!("POST {path} HTTP/1.1\r\n{host}\r\nContent-Length: 50000\r\n\r\nabc")
            };
            stream.write_all(text.as_bytes()).unwrap();
            open.push(stream);
        }
        let began = Instant::now();
        let (status, ..) = server.ask("GET", path, "", "");
        assert!(status > 0 && began.elapsed() < Duration::from_secs(5), "{args:?}: shut out");
        // The last ones were let in, and are ended after a while.
        let mut last = open.pop().unwrap();
        let (status, head, _) = read(&mut last);
        assert_eq!(status, 408, "{args:?}: {head}");
        let mut before = open.pop().unwrap();
        assert_eq!(read(&mut before).0, 0, "{args:?}: half a head gets no answer");
        assert!(began.elapsed() < Duration::from_secs(30), "{args:?}: {:?}", began.elapsed());
    }
}

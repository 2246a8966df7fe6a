//! The servers of the companion under attack: pages elsewhere, slow and endless clients, and
//! queries that take everything.

// They look at a clock.
#![allow(clippy::disallowed_methods)]

mod guard;
mod queries;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server that runs, on a port of its own.
struct Server {
    port: u16,
    process: Child,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The commands that listen, each with a path that it answers.
const SERVERS: [(&[&str], &str); 3] = [
    (&["serve", "--port", "0"], "/v1/models"),
    (&["kg", "serve", "--kg", "metro:3:1", "--port", "0"], "/query?query=ASK%7B%7D"),
    (&["mcp", "--http", "127.0.0.1:0"], "/mcp"),
];

impl Server {
    fn start(args: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_graphground"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.split("http://127.0.0.1:").nth(1).unwrap_or_else(|| panic!("{line:?}"));
        let port = rest.split('/').next().unwrap().parse().unwrap();
        Self { port, process }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends a request as it is and gives status, headers in lower case, and body.
    fn send(&self, request: &str) -> (u16, String, String) {
        let mut stream = self.connect();
        // A server that refuses early may close before all is sent.
        let _ = stream.write_all(request.as_bytes());
        read(&mut stream)
    }

    /// Asks with these headers; a host is added where they have none.
    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String, String) {
        let has_host = headers.starts_with("Host:");
        let host =
            if has_host { String::new() } else { format!("Host: 127.0.0.1:{}\r\n", self.port) };
        self.send(&format!(
            "{method} {path} HTTP/1.1\r\n{host}Connection: close\r\nContent-Length: {}\r\n{headers}\r\n{body}",
            body.len()
        ))
    }

    /// The most memory that the process had, in megabytes.
    #[cfg(target_os = "linux")]
    fn peak_mb(&self) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    }
}

/// Reads an answer to the end of its connection.
fn read(stream: &mut TcpStream) -> (u16, String, String) {
    let mut bytes = Vec::new();
    // A connection that is reset after the answer gives what came.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    (status, head.to_lowercase(), body.to_owned())
}

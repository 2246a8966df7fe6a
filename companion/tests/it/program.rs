//! The program under test: started, asked over its outputs, listening on the loopback.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

/// The program as it was built for the tests.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_graphground");

/// The program, with nothing to read.
pub fn program() -> Command {
    let mut command = Command::new(PROGRAM);
    command.stdin(Stdio::null());
    command
}

pub fn graphground(args: &[&str]) -> Output {
    program().args(args).output().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Both outputs.
pub fn both(output: &Output) -> String {
    stdout(output) + &stderr(output)
}

/// What a command that has to succeed prints.
pub fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", both(output));
    stdout(output)
}

/// What a command that has to fail complains of.
pub fn complaint(output: &Output) -> String {
    assert!(!output.status.success(), "{}", both(output));
    stderr(output)
}

/// The path of a file for one test, whose name is given to no other.
pub fn scratch(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap();
    path.into_os_string().into_string().unwrap()
}

/// The values of a text with one in each line.
pub fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The program where it listens, on a port of its own, ended with the test.
pub struct Server {
    pub port: u16,
    /// The address that it printed, whole.
    pub address: String,
    pub process: Child,
    /// What it says after it said where it listens.
    pub says: BufReader<ChildStdout>,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    /// Starts a command that is to listen on port 0, and waits until it says which one it got.
    pub fn start(args: &[&str]) -> Self {
        let mut process =
            program().args(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut says = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        says.read_line(&mut line).unwrap();
        let rest = line.split("http://127.0.0.1:").nth(1).unwrap_or_else(|| panic!("{line:?}"));
        let port = rest.split('/').next().unwrap().parse().unwrap();
        let address = rest.split_whitespace().next().unwrap();
        Self { port, address: format!("http://127.0.0.1:{address}"), process, says }
    }

    /// Starts the scripts as an endpoint.
    pub fn of_scripts() -> Self {
        Self::start(&["serve", "--port", "0"])
    }

    /// An address there.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends a request as it is and gives status, headers in lower case, and body.
    pub fn send(&self, request: &str) -> (u16, String, String) {
        let mut stream = self.connect();
        // A server that refuses early may close before all is sent.
        let _ = stream.write_all(request.as_bytes());
        read(&mut stream)
    }

    /// Asks with these headers; a host is added where they have none.
    pub fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> (u16, String, String) {
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
    pub fn peak_mb(&self) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    }
}

/// Reads an answer to the end of its connection.
pub fn read(stream: &mut TcpStream) -> (u16, String, String) {
    let mut bytes = Vec::new();
    // A connection that is reset after the answer gives what came.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    (status, head.to_lowercase(), body.to_owned())
}

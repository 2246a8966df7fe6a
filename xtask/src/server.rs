//! A small static server with the headers that WebAssembly threads need.

use std::fs;
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};

use crate::compressed;
use crate::steps::hold;

/// Requests that are answered at once.
const THREADS: usize = 16;

/// An answer that is no file.
pub struct Answer {
    /// A name whose ending tells its kind.
    pub name: &'static str,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// A line that is slower than the loopback; all answers share it.
pub struct Line {
    bytes_per_second: f64,
    delay: Duration,
    /// Until when it is busy.
    free: Mutex<Instant>,
}

impl Line {
    /// So many bytes a second, and so long until an answer begins.
    pub fn new(bytes_per_second: f64, delay: Duration) -> Self {
        Self { bytes_per_second, delay, free: Mutex::new(Instant::now()) }
    }

    /// Waits as long as so many bytes take.
    fn pass(&self, n_bytes: usize) {
        let took = Duration::from_secs_f64(n_bytes as f64 / self.bytes_per_second);
        let until = {
            let mut free = hold(&self.free);
            *free = (*free).max(Instant::now()) + took;
            *free
        };
        std::thread::sleep(until.saturating_duration_since(Instant::now()));
    }
}

/// Bytes that go over a slow line at once.
const PIECE: usize = 8_192;

/// A server on the loopback.
pub struct Server {
    http: Arc<tiny_http::Server>,
    port: u16,
    line: Option<Line>,
}

impl Server {
    /// Takes the port, or the next free one of the ten after it; 0 takes any.
    pub fn bind(port: u16) -> Result<Self> {
        let mut last = None;
        for candidate in port..=port.saturating_add(if port == 0 { 0 } else { 9 }) {
            match tiny_http::Server::http(("127.0.0.1", candidate)) {
                Ok(http) => {
                    let port = http.server_addr().to_ip().map_or(candidate, |a| a.port());
                    return Ok(Self { http: Arc::new(http), port, line: None });
                }
                Err(error) => last = Some(error),
            }
        }
        Err(anyhow!(
            "cannot listen on port {port} or the nine after it ({}): give a free one with --port",
            last.map(|e| e.to_string()).unwrap_or_default()
        ))
    }

    /// The same over a slow line.
    pub fn over(self, line: Line) -> Self {
        Self { line: Some(line), ..self }
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Answers until the process ends, several requests at once: a browser may stop reading one
    /// answer until it has another.
    pub fn run(&self, folder: &Path) -> Result<()> {
        self.run_with(folder, &|_, _| None)
    }

    /// The same, with a function that is asked first: it gets a path and what stands behind its `?`.
    pub fn run_with(
        &self,
        folder: &Path,
        first: &(dyn Fn(&str, &str) -> Option<Answer> + Sync),
    ) -> Result<()> {
        std::thread::scope(|scope| {
            let workers: Vec<_> =
                (0..THREADS).map(|_| scope.spawn(|| self.answer(folder, first))).collect();
            for worker in workers {
                worker.join().map_err(|_| anyhow!("a thread of the server broke"))??;
            }
            Ok(())
        })
    }

    fn answer(
        &self,
        folder: &Path,
        first: &(dyn Fn(&str, &str) -> Option<Answer> + Sync),
    ) -> Result<()> {
        loop {
            let request = self.http.recv()?;
            let url = request.url().split('#').next().unwrap_or("/").to_owned();
            let (path, query) = url.split_once('?').unwrap_or((&url, ""));
            let made = first(path, query).map(|a| (a.bytes, PathBuf::from(a.name)));
            let accepted = request.headers().iter().find(|h| h.field.equiv("Accept-Encoding"));
            let accepted = accepted.map(|h| h.value.to_string()).unwrap_or_default();
            let mut encoding = None;
            let found = made.or_else(|| {
                let file = locate(folder, path)?;
                let (sent, by) = compressed::chosen(&file, &accepted);
                encoding = by;
                Some((fs::read(sent).ok()?, file))
            });
            let (status, file, bytes) = match found {
                Some((bytes, file)) => ("200 OK", file, bytes),
                None => {
                    let words = format!("no file {path} here");
                    ("404 Not Found", PathBuf::from("words.txt"), words.into_bytes())
                }
            };
            // A browser that goes away before it has everything is no fault.
            let _ = write_answer(request, status, &file, encoding, self.line.as_ref(), &bytes);
        }
    }

    /// Answers on a thread of its own, for tests.
    pub fn spawn(self, folder: PathBuf) -> String {
        let url = self.url();
        std::thread::spawn(move || self.run(&folder));
        url
    }
}

/// Writes an answer that ends its connection: the library hands several connections to one thread,
/// and those that a browser keeps open would hold up the others for good.
fn write_answer(
    request: tiny_http::Request,
    status: &str,
    file: &Path,
    encoding: Option<&str>,
    line: Option<&Line>,
    bytes: &[u8],
) -> std::io::Result<()> {
    if let Some(line) = line {
        std::thread::sleep(line.delay);
    }
    let mut out = request.into_writer();
    write!(out, "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n", bytes.len())?;
    for (name, value) in headers(file) {
        write!(out, "{name}: {value}\r\n")?;
    }
    if let Some(encoding) = encoding {
        write!(out, "Content-Encoding: {encoding}\r\nVary: Accept-Encoding\r\n")?;
    }
    out.write_all(b"\r\n")?;
    let Some(line) = line else {
        out.write_all(bytes)?;
        return out.flush();
    };
    for piece in bytes.chunks(PIECE) {
        line.pass(piece.len());
        out.write_all(piece)?;
        out.flush()?;
    }
    Ok(())
}

fn locate(folder: &Path, path: &str) -> Option<PathBuf> {
    let relative = Path::new(path.trim_start_matches('/'));
    // Only plain names: nothing outside the folder can be asked for.
    if !relative.components().all(|c| matches!(c, Component::Normal(_))) {
        return None;
    }
    let file = folder.join(relative);
    let file = if file.is_dir() { file.join("index.html") } else { file };
    file.is_file().then_some(file)
}

fn headers(file: &Path) -> Vec<(&'static str, &'static str)> {
    let kind = match file.extension().and_then(|e| e.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webmanifest" => "application/manifest+json",
        _ => "text/plain; charset=utf-8",
    };
    // Python's frame has no origin, and none is the same as that: Firefox would block it.
    let is_frame = file.file_name().is_some_and(|name| name == "python.html");
    let shared_with = if is_frame { "cross-origin" } else { "same-origin" };
    vec![
        ("Content-Type", kind),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        // `credentialless`, not `require-corp`: the latter makes a blocked probe of an endpoint
        // look like a dead server.
        ("Cross-Origin-Embedder-Policy", "credentialless"),
        ("Cross-Origin-Resource-Policy", shared_with),
        ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "no-cache"),
    ]
}

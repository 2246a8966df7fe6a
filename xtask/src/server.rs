//! A small static server with the headers that WebAssembly threads need.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow};
use tiny_http::{Header, Response, StatusCode};

/// A server on the loopback.
pub struct Server {
    http: Arc<tiny_http::Server>,
    port: u16,
}

impl Server {
    /// Takes the port, or the next free one of the ten after it; 0 takes any.
    pub fn bind(port: u16) -> Result<Self> {
        let mut last = None;
        for candidate in port..=port.saturating_add(if port == 0 { 0 } else { 9 }) {
            match tiny_http::Server::http(("127.0.0.1", candidate)) {
                Ok(http) => {
                    let port = http.server_addr().to_ip().map_or(candidate, |a| a.port());
                    return Ok(Self { http: Arc::new(http), port });
                }
                Err(error) => last = Some(error),
            }
        }
        Err(anyhow!(
            "cannot listen on port {port} or the nine after it ({}): give a free one with --port",
            last.map(|e| e.to_string()).unwrap_or_default()
        ))
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Answers until the process ends.
    pub fn run(&self, folder: &Path) -> Result<()> {
        loop {
            let request = self.http.recv()?;
            let path = request.url().split(['?', '#']).next().unwrap_or("/").to_owned();
            let _ = match locate(folder, &path).and_then(|file| Some((fs::read(&file).ok()?, file)))
            {
                Some((bytes, file)) => {
                    let mut response = Response::from_data(bytes);
                    for (name, value) in headers(&file) {
                        if let Ok(header) = Header::from_bytes(name.as_bytes(), value.as_bytes()) {
                            response.add_header(header);
                        }
                    }
                    request.respond(response)
                }
                None => request.respond(
                    Response::from_string(format!("no file {path} here"))
                        .with_status_code(StatusCode(404)),
                ),
            };
        }
    }

    /// Answers on a thread of its own, for tests.
    pub fn spawn(self, folder: PathBuf) -> String {
        let url = self.url();
        std::thread::spawn(move || self.run(&folder));
        url
    }
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
        "js" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webmanifest" => "application/manifest+json",
        _ => "text/plain; charset=utf-8",
    };
    vec![
        ("Content-Type", kind),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        // `credentialless`, not `require-corp`: the latter makes a blocked probe of an endpoint
        // look like a dead server.
        ("Cross-Origin-Embedder-Policy", "credentialless"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "no-cache"),
    ]
}

//! The page's files on a server, also with the sandbox taken apart; and a port where nothing may arrive.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

/// A server of the built page, perhaps with a page around Python's frame that is for tests alone.
pub(crate) struct Served {
    pub(crate) url: String,
}

impl Served {
    /// With the headers that threads need, or as a host sends that adds none.
    pub(crate) fn start(isolated: bool) -> Result<Self> {
        let around = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("page");
        Self::serve(isolated, Some(around), |_, bytes| bytes)
    }

    /// The page alone, with files that are other than those that were built.
    pub(crate) fn start_with(
        change: impl Fn(&str, Vec<u8>) -> Vec<u8> + Send + Sync + 'static,
    ) -> Result<Self> {
        Self::serve(true, None, change)
    }

    fn serve(
        isolated: bool,
        around: Option<PathBuf>,
        change: impl Fn(&str, Vec<u8>) -> Vec<u8> + Send + Sync + 'static,
    ) -> Result<Self> {
        let folder = std::env::var_os("GRAPHGROUND_SITE").context("run with `cargo xtask test`")?;
        let folder = PathBuf::from(folder);
        ensure!(folder.join("python/networkx.whl").is_file(), "the page was built without Python");
        // Found missing here rather than in a browser that waits.
        for name in ["python-open.html", "python/worker-open.js"] {
            opened(&folder, name)?;
        }
        let http = tiny_http::Server::http("127.0.0.1:0").map_err(|e| anyhow::anyhow!("{e}"))?;
        let url = format!("http://{}/", http.server_addr());
        std::thread::spawn(move || {
            let respond = |request: tiny_http::Request| {
                let path = request.url().split('?').next().unwrap_or("/").trim_start_matches('/');
                let name = if path.is_empty() { "index.html" } else { path }.to_owned();
                let bytes = opened(&folder, &name)
                    .or_else(|_| {
                        let around = around.as_ref().context("no such page")?;
                        fs::read(around.join(&name)).context("no such file")
                    })
                    .or_else(|_| fs::read(folder.join(&name)).context("no such file"));
                let (status, bytes) = bytes.map_or(("404 Not Found", vec![]), |b| ("200 OK", b));
                let bytes = change(&name, bytes);
                // The library hands several connections to one thread: one that a browser keeps open
                // would hold up the others.
                let mut head = format!(
                    "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\nContent-Type: {}\r\n\
                     X-Content-Type-Options: nosniff\r\n",
                    bytes.len(),
                    kind(&name)
                );
                if isolated {
                    head += "Cross-Origin-Opener-Policy: same-origin\r\n\
                             Cross-Origin-Embedder-Policy: credentialless\r\n\
                             Cross-Origin-Resource-Policy: ";
                    // Firefox takes the frame, which is to have no origin, for one of elsewhere.
                    let is_frame = name.starts_with("python") && name.ends_with(".html");
                    head += if is_frame { "cross-origin\r\n" } else { "same-origin\r\n" };
                }
                let mut out = request.into_writer();
                let _ = out.write_all(format!("{head}\r\n").as_bytes());
                let _ = out.write_all(&bytes);
                let _ = out.flush();
            };
            // A browser may stop reading one answer until it has another.
            std::thread::scope(|scope| {
                for request in http.incoming_requests() {
                    scope.spawn(|| respond(request));
                }
            });
        });
        Ok(Self { url })
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "css" => "text/css",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

/// The sandbox without its walls (the frame's policy) or without its shut doors (what worker.js takes
/// away): a test that would pass with them as well tests nothing.
fn opened(folder: &std::path::Path, name: &str) -> Result<Vec<u8>> {
    let changed = |file: &str, changes: &[(&str, &str)]| -> Result<Vec<u8>> {
        let mut text = fs::read_to_string(folder.join(file))?;
        for (from, to) in changes {
            ensure!(text.matches(from).count() == 1, "{file} has not one {from:?}");
            text = text.replace(from, to);
        }
        Ok(text.into_bytes())
    };
    match name {
        "python-open.html" => {
            let text = fs::read_to_string(folder.join("python.html"))?;
            let (start, rest) = text.split_once("content=\"").context("no policy")?;
            let (_, end) = rest.split_once('"').context("no policy")?;
            let policy = "default-src * blob: data: 'unsafe-inline' 'unsafe-eval'";
            Ok(format!("{start}content=\"{policy}\"{end}").into_bytes())
        }
        "python/worker-open.js" => changed(
            "python/worker.js",
            &[
                ("  removeGlobals();\n", ""),
                ("  closeDoors();\n", ""),
                (
                    "jsglobals: { Object, clearInterval, clearTimeout, eval: refuse, setInterval, setTimeout }",
                    "jsglobals: self",
                ),
                (
                    "  self.fetch = async (url) =>",
                    "  const { fetch: real } = self; self.fetch = async (url) => !`${url}`.includes('pyodide.invalid') ? real.call(self, url) :",
                ),
            ],
        ),
        _ => anyhow::bail!("{name} is as it is"),
    }
}

/// A port that notes the first words of whatever connects to it.
pub(crate) struct Port {
    pub(crate) port: u16,
    arrived: Arc<Mutex<Vec<String>>>,
}

impl Port {
    pub(crate) fn listen() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let arrived = Arc::new(Mutex::new(Vec::new()));
        let notes = Arc::clone(&arrived);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let _ = stream.set_read_timeout(Some(Duration::from_millis(500)));
                let mut bytes = [0; 512];
                let n = stream.read(&mut bytes).unwrap_or(0);
                let words = String::from_utf8_lossy(&bytes[..n]);
                let line = words.lines().next().unwrap_or("nothing said").to_owned();
                if let Ok(mut notes) = notes.lock() {
                    notes.push(line);
                }
                let answer = "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 2\r\n\
                              Connection: close\r\n\r\nhi";
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        Ok(Self { port, arrived })
    }

    /// What has arrived, after a moment for what is on its way.
    pub(crate) async fn arrived(&self) -> Vec<String> {
        tokio::time::sleep(Duration::from_secs(1)).await;
        self.arrived.lock().map(|a| a.clone()).unwrap_or_default()
    }
}

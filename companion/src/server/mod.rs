//! The one HTTP server of the commands that listen: on the loopback, for whom [`guard`] lets in,
//! and within limits, so that no client keeps it from the others.

mod guard;

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Notify;

pub(crate) use guard::{Guard, Origins};

use crate::output;

/// The most bytes of a request's headers: more is answered with 431.
const MAX_HEADERS: usize = 64 * 1024;
/// A connection that has not sent its next headers after so long is closed.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// A body that is not whole after so long is answered with 408.
const BODY_WITHIN: Duration = Duration::from_secs(10);
/// The most connections at once. One more closes the one that has been idle for longest.
const MAX_CONNECTIONS: usize = 256;
/// The most origins of which the terminal is told that they were refused.
const MAX_TOLD: usize = 20;

/// A request whose body is here.
pub(crate) type Asked = Request<Full<Bytes>>;
/// An answer, whole or as it comes.
pub(crate) type Answer = Response<BoxBody<Bytes, Infallible>>;

/// An answer of one piece.
pub(crate) fn answer(status: StatusCode, content_type: &str, body: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Full::new(body.into()).boxed());
    *answer.status_mut() = status;
    if let Ok(value) = HeaderValue::from_str(content_type) {
        answer.headers_mut().insert(header::CONTENT_TYPE, value);
    }
    answer
}

/// How a server listens.
pub(crate) struct Server {
    /// Who may ask.
    pub(crate) guard: Guard,
    /// The most bytes of a request's body: more is answered with 413.
    pub(crate) max_body: usize,
    /// How a refusal is worded in the protocol that the server speaks: content type and body.
    pub(crate) fault: fn(StatusCode, &str) -> Answer,
}

impl Server {
    /// Listens at an address, tells `ready` which one it is, and answers until the process ends.
    ///
    /// # Errors
    /// If nothing can listen there; `hint` says what to do.
    pub(crate) async fn run<F>(
        self,
        address: SocketAddr,
        hint: &str,
        ready: impl FnOnce(SocketAddr) -> Result<()>,
        handle: impl Fn(Asked) -> F + Clone + Send + Sync + 'static,
    ) -> Result<()>
    where
        F: Future<Output = Answer> + Send + 'static,
    {
        let cannot = || format!("cannot listen on {address}: {hint}");
        let listener = TcpListener::bind(address).await.with_context(cannot)?;
        ready(listener.local_addr().with_context(cannot)?)?;
        let server = Arc::new(self);
        let connections = Connections::default();
        let told = Arc::new(Mutex::new(BTreeSet::new()));
        loop {
            // One that broke off before we took it is no reason to stop.
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            let connection = connections.begin();
            let (server, told, handle) = (server.clone(), told.clone(), handle.clone());
            tokio::spawn(async move {
                let close = connection.close.clone();
                let service = service_fn(|request| {
                    let (server, told) = (server.clone(), told.clone());
                    let (connection, handle) = (&connection, &handle);
                    async move {
                        let answer = server.answer(request, &told, async |request| {
                            // Who sends slowly or reads slowly counts as idle.
                            let _busy = connection.busy();
                            handle(request).await
                        });
                        Ok::<_, Infallible>(answer.await)
                    }
                });
                let serving = hyper::server::conn::http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(HEADERS_WITHIN)
                    .max_buf_size(MAX_HEADERS)
                    .serve_connection(TokioIo::new(stream), service);
                tokio::select! {
                    // What goes wrong on one connection is that client's matter.
                    _ = serving => {}
                    () = close.notified() => {}
                }
            });
        }
    }

    /// Checks a request, reads its body, has it answered, and says which page may read that.
    async fn answer(
        &self,
        request: Request<Incoming>,
        told: &Mutex<BTreeSet<String>>,
        handle: impl AsyncFnOnce(Asked) -> Answer,
    ) -> Answer {
        // What is read at once may be more than the buffer is to hold.
        let lengths = request.headers().iter().map(|(n, v)| n.as_str().len() + v.len() + 4);
        if lengths.sum::<usize>() + request.uri().to_string().len() > MAX_HEADERS {
            let words = format!("the headers have more than {MAX_HEADERS} bytes");
            return (self.fault)(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, &words);
        }
        let origin = match self.guard.check(request.headers()) {
            Ok(origin) => origin,
            Err(refused) => {
                if let Some(origin) = refused.origin {
                    tell(origin, told);
                }
                return (self.fault)(StatusCode::FORBIDDEN, &refused.message);
            }
        };
        let mut answer = if request.method() == Method::OPTIONS {
            preflight(request.headers())
        } else {
            match self.whole(request).await {
                Ok(request) => handle(request).await,
                Err(answer) => answer,
            }
        };
        let headers = answer.headers_mut();
        headers.insert(header::VARY, HeaderValue::from_static("Origin"));
        // Nobody guesses that an answer is a page.
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if let Some(origin) = origin {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            let exposed = HeaderValue::from_static("mcp-session-id");
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
        } else {
            // A program has no use for what a browser is told.
            headers.remove(PRIVATE_NETWORK);
        }
        answer
    }

    /// The request with its whole body.
    async fn whole(&self, request: Request<Incoming>) -> Result<Asked, Answer> {
        let (head, body) = request.into_parts();
        let limit = self.max_body;
        let too_large = || {
            let words = format!("the request has more than {limit} bytes");
            (self.fault)(StatusCode::PAYLOAD_TOO_LARGE, &words)
        };
        let length = head.headers.get(header::CONTENT_LENGTH).and_then(|l| l.to_str().ok());
        if length.and_then(|l| l.parse().ok()).is_some_and(|n: u64| n > limit as u64) {
            return Err(too_large());
        }
        match tokio::time::timeout(BODY_WITHIN, Limited::new(body, limit).collect()).await {
            Ok(Ok(body)) => Ok(Request::from_parts(head, Full::new(body.to_bytes()))),
            Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => Err(too_large()),
            Ok(Err(_)) => Err((self.fault)(StatusCode::BAD_REQUEST, "the request broke off")),
            Err(_) => {
                let words = format!("the request was not whole after {} s", BODY_WITHIN.as_secs());
                Err((self.fault)(StatusCode::REQUEST_TIMEOUT, &words))
            }
        }
    }
}

/// The bytes of a request's body.
pub(crate) async fn bytes(request: Asked) -> Bytes {
    // A body that is here cannot fail.
    request.into_body().collect().await.map(|b| b.to_bytes()).unwrap_or_default()
}

const PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// The answer to a browser that asks whether a page may ask.
fn preflight(asked: &HeaderMap) -> Answer {
    let mut answer = answer(StatusCode::NO_CONTENT, "", Bytes::new());
    let headers = answer.headers_mut();
    headers.remove(header::CONTENT_TYPE);
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE, OPTIONS"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "content-type, authorization, accept, mcp-session-id, mcp-protocol-version, last-event-id",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, "600"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if asked.contains_key("access-control-request-private-network") {
        headers.insert(PRIVATE_NETWORK, HeaderValue::from_static("true"));
    }
    answer
}

/// Tells the person at the terminal, once an origin, how a page would be let in.
fn tell(origin: String, told: &Mutex<BTreeSet<String>>) {
    let mut told = lock(told);
    if told.len() < MAX_TOLD && !told.contains(&origin) {
        output::complain(&format!(
            "a page of {origin} asked and was refused; to answer it, start this with \
             --allow-origin {origin}"
        ));
        told.insert(origin);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is kept here is whole at every moment.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The connections that are open, and which of them wait for a request.
#[derive(Clone, Default)]
struct Connections(Arc<Mutex<Open>>);

#[derive(Default)]
struct Open {
    next: u64,
    /// By age.
    all: BTreeMap<u64, Arc<Notify>>,
    /// Those that wait, by how long they have done so.
    idle: BTreeMap<u64, u64>,
}

struct Connection {
    id: u64,
    all: Connections,
    close: Arc<Notify>,
}

impl Connections {
    /// Takes a connection in. Where there are too many, the one that has been idle for longest
    /// goes; where none is idle, the new one does.
    fn begin(&self) -> Connection {
        let mut open = lock(&self.0);
        let close = Arc::new(Notify::new());
        let id = open.stamp();
        open.all.insert(id, close.clone());
        open.idle.insert(id, id);
        if open.all.len() > MAX_CONNECTIONS
            && let Some((_, longest)) = open.idle.pop_first()
            && let Some(close) = open.all.remove(&longest)
        {
            close.notify_one();
        }
        Connection { id, all: self.clone(), close }
    }
}

impl Open {
    fn stamp(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

impl Connection {
    /// Marks the connection as at work until what this gives is dropped.
    fn busy(&self) -> impl Drop + use<> {
        lock(&self.all.0).idle.retain(|_, id| *id != self.id);
        Busy { id: self.id, all: self.all.clone() }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut open = lock(&self.all.0);
        open.all.remove(&self.id);
        open.idle.retain(|_, id| *id != self.id);
    }
}

struct Busy {
    id: u64,
    all: Connections,
}

impl Drop for Busy {
    fn drop(&mut self) {
        let mut open = lock(&self.all.0);
        if open.all.contains_key(&self.id) {
            let since = open.stamp();
            open.idle.insert(since, self.id);
        }
    }
}

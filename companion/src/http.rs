//! The companion's way to an endpoint: plain blocking requests, one at a time.

use std::io::{self, Read};
use std::time::{Duration, SystemTime};

use agent::{Sink, Transport};
use flate2::read::ZlibDecoder;
use llm::{
    ApiKey, BoxFuture, ChatResponse, Endpoint, HttpHead, HttpRequest, HttpResponse, ModelError,
    Scrub, providers, scrub::Stream, stream::Utf8Carry,
};
use ureq::config::AutoHeaderValue;
use ureq::{Agent, Body, http::Response};

use crate::keys;

/// The largest answer that is read, in bytes.
const MAX_BODY: u64 = 8_000_000;
/// The longest silence before an answer and within it. How long the whole takes is the model's affair.
const PATIENCE: Duration = Duration::from_secs(180);
/// The most redirects that are followed.
const MAX_REDIRECTS: usize = 3;
/// Who asks. Wikipedia turns away who does not say it.
const USER_AGENT: &str = concat!("graphground/", env!("CARGO_PKG_VERSION"));

/// Sends requests, with the key of the one endpoint that it is for.
pub struct Client {
    agent: Agent,
    key: Option<ApiKey>,
    /// Takes the key, and all others of the command line, out of what comes back: what is asked here
    /// ends up in files.
    scrub: Scrub,
    patience: Duration,
}

impl Client {
    pub fn new(key: Option<ApiKey>) -> Self {
        Self::with_patience(key, PATIENCE)
    }

    fn with_patience(key: Option<ApiKey>, patience: Duration) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // A redirect could take a key to another host: each is looked at here.
            .max_redirects(0)
            .user_agent(USER_AGENT)
            // Packed answers are unpacked, and not asked for: what packs a stream may hold it back.
            .accept_encoding(AutoHeaderValue::None)
            .timeout_connect(Some(patience))
            .timeout_per_read(Some(patience))
            .timeout_per_write(Some(patience))
            .build();
        let scrub = keys::scrub().with(key.as_ref());
        Self { agent: config.into(), key, scrub, patience }
    }

    fn begin(
        &self,
        endpoint: &Endpoint,
        request: HttpRequest,
    ) -> Result<(HttpHead, Response<Body>), ModelError> {
        // A model or a tool may have put one together.
        let mut request = request;
        keys::said().request(&mut request);
        let mut headers = std::mem::take(&mut request.headers);
        if let Some(key) = &self.key {
            headers.extend(providers::auth(&endpoint.provider, key));
        }
        let mut answer = self.knock(&request, &headers)?;
        for _ in 0..MAX_REDIRECTS {
            let Some(location) = redirect(&request.method, &answer) else { break };
            let Some(url) = below_same_host(&request.url, &location) else {
                let to = Endpoint::new("", location).host();
                let reason = format!(
                    "it redirects to {to:?}, and a key is not taken to another host; give the \
                     address there"
                );
                let url = request.url.clone();
                return Err(self.scrub.error(ModelError::Unreachable { url, reason }));
            };
            request.url = url;
            answer = self.knock(&request, &headers)?;
        }
        let header = |name: &str| {
            answer.headers().get(name).and_then(|v| v.to_str().ok()).map(str::to_owned)
        };
        let said = answer.headers().iter();
        let said: Vec<(String, String)> = said
            .filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())))
            .collect();
        #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let mut head = HttpHead {
            status: answer.status().as_u16(),
            content_type: header("content-type"),
            retry_after_ms: providers::wait_of_headers(&said, now.as_secs_f64() * 1000.0),
        };
        self.scrub.head(&mut head);
        Ok((head, answer))
    }

    /// Sends a request once and waits for the head of the answer.
    fn knock(
        &self,
        request: &HttpRequest,
        headers: &[(String, String)],
    ) -> Result<Response<Body>, ModelError> {
        let fault = |e: ureq::Error| match e {
            ureq::Error::Timeout(_) => {
                ModelError::TimedOut { url: request.url.clone(), seconds: self.patience.as_secs() }
            }
            e => ModelError::Unreachable { url: request.url.clone(), reason: e.to_string() },
        };
        let answer = if request.method == "GET" {
            let asked =
                headers.iter().fold(self.agent.get(&request.url), |r, (n, v)| r.header(n, v));
            asked.call()
        } else {
            let asked =
                headers.iter().fold(self.agent.post(&request.url), |r, (n, v)| r.header(n, v));
            asked.send(&request.body)
        };
        answer.map_err(|e| self.scrub.error(fault(e)))
    }

    /// What an answer broke off with.
    fn broken(&self, error: &io::Error) -> ModelError {
        let is_silence = error.kind() == io::ErrorKind::TimedOut
            || error
                .get_ref()
                .is_some_and(|e| matches!(e.downcast_ref(), Some(ureq::Error::Timeout(_))));
        let reason = match is_silence {
            true => format!("nothing came for {} seconds", self.patience.as_secs()),
            false => error.to_string(),
        };
        self.scrub.error(ModelError::Broken { reason })
    }

    /// What takes the client's key out of texts.
    pub fn scrub(&self) -> &Scrub {
        &self.scrub
    }

    /// Sends a request and waits for the whole answer.
    pub(crate) fn ask(
        &self,
        endpoint: &Endpoint,
        request: HttpRequest,
    ) -> Result<HttpResponse, ModelError> {
        let (head, mut answer) = self.begin(endpoint, request)?;
        let mut bytes = Vec::new();
        body(&mut answer)?.read_to_end(&mut bytes).map_err(|e| self.broken(&e))?;
        Ok(head.with_body(self.scrub.clean(&String::from_utf8_lossy(&bytes)).into_owned()))
    }

    /// Sends a request and hands on the answer as it comes.
    pub fn listen(
        &self,
        endpoint: &Endpoint,
        request: HttpRequest,
        sink: &mut dyn Sink,
    ) -> Result<(), ModelError> {
        let (head, mut answer) = self.begin(endpoint, request)?;
        sink.head(head);
        let mut reader = body(&mut answer)?;
        let mut buffer = [0; 4096];
        let (mut carry, mut clean) = (Utf8Carry::default(), Stream::new(self.scrub.clone()));
        loop {
            let n = reader.read(&mut buffer).map_err(|e| self.broken(&e))?;
            let text = match n {
                0 => clean.feed(&carry.end()) + &clean.end(),
                n => clean.feed(&carry.feed(&buffer[..n])),
            };
            let wants_more = text.is_empty() || sink.bytes(text.as_bytes())?;
            if n == 0 || !wants_more {
                return Ok(());
            }
        }
    }
}

/// The body, unpacked.
fn body(answer: &mut Response<Body>) -> Result<Box<dyn Read + '_>, ModelError> {
    // The client takes the header away where it unpacks.
    let packed = answer.headers().get("content-encoding").and_then(|v| v.to_str().ok());
    let packed = packed.map(|name| name.trim().to_ascii_lowercase()).unwrap_or_default();
    let reader = answer.body_mut().with_config().limit(MAX_BODY).reader();
    match &*packed {
        "" | "identity" => Ok(Box::new(reader)),
        "deflate" => Ok(Box::new(ZlibDecoder::new(reader).take(MAX_BODY))),
        other => {
            let reason = format!(
                "it came packed as {other:?}, which was not asked for; switch that off at the server \
                 or the proxy in front of it"
            );
            Err(ModelError::Broken { reason })
        }
    }
}

/// Where an answer sends this request as it is.
fn redirect(method: &str, answer: &Response<Body>) -> Option<String> {
    let keeps_method = match answer.status().as_u16() {
        307 | 308 => true,
        301 | 302 => method == "GET",
        _ => false,
    };
    let to = answer.headers().get("location")?.to_str().ok()?;
    keeps_method.then(|| to.trim().to_owned())
}

/// The address that a redirect means, where it is on the same host and as safe.
fn below_same_host(asked: &str, location: &str) -> Option<String> {
    let origin = |url: &str| {
        let (scheme, rest) = url.split_once("://")?;
        let host = rest.split(['/', '?', '#']).next()?.to_ascii_lowercase();
        Some((scheme.to_ascii_lowercase(), host))
    };
    let (scheme, host) = origin(asked)?;
    if location.starts_with('/') && !location.starts_with("//") {
        return Some(format!("{scheme}://{host}{location}"));
    }
    let (to_scheme, to_host) = origin(location)?;
    let is_safe = to_scheme == scheme || to_scheme == "https" && !host.contains(':');
    (is_safe && to_host == host).then(|| location.to_owned())
}

impl Transport for Client {
    fn send<'a>(
        &'a self,
        endpoint: &'a Endpoint,
        request: HttpRequest,
    ) -> BoxFuture<'a, Result<HttpResponse, ModelError>> {
        Box::pin(async move { self.ask(endpoint, request) })
    }

    fn stream<'a>(
        &'a self,
        endpoint: &'a Endpoint,
        request: HttpRequest,
        sink: &'a mut dyn Sink,
    ) -> BoxFuture<'a, Result<(), ModelError>> {
        Box::pin(async move { self.listen(endpoint, request, sink) })
    }

    fn clean<'a>(
        &'a self,
        _: &'a Endpoint,
        outcome: Result<ChatResponse, ModelError>,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(async move { self.scrub.outcome(outcome) })
    }

    fn salt(&self) -> u64 {
        u64::from(std::process::id())
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        Box::pin(async move { std::thread::sleep(Duration::from_millis(ms)) })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_redirect_stays_on_its_host() {
        let asked = "http://one.test/v1/models?x=1";
        for (location, to) in [
            ("/v1/models/", Some("http://one.test/v1/models/")),
            ("http://ONE.test/v2", Some("http://ONE.test/v2")),
            ("https://one.test/v1/models", Some("https://one.test/v1/models")),
            ("https://two.test/v1/models", None),
            ("//two.test/v1", None),
            ("http://one.test.two.test/", None),
            ("http://one.test@two.test/", None),
            ("http://one.test:81/", None),
            ("models/", None),
        ] {
            assert_eq!(below_same_host(asked, location).as_deref(), to, "{location}");
        }
        assert_eq!(below_same_host("https://one.test/", "http://one.test/"), None, "less safe");
    }

    /// Answers one connection with bytes at their times, and keeps it open at the end.
    fn serve(pieces: &'static [(u64, &'static [u8])]) -> Endpoint {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let (mut socket, _) = listener.accept().unwrap();
            let _ = socket.read(&mut [0; 4096]);
            for (ms, bytes) in pieces {
                std::thread::sleep(Duration::from_millis(*ms));
                let _ = socket.write_all(bytes);
            }
            std::thread::sleep(Duration::from_secs(5));
        });
        Endpoint::new("openai", format!("http://{address}"))
    }

    /// Keeps what comes.
    #[derive(Default)]
    struct Kept(String);

    impl Sink for Kept {
        fn head(&mut self, _: HttpHead) {}

        fn bytes(&mut self, bytes: &[u8]) -> Result<bool, ModelError> {
            self.0.push_str(&String::from_utf8_lossy(bytes));
            Ok(!self.0.ends_with("end\n"))
        }
    }

    fn heard(endpoint: &Endpoint) -> (Result<(), ModelError>, String) {
        let client = Client::with_patience(None, Duration::from_millis(400));
        let (method, url) = ("GET".into(), endpoint.url("x"));
        let request = HttpRequest { method, url, headers: Vec::new(), body: String::new() };
        let mut kept = Kept::default();
        (client.listen(endpoint, request, &mut kept), kept.0)
    }

    const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";

    #[test]
    fn the_clock_measures_silence_and_not_the_length_of_an_answer() {
        let slow = serve(&[(0, HEAD), (250, b"a"), (250, b"b"), (250, b"c"), (250, b"end\n")]);
        assert_eq!(heard(&slow), (Ok(()), "abcend\n".to_owned()));
        let (outcome, text) = heard(&serve(&[(0, HEAD), (0, b"a")]));
        assert!(matches!(outcome, Err(ModelError::Broken { .. })), "{outcome:?}");
        assert_eq!(text, "a");
        assert!(matches!(heard(&serve(&[])).0, Err(ModelError::TimedOut { .. })));
    }

    #[test]
    fn what_comes_packed_is_unpacked_or_named() {
        // "end\n" as zlib packs it.
        let deflated: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-encoding: deflate\r\ncontent-length: 12\r\n\r\n\x78\x9c\x4b\xcd\x4b\xe1\x02\x00\x03\xb4\x01\x42";
        let other: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\n\r\n....";
        assert_eq!(heard(&serve(Box::leak(Box::new([(0, deflated)])))), (Ok(()), "end\n".into()));
        let (outcome, _) = heard(&serve(Box::leak(Box::new([(0, other)]))));
        assert!(outcome.unwrap_err().to_string().contains("packed as \"zstd\""));
    }
}

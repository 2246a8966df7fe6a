//! The companion's way to an endpoint: plain blocking requests, one at a time.

use std::io::Read as _;
use std::time::Duration;

use agent::{Sink, Transport};
use llm::{
    ApiKey, BoxFuture, ChatResponse, Endpoint, HttpHead, HttpRequest, HttpResponse, ModelError,
    Scrub, providers, scrub::Stream, stream::Utf8Carry,
};
use ureq::{Agent, Body, http::Response};

use crate::keys;

/// The largest answer that is read, in bytes.
const MAX_BODY: u64 = 8_000_000;
/// The longest silence before an answer begins, and the longest that it may take.
const PATIENCE: Duration = Duration::from_secs(300);
/// Who asks. Wikipedia turns away who does not say it.
const USER_AGENT: &str = concat!("graphground/", env!("CARGO_PKG_VERSION"));

/// Sends requests, with the key of the one endpoint that it is for.
pub struct Client {
    agent: Agent,
    key: Option<ApiKey>,
    /// Takes the key, and all others of the command line, out of what comes back: what is asked here
    /// ends up in files.
    scrub: Scrub,
}

impl Client {
    pub fn new(key: Option<ApiKey>) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // A redirect could take a key to another host.
            .max_redirects(0)
            .user_agent(USER_AGENT)
            .timeout_global(Some(PATIENCE))
            .build();
        let scrub = keys::scrub().with(key.as_ref());
        Self { agent: config.into(), key, scrub }
    }

    fn begin(
        &self,
        endpoint: &Endpoint,
        request: HttpRequest,
    ) -> Result<(HttpHead, Response<Body>), ModelError> {
        // A model or a tool may have put one together.
        let mut request = request;
        keys::said().request(&mut request);
        let mut headers = request.headers;
        if let Some(key) = &self.key {
            headers.extend(providers::auth(&endpoint.provider, key));
        }
        let fault = |e: ureq::Error| match e {
            ureq::Error::Timeout(_) => {
                ModelError::TimedOut { url: request.url.clone(), seconds: PATIENCE.as_secs() }
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
        }
        .map_err(|e| self.scrub.error(fault(e)))?;
        let header = |name: &str| {
            answer.headers().get(name).and_then(|v| v.to_str().ok()).map(str::to_owned)
        };
        let mut head = HttpHead {
            status: answer.status().as_u16(),
            content_type: header("content-type"),
            // A date in the header is passed over: nobody sends one, and reading it wants a calendar.
            retry_after_ms: header("retry-after")
                .and_then(|text| providers::retry_after_ms(&text, 0.0, |_| None)),
        };
        self.scrub.head(&mut head);
        Ok((head, answer))
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
        let bytes = answer.body_mut().with_config().limit(MAX_BODY).read_to_vec();
        let bytes = bytes.map_err(|e| ModelError::Broken { reason: e.to_string() })?;
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
        let mut reader = answer.body_mut().with_config().limit(MAX_BODY).reader();
        let mut buffer = [0; 4096];
        let (mut carry, mut clean) = (Utf8Carry::default(), Stream::new(self.scrub.clone()));
        loop {
            let n = reader.read(&mut buffer);
            let n = n.map_err(|e| ModelError::Broken { reason: e.to_string() })?;
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

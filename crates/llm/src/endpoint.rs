//! Where a model lives, and the bytes that go there and come back.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{PROVIDERS, Provider, ToolStyle};

/// A key for an endpoint. It prints as `***` and is in no serialised form.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Takes a key as a person typed it; nothing if it is blank.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// The key itself, for the one place that puts it on the wire.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// What a protocol puts behind an address when it asks for a completion.
const OWN_PATHS: [(&str, &str); 4] = [
    ("openai", "/chat/completions"),
    ("responses", "/responses"),
    ("anthropic", "/messages"),
    ("ollama", "/api/chat"),
];

/// Where a model is asked. The key is kept apart, by whoever sends the bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Endpoint {
    /// The wire protocol: a [`Provider`](crate::Provider)'s id.
    pub provider: String,
    /// The address before the protocol's own path, such as `http://127.0.0.1:8190/v1`; it may have a
    /// query, which goes with every request.
    pub base_url: String,
    /// How it is asked.
    #[serde(default, skip_serializing_if = "AskOptions::is_default")]
    pub options: AskOptions,
}

/// How an endpoint is asked, beyond what a question says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AskOptions {
    /// Asks for whole answers, for servers whose streams are broken.
    pub no_stream: bool,
    /// The size of the context window in tokens, for Ollama's own protocol, which otherwise takes
    /// a small one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub num_ctx: Option<u64>,
    /// The most tokens of a reply, unless the question says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// The sampling temperature, unless the question says; absent leaves it to the endpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// How the model calls tools.
    #[serde(skip_serializing_if = "ToolStyle::is_native")]
    pub tool_style: ToolStyle,
    /// Holds calls in JSON to the schema of the tools, and replies without tools to the shape that is
    /// asked for, where the protocol can.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub constrain: bool,
}

impl AskOptions {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Why a protocol cannot be asked so, if so.
    pub fn fault(&self, provider: &Provider) -> Option<String> {
        if self.constrain && self.tool_style != ToolStyle::Json {
            return Some(format!(
                "calls can be held to a schema where the tool style is json, and it is {}",
                self.tool_style.name()
            ));
        }
        (self.constrain && !provider.takes_schema).then(|| {
            let with = PROVIDERS.iter().filter(|p| p.takes_schema).map(|p| p.id);
            format!(
                "the protocol {} takes no schema for a reply; {} do",
                provider.id,
                with.collect::<Vec<_>>().join(" and ")
            )
        })
    }
}

impl Endpoint {
    /// An endpoint that is asked in the usual way.
    pub fn new(provider: impl Into<String>, base_url: impl Into<String>) -> Self {
        let (provider, base_url) = (provider.into(), base_url.into());
        Self { provider, base_url, options: AskOptions::default() }
    }

    /// The address of one of the protocol's paths. A query of the endpoint's address goes with it.
    pub fn url(&self, path: &str) -> String {
        let (path, own) = path.split_once('?').map_or((path, None), |(path, q)| (path, Some(q)));
        let (_, query) = self.parts();
        let queries = [own, Some(query)].into_iter().flatten().filter(|q| !q.is_empty());
        let query = queries.collect::<Vec<_>>().join("&");
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}/{path}{mark}{query}", self.root())
    }

    /// The address below which all that is asked lies: without a query, and without the protocol's
    /// own path where somebody gave it along.
    pub fn root(&self) -> &str {
        let (url, _) = self.parts();
        let own = OWN_PATHS.iter().find(|(provider, _)| *provider == self.provider);
        let rest = own.and_then(|(_, path)| url.strip_suffix(path));
        rest.unwrap_or(url).trim_end_matches('/')
    }

    /// The address up to its path, and its query.
    fn parts(&self) -> (&str, &str) {
        let url = self.base_url.trim();
        let url = url.split('#').next().unwrap_or_default();
        let (url, query) = url.split_once('?').unwrap_or((url, ""));
        (url.trim_end_matches('/'), query)
    }

    /// The host with its port, in lower case; empty if the address has none.
    pub fn host(&self) -> String {
        let url = self.base_url.trim();
        let rest = url.split_once("//").map_or(url, |(_, rest)| rest);
        rest.split(['/', '?', '#']).next().unwrap_or_default().to_ascii_lowercase()
    }

    /// Whether a server is at that host, whatever its port.
    pub fn is_at(&self, host: &str) -> bool {
        self.host().split(':').next() == Some(host)
    }
}

/// Bytes to send. Never carries a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpRequest {
    /// The method, `GET` or `POST`.
    pub method: String,
    /// The whole address, with path and query, without a key.
    pub url: String,
    /// Header names and values.
    pub headers: Vec<(String, String)>,
    /// The body; empty for `GET`.
    pub body: String,
}

/// What stands before the bytes that come back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpHead {
    /// The HTTP status, 100 to 599.
    pub status: u16,
    /// The `content-type`, if there was one.
    pub content_type: Option<String>,
    /// The `retry-after` in milliseconds, if there was one and the transport may see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

impl HttpHead {
    /// Whether the status says that all is well.
    pub fn is_ok(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The whole answer, once its body is there.
    pub fn with_body(self, body: String) -> HttpResponse {
        let Self { status, content_type, retry_after_ms } = self;
        HttpResponse { status, content_type, retry_after_ms, body }
    }
}

/// Bytes that came back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpResponse {
    /// The HTTP status, 100 to 599.
    pub status: u16,
    /// The `content-type`, if there was one.
    pub content_type: Option<String>,
    /// The `retry-after` in milliseconds, if there was one and the transport may see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// The body as text.
    pub body: String,
}

impl HttpResponse {
    /// What stands before the body.
    pub fn head(&self) -> HttpHead {
        HttpHead {
            status: self.status,
            content_type: self.content_type.clone(),
            retry_after_ms: self.retry_after_ms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_put_together_as_addresses() {
        for (provider, base, path, url) in [
            ("openai", " http://a.test/v1/ ", "models", "http://a.test/v1/models"),
            ("openai", "http://a.test", "chat/completions", "http://a.test/chat/completions"),
            ("openai", "http://a.test?v=1", "models", "http://a.test/models?v=1"),
            ("openai", "http://a.test/m/?v=1", "models", "http://a.test/m/models?v=1"),
            ("gemini", "http://a.test/v1?v=1", "m:s?alt=sse", "http://a.test/v1/m:s?alt=sse&v=1"),
            ("openai", "http://a.test/v1/chat/completions", "models", "http://a.test/v1/models"),
            (
                "openai",
                "http://a.test/v1/chat/completions/?v=1",
                "chat/completions",
                "http://a.test/v1/chat/completions?v=1",
            ),
            ("ollama", "http://a.test/api/chat", "api/tags", "http://a.test/api/tags"),
            ("openai", "http://a.test/messages", "models", "http://a.test/messages/models"),
            ("openai", "http://a.test/v1#top", "models", "http://a.test/v1/models"),
        ] {
            assert_eq!(Endpoint::new(provider, base).url(path), url, "{base}");
        }
    }
}

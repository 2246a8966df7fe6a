//! Wire protocols, one file or folder each.

mod anthropic;
mod credit;
mod gemini;
mod ollama;
mod openai;
mod overflow;
pub(crate) mod read;
mod responses;
mod waits;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

pub use waits::wait_of_headers;

use crate::stream::{Assembly, Decoder, Frame, Framing};
use crate::{
    ApiKey, AskOptions, ChatRequest, ChatResponse, Endpoint, HttpRequest, HttpResponse, ModelError,
};

/// A wire protocol: pure transforms between our words and its bytes.
#[derive(Clone, Copy)]
pub struct Provider {
    /// A stable id, which files and addresses have: `openai`.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What an address of this protocol looks like.
    pub example_url: &'static str,
    /// The bytes that ask for a completion, with tools as the protocol has them; whether as a stream
    /// is the last argument. [`Provider::ask`] knows other styles of tools.
    pub request: fn(&Endpoint, &ChatRequest, bool) -> HttpRequest,
    /// Reads a whole answer, and nothing else. [`Provider::read`] reads what servers make of it.
    pub response: fn(&HttpResponse) -> Result<ChatResponse, ModelError>,
    /// How its streams are cut.
    pub framing: Framing,
    /// Reads one piece of a stream.
    pub event: fn(&mut Assembly, &Frame) -> Result<(), ModelError>,
    /// The bytes that ask which models there are.
    pub list_models: fn(&Endpoint) -> HttpRequest,
    /// Reads the names of the models.
    pub models: fn(&HttpResponse) -> Result<Vec<String>, ModelError>,
    /// The headers that carry a key.
    pub auth: fn(&ApiKey) -> Vec<(String, String)>,
    /// Whether a reply can be held to a JSON schema.
    pub takes_schema: bool,
}

impl Provider {
    /// The bytes that ask an endpoint for a completion, in the endpoint's tool style; whether as a
    /// stream is the last argument.
    pub fn ask(&self, endpoint: &Endpoint, chat: &ChatRequest, stream: bool) -> HttpRequest {
        let AskOptions { tool_style, constrain, .. } = endpoint.options;
        (self.request)(endpoint, &tool_style.request(chat, constrain), stream)
    }

    /// Reads what came of a question for a whole answer, which may be a stream all the same.
    ///
    /// # Errors
    /// The endpoint reports an error, or what came is no answer.
    pub fn read(&'static self, http: &HttpResponse) -> Result<ChatResponse, ModelError> {
        let whole = (self.response)(http);
        if !matches!(whole, Err(ModelError::NotJson { .. })) || !http.head().is_ok() {
            return whole;
        }
        let mut decoder = Decoder::new(self, http.head());
        match decoder.feed(http.body.as_bytes()).and_then(|_| decoder.finish()) {
            Err(ModelError::Broken { .. }) => whole,
            read => read,
        }
    }
}

/// Every protocol, in the order in which lists show them.
pub static PROVIDERS: &[Provider] = &[
    openai::PROVIDER,
    responses::PROVIDER,
    anthropic::PROVIDER,
    gemini::PROVIDER,
    ollama::PROVIDER,
];

/// The protocol of that id.
pub fn find(id: &str) -> Option<&'static Provider> {
    PROVIDERS.iter().find(|p| p.id == id)
}

/// What an endpoint that is no model's calls its protocol: plain HTTP, as a graph store's.
pub const HTTP: &str = "http";

/// The headers that carry a key to an endpoint of a protocol; none if nobody knows how it wants
/// them.
///
/// Over plain HTTP a key `user:password` goes as `Basic` (RFC 7617), any other as `Bearer`
/// (RFC 6750).
pub fn auth(protocol: &str, key: &ApiKey) -> Vec<(String, String)> {
    if let Some(provider) = find(protocol) {
        return (provider.auth)(key);
    }
    if protocol != HTTP {
        return Vec::new();
    }
    let value = match key.expose() {
        pair if pair.contains(':') => format!("Basic {}", STANDARD.encode(pair)),
        token => format!("Bearer {token}"),
    };
    vec![("authorization".into(), value)]
}

impl std::fmt::Debug for Provider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Provider").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The most tokens of a reply: what the question says, else what the endpoint's options say.
fn max_tokens(endpoint: &Endpoint, chat: &ChatRequest) -> Option<u64> {
    chat.max_tokens.or(endpoint.options.max_tokens)
}

/// The sampling temperature: what the question says, else what the endpoint's options say.
fn temperature(endpoint: &Endpoint, chat: &ChatRequest) -> Option<f64> {
    chat.temperature.or(endpoint.options.temperature)
}

/// A question as JSON.
fn post(url: String, body: serde_json::Map<String, serde_json::Value>) -> HttpRequest {
    HttpRequest {
        method: "POST".into(),
        url,
        // Nothing more than needed: every further header is one that a server's CORS rules may
        // refuse.
        headers: vec![("content-type".into(), "application/json".into())],
        body: serde_json::Value::Object(body).to_string(),
    }
}

/// A question without a body.
fn get(url: String) -> HttpRequest {
    HttpRequest { method: "GET".into(), url, headers: Vec::new(), body: String::new() }
}

/// Arguments as the object that some protocols want. What is no object is handed over under one
/// name, so that the model sees what it wrote.
fn arguments_object(text: &str) -> serde_json::Value {
    match serde_json::from_str(text) {
        Ok(object @ serde_json::Value::Object(_)) => object,
        _ if text.trim().is_empty() => serde_json::json!({}),
        _ => serde_json::json!({ "unreadable": text }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_over_plain_http_is_a_login_or_a_token() {
        let value = |text: &str| {
            ApiKey::new(text)
                .map(|k| auth(HTTP, &k).first().map(|h| h.1.clone()).unwrap_or_default())
        };
        // The example of RFC 7617.
        let login = value("Aladdin:open sesame");
        assert_eq!(login.as_deref(), Some("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="));
        assert_eq!(value("abc").as_deref(), Some("Bearer abc"));
        let key = ApiKey::new("k");
        assert!(key.is_some_and(|k| auth("no such protocol", &k).is_empty()));
    }
}
